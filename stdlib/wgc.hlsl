// The internal namespace `wgc`: what the device library needs and HLSL has no word for.
//
// It is declared for the files of stdlib/emulated/ only; users' files may not name it. Each function is a declaration
// whose attribute names an operation; sema lowers a call to IR by this table:
//
//   op                        IR
//   load                      Load(Address(a0): Ref(Physical { coherent: false }, T))
//   load_coherent             Load(Address(a0): Ref(Physical { coherent: true }, T))
//   store                     Store(Address(a0): Ref(Physical { coherent: false }, T), a1)
//   store_coherent            Store(Address(a0): Ref(Physical { coherent: true }, T), a1)
//   atomic_add                Atomic(Add, Address(a0): Ref(Physical { coherent: true }, T), a1), Device, Relaxed
//   atomic_or                 Atomic(Or, ..)            as atomic_add
//   atomic_max                Atomic(Max, ..)           as atomic_add
//   atomic_load               Atomic(Load, ..)          as atomic_add; the value is zero
//   atomic_add_acq_rel        Atomic(Add, ..), Device, AcquireRelease
//   atomic_compare_exchange   Atomic(CompareExchange, a0, value = a2, comparator = a1), Device, Relaxed
//   ballot                    Subgroup(Ballot, a0)
//   shuffle                   Subgroup(Shuffle, a0, a1)
//   broadcast_first           Subgroup(BroadcastFirst, a0)
//   elect                     Subgroup(Elect)
//   subgroup_add              Subgroup(Add, a0)
//   subgroup_exclusive_add    Subgroup(ExclusiveAdd, a0)
//   subgroup_lane             Builtin(SubgroupLane)
//   num_workgroups            Builtin(NumWorkgroups)
//   workgroup_id              Builtin(GroupId)
//   local_index               Builtin(GroupIndex)
//   count_bits                Math(CountBits, a0)
//   first_bit_low             Math(FirstBitLow, a0)
//   pack_u64                  Bitcast(Compose(a0, a1): uint2): u64   (low word, high word)
//   workgroup_barrier         Barrier { memory: uav + group_shared, group_sync, scope: Workgroup }
//
// Memory at an address has scalar layout: every member at the next multiple of its component's size.

namespace wgc
{
    template<typename T> [[wgc::op("load")]] T Load(uint64_t address);
    template<typename T> [[wgc::op("load_coherent")]] T LoadCoherent(uint64_t address);
    template<typename T> [[wgc::op("store")]] void Store(uint64_t address, T value);
    template<typename T> [[wgc::op("store_coherent")]] void StoreCoherent(uint64_t address, T value);

    [[wgc::op("atomic_add")]] uint AtomicAdd(uint64_t address, uint value);
    [[wgc::op("atomic_add")]] uint64_t AtomicAdd64(uint64_t address, uint64_t value);
    [[wgc::op("atomic_or")]] uint AtomicOr(uint64_t address, uint value);
    [[wgc::op("atomic_max")]] uint AtomicMax(uint64_t address, uint value);
    [[wgc::op("atomic_load")]] uint AtomicLoad(uint64_t address);
    [[wgc::op("atomic_add_acq_rel")]] uint AtomicAddAcqRel(uint64_t address, uint value);
    [[wgc::op("atomic_compare_exchange")]] uint AtomicCompareExchange(uint64_t address, uint comparator, uint value);

    [[wgc::op("ballot")]] uint4 Ballot(bool value);
    [[wgc::op("shuffle")]] uint Shuffle(uint value, uint lane);
    [[wgc::op("broadcast_first")]] uint BroadcastFirst(uint value);
    [[wgc::op("elect")]] bool Elect();
    [[wgc::op("subgroup_add")]] uint SubgroupAdd(uint value);
    [[wgc::op("subgroup_exclusive_add")]] uint SubgroupExclusiveAdd(uint value);
    [[wgc::op("subgroup_lane")]] uint SubgroupLane();

    [[wgc::op("num_workgroups")]] uint3 NumWorkgroups();
    [[wgc::op("workgroup_id")]] uint3 WorkgroupId();
    [[wgc::op("local_index")]] uint LocalIndex();
    [[wgc::op("count_bits")]] uint CountBits(uint value);
    [[wgc::op("first_bit_low")]] uint FirstBitLow(uint value);
    [[wgc::op("pack_u64")]] uint64_t PackU64(uint low, uint high);

    [[wgc::op("workgroup_barrier")]] void WorkgroupBarrier();
}
