// Instructions of SPIR-V spelled out: values, references, literals, extended sets, several results, barriers.

#include "vk/opcode_selector.h"

static const uint REVERSE = 204;
enum Instruction { CONTROL_BARRIER = 224, ATOMIC_ADD = 234 };

[[vk::ext_instruction(REVERSE)]] uint Reverse(uint value);
[[vk::ext_instruction(75, "GLSL.std.450")]] int HighestBit(uint value);
[[vk::ext_instruction(Instruction::CONTROL_BARRIER)]] void Meet(uint execution, uint memory, uint semantics);
[[vk::ext_instruction(ATOMIC_ADD)]]
uint AtomicAdd([[vk::ext_reference]] uint counter, uint scope, uint semantics, uint value);
[[vk::ext_instruction(61)]] vk::ext_result_id<uint> Load([[vk::ext_reference]] uint from);
[[vk::ext_instruction(62)]] void Put([[vk::ext_reference]] uint to, vk::ext_result_id<uint> value, [[vk::ext_literal]] uint flags);
[[vk::ext_instruction(81)]] uint Component(uint4 from, [[vk::ext_literal]] uint index);
template<uint OPCODE, typename T> [[vk::ext_instruction(OPCODE)]] T Binary(T a, T b);

struct Sum { uint low; uint carry; };
[[vk::ext_instruction(149)]] Sum AddCarry(uint a, uint b);

[[vk::ext_builtin_input(/* LocalInvocationId */ 27)]] static const uint3 ThreadId;

struct Record { uint seed; };

RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Total : register(u1);

groupshared uint Line[4];

uint Twice(inout uint value)
{
    // A reference to the caller's value.
    Put(value, Load(value) * 2, 0);
    return value;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(DispatchNodeInputRecord<Record> input, uint thread : SV_GroupIndex)
{
    uint seed = input.Get().seed;
    Line[ThreadId.x] = seed + thread;
    // Acquire and release, of the memory of the group.
    Meet(vk::WorkgroupScope, vk::WorkgroupScope, 0x8 | 0x100);
    Out[thread] = Load(Line[3 - thread]);

    AtomicAdd(Total[0], vk::DeviceScope, 0, thread + 1);

    if (thread == 0)
    {
        Out[4] = Reverse(seed);
        Out[5] = uint(HighestBit(seed));
        Sum sum = AddCarry(0xfffffff0, seed);
        Out[6] = sum.low;
        Out[7] = sum.carry;
        const uint which = 2;
        Out[8] = Component(uint4(11, 22, 33, 44), which);
        // OpISub, OpFMul
        Out[9] = Binary<130>(seed, 1u);
        Out[10] = asuint(Binary<133, float2>(float2(1.5, 2), float2(4, 0.25)).x);
        uint lent = seed;
        Out[11] = Twice(lent) + lent;
        Put(Out[12], 77, 0);
        Out[13] = asuint(vk::util::ConversionSelector<uint, float>::Convert<float>(seed));
    }
}
