//! Attributes of `vk::`: the table of supported ones ([`TABLE`]), and diagnostics for others. Those are not supported
//! yet, belong to other kinds of shaders, or are unknown.

use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::tables::attribute_target::Target;
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use wgc_frontend::ast::{Attribute, Span};

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

/// Returns the error of an attribute that is misplaced or changes the work of hosts, or the warning about one without
/// effect: a decoration that is not written yet, or a name that DXC does not have either. Attributes outside `vk::` are
/// left to others.
pub(crate) fn wrong<'db>(
    attribute: &Attribute,
    on: Target,
    place: impl Fn(Span) -> SourcePlace<'db>,
) -> Option<Diagnostic<'db>> {
    let [space, word] = attribute.path.segments.as_slice() else { return None };
    let name = word.name.text.as_str();
    let is_known = |all: &[&str]| all.contains(&name);
    if space.name.text != "vk" || is_known(OTHERS) {
        return None;
    }
    if let Some((_, code, why)) = OF_HOSTS.iter().find(|row| row.0 == name) {
        let message = format!("wgc does not support `vk::{name}` yet: {why}");
        let is_data = matches!(on, Target::Global | Target::Member);
        return is_data.then(|| Diagnostic::new(*code, place(attribute.span), message));
    }
    if let Some(row) = TABLE.iter().find(|row| row.name == name) {
        // Results of pixel shaders have locations, too.
        let is_of_stage = name == "location" && on == Target::Function;
        return (!row.on.contains(&on) && !is_of_stage).then(|| {
            let places: Vec<_> = row.on.iter().map(|on| place_name(*on)).collect();
            let message = format!("`vk::{name}` belongs on {}, not on {}", places.join(" and "), place_name(on));
            Diagnostic::new(Code::AttributePlace, place(attribute.span), message)
        });
    }
    if is_known(NOT_YET) {
        let message =
            format!("`vk::{name}` has no effect: wgc does not support such decorations and storage classes yet");
        return Some(Diagnostic::new(Code::UnknownAttribute, place(attribute.span), message));
    }
    let message = format!("unknown attribute `vk::{name}` has no effect");
    let unknown = Diagnostic::new(Code::UnknownAttribute, place(attribute.span), message);
    Some(match closest(name, names()) {
        Some(meant) => {
            let whole = Span { lo: space.name.at, hi: word.name.at + 1 };
            unknown.meant(place(whole), &format!("vk::{meant}"))
        }
        None => unknown,
    })
}

fn place_name(on: Target) -> &'static str {
    match on {
        Target::Param => "parameters",
        Target::Statement => "statements and local variables",
        Target::Record => "types",
        other => other.name(),
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
