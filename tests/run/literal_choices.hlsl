// A choice between literals is a literal: its use decides its type, and only then does it have a width.
struct Start { uint yes; };
RWStructuredBuffer<uint> Out;

uint Kind(uint x) { return 1; }
uint Kind(float x) { return 2; }
template<typename T> uint Size(T x) { return sizeof(T); }

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Start> input)
{
    bool yes = input.Get().yes != 0, no = !yes;
    // 0.1 as a double, and not as a float that is widened.
    double d = yes ? 0.1 : 0.2;
    asuint(d, Out[0], Out[1]);
    d = no ? 0.1 : yes ? 0.2 : 0.3;
    asuint(d, Out[2], Out[3]);
    d = 2.0L * (no ? 1 : 0.3);
    asuint(d, Out[4], Out[5]);
    // Computed in half: 0.1 * 3 is rounded twice.
    float16_t h = (float16_t)3;
    Out[6] = asuint16(h * (yes ? 0.1 : 0.2));
    Out[7] = asuint16(yes ? 1 : 2);
    uint64_t wide = no ? 1 : 0x123456789;
    Out[8] = (uint)(wide >> 32);
    Out[9] = (uint)wide;
    double2 both = yes ? 0.1 : 0.2;
    asuint(both.y, Out[10], Out[11]);
    // If nothing else decides, a choice is an int or a float.
    Out[12] = (uint)(-(yes ? 7 : 1) + 8) + (uint)((yes ? 3 : 1) / (no ? 1 : 2)) * 16;
    Out[13] = Kind(yes ? 1 : 2) * 16 + Kind(yes ? 0.5 : 2);
    Out[14] = Size(yes ? 1 : 2) * 16 + Size(yes ? 0.5 : 2);
    yes ? 1 : 2;
    Out[15] = (yes ? 4 : 2, no ? 6 : 5);
    d = (Out[16] = 1, 0.1);
    asuint(d, Out[17], Out[18]);
    int picks[3] = { yes ? 8 : 1, (no ? 8 : 9), 1 };
    Out[19] = picks[yes ? 1 : 2] + (yes ? 16 : 0);
    switch (yes ? 2 : 3) { case 2: Out[20] = 42; break; default: break; }
    if (yes ? 1 : 0) Out[21] = (uint)((yes ? 0.75 : 1).xx.y * 4);
    Out[22] = (1 << (yes ? 5 : 1)) | ((yes ? 1 : 2) << 3);
    Out[23] = ~(yes ? 1 : 2);
}
