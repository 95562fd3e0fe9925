// The kernel sched, for scheduled runs, whose worst case does not fit the arena: one workgroup, before every segment.
//
// A segment consists of consecutive stages. Only the first, its head, receives records from outside. The records that a workgroup
// of the head, and all workgroups that it leads to, may append are bounded. So this kernel runs only before the head. After it,
// appending launches the consumers.
//
// A sweep goes over the segments once, from the deepest with records on. Before a segment, this kernel frees the unused pages of
// the previous one. It admits the workgroups of the head that have room for all records they lead to, and assigns pages. The
// other workgroups wait for a later sweep. If three quarters of the free pages are not enough for all workgroups of a head, or for
// the entry records, it gets half. If the arena were full of records for one head, later heads could run only one workgroup a sweep.
// `WgStageRow::reserve` pages stay free for later segments, so the deepest one with records can always launch a workgroup. Entry
// records are accepted only when no other records are left. Nothing is appended to a partly consumed queue.

// ---- opening

// Returns the most pages of the page table that a queue, or one of its prefixes, can use in an arena of `most_pages`.
uint64_t wgc_sched_most(uint most_pages, uint max_records, uint slots)
{
    return min(wgc_sched_pages(max_records, slots), (uint64_t)most_pages);
}

// Begins a dispatch: all queues are empty, all pages are free.
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
        state.prefix_slots = header.page_bytes / 8u;
        state.first_output = row.first_output;
        state.remaining_levels = row.remaining_levels;
        uint64_t instance = wgc_sched_instance(at, i);
        wgc::StoreCoherent<uint64_t>(instance, 0u);
        wgc::StoreCoherent<uint64_t>(instance + WG_INSTANCE_CURSOR, 0u);
        wgc::StoreCoherent<uint>(instance + WG_INSTANCE_LISTED, 0u);
        // Pages are not contiguous in a scheduled run.
        wgc::StoreCoherent<uint64_t>(instance + WG_STATE_LINEAR, 0u);
        wgc::StoreCoherent<WgInstanceState>(instance + WG_STATE_FIELDS, state);
    }
    // The arguments of inject, and those of scatter by spill, follow those of the instances.
    for (uint a = thread; a <= header.instance_count + header.spill_count; a += WG_SCHED_THREADS)
    {
        wgc::Store<WgArguments>(at.arguments + (uint64_t)a * WG_ARGUMENTS, (WgArguments)0);
    }
    for (uint page = thread; page < settings.page_count; page += WG_SCHED_THREADS)
    {
        wgc::StoreCoherent<uint64_t>(settings.free + (uint64_t)page * 8u, wgc_prep_page(settings, header, page));
    }
    AllMemoryBarrierWithGroupSync();
    // The ranges of the page table are in the order of the queues. One thread is fast enough.
    if (thread == 0u)
    {
        uint most_pages = wgc::Load<uint>(wg_push.context + WG_MOST_PAGES);
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
            state.spill = row.spill == WG_ABSENT ? WG_ABSENT : header.queue_count + row.spill;
            state.member = row.member;
            state.predicted = wgc_last_peak(wgc_sched_queue(at, q));
            page += wgc_sched_most(most_pages, row.max_records, row.slots);
            for (uint i = 0u; i < row.instance_count; i++)
            {
                uint64_t address = wgc_sched_instance(at, row.first_instance + i) + WG_STATE_FIELDS;
                WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(address);
                if (consumer.launch == WG_LAUNCH_DYNAMIC)
                {
                    consumer.prefix_page = (uint)page;
                    wgc::StoreCoherent<WgInstanceState>(address, consumer);
                    page += wgc_sched_most(most_pages, row.max_records, header.page_bytes / 8u);
                }
            }
            uint64_t queue = wgc_sched_queue(at, q);
            wgc::StoreCoherent<uint>(queue, 0u);
            wgc::StoreCoherent<uint>(queue + WG_QUEUE_RETURNED, 0u);
            wgc::StoreCoherent<uint64_t>(queue + WG_QUEUE_PASSED, 0u);
            wgc::StoreCoherent<uint64_t>(queue + WG_STATE_LINEAR, 0u);
            wgc::StoreCoherent<WgQueueState>(queue + WG_STATE_FIELDS, state);
        }
        for (uint spill = 0u; spill < header.spill_count; spill++)
        {
            WgSpillRow row = wgc_sched_spill_row(at, header, spill);
            WgSpillState state = (WgSpillState)0;
            state.stride = row.stride;
            state.slots = row.slots;
            state.index_slots = header.page_bytes / 4u;
            state.arguments = header.instance_count + 1u + spill;
            state.first_page = (uint)page;
            page += wgc_sched_most(most_pages, WG_MAX_RECORDS, state.slots);
            state.index_page = (uint)page;
            page += wgc_sched_most(most_pages, WG_MAX_RECORDS, state.index_slots);
            uint64_t address = wgc_sched_spill(at, header, spill);
            wgc::StoreCoherent<uint>(address, 0u);
            wgc::StoreCoherent<WgSpillState>(address + WG_STATE_FIELDS, state);
        }
        WgStatus status = (WgStatus)0;
        status.magic = WG_STATUS_MAGIC;
        status.dispatch_id = settings.dispatch_id;
        status.pages_needed = header.min_pages;
        status.pages_free = settings.page_count;
        status.pages_least = settings.page_count;
        status.pages = settings.page_count;
        bool fits = settings.page_count >= header.min_pages;
        status.state = fits ? WG_STATE_PENDING : WG_STATE_ERROR;
        wgc::StoreCoherent<WgStatus>(at.status, status);
        if (!fits)
        {
            wgc_report_of(at.status, WG_ERROR_ARENA, 0u, 0u);
        }
    }
}

// Adds the pages of chunks that the host added while the dispatch waited. Every thread calls it. A barrier must follow before
// pages are assigned.
void wgc_sched_grow(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    uint known = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES);
    if (settings.page_count <= known)
    {
        return;
    }
    uint free = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_FREE);
    for (uint page = known + thread; page < settings.page_count; page += WG_SCHED_THREADS)
    {
        uint64_t place = settings.free + (uint64_t)(free + page - known) * 8u;
        wgc::StoreCoherent<uint64_t>(place, wgc_prep_page(settings, header, page));
    }
    // All threads have read the old number.
    AllMemoryBarrierWithGroupSync();
    if (thread == 0u)
    {
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_PAGES_FREE, free + settings.page_count - known);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_PAGES, settings.page_count);
    }
}

// ---- entry records

// Returns the records of a span that the threads [first, first + count) append.
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

// Returns the pages for the entry records of the threads [first, first + count). All queues are empty.
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
            // Each span is rounded up, also if several have one queue: this never gives too few pages.
            WgQueueRow row = wgc_sched_queue_row(at, header, span.queue);
            own.pages += wgc_sched_pages(records, row.slots)
                         + wgc_sched_pages(records, header.page_bytes / 8u) * row.dynamic_count;
            // All these threads may append to one queue.
            own.over = max(own.over, row.slots != 0u && count > row.max_records ? (uint64_t)1u : (uint64_t)0u);
        }
    }
    return wgc_sched_together(thread, own);
}

// Accepts as many entry records as there is room for.
void wgc_sched_enter(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    uint first = wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_FIRST)
                 + wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_COUNT);
    uint left = settings.span_threads - first;
    // The other pages stay free, since the stages need them for their own records.
    uint64_t available = settings.page_count - (header.min_pages - header.entry_pages);
    // The rule is that of wgc_sched_admit.
    uint64_t room = max(available - available / 4u, (uint64_t)header.entry_pages);
    uint least = min(left, 1u);
    uint most = settings.admit == WG_ADMIT_ONE ? least : left;
    while (least < most)
    {
        // Tries all of them first, which usually fit.
        uint middle = most == left ? most : least + (most - least) / 2u + ((most - least) & 1u);
        if (wgc_sched_fits(wgc_sched_entry_demand(at, settings, header, thread, first, middle), room))
        {
            least = middle;
        }
        else
        {
            room = max(available / 2u, (uint64_t)header.entry_pages);
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
            wgc_sched_resize(at, settings, header, q, records, records);
        }
    }
    wgc_sched_move_all(thread);
    if (thread == 0u)
    {
        wgc_sched_dispatch(at, settings.group_limit, header.instance_count, wgc_ceil_div(least, WG_THREAD_GROUP));
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_ENTRY_FIRST, first);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_ENTRY_COUNT, least);
    }
}

// ---- stages

// Launches scatter for a spill: once, when all its records are there.
void wgc_sched_scatter(WgAddresses at, WgSettings settings, WgTableHeader header, uint spill)
{
    uint64_t address = wgc_sched_spill(at, header, spill);
    WgSpillState state = wgc::LoadCoherent<WgSpillState>(address + WG_STATE_FIELDS);
    uint records = state.scattered == 0u ? wgc::LoadCoherent<uint>(address) : 0u;
    wgc_sched_dispatch(at, settings.group_limit, state.arguments, wgc_ceil_div(records, WG_SCATTER_RECORDS));
    if (records != 0u)
    {
        wgc::StoreCoherent<uint>(address + WG_SPILL_SCATTERED, 1u);
    }
}

void wgc_sched_stage(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint stage)
{
    WgStageRow row = wgc::Load<WgStageRow>(at.tables + header.stages + (uint64_t)stage * WG_STAGE_ROW);
    bool waits = stage < wgc::LoadCoherent<uint>(at.status + WG_STATUS_DEEPEST);
    WgStageRow last =
        wgc::Load<WgStageRow>(at.tables + header.stages + (uint64_t)(stage + row.segment - 1u) * WG_STAGE_ROW);
    for (uint i = 0u; i < row.instance_count; i++)
    {
        uint instance = row.first_instance + i;
        if (!waits)
        {
            wgc_sched_admit(at, settings, header, thread, instance, row, stage);
        }
        else if (thread == 0u)
        {
            wgc::Store<uint>(at.arguments + (uint64_t)instance * WG_ARGUMENTS, 0u);
        }
    }
    // The instances after the head follow the admission.
    uint end = last.first_instance + last.instance_count;
    for (uint f = row.first_instance + row.instance_count + thread; f < end; f += WG_SCHED_THREADS)
    {
        wgc_sched_follow(at, settings, header, f);
    }
    for (uint s = thread; s < row.spill_count; s += WG_SCHED_THREADS)
    {
        wgc_sched_scatter(at, settings, header, row.first_spill + s);
    }
    if (thread == 0u)
    {
        uint least = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_LEAST);
        uint free = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_FREE);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_PAGES_LEAST, min(least, free));
    }
}

// Stores the stage at which a sweep begins. `deepest` is its number plus 1; 0: there are no records.
void wgc_sched_deepest(WgAddresses at, uint deepest)
{
    wgc::StoreCoherent<uint>(at.status + WG_STATUS_DEEPEST, deepest == 0u ? 0u : deepest - 1u);
}

// Begins a sweep at the stage `deepest` - 1. If `deepest` is 0, it accepts entry records instead.
void wgc_sched_begin(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint deepest)
{
    wgc_sched_grow(at, settings, header, thread);
    if (deepest == 0u)
    {
        wgc_sched_enter(at, settings, header, thread);
    }
    else if (thread == 0u)
    {
        wgc::Store<uint>(at.arguments + (uint64_t)header.instance_count * WG_ARGUMENTS, 0u);
    }
    if (thread == 0u)
    {
        wgc_sched_deepest(at, deepest);
        wgc::AtomicAdd(at.status + WG_STATUS_SWEEPS, 1u);
        // Rejections of other dispatches in the meantime do not concern this dispatch.
        uint flags = wgc::LoadCoherent<uint>(at.status + WG_STATUS_FLAGS);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_FLAGS, flags & ~WG_FLAG_BUSY);
    }
}

// Clears all arguments, except those of the instances of the stage `kept`.
void wgc_sched_stop(WgAddresses at, WgTableHeader header, uint thread, uint kept)
{
    WgStageRow row = (WgStageRow)0;
    if (kept < header.stage_count)
    {
        row = wgc::Load<WgStageRow>(at.tables + header.stages + (uint64_t)kept * WG_STAGE_ROW);
    }
    for (uint a = thread; a <= header.instance_count + header.spill_count; a += WG_SCHED_THREADS)
    {
        if (a - row.first_instance >= row.instance_count)
        {
            wgc::Store<uint>(at.arguments + (uint64_t)a * WG_ARGUMENTS, 0u);
        }
    }
}

// Ends the dispatch: sweeps that are recorded after this one launch nothing.
void wgc_sched_close(WgAddresses at, WgTableHeader header, uint thread, uint kept)
{
    wgc_sched_stop(at, header, thread, kept);
    if (thread == 0u)
    {
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_STATE, WG_STATE_READY);
    }
}

// Returns true if a dispatch is pending: this one, whose commands were submitted again, or another.
bool wgc_sched_waits(WgAddresses at)
{
    return wgc::LoadCoherent<uint>(at.status) == WG_STATUS_MAGIC
           && wgc::LoadCoherent<uint>(at.status + WG_STATUS_STATE) == WG_STATE_PENDING;
}

// Rejects a dispatch that begins before another one has ended: it launches nothing.
void wgc_sched_refuse(WgAddresses at, WgTableHeader header, uint thread)
{
    wgc_sched_stop(at, header, thread, WG_ABSENT);
    if (thread == 0u)
    {
        wgc::AtomicOr(at.status + WG_STATUS_FLAGS, WG_FLAG_BUSY);
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
    // Gather reads the inputs afterwards. Until then there is nothing else to do.
    bool opens_alone = stage == WG_SCHED_OPEN_COUNTED;
    if (wgc_sched_waits(at))
    {
        if (wgc::LoadCoherent<uint>(at.status + WG_STATUS_DISPATCH_ID) != settings.dispatch_id)
        {
            wgc_sched_refuse(at, header, thread);
            return;
        }
    }
    else if (stage == WG_SCHED_OPEN || opens_alone)
    {
        wgc_sched_open(at, settings, header, thread);
        AllMemoryBarrierWithGroupSync();
    }
    if (opens_alone || wgc::LoadCoherent<uint>(at.status + WG_STATUS_STATE) != WG_STATE_PENDING)
    {
        if (stage == WG_SCHED_BEGIN)
        {
            // Clears the arguments that the previous sweep left for its draws.
            wgc_sched_stop(at, header, thread, WG_ABSENT);
        }
        return;
    }
    // The workgroups of mesh nodes are drawn after the end of a sweep.
    uint kept = stage == WG_SCHED_END ? header.mesh_stage : WG_ABSENT;
    uint deepest = wgc_sched_settle_all(at, settings, header, thread, kept);
    if (stage < WG_SCHED_OPEN)
    {
        wgc_sched_stage(at, settings, header, thread, stage);
        return;
    }
    // Between two sweeps.
    uint entered = wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_FIRST)
                   + wgc::LoadCoherent<uint>(at.status + WG_STATUS_ENTRY_COUNT);
    if (deepest == 0u && entered == settings.span_threads)
    {
        wgc_sched_close(at, header, thread, kept);
    }
    else if (stage != WG_SCHED_END)
    {
        wgc_sched_begin(at, settings, header, thread, deepest);
    }
    else if (thread == 0u)
    {
        wgc_sched_deepest(at, deepest);
    }
}
