//! hints
struct R { uint slot; };
RWStructuredBuffer<uint> scratch : register(u0);
RWStructuredBuffer<uint> result : register(u1);

void write(uint slot)
{
    scratch[slot] = slot * slot; //~ HINT WG0615
}

[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> second)
{
    uint slot = input.Get().slot;
    write(slot);
    ThreadNodeOutputRecords<R> record = second.GetThreadNodeOutputRecords(1);
    record.Get().slot = slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second(ThreadNodeInputRecord<R> input)
{
    InterlockedAdd(result[0], scratch[input.Get().slot]);
}
