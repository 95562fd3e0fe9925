struct A;
struct B { A a; };                       //~ ERROR WG0110
struct C { A many[2]; };                 //~ ERROR WG0110
A make();                                //~ ERROR WG0110
void take(A a) { }                       //~ ERROR WG0110

// Declared first, defined later.
struct Later;
struct Holder { Later later; };
struct Later { uint x; };

[Shader("node")]
[NodeLaunch("thread")]
void FromNowhere(ThreadNodeInputRecord<A> input) { //~ ERROR WG0110
    uint x = input.Get().x;
}

[Shader("node")]
[NodeLaunch("thread")]
void Local(ThreadNodeInputRecord<Holder> input) {
    A a;                                 //~ ERROR WG0110
    a.x = 1;
    take(a);
    uint x = input.Get().later.x;
}
