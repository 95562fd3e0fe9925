// Bit-fields of a record that share a word in Direct3D, where their types have one size, and begin words here.

enum Kind { Small, Large };
struct Mixed { uint kind : 4; int delta : 12; uint id : 16; }; //~ WARN WG0141
struct Inner { uint a : 3; bool b : 1; }; //~ WARN WG0141
struct Outer { uint x; Inner inner[2]; };
struct Enums { uint a : 3; Kind kind : 2; }; //~ WARN WG0141
// These lie alike in both.
struct Same { uint a : 3; uint b : 5; };
struct Full { uint a : 30; int b : 12; };
struct Sizes { uint a : 3; uint64_t b : 5; };
struct Apart { uint a : 3; float x; int b : 5; };
struct Closed { uint a : 3; uint : 0; int b : 5; };
struct Base { uint a : 3; };
struct Derived : Base { int b : 5; };
struct Unused { uint a : 3; int b : 5; };

RWStructuredBuffer<Unused> Out;

[Shader("node")] [NodeLaunch("thread")]
void First(
    ThreadNodeInputRecord<Mixed> i, [MaxRecords(1)] NodeOutput<Outer> Second, [MaxRecords(1)] NodeOutput<Enums> Third,
    [MaxRecords(1)] NodeOutput<Same> Fifth, [MaxRecords(1)] NodeOutput<Full> Sixth,
    [MaxRecords(1)] NodeOutput<Sizes> Seventh, [MaxRecords(1)] NodeOutput<Apart> Eighth, [MaxRecords(1)] NodeOutput<Closed> Ninth,
    [MaxRecords(1)] NodeOutput<Derived> Tenth) { Out[0].a = i.Get().delta; }
[Shader("node")] [NodeLaunch("thread")] void Second(ThreadNodeInputRecord<Outer> i) { }
[Shader("node")] [NodeLaunch("thread")] void Third(ThreadNodeInputRecord<Enums> i) { }
[Shader("node")] [NodeLaunch("thread")] void Fifth(ThreadNodeInputRecord<Same> i) { }
[Shader("node")] [NodeLaunch("thread")] void Sixth(ThreadNodeInputRecord<Full> i) { }
[Shader("node")] [NodeLaunch("thread")] void Seventh(ThreadNodeInputRecord<Sizes> i) { }
[Shader("node")] [NodeLaunch("thread")] void Eighth(ThreadNodeInputRecord<Apart> i) { }
[Shader("node")] [NodeLaunch("thread")] void Ninth(ThreadNodeInputRecord<Closed> i) { }
[Shader("node")] [NodeLaunch("thread")] void Tenth(ThreadNodeInputRecord<Derived> i) { }
