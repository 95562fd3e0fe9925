// Defaults of template parameters that use their own template, which lacks the same argument again.
template<typename T = One> struct One {}; //~ ERROR WG0108
template<uint N = sizeof(Two<>)> struct Two {}; //~ ERROR WG0108
template<uint N = Three<>::v> struct Three { static const uint v = N; }; //~ ERROR WG0108

// Each has the default of the other.
template<typename T = Fifth<> > struct Fourth {}; //~ ERROR WG0108
template<typename T = Fourth<> > struct Fifth {};

template<typename T = Sixth<> > using Sixth = T; //~ ERROR WG0108
template<typename T = seventh<> > static const int seventh = 1; //~ ERROR WG0108

One<> one;
Two<> two;
Three<> three;
Fourth<> fourth;
Sixth<> sixth;
static const int value = seventh<>;
