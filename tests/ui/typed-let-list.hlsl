// A type after a name belongs to that variable alone.
export uint Sum()
{
    let first : uint = 1, second = 2; //~ ERROR WG0010
    var third = 3, fourth : uint = 4; //~ ERROR WG0010
    let works = 5, too = 6;
    return first + second + third + fourth + works + too;
}
