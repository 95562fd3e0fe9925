// Records that are not direct. An array of outputs has one budget, so its queues share one spill with space for the whole budget.
// Their direct parts have the size that the previous dispatch needed.
//
// The tail of a queue gives the rank, as in all queues. Ranks from `direct` on get a slot of the spill: {member, number, record},
// where number = rank - direct. Before the stage of the consumers, the kernel scatter
// writes the slot of every number to the index. Only nodes with such outputs or inputs call these functions.

struct WgSpillHeader
{
    uint member;
    uint number;
};

// A rank, and the number to add to ranks from there on to get their slots.
struct WgTaken
{
    uint base;
    uint slot;
};

WgSpillState wgc_spill_state(WgNode node, uint spill)
{
    return wgc::Load<WgSpillState>(wgc_queue_state(node, spill) + WG_STATE_FIELDS);
}

// Returns the address of the record in a slot. The header precedes it.
uint64_t wgc_spill_slot(WgNode node, WgSpillState spill, uint slot)
{
    return wgc_paged(node, 0u, spill.first_page, slot, spill.stride, spill.slots) + WG_SPILL_HEADER;
}

// ---- producers

// Like wgc_append. It also allocates slots for the records that are not direct.
WgTaken wgc_append_spill(WgNode node, WgTarget target, uint count, uint output)
{
    WgTaken taken;
    taken.base = wgc_append(node, target, count, output);
    taken.slot = 0u;
    uint before = min(taken.base, target.capacity);
    uint after = before + min(count, target.capacity - before);
    uint first = max(before, target.direct);
    if (first < after)
    {
        uint records = after - first;
        uint slot = wgc::AtomicAdd(wgc_queue_state(node, target.spill), records);
        taken.slot = slot - first;
        WgSpillState spill = wgc_spill_state(node, target.spill);
        uint filled = min(slot, spill.capacity);
        uint full = filled + min(records, spill.capacity - filled);
        if (full - filled != records)
        {
            wgc_report(node, WG_ERROR_FULL, output & ~WG_TOLD);
        }
        if (!wgc_scheduled())
        {
            wgc_launch(node, spill.arguments, wgc_ceil_div(filled, WG_SCATTER_RECORDS),
                       wgc_ceil_div(full, WG_SCATTER_RECORDS));
        }
    }
    return taken;
}

// Like wgc_given_record.
uint64_t wgc_given_record_spill(WgNode node, WgRecords records, uint index, uint stride, uint slots)
{
    uint rank = records.base + index;
    if (rank >= records.capacity)
    {
        return node.trash;
    }
    if (rank < records.direct)
    {
        return wgc_paged(node, records.linear, records.first_page, rank, stride, slots);
    }
    uint slot = rank + records.slot;
    WgSpillState spilled = wgc_spill_state(node, records.spill);
    if (slot >= spilled.capacity)
    {
        return node.trash;
    }
    return wgc_spill_slot(node, spilled, slot);
}

// Like wgc_output_record.
uint64_t wgc_output_record_spill(WgNode node, WgRecords records, uint index, uint stride, uint slots)
{
    if (index >= records.count)
    {
        wgc_report_output(node, WG_ERROR_RECORD, records.output);
        return node.trash;
    }
    return wgc_given_record_spill(node, records, index, stride, slots);
}

// Writes the headers of spilled records, and zeroes the words in which consumers count finished workgroups.
void wgc_label_spill(WgNode node, WgTarget target, WgRecords records, uint stride, uint slots)
{
    bool spilled = records.base + records.count > records.direct;
    if (target.trailer == WG_ABSENT && !spilled)
    {
        return;
    }
    uint member = 0u;
    if (spilled)
    {
        member = wgc::Load<WgQueueState>(wgc_queue_state(node, records.queue) + WG_STATE_FIELDS).member;
    }
    for (uint i = 0u; i < records.count; i++)
    {
        uint rank = records.base + i;
        uint64_t record = wgc_given_record_spill(node, records, i, stride, slots);
        if (target.trailer != WG_ABSENT)
        {
            wgc::Store<uint>(record + target.trailer, 0u);
        }
        if (rank >= records.direct && record != node.trash)
        {
            WgSpillHeader header;
            header.member = member;
            header.number = rank - records.direct;
            wgc::Store<WgSpillHeader>(record - WG_SPILL_HEADER, header);
        }
    }
}

// Like wgc_take. Returns the ranks in the lower half, and the number that leads from them to slots in the upper half.
uint64_t wgc_take_spill(WgNode node, WgTarget target, uint output, WgRecords records, uint stride, uint slots)
{
    if (records.count == 0u)
    {
        return 0u;
    }
    WgTaken taken = wgc_append_spill(node, target, records.count, output);
    records.base = taken.base;
    records.slot = taken.slot;
    wgc_label_spill(node, target, records, stride, slots);
    return ((uint64_t)taken.slot << 32u) | (uint64_t)taken.base;
}

// Returns the handle of records that one thread allocated for the group.
WgRecords wgc_taken_spill(WgRecords records, uint64_t taken)
{
    records.base = (uint)taken;
    records.slot = (uint)(taken >> 32u);
    return records;
}

// Like wgc_allocate_thread.
WgRecords wgc_allocate_thread_spill(WgNode node, WgTarget target, uint output, uint count, uint max_records, bool one,
                                    uint stride, uint slots)
{
    WgRecords records = wgc_open(node, target, output, count, max_records);
    WgLane place = wgc_lane(target.queue, records.count, max_records, one);
    WgTaken taken = (WgTaken)0;
    if (place.appends)
    {
        taken = wgc_append_spill(node, target, place.total, output);
    }
    records.base = wgc_from_leader(taken.base, place) + place.offset;
    records.slot = wgc_from_leader(taken.slot, place);
    if (records.count != 0u)
    {
        wgc_label_spill(node, target, records, stride, slots);
    }
    return records;
}

// Like wgc_complete_thread.
void wgc_complete_thread_spill(WgNode node, WgRecords records, uint stride, uint slots)
{
    uint64_t rows = wgc_instance_rows();
    for (uint i = 0u; i < records.count; i++)
    {
        uint rank = records.base + i;
        wgc_publish(node, records.queue, rank, wgc_given_record_spill(node, records, i, stride, slots), rows);
    }
}

// Like wgc_complete_group.
void wgc_complete_group_spill(WgNode node, WgRecords records, uint thread, uint threads, uint stride, uint slots)
{
    uint64_t rows = wgc_instance_rows();
    for (uint i = thread; i < records.count; i += threads)
    {
        uint rank = records.base + i;
        wgc_publish(node, records.queue, rank, wgc_given_record_spill(node, records, i, stride, slots), rows);
    }
}

// ---- consumers

// Like wgc_input_record, for queues that have a spill.
uint64_t wgc_record_spill(WgNode node, uint queue, uint rank, uint stride, uint slots)
{
    uint64_t at = wgc_queue_state(node, queue);
    WgQueueState state = wgc::Load<WgQueueState>(at + WG_STATE_FIELDS);
    uint64_t linear = wgc::Load<uint64_t>(at + WG_STATE_LINEAR);
    if (rank >= state.capacity)
    {
        return node.trash;
    }
    if (rank < state.direct)
    {
        return wgc_paged(node, linear, state.first_page, rank, stride, slots);
    }
    uint number = rank - state.direct;
    uint place = state.base + number;
    WgSpillState spill = wgc_spill_state(node, state.spill);
    if (place >= spill.capacity)
    {
        return node.trash;
    }
    uint slot = wgc::Load<uint>(wgc_paged(node, 0u, spill.index_page, place, 4u, spill.index_slots));
    if (slot >= spill.capacity)
    {
        return node.trash;
    }
    uint64_t record = wgc_spill_slot(node, spill, slot);
    // Records that exceed the limits of a shader have no slot, and no index entry was written for them.
    WgSpillHeader header = wgc::Load<WgSpillHeader>(record - WG_SPILL_HEADER);
    return header.member == state.member && header.number == number ? record : node.trash;
}

// Like wgc_input_dynamic.
WgInput wgc_input_dynamic_spill(WgNode node, uint offset, uint scalar, uint components, uint max_x, uint max_y,
                                uint max_z, uint stride, uint slots)
{
    WgFound found = wgc_find_grid(node);
    WgGrid grid = (WgGrid)0;
    if (found.active)
    {
        uint64_t record = wgc_record_spill(node, node.queue, found.record, stride, slots);
        grid = wgc_grid(record, offset, scalar, components, max_x, max_y, max_z, false);
    }
    return wgc_input_found(found, grid);
}
