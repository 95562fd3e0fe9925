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
