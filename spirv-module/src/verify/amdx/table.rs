//! The table of rules.

use super::super::Level::{self, Error, Warning};
use super::facts::Facts;
use super::{Findings, decorations, graph, instructions, interface, lifetime, modes};

/// A rule of the extension.
pub struct AmdxRule {
    pub id: &'static str,
    pub level: Level,
    /// Where the texts say it: SPV is SPV_AMDX_shader_enqueue, VK the proposal of VK_AMDX_shader_enqueue.
    pub spec: &'static str,
    /// What must hold.
    pub summary: &'static str,
    pub(super) check: fn(&Facts, &mut Findings),
}

macro_rules! rules {
    ($($id:literal $level:ident $spec:literal $check:path: $summary:literal;)*) => {
        /// Every rule, in the order of the texts. What is undefined behaviour and no broken rule is a warning.
        pub static RULES: &[AmdxRule] = &[$(
            AmdxRule { id: $id, level: $level, spec: $spec, summary: $summary, check: $check },
        )*];
    };
}

rules! {
    "AMDX-01" Error "SPV Dependencies" interface::version: "the module is SPIR-V 1.4 or later";
    "AMDX-02" Error "SPV Storage Class; VK 3.2, inputs of coalescing nodes" interface::variable_type:
        "a variable in NodePayloadAMDX is a payload array";
    "AMDX-03" Error "VK 3.2, Storage Class" interface::one_input: "an entry point lists at most one variable in NodePayloadAMDX";
    "AMDX-04" Error "SPV OpTypeNodePayloadArrayAMDX" interface::memory: "payload arrays lie in NodePayloadAMDX and in no other memory or type";
    "AMDX-05" Error "SPV OpTypeNodePayloadArrayAMDX" interface::values: "payload arrays are no values: they are allocated, or the input variable";
    "AMDX-06" Error "SPV Execution Modes, CoalescingAMDX" modes::coalescing_model: "CoalescingAMDX is for GLCompute";
    "AMDX-07" Error "SPV Execution Modes, CoalescingAMDX" modes::coalescing_alone:
        "CoalescingAMDX does not stand beside StaticNumWorkgroupsAMDX or MaxNumWorkgroupsAMDX";
    "AMDX-08" Error "SPV Execution Modes, StaticNumWorkgroupsAMDX" modes::one_grid:
        "StaticNumWorkgroupsAMDX does not stand beside MaxNumWorkgroupsAMDX";
    "AMDX-09" Error "SPV Execution Modes" modes::node_models:
        "IsApiEntryAMDX, StaticNumWorkgroupsAMDX, MaxNumWorkgroupsAMDX and ShaderIndexAMDX are for GLCompute and MeshEXT";
    "AMDX-10" Error "SPV Execution Modes, IsApiEntryAMDX" modes::entry_is_bool: "IsApiEntryAMDX takes a boolean constant";
    "AMDX-11" Error "VK 3.2, Execution Modes" modes::numbers: "numbers of execution modes are 32-bit integer constants";
    "AMDX-12" Error "SPV Execution Modes, SharesInputWithAMDX" modes::sharing_name:
        "SharesInputWithAMDX names its node by OpConstantStringAMDX or OpSpecConstantStringAMDX";
    "AMDX-13" Error "SPV Execution Modes, IsApiEntryAMDX" modes::sharing_no_entry: "IsApiEntryAMDX is false beside SharesInputWithAMDX";
    "AMDX-14" Error "VK 3.2, sharing input" modes::sharing_owner: "a node whose input is shared does not share another's";
    "AMDX-15" Error "VK 3.2, sharing input" modes::sharing_count: "at most 256 nodes share an input";
    "AMDX-16" Error "VK 3.2, sharing input" modes::sharing_read_only: "the input of a node with SharesInputWithAMDX is NonWritable";
    "AMDX-17" Error "VK 3.2, Execution Modes" interface::num_workgroups: "nodes do not use NumWorkgroups";
    "AMDX-18" Error "VK 3.2, Built-ins" modes::grid_in_payload:
        "the input of a node that is neither static nor coalescing has a member with PayloadDispatchIndirectAMDX";
    "AMDX-19" Error "VK 3.2, Execution Modes; VK 3.2, OpEnqueueNodePayloadsAMDX" graph::recursion_depth:
        "a node that sends to itself has MaxNodeRecursionAMDX";
    "AMDX-20" Error "VK 3.2, OpEnqueueNodePayloadsAMDX" graph::recursion_index:
        "of the nodes of its own name a node sends to itself alone";
    "AMDX-21" Error "SPV Decorations" decorations::on_arrays: "decorations of payload arrays stand on payload array types";
    "AMDX-22" Error "SPV Decorations, NodeMaxPayloadsAMDX" decorations::max_payloads: "a payload array type has NodeMaxPayloadsAMDX";
    "AMDX-23" Error "SPV Decorations" decorations::numbers: "numbers of decorations are 32-bit integer constants";
    "AMDX-24" Error "SPV Decorations, NodeSharesPayloadLimitsWithAMDX" decorations::limits_of_another:
        "NodeSharesPayloadLimitsWithAMDX names another payload array type";
    "AMDX-25" Error "SPV Decorations, NodeSharesPayloadLimitsWithAMDX" decorations::limits_of_an_owner:
        "a payload array type whose limits are shared does not share another's";
    "AMDX-26" Error "SPV Decorations, PayloadNodeNameAMDX" decorations::node_name:
        "PayloadNodeNameAMDX gives OpConstantStringAMDX or OpSpecConstantStringAMDX";
    "AMDX-27" Error "SPV OpAllocateNodePayloadsAMDX; VK 3.1.1" decorations::target_named:
        "a type that payloads are allocated of names their node";
    "AMDX-28" Error "SPV Decorations, PayloadNodeArraySizeAMDX" decorations::array_size:
        "a type that payloads are allocated of is sparse or has PayloadNodeArraySizeAMDX";
    "AMDX-29" Error "SPV Decorations, TrackFinishWritingAMDX" decorations::track_on_structures: "TrackFinishWritingAMDX stands on structures";
    "AMDX-30" Error "SPV Decorations, PayloadDispatchIndirectAMDX" decorations::grid_on_members:
        "PayloadDispatchIndirectAMDX stands on members of structures";
    "AMDX-31" Error "SPV Decorations, PayloadDispatchIndirectAMDX" decorations::grid_type:
        "a grid in a payload is an unsigned integer of at most 32 bits or a vector of two or three";
    "AMDX-32" Error "SPV OpAllocateNodePayloadsAMDX" instructions::allocated_type:
        "OpAllocateNodePayloadsAMDX gives a pointer to a payload array in NodePayloadAMDX";
    "AMDX-33" Error "SPV OpAllocateNodePayloadsAMDX" instructions::visibility: "payloads are visible to an invocation or a workgroup";
    "AMDX-34" Error "SPV OpAllocateNodePayloadsAMDX, OpIsNodePayloadValidAMDX" instructions::counts:
        "counts of payloads and indexes of nodes are 32-bit integers";
    "AMDX-35" Warning "SPV OpAllocateNodePayloadsAMDX" instructions::count_in_limits:
        "no more payloads are allocated at once than NodeMaxPayloadsAMDX says";
    "AMDX-36" Warning "SPV Decorations, PayloadNodeArraySizeAMDX" instructions::index_in_array:
        "payloads are allocated for indexes within PayloadNodeArraySizeAMDX, the base index counted";
    "AMDX-37" Error "SPV OpIsNodePayloadValidAMDX" instructions::asked_index:
        "OpIsNodePayloadValidAMDX asks about an index below PayloadNodeArraySizeAMDX";
    "AMDX-38" Error "SPV OpEnqueueNodePayloadsAMDX" instructions::enqueued: "what is enqueued was allocated";
    "AMDX-39" Warning "SPV OpAllocateNodePayloadsAMDX" lifetime::all_enqueued: "what is allocated is enqueued";
    "AMDX-40" Warning "VK 3.2, OpEnqueueNodePayloadsAMDX" lifetime::after_enqueue:
        "nothing accesses payloads after they are enqueued, or enqueues them again";
    "AMDX-41" Error "SPV OpNodePayloadArrayLengthAMDX" instructions::length_of:
        "OpNodePayloadArrayLengthAMDX is of the input or of allocated payloads";
    "AMDX-42" Error "SPV OpNodePayloadArrayLengthAMDX" instructions::length_type:
        "OpNodePayloadArrayLengthAMDX gives an unsigned 32-bit integer";
    "AMDX-43" Error "SPV OpIsNodePayloadValidAMDX, OpFinishWritingNodePayloadAMDX" instructions::answers:
        "OpIsNodePayloadValidAMDX and OpFinishWritingNodePayloadAMDX give booleans";
    "AMDX-44" Error "SPV OpIsNodePayloadValidAMDX" instructions::asked_by_type: "OpIsNodePayloadValidAMDX names a payload array type";
    "AMDX-45" Error "SPV OpFinishWritingNodePayloadAMDX" instructions::finished_variable:
        "OpFinishWritingNodePayloadAMDX names the input variable";
    "AMDX-46" Error "SPV OpFinishWritingNodePayloadAMDX" instructions::finished_tracked:
        "OpFinishWritingNodePayloadAMDX is for payloads with TrackFinishWritingAMDX";
    "AMDX-47" Error "SPV OpFinishWritingNodePayloadAMDX" instructions::finished_broadcast:
        "nodes with CoalescingAMDX do not use OpFinishWritingNodePayloadAMDX";
    "AMDX-48" Warning "VK 3.2, OpFinishWritingNodePayloadAMDX" lifetime::after_finish:
        "nothing writes the input after OpFinishWritingNodePayloadAMDX";
    "AMDX-49" Error "VK 3.1.1" graph::sizes: "a node's payload is no larger than what is sent to it";
    "AMDX-50" Error "VK 3.1.1" graph::same_members: "members of what is sent and of what is taken have the same decorations";
    "AMDX-51" Error "SPV Decorations, TrackFinishWritingAMDX" graph::tracked: "who takes payloads with TrackFinishWritingAMDX has it too";
    "AMDX-52" Error "VK 3.1.1" graph::same_model: "nodes of one name are of one execution model";
}
