// The kernel joint runs before a stage with joint dispatches. It has one workgroup for each run of instances, which divides
// the dispatch of the run among them.
//
// All records for the instances of the run are already appended. At the head of a segment of a scheduled run, the kernel sched has
// already admitted the workgroups. So the number of workgroups of each instance is known. Their running sum is the first workgroup of
// each instance, and the total is launched with the arguments of the first instance. No other code launches the instances of a run.
// Push constant `instance` is the first run of the stage.
//
// A run has no limit of its own, only the limits of its instances: the total may need rows and
// planes.

static const uint WG_JOINT_THREADS = 128u;

groupshared uint64_t wg_joint_sums[128];

// Returns the workgroups of an instance. `admitted`: those that the kernel sched has admitted.
uint64_t wgc_joint_groups(WgAddresses at, uint instance, bool admitted)
{
    uint64_t address = wgc_sched_instance(at, instance);
    WgInstanceState state = wgc::Load<WgInstanceState>(address + WG_STATE_FIELDS);
    if (admitted)
    {
        // If sched admits nothing, because records wait in a later stage, it leaves the window unchanged.
        bool waits = wgc::Load<uint>(at.arguments + (uint64_t)instance * WG_ARGUMENTS) == 0u;
        return waits ? (uint64_t)0u : (uint64_t)state.window_groups;
    }
    // Loads single words, because the kernel scatter may be writing another word of the state.
    uint64_t queue = wgc_sched_queue(at, state.queue);
    uint records = min(wgc::Load<uint>(queue), wgc::Load<uint>(queue + WG_STATE_FIELDS));
    uint64_t groups = wgc_sched_groups(address, state, records);
    if (wgc_scheduled())
    {
        // All workgroups are launched now.
        wgc::StoreCoherent<uint64_t>(address + WG_INSTANCE_CURSOR, groups);
    }
    if (groups > (uint64_t)WG_MAX_GROUPS)
    {
        // Only for dynamic grids: the other numbers were checked before.
        wgc_report_of(at.status, WG_ERROR_GROUPS, instance, 0u);
        groups = WG_MAX_GROUPS;
    }
    return groups;
}

// Sets the arguments of an instance for `groups` workgroups.
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
    // Each thread processes consecutive instances.
    uint share = wgc_ceil_div(run.instance_count, WG_JOINT_THREADS);
    uint first = min(thread * share, run.instance_count);
    uint last = min(first + share, run.instance_count);
    uint64_t sum = 0u;
    for (uint i = first; i < last; i++)
    {
        uint instance = run.first_instance + i;
        uint64_t groups = wgc_joint_groups(at, instance, admitted);
        WgPart part;
        // Among the workgroups of this thread, for now.
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
    // All threads have read the arguments.
    if (thread == 0u)
    {
        wgc_joint_launch(at, run.first_instance, wg_joint_sums[WG_JOINT_THREADS - 1u]);
    }
}
