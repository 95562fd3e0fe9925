// The enumerations of the language are other names of `uint`, as in DXC. They convert in both directions, meet in operators,
// and are allowed in all places of a `uint`.
RWStructuredBuffer<uint> Given;
RWStructuredBuffer<uint> Out;
RWStructuredBuffer<float> Floats;

struct Held { RAY_FLAG flags; COMMITTED_STATUS status; };

static const RAY_FLAG Both = RAY_FLAG_CULL_OPAQUE | RAY_FLAG_FORCE_OPAQUE;
static const RAY_FLAG Table[2] = { 3, RAY_FLAG_CULL_OPAQUE };
groupshared RAY_FLAG Shared;

template<RAY_FLAG F> uint Flags() { return F; }
template<uint F> uint Number() { return F; }
template<typename T> struct Kind { static const uint value = 1; };
template<> struct Kind<uint> { static const uint value = 2; };
uint Chosen(uint x) { return 10 + x; }
uint Chosen(int x) { return 20 + x; }
uint Chosen(float x) { return 30 + (uint)x; }
RAY_FLAG Returned() { return Given[2]; }
RAY_FLAG Default(RAY_FLAG f = 5) { return f; }
void Change(inout RAY_FLAG f) { f |= RAY_FLAG_SKIP_TRIANGLES; }
void ChangeNumber(inout uint f) { f ^= 1; }

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    RAY_FLAG f = Given[0];
    Out[0] = f;
    f = 3;
    f |= RAY_FLAG_CULL_OPAQUE;
    f &= ~RAY_FLAG_FORCE_OPAQUE;
    f ^= Given[1];
    f <<= 1;
    f += 1;
    Out[1] = f;
    f = ~RAY_FLAG_CULL_OPAQUE;
    Out[2] = f;
    f++;
    --f;
    Out[3] = f == 0xffffffbf && f > RAY_FLAG_CULL_OPAQUE && !(f == 0);
    Out[4] = Flags<RAY_FLAG_CULL_OPAQUE>() + Flags<4>() + Flags<Both>() + Number<RAY_FLAG_CULL_OPAQUE | 1>();
    Out[5] = Kind<RAY_FLAG>::value + Kind<CANDIDATE_TYPE>::value + Kind<MEMORY_TYPE_FLAG>::value;
    Out[6] = Chosen(RAY_FLAG_FORCE_OPAQUE) + Chosen(f & 0);
    Out[7] = Returned() + Default() + Table[Given[3]];
    Change(f);
    uint number = 6;
    Change(number);
    ChangeNumber(f);
    Out[8] = number;
    Out[9] = f;
    uint counts[4] = { 4, 5, 6, 7 };
    Out[10] = counts[RAY_FLAG_FORCE_NON_OPAQUE];
    switch (f & 0xff)
    {
    case RAY_FLAG_NONE: Out[11] = 1; break;
    case 190: Out[11] = 2; break;
    default: Out[11] = 3; break;
    }
    switch (Given[1])
    {
    case RAY_FLAG_SKIP_CLOSEST_HIT_SHADER: Out[12] = 1; break;
    case RAY_FLAG_CULL_BACK_FACING_TRIANGLES: Out[12] = 2; break;
    default: Out[12] = 3; break;
    }
    Held held = { Given[2], COMMITTED_TRIANGLE_HIT };
    held.status = held.flags;
    Out[13] = held.status + sizeof(Held);
    RAY_FLAG either = Given[3] != 0 ? Given[2] : RAY_FLAG_NONE;
    Out[14] = either | (Given[3] == 0 ? 3 : RAY_FLAG_CULL_OPAQUE);
    Floats[0] = RAY_FLAG_CULL_NON_OPAQUE;
    f = Floats[1];
    Out[15] = f;
    Shared = Given[2];
    InterlockedOr(Shared, RAY_FLAG_CULL_OPAQUE);
    InterlockedAdd(Out[16], Shared);
    BARRIER_SEMANTIC_FLAG scope = GROUP_SCOPE;
    Out[17] = scope + DEVICE_SCOPE + (UAV_MEMORY | NODE_OUTPUT_MEMORY);
    uint64_t wide = RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES;
    f = wide + 1;
    bool yes = f;
    int3 three = f;
    Out[18] = three.z + yes;
    Out[19] = HIT_KIND_TRIANGLE_FRONT_FACE + HIT_KIND_TRIANGLE_BACK_FACE;
    Out[20] = max(RAY_FLAG_CULL_OPAQUE, Given[0]) + countbits(Both) + asuint(asfloat(RAY_FLAG_CULL_OPAQUE));
    f.x = (RAY_FLAG)Given[0] + RAY_FLAG(Given[1]);
    Out[21] = f.xx.y;
}
