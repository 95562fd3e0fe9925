// Literals next to bools, shifted literals and half constants: a constant has the value that the same text has at run time.
struct Start { uint one; };
RWStructuredBuffer<uint> Out;

static const bool Yes = true;
static const uint Bits = 32, Last = 31;
static const float16_t Tenth = 0.1h, Largest = 65504.0h;

static const uint Same = 5 == Yes, Swapped = Yes == 2, Differs = 5 != Yes;
static const int Chosen = Yes ? -1 : Yes;
static const int Mask = (1 << Bits) - 1, Sign = (1 << Last) >> 31, Half = (1 << Last) / 2;
static const bool Negative = (1 << Last) < 0;
static const float Wide = Tenth, Sum = Largest + Largest, More = Largest + Yes;
static const uint Cut = (uint)(2049.0h);

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Start> input)
{
    const uint constants[12] = { Same, Swapped, Differs, Chosen, Mask, Sign, Half, Negative, asuint(Wide), asuint(Sum),
                                 asuint(More), Cut };
    for (uint i = 0; i < 12; ++i)
        Out[i] = constants[i];

    uint one = input.Get().one;
    bool yes = one != 0;
    uint bits = one * 32, last = one * 31;
    float16_t tenth = 0.1h * (float16_t)one, largest = 65504.0h * (float16_t)one;
    Out[12] = 5 == yes;
    Out[13] = yes == 2;
    Out[14] = 5 != yes;
    Out[15] = yes ? -1 : yes;
    Out[16] = (1 << bits) - 1;
    Out[17] = (1 << last) >> 31;
    Out[18] = (1 << last) / 2;
    Out[19] = (1 << last) < 0;
    Out[20] = asuint((float)tenth);
    Out[21] = asuint((float)(largest + largest));
    Out[22] = asuint((float)(largest + yes));
    Out[23] = (uint)(2049.0h * (float16_t)one);
    Out[24] = all(bool3(yes, yes, yes) == 2);
    float chosen = yes ? 3 : yes;
    Out[25] = (uint)chosen;
}
