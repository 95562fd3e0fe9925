struct A { float x; float y }
struct B { float z }
#define CALL(a, b) foo(a b)
#define TWICE(x) CALL(x, x)
void one(int a, int b) {
    int x = a + ;
    foo(a, b;
    x = y
    z = 1;
    if (a > b {
        x = 1;
    }
    int for = 2;
    a[1 = 2;
    b = (a + 2));
    x = a ? b;
    foo(a b);
    return x
}
void two(int a {
    x = 1;
}
void three(int a, ) { }
float4 g = float4(1, 2, 3, 4)
void four( { int x; }
void five { x = 1; }
void six() {
    TWICE(3);
    else x = 2;
    break
    float4 v = float4(1, 2, 3, );
    switch (x) { case 1: y = 2; break; case 2 x = 1; }
    x. = 3;
    while (x < 3 x++;
    do { x = 1; } while (x)
    f(a];
    * 3;
}
uint x
uint y;
void seven() {
    if (x) {
        y = 1;
}
void eight() { x = 1; }
cbuffer C { float a; float b }
void nine(float a float b) { }
Texture2D<float4 tex;
void ten() { @ x = 1; int y = 3 `; "abc }
[numthreads(1, 1, 1]
void eleven() { x = 1 2; for (int i = 0 i < 3; i++) { } y = (x; }
} 
