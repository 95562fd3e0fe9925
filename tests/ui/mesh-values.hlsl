// Values of a mesh: their locations, their interpolation, and values without an index.
#define NODE [Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
#define BODY { SetMeshOutputCounts(0, 0); }

struct Given { float4 position : SV_Position; [[vk::location(3)]] float4 a[2] : A; [[vk::location(1)]] double1x3 b : B; };
NODE void L1(out vertices Given v[1], out indices uint3 t[1]) BODY
struct Partly {
    float4 position : SV_Position;
    [[vk::location(0)]] float a : A;
    float b : B; //~ ERROR WG0362
};
NODE void L2(out vertices Partly v[1], out indices uint3 t[1]) BODY
struct Twice {
    float4 position : SV_Position;
    [[vk::location(0)]] float4 a[3] : A;
    [[vk::location(2)]] float b : B; //~ ERROR WG0362
};
NODE void L3(out vertices Twice v[1], out indices uint3 t[1]) BODY
struct OfFaces {
    [[vk::location(4)]] float c : C; //~ ERROR WG0362
};
NODE void L4(out vertices Given v[1], out indices uint3 t[1], out primitives OfFaces f[1]) BODY
struct Wide {
    float4 position : SV_Position;
    [[vk::location(0)]] double3 a : A;
    [[vk::location(1)]] float b : B; //~ ERROR WG0362
};
NODE void L5(out vertices Wide v[1], out indices uint3 t[1]) BODY
struct Wrong {
    float4 position : SV_Position;
    [[vk::location(-1)]] float a : A; //~ ERROR WG0121
};
NODE void L6(out vertices Wrong v[1], out indices uint3 t[1]) BODY

struct Whole { float4 position : SV_Position; nointerpolation uint a : A; noperspective centroid float b : B; };
NODE void I1(out vertices Whole v[1], out indices uint3 t[1]) BODY
struct Integer {
    float4 position : SV_Position;
    centroid int2 a : A; //~ ERROR WG0362
};
NODE void I2(out vertices Integer v[1], out indices uint3 t[1]) BODY

struct Inner {
    float4 position : SV_Position; //~ ERROR WG0362
};
struct Outer { Inner inner[1]; };
NODE void R1(out vertices Outer v[1], out indices uint3 t[1]) BODY

struct Sized {
    float4 position : SV_Position;
    [[vk::builtin("PointSize")]] float size : SIZE; //~ ERROR WG0362
};
NODE void B1(out vertices Sized v[1], out indices uint3 t[1]) BODY
NODE void B2(out vertices Given v[1], out indices uint3 t[1], [[vk::location(7)]] out primitives float p[1] : P) BODY
NODE void B3(out vertices Given v[1], out indices uint3 t[1], [[vk::location(4)]] out primitives float p[1] : P) BODY //~ ERROR WG0362
