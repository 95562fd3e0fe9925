//! hints
struct R { uint slot; };
RWStructuredBuffer<uint> scratch : register(u0);
RWStructuredBuffer<uint> result : register(u1);

void write(uint slot)
{
    scratch[slot] = slot * slot; //~ HINT WG0615
}

[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> second)
{
    uint slot = input.Get().slot;
    write(slot);
    ThreadNodeOutputRecords<R> record = second.GetThreadNodeOutputRecords(1);
    record.Get().slot = slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second(ThreadNodeInputRecord<R> input)
{
    InterlockedAdd(result[0], scratch[input.Get().slot]);
}

// Coherent, and sent before it is shown; textures, too.
globallycoherent RWStructuredBuffer<uint> early : register(u2);
RWTexture2D<float> picture : register(u3);
globallycoherent RWTexture2D<float> shown : register(u4);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void third([MaxRecords(1)] NodeOutput<R> fourth)
{
    early[0] = 1; //~ HINT WG0615
    picture[uint2(0, 0)] = 2; //~ HINT WG0615
    shown[uint2(0, 0)] = 3; //~ HINT WG0615
    Barrier(UAV_MEMORY, GROUP_SCOPE);
    GroupNodeOutputRecords<R> record = fourth.GetGroupNodeOutputRecords(1);
    record.Get().slot = 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void fourth(ThreadNodeInputRecord<R> input)
{
    result[input.Get().slot] = early[0] + (uint)(picture[uint2(0, 0)] + shown[uint2(0, 0)]);
}

// Further downstream, past a node with a barrier of its own.
RWStructuredBuffer<uint> far : register(u5);

[Shader("node")] [NodeLaunch("thread")]
void fifth(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> sixth)
{
    far[input.Get().slot] = 1; //~ HINT WG0615
    ThreadNodeOutputRecords<R> record = sixth.GetThreadNodeOutputRecords(1);
    record.Get().slot = input.Get().slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sixth(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> seventh)
{
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    ThreadNodeOutputRecords<R> record = seventh.GetThreadNodeOutputRecords(1);
    record.Get().slot = input.Get().slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void seventh(ThreadNodeInputRecord<R> input)
{
    InterlockedAdd(result[0], far[input.Get().slot]);
}

// By other names: locals, parameters, elements of arrays and of heaps.
RWStructuredBuffer<uint> named : register(u6);
RWStructuredBuffer<uint> several[4] : register(u8);
RWStructuredBuffer<uint> handed : register(u12);

void write_to(RWStructuredBuffer<uint> buffer, uint slot)
{
    buffer[slot] = slot; //~ HINT WG0615
}

uint read_from(RWStructuredBuffer<uint> buffer) { return buffer[0]; }

[Shader("node")] [NodeLaunch("thread")]
void eighth(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> ninth)
{
    RWStructuredBuffer<uint> local = named;
    local[0] = 1; //~ HINT WG0615
    several[1][0] = 2; //~ HINT WG0615
    write_to(handed, 3);
    RWStructuredBuffer<uint> heaped = ResourceDescriptorHeap[3];
    heaped[0] = 4; //~ HINT WG0615
    ThreadNodeOutputRecords<R> record = ninth.GetThreadNodeOutputRecords(1);
    record.Get().slot = input.Get().slot;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void ninth(ThreadNodeInputRecord<R> input)
{
    RWStructuredBuffer<uint> local = several[1];
    RWStructuredBuffer<uint> heaped = ResourceDescriptorHeap[3];
    InterlockedAdd(result[0], named[0] + local[0] + read_from(handed) + heaped[0]);
}
