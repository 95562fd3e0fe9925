// The prologues of lowered nodes: they find the records of a workgroup and its place in the grid. Also the end of sharing.

// `unit`: the threads of the workgroup.
WgInput wgc_input_thread(WgNode node, uint thread, uint unit)
{
    WgInput input;
    uint group = node.group;
    // 64 bits: in a full queue, the numbers of spare workgroups exceed 2^32.
    uint64_t record = (uint64_t)node.window_record + (uint64_t)group * unit + thread;
    input.first = (uint)record;
    input.active = group < node.window_groups && record < (uint64_t)node.records;
    input.count = 1u;
    input.group = uint3(0u, 0u, 0u);
    input.grid_groups = 1u;
    return input;
}

WgInput wgc_input_coalescing(WgNode node, uint max_records)
{
    uint records = node.records;
    uint group = node.group;
    uint64_t first = (uint64_t)node.window_record + (uint64_t)group * max_records;
    WgInput input;
    input.active = group < node.window_groups && first < (uint64_t)records;
    input.first = (uint)first;
    input.count = 0u;
    if (input.active)
    {
        input.count = min(max_records, records - input.first);
    }
    input.group = uint3(0u, 0u, 0u);
    input.grid_groups = 1u;
    return input;
}

uint3 wgc_unflatten(uint index, uint x, uint y)
{
    uint row = index / x;
    uint plane = row / y;
    return uint3(index - row * x, row - plane * y, plane);
}

WgInput wgc_input_fixed(WgNode node, uint x, uint y, uint z)
{
    uint group = node.group;
    WgInput input;
    input.active = group < node.window_groups;
    input.grid_groups = x * y * z;
    // No overflow: a window begins in a grid of less than 2^24 workgroups and has less than 2^31, unless it is the whole launch.
    group += node.window_local;
    uint record = group / input.grid_groups;
    input.first = node.window_record + record;
    input.active = input.active && input.first < node.records;
    input.count = 1u;
    input.group = wgc_unflatten(group - record * input.grid_groups, x, y);
    return input;
}

// The position of a workgroup of a dynamic grid.
struct WgFound
{
    bool active;
    // Its record, and its number among the workgroups of the record.
    uint record;
    uint place;
};

// `together`: all lanes of the subgroup are here and search for the same group. In a resident workgroup they may belong to several.
WgFound wgc_find_grid_by(WgNode node, bool together)
{
    uint local = node.group;
    uint64_t group = node.window_first + local;
    uint64_t counter = wgc::Load<uint64_t>(node.instances + (uint64_t)node.instance * WG_STATE);
    uint64_t groups = counter & (((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u);
    uint records = min((uint)(counter >> WG_PREFIX_GROUP_BITS), node.records);
    WgFound found;
    found.active = local < node.window_groups && group < groups && records != 0u;
    found.record = 0u;
    found.place = 0u;
    if (found.active)
    {
        // Finds the last entry that starts at or before the group. Each lane that takes part tests the end of one part of the
        // remaining range, for any number of lanes.
        uint lanes = together ? WaveActiveCountBits(true) : 1u;
        uint lane = together ? WavePrefixCountBits(true) : 0u;
        uint first = 0u;
        uint last = records;
        while (last - first > 1u)
        {
            uint part = (last - first + lanes) / (lanes + 1u);
            uint end = first + (lane + 1u) * part;
            bool before = false;
            if (end < last)
            {
                uint64_t entry =
                    wgc::Load<uint64_t>(wgc_prefix_entry(node, node.prefix_linear, node.prefix_page, node.prefix_slots, end));
                before = (entry >> WG_PREFIX_RECORD_BITS) <= group;
            }
            first += (together ? WaveActiveCountBits(before) : uint(before)) * part;
            last = min(first + part, last);
        }
        uint64_t entry = wgc::Load<uint64_t>(wgc_prefix_entry(node, node.prefix_linear, node.prefix_page, node.prefix_slots, first));
        found.record = (uint)entry & ((1u << WG_PREFIX_RECORD_BITS) - 1u);
        found.active = found.record != WG_NO_RECORD;
        found.place = (uint)(group - (entry >> WG_PREFIX_RECORD_BITS));
    }
    return found;
}

WgFound wgc_find_grid(WgNode node)
{
    return wgc_find_grid_by(node, true);
}

// The input of a workgroup that was found, with its record's grid.
WgInput wgc_input_found(WgFound found, WgGrid grid)
{
    WgInput input;
    input.active = found.active;
    input.first = found.record;
    input.count = 1u;
    input.grid_groups = grid.x * grid.y * grid.z;
    input.group = wgc_unflatten(found.place, max(grid.x, 1u), max(grid.y, 1u));
    return input;
}

WgInput wgc_input_of(WgNode node, WgFound found, uint offset, uint scalar, uint components, uint max_x, uint max_y, uint max_z,
                     uint stride, uint slots)
{
    WgGrid grid = (WgGrid)0;
    if (found.active)
    {
        uint64_t record = wgc_input_record(node, found.record, stride, slots);
        grid = wgc_grid(record, offset, scalar, components, max_x, max_y, max_z, false);
    }
    return wgc_input_found(found, grid);
}

WgInput wgc_input_dynamic(WgNode node, uint offset, uint scalar, uint components, uint max_x, uint max_y, uint max_z,
                          uint stride, uint slots)
{
    WgFound found = wgc_find_grid(node);
    return wgc_input_of(node, found, offset, scalar, components, max_x, max_y, max_z, stride, slots);
}

// Like wgc_input_dynamic, in a resident workgroup.
WgInput wgc_input_dynamic_resident(WgNode node, uint offset, uint scalar, uint components, uint max_x, uint max_y, uint max_z,
                                   uint stride, uint slots)
{
    WgFound found = wgc_find_grid_by(node, false);
    return wgc_input_of(node, found, offset, scalar, components, max_x, max_y, max_z, stride, slots);
}

// ---- shared records

// FinishedCrossGroupSharing, by one thread of the group: whether this is the last group of the record's grid.
bool wgc_finish_sharing(uint64_t record, uint trailer, uint grid_groups)
{
    return wgc::AtomicAddAcqRel(record + trailer, 1u) + 1u == grid_groups;
}
