// A deduced type has the order of its program, as a written one has: `Load<float2x2>(at)` reads the value of `Store(at, m)`.

RWByteAddressBuffer Words : register(u0);
RWStructuredBuffer<float> In : register(u1);
RWStructuredBuffer<float> Back : register(u2);

struct Holder { float2x2 m; };
typedef float2x2 Alias;

template<typename T> void put(uint at, T value) { Words.Store(at, value); }
template<typename T> T get(uint at) { return Words.Load<T>(at); }

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    float2x2 m = float2x2(In[0], In[1], In[2], In[3]);
    Holder holder = { m };
    float2x2 list[2] = { m, m * 2 };
    column_major float2x2 columns = m;
    Words.Store(0, m);
    Words.Store(16, list);
    Words.Store(48, holder);
    Words.Store(64, holder.m);
    Words.Store(80, list[1]);
    Words.Store(96, transpose(m));
    Words.Store<Alias>(112, m);
    put(128, m);
    put(144, (float2x2)holder);
    Words.Store<column_major float2x2>(160, columns);
    for (uint i = 0; i < 4; i++)
        Back[i] = get<float2x2>(0)[i / 2][i % 2] + Words.Load<float2x2>(32)[i / 2][i % 2];
}
