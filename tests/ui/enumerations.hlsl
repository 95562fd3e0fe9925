// The language's enumerations accept values that those of a program do not.
enum Mine { A, B };
enum Other : uint { C, D };
RWStructuredBuffer<uint> Out;

void Twice(uint x) { }
void Twice(RAY_FLAG x) { } //~ ERROR WG0103

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    RAY_FLAG f = A; // to a number, as every enumeration without `class`
    Mine m = 1; //~ ERROR WG0200
    m = RAY_FLAG_NONE; //~ ERROR WG0200
    Other o = Out[1]; //~ ERROR WG0200
    m = C; //~ ERROR WG0200
    RAY_FLAG_NONE = 3; //~ ERROR WG0206
    f = RAY_FLAG::RAY_FLAG_NONE; //~ ERROR WG0101
    Out[0] = f;
}
