// Directives that are wrong, each reported once.
#include "no_such_file.hlsli" //~ WG0004
#define ADD(a, b) ((a) + (b))
static const uint one = ADD(1); //~ WG0008
#if 0
nothing in here is read: ' " @
#endif
#endif //~ WG0003
#error stop here //~ WG0005
