// The kernel gather, for inputs that the device counts: one workgroup, after the opening of a scheduled run.
//
// It converts the list of inputs in device memory to spans, which the host does for its own inputs, and writes their number to
// the context. An input that no entry node accepts is reported and omitted.

static const uint WG_GATHER_THREADS = 128u;
static const uint64_t WG_GATHER_MOST = 0xffffffffull;

// The sum of the threads of the accepted spans, if the sum of all exceeds 32 bits.
groupshared uint wg_gather_total;

// Reports an input once for a dispatch: while it is pending, its commands may be submitted again.
void wgc_gather_report(WgAddresses at, uint input)
{
    if (wgc::Load<uint>(at.status + WG_STATUS_SWEEPS) != 0u)
    {
        return;
    }
    wgc_report_of(at.status, WG_ERROR_INPUT, 0u, input);
}

struct WgGathered
{
    WgSpan span;
    // Empty records: one thread appends all of them.
    bool empty;
    bool bad;
};

WgGathered wgc_gather_input(WgAddresses at, WgTableHeader header, WgNodeInput input)
{
    WgGathered gathered = (WgGathered)0;
    gathered.bad = input.entry >= header.entry_count;
    if (gathered.bad)
    {
        return gathered;
    }
    uint queue = wgc::Load<uint>(at.tables + header.entries + (uint64_t)input.entry * 4u);
    WgQueueRow row = wgc::Load<WgQueueRow>(at.tables + header.queues + (uint64_t)queue * WG_QUEUE_ROW);
    gathered.empty = row.slots == 0u;
    if (!gathered.empty)
    {
        bool overlaps = input.stride != 0u && input.stride < (uint64_t)row.record_bytes;
        bool askew = ((input.address | input.stride) & 3u) != 0u;
        gathered.bad = input.count != 0u && (overlaps || askew || input.stride > WG_GATHER_MOST || input.address == 0u);
    }
    if (!gathered.bad)
    {
        gathered.span.address = input.address;
        gathered.span.stride = (uint)input.stride;
        gathered.span.count = input.count;
        gathered.span.queue = queue;
        gathered.span.threads = gathered.empty ? min(input.count, 1u) : input.count;
    }
    return gathered;
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_gather(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    uint dispatch_id = wgc::Load<uint>(wg_push.context + WG_SETTINGS_DISPATCH_ID);
    if (wgc::Load<uint>(at.status + WG_STATUS_STATE) != WG_STATE_PENDING
        || wgc::Load<uint>(at.status + WG_STATUS_DISPATCH_ID) != dispatch_id)
    {
        return;
    }
    WgInputList list = wgc::Load<WgInputList>(wgc::Load<uint64_t>(wg_push.context + WG_INPUTS));
    // The host has allocated only this number of spans.
    uint count = min(list.count, wg_push.instance);
    if (thread == 0u && list.count > count)
    {
        wgc_gather_report(at, count);
    }
    uint64_t threads = 0u;
    uint64_t empties = 0u;
    for (uint first = 0u; first < count; first += WG_GATHER_THREADS)
    {
        uint number = first + thread;
        WgGathered gathered = (WgGathered)0;
        if (number < count)
        {
            uint64_t address = list.address + (uint64_t)number * list.stride;
            gathered = wgc_gather_input(at, header, wgc::Load<WgNodeInput>(address));
        }
        // No queue can hold so many records. The other inputs remain valid.
        if (gathered.span.count > WG_MAX_RECORDS)
        {
            gathered.bad = true;
            gathered.span.count = 0u;
            gathered.span.threads = 0u;
        }
        uint64_t own = gathered.empty ? (uint64_t)gathered.span.count : (uint64_t)0u;
        uint64_t before = empties + wgc_sums_before(thread, own);
        empties += wg_sums[WG_SUMS_THREADS - 1u];
        // All inputs may be for the same queue.
        if (before + own > (uint64_t)WG_MAX_RECORDS && own != 0u)
        {
            gathered.bad = true;
            gathered.span.threads = 0u;
        }
        own = gathered.span.threads;
        before = threads + wgc_sums_before(thread, own);
        threads += wg_sums[WG_SUMS_THREADS - 1u];
        if (before + own > WG_GATHER_MOST && own != 0u)
        {
            gathered.bad = true;
            gathered.span.threads = 0u;
            if (before <= WG_GATHER_MOST)
            {
                wg_gather_total = (uint)before;
            }
        }
        if (gathered.span.threads == 0u)
        {
            gathered.span.count = 0u;
        }
        gathered.span.first_thread = (uint)min(before, WG_GATHER_MOST);
        if (number < count)
        {
            wgc::StoreCoherent<WgSpan>(at.spans + (uint64_t)number * WG_SPAN, gathered.span);
        }
        if (gathered.bad)
        {
            wgc_gather_report(at, number);
        }
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread == 0u)
    {
        uint total = threads > WG_GATHER_MOST ? wg_gather_total : (uint)threads;
        wgc::StoreCoherent<uint>(wg_push.context + WG_SETTINGS_SPAN_COUNT, count);
        wgc::StoreCoherent<uint>(wg_push.context + WG_SETTINGS_SPAN_THREADS, total);
    }
}
