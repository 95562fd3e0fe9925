// The conversions of a format, compared with its arguments.
[Shader("node")] [NodeLaunch("thread")]
void node() {
    int64_t wide = 1;
    uint2 pair = 2;
    printf("%d %u %x %f %e %v2u %ld %5.1f%%\n", -1, 2u, 3, 1.5, 2.5f, pair, wide, 0.5);
    printf("%d", 1.5);              //~ WARN WG0230
    printf("%f", 1u);               //~ WARN WG0230
    printf("%d", wide);             //~ WARN WG0230
    printf("%u", pair);             //~ WARN WG0230
    printf("%v3f", pair);           //~ WARN WG0230
    printf("%s", 1);                //~ WARN WG0230
    printf("%d and %d", 1);         //~ WARN WG0230
    printf("none", 1);              //~ WARN WG0230
    printf("100%");                 //~ WARN WG0230
}
