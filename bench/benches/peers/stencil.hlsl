// Three by three neighbours of each cell, with bounds that clamp.
[[vk::binding(0)]] RWStructuredBuffer<float> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

static const int Width = 256;
static const float Weights[3][3] = { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } };

float Cell(int2 at)
{
    at = clamp(at, 0, Width - 1);
    return float(In[(at.y * Width + at.x) & 1023] & 1023) / 1024;
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float sum = 0, least = 1, most = 0;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            float cell = Cell(int2(id.xy) + int2(x, y));
            sum += cell * Weights[y + 1][x + 1];
            least = min(least, cell);
            most = max(most, cell);
        }
    }
    float smooth = sum / 16;
    bool edge = most - least > 0.5f;
    Out[id.y * Width + id.x] = edge ? lerp(smooth, most, 0.25f) : smooth;
}
