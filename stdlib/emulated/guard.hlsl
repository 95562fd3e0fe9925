// The kernel guard: finds shaders that write outside of their records. It runs as one workgroup after every launch.
//
// In packages with guards, a guard word follows each record, and the host fills the arena with WG_POISON before a dispatch.
// This kernel checks that the guards of new records still have the fill value, and gives each a mark of its own. The guards of
// older records must still have their marks. Freed pages are filled again. So the kernel detects writes after the end of a
// record, and records in pages that no longer belong to their queue.
//
// Push constant `instance` is the instance that ran last: the one to blame for a write after a record. So launches run one after
// the other. After the list of free pages there is one word for each page of the arena: not 0 if the page was used since it was
// filled.

static const uint WG_GUARD_THREADS = 128u;
// The first byte distinguishes marks from WG_POISON, and from most other values.
static const uint WG_GUARD_MARK = 0xa5u;

uint wgc_guard_mark(uint queue, uint rank)
{
    return (WG_GUARD_MARK << 24u) | ((queue * 2654435761u + rank * 2246822519u) >> 8u);
}

// Returns the number in the arena of the page at an address, or WG_ABSENT if there is none.
uint wgc_guard_page(WgSettings settings, uint page_bytes, uint64_t address)
{
    uint chunks = wgc_ceil_div(settings.page_count, settings.chunk_pages);
    for (uint chunk = 0u; chunk < chunks; chunk++)
    {
        uint64_t base = wgc::Load<uint64_t>(wg_push.context + WG_CHUNKS + (uint64_t)chunk * 8u);
        if (address >= base && address - base < (uint64_t)settings.chunk_pages * page_bytes)
        {
            return chunk * settings.chunk_pages + (uint)((address - base) / page_bytes);
        }
    }
    return WG_ABSENT;
}

uint64_t wgc_guard_shadow(WgSettings settings, uint page)
{
    uint most_pages = wgc::Load<uint>(wg_push.context + WG_MOST_PAGES);
    return settings.free + (uint64_t)most_pages * 8u + (uint64_t)page * 4u;
}

// ---- records

// Checks the guard of one record. `fresh`: it was not checked before.
void wgc_guard_record(WgAddresses at, WgQueueRow row, uint queue, uint rank, uint64_t record, bool fresh)
{
    // The guard follows whole words, and the tracking word if there is one.
    uint offset = row.trailer == WG_ABSENT ? wgc_ceil_div(row.record_bytes, 4u) * 4u : row.trailer + 4u;
    uint mark = wgc_guard_mark(queue, rank);
    uint guard = wgc::LoadCoherent<uint>(record + offset);
    uint wanted = fresh ? WG_POISON : mark;
    if (guard == wanted)
    {
        if (fresh)
        {
            wgc::StoreCoherent<uint>(record + offset, mark);
        }
    }
    else if (!fresh && (guard == WG_POISON || (guard >> 24u) == WG_GUARD_MARK))
    {
        wgc_report_of(at.status, WG_ERROR_STALE, row.first_instance, queue);
    }
    else
    {
        uint instance = wg_push.instance == WG_ABSENT ? row.first_instance : wg_push.instance;
        wgc_report_of(at.status, WG_ERROR_OVERRUN, instance, queue);
        // The mark prevents a second report.
        wgc::StoreCoherent<uint>(record + offset, mark);
    }
}

// Checks the direct records of a queue.
void wgc_guard_queue(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint queue)
{
    uint64_t address = at.queues + (uint64_t)queue * WG_STATE;
    WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
    WgQueueState state = wgc::LoadCoherent<WgQueueState>(address + WG_STATE_FIELDS);
    uint records = min(wgc::LoadCoherent<uint>(address), state.capacity);
    // A queue that was emptied has no records between two launches.
    uint seen = min(wgc::LoadCoherent<uint>(address + WG_GUARDED), records);
    uint direct = row.slots == 0u ? 0u : min(records, state.direct);
    // Records in pages that were freed are consumed.
    uint first = wgc::LoadCoherent<uint>(address + WG_QUEUE_RETURNED) * row.slots;
    for (uint rank = first + thread; rank < direct; rank += WG_GUARD_THREADS)
    {
        uint page = rank / row.slots;
        uint64_t base = wgc::LoadCoherent<uint64_t>(at.pages + (uint64_t)(state.first_page + page) * 8u);
        if (wgc_guard_page(settings, header.page_bytes, base) == WG_ABSENT)
        {
            wgc_report_of(at.status, WG_ERROR_STALE, row.first_instance, queue);
        }
        else
        {
            uint64_t record = base + (uint64_t)((rank - page * row.slots) * row.stride);
            wgc_guard_record(at, row, queue, rank, record, rank >= seen);
        }
    }
}

// Checks the records in a spill.
void wgc_guard_spill(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint spill)
{
    uint64_t address = at.queues + (uint64_t)(header.queue_count + spill) * WG_STATE;
    WgSpillRow spill_row = wgc::Load<WgSpillRow>(at.tables + header.spills + (uint64_t)spill * WG_SPILL_ROW);
    WgSpillState state = wgc::LoadCoherent<WgSpillState>(address + WG_STATE_FIELDS);
    uint filled = min(wgc::LoadCoherent<uint>(address), state.capacity);
    uint seen = min(wgc::LoadCoherent<uint>(address + WG_GUARDED), filled);
    for (uint slot = thread; slot < filled; slot += WG_GUARD_THREADS)
    {
        uint page = slot / spill_row.slots;
        uint64_t base = wgc::LoadCoherent<uint64_t>(at.pages + (uint64_t)(state.first_page + page) * 8u);
        if (wgc_guard_page(settings, header.page_bytes, base) != WG_ABSENT)
        {
            uint64_t place = base + (uint64_t)((slot - page * spill_row.slots) * spill_row.stride);
            WgSpillHeader entry = wgc::Load<WgSpillHeader>(place);
            // Records that exceed the limits of a shader have slots that were never written.
            if (entry.member < spill_row.member_count)
            {
                uint queue = wgc::Load<uint>(at.tables + header.members
                                             + (uint64_t)(spill_row.first_member + entry.member) * 4u);
                WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
                wgc_guard_record(at, row, queue, slot, place + WG_SPILL_HEADER, slot >= seen);
            }
        }
    }
}

// ---- pages

// Fills a page if it was used.
void wgc_guard_refill(WgSettings settings, WgTableHeader header, uint64_t address, uint page)
{
    if (page != WG_ABSENT && wgc::LoadCoherent<uint>(wgc_guard_shadow(settings, page)) != 0u)
    {
        for (uint word = 0u; word < header.page_bytes; word += 4u)
        {
            wgc::StoreCoherent<uint>(address + word, WG_POISON);
        }
        wgc::StoreCoherent<uint>(wgc_guard_shadow(settings, page), 0u);
    }
}

// Marks the pages of a range of the page table that hold `items` as used. The other pages may have belonged to another queue until the
// last launch, so they are filled like free pages.
void wgc_guard_given(WgAddresses at, WgSettings settings, WgTableHeader header, uint first, uint count, uint items,
                     uint slots)
{
    uint held = slots == 0u ? 0u : wgc_ceil_div(items, slots);
    for (uint entry = 0u; entry < count; entry++)
    {
        uint64_t address = wgc::LoadCoherent<uint64_t>(at.pages + (uint64_t)(first + entry) * 8u);
        uint page = wgc_guard_page(settings, header.page_bytes, address);
        if (entry >= held)
        {
            wgc_guard_refill(settings, header, address, page);
        }
        else if (page != WG_ABSENT)
        {
            wgc::StoreCoherent<uint>(wgc_guard_shadow(settings, page), 1u);
        }
    }
}

// Processes all ranges of the page table that have pages.
void wgc_guard_runs(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    for (uint q = thread; q < header.queue_count; q += WG_GUARD_THREADS)
    {
        uint64_t queue = at.queues + (uint64_t)q * WG_STATE;
        WgQueueState state = wgc::LoadCoherent<WgQueueState>(queue + WG_STATE_FIELDS);
        WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)q * WG_QUEUE_ROW);
        uint records = min(wgc::LoadCoherent<uint>(queue), state.direct);
        uint gone = wgc::LoadCoherent<uint>(queue + WG_QUEUE_RETURNED);
        wgc_guard_given(at, settings, header, state.first_page + gone, state.page_count - gone,
                        records - gone * row.slots, row.slots);
        for (uint i = 0u; i < state.instance_count; i++)
        {
            uint64_t instance = at.instances + (uint64_t)(state.first_instance + i) * WG_STATE;
            WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(instance + WG_STATE_FIELDS);
            if (consumer.launch == WG_LAUNCH_DYNAMIC)
            {
                uint entries = (uint)(wgc::LoadCoherent<uint64_t>(instance) >> WG_PREFIX_GROUP_BITS);
                // The kernel scan has not processed all of them yet.
                entries = max(entries, wgc::LoadCoherent<uint>(instance + WG_INSTANCE_LISTED));
                wgc_guard_given(at, settings, header, consumer.prefix_page, state.prefix_pages, entries,
                                consumer.prefix_slots);
            }
        }
    }
    for (uint s = thread; s < header.spill_count; s += WG_GUARD_THREADS)
    {
        uint64_t queue = at.queues + (uint64_t)(header.queue_count + s) * WG_STATE;
        WgSpillState spill = wgc::LoadCoherent<WgSpillState>(queue + WG_STATE_FIELDS);
        uint records = min(wgc::LoadCoherent<uint>(queue), spill.capacity);
        wgc_guard_given(at, settings, header, spill.first_page, spill.page_count, records, spill.slots);
        wgc_guard_given(at, settings, header, spill.index_page, spill.index_pages, records, spill.index_slots);
    }
}

// Fills the free pages that were used since they were last filled.
void wgc_guard_fill(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread)
{
    uint free = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_FREE);
    for (uint f = thread; f < free; f += WG_GUARD_THREADS)
    {
        uint64_t address = wgc::LoadCoherent<uint64_t>(settings.free + (uint64_t)f * 8u);
        wgc_guard_refill(settings, header, address, wgc_guard_page(settings, header.page_bytes, address));
    }
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_guard(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgSettings settings = wgc::Load<WgSettings>(wg_push.context + WG_SETTINGS);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    if (wgc::LoadCoherent<uint>(at.status + WG_STATUS_STATE) == WG_STATE_ERROR)
    {
        return;
    }
    if (wgc_scheduled())
    {
        wgc_guard_runs(at, settings, header, thread);
        AllMemoryBarrierWithGroupSync();
        wgc_guard_fill(at, settings, header, thread);
        AllMemoryBarrierWithGroupSync();
    }
    // Most queues are empty, and a graph may have thousands.
    for (uint q = 0u; q < header.queue_count; q++)
    {
        if (wgc::LoadCoherent<uint>(at.queues + (uint64_t)q * WG_STATE) != 0u)
        {
            wgc_guard_queue(at, settings, header, thread, q);
        }
    }
    for (uint spill = 0u; spill < header.spill_count; spill++)
    {
        if (wgc::LoadCoherent<uint>(at.queues + (uint64_t)(header.queue_count + spill) * WG_STATE) != 0u)
        {
            wgc_guard_spill(at, settings, header, thread, spill);
        }
    }
    AllMemoryBarrierWithGroupSync();
    // The states of the spills follow those of the queues.
    for (uint s = thread; s < header.queue_count + header.spill_count; s += WG_GUARD_THREADS)
    {
        uint64_t address = at.queues + (uint64_t)s * WG_STATE;
        uint records = min(wgc::LoadCoherent<uint>(address), wgc::LoadCoherent<uint>(address + WG_STATE_FIELDS));
        wgc::StoreCoherent<uint>(address + WG_GUARDED, records);
    }
}
