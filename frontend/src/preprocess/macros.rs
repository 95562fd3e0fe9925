//! Macro definitions: parses `#define` into pieces that `expand` copies, and defines the predefined macros. It expands
//! nothing.

use std::rc::Rc;

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Options, Stage};
use crate::diagnostic::SpelledRange;
use crate::lex::{PpToken, Raw};
use crate::token::Sym;

/// A user's or a predefined macro with a replacement list.
#[derive(Debug)]
pub(super) struct Macro {
    pub name: CompactString,
    /// Its number in hide sets, unique to the name.
    pub symbol: u32,
    /// `None` for an object-like macro.
    pub params: Option<Vec<CompactString>>,
    /// The last parameter takes all remaining arguments.
    pub variadic: bool,
    pub body: Vec<Piece>,
    /// The location of its name in the `#define`.
    pub definition: Option<SpelledRange>,
    /// From the name to the last token of the replacement list.
    pub text: Option<SpelledRange>,
}

/// Part of a replacement list.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Token(PpToken),
    /// The parameter, and the token that names it.
    Param(usize, PpToken),
    /// `#param`
    Stringize(usize, PpToken),
    /// `##`
    Paste,
}

#[derive(Clone)]
pub(super) enum Definition {
    Macro(Rc<Macro>),
    Line,
    File,
    Counter,
    /// `__has_include`, which has a meaning only in `#if`.
    HasInclude,
}

pub(super) struct Macros {
    table: FxHashMap<CompactString, Definition>,
    symbols: FxHashMap<CompactString, u32>,
}

impl Macros {
    pub fn new() -> Self {
        let table = FxHashMap::from_iter([
            (CompactString::const_new("__LINE__"), Definition::Line),
            (CompactString::const_new("__FILE__"), Definition::File),
            (CompactString::const_new("__COUNTER__"), Definition::Counter),
            (CompactString::const_new("__has_include"), Definition::HasInclude),
        ]);
        Macros { table, symbols: FxHashMap::default() }
    }

    pub fn get(&self, name: &str) -> Option<&Definition> {
        self.table.get(name)
    }

    /// Returns every name that was ever a macro.
    pub fn into_names(self) -> FxHashSet<CompactString> {
        self.table.into_keys().chain(self.symbols.into_keys()).collect()
    }

    pub fn remove(&mut self, name: &str) {
        self.table.remove(name);
    }

    /// Defines a macro. Returns the replaced definition if it differs from the new one.
    pub fn define(&mut self, new: Macro) -> Option<Option<SpelledRange>> {
        let old = self.table.get(&new.name).and_then(|old| match old {
            Definition::Macro(old) => (!old.same(&new)).then_some(old.definition),
            _ => Some(None),
        });
        self.table.insert(new.name.clone(), Definition::Macro(Rc::new(new)));
        old
    }

    fn symbol(&mut self, name: &CompactString) -> u32 {
        let next = self.symbols.len() as u32;
        *self.symbols.entry(name.clone()).or_insert(next)
    }

    /// Parses the tokens after `#define`. The error is a message with the index of its token.
    pub fn parse(&mut self, line: &[PpToken], definition: Option<SpelledRange>) -> Result<Macro, (String, usize)> {
        let Some(name) = line.first() else { return Err(("expected the name of a macro".into(), 0)) };
        if name.raw != Raw::Ident {
            return Err((format!("expected the name of a macro, found `{}`", name.text), 0));
        }
        if name.text == "defined" {
            return Err(("`defined` cannot be a macro".into(), 0));
        }
        let mut at = 1;
        let mut params = None;
        let mut variadic = false;
        // The parenthesis of a parameter list touches the name.
        if line.get(1).is_some_and(|token| token.is(Sym::LParen) && !token.space) {
            let mut names: Vec<CompactString> = Vec::new();
            at = 2;
            loop {
                match line.get(at) {
                    Some(token) if token.is(Sym::RParen) && names.is_empty() => break,
                    Some(token) if token.raw == Raw::Ellipsis => {
                        names.push(CompactString::const_new("__VA_ARGS__"));
                        variadic = true;
                    }
                    Some(token) if token.raw == Raw::Ident => {
                        if names.contains(&token.text) {
                            return Err((format!("duplicate macro parameter `{}`", token.text), at));
                        }
                        names.push(token.text.clone());
                        if line.get(at + 1).is_some_and(|next| next.raw == Raw::Ellipsis) {
                            variadic = true;
                            at += 1;
                        }
                    }
                    _ => return Err((format!("expected a parameter of the macro `{}`", name.text), at)),
                }
                at += 1;
                match line.get(at) {
                    Some(token) if token.is(Sym::RParen) => break,
                    Some(token) if token.is(Sym::Comma) && !variadic => at += 1,
                    _ => return Err((format!("expected `)` after the parameters of the macro `{}`", name.text), at)),
                }
            }
            at += 1;
            params = Some(names);
        }
        let body = pieces(line, at, params.as_deref())?;
        let end = line.last().map_or(0, |last| last.at.place.hi);
        let text = definition.map(|name| SpelledRange { hi: end, ..name });
        Ok(Macro { name: name.text.clone(), symbol: self.symbol(&name.text), params, variadic, body, definition, text })
    }
}

/// Parses the replacement list, from token `at` on.
fn pieces(line: &[PpToken], at: usize, params: Option<&[CompactString]>) -> Result<Vec<Piece>, (String, usize)> {
    let param = |token: &PpToken| match params {
        Some(params) if token.raw == Raw::Ident => params.iter().position(|name| *name == token.text),
        _ => None,
    };
    let mut body = Vec::new();
    let mut index = at;
    while let Some(token) = line.get(index) {
        body.push(match token.raw {
            Raw::HashHash => {
                if index == at || index + 1 == line.len() {
                    return Err(("`##` needs a token on each side".into(), index));
                }
                Piece::Paste
            }
            Raw::Hash if params.is_some() => {
                index += 1;
                match line.get(index).and_then(param) {
                    Some(number) => Piece::Stringize(number, token.clone()),
                    None => return Err(("`#` needs a parameter of the macro after it".into(), index - 1)),
                }
            }
            _ => match param(token) {
                Some(number) => Piece::Param(number, token.clone()),
                None => Piece::Token(token.clone()),
            },
        });
        index += 1;
    }
    if let Some(Piece::Token(first) | Piece::Param(_, first) | Piece::Stringize(_, first)) = body.first_mut() {
        first.space = false;
    }
    Ok(body)
}

impl Macro {
    /// Returns whether two definitions are equal by C11 6.10.3 p1-2: the same spelling, and white space in the same
    /// positions.
    fn same(&self, other: &Macro) -> bool {
        self.params == other.params
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(a, b)| match (a, b) {
                (Piece::Token(a), Piece::Token(b)) => a.text == b.text && a.space == b.space,
                (Piece::Param(n, a), Piece::Param(m, b)) | (Piece::Stringize(n, a), Piece::Stringize(m, b)) => {
                    n == m && a.space == b.space
                }
                (Piece::Paste, Piece::Paste) => true,
                _ => false,
            })
    }
}

/// The version of the DXC that defines the language: 1.9.
const DXC_VERSION: [u32; 4] = [1, 9, 0, 0];

/// Returns the macros that every HLSL compiler defines, as text after `#define`. The names are those of DXC.
pub(super) fn predefined(options: &Options) -> Vec<CompactString> {
    let stages = [
        ("VERTEX", Stage::Vertex),
        ("PIXEL", Stage::Pixel),
        ("GEOMETRY", Stage::Geometry),
        ("HULL", Stage::Hull),
        ("DOMAIN", Stage::Domain),
        ("COMPUTE", Stage::Compute),
        ("AMPLIFICATION", Stage::Amplification),
        ("MESH", Stage::Mesh),
        ("LIBRARY", Stage::Library),
    ];
    let mut out: Vec<CompactString> =
        stages.iter().map(|(name, stage)| format_compact!("__SHADER_STAGE_{name} {}", *stage as u8)).collect();
    out.push(format_compact!("__SHADER_TARGET_STAGE {}", options.stage as u8));
    out.push(format_compact!("__SHADER_TARGET_MAJOR {}", options.shader_model.0));
    out.push(format_compact!("__SHADER_TARGET_MINOR {}", options.shader_model.1));
    out.push(format_compact!("__HLSL_VERSION {}", options.hlsl_version));
    if options.native_16bit {
        out.push("__HLSL_ENABLE_16_BIT 1".into());
    }
    out.push("__spirv__ 1".into());
    out.push(format_compact!("__SPIRV_MAJOR_VERSION__ {}", options.spirv_version.0));
    out.push(format_compact!("__SPIRV_MINOR_VERSION__ {}", options.spirv_version.1));
    // Shaders test these to distinguish HLSL 2021 compilers from fxc, and to detect features.
    out.push("__hlsl_dx_compiler 1".into());
    for (part, number) in ["MAJOR", "MINOR", "RELEASE", "COMMITS"].iter().zip(DXC_VERSION) {
        out.push(format_compact!("__DXC_VERSION_{part} {number}"));
    }
    out.push("__WGC__ 1".into());
    out
}
