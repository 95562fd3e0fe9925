// View frustum as planes; a sphere may be tested against some of them.
#pragma once

enum class Containment : uint
{
    Outside,
    Crossing,
    Inside,
};

struct Frustum
{
    float4 planes[6];

    // Planes of a matrix for column vectors, normals inwards: Gribb and Hartmann.
    static Frustum FromMatrix(float4x4 m)
    {
        Frustum f;
        f.planes[0] = m[3] + m[0];
        f.planes[1] = m[3] - m[0];
        f.planes[2] = m[3] + m[1];
        f.planes[3] = m[3] - m[1];
        f.planes[4] = m[2];
        f.planes[5] = m[3] - m[2];
        [unroll]
        for (uint i = 0; i < 6; ++i)
            f.planes[i] /= length(f.planes[i].xyz);
        return f;
    }

    float Distance(uint plane, float3 p)
    {
        return dot(planes[plane], float4(p, 1.0f));
    }

    // `mask` holds the planes still to be tested; those that the sphere is inside of leave it.
    Containment Test(float4 sphere, inout uint mask)
    {
        for (uint remaining = mask; remaining != 0; remaining &= remaining - 1)
        {
            const uint plane = firstbitlow(remaining);
            const float d = Distance(plane, sphere.xyz);
            if (d < -sphere.w)
                return Containment::Outside;
            if (d >= sphere.w)
                mask &= ~(1u << plane);
        }
        return mask == 0 ? Containment::Inside : Containment::Crossing;
    }
};
