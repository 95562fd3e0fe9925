// One `l` after a literal does not mean 64 bits, two do.
RWStructuredBuffer<uint> Out;

template<typename T> uint size(T x) { return sizeof(T); }
uint which(int a) { return 1; }
uint which(uint a) { return 2; }
uint which(int64_t a) { return 3; }
uint which(uint64_t a) { return 4; }

static const uint Constant = (0xFFFFFFFFul + 1ul) == 0;
static const uint Table[3ul] = { 1l, 2L, 3UL };

[Shader("compute")]
[numthreads(1, 1, 1)]
void main()
{
    uint big = 0xFFFFFFFF;
    uint n = 0;
    Out[n++] = asuint((float)(big * 2ul));
    Out[n++] = (big + 1ul) > 0ul;
    Out[n++] = (uint)((big + 1ull) >> 32);
    Out[n++] = 1ul << 33;
    Out[n++] = which(3l);
    Out[n++] = which(0x3L);
    Out[n++] = which(3ul);
    Out[n++] = which(3ll);
    Out[n++] = which(3ULL);
    Out[n++] = size(1ul);
    Out[n++] = size(1ll);
    Out[n++] = size(1.5l);
    Out[n++] = Constant;
    Out[n++] = Table[2];
}
