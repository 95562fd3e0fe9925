// Outputs of a lowered node: maps array indexes to queues, allocates ranks for records, and counts empty records. The file
// grids.hlsl launches grids in records. The file spill.hlsl has the records that are not direct.

uint wgc_first_lane(uint4 lanes)
{
    if (lanes.x != 0u)
    {
        return firstbitlow(lanes.x);
    }
    if (lanes.y != 0u)
    {
        return 32u + firstbitlow(lanes.y);
    }
    if (lanes.z != 0u)
    {
        return 64u + firstbitlow(lanes.z);
    }
    return 96u + firstbitlow(lanes.w);
}

// A lane among the active lanes with the same target: the first lane, the number of records of the lanes before it, and their total.
// `appends` is true in the first lane if there are records. A comparison of the total with 0 would do, but NVIDIA's driver
// 580.159 compiles it wrongly. If each lane has one record, it uses the mask of the active lanes as their number.
struct WgLane
{
    uint leader;
    uint offset;
    uint total;
    bool appends;
};

// Groups the active lanes by target, without memory. `count` is at most `max_records`; `one`: all lanes have the same
// target.
WgLane wgc_partition(uint queue, uint count, uint max_records, bool one)
{
    uint lane = WaveGetLaneIndex();
    WgLane place;
    if (one)
    {
        place.leader = WaveReadLaneFirst(lane);
        if (max_records == 1u)
        {
            place.offset = WavePrefixCountBits(count != 0u);
            place.total = WaveActiveCountBits(count != 0u);
        }
        else
        {
            place.offset = WavePrefixSum(count);
            place.total = WaveActiveSum(count);
        }
        // All lanes evaluate this, not only the first.
        bool any = WaveActiveAnyTrue(count != 0u);
        place.appends = lane == place.leader && any;
        return place;
    }
    place.leader = lane;
    place.offset = 0u;
    place.total = 0u;
    place.appends = false;
    bool waiting = count != 0u;
    uint4 lanes = WaveActiveBallot(waiting);
    while ((lanes.x | lanes.y | lanes.z | lanes.w) != 0u)
    {
        uint first = wgc_first_lane(lanes);
        bool mine = waiting && queue == WaveReadLaneAt(queue, first);
        uint part = mine ? count : 0u;
        uint before = WavePrefixSum(part);
        uint sum = WaveActiveSum(part);
        if (mine)
        {
            place.leader = first;
            place.offset = before;
            waiting = false;
        }
        if (lane == first)
        {
            place.total = sum;
            place.appends = true;
        }
        lanes = WaveActiveBallot(waiting);
    }
    return place;
}

// Returns true if the lanes of a subgroup append together. This requires that they reconverge after divergent code.
bool wgc_together()
{
    return (wg_push.flags & WG_PUSH_SUBGROUP_ALLOCATOR) != 0u;
}

// Like wgc_partition. If the lanes do not append together, each is on its own.
WgLane wgc_lane(uint queue, uint count, uint max_records, bool one)
{
    if (wgc_together())
    {
        return wgc_partition(queue, count, max_records, one);
    }
    WgLane alone;
    alone.leader = 0u;
    alone.offset = 0u;
    alone.total = count;
    alone.appends = count != 0u;
    return alone;
}

// Returns the value that the leader of a lane has.
uint wgc_from_leader(uint found, WgLane place)
{
    return wgc_together() ? WaveReadLaneAt(found, place.leader) : found;
}

// Like wgc_append, for all active lanes together. Lanes with the same target share one atomic, and the atomics of all leaders
// are one instruction. Both modes use one call of wgc_append, because it is most of the code of a small node. Fetching code for the
// first time takes as long as anything else there.
uint wgc_append_lanes(WgNode node, WgTarget target, uint count, uint output, uint max_records, bool one)
{
    WgLane place = wgc_lane(target.queue, count, max_records, one);
    uint base = 0u;
    if (place.appends)
    {
        base = wgc_append(node, target, place.total, output);
    }
    return wgc_from_leader(base, place) + place.offset;
}

// Hosts set it for devices on which barriers in nodes are fast. Without it, drivers remove the barriers.
[[vk::constant_id(WG_CONSTANT_GROUP_APPEND)]] const bool wgc_group_append = false;

groupshared uint wgc_group_total;
groupshared uint wgc_group_base;

// Like wgc_append_lanes, for the threads of a workgroup, which all call it and have the same target. If `all` is true, which is
// uniform, all threads of the workgroup run, and share one atomic. `thread` is the number of the thread.
uint wgc_append_group(WgNode node, WgTarget target, uint count, uint output, uint max_records, bool all, uint thread)
{
    bool grouped = wgc_group_append && all;
    WgLane place = wgc_lane(target.queue, count, max_records, true);
    bool appends = place.appends;
    uint total = place.total;
    uint before = 0u;
    if (grouped)
    {
        if (thread == 0u)
        {
            wgc_group_total = 0u;
        }
        GroupMemoryBarrierWithGroupSync();
        if (appends)
        {
            InterlockedAdd(wgc_group_total, total, before);
        }
        GroupMemoryBarrierWithGroupSync();
        total = wgc_group_total;
        appends = thread == 0u && total != 0u;
    }
    uint base = 0u;
    if (appends)
    {
        base = wgc_append(node, target, total, output);
    }
    if (grouped)
    {
        if (thread == 0u)
        {
            wgc_group_base = base;
        }
        GroupMemoryBarrierWithGroupSync();
        return wgc_group_base + wgc_from_leader(before, place) + place.offset;
    }
    return wgc_from_leader(base, place) + place.offset;
}

// Returns true if each thread of a workgroup of a thread node has a record.
bool wgc_is_full(WgNode node, uint unit)
{
    uint64_t end = (uint64_t)node.window_record + ((uint64_t)node.group + 1u) * unit;
    return node.group < node.window_groups && end <= (uint64_t)node.records;
}

// Returns the queue of element `index` of an output, or WG_ABSENT if there is none.
uint wgc_output_queue(WgNode node, uint output, uint index)
{
    WgOutputRow row = wgc::Load<WgOutputRow>(node.outputs + (uint64_t)output * WG_OUTPUT_ROW);
    uint64_t map = node.maps + (uint64_t)row.map * 4u;
    if (row.kind == WG_MAP_DENSE)
    {
        if (index >= row.count)
        {
            return WG_ABSENT;
        }
        return wgc::Load<uint>(map + (uint64_t)index * 4u);
    }
    uint first = 0u;
    uint last = row.count;
    while (first < last)
    {
        uint middle = (first + last) / 2u;
        uint64_t pair = map + (uint64_t)middle * 8u;
        uint found = wgc::Load<uint>(pair);
        if (found == index)
        {
            return wgc::Load<uint>(pair + 4u);
        }
        if (found < index)
        {
            first = middle + 1u;
        }
        else
        {
            last = middle;
        }
    }
    return WG_ABSENT;
}

bool wgc_output_valid(WgNode node, uint output, uint index)
{
    return wgc_output_queue(node, output, index) != WG_ABSENT;
}

// Returns element `index` of an output as a target.
WgTarget wgc_find_target(WgNode node, uint output, uint index)
{
    uint queue = wgc_output_queue(node, output, index);
    if (queue == WG_ABSENT)
    {
        WgTarget none = (WgTarget)0;
        none.queue = WG_ABSENT;
        return none;
    }
    return wgc_target_queue(node, queue);
}

// Returns how many of `count` records a budget grants, of which `left` remain. Several calls, or calls of several outputs, may exceed
// the budget together. The excess is reported and not allocated.
uint wgc_grant(WgNode node, uint output, uint count, uint left)
{
    if (count > left)
    {
        wgc_report(node, WG_ERROR_MAX_RECORDS, output);
    }
    return min(count, left);
}

// Returns the target and the checked count of an allocation, without ranks yet.
WgRecords wgc_open(WgNode node, WgTarget target, uint output, uint count, uint max_records)
{
    WgRecords records;
    records.queue = WG_ABSENT;
    records.base = 0u;
    records.slot = 0u;
    records.count = count;
    records.output = output;
    records.direct = target.direct;
    records.spill = target.spill;
    records.first_page = target.first_page;
    records.linear = target.linear;
    if (count > max_records)
    {
        wgc_report(node, WG_ERROR_MAX_RECORDS, output & ~WG_TOLD);
        records.count = max_records;
        records.output = output | WG_TOLD;
    }
    if (records.count != 0u)
    {
        records.queue = target.queue;
        if (records.queue == WG_ABSENT)
        {
            wgc_report(node, WG_ERROR_ABSENT, output & ~WG_TOLD);
            records.count = 0u;
            records.output = output | WG_TOLD;
        }
    }
    records.capacity = records.count != 0u ? target.capacity : 0u;
    return records;
}

// Zeroes the words in which consumers count finished workgroups.
void wgc_clear_trailers(WgNode node, WgTarget target, WgRecords records, uint stride, uint slots)
{
    if (target.trailer != WG_ABSENT)
    {
        for (uint i = 0u; i < records.count; i++)
        {
            wgc::Store<uint>(wgc_given_record(node, records, i, stride, slots) + target.trailer, 0u);
        }
    }
}

// Allocates ranks for opened records, in one thread only.
uint wgc_take(WgNode node, WgTarget target, uint output, WgRecords records, uint stride, uint slots)
{
    if (records.count == 0u)
    {
        return 0u;
    }
    records.base = wgc_append(node, target, records.count, output);
    wgc_clear_trailers(node, target, records, stride, slots);
    return records.base;
}

// GetThreadNodeOutputRecords. `one`: as in wgc_partition.
WgRecords wgc_allocate_thread(WgNode node, WgTarget target, uint output, uint count, uint max_records, bool one,
                              uint stride, uint slots)
{
    WgRecords records = wgc_open(node, target, output, count, max_records);
    records.base = wgc_append_lanes(node, target, records.count, output, max_records, one);
    if (records.count != 0u)
    {
        wgc_clear_trailers(node, target, records, stride, slots);
    }
    return records;
}

// Like wgc_allocate_thread, by the threads of a workgroup as in wgc_append_group.
WgRecords wgc_allocate_grouped(WgNode node, WgTarget target, uint output, uint count, uint max_records, bool all,
                             uint thread, uint stride, uint slots)
{
    WgRecords records = wgc_open(node, target, output, count, max_records);
    records.base = wgc_append_group(node, target, records.count, output, max_records, all, thread);
    if (records.count != 0u)
    {
        wgc_clear_trailers(node, target, records, stride, slots);
    }
    return records;
}

// ThreadIncrementOutputCount; GroupIncrementOutputCount calls it in one thread.
void wgc_increment(WgNode node, WgTarget target, uint output, uint count, uint max_records)
{
    WgRecords records = wgc_open(node, target, output, count, max_records);
    if (records.count != 0u)
    {
        wgc_append(node, target, records.count, output);
    }
}

// ThreadIncrementOutputCount
void wgc_increment_thread(WgNode node, WgTarget target, uint output, uint count, uint max_records, bool one)
{
    WgRecords records = wgc_open(node, target, output, count, max_records);
    wgc_append_lanes(node, target, records.count, output, max_records, one);
}

// Like wgc_increment_thread, by the threads of a workgroup as in wgc_append_group.
void wgc_increment_grouped(WgNode node, WgTarget target, uint output, uint count, uint max_records, bool all, uint thread)
{
    WgRecords records = wgc_open(node, target, output, count, max_records);
    wgc_append_group(node, target, records.count, output, max_records, all, thread);
}
