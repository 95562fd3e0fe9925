//! hints
// No order has less: 8 + 4 + 4 bytes.
struct Tight { uint64_t address; uint id; uint count; };
// 8 + 4 and 4 after them: any order ends at a multiple of 8.
struct Tail { uint id; double weight; };

[Shader("node")] [NodeLaunch("thread")]
void visit(ThreadNodeInputRecord<Tight> input, [MaxRecords(1)] NodeOutput<Tail> next)
{
    ThreadNodeOutputRecords<Tail> record = next.GetThreadNodeOutputRecords(1);
    record.Get().id = 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void next(ThreadNodeInputRecord<Tail> input) { }
