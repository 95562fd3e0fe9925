// Arguments of functions, and parts of written objects: pushed constants, rows of arrays of resources, coherent
// buffers, objects in groupshared memory, components of texels.

struct Params { uint a; uint3 b; };

[[vk::push_constant]] ConstantBuffer<Params> Push;
ConstantBuffer<Params> Sets[2] : register(b0, space1);
StructuredBuffer<uint> Two[2][3] : register(t0, space1);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Seen : register(u1);
RWTexture2D<uint4> Texels : register(u2);
RWBuffer<uint2> Pairs : register(u3);
RWTexture2D<uint> Tally : register(u4);

struct Set
{
    uint values[4];

    void Put(uint i, uint x) { values[i] = x; }
    uint Sum()
    {
        uint sum = 0;
        for (uint i = 0; i < 4; ++i)
            sum += values[i];
        return sum;
    }
};

groupshared Set Shared;

uint Total(ConstantBuffer<Params> params) { return params.a + params.b.y; }
uint Row(StructuredBuffer<uint> row[3], uint i) { return row[i][0]; }
void Leave(globallycoherent RWStructuredBuffer<uint> to, uint i, uint x) { to[i] = x; }

ConstantBuffer<Params> Which(bool pushed)
{
    if (pushed)
        return Push;
    return Sets[1];
}

[Shader("compute")]
[numthreads(4, 1, 1)]
void main(uint t : SV_GroupIndex)
{
    ConstantBuffer<Params> held = Push;
    Out[t] = Total(Push) * 100 + Total(Sets[0]) + held.b.z * 10000;
    Out[4 + t] = Row(Two[1], t % 3) * 100 + Row(Two[t & 1], 2);
    Out[8 + t] = Total(Which(t == 2));
    Leave(Seen, t, t + 20);

    Shared.Put(t, t * t);
    GroupMemoryBarrierWithGroupSync();
    Out[12 + t] = Shared.Sum();

    Texels[uint2(t, 0)].y = 5 + t;
    Texels[uint2(t, 0)].xw += uint2(1, t);
    Pairs[t].x *= 3;
    Pairs[t].y++;
    InterlockedAdd(Tally[uint2(0, 0)], t + 1);
    if (t == 0)
        Tally[uint2(1, 0)] |= 0;
}
