// One slip is one message, however much hangs on it.
struct R { uint a; float3 p; };
interface Shape { float area(); };

[Shader("node")] [NodeLaunch(thread)]                                                   //~ ERROR WG0121
void NoString(ThreadNodeInputRecord<R> i) { }

[Shader("node")]
void NoLaunch(ThreadNodeInputRecord<R> i) { }                                           //~ ERROR WG0311

[Shader("node")] [NodeLaunch("draw")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)] //~ ERROR WG0301
void NoMode(DispatchNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("thread")]
void Bare(R i) { }                                                                      //~ ERROR WG0380

[Shader("node")] [NodeLaunch("thread")]
void GivesBack(inout ThreadNodeInputRecord<R> i) { }                                    //~ ERROR WG0313

[Shader("node")] [Shader("pixel")] [NodeLaunch("thread")]                               //~ ERROR WG0327
void TwoStages() { }

[Shader("node")] [NodeLaunch("thread")] [WaveSize(8)] [WaveSize(16)]                    //~ ERROR WG0328
void TwoSizes() { }

[Shader("node")] [NodeLaunch("thread")] [WaveSize(16, 16)]                              //~ ERROR WG0328
void OneSize() { }

float areaOf(Shape s) { return s.area(); }                                              //~ ERROR WG0116

void Meet() { GroupMemoryBarrierWithGroupSync(); }                                      //~ ERROR WG0226

[Shader("node")] [NodeLaunch("thread")]
void Meets() {
    Meet();
    Meet();
}

[Shader("node")] [NodeLaunch("thread")]
void Elsewhere() {
    vec3 v = 1;                                                                         //~ ERROR WG0101
}

// A grid says that the node is meant to be broadcasting.
[Shader("node")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(8, 1, 1)]
void GridWithoutLaunch(RWGroupNodeInputRecords<R> input) //~ ERROR WG0311
{
}

// A const handle: the record is const with it.
[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(8, 1, 1)]
void ConstHandle([MaxRecords(4)] const RWGroupNodeInputRecords<R> input)
{
    input.Get().a = 1; //~ ERROR WG0206
}
