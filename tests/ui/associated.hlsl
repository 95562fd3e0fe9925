//! library
// A plain call finds the functions of its arguments' namespaces that are declared before it.
RWStructuredBuffer<float> O;
enum Plain { One };

namespace geom
{
    struct Box { float size; };
    struct Outer { struct Inner { float x; }; };
    enum Axis { X, Y };
    template<typename T> struct Pair { T a, b; };
    namespace detail { struct Deep { float d; }; float depth(Box b) { return b.size; } }
    float area(Box b) { return b.size * b.size; }
    float area(Outer::Inner i) { return i.x; }
    float along(Axis a) { return a == X ? 1 : 2; }
    float sum(Pair<float> p) { return p.a + p.b; }
    float length(Box b) { return b.size; }
    template<typename T> float twice(T t) { return 2 * area(t); }
    float depth(detail::Deep d) { return d.d; }
    float bottom(Box b) { return 0; }
    static const float weight = 2;
}
namespace shapes
{
    struct Cube : geom::Box {};
    float area(float f) { return f; }
    float inside(geom::Box b) { return area(b); }
}

void accepted(geom::Box b, geom::Outer::Inner i, geom::Pair<float> p, geom::detail::Deep d, shapes::Cube c, float3 v)
{
    O[0] = area(b) + area(i) + along(geom::X) + sum(p) + twice(b) + area(c);
    // In addition to the built-in functions of the name.
    O[1] = length(b) + length(v);
    geom::Box boxes[2] = { b, b };
    O[2] = area(boxes[1]);
}

// Scalars belong to no namespace, and namespaces inside or around that of the argument's type are not searched.
float scalar() { return area(1.0); } //~ ERROR WG0101
float inner(geom::Box b) { return depth(b); } //~ ERROR WG0200
float outer(geom::detail::Deep d) { return bottom(d); } //~ ERROR WG0101
// Not found: values, functions declared after the call, and names that are qualified or have template arguments.
float value(geom::Box b) { return weight(b); } //~ ERROR WG0101
float behind(geom::Box b) { return volume(b); } //~ ERROR WG0101
namespace geom { float volume(Box b) { return 1; } }
float global(geom::Box b) { return ::area(b); } //~ ERROR WG0101
// A method or a variable of the name hides these functions.
struct Room
{
    float area() { return 1; }
    float of(geom::Box b) { return area(b); } //~ ERROR WG0201
};
float variable(geom::Box b) { float area = 1; return area(b); } //~ ERROR WG0208
// Two namespaces may each have one.
namespace other { struct Lid { float l; }; float fits(geom::Box b, Lid l) { return 1; } }
namespace geom { float fits(Box b, other::Lid l) { return 2; } }
float both(geom::Box b, other::Lid l) { return fits(b, l); } //~ ERROR WG0202
