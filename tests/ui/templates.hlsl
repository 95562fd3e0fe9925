// Templates that fit nothing or fit equally well, and default arguments that are given twice.

template<bool B, typename T> struct enable_if {};
template<typename T> struct enable_if<true, T> { typedef T type; };

template<typename T> typename enable_if<sizeof(T) == 4, T>::type only(T x) { return x; }
template<typename T> typename enable_if<sizeof(T) == 4, T>::type sized(T x) { return x; }
template<typename T> typename enable_if<sizeof(T) == 8, T>::type sized(T x) { return x; }

template<typename A, typename B> uint two(A a, B b, A c) { return 1; }
template<typename A, typename B> uint two(A a, B b, B c) { return 2; }

template<int N> uint wants() { return N; }
template<int N> uint either() { return N; }
template<typename T> uint either() { return sizeof(T); }

uint given(uint x, uint y = 1);
uint given(uint x, uint y = 2) { return x; } //~ ERROR WG0103
struct S { uint method(uint a = 1); };
uint S::method(uint a = 2) { return a; } //~ ERROR WG0103

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    only(float2(1, 2)); //~ ERROR WG0203
    sized(float3(1, 2, 3)); //~ ERROR WG0201
    sized(float2(1, 2));
    two(1u, 1u, 1u); //~ ERROR WG0202
    wants<float>(); //~ ERROR WG0105
    wants<Nothing>(); //~ ERROR WG0101
    either<float>();
    either<4>();
    either<Nothing>(); //~ ERROR WG0101
}
