// Specialisation constants: their allowed forms, and uses that a pipeline cannot change.

[[vk::constant_id(0)]] const uint N = 4;
[[vk::constant_id(1)]] const uint2 V = 1; //~ ERROR WG0128
[[vk::constant_id(2)]] const int NoDefault; //~ ERROR WG0128
[[vk::constant_id(3)]] static const int Hidden = 1; //~ ERROR WG0128
[[vk::constant_id(4)]] const uint Twice = N * 2; //~ ERROR WG0128
[[vk::constant_id(5)]] const uint64_t Wide = 2;

static const uint Copy = N + 1;
groupshared uint Data[N]; //~ WARN WG0129

RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NumThreads((N), 1, 1)]
[NodeDispatchGrid(N * 2, Wide, 1)] //~ WARN WG0129
[NodeLocalRootArgumentsTableIndex(N)] //~ WARN WG0129 WG0419
void Node(uint i : SV_GroupIndex)
{
    switch (i)
    {
        case N: //~ WARN WG0129
            break;
        case Copy: //~ WARN WG0129
            break;
        default:
            break;
    }
    N = 2; //~ ERROR WG0206
    Data[i] = Copy;
    Out[i] = Data[i];
}

// Operators, casts and constants that are computed with them stay open; floats do not.
static const uint Half = Copy / 2;
static const bool Large = N > 3 && Half != 0;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NumThreads(Large ? Half : (uint)-N, 1, 1)]
[NodeDispatchGrid(uint(N * 1.5), ~N & 7, (N << 1) + 1)] //~ WARN WG0129
void Computed() { }

struct Item { uint v; };

[Shader("node")]
[NodeLaunch("thread")]
void Owner(ThreadNodeInputRecord<Item> item) { }

[Shader("node")]
[NodeLaunch("thread")]
[NodeShareInputOf("Owner", N - 4)]
void Joins(ThreadNodeInputRecord<Item> item) { }
