// Which threads form quads is a mode of the module, and here the host decides. A package has its own for each size.
RWStructuredBuffer<uint> Out;
[[vk::constant_id(3)]] const uint X = 4;

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(X, 2, 1)]
void Main(uint i : SV_GroupIndex) { Out[i] = ddx(i * 0.5); } //~ amdx WG0504
