// Offsets of samples that are constants once calls are inlined and loops unrolled. Texel (x, y) of the plane is 10 y + x,
// and a sample without offset takes (4, 4).

Texture2D<float> Plane;
Texture2D<float> Other;
SamplerState Sharp;
RWStructuredBuffer<float> Out;

static const int2 TAPS[3] = { int2(-1, 0), int2(2, 1), int2(0, -3) };

struct Record { uint first; uint count; };

float tap(int2 o) { return Plane.SampleLevel(Sharp, 0.5, 0, o * 2 - 1); }

float around(int radius, uint skipped)
{
    float sum = 0;
    [unroll]
    for (int y = -radius; y <= radius; y++) {
        for (int x = -radius; x <= radius; ++x) {
            if (x == 0 && y == 0) continue;
            if (skipped == (uint)(x + 2)) continue;
            sum += Plane.SampleLevel(Sharp, 0.5, 0, int2(x, y));
        }
    }
    return sum;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
[NodeIsProgramEntry]
void main(DispatchNodeInputRecord<Record> input)
{
    const uint first = input.Get().first, count = input.Get().count;
    Out[0] = tap(int2(1, 2));
    Out[1] = tap(uint2(-1, 0));
    Out[2] = around(1, first);
    // One loop exit depends on constants of a table, and one does not.
    float sum = 0;
    for (uint i = 0; i < 3; ++i) {
        sum += Plane.SampleLevel(Sharp, 0.5, 0, TAPS[i]);
        if (TAPS[i].x == 2) break;
    }
    Out[3] = sum;
    sum = 0;
    int k = 3;
    do {
        sum += tap(int2(k, -k));
        k--;
    } while (k > 1);
    Out[4] = sum;
    static const int STEPS[2] = { -2, 3 };
    sum = 0;
    [loop]
    for (int j = 1; j >= 0; j--) {
        const int2 step = int2(STEPS[j], j);
        // An inner loop that stays a loop.
        for (uint n = 0; n < count; ++n) sum += Plane.SampleLevel(Sharp, 0.5, 0, step.yx);
    }
    Out[5] = sum;
    // The texture depends on the iteration.
    Texture2D<float> source = Plane;
    sum = 0;
    for (int t = 0; t < 2; t++) {
        sum += source.SampleLevel(Sharp, 0.5, 0, int2(t, 0));
        source = Other;
    }
    Out[6] = sum;
}
