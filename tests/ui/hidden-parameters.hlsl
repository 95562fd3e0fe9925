// A function's own block is in the scope of its parameters; blocks inside may have other things by their names.

RWStructuredBuffer<float> Out;

void spread(float x, out float3 a)
{
    float3 a = x; //~ ERROR WG0103
    a *= 2;
}

float cut(float x)
{
    typedef float y;
    float x = 2; //~ ERROR WG0103
    return x;
}

float inner(float3 n)
{
    float sum = 0;
    for (uint n = 0; n < 3; ++n)
        sum += n;
    {
        float n = 4;
        sum += n;
    }
    return sum;
}

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    float3 v;
    spread(1, v);
    Out[0] = v.x + cut(3) + inner(v);
}
