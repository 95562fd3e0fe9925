// Grids and the work of a workgroup, for the graph and for the hand-written compute shaders.

uint2 Grid(uint id)
{
    return id == 1234 ? uint2(33, 400) : uint2(1, 1);
}

void Add(uint id, uint2 group, uint thread)
{
    uint value = id * 64 + thread;
    for (uint i = 0; i < 64; i++)
        value = value * 1664525 + group.x + group.y;
    if (thread % 8 == 0)
        InterlockedAdd(Out[id], value);
}
