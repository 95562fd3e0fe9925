// Helpers that take node objects, buffers and images; structure parameters of entry points; constant buffers.
RWStructuredBuffer<uint> Out : register(u0);
globallycoherent RWStructuredBuffer<uint> Shared : register(u1);
RWByteAddressBuffer Raw : register(u2);
RWTexture2D<float4> Image : register(u3);
ByteAddressBuffer Bytes : register(t1);
cbuffer Params : register(b0) { uint scale; float3 offset; float2 list[2]; };
struct Settings { uint mode; float2 size; };
ConstantBuffer<Settings> settings : register(b1);
static uint counter;
static const uint2 pairs[2] = { uint2(1, 2), uint2(3, 4) };
groupshared uint Sums[4];

struct A { uint base; float w; };
struct [NodeTrackRWInputSharing] B { uint value; uint3 grid : SV_DispatchGrid; };
struct Ids { uint2 group : SV_GroupID; uint thread : SV_GroupIndex; };

namespace util {
    struct Acc { uint n; void add(uint x) { n += x; } uint get() { return n; } static uint one() { return 1; } };
    uint read(RWStructuredBuffer<uint> b, uint i) { return b[i]; }
    void bump(inout uint x) { x++; }
}

void emit(NodeOutput<A> output, uint v) {
    ThreadNodeOutputRecords<A> r = output.GetThreadNodeOutputRecords(1);
    r.Get().base = v;
    r.Get().w = v * 0.5;
    r.OutputComplete();
}
void emitTo(NodeOutputArray<A> outputs, uint i, uint v) { if (outputs[i].IsValid()) emit(outputs[i], v); }
uint first(ThreadNodeInputRecord<A> input) { return input.Get().base; }
ThreadNodeOutputRecords<A> make(NodeOutput<A> output, uint n) { return output.GetThreadNodeOutputRecords(n); }
void fill(inout ThreadNodeOutputRecords<A> r) { r.Get().base = 1; r.Get().w = 2; }
void paint(RWTexture2D<float4> image, uint2 p) { image[p] = float4(p, 0, 1); image[p].x += 1; }
template<typename T> T readFrom(StructuredBuffer<T> b, uint i) { return b[i]; }
StructuredBuffer<float2> Floats : register(t0);
Texture2D<float4> Picture : register(t2);

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<A> input, [MaxRecords(2)] NodeOutput<A> Middle,
           [MaxRecords(4)] [NodeArraySize(2)] NodeOutputArray<A> Leaf, [MaxRecords(1)] NodeOutput<B> Wide,
           [MaxRecords(3)] EmptyNodeOutput Count)
{
    emit(Middle, first(input));
    emitTo(Leaf, input.Get().base & 1, 7);
    ThreadNodeOutputRecords<A> r = make(Leaf[1], 1);
    fill(r);
    r.OutputComplete();
    ThreadNodeOutputRecords<B> b = Wide.GetThreadNodeOutputRecords(1);
    B whole = { scale, 1, 2, 3 };
    b.Get() = whole;
    b[0].grid.xy += 1;
    b.OutputComplete();
    Count.ThreadIncrementOutputCount(3);
    float2 f = readFrom(Floats, 0) + list[1] + offset.xy + settings.size;
    Out[util::read(Out, 1) + util::read(Shared, 2)] = settings.mode + (uint)f.x;
    util::Acc acc;
    acc.n = 0;
    acc.add(util::Acc::one());
    util::bump(Out[acc.get()]);
    counter += pairs[acc.n].y;
    Out[3] = counter;
}

[Shader("node")] [NodeLaunch("thread")] void Middle(ThreadNodeInputRecord<A> input) { Out[0] = input.Get().base; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Leaf", 0)] void Leaf0(RWThreadNodeInputRecord<A> input) {
    input.Get().base += 1;
    A copy = input.Get();
    Raw.Store(0, copy.base);
    Raw.Store2(4, uint2(1, 2));
    A stored = Raw.Load<A>(8);
    Raw.Store<A>(16, stored);
    uint64_t big = Bytes.Load<uint64_t>(0);
    Out[4] = (uint)(big >> 32);
}
[Shader("node")] [NodeLaunch("thread")] [NodeID("Leaf", 1)] void Leaf1(RWThreadNodeInputRecord<A> input) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void Count([MaxRecords(8)] EmptyNodeInput input, uint i : SV_GroupIndex) {
    if (i < 4) Sums[i] = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Sums[i & 3], input.Count());
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    uint w, h;
    Image.GetDimensions(w, h);
    uint count, stride;
    Out.GetDimensions(count, stride);
    Out[5] = WaveActiveSum(Sums[i & 3]) + WaveReadLaneFirst(w) + h + count * stride + WaveActiveCountBits(i > 2);
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 4)] [NumThreads(4, 4, 1)]
void Wide(RWDispatchNodeInputRecord<B> input, Ids ids, int3 id : SV_DispatchThreadID) {
    InterlockedAdd(input.Get().value, ids.thread);
    RWStructuredBuffer<uint> other = Out;
    other[9] = (uint)(Picture.Load(int3(id.xy, 0)).x + Picture[ids.group].y);
    paint(Image, ids.group + id.xy);
    Barrier(input, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing()) Out[6] = input.Get().value;
    switch ((int)ids.thread) { case -1: return; case 2: Out[7] = asuint(1.5); break; }
}
