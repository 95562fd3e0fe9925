// Memory as DXC lays it out for Vulkan without options: vectors start as scalars do unless they would cross 16 bytes, and
// structures keep the alignment of their vectors.

struct Inner { float3 v; };
struct Item
{
    float a;
    float3 b;
    float3 c;
    float list[2];
    row_major float2x3 turn;
    Inner inner;
    float end;
};

cbuffer Block : register(b0)
{
    float2 first[2];
    Item item;
    float last;
};
RWStructuredBuffer<Item> Items : register(u1);
RWStructuredBuffer<float> Out : register(u2);

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Out[0] = first[1].y + item.b.z * 10 + item.c.x * 100 + item.list[1] * 1000;
    Out[1] = item.turn._m12 + item.inner.v.y * 10 + item.end * 100 + last * 1000;
    Items[1] = item;
}
