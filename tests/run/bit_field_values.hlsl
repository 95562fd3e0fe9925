// The value of an assignment, an increment and a decrement of a bit-field: the contents of the bit-field afterwards.

RWStructuredBuffer<int> Out : register(u0);

struct Fields
{
    uint a : 4;
    int b : 4;
    uint64_t c : 40;
};
RWStructuredBuffer<Fields> Items : register(u1);

struct Rec { int value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Main(DispatchNodeInputRecord<Rec> input)
{
    const int v = input.Get().value;   // 27: the low four bits are 1011
    Fields f = (Fields)0;
    Out[0] = (f.a = v);                // 11
    Out[1] = (f.b = v);                // -5
    f.a = 0;
    Out[2] = --f.a;                    // 15
    Out[3] = ++f.a;                    // 0
    Out[4] = f.a--;                    // 0, and then 15
    f.b = 7;
    Out[5] = ++f.b;                    // -8
    Out[6] = (f.a += v);               // 15 + 27 = 42: 10
    Out[7] = (f.b -= 2);               // -10: 6
    uint16_t narrow = uint16_t(f.a = v * 3);
    Out[8] = narrow;                   // 81: 1
    const uint64_t wide = --f.c;
    Out[9] = (int)(wide >> 32);        // 255
    uint first = 0, second = 0;
    first = second = Items[0].a = v;
    Out[10] = (int)(first * 100 + second); // 1111
    Out[11] = --Items[0].b;            // -1
}
