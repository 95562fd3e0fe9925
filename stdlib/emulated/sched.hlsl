// The scheduler of runs whose worst case does not fit the arena: one workgroup, before every stage.
//
// A sweep goes once over the stages, from the deepest that has records on. Before a stage this kernel takes back what
// the stage before has left over, admits as many workgroups as have room for all that they may append, and gives
// their targets the pages for it. What is not admitted waits for a later sweep. `WgStageRow::reserve` pages stay free for
// the stages behind, so that the deepest stage with records can always launch a workgroup; entry records are taken in
// only when no others are left. A queue that was consumed in part is never appended to.

static const uint WG_SCHED_THREADS = 128u;

groupshared uint64_t wg_sched_sums[128];
groupshared uint64_t wg_sched_most[128];

// What one thread knows of a demand for pages.
struct WgDemand
{
    uint64_t pages;
    // Not zero: some queue would hold more records than it may.
    uint64_t over;
};

// The demands of all threads together. Every thread calls it and gets the same.
WgDemand wgc_sched_together(uint thread, WgDemand own)
{
    wg_sched_sums[thread] = own.pages;
    wg_sched_most[thread] = own.over;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = WG_SCHED_THREADS / 2u; step != 0u; step /= 2u)
    {
        if (thread < step)
        {
            wg_sched_sums[thread] += wg_sched_sums[thread + step];
            wg_sched_most[thread] = max(wg_sched_most[thread], wg_sched_most[thread + step]);
        }
        GroupMemoryBarrierWithGroupSync();
    }
    WgDemand all;
    all.pages = wg_sched_sums[0];
    all.over = wg_sched_most[0];
    // Before the next demand is written.
    GroupMemoryBarrierWithGroupSync();
    return all;
}

uint64_t wgc_sched_queue(WgAddresses at, uint queue)
{
    return at.queues + (uint64_t)queue * WG_STATE;
}

uint64_t wgc_sched_instance(WgAddresses at, uint instance)
{
    return at.instances + (uint64_t)instance * WG_STATE;
}

WgQueueRow wgc_sched_queue_row(WgAddresses at, WgTableHeader header, uint queue)
{
    return wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
}

uint64_t wgc_sched_pages(uint64_t records, uint slots)
{
    return slots == 0u ? (uint64_t)0u : wgc_ceil_div64(records, slots);
}

// Sets the arguments of a slot to so many workgroups, in rows that the device allows.
void wgc_sched_dispatch(WgAddresses at, WgSettings settings, uint slot, uint groups)
{
    uint rows = max(wgc_ceil_div(groups, settings.group_limit), 1u);
    WgArguments arguments;
    arguments.x = wgc_ceil_div(groups, rows);
    arguments.y = rows;
    arguments.z = 1u;
    arguments.pad = 0u;
    wgc::Store<WgArguments>(at.arguments + (uint64_t)slot * WG_ARGUMENTS, arguments);
}

// ---- pages

// Gives back the pages [keep, have) of the run of the page table that begins at `first`.
void wgc_sched_give_back(WgAddresses at, WgSettings settings, uint first, uint keep, uint have)
{
    uint free = wgc::AtomicAdd(at.status + WG_STATUS_PAGES_FREE, have - keep);
    for (uint page = keep; page < have; page++)
    {
        uint64_t address = wgc::LoadCoherent<uint64_t>(at.pages + (uint64_t)(first + page) * 8u);
        wgc::StoreCoherent<uint64_t>(settings.free + (uint64_t)(free + page - keep) * 8u, address);
    }
}

// Maps the pages [have, want) of the run; they are free.
void wgc_sched_map(WgAddresses at, WgSettings settings, uint first, uint have, uint want)
{
    uint free = wgc::AtomicAdd(at.status + WG_STATUS_PAGES_FREE, have - want) - (want - have);
    for (uint page = have; page < want; page++)
    {
        uint64_t address = wgc::LoadCoherent<uint64_t>(settings.free + (uint64_t)(free + page - have) * 8u);
        wgc::StoreCoherent<uint64_t>(at.pages + (uint64_t)(first + page) * 8u, address);
    }
}

// Makes the prefixes of a queue's dynamic consumers `want` pages long: they have `have`.
void wgc_sched_prefixes(WgAddresses at, WgSettings settings, WgQueueState state, uint have, uint want)
{
    for (uint i = 0u; i < state.instance_count; i++)
    {
        WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(
            wgc_sched_instance(at, state.first_instance + i) + WG_STATE_FIELDS);
        if (consumer.launch == WG_LAUNCH_DYNAMIC)
        {
            if (want < have)
            {
                wgc_sched_give_back(at, settings, consumer.prefix_page, want, have);
            }
            else if (want != have)
            {
                wgc_sched_map(at, settings, consumer.prefix_page, have, want);
            }
        }
    }
}

// Gives a queue room for `capacity` records and not a page more.
void wgc_sched_resize(WgAddresses at, WgSettings settings, WgTableHeader header, uint queue, uint capacity)
{
    uint64_t address = wgc_sched_queue(at, queue) + WG_STATE_FIELDS;
    WgQueueState state = wgc::LoadCoherent<WgQueueState>(address);
    WgQueueRow row = wgc_sched_queue_row(at, header, queue);
    uint pages = (uint)wgc_sched_pages(capacity, row.slots);
    if (pages < state.page_count)
    {
        wgc_sched_give_back(at, settings, state.first_page, pages, state.page_count);
    }
    else if (pages != state.page_count)
    {
        wgc_sched_map(at, settings, state.first_page, state.page_count, pages);
    }
    uint prefix = 0u;
    if (state.dynamic_count != 0u)
    {
        prefix = (uint)wgc_sched_pages(capacity, header.page_bytes / 8u);
        wgc_sched_prefixes(at, settings, state, state.prefix_pages, prefix);
    }
    state.capacity = capacity;
    state.page_count = pages;
    state.prefix_pages = prefix;
    wgc::StoreCoherent<WgQueueState>(address, state);
}

// ---- opening

// Pages of the page table that a queue, or one of its prefixes, may ever have.
uint64_t wgc_sched_run(WgSettings settings, uint max_records, uint slots)
{
    return min(wgc_sched_pages(max_records, slots), (uint64_t)settings.page_count);
}

// Begins a dispatch: nothing is in the queues, all pages are free.
void wgc_sched_open(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    for (uint i = thread; i < header.instance_count; i += WG_SCHED_THREADS)
    {
        WgInstanceRow row = wgc::Load<WgInstanceRow>(at.tables + header.instances + (uint64_t)i * WG_INSTANCE_ROW);
        WgInstanceState state = (WgInstanceState)0;
        state.queue = row.queue;
        state.launch = row.launch;
        state.unit = row.unit;
        state.grid_groups = row.grid_groups;
        state.rows = 1u;
        state.prefix_slots = header.page_bytes / 8u;
        state.first_output = row.first_output;
        state.remaining_levels = row.remaining_levels;
        uint64_t instance = wgc_sched_instance(at, i);
        wgc::StoreCoherent<uint64_t>(instance, 0u);
        wgc::StoreCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR, 0u);
        wgc::StoreCoherent<WgInstanceState>(instance + WG_STATE_FIELDS, state);
    }
    // Behind those of the instances: the kernel inject.
    for (uint a = thread; a <= header.instance_count; a += WG_SCHED_THREADS)
    {
        wgc::Store<WgArguments>(at.arguments + (uint64_t)a * WG_ARGUMENTS, (WgArguments)0);
    }
    for (uint page = thread; page < settings.page_count; page += WG_SCHED_THREADS)
    {
        uint chunk = page / settings.chunk_pages;
        uint64_t address = wgc::Load<uint64_t>(wg_push.context + WG_CHUNKS + (uint64_t)chunk * 8u)
                           + (uint64_t)(page - chunk * settings.chunk_pages) * header.page_bytes;
        wgc::StoreCoherent<uint64_t>(settings.free + (uint64_t)page * 8u, address);
    }
    AllMemoryBarrierWithGroupSync();
    // The runs follow each other in the order of the queues; few enough for one thread.
    if (thread == 0u)
    {
        uint64_t page = 0u;
        for (uint q = 0u; q < header.queue_count; q++)
        {
            WgQueueRow row = wgc_sched_queue_row(at, header, q);
            WgQueueState state = (WgQueueState)0;
            state.first_page = (uint)page;
            state.first_instance = row.first_instance;
            state.instance_count = row.instance_count;
            state.dynamic_count = row.dynamic_count;
            state.trailer = row.trailer;
            page += wgc_sched_run(settings, row.max_records, row.slots);
            for (uint i = 0u; i < row.instance_count; i++)
            {
                uint64_t address = wgc_sched_instance(at, row.first_instance + i) + WG_STATE_FIELDS;
                WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(address);
                if (consumer.launch == WG_LAUNCH_DYNAMIC)
                {
                    consumer.prefix_page = (uint)page;
                    wgc::StoreCoherent<WgInstanceState>(address, consumer);
                    page += wgc_sched_run(settings, row.max_records, header.page_bytes / 8u);
                }
            }
            uint64_t queue = wgc_sched_queue(at, q);
            wgc::StoreCoherent<uint>(queue, 0u);
            wgc::StoreCoherent<uint64_t>(queue + WG_QUEUE_PASSED, 0u);
            wgc::StoreCoherent<WgQueueState>(queue + WG_STATE_FIELDS, state);
        }
        WgStatus status = (WgStatus)0;
        status.magic = WG_STATUS_MAGIC;
        status.dispatch_id = settings.dispatch_id;
        status.pages_needed = header.min_pages;
        status.pages_free = settings.page_count;
        status.pages_least = settings.page_count;
        status.state = WG_STATE_PENDING;
        if (settings.page_count < header.min_pages)
        {
            status.state = WG_STATE_ERROR;
            status.error = WG_ERROR_ARENA;
            status.error_count = 1u;
        }
        wgc::StoreCoherent<WgStatus>(at.status, status);
    }
}

// ---- between two stages

// Workgroups of an instance for the records that its queue holds.
uint64_t wgc_sched_groups(uint64_t instance, WgInstanceState state, uint records)
{
    if (state.launch == WG_LAUNCH_DYNAMIC)
    {
        uint64_t counter = wgc::LoadCoherent<uint64_t>(instance);
        return counter & (((uint64_t)1u << WG_PREFIX_GROUP_BITS) - 1u);
    }
    if (state.launch == WG_LAUNCH_FIXED)
    {
        return (uint64_t)records * state.grid_groups;
    }
    return wgc_ceil_div(records, state.unit);
}

// Takes back what a queue does not need: everything when all its workgroups were launched, and have run by now, else
// the pages behind its last record. Whether records are left.
bool wgc_sched_settle(WgAddresses at, WgSettings settings, WgTableHeader header, uint queue)
{
    uint64_t address = wgc_sched_queue(at, queue);
    WgQueueState state = wgc::LoadCoherent<WgQueueState>(address + WG_STATE_FIELDS);
    uint records = min(wgc::LoadCoherent<uint>(address), state.capacity);
    bool drained = true;
    for (uint i = 0u; i < state.instance_count; i++)
    {
        uint64_t instance = wgc_sched_instance(at, state.first_instance + i);
        WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(instance + WG_STATE_FIELDS);
        uint64_t cursor = wgc::LoadCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR);
        drained = drained && cursor == wgc_sched_groups(instance, consumer, records);
    }
    if (!drained)
    {
        wgc::StoreCoherent<uint>(address, records);
        wgc_sched_resize(at, settings, header, queue, records);
        return true;
    }
    if (records != 0u)
    {
        uint64_t passed = wgc::LoadCoherent<uint64_t>(address + WG_QUEUE_PASSED);
        wgc::StoreCoherent<uint64_t>(address + WG_QUEUE_PASSED, passed + records);
        for (uint i = 0u; i < state.instance_count; i++)
        {
            uint64_t instance = wgc_sched_instance(at, state.first_instance + i);
            wgc::StoreCoherent<uint64_t>(instance, 0u);
            wgc::StoreCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR, 0u);
        }
    }
    wgc::StoreCoherent<uint>(address, 0u);
    wgc_sched_resize(at, settings, header, queue, 0u);
    return false;
}

// Settles all queues; the deepest stage with records, from 1 on: 0 when there are none.
uint wgc_sched_settle_all(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    WgDemand own = (WgDemand)0;
    for (uint q = thread; q < header.queue_count; q += WG_SCHED_THREADS)
    {
        if (wgc_sched_settle(at, settings, header, q))
        {
            own.over = max(own.over, (uint64_t)wgc_sched_queue_row(at, header, q).stage + 1u);
        }
    }
    AllMemoryBarrierWithGroupSync();
    return (uint)wgc_sched_together(thread, own).over;
}

// ---- entry records

// Of a span, the records that the threads [first, first + count) append.
uint wgc_sched_overlap(WgSpan span, uint first, uint count)
{
    uint begin = max(span.first_thread, first);
    uint end = min(span.first_thread + span.threads, first + count);
    if (begin >= end)
    {
        return 0u;
    }
    // One thread appends all empty records of its span.
    return span.threads == 1u ? span.count : end - begin;
}

// Pages for the entry records of the threads [first, first + count): all queues are empty.
WgDemand wgc_sched_entry_demand(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint first,
                                uint count)
{
    WgDemand own = (WgDemand)0;
    for (uint s = thread; s < settings.span_count; s += WG_SCHED_THREADS)
    {
        WgSpan span = wgc::Load<WgSpan>(at.spans + (uint64_t)s * WG_SPAN);
        uint records = wgc_sched_overlap(span, first, count);
        if (records != 0u)
        {
            // Spans of one queue are rounded up one by one: never too little.
            WgQueueRow row = wgc_sched_queue_row(at, header, span.queue);
            own.pages += wgc_sched_pages(records, row.slots)
                         + wgc_sched_pages(records, header.page_bytes / 8u) * row.dynamic_count;
            // All threads of the window may belong to one queue.
            own.over = max(own.over, row.slots != 0u && count > row.max_records ? (uint64_t)1u : (uint64_t)0u);
        }
    }
    return wgc_sched_together(thread, own);
}

bool wgc_sched_fits(WgDemand demand, uint64_t available)
{
    return demand.over == 0u && demand.pages <= available;
}

// Takes in as many entry records as there is room for.
void wgc_sched_enter(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    uint first = wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_FIRST)
                 + wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_COUNT);
    uint left = settings.span_threads - first;
    // Pages that the stages need among themselves stay free.
    uint64_t available = settings.page_count - (header.min_pages - header.entry_pages);
    uint least = min(left, 1u);
    uint most = settings.admit == WG_ADMIT_ONE ? least : left;
    while (least < most)
    {
        // All that are left, mostly.
        uint middle = most == left ? most : least + (most - least) / 2u + ((most - least) & 1u);
        if (wgc_sched_fits(wgc_sched_entry_demand(at, settings, header, thread, first, middle), available))
        {
            least = middle;
        }
        else
        {
            most = middle - 1u;
        }
    }
    for (uint s = thread; s < settings.span_count; s += WG_SCHED_THREADS)
    {
        WgSpan span = wgc::Load<WgSpan>(at.spans + (uint64_t)s * WG_SPAN);
        uint records = wgc_sched_overlap(span, first, least);
        if (records != 0u)
        {
            wgc::AtomicAdd(wgc_sched_queue(at, span.queue) + WG_QUEUE_ENTRIES, records);
        }
    }
    AllMemoryBarrierWithGroupSync();
    for (uint q = thread; q < header.queue_count; q += WG_SCHED_THREADS)
    {
        uint64_t entries = wgc_sched_queue(at, q) + WG_QUEUE_ENTRIES;
        uint records = wgc::LoadCoherent<uint>(entries);
        if (records != 0u)
        {
            wgc::StoreCoherent<uint>(entries, 0u);
            wgc_sched_resize(at, settings, header, q, records);
        }
    }
    if (thread == 0u)
    {
        wgc_sched_dispatch(at, settings, header.instance_count, wgc_ceil_div(least, WG_THREAD_GROUP));
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_ENTRY_FIRST, first);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_ENTRY_COUNT, least);
    }
}

// ---- stages

// Pages that the targets of an instance lack for so many emitters more.
WgDemand wgc_sched_demand(WgAddresses at, WgTableHeader header, uint thread, WgInstanceRow row, uint64_t emitters)
{
    WgDemand own = (WgDemand)0;
    for (uint t = thread; t < row.target_count; t += WG_SCHED_THREADS)
    {
        WgTargetRow target =
            wgc::Load<WgTargetRow>(at.tables + header.targets + (uint64_t)(row.first_target + t) * WG_TARGET_ROW);
        WgQueueRow queue = wgc_sched_queue_row(at, header, target.queue);
        WgQueueState state =
            wgc::LoadCoherent<WgQueueState>(wgc_sched_queue(at, target.queue) + WG_STATE_FIELDS);
        uint64_t records = state.capacity + emitters * target.max_records;
        own.over = max(own.over, records > (uint64_t)queue.max_records ? (uint64_t)1u : (uint64_t)0u);
        own.pages += wgc_sched_pages(records, queue.slots) - state.page_count;
        if (queue.dynamic_count != 0u)
        {
            own.pages +=
                (wgc_sched_pages(records, header.page_bytes / 8u) - state.prefix_pages) * queue.dynamic_count;
        }
    }
    return wgc_sched_together(thread, own);
}

// What asks for records when the workgroups [cursor, cursor + groups) run.
uint64_t wgc_sched_emitters(WgInstanceRow row, uint64_t cursor, uint64_t groups, uint records)
{
    if (row.launch == WG_LAUNCH_THREAD)
    {
        return min(groups * row.unit, (uint64_t)records - cursor * row.unit);
    }
    return groups;
}

// Launches `groups` workgroups from `cursor` on.
void wgc_sched_launch(WgAddresses at, WgSettings settings, WgInstanceRow row, uint instance, uint64_t cursor,
                      uint groups)
{
    wgc_sched_dispatch(at, settings, instance, groups);
    uint64_t address = wgc_sched_instance(at, instance);
    WgInstanceState state = wgc::LoadCoherent<WgInstanceState>(address + WG_STATE_FIELDS);
    uint64_t record = cursor * row.unit;
    state.window_local = 0u;
    if (row.launch == WG_LAUNCH_FIXED)
    {
        record = cursor / row.grid_groups;
        state.window_local = (uint)(cursor - record * row.grid_groups);
    }
    state.window_record = (uint)record;
    state.window_first = cursor;
    state.window_groups = groups;
    wgc::StoreCoherent<WgInstanceState>(address + WG_STATE_FIELDS, state);
    wgc::StoreCoherent<uint64_t>(address + WG_INSTANCE_CURSOR, cursor + groups);
}

// Admits what has room of one instance.
void wgc_sched_admit(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint instance,
                     uint reserve)
{
    WgInstanceRow row =
        wgc::Load<WgInstanceRow>(at.tables + header.instances + (uint64_t)instance * WG_INSTANCE_ROW);
    uint64_t address = wgc_sched_instance(at, instance);
    WgInstanceState state = wgc::LoadCoherent<WgInstanceState>(address + WG_STATE_FIELDS);
    uint records = wgc::LoadCoherent<uint>(wgc_sched_queue(at, row.queue));
    uint64_t cursor = wgc::LoadCoherent<uint64_t>(address + WG_INSTANCE_CURSOR);
    uint64_t left = wgc_sched_groups(address, state, records) - cursor;
    uint free = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_FREE);
    uint64_t available = free - min(free, reserve);
    // Everyone has read before anyone writes.
    AllMemoryBarrierWithGroupSync();
    uint64_t limit = min((uint64_t)settings.group_limit * settings.group_limit, (uint64_t)WG_MAX_WINDOW);
    uint64_t wanted = min(left, settings.admit == WG_ADMIT_ONE ? (uint64_t)1u : limit);
    uint64_t least = 0u;
    uint64_t most = wanted;
    while (least < most)
    {
        uint64_t middle = most == wanted ? most : least + (most - least + 1u) / 2u;
        uint64_t emitters = wgc_sched_emitters(row, cursor, middle, records);
        if (wgc_sched_fits(wgc_sched_demand(at, header, thread, row, emitters), available))
        {
            least = middle;
        }
        else
        {
            most = middle - 1u;
        }
    }
    uint64_t emitters = wgc_sched_emitters(row, cursor, least, records);
    for (uint t = thread; t < row.target_count; t += WG_SCHED_THREADS)
    {
        WgTargetRow target =
            wgc::Load<WgTargetRow>(at.tables + header.targets + (uint64_t)(row.first_target + t) * WG_TARGET_ROW);
        uint capacity = wgc::LoadCoherent<uint>(wgc_sched_queue(at, target.queue) + WG_STATE_FIELDS);
        wgc_sched_resize(at, settings, header, target.queue, capacity + (uint)(emitters * target.max_records));
    }
    if (thread == 0u)
    {
        wgc_sched_launch(at, settings, row, instance, cursor, (uint)least);
    }
    AllMemoryBarrierWithGroupSync();
}

void wgc_sched_stage(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint stage)
{
    WgStageRow row = wgc::Load<WgStageRow>(at.tables + header.stages + (uint64_t)stage * WG_STAGE_ROW);
    bool waits = stage < wgc::LoadCoherent<uint>(at.status + WG_STATUS_DEEPEST);
    for (uint i = 0u; i < row.instance_count; i++)
    {
        uint instance = row.first_instance + i;
        if (!waits)
        {
            wgc_sched_admit(at, settings, header, thread, instance, row.reserve);
        }
        else if (thread == 0u)
        {
            wgc::Store<uint>(at.arguments + (uint64_t)instance * WG_ARGUMENTS, 0u);
        }
    }
    if (thread == 0u)
    {
        uint least = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_LEAST);
        uint free = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_FREE);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_PAGES_LEAST, min(least, free));
    }
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_sched(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgSettings settings = wgc::Load<WgSettings>(wg_push.context + WG_SETTINGS);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    uint stage = wg_push.instance;
    if (stage == WG_SCHED_OPEN)
    {
        wgc_sched_open(at, settings, header, thread);
        return;
    }
    if (wgc::Load<uint>(at.status + WG_STATUS_STATE) != WG_STATE_PENDING)
    {
        return;
    }
    uint deepest = wgc_sched_settle_all(at, settings, header, thread);
    if (stage == WG_SCHED_BEGIN)
    {
        if (deepest == 0u)
        {
            wgc_sched_enter(at, settings, header, thread);
        }
        if (thread == 0u)
        {
            if (deepest != 0u)
            {
                wgc::Store<uint>(at.arguments + (uint64_t)header.instance_count * WG_ARGUMENTS, 0u);
            }
            wgc::StoreCoherent<uint>(at.status + WG_STATUS_DEEPEST, deepest == 0u ? 0u : deepest - 1u);
            wgc::AtomicAdd(at.status + WG_STATUS_SWEEPS, 1u);
        }
        return;
    }
    if (stage != WG_SCHED_END)
    {
        wgc_sched_stage(at, settings, header, thread, stage);
        return;
    }
    uint entered = wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_FIRST)
                   + wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_COUNT);
    if (deepest != 0u || entered != settings.span_threads)
    {
        return;
    }
    // Sweeps that are recorded behind this one launch nothing.
    for (uint a = thread; a <= header.instance_count; a += WG_SCHED_THREADS)
    {
        wgc::Store<uint>(at.arguments + (uint64_t)a * WG_ARGUMENTS, 0u);
    }
    if (thread == 0u)
    {
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_STATE, WG_STATE_READY);
    }
}
