// Without `-enable-16bit-types`, `half` has 32 bits, and so have its literals.
RWStructuredBuffer<float> Out;
static const half Big = 70000.0h;
static const half Tiny[2] = { 1e-8h, 0x1.8p-20h };

[shader("compute")] [numthreads(1, 1, 1)]
void main()
{
    half tenth = 0.1h, same = 0.1;
    Out[0] = tenth;
    Out[1] = Big;
    Out[2] = Tiny[0] * 1e8;
    Out[3] = Tiny[1] * 1048576;
    Out[4] = tenth == same;
}
