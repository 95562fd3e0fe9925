// Messages of shaders: the text is known when the program is compiled, the shown values are numbers.
RWStructuredBuffer<float> result;
struct S { float f; };
string Text = "%d";
static const string Other = Text;

[Shader("node")] [NodeLaunch("thread")]
void node() {
    S s = { 1 };
    printf("%f, %d", result[0], 1);
    printf(Text, 1);
    printf(Other, 1);                                   // declared with Text, which is one
    printf("%f", s);                                    //~ ERROR WG0200
    printf("%f", float2x2(1, 2, 3, 4));                 //~ ERROR WG0200
    printf(1);                                          //~ ERROR WG0200
    printf();                                           //~ ERROR WG0201
    result[0] = printf("x");                            //~ ERROR WG0200
}
