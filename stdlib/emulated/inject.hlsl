// The second kernel of a dispatch: one thread per entry record, one thread for all empty records of a span.
//
// It appends the host's records to the queues of their nodes, with the allocator that the nodes use. So launches, prefixes and
// shared inputs need no code of their own.

// Returns the span of a thread: the last one that begins at or before it.
uint wgc_inject_span(WgAddresses at, WgSettings settings, uint thread)
{
    uint first = 0u;
    uint last = settings.span_count;
    while (last - first > 1u)
    {
        uint middle = first + (last - first) / 2u;
        WgSpan span = wgc::Load<WgSpan>(at.spans + (uint64_t)middle * WG_SPAN);
        if (span.first_thread <= thread)
        {
            first = middle;
        }
        else
        {
            last = middle;
        }
    }
    return first;
}

// An appended record, or WG_ABSENT if the queue has no room for it.
struct WgInjected
{
    uint queue;
    uint rank;
    uint64_t record;
    uint64_t rows;
};

WgInjected wgc_inject_record(WgNode node, uint lane)
{
    WgInjected injected;
    injected.queue = WG_ABSENT;
    injected.rank = 0u;
    injected.record = 0u;
    injected.rows = 0u;
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgSettings settings = wgc::Load<WgSettings>(wg_push.context + WG_SETTINGS);
    // Numbers of spare workgroups in the largest dispatch exceed 32 bits.
    uint64_t linear = (uint64_t)wgc_linear_group() * WG_THREAD_GROUP + lane;
    uint state = WG_STATE_READY;
    if (wgc_scheduled())
    {
        state = WG_STATE_PENDING;
    }
    if (linear >= (uint64_t)wgc::Load<uint>(at.status + WG_STATUS_ENTRY_COUNT)
        || wgc::Load<uint>(at.status + WG_STATUS_STATE) != state)
    {
        return injected;
    }
    uint thread = (uint)linear + wgc::Load<uint>(at.status + WG_STATUS_ENTRY_FIRST);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    WgSpan span = wgc::Load<WgSpan>(at.spans + (uint64_t)wgc_inject_span(at, settings, thread) * WG_SPAN);
    WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)span.queue * WG_QUEUE_ROW);
    WgTarget target = wgc_target_queue(node, span.queue);
    if (row.slots == 0u)
    {
        wgc_append(node, target, span.count, 0u);
        return injected;
    }
    injected.queue = span.queue;
    injected.rank = wgc_append(node, target, 1u, 0u);
    injected.record =
        wgc_ranked(node, target.capacity, target.linear, target.first_page, injected.rank, row.stride, row.slots);
    injected.rows = at.tables + header.instances;
    uint64_t source = span.address + (uint64_t)(thread - span.first_thread) * span.stride;
    for (uint word = 0u; word < row.record_bytes; word += 4u)
    {
        wgc::Store<uint>(injected.record + word, wgc::Load<uint>(source + word));
    }
    if (row.trailer != WG_ABSENT)
    {
        wgc::Store<uint>(injected.record + row.trailer, 0u);
    }
    return injected;
}

[shader("compute")]
[numthreads(64, 1, 1)]
void wgc_inject(uint lane : SV_GroupIndex)
{
    wgc_inject_record(wgc_node(wgc::Load<WgAddresses>(wg_push.context)), lane);
}

// Appends a record in a graph with dynamic grids, and launches its grid.
void wgc_inject_grid(uint lane)
{
    WgNode node = wgc_node(wgc::Load<WgAddresses>(wg_push.context));
    WgInjected injected = wgc_inject_record(node, lane);
    if (injected.queue != WG_ABSENT)
    {
        wgc_publish(node, injected.queue, injected.rank, injected.record, injected.rows);
    }
}

[shader("compute")]
[numthreads(64, 1, 1)]
void wgc_inject_grids(uint lane : SV_GroupIndex)
{
    wgc_inject_grid(lane);
}

// Like wgc_inject_grids, but linked with wgc_list_grid instead of wgc_place_grid.
[shader("compute")]
[numthreads(64, 1, 1)]
void wgc_inject_listed(uint lane : SV_GroupIndex)
{
    wgc_inject_grid(lane);
}
