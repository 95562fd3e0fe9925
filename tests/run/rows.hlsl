// Memory as Direct3D lays it out. In constant buffers, the next member shares the last row of an array, structure or matrix.
// In structured buffers everything is natural, and `vk::offset` overrules both.

struct Pair { float a; float2 b; };
struct Item { float3 at; float2 size; float steps[2]; };
struct Place
{
    [[vk::offset(16)]] uint a;
    [[vk::offset(4)]] uint b;
    uint c;
};

cbuffer Rows : register(b0)
{
    float list[2];
    float j;
    Pair pair;
    float i;
    float2x3 turn;
    float after;
    Pair pairs[2];
    float last;
};
RWStructuredBuffer<Item> Items : register(u1);
RWStructuredBuffer<Place> Places : register(u2);
RWStructuredBuffer<float> Out : register(u3);

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Out[0] = list[0] + list[1] * 10 + j * 100;
    Out[1] = pair.a + pair.b.y * 10 + i * 100;
    Out[2] = turn._m02 + turn._m11 * 10 + after * 100;
    Pair copy = pairs[1];
    Out[3] = copy.a + copy.b.x * 10 + last * 100;
    Item item = { float3(1, 2, 3), float2(4, 5), { 0, 6 } };
    Items[1] = item;
    Place place;
    place.a = 1;
    place.b = 2;
    place.c = 3;
    Places[1] = place;
    Out[4] = Places[1].a + Places[1].b * 10 + Places[1].c * 100;
}
