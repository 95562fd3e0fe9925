// Members of structures have no default values, as in DXC; static ones have.

struct Settings
{
    uint count = 3; //~ ERROR WG0212
    float2 scale = { 1, 2 }; //~ ERROR WG0212
    uint plain;
    static const uint LIMIT = 4;
};

[Shader("node")]
[NodeLaunch("thread")]
void Main() { }
