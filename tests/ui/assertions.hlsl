// Assertions in functions, structures and templates, and the instances of templates that fail.
struct Plain { uint x; _Static_assert(sizeof(Plain) == 4, "size"); _Static_assert(sizeof(uint) == 8, "eight"); }; //~ ERROR WG0117
struct Outer { struct Inner { uint x; _Static_assert(false); }; Inner inner; }; //~ ERROR WG0117
uint host;
struct Open { uint x; _Static_assert(host == 1, "set by the host"); }; //~ ERROR WG0105
template<int N> struct Least { uint x; _Static_assert(N >= 3, "at least three"); }; //~ ERROR WG0117
template<int N> struct Parts { float part[4 / N]; }; //~ ERROR WG0106
template<typename T> struct Holder { T held; };
struct User { Holder<Parts<0> > holder; };
template<int N> struct Fits { uint x; _Static_assert(N >= 3, "at least three"); uint Get() { return N; } };
static Fits<4> fits;

[Shader("node")]
[NodeLaunch("thread")]
void Node()
{
    Least<2> two;
    Least<3> three;
    User user;
    _Static_assert(sizeof(Plain) == 8, "in a function"); //~ ERROR WG0117
    struct Local { uint x; _Static_assert(sizeof(Local) == 8, "local"); }; //~ ERROR WG0117
    uint four = fits.Get();
}
