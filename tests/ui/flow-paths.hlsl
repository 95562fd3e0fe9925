// Handles and records that are wrong on some paths only, or in a later iteration of a loop.
struct R { uint a; };

cbuffer Settings { uint m; uint n; };

void fin(ThreadNodeOutputRecords<R> r) { r.OutputComplete(); }
void write(ThreadNodeOutputRecords<R> r, uint a) { r.Get().a = a; }

#define NODE(NAME) [Shader("node")] [NodeLaunch("thread")] void NAME(ThreadNodeInputRecord<R> i, [MaxRecords(8)] NodeOutput<R> sink)
#define ASK ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);

void finHere(ThreadNodeOutputRecords<R> r) { r.OutputComplete(); } //~ ERROR WG0343

NODE(turns)
{
    ASK
    for (uint k = 0; k < 4; k++) {
        r.Get().a = k; //~ ERROR WG0342
        r.OutputComplete();
    }
}

NODE(unrolled)
{
    ASK
    [unroll]
    for (uint k = 0; k < 2; k++) {
        r.Get().a = k; //~ ERROR WG0342
        r.OutputComplete();
    }
}

NODE(turnsOfSettings)
{
    ASK
    uint k = 0;
    do {
        r.Get().a = k; //~ WARN WG0342
        r.OutputComplete();
    } while (++k < m);
}

NODE(turnsUntil)
{
    ASK
    uint k = 0;
    while (true) {
        r.Get().a = k; //~ WARN WG0342
        r.OutputComplete();
        if (++k > m)
            break;
    }
}

// The branch in the loop is one path to it.
NODE(behindReturn)
{
    ASK
    if (i.Get().a == 3) {
        r.OutputComplete();
        return;
    }
    for (uint k = 0; k < 2; k++) {
        if (k == n)
            r.Get().a = k;
        r.Get().a = k; //~ ERROR WG0342
        r.OutputComplete();
    }
}

NODE(copiesInTurns)
{
    ASK
    for (uint k = 0; k < 2; k++)
        finHere(r);
}

NODE(stale)
{
    ASK
    for (uint k = 0; k < 4; k++) {
        ThreadNodeOutputRecords<R> s = r;
        s.OutputComplete(); //~ ERROR WG0343
    }
}

NODE(oneWay)
{
    ASK
    if (m)
        r.OutputComplete();
    r.Get().a = 1; //~ WARN WG0342
    r.OutputComplete();
}

NODE(sameCondition)
{
    ASK
    if (m)
        r.OutputComplete();
    if (m)
        r.Get().a = 1; //~ ERROR WG0342
    r.OutputComplete();
}

NODE(impliedCondition)
{
    ASK
    if (m > 3)
        r.OutputComplete();
    if (m >= 6)
        r.Get().a = 1; //~ ERROR WG0342
    r.OutputComplete();
}

NODE(copyOnOneWay)
{
    ASK
    ThreadNodeOutputRecords<R> s = r;
    if (m)
        r.OutputComplete();
    s.OutputComplete(); //~ WARN WG0343
}

NODE(noTurn)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    for (uint k = 0; k < m; k++)
        r.OutputComplete();
}

NODE(nothingOnOneWay)
{
    ThreadNodeOutputRecords<R> r;
    if (m)
        r = sink.GetThreadNodeOutputRecords(1);
    r.Get().a = 1; //~ WARN WG0344
    r.OutputComplete();
}

NODE(overlapping)
{
    ASK
    if (m < 4)
        r.OutputComplete();
    if (m > 2)
        r.Get().a = 1; //~ WARN WG0342
    r.OutputComplete();
}

groupshared bool Flag;

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void sharedAnew(uint t : SV_GroupIndex, [MaxRecords(8)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(1);
    if (Flag)
        r.OutputComplete();
    if (t == 0)
        Flag = m > 3;
    GroupMemoryBarrierWithGroupSync();
    if (!Flag)
        r.Get().a = 1; //~ WARN WG0342
    r.OutputComplete();
}

// ---- near misses

NODE(opposite)
{
    ASK
    if (m)
        r.OutputComplete();
    if (!m)
        r.Get().a = 1;
    r.OutputComplete();
}

NODE(disjoint)
{
    ASK
    const bool done = m < 4 && i.Get().a != n;
    if (done)
        r.OutputComplete();
    if (m >= 4)
        r.Get().a = 1;
    else if (i.Get().a == n)
        r.Get().a = 2;
    r.OutputComplete();
}

// A variable says if the record was sent.
NODE(flag)
{
    ASK
    bool sent = false;
    if (i.Get().a > 7) {
        r.Get().a = 7;
        r.OutputComplete();
        sent = true;
    }
    if (!sent) {
        r.Get().a = 1;
        r.OutputComplete();
    }
}

NODE(flagInLoop)
{
    ASK
    bool sent = false;
    for (uint k = 0; k < m && !sent; k++) {
        r.Get().a = k;
        if (i.Get().a == k) {
            r.OutputComplete();
            sent = true;
        }
    }
    if (!sent)
        r.OutputComplete();
}

NODE(leaves)
{
    ASK
    while (i.Get().a > n) {
        r.Get().a = 1;
        if (m == 2) {
            r.OutputComplete();
            return;
        }
        r.Get().a = 2;
        r.OutputComplete();
        break;
    }
    if (i.Get().a <= n)
        r.OutputComplete();
}

NODE(anew)
{
    ThreadNodeOutputRecords<R> r;
    for (uint k = 0; k < 4; k++) {
        r = sink.GetThreadNodeOutputRecords(1);
        write(r, k);
        r.OutputComplete();
    }
    for (uint j = 0; j < m; j++) {
        ThreadNodeOutputRecords<R> s = sink.GetThreadNodeOutputRecords(1);
        if (j > 2)
            fin(s);
        else
            s.OutputComplete();
    }
}

// Constants decide in which iteration that is.
NODE(certainTurn)
{
    ASK
    for (uint k = 0; k < 4; k++) {
        if (k < 3)
            r.Get().a = k;
        if (k == 2)
            r.OutputComplete();
    }
}

NODE(cases)
{
    ASK
    switch (m) {
    case 1:
    case 2: r.OutputComplete(); break;
    case 3: r.Get().a = 3; break;
    default: r.Get().a = 4; break;
    }
    if (m != 1 && m != 2) {
        r.Get().a += 1;
        r.OutputComplete();
    }
}

NODE(oneOfTwo)
{
    ThreadNodeOutputRecords<R> r;
    if (m > n)
        r = sink.GetThreadNodeOutputRecords(1);
    else if (m < n)
        r = sink.GetThreadNodeOutputRecords(2);
    if (m != n)
        r.Get().a = 1;
    r.OutputComplete();
}

// The result of a function says if the record was sent.
bool trySend(inout ThreadNodeOutputRecords<R> r)
{
    if (m > 3) {
        r.Get().a = 1;
        r.OutputComplete();
        return true;
    }
    if (m > n) {
        r.OutputComplete();
        return true;
    }
    return false;
}

NODE(tried)
{
    ASK
    if (!trySend(r)) {
        r.Get().a = 2;
        r.OutputComplete();
    }
}

NODE(states)
{
    ThreadNodeOutputRecords<R> r;
    int state = 0;
    while (true) {
        if (state == 0) {
            r = sink.GetThreadNodeOutputRecords(1);
            state = 1;
        } else if (state == 1) {
            r.Get().a = 1;
            if (i.Get().a > n)
                state = 2;
        } else {
            r.OutputComplete();
            break;
        }
    }
}

// Nobody writes it between the barriers.
groupshared bool Sends;

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void shared(uint t : SV_GroupIndex, [MaxRecords(8)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(1);
    if (t == 0)
        Sends = m > 3;
    GroupMemoryBarrierWithGroupSync();
    if (Sends)
        r.OutputComplete();
    GroupMemoryBarrierWithGroupSync();
    if (!Sends) {
        r.Get().a = 1;
        r.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }
