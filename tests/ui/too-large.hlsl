// Structures that hold each other twice double with every level: the first that is too large is named.
struct S0 { uint a; uint b; };
struct S1 { S0 x; S0 y; };
struct S2 { S1 x; S1 y; };
struct S3 { S2 x; S2 y; };
struct S4 { S3 x; S3 y; };
struct S5 { S4 x; S4 y; };
struct S6 { S5 x; S5 y; };
struct S7 { S6 x; S6 y; };
struct S8 { S7 x; S7 y; };
struct S9 { S8 x; S8 y; };
struct S10 { S9 x; S9 y; };
struct S11 { S10 x; S10 y; };
struct S12 { S11 x; S11 y; }; //~ ERROR WG0116
RWStructuredBuffer<S11> Fits : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void Only() { Fits[0].x.y.x.x.x.x.x.x.x.x.x.b = 1; }
