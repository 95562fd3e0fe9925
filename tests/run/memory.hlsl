// Data that threads pass to each other through groupshared memory, buffers and records, with every kind of barrier between;
// methods of buffers. The values in memory.run.json are worked out manually.

struct Item { uint id; uint weight; };
struct Rec { uint v; uint w; };

RWStructuredBuffer<uint> Out : register(u0);
globallycoherent RWStructuredBuffer<uint> Scratch : register(u1);
AppendStructuredBuffer<Item> Bin : register(u2);
ConsumeStructuredBuffer<uint> Source : register(u3);
ByteAddressBuffer Bytes : register(t0);
StructuredBuffer<Item> Items : register(t1);

groupshared uint Line[4];

// Each thread reads the value that a neighbour wrote before the barrier.
void Meetings(uint g)
{
    Line[g] = g + 1;
    GroupMemoryBarrierWithGroupSync();
    uint a = Line[(g + 1) % 4];                            // 2 3 4 1
    GroupMemoryBarrierWithGroupSync();
    Line[g] = a * 2;
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    a = a * 10 + Line[(g + 1) % 4];                        // 26 38 42 14
    AllMemoryBarrierWithGroupSync();
    Scratch[g] = a;
    DeviceMemoryBarrierWithGroupSync();
    uint b = Scratch[(g + 3) % 4];                         // 14 26 38 42
    AllMemoryBarrierWithGroupSync();
    Scratch[g] = b + 1;                                    // 15 27 39 43
    Barrier(Scratch, GROUP_SYNC | DEVICE_SCOPE);
    Out[g] = a * 100 + Scratch[(g + 1) % 4];
}

// The last to take a ticket sees the writes of all.
void Tickets(uint g)
{
    Line[g] = g + 10;
    Scratch[4 + g] = g + 20;
    GroupMemoryBarrier();
    DeviceMemoryBarrier();
    uint ticket;
    InterlockedAdd(Scratch[8], 1, ticket);
    AllMemoryBarrier();
    if (ticket == 3)
    {
        Out[4] = Line[0] + Line[1] + Line[2] + Line[3];
        Out[5] = Scratch[4] + Scratch[5] + Scratch[6] + Scratch[7];
    }
}

void Buffers()
{
    uint count, stride;
    Out[10] = Bytes.Load(4);
    Out[11] = dot(Bytes.Load2(8), uint2(1, 10));
    Out[12] = dot(Bytes.Load3(0), uint3(1, 10, 100));
    Out[13] = dot(Bytes.Load4(0), uint4(1, 10, 100, 1000));
    Bytes.GetDimensions(count);
    Out[14] = count;
    Item item = Bytes.Load<Item>(8);
    Out[15] = item.id * 10 + item.weight;
    Out[16] = Items.Load(1).id * 10 + Items[0].weight;
    Items.GetDimensions(count, stride);
    Out[17] = count * 10 + stride;
    Out[18] = Scratch.Load(1);
    Scratch.GetDimensions(count, stride);
    Out[19] = count * 10 + stride;
    Bin.GetDimensions(count, stride);
    Out[20] = count * 10 + stride;
    Source.GetDimensions(count, stride);
    Out[21] = count * 10 + stride;
    Bin.Append(item);
    Out[22] = Source.Consume();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
[NodeIsProgramEntry]
void Start([MaxRecords(4)] NodeOutput<Rec> Meet, [MaxRecords(8)] EmptyNodeOutput Tick, uint g : SV_GroupIndex)
{
    Meetings(g);
    Tickets(g);
    if (g == 2)
        Buffers();
    GroupNodeOutputRecords<Rec> records = Meet.GetGroupNodeOutputRecords(4);
    records[g].v = g + 1;
    records.Get(g).w = g;
    Barrier(records, GROUP_SYNC | GROUP_SCOPE);
    if (g == 1)
        records.Get().w += records[3].v;                   // 4
    Tick.GroupIncrementOutputCount(Tick.IsValid() ? 6 : 0);
    records.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(4, 1, 1)]
void Meet([MaxRecords(4)] RWGroupNodeInputRecords<Rec> input, uint g : SV_GroupIndex)
{
    if (g < input.Count())
    {
        input[g].v *= 3;
        input.Get(g).w += 5;
    }
    Barrier(input, GROUP_SYNC | GROUP_SCOPE);
    if (g == 0)
    {
        uint sum = 0;
        for (uint i = 0; i < input.Count(); i++)
            sum += input[i].v + input.Get(i).w;
        InterlockedAdd(Out[6], sum);
        InterlockedAdd(Out[7], input.Count());
        InterlockedOr(Out[8], input.Get().v == input[0].v ? 1 : 0);
    }
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(4, 1, 1)]
void Tick([MaxRecords(4)] EmptyNodeInput input, uint g : SV_GroupIndex)
{
    if (g == 0)
        InterlockedAdd(Out[9], input.Count());
}
