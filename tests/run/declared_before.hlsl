// A call sees the functions declared before it: one that would fit better, but is declared after it, is no candidate.
RWStructuredBuffer<uint> result : register(u0);

uint pick(float x) { return 1; }
uint ahead(int x);
uint ahead(float x) { return 10; }
namespace outer
{
    uint nearest(uint x) { return 100; }
    namespace inner
    {
        uint ask() { return nearest(1); } // the outer one: the one here is not declared yet
        uint nearest(uint x) { return 200; }
        uint ask_again() { return nearest(1); }
    }
}
struct Box { uint v; };
uint measure(float x) { return 1000; }
// The type of the argument adds the function of its namespace, though it is declared after the template.
template<typename T> uint of(T x) { return measure(x); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void main()
{
    Box box = { 7 };
    result[0] = pick(1);
    result[1] = ahead(1);
    result[2] = outer::inner::ask();
    result[3] = outer::inner::ask_again();
    result[4] = of(box);
    result[5] = of(1);
}

uint pick(int x) { return 2; }
uint ahead(int x) { return 20; }
uint measure(Box b) { return b.v * 300; }
uint measure(int x) { return 2000; }

[Shader("node")] [NodeLaunch("thread")]
void behind()
{
    result[6] = pick(1);
}
