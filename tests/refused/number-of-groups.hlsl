// A node asks for the number of workgroups of its dispatch, which has groups of several records.
RWStructuredBuffer<uint> Out;
[[vk::ext_builtin_input(24)]] static const uint3 NumberOfGroups;

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(3, 1, 1)] [NumThreads(8, 1, 1)]
void Main() { Out[0] = NumberOfGroups.x; } //~ emulated amdx WG0504
