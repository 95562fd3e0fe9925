// Memory at 64-bit device addresses, as in DXC for Vulkan. The layout is that of elements of a structured buffer. An
// address is a multiple of the size of the largest component type that is stored there.

namespace vk
{
    // Scopes of SPIR-V, for inline SPIR-V.
    static const uint CrossDeviceScope = 0;
    static const uint DeviceScope = 1;
    static const uint WorkgroupScope = 2;
    static const uint SubgroupScope = 3;
    static const uint InvocationScope = 4;
    static const uint QueueFamilyScope = 5;

    // The unchanged result of an instruction. Any variable holds one.
    template<typename T> using ext_result_id = T;

    // Ticks of a clock, comparable within the scope: the device or a wave.
    [[vk::ext_capability(/* ShaderClockKHR */ 5055)]] [[vk::ext_extension("SPV_KHR_shader_clock")]]
    [[vk::ext_instruction(/* OpReadClockKHR */ 5056)]] uint64_t ReadClock(uint scope);

    // SPIR-V types that a program spells out, for headers that declare them. Operands are types, constants (by id) and
    // literals.
    template<typename T, T v> struct integral_constant { static const T value = v; };
    template<typename Constant> struct Literal {};
    template<uint Opcode, uint Size, uint Alignment, typename A = void, typename B = void, typename C = void, typename D = void, typename E = void, typename F = void, typename G = void, typename H = void>
    struct [[wgc::builtin("spirv_type")]] SpirvType {};
    template<uint Opcode, typename A = void, typename B = void, typename C = void, typename D = void, typename E = void, typename F = void, typename G = void, typename H = void>
    struct [[wgc::builtin("spirv_type")]] SpirvOpaqueType {};

    template<typename T> [[wgc::op("load")]] T RawBufferLoad(uint64_t address, [[wgc::optional]] [[wgc::constant]] uint alignment);
    [[wgc::op("load")]] uint RawBufferLoad(uint64_t address, [[wgc::optional]] [[wgc::constant]] uint alignment);
    template<typename T> [[wgc::op("store")]] void RawBufferStore(uint64_t address, T value, [[wgc::optional]] [[wgc::constant]] uint alignment);
    [[wgc::op("store")]] void RawBufferStore(uint64_t address, uint value, [[wgc::optional]] [[wgc::constant]] uint alignment);

    // In memory, a pointer is its address.
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
