static const uint sum = 1 @ 2;           //~ ERROR WG0002

struct Work { uint n; };

[Shader("node")]
[NodeLaunch("thread")]
void Node(ThreadNodeInputRecord<Work> input) {
    uint a = 1 $ input.Get().n;          //~ ERROR WG0002
    uint b = f("open; //~ ERROR WG0002
    uint c = a + b + sum;
    c = missing;                         //~ ERROR WG0101
}
