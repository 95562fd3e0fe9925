// A copied node whose NodeID was forgotten: it targets itself, and no sibling.
struct Item { uint value; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(3)]
void spark(ThreadNodeInputRecord<Item> i, [MaxRecords(1)] NodeOutput<Item> spark)
{
    bool more = GetRemainingRecursionLevels() != 0;
    ThreadNodeOutputRecords<Item> next = spark.GetThreadNodeOutputRecords(more ? 1 : 0);
    if (more)
        next.Get().value = 1;
    next.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("spark")] [NodeMaxRecursionDepth(3)] //~ ERROR WG0402
void copy(ThreadNodeInputRecord<Item> i, [MaxRecords(1)] [NodeID("spark")] NodeOutput<Item> again)
{
    bool more = GetRemainingRecursionLevels() != 0;
    ThreadNodeOutputRecords<Item> next = again.GetThreadNodeOutputRecords(more ? 1 : 0);
    if (more)
        next.Get().value = 1;
    next.OutputComplete();
}
