//! library
// A structure that implements an interface has its methods, itself or from a base.
interface Shape { float Area(); float Scaled(float by, inout uint count); };
interface Named { uint Name(); };
interface Solid : Shape { float Volume(); };

struct Square : Shape, Named
{
    float side;
    float Area() { return side * side; }
    float Scaled(float by, inout uint count);
    uint Name() { return 1; }
    uint Name(uint more) { return more; }
};
float Square::Scaled(float by, inout uint count) { ++count; return by * Area(); }

struct Half : Shape { float Area() { return 1; } }; //~ WARN WG0138
struct None : Shape, Named { uint n; }; //~ WARN WG0138 WARN WG0138
// Other parameters, another direction, another result.
struct Others : Shape //~ WARN WG0138
{
    uint Area() { return 1; }
    float Scaled(float by, uint count) { return by; }
    float Scaled(float by) { return by; }
};
// An overload that the interface has itself is not the missing one.
interface Two { uint Go(uint x); uint Go(float x); };
struct One : Two { uint Go(float x) { return 2; } }; //~ WARN WG0138

// Methods of a base count, hidden or not, with or without an interface of its own.
struct Plain { uint Name() { return 3; } };
struct Derived : Plain, Named { uint Name(uint x) { return x; } };
struct Again : Square { float Area() { return 0; } };
// Interfaces of interfaces, each reported once, where it is named.
struct Cube : Solid { float Volume() { return 1; } float Area() { return 6; } }; //~ WARN WG0138
struct Both : Solid, Shape { float Area() { return 6; } float Scaled(float by, inout uint count) { return by; } }; //~ WARN WG0138
struct Open : Named { }; //~ WARN WG0138
struct Closed : Open { uint Name() { return 1; } };
// A method that an interface defines needs no other definition.
interface Default { uint Twice(uint x) { return 2 * x; } uint Once(); };
struct Filled : Default { uint Once() { return 1; } };

// Templates: by their instances, if they are used.
template<typename T> interface Of { T Get(T x); };
template<typename T> struct Box : Of<T> { T Get(T x) { return x; } };
template<typename T> struct Bad : Of<T> { uint Get(uint x) { return x; } }; //~ WARN WG0138
template<typename T> struct Unused : Named { T t; };
struct Member : Of<float> { float Get(float x) { return x; } };
interface Maker { template<typename T> T Make(T x); };
struct Making : Maker { template<typename U> U Make(U x) { return x; } };
float all()
{
    Box<float> box;
    Bad<uint> right;
    Bad<float> bad;
    // Inside of functions as elsewhere.
    struct Local : Named { uint n; }; //~ WARN WG0138
    struct Fine : Named { uint Name() { return 2; } };
    Local local;
    Fine fine;
    return box.Get(1) + right.Get(2) + bad.Get(3) + fine.Name() + local.n;
}

// An unknown base or type may contain the missing method.
struct Unknown : Named, Nowhere { uint n; }; //~ ERROR WG0101
struct Typed : Two { uint Go(uint x) { return 1; } uint Go(Nothing x) { return 2; } }; //~ ERROR WG0101
