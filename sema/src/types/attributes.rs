//! Attributes as written: which belong to a declaration, and the texts in them.
//!
//! What each attribute means, where it may stand and which launch modes have it is the table in
//! [`crate::types::attribute_table`].

use crate::db::items::ItemTree;
use compact_str::CompactString;
use wgc_frontend::ast::{Attribute, ItemId};

/// The attributes of an item and of the `template` items around it.
pub fn chain<'a>(tree: &'a ItemTree, item: ItemId, templates: &[ItemId]) -> Vec<&'a Attribute> {
    templates.iter().chain([&item]).flat_map(|id| &tree.ast.items[*id].attributes).collect()
}

/// `[[wgc::NAME]]`
pub fn is_internal(attribute: &Attribute, name: &str) -> bool {
    matches!(attribute.path.segments.as_slice(), [space, word] if space.name.text == "wgc" && word.name.text == name)
}

/// `[[vk::NAME]]`
pub fn is_vulkan(attribute: &Attribute, name: &str) -> bool {
    matches!(attribute.path.segments.as_slice(), [space, word] if space.name.text == "vk" && word.name.text == name)
}

/// The text of adjacent string literals, without quotes and with escapes replaced.
pub fn unquote(parts: &[CompactString]) -> String {
    let mut out = String::new();
    for part in parts {
        let inner = part.strip_prefix('"').unwrap_or(part);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            // What is no escape sequence stands for itself, without the backslash.
            let behind = chars.peek().copied();
            out.extend(wgc_frontend::escape::escape(&mut chars).or(behind));
        }
    }
    out
}
