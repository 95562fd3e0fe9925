//! library
// Names are known from their declarations on.
RWStructuredBuffer<float> O;

void calls() { O[0] = late(1); } //~ ERROR WG0135
float late(float x) { return x; }
void later() { O[0] = late(1); }

static float a = b + 1; //~ ERROR WG0135
static float b = 5;
static uint sizes[N]; //~ ERROR WG0135
static const uint N = 4;

// A declaration is enough, and so is a member of the same record.
float declared(float x);
void user() { O[0] = declared(1); }
float declared(float x) { return x; }
struct S
{
    float first() { return second() + count; }
    float second() { return behind(); } //~ ERROR WG0135
    static const uint count = 3;
    float outside();
};
float behind() { return 1; }
float S::outside() { return behind(); }

namespace inner
{
    void f() { O[0] = g(); } //~ ERROR WG0135
    float g() { return 1; }
}
void qualified() { O[0] = inner::g() + inner::h(); } //~ ERROR WG0135
namespace inner { float h() { return g(); } }

// A default argument is read where it is written.
float with_default(float x = after()) { return x; } //~ ERROR WG0135
float after() { return 1; }
void uses_default() { O[0] = with_default(); }

// Defaults are given from the end.
float gap(float x, float y = 1, float z) { return x; } //~ ERROR WG0134
float nameless(float x = 1, float); //~ ERROR WG0134
struct G { float m(float x = 1, float y) { return x + y; } float n(float x, float y = 1); }; //~ ERROR WG0134
float G::n(float x = 2, float y) { return x + y; }
float parts(float x, float y = 2);
float parts(float x = 1, float y) { return x + y; }
template<typename T> T gap_of(T x = 1, T y) { return x; } //~ ERROR WG0134
void calls_gap() { G g; O[0] = gap(1, 2, 3) + g.n() + parts(); }
