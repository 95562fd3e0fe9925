// A graph that breaks a limit if its entry record requests it: numbers in range do no harm. Records of Team fill a page
// 32 by 32, so those beyond the allocation are outside of the page.

RWStructuredBuffer<uint> Out : register(u0);

struct Order
{
    uint n;
    // Records requested in one call; one is allowed.
    uint count;
    // Number of requests; one is allowed.
    uint calls;
    // Element of an output that has two.
    uint element;
    // Workgroups; four are allowed.
    uint grid;
    // Element of the input of Team, of workgroup memory, and of the heaps.
    uint at;
    uint shared_at;
    uint buffer;
    uint image;
    uint sampler_;
    // Indexes among the requested records, of Team and of Kind; element of arrays in both.
    uint record;
    uint spilled;
    uint part;
};
struct Item { uint n; uint pad[7]; };
struct Member { uint n; uint at; uint part; uint pad[5]; };
struct Area { uint3 grid : SV_DispatchGrid; Order order; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(
    ThreadNodeInputRecord<Order> input,
    [MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<Item> Kind,
    [MaxRecords(1)] NodeOutput<Area> Spread,
    [MaxRecords(1)] NodeOutput<Member> Team)
{
    Order order = input.Get();
    ThreadNodeOutputRecords<Item> one = Kind[order.element].GetThreadNodeOutputRecords(order.count);
    for (uint i = 0; i < order.count; i++)
    {
        one.Get(i).n = order.n;
    }
    one.Get(order.spilled).pad[0] = 1;
    one.Get(0).pad[order.part] = 1;
    one.OutputComplete();
    ThreadNodeOutputRecords<Area> area = Spread.GetThreadNodeOutputRecords(1);
    area.Get().grid = uint3(order.grid, 1, 1);
    area.Get().order = order;
    area.OutputComplete();
    for (uint call = 0; call < order.calls; call++)
    {
        ThreadNodeOutputRecords<Member> some = Team.GetThreadNodeOutputRecords(order.count);
        for (uint j = 0; j < order.count; j++)
        {
            some.Get(j).n = order.n;
            some.Get(j).at = order.at;
            some.Get(j).part = order.part;
            some.Get(j).pad = (uint[5])0;
        }
        some.Get(order.record).n = order.n;
        some.OutputComplete();
    }
}

#define KIND(i) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", i)] \
    void Kind##i(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Out[0], input.Get().n); }
KIND(0)
KIND(1)

groupshared uint Few[4];

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void Spread(DispatchNodeInputRecord<Area> input)
{
    Order order = input.Get().order;
    for (uint i = 0; i < 4; i++)
    {
        Few[i] = i;
    }
    InterlockedAdd(Out[1], Few[order.shared_at]);
    RWStructuredBuffer<uint> words = ResourceDescriptorHeap[order.buffer];
    InterlockedAdd(words[0], 1);
    SamplerState sampling = SamplerDescriptorHeap[order.sampler_];
    Texture2D<float> picture = ResourceDescriptorHeap[order.image];
    InterlockedAdd(Out[2], (uint)picture.SampleLevel(sampling, float2(0.5, 0.5), 0));
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Team([MaxRecords(2)] GroupNodeInputRecords<Member> input)
{
    InterlockedAdd(Out[3], input.Get(input.Get(0).at).n);
    InterlockedAdd(Out[3], input.Get(0).pad[input.Get(0).part]);
}
