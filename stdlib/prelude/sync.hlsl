// Atomics on groupshared, UAV and record memory; barriers.

// ---- atomics: with and without the original value

template<typename T> [[wgc::op("atomic.add")]] [[wgc::on("int")]] void InterlockedAdd([[wgc::place]] inout T dest, T value);
template<typename T, typename O> [[wgc::op("atomic.add")]] [[wgc::on("int")]] void InterlockedAdd([[wgc::place]] inout T dest, T value, out O original);
template<typename T> [[wgc::op("atomic.min")]] [[wgc::on("int")]] void InterlockedMin([[wgc::place]] inout T dest, T value);
template<typename T, typename O> [[wgc::op("atomic.min")]] [[wgc::on("int")]] void InterlockedMin([[wgc::place]] inout T dest, T value, out O original);
template<typename T> [[wgc::op("atomic.max")]] [[wgc::on("int")]] void InterlockedMax([[wgc::place]] inout T dest, T value);
template<typename T, typename O> [[wgc::op("atomic.max")]] [[wgc::on("int")]] void InterlockedMax([[wgc::place]] inout T dest, T value, out O original);
template<typename T> [[wgc::op("atomic.and")]] [[wgc::on("int")]] void InterlockedAnd([[wgc::place]] inout T dest, T value);
template<typename T, typename O> [[wgc::op("atomic.and")]] [[wgc::on("int")]] void InterlockedAnd([[wgc::place]] inout T dest, T value, out O original);
template<typename T> [[wgc::op("atomic.or")]] [[wgc::on("int")]] void InterlockedOr([[wgc::place]] inout T dest, T value);
template<typename T, typename O> [[wgc::op("atomic.or")]] [[wgc::on("int")]] void InterlockedOr([[wgc::place]] inout T dest, T value, out O original);
template<typename T> [[wgc::op("atomic.xor")]] [[wgc::on("int")]] void InterlockedXor([[wgc::place]] inout T dest, T value);
template<typename T, typename O> [[wgc::op("atomic.xor")]] [[wgc::on("int")]] void InterlockedXor([[wgc::place]] inout T dest, T value, out O original);
template<typename T, typename O> [[wgc::op("atomic.exchange")]] [[wgc::on("number")]] void InterlockedExchange([[wgc::place]] inout T dest, T value, out O original);
template<typename T, typename O> [[wgc::op("atomic.compare_exchange")]] [[wgc::on("int")]] void InterlockedCompareExchange([[wgc::place]] inout T dest, T compare, T value, out O original);
template<typename T> [[wgc::op("atomic.compare_store")]] [[wgc::on("int")]] void InterlockedCompareStore([[wgc::place]] inout T dest, T compare, T value);
// These compare the bits of floats: -0 and 0 differ, and a NaN equals itself.
template<typename T, typename O> [[wgc::op("atomic.compare_exchange")]] [[wgc::on("float32")]] void InterlockedCompareExchangeFloatBitwise([[wgc::place]] inout T dest, T compare, T value, out O original);
template<typename T> [[wgc::op("atomic.compare_store")]] [[wgc::on("float32")]] void InterlockedCompareStoreFloatBitwise([[wgc::place]] inout T dest, T compare, T value);

// ---- barriers

// The enumerations of the language are aliases of `uint` as in DXC, and their values are constants of that type.
typedef uint MEMORY_TYPE_FLAG;
static const uint UAV_MEMORY = 1;
static const uint GROUP_SHARED_MEMORY = 2;
static const uint NODE_INPUT_MEMORY = 4;
static const uint NODE_OUTPUT_MEMORY = 8;
static const uint ALL_MEMORY = 15;

typedef uint BARRIER_SEMANTIC_FLAG;
static const uint GROUP_SYNC = 1;
static const uint GROUP_SCOPE = 2;
static const uint DEVICE_SCOPE = 4;

// Slang's module `experimental.workgraph` has enumerations of its own. Their values are named through them.
namespace wgc
{
    enum BarrierMemoryTypeFlags : uint
    {
        UAV_MEMORY = 1,
        GROUP_SHARED_MEMORY = 2,
        NODE_INPUT_MEMORY = 4,
        NODE_OUTPUT_MEMORY = 8,
        ALL_MEMORY = 15,
    };

    enum BarrierSemanticFlags : uint
    {
        GROUP_SYNC = 1,
        GROUP_SCOPE = 2,
        DEVICE_SCOPE = 4,
    };
}

typedef wgc::BarrierMemoryTypeFlags BarrierMemoryTypeFlags;
typedef wgc::BarrierSemanticFlags BarrierSemanticFlags;

[[wgc::op("barrier.memory")]] void Barrier(uint MemoryTypeFlags, uint SemanticFlags);
template<typename O> [[wgc::op("barrier.object")]] [[wgc::on("object")]] void Barrier(O object, uint SemanticFlags);

[[wgc::op("barrier.all")]] void AllMemoryBarrier();
[[wgc::op("barrier.all_sync")]] void AllMemoryBarrierWithGroupSync();
[[wgc::op("barrier.device")]] void DeviceMemoryBarrier();
[[wgc::op("barrier.device_sync")]] void DeviceMemoryBarrierWithGroupSync();
[[wgc::op("barrier.group")]] void GroupMemoryBarrier();
[[wgc::op("barrier.group_sync")]] void GroupMemoryBarrierWithGroupSync();
