// Template arguments are integers, bools and enum values, and convert to the type of their parameter.

enum Plain { X, Y = 4 };
enum Other { Z };
enum class Mode { Off, On };

template<uint N> uint number() { return N; }
template<Plain P> uint plain() { return P; }
template<Mode M> uint mode() { return (uint)M; }
template<float F> float real() { return F; }
template<uint N> struct Sized { uint data[N]; };
template<Mode M> struct Moded { static const uint value = (uint)M; };
template<typename T, T V> struct Constant { static const T value = V; };
template<uint N, Mode M = 1> struct Preset { static const uint value = N; };

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    number<Y>();
    number<true>();
    number<1.5>(); //~ ERROR WG0104
    number<Mode::On>(); //~ ERROR WG0203
    plain<X>();
    plain<4>(); //~ ERROR WG0203
    plain<Z>(); //~ ERROR WG0203
    plain<(Plain)4>();
    mode<Mode::On>();
    mode<Plain::X>(); //~ ERROR WG0203
    real<1>(); //~ ERROR WG0203
    Sized<Y> a;
    Sized<Mode::On> b; //~ ERROR WG0104
    Moded<1>::value; //~ ERROR WG0104
    Constant<Mode, Mode::On>::value;
    Constant<Mode, Y>::value; //~ ERROR WG0104
    Constant<float, 1>::value; //~ ERROR WG0104
    Preset<1>::value; //~ ERROR WG0104
}
