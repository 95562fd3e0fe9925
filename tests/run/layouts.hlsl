// Memory as OpenGL lays it out: constant buffers, texture buffers and buffers of structures, written and read by offset.

struct Part { float3 direction; float weight; float2 pair[2]; };
struct Item
{
    float scale;
    float3 at;
    float2x3 turn;
    Part part;
    uint count;

    void Grow(uint by) { count += by; part.weight += by; }
};

cbuffer Constants : register(b0) { float first; float list[2]; float2 last; };
ConstantBuffer<Part> Parts[2] : register(b1);
tbuffer Table : register(t0) { float base; float steps[2]; uint2 ends; };
TextureBuffer<Part> Fixed : register(t1);
RWStructuredBuffer<Item> Items : register(u0);
RWStructuredBuffer<float> Out : register(u1);

float Length(Part part) { return part.direction.x + part.direction.y + part.direction.z; }

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Out[0] = first + list[1] * 10 + last.y * 100;
    Out[1] = Length(Parts[1]) + Parts[1].pair[1].y * 1000;
    Out[2] = base + steps[1] * 10 + ends.y * 100;
    Out[3] = Length(Fixed) + Fixed.weight * 10 + Fixed.pair[1].x * 100;
    Item item = Items[0];
    item.at.z = item.scale;
    Items[1] = item;
    Items[1].Grow(5);
    Items[1].turn._m12 = 7;
}
