// The style of Slang's authors: values of enums after a dot, its names of the flags of barriers, `let` and `var`.
import experimental.workgraph;

enum Kind { Small, Large = 7 };
enum class Way : uint { Up = 3, Down };
namespace N { enum Inner { One = 11 }; }
struct Holder { enum Own { Mine = 5 }; };
RWStructuredBuffer<uint> Out;
groupshared uint sum;

[shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[numthreads(4, 1, 1)]
void Main(uint thread : SV_GroupIndex)
{
    if (thread == 0)
        sum = 0;
    Barrier(BarrierMemoryTypeFlags.GROUP_SHARED_MEMORY, BarrierSemanticFlags.GROUP_SYNC | BarrierSemanticFlags.GROUP_SCOPE);
    InterlockedAdd(sum, thread + 1);
    Barrier(BarrierMemoryTypeFlags::GROUP_SHARED_MEMORY, BarrierSemanticFlags::GROUP_SYNC | GROUP_SCOPE);
    let kind = Kind.Large;
    var way = Way.Down;
    if (thread == 0)
    {
        Out[0] = sum;
        Out[1] = kind;
        Out[2] = (uint)way;
        Out[3] = N::Inner.One + Holder::Own.Mine;
        Out[4] = BarrierMemoryTypeFlags.ALL_MEMORY;
        Kind Small = Kind::Large;
        Out[5] = Kind.Small + (Small == Kind.Large ? 100 : 0);
    }
}
