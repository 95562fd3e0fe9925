// A variable whose initial value needs itself with other arguments each time.
template<uint N> static uint endless = endless<N + 1>; //~ ERROR WG0225
RWStructuredBuffer<uint> result : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void Main()
{
    result[0] = endless<1>;
}
