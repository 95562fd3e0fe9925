//! version 2018
// The variables of a `for` belong to the block around it, and to no other.

RWStructuredBuffer<int> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    for (int i = 0; i < 3; i++) {}
    int i = 5; //~ ERROR WG0103
    {
        for (int j = 0; j < 3; j++) {}
    }
    Out[0] = j; //~ ERROR WG0101
    if (Out[1] > 0) for (int k = 0; k < 3; k++) {}
    Out[1] = k; //~ ERROR WG0101
    for (int m = 0; m < 2; m++) { int n = m; }
    Out[2] = n + m; //~ ERROR WG0101
}
