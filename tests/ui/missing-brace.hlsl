// A `{` is missing: the pieces of the function are no mistakes of their own, those of other functions are.
uint other() { return 1 1; } //~ ERROR WG0010

uint2 first(uint2 a) //~ ERROR WG0010
    uint2 b = a * 2;
    if (b.x > 3)
    {
        b.x += first(a).y;
    }
    return b;
}

uint2 second(uint2 a)
{
    if (a.x > 3)
        GroupMemoryBarrier();
        a.x += 1;
    }
    a.y = 2;
    while (a.x < 9) { a.x += 1; }
    return a;
} //~ ERROR WG0010
