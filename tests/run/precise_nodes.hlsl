// A compensated sum over the records of a node, through a function, a loop and a record with a precise member.
RWStructuredBuffer<float> Out : register(u0);
struct Values { float a[4]; };
struct Sum { precise float sum; precise float rest; };

void Add(inout float sum, inout float rest, float x)
{
    float y = x - rest, t = sum + y;
    rest = (t - sum) - y;
    sum = t;
}

[Shader("node")]
[NodeLaunch("thread")]
void start(ThreadNodeInputRecord<Values> input, [MaxRecords(1)] NodeOutput<Sum> show)
{
    float sum = 0, rest = 0;
    [loop] for (uint i = 0; i < 4; ++i) Add(sum, rest, input.Get().a[i]);
    ThreadNodeOutputRecords<Sum> o = show.GetThreadNodeOutputRecords(1);
    o.Get().sum = sum;
    o.Get().rest = rest;
    o.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void show(ThreadNodeInputRecord<Sum> input)
{
    Out[0] = input.Get().sum;
    Out[1] = input.Get().rest;
}
