[Shader("node")][NodeLaunch("broadcasting")][NodeDispatchGrid(1,1,1)][NumThreads(32,1,1)]void First(DispatchNodeInputRecord<Record>input,uint thread:SV_GroupIndex,[MaxRecords(4)][NodeID("Second",1)]NodeOutput<Record>output)
{
GroupNodeOutputRecords<Record>records=output.GetGroupNodeOutputRecords(4);
records.Get(thread).value=input.Get().value+thread;records.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")] // may be an entry too
                       // and is one here
[NodeIsProgramEntry]
void Second(
ThreadNodeInputRecord<Record> input,
  [MaxRecords(2)]
  [NodeArraySize(4)] NodeOutputArray<Record> next, // behind a comma

// on its own
    EmptyNodeOutput last
)
{
    Value result = Some.Very.Long.Path.To.A.Function(first_argument_of_many + 1, second_argument_of_many, third_argument_of_many * 2);
    bool answer = first_condition_of_many && second_condition_of_many || third_condition_of_many && fourth_condition_of_many;
    float3 chosen = condition_that_is_long_enough ? value_for_when_it_is_true_and_long : value_for_when_it_is_not_true_and_longer;
    static const uint words[] = { 0x00000001, 0x00000002, 0x00000003, 0x00000004, 0x00000005, 0x00000006, 0x00000007, 0x00000008, 0x9 };
    if (input.Get().value > some_threshold && input.Get().other < another_threshold || everything_else_is_false_too)
        next[input.Get().value].GetThreadNodeOutputRecords(1).OutputComplete();
}
void Prototype(uint a_parameter_with_a_long_name, uint another_parameter_with_a_long_name, uint a_third_parameter_of_these);
