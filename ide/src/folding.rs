//! Foldable ranges of a file: braces, comments, branches of conditions, and groups of includes.
//!
//! They are found from the tokens alone, so that incomplete code folds as well.

use super::source_tokens::{SourceTokenKind, SourceTokens};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Code,
    Comment,
    Includes,
    /// A branch of a condition, or a `#pragma region`.
    Region,
}

/// A range from the line of one byte, which stays visible, to that of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    pub from: u32,
    pub to: u32,
    pub kind: FoldKind,
}

/// Returns all folds of a text in its order, including those within one line.
pub fn folds(text: &[u8]) -> Vec<Fold> {
    let tokens = SourceTokens::new(text);
    let mut out = braces(&tokens);
    comments(&tokens, &mut out);
    directives(&tokens, &mut out);
    out.sort_by_key(|fold| (fold.from, std::cmp::Reverse(fold.to)));
    out
}

/// Returns the end of the line before that of a byte.
fn line_before(text: &[u8], at: u32) -> u32 {
    let before = text.get(..at as usize).unwrap_or_default();
    before.iter().rposition(|c| *c == b'\n').unwrap_or(0) as u32
}

/// Adds the folds of braces. A brace on its own line folds into the previous line, and so does its partner. Otherwise
/// the partner stays visible.
fn braces(tokens: &SourceTokens) -> Vec<Fold> {
    let mut out = Vec::new();
    for (n, open) in tokens.all.iter().enumerate().filter(|(_, token)| token.is(b'{')) {
        let Some(close) = tokens.partner(n).and_then(|n| tokens.get(n)) else { continue };
        let before =
            n.checked_sub(1).and_then(|n| tokens.get(n)).filter(|token| token.kind != SourceTokenKind::Directive);
        let (from, to) = match before {
            Some(before) if open.begins_line && !before.is(b'{') && !before.is(b'}') && !before.is(b';') => {
                (before.hi - 1, close.lo)
            }
            _ if close.begins_line => (open.lo, line_before(tokens.text, close.lo)),
            _ => (open.lo, close.lo),
        };
        out.push(Fold { from, to, kind: FoldKind::Code });
    }
    out
}

/// Adds block comments of several lines, and groups of line comments.
fn comments(tokens: &SourceTokens, out: &mut Vec<Fold>) {
    let is_alone = |at: u32| {
        let before = tokens.text.get(..at as usize).unwrap_or_default();
        let blank = before.iter().rev().take_while(|c| matches!(c, b' ' | b'\t')).count();
        before.len() == blank || before[before.len() - blank - 1] == b'\n'
    };
    let mut row: Option<Range<u32>> = None;
    let mut end = |row: Option<Range<u32>>| {
        out.extend(row.map(|row| Fold { from: row.start, to: row.end, kind: FoldKind::Comment }));
    };
    for range in tokens.comments() {
        let is_line = tokens.text.get(range.start as usize + 1) == Some(&b'/');
        if !is_line || !is_alone(range.start) {
            end(row.take());
            if !is_line {
                end(Some(range.start..range.end - 1));
            }
            continue;
        }
        let between = row.as_ref().and_then(|row| tokens.text.get(row.end as usize..range.start as usize));
        let follows = between.is_some_and(|between| {
            between.iter().all(u8::is_ascii_whitespace) && between.iter().filter(|c| **c == b'\n').count() == 1
        });
        if let Some(row) = row.as_mut().filter(|_| follows) {
            row.end = range.end;
        } else {
            end(row.replace(range));
        }
    }
    end(row.take());
}

/// Adds branches of conditions, regions, and groups of includes.
fn directives(tokens: &SourceTokens, out: &mut Vec<Fold>) {
    let mut open: Vec<u32> = Vec::new();
    let mut regions: Vec<u32> = Vec::new();
    let mut row: Option<Range<u32>> = None;
    let includes =
        |row: Option<Range<u32>>| row.map(|row| Fold { from: row.start, to: row.end, kind: FoldKind::Includes });
    for token in &tokens.all {
        if token.kind != SourceTokenKind::Directive {
            out.extend(includes(row.take()));
            continue;
        }
        let mut parts = tokens.part(token.lo + 1..token.hi).split_whitespace();
        let name = parts.next().unwrap_or("");
        if name.starts_with("include") {
            row = Some(row.map_or(token.lo..token.lo, |row| row.start..token.lo));
            continue;
        }
        out.extend(includes(row.take()));
        let before = line_before(tokens.text, token.lo);
        let fold = |from: u32, to: u32| Fold { from, to, kind: FoldKind::Region };
        match name {
            "if" | "ifdef" | "ifndef" => open.push(token.lo),
            "else" | "elif" => {
                if let Some(last) = open.last_mut() {
                    out.push(fold(std::mem::replace(last, token.lo), before));
                }
            }
            "endif" => out.extend(open.pop().map(|from| fold(from, before))),
            "pragma" => match parts.next() {
                Some("region") => regions.push(token.lo),
                Some("endregion") => out.extend(regions.pop().map(|from| fold(from, token.lo))),
                _ => {}
            },
            _ => {}
        }
    }
    out.extend(includes(row.take()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns folds as `from-to` in lines, with a letter for the kind.
    fn lines(text: &str) -> Vec<String> {
        let line = |at: u32| text[..at as usize].matches('\n').count();
        let all = folds(text.as_bytes()).into_iter().map(|fold| (line(fold.from), line(fold.to), fold.kind));
        let shown = all.filter(|(from, to, _)| from < to).map(|(from, to, kind)| {
            let letter = match kind {
                FoldKind::Code => "",
                FoldKind::Comment => "c",
                FoldKind::Includes => "i",
                FoldKind::Region => "r",
            };
            format!("{from}-{to}{letter}")
        });
        shown.collect()
    }

    #[test]
    fn braces_fold_with_their_declaration_or_statement() {
        let next_line = "void f(uint a,\n       uint b)\n{\n    if (a)\n    {\n        g();\n    }\n}\n";
        assert_eq!(lines(next_line), ["1-7", "3-6"]);
        let same_line = "void f() {\n    if (a) {\n        g();\n    } else {\n        h();\n    }\n}\n";
        assert_eq!(lines(same_line), ["0-5", "1-2", "3-4"]);
        assert_eq!(
            lines("void f()\n{\n    ;\n    {\n        g();\n    }\n}\nuint a[] = { 1,\n  2 };\n"),
            ["0-6", "3-4", "7-8"]
        );
        assert_eq!(lines("void f() { }\nstruct S { uint n; };\n"), [""; 0]);
        // An unclosed block does not fold, but its contents do.
        assert_eq!(lines("void f() {\n    if (a) {\n        g();\n    }\n"), ["1-2"]);
    }

    #[test]
    fn consecutive_line_comments_fold_together() {
        assert_eq!(lines("// a\n// b\n\n// c\n/* d\n e */\nuint x; // f\n// g\n// h\n"), ["0-1c", "4-5c", "7-8c"]);
        assert_eq!(lines("uint x; // a\n        // b\nuint y;\n"), [""; 0]);
    }

    #[test]
    fn directives_fold_by_branch() {
        assert_eq!(
            lines(
                "#include \"a\"\n#include \"b\"\n\nuint x;\n#include \"c\"\n#if A\nuint a;\n#elif B\nuint b;\n#else\n#endif\n"
            ),
            ["0-1i", "5-6r", "7-8r"]
        );
        assert_eq!(lines("#pragma region one\nuint a;\n#pragma endregion\n#endif\n#else\n"), ["0-2r"]);
    }
}
