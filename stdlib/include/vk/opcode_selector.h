// Operations by the types of their operands. Headers for inline SPIR-V select instructions with them: a cast or an operator
// becomes the instruction for these types.
#ifndef WGC_VK_OPCODE_SELECTOR
#define WGC_VK_OPCODE_SELECTOR

namespace vk
{
    namespace util
    {
        // From numbers of type Source, or vectors of them, to those of type Target.
        template<typename Source, typename Target> struct ConversionSelector
        {
            template<typename To, typename From> static To Convert(From value) { return (To)value; }
        };

        // On numbers of type Component, or vectors of them.
        template<typename Component> struct ArithmeticSelector
        {
            template<typename T> static T Negate(T a) { return -a; }
            template<typename T> static T Add(T a, T b) { return a + b; }
            template<typename T> static T Sub(T a, T b) { return a - b; }
            template<typename T> static T Mul(T a, T b) { return a * b; }
            template<typename T> static T Div(T a, T b) { return a / b; }
        };
    }
}

#endif
