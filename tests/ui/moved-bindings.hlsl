// Registers of several classes with one number, as Direct3D has them: one warning, with shifts for all of them.
StructuredBuffer<uint> Items : register(t0);
StructuredBuffer<uint> More : register(t11);
cbuffer Constants : register(b0) { uint scale; };                   //~ WARN WG0132
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Other : register(u1, space2);

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = Items[0] * scale + More[0] + Other[0]; }
