//! host 17-renamed-target.json
// Functions that are nodes by other names, of the shader and of the host.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] NodeOutput<R> Finish, //~ ERROR WG0401
    [MaxRecords(1)] [NodeID("Shade", 1)] NodeOutput<R> one, //~ ERROR WG0401
    [MaxRecords(1)] NodeOutput<R> Store, //~ ERROR WG0401
    [MaxRecords(1)] NodeOutput<R> Helper) { } //~ ERROR WG0401
[Shader("node")] [NodeLaunch("thread")] [NodeID("Final")] void Finish(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Material", 1)] void Shade(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void Store(ThreadNodeInputRecord<R> i) { }
void Helper(ThreadNodeInputRecord<R> i) { }
