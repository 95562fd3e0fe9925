// Text printing: a glyph by a long chain of comparisons, inlined in loops.
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

uint Glyph(uint c)
{
    if (c == 32) return 0x00000000;
    if (c == 33) return 0x9e3779b1;
    if (c == 34) return 0x3c6ef362;
    if (c == 35) return 0xdaa66d13;
    if (c == 36) return 0x78dde6c4;
    if (c == 37) return 0x17156075;
    if (c == 38) return 0xb54cda26;
    if (c == 39) return 0x538453d7;
    if (c == 40) return 0xf1bbcd88;
    if (c == 41) return 0x8ff34739;
    if (c == 42) return 0x2e2ac0ea;
    if (c == 43) return 0xcc623a9b;
    if (c == 44) return 0x6a99b44c;
    if (c == 45) return 0x08d12dfd;
    if (c == 46) return 0xa708a7ae;
    if (c == 47) return 0x4540215f;
    if (c == 48) return 0xe3779b10;
    if (c == 49) return 0x81af14c1;
    if (c == 50) return 0x1fe68e72;
    if (c == 51) return 0xbe1e0823;
    if (c == 52) return 0x5c5581d4;
    if (c == 53) return 0xfa8cfb85;
    if (c == 54) return 0x98c47536;
    if (c == 55) return 0x36fbeee7;
    if (c == 56) return 0xd5336898;
    if (c == 57) return 0x736ae249;
    if (c == 58) return 0x11a25bfa;
    if (c == 59) return 0xafd9d5ab;
    if (c == 60) return 0x4e114f5c;
    if (c == 61) return 0xec48c90d;
    if (c == 62) return 0x8a8042be;
    if (c == 63) return 0x28b7bc6f;
    if (c == 64) return 0xc6ef3620;
    if (c == 65) return 0x6526afd1;
    if (c == 66) return 0x035e2982;
    if (c == 67) return 0xa195a333;
    if (c == 68) return 0x3fcd1ce4;
    if (c == 69) return 0xde049695;
    if (c == 70) return 0x7c3c1046;
    if (c == 71) return 0x1a7389f7;
    if (c == 72) return 0xb8ab03a8;
    if (c == 73) return 0x56e27d59;
    if (c == 74) return 0xf519f70a;
    if (c == 75) return 0x935170bb;
    if (c == 76) return 0x3188ea6c;
    if (c == 77) return 0xcfc0641d;
    if (c == 78) return 0x6df7ddce;
    if (c == 79) return 0x0c2f577f;
    if (c == 80) return 0xaa66d130;
    if (c == 81) return 0x489e4ae1;
    if (c == 82) return 0xe6d5c492;
    if (c == 83) return 0x850d3e43;
    if (c == 84) return 0x2344b7f4;
    if (c == 85) return 0xc17c31a5;
    if (c == 86) return 0x5fb3ab56;
    if (c == 87) return 0xfdeb2507;
    if (c == 88) return 0x9c229eb8;
    if (c == 89) return 0x3a5a1869;
    if (c == 90) return 0xd891921a;
    if (c == 91) return 0x76c90bcb;
    if (c == 92) return 0x1500857c;
    if (c == 93) return 0xb337ff2d;
    if (c == 94) return 0x516f78de;
    if (c == 95) return 0xefa6f28f;
    return 0;
}

uint Row(uint c, uint row) { return Glyph(c) >> row * 4 & 15; }

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint hash = 0;
    for (uint n = 0; n < 16; ++n) {
        uint c = 32 + (In[id.x + n & 1023] & 63);
        for (uint row = 0; row < 8; ++row)
            hash = hash * 31 + Row(c, row);
    }
    Out[id.x] = hash;
}
