// Functions that stand for an instruction of SPIR-V.
[[vk::ext_instruction(204)]] uint reverse(uint v);
[[vk::ext_instruction(61)]] float load([[vk::ext_reference]] float from, [[vk::ext_literal]] uint flags);
[[vk::ext_instruction]] uint nothing(); //~ ERROR WG0121
[[vk::ext_instruction(1, 2)]] uint set_of_number(); //~ ERROR WG0121
[[vk::ext_instruction(-1)]] uint negative(); //~ ERROR WG0121
[[vk::ext_capability]] uint no_capability() { return 1; } //~ ERROR WG0121
[[vk::ext_extension(7)]] uint no_extension() { return 1; } //~ ERROR WG0121
[[vk::ext_capability(Unknown)]] uint unknown_capability() { return 1; } //~ ERROR WG0101

[[vk::ext_builtin_input(26)]] static const uint3 GroupId;
[[vk::ext_builtin_input(26)]] static uint3 Changing; //~ ERROR WG0112
[[vk::ext_builtin_input(23)]] static const bool Helper;
[[vk::ext_storage_class(4)]] RWStructuredBuffer<uint> Stored; //~ WARN WG0119
[[vk::ext_decorate(0)]] uint decorated(uint x) { return x; } //~ WARN WG0119

StructuredBuffer<float> Numbers;
static const uint FLAGS = 2;

float uses(uint flags, inout float given, RWByteAddressBuffer bytes)
{
    float a = 1;
    uint u = 2;
    a = load(a, FLAGS) + load(given, 0) + load(Numbers[3], 0);
    a += load(a, flags); //~ ERROR WG0105
    a += load(a + 1, 0); //~ ERROR WG0205
    a += load(u, 0); //~ ERROR WG0200
    a += GroupId.x;
    GroupId.x = 1; //~ ERROR WG0206
    return a + reverse(u);
}

[Shader("node")] [NodeLaunch("thread")]
void keeps_the_program_from_being_empty()
{
    bool helps = Helper; //~ ERROR WG0220
}
