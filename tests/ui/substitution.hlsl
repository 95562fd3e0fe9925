//! library
// Notes about templates give the values of their parameters, and distinguish candidates that read alike.
struct Numbers { typedef int type; };

template<typename T> typename T::type member(T a) { return a; }
float single() { return member(1.5f); }                                                 //~ ERROR WG0203

template<typename T, uint N> T many(T a[N]) { return a[0]; }
template<typename T, uint N> typename T::type many(T a[N], T b) { return b; }
float overloaded(float a[3]) { return many(a, 1.5f); }                                  //~ ERROR WG0201

template<typename T> float order(T a, int b) { return 1; }
template<typename T> float order(int a, T b) { return 2; }
float alike() { return order(1, 2); }                                                   //~ ERROR WG0202

float plain(float a, int b) { return 1; }
float plain(int a, float b) { return 2; }
float apart() { return plain(1, 2); }                                                   //~ ERROR WG0202
