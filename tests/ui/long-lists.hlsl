// Constants with more parts than an instruction of SPIR-V has words.
#define H1(p) p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9, p##a, p##b, p##c, p##d, p##e, p##f
#define H2(p) H1(p##0), H1(p##1), H1(p##2), H1(p##3), H1(p##4), H1(p##5), H1(p##6), H1(p##7), \
              H1(p##8), H1(p##9), H1(p##a), H1(p##b), H1(p##c), H1(p##d), H1(p##e), H1(p##f)
#define H3(p) H2(p##0), H2(p##1), H2(p##2), H2(p##3), H2(p##4), H2(p##5), H2(p##6), H2(p##7), \
              H2(p##8), H2(p##9), H2(p##a), H2(p##b), H2(p##c), H2(p##d), H2(p##e), H2(p##f)
#define H4(p) H3(p##0), H3(p##1), H3(p##2), H3(p##3), H3(p##4), H3(p##5), H3(p##6), H3(p##7), \
              H3(p##8), H3(p##9), H3(p##a), H3(p##b), H3(p##c), H3(p##d), H3(p##e), H3(p##f)

static const uint Fits[] = { H3(0x0), H3(0x1), H3(0x2) };
static const uint Table[] = { H4(0x) };
static uint Filled[70000];
RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Static()
{
    Out[0] = Fits[Out[2]] + Filled[Out[3]] + Table[Out[1]]; //~ ERROR WG0220
}

[Shader("node")]
[NodeLaunch("thread")]
void Local()
{
    const uint local[65536] = { H4(0x) };                   //~ ERROR WG0220
    Out[1] = local[Out[4]];
}
