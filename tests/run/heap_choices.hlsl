// Elements of heaps that a condition chooses: as initialisers, next to a resource, as an argument.

RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> Own : register(t1);

uint First(StructuredBuffer<uint> list) { return list[0]; }

struct Work { uint which; };

[Shader("node")]
[NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Work> input)
{
    Work work = input.Get();
    uint at = work.which * 4;
    StructuredBuffer<uint> list = work.which > 2 ? ResourceDescriptorHeap[0] : ResourceDescriptorHeap[work.which];
    Out[at] = list[0];
    Out[at + 1] = First(work.which == 1 ? ResourceDescriptorHeap[2] : Own);
    StructuredBuffer<uint> own = work.which == 1 ? Own : ResourceDescriptorHeap[1];
    Out[at + 2] = own[0];
    globallycoherent RWStructuredBuffer<uint> sums =
        work.which == 0 ? ResourceDescriptorHeap[3] : (work.which == 1 ? ResourceDescriptorHeap[4] : ResourceDescriptorHeap[5]);
    InterlockedAdd(sums[0], 10 + work.which);
}
