// 16-bit numbers in byte-address buffers: aligned loads and stores.
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(1)]] ByteAddressBuffer In;

struct Packed { uint16_t a, b, c, d; };

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint at = id.x * 8;
    Packed p = In.Load<Packed>(at & 4095);
    for (uint n = 0; n < 8; ++n) {
        p.a = p.a * uint16_t(3) + p.b;
        p.b = p.b ^ p.c;
        p.c = p.c + uint16_t(id.x);
        p.d = max(p.d, p.a);
    }
    Out.Store<Packed>(at, p);
}
