// In Slang, the type of a variable may come after its name.
RWStructuredBuffer<uint> Out;
struct Pair { uint a; };

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    let unknown : Bogus = 3; //~ ERROR WG0101
    let pair : Pair = 3u; //~ ERROR WG0200
    let narrow : uint = uint2(1, 2); //~ WARN WG0211
    let none; //~ ERROR WG0115
    let works : uint = 4;
    float semantic : TEXCOORD = 1;
    Out[0] = unknown + pair.a + narrow + works + uint(semantic);
}
