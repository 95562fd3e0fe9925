// Legal, but rejected; mistakes that only an instance of a template shows, and internals of the compiler.
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
