// Every kind of resource from the heaps, chosen by constants, by the contents of records, and differently by each thread.

struct Item { uint id; float weight; };
struct Settings { float2 at; uint scale; };

RWStructuredBuffer<uint> Out : register(u0);

static const SamplerState Nearest = SamplerDescriptorHeap[1];
static RWByteAddressBuffer Log = ResourceDescriptorHeap[0];

struct Surface
{
    Texture2D<float> map;
    SamplerState smp;
    uint scale;

    uint Read(float2 at) { return (uint)(map.SampleLevel(smp, at, 0) * 255 + 0.5) * scale; }
};

static Surface Default = { ResourceDescriptorHeap[5], SamplerDescriptorHeap[0], 1 };

RWStructuredBuffer<Item> Items(uint i) { return ResourceDescriptorHeap[i]; }

uint Sum(Buffer<uint> values, uint n)
{
    uint total = 0;
    for (uint i = 0; i < n; ++i)
        total += values[i];
    return total;
}

struct Work { uint list; uint image; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Start(DispatchNodeInputRecord<Work> input, uint thread : SV_GroupThreadID)
{
    uint which = input.Get().list;
    // One buffer for each thread: alternately 6 and 7.
    RWStructuredBuffer<uint> mine = ResourceDescriptorHeap[NonUniformResourceIndex(6 + thread % 2)];
    mine[thread / 2] = 100 + thread;

    if (thread != 0)
        return;

    RWStructuredBuffer<Item> items = Items(which);
    Item item = { 7, 0.5 };
    items[items.IncrementCounter()] = item;
    item.id = 8;
    Items(which)[Items(which).IncrementCounter()] = item;
    AppendStructuredBuffer<Item> more = ResourceDescriptorHeap[which + 1];
    item.id = 9;
    more.Append(item);

    ConstantBuffer<Settings> settings = ResourceDescriptorHeap[4];
    Out[0] = Default.Read(settings.at);
    Surface other = { ResourceDescriptorHeap[5], Nearest, settings.scale };
    Out[1] = other.Read(settings.at);
    Out[2] = Sum(ResourceDescriptorHeap[8], 3);

    RWTexture2D<float> target = ResourceDescriptorHeap[input.Get().image];
    target[uint2(1, 0)] = 1;
    RWBuffer<uint> texels = ResourceDescriptorHeap[10];
    texels[1] = ((ByteAddressBuffer)ResourceDescriptorHeap[0]).Load(4) + 1;
    Log.Store(0, 41);
    InterlockedAdd(texels[1], 10);
}
