// Resources as parameters, results, variables, fields of structures, template arguments; counters of buffers.

struct Item { uint id; uint weight; };

RWStructuredBuffer<uint> Out : register(u0);
globallycoherent RWStructuredBuffer<uint> Shared : register(u1);
StructuredBuffer<uint> A : register(t0, space1);
StructuredBuffer<uint> B : register(t1, space1);
StructuredBuffer<uint> Many[2] : register(t2, space1);
AppendStructuredBuffer<Item> Bin : register(u0, space2);
ConsumeStructuredBuffer<Item> Source : register(u1, space2);
RWStructuredBuffer<uint> Counted : register(u2, space2);
RWStructuredBuffer<uint> Pair[2] : register(u3, space2);

struct Streams
{
    StructuredBuffer<uint> data[2];
    RWStructuredBuffer<uint> target;
    uint offset;

    void Copy(uint which, uint from) { target[offset] = data[0][from] + which; }
    StructuredBuffer<uint> Last() { return data[1]; }
};

StructuredBuffer<uint> Pick(bool second)
{
    return A;
}

template<typename Buffer> uint Sum(Buffer buffer, uint n)
{
    uint total = 0;
    for (uint i = 0; i < n; ++i)
        total += buffer[i];
    return total;
}

void Swap(inout StructuredBuffer<uint> x, inout StructuredBuffer<uint> y)
{
    StructuredBuffer<uint> t = x;
    x = y;
    y = t;
}

uint Next(RWStructuredBuffer<uint> buffer) { return buffer.IncrementCounter(); }

void Push(AppendStructuredBuffer<Item> bin, Item item) { bin.Append(item); }

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    StructuredBuffer<uint> x = A;
    StructuredBuffer<uint> y = B;
    Swap(x, y);
    Out[0] = x[0] * 100 + y[0];

    // The number of the iteration selects the buffer.
    uint digits = 0;
    for (int n = 0; n < 3; ++n)
    {
        StructuredBuffer<uint> chosen;
        if (n == 1)
            chosen = B;
        else
            chosen = A;
        digits = digits * 10 + chosen[n];
    }
    Out[7] = digits;

    Streams s;
    s.data[0] = B;
    s.data[1] = A;
    s.target = Out;
    s.offset = 1;
    s.Copy(1, 2);
    Streams copy = s;
    copy.data = Many;
    Out[2] = copy.Last()[0] + s.Last()[1] * 10 + copy.offset * 1000;

    Out[3] = Sum(Pick(true), 3) + Sum(Shared, 2);

    RWStructuredBuffer<uint> later;
    later = Shared;
    later[2] = 77;

    Out[4] = Next(Counted) * 10 + Counted.IncrementCounter();
    Out[5] = Counted.DecrementCounter();
    for (uint i = 0; i < 3; ++i)
        Out[6] = Pair[1].IncrementCounter();

    for (uint k = 0; k < 2; ++k) {
        Item item = Source.Consume();
        item.weight *= 2;
        Push(Bin, item);
    }
}
