// Without 16-bit types, `half` and the types of minimum precision are separate types of 32 bits. Overloads,
// specialisations and deduction distinguish them, conversions prefer the nearest type, and values lose nothing.

RWStructuredBuffer<uint> Out;
RWStructuredBuffer<half2> Halves;

uint Which(half x) { return 1; }
uint Which(float x) { return 2; }
uint Which(min16float x) { return 3; }
uint Which(min10float x) { return 4; }
uint Which(int x) { return 5; }
uint Which(min16int x) { return 6; }
uint Which(min16uint x) { return 7; }
uint Which(uint x) { return 8; }
uint Which(half3 x) { return 9; }
uint Which(float3 x) { return 10; }

uint Wider(float x) { return 1; }
uint Wider(double x) { return 2; }
uint Narrower(half x) { return 1; }
uint Narrower(int x) { return 2; }

template<typename T> struct Name { static const uint value = 0; };
template<> struct Name<half> { static const uint value = 1; };
template<> struct Name<float> { static const uint value = 2; };
template<> struct Name<min16float> { static const uint value = 3; };
template<> struct Name<min16uint> { static const uint value = 4; };
template<typename T> uint NameOf(T x) { return Name<T>::value; }

void Twice(inout float x) { x *= 2; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    half h = 1.5h;
    float f = 2.5;
    min16float m = 3.25;
    min10float t = 0.5;
    min16int i = -3;
    min16uint u = 4;

    Out[0] = Which(h) | Which(f) << 4 | Which(m) << 8 | Which(t) << 12 | Which(1) << 16 | Which(i) << 20;
    Out[1] = Which(u) | Which(2u) << 4 | Which(half3(1, 2, 3)) << 8 | Which(float3(1, 2, 3)) << 12;
    // The common type of operands: the one of more precision, of integers the unsigned, of float and integer the float.
    Out[2] = Which(h + f) | Which(m * h) << 4 | Which(t - m) << 8 | Which(i + u) << 12 | Which(i + 1) << 16;
    Out[3] = Which(h * i) | Which(-m) << 4 | Which(max(h, m)) << 8 | Which(m > 0 ? m : t) << 12 | Which(h * 2) << 16;
    Out[4] = Wider(h) | Wider(m) << 4 | Narrower(f) << 8 | Narrower(i) << 12 | Narrower(m) << 16;
    Out[5] = NameOf(h) | NameOf(f) << 4 | NameOf(m) << 8 | NameOf(u) << 12 | NameOf(1.0h) << 16;
    Out[6] = sizeof(half3) | sizeof(min16uint) << 8;
    // 1 + 2^-20 has no room in 16 bits.
    half precise = 1 + f * 0.0000003814697265625;
    Out[7] = asuint((float)precise);
    Twice(h);
    Halves[0] = half2(h, (half)sqrt(m * 4 + 3));
    Out[8] = uint(i * -5) + uint(u % 3);
}
