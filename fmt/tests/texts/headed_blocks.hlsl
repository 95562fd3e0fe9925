// Comments and directives between a head and its block.
void f(uint a)
{
    if (a > 1) // big
    {
        a = 2;
    }
    else // c
    {
        a = 3;
    }
    for (uint i = 0; i < 3; i++) /* c */
    {
        a = 4;
    }
    do // c
    {
        a = 5;
    }
    while (a);
    switch (a) // c
    {
    case 1: // one
    {
        a = 1;
        break;
    }
    }
#if A
    if (a)
#else
    if (b)
#endif
    {
        a = 6;
    }
    if (a) // c
        a = 1;
    else if (a) // d
    {
        a = 2;
    }
    if (a) // c
    {
        // e
    }
    else // f
        if (b) // g
        {
            a = 1;
        }
}
