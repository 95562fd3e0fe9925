// A function with the name of one in the device library, in an otherwise plain graph.
RWStructuredBuffer<uint> Out;
struct R { uint x; };

uint wgc_append(uint x) { return x * 3; } //~ emulated WG0504

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Main(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> Next)
{
    ThreadNodeOutputRecords<R> next = Next.GetThreadNodeOutputRecords(1);
    next.Get().x = wgc_append(input.Get().x);
    next.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<R> input) { Out[input.Get().x] = 1; }
