// Bit-fields in locals, structures of buffers, records, groupshared memory: those that share a word, bits that a write leaves
// alone, signs. The words of Items in the file bit_fields.run.json are packed manually.

RWStructuredBuffer<uint> Out : register(u0);

enum Mode { Off, Slow, Fast = 3 };

struct Packed
{
    uint kind : 4;
    uint level : 12;
    uint rest : 16;   // fills the first word
    uint more : 20;   // 12 + 20 bits would fit nowhere but in the next
    int low : 5;      // another type begins another word
    int high : 6;
    Mode mode : 3;    // one bit is the sign
    bool set : 1;
    uint plain;       // no bit-field
    uint last : 32;
};
RWStructuredBuffer<Packed> Items : register(u1);

struct Wide
{
    uint64_t a : 40;
    uint64_t b : 20;
    uint64_t c : 8;   // the first unit has 4 bits left
};
RWStructuredBuffer<Wide> Wides : register(u2);

struct Rec
{
    int delta : 8;
    int scale : 8;
    uint seed;
};

groupshared Packed Shared;

void Raise(inout uint level, out int low) { level += 1; low = -2; }
uint Sum(Packed p) { return p.kind + p.level + p.rest; }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Main(DispatchNodeInputRecord<Rec> input)
{
    Rec rec = input.Get();
    Out[0] = (uint)(rec.delta * rec.scale + 100); // -3 * 7 + 100 = 79

    Packed p = { 5, 0x123, 0xBEEF, 0xFFFFF, -3, 21, Fast, true, 99, 0x80000000u };
    Out[1] = (uint)(p.low + p.high * 10 + 1000);  // 1207
    Out[2] = p.mode * 10 + (p.set ? 1 : 0);       // 31
    p.level = 0xFFFF;                             // 12 bits are kept
    Out[3] = p.level + p.kind;                    // 4095 + 5
    p.low = 15;
    p.low++;                                      // 16 of 5 bits is -16
    Out[4] = (uint)(p.low + 16 + p.high);         // 21
    Raise(p.level, p.low);                        // 4096 of 12 bits is 0
    Out[5] = p.level * 100 + (uint)(p.low + 10);  // 8
    Items[1] = p;
    Items[1].rest ^= 0xFFFF;                      // 0x4110
    Items[1].set = false;
    Items[0] = (Packed)1;
    Shared = (Packed)0;
    Shared.more = 7;
    Shared.kind = 31;                             // 15: its neighbours stay 0
    Out[6] = Shared.more * 1000 + Sum(Shared);    // 7015

    Wide w;
    w.a = 0xFFFFFFFFFFull;
    w.b = 0;
    w.c = 0x1FF;
    Wides[0] = w;
    Wides[0].b = 0x12345;
    Out[7] = (uint)(Wides[0].a >> 32) + (uint)Wides[0].b + (uint)Wides[0].c; // 255 + 74565 + 255
    Out[8] = sizeof(Packed) * 100 + sizeof(Wide); // seven words, two of 64 bits
}
