// Arrays of matrices in memory, copied and then read by rows and components. No copy is needed to read them.
struct Shapes
{
    float2x3 columns[2];
    row_major float2x3 rows[2];
    int2x3 whole[2];
    bool2x2 truth[2];
    float1x3 row[2];
    float3x1 column[2];
};
cbuffer Constants : register(b0) { Shapes first; };
StructuredBuffer<Shapes> Table : register(t0);
RWStructuredBuffer<float> Out : register(u0);

float Read(Shapes s, uint at, uint row, uint element)
{
    float sum = s.columns[at][row][element] + 10 * s.rows[at][row][element] + 100 * s.whole[at][row][element];
    sum += s.truth[at][row][element & 1] ? 1000 : 0;
    sum += 10000 * s.row[at][0][element] + 100000 * s.column[at][element][0];
    return sum + dot(s.columns[at][row], float3(1, 2, 3)) + dot(s.whole[at][row], int3(3, 2, 1));
}

[numthreads(12, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    uint at = i / 6, row = i / 3 % 2, element = i % 3;
    Out[i] = Read(first, at, row, element);
    Out[12 + i] = Read(Table[1], at, row, element);
    float2x3 copies[2] = Table[0].columns;
    Out[24 + i] = mul(copies[at], float3(1, 10, 100))[row];
}
