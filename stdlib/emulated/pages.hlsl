// Pages in scheduled runs: sums the demands of all threads, assigns and frees pages, and frees the unused pages of queues and
// spills between two stages. The file admit.hlsl decides which workgroups get pages.

static const uint WG_SCHED_THREADS = 128u;

groupshared uint64_t wg_sched_sums[128];
groupshared uint64_t wg_sched_most[128];

// A demand for pages.
struct WgDemand
{
    uint64_t pages;
    // Not 0: some queue would exceed its maximum of records.
    uint64_t over;
};

// Sums the demands of all threads. Every thread calls it and gets the same result.
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
    // Separates the reads from the next demand.
    GroupMemoryBarrierWithGroupSync();
    return all;
}

uint64_t wgc_sched_queue(WgAddresses at, uint queue)
{
    return at.queues + (uint64_t)queue * WG_STATE;
}

// The states of the spills follow those of the queues.
uint64_t wgc_sched_spill(WgAddresses at, WgTableHeader header, uint spill)
{
    return at.queues + (uint64_t)(header.queue_count + spill) * WG_STATE;
}

uint64_t wgc_sched_instance(WgAddresses at, uint instance)
{
    return at.instances + (uint64_t)instance * WG_STATE;
}

WgQueueRow wgc_sched_queue_row(WgAddresses at, WgTableHeader header, uint queue)
{
    return wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
}

WgSpillRow wgc_sched_spill_row(WgAddresses at, WgTableHeader header, uint spill)
{
    return wgc::Load<WgSpillRow>(at.tables + header.spills + (uint64_t)spill * WG_SPILL_ROW);
}

uint64_t wgc_sched_pages(uint64_t records, uint slots)
{
    return slots == 0u ? (uint64_t)0u : wgc_ceil_div64(records, slots);
}

// Sets the arguments of a slot to `groups` workgroups, in rows of at most `width`.
void wgc_sched_dispatch(WgAddresses at, uint width, uint slot, uint groups)
{
    uint rows = max(wgc_ceil_div(groups, width), 1u);
    WgArguments arguments;
    arguments.x = wgc_ceil_div(groups, rows);
    arguments.y = rows;
    arguments.z = 1u;
    arguments.pad = 0u;
    wgc::Store<WgArguments>(at.arguments + (uint64_t)slot * WG_ARGUMENTS, arguments);
}

// ---- pages

// Moves of page addresses that all threads together execute later. One thread needs a third of a microsecond for each address on a
// GPU, and a queue that many workgroups append to has thousands.
static const uint WG_SCHED_MOVES = 64u;
// A smaller move is executed immediately, by the thread that requests it.
static const uint WG_SCHED_SMALL_MOVE = 4u;

groupshared uint wg_sched_move_count;
groupshared uint64_t wg_sched_move_from[64];
groupshared uint64_t wg_sched_move_to[64];
groupshared uint wg_sched_move_pages[64];

// Copies page addresses, at the latest in wgc_sched_move_all. Until then, sources and destinations must not overlap.
void wgc_sched_move(uint64_t from, uint64_t to, uint pages)
{
    uint slot = WG_SCHED_MOVES;
    if (pages >= WG_SCHED_SMALL_MOVE)
    {
        InterlockedAdd(wg_sched_move_count, 1u, slot);
    }
    if (slot < WG_SCHED_MOVES)
    {
        wg_sched_move_from[slot] = from;
        wg_sched_move_to[slot] = to;
        wg_sched_move_pages[slot] = pages;
        return;
    }
    for (uint page = 0u; page < pages; page++)
    {
        wgc::StoreCoherent<uint64_t>(to + (uint64_t)page * 8u, wgc::LoadCoherent<uint64_t>(from + (uint64_t)page * 8u));
    }
}

// Resets the moves at the start of a kernel. Every thread calls it.
void wgc_sched_no_moves(uint thread)
{
    if (thread == 0u)
    {
        wg_sched_move_count = 0u;
    }
    GroupMemoryBarrierWithGroupSync();
}

// Executes the remaining moves. Every thread calls it. A barrier must follow before the next move.
void wgc_sched_move_all(uint thread)
{
    AllMemoryBarrierWithGroupSync();
    uint moves = min(wg_sched_move_count, WG_SCHED_MOVES);
    if (moves != 0u)
    {
        for (uint move = 0u; move < moves; move++)
        {
            uint64_t from = wg_sched_move_from[move];
            uint64_t to = wg_sched_move_to[move];
            for (uint page = thread; page < wg_sched_move_pages[move]; page += WG_SCHED_THREADS)
            {
                uint64_t offset = (uint64_t)page * 8u;
                wgc::StoreCoherent<uint64_t>(to + offset, wgc::LoadCoherent<uint64_t>(from + offset));
            }
        }
        AllMemoryBarrierWithGroupSync();
        if (thread == 0u)
        {
            wg_sched_move_count = 0u;
        }
    }
}

// Frees the pages [keep, have) of the range of the page table that begins at `first`. Between two calls of
// wgc_sched_move_all, pages are either only freed or only mapped.
void wgc_sched_give_back(WgAddresses at, WgSettings settings, uint first, uint keep, uint have)
{
    uint free = wgc::AtomicAdd(at.status + WG_STATUS_PAGES_FREE, have - keep);
    wgc_sched_move(at.pages + (uint64_t)(first + keep) * 8u, settings.free + (uint64_t)free * 8u, have - keep);
}

// Maps free pages at [have, want) of the range.
void wgc_sched_map(WgAddresses at, WgSettings settings, uint first, uint have, uint want)
{
    uint free = wgc::AtomicAdd(at.status + WG_STATUS_PAGES_FREE, have - want) - (want - have);
    wgc_sched_move(settings.free + (uint64_t)free * 8u, at.pages + (uint64_t)(first + have) * 8u, want - have);
}

// Resizes a range of the page table from `have` to `want` pages.
void wgc_sched_run(WgAddresses at, WgSettings settings, uint first, uint have, uint want)
{
    if (want < have)
    {
        wgc_sched_give_back(at, settings, first, want, have);
    }
    else if (want != have)
    {
        wgc_sched_map(at, settings, first, have, want);
    }
}

// Resizes the prefixes of a queue's dynamic consumers from `have` to `want` pages.
void wgc_sched_prefixes(WgAddresses at, WgSettings settings, WgQueueState state, uint have, uint want)
{
    for (uint i = 0u; i < state.instance_count; i++)
    {
        WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(
            wgc_sched_instance(at, state.first_instance + i) + WG_STATE_FIELDS);
        if (consumer.launch == WG_LAUNCH_DYNAMIC)
        {
            wgc_sched_run(at, settings, consumer.prefix_page, have, want);
        }
    }
}

// Gives a queue exactly the pages for `capacity` records, `direct` of them in its own pages. Pages at its beginning that were freed
// stay free, unless the queue gets no pages at all.
void wgc_sched_resize(WgAddresses at, WgSettings settings, WgTableHeader header, uint queue, uint capacity, uint direct)
{
    uint64_t returned = wgc_sched_queue(at, queue) + WG_QUEUE_RETURNED;
    uint64_t address = wgc_sched_queue(at, queue) + WG_STATE_FIELDS;
    WgQueueState state = wgc::LoadCoherent<WgQueueState>(address);
    WgQueueRow row = wgc_sched_queue_row(at, header, queue);
    uint pages = (uint)wgc_sched_pages(direct, row.slots);
    uint gone = wgc::LoadCoherent<uint>(returned);
    uint want = max(pages, gone) - gone;
    wgc_sched_run(at, settings, state.first_page + gone, state.page_count - gone, want);
    if (pages == 0u)
    {
        wgc::StoreCoherent<uint>(returned, 0u);
    }
    uint prefix = 0u;
    if (state.dynamic_count != 0u)
    {
        prefix = (uint)wgc_sched_pages(capacity, header.page_bytes / 8u);
        wgc_sched_prefixes(at, settings, state, state.prefix_pages, prefix);
    }
    state.capacity = capacity;
    state.direct = direct;
    state.page_count = pages;
    state.prefix_pages = prefix;
    wgc::StoreCoherent<WgQueueState>(address, state);
}

// Like wgc_sched_resize, for a spill.
void wgc_sched_resize_spill(WgAddresses at, WgSettings settings, WgTableHeader header, uint spill, uint capacity)
{
    uint64_t address = wgc_sched_spill(at, header, spill) + WG_STATE_FIELDS;
    WgSpillState state = wgc::LoadCoherent<WgSpillState>(address);
    uint pages = wgc_ceil_div(capacity, state.slots);
    uint index = wgc_ceil_div(capacity, state.index_slots);
    wgc_sched_run(at, settings, state.first_page, state.page_count, pages);
    wgc_sched_run(at, settings, state.index_page, state.index_pages, index);
    state.capacity = capacity;
    state.page_count = pages;
    state.index_pages = index;
    wgc::StoreCoherent<WgSpillState>(address, state);
}

// ---- between two stages

// Returns the workgroups of an instance for the records that its queue holds.
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

// Returns true if all workgroups for the records of a queue have been launched.
bool wgc_sched_drained(WgAddresses at, WgQueueState state, uint records)
{
    bool drained = true;
    for (uint i = 0u; i < state.instance_count; i++)
    {
        uint64_t instance = wgc_sched_instance(at, state.first_instance + i);
        WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(instance + WG_STATE_FIELDS);
        uint64_t cursor = wgc::LoadCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR);
        // Inside a segment, appending launches the consumers.
        drained = drained && (consumer.follows != 0u || cursor == wgc_sched_groups(instance, consumer, records));
    }
    if (state.spill != WG_ABSENT && records > state.direct)
    {
        // All grids may be empty. The slots are still in use until scatter has processed them.
        uint64_t spill = wgc_sched_queue(at, state.spill);
        drained = drained && wgc::LoadCoherent<uint>(spill + WG_SPILL_SCATTERED) != 0u;
    }
    return drained;
}

// Returns the number of records at the beginning of a queue that all consumers have finished.
uint wgc_sched_consumed(WgAddresses at, WgQueueState state, uint records)
{
    uint consumed = records;
    for (uint i = 0u; i < state.instance_count; i++)
    {
        uint64_t instance = wgc_sched_instance(at, state.first_instance + i);
        WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(instance + WG_STATE_FIELDS);
        uint64_t cursor = wgc::LoadCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR);
        uint64_t own = 0u;
        if (consumer.launch == WG_LAUNCH_FIXED)
        {
            own = cursor / max(consumer.grid_groups, 1u);
        }
        else if (consumer.launch != WG_LAUNCH_DYNAMIC)
        {
            own = cursor * consumer.unit;
        }
        // With a dynamic consumer this is 0: its prefix is in the order of completion, not of the records.
        consumed = (uint)min((uint64_t)consumed, own);
    }
    return consumed;
}

// Frees the pages at the beginning of a queue whose records are all consumed.
void wgc_sched_return(WgAddresses at, WgSettings settings, WgQueueRow row, WgQueueState state, uint queue, uint records)
{
    if (row.slots == 0u)
    {
        return;
    }
    uint64_t address = wgc_sched_queue(at, queue) + WG_QUEUE_RETURNED;
    uint gone = wgc::LoadCoherent<uint>(address);
    uint pages = min(wgc_sched_consumed(at, state, records), state.direct) / row.slots;
    if (pages > gone)
    {
        wgc_sched_give_back(at, settings, state.first_page, gone, pages);
        wgc::StoreCoherent<uint>(address, pages);
    }
}

// Frees unneeded pages of a queue: all if all its workgroups were launched, which have finished by now. Else those after its
// last record and those before the first unconsumed one. Returns true if records are left. `keep`: its workgroups run later.
bool wgc_sched_settle(WgAddresses at, WgSettings settings, WgTableHeader header, uint queue, bool keep)
{
    uint64_t address = wgc_sched_queue(at, queue);
    WgQueueState state = wgc::LoadCoherent<WgQueueState>(address + WG_STATE_FIELDS);
    uint records = min(wgc::LoadCoherent<uint>(address), state.capacity);
    bool drained = wgc_sched_drained(at, state, records);
    if (keep)
    {
        return !drained;
    }
    if (!drained)
    {
        wgc::StoreCoherent<uint>(address, records);
        // After a record has spilled, the direct part keeps its size until the queue is empty.
        wgc_sched_resize(at, settings, header, queue, records, min(records, state.direct));
        wgc_sched_return(at, settings, wgc_sched_queue_row(at, header, queue), state, queue, records);
        return true;
    }
    if (records != 0u)
    {
        uint64_t passed = wgc::LoadCoherent<uint64_t>(address + WG_QUEUE_PASSED);
        wgc::StoreCoherent<uint64_t>(address + WG_QUEUE_PASSED, passed + records);
        wgc::StoreCoherent<uint>(address + WG_QUEUE_PEAK, max(state.peak, records));
        for (uint i = 0u; i < state.instance_count; i++)
        {
            uint64_t instance = wgc_sched_instance(at, state.first_instance + i);
            wgc::StoreCoherent<uint64_t>(instance, 0u);
            wgc::StoreCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR, 0u);
            wgc::StoreCoherent<uint>(instance + WG_INSTANCE_LISTED, 0u);
        }
    }
    wgc::StoreCoherent<uint>(address, 0u);
    wgc_sched_resize(at, settings, header, queue, 0u, 0u);
    return false;
}

// Frees the pages that a spill does not need: all if all its members are empty, else those after its last record. Every
// thread calls it, after the members were settled.
void wgc_sched_settle_spill(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint spill)
{
    uint64_t address = wgc_sched_spill(at, header, spill);
    uint capacity = wgc::LoadCoherent<uint>(address + WG_STATE_FIELDS);
    if (capacity == 0u)
    {
        return;
    }
    WgSpillRow row = wgc_sched_spill_row(at, header, spill);
    WgDemand own = (WgDemand)0;
    for (uint m = thread; m < row.member_count; m += WG_SCHED_THREADS)
    {
        uint queue = wgc::Load<uint>(at.tables + header.members + (uint64_t)(row.first_member + m) * 4u);
        own.over = max(own.over, (uint64_t)wgc::LoadCoherent<uint>(wgc_sched_queue(at, queue)));
    }
    bool waits = wgc_sched_together(thread, own).over != 0u;
    if (thread == 0u)
    {
        uint records = waits ? min(wgc::LoadCoherent<uint>(address), capacity) : 0u;
        wgc::StoreCoherent<uint>(address, records);
        if (!waits)
        {
            wgc::StoreCoherent<uint>(address + WG_SPILL_SCATTERED, 0u);
        }
        wgc_sched_resize_spill(at, settings, header, spill, records);
    }
}

// Settles all queues except those of the stage `kept`. Returns the deepest stage with records plus 1, or 0 if there is none.
uint wgc_sched_settle_all(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint kept)
{
    wgc_sched_no_moves(thread);
    WgDemand own = (WgDemand)0;
    for (uint q = thread; q < header.queue_count; q += WG_SCHED_THREADS)
    {
        uint stage = wgc_sched_queue_row(at, header, q).stage;
        if (wgc_sched_settle(at, settings, header, q, stage == kept))
        {
            own.over = max(own.over, (uint64_t)stage + 1u);
        }
    }
    AllMemoryBarrierWithGroupSync();
    for (uint spill = 0u; spill < header.spill_count; spill++)
    {
        wgc_sched_settle_spill(at, settings, header, thread, spill);
    }
    wgc_sched_move_all(thread);
    return (uint)wgc_sched_together(thread, own).over;
}
