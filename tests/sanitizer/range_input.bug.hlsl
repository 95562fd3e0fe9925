// One record more than there are is read.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(3, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(3)] NodeOutput<Item> Gather)
{
    ThreadNodeOutputRecords<Item> item = Gather.GetThreadNodeOutputRecords(1);
    item.Get().value = t + 1;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
void Gather([MaxRecords(8)] GroupNodeInputRecords<Item> items)
{
    for (uint i = 0; i <= items.Count(); ++i)
        InterlockedAdd(Out[0], items[i].value); // BUG
}
