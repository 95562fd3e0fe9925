// Slang's declarations with a type after the name.
RWStructuredBuffer<uint> Out : register(u0);
typedef uint Word;
struct Pair { uint a; float b; };
namespace wide { typedef float2 Both; }
using namespace wide;

struct R { uint v; };

[Shader("node")] [NodeLaunch("thread")]
void A(ThreadNodeInputRecord<R> input) {
    let real : float = 7;
    Out[0] = uint(real / 2 * 10);
    let cut : uint = 7.9;
    Out[1] = cut;
    var late : int;
    late = -7;
    Out[2] = late / 2 + 10;
    const let word : Word = -1;
    Out[3] = word >> 28;
    let pair : Pair = { 3, 4 };
    Out[4] = pair.a + uint(pair.b / 8 * 10);
    let both : Both = 3;
    Out[5] = uint(both.x / 2 * 10) + uint(both.y);
    uint steps = 0;
    for (let at : float = 0; at < 1; at += 0.25) steps++;
    Out[6] = steps;
    static var kept : uint = 5;
    Out[7] = ++kept;
}
