// Declarations of a template share their default arguments, and each argument has one default.
template<typename T = uint, int N> struct Both;
template<typename T, int N = 2> struct Both;
template<typename A, int B> struct Both { A v[B]; };
template<typename T, typename U = T> U Copy(T x);
template<typename A, typename B> B Copy(A y) { return (B)y; }
template<typename T = uint> struct Twice;
template<typename T = uint> struct Twice { T v; }; //~ ERROR WG0103
template<typename T, bool C = true> T Tone(T x);
template<typename T, bool C = false> T Tone(T x) { return C ? x : 0; } //~ ERROR WG0103
template<typename T> struct None;
template<typename T> struct None { T v; };
uint Missing() { None<> n; n.v = 1; return n.v; } //~ ERROR WG0104
RWStructuredBuffer<uint> Out : register(u0);
[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    Both<> b;
    b.v[1] = Copy(3u);
    Out[0] = b.v[1];
}
