// Calls of templates, methods, default arguments; names that lookups hide.
struct S {
    uint a;
    uint get() const { return a; }
    uint twice() { return get() * 2; }
    void set(uint v) { a = v; }
    static uint Limit() { return 8; }
    void bad() const { a = 1; }     //~ WG0206
};
struct D : S { uint b; };
template<typename T> T same(T a, T b) { return a; }
template<typename T> T none() { return (T)0; }
template<typename T, int N> T pick(T list[N], int i) { return list[i]; }
static const uint Base = 4;
uint withDefault(uint a, uint b = Base * 2) { return a + b; }
uint declared_only(uint a);
uint direct(uint n) { return n == 0 ? 0 : direct(n - 1); } //~ WG0225
uint shadow(uint min) { return min + max(min, 3); }
float half_named(uint half) { return half; }

void calls(const S fixed) {
    D d = (D)0;
    d.set(1);
    uint x = d.get() + d.twice() + S::Limit() + d.a + fixed.get();
    S s = d;
    d = s;                          //~ WG0200
    s.missing();                    //~ WG0204
    s.get;                          //~ WG0216
    s.a();                          //~ WG0208
    fixed.a = 2;                    //~ WG0206
    x = same(1, 2u) + same<uint>(1, 2.5);
    x = same(1.5, 2u);              //~ WG0203
    x = none();                     //~ WG0203
    x = none<uint>();
    x = none<uint, uint>();         //~ WG0203
    uint list[3] = { 1, 2, 3 };
    x = pick(list, 1);
    x = withDefault(1) + withDefault(1, 2);
    x = declared_only(1);           //~ WG0224
    float3 v = float3(1, 2, 3);
    v = min(v, 1) + max(1, v) + clamp(v, 0, 1.0) + lerp(v, 0, 0.5);
    v = min(v, float2(1, 2));       //~ WG0200 WG0211
    v = sqrt(s);                    //~ WG0203
    x = dot(v, v) + length(v) + (any(v) ? 1 : 0);
    uint2 u = asuint(v.xy) + countbits(uint2(1, 2)) + select(v.xy > 1, 2, uint2(3, 4));
    bool b = x && u.x || !x;
    x += b;
    x <<= 2; x ^= 5; x |= b; x %= 3;
    v.xy *= float2(2, 3);
    v = -v + +v;
    x = ~x;
    v = ~v;                         //~ WG0207
    v++;
    b++;                            //~ WG0207
    (x)++;
    x = (1, 2);
    x = sizeof(S) + sizeof(x);
}
void tables() {
    static const uint n = 3;
    uint grid[n][2] = { 1, 2, { 3, 4 }, 5, 6 };
    uint y = grid[2][1] + grid[3][0]; //~ WG0221
    const uint c = 2;
    c = 3;                          //~ WG0206
    const uint d;                   //~ WG0212
    uint e[];                       //~ WG0107
    let f;                          //~ WG0115
    var g = 1.5;
    float3x3 m;
    typedef float2 pair;
    pair p = { 1, 2 };
    using other = uint;
    other o = 3;
    discard;                        //~ WG0229
    float q = 1e99f + .5h;
    int z = 'a' + '\n';
    for (int i = 0, j = 3; i < j; ++i, --j) { { int i = 2; } }
}
