// Matrices of one row or column in the layouts of Vulkan, where they are vectors, read and written at indexes that are known
// only at run time.
cbuffer Constants : register(b0)
{
    float c0;
    float2x1 cColumn; // at 4: a vector of two may start anywhere that it does not cross 16 bytes
    float c1;
    row_major float1x3 cLine;
    row_major float3x1 cUpright;
    int1x2 cWhole;
    bool1x3 cTruth;
    uint4x1 cMany[2];
    float1x1 cOne;
};

struct Held
{
    float1x3 line;
    float before;
    row_major int4x1 upright;
    bool2x1 truth;
};

RWStructuredBuffer<Held> Lines : register(u1);
RWStructuredBuffer<float> Out : register(u2);

struct Entry { uint at; };

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Entry> input)
{
    uint at = input.Get().at; // 1
    Out[0] = c0 + c1;
    Out[1] = cColumn[at][0];
    Out[2] = cLine[0][at];
    Out[3] = cUpright[at + 1][0];
    Out[4] = cWhole[0][at];
    Out[5] = cTruth[0][at] ? 1 : cTruth._13 ? 2 : 3;
    Out[6] = cMany[at][at + 2][0];
    Out[7] = cOne._11;
    float3x1 turned = transpose(cLine);
    Out[8] = dot(turned._11_21_31, cUpright._11_21_31);

    Held h = Lines[0];
    h.line[0][at] += 10;
    h.truth = !h.truth;
    Lines[1] = h;
    Lines[1].upright[at + 2] = 50;
    Lines[1].upright[at][0] -= 4;
    Lines[1].line[0].z = Lines[0].upright[0][0];
    Lines[0].truth[at] = true;
}
