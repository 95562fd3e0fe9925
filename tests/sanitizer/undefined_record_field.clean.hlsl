// All fields that are used are written.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; uint scale; uint spare; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Leaf)
{
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1);
    item.Get().value = 7;
    item.Get().scale = 2;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    Item copy = item.Get();
    Out[0] = copy.value * copy.scale;
}
