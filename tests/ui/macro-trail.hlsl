// A mistake inside a macro points to its use, and says which macros it went through.
#define INNER(x) ((x) + missing)
#define OUTER(x) (INNER(x) * 2)

uint f(uint a)
{
    return OUTER(a); //~ ERROR WG0101
}
