//! hints
struct R { uint id; uint age; };
struct Whole { uint id; uint age; };
struct Written { uint id; uint result; };
RWStructuredBuffer<uint> seen : register(u0);

// Two nodes read all of it together.
[Shader("node")] [NodeLaunch("thread")]
void ids(ThreadNodeInputRecord<R> input)
{
    seen[input.Get().id] = 1;
}

[Shader("node")] [NodeLaunch("thread")]
void ages(ThreadNodeInputRecord<R> input)
{
    seen[0] = input.Get().age;
}

// A copy of the whole is a use of all.
[Shader("node")] [NodeLaunch("thread")]
void copies(ThreadNodeInputRecord<Whole> input)
{
    Whole whole = input.Get();
    seen[1] = whole.id;
}

// A field that the node writes is meant for a reader.
[Shader("node")] [NodeLaunch("thread")]
void writes(RWThreadNodeInputRecord<Written> input)
{
    input.Get().result = input.Get().id;
}
