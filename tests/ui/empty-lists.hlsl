//! library
// An empty list is no zero: the counts of a list must agree.
struct Empty { };
struct Pair { float x; int2 y; };

static Pair global = {};                                                                //~ ERROR WG0212
void locals() {
    Pair pair = {};                                                                     //~ ERROR WG0212
    float3 vector = {};                                                                 //~ ERROR WG0212
    float array[2] = {};                                                                //~ ERROR WG0212
    Pair few = { {}, 1, 2 };                                                            //~ ERROR WG0212
    Empty none = {};
    Pair zero = (Pair)0;
    float zeros[2] = (float[2])0;
}
