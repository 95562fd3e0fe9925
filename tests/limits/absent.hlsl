// A node that requests, each time, more records than allowed, for elements that no node has.

RWStructuredBuffer<uint> Out : register(u0);

struct Entry { uint id; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Bad(ThreadNodeInputRecord<Entry> input, [MaxRecords(1)] EmptyNodeOutput First,
         [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<Entry> Sink)
{
    for (uint i = 0; i < 2; i++)
    {
        ThreadNodeOutputRecords<Entry> records = Sink[input.Get().id + i].GetThreadNodeOutputRecords(3);
        records.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void First() {}

[Shader("node")] [NodeID("Sink", 0)] [NodeLaunch("thread")]
void Sink0(ThreadNodeInputRecord<Entry> input) { InterlockedAdd(Out[0], 1); }

[Shader("node")] [NodeID("Sink", 1)] [NodeLaunch("thread")]
void Sink1(ThreadNodeInputRecord<Entry> input) { InterlockedAdd(Out[0], 1); }
