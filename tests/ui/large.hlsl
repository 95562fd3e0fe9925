// Objects that are larger than 4 GiB, with their sizes.
RWStructuredBuffer<uint> b;
struct Half { uint a[0x20000000]; };
struct Whole { Half first; Half second; };

[Shader("node")] [NodeLaunch("thread")]
void local()
{
    uint x[0x7fffffff]; //~ ERROR WG0107
    x[b[0]] = b[2];
    b[1] = x[b[1]];
}

[Shader("node")] [NodeLaunch("thread")]
void two()
{
    uint x[0x10000][0x10000]; //~ ERROR WG0107
    b[1] = x[b[1]][b[2]];
}

[Shader("node")] [NodeLaunch("thread")]
void structure()
{
    Whole x; //~ ERROR WG0107
    b[1] = x.second.a[b[1]];
}

struct Huge { uint one; uint a[0x7fffffff]; };
RWStructuredBuffer<Huge> huge;
[Shader("node")] [NodeLaunch("thread")]
void field()
{
    Huge x = huge[0]; //~ ERROR WG0107
    b[1] = x.a[b[1]];
}
