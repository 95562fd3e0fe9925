//! Names from other languages, with their HLSL equivalents for diagnostics.

/// Each name with its replacement, in alphabetical order.
const NAMES: &[(&str, &str)] = &[
    ("NULL", NO_POINTERS),
    ("alignof", "`sizeof(T)` returns the size of a type in bytes"),
    ("atomicAdd", "HLSL has `InterlockedAdd`"),
    ("atomicMax", "HLSL has `InterlockedMax`"),
    ("atomicMin", "HLSL has `InterlockedMin`"),
    ("barrier", "HLSL has `GroupMemoryBarrierWithGroupSync`"),
    ("bvec2", "HLSL has `bool2`"),
    ("bvec3", "HLSL has `bool3`"),
    ("bvec4", "HLSL has `bool4`"),
    ("char", "HLSL has no 8-bit numbers: use `uint`"),
    ("const_cast", CAST),
    ("dFdx", "HLSL has `ddx`"),
    ("dFdy", "HLSL has `ddy`"),
    ("decltype", "use `auto` to take the type from the initialiser"),
    ("dvec2", "HLSL has `double2`"),
    ("dvec3", "HLSL has `double3`"),
    ("dvec4", "HLSL has `double4`"),
    ("dynamic_cast", CAST),
    ("explicit", "HLSL has no constructors: initialise members with a list, `S s = { 1, 2 }`"),
    ("float16", "HLSL has `float16_t`, with -enable-16bit-types"),
    ("float32", "HLSL has `float`"),
    ("float64", "HLSL has `double`"),
    ("floatBitsToInt", "HLSL has `asint`"),
    ("floatBitsToUint", "HLSL has `asuint`"),
    ("fract", "HLSL has `frac`"),
    ("gl_GlobalInvocationID", "declare a parameter `uint3 id : SV_DispatchThreadID`"),
    ("gl_LocalInvocationID", "declare a parameter `uint3 id : SV_GroupThreadID`"),
    ("gl_LocalInvocationIndex", "declare a parameter `uint index : SV_GroupIndex`"),
    ("gl_WorkGroupID", "declare a parameter `uint3 id : SV_GroupID`"),
    ("int16", "HLSL has `int16_t`, with -enable-16bit-types"),
    ("int32", "HLSL has `int`"),
    ("int64", "HLSL has `int64_t`"),
    ("int8_t", "HLSL has no 8-bit numbers: use `int`"),
    ("intBitsToFloat", "HLSL has `asfloat`"),
    ("inversesqrt", "HLSL has `rsqrt`"),
    ("ivec2", "HLSL has `int2`"),
    ("ivec3", "HLSL has `int3`"),
    ("ivec4", "HLSL has `int4`"),
    ("long", "HLSL has `int64_t`"),
    ("mat2", "HLSL has `float2x2`, whose rows are the columns of GLSL"),
    ("mat3", "HLSL has `float3x3`, whose rows are the columns of GLSL"),
    ("mat4", "HLSL has `float4x4`, whose rows are the columns of GLSL"),
    ("mix", "HLSL has `lerp`"),
    ("mod", "HLSL has `fmod`, whose result has the sign of the first operand"),
    ("nullptr", NO_POINTERS),
    ("reinterpret_cast", "`asuint`, `asint` and `asfloat` reinterpret the bits of a number as another type"),
    ("short", "HLSL has `int16_t`, with -enable-16bit-types"),
    ("size_t", "HLSL has `uint`"),
    ("static_cast", CAST),
    ("std", "HLSL has no standard library"),
    ("uint16", "HLSL has `uint16_t`, with -enable-16bit-types"),
    ("uint32", "HLSL has `uint`"),
    ("uint64", "HLSL has `uint64_t`"),
    ("uint8_t", "HLSL has no 8-bit numbers: use `uint`"),
    ("uintBitsToFloat", "HLSL has `asfloat`"),
    ("uvec2", "HLSL has `uint2`"),
    ("uvec3", "HLSL has `uint3`"),
    ("uvec4", "HLSL has `uint4`"),
    ("vec2", "HLSL has `float2`"),
    ("vec3", "HLSL has `float3`"),
    ("vec4", "HLSL has `float4`"),
];

const CAST: &str = "write a cast as `(T)value` or `T(value)`";
const NO_POINTERS: &str = "HLSL has no pointers, so it has no null pointer";

/// Words that begin a statement, each with its replacement.
const STATEMENTS: &[(&str, &str)] = &[
    ("delete", "HLSL does not allocate memory, so nothing has to be freed"),
    ("goto", "use `break` and `continue` in loops, and `return` in functions"),
    ("throw", "HLSL has no exceptions: return an error code"),
];

/// Returns the HLSL replacement for a statement that begins with a word.
pub(crate) fn statement(word: &str) -> Option<&'static str> {
    STATEMENTS.iter().find(|row| row.0 == word).map(|row| row.1)
}

/// Returns the HLSL replacement for a name from another language.
pub(crate) fn instead(name: &str) -> Option<&'static str> {
    NAMES.binary_search_by_key(&name, |row| row.0).ok().map(|n| NAMES[n].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(instead("vec3"), Some("HLSL has `float3`"));
        assert_eq!(instead("float3"), None);
    }
}
