// Fields of bases by the names of the bases, in methods of structures that have fields of the same names.

RWStructuredBuffer<uint> Out : register(u0);

struct A
{
    uint x;
    uint y[2];
    uint own() { return x; }
};

struct B : A { uint x; };

struct C : B
{
    uint x;
    uint y[2];
    uint all() { return A::x * 100 + B::x * 10 + x; }
    void set() { A::x = 4; B::x += 5; C::x = 6; A::y[1] = 7; }
    void copy(A from) { A::x = from.x; }
    uint list() { return A::y[1] * 10 + y[1]; }
    uint outside();
    uint named() { return C::A::x * 100 + C::B::x * 10 + B::A::x; }
};

uint C::outside() { return A::x + B::x; }

template<typename T> struct Box { T value; };
struct D : Box<uint>
{
    uint value;
    void put(uint v) { Box<uint>::value = v; }
    uint both() { return Box<uint>::value * 10 + value; }
};

typedef B Parent;
struct E : B
{
    uint x;
    uint parent() { return Parent::x; }
};

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    C c = (C)0;
    c.x = 1;
    c.B::x = 2;
    c.A::x = 3;
    Out[0] = c.all();      // 321
    c.set();
    Out[1] = c.all();      // 400 + 70 + 6
    c.y[1] = 8;
    Out[2] = c.list();     // 78
    Out[3] = c.outside();  // 4 + 7
    A a = (A)0;
    a.x = 9;
    c.copy(a);
    Out[4] = c.own();      // 9
    Out[5] = c.x;          // 6
    D d = (D)0;
    d.value = 2;
    d.put(5);
    Out[6] = d.both();     // 52
    E e = (E)0;
    e.x = 1;
    e.B::x = 8;
    Out[7] = e.parent();   // 8
    c.B::A::x = 2;
    Out[8] = c.named();    // 200 + 70 + 2
}
