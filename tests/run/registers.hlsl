// One register under two names is one buffer; unused resources may have any register.

RWStructuredBuffer<float> Unused : register(u1);
RWStructuredBuffer<uint> Out : register(u1);
RWStructuredBuffer<uint> Words : register(u0);
RWByteAddressBuffer Bytes : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Words[0] = 0x01020304;
    uint seven = Bytes.Load(4);
    Bytes.Store(8, seven + Words[0]);
    Out[0] = Words[2] + 1;
}
