union U { float a; uint b; }; //~ ERROR WG0010
RWStructuredBuffer<float> Out;
[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = 1; }
