// The name of a base is a member of a structure: it is found there before other types of that name.
RWStructuredBuffer<uint> Result : register(u0);

struct Number { uint n; };

struct P { static uint K() { return 1; } uint x; };
namespace N {
struct P { static uint K() { return 2; } uint x, y, z; };
template<typename T> struct Pair { T a, b; static uint Size() { return sizeof(T) * 2; } };
}
struct Q : N::P { uint Get() { return P::K() * 100 + sizeof(P); } };
struct R : N::Pair<uint> { uint Get() { return Pair::Size() + sizeof(Pair); } };
struct S : Q { uint Get() { return P::K() * 10 + Q::Get(); } };

[Shader("node")]
[NodeLaunch("thread")]
void Names(ThreadNodeInputRecord<Number> input)
{
    Q q = (Q)0;
    R r = (R)0;
    S s = (S)0;
    Result[0] = q.Get() + input.Get().n;
    Result[1] = r.Get();
    Result[2] = s.Get();
    Result[3] = P::K() * 100 + sizeof(P);
}
