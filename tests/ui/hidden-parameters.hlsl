// A function's own block is in the scope of its parameters, and that of a statement in the scope of its header. Blocks inside
// may have other things by their names.

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

float headers(uint n)
{
    float sum = 0;
    for (uint i = 0; i < n; i++)
    {
        float i = 2; //~ ERROR WG0103
        sum += i;
    }
    [loop] for (uint j = 0; uint k = n - j; j++) {
        float j = 2; //~ ERROR WG0103
        float k = 2; //~ ERROR WG0103
        sum += j;
    }
    while (uint left = n)
    {
        uint left = 2; //~ ERROR WG0103
        n--;
    }
    if (uint more = n) { uint more = 2; } //~ ERROR WG0103
    else { uint more = 3; } //~ ERROR WG0103
    switch (uint which = n) { case 0: break; default: uint which = 3; break; } //~ ERROR WG0103
    for (uint outer = 0; outer < n; outer++)
        for (uint outer = 0; outer < 2; outer++)
            { { float outer = 3; sum += outer; } }
    if (uint again = n) { { uint again = 2; sum += again; } }
    return sum;
}

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    float3 v;
    spread(1, v);
    Out[0] = v.x + cut(3) + inner(v) + headers(2);
}
