// Flags of barriers that are known only at run time; near misses are constants by the time that the call is compiled.
struct R { uint a, b; };
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Settings { uint semantics; bool meet; };
static const uint FLAGS = UAV_MEMORY;

void order(uint memory, uint semantics) { Barrier(memory, semantics); }

[Shader("node")] [NodeLaunch("thread")]
void fromRecord(ThreadNodeInputRecord<R> i)
{
    Barrier(i.Get().a, i.Get().b); //~ WARN WG0385
    Out[0] = 1;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void fromHost(uint t : SV_GroupIndex)
{
    Barrier(UAV_MEMORY, semantics | GROUP_SYNC); //~ WARN WG0385
    Barrier(Out[0], DEVICE_SCOPE); //~ WARN WG0385
    Barrier(meet ? UAV_MEMORY : ALL_MEMORY, DEVICE_SCOPE); //~ WARN WG0385
    Barrier(t, DEVICE_SCOPE); //~ WARN WG0385
    Barrier(Out, semantics); //~ WARN WG0385
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void constants()
{
    uint both = GROUP_SYNC | DEVICE_SCOPE;
    Barrier(FLAGS, both);
    order(UAV_MEMORY, DEVICE_SCOPE);
    Barrier(max(FLAGS, 1u), DEVICE_SCOPE);
    Barrier(Out, DEVICE_SCOPE);
}
