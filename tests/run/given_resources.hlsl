// One function with an `inout` resource, given a variable of the caller and a buffer itself, in both orders.
StructuredBuffer<uint> First;
StructuredBuffer<uint> Second;
StructuredBuffer<uint> Several[2];
RWStructuredBuffer<uint> Out;

uint read(inout StructuredBuffer<uint> list) { return list[1]; }

struct Reader
{
    uint scale;
    uint read(uint at, inout StructuredBuffer<uint> list) { return scale * list[at]; }
};

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    StructuredBuffer<uint> own = First;
    Out[0] = read(own) + 100 * read(Second);
    Out[1] = read(Several[1]);
    StructuredBuffer<uint> other = Second;
    Out[2] = read(other);
    Reader reader = { 3 };
    Out[3] = reader.read(0, Second) + reader.read(2, own);
}
