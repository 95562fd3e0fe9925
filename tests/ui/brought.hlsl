//! library
// Using-declarations of records.

namespace N { uint f(uint x) { return x; } }
struct Other { uint g() { return 1; } };
struct Root { uint r() { return 1; } uint field; typedef uint Word; };
template<typename T> struct Base : Root
{
    T get() { return 1; }
    T get(T x) { return x; }
};

struct Right : Base<uint>
{
    using Base<uint>::get;
    using Base<uint>::field;
    using Base<uint>::Word;
    using Root::r;
    uint get(uint a, uint b) { return get(a) + get() + b; }
    uint r(uint a) { return r() + a; }
};

struct Without : Base<uint>
{
    uint get(uint a, uint b) { return get(a) + b; } //~ ERROR WG0201
};

struct Wrong : Base<uint>
{
    using Other::g;              //~ ERROR WG0109
    using Base<float>::get;      //~ ERROR WG0109
    using Base<uint>::missing;   //~ ERROR WG0204
    using Nowhere::get;          //~ ERROR WG0101
    using N::f;                  //~ ERROR WG0102
};

template<typename T> struct Dependent : Base<T>
{
    using Base<T>::get;
    T get(T a, T b) { return get(a) * b; }
};
uint both(Dependent<uint> d, Right r) { return d.get(2, 3) + d.get() + r.get(1) + r.r(1) + r.r(); }
