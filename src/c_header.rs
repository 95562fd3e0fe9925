//! A C header of a graph for hosts (`--emit header`): numbers and names of nodes, queues of entry nodes, IDs of
//! specialisation constants, and the structures of records and push constants.
//!
//! A structure has the same layout as in the shader. Gaps become members, and structures that C would lay out
//! differently are packed. Vectors and matrices are arrays, 16-bit floats are raw bits, and each offset is asserted.
//! The text compiles as C11 and as C++11.

use indexmap::{IndexMap, IndexSet};
use std::fmt::Write;
use wgc_abi::manifest::Manifest;
use wgc_abi::reflection::Reflection;
use wgc_abi::{LayoutScalar, LayoutType, StructLayout};

/// Returns the header of a graph. `manifest` is that of the package, if the target is emulated.
pub(crate) fn c_header(reflection: &Reflection, manifest: Option<&Manifest>) -> String {
    let mut header = Header::default();
    let nodes = reflection.nodes.iter().map(|node| &node.id.value);
    for (number, id) in nodes.clone().enumerate() {
        header.define("NODE", &id.to_string(), &number.to_string());
    }
    header.section("Number of each node: its index in `nodes` of the reflection.");
    for node in nodes {
        let name = node.to_string();
        header.define("NAME", &name, &literal(&node.name));
        header.define("INDEX", &name, &node.index.to_string());
    }
    header.section("Identity of each node: its name, and its index in the node array.");
    for entry in manifest.iter().flat_map(|manifest| &manifest.entrypoints) {
        header.define("QUEUE", &entry.node.to_string(), &entry.queue.to_string());
    }
    header.section("Queue of each entry node: Span.queue of the emulated target.");
    let entries = manifest.iter().flat_map(|manifest| manifest.entrypoints.iter().enumerate());
    for (number, entry) in entries {
        header.define("ENTRY", &entry.node.to_string(), &number.to_string());
    }
    header.section("Number of each entry node: NodeInput.entry, for inputs that the device counts.");
    for constant in &reflection.spec_constants {
        header.define("SPEC_ID", &constant.name, &constant.id.to_string());
    }
    header.section("IDs of the specialisation constants.");

    let inputs = reflection.nodes.iter().filter_map(|node| node.input.as_ref()?.record.as_ref());
    for record in inputs.map(|record| &record.layout) {
        header.structure(record, "Record");
    }
    if let Some(push) = &reflection.push_constants {
        header.structure(&push.block, "PushConstants");
    }
    header.finish()
}

#[derive(Default)]
struct Header {
    text: String,
    /// Lines of the current section.
    lines: Vec<String>,
    macros: IndexSet<String>,
    structures: Vec<HeaderStruct>,
    names: IndexSet<String>,
}

/// A structure in the header.
struct HeaderStruct {
    layout: StructLayout,
    name: String,
    /// The alignment in C.
    align: u32,
}

/// Keywords of C and C++, names and macros that the header's own includes define, and macros that compilers predefine.
const TAKEN: &[&str] = &[
    "INT16_C",
    "INT16_MAX",
    "INT16_MIN",
    "INT32_C",
    "INT32_MAX",
    "INT32_MIN",
    "INT64_C",
    "INT64_MAX",
    "INT64_MIN",
    "INT8_C",
    "INT8_MAX",
    "INT8_MIN",
    "INTMAX_C",
    "INTMAX_MAX",
    "INTMAX_MIN",
    "INTPTR_MAX",
    "INTPTR_MIN",
    "INT_FAST16_MAX",
    "INT_FAST16_MIN",
    "INT_FAST32_MAX",
    "INT_FAST32_MIN",
    "INT_FAST64_MAX",
    "INT_FAST64_MIN",
    "INT_FAST8_MAX",
    "INT_FAST8_MIN",
    "INT_LEAST16_MAX",
    "INT_LEAST16_MIN",
    "INT_LEAST32_MAX",
    "INT_LEAST32_MIN",
    "INT_LEAST64_MAX",
    "INT_LEAST64_MIN",
    "INT_LEAST8_MAX",
    "INT_LEAST8_MIN",
    "NULL",
    "PTRDIFF_MAX",
    "PTRDIFF_MIN",
    "SIG_ATOMIC_MAX",
    "SIG_ATOMIC_MIN",
    "SIZE_MAX",
    "UINT16_C",
    "UINT16_MAX",
    "UINT32_C",
    "UINT32_MAX",
    "UINT64_C",
    "UINT64_MAX",
    "UINT8_C",
    "UINT8_MAX",
    "UINTMAX_C",
    "UINTMAX_MAX",
    "UINTPTR_MAX",
    "UINT_FAST16_MAX",
    "UINT_FAST32_MAX",
    "UINT_FAST64_MAX",
    "UINT_FAST8_MAX",
    "UINT_LEAST16_MAX",
    "UINT_LEAST32_MAX",
    "UINT_LEAST64_MAX",
    "UINT_LEAST8_MAX",
    "WCHAR_MAX",
    "WCHAR_MIN",
    "WINT_MAX",
    "WINT_MIN",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "i386",
    "if",
    "inline",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "int_fast8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_least8_t",
    "intmax_t",
    "intptr_t",
    "linux",
    "long",
    "max_align_t",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "ptrdiff_t",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "uint_fast8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_least8_t",
    "uintmax_t",
    "uintptr_t",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

impl Header {
    fn define(&mut self, kind: &str, name: &str, value: &str) {
        let name = unique(&mut self.macros, &format!("WGC_{kind}_{}", identifier(name)));
        self.lines.push(format!("#define {name} {value}"));
    }

    /// Ends a section, or drops it if it has no lines.
    fn section(&mut self, title: &str) {
        let lines = std::mem::take(&mut self.lines);
        if !lines.is_empty() {
            let _ = writeln!(self.text, "\n// {title}\n{}", lines.join("\n"));
        }
    }

    /// Writes a structure after the structures that it contains, and returns its name. An anonymous structure gets the
    /// name `otherwise`.
    fn structure(&mut self, layout: &StructLayout, otherwise: &str) -> String {
        if let Some(written) = self.structures.iter().find(|written| written.layout == *layout) {
            return written.name.clone();
        }
        let mut body = Body { align: 1, ..Body::default() };
        // In C++ a member cannot have the name of its own structure, nor of a type that the structure uses.
        for ty in layout.fields.iter().filter_map(|field| nested(&field.ty)) {
            body.names.insert(self.structure(ty, "Nested"));
        }
        let wanted = if layout.name.is_empty() { otherwise.to_owned() } else { identifier(&layout.name) };
        let name = unique(&mut self.names, &member(&wanted));
        body.names.insert(name.clone());
        // C has no empty structures, and in C++ they are not empty.
        let mut fields = layout.fields.iter().filter(|field| field.ty.size() > 0).peekable();
        while let Some(field) = fields.next() {
            let member_name = unique(&mut body.names, &member(&field.name));
            let mut ty = field.ty.clone();
            if let LayoutType::Bits { scalar, first, width } = ty {
                let mut parts = vec![format!("{}: {width} bits from bit {first}", field.name)];
                // Other bit-fields of the same integer.
                while let Some(next) = fields.next_if(|next| next.offset == field.offset) {
                    if let LayoutType::Bits { first, width, .. } = next.ty {
                        parts.push(format!("{}: {width} bits from bit {first}", next.name));
                    }
                }
                body.comment = Some(parts.join(", "));
                ty = LayoutType::Scalar(scalar);
            }
            body.at(field.offset);
            let end = fields.peek().map_or(layout.size, |next| next.offset);
            // The next member may start in the last row of a matrix.
            if field.offset + ty.size() > end {
                let bytes = end.saturating_sub(field.offset);
                body.member(&format!("uint8_t {member_name}[{bytes}]"), &member_name, field.offset, bytes, 1);
            } else {
                let declared = self.declaration(&ty, &member_name);
                body.member(&declared, &member_name, field.offset, ty.size(), self.align(&ty));
            }
        }
        body.at(layout.size);
        let packed = body.misplaced || !layout.size.is_multiple_of(body.align);
        let (push, pop) = if packed { ("#pragma pack(push, 1)\n", "#pragma pack(pop)\n") } else { ("", "") };
        let _ = writeln!(
            self.text,
            "\n{push}typedef struct {name}\n{{\n{}}} {name};\n{pop}",
            body.members.trim_end_matches(' ')
        );
        let _ = writeln!(self.text, "WGC_ASSERT(sizeof({name}) == {}, \"size of {name}\");", layout.size);
        for (member, offset) in &body.offsets {
            let what = format!("offset of {name}.{member}");
            let _ = writeln!(self.text, "WGC_ASSERT(offsetof({name}, {member}) == {offset}, \"{what}\");");
        }
        let align = if packed { 1 } else { body.align };
        self.structures.push(HeaderStruct { layout: layout.clone(), name: name.clone(), align });
        name
    }

    /// Returns the alignment of a member of this type in C. Structures must already be written.
    fn align(&self, ty: &LayoutType) -> u32 {
        match ty {
            LayoutType::Scalar(scalar)
            | LayoutType::Bits { scalar, .. }
            | LayoutType::Vector { scalar, .. }
            | LayoutType::Matrix { scalar, .. } => scalar.size(),
            LayoutType::Array { element, stride, .. } if element.size() == *stride => self.align(element),
            LayoutType::Array { .. } => 1,
            LayoutType::Struct(layout) => {
                self.structures.iter().find(|written| written.layout == *layout).map_or(1, |written| written.align)
            }
        }
    }

    /// Returns the declaration of a member of this type: `float name[3]`.
    fn declaration(&mut self, ty: &LayoutType, name: &str) -> String {
        match ty {
            LayoutType::Scalar(scalar) | LayoutType::Bits { scalar, .. } => format!("{} {name}", c_type(*scalar)),
            LayoutType::Vector { scalar, components } => format!("{} {name}[{components}]", c_type(*scalar)),
            LayoutType::Matrix { scalar, stride, .. } => {
                // Vectors begin `stride` bytes apart; the padding between them becomes part of the rows.
                let (vectors, components) = (ty.size() / stride.max(&1), stride / scalar.size());
                format!("{} {name}[{vectors}][{components}]", c_type(*scalar))
            }
            LayoutType::Array { element, count, stride } if element.size() == *stride => {
                self.declaration(element, &format!("{name}[{count}]"))
            }
            LayoutType::Array { count, stride, .. } => format!("uint8_t {name}[{count}][{stride}]"),
            LayoutType::Struct(layout) => {
                let structure = self.structure(layout, "Nested");
                format!("{structure} {name}")
            }
        }
    }

    fn finish(self) -> String {
        let mut text = "// Generated by wgc.\n\n#pragma once\n\n#include <stddef.h>\n#include <stdint.h>\n".to_owned();
        text += &self.text;
        if text.contains("WGC_ASSERT(") {
            let assert = "\n#ifndef WGC_ASSERT\n#ifdef __cplusplus\n#define WGC_ASSERT static_assert\n#else\n\
                          #define WGC_ASSERT _Static_assert\n#endif\n#endif\n";
            let includes = "#include <stdint.h>\n";
            text = text.replacen(includes, &format!("{includes}{assert}"), 1);
        }
        text
    }
}

/// Returns the structure that a member is, or is an array of; `None` for one without members.
fn nested(ty: &LayoutType) -> Option<&StructLayout> {
    match ty {
        LayoutType::Array { element, .. } => nested(element),
        LayoutType::Struct(layout) => (layout.size > 0).then_some(layout),
        _ => None,
    }
}

/// The members of a structure.
#[derive(Default)]
struct Body {
    members: String,
    offsets: IndexMap<String, u32>,
    names: IndexSet<String>,
    /// The end of the last member.
    end: u32,
    /// The largest alignment of a member.
    align: u32,
    /// A member is not at a multiple of its alignment in C.
    misplaced: bool,
    comment: Option<String>,
    gaps: u32,
}

impl Body {
    /// Adds padding up to `offset`.
    fn at(&mut self, offset: u32) {
        if offset > self.end {
            let name = unique(&mut self.names, &format!("pad{}", self.gaps));
            self.gaps += 1;
            let _ = writeln!(self.members, "    uint8_t {name}[{}];", offset - self.end);
            self.end = offset;
        }
    }

    fn member(&mut self, declaration: &str, name: &str, offset: u32, size: u32, align: u32) {
        self.align = self.align.max(align);
        self.misplaced |= !offset.is_multiple_of(align);
        let comment = self.comment.take().map(|text| format!(" // {text}")).unwrap_or_default();
        let _ = writeln!(self.members, "    {declaration};{comment}");
        self.offsets.insert(name.to_owned(), offset);
        self.end = offset + size;
    }
}

fn c_type(scalar: LayoutScalar) -> &'static str {
    match scalar {
        LayoutScalar::Bool | LayoutScalar::U32 => "uint32_t",
        LayoutScalar::I32 => "int32_t",
        LayoutScalar::I16 => "int16_t",
        // C has no 16-bit float.
        LayoutScalar::U16 | LayoutScalar::F16 => "uint16_t",
        LayoutScalar::I64 => "int64_t",
        LayoutScalar::U64 => "uint64_t",
        LayoutScalar::F32 => "float",
        LayoutScalar::F64 => "double",
    }
}

/// Replaces the characters of a name that C does not allow, as in `Pair<int>` and `ns::Node[3]`, by underscores.
fn identifier(name: &str) -> String {
    let other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let plain = name.trim_end_matches(other).replace(other, "_");
    // C reserves names with a leading underscore.
    let plain = plain.trim_start_matches('_');
    if plain.is_empty() || plain.starts_with(|c: char| c.is_ascii_digit()) { format!("n{plain}") } else { plain.into() }
}

/// Returns a string literal of C.
fn literal(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        // Two question marks may start a trigraph.
        b' '..=b'~' if byte != b'?' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Returns a valid name for a member or a structure.
fn member(name: &str) -> String {
    let name = identifier(name);
    if TAKEN.contains(&name.as_str()) { name + "_" } else { name }
}

/// Returns the name if it is free, else the name with the lowest free number.
fn unique(taken: &mut IndexSet<String>, name: &str) -> String {
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name));
    let free = free.unwrap_or_else(|| name.to_owned());
    taken.insert(free.clone());
    free
}
