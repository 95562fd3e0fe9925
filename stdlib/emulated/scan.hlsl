// The kernel scan, in packages for devices without 64-bit atomics: computes the first workgroup of each dynamic grid.
//
// On these devices, OutputComplete appends an unsorted entry with the record and its number of workgroups, and counts it in
// `WG_INSTANCE_LISTED` (wgc_list_grid). For the new entries, this kernel does the work of the 64-bit atomic in wgc_place_grid. It
// turns them into entries of the prefix, each beginning where the one before ends, and increases the counter. If appending launches
// the instance, it also sets the arguments. It runs before every reader of the counter, with workgroups that take the instances in
// turn. Push constant `instance` is the first instance; the upper bits of the flags are their number.

static const uint WG_SCAN_THREADS = 128u;
// Consecutive entries of one thread.
static const uint WG_SCAN_SHARE = 8u;

void wgc_scan_instance(WgAddresses at, uint thread, uint instance)
{
    WgNode node = wgc_node(at);
    node.instance = instance;
    uint64_t address = at.instances + (uint64_t)instance * WG_STATE;
    WgInstanceState state = wgc_instance_state(at.instances, instance);
    if (state.launch != WG_LAUNCH_DYNAMIC)
    {
        return;
    }
    uint64_t counter = wgc::Load<uint64_t>(address);
    uint capacity = wgc::Load<uint>(wgc_queue_state(node, state.queue) + WG_STATE_FIELDS);
    uint first = (uint)(counter >> WG_PREFIX_GROUP_BITS);
    uint last = min(wgc::Load<uint>(address + WG_INSTANCE_LISTED), capacity);
    if (first >= last)
    {
        return;
    }
    uint64_t linear = wgc::Load<uint64_t>(address + WG_STATE_LINEAR);
    // The most that the counter holds. If appending launches the instance, the most of one launch.
    uint64_t most = ((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u;
    if (state.follows != 0u)
    {
        most = (uint64_t)state.window_groups;
    }
    uint64_t groups = counter & (((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u);
    for (uint block = first; block < last; block += WG_SCAN_THREADS * WG_SCAN_SHARE)
    {
        uint begin = min(block + thread * WG_SCAN_SHARE, last);
        uint end = min(begin + WG_SCAN_SHARE, last);
        uint64_t own = 0u;
        for (uint i = begin; i < end; i++)
        {
            uint64_t entry = wgc_prefix_entry(node, linear, state.prefix_page, state.prefix_slots, i);
            own += wgc::Load<uint64_t>(entry) >> WG_PREFIX_RECORD_BITS;
        }
        uint64_t start = groups + wgc_sums_before(thread, own);
        groups += wg_sums[WG_SUMS_THREADS - 1u];
        for (uint i = begin; i < end; i++)
        {
            uint64_t entry = wgc_prefix_entry(node, linear, state.prefix_page, state.prefix_slots, i);
            uint64_t listed = wgc::Load<uint64_t>(entry);
            uint64_t record = listed & (((uint64_t)1u << WG_PREFIX_RECORD_BITS) - 1u);
            wgc::Store<uint64_t>(entry, (min(start, most) << WG_PREFIX_RECORD_BITS) | record);
            start += listed >> WG_PREFIX_RECORD_BITS;
        }
    }
    // All threads have read the counter before it is written.
    AllMemoryBarrierWithGroupSync();
    if (thread != 0u)
    {
        return;
    }
    if (groups > most)
    {
        // The workgroups beyond the limit are not launched.
        wgc_report(node, WG_ERROR_GROUPS, 0u);
        groups = most;
    }
    wgc::Store<uint64_t>(address, ((uint64_t)last << WG_PREFIX_GROUP_BITS) | groups);
    if (state.follows != 0u)
    {
        wgc_set_arguments(at, instance, (uint)groups);
    }
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_scan(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    uint count = wg_push.flags >> WG_PUSH_RUN_SHIFT;
    uint groups = wgc::NumWorkgroups().x;
    for (uint i = wgc::WorkgroupId().x; i < count; i += groups)
    {
        wgc_scan_instance(at, thread, wg_push.instance + i);
    }
}
