// Functions that can end without a value: DXC warns of them, and so does wgc. They return zero then.
enum class Shape { Point, Line, Face };
RWStructuredBuffer<uint> Out;

uint corners(Shape shape)
{
    switch (shape)
    {
        case Shape::Point: return 1;
        case Shape::Line: return 2;
        case Shape::Face: return 4;
    }
}

float2 halves(uint i)
{
    if (i % 2 == 0)
        return float2(i, i) / 2;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Produce(uint i : SV_DispatchThreadID)
{
    Out[i] = corners((Shape)i);
    Out[4 + i] = (uint)(halves(i).y * 10);
}
