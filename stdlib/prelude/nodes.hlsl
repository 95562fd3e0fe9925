// Work graphs: node inputs, node outputs, records. D3D12 work graph specification, "Objects".

// ---- inputs, broadcasting launch

template<typename R> struct [[wgc::builtin("dispatch_node_input")]] DispatchNodeInputRecord
{
    [[wgc::op("input.record")]] [[wgc::const_ref]] R Get();
};

template<typename R> struct [[wgc::builtin("rw_dispatch_node_input")]] RWDispatchNodeInputRecord
{
    [[wgc::op("input.record")]] [[wgc::ref]] R Get();
    [[wgc::op("input.finished")]] bool FinishedCrossGroupSharing();
};

// ---- inputs, coalescing launch

template<typename R> struct [[wgc::builtin("group_node_input")]] GroupNodeInputRecords
{
    [[wgc::op("input.record")]] [[wgc::const_ref]] R Get(uint index = 0);
    [[wgc::op("input.record")]] [[wgc::const_ref]] R operator[](uint index);
    [[wgc::op("input.count")]] uint Count();
};

template<typename R> struct [[wgc::builtin("rw_group_node_input")]] RWGroupNodeInputRecords
{
    [[wgc::op("input.record")]] [[wgc::ref]] R Get(uint index = 0);
    [[wgc::op("input.record")]] [[wgc::ref]] R operator[](uint index);
    [[wgc::op("input.count")]] uint Count();
};

struct [[wgc::builtin("empty_node_input")]] EmptyNodeInput
{
    [[wgc::op("input.count")]] uint Count();
};

// ---- inputs, thread launch

template<typename R> struct [[wgc::builtin("thread_node_input")]] ThreadNodeInputRecord
{
    [[wgc::op("input.record")]] [[wgc::const_ref]] R Get();
};

template<typename R> struct [[wgc::builtin("rw_thread_node_input")]] RWThreadNodeInputRecord
{
    [[wgc::op("input.record")]] [[wgc::ref]] R Get();
};

// ---- output records

template<typename R> struct [[wgc::builtin("thread_node_output_records")]] ThreadNodeOutputRecords
{
    [[wgc::op("records.get")]] [[wgc::ref]] R Get(uint index = 0);
    [[wgc::op("records.get")]] [[wgc::ref]] R operator[](uint index);
    [[wgc::op("records.complete")]] void OutputComplete();
};

template<typename R> struct [[wgc::builtin("group_node_output_records")]] GroupNodeOutputRecords
{
    [[wgc::op("records.get")]] [[wgc::ref]] R Get(uint index = 0);
    [[wgc::op("records.get")]] [[wgc::ref]] R operator[](uint index);
    [[wgc::op("records.complete")]] void OutputComplete();
};

// ---- outputs

template<typename R> struct [[wgc::builtin("node_output")]] NodeOutput
{
    [[wgc::op("output.allocate_thread")]] ThreadNodeOutputRecords<R> GetThreadNodeOutputRecords(uint numRecordsForThisThread);
    [[wgc::op("output.allocate_group")]] GroupNodeOutputRecords<R> GetGroupNodeOutputRecords(uint numRecords);
    [[wgc::op("output.valid")]] bool IsValid();
};

struct [[wgc::builtin("empty_node_output")]] EmptyNodeOutput
{
    [[wgc::op("output.increment_group")]] void GroupIncrementOutputCount(uint count);
    [[wgc::op("output.increment_thread")]] void ThreadIncrementOutputCount(uint count);
    [[wgc::op("output.valid")]] bool IsValid();
};

template<typename R> struct [[wgc::builtin("node_output_array")]] NodeOutputArray
{
    [[wgc::op("output.element")]] NodeOutput<R> operator[](uint index);
};

struct [[wgc::builtin("empty_node_output_array")]] EmptyNodeOutputArray
{
    [[wgc::op("output.element")]] EmptyNodeOutput operator[](uint index);
};

[[wgc::op("node.remaining_levels")]] uint GetRemainingRecursionLevels();
