// Admission: computes how many workgroups of an instance have room for all records that they may append, and assigns pages.
//
// There are two modes for targets that share a spill. In direct mode, which needs the most memory, each target gets room for
// the worst case, like other targets. In spill mode, the spill gets room for the budgets, and half of the remaining pages become
// direct parts. One queue may have records of both modes. The records beyond its direct part then never exceed those admitted
// in spill mode.

// Returns the pages that the targets of an instance lack for `emitters` more. `direct`: in direct mode, else in spill mode.
WgDemand wgc_sched_demand(WgAddresses at, WgTableHeader header, uint thread, WgInstanceRow row, uint64_t emitters,
                          bool direct)
{
    WgDemand own = (WgDemand)0;
    for (uint t = thread; t < row.target_count; t += WG_SCHED_THREADS)
    {
        WgTargetRow target =
            wgc::Load<WgTargetRow>(at.tables + header.targets + (uint64_t)(row.first_target + t) * WG_TARGET_ROW);
        WgQueueRow queue = wgc_sched_queue_row(at, header, target.queue);
        uint64_t address = wgc_sched_queue(at, target.queue);
        WgQueueState state = wgc::LoadCoherent<WgQueueState>(address + WG_STATE_FIELDS);
        uint64_t more = emitters * target.max_records;
        uint64_t records = state.capacity + more;
        own.over = max(own.over, records > (uint64_t)queue.max_records ? (uint64_t)1u : (uint64_t)0u);
        if (direct || queue.spill == WG_ABSENT)
        {
            own.pages += wgc_sched_pages(state.direct + more, queue.slots) - state.page_count;
            // After a record has spilled, the direct part keeps its size.
            own.over = max(own.over, wgc::LoadCoherent<uint>(address) > state.direct ? (uint64_t)1u : (uint64_t)0u);
        }
        if (queue.dynamic_count != 0u)
        {
            own.pages +=
                (wgc_sched_pages(records, header.page_bytes / 8u) - state.prefix_pages) * queue.dynamic_count;
        }
    }
    for (uint c = thread; c < row.charge_count && !direct; c += WG_SCHED_THREADS)
    {
        WgChargeRow charge =
            wgc::Load<WgChargeRow>(at.tables + header.charges + (uint64_t)(row.first_charge + c) * WG_CHARGE_ROW);
        WgSpillState state =
            wgc::LoadCoherent<WgSpillState>(wgc_sched_spill(at, header, charge.spill) + WG_STATE_FIELDS);
        uint64_t records = state.capacity + emitters * charge.max_records;
        own.over = max(own.over, records > (uint64_t)WG_MAX_RECORDS ? (uint64_t)1u : (uint64_t)0u);
        own.pages += wgc_sched_pages(records, state.slots) - state.page_count;
        own.pages += wgc_sched_pages(records, state.index_slots) - state.index_pages;
    }
    return wgc_sched_together(thread, own);
}

bool wgc_sched_fits(WgDemand demand, uint64_t available)
{
    return demand.over == 0u && demand.pages <= available;
}

// Adds room for `emitters` more. `share`: the pages that each target with a spill may add to its direct part.
void wgc_sched_extend(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, WgInstanceRow row,
                      uint64_t emitters, bool direct, uint share)
{
    for (uint t = thread; t < row.target_count; t += WG_SCHED_THREADS)
    {
        WgTargetRow target =
            wgc::Load<WgTargetRow>(at.tables + header.targets + (uint64_t)(row.first_target + t) * WG_TARGET_ROW);
        WgQueueRow queue = wgc_sched_queue_row(at, header, target.queue);
        uint64_t address = wgc_sched_queue(at, target.queue);
        WgQueueState state = wgc::LoadCoherent<WgQueueState>(address + WG_STATE_FIELDS);
        uint more = (uint)(emitters * target.max_records);
        uint capacity = state.capacity + more;
        uint own = state.direct;
        if (direct || queue.spill == WG_ABSENT)
        {
            own += more;
        }
        else if (wgc::LoadCoherent<uint>(address) <= state.direct)
        {
            // Based on the largest number of records that it held at a time.
            uint most = max(state.peak, state.predicted);
            uint wish = most == 0u ? capacity : (uint)min((uint64_t)most + most / 4u, (uint64_t)capacity);
            uint64_t room = ((uint64_t)state.page_count + share) * queue.slots;
            own = share == 0u ? own : max(own, (uint)min((uint64_t)wish, room));
        }
        wgc_sched_resize(at, settings, header, target.queue, capacity, own);
    }
    for (uint c = thread; c < row.charge_count && !direct; c += WG_SCHED_THREADS)
    {
        WgChargeRow charge =
            wgc::Load<WgChargeRow>(at.tables + header.charges + (uint64_t)(row.first_charge + c) * WG_CHARGE_ROW);
        uint capacity = wgc::LoadCoherent<uint>(wgc_sched_spill(at, header, charge.spill) + WG_STATE_FIELDS);
        wgc_sched_resize_spill(at, settings, header, charge.spill, capacity + (uint)(emitters * charge.max_records));
    }
}

// Returns the number of emitters if the workgroups [cursor, cursor + groups) run. If stages of the segment follow the head, records
// are counted by whole workgroups.
uint64_t wgc_sched_emitters(WgInstanceRow row, uint64_t cursor, uint64_t groups, uint records, bool whole)
{
    if (row.launch == WG_LAUNCH_THREAD)
    {
        return whole ? groups * row.unit : min(groups * row.unit, (uint64_t)records - cursor * row.unit);
    }
    return groups;
}

// Launches `groups` workgroups from `cursor` on, in rows of at most `width`.
void wgc_sched_launch(WgAddresses at, uint width, WgInstanceRow row, uint instance, uint64_t cursor, uint groups)
{
    wgc_sched_dispatch(at, width, instance, groups);
    uint64_t address = wgc_sched_instance(at, instance);
    WgInstanceState state = wgc::LoadCoherent<WgInstanceState>(address + WG_STATE_FIELDS);
    uint64_t record = cursor * row.unit;
    state.window_local = 0u;
    if (row.launch == WG_LAUNCH_FIXED)
    {
        record = cursor / row.grid_groups;
        state.window_local = (uint)(cursor - record * row.grid_groups);
    }
    state.window_record = (uint)record;
    state.window_first = cursor;
    state.window_groups = groups;
    wgc::StoreCoherent<WgInstanceState>(address + WG_STATE_FIELDS, state);
    wgc::StoreCoherent<uint64_t>(address + WG_INSTANCE_CURSOR, cursor + groups);
}

// Admits as many workgroups of an instance of the stage `number` as there is room for.
void wgc_sched_admit(WgAddresses at, WgSettings settings, WgTableHeader header, uint thread, uint instance,
                     WgStageRow stage, uint number)
{
    WgInstanceRow row =
        wgc::Load<WgInstanceRow>(at.tables + header.instances + (uint64_t)instance * WG_INSTANCE_ROW);
    uint64_t address = wgc_sched_instance(at, instance);
    WgInstanceState state = wgc::LoadCoherent<WgInstanceState>(address + WG_STATE_FIELDS);
    uint records = wgc::LoadCoherent<uint>(wgc_sched_queue(at, row.queue));
    uint64_t cursor = wgc::LoadCoherent<uint64_t>(address + WG_INSTANCE_CURSOR);
    uint64_t left = wgc_sched_groups(address, state, records) - cursor;
    uint free = wgc::LoadCoherent<uint>(at.status + WG_STATUS_PAGES_FREE);
    uint64_t available = free - min(free, stage.reserve);
    bool whole = stage.segment > 1u;
    // All threads have read before any thread writes.
    AllMemoryBarrierWithGroupSync();
    uint width = wgc_launch_width(settings, header, number);
    uint most_groups = number == header.mesh_stage ? WG_MESH_GROUPS : WG_MAX_WINDOW;
    uint64_t limit = min((uint64_t)width * settings.group_limit, (uint64_t)most_groups);
    uint64_t wanted = min(left, settings.admit == WG_ADMIT_ONE ? (uint64_t)1u : limit);
    uint64_t least = 0u;
    uint64_t most = wanted;
    // Limits the pages: if three quarters are enough for all waiting workgroups, it gets them, else half of the pages. Later heads need
    // the rest for the records that it produces. No head follows the last one, so it may use all pages.
    uint64_t room = stage.reserve != 0u ? available - available / 4u : available;
    bool halved = stage.reserve == 0u;
    bool direct = false;
    bool may = row.charge_count != 0u && settings.direct != WG_DIRECT_NONE;
    if (may && wanted != 0u)
    {
        uint64_t emitters = wgc_sched_emitters(row, cursor, wanted, records, whole);
        direct = wgc_sched_fits(wgc_sched_demand(at, header, thread, row, emitters, true), room);
        least = direct ? wanted : least;
    }
    while (least < most)
    {
        uint64_t middle = most == wanted ? most : least + (most - least + 1u) / 2u;
        uint64_t emitters = wgc_sched_emitters(row, cursor, middle, records, whole);
        if (wgc_sched_fits(wgc_sched_demand(at, header, thread, row, emitters, false), room))
        {
            least = middle;
            continue;
        }
        if (halved)
        {
            most = middle - 1u;
            continue;
        }
        // At least the pages for one workgroup, if they are free. At the deepest stage they are: the reserve guarantees it.
        emitters = wgc_sched_emitters(row, cursor, 1u, records, whole);
        WgDemand one = wgc_sched_demand(at, header, thread, row, emitters, false);
        room = wgc_sched_fits(one, available) ? max(available / 2u, one.pages) : (uint64_t)0u;
        halved = true;
    }
    uint64_t emitters = wgc_sched_emitters(row, cursor, least, records, whole);
    uint share = 0u;
    if (may && !direct && least != 0u)
    {
        uint64_t used = wgc_sched_demand(at, header, thread, row, emitters, false).pages;
        share = (uint)((room - used) / 2u / row.target_count);
    }
    wgc_sched_extend(at, settings, header, thread, row, emitters, direct, share);
    if (thread == 0u)
    {
        wgc_sched_launch(at, width, row, instance, cursor, (uint)least);
    }
    wgc_sched_move_all(thread);
}

// Lets shaders that append, or the kernel joint, launch an instance after the head of a segment.
void wgc_sched_follow(WgAddresses at, WgSettings settings, WgTableHeader header, uint instance)
{
    WgInstanceRow row =
        wgc::Load<WgInstanceRow>(at.tables + header.instances + (uint64_t)instance * WG_INSTANCE_ROW);
    uint64_t address = wgc_sched_instance(at, instance) + WG_STATE_FIELDS;
    WgInstanceState state = wgc::LoadCoherent<WgInstanceState>(address);
    uint stage = wgc_sched_queue_row(at, header, row.queue).stage;
    // In a joint dispatch, the kernel joint launches it.
    state.follows = row.joint != 0u ? 0u : 1u;
    state.window_groups = stage == header.mesh_stage ? WG_MESH_GROUPS : WG_MAX_GROUPS;
    wgc::StoreCoherent<WgInstanceState>(address, state);
    wgc_set_arguments(at, instance, 0u);
}
