//! hints
struct R { uint slot; };
globallycoherent RWStructuredBuffer<uint> scratch : register(u0);
RWStructuredBuffer<uint> sums : register(u1);
RWStructuredBuffer<uint> result : register(u2);
RWStructuredBuffer<uint> log : register(u3);

[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> second)
{
    uint slot = input.Get().slot;
    scratch[slot] = slot * slot;
    InterlockedAdd(sums[slot], 1); // atomics are seen
    log[slot] = 1; // nobody reads it
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    ThreadNodeOutputRecords<R> record = second.GetThreadNodeOutputRecords(1);
    record.Get().slot = slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second(ThreadNodeInputRecord<R> input)
{
    result[0] = scratch[input.Get().slot] + sums[0];
}

// Its own reads come from itself.
[Shader("node")] [NodeLaunch("thread")]
void apart(ThreadNodeInputRecord<R> input)
{
    log[input.Get().slot] = log[0];
}

globallycoherent RWTexture2D<float> picture : register(u4);

void show() { AllMemoryBarrier(); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void third(uint t : SV_GroupIndex, [MaxRecords(4)] NodeOutput<R> fourth)
{
    picture[uint2(0, 0)] = 2;
    show();
    ThreadNodeOutputRecords<R> record = fourth.GetThreadNodeOutputRecords(1);
    record.Get().slot = 1;
    record.OutputComplete();
    picture[uint2(1, 0)] = 2; // nothing is sent after it
}

[Shader("node")] [NodeLaunch("thread")]
void fourth(ThreadNodeInputRecord<R> input)
{
    result[input.Get().slot] = (uint)picture[uint2(0, 0)];
}

// Further downstream, and shown where it was written.
globallycoherent RWStructuredBuffer<uint> far : register(u5);

[Shader("node")] [NodeLaunch("thread")]
void fifth(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> sixth)
{
    far[input.Get().slot] = 1;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    ThreadNodeOutputRecords<R> record = sixth.GetThreadNodeOutputRecords(1);
    record.Get().slot = input.Get().slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sixth(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> seventh)
{
    ThreadNodeOutputRecords<R> record = seventh.GetThreadNodeOutputRecords(1);
    record.Get().slot = input.Get().slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void seventh(ThreadNodeInputRecord<R> input)
{
    InterlockedAdd(result[0], far[input.Get().slot]);
}

// Other elements, and other buffers.
RWStructuredBuffer<uint> several[4] : register(u8);
RWStructuredBuffer<uint> left : register(u12);
RWStructuredBuffer<uint> right : register(u13);

void write_to(RWStructuredBuffer<uint> buffer, uint slot) { buffer[slot] = slot; }

[Shader("node")] [NodeLaunch("thread")]
void eighth(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> ninth)
{
    several[1][0] = 2;
    write_to(several[2], 3);
    RWStructuredBuffer<uint> heaped = ResourceDescriptorHeap[3];
    heaped[0] = 4;
    left[0] = 5;
    ThreadNodeOutputRecords<R> record = ninth.GetThreadNodeOutputRecords(1);
    record.Get().slot = input.Get().slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void ninth(ThreadNodeInputRecord<R> input)
{
    RWStructuredBuffer<uint> local = several[3];
    RWStructuredBuffer<uint> heaped = ResourceDescriptorHeap[2];
    InterlockedAdd(result[0], local[0] + several[0][0] + heaped[0] + right[0]);
}
