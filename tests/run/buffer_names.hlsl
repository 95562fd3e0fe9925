// Constant buffers of one name, and of a buffer's name: the names of the members keep them apart.
cbuffer View { float4 first; uint count; };
cbuffer View { float4 second; };
namespace N { cbuffer View { float4 third; }; }
tbuffer View { float4 fourth; };
RWStructuredBuffer<float4> Out;
cbuffer Out { float4 fifth; };

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    Out[0] = first;
    Out[1] = second * count;
    Out[2] = N::third;
    Out[3] = fourth;
    Out[4] = fifth;
}
