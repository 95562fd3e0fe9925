// Features of other stages are rejected if a node reaches them; real mistakes are errors in every function.
float4 shade(float2 uv) {
    clip(uv.x);                                         //~ ERROR WG0229
    return 1;
}
float4 unreached(float2 uv) { clip(uv.y); discard; return uv.x; }

[shader("pixel")]
float4 pixel(float2 uv : UV) : SV_Target { clip(uv); return shade(uv) + missing; } //~ ERROR WG0101

float mistaken(float4 v : COLOR) : SV_Target { return v.q; }    //~ ERROR WG0209

[shader("closesthit")]
void hit(inout float4 payload, in BuiltInTriangleIntersectionAttributes a) {
    payload = RayTCurrent() + a.nothing;                //~ ERROR WG0204
}

// Memory that fragments access in order belongs to pixel shaders, regardless of its use.
RasterizerOrderedTexture2D<float4> layers;
RasterizerOrderedByteAddressBuffer locks;
void order(uint2 at) { uint old; locks.InterlockedAdd(0, 1, old); layers[at] += old; }
uint ordered() {
    layers[uint2(0, 0)].x = 1;                          //~ ERROR WG0229
    return locks.Load(4);                               //~ ERROR WG0229
}

RWStructuredBuffer<float> result;
[Shader("node")] [NodeLaunch("thread")]
void node() {
    discard;                                            //~ ERROR WG0229
    result[0] = shade(0).x + RayTMin();                 //~ ERROR WG0229
    result[2] = ordered();
    result[1] = noise(1);                               //~ ERROR WG0101
}
