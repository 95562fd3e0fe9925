// One message per mistake, at its location; the code after it is still checked.
uint Forgotten(uint x)
{
    uint y = x + 1 //~ ERROR WG0010
    return y;
}

uint Unclosed(uint x)
{
    return (x + 1; //~ ERROR WG0010
}

uint Fine(uint x) { return x; }

uint Operand(uint x)
{
    return x + ; //~ ERROR WG0010
}
