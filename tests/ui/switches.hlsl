// Switches that `#if` leaves without labels; what stands in front of the first label is never reached.
RWStructuredBuffer<uint> Out;
uint Next() { return Out.IncrementCounter(); }
[Shader("node")] [NodeLaunch("thread")]
void node() {
    switch (Next()) { }
    switch (Next()) {
#if FEATURE
        case 1: Out[0] = 1; break;
#endif
    }
    switch (Next()) { Out[1] = 1; break; }             //~ WARN WG0215
    switch (Next()) { Out[2] = 1; case 1: break; }     //~ ERROR WG0215
    switch (1.5f) { }                                  //~ WARN WG0232
}
