static const uint sum = 1 @ 2;           //~ ERROR WG0002

struct Work { uint n; };

[Shader("node")]
[NodeLaunch("thread")]
void Node(ThreadNodeInputRecord<Work> input) {
    uint a = 1 ` input.Get().n;          //~ ERROR WG0002
    uint b = f("open; //~ ERROR WG0002
    uint c = a + b + sum;
    c = missing; // names wait until the body can be read
}

// Code before the wrong character, and other items of its line, have mistakes of their own.
uint f() { return 1 1; } uint g() { return 2 ` 2; } uint h() { return (3; } //~ ERROR WG0010 WG0002 WG0010
uint i() { return 1 1 ` 1; } //~ ERROR WG0010 WG0002
uint j() { return missing + uint2(1, `, 2).x; } //~ ERROR WG0002
uint k() { return 1 ` missing; } uint l() { return missing; } //~ ERROR WG0002 WG0101
