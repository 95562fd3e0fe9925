// Attributes of a node before something else: the function after it would silently not be a node.
struct Item { uint value; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] //~ ERROR WG0120
struct Between { uint a; };
void lost(ThreadNodeInputRecord<Between> i) { }

[NodeLaunch("thread")] //~ ERROR WG0120
cbuffer Settings { uint count; };

[Shader("node")] //~ ERROR WG0120
typedef uint Word;

[NodeIsProgramEntry] //~ ERROR WG0120
enum Kind { One };

[NumThreads(1, 1, 1)] //~ ERROR WG0120
using Number = uint;

[NodeLaunch("thread")] //~ ERROR WG0120
template<typename T> T same(T value) { return value; }

[NodeIsProgramEntry]; //~ ERROR WG0120

// ---- near misses: attributes of their own, and attributes that are not for functions
struct [NodeTrackRWInputSharing] Tracked { uint3 grid : SV_DispatchGrid; };
[[vk::binding(3, 1)]] cbuffer Bound { uint bound; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void kept(ThreadNodeInputRecord<Item> i) { }
