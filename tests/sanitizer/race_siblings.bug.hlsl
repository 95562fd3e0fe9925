// Two nodes that no record orders write one element.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> First, [MaxRecords(1)] NodeOutput<Item> Second)
{
    ThreadNodeOutputRecords<Item> a = First.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<Item> b = Second.GetThreadNodeOutputRecords(1);
    a.Get().value = 1;
    b.Get().value = 2;
    a.OutputComplete();
    b.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void First(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value;
}

[Shader("node")]
[NodeLaunch("thread")]
void Second(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value; // BUG
}
