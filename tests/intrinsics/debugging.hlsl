// Messages, a breakpoint, and results that neither changes.

[[vk::binding(0, 0)]] RWByteAddressBuffer Out;

const string Named = "thread %u of %d";
static const string Other = "%v3f and %5.1f|%x";

void Tell(uint thread, float3 v)
{
    printf(Other, v, v.y, thread + 0xab0);
}

[numthreads(4, 1, 1)]
void main(uint thread : SV_GroupIndex)
{
    printf("once per thread");
    printf(Named, thread, 4);
    if (thread == 2)
    {
        Tell(thread, float3(1, 2.5, -3));
        printf("%d%% %ld %f %g", thread > 1, -(int64_t)thread, 0.5, 1e-3);
        printf("%f %f\n", (float)thread, 7.0);
        DebugBreak();
        abort();
    }
    Out.Store(thread * 4, thread + 1);
}
