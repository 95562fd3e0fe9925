// Methods that only read, objects that can be written, and copies.
struct Work
{
    uint left;
    uint take() { return left--; }
    uint peek() { Work copy = this; return copy.take(); }
};
RWStructuredBuffer<uint> result : register(u0);
RWStructuredBuffer<Work> queue : register(u1);

[Shader("node")] [NodeLaunch("thread")]
void main(ThreadNodeInputRecord<Work> input)
{
    uint taken = input.Get().peek();
    Work copy = input.Get();
    const Work constant = copy;
    taken += copy.take() + constant.peek();
    InterlockedAdd(result[0], taken + queue[0].take());
}

[Shader("node")] [NodeLaunch("thread")]
void writes(RWThreadNodeInputRecord<Work> input)
{
    InterlockedAdd(result[1], input.Get().take());
}
