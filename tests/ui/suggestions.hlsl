//! library
// The meaning of a misspelt name: where a type is missing only types are offered, words for numbers among them.
RWStructuredBuffer<float> Out;
struct Particle { float size; };
static float flat4;
namespace lib {
    struct Colour { float r; };
    float brightness(Colour c) { return c.r; }
    float of(Color c) { return brightnes(c); }   //~ ERROR WG0101 WG0101
}
flaot3 Position() { return 0; }                  //~ ERROR WG0101
template<typename Value> Valeu Twice(Value v) { return v + v; } //~ ERROR WG0101
void types(Partical p) {                         //~ ERROR WG0101
    struct Local { float x; };
    float flaot = 1, particel = 2;
    Flaot4 a;                                    //~ ERROR WG0101
    Uint b;                                      //~ ERROR WG0101
    flat3 c;                                     //~ ERROR WG0101
    vec3 d;                                      //~ ERROR WG0101
    mat4 e;                                      //~ ERROR WG0101
    Locla f;                                     //~ ERROR WG0101
    Texture2d<float> g;                          //~ ERROR WG0101
    float4 h = flaot4(1, 2, 3, 4);               //~ ERROR WG0101
    uint2 i = uvec2(1, 2);                       //~ ERROR WG0101
    float j = clmap(flaott, 0, 1);               //~ ERROR WG0101 WG0101
    float k = lib::brightnes(e);                 //~ ERROR WG0101
    lbi::Colour l;                               //~ ERROR WG0101
    StructuredBufer<Particle> m;                 //~ ERROR WG0101
}
