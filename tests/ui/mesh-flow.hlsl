// Uses of a mesh node's arrays along control-flow paths.
struct Vertex { float4 position : SV_Position; float2 uv : UV; };
RWStructuredBuffer<uint> numbers : register(u0);
#define NODE [Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
#define OUT uint thread : SV_GroupIndex, uint group : SV_GroupID, out vertices Vertex v[32], out indices uint3 t[32]

NODE void Never(OUT) { numbers[thread] = 1; } //~ WARN WG0368
NODE void NeverWritten(OUT) {
    t[thread] = 0; //~ ERROR WG0367
    v[thread].position = 0;
}
NODE void Late(OUT) {
    v[thread].position = 0; //~ ERROR WG0367
    SetMeshOutputCounts(32, 32);
}
NODE void SameCondition(OUT) {
    if (group == 0) SetMeshOutputCounts(32, 32);
    if (group == 0) t[thread] = 0; //~ ERROR WG0367
}
NODE void InCase(OUT) {
    switch (group) {
        case 0: SetMeshOutputCounts(32, 32); break;
        case 1: return;
        default: break;
    }
    t[thread] = 0; //~ ERROR WG0367
}
NODE void EveryCase(OUT) {
    switch (group) {
        case 0: return;
        default: SetMeshOutputCounts(32, 32); break;
    }
    t[thread] = 0;
}
void fill(uint thread, out float4 position) { position = thread; }
NODE void Through(OUT) {
    fill(thread, v[thread].position); //~ ERROR WG0367
    SetMeshOutputCounts(32, 32);
}
NODE void Twice(OUT) {
    if (group == 0) SetMeshOutputCounts(32, 32);
    else SetMeshOutputCounts(16, 16); //~ ERROR WG0366
    t[thread] = 0;
}
void counts(uint n) { SetMeshOutputCounts(n, n); } //~ ERROR WG0366
NODE void TwiceBelow(OUT) {
    counts(16);
    counts(32);
    t[thread] = 0;
}
NODE void Again(OUT) {
    for (uint i = 0; i < numbers[0]; i++) {
        SetMeshOutputCounts(i, i); //~ WARN WG0366
        t[thread] = 0;
    }
}
NODE void Once(OUT) {
    for (uint i = 0; i < numbers[0]; i++) {
        if (numbers[i] == 0) continue;
        SetMeshOutputCounts(i, i);
        t[thread] = 0;
        break;
    }
}
NODE void Varying(OUT) {
    if (thread < 16) SetMeshOutputCounts(16, 16); //~ WARN WG0369
}
NODE void Left(OUT) {
    if (thread == 3) return;
    SetMeshOutputCounts(16, 16); //~ WARN WG0369
}
NODE void TooManyVertices(OUT) { SetMeshOutputCounts(33, 32); } //~ ERROR WG0370
NODE void TooManyPrimitives(OUT) { SetMeshOutputCounts(32, 33); } //~ ERROR WG0370
NODE void Beyond(OUT) {
    SetMeshOutputCounts(16, 8);
    v[15].uv.x = 1;
    v[16].uv = 1; //~ WARN WG0371
    t[8] = 0; //~ WARN WG0371
}
NODE void Reads(OUT) {
    SetMeshOutputCounts(32, 32);
    v[thread].position = 0;
    v[thread].uv = v[thread].position.xy; //~ ERROR WG0365
    v[thread].uv += 1; //~ ERROR WG0365
    Vertex copy = v[0]; //~ ERROR WG0365
    numbers[0] = t[thread].x; //~ ERROR WG0365
}
void adjust(inout float2 uv) { uv *= 2; }
NODE void Handed(OUT) {
    SetMeshOutputCounts(32, 32);
    adjust(v[thread].uv); //~ ERROR WG0365
}
NODE void Parts(OUT) {
    SetMeshOutputCounts(32, 32);
    t[thread].x = 1; //~ ERROR WG0365
    t[thread][2] = 1; //~ ERROR WG0365
    t[thread].xy = 1; //~ ERROR WG0365
    t[thread].zyx = uint3(1, 2, 3);
    v[thread].uv.x = 1;
}
NODE void Atomic(OUT) {
    SetMeshOutputCounts(32, 32);
    InterlockedAdd(t[thread].x, 1); //~ ERROR WG0219
}

// ---- operations of mesh nodes elsewhere, and of others in mesh nodes
struct [NodeTrackRWInputSharing] Tracked { uint count; };
void shared(uint n) {
    SetMeshOutputCounts(n, n); //~ ERROR WG0229
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void NoMesh(uint thread : SV_GroupIndex) { shared(thread); }
NODE void Uses(OUT) { shared(8); }
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void Finishes(RWDispatchNodeInputRecord<Tracked> i, OUT) {
    SetMeshOutputCounts(0, 0);
    if (i.FinishedCrossGroupSharing()) numbers[0] = i.Get().count; //~ ERROR WG0226
}
NODE void Amplifies(OUT) {
    SetMeshOutputCounts(0, 0);
    DispatchMesh(1, 1, 1, numbers[0]); //~ ERROR WG0229
}
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology("triangle")]
void Derives(OUT) {
    SetMeshOutputCounts(0, 0);
    numbers[0] = ddx(float(thread)); //~ ERROR WG0336
}
NODE void Waits(OUT) {
    SetMeshOutputCounts(0, 0);
    if (thread < 4) GroupMemoryBarrierWithGroupSync(); //~ WARN WG0353
}
