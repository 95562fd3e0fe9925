// Unknown names may be declared in the file that was not found; wrong directives are still wrong.
#include "renderer/missing_common.hlsli" //~ ERROR WG0004
#endif //~ ERROR WG0003
RWStructuredBuffer<Light> lights;
float shade(Light l, Surface s) { return BRDF(s, l.dir) * l.intensity + kAmbient; }
DECLARE_NODE(First) { Surface s = LoadSurface(0) }
[Shader("node")] [NodeLaunch("thread")]
void Second([MaxRecords(1)] NodeOutput<Light> Third) { lights[0] = shade(lights[0], kSurface) + 1 }
