// Legal or nearly so, but refused; and mistakes that only an instance of a template shows.
struct S { uint value; uint get(); };
uint S::get() { return value; } //~ ERROR WG0220
template<typename T> T pick(T a, T b) { return a; }
template<> float pick<float>(float a, float b) { return b; } //~ ERROR WG0220
template<typename T> struct Bad {
    T value;
    typename T::missing other; //~ ERROR WG0101
};
template<typename T> struct NeverUsed {
    typename T::missing other;
};
static Bad<float> bad;
[[wgc::op("load")]] uint sneaky(uint x); //~ ERROR WG0111

[Shader("node")] [NodeLaunch("thread")] void keeps_the_program_from_being_empty() { }
