// Operations over the lanes of a wave.

[[wgc::op("wave.size")]] uint WaveGetLaneCount();
[[wgc::op("wave.lane")]] uint WaveGetLaneIndex();
[[wgc::op("wave.elect")]] bool WaveIsFirstLane();

[[wgc::op("wave.any")]] bool WaveActiveAnyTrue(bool value);
[[wgc::op("wave.all")]] bool WaveActiveAllTrue(bool value);
[[wgc::op("wave.ballot")]] uint4 WaveActiveBallot(bool value);
uint WaveActiveCountBits(bool value)
{
    uint4 lanes = countbits(WaveActiveBallot(value));
    return lanes.x + lanes.y + lanes.z + lanes.w;
}

template<typename T> [[wgc::op("wave.shuffle")]] [[wgc::on("any")]] T WaveReadLaneAt(T value, uint lane);
template<typename T> [[wgc::op("wave.first")]] [[wgc::on("any")]] T WaveReadLaneFirst(T value);
template<typename T> [[wgc::op("wave.add")]] [[wgc::on("number")]] T WaveActiveSum(T value);
template<typename T> [[wgc::op("wave.min")]] [[wgc::on("number")]] T WaveActiveMin(T value);
template<typename T> [[wgc::op("wave.max")]] [[wgc::on("number")]] T WaveActiveMax(T value);
template<typename T> [[wgc::op("wave.exclusive_add")]] [[wgc::on("number")]] T WavePrefixSum(T value);
uint WavePrefixCountBits(bool value) { return WavePrefixSum(value ? 1u : 0u); }
template<typename T> [[wgc::op("wave.product")]] [[wgc::on("number")]] T WaveActiveProduct(T value);
template<typename T> [[wgc::op("wave.exclusive_product")]] [[wgc::on("number")]] T WavePrefixProduct(T value);
template<typename T> [[wgc::op("wave.bit_and")]] [[wgc::on("int_only")]] T WaveActiveBitAnd(T value);
template<typename T> [[wgc::op("wave.bit_or")]] [[wgc::on("int_only")]] T WaveActiveBitOr(T value);
template<typename T> [[wgc::op("wave.bit_xor")]] [[wgc::on("int_only")]] T WaveActiveBitXor(T value);
template<typename T, int N> [[wgc::op("wave.all_equal")]] [[wgc::on("any")]] vector<bool, N> WaveActiveAllEqual(vector<T, N> value);

// The waves of the thread group.
[[wgc::op("wave.index")]] uint GetGroupWaveIndex();
[[wgc::op("wave.count")]] uint GetGroupWaveCount();

bool IsHelperLane() { return false; }

// ---- groups of lanes, given as masks

// Programs cannot use these names.
namespace wgc
{
    // Returns whether a mask has a lane. WaveReadLaneAt is undefined for inactive lanes, so callers test their masks.
    bool is_set(uint4 mask, uint lane) { return (mask[lane / 32] >> (lane % 32) & 1) != 0; }
    // Returns the lanes of a mask before this one.
    uint4 before(uint4 mask)
    {
        uint lane = WaveGetLaneIndex();
        uint4 first = uint4(0, 32, 64, 96);
        uint4 part = (1u << (lane & 31)) - 1;
        return mask & select(lane >= first + 32, 0xffffffffu, select(lane < first, 0u, part));
    }
}

template<typename T> [[wgc::on("any")]] uint4 WaveMatch(T value)
{
    uint4 equal = 0;
    for (uint lane = 0; lane < WaveGetLaneCount(); lane++)
    {
        if (all(WaveReadLaneAt(value, lane) == value))
            equal[lane / 32] |= 1u << (lane % 32);
    }
    return equal & WaveActiveBallot(true);
}
uint WaveMultiPrefixCountBits(bool value, uint4 mask)
{
    uint4 lanes = countbits(wgc::before(mask) & WaveActiveBallot(value));
    return lanes.x + lanes.y + lanes.z + lanes.w;
}
template<typename T> [[wgc::on("number")]] T WaveMultiPrefixSum(T value, uint4 mask)
{
    T sum = (T)0;
    uint4 lanes = wgc::before(mask);
    for (uint lane = 0; lane < WaveGetLaneCount(); lane++)
    {
        T other = WaveReadLaneAt(value, lane);
        if (wgc::is_set(lanes, lane))
            sum = sum + other;
    }
    return sum;
}
template<typename T> [[wgc::on("number")]] T WaveMultiPrefixProduct(T value, uint4 mask)
{
    T sum = (T)1;
    uint4 lanes = wgc::before(mask);
    for (uint lane = 0; lane < WaveGetLaneCount(); lane++)
    {
        T other = WaveReadLaneAt(value, lane);
        if (wgc::is_set(lanes, lane))
            sum = sum * other;
    }
    return sum;
}
template<typename T> [[wgc::on("int")]] T WaveMultiPrefixBitAnd(T value, uint4 mask)
{
    T sum = ~(T)0;
    uint4 lanes = wgc::before(mask);
    for (uint lane = 0; lane < WaveGetLaneCount(); lane++)
    {
        T other = WaveReadLaneAt(value, lane);
        if (wgc::is_set(lanes, lane))
            sum = sum & other;
    }
    return sum;
}
template<typename T> [[wgc::on("int")]] T WaveMultiPrefixBitOr(T value, uint4 mask)
{
    T sum = (T)0;
    uint4 lanes = wgc::before(mask);
    for (uint lane = 0; lane < WaveGetLaneCount(); lane++)
    {
        T other = WaveReadLaneAt(value, lane);
        if (wgc::is_set(lanes, lane))
            sum = sum | other;
    }
    return sum;
}
template<typename T> [[wgc::on("int")]] T WaveMultiPrefixBitXor(T value, uint4 mask)
{
    T sum = (T)0;
    uint4 lanes = wgc::before(mask);
    for (uint lane = 0; lane < WaveGetLaneCount(); lane++)
    {
        T other = WaveReadLaneAt(value, lane);
        if (wgc::is_set(lanes, lane))
            sum = sum ^ other;
    }
    return sum;
}

// ---- quads: lanes 4 k to 4 k + 3, two rows of two

template<typename T> [[wgc::op("quad.lane")]] [[wgc::on("any")]] T QuadReadLaneAt(T value, uint lane);
template<typename T> [[wgc::op("quad.x")]] [[wgc::on("any")]] T QuadReadAcrossX(T value);
template<typename T> [[wgc::op("quad.y")]] [[wgc::on("any")]] T QuadReadAcrossY(T value);
template<typename T> [[wgc::op("quad.diagonal")]] [[wgc::on("any")]] T QuadReadAcrossDiagonal(T value);

// Derivatives are differences between the columns or the rows of a quad. A quad is two by two threads of the group. In
// a group of one dimension it is four threads in a row, and the first two are its upper row.
template<typename T> [[wgc::op("quad.ddx")]] [[wgc::on("float")]] T ddx(T value);
template<typename T> [[wgc::op("quad.ddy")]] [[wgc::on("float")]] T ddy(T value);
template<typename T> [[wgc::op("quad.ddx_coarse")]] [[wgc::on("float")]] T ddx_coarse(T value);
template<typename T> [[wgc::op("quad.ddy_coarse")]] [[wgc::on("float")]] T ddy_coarse(T value);
template<typename T> [[wgc::op("quad.ddx_fine")]] [[wgc::on("float")]] T ddx_fine(T value);
template<typename T> [[wgc::op("quad.ddy_fine")]] [[wgc::on("float")]] T ddy_fine(T value);
template<typename T> [[wgc::op("quad.fwidth")]] [[wgc::on("float")]] T fwidth(T value);

// `||` would exclude lanes from the operations after it.
bool QuadAny(bool value) { return or(or(value, QuadReadAcrossX(value)), or(QuadReadAcrossY(value), QuadReadAcrossDiagonal(value))); }
bool QuadAll(bool value) { return and(and(value, QuadReadAcrossX(value)), and(QuadReadAcrossY(value), QuadReadAcrossDiagonal(value))); }
