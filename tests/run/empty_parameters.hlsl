// Parameters of types without members: as the last one, as the only one, by reference, nested, and as `this`.

struct None {};
struct Nested
{
    None inner;
    None several[2];
};

struct Scale
{
    uint apply(uint x) { return x * 3; }
};

struct Sent
{
    uint value;
};

RWStructuredBuffer<uint> Out : register(u0);

uint Last(uint x, None n)
{
    return x + 1;
}

uint Only(None n)
{
    return 40;
}

uint Middle(uint x, Nested n, uint y)
{
    return x * 10 + y;
}

uint ByReference(uint x, inout None n, out Nested m)
{
    None fresh;
    n = fresh;
    m.inner = n;
    m.several[1] = n;
    return Last(x, m.inner) + 2;
}

None Make(uint x)
{
    Out[5] = x;
    None n;
    return n;
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Sent> input, [MaxRecords(1)] NodeOutput<Sent> Next)
{
    None n;
    ThreadNodeOutputRecords<Sent> r = Next.GetThreadNodeOutputRecords(1);
    r.Get().value = Last(input.Get().value, n);
    r.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Sent> input)
{
    None n;
    Nested m;
    Scale s;
    uint x = input.Get().value;
    Out[0] = Last(x, n);
    Out[1] = Only(n);
    Out[2] = Middle(x, m, 4);
    Out[3] = ByReference(x, n, m);
    Out[4] = s.apply(x);
    // The argument is computed, though nothing of it is passed.
    Out[6] = Last(7, Make(x * 2));
}
