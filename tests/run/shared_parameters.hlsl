// `groupshared` parameters are the arguments themselves: the other threads see the writes of a function too.

struct Cell { uint value; uint marks[2]; };

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Line[4];
groupshared Cell Cells[2];
groupshared uint Count;

void Put(groupshared uint line[4], uint at, uint value) { line[at] = value; }

void Fill(groupshared uint line[4], uint at) { Put(line, at, at * at + 1); }

void Raise(groupshared uint count, uint by) { InterlockedAdd(count, by); }

void Mark(groupshared Cell cell, uint which) { cell.marks[which] = cell.value + which; }

uint Sum(const groupshared uint line[4]) { return line[0] + line[1] + line[2] + line[3]; }

template<typename T> void Set(groupshared T place, T value) { place = value; }

struct Work { uint base; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Start(DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex)
{
    if (thread == 0)
        Set<uint>(Count, input.Get().base);
    if (thread < 2)
        Cells[thread].value = thread * 10;
    Fill(Line, thread);
    GroupMemoryBarrierWithGroupSync();
    Raise(Count, thread);
    Raise(Cells[1].value, 1);
    GroupMemoryBarrierWithGroupSync();
    Mark(Cells[thread / 2], thread % 2);
    GroupMemoryBarrierWithGroupSync();
    Out[thread] = Cells[thread / 2].marks[thread % 2];
    if (thread == 0)
    {
        Out[4] = Sum(Line);
        Out[5] = Count;
    }
}
