// Functions of numbers. Those with a body are compiled like functions of a program.

// ---- any number, component by component

template<typename T> [[wgc::op("math.abs")]] [[wgc::on("number")]] T abs(T x);
// The sign of NaN is 0.
template<typename T, int N> [[wgc::on("number")]] vector<int, N> sign(vector<T, N> x)
{
    return (vector<int, N>)(x > (T)0) - (vector<int, N>)(x < (T)0);
}
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
template<typename T> [[wgc::op("math.sinh")]] [[wgc::on("float")]] T sinh(T x);
template<typename T> [[wgc::op("math.cosh")]] [[wgc::on("float")]] T cosh(T x);
template<typename T> [[wgc::op("math.tanh")]] [[wgc::on("float")]] T tanh(T x);
template<typename T> [[wgc::op("math.fma")]] [[wgc::on("double")]] T fma(T a, T b, T c);
template<typename T, int N> [[wgc::op("math.is_nan")]] [[wgc::on("float")]] vector<bool, N> isnan(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.is_inf")]] [[wgc::on("float")]] vector<bool, N> isinf(vector<T, N> x);

template<typename T> [[wgc::on("any_float")]] T saturate(T x) { return clamp(x, (T)0, (T)1); }
template<typename T> [[wgc::on("any_float")]] T rcp(T x) { return (T)1 / x; }
template<typename T> [[wgc::on("float")]] T step(T edge, T x) { return select(x >= edge, (T)1, (T)0); }
template<typename T> [[wgc::on("float")]] T smoothstep(T low, T high, T x)
{
    T t = saturate((x - low) / (high - low));
    return t * t * ((T)3 - (T)2 * t);
}
template<typename T> [[wgc::on("float")]] T log10(T x) { return log(x) * (T)0.43429448190325182; }
template<typename T> [[wgc::on("float")]] T radians(T x) { return x * (T)0.017453292519943295; }
template<typename T> [[wgc::on("float")]] T degrees(T x) { return x * (T)57.295779513082321; }
// The exponent may have a fraction, so this is not an operation.
template<typename T> [[wgc::on("float")]] T ldexp(T x, T exponent) { return x * exp2(exponent); }
// Returns a number in [0.5, 1). Denormals are scaled first; 0, infinities and NaN have the exponent 0.
template<typename T, int N> [[wgc::on("float32")]] vector<T, N> frexp(vector<T, N> x, out vector<T, N> exponent)
{
    vector<bool, N> tiny = abs(x) < (T)1.1754943508222875e-38;
    vector<uint, N> bits = asuint(select(tiny, x * (T)16777216, x));
    vector<uint, N> biased = bits >> 23 & 0xff;
    vector<bool, N> special = or(biased == 0, biased == 0xff);
    exponent = select(special, (T)0, (vector<T, N>)biased - select(tiny, (T)150, (T)126));
    return select(special, x, asfloat(bits & 0x807fffff | 0x3f000000));
}
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
template<typename T, int N> [[wgc::on("float32")]] vector<bool, N> isnormal(vector<T, N> x)
{
    return and(abs(x) >= (T)1.1754943508222875e-38, abs(x) <= (T)3.4028234663852886e38);
}
template<int N> vector<bool, N> isnormal(vector<float16_t, N> x)
{
    return and(abs(x) >= (float16_t)6.103515625e-5, abs(x) <= (float16_t)65504);
}

// ---- geometry

template<typename T, int N> [[wgc::op("math.dot")]] [[wgc::on("number")]] T dot([[wgc::no_matrix]] vector<T, N> a, vector<T, N> b);
template<typename T> [[wgc::op("math.cross")]] [[wgc::on("float")]] vector<T, 3> cross(vector<T, 3> a, vector<T, 3> b);
template<typename T, int N> [[wgc::op("math.length")]] [[wgc::on("float")]] T length([[wgc::no_matrix]] vector<T, N> x);
template<typename T, int N> [[wgc::op("math.normalize")]] [[wgc::on("float")]] vector<T, N> normalize([[wgc::no_matrix]] vector<T, N> x);
template<typename T, int N> [[wgc::on("float")]] T distance([[wgc::no_matrix]] vector<T, N> a, vector<T, N> b) { return length(b - a); }
template<typename T, int N> [[wgc::on("float")]] vector<T, N> reflect([[wgc::no_matrix]] vector<T, N> i, vector<T, N> n)
{
    return i - n * ((T)2 * dot(n, i));
}
template<typename T, int N> [[wgc::on("float")]] vector<T, N> faceforward([[wgc::no_matrix]] vector<T, N> n, vector<T, N> i, vector<T, N> g)
{
    return dot(i, g) < 0 ? n : -n;
}
template<typename T, int N> [[wgc::on("float")]] vector<T, N> refract([[wgc::no_matrix]] vector<T, N> i, vector<T, N> n, T ratio)
{
    T cosine = dot(n, i);
    T k = (T)1 - ratio * ratio * ((T)1 - cosine * cosine);
    if (k < (T)0)
        return (vector<T, N>)0;
    return i * ratio - n * (ratio * cosine + sqrt(k));
}

// ---- functions of the fixed-function pipeline

template<typename T> [[wgc::on("float")]] vector<T, 4> lit(T diffuse, T specular, T power)
{
    T highlight = diffuse < (T)0 || specular < (T)0 ? (T)0 : pow(specular, power);
    return vector<T, 4>((T)1, max(diffuse, (T)0), highlight, (T)1);
}
template<typename T> [[wgc::on("number")]] vector<T, 4> dst(vector<T, 4> a, vector<T, 4> b)
{
    return vector<T, 4>((T)1, a.y * b.y, a.z, b.w);
}
// The factor is a little above 255, so that truncation rounds.
int4 D3DCOLORtoUBYTE4(float4 x) { return (int4)(x.zyxw * 255.001953); }

// ---- logic, component by component (`&&`, `||` and `?:` accept scalars only)

template<typename T, int N> [[wgc::op("math.any")]] [[wgc::on("bool")]] bool any(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.all")]] [[wgc::on("bool")]] bool all(vector<T, N> x);
template<typename T> [[wgc::op("logic.and")]] [[wgc::on("bool")]] T and(T a, T b);
template<typename T> [[wgc::op("logic.or")]] [[wgc::on("bool")]] T or(T a, T b);
template<typename T, int N> [[wgc::op("logic.select")]] [[wgc::on("any")]] vector<T, N> select(vector<bool, N> condition, vector<T, N> yes, vector<T, N> no);
