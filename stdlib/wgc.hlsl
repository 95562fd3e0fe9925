// The internal namespace `wgc`: operations that the device library needs and that HLSL has no word for.
//
// It is declared for the files of stdlib/emulated/ only; users' files may not name it. Each function is a declaration
// whose attribute names an operation; sema lowers a call to IR by this table, where a0, a1 are the arguments:
//
// | op                  | IR
// | load                | Load(Address(a0): Ref(Physical { coherent: false }, T))
// | load_coherent       | Load(Address(a0): Ref(Physical { coherent: true }, T))
// | store               | Store { place: Address(a0): Ref(Physical { coherent: false }, T), value: a1 }
// | store_coherent      | Store { place: Address(a0): Ref(Physical { coherent: true }, T), value: a1 }
// | atomic_add          | Atomic { Add, place: Address(a0): Ref(Physical { coherent: true }, T), value: a1, Device, Relaxed }
// | atomic_or           | Atomic { Or, .. }, as atomic_add
// | atomic_add_acq_rel  | Atomic { Add, .. }, as atomic_add, with AcquireRelease
// | atomic_compare_exchange | Atomic { CompareExchange, comparator: a1, value: a2, .. }, as atomic_add
// | num_workgroups      | Builtin(NumWorkgroups)
// | workgroup_id        | Builtin(GroupId)
//
// T is the type of the value; memory at an address has scalar layout: every member at the next multiple of the size of
// its component type.

namespace wgc
{
    template<typename T> [[wgc::op("load")]] T Load(uint64_t address);
    template<typename T> [[wgc::op("load_coherent")]] T LoadCoherent(uint64_t address);
    template<typename T> [[wgc::op("store")]] void Store(uint64_t address, T value);
    template<typename T> [[wgc::op("store_coherent")]] void StoreCoherent(uint64_t address, T value);

    [[wgc::op("atomic_add")]] uint AtomicAdd(uint64_t address, uint value);
    [[wgc::op("atomic_add")]] uint64_t AtomicAdd64(uint64_t address, uint64_t value);
    [[wgc::op("atomic_or")]] uint AtomicOr(uint64_t address, uint value);
    [[wgc::op("atomic_add_acq_rel")]] uint AtomicAddAcqRel(uint64_t address, uint value);
    [[wgc::op("atomic_compare_exchange")]] uint AtomicCompareExchange(uint64_t address, uint comparator, uint value);

    [[wgc::op("num_workgroups")]] uint3 NumWorkgroups();
    [[wgc::op("workgroup_id")]] uint3 WorkgroupId();
}
