// Joint dispatches: instances of one stage that share their code and have one dispatch. The kernel joint has assigned a part of
// the workgroups to each (`WgPart`), in their order. Here a workgroup finds its instance.

struct WgMember
{
    uint instance;
    // Number among the workgroups of the instance; WG_ABSENT if the workgroup belongs to none.
    uint group;
};

WgPart wgc_part(uint64_t instances, uint instance)
{
    return wgc::Load<WgPart>(instances + (uint64_t)instance * WG_STATE + WG_STATE_PART);
}

// Uniform in a workgroup.
WgMember wgc_find_member(uint64_t instances)
{
    uint count = wg_push.flags >> WG_PUSH_RUN_SHIFT;
    WgMember member;
    member.instance = wg_push.instance;
    member.group = wgc_linear_group();
    if (count == 0u)
    {
        return member;
    }
    // The number of a workgroup in a run may exceed 32 bits.
    uint3 at = wgc::WorkgroupId();
    uint3 groups = wgc::NumWorkgroups();
    uint64_t group = ((uint64_t)at.z * groups.y + at.y) * groups.x + at.x;
    // Finds the last instance whose part begins at or before the group, as in wgc_find_grid. If several begin there, all but
    // the last are empty.
    uint lanes = WaveActiveCountBits(true);
    uint lane = WavePrefixCountBits(true);
    uint first = 0u;
    uint last = count;
    while (last - first > 1u)
    {
        uint step = (last - first + lanes) / (lanes + 1u);
        uint end = first + (lane + 1u) * step;
        bool before = false;
        if (end < last)
        {
            before = wgc_part(instances, wg_push.instance + end).first_group <= group;
        }
        first += WaveActiveCountBits(before) * step;
        last = min(first + step, last);
    }
    member.instance += first;
    WgPart part = wgc_part(instances, member.instance);
    uint64_t place = group - part.first_group;
    member.group = place < (uint64_t)part.group_count ? (uint)place : WG_ABSENT;
    return member;
}

// Like wgc_enter, for code that may run in a joint dispatch.
WgNode wgc_enter_joint()
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    WgMember member = wgc_find_member(at.instances);
    WgInstanceState state = wgc_instance_state(at.instances, member.instance);
    return wgc_entered(at, member.instance, state, state.queue, member.group);
}

// Like wgc_local_root. It searches for the instance again: few nodes have local root arguments, and the search is short.
uint64_t wgc_local_root_joint()
{
    WgAddresses at = wgc::Load<WgAddresses>(wg_push.context);
    return wgc_local_root_of(wgc_find_member(at.instances).instance);
}
