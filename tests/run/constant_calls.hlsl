// Constants computed by calls of built-in functions and by arithmetic of vectors, in all places that need a constant.

static const uint A = 5;
static const uint THREADS = max(A, 7) + 1;
static const uint2 TILE = max(uint2(4, 16), uint2(8, 2)) / 2;
static const float3 AXIS = normalize(float3(0, 3, 4)) * 10.0f;
static const uint BITS = countbits(0xF0F0u) + firstbithigh(1u << 20) + firstbitlow(8u) + (reversebits(1u) >> 28);
static const int PICK = TILE.x > 3 ? clamp(-5, -3, 3) : 0;
static const float ROOT = sqrt(16.0);
static const uint ONE = asuint(1.0f);
static const float2x2 M = float2x2(1, 2, 3, 4) * 2;
struct Sizes { uint a; float b[2]; };
static const Sizes S = { min(3u, A), { floor(2.5), saturate(7.0) } };
static const uint TABLE[4] = { abs(-3), sign(-2.0) + 2, step(1.0, 2.0), (uint)pow(2.0, 10.0) };
enum Level { LOW = min(3, 9), HIGH = LOW + 1 };
static const float PI_SIN = sin(0.5);
static const float LERPED = lerp(1.0, 3.0, 0.25);
static const uint ALL = all(TILE == uint2(4, 8)) ? 1 : 0;
static const uint SELECTED = select(A == 5, 21u, 22u);
static const uint DOT = dot(uint3(1, 2, 3), uint3(4, 5, 6));

template<uint N> uint given() { return N; }

RWStructuredBuffer<uint> Out;

struct Record { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(max(1, A - 4), 1, 1)]
[NumThreads(THREADS, 1, 1)]
[NodeIsProgramEntry]
void Main(uint index : SV_GroupIndex, [MaxRecords(max(2, 1))] [NodeId("Second", min(2, 1))] NodeOutput<Record> Second)
{
    uint array[max(TILE.x, TILE.y)];
    for (uint i = 0; i < 8; ++i)
        array[i] = i;
    ThreadNodeOutputRecords<Record> record = Second.GetThreadNodeOutputRecords(index == 0 ? 1 : 0);
    if (index == 0)
    {
        const uint local = min(12, A * 4);
        uint other[local];
        other[11] = 6;
        Out[0] = THREADS;
        Out[1] = TILE.x * 100 + TILE.y;
        Out[2] = asuint(AXIS.y) == asuint(6.0f) && AXIS.z == 8 ? 1 : 0;
        Out[3] = BITS;
        Out[4] = PICK;
        Out[5] = (uint)ROOT * 10 + (ONE >> 23);
        Out[6] = (uint)(M._m00 + M._m11 * 10);
        Out[7] = S.a * 100 + (uint)S.b[0] * 10 + (uint)S.b[1];
        Out[8] = TABLE[0] * 100 + TABLE[1] * 10 + TABLE[2];
        Out[9] = TABLE[3];
        Out[10] = given<max(LOW, HIGH)>() * 100 + given<TILE.y>();
        Out[11] = asuint(PI_SIN);
        Out[12] = (uint)(LERPED * 100);
        Out[13] = ALL * 1000 + SELECTED;
        Out[14] = DOT;
        switch (A)
        {
        case max(5, 2): Out[15] = array[7] * 10 + other[11]; break;
        default: Out[15] = 0; break;
        }
        Out[17] = TABLE.Length;
        record.Get().value = 40;
    }
    record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeId("Second", 1)]
void Other(ThreadNodeInputRecord<Record> input) { Out[16] = input.Get().value + countbits(ONE) + 1; }
