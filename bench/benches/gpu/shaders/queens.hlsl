// Queens on a board of QUEENS rows: each record is a board with some rows set, and produces one for each place in the next row.
// A thread produces at most eight, so two threads share a board.

#include "queens.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

static const uint c_half = (QUEENS + 1) / 2;

[Shader("node")] [NodeLaunch("coalescing")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(QUEENS - 1)] [NumThreads(32, 1, 1)]
void Place([MaxRecords(16)] GroupNodeInputRecords<Board> input, uint thread : SV_GroupIndex,
    [MaxRecords(32 * c_half)] [NodeID("Place")] NodeOutput<Board> Next)
{
    Board board = (Board)0;
    uint places = 0;
    if (thread / 2 < input.Count())
    {
        board = input.Get(thread / 2);
        uint low = (1u << c_half) - 1;
        places = Free(board) & ((thread & 1) != 0 ? ~low : low);
    }
    uint count = countbits(places);
    bool more = Next.IsValid();
    ThreadNodeOutputRecords<Board> made = Next.GetThreadNodeOutputRecords(more ? count : 0);
    if (more)
    {
        for (uint i = 0; i < count; i++)
        {
            made.Get(i) = Set(board, places & (0 - places));
            places &= places - 1;
        }
    }
    else if (count != 0)
    {
        InterlockedAdd(Out[0], count);
    }
    made.OutputComplete();
}
