// Producers whose records do not mark the dispatch grid: the record of the consumer gives its location.

RWStructuredBuffer<uint> Out : register(u0);

struct Sent { uint3 size; uint value; };
struct Taken { uint3 grid : SV_DispatchGrid; uint value; };
struct Inner { uint pad; uint g[2]; };
struct SentDeep { uint value; Inner inner; };
struct InnerTaken { uint pad; uint2 g : SV_DispatchGrid; };
struct TakenDeep { uint value; InnerTaken inner; };
struct Marked { uint2 grid : SV_DispatchGrid; uint value; };
struct Unmarked { uint2 size; uint value; };

[Shader("node")] [NodeLaunch("thread")]
void Start([MaxRecords(1)] [NodeID("Sum")] NodeOutput<Sent> flat, [MaxRecords(1)] [NodeID("Deep")] NodeOutput<SentDeep> deep,
           [MaxRecords(1)] [NodeID("Fixed")] NodeOutput<Marked> marked)
{
    ThreadNodeOutputRecords<Sent> r = flat.GetThreadNodeOutputRecords(1);
    r.Get().size = uint3(2, 3, 1);
    r.Get().value = 5;
    r.OutputComplete();
    ThreadNodeOutputRecords<SentDeep> d = deep.GetThreadNodeOutputRecords(1);
    d.Get().value = 7;
    d.Get().inner.pad = 9;
    d.Get().inner.g[0] = 2;
    d.Get().inner.g[1] = 3;
    d.OutputComplete();
    ThreadNodeOutputRecords<Marked> m = marked.GetThreadNodeOutputRecords(1);
    m.Get().grid = uint2(8, 8);
    m.Get().value = 3;
    m.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(1, 1, 1)]
void Sum(DispatchNodeInputRecord<Taken> i) { InterlockedAdd(Out[0], i.Get().value); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(1, 1, 1)]
void Deep(DispatchNodeInputRecord<TakenDeep> i) { InterlockedAdd(Out[1], i.Get().value); }

// With a fixed grid the field is data like any other.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void Fixed(DispatchNodeInputRecord<Unmarked> i) { InterlockedAdd(Out[2], i.Get().value * i.Get().size.y); }
