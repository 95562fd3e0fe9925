// Dynamic grids: read from a record, launched when the record is complete, and found by the workgroups of a consumer.

// `shared`: other threads of this dispatch wrote the record.
uint wgc_grid_component(uint64_t record, uint offset, uint scalar, uint component, bool shared)
{
    uint at = offset + component * scalar;
    // Only whole words are loaded: a 16-bit component may be in either half.
    uint64_t address = record + (at & 0xfffffffcu);
    uint word;
    if (shared)
    {
        word = wgc::LoadCoherent<uint>(address);
    }
    else
    {
        word = wgc::Load<uint>(address);
    }
    if (scalar == 4u)
    {
        return word;
    }
    return (word >> ((at & 2u) * 8u)) & 0xffffu;
}

// Returns the grid in a record, clamped to the node's maximum; missing components are 1.
WgGrid wgc_grid(uint64_t record, uint offset, uint scalar, uint components, uint max_x, uint max_y, uint max_z,
               bool shared)
{
    uint x = wgc_grid_component(record, offset, scalar, 0u, shared);
    uint y = 1u;
    uint z = 1u;
    if (components > 1u)
    {
        y = wgc_grid_component(record, offset, scalar, 1u, shared);
    }
    if (components > 2u)
    {
        z = wgc_grid_component(record, offset, scalar, 2u, shared);
    }
    WgGrid grid;
    grid.clamped = x > max_x || y > max_y || z > max_z;
    grid.x = min(x, max_x);
    grid.y = min(y, max_y);
    grid.z = min(z, max_z);
    return grid;
}

// Appends a completed record with `groups` workgroups, at most 2^24 - 1, to the prefix of an instance, and launches them. `at`: the
// state of the instance; `capacity`: of its queue; `linear`: of its prefix.
void wgc_place_grid(WgNode node, uint instance, uint64_t at, WgInstanceState consumer, uint64_t linear, uint capacity,
                    uint groups, uint rank)
{
    // Both halves of the counter only increase, so the entries are sorted by their first workgroup.
    uint64_t old = wgc::AtomicAdd64(at, ((uint64_t)1u << WG_PREFIX_GROUP_BITS) | (uint64_t)groups);
    uint index = (uint)(old >> WG_PREFIX_GROUP_BITS);
    uint64_t start = old & (((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u);
    // If false, the kernel sched or joint launches the workgroups.
    bool launches = consumer.follows != 0u;
    if (index >= capacity)
    {
        wgc_report_of(node.status, WG_ERROR_GROUPS, instance, 0u);
        return;
    }
    bool fits = !launches || start + groups <= (uint64_t)consumer.window_groups;
    if (!fits)
    {
        // Its workgroups are not launched. Spare workgroups that find this entry belong to no record.
        wgc_report_of(node.status, WG_ERROR_GROUPS, instance, 0u);
        rank = WG_NO_RECORD;
    }
    wgc::Store<uint64_t>(wgc_prefix_entry(node, linear, consumer.prefix_page, consumer.prefix_slots, index),
                         (start << WG_PREFIX_RECORD_BITS) | (uint64_t)rank);
    if (launches && fits)
    {
        wgc_launch(node, instance, (uint)start, (uint)start + groups);
    }
}

// Replaces wgc_place_grid in packages for devices without 64-bit atomics. Lists the record with its number of workgroups. The
// kernel scan later computes the first workgroup and launches.
void wgc_list_grid(WgNode node, uint instance, uint64_t at, WgInstanceState consumer, uint64_t linear, uint capacity,
                   uint groups, uint rank)
{
    uint index = wgc::AtomicAdd(at + WG_INSTANCE_LISTED, 1u);
    if (index >= capacity)
    {
        wgc_report_of(node.status, WG_ERROR_GROUPS, instance, 0u);
        return;
    }
    wgc::Store<uint64_t>(wgc_prefix_entry(node, linear, consumer.prefix_page, consumer.prefix_slots, index),
                         ((uint64_t)groups << WG_PREFIX_RECORD_BITS) | (uint64_t)rank);
}

// Launches the grid of one completed record for every consumer that reads its grid from the record.
void wgc_publish(WgNode node, uint queue, uint rank, uint64_t record, uint64_t rows)
{
    WgQueueState state = wgc::Load<WgQueueState>(wgc_queue_state(node, queue) + WG_STATE_FIELDS);
    if (rank >= state.capacity)
    {
        return;
    }
    for (uint i = 0u; i < state.instance_count; i++)
    {
        uint instance = state.first_instance + i;
        uint64_t at = node.instances + (uint64_t)instance * WG_STATE;
        WgInstanceState consumer = wgc::Load<WgInstanceState>(at + WG_STATE_FIELDS);
        uint64_t linear = wgc::Load<uint64_t>(at + WG_STATE_LINEAR);
        if (consumer.launch == WG_LAUNCH_DYNAMIC)
        {
            WgInstanceRow row = wgc::Load<WgInstanceRow>(rows + (uint64_t)instance * WG_INSTANCE_ROW);
            WgGrid grid = wgc_grid(record, row.grid_offset, row.grid_scalar, row.grid_components, row.grid_x,
                                   row.grid_y, row.grid_z, true);
            if (grid.clamped)
            {
                wgc::AtomicOr(node.status + WG_STATUS_FLAGS, WG_FLAG_GRID_CLAMPED);
                wgc_note(node.status, WG_NOTE_GRID_CLAMPED, instance, WG_ABSENT, WG_FIRST_NOTE);
            }
            // The declared maximum is below 2^24.
            uint groups = grid.x * grid.y * grid.z;
            if (groups != 0u)
            {
                wgc_place_grid(node, instance, at, consumer, linear, state.capacity, groups, rank);
            }
        }
    }
}

uint64_t wgc_instance_rows()
{
    uint64_t tables = wgc::Load<uint64_t>(wg_push.context);
    return tables + wgc::Load<WgTableHeader>(tables).instances;
}

// OutputComplete of a thread's records.
void wgc_complete_thread(WgNode node, WgRecords records, uint stride, uint slots)
{
    uint64_t rows = wgc_instance_rows();
    for (uint i = 0u; i < records.count; i++)
    {
        uint rank = records.base + i;
        wgc_publish(node, records.queue, rank, wgc_given_record(node, records, i, stride, slots), rows);
    }
}

// OutputComplete of a group's records: each thread completes some of them. The caller has synchronised the group.
void wgc_complete_group(WgNode node, WgRecords records, uint thread, uint threads, uint stride, uint slots)
{
    uint64_t rows = wgc_instance_rows();
    for (uint i = thread; i < records.count; i += threads)
    {
        uint rank = records.base + i;
        wgc_publish(node, records.queue, rank, wgc_given_record(node, records, i, stride, slots), rows);
    }
}
