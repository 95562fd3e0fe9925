struct S { uint a; float2 b; };
struct T { uint a; };
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> In : register(t0);
groupshared uint Shared;
static const uint K = 3;
void takes(uint a, float b) {}
void pick(int a) {}
void pick(uint a) {}

void names() {
    uint count = 1;
    cuont = 2;              //~ WG0101
    count = undefined_thing + also_undefined; //~ WG0101 WG0101
    S s;
    s.c = 1;                //~ WG0204
    s.d.e.f = 1;            //~ WG0204
    count.q = 1;            //~ WG0209
    count = S;              //~ WG0216
    count = takes;          //~ WG0216
    float2 v = 1;
    v.z = 1;                //~ WG0209
    v.xg = 1;               //~ WG0209
    v.xx = 1;               //~ WG0209
}

uint types(S s, T t, bool c) {
    s = t;                  //~ WG0200
    uint x = s;             //~ WG0200
    float2 v = float3(1, 2, 3); //~ WG0211
    float3 w = v;           //~ WG0200
    x = s + 1;              //~ WG0207
    x = 1.5 & 2;            //~ WG0207
    if (v) x = 1;           //~ WG0222
    bool2 b = v == v && v == v; //~ WG0222
    c ? s : t;              //~ WG0200
    x = float4(v, 1);       //~ WG0212
    1 = 2;                  //~ WG0205
    K = 4;                  //~ WG0206
    In[0] = 1;              //~ WG0206
    x();                    //~ WG0208
    x[1] = 2;               //~ WG0210
    uint list[2] = { 1, 2, 3 }; //~ WG0212
    list[2] = 1;            //~ WG0221
    uint list2[2] = { 1 };  //~ WG0212
    return;                 //~ WG0213
}

void calls() {
    takes(1);               //~ WG0201
    takes(1, 2, 3);         //~ WG0201
    S s;
    takes(s, 1);            //~ WG0200
    pick(1.5);              //~ WG0202
    undefined(s);           //~ WG0101
    uint x = names();       //~ WG0200
    return 1;               //~ WG0213
}

uint ends(bool a) {
    if (a) return 1;        //~ WG0223
}

void jumps(uint a) {
    break;                  //~ WG0214
    continue;               //~ WG0214
    switch (a) {
    case 0: a = 1;
    case 0: break;          //~ WG0215
    case a: break;          //~ WG0105
    }
    uint own;
    uint own;               //~ WG0103
}

void sync(uint flags) {
    uint local = 0;
    InterlockedAdd(local, 1);       //~ WG0219
    InterlockedAdd(Shared, 1);
    InterlockedAdd(In[0], 1);       //~ WG0206
    Barrier(UAV_MEMORY, 8);          //~ WG0218
    Barrier(16, 0);                 //~ WG0218
    Barrier(0, GROUP_SCOPE);        //~ WG0381
    Barrier(GROUP_SHARED_MEMORY, DEVICE_SCOPE); //~ WG0381
    Barrier(In, 0);                 //~ WG0218
    Barrier(Out, DEVICE_SCOPE);
}

void objects(ThreadNodeInputRecord<T> input, NodeOutput<T> output, NodeOutputArray<T> many) {
    input.Get().a = 1;              //~ WG0206
    input.a;                        //~ WG0204
    input.OutputComplete();         //~ WG0204
    input[0];                       //~ WG0210
    output.Get();                   //~ WG0204
    many.GetThreadNodeOutputRecords(1); //~ WG0204
    GroupNodeOutputRecords<T> r = output.GetThreadNodeOutputRecords(1); //~ WG0200
    ThreadNodeOutputRecords<S> q = output.GetThreadNodeOutputRecords(1); //~ WG0200
    many[1].GetThreadNodeOutputRecords(1).Get(0).a = 1;
}

void missing(float4x4 m, float4 v) {
    float4 r = m * v;               //~ WG0207
    float3x3 n = m;                 //~ WG0211
    float4x4 k = n;                 //~ WG0200
    m._m00_m00 = 1;                 //~ WG0209
    m._m04 = 1;                     //~ WG0209
    m._11_m00 = 1;                  //~ WG0209
    n[3] = 1;                       //~ WG0221
    float4x3 l = m + float4x3(n, 1, 2, 3); //~ WG0211
    v = mul(v, n).xyzz;             //~ WG0211
    v.xyz = mul(v.xyz, float4x3(n, 1, 2, 3)); //~ WG0211
    v = length(m);                  //~ WG0203
    if (m > 0) { }                  //~ WG0222
    float2x2 o = { 1, 2, 3 };       //~ WG0212
}
