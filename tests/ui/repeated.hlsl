// Attributes that are given twice: on functions the last one counts, as DXC has it.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] //~ WARN WG0122
void group([MaxRecords(2)] GroupNodeInputRecords<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void owner(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("nobody")] [NodeShareInputOf("owner")] //~ WARN WG0122
void sharer(ThreadNodeInputRecord<R> i) { }
// The same again is no question.
[Shader("node")] [NodeLaunch("thread")] [NodeLaunch("thread")] //~ WARN WG0122
void same(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [MaxRecords(1)] NodeOutput<R> group) { }
// On parameters they contradict each other.
[Shader("node")] [NodeLaunch("thread")]
void contradicts([MaxRecords(1)] [MaxRecords(2)] NodeOutput<R> group) { } //~ ERROR WG0122
