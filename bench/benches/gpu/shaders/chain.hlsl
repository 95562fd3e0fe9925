// LENGTH nodes in a row; each turns a record into one for the next.

struct Item { uint id; uint value; };
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

#define LINK(NAME, NEXT)                                                                        \
    [Shader("node")] [NodeLaunch("thread")]                                                     \
    void NAME(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> NEXT)         \
    {                                                                                           \
        Item item = input.Get();                                                                \
        ThreadNodeOutputRecords<Item> made = NEXT.GetThreadNodeOutputRecords(1);                \
        made.Get().id = item.id;                                                                \
        made.Get().value = item.value * 3 + 1;                                                  \
        made.OutputComplete();                                                                  \
    }

[NodeIsProgramEntry]
LINK(Link0, Link1)
LINK(Link1, Link2)
LINK(Link2, Link3)
#if LENGTH == 5
LINK(Link3, Last)
#else
LINK(Link3, Link4)
LINK(Link4, Link5)
LINK(Link5, Link6)
LINK(Link6, Link7)
LINK(Link7, Link8)
LINK(Link8, Link9)
LINK(Link9, Link10)
LINK(Link10, Link11)
LINK(Link11, Link12)
LINK(Link12, Link13)
LINK(Link13, Link14)
LINK(Link14, Link15)
LINK(Link15, Link16)
LINK(Link16, Link17)
LINK(Link17, Link18)
LINK(Link18, Link19)
LINK(Link19, Link20)
LINK(Link20, Link21)
LINK(Link21, Link22)
LINK(Link22, Link23)
LINK(Link23, Link24)
LINK(Link24, Link25)
LINK(Link25, Link26)
LINK(Link26, Link27)
LINK(Link27, Link28)
LINK(Link28, Link29)
LINK(Link29, Last)
#endif

[Shader("node")] [NodeLaunch("thread")]
void Last(ThreadNodeInputRecord<Item> input)
{
    Out[input.Get().id] = input.Get().value * 3 + 1;
}
