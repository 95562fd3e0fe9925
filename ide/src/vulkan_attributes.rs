//! Completions for the attributes of `vk::`, with their arguments and targets. Their meaning is defined by the code
//! that reads them; a test checks that code for every row.

use super::complete::{Candidate, CandidateKind};
use wgc_ir::TexelFormat;
use wgc_sema::types::attribute_table::Target;
use wgc_sema::types::vulkan_attributes::{TABLE, VulkanAttributeRow};

/// Returns the attributes for a target. Outside of everything, either a function or a variable may follow the brackets.
pub fn attributes(on: Target, is_qualified: bool) -> Vec<Candidate> {
    let stands =
        |row: &&VulkanAttributeRow| row.on.contains(&on) || on == Target::Function && row.on.contains(&Target::Global);
    TABLE.iter().filter(stands).map(|row| candidate(row, is_qualified)).collect()
}

/// Returns the attribute of a name.
pub fn attribute(name: &str) -> Option<Candidate> {
    TABLE.iter().find(|row| row.name == name).map(|row| candidate(row, true))
}

fn candidate(row: &VulkanAttributeRow, is_qualified: bool) -> Candidate {
    let space = if is_qualified { "" } else { "vk::" };
    let name = format!("{space}{}", row.name);
    let (needed, others) = row.args.split_at(row.required);
    let others: String = others.iter().map(|arg| format!("[, {arg}]")).collect();
    let args = if row.args.is_empty() { String::new() } else { format!("({}{others})", needed.join(", ")) };
    let hole = |arg: &&str| if arg.starts_with('"') { "\"${1}\"" } else { "${1}" };
    let snippet = needed.first().map(|arg| format!("{name}({})$0", hole(arg)));
    let (detail, docs) = (format!("vk::{}{args}", row.name), Some(row.about.to_owned()));
    Candidate { docs, snippet, ..Candidate::new(name, CandidateKind::Attribute, detail, 0) }
}

/// Returns the legal values of an argument.
pub fn arguments(attribute: &str, nth: usize, is_quoted: bool) -> Vec<Candidate> {
    let is_format = attribute == "image_format" && nth == 0;
    let formats = TexelFormat::ALL.iter().filter(|_| is_format);
    let candidate = |name: &str| {
        let plain = (!is_quoted).then(|| format!("\"{name}\""));
        Candidate { plain, ..Candidate::new(name, CandidateKind::Value, "", 0) }
    };
    formats.map(|(_, name)| candidate(name)).collect()
}
