// The second kernel of a dispatch: one thread per entry record, one thread for all empty records of a span.
//
// It appends the host's records to the queues of their nodes with the allocator that the nodes use, so that launches,
// prefixes and shared inputs follow of themselves.

// The span that a thread works for: the last one that begins at or before it.
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

[shader("compute")]
[numthreads(64, 1, 1)]
void wgc_inject(uint lane : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgSettings settings = wgc::Load<WgSettings>(wg_push.context + WG_SETTINGS);
    uint thread = wgc_linear_group() * WG_THREAD_GROUP + lane;
    if (thread >= settings.span_threads || wgc::Load<uint>(at.status + WG_STATUS_STATE) != WG_STATE_READY)
    {
        return;
    }
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    WgNode node = wgc_enter();
    WgSpan span = wgc::Load<WgSpan>(at.spans + (uint64_t)wgc_inject_span(at, settings, thread) * WG_SPAN);
    WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)span.queue * WG_QUEUE_ROW);
    if (row.slots == 0u)
    {
        wgc_append(node, span.queue, span.count, 0u);
        return;
    }
    uint rank = wgc_append(node, span.queue, 1u, 0u);
    uint64_t record = wgc_record(node, span.queue, rank, row.stride, row.slots);
    uint64_t source = span.address + (uint64_t)(thread - span.first_thread) * span.stride;
    for (uint at_byte = 0u; at_byte < row.record_bytes; at_byte += 4u)
    {
        wgc::StoreCoherent<uint>(record + at_byte, wgc::Load<uint>(source + at_byte));
    }
    if (row.trailer != WG_ABSENT)
    {
        wgc::Store<uint>(record + row.trailer, 0u);
    }
    if (row.dynamic_count != 0u)
    {
        wgc_publish(node, span.queue, rank, record, at.tables + header.instances);
    }
}
