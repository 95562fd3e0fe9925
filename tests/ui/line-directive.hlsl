// Output of a preprocessor: messages name the files and lines that `#line` gives.
#line 40 "engine/records.hlsli"
struct Item { uint id; };

#line 7 "nodes.hlsl"
[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Nxt) //~ ERROR WG0401
{
#line 100
    uint wrong = input.Get().idd; //~ ERROR WG0204
}

[Shader("node")] [NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> input)
{
# 12 "engine/records.hlsli" 2
    missing(input.Get().id); //~ ERROR WG0101
}
