// Contracts of single nodes: each line with a marker breaks one rule, everything else keeps them all.
struct R { uint x; };
struct Grid { uint pad; uint2 grid : SV_DispatchGrid; };
struct Empty { };
struct WithTexture { Texture2D<float4> t; };

[Shader("node")] [NodeLaunch("Thread")] //~ ERROR WG0301
void launch_case(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("bulk")] //~ ERROR WG0301
void launch_unknown() { }

[Shader("Node")] void stage_case() { } //~ ERROR WG0327

[Shader("node")] [NodeLaunch("thread")]
uint returns(ThreadNodeInputRecord<R> i) { return 0; } //~ ERROR WG0302

[Shader("node")] [NodeLaunch("thread")]
void no_body(ThreadNodeInputRecord<R> i); //~ ERROR WG0330

// grids
[Shader("node")] [NumThreads(8, 1, 1)]
void no_grid(DispatchNodeInputRecord<R> i) { } //~ ERROR WG0303

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
[NodeMaxDispatchGrid(4, 1, 1)] //~ ERROR WG0304
void two_grids(DispatchNodeInputRecord<Grid> i) { }

[Shader("node")] [NumThreads(8, 1, 1)]
[NodeDispatchGrid(1, 0, 1)] //~ ERROR WG0305
void zero_grid(DispatchNodeInputRecord<R> i) { }

[Shader("node")] [NumThreads(8, 1, 1)]
[NodeDispatchGrid(65535, 256, 2)] //~ ERROR WG0305
void large_grid(DispatchNodeInputRecord<R> i) { }

[Shader("node")] [NumThreads(8, 1, 1)]
[NodeDispatchGrid(65535, 256, 1)]
void largest_grid(DispatchNodeInputRecord<R> i) { }

[Shader("node")] [NumThreads(8, 1, 1)]
[NodeMaxDispatchGrid(4, 1, 1)]
void no_field(DispatchNodeInputRecord<R> i) { } //~ ERROR WG0306

[Shader("node")] [NumThreads(8, 1, 1)] [NodeMaxDispatchGrid(4, 1, 1)]
void with_field(DispatchNodeInputRecord<Grid> i) { }

struct FloatGrid {
    float grid : SV_DispatchGrid; //~ ERROR WG0307
};
[Shader("node")] [NumThreads(8, 1, 1)] [NodeMaxDispatchGrid(4, 1, 1)]
void float_grid(DispatchNodeInputRecord<FloatGrid> i) { }

struct TwoGrids {
    Grid first;
    uint grid : SV_DispatchGrid; //~ ERROR WG0307
};
[Shader("node")] [NumThreads(8, 1, 1)] [NodeMaxDispatchGrid(4, 1, 1)]
void two_fields(DispatchNodeInputRecord<TwoGrids> i) { }

struct OddCase { uint grid : SV_DISPATCHGRID; }; //~ WARN WG0332
[Shader("node")] [NumThreads(8, 1, 1)] [NodeMaxDispatchGrid(4, 1, 1)]
void odd_case(DispatchNodeInputRecord<OddCase> i) { }

[Shader("node")] [NodeLaunch("thread")]
[NodeDispatchGrid(1, 1, 1)] //~ ERROR WG0310
void thread_grid(ThreadNodeInputRecord<R> i) { }

// threads
[Shader("node")] [NodeLaunch("coalescing")]
void no_threads(GroupNodeInputRecords<R> i) { } //~ ERROR WG0308

[Shader("node")] [NodeLaunch("coalescing")]
[NumThreads(64, 32, 1)]
void many_threads(GroupNodeInputRecords<R> i) { } //~ ERROR WG0309

[Shader("node")] [NodeLaunch("coalescing")] [NUMTHREADS(32, 32, 1)]
void most_threads([MaxRecords(4)] GroupNodeInputRecords<R> i) { }

[Shader("node")] [NodeLaunch("thread")]
[NumThreads(2, 1, 1)] //~ ERROR WG0309
void thread_threads(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("thread")] [NumThreads(1, 1, 1)]
void one_thread(ThreadNodeInputRecord<R> i) { }

// inputs
[Shader("node")] [NodeLaunch("thread")]
void wrong_input(GroupNodeInputRecords<R> i) { } //~ ERROR WG0311

[Shader("node")] [NodeLaunch("thread")]
void two_inputs(
    ThreadNodeInputRecord<R> a,
    RWThreadNodeInputRecord<R> b) { } //~ ERROR WG0312

[Shader("node")] [NodeLaunch("thread")]
void one_record([MaxRecords(4)] ThreadNodeInputRecord<R> i) { } //~ ERROR WG0319

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void empty_input([MaxRecords(4)] EmptyNodeInput i) { }

struct [NodeTrackRWInputSharing] Tracked { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void tracked(ThreadNodeInputRecord<Tracked> i) { } //~ ERROR WG0323

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void counts(RWDispatchNodeInputRecord<Tracked> i) { i.FinishedCrossGroupSharing(); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void counts_nothing(RWDispatchNodeInputRecord<R> i) { i.FinishedCrossGroupSharing(); } //~ ERROR WG0337

// records
[Shader("node")] [NodeLaunch("thread")]
void scalar_record(ThreadNodeInputRecord<uint> i) { } //~ ERROR WG0316

[Shader("node")] [NodeLaunch("thread")]
void empty_record(ThreadNodeInputRecord<Empty> i) { } //~ ERROR WG0316

[Shader("node")] [NodeLaunch("thread")]
void texture_record(ThreadNodeInputRecord<WithTexture> i) { } //~ ERROR WG0316

// system values and other parameters
[Shader("node")] [NodeLaunch("thread")]
void no_values(ThreadNodeInputRecord<R> i, uint n : SV_GroupIndex) { } //~ ERROR WG0314

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void group_values(
    GroupNodeInputRecords<R> i,
    uint3 thread : SV_GroupThreadID,
    uint index : SV_GROUPINDEX,
    uint group : SV_GroupID) { } //~ ERROR WG0314

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void grid_values(uint2 id : SV_DispatchThreadID, float index : SV_GroupIndex) { } //~ ERROR WG0315

struct Values { uint index : SV_GroupIndex; uint2 id : SV_DispatchThreadID; }; //~ ERROR WG0314
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void struct_values(GroupNodeInputRecords<R> i, Values values) { }

[Shader("node")] [NodeLaunch("thread")]
void plain(ThreadNodeInputRecord<R> i, uint n) { } //~ ERROR WG0380

// attributes
[Shader("node")] [NodeLunch("thread")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)] //~ ERROR WG0119
void misspelt() { }

[Shader("node")] [NodeLaunch("thread")] [MaxRecords(1)] //~ ERROR WG0120
void misplaced(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeDispatchGrid(1, 1)] [NumThreads(8, 1, 1)] //~ ERROR WG0121
void too_few() { }

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)] //~ WARN WG0122
void repeated() { }

[Shader("node")] [NodeDispatchGrid(1.5, 1, 1)] [NumThreads(8, 1, 1)] //~ WARN WG0123
void fractional() { }

[Shader("node")] [NodeLaunch("thread")] [WaveSize(48)] //~ ERROR WG0328
void wave(ThreadNodeInputRecord<R> i) { }

static const uint THREADS = 4 * 2;
enum class Size : uint { Small = 1, Large };
[Shader("node")] [NodeDispatchGrid((uint)Size::Large, THREADS / 2, 0x10u)] [NumThreads(THREADS, 1, 1)]
void constants() { }

uint not_constant;
[Shader("node")] [NodeDispatchGrid(not_constant, 1, 1)] [NumThreads(8, 1, 1)] //~ ERROR WG0105
void variable_grid() { }

[Shader("compute")] [NumThreads(8, 1, 1)]
[NodeMaxRecursionDepth(2)] //~ ERROR WG0335
void other_stage() { }

[NodeLaunch("thread")] [NodeID("name")] //~ WARN WG0335
void forgotten(uint x) { }

[Shader("node")] [NodeMaxDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void array_of_inputs(DispatchNodeInputRecord<Grid> i[2]) { } //~ ERROR WG0313

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void repeated_budget(
    [MaxRecords(4)] [MaxRecords(4)] GroupNodeInputRecords<R> same,
    [MaxRecords(1)] [MaxRecords(2)] NodeOutput<R> launch_case) { } //~ ERROR WG0122

[Shader("node")] [NodeLaunch("thread")]
void tells([MaxRecords(1)] NodeOutput<Tracked> counts) { }

// A node is an ordinary function: no method and no template.
struct Methods {
    uint a;
    [Shader("node")] [NodeLaunch("thread")] void method(ThreadNodeInputRecord<R> i) { } //~ WARN WG0335
};
template<typename T> [Shader("node")] [NodeLaunch("thread")] void open(ThreadNodeInputRecord<T> i) { } //~ WARN WG0335
