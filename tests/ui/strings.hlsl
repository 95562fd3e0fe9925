// A string is a name for a text that is known: of a literal, or of a declaration with one.
string first = __FILE__;
string second = first;
string endless = endless;
[Shader("node")] [NodeLaunch("thread")]
void node() {
    string format = "%d of %d";
    const string copy = format;
    static const string other = second;
    auto inferred = "x";
    printf(format, 1, 2);
    printf(copy, 1, 2);
    printf(other);
    printf(inferred);
    printf(second);
    format;
    printf(copy, 1);                //~ WARN WG0230
    format = "no";                  //~ ERROR WG0206
    string none;                    //~ ERROR WG0105
    printf(endless);                //~ ERROR WG0105
    string chosen = WaveIsFirstLane() ? "a" : "b"; //~ ERROR WG0105
    string number = 1;              //~ ERROR WG0200
}
