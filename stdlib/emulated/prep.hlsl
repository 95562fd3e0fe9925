// The first kernel of a dispatch: one workgroup.
//
// It counts the entry records of each queue and computes the closure (the most records that every queue can receive) stage by
// stage. It assigns pages to the queues and to the prefixes of dynamic grids, and resets counters and arguments. If the closure
// does not fit, the status reports it, and all capacities stay 0, so nothing is launched.
//
// With enough memory, queues that share a spill have direct space for every record of the worst case. Otherwise the spill has
// that size, and the remaining memory becomes their direct parts, sized by the previous dispatch.

static const uint WG_PREP_THREADS = 128u;

// Far above every limit, and far below overflow.
static const uint64_t WG_SATURATED = 0x100000000ull;

groupshared uint64_t wg_prep_pages[128];
groupshared uint64_t wg_prep_tight[128];
groupshared uint64_t wg_prep_wish[128];

uint64_t wgc_saturate(uint64_t value)
{
    return min(value, WG_SATURATED);
}

void wgc_prep_report(WgAddresses at, uint error, uint instance)
{
    wgc_report_of(at.status, error, instance, 0u);
}

// Returns the most records that a queue had in the previous dispatch.
uint wgc_last_peak(uint64_t queue)
{
    WgQueueState state = wgc::LoadCoherent<WgQueueState>(queue + WG_STATE_FIELDS);
    return max(state.peak, min(wgc::LoadCoherent<uint>(queue), state.capacity));
}

void wgc_prep_reset(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    if (thread == 0u)
    {
        WgStatus status = (WgStatus)0;
        status.magic = WG_STATUS_MAGIC;
        status.dispatch_id = settings.dispatch_id;
        status.entry_count = settings.span_threads;
        wgc::StoreCoherent<WgStatus>(at.status, status);
    }
    for (uint q = thread; q < header.queue_count; q += WG_PREP_THREADS)
    {
        uint64_t queue = at.queues + (uint64_t)q * WG_STATE;
        uint peak = wgc_last_peak(queue);
        wgc::StoreCoherent<uint>(queue + WG_QUEUE_PREDICTED, peak);
        wgc::StoreCoherent<uint>(queue, 0u);
        wgc::StoreCoherent<uint>(queue + WG_QUEUE_RETURNED, 0u);
        wgc::StoreCoherent<uint64_t>(queue + WG_QUEUE_PASSED, 0u);
        wgc::StoreCoherent<uint64_t>(queue + WG_QUEUE_ENTRIES, 0u);
    }
    for (uint s = thread; s < header.spill_count; s += WG_PREP_THREADS)
    {
        wgc::StoreCoherent<uint>(at.queues + (uint64_t)(header.queue_count + s) * WG_STATE, 0u);
    }
    for (uint i = thread; i < header.instance_count; i += WG_PREP_THREADS)
    {
        uint64_t instance = at.instances + (uint64_t)i * WG_STATE;
        wgc::StoreCoherent<uint64_t>(instance, 0u);
        wgc::StoreCoherent<uint>(instance + WG_INSTANCE_LISTED, 0u);
    }
}

// Computes the workgroups and emitters of an instance in a stage, for at most `records` records.
void wgc_prep_instance(WgAddresses at, WgSettings settings, WgTableHeader header, uint stage, uint instance,
                       uint64_t records)
{
    WgInstanceRow row =
        wgc::Load<WgInstanceRow>(at.tables + header.instances + (uint64_t)instance * WG_INSTANCE_ROW);
    uint64_t groups = records * row.grid_groups;
    if (row.launch == WG_LAUNCH_THREAD || row.launch == WG_LAUNCH_COALESCING)
    {
        groups = wgc_ceil_div64(records, row.unit);
    }
    uint64_t emitters = groups;
    if (row.launch == WG_LAUNCH_THREAD)
    {
        emitters = records;
    }
    uint most = stage == header.mesh_stage ? WG_MESH_GROUPS : WG_MAX_GROUPS;
    if (groups > (uint64_t)most)
    {
        // Dynamic grids are checked when they are launched, because the real grids decide. Draws are checked here, with the largest
        // grids, because their limit is low.
        if (row.launch != WG_LAUNCH_DYNAMIC || stage == header.mesh_stage)
        {
            wgc_prep_report(at, WG_ERROR_GROUPS, instance);
        }
        groups = most;
    }
    wgc_set_arguments(at, instance, 0u);

    WgInstanceState state = (WgInstanceState)0;
    state.queue = row.queue;
    state.launch = row.launch;
    state.unit = row.unit;
    state.grid_groups = row.grid_groups;
    // In a joint dispatch, the kernel joint launches it.
    state.follows = row.joint != 0u ? 0u : 1u;
    state.prefix_slots = header.page_bytes / 8u;
    state.first_output = row.first_output;
    state.remaining_levels = row.remaining_levels;
    state.emitters = wgc_saturate(emitters);
    state.window_groups = most;
    wgc::StoreCoherent<WgInstanceState>(at.instances + (uint64_t)instance * WG_STATE + WG_STATE_FIELDS, state);
}

// Returns the most records that the producers of some edges may append.
uint64_t wgc_prep_edges(WgAddresses at, WgTableHeader header, uint first, uint count)
{
    uint64_t records = 0u;
    for (uint e = 0u; e < count; e++)
    {
        WgEdgeRow edge = wgc::Load<WgEdgeRow>(at.tables + header.edges + (uint64_t)(first + e) * WG_EDGE_ROW);
        uint64_t emitters = wgc::LoadCoherent<uint64_t>(at.instances + (uint64_t)edge.instance * WG_STATE
                                                        + WG_INSTANCE_EMITTERS);
        records = wgc_saturate(records + wgc_saturate(emitters * edge.max_records));
    }
    return records;
}

// Returns the pages for a number of records.
uint64_t wgc_prep_pages(WgQueueRow row, uint64_t records)
{
    return row.slots == 0u ? (uint64_t)0u : wgc_ceil_div64(records, row.slots);
}

// Computes the most records of a queue, and from them the most emitters of its consumers.
void wgc_prep_queue(WgAddresses at, WgSettings settings, WgTableHeader header, uint queue)
{
    WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
    uint64_t queue_state = at.queues + (uint64_t)queue * WG_STATE;
    uint64_t entries = wgc::LoadCoherent<uint64_t>(queue_state + WG_QUEUE_ENTRIES);
    uint64_t records =
        wgc_saturate(wgc_saturate(entries) + wgc_prep_edges(at, header, row.first_edge, row.edge_count));
    uint64_t limit = WG_MAX_RECORDS;
    if (row.dynamic_count != 0u)
    {
        limit = WG_MAX_DYNAMIC_RECORDS;
    }
    if (records > limit)
    {
        wgc_prep_report(at, WG_ERROR_RECORDS, row.first_instance);
        records = limit;
    }

    uint64_t prefix_pages = 0u;
    if (row.dynamic_count != 0u)
    {
        prefix_pages = wgc_ceil_div64(records, header.page_bytes / 8u);
    }
    WgQueueState state = (WgQueueState)0;
    state.capacity = (uint)records;
    state.page_count = (uint)wgc_prep_pages(row, records);
    state.prefix_pages = (uint)prefix_pages;
    state.first_instance = row.first_instance;
    state.instance_count = row.instance_count;
    state.dynamic_count = row.dynamic_count;
    state.trailer = row.trailer;
    state.entries = entries;
    state.direct = state.capacity;
    state.spill = row.spill == WG_ABSENT ? WG_ABSENT : header.queue_count + row.spill;
    state.member = row.member;
    state.predicted = wgc::LoadCoherent<uint>(queue_state + WG_QUEUE_PREDICTED);
    wgc::StoreCoherent<WgQueueState>(queue_state + WG_STATE_FIELDS, state);
    for (uint i = 0u; i < row.instance_count; i++)
    {
        wgc_prep_instance(at, settings, header, row.stage, row.first_instance + i, records);
    }
}

// Computes the most records that a spill can receive: each budget counts once.
void wgc_prep_spill(WgAddresses at, WgSettings settings, WgTableHeader header, uint number)
{
    WgSpillRow row = wgc::Load<WgSpillRow>(at.tables + header.spills + (uint64_t)number * WG_SPILL_ROW);
    uint64_t records = wgc_prep_edges(at, header, row.first_edge, row.edge_count);
    WgSpillState state = (WgSpillState)0;
    state.stride = row.stride;
    state.slots = row.slots;
    state.index_slots = header.page_bytes / 4u;
    state.arguments = header.instance_count + 1u + number;
    uint64_t limit = WG_MAX_RECORDS;
    state.capacity = (uint)min(records, limit);
    state.page_count = wgc_ceil_div(state.capacity, state.slots);
    state.index_pages = wgc_ceil_div(state.capacity, state.index_slots);
    if (records > limit)
    {
        // No arena has so many pages, so every record must be direct.
        state.page_count = 0xffffffffu;
    }
    wgc_set_arguments(at, state.arguments, 0u);
    wgc::StoreCoherent<WgSpillState>(at.queues + (uint64_t)(header.queue_count + number) * WG_STATE + WG_STATE_FIELDS,
                                     state);
}

// Numbers of pages for the decision how to divide the arena.
struct WgShares
{
    // With every record direct.
    uint64_t all;
    // With all spills, and direct parts for entry records only.
    uint64_t tight;
    // For larger direct parts than that, as the previous dispatch needed them.
    uint64_t wish;
    // Pages that remain for the direct parts, and the excess for each beyond all wishes.
    uint64_t left;
    uint64_t extra;
};

// Pages of a member's direct part: here for its entry records, below for the number of the previous dispatch.
uint wgc_prep_entry_pages(WgQueueRow row, WgQueueState state)
{
    return (uint)wgc_prep_pages(row, min(state.entries, (uint64_t)state.capacity));
}

uint wgc_prep_wish(WgQueueRow row, WgQueueState state)
{
    uint64_t wanted = (uint64_t)state.predicted + state.predicted / 4u;
    return (uint)wgc_prep_pages(row, min(max(wanted, state.entries), (uint64_t)state.capacity));
}

uint64_t wgc_prep_spill_pages(WgSpillState state)
{
    return (uint64_t)state.page_count + state.index_pages;
}

WgSpillState wgc_prep_spill_state(WgAddresses at, uint item)
{
    return wgc::LoadCoherent<WgSpillState>(at.queues + (uint64_t)item * WG_STATE + WG_STATE_FIELDS);
}

WgQueueState wgc_prep_queue_state(WgAddresses at, uint queue)
{
    return wgc::LoadCoherent<WgQueueState>(at.queues + (uint64_t)queue * WG_STATE + WG_STATE_FIELDS);
}

WgQueueRow wgc_prep_row(WgAddresses at, WgTableHeader header, uint queue)
{
    return wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
}

// Sums the pages for the queues and spills [first, last). The numbers of the spills follow those of the queues.
WgShares wgc_prep_sum(WgAddresses at, WgTableHeader header, uint first, uint last)
{
    WgShares sum = (WgShares)0;
    for (uint q = first; q < last; q++)
    {
        if (q >= header.queue_count)
        {
            sum.tight += wgc_prep_spill_pages(wgc_prep_spill_state(at, q));
        }
        else
        {
            WgQueueState state = wgc_prep_queue_state(at, q);
            uint64_t prefixes = (uint64_t)state.prefix_pages * state.dynamic_count;
            sum.all += prefixes + state.page_count;
            uint tight = state.page_count;
            if (state.spill != WG_ABSENT)
            {
                WgQueueRow row = wgc_prep_row(at, header, q);
                tight = wgc_prep_entry_pages(row, state);
                sum.wish += wgc_prep_wish(row, state) - tight;
            }
            sum.tight += prefixes + tight;
        }
    }
    return sum;
}

// Sums the shares of all threads. Every thread calls it and gets the same result. The caller must add a barrier before it writes the
// summed data.
WgShares wgc_prep_together(uint thread, WgShares own)
{
    wg_prep_pages[thread] = own.all;
    wg_prep_tight[thread] = own.tight;
    wg_prep_wish[thread] = own.wish;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = WG_PREP_THREADS / 2u; step != 0u; step /= 2u)
    {
        if (thread < step)
        {
            wg_prep_pages[thread] += wg_prep_pages[thread + step];
            wg_prep_tight[thread] += wg_prep_tight[thread + step];
            wg_prep_wish[thread] += wg_prep_wish[thread + step];
        }
        GroupMemoryBarrierWithGroupSync();
    }
    WgShares all = (WgShares)0;
    all.all = wg_prep_pages[0];
    all.tight = wg_prep_tight[0];
    all.wish = wg_prep_wish[0];
    return all;
}

// Sizes the direct part of a queue that has a spill. Returns its pages.
uint wgc_prep_direct(WgAddresses at, WgTableHeader header, WgShares shares, uint queue, WgQueueState state)
{
    WgQueueRow row = wgc_prep_row(at, header, queue);
    uint64_t pages = wgc_prep_entry_pages(row, state);
    uint64_t wish = wgc_prep_wish(row, state) - pages;
    if (shares.wish == 0u)
    {
        wish = 0u;
    }
    else if (shares.wish > shares.left)
    {
        wish = wish * shares.left / shares.wish;
    }
    pages = min(pages + wish + shares.extra, (uint64_t)state.page_count);
    state.page_count = (uint)pages;
    state.direct = (uint)min(pages * row.slots, (uint64_t)state.capacity);
    wgc::StoreCoherent<WgQueueState>(at.queues + (uint64_t)queue * WG_STATE + WG_STATE_FIELDS, state);
    return state.page_count;
}

// Sizes the queues and spills [first, last). Returns their pages.
uint64_t wgc_prep_share(WgAddresses at, WgTableHeader header, WgShares shares, bool all, uint first, uint last)
{
    uint64_t sum = 0u;
    for (uint q = first; q < last; q++)
    {
        if (q >= header.queue_count)
        {
            WgSpillState spill = wgc_prep_spill_state(at, q);
            if (all)
            {
                spill.capacity = 0u;
                spill.page_count = 0u;
                spill.index_pages = 0u;
                wgc::StoreCoherent<WgSpillState>(at.queues + (uint64_t)q * WG_STATE + WG_STATE_FIELDS, spill);
            }
            sum += wgc_prep_spill_pages(spill);
        }
        else
        {
            WgQueueState state = wgc_prep_queue_state(at, q);
            uint64_t pages = state.page_count;
            if (!all && state.spill != WG_ABSENT)
            {
                pages = wgc_prep_direct(at, header, shares, q, state);
            }
            sum += pages + (uint64_t)state.prefix_pages * state.dynamic_count;
        }
    }
    return sum;
}

// The address of a page of the arena.
uint64_t wgc_prep_page(WgSettings settings, WgTableHeader header, uint page)
{
    uint chunk = page / settings.chunk_pages;
    return wgc::Load<uint64_t>(wg_push.context + WG_CHUNKS + (uint64_t)chunk * 8u)
           + (uint64_t)(page - chunk * settings.chunk_pages) * header.page_bytes;
}

// The address of the first of some pages, if all are in one chunk, else 0.
uint64_t wgc_prep_linear(WgSettings settings, WgTableHeader header, uint page, uint count)
{
    bool whole = count != 0u && page / settings.chunk_pages == (page + count - 1u) / settings.chunk_pages;
    return whole ? wgc_prep_page(settings, header, page) : (uint64_t)0u;
}

// Assigns pages from `page` on to the queues and spills [first, last).
void wgc_prep_place(WgAddresses at, WgSettings settings, WgTableHeader header, uint first, uint last, uint page)
{
    for (uint q = first; q < last; q++)
    {
        uint64_t address = at.queues + (uint64_t)q * WG_STATE + WG_STATE_FIELDS;
        if (q >= header.queue_count)
        {
            WgSpillState spill = wgc_prep_spill_state(at, q);
            spill.first_page = page;
            spill.index_page = page + spill.page_count;
            page += (uint)wgc_prep_spill_pages(spill);
            wgc::StoreCoherent<WgSpillState>(address, spill);
        }
        else
        {
            WgQueueState state = wgc_prep_queue_state(at, q);
            state.first_page = page;
            wgc::StoreCoherent<WgQueueState>(address, state);
            wgc::StoreCoherent<uint64_t>(at.queues + (uint64_t)q * WG_STATE + WG_STATE_LINEAR,
                                         wgc_prep_linear(settings, header, page, state.page_count));
            page += state.page_count;
            for (uint i = 0u; i < state.instance_count; i++)
            {
                uint64_t instance = at.instances + (uint64_t)(state.first_instance + i) * WG_STATE;
                WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(instance + WG_STATE_FIELDS);
                if (consumer.launch == WG_LAUNCH_DYNAMIC)
                {
                    consumer.prefix_page = page;
                    wgc::StoreCoherent<WgInstanceState>(instance + WG_STATE_FIELDS, consumer);
                    wgc::StoreCoherent<uint64_t>(instance + WG_STATE_LINEAR,
                                                 wgc_prep_linear(settings, header, page, state.prefix_pages));
                    page += state.prefix_pages;
                }
            }
        }
    }
}

void wgc_prep_close(WgAddresses at, uint first, uint last)
{
    for (uint q = first; q < last; q++)
    {
        wgc::StoreCoherent<uint>(at.queues + (uint64_t)q * WG_STATE + WG_STATE_FIELDS, 0u);
    }
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_prep(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgSettings settings = wgc::Load<WgSettings>(wg_push.context + WG_SETTINGS);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);

    wgc_prep_reset(at, settings, header, thread);
    AllMemoryBarrierWithGroupSync();

    for (uint s = thread; s < settings.span_count; s += WG_PREP_THREADS)
    {
        WgSpan span = wgc::Load<WgSpan>(at.spans + (uint64_t)s * WG_SPAN);
        uint64_t entries = at.queues + (uint64_t)span.queue * WG_STATE + WG_QUEUE_ENTRIES;
        // Adds in two words with a carry: graphs without dynamic grids also run on devices without 64-bit atomics.
        uint old = wgc::AtomicAdd(entries, span.count);
        if (old + span.count < old)
        {
            wgc::AtomicAdd(entries + 4u, 1u);
        }
    }
    AllMemoryBarrierWithGroupSync();

    for (uint stage = 0u; stage < header.stage_count; stage++)
    {
        WgStageRow row = wgc::Load<WgStageRow>(at.tables + header.stages + (uint64_t)stage * WG_STAGE_ROW);
        for (uint q = thread; q < row.queue_count; q += WG_PREP_THREADS)
        {
            wgc_prep_queue(at, settings, header, row.first_queue + q);
        }
        AllMemoryBarrierWithGroupSync();
    }

    for (uint s = thread; s < header.spill_count; s += WG_PREP_THREADS)
    {
        wgc_prep_spill(at, settings, header, s);
    }
    AllMemoryBarrierWithGroupSync();

    // Each thread processes consecutive queues and spills, which follow those of the previous thread.
    uint items = header.queue_count + header.spill_count;
    uint run = wgc_ceil_div(items, WG_PREP_THREADS);
    uint first = min(thread * run, items);
    uint last = min(first + run, items);
    WgShares shares = wgc_prep_together(thread, wgc_prep_sum(at, header, first, last));
    bool direct = settings.direct != WG_DIRECT_NONE;
    uint64_t needed = direct ? min(shares.all, shares.tight) : shares.tight;
    if (thread == 0u)
    {
        wgc::StoreCoherent<uint64_t>(at.status + WG_STATUS_PAGES_NEEDED, needed);
        if (needed > (uint64_t)settings.page_count)
        {
            wgc_prep_report(at, WG_ERROR_ARENA, 0u);
        }
    }
    AllMemoryBarrierWithGroupSync();

    if (wgc::LoadCoherent<uint>(at.status + WG_STATUS_ERROR_COUNT) != 0u)
    {
        wgc_prep_close(at, first, last);
        if (thread == 0u)
        {
            wgc::StoreCoherent<uint>(at.status + WG_STATUS_STATE, WG_STATE_ERROR);
        }
        return;
    }
    bool all = direct && shares.all <= (uint64_t)settings.page_count;
    if (!direct)
    {
        shares.wish = 0u;
    }
    else if (!all)
    {
        shares.left = settings.page_count - shares.tight;
        shares.extra = (shares.left - min(shares.left, shares.wish)) / header.member_count;
    }
    uint64_t own = wgc_prep_share(at, header, shares, all, first, last);
    wg_prep_pages[thread] = own;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1u; step < WG_PREP_THREADS; step *= 2u)
    {
        uint64_t below = 0u;
        if (thread >= step)
        {
            below = wg_prep_pages[thread - step];
        }
        GroupMemoryBarrierWithGroupSync();
        wg_prep_pages[thread] += below;
        GroupMemoryBarrierWithGroupSync();
    }
    wgc_prep_place(at, settings, header, first, last, (uint)(wg_prep_pages[thread] - own));
    uint used = (uint)wg_prep_pages[WG_PREP_THREADS - 1u];
    for (uint page = thread; page < used; page += WG_PREP_THREADS)
    {
        wgc::Store<uint64_t>(at.pages + (uint64_t)page * 8u, wgc_prep_page(settings, header, page));
    }
    if (thread == 0u)
    {
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_STATE, WG_STATE_READY);
    }
}
