// Local root arguments: each node finds the resources of its signature in its own record of a table, and all else in bindings.
LocalRootSignature Scaled = { "RootConstants(num32BitConstants = 3, b1), CBV(b2), SRV(t0), UAV(u1, space = 1)" };
SubobjectToExportsAssociation ScaledNodes = { "Scaled", "Alpha; Beta" };
LocalRootSignature Weighed = { "UAV(u5), RootConstants(num32BitConstants = 1, b1), UAV(u6)" };
SubobjectToExportsAssociation WeighedNodes = { "Weighed", "First; Second; Third" };

struct Item { uint value; };
struct Pair { uint a; float f; };
struct Weight { uint weight; };

RWStructuredBuffer<uint> Out : register(u0);
RWByteAddressBuffer Sum : register(u2);

cbuffer Scale : register(b1) { uint factor; uint2 shift; };
cbuffer View : register(b2) { float4 tint; uint big; };
StructuredBuffer<Pair> Pairs : register(t0);
RWByteAddressBuffer Log : register(u1, space1);

// At the register of Scale, for other nodes.
ConstantBuffer<Weight> Own : register(b1);
RWStructuredBuffer<uint> Totals : register(u5);
RWByteAddressBuffer Wide : register(u6);

uint scaled(uint value) { return value * factor + shift.x * 100 + shift.y; }

// For a buffer of a binding, and for a buffer at an address.
void bump(RWByteAddressBuffer buffer, uint by)
{
    uint before;
    buffer.InterlockedAdd(4, by, before);
}

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Alpha, [MaxRecords(1)] NodeOutput<Item> Beta,
    [MaxRecords(3)] [NodeArraySize(3)] NodeOutputArray<Item> Cell)
{
    uint value = input.Get().value;
    ThreadNodeOutputRecords<Item> alpha = Alpha.GetThreadNodeOutputRecords(1);
    alpha.Get().value = value;
    alpha.OutputComplete();
    ThreadNodeOutputRecords<Item> beta = Beta.GetThreadNodeOutputRecords(1);
    beta.Get().value = value + 1;
    beta.OutputComplete();
    for (uint i = 0; i < 3; i++)
    {
        ThreadNodeOutputRecords<Item> cell = Cell[i].GetThreadNodeOutputRecords(1);
        cell.Get().value = value + 10 + i;
        cell.OutputComplete();
    }
    bump(Sum, value);
}

[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(3)]
void Alpha(ThreadNodeInputRecord<Item> input)
{
    uint value = input.Get().value;
    // By atomics, as Beta does: they run at the same time, and validation layers treat a buffer as one location.
    InterlockedMax(Out[0], scaled(value));
    InterlockedMax(Out[1], (uint)(tint.z * 4) + big);
    Pair pair = Pairs[1];
    InterlockedMax(Out[2], pair.a + (uint)(pair.f * 2));
    bump(Log, value);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(4, 1, 1)]
[NodeLocalRootArgumentsTableIndex(0)]
void Beta(DispatchNodeInputRecord<Item> input, uint3 thread : SV_DispatchThreadID)
{
    InterlockedAdd(Out[3], scaled(input.Get().value));
    InterlockedMax(Out[4], Pairs[0].a);
    bump(Log, 1);
}

void weigh(uint value)
{
    InterlockedAdd(Totals[0], value * Own.weight);
    Totals[1] = Own.weight;
    uint before;
    Wide.InterlockedAdd(0, 1, before);
    uint64_t before64;
    Wide.InterlockedAdd64(8, (uint64_t)value << 32, before64);
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Cell", 0)] [NodeLocalRootArgumentsTableIndex(5)]
void First(ThreadNodeInputRecord<Item> input) { weigh(input.Get().value); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Cell", 1)] [NodeLocalRootArgumentsTableIndex(6)]
void Second(ThreadNodeInputRecord<Item> input) { weigh(input.Get().value); }

// The lowest free number: 1.
[Shader("node")] [NodeLaunch("thread")] [NodeID("Cell", 2)]
void Third(ThreadNodeInputRecord<Item> input) { weigh(input.Get().value); }
