// Constants that depend on specialisation constants stay open, through other constants too.

[[vk::constant_id(3)]] const uint N = 4;
[[vk::constant_id(4)]] const float F = 0.5;

static const uint Half = N / 2;
static const float2 Weights = float2(F, 1 - F);
static const uint Next = Half * 3 + 1;
struct Limits { static const uint Twice = N * 2; };
struct Pair { uint a; float b; };
static const Pair Both = { N, F };
static uint Counter = Half + 10;
static const uint Fixed = 7;

RWStructuredBuffer<uint> Out : register(u0);

uint Part() { return Next + Fixed; }

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Out[0] = Half;
    Out[1] = asuint(Weights.y);
    Out[2] = Part();
    Out[3] = Limits::Twice;
    Out[4] = Counter;
    Out[5] = Both.a;
    Out[6] = asuint(Both.b);
    static const uint local = Next + 1;
    Out[7] = local;
}
