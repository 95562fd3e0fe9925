// An alias for an object of a node is checked at its declaration, whether it is used or not.
struct R { uint a; };
struct Empty { };
using G = DispatchNodeInputRecord<uint>; //~ ERROR WG0316
typedef ThreadNodeOutputRecords<float4> H; //~ ERROR WG0316
using E = NodeOutput<Empty>; //~ ERROR WG0316
typedef NodeOutput<uint[4]> L; //~ ERROR WG0316

void local()
{
    using G = GroupNodeOutputRecords<int>; //~ ERROR WG0316
    typedef NodeOutput<Empty> E; //~ ERROR WG0316
}

// One message, at the name's own declaration.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void used(G input) { }

// An alias that depends on template arguments is checked with them.
template<typename T> using Sends = ThreadNodeOutputRecords<T>;
void sends(Sends<R> right, Sends<uint> wrong) { } //~ ERROR WG0316

using Right = DispatchNodeInputRecord<R>;
typedef ThreadNodeOutputRecords<R> Records;
