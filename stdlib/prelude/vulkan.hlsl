// Memory at 64-bit device addresses, as DXC offers it for Vulkan. It is laid out as the elements of a structured buffer
// are; an address is a multiple of the size of the largest component type of what lies there.

namespace vk
{
    template<typename T> [[wgc::op("load")]] T RawBufferLoad(uint64_t address, [[wgc::optional]] [[wgc::constant]] uint alignment);
    [[wgc::op("load")]] uint RawBufferLoad(uint64_t address, [[wgc::optional]] [[wgc::constant]] uint alignment);
    template<typename T> [[wgc::op("store")]] void RawBufferStore(uint64_t address, T value, [[wgc::optional]] [[wgc::constant]] uint alignment);
    [[wgc::op("store")]] void RawBufferStore(uint64_t address, uint value, [[wgc::optional]] [[wgc::constant]] uint alignment);

    // In memory, the address.
    template<typename T, uint Alignment = 0> struct BufferPointer
    {
        uint64_t address;

        [[wgc::op("address.place")]] [[wgc::ref]] T Get();
    };

    template<typename To, uint Alignment = 0, typename Pointer>
    BufferPointer<To, Alignment> static_pointer_cast(Pointer pointer)
    {
        BufferPointer<To, Alignment> result;
        result.address = pointer.address;
        return result;
    }

    template<typename To, uint Alignment = 0, typename Pointer>
    BufferPointer<To, Alignment> reinterpret_pointer_cast(Pointer pointer)
    {
        BufferPointer<To, Alignment> result;
        result.address = pointer.address;
        return result;
    }
}
