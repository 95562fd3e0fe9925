// Objects of the effect framework are left out with a warning; a structure of the program may have such a name.

texture Diffuse; //~ WARN WG0012
Texture Normal < string name = "normal"; >; //~ WARN WG0012 WG0012
DepthStencilState NoDepth { DepthEnable = FALSE; }; //~ WARN WG0012 WG0012
BlendState Additive[2]; //~ WARN WG0012
VertexShader Transform = CompileShader(vs_5_0, Main()); //~ WARN WG0012
struct RenderTargetView { uint width; };
static RenderTargetView view = { 3 };
RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    float texture = 2;
    Out[0] = view.width + uint(texture);
    Out[1] = NoDepth; //~ ERROR WG0216
}
