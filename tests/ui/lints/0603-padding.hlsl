//! hints
// 4, 4 of padding, 8, 4, 4 of padding: 24 bytes, and 16 with the address first.
struct Holes { uint id; uint64_t address; uint count; }; //~ HINT WG0603

struct Part { double weight; uint tag; }; // 12 bytes and 4 of padding, in any order
// 4, 4 of padding, 16, 4, 4 of padding: 32 bytes, and 24 with the part first.
struct Nested { uint first; Part part; uint last; }; //~ HINT WG0603

[Shader("node")] [NodeLaunch("thread")]
void visit(ThreadNodeInputRecord<Holes> input, [MaxRecords(1)] NodeOutput<Nested> next)
{
    ThreadNodeOutputRecords<Nested> record = next.GetThreadNodeOutputRecords(1);
    record.Get().first = 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void next(ThreadNodeInputRecord<Nested> input) { }
