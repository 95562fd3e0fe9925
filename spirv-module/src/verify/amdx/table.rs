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
    /// The reason for the requirement and the correction of a module that breaks it.
    pub explanation: &'static str,
    pub(super) check: Check,
}

macro_rules! rules {
    ($($id:literal $level:ident $spec:literal $kind:ident $check:path: $summary:literal $explanation:literal;)*) => {
        /// Every rule, in the order of the texts. Undefined behaviour that breaks no rule is a warning.
        pub static RULES: &[AmdxRule] = &[$(
            AmdxRule {
                id: $id,
                level: $level,
                spec: $spec,
                summary: $summary,
                explanation: $explanation,
                check: Check::$kind($check),
            },
        )*];
    };
}

rules! {
    "AMDX-01" Error "SPV Dependencies" Own interface::version:
        "the module is SPIR-V 1.4 or later"
        "The extension builds on SPIR-V 1.4. Older versions lack the interface rules that it needs. Write the module as SPIR-V 1.4 or later.";
    "AMDX-02" Error "SPV Storage Class; VK 3.2, inputs of coalescing nodes" Own interface::variable_type:
        "a variable in NodePayloadAMDX is a payload array"
        "The input of a node is an array of payloads, even if it holds one. Declare the variable as a pointer to an `OpTypeNodePayloadArrayAMDX`.";
    "AMDX-03" Error "VK 3.2, Storage Class" Own interface::one_input:
        "an entry point lists at most one variable in NodePayloadAMDX"
        "A node has one input, so its entry point lists one payload variable or none. List only the variable that this node uses, not those of other nodes in the module.";
    "AMDX-04" Error "SPV OpTypeNodePayloadArrayAMDX" Own interface::memory:
        "payload arrays are in NodePayloadAMDX, and in no other storage class or type"
        "A payload array exists only in the storage class `NodePayloadAMDX`. A copy in another storage class, or inside a structure or array, reaches no node. Use the pointer from `OpAllocateNodePayloadsAMDX`, or the input variable.";
    "AMDX-05" Error "SPV OpTypeNodePayloadArrayAMDX" Own interface::values:
        "a payload array is allocated or the input variable, and never a value"
        "A payload array is accessed through a pointer, and never loaded, stored or copied as a whole. Access its members with `OpAccessChain`.";
    "AMDX-06" Error "SPV Execution Modes, CoalescingAMDX" Own modes::coalescing_model:
        "CoalescingAMDX is for GLCompute"
        "Mesh nodes cannot coalesce records. Remove `CoalescingAMDX`, and give the node a grid.";
    "AMDX-07" Error "SPV Execution Modes, CoalescingAMDX" Own modes::coalescing_alone:
        "CoalescingAMDX excludes StaticNumWorkgroupsAMDX and MaxNumWorkgroupsAMDX"
        "A coalescing node runs one workgroup for a set of records, so it has no grid. Remove the mode of the grid, or `CoalescingAMDX`.";
    "AMDX-08" Error "SPV Execution Modes, StaticNumWorkgroupsAMDX" Own modes::one_grid:
        "StaticNumWorkgroupsAMDX excludes MaxNumWorkgroupsAMDX"
        "The grid of a node is either fixed or in the payload, with a maximum. Keep the mode that applies.";
    "AMDX-09" Error "SPV Execution Modes" Own modes::node_models:
        "IsApiEntryAMDX, StaticNumWorkgroupsAMDX, MaxNumWorkgroupsAMDX and ShaderIndexAMDX are for GLCompute and MeshEXT"
        "Nodes are compute shaders or mesh shaders. Entry points of other execution models, such as fragment shaders, cannot have modes of nodes.";
    "AMDX-10" Error "SPV Execution Modes, IsApiEntryAMDX" Own modes::entry_is_bool:
        "IsApiEntryAMDX has a boolean constant"
        "The operand says whether a host may dispatch the node. Give `OpConstantTrue` or `OpConstantFalse`, or a specialisation constant.";
    "AMDX-11" Error "VK 3.2, Execution Modes" Own modes::numbers:
        "numbers of execution modes are 32-bit integer constants"
        "These modes give grids, indexes and depths. Give an `OpConstant` or `OpSpecConstant` of a 32-bit integer type; `OpUndef` has no value.";
    "AMDX-12" Error "SPV Execution Modes, SharesInputWithAMDX" Own modes::sharing_name:
        "SharesInputWithAMDX names its node with OpConstantStringAMDX or OpSpecConstantStringAMDX"
        "The mode names the node that owns the input. Give its name as a string constant of the extension.";
    "AMDX-13" Error "SPV Execution Modes, IsApiEntryAMDX" Own modes::sharing_no_entry:
        "IsApiEntryAMDX is false together with SharesInputWithAMDX"
        "A node that shares an input gets its records from the owner of that input. A host cannot dispatch it. Without `IsApiEntryAMDX` a node is an entry, so give the mode with `OpConstantFalse`.";
    "AMDX-14" Error "VK 3.2, sharing input" Graph modes::sharing_owner:
        "the owner of a shared input exists, and shares no other input"
        "All nodes that share an input name its owner. The owner must be a node of the graph, and must not share another input. The first part is checked only if all modules of the graph are given.";
    "AMDX-15" Error "VK 3.2, sharing input" Graph modes::sharing_count:
        "at most 256 nodes share an input"
        "The limit includes the owner of the input. Split the input: produce the records for two nodes, and let each have its own sharers.";
    "AMDX-16" Error "VK 3.2, sharing input" Own modes::sharing_read_only:
        "the input of a node with SharesInputWithAMDX is NonWritable"
        "Several nodes read the shared records at the same time, so only the owner may write them. Decorate the variable, or every member of its structure, with `NonWritable`.";
    "AMDX-17" Error "VK 3.2, Execution Modes" Own interface::num_workgroups:
        "nodes do not use NumWorkgroups"
        "No host supplies this built-in to nodes. Read the grid from the payload (`PayloadDispatchIndirectAMDX`), or use the constants of `StaticNumWorkgroupsAMDX`.";
    "AMDX-18" Error "VK 3.2, Built-ins" Own modes::grid_in_payload:
        "the input of a node that is neither static nor coalescing has a member with PayloadDispatchIndirectAMDX"
        "Without a fixed grid, each payload contains the number of workgroups. Decorate the member that holds it, or give the node `StaticNumWorkgroupsAMDX`.";
    "AMDX-19" Error "VK 3.2, Execution Modes; VK 3.2, OpEnqueueNodePayloadsAMDX" Own graph::recursion_depth:
        "a node that sends to itself has MaxNodeRecursionAMDX"
        "A recursion has a known maximum depth. Add `MaxNodeRecursionAMDX` with at least 1.";
    "AMDX-20" Error "VK 3.2, OpEnqueueNodePayloadsAMDX" Own graph::recursion_index:
        "a node sends to no other node of its name"
        "Nodes with the same name and different indexes must not send payloads to each other. Rename one of them. Cycles of nodes with different names are not checked.";
    "AMDX-21" Error "SPV Decorations" Own decorations::on_arrays:
        "decorations of payload arrays decorate payload array types"
        "Limits and targets belong to the type of the payload array. Decorate the `OpTypeNodePayloadArrayAMDX`, not a variable, a pointer or the payload's structure.";
    "AMDX-22" Error "SPV Decorations, NodeMaxPayloadsAMDX" Own decorations::max_payloads:
        "a payload array type has NodeMaxPayloadsAMDX"
        "Each payload array type declares how many payloads it holds at most. Decorate the type with `OpDecorateId`. The types of inputs need it too.";
    "AMDX-23" Error "SPV Decorations" Own decorations::numbers:
        "numbers of decorations are integer constants"
        "The decorations give counts, sizes and base indexes by the id of a constant. Any integer width is allowed; `OpUndef` and computed values are not.";
    "AMDX-24" Error "SPV Decorations, NodeSharesPayloadLimitsWithAMDX" Own decorations::limits_of_another:
        "NodeSharesPayloadLimitsWithAMDX names another payload array type"
        "The types share one limit, which the named type has. A type cannot share with itself or with another kind of type.";
    "AMDX-25" Error "SPV Decorations, NodeSharesPayloadLimitsWithAMDX" Own decorations::limits_of_an_owner:
        "a payload array type with shared limits names a type that has its own limit"
        "Chains of shared limits are not allowed. Let all types name the one that has the limit itself.";
    "AMDX-26" Error "SPV Decorations, PayloadNodeNameAMDX" Own decorations::node_name:
        "PayloadNodeNameAMDX is an OpConstantStringAMDX or OpSpecConstantStringAMDX"
        "The decoration names the target node. Give its name as a string constant of the extension.";
    "AMDX-27" Error "SPV OpAllocateNodePayloadsAMDX; VK 3.1.1" Own decorations::target_named:
        "the type of allocated payloads names their node"
        "An allocation must say which node receives the payloads. Decorate its payload array type with `PayloadNodeNameAMDX`. The same holds for the type of `OpIsNodePayloadValidAMDX`.";
    "AMDX-28" Error "SPV Decorations, PayloadNodeArraySizeAMDX" Own decorations::array_size:
        "the type of allocated payloads is sparse or has PayloadNodeArraySizeAMDX"
        "The type declares how many nodes it can reach. Give 1 for a single node. With a base index, the size includes the indexes below the base.";
    "AMDX-29" Error "SPV Decorations, TrackFinishWritingAMDX" Own decorations::track_on_structures:
        "TrackFinishWritingAMDX decorates structures"
        "The decoration belongs to the structure of the payload. It reserves memory in each payload to count the workgroups that have finished.";
    "AMDX-30" Error "SPV Decorations, PayloadDispatchIndirectAMDX" Own decorations::grid_on_members:
        "PayloadDispatchIndirectAMDX decorates members of structures"
        "The decoration marks the member that holds the grid. Decorate it with `OpMemberDecorate`, not the whole structure or a variable.";
    "AMDX-31" Error "SPV Decorations, PayloadDispatchIndirectAMDX" Own decorations::grid_type:
        "a grid in a payload is an unsigned integer of at most 32 bits or a vector of two or three"
        "The member holds the number of workgroups along one to three axes. Signed integers, 64-bit integers and floats are not allowed.";
    "AMDX-32" Error "SPV OpAllocateNodePayloadsAMDX" Own instructions::allocated_type:
        "OpAllocateNodePayloadsAMDX returns a pointer to a payload array in NodePayloadAMDX"
        "The result type must be a pointer to an `OpTypeNodePayloadArrayAMDX` in the storage class `NodePayloadAMDX`.";
    "AMDX-33" Error "SPV OpAllocateNodePayloadsAMDX" Own instructions::visibility:
        "payloads are visible to an invocation or a workgroup"
        "The operand is a scope: `Invocation` if each invocation allocates its own payloads, `Workgroup` if they allocate together. Other scopes are not allowed.";
    "AMDX-34" Error "SPV OpAllocateNodePayloadsAMDX, OpIsNodePayloadValidAMDX" Own instructions::counts:
        "counts of payloads and indexes of nodes are integers"
        "Give scalar integers of any width. Booleans, floats and vectors are not allowed.";
    "AMDX-35" Warning "SPV OpAllocateNodePayloadsAMDX" Own instructions::count_in_limits:
        "an allocation has at most NodeMaxPayloadsAMDX payloads"
        "A constant count is larger than the limit of the type, and the behaviour is undefined. Allocate fewer payloads, or raise `NodeMaxPayloadsAMDX`. Only constant counts are checked; the CPU device checks the others (WG4003).";
    "AMDX-36" Warning "SPV Decorations, PayloadNodeArraySizeAMDX" Own instructions::index_in_array:
        "allocations are for indexes below PayloadNodeArraySizeAMDX, including the base index"
        "The index, plus the base index, is not below the size of the array, and the behaviour is undefined. Raise the size or lower the index. Only constant indexes are checked; the CPU device checks the others (WG4008).";
    "AMDX-37" Error "SPV OpIsNodePayloadValidAMDX" Own instructions::asked_index:
        "OpIsNodePayloadValidAMDX tests an index below PayloadNodeArraySizeAMDX"
        "The array has no node at this index. Ask for an index below the size. Only constant indexes are checked.";
    "AMDX-38" Error "SPV OpEnqueueNodePayloadsAMDX" Own instructions::enqueued:
        "enqueued payloads were allocated"
        "Only payloads from `OpAllocateNodePayloadsAMDX` can be sent. Pass the pointer that it returned, not the input or a pointer to another variable.";
    "AMDX-39" Warning "SPV OpAllocateNodePayloadsAMDX" Own lifetime::all_enqueued:
        "allocated payloads are enqueued"
        "The behaviour of payloads that are never sent is undefined. Send the allocated pointer with `OpEnqueueNodePayloadsAMDX`, also for payloads without data. An allocation that only some paths send is not reported here; the CPU device reports it (WG4004).";
    "AMDX-40" Warning "VK 3.2, OpEnqueueNodePayloadsAMDX" Own lifetime::after_enqueue:
        "nothing accesses payloads after they are enqueued, or enqueues them again"
        "After `OpEnqueueNodePayloadsAMDX` the payloads belong to their receiver. Write everything first, and send once, last. Only accesses that always follow are reported; the CPU device reports the others (WG4005).";
    "AMDX-41" Error "SPV OpNodePayloadArrayLengthAMDX" Own instructions::length_of:
        "OpNodePayloadArrayLengthAMDX takes the input or allocated payloads"
        "The instruction counts the payloads of an array. Pass the input variable of the node, or a pointer from `OpAllocateNodePayloadsAMDX`.";
    "AMDX-42" Error "SPV OpNodePayloadArrayLengthAMDX" Own instructions::length_type:
        "OpNodePayloadArrayLengthAMDX returns an unsigned 32-bit integer"
        "The result type is `OpTypeInt 32 0`. Convert the result if the program needs another type.";
    "AMDX-43" Error "SPV OpIsNodePayloadValidAMDX, OpFinishWritingNodePayloadAMDX" Own instructions::answers:
        "OpIsNodePayloadValidAMDX and OpFinishWritingNodePayloadAMDX return booleans"
        "Both instructions answer a question. The result type is `OpTypeBool`.";
    "AMDX-44" Error "SPV OpIsNodePayloadValidAMDX" Own instructions::asked_by_type:
        "OpIsNodePayloadValidAMDX names a payload array type"
        "The operand is the payload array type of the output, which names the node. Some tools require a value of that type, against the text of the extension; `--amdx-compat` writes one.";
    "AMDX-45" Error "SPV OpFinishWritingNodePayloadAMDX" Own instructions::finished_variable:
        "OpFinishWritingNodePayloadAMDX names the input variable"
        "The instruction finishes the node's input. Pass the `OpVariable` in `NodePayloadAMDX`, not a pointer to a member or to an allocated payload.";
    "AMDX-46" Error "SPV OpFinishWritingNodePayloadAMDX" Own instructions::finished_tracked:
        "OpFinishWritingNodePayloadAMDX is for payloads with TrackFinishWritingAMDX"
        "Without the decoration, the payload has no memory to count the workgroups that have finished. Decorate its structure, also in the nodes that send it.";
    "AMDX-47" Error "SPV OpFinishWritingNodePayloadAMDX" Own instructions::finished_broadcast:
        "nodes with CoalescingAMDX do not use OpFinishWritingNodePayloadAMDX"
        "A coalescing node runs one workgroup, so no other workgroup writes the same input. Use a node with a grid, or remove the instruction.";
    "AMDX-48" Warning "VK 3.2, OpFinishWritingNodePayloadAMDX" Own lifetime::after_finish:
        "nothing writes the input after OpFinishWritingNodePayloadAMDX"
        "The instruction declares that this workgroup writes the input no longer, and a later write has undefined behaviour. Write first. Only writes that always follow are reported; the CPU device reports the others (WG4013).";
    "AMDX-49" Error "VK 3.1.1" Graph graph::sizes:
        "a received payload is not larger than the payloads sent to the node, or to the owner of its input"
        "The receiver would read bytes that the sender did not write. Send a structure that is at least as large. A node without a declared input receives its grid: three 32-bit integers, or nothing if the grid is fixed.";
    "AMDX-50" Error "VK 3.1.1" Graph graph::same_members:
        "a received member is at the offset of a sent one, or inside one, and has the same decorations"
        "Sender and receiver declare the payload separately, and must agree. Each received member begins at a sent member or inside one, and both have the same decorations for grids and matrices. Types may differ.";
    "AMDX-51" Error "SPV Decorations, TrackFinishWritingAMDX" Graph graph::tracked:
        "an input has TrackFinishWritingAMDX if the payloads sent to it have it"
        "The sender reserves memory to count finished workgroups, and the receiver must know that it exists. Decorate both structures, or neither.";
    "AMDX-52" Error "VK 3.1.1" Graph graph::same_model:
        "nodes of one name are of one execution model"
        "Nodes with one name form an array, and are all compute shaders or all mesh shaders. Rename one of them.";
    "AMDX-53" Error "VK 3.1.1" Graph graph::same_identity:
        "nodes of one name have different indexes"
        "A name and an index identify one node. Give one of the nodes another name, or another index by `ShaderIndexAMDX`.";
    "AMDX-54" Error "SPV Decorations, PayloadNodeSparseArrayAMDX" Graph graph::missing_targets:
        "without PayloadNodeSparseArrayAMDX every index of an array is a node of the graph"
        "A type without `PayloadNodeSparseArrayAMDX` promises that every index below its size is a node. Add the missing nodes, or decorate the type. This is checked only if all modules of the graph are given.";
    "AMDX-55" Error "VK 3.1.1" Graph graph::same_payload:
        "nodes of one name receive the same payload"
        "A sender selects a node by its index at run time. All nodes with one name therefore receive the same payload, with the decorations of AMDX-50. Rename one of them, or give them the same structure.";
    "AMDX-56" Error "VK 3.2, sharing input; SPIR-V 3.20, NonWritable" Own read_only::writes:
        "NonWritable inputs and members are not written"
        "The input has `NonWritable`, or the written member has it. A shared input must have it (AMDX-16). Write to a copy, or to an allocated payload. Writes through a parameter of a called function are not found.";
}
