// Methods that write members of read-only objects, themselves or by a method of their own.
struct Work
{
    uint left;
    uint take() { return left--; }
    void drop() { take(); }
};
RWStructuredBuffer<uint> result : register(u0);
StructuredBuffer<Work> queue : register(t1);

[Shader("node")] [NodeLaunch("thread")]
void main(ThreadNodeInputRecord<Work> input)
{
    uint taken = input.Get().take(); //~ WARN WG0236
    input.Get().drop(); //~ WARN WG0236
    const Work constant = input.Get();
    taken += constant.take(); //~ WARN WG0236
    InterlockedAdd(result[0], taken + queue[taken].take()); //~ WARN WG0236
}
