// Memory at addresses: by word, by structure, through pointers, and through pointers derived from them. The results appear in
// the memory and in `Out`; 64 bytes of each belong to a thread.

struct Head
{
    uint first;
};

// 24 bytes: `at` begins at 4, `wide` at 16.
struct Whole : Head
{
    float3 at;
    uint64_t wide;
};

[[vk::binding(0, 0)]] ByteAddressBuffer Addresses;
[[vk::binding(1, 0)]] RWByteAddressBuffer Out;

[numthreads(4, 1, 1)]
void main(uint thread : SV_GroupIndex)
{
    uint64_t address = Addresses.Load<uint64_t>(0) + thread * 64;
    uint to = thread * 64;
    Out.Store(to, vk::RawBufferLoad(address));
    Out.Store(to + 4, vk::RawBufferLoad<float3>(address + 4));
    Out.Store(to + 16, vk::RawBufferLoad<Whole>(address, 8).wide);

    vk::RawBufferStore(address + 32, thread + 100);
    vk::RawBufferStore<uint16_t>(address + 38, (uint16_t)(thread + 7));
    vk::RawBufferStore<uint2>(address + 40, uint2(thread, 9), 8);

    vk::BufferPointer<Whole> whole = vk::BufferPointer<Whole>(address);
    whole.Get().at.y += 0.5;
    Out.Store(to + 24, whole.Get().wide + 1);
    vk::BufferPointer<Head> head = vk::static_pointer_cast<Head>(whole);
    head.Get().first *= 3;
    vk::BufferPointer<uint> word = vk::reinterpret_pointer_cast<uint>(whole);
    Out.Store(to + 32, word.Get());
}
