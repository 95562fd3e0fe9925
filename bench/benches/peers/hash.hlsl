// SHA-256 of one block for each thread: unrolled rounds over a local schedule.
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

static const uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

uint Rotated(uint x, uint n) { return x >> n | x << (32 - n); }

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint w[64];
    [unroll] for (uint i = 0; i < 16; ++i)
        w[i] = In[id.x & 1023] * (i + 1) + id.x;
    [unroll] for (uint j = 16; j < 64; ++j) {
        uint a = w[j - 15], b = w[j - 2];
        uint s0 = Rotated(a, 7) ^ Rotated(a, 18) ^ a >> 3;
        uint s1 = Rotated(b, 17) ^ Rotated(b, 19) ^ b >> 10;
        w[j] = w[j - 16] + s0 + w[j - 7] + s1;
    }
    uint s[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    uint a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    [unroll] for (uint k = 0; k < 64; ++k) {
        uint t1 = h + (Rotated(e, 6) ^ Rotated(e, 11) ^ Rotated(e, 25)) + (e & f ^ ~e & g) + K[k] + w[k];
        uint t2 = (Rotated(a, 2) ^ Rotated(a, 13) ^ Rotated(a, 22)) + (a & b ^ a & c ^ b & c);
        h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
    }
    Out[id.x] = a + s[0] ^ b + s[1] ^ e + s[4] ^ h + s[7];
}
