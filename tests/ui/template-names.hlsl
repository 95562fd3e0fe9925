// Names in a template that do not depend on its arguments are looked up at the template.
struct Weight { float x, y; };
RWStructuredBuffer<float> Out;

template<typename T> T blend(T a, T b, Weigth w) { return a * w.x + b * w.y; } //~ ERROR WG0101
template<typename T> T nobody(T x) { return undefined * x; }                    //~ ERROR WG0101
template<typename T> T called(T x, float y[Lenght]) {                           //~ ERROR WG0101
    return x;
}
template<typename T, int N> T sound(T x) {
    typename T::Inner inner;
    T sum = (T)N;
    for (int i = 0; i < N; i++) {
        sum += x + later(sum) + Weight::missing;
    }
    return sum;
}
template<typename T> T early(T x) { return x * kLate; }                         //~ ERROR WG0135
static const float kLate = 2;
// Said once, of the template, although two instances show it.
template<typename T> T twice(T x) { return x * kLat; }                          //~ ERROR WG0101
struct Holder {
    float scale;
    template<typename T> T scaled(T x) { return x * scale * scael; }            //~ ERROR WG0101
};

[Shader("node")] [NodeLaunch("thread")]
void Main() {
    Out[0] = blend(1.0, 2.0, 3) + blend(1.0, 3.0, 3) + blend(2, 3, 1);
    Out[1] = twice(1.0) + twice(1u);
}
