// Quads of groups of several shapes: two by two threads where X and Y are even, four in a row otherwise. The lanes of a
// quad follow each other in the wave.

struct Record { uint first; };

// For each thread, by its index in the group: the values of the three others and of lane 2 of the quad. Then two bits: some
// index of the quad is a multiple of three; no index has the remainder 2. Then the thread's place in the wave's quad.
RWStructuredBuffer<uint> Out : register(u0);
// The system values that number the thread, three each.
RWStructuredBuffer<uint> Threads : register(u1);

void look(uint first, uint3 thread, uint index, uint3 dispatch)
{
    const uint to = first + index;
    Threads[3 * to] = thread.x + 100 * thread.y + 10000 * thread.z;
    Threads[3 * to + 1] = index;
    Threads[3 * to + 2] = dispatch.x + 100 * dispatch.y + 10000 * dispatch.z;
    uint read = QuadReadAcrossX(index) + 100 * QuadReadAcrossY(index) + 10000 * QuadReadAcrossDiagonal(index);
    read += 1000000 * QuadReadLaneAt(index, 2);
    const bool threes = index % 3 == 0;
    Out[3 * to] = read;
    Out[3 * to + 1] = (QuadAny(threes) ? 1 : 0) + (QuadAll(threes || index % 3 == 1) ? 2 : 0);
    Out[3 * to + 2] = WaveGetLaneIndex() % 4;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 2, 1)] [NodeIsProgramEntry]
void Low(DispatchNodeInputRecord<Record> i, uint3 t : SV_GroupThreadID, uint n : SV_GroupIndex, uint3 d : SV_DispatchThreadID)
{
    look(i.Get().first, t, n, d);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(6, 4, 2)] [NodeIsProgramEntry]
void Deep(DispatchNodeInputRecord<Record> i, uint3 t : SV_GroupThreadID, uint n : SV_GroupIndex, uint3 d : SV_DispatchThreadID)
{
    look(i.Get().first, t, n, d);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(2, 6, 1)] [NodeIsProgramEntry]
void Narrow(DispatchNodeInputRecord<Record> i, uint3 t : SV_GroupThreadID, uint n : SV_GroupIndex, uint3 d : SV_DispatchThreadID)
{
    look(i.Get().first, t, n, d);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(12, 1, 1)] [NodeIsProgramEntry]
void Row([MaxRecords(1)] GroupNodeInputRecords<Record> i, uint3 t : SV_GroupThreadID, uint n : SV_GroupIndex)
{
    look(i[0].first, t, n, t);
}

// A second workgroup: the numbers of the dispatch continue.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(4, 2, 1)] [NodeIsProgramEntry]
void Twice(DispatchNodeInputRecord<Record> i, uint3 t : SV_GroupThreadID, uint3 g : SV_GroupID, uint n : SV_GroupIndex, uint3 d : SV_DispatchThreadID)
{
    look(i.Get().first + 8 * g.x, t, n, d);
}
