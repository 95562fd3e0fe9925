// A resource that a program with root signatures uses, and that none of them has.

GlobalRootSignature Global = { "DescriptorTable(UAV(u0, numDescriptors = 2))" };

RWStructuredBuffer<uint> First : register(u0);
RWStructuredBuffer<uint> Second : register(u1);
RWStructuredBuffer<uint> Third : register(u2); //~ WARN WG0118
RWStructuredBuffer<uint> Elsewhere : register(u0, space1); //~ WARN WG0118
RWStructuredBuffer<uint> Unused : register(u7);
RWStructuredBuffer<uint> Assigned;

[Shader("node")]
[NodeLaunch("thread")]
void Node()
{
    First[0] = Second[0] + Third[0] + Elsewhere[0];
    Assigned[0] = 1;
}
