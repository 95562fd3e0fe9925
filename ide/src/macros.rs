//! Macros: their definitions, uses and expansions.
//!
//! The preprocessor keeps uses that add tokens to the program. Directives that name macros (`#ifdef`, `#undef`, `#if`)
//! are read from the text.

use std::ops::Range;
use std::sync::Arc;
use wgc_frontend::diagnostic::{ExpansionId, SpelledRange};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::{ProgramUnit, unit};
use wgc_sema::db::{Db, Program, is_built_in};

/// A macro at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroAt {
    pub name: String,
    /// The name at the location.
    pub range: FileRange,
    /// Its definition as written, if a file contains it.
    pub text: Option<String>,
    /// The expansion of this use.
    pub expansion: Option<String>,
}

/// A location that names a macro.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MacroUse {
    pub range: FileRange,
    pub defines: bool,
}

/// The limit of tokens shown for an expansion.
const MAX_TOKENS: usize = 200;

/// Returns the macro that is named at a byte of a file.
pub fn macro_at(db: &dyn Db, part: Program, path: &str, at: u32) -> Option<MacroAt> {
    let whole = unit(db, part);
    let file = whole.files.iter().position(|file| file.path(db) == path)?;
    let covers = |range: &Range<u32>| (range.start..=range.end).contains(&at);
    for (number, expansion) in whole.unit.expansions.iter().enumerate() {
        let place = expansion.use_site.place;
        let name = place.lo..place.lo + expansion.name.len() as u32;
        if place.file.0 as usize == file && covers(&name) && is_spelled(db, whole, place, &expansion.name) {
            let text = expansion.text.and_then(|text| source(db, whole, text));
            let id = ExpansionId(number as u32);
            let range = FileRange::new(path.into(), name.start, name.end);
            return Some(MacroAt {
                name: expansion.name.to_string(),
                range,
                text,
                expansion: Some(expanded(whole, id)),
            });
        }
    }
    let text = whole.files.get(file)?.text(db);
    let mut named = Vec::new();
    in_directive(&text, at as usize, &mut named);
    let named = named.into_iter().find(|named| covers(&named.range))?;
    let name = String::from_utf8_lossy(text.get(named.range.start as usize..named.range.end as usize)?).into_owned();
    let range = FileRange::new(path.into(), named.range.start, named.range.end);
    let definition = definitions(db, part, &name).into_iter().next();
    // A name without a definition in a file is not a macro.
    definition.as_ref()?;
    let text = definition.and_then(|definition| line_of(db, &definition));
    Some(MacroAt { name, range, text, expansion: None })
}

/// Returns the definitions of a macro in the files of a translation unit.
pub fn definitions(db: &dyn Db, part: Program, name: &str) -> Vec<FileRange> {
    macro_uses(db, part, name).into_iter().filter(|found| found.defines).map(|found| found.range).collect()
}

/// Returns all uses of a macro in the files of a translation unit.
pub fn macro_uses(db: &dyn Db, part: Program, name: &str) -> Vec<MacroUse> {
    let whole = unit(db, part);
    let mut out: Vec<MacroUse> = Vec::new();
    for expansion in whole.unit.expansions.iter().filter(|expansion| expansion.name == name) {
        let place = expansion.use_site.place;
        if is_spelled(db, whole, place, name)
            && let Some(file) = whole.files.get(place.file.0 as usize)
        {
            let range = FileRange::new(Arc::from(file.path(db)), place.lo, place.lo + name.len() as u32);
            out.push(MacroUse { range, defines: false });
        }
    }
    for file in whole.files.iter().filter(|file| !is_built_in(file.path(db))) {
        let text = file.text(db);
        for named in directives(&text) {
            if text.get(named.range.start as usize..named.range.end as usize) == Some(name.as_bytes()) {
                let range = FileRange::new(Arc::from(file.path(db)), named.range.start, named.range.end);
                out.push(MacroUse { range, defines: named.defines });
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

fn is_spelled(db: &dyn Db, whole: &ProgramUnit, place: SpelledRange, name: &str) -> bool {
    let Some(file) = whole.files.get(place.file.0 as usize) else { return false };
    let text = file.text(db);
    text.get(place.lo as usize..place.lo as usize + name.len()) == Some(name.as_bytes())
}

fn source(db: &dyn Db, whole: &ProgramUnit, place: SpelledRange) -> Option<String> {
    let text = whole.files.get(place.file.0 as usize)?.text(db);
    Some(String::from_utf8_lossy(text.get(place.lo as usize..place.hi as usize)?).into_owned())
}

/// Returns the definition that contains a name, to the end of its last line.
fn line_of(db: &dyn Db, name: &FileRange) -> Option<String> {
    let text = db.file(&name.file).text(db);
    let rest = text.get(name.lo as usize..)?;
    let mut end = 0;
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if !line.trim_ascii_end().ends_with(b"\\") {
            break;
        }
    }
    Some(String::from_utf8_lossy(rest.get(..end)?).trim_end().to_owned())
}

/// Returns the tokens of an expansion on one line.
fn expanded(whole: &ProgramUnit, id: ExpansionId) -> String {
    let comes_from = |mut next: Option<ExpansionId>| {
        while let Some(at) = next {
            if at == id {
                return true;
            }
            next = whole.unit.expansions.get(at.0 as usize).and_then(|expansion| expansion.use_site.expansion);
        }
        false
    };
    let is_own = |index: &usize| whole.unit.origins.get(*index).is_some_and(|at| comes_from(at.expansion));
    let tokens: Vec<usize> = (0..whole.unit.tokens.len()).filter(is_own).take(MAX_TOKENS + 1).collect();
    let mut out = String::new();
    for index in tokens.iter().take(MAX_TOKENS) {
        let text = whole.unit.tokens[*index].spelling();
        let glued =
            out.is_empty() || out.ends_with(['(', '[', '.']) || matches!(text, ")" | "]" | "," | ";" | "." | "(" | "[");
        if !glued {
            out.push(' ');
        }
        out.push_str(text);
    }
    if tokens.len() > MAX_TOKENS {
        out.push_str(" ..");
    }
    out
}

/// A name in a directive.
struct InDirective {
    range: Range<u32>,
    defines: bool,
}

/// Adds possible names of macros in the directive around a byte, if any.
fn in_directive(text: &[u8], at: usize, out: &mut Vec<InDirective>) {
    let line_start =
        |end: usize| text.get(..end).and_then(|t| t.iter().rposition(|byte| *byte == b'\n')).map_or(0, |n| n + 1);
    let mut start = line_start(at.min(text.len()));
    // Find the first of the continued lines.
    while start > 0 && text.get(..start - 1).is_some_and(|before| before.trim_ascii_end().ends_with(b"\\")) {
        start = line_start(start - 1);
    }
    let rest = text.get(start..).unwrap_or_default();
    if rest.trim_ascii_start().first() != Some(&b'#') {
        return;
    }
    let mut end = 0;
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if !line.trim_ascii_end().ends_with(b"\\") {
            break;
        }
    }
    for mut named in directives(&rest[..end]) {
        named.range = named.range.start + start as u32..named.range.end + start as u32;
        out.push(named);
    }
}

/// Returns possible names of macros in the directives of a text.
fn directives(text: &[u8]) -> Vec<InDirective> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut goes_on = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let start = at;
        at += line.len();
        let is_directive = line.trim_ascii_start().first() == Some(&b'#');
        if is_directive || goes_on {
            names_of(line, start, goes_on, &mut out);
        }
        goes_on = (is_directive || goes_on) && conditional(line, goes_on) && line.trim_ascii_end().ends_with(b"\\");
    }
    out
}

/// Returns whether a continuation of this line may contain more names.
fn conditional(line: &[u8], goes_on: bool) -> bool {
    goes_on || matches!(words(line).next().map(|range| &line[range]), Some(b"if" | b"elif"))
}

fn names_of(line: &[u8], start: usize, goes_on: bool, out: &mut Vec<InDirective>) {
    let mut words = words(line);
    let of = |range: Range<usize>, defines| InDirective {
        range: (start + range.start) as u32..(start + range.end) as u32,
        defines,
    };
    let directive = if goes_on { &b"if"[..] } else { words.next().map_or(&b""[..], |range| &line[range]) };
    match directive {
        b"define" | b"undef" | b"ifdef" | b"ifndef" | b"elifdef" | b"elifndef" => {
            out.extend(words.next().map(|range| of(range, directive == b"define")));
        }
        b"if" | b"elif" => {
            let names = words.filter(|range| &line[range.clone()] != b"defined");
            out.extend(names.map(|range| of(range, false)));
        }
        _ => {}
    }
}

/// Returns the identifiers of a line, up to a comment.
fn words(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let end = line.windows(2).position(|two| two == b"//" || two == b"/*").unwrap_or(line.len());
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = line.get(at..end)?;
        let lo = at + rest.iter().position(|byte| is_word(*byte))?;
        let hi = lo + line[lo..end].iter().position(|byte| !is_word(*byte)).unwrap_or(end - lo);
        at = hi;
        Some(lo..hi)
    })
    .filter(|range| !line[range.start].is_ascii_digit())
}
