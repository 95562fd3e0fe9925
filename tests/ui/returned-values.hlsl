// `void` is the fix for a node that returns a value only if no `return` gives one.
RWStructuredBuffer<uint> Out;
[Shader("node")] [NodeLaunch("thread")] uint gives() { if (Out[0]) { return 1; } return 0; } //~ ERROR WG0302
[Shader("node")] [NodeLaunch("thread")] uint ends() { Out[0] = 1; }  //~ ERROR WG0302
//~^ WARN WG0223
