// The kernel before a stage with joint dispatches. It has a workgroup for each run of instances, which divides the
// dispatch of the run among them.
//
// All records that the instances of a run are to get have been appended, or, at the head of a segment of a scheduled run,
// the kernel sched has said which workgroups run. So the workgroups of each are known: their sums are where its part of
// the dispatch begins, and the sum of all is what is launched, with the arguments of the first instance. Nobody else
// launches what is in a run. Push constant `instance` is the first run of the stage.
//
// There is no limit to the workgroups of a run but those to the ones of its instances: they are launched in rows and
// planes.

static const uint WG_JOINT_THREADS = 128u;

groupshared uint64_t wg_joint_sums[128];

// Workgroups of an instance. `admitted`: those that the kernel sched has said.
uint64_t wgc_joint_groups(WgAddresses at, uint instance, bool admitted)
{
    uint64_t address = wgc_sched_instance(at, instance);
    WgInstanceState state = wgc::Load<WgInstanceState>(address + WG_STATE_FIELDS);
    if (admitted)
    {
        // Where it admits nothing, because records wait in a later stage, it leaves the window as it is.
        bool waits = wgc::Load<uint>(at.arguments + (uint64_t)instance * WG_ARGUMENTS) == 0u;
        return waits ? (uint64_t)0u : (uint64_t)state.window_groups;
    }
    // Word by word: the kernel scatter may be writing another one.
    uint64_t queue = wgc_sched_queue(at, state.queue);
    uint records = min(wgc::Load<uint>(queue), wgc::Load<uint>(queue + WG_STATE_FIELDS));
    uint64_t groups = wgc_sched_groups(address, state, records);
    if (wgc_scheduled())
    {
        // All that there are.
        wgc::StoreCoherent<uint64_t>(address + WG_INSTANCE_CURSOR, groups);
    }
    if (groups > (uint64_t)WG_MAX_GROUPS)
    {
        // Of grids in records alone: all others were counted before.
        wgc_report_of(at.status, WG_ERROR_GROUPS, instance, 0u);
        groups = WG_MAX_GROUPS;
    }
    return groups;
}

// Sets the arguments of an instance to so many workgroups.
void wgc_joint_launch(WgAddresses at, uint instance, uint64_t groups)
{
    uint limit = wgc::Load<WgSettings>(wg_push.context + WG_SETTINGS).group_limit;
    uint64_t rows = max(wgc_ceil_div64(groups, limit), (uint64_t)1u);
    uint64_t planes = wgc_ceil_div64(rows, limit);
    rows = wgc_ceil_div64(rows, planes);
    WgArguments arguments;
    arguments.x = (uint)wgc_ceil_div64(groups, rows * planes);
    arguments.y = (uint)rows;
    arguments.z = (uint)planes;
    arguments.pad = 0u;
    wgc::Store<WgArguments>(at.arguments + (uint64_t)instance * WG_ARGUMENTS, arguments);
}

[shader("compute")]
[numthreads(128, 1, 1)]
void wgc_joint(uint thread : SV_GroupIndex)
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgTableHeader header = wgc::Load<WgTableHeader>(at.tables);
    uint number = wg_push.instance + wgc_linear_group();
    WgRunRow run = wgc::Load<WgRunRow>(at.tables + header.runs + (uint64_t)number * WG_RUN_ROW);
    WgStageRow stage = wgc::Load<WgStageRow>(at.tables + header.stages + (uint64_t)run.stage * WG_STAGE_ROW);
    bool admitted = wgc_scheduled() && stage.segment != 0u;
    // Each thread has some neighbours.
    uint share = wgc_ceil_div(run.instance_count, WG_JOINT_THREADS);
    uint first = min(thread * share, run.instance_count);
    uint last = min(first + share, run.instance_count);
    uint64_t sum = 0u;
    for (uint i = first; i < last; i++)
    {
        uint instance = run.first_instance + i;
        uint64_t groups = wgc_joint_groups(at, instance, admitted);
        WgPart part;
        // Of those of this thread, for now.
        part.first_group = sum;
        part.group_count = (uint)groups;
        wgc::Store<WgPart>(wgc_sched_instance(at, instance) + WG_STATE_PART, part);
        sum += groups;
    }
    wg_joint_sums[thread] = sum;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1u; step < WG_JOINT_THREADS; step *= 2u)
    {
        uint64_t below = 0u;
        if (thread >= step)
        {
            below = wg_joint_sums[thread - step];
        }
        GroupMemoryBarrierWithGroupSync();
        wg_joint_sums[thread] += below;
        GroupMemoryBarrierWithGroupSync();
    }
    uint64_t before = wg_joint_sums[thread] - sum;
    for (uint i = first; i < last; i++)
    {
        uint64_t address = wgc_sched_instance(at, run.first_instance + i) + WG_STATE_PART;
        wgc::Store<uint64_t>(address, wgc::Load<uint64_t>(address) + before);
    }
    // All have read the arguments by now.
    if (thread == 0u)
    {
        wgc_joint_launch(at, run.first_instance, wg_joint_sums[WG_JOINT_THREADS - 1u]);
    }
}
