//! Attributes as written: those of a declaration, and the strings in them.
//!
//! Their meanings, targets and launch modes are in the table in [`crate::types::attribute_table`].

use crate::db::items::ItemTree;
use crate::types::attribute_table::{self, Attr};
use compact_str::CompactString;
use wgc_frontend::ast::{Attribute, ItemId};

/// Returns the attributes of an item and of the `template` items around it.
pub fn chain<'a>(tree: &'a ItemTree, item: ItemId, templates: &[ItemId]) -> Vec<&'a Attribute> {
    templates.iter().chain([&item]).flat_map(|id| &tree.ast.items[*id].attributes).collect()
}

/// Returns whether this is the attribute of a table row.
pub fn is_named(attribute: &Attribute, attr: Attr) -> bool {
    matches!(attribute.path.segments.as_slice(), [s] if attribute_table::find(&s.name.text).is_some_and(|r| r.attr == attr))
}

/// Returns whether this is `[[wgc::NAME]]`.
pub fn is_internal(attribute: &Attribute, name: &str) -> bool {
    matches!(attribute.path.segments.as_slice(), [space, word] if space.name.text == "wgc" && word.name.text == name)
}

/// Returns whether this is `[[vk::NAME]]`.
pub fn is_vulkan(attribute: &Attribute, name: &str) -> bool {
    matches!(attribute.path.segments.as_slice(), [space, word] if space.name.text == "vk" && word.name.text == name)
}

/// Returns the text of adjacent string literals, without quotes and with escapes replaced.
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
            // An unknown escape sequence yields its character without the backslash.
            let next = chars.peek().copied();
            out.extend(wgc_frontend::escape::escape(&mut chars).or(next));
        }
    }
    out
}
