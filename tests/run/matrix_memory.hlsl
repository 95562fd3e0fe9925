// Matrices in all kinds of memory, in both orders.
struct Mixed
{
    row_major float2x3 rows;
    float2x3 columns;
    int2x2 whole;
    bool1x2 truth;
    float16_t3x2 halves;
};

cbuffer Constants : register(b0)
{
    float c0;
    float3x2 cColumns;
    float c1;
    row_major float3x2 cRows;
    float c2;
    row_major float1x3 cLine;
    float c3;
    int2x3 cWhole;
    float2x2 cPair[2];
};
ConstantBuffer<Mixed> Block : register(b1);
StructuredBuffer<Mixed> In : register(t0);
RWStructuredBuffer<Mixed> Copy : register(u0);
RWStructuredBuffer<row_major float2x3> Rows : register(u1);
RWStructuredBuffer<float2x3> Columns : register(u2);
RWByteAddressBuffer Raw : register(u3);
RWStructuredBuffer<float> Out : register(u4);

groupshared float3x3 Shared;
groupshared int2x2 SharedWhole;

#pragma pack_matrix(row_major)
struct Sent
{
    float2x3 m;
    column_major float2x3 n;
    uint2x2 u;
};
struct Entry { column_major float3x2 m; uint at; };

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Entry> input, [MaxRecords(1)] NodeOutput<Sent> Next)
{
    ThreadNodeOutputRecords<Sent> r = Next.GetThreadNodeOutputRecords(1);
    r.Get().m = transpose(input.Get().m);
    r.Get().n = r.Get().m * 10;
    r.Get().u = uint2x2(1, 2, 3, 4);
    uint at = input.Get().at; // 1
    r.Get().n[at][2] = input.Get().m[at].y;
    r.Get().u[at] = r.Get().u[0] + at;
    r.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(3, 1, 1)]
void Next(DispatchNodeInputRecord<Sent> input, uint t : SV_GroupIndex)
{
    Sent s = input.Get();
    Shared[t] = float3(s.m[0][t], s.n[1][t], t);
    if (t < 2)
        SharedWhole[t] = int2(s.u[t]) * -1;
    GroupMemoryBarrierWithGroupSync();
    if (t != 0)
        return;
    float3x3 m = Shared;
    for (uint r = 0; r < 3; ++r)
        for (uint c = 0; c < 3; ++c)
            Out[r * 3 + c] = m[r][c];
    int2x2 w = SharedWhole;
    w[1] += 1;
    Out[9] = w._m00;
    Out[10] = w._m01;
    Out[11] = w._m10;
    Out[12] = w._m11;

    Mixed x = In[0];
    Copy[1] = x;
    x.columns += x.rows;
    x.whole = mul(x.whole, x.whole);
    x.truth = !x.truth;
    x.halves[2] = x.halves[0];
    Copy[0] = x;
    Copy[1].columns[1].zx = float2(-1, -2);
    Copy[1].truth[0][1] = In[0].truth[0][0];
    Copy[1].whole[1] = In[0].whole[0];

    Rows[0] = In[0].rows;
    Rows[1]._m10_m02 = float2(5, 6);
    Columns[0] = In[0].rows;
    Columns[1]._m10_m02 = float2(5, 6);
    Raw.Store<column_major float2x3>(0, In[0].rows);
    Raw.Store<float2x3>(24, In[0].rows);
    Raw.Store(48, In[0].whole[0]);
    Out[13] = Raw.Load<float2x3>(24)[1][0];
    Out[14] = Raw.Load<column_major float2x3>(24)[1][0];

    float3x2 both = cColumns + cRows * 10;
    for (uint i = 0; i < 3; ++i) {
        Out[15 + i * 2] = both[i].x;
        Out[16 + i * 2] = both[i].y;
    }
    Out[21] = c0 + c1 * 10 + c2 * 100 + c3 * 1000;
    Out[22] = cLine[0][2];
    Out[23] = cWhole[1][2];
    Out[24] = cPair[1][0][1];
    Out[25] = Block.rows[1][2];
    Out[26] = Block.columns[1][2];
    Out[27] = Block.whole[0][1];
    Out[28] = Block.truth[0][1] ? 1 : 0;
    Out[29] = Block.halves[2][0];
}
