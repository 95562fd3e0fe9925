// Messages of threads, as a run file expects them, where a device collects them.

RWStructuredBuffer<int> Out : register(u0);

struct Rec { int value; float2 at; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(3, 1, 1)]
void Main(DispatchNodeInputRecord<Rec> input, uint thread : SV_GroupIndex)
{
    int value = input.Get().value * (int)thread;
    Out[thread] = value;
    printf("thread %u: %d at %.1v2f", thread, value, input.Get().at);
    if (thread == 2)
        printf("100%% of %x\n", 48879);
}
