// The groups of a grid may write the record that they share, except for the size of the grid.
struct Part { uint2 grid : SV_DispatchGrid; uint b; };
struct R : Part
{
    uint a;
    uint other[4];
    void set_a(uint x) { a = x; }
    void set_grid(uint x) { grid.y = x; }
    void set_both(uint x) { set_a(x); set_grid(x); }
};
struct Inner { uint before; R r; };
RWStructuredBuffer<uint> Out;

void change(inout R r) { r.a = 1; }
void change_field(inout uint x) { x += 1; }
void reads(R r) { Out[0] = r.grid.x; }

[Shader("node")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(8, 1, 1)]
void wrong(RWDispatchNodeInputRecord<R> input)
{
    R r = (R)0;
    input.Get().grid = uint2(1, 1); //~ ERROR WG0382
    input.Get().grid.x = 1; //~ ERROR WG0382
    input.Get().grid[1] += 1; //~ ERROR WG0382
    input.Get().grid.y++; //~ ERROR WG0382
    input.Get() = r; //~ ERROR WG0382
    change(input.Get()); //~ ERROR WG0382
    change_field(input.Get().grid.x); //~ ERROR WG0382
    InterlockedAdd(input.Get().grid.x, 1); //~ ERROR WG0382
    input.Get().set_grid(1); //~ ERROR WG0382
    input.Get().set_both(1); //~ ERROR WG0382
}

void helper(RWDispatchNodeInputRecord<Inner> input)
{
    input.Get().before = 1;
    input.Get().r.a = 1;
    input.Get().r.grid.x = 1; //~ ERROR WG0382
    input.Get().r.set_grid(1); //~ ERROR WG0382
}
[Shader("node")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(8, 1, 1)]
void through_helper(RWDispatchNodeInputRecord<Inner> input) { helper(input); }

[Shader("node")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(8, 1, 1)]
void right(RWDispatchNodeInputRecord<R> input)
{
    R r = input.Get();
    r.grid = uint2(1, 1);
    reads(input.Get());
    input.Get().a = input.Get().grid.x;
    input.Get().b = r.grid.y;
    input.Get().other[r.grid.x] = 1;
    change_field(input.Get().a);
    InterlockedAdd(input.Get().other[1], 1);
    input.Get().set_a(1);
}

// Records of one thread, and records that are sent, are written as a whole.
[Shader("node")] [NodeLaunch("thread")]
void others(RWThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> right)
{
    input.Get().grid.x = 1;
    ThreadNodeOutputRecords<R> sent = right.GetThreadNodeOutputRecords(1);
    sent.Get() = input.Get();
    sent.Get().grid.y = 2;
    sent.OutputComplete();
}
