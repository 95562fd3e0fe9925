// Candidates of a call that fits none, in the caller's terms: the nearest four, without the declarations of built-in
// functions. Messages about built-in functions speak of their arguments, not of template parameters.
struct Own { float x; };
RWStructuredBuffer<uint> Out;
RWByteAddressBuffer Bytes;

void f(float3 a, inout int b) { b = 1; }
void f(uint a, Own o = (Own)0) { }
template<typename T> void g(vector<T, 2> v, out T first, T more = 1) { first = more; }
template<typename T> void g(T a, T b, T c, T d) { }

void many(Own a) { }
void many(Own a, int b) { }
void many(Own a, int b, int c) { }
void many(Own a, int b, int c, int d) { }
void many(int a, Own b) { }
void many(int a, int b, Own c, int d, int e, int f) { }

[Shader("node")] [NodeLaunch("thread")]
void node() {
    Own o = { 1 };
    int place = 0;
    f(o, place);                    //~ ERROR WG0201
    g(o);                           //~ ERROR WG0201
    many(1, 2);                     //~ ERROR WG0201
    mul(o, o);                      //~ ERROR WG0201
    InterlockedAdd(Out, 1, 2);      //~ ERROR WG0201
    Bytes.Store(o, 1);              //~ ERROR WG0201
    place = dot(o, o);              //~ ERROR WG0203
    place = WaveActiveSum(o);       //~ ERROR WG0203
    place = countbits(o);           //~ ERROR WG0203
    place = max(o, 1);              //~ ERROR WG0203
}
