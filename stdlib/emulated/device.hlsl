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
    // The queue that it reads: its records, all appended before this dispatch, and its pages.
    uint queue;
    uint records;
    uint capacity;
    uint first_page;
    uint64_t linear;
    uint prefix_page;
    uint prefix_slots;
    uint64_t prefix_linear;
    uint remaining_levels;
    // The workgroup, counted from the first of this launch of the instance; WG_ABSENT: it is none of them.
    uint group;
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
// slots rank + slot of its spill, modulo 2^32. Where there are none, there is no queue. Beside them what must be known of the queue for
// the address of a record (as in WgTarget), which is not loaded anew for each: capacity 0 where there are no records.
struct WgRecords
{
    uint queue;
    uint base;
    uint count;
    uint slot;
    // Number of the output, with WG_TOLD where it was reported that the shader got less than it asked for.
    uint output;
    uint capacity;
    uint direct;
    uint spill;
    uint first_page;
    uint64_t linear;
};

// In the place of an output: what goes wrong there is reported already.
static const uint WG_TOLD = 0x80000000u;

struct WgGrid
{
    uint x;
    uint y;
    uint z;
    bool clamped;
};

// Where a queue is filled: what appending to it needs beside its tail. It stays as it is while a stage runs, so it is
// loaded as early as can be: the loads then wait for each other as little as can be.
struct WgTarget
{
    // WG_ABSENT: there is none.
    uint queue;
    uint capacity;
    uint direct;
    uint spill;
    uint first_page;
    uint64_t linear;
    uint trailer;
    uint first_instance;
    uint instance_count;
    // Of its first consumer.
    uint follows;
    uint launch;
    uint unit;
    uint grid_groups;
};

uint wgc_linear_group()
{
    uint3 group = wgc::WorkgroupId();
    uint3 groups = wgc::NumWorkgroups();
    return (group.z * groups.y + group.y) * groups.x + group.x;
}

// Addresses alone: for kernels.
WgNode wgc_node(WgAddresses at)
{
    WgNode node = (WgNode)0;
    node.queues = at.queues;
    node.instances = at.instances;
    node.pages = at.pages;
    node.arguments = at.arguments;
    node.status = at.status;
    node.trash = at.trash;
    node.maps = at.maps;
    return node;
}

WgNode wgc_entered(WgAddresses at, uint instance, WgInstanceState state, uint queue, uint group)
{
    uint64_t own = at.queues + (uint64_t)queue * WG_STATE;
    uint tail = wgc::Load<uint>(own);
    WgQueueState records = wgc::Load<WgQueueState>(own + WG_STATE_FIELDS);
    WgNode node = wgc_node(at);
    node.outputs = at.outputs + (uint64_t)state.first_output * WG_OUTPUT_ROW;
    node.instance = instance;
    node.queue = queue;
    node.records = min(tail, records.capacity);
    node.capacity = records.capacity;
    node.first_page = records.first_page;
    node.linear = wgc::Load<uint64_t>(own + WG_STATE_LINEAR);
    node.prefix_page = state.prefix_page;
    node.prefix_slots = state.prefix_slots;
    node.prefix_linear = wgc::Load<uint64_t>(at.instances + (uint64_t)instance * WG_STATE + WG_STATE_LINEAR);
    node.remaining_levels = state.remaining_levels;
    node.group = group;
    node.window_record = state.window_record;
    node.window_local = state.window_local;
    node.window_groups = state.window_groups;
    node.window_first = state.window_first;
    return node;
}

WgInstanceState wgc_instance_state(uint64_t instances, uint instance)
{
    return wgc::Load<WgInstanceState>(instances + (uint64_t)instance * WG_STATE + WG_STATE_FIELDS);
}

WgNode wgc_enter()
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgInstanceState state = wgc_instance_state(at.instances, wg_push.instance);
    return wgc_entered(at, wg_push.instance, state, state.queue, wgc_linear_group());
}

// Where the code runs in one instance alone: its number, that of its queue, and where the states of the instances begin behind the
// context, are constants. So no load of a state waits for the context.
WgNode wgc_enter_at(uint instance, uint queue, uint instances)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    at.queues = wg_push.context + WG_QUEUE_STATES;
    at.instances = wg_push.context + instances;
    return wgc_entered(at, instance, wgc_instance_state(at.instances, instance), queue, wgc_linear_group());
}

// The record of an instance's local root arguments.
uint64_t wgc_local_root_of(uint instance)
{
    WgLocalRoots at = wgc::Load<WgLocalRoots>(wg_push.context + WG_LOCAL_ROOTS);
    uint64_t row = at.rows + (uint64_t)instance * WG_INSTANCE_ROW;
    uint index = wgc::Load<uint>(row + WG_INSTANCE_LOCAL_ROOT);
    return at.local_roots + (uint64_t)index * at.local_root_stride;
}

uint64_t wgc_local_root()
{
    return wgc_local_root_of(wg_push.instance);
}

// ---- queues

uint64_t wgc_queue_state(WgNode node, uint queue)
{
    return node.queues + (uint64_t)queue * WG_STATE;
}

// Address in the pages from `first_page` on. `linear`: that of the first, if they follow each other, else 0.
uint64_t wgc_paged(WgNode node, uint64_t linear, uint first_page, uint index, uint stride, uint slots)
{
    uint page = index / slots;
    // Pages are powers of two that are more than half full.
    uint page_bytes = 2u << firstbithigh(slots * stride - 1u);
    uint64_t base = linear + (uint64_t)page * page_bytes;
    if (linear == 0u)
    {
        base = wgc::Load<uint64_t>(node.pages + (uint64_t)(first_page + page) * 8u);
    }
    return base + (uint64_t)((index - page * slots) * stride);
}

// Address of the record with this rank; the trash page where there is room for `capacity` records and no such one.
uint64_t wgc_ranked(WgNode node, uint capacity, uint64_t linear, uint first_page, uint rank, uint stride, uint slots)
{
    if (rank >= capacity)
    {
        return node.trash;
    }
    return wgc_paged(node, linear, first_page, rank, stride, slots);
}

// The record with this index of an allocation that has it, if it has any.
uint64_t wgc_given_record(WgNode node, WgRecords records, uint index, uint stride, uint slots)
{
    uint rank = records.base + index;
    return wgc_ranked(node, records.capacity, records.linear, records.first_page, rank, stride, slots);
}

// A record of the instance's own queue.
uint64_t wgc_input_record(WgNode node, uint rank, uint stride, uint slots)
{
    return wgc_ranked(node, node.capacity, node.linear, node.first_page, rank, stride, slots);
}

// As wgc_paged; `prefix_slots` is no constant here, but a power of two.
uint64_t wgc_prefix_entry(WgNode node, uint64_t linear, uint prefix_page, uint prefix_slots, uint index)
{
    // Entries fill their pages.
    if (linear != 0u)
    {
        return linear + (uint64_t)index * 8u;
    }
    uint page = index >> firstbithigh(prefix_slots);
    uint64_t base = wgc::Load<uint64_t>(node.pages + (uint64_t)(prefix_page + page) * 8u);
    return base + (uint64_t)(index & (prefix_slots - 1u)) * 8u;
}

// ---- errors

// Lists what there is to say of an output (WG_ABSENT: the input) of an instance, once, from entry `first` on. Words of the list
// that were written stay, so who brings something else goes on to the next entry, and all who bring the same come to the same
// one.
void wgc_note(uint64_t status, uint code, uint instance, uint output, uint first)
{
    uint what = (code << WG_REPORT_CODE_SHIFT) | instance;
    uint place = output == WG_ABSENT ? WG_ABSENT : output + 1u;
    for (uint i = first; i < WG_REPORTS; i++)
    {
        uint64_t report = status + WG_STATUS_REPORTS + (uint64_t)i * WG_REPORT;
        uint found = wgc::AtomicCompareExchange(report, 0u, what);
        if (found == 0u || found == what)
        {
            found = wgc::AtomicCompareExchange(report + 4u, 0u, place);
            if (found == 0u || found == place)
            {
                return;
            }
        }
    }
    wgc::AtomicOr(status + WG_STATUS_FLAGS, WG_FLAG_UNLISTED);
}

// Counts an error, which is named if it is the first, and listed.
void wgc_report_of(uint64_t status, uint error, uint instance, uint output)
{
    if (wgc::AtomicAdd(status + WG_STATUS_ERROR_COUNT, 1u) == 0u)
    {
        wgc::StoreCoherent<uint>(status + WG_STATUS_ERROR, error);
        wgc::StoreCoherent<uint>(status + WG_STATUS_ERROR_INSTANCE, instance);
        wgc::StoreCoherent<uint>(status + WG_STATUS_ERROR_OUTPUT, output);
    }
    wgc_note(status, error, instance, output, 0u);
}

void wgc_report(WgNode node, uint error, uint output)
{
    wgc_report_of(node.status, error, node.instance, output);
}

// Of records of an output, or of the input (WG_ABSENT), unless it was told that the shader has fewer than it asked for.
void wgc_report_output(WgNode node, uint error, uint output)
{
    if ((output & WG_TOLD) == 0u || output == WG_ABSENT)
    {
        wgc_report(node, error, output);
    }
}

// ---- indexes

// Rank of the record with this index of a workgroup's input; WG_ABSENT, which no queue has, where it got no such record.
uint wgc_input_rank(WgNode node, uint first, uint count, uint index)
{
    if (index >= count)
    {
        wgc_report(node, WG_ERROR_RECORD, WG_ABSENT);
        return WG_ABSENT;
    }
    return first + index;
}

// Address of the record with this index of an allocation; the trash page where it has no such record.
uint64_t wgc_output_record(WgNode node, WgRecords records, uint index, uint stride, uint slots)
{
    if (index >= records.count)
    {
        wgc_report_output(node, WG_ERROR_RECORD, records.output);
        return node.trash;
    }
    return wgc_given_record(node, records, index, stride, slots);
}

// An index of something that has so many elements, in a record: the last one where it has no such element. `output`: that
// the record is for; WG_ABSENT: it is the input.
uint wgc_element(WgNode node, uint index, uint count, uint output)
{
    if (index >= count)
    {
        wgc_report_output(node, WG_ERROR_ELEMENT, output);
        return count - 1u;
    }
    return index;
}

// ---- launches

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

// X and Y of the arguments for `groups` workgroups, at most WG_MAX_GROUPS. Both only grow with them, so that whoever appends adds what
// they grow by: a row of WG_ROW, rows of WG_ROW behind it, and from 2^21 workgroups on WG_ROWS rows that grow wider. Fewer are spare than
// a row or, with all rows, a column has.
uint wgc_launch_x(uint groups)
{
    return max(min(groups, WG_ROW), (groups + WG_ROWS - 1u) / WG_ROWS);
}

uint wgc_launch_y(uint groups)
{
    return min((max(groups, 1u) + WG_ROW - 1u) / WG_ROW, WG_ROWS);
}

void wgc_set_arguments(WgAddresses at, uint slot, uint groups)
{
    WgArguments arguments;
    arguments.x = wgc_launch_x(groups);
    arguments.y = wgc_launch_y(groups);
    arguments.z = 1u;
    arguments.pad = 0u;
    wgc::Store<WgArguments>(at.arguments + (uint64_t)slot * WG_ARGUMENTS, arguments);
}

// The workgroups of the arguments `slot` grow from `before` to `after`: the differences telescope, whoever comes first.
void wgc_launch(WgNode node, uint slot, uint before, uint after)
{
    uint64_t arguments = node.arguments + (uint64_t)slot * WG_ARGUMENTS;
    uint x = wgc_launch_x(after) - wgc_launch_x(before);
    if (x != 0u)
    {
        wgc::AtomicAdd(arguments, x);
    }
    uint y = wgc_launch_y(after) - wgc_launch_y(before);
    if (y != 0u)
    {
        wgc::AtomicAdd(arguments + 4u, y);
    }
}

// Launches what an instance makes of the records [before, after) of its queue, dynamic grids apart.
void wgc_launch_consumer(WgNode node, uint instance, uint follows, uint launch, uint unit, uint grid_groups, uint before,
                         uint after)
{
    if (follows == 0u || launch == WG_LAUNCH_DYNAMIC)
    {
        // The kernel sched or joint launches it, or who completes the records.
        return;
    }
    if (launch == WG_LAUNCH_FIXED)
    {
        // A producer that breaks its limits may fill the queue's last page.
        uint64_t most = WG_MAX_GROUPS;
        wgc_launch(node, instance, (uint)min((uint64_t)before * grid_groups, most),
                   (uint)min((uint64_t)after * grid_groups, most));
    }
    else
    {
        wgc_launch(node, instance, wgc_ceil_div(before, unit), wgc_ceil_div(after, unit));
    }
}

// A queue as a target. What a graph says of it and of its first consumer is known to code that sends to no other: then it
// is constants.
WgTarget wgc_target(WgNode node, uint queue, uint trailer, uint first_instance, uint instance_count, uint launch,
                    uint unit, uint grid_groups)
{
    uint64_t at = wgc_queue_state(node, queue);
    WgQueueState state = wgc::Load<WgQueueState>(at + WG_STATE_FIELDS);
    WgTarget target;
    target.queue = queue;
    target.capacity = state.capacity;
    target.direct = state.direct;
    target.spill = state.spill;
    target.first_page = state.first_page;
    target.linear = wgc::Load<uint64_t>(at + WG_STATE_LINEAR);
    target.trailer = trailer;
    target.first_instance = first_instance;
    target.instance_count = instance_count;
    target.follows = wgc_instance_state(node.instances, first_instance).follows;
    target.launch = launch;
    target.unit = unit;
    target.grid_groups = grid_groups;
    return target;
}

// The same of which nothing is known.
WgTarget wgc_target_queue(WgNode node, uint queue)
{
    WgQueueState state = wgc::Load<WgQueueState>(wgc_queue_state(node, queue) + WG_STATE_FIELDS);
    WgInstanceState consumer = wgc_instance_state(node.instances, state.first_instance);
    return wgc_target(node, queue, state.trailer, state.first_instance, state.instance_count, consumer.launch,
                      consumer.unit, consumer.grid_groups);
}

// Appends `count` records to a queue and launches what consumes them, dynamic grids apart. Returns the first rank.
uint wgc_append(WgNode node, WgTarget target, uint count, uint output)
{
    uint rank = wgc::AtomicAdd(wgc_queue_state(node, target.queue), count);
    uint before = min(rank, target.capacity);
    uint after = before + min(count, target.capacity - before);
    if (after - before != count)
    {
        wgc_report(node, WG_ERROR_FULL, output & ~WG_TOLD);
    }
    wgc_launch_consumer(node, target.first_instance, target.follows, target.launch, target.unit, target.grid_groups, before,
                        after);
    for (uint i = 1u; i < target.instance_count; i++)
    {
        uint instance = target.first_instance + i;
        WgInstanceState consumer = wgc_instance_state(node.instances, instance);
        wgc_launch_consumer(node, instance, consumer.follows, consumer.launch, consumer.unit, consumer.grid_groups, before,
                            after);
    }
    return rank;
}
