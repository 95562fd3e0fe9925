// Sizes and parts of globals in constants, also where they go in circles.
static const uint first = sizeof(list); //~ ERROR WG0135
static float list[first];
static const float2x2 matrix_of_itself = { matrix_of_itself[0][0], 1, 2, 3 }; //~ ERROR WG0108
// The type alone is asked for.
static const uint own = sizeof(own);
static const uint of_nothing = sizeof(unknown); //~ ERROR WG0101
groupshared float shared[own];
groupshared float larger[sizeof(own + 1)]; //~ ERROR WG0105

[Shader("node")]
[NodeLaunch("thread")]
void Main() {}
