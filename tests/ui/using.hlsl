//! library
// Names that several namespaces have, and which of them `using namespace` makes known where.

namespace A { uint f(uint x) { return x; } static const uint k = 1; struct T { uint a; }; typedef uint Word; uint only(uint x) { return x; } }
namespace B { uint f(uint x) { return x + 1; } static const uint k = 2; struct T { uint b; }; typedef uint Word; }
using namespace A;
using namespace B;

uint both(uint x)
{
    T t; //~ ERROR WG0231
    Word one = A::k + B::k;
    uint sum = k; //~ ERROR WG0231
    return f(x) + sum; //~ ERROR WG0202
}

// A `using namespace` counts from there on. An own name hides names outside of its namespace.
static const uint before = 3;
uint early(uint x) { return x; }
uint by_then(uint x) { return early(x) + before; }
namespace Later { static const uint before = 4; uint early(uint x) { return 0; } }
using namespace Later;
uint from_then(uint x)
{
    uint sum = before; //~ ERROR WG0231
    return early(x) + sum; //~ ERROR WG0202
}

namespace C
{
    using namespace A;
    static const uint k = 3;
    uint f(uint x) { return 7; }
    uint own() { return f(k); }
    namespace Inner { static const uint k = 4; static const uint deep = 5; }
    using namespace Inner;
    uint with_inner() { return k + deep; } //~ ERROR WG0231
}

uint local(uint x)
{
    using namespace C;
    return C::k + C::f(1) + own() + deep;
}

// A qualified name means the own declaration of the namespace first.
namespace D { using namespace A; static const uint k = 6; }
uint qualified() { return D::k + D::only(2); }

uint only(uint x) { return 2; }
uint overloads(uint x) { return only(x); } //~ ERROR WG0202

struct Base { uint x; };
struct Derived : Base { uint y; };
void change(inout Base b) { b.x = 1; }
uint derived()
{
    Derived d = (Derived)0;
    change((Base)d);
    change(d); //~ ERROR WG0200
    return d.x;
}

template<typename X> void lengths(X a[2][3], out X b) { b = a[0][0]; }
template<typename X> void lengths(X a[4], out X b) { b = a[0]; }
void none()
{
    uint a[5];
    uint b;
    lengths(a, b, 1); //~ ERROR WG0201
}

// An empty namespace is known too.
namespace Hollow { ; }
namespace Outer { namespace Nested { } }
inline namespace Version { }
using namespace Hollow;
using namespace Outer::Nested;
using namespace Version;
namespace Other = Outer;
using namespace Hollows; //~ ERROR WG0101
