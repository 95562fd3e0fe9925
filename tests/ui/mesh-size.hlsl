// Too much of everything, by one.
#define NODE [Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
#define BODY { SetMeshOutputCounts(0, 0); }
struct Large { float4 position : SV_Position; float4 rest[7] : REST; float more : MORE; };
NODE void Bytes(out vertices Large v[256], out indices uint3 t[1]) BODY //~ ERROR WG0363
NODE void Steps(out vertices Large v[225], out indices uint3 t[1]) BODY //~ ERROR WG0363
NODE void Fewer(out vertices Large v[224], out indices uint3 t[1]) BODY
struct Eight { float4 position : SV_Position; float4 rest[7] : REST; };
NODE void Both(out vertices Eight v[256], out indices uint3 t[1], out primitives float p[1] : P) BODY //~ ERROR WG0363
NODE void Culling(out vertices Eight v[256], out indices uint3 t[1], out primitives bool p[1] : SV_CullPrimitive) BODY
struct Rows { float4 position : SV_Position; float4 rest[31] : REST; };
NODE void ThirtyTwo(out vertices Rows v[1], out indices uint3 t[1]) BODY
NODE void ThirtyThree(out vertices Rows v[1], out indices uint3 t[1], out primitives float p[1] : P) BODY //~ ERROR WG0363
struct Narrow { float4 position : SV_Position; float rest[32] : REST; };
NODE void Tall(out vertices Narrow v[1], out indices uint3 t[1], out primitives float p[1] : P) BODY //~ ERROR WG0363
groupshared float most[8193];
NODE void Shared(uint i : SV_GroupIndex, out vertices Eight v[1], out indices uint3 t[1]) { most[i] = i; SetMeshOutputCounts(0, 0); } //~ ERROR WG0334
