// Attributes of a node on a declaration whose definition lacks them, and an assignment to a resource of the host.
StructuredBuffer<uint> First, Second;
RWStructuredBuffer<uint> Out;
static StructuredBuffer<uint> Chosen = First;

[Shader("node")] [NodeLaunch("thread")] void Late(); //~ ERROR WG0330
void Late() { Out[0] = 1; }

// The definition has them, too.
[Shader("node")] [NodeLaunch("thread")] void Both();
[Shader("node")] [NodeLaunch("thread")] void Both() { Out[1] = 1; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    First = Second; //~ ERROR WG0205
    Chosen = Second;
    Out[2] = Chosen[0];
}
