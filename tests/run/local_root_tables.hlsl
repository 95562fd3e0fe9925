// Descriptor tables of local root signatures: each node finds its own textures, samplers and buffers in the heaps. They begin
// at the number in its record.
LocalRootSignature Painter = { "RootConstants(num32BitConstants = 1, b9), "
    "DescriptorTable(SRV(t0), UAV(u1, numDescriptors = 3), CBV(b1)), DescriptorTable(Sampler(s0, numDescriptors = 2))" };
SubobjectToExportsAssociation Painters = { "Painter", "First; Second" };
LocalRootSignature Counter = { "DescriptorTable(UAV(u1, offset = 2), SRV(t0, numDescriptors = unbounded, offset = 0))" };
SubobjectToExportsAssociation Counters = { "Counter", "Third" };

struct Item { uint value; };
struct Bonus { uint bonus; };

RWStructuredBuffer<uint> Out : register(u0);

Texture2D<float> Map : register(t0);
RWStructuredBuffer<uint> Lists[2] : register(u1);
RWByteAddressBuffer Log : register(u3);
cbuffer Params : register(b1) { float2 at; uint scale; };
SamplerState Smp : register(s1);
ConstantBuffer<Bonus> Own : register(b9);

// At the registers of Map and Lists, for another node.
Buffer<uint> Texels : register(t0);
ByteAddressBuffer Raw : register(t1);
RWStructuredBuffer<uint> Total : register(u1);

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<Item> Paint,
    [MaxRecords(1)] EmptyNodeOutput Third)
{
    for (uint i = 0; i < 2; i++)
    {
        ThreadNodeOutputRecords<Item> item = Paint[i].GetThreadNodeOutputRecords(1);
        item.Get().value = i == 0 ? input.Get().value : input.Get().value * 10;
        item.OutputComplete();
    }
    Third.ThreadIncrementOutputCount(1);
}

float Look(Texture2D<float> map) { return map.SampleLevel(Smp, at, 0) * 255 + 0.5; }

void Paint(uint value, uint thread, uint place)
{
    Lists[NonUniformResourceIndex(thread % 2)][thread / 2] = value + thread;
    if (thread != 0)
        return;
    Out[place] = (uint)Look(Map) * scale + Own.bonus;
    uint before;
    Log.InterlockedAdd(0, value, before);
    uint64_t before64;
    Log.InterlockedAdd64(8, (uint64_t)value << 32, before64);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
[NodeID("Paint", 0)] [NodeLocalRootArgumentsTableIndex(2)]
void First(DispatchNodeInputRecord<Item> input, uint thread : SV_GroupThreadID) { Paint(input.Get().value, thread, 0); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
[NodeID("Paint", 1)] [NodeLocalRootArgumentsTableIndex(0)]
void Second(DispatchNodeInputRecord<Item> input, uint thread : SV_GroupThreadID) { Paint(input.Get().value, thread, 1); }

[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)]
void Third()
{
    uint count, stride;
    Total.GetDimensions(count, stride);
    Total[Total.IncrementCounter()] = Texels[0] + Texels[1] + Texels[2] + Raw.Load(4) + count * 1000;
    // The buffer `Total`, without the table.
    RWStructuredBuffer<uint> same = ResourceDescriptorHeap[12];
    same[1] = 77;
}
