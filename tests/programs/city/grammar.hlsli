// Shapes, and the rules that turn one into others.
#pragma once

#include "../common/random.hlsli"

namespace Grammar
{
    enum class Rule : uint
    {
        House = 0,
        Tower,
        Plaza,      // stays empty: the graph has no node for it
        Park,
        Count,
    };

    static const uint RuleCount = (uint)Rule::Count;
    static const uint c_weights[RuleCount] = { 8, 4, 2, 3 };

    enum class Finish : uint
    {
        Ground,
        Brick,
        Roof,
        Glass,
        Tree,
    };

    struct Shape
    {
        uint2 lower;
        uint2 extent;
        uint seed;

        uint LongAxis() { return extent.x >= extent.y ? 0 : 1; }
        uint Area() { return extent.x * extent.y; }

        Shape Inset(uint by)
        {
            Shape s = this;
            s.lower += by;
            s.extent -= 2 * by;
            return s;
        }

        // The two sides of a road.
        void Split(uint axis, uint at, uint road, out Shape low, out Shape high)
        {
            low = this;
            high = this;
            low.extent[axis] = at;
            high.lower[axis] += at + road;
            high.extent[axis] -= at + road;
            low.seed = Hash(seed, 1u);
            high.seed = Hash(seed, 2u);
        }
    };

    // A record type for every kind of work on a shape.
    template<typename Payload>
    struct Work
    {
        Shape shape;
        Payload payload;
    };

    struct TowerPayload
    {
        uint base;
    };

    Rule Choose(inout RandomStream random)
    {
        uint total = 0;
        [unroll]
        for (uint i = 0; i < RuleCount; ++i)
            total += c_weights[i];
        uint ticket = random.Below(total);
        uint rule = 0;
        while (ticket >= c_weights[rule])
            ticket -= c_weights[rule++];
        return (Rule)rule;
    }
}
