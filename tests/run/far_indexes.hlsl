// Indexes that are out of range if an order requests it, of every kind that a record has. They are reported, and change
// nothing that belongs to another order.

RWStructuredBuffer<uint> Result : register(u0);

struct Order { uint form; uint at; };
struct Item { uint n; uint part[4]; uint2 pair; uint2x2 square; uint2 pairs[2]; };
struct Call { uint n; uint form; uint at; uint part[4]; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(
    ThreadNodeInputRecord<Order> input,
    [MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<Item> Leaf,
    [MaxRecords(2)] NodeOutput<Call> Team)
{
    uint form = input.Get().form;
    uint at = input.Get().at;
    ThreadNodeOutputRecords<Item> leaf = Leaf[0].GetThreadNodeOutputRecords(1);
    Item item = (Item)0;
    item.n = 1;
    leaf.Get() = item;
    if (form == 0)
        leaf.Get(at).n = 1000;
    if (form == 1)
        leaf.Get().part[at] = 1000;
    if (form == 2)
        leaf.Get().pair[at] = 1000;
    if (form == 3)
        leaf.Get().square[at] = uint2(1000, 1000);
    if (form == 4)
        leaf.Get().square[1][at] = 1000;
    if (form == 5)
        leaf.Get().pairs[at] = uint2(1000, 1000);
    if (form == 6)
        InterlockedAdd(leaf.Get().pairs[1][at], 1000);
    leaf.OutputComplete();

    ThreadNodeOutputRecords<Call> team = Team.GetThreadNodeOutputRecords(1);
    Call call = (Call)0;
    call.n = 1;
    call.form = form;
    call.at = at;
    team.Get() = call;
    if (form == 7)
        team.Get(at).n = 1000;
    if (form == 8)
        team.Get().part[at] = 1000;
    team.OutputComplete();
}

#define LEAF(i) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Leaf", i)] \
    void Leaf##i(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[0], input.Get().n); }
LEAF(0)
LEAF(1)

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Team([MaxRecords(4)] RWGroupNodeInputRecords<Call> calls, [MaxRecords(4)] NodeOutput<Item> Last)
{
    uint count = calls.Count();
    GroupNodeOutputRecords<Item> last = Last.GetGroupNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
    {
        Item item = (Item)0;
        item.n = 1;
        last.Get(i) = item;
    }
    uint seen = 0;
    for (uint k = 0; k < count; k++)
    {
        uint form = calls.Get(k).form;
        uint at = calls.Get(k).at;
        if (form == 9)
            seen += calls.Get(at).n;
        if (form == 10)
            calls.Get(at).n = 1000;
        if (form == 11)
            seen += calls.Get(k).part[at];
        if (form == 12)
            calls.Get(k).part[at] = 1000;
        if (form == 13)
            last.Get(at).n = 1000;
    }
    last.OutputComplete();
    uint sum = 0;
    for (uint j = 0; j < count; j++)
        sum += calls.Get(j).n;
    InterlockedAdd(Result[1], sum);
    // A read without valid data returns any value.
    InterlockedAdd(Result[3], seen);
}

[Shader("node")] [NodeLaunch("thread")]
void Last(ThreadNodeInputRecord<Item> input)
{
    InterlockedAdd(Result[2], input.Get().n);
}
