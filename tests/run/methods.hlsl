// Methods, `this`, templates, and helpers that return from the middle of loops and switches. The helpers take the
// record's handle, so they are inlined on every target. The values in methods.run.json are worked out manually.

RWStructuredBuffer<uint> Out : register(u0);

struct Rec
{
    uint limit; // 9
};

struct Base
{
    uint n;
    uint bump(uint k)
    {
        n += k;
        return n;
    }
};

struct Acc : Base
{
    int2 v;
    static const uint K = 4;

    void add(int2 d)
    {
        if (d.x > 3)
        {
            v.y -= 1;
            return;
        }
        this.v += d;
        this.n++;
        bump(K);
    }

    Acc moved(int2 d)
    {
        Acc other = this;
        other.add(d);
        return other;
    }

    uint get()
    {
        return n * 1000 + (uint)(v.x * 10 + v.y);
    }
};

template<typename T, int N>
T sum(T a[N])
{
    T s = (T)0;
    for (int i = 0; i < N; i++)
    {
        if (i == 3)
            continue;
        s += a[i];
    }
    return s;
}

uint side(inout uint x)
{
    x += 10;
    return x;
}

// 2 when a is 0, else 50; the output ends as 2 and 4.
uint leave(DispatchNodeInputRecord<Rec> rec, uint a, out uint o)
{
    o = 1;
    for (;;)
    {
        o++;
        if (o > a)
            return o;
        while (true)
        {
            o += 2;
            if (o > 5)
                break;
            switch (o)
            {
            case 3:
                continue;
            case 4:
            case 5:
                return 50;
            default:
                break;
            }
            o += 1;
        }
        if (rec.Get().limit == o)
            return 77;
    }
}

// A return in a branch of a case, and a path past it.
uint choose(DispatchNodeInputRecord<Rec> rec, uint a)
{
    switch (a & 1)
    {
    case 0:
    {
        if (rec.Get().limit > a * 4)
            return 7;
        break;
    }
    }
    return 1;
}

// 16-bit labels, a negative one among them.
uint label(int16_t x)
{
    switch (x)
    {
    case -1:
        return 1;
    case 300:
        return 2;
    default:
        return 3;
    }
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
[NodeIsProgramEntry]
void Main(DispatchNodeInputRecord<Rec> rec, uint tid : SV_GroupIndex)
{
    uint o = 0;
    uint left = leave(rec, tid * 3, o);
    Out[tid] = left * 1000 + o;

    Acc c;
    c.n = tid;
    c.v = int2(1, 2);
    c.add(int2(tid * 2, 1));
    Out[4 + tid] = c.moved(int2(1, 1)).get() * 100 + c.n;

    uint numbers[5] = { 1, 2, 3, 4, tid };
    Out[8 + tid] = sum(numbers);

    uint x = tid;
    uint y = (x > 1 && side(x) > 12) ? x : side(x) + 100;
    Out[12 + tid] = y * 100 + x;

    Out[16 + tid] = choose(rec, tid);
    Out[20 + tid] = label((int16_t)(int(tid * 301) - 1)); // -1, 300, 601, 902
}
