//! host no-json.json
//~ HOST 3 ERROR WG0423
[Shader("node")] [NodeLaunch("thread")] void root() { }
