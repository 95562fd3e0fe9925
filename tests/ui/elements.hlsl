// Element types of resources.
struct S { float a; uint b; };
ConstantBuffer<S> right;
ConstantBuffer<float4x4> matrices;                  //~ ERROR WG0116
ConstantBuffer<float> numbers[2];                   //~ ERROR WG0116
Buffer<double> doubles;                             //~ ERROR WG0116
Buffer<S> structures;                               //~ ERROR WG0116
RWTexture2D<S> image;                               //~ ERROR WG0116
Texture2D<bool> flags;                              //~ ERROR WG0116
RWBuffer<float4x4> rows;                            //~ ERROR WG0116
Buffer<Texture2D<float> > textures;                 //~ ERROR WG0116
RWStructuredBuffer<double> fine;
globallycoherent RWStructuredBuffer<uint> shared;
globallycoherent StructuredBuffer<uint> read;       //~ ERROR WG0112
globallycoherent float number() { return 1; }       //~ ERROR WG0112
struct T { globallycoherent float x; };             //~ ERROR WG0112

[Shader("node")] [NodeLaunch("thread")]
void node() {
    globallycoherent float x = number();            //~ ERROR WG0112
    fine[0] = doubles[0] + structures[0].a + x;
}
