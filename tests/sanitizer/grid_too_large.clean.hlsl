// It asks for exactly the allowed number.

RWStructuredBuffer<uint> Out : register(u0);

struct Work { uint3 grid : SV_DispatchGrid; uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Work> Spread)
{
    ThreadNodeOutputRecords<Work> work = Spread.GetThreadNodeOutputRecords(1);
    work.Get().grid = uint3(4 + Out[9], 1, 1);
    work.Get().value = 3;
    work.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 1, 1)]
[NumThreads(1, 1, 1)]
void Spread(DispatchNodeInputRecord<Work> work)
{
    InterlockedAdd(Out[0], work.Get().value);
}
