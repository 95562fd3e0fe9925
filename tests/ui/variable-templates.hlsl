// Templates of variables that make no sense.

template<typename T> static const uint bad = Nothing + sizeof(T); //~ ERROR WG0101
template<typename T> static const uint worse = T::none; //~ ERROR WG0101
template<typename A, typename B> static const uint two = 1;
template<typename A> static const uint two<A, int> = 2; //~ ERROR WG0104
template<typename B> static const uint two<int, B> = 3;
template<uint N> static const uint endless = endless<N + 1>;
template<typename T> groupshared uint host; //~ ERROR WG0116
template<typename T> static const uint again = 1;
template<typename T> static const uint again = 1; //~ ERROR WG0103
template<> static const uint missing<int> = 1; //~ ERROR WG0125
template<uint N> struct Wrong { static const uint value = 1 / N + never; }; //~ ERROR WG0101

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    uint x = bad<int> + worse<int>;
    uint y = two<int, int>;
    uint z = endless<1>; //~ ERROR WG0011
    uint u = two<int>; //~ ERROR WG0104
    uint v = two; //~ ERROR WG0104
    uint w = Wrong<2>::value;
    bad<int> b; //~ ERROR WG0102
    two<int, float> = 3; //~ ERROR WG0206
}
