// A group of a mesh node may use 28,672 bytes of groupshared memory, counted over all that it reaches.
struct Draw { uint3 grid : SV_DispatchGrid; };
struct Vertex { float4 p : SV_Position; };
groupshared float scratch[7168];
groupshared float more;

float Helper(uint t) { more = t; return more; }

[Shader("node")] [NodeLaunch("mesh")] [OutputTopology("triangle")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(3, 1, 1)]
void Exact(DispatchNodeInputRecord<Draw> i, uint t : SV_GroupIndex, out vertices Vertex v[3], out indices uint3 x[1])
{
    scratch[t] = t;
    SetMeshOutputCounts(3, 1);
    v[t].p = scratch[t];
    if (t == 0) x[0] = uint3(0, 1, 2);
}
[Shader("node")] [NodeLaunch("mesh")] [OutputTopology("triangle")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(3, 1, 1)]
void OneMore(DispatchNodeInputRecord<Draw> i, uint t : SV_GroupIndex, out vertices Vertex v[3], out indices uint3 x[1]) //~ ERROR WG0334
{
    scratch[t] = t;
    SetMeshOutputCounts(3, 1);
    v[t].p = scratch[t] + Helper(t);
    if (t == 0) x[0] = uint3(0, 1, 2);
}
[Shader("node")] [NodeLaunch("mesh")] [OutputTopology("triangle")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(3, 1, 1)] [GroupSharedLimit(32768)]
void Raised(uint t : SV_GroupIndex, out vertices Vertex v[3], out indices uint3 x[1])
{
    scratch[t] = t;
    SetMeshOutputCounts(3, 1);
    v[t].p = scratch[t] + Helper(t);
    if (t == 0) x[0] = uint3(0, 1, 2);
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)]
void NoMesh(uint t : SV_GroupIndex) { scratch[t] = Helper(t); }
[Shader("node")] [NodeLaunch("mesh")] [OutputTopology("triangle")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(43, 3, 1)]
void Threads(uint t : SV_GroupIndex, out vertices Vertex v[257], out indices uint3 x[257]) //~ ERROR WG0309 WG0361 WG0361
{
    SetMeshOutputCounts(3, 1);
    v[t].p = 0;
    x[0] = uint3(0, 1, 2);
}
