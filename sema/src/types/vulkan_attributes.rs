//! Attributes of `vk::`: the table of supported ones ([`TABLE`]), and diagnostics for others. Those are not supported
//! yet, belong to other kinds of shaders, or are unknown.

use crate::db::diagnostic::Diagnostic;
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::attribute_table::Target;
use crate::types::attributes::is_vulkan;
use crate::types::cx::Cx;
use wgc_frontend::ast::Attribute;

/// A supported attribute of `vk::`.
pub struct VulkanAttributeRow {
    pub name: &'static str,
    /// The arguments as editors show them. The first `required` ones are inserted.
    pub args: &'static [&'static str],
    pub required: usize,
    pub on: &'static [Target],
    pub about: &'static str,
}

const GLOBAL: &[Target] = &[Target::Global];

const fn row(
    name: &'static str,
    args: &'static [&'static str],
    required: usize,
    on: &'static [Target],
    about: &'static str,
) -> VulkanAttributeRow {
    VulkanAttributeRow { name, args, required, on, about }
}

/// All supported attributes of `vk::`, by name.
pub const TABLE: &[VulkanAttributeRow] = &[
    row("binding", &["binding", "set"], 1, GLOBAL, "The binding of a resource, and its descriptor set."),
    row("constant_id", &["id"], 1, GLOBAL, "A specialisation constant: the host may give another value."),
    row("counter_binding", &["binding"], 1, GLOBAL, "The binding of a buffer's counter."),
    row("ext_builtin_input", &["builtin"], 1, GLOBAL, "A built-in variable of SPIR-V, by its number."),
    row("ext_capability", &["capability"], 1, &[Target::Function], "A capability that the instruction needs."),
    row("ext_extension", &["\"name\""], 1, &[Target::Function], "An extension that the instruction needs."),
    row("ext_instruction", &["opcode", "\"set\""], 1, &[Target::Function], "The function is this SPIR-V instruction."),
    row("ext_literal", &[], 0, &[Target::Param], "The argument is a literal of the instruction."),
    row("ext_reference", &[], 0, &[Target::Param], "The argument is passed as a pointer."),
    row("image_format", &["\"format\""], 1, GLOBAL, "The format of a writable image's texels in memory."),
    row("location", &["location"], 1, &[Target::Param, Target::Member], "The location of a mesh output."),
    row(
        "offset",
        &["bytes"],
        1,
        &[Target::Member, Target::Global],
        "The byte offset of a member of a constant buffer.",
    ),
    row("push_constant", &[], 0, GLOBAL, "The variable is the block of push constants."),
];

/// Returns all supported names, without `vk::`.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.name)
}

/// Attributes of inline SPIR-V that are accepted without effect.
const NOT_YET: &[&str] =
    &["ext_builtin_output", "ext_decorate", "ext_decorate_id", "ext_decorate_string", "ext_storage_class"];

/// Attributes of variables and members that change the host's work.
const OF_HOSTS: &[(&str, Code, &str)] = &[
    ("combinedImageSampler", Code::NotSupported, "bind the texture and its sampler separately"),
    ("shader_record_ext", Code::NotSupported, "shader records belong to ray tracing; a node reads its records"),
    ("shader_record_nv", Code::NotSupported, "shader records belong to ray tracing; a node reads its records"),
];

/// Other attributes of DXC: for other kinds of shaders, or without an effect here.
const OTHERS: &[&str] = &[
    "aliased_pointer",
    "builtin",
    "depth_unchanged",
    "early_and_late_tests",
    "ext_result_id",
    "ext_type_def",
    "index",
    "input_attachment_index",
    "nocompression",
    "noncoherent",
    "post_depth_coverage",
    "spvexecutionmode",
    "stencil_ref_greater_equal_back",
    "stencil_ref_greater_equal_front",
    "stencil_ref_less_equal_back",
    "stencil_ref_less_equal_front",
    "stencil_ref_unchanged_back",
    "stencil_ref_unchanged_front",
    "unknown",
];

/// Reports attributes without effect: decorations that are not written yet, and unknown names.
pub(crate) fn without_effect<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute]) {
    for attribute in attributes {
        if let Some(name) = NOT_YET.iter().find(|name| is_vulkan(attribute, name)) {
            let message =
                format!("`vk::{name}` has no effect: wgc does not support such decorations and storage classes yet");
            cx.error(Code::UnknownAttribute, attribute.span, message);
        }
        unknown(cx, attribute);
    }
}

/// Reports a name that DXC does not have either: a typing mistake, which would otherwise be ignored silently.
fn unknown<'db>(cx: &mut Cx<'_, 'db>, attribute: &Attribute) {
    let [space, word] = attribute.path.segments.as_slice() else { return };
    let name = word.name.text.as_str();
    let is_known = |all: &[&str]| all.contains(&name);
    let of_hosts = OF_HOSTS.iter().map(|row| row.0);
    if space.name.text != "vk" || is_known(NOT_YET) || is_known(OTHERS) || names().chain(of_hosts).any(|n| n == name) {
        return;
    }
    let message = format!("unknown attribute `vk::{name}` has no effect");
    let mut diagnostic = Diagnostic::new(Code::UnknownAttribute, cx.place(attribute.span), message);
    if let Some(meant) = closest(name, names()) {
        diagnostic = diagnostic.meant(cx.token(word.name.at), meant);
    }
    cx.errors.push(diagnostic);
}

/// Reports attributes for hosts that are not implemented.
pub(crate) fn of_hosts<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute]) {
    for attribute in attributes {
        if let Some((name, code, why)) = OF_HOSTS.iter().find(|row| is_vulkan(attribute, row.0)) {
            cx.error(*code, attribute.span, format!("wgc does not support `vk::{name}` yet: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the crate, without this file.
    fn sources(folder: &std::path::Path, out: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            match entry.is_dir() {
                true => sources(&entry, out),
                false if entry.ends_with("vulkan_attributes.rs") => {}
                false => *out += &std::fs::read_to_string(&entry).expect("a text"),
            }
        }
    }

    #[test]
    fn the_vulkan_attribute_table_matches_its_users() {
        let mut text = String::new();
        sources(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut text);
        for row in TABLE {
            let literal = format!("\"{}\"", row.name);
            assert!(text.contains(&format!("{literal})")), "nobody reads {}", row.name);
        }
        for call in [
            "is_vulkan(a, \"",
            "is_vulkan(attribute, \"",
            "has_vulkan(attributes(i), \"",
            "attribute_uint(cx, node, \"",
        ] {
            let mut names = text.split(call).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).peekable();
            assert!(names.peek().is_some(), "{call} is gone");
            names.for_each(|name| assert!(TABLE.iter().any(|row| row.name == name), "{name} is missing"));
        }
        assert!(TABLE.is_sorted_by_key(|row| row.name));
    }
}
