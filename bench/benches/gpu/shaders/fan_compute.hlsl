// The array as hand-written dispatches: each level is one dispatch for the records of all elements.

struct Item { uint id; uint value; };
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<Item> In;
[[vk::binding(2)]] RWStructuredBuffer<Item> Items;
struct Push { uint count; };
[[vk::push_constant]] Push push;

[Shader("compute")] [NumThreads(64, 1, 1)]
void Start(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
        Items[at.x] = In[at.x];
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Level(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
        Items[at.x].value = Items[at.x].value * 3 + 1;
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Last(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
        Out[Items[at.x].id] = Items[at.x].value;
}
