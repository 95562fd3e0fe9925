// Functions whose heads call functions of their own names: their types are unknown.
uint size(float x) { return 2; }
void size(float x, uint list[size(1.0)]) { } //~ ERROR WG0108
uint more(uint n);
float more(uint a[more(1)], uint b); //~ ERROR WG0108
uint more(uint n) { return n; }
struct S { uint count(uint n) { return n; } uint count(uint list[count(2)], uint n) { return n; } }; //~ ERROR WG0105

[Shader("node")] [NodeLaunch("thread")]
void node() { }
