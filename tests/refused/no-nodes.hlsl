//~ emulated amdx WG0416
// There is nothing that a host could start.
RWStructuredBuffer<uint> Out;
void Helper() { Out[0] = 1; }
