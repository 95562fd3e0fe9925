//! `wgc explain`: rows of the registry as text.

use super::{OK, Stop, print};
use crate::cli::parse::Invocation;
use crate::cli::warnings::unknown;
use crate::registry::page::{capitalised, is_run, run_file};
use crate::registry::{self, CodeKind, Entry};
use std::fmt::Write;
use wgc_runtime::cpu::EXAMPLE_COMMAND;
use wgc_sema::tables::codes::Severity;

/// The width of prose in columns.
const WIDTH: usize = 100;

pub(super) fn explain(invocation: &Invocation) -> Result<u8, Stop> {
    if invocation.files.is_empty() {
        print(&list())?;
        return Ok(OK);
    }
    let rows = invocation.files.iter().map(|name| registry::find(name).ok_or_else(|| unknown(name)));
    let texts = rows.map(|row| row.map(text)).collect::<Result<Vec<String>, String>>().map_err(Stop::Usage)?;
    print(&texts.join("\n"))?;
    Ok(OK)
}

/// Lists the rows, one a line.
fn list() -> String {
    registry::all().iter().fold(String::new(), |mut out, row| {
        let name = if row.name.is_empty() { String::new() } else { format!("{}: ", row.name) };
        let _ = writeln!(out, "{} {:8} {name}{}", row.code, row.level(), row.summary);
        out
    })
}

/// Describes the level of a row, and the options that change it.
fn level(row: &Entry) -> String {
    let level = row.level();
    match row.kind {
        CodeKind::Diagnostic(Severity::Error) => level.into(),
        CodeKind::Diagnostic(Severity::Warning) => {
            format!("{level}; --allow {0} hides it, --deny {0} makes it an error", row.code)
        }
        CodeKind::Diagnostic(Severity::Hint) => {
            format!("{level}, shown in editors; --warn {0} makes it a warning, --deny {0} an error", row.code)
        }
        CodeKind::Finding { .. } => {
            format!(
                "{level} of the CPU device; with --sanitize error it ends the run, with --sanitize off it is not checked"
            )
        }
        CodeKind::ExtensionRule(_) | CodeKind::CoreRule => {
            let article = if level == "error" { "an" } else { "a" };
            format!("rule of wgc verify; a module that breaks it gets {article} {level}")
        }
    }
}

fn text(row: &Entry) -> String {
    let mut out = format!("{}\n{}\n\n", format!("{} {}", row.code, row.name).trim_end(), level(row));
    let summary = format!("{}.", capitalised(row.summary));
    let instead = match row.kind {
        CodeKind::Finding { instead, .. } => format!("The CPU device continues: {instead}."),
        _ => String::new(),
    };
    for prose in [summary.as_str(), row.explanation, &instead].into_iter().filter(|prose| !prose.is_empty()) {
        wrap(&mut out, prose);
        out.push('\n');
    }
    let (command, run_file) = match is_run(row) {
        true => (EXAMPLE_COMMAND, run_file(row).unwrap_or_default()),
        false => ("", ""),
    };
    let parts = [("Wrong", row.bad), ("Right", row.good), ("Run", command), ("run.json", run_file)];
    for (title, program) in parts.into_iter().filter(|part| !part.1.is_empty()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_at_words() {
        let mut out = String::new();
        wrap(&mut out, &"word ".repeat(50));
        assert!(out.lines().all(|line| line.len() <= WIDTH && !line.ends_with(' ')));
        assert_eq!(out.split_whitespace().count(), 50);
        assert_eq!(out.lines().count(), 3);
    }
}
