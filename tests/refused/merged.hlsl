// Native modules cannot know which records a variable holds.
struct R { uint x; };

[Shader("node")] [NodeLaunch("thread")]
void Root(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> Left, [MaxRecords(1)] NodeOutput<R> Right)
{
    ThreadNodeOutputRecords<R> r; //~ amdx WG0501
    if (i.Get().x == 0)
        r = Left.GetThreadNodeOutputRecords(1);
    else
        r = Right.GetThreadNodeOutputRecords(1);
    r.Get().x = 4;
    r.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Left(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void Right(ThreadNodeInputRecord<R> i) { }
