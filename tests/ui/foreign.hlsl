//! library
// Constructs of C++ get one message with the form of HLSL; if that leaves no doubt, the rest is checked too.
struct S { float x; float f() { return this->x; } };                                    //~ ERROR WG0010

class C {
public:                                                                                 //~ ERROR WG0010
    float z;
    virtual float get() { return z; }                                                   //~ ERROR WG0010
};

float arrow(S s) {
    float q = s->x;                                                                     //~ ERROR WG0010
    return nothing + s.y;                                                               //~ ERROR WG0101 WG0204
}

float reference(const S &s) {                                                           //~ ERROR WG0010
    return s.x + s.y;                                                                   //~ ERROR WG0204
}

float casts(int i) {
    uint bits = reinterpret_cast<uint>(1.5);                                            //~ ERROR WG0010
    return static_cast<float>(i);                                                       //~ ERROR WG0010
}

float cast(int i) {
    return static_cast<float>(i) + nothing;                                             //~ ERROR WG0010 WG0101
}

void pointers(S s) {
    S *p = s;                                                                           //~ ERROR WG0010
    p.x = 1;
    float &r = s.x;                                                                     //~ ERROR WG0010
    r = 2;
    delete p;                                                                           //~ ERROR WG0010
    int none = nullptr;                                                                 //~ ERROR WG0101
    int twice = 3 * nothing;                                                            //~ ERROR WG0101
}

void address(inout S s) {
    address(&s);                                                                        //~ ERROR WG0010
}

void allocate() {
    C c = new C();                                                                      //~ ERROR WG0010
}

void lambda() {
    auto f = [](int x) { return x; };                                                   //~ ERROR WG0010
}

void guarded() {
    try {                                                                               //~ ERROR WG0010
        throw 3;                                                                        //~ ERROR WG0010
    } catch (int e) {
    }
}

// No type is multiplied here.
int product(int S, int p) {
    S * p; //~ WARN WG0235
    return S * p;
}
