// Characters of string literals, by numbers that are known late and early; literals as arrays.
struct Start { uint first; };
RWStructuredBuffer<int> Out;

template<typename T, uint N>
uint length_of(in const T text[N]) { return N - 1; }
template<typename T>
int upper(in const T c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }

#define PUT(AT, TEXT)                                   \
    {                                                   \
        static const uint len = length_of(TEXT);        \
        for (uint i = 0; i < len; ++i)                  \
            Out[AT + i] = upper(TEXT[i]);               \
        AT += len;                                      \
    }

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Start> input)
{
    uint at = input.Get().first;
    PUT(at, "pea-7");
    PUT(at, "\"\n");
    Out[at] = ("end")[2] + "end"[3];
}
