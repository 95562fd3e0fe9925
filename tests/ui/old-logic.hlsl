//! version 2018
// `&&`, `||` and `?:` of before HLSL 2021 take numbers of one shape, and nothing that would drop components.

struct Pair { int a, b; };

RWStructuredBuffer<int3> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    int3 v = Out[0];
    int2 two = v.xy;
    Pair pair = { 1, 2 };
    bool3 good = v < 3 && v.x;
    Out[1] = good ? v : 0;
    Out[2] = v.x > 1 ? v : -v;
    Pair chosen = v.x > 1 ? pair : (Pair)0;

    bool2 fewer = v && two; //~ WARN WG0211
    Out[3] = two ? v : 0; //~ ERROR WG0207
    Out[4] = v < 3 ? pair.a : pair; //~ ERROR WG0222
    pair && true; //~ ERROR WG0207
    if (v < 3) //~ ERROR WG0222
        Out[5] = chosen.a;
}
