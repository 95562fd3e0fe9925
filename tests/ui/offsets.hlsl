// Members where `vk::offset` puts them.
struct Fine { uint a; [[vk::offset(16)]] float2 b; uint c; [[vk::offset(8)]] uint before; };
struct Over { uint a[3]; [[vk::offset(8)]] float2 b; };             //~ ERROR WG0131
struct Odd { uint a; [[vk::offset(6)]] float b; };                  //~ ERROR WG0131
struct Bits { [[vk::offset(4)]] uint a : 3; };                      //~ ERROR WG0131
struct Unread { [[vk::offset(1, 2)]] uint a; };                      //~ ERROR WG0131
// Without rows nothing is wrong here, with them the list ends at 20.
struct Rows { float list[2]; [[vk::offset(16)]] float next; };
cbuffer Mixed { [[vk::offset(4)]] float x; float2 y; [[vk::offset(12)]] float z; };  //~ ERROR WG0131
[[vk::offset(4)]] float alone;                                      //~ ERROR WG0131
float first : register(c1);                                         //~ ERROR WG0131
float4 second[2] : register(c0);

ConstantBuffer<Rows> Block;
RWStructuredBuffer<Fine> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Node()
{
    Out[0].b = float2(Block.next + x + z + first + alone, second[1].x);   //~ ERROR WG0220
}
