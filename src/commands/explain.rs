//! `wgc explain` and `docs/diagnostics.md`: the table of diagnostics as text.

use super::{OK, Stop, print};
use crate::cli::parse::Invocation;
use crate::cli::warnings::find;
use std::fmt::Write;
use wgc_sema::tables::codes::{Code, Row, Severity};

/// The width of prose in columns.
const WIDTH: usize = 100;

pub(super) fn explain(invocation: &Invocation) -> Result<u8, Stop> {
    if invocation.files.is_empty() {
        print(&list())?;
        return Ok(OK);
    }
    let codes = invocation.files.iter().map(|name| find(name)).collect::<Result<Vec<Code>, String>>();
    let texts: Vec<String> = codes.map_err(Stop::Usage)?.into_iter().map(|code| text(code.row())).collect();
    print(&texts.join("\n"))?;
    Ok(OK)
}

/// Lists the diagnostics, one a line.
fn list() -> String {
    Code::ALL.iter().map(|c| c.row()).fold(String::new(), |mut out, row| {
        let _ = writeln!(out, "{} {:8} {}: {}", row.code, row.severity.to_string(), row.name, row.summary);
        out
    })
}

/// Describes the level of a diagnostic, and the options that change it.
fn level(row: &Row) -> String {
    match row.severity {
        Severity::Error => "error".into(),
        Severity::Warning => {
            format!("warning; --allow {0} turns it off, --deny {0} makes it an error", row.code)
        }
        Severity::Hint => {
            format!("hint, shown in editors; --warn {0} makes it a warning, --deny {0} an error", row.code)
        }
    }
}

fn text(row: &Row) -> String {
    let mut out = format!("{} {}\n{}\n\n", row.code, row.name, level(row));
    let summary = format!("{}.", capitalised(row.summary));
    for prose in [summary.as_str(), row.explanation] {
        wrap(&mut out, prose);
        out.push('\n');
    }
    for (title, program) in [("Wrong", row.bad), ("Right", row.good)] {
        let _ = writeln!(out, "{title}:\n");
        for line in program.lines() {
            let _ = writeln!(out, "{}", format!("    {line}").trim_end());
        }
        out.push('\n');
    }
    if !row.spec.is_empty() {
        let _ = writeln!(out, "Specification: {}", row.spec);
    } else {
        out.pop();
    }
    out
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Wraps prose at [`WIDTH`] columns.
fn wrap(out: &mut String, prose: &str) {
    let mut column = 0;
    for word in prose.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}

/// The ranges of codes with their titles.
const PARTS: &[(&str, &str)] = &[
    ("WG00", "Text and syntax"),
    ("WG01", "Names, types and declarations"),
    ("WG02", "Expressions and statements"),
    ("WG03", "One node"),
    ("WG04", "The graph"),
    ("WG05", "What a target cannot express"),
    ("WG06", "Lints"),
];

const HEAD: &str = "\
# Diagnostics

Written from the table in `sema/src/tables/codes.in` (`WGC_UPDATE_DOCS=1 cargo test -p wgc-compiler --lib document`).

`wgc explain CODE` prints one of them. An *error* stops the compilation whatever is said of it; a *warning* is turned
off by `--allow CODE` and made an error by `--deny CODE` (`-WX`: all of them); a *hint* is shown in editors, and by a
command after `--warn CODE`. CODE is a code or a name, several with commas between them, or `all`; later options win.
DXC's `-Wno-NAME`, `-Werror=NAME` and `-WNAME` do the same. `--error-limit N` ends the list behind N errors (for
people 100; 0 shows all).

The examples are programs that `wgc check` takes as they are: a test compiles them all. A first line `// options: ..` has
the options that one needs, and a line `// file: NAME` begins another file beside it; \u{fffd} is a byte that is no UTF-8.

## Messages for programs

`--message-format json` writes one object a line, `sarif` one SARIF 2.1.0 document with a run for each program: to standard
output from `wgc check` and `wgc verify`, and to standard error from the other commands, whose standard output may be a module.
What stops a command, as a file that cannot be read, is among them, without a code; a command line that makes no sense is
answered with one line of text on standard error.

| key of an object | |
|---|---|
| `severity` | `error`, `warning` or `hint` |
| `code`, `name` | `WG0401`, `missing-target`; null for what belongs to no place |
| `message` | one sentence, no line breaks |
| `file`, `line`, `column`, `end_line`, `end_column` | the place, from 1; columns are Unicode characters, the end is behind the last one |
| `labels` | places with a message each, the first being the place above; `expansions` lists the macros that it went through, `included_from` the `#include`s that lead to its file, innermost first |
| `notes` | sentences |
| `fix` | null, or a place and the `replacement` for it |
| `module`, `word` | of `wgc verify` alone: the file, and where the instruction starts in it; `code` is a rule |

";

/// Returns the text of `docs/diagnostics.md`.
pub fn document() -> String {
    let mut out = HEAD.to_string();
    for (range, title) in PARTS {
        let rows: Vec<&Row> = Code::ALL.iter().map(|c| c.row()).filter(|row| row.code.starts_with(range)).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(out, "## {title}\n");
        for row in rows {
            let _ = writeln!(out, "### {} {} ({})\n\n{}.", row.code, row.name, row.severity, capitalised(row.summary));
            let _ = writeln!(out, "{}\n", row.explanation);
            for (title, example) in [("Wrong", row.bad), ("Right", row.good)] {
                let language = if example.starts_with("wgc ") { "sh" } else { "hlsl" };
                let _ = writeln!(out, "{title}:\n\n```{language}\n{}\n```\n", example.trim_end());
            }
            if !row.spec.is_empty() {
                let _ = writeln!(out, "Specification: {}\n", row.spec);
            }
        }
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_what_the_table_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/diagnostics.md");
        let wanted = document();
        if std::env::var_os("WGC_UPDATE_DOCS").is_some() {
            std::fs::write(path, &wanted).expect("it can be written");
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found == wanted, "docs/diagnostics.md is old; run this test with WGC_UPDATE_DOCS=1");
        for code in Code::ALL {
            assert!(found.contains(&format!("### {code} ")), "{code} belongs to no part");
        }
    }

    #[test]
    fn prose_is_wrapped_at_words() {
        let mut out = String::new();
        wrap(&mut out, &"word ".repeat(50));
        assert!(out.lines().all(|line| line.len() <= WIDTH && !line.ends_with(' ')));
        assert_eq!(out.split_whitespace().count(), 50);
        assert_eq!(out.lines().count(), 3);
    }
}
