// The chain as hand-written dispatches: each one reads the output of the previous one.

struct Item { uint id; uint value; };
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<Item> In;
[[vk::binding(2)]] RWStructuredBuffer<Item> Odd;
[[vk::binding(3)]] RWStructuredBuffer<Item> Even;
struct Push { uint count; };
[[vk::push_constant]] Push push;

Item Next(Item item)
{
    item.value = item.value * 3 + 1;
    return item;
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void First(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
        Odd[at.x] = Next(In[at.x]);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void ToOdd(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
        Odd[at.x] = Next(Even[at.x]);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void ToEven(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
        Even[at.x] = Next(Odd[at.x]);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Last(uint3 at : SV_DispatchThreadID)
{
    if (at.x < push.count)
    {
        Item item = Next(Even[at.x]);
        Out[item.id] = item.value;
    }
}
