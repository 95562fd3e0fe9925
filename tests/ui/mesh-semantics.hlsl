// Values of vertices and primitives: each has a semantic that fits.
#define NODE [Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
#define BODY { SetMeshOutputCounts(0, 0); }
struct Good { float4 position : SV_Position; };

struct NoPosition { float4 position : POSITION; };
NODE void A1(out vertices NoPosition v[1], out indices uint3 t[1]) BODY //~ ERROR WG0362
struct NoSemantic { float4 position : SV_Position;
    float2 uv; //~ ERROR WG0362
};
NODE void A2(out vertices NoSemantic v[1], out indices uint3 t[1]) BODY
struct Deep { float4 position : SV_Position; struct { float a : A;
    float b; //~ ERROR WG0362
} inner; };
NODE void A3(out vertices Deep v[1], out indices uint3 t[1]) BODY
struct Twice { float4 position : SV_Position; float2 a[2] : UV;
    float2 b : UV1; //~ ERROR WG0362
};
NODE void A4(out vertices Twice v[1], out indices uint3 t[1]) BODY
struct Object { float4 position : SV_Position;
    Texture2D texture : T; //~ ERROR WG0362
};
NODE void A5(out vertices Object v[1], out indices uint3 t[1]) BODY
struct Typed {
    float3 position : SV_Position; //~ ERROR WG0362
};
NODE void A6(out vertices Typed v[1], out indices uint3 t[1]) BODY
struct Foreign { float4 position : SV_Position;
    float depth : SV_Depth; //~ ERROR WG0362
};
NODE void A7(out vertices Foreign v[1], out indices uint3 t[1]) BODY
struct Misplaced { float4 position : SV_Position;
    uint layer : SV_RenderTargetArrayIndex; //~ ERROR WG0362
};
NODE void A8(out vertices Misplaced v[1], out indices uint3 t[1]) BODY
struct OfVertices {
    float4 position : SV_Position; //~ ERROR WG0362
};
NODE void P1(out vertices Good v[1], out indices uint3 t[1], out primitives OfVertices p[1]) BODY
struct Rate {
    float rate : SV_ShadingRate; //~ ERROR WG0362
};
NODE void P2(out vertices Good v[1], out indices uint3 t[1], out primitives Rate p[1]) BODY
struct Culls {
    int culled : SV_CullPrimitive; //~ ERROR WG0362
};
NODE void P3(out vertices Good v[1], out indices uint3 t[1], out primitives Culls p[1]) BODY
struct Empty { };
NODE void P4(out vertices Good v[1], out indices uint3 t[1], out primitives Empty p[1]) BODY //~ ERROR WG0362
NODE void P5(out vertices Good v[1], out indices uint3 t[1], out primitives float p[1]) BODY //~ ERROR WG0362
NODE void P6(out vertices float4 v[1] : SV_Position, out indices uint3 t[1], out primitives float p[1] : P) BODY
