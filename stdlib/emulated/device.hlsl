// Functions that a lowered node calls are in this file and in inputs, outputs, grids and spill. The compiler refers to them by
// name and parameter order (backend-spirv/src/emulated/library.rs). Stride, slots, grids and budgets are constant arguments. This
// file has the state of the node, the records of queues, errors, and launches by shaders that append records.

// Addresses and states of the running instance; loaded once per invocation.
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
    // The number of the workgroup in this launch of the instance; WG_ABSENT: it belongs to no instance.
    uint group;
    // The window: the workgroups of this launch. In one pass there is one window, as large as a launch may be.
    uint window_record;
    uint window_local;
    uint window_groups;
    uint64_t window_first;
};

// The records of a workgroup (thread launch: of a thread) and its place in the grid.
struct WgInput
{
    // False: the invocation has no work and exits immediately. Uniform in a workgroup, except for thread launch.
    bool active;
    uint first;
    uint count;
    uint3 group;
    // Workgroups of the record's grid.
    uint grid_groups;
};

// The records of one allocation: ranks [base, base + count) of a queue; no queue if there are no records. Records that are not
// direct are in the slots rank + slot of the spill, modulo 2^32. The fields from `capacity` on are copied from WgTarget, so that the
// address of a record needs no further loads. Without records, `capacity` is 0.
struct WgRecords
{
    uint queue;
    uint base;
    uint count;
    uint slot;
    // Number of the output, with WG_TOLD if a report says that the shader got fewer records than it requested.
    uint output;
    uint capacity;
    uint direct;
    uint spill;
    uint first_page;
    uint64_t linear;
};

// A bit of an output's number: further errors of its records are not reported.
static const uint WG_TOLD = 0x80000000u;

struct WgGrid
{
    uint x;
    uint y;
    uint z;
    bool clamped;
};

// The state of a queue that appending needs, besides its tail. It is constant while a stage runs. It is loaded as early as
// possible, so that the loads overlap.
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
    // Properties of its first consumer, from here on.
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

// Has only the addresses: for kernels.
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

// For code that runs in one instance only. The numbers of the instance and of its queue, and the offset of the instances' states from
// the context, are constants. So no load of a state waits for the context.
WgNode wgc_enter_at(uint instance, uint queue, uint instances)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    at.queues = wg_push.context + WG_QUEUE_STATES;
    at.instances = wg_push.context + instances;
    return wgc_entered(at, instance, wgc_instance_state(at.instances, instance), queue, wgc_linear_group());
}

// Returns the records in a queue, for resident mode.
uint wgc_resident_records(uint queue)
{
    uint64_t own = wg_push.context + WG_QUEUE_STATES + (uint64_t)queue * WG_STATE;
    return min(wgc::Load<uint>(own), wgc::Load<WgQueueState>(own + WG_STATE_FIELDS).capacity);
}

// Returns the workgroups that the records of an instance request by their grids, for resident mode.
uint wgc_resident_groups(uint instance)
{
    uint64_t arguments = wgc::Load<WgAddresses>(wg_push.context).arguments + (uint64_t)instance * WG_ARGUMENTS;
    return wgc::Load<uint>(arguments) * wgc::Load<uint>(arguments + 4u);
}

// Returns the address of the record with an instance's local root arguments.
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

// Returns an address in the pages from `first_page` on. `linear`: the address of the first page if they are contiguous, else 0.
uint64_t wgc_paged(WgNode node, uint64_t linear, uint first_page, uint index, uint stride, uint slots)
{
    uint page = index / slots;
    // The size of a page is a power of two, and records fill more than half of it.
    uint page_bytes = 2u << firstbithigh(slots * stride - 1u);
    uint64_t base = linear + (uint64_t)page * page_bytes;
    if (linear == 0u)
    {
        base = wgc::Load<uint64_t>(node.pages + (uint64_t)(first_page + page) * 8u);
    }
    return base + (uint64_t)((index - page * slots) * stride);
}

// Returns the address of the record with this rank, or the trash page if the rank is not below `capacity`.
uint64_t wgc_ranked(WgNode node, uint capacity, uint64_t linear, uint first_page, uint rank, uint stride, uint slots)
{
    if (rank >= capacity)
    {
        return node.trash;
    }
    return wgc_paged(node, linear, first_page, rank, stride, slots);
}

// Returns the address of the record with this index of an allocation. The index is below the count.
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

// Like wgc_paged, for entries of a prefix. `prefix_slots` is not a constant here, but it is a power of two.
uint64_t wgc_prefix_entry(WgNode node, uint64_t linear, uint prefix_page, uint prefix_slots, uint index)
{
    // Entries fill their pages completely.
    if (linear != 0u)
    {
        return linear + (uint64_t)index * 8u;
    }
    uint page = index >> firstbithigh(prefix_slots);
    uint64_t base = wgc::Load<uint64_t>(node.pages + (uint64_t)(prefix_page + page) * 8u);
    return base + (uint64_t)(index & (prefix_slots - 1u)) * 8u;
}

// ---- errors

// Adds a report about an output (WG_ABSENT: the input) of an instance to the list, at entry `first` or later, if it is not listed yet.
// A word that was written never changes. So threads with the same report reach the same entry, and threads with another one go on
// to the next.
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

// Counts an error and lists it. The first error is also stored in the fields of the status.
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

// Reports an error of records of an output, or of the input (WG_ABSENT), unless WG_TOLD suppresses it.
void wgc_report_output(WgNode node, uint error, uint output)
{
    if ((output & WG_TOLD) == 0u || output == WG_ABSENT)
    {
        wgc_report(node, error, output);
    }
}

// ---- indexes

// Returns the rank of the record with this index of a workgroup's input, or WG_ABSENT (no valid rank) and a report without such one.
uint wgc_input_rank(WgNode node, uint first, uint count, uint index)
{
    if (index >= count)
    {
        wgc_report(node, WG_ERROR_RECORD, WG_ABSENT);
        return WG_ABSENT;
    }
    return first + index;
}

// Returns the address of the record with this index of an allocation, or the trash page if there is none.
uint64_t wgc_output_record(WgNode node, WgRecords records, uint index, uint stride, uint slots)
{
    if (index >= records.count)
    {
        wgc_report_output(node, WG_ERROR_RECORD, records.output);
        return node.trash;
    }
    return wgc_given_record(node, records, index, stride, slots);
}

// Limits the index of an element in a record to the last of `count` elements, with a report. `output`: the output of the record;
// WG_ABSENT: the input.
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

// The most workgroups on X in a stage. Mesh draws also have a limit on X * Y, so that their rows are shorter.
uint wgc_launch_width(WgSettings settings, WgTableHeader header, uint stage)
{
    return stage == header.mesh_stage ? min(settings.group_limit, WG_MESH_WIDTH) : settings.group_limit;
}

// Returns true if the kernel sched launches the heads of segments, and appending does not.
bool wgc_scheduled()
{
    return (wg_push.flags & WG_PUSH_SCHEDULED) != 0u;
}

// X and Y of the arguments for `groups` workgroups, at most WG_MAX_GROUPS. Neither decreases when `groups` grows, so each
// append adds its increase. First there is one row of up to WG_ROW workgroups, then more rows of WG_ROW, and from 2^21 on
// WG_ROWS rows that get longer. There are fewer spare workgroups than a row has, or with WG_ROWS rows, than a column has.
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

// Increases the workgroups of the arguments `slot` from `before` to `after`. The increases add up in any order.
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

// Launches an instance for the records [before, after) of its queue, except for dynamic grids.
void wgc_launch_consumer(WgNode node, uint instance, uint follows, uint launch, uint unit, uint grid_groups, uint before,
                         uint after)
{
    if (follows == 0u || launch == WG_LAUNCH_DYNAMIC)
    {
        // The kernel sched or joint launches it, or OutputComplete does.
        return;
    }
    if (launch == WG_LAUNCH_FIXED)
    {
        // If a producer exceeds its limits, the records may fill the last page of the queue.
        uint64_t most = WG_MAX_GROUPS;
        wgc_launch(node, instance, (uint)min((uint64_t)before * grid_groups, most),
                   (uint)min((uint64_t)after * grid_groups, most));
    }
    else
    {
        wgc_launch(node, instance, wgc_ceil_div(before, unit), wgc_ceil_div(after, unit));
    }
}

// Loads a queue as a target. Code with only one target passes the properties of the queue and of its first consumer as
// constants.
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

// Loads a queue as a target, with all properties from the states.
WgTarget wgc_target_queue(WgNode node, uint queue)
{
    WgQueueState state = wgc::Load<WgQueueState>(wgc_queue_state(node, queue) + WG_STATE_FIELDS);
    WgInstanceState consumer = wgc_instance_state(node.instances, state.first_instance);
    return wgc_target(node, queue, state.trailer, state.first_instance, state.instance_count, consumer.launch,
                      consumer.unit, consumer.grid_groups);
}

// Appends `count` records to a queue and launches its consumers, except for dynamic grids. Returns the first rank.
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
