// Overloads of function templates: which is the more special one, and which is no candidate.

RWStructuredBuffer<uint> Out;

template<typename A, typename B> uint same(A a, B b) { return 1; }
template<typename A> uint same(A a, A b) { return 2; }

template<typename T> uint kind(T x) { return 1; }
template<typename T, int N> uint kind(vector<T, N> x) { return 10 + N; }
template<typename T> uint kind(vector<T, 3> x) { return 20; }
template<typename T, int N> uint kind(T x[N]) { return 30 + N; }
uint kind(float2 x) { return 40; }

template<typename T> struct Box { T value; typedef uint Tag; };
template<typename T> using Twice = Box<Box<T> >;
template<typename T> uint open_box(T x) { return 1; }
template<typename T> uint open_box(Box<T> x) { return 2; }
template<typename T> uint open_box(Twice<T> x) { return 3; }

// ---- hand-written, as no header has them

template<bool B, typename T> struct enable_if {};
template<typename T> struct enable_if<true, T> { using type = T; };
template<bool B, typename T> using enable_if_t = typename enable_if<B, T>::type;
template<typename A, typename B> struct is_same { static const bool value = false; };
template<typename A> struct is_same<A, A> { static const bool value = true; };
template<typename T, T V> struct integral_constant { static const T value = V; };
template<typename T> struct is_float : integral_constant<bool, is_same<T, float>::value || is_same<T, half>::value> {};

template<typename T> uint cut(float x) { return (typename enable_if<true, T>::type)x * 2 + (typename Box<T>::Tag)1; }
template<typename T> typename enable_if<is_same<T, uint>::value, uint>::type chosen(T x) { return 100 + x; }
template<typename T> enable_if_t<is_float<T>::value, uint> chosen(T x) { return 200 + (uint)x; }

template<typename T, typename enable_if<is_same<T, int>::value, int>::type = 0> uint by_value(T x) { return 300; }
template<typename T, typename enable_if<!is_same<T, int>::value, int>::type = 0> uint by_value(T x) { return 301; }

template<typename T> uint by_member(T x, typename T::tag unused = 0) { return 400; }
uint by_member(float x) { return 401; }
struct Tagged { using tag = uint; uint field; };

template<typename T, typename U = typename T::tag> U by_default(T x) { return (U)x.field; }
template<typename T> uint by_default(vector<T, 2> x) { return 500; }

// ---- partly given, and deduced through a base

template<typename To, typename From> To convert(From x) { return (To)x; }
template<uint N, typename T> T times(T x) { return x * N; }
template<typename T> uint times(T x) { return 0; }
struct Boxed : Box<uint> { uint more; };
template<typename T> T unbox(Box<T> b) { return b.value; }
namespace deep { template<typename T> struct Pair { T a, b; }; }
template<typename T> T total(deep::Pair<T> p) { return p.a + p.b; }

template<uint N> uint sum_to() { return N + sum_to<N - 1>(); }
template<> uint sum_to<0>() { return 0; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    float4 four = 0;
    float2 two = 0;
    uint3 three = 0;
    int array[5] = { 1, 2, 3, 4, 5 };
    Out[0] = same(1u, 2.0f) * 10 + same(1u, 2u);
    Out[1] = kind(1.0f) * 100 + kind(four);
    Out[2] = kind(three) * 100 + kind(two);
    Out[3] = kind(array);
    Box<float> box;
    box.value = 1;
    Box<Box<float> > nested;
    nested.value = box;
    Out[4] = open_box(1) * 100 + open_box(box) * 10 + open_box(nested);
    Out[5] = chosen(5u) * 1000 + chosen(7.5f);
    Out[6] = by_value(1) * 1000 + by_value(1u);
    Tagged tagged = { 9 };
    Out[7] = by_member(tagged) * 1000 + by_member(1.0f);
    Out[8] = by_default(tagged) * 1000 + by_default(two);
    Out[9] = convert<uint>(3.75f) * 10 + times<4>(5u);
    Boxed boxed;
    boxed.value = 11;
    boxed.more = 0;
    deep::Pair<uint> pair = { 20, 3 };
    Out[10] = unbox(boxed) * 100 + total(pair);
    Out[11] = sum_to<10>();
    Out[12] = cut<uint>(3.75f);
}
