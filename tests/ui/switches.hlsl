// Switches that `#if` leaves without labels; code before the first label is never reached;
// labels after a variable that only another case gives a value.
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
    switch (Next()) { case 0: int given = 1; case 1: given = 2; break; }   //~ ERROR WG0215
    switch (Next()) { case 0: { int given = 1; } int left; case 1: left = 2; static uint kept = 3; break; case 2: break; }
    switch (1.5f) { }                                  //~ WARN WG0232
}
