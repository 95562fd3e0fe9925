// Lists are flattened, also if they give an array its size; empty values take nothing from them. A literal fits all
// numbers of its kind as well, so the other arguments decide.

RWStructuredBuffer<float> Out;

static const float2 Taps[] = { -1, -1, 1, -1, float2(0, 1), { 2, 3 } };
static const uint Flags[] = { 1u << 3, 2 + 1, (uint)7 };

// Parts of constants, and sizes of declarations, are constants.
static const float2x3 Matrix = { 1, 2, 3, 4, 5, 6 };
static const int Corner = (int)Matrix[1][2];
static const uint TapCount = sizeof(Taps) / sizeof(Taps[0]);
static const float Weights[TapCount] = { 1, 2, 3, Corner };

struct Empty {};
struct WithEmpty
{
    Empty first;
    int x;
    Empty second;
    int y;
};

// The name of a variable gives as many values as the variable has: 8 + 16 and 24, for elements of 16.
struct Base { float2x2 a; };
struct Middle : Base { float2 b; int2 c; };
struct Derived : Middle { Base t[2]; };
static float4 Row = { 5, 6, 7, 8 };
static float4 Threes = 3;
static float4 Zeros = { 0, 0, 0, 0 };
static float4 Rows[] = { Row, Threes, Zeros };
static float2x2 Squares[4] = { 25, 26, 27, 28, 25, 26, 27, 28, 25, 26, 27, 28, 25, 26, 27, 28 };
static Derived Dealt[] = { { Row, Zeros, Squares }, { Threes, Rows, Zeros, Row } };
static const uint DealtCount = sizeof(Dealt) / sizeof(Dealt[0]);

float Pick(float a, float b) { return 1; }
double Pick(double a, double b) { return 2; }
uint Pick(uint a, uint b) { return 3; }
uint64_t Pick(uint64_t a, uint64_t b) { return 4; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    WithEmpty plain = { 1, 2 };
    Empty empty;
    WithEmpty given = { empty, 3, 4 };
    Out[0] = plain.x + plain.y * 10 + given.x * 100 + given.y * 1000;
    float sum = 0;
    for (uint i = 0; i < TapCount; ++i)
        sum += Taps[i].x * 10 + Taps[i].y;
    Out[1] = sum;
    Out[2] = (float)Pick(1.5, 2.5L);
    Out[3] = (float)Pick(3, 4u);
    Out[4] = (float)Pick(3ull, 4);
    Out[5] = Pick(1.5, 2.5);
    Out[6] = Flags[0] + Flags[1] + Flags[2];
    switch (TapCount + 2)
    {
    case Corner: Out[7] = Weights[3]; break;
    default: Out[7] = 100; break;
    }
    Out[8] = sizeof(float2[3]) + sizeof(given);
    Out[9] = DealtCount * 1000 + Dealt[1].b.x + Dealt[1].c.y * 10;
    Out[10] = Dealt[1].t[1].a[1][0] * 100 + Dealt[2].a[0][1] * 10 + Dealt[2].t[1].a[1][1];
}
