// Initial values with effects are computed even if nothing reads their variables, in the order of declarations.
RWStructuredBuffer<uint> Out : register(u0);
static uint calls = 0;
struct Holder { static uint member; };

uint Next() { return calls++; }
uint Pure(uint x) { return x * 3 + Out[15]; }

static uint first = Next();
// Nothing reads these two.
static uint second = Next();
namespace inner { static uint third = Next(); }
// Nothing reads this one, and it changes nothing.
static uint never = Pure(7);
static uint Holder::member = Next();
static uint written = (Out[4] = 40, 5);
uint Twice(out uint place) { place = 11; return 2; }
static uint other;
static uint given = Twice(other);
// The template's value has an effect, which counts where another value reads it.
uint AddFive() { uint before; InterlockedAdd(Out[8], 5, before); return before; }
template<typename T> static T counted = T(AddFive());
static uint unread = counted<uint>;
static uint array[2] = { Next(), Next() };
static uint last = Next();

struct R { uint v; };

[Shader("node")] [NodeLaunch("thread")]
void A(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> B) {
    Out[0] = first;
    Out[1] = last;
    Out[2] = calls;
    Out[3] = other;
    ThreadNodeOutputRecords<R> next = B.GetThreadNodeOutputRecords(1);
    next.Get().v = calls;
    next.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void B(ThreadNodeInputRecord<R> input) {
    Out[5] = input.Get().v + calls * 100;
    Out[6] = last;
    Out[7] = Holder::member * 10 + array[1];
}
