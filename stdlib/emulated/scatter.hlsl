// The kernel scatter, before a stage whose queues spilled: writes the slot of every spilled record to the index, ordered by
// queue and by number. A workgroup processes WG_SCATTER_RECORDS slots; push constant `instance` is the spill.
//
// The position of a queue's first record is the number of records that the members before it spilled. Each workgroup computes
// these sums itself; each of its threads adds up consecutive members. The tails are final, so all workgroups get the same sums and
// no extra pass is needed. The first workgroup writes them to the queues.

static const uint WG_SCATTER_THREADS = 128u;

groupshared uint wg_scatter_sums[128];

struct WgScatter
{
    WgNode node;
    // Numbers of the members' queues.
    uint64_t members;
    uint member_count;
    // Consecutive members of each thread.
    uint run;
};

uint64_t wgc_scatter_queue(WgScatter scatter, uint member)
{
    return wgc_queue_state(scatter.node, wgc::Load<uint>(scatter.members + (uint64_t)member * 4u));
}

// Returns the number of a member's records that are not direct.
uint wgc_scatter_spilled(WgScatter scatter, uint member)
{
    // Loads single fields, because the first workgroup is writing another one.
    uint64_t queue = wgc_scatter_queue(scatter, member);
    uint records = min(wgc::Load<uint>(queue), wgc::Load<uint>(queue + WG_STATE_FIELDS));
    return records - min(records, wgc::Load<uint>(queue + WG_QUEUE_DIRECT));
}

// Returns the number of records that the members [first, last) spilled.
uint wgc_scatter_sum(WgScatter scatter, uint first, uint last)
{
    uint sum = 0u;
    for (uint member = first; member < last; member++)
    {
        sum += wgc_scatter_spilled(scatter, member);
    }
    return sum;
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_scatter(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    WgSpillRow row = wgc::Load<WgSpillRow>(at.tables + header.spills + (uint64_t)wg_push.instance * WG_SPILL_ROW);
    WgScatter scatter;
    scatter.node = (WgNode)0;
    scatter.node.queues = at.queues;
    scatter.node.pages = at.pages;
    scatter.members = at.tables + header.members + (uint64_t)row.first_member * 4u;
    scatter.member_count = row.member_count;
    scatter.run = wgc_ceil_div(row.member_count, WG_SCATTER_THREADS);
    uint first = min(thread * scatter.run, row.member_count);
    uint last = min(first + scatter.run, row.member_count);
    wg_scatter_sums[thread] = wgc_scatter_sum(scatter, first, last);
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1u; step < WG_SCATTER_THREADS; step *= 2u)
    {
        uint below = 0u;
        if (thread >= step)
        {
            below = wg_scatter_sums[thread - step];
        }
        GroupMemoryBarrierWithGroupSync();
        wg_scatter_sums[thread] += below;
        GroupMemoryBarrierWithGroupSync();
    }

    uint group = wgc_linear_group();
    if (group == 0u)
    {
        uint base = thread == 0u ? 0u : wg_scatter_sums[thread - 1u];
        for (uint member = first; member < last; member++)
        {
            wgc::Store<uint>(wgc_scatter_queue(scatter, member) + WG_QUEUE_BASE, base);
            base += wgc_scatter_spilled(scatter, member);
        }
    }

    uint64_t queue = wgc_queue_state(scatter.node, header.queue_count + wg_push.instance);
    WgSpillState spill = wgc::Load<WgSpillState>(queue + WG_STATE_FIELDS);
    uint64_t records = min(wgc::Load<uint>(queue), spill.capacity);
    // 64 bits: numbers of spare workgroups exceed 2^32.
    uint64_t begin = (uint64_t)group * WG_SCATTER_RECORDS;
    uint64_t end = min(begin + WG_SCATTER_RECORDS, records);
    for (uint64_t slot = begin + thread; slot < end; slot += WG_SCATTER_THREADS)
    {
        WgSpillHeader entry = wgc::Load<WgSpillHeader>(wgc_spill_slot(scatter.node, spill, (uint)slot) - WG_SPILL_HEADER);
        uint before = entry.member / scatter.run;
        uint base = before == 0u ? 0u : wg_scatter_sums[min(before, WG_SCATTER_THREADS) - 1u];
        base += wgc_scatter_sum(scatter, before * scatter.run, min(entry.member, scatter.member_count));
        uint place = base + entry.number;
        if (place < spill.capacity)
        {
            wgc::Store<uint>(wgc_paged(scatter.node, 0u, spill.index_page, place, 4u, spill.index_slots), (uint)slot);
        }
    }
}
