// An error in an instance of a template says which calls made the instance.
struct A { float x; float area() { return x; } };
struct B { float x; };
RWStructuredBuffer<float> Out;

template<typename T> float inner(T t) { return t.area() * 2; }               //~ ERROR WG0204
template<typename T> float outer(T t) { return inner(t) + 1; }
template<typename T> struct Vec {
    T x, y;
    T dot(Vec<T> o) { return x * o.x + y * o.z; }                            //~ ERROR WG0204
};

[Shader("node")] [NodeLaunch("thread")]
void Main() {
    A a = { 1 };
    B b = { 2 };
    Out[0] = outer(a);
    Out[1] = outer(b) + outer(b);
    Vec<float> v = { 1, 2 };
    Out[2] = v.dot(v);
}
