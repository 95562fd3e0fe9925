//! library
// In a library DXC's verdicts hold: barriers that the specification alone forbids are warnings.
RWStructuredBuffer<uint> Out;
struct R { uint v; };

[Shader("node")] [NodeLaunch("thread")]
void Thread(ThreadNodeInputRecord<R> i)
{
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE); //~ WARN WG0226
    Barrier(NODE_OUTPUT_MEMORY, GROUP_SCOPE); //~ ERROR WG0226
    Barrier(i, 0); //~ WARN WG0218
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void ReadOnly(DispatchNodeInputRecord<R> i)
{
    Barrier(i, GROUP_SCOPE); //~ WARN WG0218
    Barrier(NODE_OUTPUT_MEMORY, DEVICE_SCOPE); //~ WARN WG0381
    Barrier(0, GROUP_SCOPE); //~ ERROR WG0381
}
