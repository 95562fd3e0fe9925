// A name means a declaration before its use: an inner scope that declares it only after the use is skipped.

struct Seed { uint n; };

RWStructuredBuffer<int> Out : register(u0);

// One of every kind in the global scope, and another of the same name at the end of `inner`.
struct Sized { int a; int b; int who() { return 1; } };
enum Pass { Opaque = 10, Shadow = 20 };
typedef int Number;
template<typename T> struct Holder { static int who() { return 3; } };
namespace tools { int who() { return 4; } }
struct Early;

namespace inner
{
    int ofRecord() { Sized s; return s.who(); }
    int sizeOfRecord() { return (int)sizeof(Sized); }
    int ofEnumerator() { return Shadow; }
    int ofEnum() { Pass pass = Pass::Opaque; return (int)pass; }
    int ofAlias() { Number i = (Number)1.5; i = i * 2; return (int)i; }
    int ofTemplate() { return Holder<int>::who(); }
    int ofNamespace() { return tools::who(); }
    template<typename T> int inTemplate(T t) { Sized s; return s.who() + (int)t; }
    // Seen by the whole program as the global type, for parameters too.
    int taken(Sized s) { return s.b; }
    // A later declaration of the same scope is meant if no earlier declaration has its name.
    int onlyLater() { Single s; return s.who(); }
    int qualified() { return (int)sizeof(inner::Sized); }

    struct Sized { int a; int who() { return 2; } };
    enum Pass { Opaque = 30, Shadow = 40 };
    typedef float Number;
    template<typename T> struct Holder { static int who() { return 5; } };
    namespace tools { int who() { return 6; } }
    struct Single { int who() { return 9; } };

    int ownRecord() { Sized s; return s.who(); }
    int ownSize() { return (int)sizeof(Sized); }
    int ownEnumerator() { return Shadow; }
    int ownAlias() { Number i = 1.5; i = i * 2; return (int)i; }
    int ownTemplate() { return Holder<int>::who() * 10 + tools::who(); }
}

// A type of a used namespace is known until a later type of the same name hides it.
namespace library { struct Tile { int who() { return 7; } }; }
namespace user
{
    using namespace library;
    int early() { Tile t; return t.who(); }
    struct Tile { int who() { return 8; } };
    int late() { Tile t; return t.who(); }
}

// A declaration is enough: this is the type that is defined later, and not the global one.
namespace announced
{
    struct Early;
    Early make(int n);
    struct Early { int n; };
    Early make(int n) { Early e; e.n = n; return e; }
}
struct Early { float4 wide; };

// The name of an alias is known after the type that it stands for.
namespace again { typedef Sized Sized; int who() { Sized s; return s.who(); } }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void NameOrder(DispatchNodeInputRecord<Seed> input)
{
    int n = (int)input.Get().n;
    Sized s = { n, n + 1 };
    Out[0] = inner::ofRecord();
    Out[1] = inner::sizeOfRecord();
    Out[2] = inner::ofEnumerator();
    Out[3] = inner::ofEnum();
    Out[4] = inner::ofAlias();
    Out[5] = inner::ofTemplate();
    Out[6] = inner::ofNamespace();
    Out[7] = inner::inTemplate(n);
    Out[8] = inner::taken(s);
    Out[9] = inner::onlyLater();
    Out[10] = inner::qualified();
    Out[11] = inner::ownRecord();
    Out[12] = inner::ownSize();
    Out[13] = inner::ownEnumerator();
    Out[14] = inner::ownAlias();
    Out[15] = inner::ownTemplate();
    Out[16] = user::early() * 10 + user::late();
    Out[17] = announced::make(n).n;
    Out[18] = again::who();
}
