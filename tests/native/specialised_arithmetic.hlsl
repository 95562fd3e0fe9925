// Numbers of the graph that arithmetic on specialisation constants gives.
[[vk::constant_id(1)]] const uint COUNT = 12;
[[vk::constant_id(2)]] const int SIGNED = -8;
[[vk::constant_id(3)]] const bool WIDE = true;
[[vk::constant_id(4)]] const uint OWNER = 1;
static const uint Half = COUNT / 2;
struct Work { uint v; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(Half + 1, (COUNT | 3) % 7, WIDE && COUNT > 4 ? 2 : 1)]
[NumThreads(COUNT << 1, 1, 1)]
void Source([MaxRecords(COUNT + 1)] [NodeID("Leaf", COUNT ^ 1)] NodeOutput<Work> leaf)
{
    GroupNodeOutputRecords<Work> record = leaf.GetGroupNodeOutputRecords(1);
    record.Get().v = 1;
    record.OutputComplete();
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Leaf", COUNT ^ 1)]
void Leaf([MaxRecords(-SIGNED >> 2)] GroupNodeInputRecords<Work> input) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Own", 1)]
void Own(ThreadNodeInputRecord<Work> input) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("Own", OWNER)]
void Joins(ThreadNodeInputRecord<Work> input) { }
