// A header that is half typed may declare anything, so no name is known to be missing.
#include comm //~ ERROR WG0003

[Shader("node")]
[NodeLaunch("thread")]
void Node(ThreadNodeInputRecord<Shared> input)
{
    uint a = shared_size() + input.Get().n;
}
