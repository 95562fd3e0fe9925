//! The table of rules.

use super::super::Level::{self, Error, Warning};
use super::{Check, decorations, graph, instructions, interface, lifetime, modes, read_only};

/// A rule of the extension.
pub struct AmdxRule {
    pub id: &'static str,
    pub level: Level,
    /// The section in the texts: SPV is SPV_AMDX_shader_enqueue, VK the proposal of VK_AMDX_shader_enqueue.
    pub spec: &'static str,
    /// The requirement.
    pub summary: &'static str,
    pub(super) check: Check,
}

macro_rules! rules {
    ($($id:literal $level:ident $spec:literal $kind:ident $check:path: $summary:literal;)*) => {
        /// Every rule, in the order of the texts. Undefined behaviour that breaks no rule is a warning.
        pub static RULES: &[AmdxRule] = &[$(
            AmdxRule { id: $id, level: $level, spec: $spec, summary: $summary, check: Check::$kind($check) },
        )*];
    };
}

rules! {
    "AMDX-01" Error "SPV Dependencies" Own interface::version: "the module is SPIR-V 1.4 or later";
    "AMDX-02" Error "SPV Storage Class; VK 3.2, inputs of coalescing nodes" Own interface::variable_type:
        "a variable in NodePayloadAMDX is a payload array";
    "AMDX-03" Error "VK 3.2, Storage Class" Own interface::one_input: "an entry point lists at most one variable in NodePayloadAMDX";
    "AMDX-04" Error "SPV OpTypeNodePayloadArrayAMDX" Own interface::memory: "payload arrays lie in NodePayloadAMDX and in no other memory or type";
    "AMDX-05" Error "SPV OpTypeNodePayloadArrayAMDX" Own interface::values: "payload arrays are no values: they are allocated, or the input variable";
    "AMDX-06" Error "SPV Execution Modes, CoalescingAMDX" Own modes::coalescing_model: "CoalescingAMDX is for GLCompute";
    "AMDX-07" Error "SPV Execution Modes, CoalescingAMDX" Own modes::coalescing_alone:
        "CoalescingAMDX does not stand beside StaticNumWorkgroupsAMDX or MaxNumWorkgroupsAMDX";
    "AMDX-08" Error "SPV Execution Modes, StaticNumWorkgroupsAMDX" Own modes::one_grid:
        "StaticNumWorkgroupsAMDX does not stand beside MaxNumWorkgroupsAMDX";
    "AMDX-09" Error "SPV Execution Modes" Own modes::node_models:
        "IsApiEntryAMDX, StaticNumWorkgroupsAMDX, MaxNumWorkgroupsAMDX and ShaderIndexAMDX are for GLCompute and MeshEXT";
    "AMDX-10" Error "SPV Execution Modes, IsApiEntryAMDX" Own modes::entry_is_bool: "IsApiEntryAMDX takes a boolean constant";
    "AMDX-11" Error "VK 3.2, Execution Modes" Own modes::numbers: "numbers of execution modes are 32-bit integer constants";
    "AMDX-12" Error "SPV Execution Modes, SharesInputWithAMDX" Own modes::sharing_name:
        "SharesInputWithAMDX names its node by OpConstantStringAMDX or OpSpecConstantStringAMDX";
    "AMDX-13" Error "SPV Execution Modes, IsApiEntryAMDX" Own modes::sharing_no_entry: "IsApiEntryAMDX is false beside SharesInputWithAMDX";
    "AMDX-14" Error "VK 3.2, sharing input" Graph modes::sharing_owner: "a node whose input is shared is there, and does not share another's";
    "AMDX-15" Error "VK 3.2, sharing input" Graph modes::sharing_count: "at most 256 nodes share an input";
    "AMDX-16" Error "VK 3.2, sharing input" Own modes::sharing_read_only: "the input of a node with SharesInputWithAMDX is NonWritable";
    "AMDX-17" Error "VK 3.2, Execution Modes" Own interface::num_workgroups: "nodes do not use NumWorkgroups";
    "AMDX-18" Error "VK 3.2, Built-ins" Own modes::grid_in_payload:
        "the input of a node that is neither static nor coalescing has a member with PayloadDispatchIndirectAMDX";
    "AMDX-19" Error "VK 3.2, Execution Modes; VK 3.2, OpEnqueueNodePayloadsAMDX" Own graph::recursion_depth:
        "a node that sends to itself has MaxNodeRecursionAMDX";
    "AMDX-20" Error "VK 3.2, OpEnqueueNodePayloadsAMDX" Own graph::recursion_index:
        "of the nodes of its own name a node sends to itself alone";
    "AMDX-21" Error "SPV Decorations" Own decorations::on_arrays: "decorations of payload arrays stand on payload array types";
    "AMDX-22" Error "SPV Decorations, NodeMaxPayloadsAMDX" Own decorations::max_payloads: "a payload array type has NodeMaxPayloadsAMDX";
    "AMDX-23" Error "SPV Decorations" Own decorations::numbers: "numbers of decorations are integer constants";
    "AMDX-24" Error "SPV Decorations, NodeSharesPayloadLimitsWithAMDX" Own decorations::limits_of_another:
        "NodeSharesPayloadLimitsWithAMDX names another payload array type";
    "AMDX-25" Error "SPV Decorations, NodeSharesPayloadLimitsWithAMDX" Own decorations::limits_of_an_owner:
        "a payload array type whose limits are shared does not share another's";
    "AMDX-26" Error "SPV Decorations, PayloadNodeNameAMDX" Own decorations::node_name:
        "PayloadNodeNameAMDX gives OpConstantStringAMDX or OpSpecConstantStringAMDX";
    "AMDX-27" Error "SPV OpAllocateNodePayloadsAMDX; VK 3.1.1" Own decorations::target_named:
        "a type that payloads are allocated of names their node";
    "AMDX-28" Error "SPV Decorations, PayloadNodeArraySizeAMDX" Own decorations::array_size:
        "a type that payloads are allocated of is sparse or has PayloadNodeArraySizeAMDX";
    "AMDX-29" Error "SPV Decorations, TrackFinishWritingAMDX" Own decorations::track_on_structures: "TrackFinishWritingAMDX stands on structures";
    "AMDX-30" Error "SPV Decorations, PayloadDispatchIndirectAMDX" Own decorations::grid_on_members:
        "PayloadDispatchIndirectAMDX stands on members of structures";
    "AMDX-31" Error "SPV Decorations, PayloadDispatchIndirectAMDX" Own decorations::grid_type:
        "a grid in a payload is an unsigned integer of at most 32 bits or a vector of two or three";
    "AMDX-32" Error "SPV OpAllocateNodePayloadsAMDX" Own instructions::allocated_type:
        "OpAllocateNodePayloadsAMDX gives a pointer to a payload array in NodePayloadAMDX";
    "AMDX-33" Error "SPV OpAllocateNodePayloadsAMDX" Own instructions::visibility: "payloads are visible to an invocation or a workgroup";
    "AMDX-34" Error "SPV OpAllocateNodePayloadsAMDX, OpIsNodePayloadValidAMDX" Own instructions::counts:
        "counts of payloads and indexes of nodes are integers";
    "AMDX-35" Warning "SPV OpAllocateNodePayloadsAMDX" Own instructions::count_in_limits:
        "no more payloads are allocated at once than NodeMaxPayloadsAMDX says";
    "AMDX-36" Warning "SPV Decorations, PayloadNodeArraySizeAMDX" Own instructions::index_in_array:
        "payloads are allocated for indexes within PayloadNodeArraySizeAMDX, the base index counted";
    "AMDX-37" Error "SPV OpIsNodePayloadValidAMDX" Own instructions::asked_index:
        "OpIsNodePayloadValidAMDX asks about an index below PayloadNodeArraySizeAMDX";
    "AMDX-38" Error "SPV OpEnqueueNodePayloadsAMDX" Own instructions::enqueued: "what is enqueued was allocated";
    "AMDX-39" Warning "SPV OpAllocateNodePayloadsAMDX" Own lifetime::all_enqueued: "what is allocated is enqueued";
    "AMDX-40" Warning "VK 3.2, OpEnqueueNodePayloadsAMDX" Own lifetime::after_enqueue:
        "nothing accesses payloads after they are enqueued, or enqueues them again";
    "AMDX-41" Error "SPV OpNodePayloadArrayLengthAMDX" Own instructions::length_of:
        "OpNodePayloadArrayLengthAMDX is of the input or of allocated payloads";
    "AMDX-42" Error "SPV OpNodePayloadArrayLengthAMDX" Own instructions::length_type:
        "OpNodePayloadArrayLengthAMDX gives an unsigned 32-bit integer";
    "AMDX-43" Error "SPV OpIsNodePayloadValidAMDX, OpFinishWritingNodePayloadAMDX" Own instructions::answers:
        "OpIsNodePayloadValidAMDX and OpFinishWritingNodePayloadAMDX give booleans";
    "AMDX-44" Error "SPV OpIsNodePayloadValidAMDX" Own instructions::asked_by_type: "OpIsNodePayloadValidAMDX names a payload array type";
    "AMDX-45" Error "SPV OpFinishWritingNodePayloadAMDX" Own instructions::finished_variable:
        "OpFinishWritingNodePayloadAMDX names the input variable";
    "AMDX-46" Error "SPV OpFinishWritingNodePayloadAMDX" Own instructions::finished_tracked:
        "OpFinishWritingNodePayloadAMDX is for payloads with TrackFinishWritingAMDX";
    "AMDX-47" Error "SPV OpFinishWritingNodePayloadAMDX" Own instructions::finished_broadcast:
        "nodes with CoalescingAMDX do not use OpFinishWritingNodePayloadAMDX";
    "AMDX-48" Warning "VK 3.2, OpFinishWritingNodePayloadAMDX" Own lifetime::after_finish:
        "nothing writes the input after OpFinishWritingNodePayloadAMDX";
    "AMDX-49" Error "VK 3.1.1" Graph graph::sizes: "a node's payload is no larger than what is sent to it, or to the node whose input it shares";
    "AMDX-50" Error "VK 3.1.1" Graph graph::same_members:
        "a member that is taken is at the offset of one that is sent, or in one, and has the same decorations";
    "AMDX-51" Error "SPV Decorations, TrackFinishWritingAMDX" Graph graph::tracked: "who takes payloads with TrackFinishWritingAMDX has it too";
    "AMDX-52" Error "VK 3.1.1" Graph graph::same_model: "nodes of one name are of one execution model";
    "AMDX-53" Error "VK 3.1.1" Graph graph::same_identity: "nodes of one name have different indexes";
    "AMDX-54" Error "SPV Decorations, PayloadNodeSparseArrayAMDX" Graph graph::missing_targets:
        "without PayloadNodeSparseArrayAMDX every index of an array is a node of the graph";
    "AMDX-55" Error "VK 3.1.1" Graph graph::same_payload: "nodes of one name take payloads of the same bytes";
    "AMDX-56" Error "VK 3.2, sharing input; SPIR-V 3.20, NonWritable" Own read_only::writes:
        "what is NonWritable of an input is not written";
}
