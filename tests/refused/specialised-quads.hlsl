// A mode of the module decides which threads form quads, but here the host does. A package has a module for each size.
RWStructuredBuffer<uint> Out;
[[vk::constant_id(3)]] const uint X = 4;

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(X, 2, 1)]
void Main(uint i : SV_GroupIndex) { Out[i] = ddx(i * 0.5); } //~ amdx WG0504
