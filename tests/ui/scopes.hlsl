//! library
// Using-declarations that name nothing useful, and syntax that is read and left out.

namespace N
{
    uint f() { return 1; }
    namespace Inner { uint g() { return 2; } }
}

using N::missing; //~ ERROR WG0101
using N::Inner; //~ ERROR WG0101
using Nowhere::f; //~ ERROR WG0101
using N::f;

using Byte [[vk::ext_capability(39)]] = uint; //~ ERROR WG0220

SamplerState Old { Filter = MIN_MAG_MIP_LINEAR; }; //~ WARN WG0012
static const uint Annotated < string help = "for tools"; > = 1; //~ WARN WG0012
static groupshared uint Shared = 1; //~ WARN WG0112
technique10 T { pass P { SetVertexShader(0); } } //~ WARN WG0012

uint h(uint a)
{
    if (uint b = f() + a) { return b; }
    while (float c = f()) { return c.z; } //~ ERROR WG0209
    return b; //~ ERROR WG0101
}

uint in_a_function()
{
    using namespace Nowhere; //~ ERROR WG0101
    using N::nothing; //~ ERROR WG0101
    using namespace h; //~ ERROR WG0101
    { using N::Inner::g; }
    return g(); //~ ERROR WG0101
}
