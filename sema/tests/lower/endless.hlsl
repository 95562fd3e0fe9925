// Loops that only a `return` or a `break` leaves.
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint t; };
uint first(uint n) { while (true) { if (n > 5) return n; n++; } }
uint second(uint n) { do { if (n > 5) return n; n++; } while (1); }
uint third(uint n) { for (; true; n++) { if (n > 5) return n; } }
uint fourth(uint n) { while (true) { if (n > 5) break; n++; } return n; }
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void A(ThreadNodeInputRecord<R> i) { Out[0] = first(i.Get().t) + second(1) + third(2) + fourth(3); }
