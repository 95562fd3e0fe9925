//! Keywords and the constructs that accept them, for completion.

use super::context::Level;
use wgc_frontend::token::MODIFIERS;

use Level::{Body, CBuffer, File, Params, Record};

/// Keywords, and the constructs that may start with them.
const KEYWORDS: &[(&str, &[Level])] = &[
    ("break", &[Body]),
    ("case", &[Body]),
    ("cbuffer", &[File]),
    ("centroid", &[Record, Params]),
    ("class", &[File]),
    ("column_major", &[File, Record, CBuffer, Body, Params]),
    ("const", &[File, Record, Body, Params]),
    ("continue", &[Body]),
    ("default", &[Body]),
    ("do", &[Body]),
    ("else", &[Body]),
    ("enum", &[File, Record, Body]),
    ("export", &[File]),
    ("extern", &[File]),
    ("false", &[File, Body]),
    ("for", &[Body]),
    ("globallycoherent", &[File, Params]),
    ("groupshared", &[File]),
    ("if", &[Body]),
    ("in", &[Params]),
    ("indices", &[Params]),
    ("inline", &[File, Record]),
    ("inout", &[Params]),
    ("interface", &[File]),
    ("namespace", &[File]),
    ("nointerpolation", &[Record, Params]),
    ("noperspective", &[Record, Params]),
    ("operator", &[File, Record]),
    ("out", &[Params]),
    ("packoffset", &[CBuffer]),
    ("precise", &[File, Record, CBuffer, Body, Params]),
    ("primitives", &[Params]),
    ("return", &[Body]),
    ("row_major", &[File, Record, CBuffer, Body, Params]),
    ("sizeof", &[File, Body]),
    ("snorm", &[File, Record, CBuffer, Body, Params]),
    ("static", &[File, Record, Body]),
    ("struct", &[File, Record, Body]),
    ("switch", &[Body]),
    ("tbuffer", &[File]),
    ("template", &[File, Record]),
    ("this", &[Body]),
    ("true", &[File, Body]),
    ("typedef", &[File, Record, Body]),
    ("typename", &[File, Params]),
    ("unorm", &[File, Record, CBuffer, Body, Params]),
    ("using", &[File, Record, Body]),
    ("vertices", &[Params]),
    ("void", &[File, Record]),
    ("while", &[Body]),
];

/// Modifiers that are also names, and that completion takes for modifiers.
const SOFT_MODIFIERS: &[&str] = &["linear", "sample", "vertices", "indices", "primitives"];

/// Returns whether a word is a modifier before a type.
pub fn is_modifier(word: &str) -> bool {
    MODIFIERS.contains(&word) || SOFT_MODIFIERS.contains(&word)
}

/// Returns the keywords that are legal in a construct.
pub fn keywords(level: Level) -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().filter(move |row| row.1.contains(&level)).map(|row| row.0)
}

/// Underlying types of enumerations.
pub const ENUM_TYPES: &[&str] = &["int", "int16_t", "int64_t", "uint", "uint16_t", "uint64_t"];

/// Words after `#`.
pub const DIRECTIVES: &[&str] = &[
    "define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "line", "pragma", "undef",
    "warning",
];

/// Words after `#pragma`.
pub const PRAGMAS: &[&str] = &["once", "pack_matrix(row_major)", "pack_matrix(column_major)"];

/// Predefined macros, in addition to those of the command line.
pub const MACROS: &[&str] = &[
    "__COUNTER__",
    "__FILE__",
    "__HLSL_VERSION",
    "__LINE__",
    "__SHADER_TARGET_MAJOR",
    "__SHADER_TARGET_MINOR",
    "__SHADER_TARGET_STAGE",
    "__WGC__",
    "__has_include",
    "__hlsl_dx_compiler",
    "__spirv__",
    "defined",
];
