// The value of a template parameter has the parameter's type: overloads, arithmetic and labels see it.
RWStructuredBuffer<uint> Out : register(u0);

enum Plain { X, Y = 4 };
enum class Mode : uint { Off, On = 3 };

uint kind(int x) { return 10; }
uint kind(uint x) { return 20; }
uint kind(bool x) { return 30; }
uint kind(int64_t x) { return 40; }
uint kind(uint64_t x) { return 50; }
uint kind(Plain x) { return 60; }
uint kind(Mode x) { return 70; }

template<uint N> uint ofUint() { return kind(N) + kind(N + 1); }
template<int N> uint ofInt() { return kind(N) + N; }
template<bool B> uint ofBool() { return kind(B) + (B ? 1 : 2); }
template<uint64_t N> uint ofWide() { return kind(N) + uint(N >> 60); }
template<Plain P> uint ofPlain() { return kind(P) + (P == Y ? 1 : 2); }
template<Mode M> uint ofMode() {
    switch (M) {
    case Mode::Off: return kind(M) + 1;
    case Mode::On: return kind(M) + 2;
    }
    return 0;
}
// The type depends on an argument before it, and so does a default.
template<typename T, T V> uint ofAny() { return kind(V); }
template<typename T, T V = T(2)> uint byDefault() { return kind(V) + uint(V); }
// Deduced from vectors, arrays and instances.
template<typename T, uint N> uint width(vector<T, N> v) { return kind(N) + N; }
template<uint N> uint length(float a[N]) { return kind(N) + N; }
template<int N> uint signedLength(float a[N]) { return kind(N) + N; }

template<uint N, Mode M = Mode::On> struct Box {
    static const uint less = N - 2 < 0 ? 1 : 2;
    static uint which() { return kind(N) + less; }
    uint minus() { return (0 - N) > 5 ? 7 : 8; }
    template<bool B> uint both() { return kind(N) + kind(B) + kind(M); }
    uint data[N];
};
template<uint N, Mode M> uint boxed(Box<N, M> b) { return kind(N) + kind(M) + N; }

template<typename T, Mode M> struct Special { static uint which() { return 1; } };
template<typename T> struct Special<T, Mode::On> { static uint which() { return 2; } };
template<typename T, uint N> struct Width { static uint which() { return 3; } };
template<typename T, uint N> struct Width<vector<T, N>, N> { static uint which() { return 100 + kind(N) + N; } };

template<typename T, T V> struct Constant {
    uint held;
    static const T value = V;
    static uint which() { return kind(value) + kind(V); }
};
template<typename T, T V> uint constant(Constant<T, V> c) { return kind(V) + uint(V); }

template<uint N> using Boxed = Box<N + 1>;

template<uint N> uint inner() {
    struct Local { uint get() { return kind(N); } };
    Local local;
    return local.get();
}

[Shader("compute")]
[numthreads(1, 1, 1)]
void main() {
    const Plain chosen = Y;
    float list[5] = { 0, 0, 0, 0, 0 };
    Box<1> one;
    Boxed<2> three;
    Constant<int64_t, -3> wide;
    Out[0] = ofUint<3>();
    Out[1] = ofInt<7u>();
    Out[2] = ofBool<4>();
    Out[3] = ofWide<0xf000000000000000>();
    Out[4] = ofPlain<Y>();
    Out[5] = ofPlain<chosen>() + ofPlain<(Plain)0>();
    Out[6] = ofMode<Mode::On>();
    Out[7] = ofAny<uint, 1>() + ofAny<bool, true>() + ofAny<Mode, Mode::Off>();
    Out[8] = byDefault<uint>() + byDefault<bool>();
    Out[9] = width(float3(1, 2, 3));
    Out[10] = length(list);
    Out[11] = signedLength(list);
    Out[12] = Box<1>::less * 100 + Box<1>::which();
    Out[13] = one.minus();
    Out[14] = one.both<1>();
    Out[15] = boxed(three);
    Out[16] = Special<int, Mode::Off>::which() * 10 + Special<int, Mode::On>::which();
    Out[17] = Width<float2, 2>::which() * 10 + Width<float2, 3>::which();
    Out[18] = Constant<uint, 5>::which() + Constant<Plain, X>::which();
    Out[19] = constant(wide);
    Out[20] = inner<2>();
    // Cut to the width of the parameter: 2^32 + 1 is 1, -1 is the largest.
    Out[21] = ofUint<0x100000001>() + width<int, 2>(int2(1, 1));
    Out[22] = Constant<uint, -1>::value;
    Out[23] = ofInt<Y>();
}
