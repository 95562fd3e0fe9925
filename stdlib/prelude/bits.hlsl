// Functions of bits: reinterpretation, counting, packing.

// ---- the same bits in another type

template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("bits32")]] vector<float, N> asfloat(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("bits32")]] vector<int, N> asint(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("bits32")]] vector<uint, N> asuint(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("bits16")]] vector<float16_t, N> asfloat16(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("bits16")]] vector<int16_t, N> asint16(vector<T, N> x);
template<typename T, int N> [[wgc::op("bits.cast")]] [[wgc::on("bits16")]] vector<uint16_t, N> asuint16(vector<T, N> x);
template<int N> [[wgc::op("bits.join")]] vector<double, N> asdouble(vector<uint, N> low, vector<uint, N> high);
template<typename T, int N> [[wgc::op("bits.split")]] [[wgc::on("double")]] void asuint(vector<T, N> x, out vector<uint, N> low, out vector<uint, N> high);
// Half precision in the low 16 bits of an integer.
template<int N> [[wgc::op("bits.from_half")]] vector<float, N> f16tof32(vector<uint, N> x);
template<int N> [[wgc::op("bits.to_half")]] vector<uint, N> f32tof16(vector<float, N> x);

// ---- counting: the result is a 32-bit index or count for operands of any width; all ones if no bit is found

template<typename T, int N> [[wgc::op("math.count_bits")]] [[wgc::on("int")]] vector<uint, N> countbits(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.first_bit_high")]] [[wgc::on("int")]] vector<uint, N> firstbithigh(vector<T, N> x);
template<typename T, int N> [[wgc::op("math.first_bit_low")]] [[wgc::on("int")]] vector<uint, N> firstbitlow(vector<T, N> x);
template<typename T> [[wgc::op("math.reverse_bits")]] [[wgc::on("int")]] T reversebits(T x);

// ---- 64-bit sums of pairs of words, the low one first

uint2 AddUint64(uint2 a, uint2 b)
{
    uint low = a.x + b.x;
    return uint2(low, a.y + b.y + (low < a.x ? 1u : 0u));
}
uint4 AddUint64(uint4 a, uint4 b) { return uint4(AddUint64(a.xy, b.xy), AddUint64(a.zw, b.zw)); }

// ---- four bytes in a word, the first in the low bits

typedef uint uint8_t4_packed;
typedef uint int8_t4_packed;

uint4 unpack_u8u32(uint8_t4_packed packed) { return packed >> uint4(0, 8, 16, 24) & 0xff; }
int4 unpack_s8s32(int8_t4_packed packed) { return (int4)(packed << uint4(24, 16, 8, 0)) >> 24; }
uint16_t4 unpack_u8u16(uint8_t4_packed packed) { return (uint16_t4)unpack_u8u32(packed); }
int16_t4 unpack_s8s16(int8_t4_packed packed) { return (int16_t4)unpack_s8s32(packed); }

template<typename T> [[wgc::on("int16or32")]] uint8_t4_packed pack_u8(vector<T, 4> v)
{
    uint4 bytes = ((uint4)v & 0xff) << uint4(0, 8, 16, 24);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}
template<typename T> [[wgc::on("int16or32")]] int8_t4_packed pack_s8(vector<T, 4> v) { return pack_u8(v); }
template<typename T> [[wgc::on("sint16or32")]] uint8_t4_packed pack_clamp_u8(vector<T, 4> v) { return pack_u8(clamp((int4)v, 0, 255)); }
template<typename T> [[wgc::on("sint16or32")]] int8_t4_packed pack_clamp_s8(vector<T, 4> v) { return pack_u8(clamp((int4)v, -128, 127)); }

uint dot4add_u8packed(uint a, uint b, uint sum) { return sum + dot(unpack_u8u32(a), unpack_u8u32(b)); }
int dot4add_i8packed(uint a, uint b, int sum) { return sum + dot(unpack_s8s32(a), unpack_s8s32(b)); }
float dot2add(float16_t2 a, float16_t2 b, float sum) { return sum + (float)a.x * (float)b.x + (float)a.y * (float)b.y; }

// Adds the differences between bytes of reference and source, at four offsets. Skips zero bytes of the reference.
uint4 msad4(uint reference, uint2 source, uint4 sum)
{
    uint4 windows = uint4(source.x, source.x >> 8 | source.y << 24, source.x >> 16 | source.y << 16, source.x >> 24 | source.y << 8);
    for (uint shift = 0; shift < 32; shift += 8)
    {
        uint byte = reference >> shift & 0xff;
        uint4 bytes = windows >> shift & 0xff;
        sum += byte == 0 ? (uint4)0 : max(bytes, byte) - min(bytes, byte);
    }
    return sum;
}
