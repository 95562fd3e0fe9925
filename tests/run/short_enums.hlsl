// Enumerations of 16 bits are `int` in operators, in constants as at run time ([conv.prom]). Those of a type of 32 bits are
// of that type, and scoped ones have no operators.
StructuredBuffer<int> Given;
RWStructuredBuffer<uint> Out;

enum Wide : uint16_t { Last = 65535, Seven = 7 };
enum Low : int16_t { Least = -32768, Most = 32767 };
enum class Scoped : uint16_t { Last = 65535 };
enum Whole : uint { Full = 0xffffffff };

static const uint Next = Last + 1;
static const Wide Kept = Last;
static const int Above = Kept + Kept;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    Wide wide = (Wide)Given[0];
    Low low = (Low)Given[1];
    uint counts[Last - 65533];
    counts[0] = 5;
    Out[0] = Last + 1;
    Out[1] = wide + 1;
    Out[2] = Most + 1;
    Out[3] = low + 1;
    Out[4] = (wide > -1) + (Last > -1);
    Out[5] = (wide + wide) >> 1;
    Out[6] = ~wide;
    Out[7] = -low;
    Out[8] = wide << 4;
    Out[9] = wide == 65535;
    Out[10] = Next + Above;
    Out[11] = (Given[2] ? Seven : 70000) + (Given[2] ? 70000 : wide);
    Out[12] = counts[0] + sizeof(counts);
    Out[13] = Full + 1;
    Out[14] = wide == Kept ? wide & 0xff0 : 1;
    Out[15] = Scoped::Last == (Scoped)Given[0];
    uint sum = 1;
    sum += wide;
    Out[16] = sum;
}
