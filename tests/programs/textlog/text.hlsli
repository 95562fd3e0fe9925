// Text for shaders: a cursor over bytes packed into words, and printing into it.
#ifndef TEXTLOG_TEXT_HLSLI
#define TEXTLOG_TEXT_HLSLI

#define TEXT_LINE_BYTES 64
#define TEXT_LINE_WORDS (TEXT_LINE_BYTES / 4)

// One line, built in registers.
struct TextLine
{
    uint words[TEXT_LINE_WORDS];
    uint length;

    static TextLine Empty()
    {
        TextLine line;
        [unroll]
        for (uint i = 0; i < TEXT_LINE_WORDS; ++i)
            line.words[i] = 0;
        line.length = 0;
        return line;
    }

    void Char(uint c)
    {
        if (length >= TEXT_LINE_BYTES)
            return;
        words[length / 4] |= (c & 0xff) << (8 * (length % 4));
        ++length;
    }
};

namespace Print
{
    // A literal, as HLSL 2021 lets templates take it: an array of characters that ends with zero.
    template<typename T, uint N>
    void Text(inout TextLine line, T text[N])
    {
        for (uint i = 0; i + 1 < N; ++i)
            line.Char(uint(text[i]));
    }

    void Pad(inout TextLine line, uint count, uint c = ' ')
    {
        while (count-- > 0)
            line.Char(c);
    }

    uint Digits(uint64_t v, uint base = 10)
    {
        uint n = 1;
        while ((v /= base) != 0)
            ++n;
        return n;
    }

    void Value(inout TextLine line, uint64_t v, uint width = 0, uint base = 10)
    {
        static const uint c_hex[16] = { '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f' };
        const uint digits = Digits(v, base);
        if (width > digits)
            Pad(line, width - digits, base == 16 ? '0' : ' ');
        // From the left: the power of the first digit, then down.
        uint64_t power = 1;
        for (uint i = 1; i < digits; ++i)
            power *= base;
        do
        {
            line.Char(c_hex[uint(v / power) % base]);
            v %= power;
            power /= base;
        } while (power != 0);
    }

    void Value(inout TextLine line, uint v) { Value(line, uint64_t(v)); }

    void Value(inout TextLine line, int64_t v)
    {
        if (v < 0)
            line.Char('-');
        // The negation of the smallest number is itself, which is correct as an unsigned number.
        Value(line, v < 0 ? uint64_t(0) - uint64_t(v) : uint64_t(v));
    }

    void Value(inout TextLine line, int v) { Value(line, int64_t(v)); }

    void Value(inout TextLine line, bool v)
    {
        if (v)
            Text(line, "true");
        else
            Text(line, "false");
    }

    // With `places` decimal places, rounded to nearest.
    void Value(inout TextLine line, float v, uint places = 3)
    {
        const uint bits = asuint(v);
        if ((bits & 0x80000000u) != 0)
            line.Char('-');
        const uint magnitude = bits & 0x7fffffffu;
        if (magnitude > 0x7f800000u)
        {
            Text(line, "nan");
            return;
        }
        if (magnitude == 0x7f800000u)
        {
            Text(line, "inf");
            return;
        }
        uint64_t scale = 1;
        for (uint i = 0; i < places; ++i)
            scale *= 10;
        // mantissa * 2^exponent * scale, in integers.
        const int exponent = max(int(magnitude >> 23), 1) - 150;
        const uint64_t mantissa = uint64_t(magnitude >= 0x00800000u ? (magnitude & 0x7fffffu) | 0x800000u : magnitude);
        uint64_t scaled = mantissa * scale;
        if (exponent > 0)
            scaled <<= uint(exponent);
        else if (exponent < 0)
        {
            const uint shift = uint(-exponent);
            scaled = shift > 62 ? 0 : (scaled + (uint64_t(1) << (shift - 1))) >> shift;
        }
        Value(line, scaled / scale);
        line.Char('.');
        const uint64_t rest = scaled % scale;
        Pad(line, places - min(places, Digits(rest)), '0');
        Value(line, rest);
    }

    template<typename T>
    void Value(inout TextLine line, vector<T, 3> v)
    {
        line.Char('(');
        for (uint i = 0; i < 3; ++i)
        {
            if (i != 0)
                Text(line, ", ");
            Value(line, v[i]);
        }
        line.Char(')');
    }

    void Hex(inout TextLine line, uint v)
    {
        Text(line, "0x");
        Value(line, uint64_t(v), 8, 16);
    }
}

#define PRINT_BEGIN() TextLine printed = TextLine::Empty()
#define PRINT(text) Print::Text(printed, text)
#define PRINT_VALUE(name, value) \
    PRINT(" " #name "=");        \
    Print::Value(printed, value)

#endif // TEXTLOG_TEXT_HLSLI
