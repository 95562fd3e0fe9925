// Hand-written version: a dispatch for each row between two lists. Workgroups append with one atomic each and increase the
// arguments of the next dispatch themselves.

#include "queens.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] RWStructuredBuffer<Board> Even;
[[vk::binding(2)]] RWStructuredBuffer<Board> Odd;
// Boards of each row.
[[vk::binding(3)]] RWStructuredBuffer<uint> Counts;
[[vk::binding(4)]] RWStructuredBuffer<uint4> Args;
struct Push { uint row; };
[[vk::push_constant]] Push push;

groupshared uint Own;
groupshared uint Base;

[Shader("compute")] [NumThreads(32, 1, 1)]
void Clear(uint thread : SV_GroupIndex)
{
    Counts[thread] = thread == 0 ? 1 : 0;
    Args[thread] = uint4(thread == 0 ? 1 : 0, 1, 1, 0);
    if (thread == 0)
        Even[0] = (Board)0;
}

void Append(RWStructuredBuffer<Board> from, RWStructuredBuffer<Board> to, uint at, uint thread)
{
    if (thread == 0)
        Own = 0;
    GroupMemoryBarrierWithGroupSync();
    Board board = (Board)0;
    uint places = 0, rank = 0;
    if (at < Counts[push.row])
    {
        board = from[at];
        places = Free(board);
        InterlockedAdd(Own, countbits(places), rank);
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread == 0 && Own != 0)
    {
        InterlockedAdd(Counts[push.row + 1], Own, Base);
        InterlockedMax(Args[push.row + 1].x, (Base + Own + 63) / 64);
    }
    GroupMemoryBarrierWithGroupSync();
    for (uint slot = Base + rank; places != 0; slot++)
    {
        to[slot] = Set(board, places & (0 - places));
        places &= places - 1;
    }
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void ToOdd(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    Append(Even, Odd, at.x, thread);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void ToEven(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    Append(Odd, Even, at.x, thread);
}

// The last row: in Even if QUEENS is odd, in Odd if it is even.
[Shader("compute")] [NumThreads(64, 1, 1)]
void Last(uint3 at : SV_DispatchThreadID)
{
    if (at.x >= Counts[push.row])
        return;
    Board board = (QUEENS & 1) == 0 ? Odd[at.x] : Even[at.x];
    uint count = countbits(Free(board));
    if (count != 0)
        InterlockedAdd(Out[0], count);
}
