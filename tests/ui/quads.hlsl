// Operations that exchange values in quads of threads, where there are quads and where there are none.
struct R { float x; };
RWStructuredBuffer<float> Out;

float read(float value) { return QuadReadAcrossY(value); } //~ ERROR WG0336

[Shader("node")] [NodeLaunch("thread")]
void single(ThreadNodeInputRecord<R> i)
{
    Out[0] = QuadReadLaneAt(i.Get().x, 2); //~ ERROR WG0336
    Out[1] = QuadAny(i.Get().x > 1); //~ ERROR WG0336
    Out[2] = read(i.Get().x);
    Out[3] = WaveActiveSum(i.Get().x);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)]
void odd(DispatchNodeInputRecord<R> i)
{
    Out[0] = QuadReadAcrossX(i.Get().x); //~ ERROR WG0336
}

[Shader("compute")] [NumThreads(3, 1, 1)]
void alone(uint t : SV_GroupIndex)
{
    Out[t] = QuadReadAcrossDiagonal(Out[t]); //~ WARN WG0336
}

// ---- near misses

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void row(uint t : SV_GroupIndex)
{
    Out[t] = QuadReadAcrossX(Out[t]);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(2, 6, 1)]
void square(uint t : SV_GroupIndex)
{
    Out[t] = QuadAll(Out[t] > 1) ? 1 : 0;
}
