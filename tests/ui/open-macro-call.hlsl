// A macro call without its `)` takes the rest of the file, so the `}` after it is not missing.
#define JOIN(a, b) a##b
uint First(uint x)
{
    return JOIN(x, 1; //~ ERROR WG0008
}
uint Second() { return 2; }
