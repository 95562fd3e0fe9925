// Without `-enable-16bit-types`, `half` has 32 bits and `float16_t` has 16. Templates have instances for both.
RWStructuredBuffer<uint> Sizes : register(u0);
RWStructuredBuffer<float> Values : register(u1);

template<typename T> struct Box { T value; };
template<typename T> uint Size() { return sizeof(T); }
template<typename T> T Twice(T value) { return value + value; }

[numthreads(1, 1, 1)]
void main()
{
    Sizes[0] = Size<half>();
    Sizes[1] = Size<float16_t>();
    Sizes[2] = Size<vector<half, 3> >();
    Sizes[3] = Size<vector<float16_t, 3> >();
    Sizes[4] = Size<Box<half> >();
    Sizes[5] = Size<Box<float16_t> >();
    // 2049 is no 16-bit float.
    Values[0] = Twice((half)(Values[2] + 2049));
    Values[1] = Twice((float16_t)(Values[2] + 2049));
}
