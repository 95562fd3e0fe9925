// Local root arguments are those of each node: two buffers at their register are two.
cbuffer MatA : register(b1) { float4 colA; };
cbuffer MatB : register(b1) { uint flagsB; };                       //~ WARN WG0132
LocalRootSignature la = { "CBV(b1)" };
SubobjectToExportsAssociation aa = { "la", "ShadeA;ShadeB" };
RWStructuredBuffer<float> Out : register(u0);
[Shader("node")] [NodeLaunch("thread")] void ShadeA() { Out[0] = colA.x; }
[Shader("node")] [NodeLaunch("thread")] void ShadeB() { Out[1] = flagsB; }
