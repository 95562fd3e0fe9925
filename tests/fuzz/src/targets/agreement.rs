//! Compares the verifier with SPIRV-Tools, over modules that either may refuse.

use super::spirv::words_of;
use wgc_spirv_module::{Extent, Module, Part, Violation, node_names, verify_set};
use wgc_validate::{BlockLayout, validate_for_its_target};

/// Parts of SPIRV-Tools messages about modules that the verifier accepts, each with the reason.
const ACCEPTED: &[(&str, &str)] = &[
    ("TriangleIndicesEXT-07054", "the modes of mesh shaders are looked for at every entry point, whatever its stage"),
    ("LineIndicesEXT-07048", "as triangles"),
    ("PointIndicesEXT-07042", "as triangles"),
    ("TriangleIndicesEXT-07058", "the number of primitives, too, is that of any entry point"),
    ("LineIndicesEXT-07052", "as triangles"),
    ("PointIndicesEXT-07046", "as triangles"),
    ("is not a signed integer scalar", "Vulkan asks for integers of 32 bits, of any sign (VUID-Layer-Layer-04276)"),
];

/// Rules of the verifier that SPIRV-Tools does not have: a prefix of the name, a part of the message, and the reason.
const REFUSED: &[(&str, &str, &str)] = &[
    ("AMDX-", "", "SPIRV-Tools has few rules of the extension"),
    ("core-decoration", "AMDX is repeated", "SPIRV-Tools has few rules of the extension"),
    ("core-decoration", "NoContraction of ", "SPIRV-Tools accepts it on any result, the specification on arithmetic"),
    ("core-decoration", "Offset of ", "SPIRV-Tools accepts it on types too; it is for members (3.20)"),
    ("core-decoration", "MatrixStride of ", "SPIRV-Tools does not look for a matrix in the member (3.20)"),
    ("core-rays", "the constant 0 (candidate)", "SPIRV-Tools does not look at the number (SPV_KHR_ray_query)"),
    ("core-type", "signedness is 0 or 1", "SPIRV-Tools does not look at the number (3.49.6)"),
    ("core-decoration", "is not a constant", "SPIRV-Tools does not look at the ids of OpDecorateId"),
    (
        "core-layout",
        "a payload",
        "SPIRV-Tools knows the layout of buffers, and none of payloads (SPV Validation Rules)",
    ),
    ("core-layout", ": elements of ", "SPIRV-Tools ends a structure with its last member, whichever lies last"),
    (
        "core-type",
        "cannot be the type of a payload",
        "what has no bytes has no layout, which the extension asks of payloads",
    ),
    ("core-constant", ": its operation ", "SPIRV-Tools does not look at the types of an OpSpecConstantOp, and says so"),
    (
        "core-execution-mode",
        "does not declare the size of its workgroups",
        "SPIRV-Tools takes a LocalSizeId of any entry point for that of all, and asks for none of mesh shaders",
    ),
    ("core-execution-mode", "declares workgroups without threads", "SPIRV-Tools accepts a LocalSize of 0"),
    ("core-operands", "OpBitcast %", "pointers of the logical model have no bits, and SPIRV-Tools takes them (2.16.1)"),
    ("core-dominance", "OpIsNodePayloadValidAMDX", "`validate` masks the instruction, because SPIRV-Tools refuses it"),
    ("core-defined", "OpIsNodePayloadValidAMDX", "`validate` masks the instruction"),
    ("core-mesh", " share a location", "SPIRV-Tools checks no locations of mesh shaders (Vulkan 15.1.3)"),
    ("core-mesh", "has neither Location nor BuiltIn", "SPIRV-Tools checks no locations of mesh shaders"),
    ("core-dominance", "OpAtomic", "`validate` masks atomics on payloads"),
    ("core-defined", "OpAtomic", "`validate` masks atomics on payloads"),
    ("core-scope", "OpAtomic", "`validate` masks atomics on payloads, which SPIRV-Tools refuses"),
    ("load", "OpIsNodePayloadValidAMDX uses ID", "`validate` masks the instruction"),
    ("load", "the instruction schema", "SPIRV-Tools reads over a reserved word of the header"),
];

/// Built-ins that compute shaders, nodes and mesh shaders have. The verifier checks the types of these only.
const BUILT_INS: &[&str] = &[
    "NumWorkgroups",
    "WorkgroupSize",
    "WorkgroupId",
    "LocalInvocationId",
    "GlobalInvocationId",
    "LocalInvocationIndex",
    "SubgroupSize",
    "NumSubgroups",
    "SubgroupId",
    "SubgroupLocalInvocationId",
    "SubgroupEqMask",
    "SubgroupGeMask",
    "SubgroupGtMask",
    "SubgroupLeMask",
    "SubgroupLtMask",
    "DeviceIndex",
    "Position",
    "PointSize",
    "ClipDistance",
    "CullDistance",
    "PrimitiveId",
    "Layer",
    "ViewportIndex",
    "PrimitiveShadingRateKHR",
    "CullPrimitiveEXT",
];

/// Returns whether a message of SPIRV-Tools is about the type of a built-in of another stage.
fn is_of_another_stage(message: &str) -> bool {
    let name = message.split("According to the Vulkan spec BuiltIn ").nth(1);
    let name = name.and_then(|rest| rest.split(' ').next());
    name.is_some_and(|name| !BUILT_INS.contains(&name))
}

/// Passes a module of wgc through SPIRV-Tools.
///
/// # Errors
/// The validator's message.
pub fn accepted(words: &[u32], module: &Module) -> Result<(), String> {
    // SPIRV-Tools 2025.3 checks the modes of mesh shaders at every entry point, in any stage. Nodes in separate modules
    // pass.
    let modes = [
        "PrimitiveTriangleIndicesEXT-07054",
        "PrimitiveTriangleIndicesEXT-07058",
        "PrimitiveLineIndicesEXT-07048",
        "PrimitiveLineIndicesEXT-07052",
        "PrimitivePointIndicesEXT-07042",
        "PrimitivePointIndicesEXT-07046",
    ];
    match validate_for_its_target(words, BlockLayout::Scalar) {
        Err(message) if module.entry_points.len() > 1 && modes.iter().any(|mode| message.contains(mode)) => Ok(()),
        other => other,
    }
}

/// Returns the reason for a refused module: the rule, if the module loads, and a message.
fn refusal(words: &[u32]) -> Option<(&'static str, String)> {
    let module = match Module::load(words) {
        Ok(module) => module,
        Err(error) => return Some(("load", error.to_string())),
    };
    let names = node_names(&module, &[&module]);
    let found = verify_set(&[Part { module: &module, names: &names }], Extent::Some);
    let error = found.into_iter().flatten().find(Violation::is_error)?;
    Some((error.rule, error.to_string()))
}

/// Runs the target `agree`.
pub fn agree(input: &[u8]) -> Result<bool, String> {
    let Some(words) = words_of(input) else { return Ok(false) };
    let layout = BlockLayout::of(&words, std::path::Path::new("module.spv"));
    match (refusal(&words), validate_for_its_target(&words, layout)) {
        (None, Ok(())) => Ok(true),
        (Some(_), Err(_)) => Ok(false),
        (None, Err(message)) => match ACCEPTED.iter().any(|(part, _)| message.contains(part)) {
            true => Ok(true),
            false if is_of_another_stage(&message) => Ok(true),
            false => Err(format!("it accepts what SPIRV-Tools refuses: {message}")),
        },
        (Some((rule, message)), Ok(())) => {
            match REFUSED.iter().any(|(begin, part, _)| rule.starts_with(begin) && message.contains(part)) {
                true => Ok(false),
                false => Err(format!("it refuses what SPIRV-Tools accepts: {rule}: {message}")),
            }
        }
    }
}
