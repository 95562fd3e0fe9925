//! hints
struct Part { uint a; uint b; };
struct R
{
    uint id;
    uint age; //~ HINT WG0616
    Part part; // of which a part is read
    uint2 grid : SV_DispatchGrid; // the grid itself reads it
    uint pad0; // says what it is
};
RWStructuredBuffer<uint> seen : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void visit(ThreadNodeInputRecord<R> input)
{
    seen[input.Get().id] = 1;
}

uint sum(Part part)
{
    return part.a + part.b;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(2, 1, 1)]
void spread(DispatchNodeInputRecord<R> input)
{
    InterlockedAdd(seen[0], sum(input.Get().part));
}
