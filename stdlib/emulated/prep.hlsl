// The first kernel of a dispatch: one workgroup.
//
// It counts the entry records of each queue, computes the closure - the most records that every queue can receive - stage
// by stage, gives the queues and the prefixes of dynamic grids their pages, and resets counters and arguments. Where
// the closure does not fit, it says so in the status and leaves all capacities zero: nothing is launched then.

static const uint WG_PREP_THREADS = 128u;

// Far above every limit and far below overflow.
static const uint64_t WG_SATURATED = 0x100000000ull;

groupshared uint64_t wg_prep_pages[128];

uint64_t wgc_saturate(uint64_t value)
{
    return min(value, WG_SATURATED);
}

void wgc_prep_report(WgAddresses at, uint error, uint instance)
{
    if (wgc::AtomicAdd(at.status + WG_STATUS_ERROR_COUNT, 1u) == 0u)
    {
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_ERROR, error);
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_ERROR_INSTANCE, instance);
    }
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
        wgc::StoreCoherent<uint>(queue, 0u);
        wgc::StoreCoherent<uint64_t>(queue + WG_QUEUE_PASSED, 0u);
        wgc::StoreCoherent<uint64_t>(queue + WG_QUEUE_ENTRIES, 0u);
    }
    for (uint i = thread; i < header.instance_count; i += WG_PREP_THREADS)
    {
        wgc::StoreCoherent<uint64_t>(at.instances + (uint64_t)i * WG_STATE, 0u);
    }
}

// Workgroups and emitters of an instance that may get `records` records.
void wgc_prep_instance(WgAddresses at, WgSettings settings, WgTableHeader header, uint instance, uint64_t records)
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
    if (groups > (uint64_t)WG_MAX_GROUPS)
    {
        // The grids in the records decide: whether they are too large shows when they are launched.
        if (row.launch != WG_LAUNCH_DYNAMIC)
        {
            wgc_prep_report(at, WG_ERROR_GROUPS, instance);
        }
        groups = WG_MAX_GROUPS;
    }
    uint64_t rows = max(wgc_ceil_div64(groups, settings.group_limit), (uint64_t)1u);
    if (rows > (uint64_t)settings.group_limit)
    {
        wgc_prep_report(at, WG_ERROR_GROUPS, instance);
        rows = 1u;
    }

    WgInstanceState state = (WgInstanceState)0;
    state.queue = row.queue;
    state.launch = row.launch;
    state.unit = row.unit;
    state.grid_groups = row.grid_groups;
    state.rows = (uint)rows;
    state.prefix_slots = header.page_bytes / 8u;
    state.first_output = row.first_output;
    state.remaining_levels = row.remaining_levels;
    state.emitters = wgc_saturate(emitters);
    state.window_groups = 0xffffffffu;
    wgc::StoreCoherent<WgInstanceState>(at.instances + (uint64_t)instance * WG_STATE + WG_STATE_FIELDS, state);

    WgArguments arguments;
    arguments.x = 0u;
    arguments.y = (uint)rows;
    arguments.z = 1u;
    arguments.pad = 0u;
    wgc::Store<WgArguments>(at.arguments + (uint64_t)instance * WG_ARGUMENTS, arguments);
}

// The most records of a queue, and with it what its consumers may emit.
void wgc_prep_queue(WgAddresses at, WgSettings settings, WgTableHeader header, uint queue)
{
    WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
    uint64_t queue_state = at.queues + (uint64_t)queue * WG_STATE;
    uint64_t entries = wgc::LoadCoherent<uint64_t>(queue_state + WG_QUEUE_ENTRIES);
    uint64_t records = wgc_saturate(entries);
    for (uint e = 0u; e < row.edge_count; e++)
    {
        WgEdgeRow edge = wgc::Load<WgEdgeRow>(at.tables + header.edges + (uint64_t)(row.first_edge + e) * WG_EDGE_ROW);
        uint64_t emitters = wgc::LoadCoherent<uint64_t>(at.instances + (uint64_t)edge.instance * WG_STATE
                                                        + WG_INSTANCE_EMITTERS);
        records = wgc_saturate(records + wgc_saturate(emitters * edge.max_records));
    }
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

    uint64_t pages = 0u;
    uint64_t prefix_pages = 0u;
    if (row.slots != 0u)
    {
        pages = wgc_ceil_div64(records, row.slots);
    }
    if (row.dynamic_count != 0u)
    {
        prefix_pages = wgc_ceil_div64(records, header.page_bytes / 8u);
    }
    WgQueueState state = (WgQueueState)0;
    state.capacity = (uint)records;
    state.page_count = (uint)pages;
    state.prefix_pages = (uint)prefix_pages;
    state.first_instance = row.first_instance;
    state.instance_count = row.instance_count;
    state.dynamic_count = row.dynamic_count;
    state.trailer = row.trailer;
    state.entries = entries;
    wgc::StoreCoherent<WgQueueState>(queue_state + WG_STATE_FIELDS, state);
    for (uint i = 0u; i < row.instance_count; i++)
    {
        wgc_prep_instance(at, settings, header, row.first_instance + i, records);
    }
}

// Pages that the queues [first, last) need.
uint64_t wgc_prep_sum(WgAddresses at, uint first, uint last)
{
    uint64_t sum = 0u;
    for (uint q = first; q < last; q++)
    {
        WgQueueState state =
            wgc::LoadCoherent<WgQueueState>(at.queues + (uint64_t)q * WG_STATE + WG_STATE_FIELDS);
        sum += (uint64_t)state.page_count + (uint64_t)state.prefix_pages * state.dynamic_count;
    }
    return sum;
}

// Gives the queues [first, last) their pages from `page` on.
void wgc_prep_place(WgAddresses at, uint first, uint last, uint page)
{
    for (uint q = first; q < last; q++)
    {
        uint64_t address = at.queues + (uint64_t)q * WG_STATE + WG_STATE_FIELDS;
        WgQueueState state = wgc::LoadCoherent<WgQueueState>(address);
        state.first_page = page;
        wgc::StoreCoherent<WgQueueState>(address, state);
        page += state.page_count;
        for (uint i = 0u; i < state.instance_count; i++)
        {
            uint64_t instance =
                at.instances + (uint64_t)(state.first_instance + i) * WG_STATE + WG_STATE_FIELDS;
            WgInstanceState consumer = wgc::LoadCoherent<WgInstanceState>(instance);
            if (consumer.launch == WG_LAUNCH_DYNAMIC)
            {
                consumer.prefix_page = page;
                wgc::StoreCoherent<WgInstanceState>(instance, consumer);
                page += state.prefix_pages;
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
        // Two words with a carry: devices without 64-bit atomics run graphs without dynamic grids.
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

    // Each thread places a run of queues, behind those of the threads before it.
    uint run = wgc_ceil_div(header.queue_count, WG_PREP_THREADS);
    uint first = min(thread * run, header.queue_count);
    uint last = min(first + run, header.queue_count);
    uint64_t own = wgc_prep_sum(at, first, last);
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
    uint64_t needed = wg_prep_pages[WG_PREP_THREADS - 1u];
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
    wgc_prep_place(at, first, last, (uint)(wg_prep_pages[thread] - own));
    for (uint page = thread; page < (uint)needed; page += WG_PREP_THREADS)
    {
        uint chunk = page / settings.chunk_pages;
        uint64_t address = wgc::Load<uint64_t>(wg_push.context + WG_CHUNKS + (uint64_t)chunk * 8u)
                           + (uint64_t)(page - chunk * settings.chunk_pages) * header.page_bytes;
        wgc::Store<uint64_t>(at.pages + (uint64_t)page * 8u, address);
    }
    if (thread == 0u)
    {
        wgc::StoreCoherent<uint>(at.status + WG_STATUS_STATE, WG_STATE_READY);
    }
}
