// What a lowered node calls. The compiler knows these functions by name and by the order of their parameters
// (backend-spirv/src/emulated/library.rs); stride, slots, grids and budgets reach them as constants.

// Where the running instance finds what it needs; loaded once per invocation.
struct WgNode
{
    uint64_t queues;
    uint64_t instances;
    uint64_t pages;
    uint64_t arguments;
    uint64_t status;
    uint64_t trash;
    uint64_t outputs;
    uint64_t maps;
    uint instance;
    uint queue;
    uint prefix_page;
    uint prefix_slots;
    uint remaining_levels;
    // The workgroups of this launch: what runs in one pass has one window of everything.
    uint window_record;
    uint window_local;
    uint window_groups;
    uint64_t window_first;
};

// The records of a workgroup (thread launch: of a thread) and its place in the grid.
struct WgInput
{
    // False: there is nothing to do, leave at once. Uniform in a workgroup but for thread launch.
    bool active;
    uint first;
    uint count;
    uint3 group;
    // Workgroups of the record's grid.
    uint grid_groups;
};

// Records of one allocation: ranks [base, base + count) of a queue.
struct WgRecords
{
    uint queue;
    uint base;
    uint count;
};

struct WgGrid
{
    uint x;
    uint y;
    uint z;
    bool clamped;
};

WgNode wgc_enter()
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    uint instance = wg_push.instance;
    WgInstanceState state =
        wgc::Load<WgInstanceState>(at.instances + (uint64_t)instance * WG_STATE + WG_STATE_FIELDS);
    WgNode node;
    node.queues = at.queues;
    node.instances = at.instances;
    node.pages = at.pages;
    node.arguments = at.arguments;
    node.status = at.status;
    node.trash = at.trash;
    node.outputs = at.outputs + (uint64_t)state.first_output * WG_OUTPUT_ROW;
    node.maps = at.maps;
    node.instance = instance;
    node.queue = state.queue;
    node.prefix_page = state.prefix_page;
    node.prefix_slots = state.prefix_slots;
    node.remaining_levels = state.remaining_levels;
    node.window_record = state.window_record;
    node.window_local = state.window_local;
    node.window_groups = state.window_groups;
    node.window_first = state.window_first;
    return node;
}

// ---- queues

uint64_t wgc_queue_state(WgNode node, uint queue)
{
    return node.queues + (uint64_t)queue * WG_STATE;
}

// Records of the instance's own queue, all appended before this dispatch.
uint wgc_queue_count(WgNode node)
{
    uint64_t at = wgc_queue_state(node, node.queue);
    return min(wgc::Load<uint>(at), wgc::Load<uint>(at + WG_STATE_FIELDS));
}

// Address of the record with this rank; the trash page where the queue has no such record.
uint64_t wgc_record(WgNode node, uint queue, uint rank, uint stride, uint slots)
{
    if (queue == WG_ABSENT)
    {
        return node.trash;
    }
    WgQueueState state = wgc::Load<WgQueueState>(wgc_queue_state(node, queue) + WG_STATE_FIELDS);
    if (rank >= state.capacity)
    {
        return node.trash;
    }
    uint page = rank / slots;
    uint64_t base = wgc::Load<uint64_t>(node.pages + (uint64_t)(state.first_page + page) * 8u);
    return base + (uint64_t)((rank - page * slots) * stride);
}

uint64_t wgc_prefix_entry(WgNode node, uint prefix_page, uint prefix_slots, uint index)
{
    uint page = index / prefix_slots;
    uint64_t base = wgc::Load<uint64_t>(node.pages + (uint64_t)(prefix_page + page) * 8u);
    return base + (uint64_t)(index - page * prefix_slots) * 8u;
}

// ---- errors

void wgc_report(WgNode node, uint error, uint output)
{
    if (wgc::AtomicAdd(node.status + WG_STATUS_ERROR_COUNT, 1u) == 0u)
    {
        wgc::StoreCoherent<uint>(node.status + WG_STATUS_ERROR, error);
        wgc::StoreCoherent<uint>(node.status + WG_STATUS_ERROR_INSTANCE, node.instance);
        wgc::StoreCoherent<uint>(node.status + WG_STATUS_ERROR_OUTPUT, output);
    }
}

// ---- launches

uint wgc_linear_group()
{
    uint3 group = wgc::WorkgroupId();
    uint3 groups = wgc::NumWorkgroups();
    return (group.z * groups.y + group.y) * groups.x + group.x;
}

uint wgc_ceil_div(uint value, uint divisor)
{
    return value / divisor + (value % divisor != 0u ? 1u : 0u);
}

uint64_t wgc_ceil_div64(uint64_t value, uint64_t divisor)
{
    return (value + divisor - 1u) / divisor;
}

// Whether the kernel sched launches, and not whoever appends.
bool wgc_scheduled()
{
    return (wg_push.flags & WG_PUSH_SCHEDULED) != 0u;
}

// The workgroups of a consumer grow from `before` to `after`. With `rows` rows, X is the total divided by the rows,
// rounded up; the differences of it telescope, whoever comes first.
void wgc_launch(WgNode node, uint instance, uint rows, uint64_t before, uint64_t after)
{
    uint x;
    if (rows == 1u)
    {
        x = (uint)(after - before);
    }
    else
    {
        x = (uint)(wgc_ceil_div64(after, rows) - wgc_ceil_div64(before, rows));
    }
    if (x != 0u)
    {
        wgc::AtomicAdd(node.arguments + (uint64_t)instance * WG_ARGUMENTS, x);
    }
}

// Appends `count` records to a queue and launches what consumes them, dynamic grids apart. Returns the first rank.
uint wgc_append(WgNode node, uint queue, uint count, uint output)
{
    uint64_t at = wgc_queue_state(node, queue);
    uint rank = wgc::AtomicAdd(at, count);
    WgQueueState state = wgc::Load<WgQueueState>(at + WG_STATE_FIELDS);
    uint before = min(rank, state.capacity);
    uint after = before + min(count, state.capacity - before);
    if (after - before != count)
    {
        wgc_report(node, WG_ERROR_FULL, output);
    }
    if (wgc_scheduled())
    {
        return rank;
    }
    for (uint i = 0u; i < state.instance_count; i++)
    {
        uint instance = state.first_instance + i;
        WgInstanceState consumer =
            wgc::Load<WgInstanceState>(node.instances + (uint64_t)instance * WG_STATE + WG_STATE_FIELDS);
        if (consumer.launch == WG_LAUNCH_FIXED)
        {
            wgc_launch(node, instance, consumer.rows, (uint64_t)before * consumer.grid_groups,
                       (uint64_t)after * consumer.grid_groups);
        }
        else if (consumer.launch != WG_LAUNCH_DYNAMIC)
        {
            wgc_launch(node, instance, consumer.rows, (uint64_t)wgc_ceil_div(before, consumer.unit),
                       (uint64_t)wgc_ceil_div(after, consumer.unit));
        }
    }
    return rank;
}

uint wgc_first_lane(uint4 lanes)
{
    if (lanes.x != 0u)
    {
        return firstbitlow(lanes.x);
    }
    if (lanes.y != 0u)
    {
        return 32u + firstbitlow(lanes.y);
    }
    if (lanes.z != 0u)
    {
        return 64u + firstbitlow(lanes.z);
    }
    return 96u + firstbitlow(lanes.w);
}

// As wgc_append, for all active lanes at once: lanes with one target share one atomic. The lanes are sorted out by
// arithmetic alone; the atomics of all leaders are one instruction.
uint wgc_append_lanes(WgNode node, uint queue, uint count, uint output)
{
    uint lane = WaveGetLaneIndex();
    uint leader = lane;
    uint offset = 0u;
    uint total = 0u;
    bool waiting = count != 0u;
    uint4 lanes = WaveActiveBallot(waiting);
    while ((lanes.x | lanes.y | lanes.z | lanes.w) != 0u)
    {
        uint first = wgc_first_lane(lanes);
        bool mine = waiting && queue == WaveReadLaneAt(queue, first);
        uint part = mine ? count : 0u;
        uint before = WavePrefixSum(part);
        uint sum = WaveActiveSum(part);
        if (mine)
        {
            leader = first;
            offset = before;
            waiting = false;
        }
        if (lane == first)
        {
            total = sum;
        }
        lanes = WaveActiveBallot(waiting);
    }
    uint base = 0u;
    if (total != 0u)
    {
        base = wgc_append(node, queue, total, output);
    }
    return WaveReadLaneAt(base, leader) + offset;
}

// ---- outputs

// The queue of element `index` of an output; WG_ABSENT where there is none.
uint wgc_output_queue(WgNode node, uint output, uint index)
{
    WgOutputRow row = wgc::Load<WgOutputRow>(node.outputs + (uint64_t)output * WG_OUTPUT_ROW);
    uint64_t map = node.maps + (uint64_t)row.map * 4u;
    if (row.kind == WG_MAP_DENSE)
    {
        if (index >= row.count)
        {
            return WG_ABSENT;
        }
        return wgc::Load<uint>(map + (uint64_t)index * 4u);
    }
    uint first = 0u;
    uint last = row.count;
    while (first < last)
    {
        uint middle = (first + last) / 2u;
        uint64_t pair = map + (uint64_t)middle * 8u;
        uint found = wgc::Load<uint>(pair);
        if (found == index)
        {
            return wgc::Load<uint>(pair + 4u);
        }
        if (found < index)
        {
            first = middle + 1u;
        }
        else
        {
            last = middle;
        }
    }
    return WG_ABSENT;
}

bool wgc_output_valid(WgNode node, uint output, uint index)
{
    return wgc_output_queue(node, output, index) != WG_ABSENT;
}

// The target and the checked count of an allocation, without ranks yet.
WgRecords wgc_open(WgNode node, uint output, uint index, uint count, uint max_records)
{
    WgRecords records;
    records.queue = WG_ABSENT;
    records.base = 0u;
    records.count = count;
    if (count > max_records)
    {
        wgc_report(node, WG_ERROR_MAX_RECORDS, output);
        records.count = max_records;
    }
    if (records.count != 0u)
    {
        records.queue = wgc_output_queue(node, output, index);
        if (records.queue == WG_ABSENT)
        {
            wgc_report(node, WG_ERROR_ABSENT, output);
            records.count = 0u;
        }
    }
    return records;
}

// Zeroes the words in which consumers count finished workgroups.
void wgc_clear_trailers(WgNode node, WgRecords records, uint stride, uint slots)
{
    uint trailer = wgc::Load<WgQueueState>(wgc_queue_state(node, records.queue) + WG_STATE_FIELDS).trailer;
    if (trailer != WG_ABSENT)
    {
        for (uint i = 0u; i < records.count; i++)
        {
            wgc::Store<uint>(wgc_record(node, records.queue, records.base + i, stride, slots) + trailer, 0u);
        }
    }
}

// Ranks for opened records, by one thread alone.
uint wgc_take(WgNode node, uint output, WgRecords records, uint stride, uint slots)
{
    if (records.count == 0u)
    {
        return 0u;
    }
    records.base = wgc_append(node, records.queue, records.count, output);
    wgc_clear_trailers(node, records, stride, slots);
    return records.base;
}

// GetThreadNodeOutputRecords
WgRecords wgc_allocate_thread(WgNode node, uint output, uint index, uint count, uint max_records, uint stride,
                              uint slots)
{
    WgRecords records = wgc_open(node, output, index, count, max_records);
    if ((wg_push.flags & WG_PUSH_SUBGROUP_ALLOCATOR) != 0u)
    {
        records.base = wgc_append_lanes(node, records.queue, records.count, output);
        if (records.count != 0u)
        {
            wgc_clear_trailers(node, records, stride, slots);
        }
    }
    else
    {
        records.base = wgc_take(node, output, records, stride, slots);
    }
    return records;
}

// ThreadIncrementOutputCount; GroupIncrementOutputCount calls it in one thread.
void wgc_increment(WgNode node, uint output, uint index, uint count, uint max_records)
{
    WgRecords records = wgc_open(node, output, index, count, max_records);
    if (records.count != 0u)
    {
        wgc_append(node, records.queue, records.count, output);
    }
}

// ThreadIncrementOutputCount
void wgc_increment_thread(WgNode node, uint output, uint index, uint count, uint max_records)
{
    if ((wg_push.flags & WG_PUSH_SUBGROUP_ALLOCATOR) != 0u)
    {
        WgRecords records = wgc_open(node, output, index, count, max_records);
        wgc_append_lanes(node, records.queue, records.count, output);
    }
    else
    {
        wgc_increment(node, output, index, count, max_records);
    }
}

// ---- dynamic grids

// `shared`: other threads of this dispatch wrote the record.
uint wgc_grid_component(uint64_t record, uint offset, uint scalar, uint component, bool shared)
{
    uint at = offset + component * scalar;
    // Whole words: a 16-bit component may lie at an odd half.
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

// The grid in a record, cut to what the node declares; missing components are 1.
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

// Launches the grid of one completed record, for every consumer that reads its grid from it.
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
        if (consumer.launch == WG_LAUNCH_DYNAMIC)
        {
            WgInstanceRow row = wgc::Load<WgInstanceRow>(rows + (uint64_t)instance * WG_INSTANCE_ROW);
            WgGrid grid = wgc_grid(record, row.grid_offset, row.grid_scalar, row.grid_components, row.grid_x,
                                   row.grid_y, row.grid_z, true);
            if (grid.clamped)
            {
                wgc::AtomicOr(node.status + WG_STATUS_FLAGS, WG_FLAG_GRID_CLAMPED);
            }
            // At most 2^24 - 1: the declared maximum is.
            uint groups = grid.x * grid.y * grid.z;
            if (groups != 0u)
            {
                // Both halves of the counter only grow, so entries are sorted by their first group.
                uint64_t old =
                    wgc::AtomicAdd64(at, ((uint64_t)1u << WG_PREFIX_GROUP_BITS) | (uint64_t)groups);
                uint index = (uint)(old >> WG_PREFIX_GROUP_BITS);
                uint64_t start = old & (((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u);
                bool scheduled = wgc_scheduled();
                if (index >= state.capacity || (!scheduled && start + groups > (uint64_t)WG_MAX_GROUPS))
                {
                    wgc_report(node, WG_ERROR_GROUPS, 0u);
                }
                else
                {
                    wgc::Store<uint64_t>(wgc_prefix_entry(node, consumer.prefix_page, consumer.prefix_slots, index),
                                         (start << WG_PREFIX_RECORD_BITS) | (uint64_t)rank);
                    if (!scheduled)
                    {
                        wgc_launch(node, instance, consumer.rows, start, start + groups);
                    }
                }
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
        wgc_publish(node, records.queue, rank, wgc_record(node, records.queue, rank, stride, slots), rows);
    }
}

// OutputComplete of a group's records: the threads share them out. The caller has synchronised the group.
void wgc_complete_group(WgNode node, WgRecords records, uint thread, uint threads, uint stride, uint slots)
{
    uint64_t rows = wgc_instance_rows();
    for (uint i = thread; i < records.count; i += threads)
    {
        uint rank = records.base + i;
        wgc_publish(node, records.queue, rank, wgc_record(node, records.queue, rank, stride, slots), rows);
    }
}

// ---- prologues

WgInput wgc_input_thread(WgNode node, uint thread)
{
    WgInput input;
    uint group = wgc_linear_group();
    // 64 bits: spare groups of a full queue lie behind 2^32.
    uint64_t record = (uint64_t)node.window_record + (uint64_t)group * WG_THREAD_GROUP + thread;
    input.first = (uint)record;
    input.active = group < node.window_groups && record < (uint64_t)wgc_queue_count(node);
    input.count = 1u;
    input.group = uint3(0u, 0u, 0u);
    input.grid_groups = 1u;
    return input;
}

WgInput wgc_input_coalescing(WgNode node, uint max_records)
{
    uint records = wgc_queue_count(node);
    uint group = wgc_linear_group();
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
    uint group = wgc_linear_group();
    WgInput input;
    input.active = group < node.window_groups;
    input.grid_groups = x * y * z;
    // A window begins in a grid of less than 2^24 workgroups and has less than 2^31, unless it is the whole.
    group += node.window_local;
    uint record = group / input.grid_groups;
    input.first = node.window_record + record;
    input.active = input.active && input.first < wgc_queue_count(node);
    input.count = 1u;
    input.group = wgc_unflatten(group - record * input.grid_groups, x, y);
    return input;
}

WgInput wgc_input_dynamic(WgNode node, uint offset, uint scalar, uint components, uint max_x, uint max_y, uint max_z,
                          uint stride, uint slots)
{
    uint local = wgc_linear_group();
    uint64_t group = node.window_first + local;
    uint64_t counter = wgc::Load<uint64_t>(node.instances + (uint64_t)node.instance * WG_STATE);
    uint64_t groups = counter & (((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u);
    uint records = min((uint)(counter >> WG_PREFIX_GROUP_BITS), wgc_queue_count(node));
    WgInput input;
    input.active = local < node.window_groups && group < groups && records != 0u;
    input.first = 0u;
    input.count = 1u;
    input.group = uint3(0u, 0u, 0u);
    input.grid_groups = 1u;
    if (input.active)
    {
        // The last entry that starts at or before the group.
        uint first = 0u;
        uint last = records;
        while (last - first > 1u)
        {
            uint middle = first + (last - first) / 2u;
            uint64_t entry =
                wgc::Load<uint64_t>(wgc_prefix_entry(node, node.prefix_page, node.prefix_slots, middle));
            if ((entry >> WG_PREFIX_RECORD_BITS) <= group)
            {
                first = middle;
            }
            else
            {
                last = middle;
            }
        }
        uint64_t entry = wgc::Load<uint64_t>(wgc_prefix_entry(node, node.prefix_page, node.prefix_slots, first));
        input.first = (uint)entry & ((1u << WG_PREFIX_RECORD_BITS) - 1u);
        uint64_t record = wgc_record(node, node.queue, input.first, stride, slots);
        WgGrid grid = wgc_grid(record, offset, scalar, components, max_x, max_y, max_z, false);
        input.grid_groups = grid.x * grid.y * grid.z;
        uint place = (uint)(group - (entry >> WG_PREFIX_RECORD_BITS));
        input.group = wgc_unflatten(place, max(grid.x, 1u), max(grid.y, 1u));
    }
    return input;
}

// ---- shared records

// FinishedCrossGroupSharing, by one thread of the group: whether this is the last group of the record's grid.
bool wgc_finish_sharing(uint64_t record, uint trailer, uint grid_groups)
{
    return wgc::AtomicAddAcqRel(record + trailer, 1u) + 1u == grid_groups;
}
