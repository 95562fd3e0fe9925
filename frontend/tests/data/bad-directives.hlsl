#inclde "a.h"
#include "nowhere.h"
#include nothing
#include
#define
#define 1 2
#define defined 1
#define F(a, a) a
#define G(a b) a
#define H(a) #b
#define P a ##
#define TWO(a, b) a b
#define TWO(a, b) b a
#undef
#ifdef
#endif
#if
#endif
#if 1 +
#endif
#if (1
#endif
#if 1 2
#endif
#if 1 / 0
#endif
#if 1.5
#endif
#if defined
#endif
#if unknown(1)
#endif
#else
#endif
#if 1
#else
#elif 1
#else
#endif
#error the sky isn't green
#warning  look   out
#line x
TWO(1)
TWO(1, 2, 3)
#define PASTE(a, b) a ## b
PASTE(+, *)
#define NESTED PASTE(1, ;)
NESTED
# 12 "file.hlsl"
@ ` # x
'unterminated
"unterminated
#if 1
TWO(1, 
