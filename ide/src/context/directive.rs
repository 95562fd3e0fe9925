//! The context inside a directive: its name, a path, a macro.

use super::{CompletionContext, CompletionKind, Level, SourceTokens};

pub(super) fn end_of_name(text: &[u8], at: u32) -> u32 {
    let rest = text.get(at as usize..).unwrap_or_default();
    at + rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count() as u32
}

/// Returns the context inside a directive with the range `lo..hi`.
pub(super) fn directive(tokens: &SourceTokens, lo: u32, hi: u32, at: u32) -> CompletionContext {
    let text = tokens.text;
    let is_part = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_' || *c >= 0x80;
    let start_of_word = |at: u32| {
        let before = text.get(lo as usize..at as usize).unwrap_or_default();
        at - before.iter().rev().take_while(|c| is_part(c)).count() as u32
    };
    let start = start_of_word(at);
    let typed = |start: u32, end: u32, wanted| CompletionContext {
        replace: start..end.max(at),
        prefix: tokens.part(start..at).to_owned(),
        wanted,
    };
    let line = tokens.part(lo + 1..hi);
    let word_at = lo + 1 + (line.len() - line.trim_start_matches([' ', '\t']).len()) as u32;
    let name_end = end_of_name(text, word_at);
    if at <= name_end {
        return if at < word_at {
            typed(at, at, CompletionKind::Directive)
        } else {
            typed(word_at, name_end, CompletionKind::Directive)
        };
    }
    let token = tokens.part(word_at..name_end);
    let here = |wanted| typed(start, end_of_name(text, at), wanted);
    match token {
        "include" => {
            let before = tokens.part(name_end..at);
            let Some(quote) = before.find(['"', '<']) else { return here(CompletionKind::Nothing) };
            let (angled, path) = (before[quote..].starts_with('<'), &before[quote + 1..]);
            if path.contains(['"', '>']) {
                return here(CompletionKind::Nothing);
            }
            let folder = path.rfind(['/', '\\']).map_or("", |slash| &path[..=slash]);
            let from = name_end + (quote + 1 + folder.len()) as u32;
            let rest = tokens.part(at..hi);
            let end = rest.find(['"', '>', '/', '\\']).map_or(at, |end| at + end as u32);
            typed(from, end, CompletionKind::Include { angled, folder: folder.to_owned() })
        }
        "if" | "elif" | "ifdef" | "ifndef" | "undef" => here(CompletionKind::Macro),
        "pragma" => here(CompletionKind::Pragma),
        "define" => {
            // After the macro's name follows program text.
            let before = tokens.part(name_end..start);
            let is_name = before.trim().is_empty();
            let dotted = before.trim_end().ends_with(['.', ':', '"', '\'']);
            here(if is_name || dotted { CompletionKind::Nothing } else { CompletionKind::Name(Level::Body) })
        }
        _ => here(CompletionKind::Nothing),
    }
}
