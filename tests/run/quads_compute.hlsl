// The quads of a two-dimensional compute shader. A function that is not inlined reads the thread's number itself.

RWStructuredBuffer<uint> Out : register(u0);

[[vk::ext_builtin_input(/* LocalInvocationIndex */ 29)]]
static const uint Index;

[noinline] uint own(uint depth)
{
    uint sum = 0;
    for (uint i = 0; i < depth; i++) {
        sum += Index;
    }
    return sum;
}

[numthreads(4, 2, 1)]
void main(uint lane : SV_GroupIndex, uint3 thread : SV_DispatchThreadID)
{
    Out[lane * 4 + 0] = QuadReadAcrossX(lane);
    Out[lane * 4 + 1] = QuadReadAcrossY(lane);
    Out[lane * 4 + 2] = QuadReadAcrossDiagonal(lane);
    Out[lane * 4 + 3] = own(1 + thread.x) + own(thread.y);
}
