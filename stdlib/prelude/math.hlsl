// Functions of numbers. Those with a body are compositions, compiled like a user's.

// ---- any number, component by component

template<typename T> [[wgc::op("math.abs")]] [[wgc::on("number")]] T abs(T x);
template<typename T, int N> [[wgc::op("math.sign")]] [[wgc::on("number")]] vector<int, N> sign(vector<T, N> x);
template<typename T> [[wgc::op("math.min")]] [[wgc::on("number")]] T min(T a, T b);
template<typename T> [[wgc::op("math.max")]] [[wgc::on("number")]] T max(T a, T b);
template<typename T> [[wgc::op("math.clamp")]] [[wgc::on("number")]] T clamp(T x, T low, T high);
template<typename T> [[wgc::op("math.mad")]] [[wgc::on("number")]] T mad(T a, T b, T c);

// ---- floats, component by component

template<typename T> [[wgc::op("math.floor")]] [[wgc::on("float")]] T floor(T x);
template<typename T> [[wgc::op("math.ceil")]] [[wgc::on("float")]] T ceil(T x);
template<typename T> [[wgc::op("math.round")]] [[wgc::on("float")]] T round(T x);
template<typename T> [[wgc::op("math.trunc")]] [[wgc::on("float")]] T trunc(T x);
template<typename T> [[wgc::op("math.fract")]] [[wgc::on("float")]] T frac(T x);
template<typename T> [[wgc::op("math.rem")]] [[wgc::on("float")]] T fmod(T x, T y);
template<typename T> [[wgc::op("math.sqrt")]] [[wgc::on("float")]] T sqrt(T x);
template<typename T> [[wgc::op("math.inverse_sqrt")]] [[wgc::on("float")]] T rsqrt(T x);
template<typename T> [[wgc::op("math.exp")]] [[wgc::on("float")]] T exp(T x);
template<typename T> [[wgc::op("math.exp2")]] [[wgc::on("float")]] T exp2(T x);
template<typename T> [[wgc::op("math.log")]] [[wgc::on("float")]] T log(T x);
template<typename T> [[wgc::op("math.log2")]] [[wgc::on("float")]] T log2(T x);
template<typename T> [[wgc::op("math.pow")]] [[wgc::on("float")]] T pow(T x, T y);
template<typename T> [[wgc::op("math.sin")]] [[wgc::on("float")]] T sin(T x);
template<typename T> [[wgc::op("math.cos")]] [[wgc::on("float")]] T cos(T x);
template<typename T> [[wgc::op("math.tan")]] [[wgc::on("float")]] T tan(T x);
template<typename T> [[wgc::op("math.asin")]] [[wgc::on("float")]] T asin(T x);
template<typename T> [[wgc::op("math.acos")]] [[wgc::on("float")]] T acos(T x);
template<typename T> [[wgc::op("math.atan")]] [[wgc::on("float")]] T atan(T x);
template<typename T> [[wgc::op("math.atan2")]] [[wgc::on("float")]] T atan2(T y, T x);
template<typename T> [[wgc::op("math.mix")]] [[wgc::on("float")]] T lerp(T x, T y, T s);
template<typename T> [[wgc::op("math.fma")]] [[wgc::on("float")]] T fma(T a, T b, T c);
template<typename T, int N> [[wgc::op("math.is_nan")]] [[wgc::on("float")]] vector<bool, N> isnan(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.is_inf")]] [[wgc::on("float")]] vector<bool, N> isinf(vector<T, N> x);

template<typename T> [[wgc::on("float")]] T saturate(T x) { return clamp(x, (T)0, (T)1); }
template<typename T> [[wgc::on("float")]] T rcp(T x) { return (T)1 / x; }
template<typename T> [[wgc::on("float")]] T step(T edge, T x) { return select(x >= edge, (T)1, (T)0); }
template<typename T> [[wgc::on("float")]] T smoothstep(T low, T high, T x)
{
    T t = saturate((x - low) / (high - low));
    return t * t * ((T)3 - (T)2 * t);
}
template<typename T> [[wgc::on("float")]] T log10(T x) { return log(x) * (T)0.43429448190325182; }
template<typename T> [[wgc::on("float")]] T radians(T x) { return x * (T)0.017453292519943295; }
template<typename T> [[wgc::on("float")]] T degrees(T x) { return x * (T)57.295779513082321; }
template<typename T> [[wgc::on("float")]] T sinh(T x) { return (exp(x) - exp(-x)) * (T)0.5; }
template<typename T> [[wgc::on("float")]] T cosh(T x) { return (exp(x) + exp(-x)) * (T)0.5; }
template<typename T> [[wgc::on("float")]] T tanh(T x) { return (T)1 - (T)2 / (exp((T)2 * x) + (T)1); }
template<typename T> [[wgc::on("float")]] T ldexp(T x, T exponent) { return x * exp2(exponent); }
template<typename T> [[wgc::on("float")]] void sincos(T x, out T s, out T c)
{
    s = sin(x);
    c = cos(x);
}
template<typename T> [[wgc::on("float")]] T modf(T x, out T whole)
{
    whole = trunc(x);
    return x - whole;
}
template<typename T, int N> [[wgc::on("float")]] vector<bool, N> isfinite(vector<T, N> x)
{
    return and(!isnan(x), !isinf(x));
}

// ---- geometry

template<typename T, int N> [[wgc::op("math.dot")]] [[wgc::on("number")]] T dot(vector<T, N> a, vector<T, N> b);
template<typename T> [[wgc::op("math.cross")]] [[wgc::on("float")]] vector<T, 3> cross(vector<T, 3> a, vector<T, 3> b);
template<typename T, int N> [[wgc::op("math.length")]] [[wgc::on("float")]] T length(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.normalize")]] [[wgc::on("float")]] vector<T, N> normalize(vector<T, N> x);
template<typename T, int N> [[wgc::on("float")]] T distance(vector<T, N> a, vector<T, N> b) { return length(b - a); }
template<typename T, int N> [[wgc::on("float")]] vector<T, N> reflect(vector<T, N> i, vector<T, N> n)
{
    return i - n * ((T)2 * dot(n, i));
}
template<typename T, int N> [[wgc::on("float")]] vector<T, N> faceforward(vector<T, N> n, vector<T, N> i, vector<T, N> g)
{
    return dot(i, g) < 0 ? n : -n;
}

// ---- truth, component by component (`&&`, `||` and `?:` take scalars only)

template<typename T, int N> [[wgc::op("math.any")]] [[wgc::on("bool")]] bool any(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.all")]] [[wgc::on("bool")]] bool all(vector<T, N> x);
template<typename T> [[wgc::op("logic.and")]] [[wgc::on("bool")]] T and(T a, T b);
template<typename T> [[wgc::op("logic.or")]] [[wgc::on("bool")]] T or(T a, T b);
template<typename T, int N> [[wgc::op("logic.select")]] [[wgc::on("any")]] vector<T, N> select(vector<bool, N> condition, vector<T, N> yes, vector<T, N> no);

// ---- bits

template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("number")]] vector<float, N> asfloat(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("number")]] vector<int, N> asint(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("number")]] vector<uint, N> asuint(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.count_bits")]] [[wgc::on("int")]] vector<uint, N> countbits(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.first_bit_high")]] [[wgc::on("int")]] vector<uint, N> firstbithigh(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.first_bit_low")]] [[wgc::on("int")]] vector<uint, N> firstbitlow(vector<T, N> x);
template<typename T> [[wgc::op("math.reverse_bits")]] [[wgc::on("int")]] T reversebits(T x);
