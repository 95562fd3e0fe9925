// Shared by the graph and the compute shaders: the senders, their records, and the values that the consumers compute.

struct Item { uint id; uint3 data; };

uint Hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ (x >> 16);
}

bool Sends(uint id)
{
    return (Hash(id) & 1) != 0;
}

Item Made(uint id)
{
    Item made;
    made.id = id;
    made.data = uint3(id * 3, id ^ id >> 5, ~id);
    return made;
}

uint Value(Item item, uint taker)
{
    return (item.data.x + taker) * 31 + (item.data.y ^ item.data.z * (taker + 1));
}
