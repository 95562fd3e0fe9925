// One odd member of an array, a misspelt budget, and a target that is a function without `Shader`: one message each.
struct R { uint a; };
struct Q { uint a; uint b; };
[Shader("node")] [NodeLaunch("thread")]
void Start(
    [MaxRecords(1)] [NodeArraySize(3)] NodeOutputArray<R> list, //~ ERROR WG0403
    [MaxRecord(1)] NodeOutput<R> single,                        //~ ERROR WG0317
    [MaxRecords(1)] NodeOutput<R> forgotten)                    //~ ERROR WG0401
{
}
[Shader("node")] [NodeLaunch("thread")] [NodeID("list", 0)] void list0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("list", 1)] void list1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("list", 2)] void list2(ThreadNodeInputRecord<Q> i) { }
[Shader("node")] [NodeLaunch("thread")] void single(ThreadNodeInputRecord<R> i) { }
[NodeLaunch("thread")] void forgotten(ThreadNodeInputRecord<R> i) { } //~ WARN WG0335
