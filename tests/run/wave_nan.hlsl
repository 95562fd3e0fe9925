// Operations choose the bits of a NaN freely, so the bits do not matter to a comparison of all lanes. Zero equals minus
// zero.
RWStructuredBuffer<uint> Out;
RWStructuredBuffer<uint> In;

[shader("compute")] [numthreads(4, 1, 1)]
void main(uint lane : SV_GroupIndex)
{
    bool nans = WaveActiveAllEqual(asfloat(In[lane]));
    bool zeros = WaveActiveAllEqual(asfloat(In[4 + lane]));
    bool numbers = WaveActiveAllEqual(asfloat(In[8 + lane]));
    Out[lane] = uint(nans) | uint(zeros) << 1 | uint(numbers) << 2;
}
