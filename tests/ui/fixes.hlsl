// Mistakes that leave no doubt are corrected by the fix of the message.
struct R { uint x; };
groupshared uint sum;

[Shader("node")] [NodeLaunch("thread")]
void input(GroupNodeInputRecords<R> i) { } //~ ERROR WG0311

[Shader("node")] [NumThreads(4, 1, 1)] [NodeDispatchGrid(1, 1, 1)]
void written(RWThreadNodeInputRecord<R> i) { } //~ ERROR WG0311

[Shader("node")]
void unsaid(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0311

[Shader("node")] [NodeLaunch("thraed")] //~ ERROR WG0301
void mode(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("thread")]
uint result() { return 1; } //~ ERROR WG0302

[Shader("node")] [NodeLaunch("thread")] [NodeDispatchGrid(1, 1, 1)] //~ ERROR WG0310
[NodeMaxRecursionDepth(2)] [NodeIsProgramEntry] [NodeIsProgramEntry] //~ WARN WG0407 WG0122
void attributes(
    [MaxRecords(2)] ThreadNodeInputRecord<R> i) //~ ERROR WG0319
{
    i.Gte(); //~ ERROR WG0204
}

[NodeLaunch("thread")] //~ WARN WG0335
void stage() { }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void barrier(EmptyNodeInput i, [AllowSparseNodes] uint t : SV_GroupIndex0) //~ ERROR WG0120
{
    sum = t;
    Barrier(sum, GROUP_SYNC); //~ ERROR WG0218
    [unrol] for (uint n = 0; n < 2; ++n) sum += n; //~ WARN WG0119
}

// Named aliases have no fix, nor have mistakes with two possible meanings.
typedef GroupNodeInputRecords<R> Group;
[Shader("node")] [NodeLaunch("thread")]
void alias(Group i) { } //~ ERROR WG0311

// Functions that other compilers do not inline take nothing of a node.
[noinline] uint kept(RWThreadNodeInputRecord<R> i) { return i.Get().x; } //~ WARN WG0338
export EmptyNodeOutput handed(EmptyNodeOutput o) { return o; } //~ ERROR WG0338
[noinline] uint plain(uint x) { return x; }
export uint shared(R r) { return r.x; }
