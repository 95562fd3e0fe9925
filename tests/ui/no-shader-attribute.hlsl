// The only node lacks its stage: one message, at the function.
struct R { uint a; };
[NodeLaunch("thread")] //~ WARN WG0416
void a(ThreadNodeInputRecord<R> i) { }
