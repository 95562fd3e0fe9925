// In a template, functions of the namespaces of the arguments' types are found when it is used; for numbers there is none.
RWStructuredBuffer<float> O;

template<typename T> float scaled(T x) { return scale(x); } //~ ERROR WG0135
struct Size { float x; };
float scale(float x) { return 2 * x; }
float scale(Size s) { return s.x; }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void main() { Size s = { 1 }; O[0] = scaled(s); O[1] = scaled(1.0f); }
