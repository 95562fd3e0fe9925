// A component of a register is one letter of `xyzw` or `rgba`.
cbuffer A
{
    uint a0 : packoffset(c0.rg); //~ ERROR WG0131
    uint a1 : packoffset(c1.R); //~ ERROR WG0131
    uint a2 : packoffset(c2.s); //~ ERROR WG0131
    uint a3 : packoffset(c3._m00); //~ ERROR WG0131
    uint a4 : packoffset(d4.r); //~ ERROR WG0131
};
cbuffer B
{
    uint b0 : packoffset(c0.x);
    uint b1 : packoffset(c0.r); //~ ERROR WG0131
    uint2 b2 : packoffset(c1.a); //~ ERROR WG0131
};
cbuffer C
{
    uint c0 : packoffset(c0.a);
    uint3 c1 : packoffset(c0.r);
    uint2 c2 : packoffset(c1.b);
    uint c3 : packoffset(c2.g);
};
RWStructuredBuffer<uint> Out;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    Out[0] = a0 + a1 + a2 + a3 + a4 + b0 + b1 + b2.x + c0 + c1.x + c2.y + c3;
}
