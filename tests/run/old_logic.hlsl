// Before HLSL 2021, `&&`, `||` and `?:` work component by component and evaluate all of it.

struct Work
{
    uint base;
};

RWStructuredBuffer<int> Out;

static const bool2 Known = bool2(true, false) || bool2(false, false);
static const int2 Chosen = Known ? int2(1, 2) : int2(3, 4);

static int Calls = 0;

bool seen(bool value)
{
    ++Calls;
    return value;
}

int add(int n)
{
    Calls += n;
    return n;
}

[Shader("node")]
[NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Work> input)
{
    int3 v = input.Get().base + int3(0, 1, 2);
    bool3 between = v < 7 && v > 5;
    bool3 ends = v == 5 || v == 7;
    int3 tens = ends ? v : v * 10;
    int3 numbers = ends ? 1 : 2;
    int3 whole = v.x == 5 ? v : 0;
    int2x2 m = int2x2(1, 2, 3, 4);
    int2x2 sign = m > 2 ? m : -m;

    bool neither = seen(false) && seen(true);
    bool either = seen(true) || seen(false);
    int one = v.x == 5 ? add(10) : add(20);

    int values[] = { between, tens, numbers, whole, sign, neither, either, one, Calls, Chosen };
    for (uint i = 0; i < 22; ++i)
        Out[i] = values[i];
}
