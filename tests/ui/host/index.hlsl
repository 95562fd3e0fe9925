//! host index.json
[Shader("node")] [NodeLaunch("thread")] void b() { } //~ HOST 3 ERROR WG0423
[Shader("node")] [NodeLaunch("thread")] void c() { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("d[99999999999]")] void d() { } // in brackets, and no index
[Shader("node")] [NodeLaunch("thread")] void e() { } //~ HOST 6 ERROR WG0423
