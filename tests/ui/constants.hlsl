// Constants from built-in functions, and expressions that are not constant.

static const uint SELF = max(SELF, 1); //~ ERROR WG0108
static const uint FIRST = max(SECOND, 1); //~ ERROR WG0135
static const uint SECOND = max(FIRST, 1);

uint user(uint x) { return x; }
static const uint COMPUTED = user(1);
static uint a[COMPUTED]; //~ ERROR WG0105
static uint b[max(COMPUTED, 2)]; //~ ERROR WG0105
static uint c[user(2)]; //~ ERROR WG0105
static const uint EIGHT = max(8, 1 + 2);
static uint d[EIGHT];
// Devices may give different results.
static const float NONE = sqrt(-1.0);
static uint e[(uint)NONE]; //~ ERROR WG0105
uint host;
cbuffer Frame { uint tick; };
static const uint FROM_HOST = host + 1;
static const uint2 PAIR = uint2(1, host);
static uint f[host]; //~ ERROR WG0105
static uint g[tick]; //~ ERROR WG0105
static uint h[FROM_HOST]; //~ ERROR WG0105
static uint i[PAIR.x]; //~ ERROR WG0105

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    d[8] = 1; //~ ERROR WG0221
    _Static_assert(max(1, 2) == 1, "no"); //~ ERROR WG0117
}
