// Directives that are wrong, each reported once.
#include "no_such_file.hlsli" //~ ERROR WG0004
#define ADD(a, b) ((a) + (b))
static const uint one = ADD(1); //~ ERROR WG0008
#if 0
nothing in here is read: ' " @
#endif
#endif //~ ERROR WG0003
#error stop here //~ ERROR WG0005
