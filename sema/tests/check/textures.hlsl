// Uses of textures that the declarations alone cannot reject.

Texture2D<float4> T;
Texture2D<uint> U;
Texture2D<uint2> U2;
TextureCube<float4> C;
TextureCubeArray<int> Cubes;
Texture2DArray<uint4> Layers;
RWTexture2D<uint2> Pairs;
RWTexture2D<uint> Tally;
SamplerState S;
SamplerComparisonState Shadow;
static const int2 NEAR = int2(-8, 7);
static const int2 TAPS[2] = { int2(-1, 0), int2(1, 0) };

float4 accepted(float2 at, int2 moved)
{
    float4 sum = T.SampleLevel(S, at, 0, NEAR) + T.SampleLevel(S, at, 0, NEAR.yx) + T.Load(int3(0, 0, 0), moved);
    sum += T.Gather(S, at, moved) + T.GatherRed(S, at, moved, moved, NEAR, NEAR) + T.mips[1][uint2(0, 0)];
    sum += T.SampleLevel(S, at, 0, uint2(-5, 7)) + T.SampleGrad(S, at, at, at, uint2(7, -8)); // wraps as it is converted
    sum += T.SampleLevel(S, at, 0, -NEAR - 1) + T.SampleLevel(S, at, 0, TAPS[1] * 6 - TAPS[0].xx);
    // The choice in each call is known when a module is written.
    sum += T.SampleLevel(S, at, 0, moved) + T.SampleLevel(S, at, 0, TAPS[moved.x]);
    sum += T.SampleLevel(S, at, 0, -1) + T.SampleLevel(S, at, 0, int2(-2.5, 7.9)) + T.SampleLevel(S, at, 0, (uint2)NEAR);
    sum += U.GatherRaw(S, at);
    InterlockedAdd(Tally[uint2(0, 0)], 1);
    return sum;
}

float4 refused(float2 at, int2 moved)
{
    float4 sum = T.SampleLevel(S, at, 0, int2(8, 0)); //~ WG0227
    sum += T.SampleLevel(S, at, 0, uint2(7, -9)); //~ WG0227
    sum += T.SampleLevel(S, at, 0, -NEAR); //~ WG0227
    sum += T.GatherRed(S, at, int2(0, -33)); //~ WG0227
    sum += U.SampleCmpLevelZero(Shadow, at, 0.5); //~ WG0228
    sum += U.GatherCmp(Shadow, at, 0.5); //~ WG0228
    sum += U2.GatherCmpRed(Shadow, at, 0.5, int2(1, 0)); //~ WG0228
    sum += Cubes.GatherCmpAlpha(Shadow, float4(at, 0, 1), 0.5); //~ WG0228
    sum += Layers.GatherCmpGreen(Shadow, float3(at, 1), 0.5, NEAR, NEAR, NEAR, NEAR); //~ WG0228
    sum += T.GatherRaw(S, at); //~ WG0228
    sum += T.SampleCmpLevelZero(S, at, 0.5); //~ WG0200
    sum += C.Load(int3(0, 0, 0)); //~ WG0204
    sum += T.mips[0]; //~ WG0216
    sum += T.mips(0, uint2(0, 0)); //~ WG0204
    T[uint2(0, 0)] = sum; //~ WG0206
    InterlockedAdd(Pairs[uint2(0, 0)].x, 1); //~ WG0219
    InterlockedAdd(U[uint2(0, 0)], 1); //~ WG0206
    return sum;
}
