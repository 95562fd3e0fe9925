// Two nodes share an input. One reads its dispatch grid from the record, and its own record type gives the location.

RWStructuredBuffer<uint> Out : register(u0);

struct Sent { uint16_t2 size; uint value; };
struct Taken { uint16_t2 grid : SV_DispatchGrid; uint value; };
[Shader("node")] [NodeLaunch("thread")]
void Start([MaxRecords(1)] [NodeID("Sum")] NodeOutput<Sent> sum)
{
    ThreadNodeOutputRecords<Sent> r = sum.GetThreadNodeOutputRecords(1);
    r.Get().size = uint16_t2(2, 3);
    r.Get().value = 5;
    r.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void Sum(DispatchNodeInputRecord<Sent> i) { InterlockedAdd(Out[0], i.Get().value); }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(1, 1, 1)] [NodeShareInputOf("Sum")]
void Also(DispatchNodeInputRecord<Taken> i) { InterlockedAdd(Out[1], i.Get().value); }
