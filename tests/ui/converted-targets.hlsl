// A number that is converted with a warning has the converted value: the graph is checked with it.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("b", 0)]
void b(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void missing(
    [MaxRecords(1)] [NodeID("b", 1.5)] NodeOutput<R> one, //~ ERROR WG0401 WARN WG0123
    [MaxRecords(1)] [NodeID("b", -1)] NodeOutput<R> last) { } //~ ERROR WG0401 WARN WG0123
[Shader("node")] [NodeLaunch("thread")] [NodeID("ring", 1.25)] //~ WARN WG0123
void there([MaxRecords(1)] [NodeID("back", 2.0)] EmptyNodeOutput o) { } //~ WARN WG0123
[Shader("node")] [NodeLaunch("thread")] [NodeID("back", 2)]
void back([MaxRecords(1)] [NodeID("ring", 1)] EmptyNodeOutput o) { } //~ ERROR WG0405
