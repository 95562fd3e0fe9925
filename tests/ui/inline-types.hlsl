// Types that stand for a type of SPIR-V may be declared. Their values are not compiled yet.
typedef vk::SpirvType<21, 32, 32, vk::Literal<vk::integral_constant<uint, 32> >, vk::Literal<vk::integral_constant<bool, false> > > Word;
[[vk::ext_instruction(124)]] Word as_word(uint from);
[[vk::ext_instruction(124)]] uint from_word(Word from);
RWStructuredBuffer<uint> Out;

[Shader("node")] [NodeLaunch("thread")]
void main()
{
    Out[0] = from_word(as_word(4)); //~ ERROR WG0220
}
