// Arithmetic that is exact if nothing is reordered, contracted or left out: in functions, members, globals, loops,
// branches and matrices.
RWStructuredBuffer<float> Out : register(u0);

void TwoSum(float a, float b, out precise float sum, out precise float rest)
{
    sum = a + b;
    float of_b = sum - a;
    rest = (a - (sum - of_b)) + (b - of_b);
}

struct Split { precise float high; precise float low; };

// 12 bits each, by Veltkamp.
Split Halves(float a)
{
    Split s;
    float scaled = a * 4097.0;
    s.high = scaled - (scaled - a);
    s.low = a - s.high;
    return s;
}

// Dekker: the rounding error of a product.
precise float ProductRest(float a, float b)
{
    Split x = Halves(a), y = Halves(b);
    float product = a * b;
    return x.low * y.low - (((product - x.high * y.high) - x.low * y.high) - x.high * y.low);
}

static precise float lost;

float Kahan(uint first, uint count)
{
    float sum = 0;
    lost = 0;
    for (uint i = 0; i < count; ++i)
    {
        float y = Out[first + i] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

// These values again, and an imprecise use next to the precise one.
float Rest(float a, float b) { float s = a + b; return b - (s - a); }

[numthreads(1, 1, 1)]
void main()
{
    float sum, rest;
    TwoSum(Out[0], Out[1], sum, rest);
    Out[8] = sum;
    Out[9] = rest;
    Out[10] = ProductRest(Out[2], Out[2]);
    precise float total = Kahan(3, 5);
    Out[11] = total;
    precise float exact = Out[0] > 0.5 ? Rest(Out[0], Out[1]) : 0;
    Out[12] = exact;
    precise float2x2 m = float2x2(Out[0], Out[1], Out[1], Out[0]);
    precise float2x2 d = (m + m._m00) - m._m00;
    Out[13] = d._m01;
    Out[14] = (float)(Rest(2, 3) == 0);
}
