// What a lowered node calls: this file and inputs, outputs, grids and spill. The compiler knows these functions by name
// and by the order of their parameters (backend-spirv/src/emulated/library.rs); stride, slots, grids and budgets reach
// them as constants. Here are the node itself, the records of queues, errors, and launches by those who append.

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
    // The workgroups of this launch: what runs in one pass has one window of all that a launch may have.
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

// Records of one allocation: ranks [base, base + count) of a queue. Those that have no place of their own are in the
// slots rank + spill of its spill, modulo 2^32.
struct WgRecords
{
    uint queue;
    uint base;
    uint count;
    uint spill;
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

// The record of the instance's local root arguments.
uint64_t wgc_local_root()
{
    WgLocalRoots at = wgc::Load<WgLocalRoots>(wg_push.context + WG_LOCAL_ROOTS);
    uint64_t row = at.rows + (uint64_t)wg_push.instance * WG_INSTANCE_ROW;
    uint index = wgc::Load<uint>(row + WG_INSTANCE_LOCAL_ROOT);
    return at.local_roots + (uint64_t)index * at.local_root_stride;
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

// Address in the pages from `first_page` on.
uint64_t wgc_paged(WgNode node, uint first_page, uint index, uint stride, uint slots)
{
    uint page = index / slots;
    uint64_t base = wgc::Load<uint64_t>(node.pages + (uint64_t)(first_page + page) * 8u);
    return base + (uint64_t)((index - page * slots) * stride);
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
    return wgc_paged(node, state.first_page, rank, stride, slots);
}

// As wgc_paged; `prefix_slots` is no constant here, but a power of two.
uint64_t wgc_prefix_entry(WgNode node, uint prefix_page, uint prefix_slots, uint index)
{
    uint page = index >> firstbithigh(prefix_slots);
    uint64_t base = wgc::Load<uint64_t>(node.pages + (uint64_t)(prefix_page + page) * 8u);
    return base + (uint64_t)(index & (prefix_slots - 1u)) * 8u;
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

// Workgroups on X of a launch in a stage, at most. Mesh draws have a limit on all of them together: it is so many rows.
uint wgc_launch_width(WgSettings settings, WgTableHeader header, uint stage)
{
    return stage == header.mesh_stage ? min(settings.group_limit, WG_MESH_WIDTH) : settings.group_limit;
}

// Whether the kernel sched launches, and not whoever appends: at the heads of segments.
bool wgc_scheduled()
{
    return (wg_push.flags & WG_PUSH_SCHEDULED) != 0u;
}

// The workgroups of the arguments `slot` grow from `before` to `after`. With `rows` rows, X is the total divided by the rows,
// rounded up; the differences of it telescope, whoever comes first.
void wgc_launch(WgNode node, uint slot, uint rows, uint64_t before, uint64_t after)
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
        wgc::AtomicAdd(node.arguments + (uint64_t)slot * WG_ARGUMENTS, x);
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
    for (uint i = 0u; i < state.instance_count; i++)
    {
        uint instance = state.first_instance + i;
        WgInstanceState consumer =
            wgc::Load<WgInstanceState>(node.instances + (uint64_t)instance * WG_STATE + WG_STATE_FIELDS);
        if (consumer.rows == 0u)
        {
            // The kernel sched launches it.
        }
        else if (consumer.launch == WG_LAUNCH_FIXED)
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
