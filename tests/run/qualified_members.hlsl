// Members of a base by its name, where the structure has another of that name.

RWStructuredBuffer<uint> Out : register(u0);

namespace parts
{
    struct Base
    {
        uint x;
        void grow(uint n) { x += n; }
        uint get() { return x; }
        template<typename T> T as(T n) { return T(x) + n; }
    };
}

struct Derived : parts::Base
{
    void grow(uint n) { x += 10 * n; }
    uint get() { return 100 * x; }
    uint both() { return this.parts::Base::get() + get(); }
};

using parts::Base;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Derived d;
    d.x = 1;
    d.Base::grow(2);
    Out[0] = d.x;
    d.grow(2);
    Out[1] = d.Base::get();
    Out[2] = d.both();
    Out[3] = d.Derived::get();
    d.Base::x = 5;
    Out[4] = d.Base::as<uint>(2) + d.parts::Base::x;
}
