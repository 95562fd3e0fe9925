//! Totals by requirement, and the reasons for refused cases, the most frequent first.

use crate::compile::Reason;
use crate::table::Row;
use crate::{Role, Verdict};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// Number of files with a requirement, and of those that meet it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub files: usize,
    pub met: usize,
}

impl Total {
    fn line(self, what: &str, required: &str) -> String {
        let percent = if self.files == 0 { 100.0 } else { 100.0 * self.met as f64 / self.files as f64 };
        format!("{what:<58} {:>5} of {:>5}  {percent:6.2} %  ({required})\n", self.met, self.files)
    }
}

/// Counts the files of some rows. A file meets the requirement when all its rows do.
pub fn total<'a>(rows: impl Iterator<Item = &'a Row>, met: impl Fn(Verdict) -> bool) -> Total {
    let mut files: BTreeMap<&str, bool> = BTreeMap::new();
    for row in rows {
        *files.entry(&row.case.path).or_insert(true) &= met(row.verdict);
    }
    Total { files: files.len(), met: files.values().filter(|m| **m).count() }
}

/// Counts the positive, non-effect files of the two large directories whose syntax is accepted.
pub fn parsed(rows: &[Row]) -> Total {
    let counted = |r: &&Row| {
        r.case.role.is_positive()
            && (r.case.path.starts_with("HLSLFileCheck/") || r.case.path.starts_with("CodeGenSPIRV/"))
    };
    total(rows.iter().filter(counted), Verdict::parsed)
}

/// Counts the files of a role whose runs all succeed.
pub fn in_order(rows: &[Row], role: Role) -> Total {
    total(rows.iter().filter(|r| r.case.role == role), |v| v == Verdict::Ok)
}

pub fn totals(rows: &[Row], validated: bool) -> String {
    let compute =
        if validated { "compute shaders become valid SPIR-V" } else { "compute shaders become SPIR-V (no validator)" };
    parsed(rows).line("positive files parse", "99 % required")
        + &in_order(rows, Role::Graph).line("node programs lower to verified IR", "all required")
        + &in_order(rows, Role::Compute).line(compute, "95 % required, the rest explained")
        + &in_order(rows, Role::Lines).line("node programs with errors on the lines expected", "reported only")
}

/// One kind of message.
#[derive(Clone, Debug, Default)]
struct Shape {
    cases: usize,
    /// The quoted names, by number of cases.
    names: HashMap<String, usize>,
    examples: Vec<String>,
}

/// Lists the reasons of the cases of one role, most frequent first. Each has the code, the message with `_` for quoted
/// names, the names, and the first cases.
pub fn histogram(rows: &[(Row, Option<Reason>)], role: Role, examples: usize) -> String {
    let mut shapes: BTreeMap<(Verdict, String, String), Shape> = BTreeMap::new();
    for (row, reason) in rows.iter().filter(|(row, _)| row.case.role == role) {
        let Some(reason) = reason else { continue };
        let (message, quoted) = shape(&reason.message);
        let shape = shapes.entry((row.verdict, reason.code.clone(), message)).or_default();
        shape.cases += 1;
        *shape.names.entry(quoted).or_default() += 1;
        if shape.examples.len() < examples {
            shape.examples.push(format!("{}:{}", row.case.path, reason.line));
        }
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_by_key(|(_, shape)| std::cmp::Reverse(shape.cases));
    let mut text = String::new();
    for ((verdict, code, message), shape) in shapes {
        let code = if code.is_empty() { String::new() } else { format!(" {code}") };
        let _ = writeln!(text, "{:>5}  {verdict}{code}: {message}", shape.cases);
        let mut names: Vec<_> = shape.names.into_iter().filter(|(name, _)| !name.is_empty()).collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if !names.is_empty() {
            let list: Vec<String> = names.iter().take(12).map(|(name, n)| format!("{name} ({n})")).collect();
            let _ = writeln!(text, "         with {}", list.join(", "));
        }
        for example in shape.examples {
            let _ = writeln!(text, "         {example}");
        }
    }
    text
}

/// Returns a message with `_` for text in backquotes and `#` for numbers, and the text in backquotes.
fn shape(message: &str) -> (String, String) {
    let mut text = String::new();
    let mut quoted = Vec::new();
    for (n, part) in message.lines().next().unwrap_or("").split('`').enumerate() {
        if n % 2 == 1 {
            text.push_str("`_`");
            quoted.push(part.to_owned());
        } else {
            let mut digits = false;
            for c in part.chars() {
                if !c.is_ascii_digit() {
                    text.push(c);
                } else if !digits {
                    text.push('#');
                }
                digits = c.is_ascii_digit();
            }
        }
    }
    (text, quoted.join(" / "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Case;

    fn row(path: &str, role: Role, verdict: Verdict) -> Row {
        Row { case: Case { path: path.into(), hash: String::new(), role, flags: vec![] }, verdict }
    }

    #[test]
    fn each_file_counts_once_and_passes_only_if_all_runs_do() {
        let rows = [
            row("CodeGenSPIRV/a", Role::Compute, Verdict::Ok),
            row("CodeGenSPIRV/a", Role::Compute, Verdict::Check),
            row("CodeGenSPIRV/b", Role::Compute, Verdict::Ok),
            row("CodeGenSPIRV/c", Role::Parse, Verdict::Syntax),
            row("CodeGenSPIRV/d", Role::Refused, Verdict::Ok),
            row("SemaHLSL/e", Role::Graph, Verdict::Ok),
        ];
        assert_eq!(parsed(&rows), Total { files: 3, met: 2 });
        assert_eq!(in_order(&rows, Role::Compute), Total { files: 2, met: 1 });
    }

    #[test]
    fn messages_that_differ_only_in_names_are_grouped() {
        assert_eq!(shape("no `a` in `b` at 12"), ("no `_` in `_` at #".into(), "a / b".into()));
        let reason = |m: &str| Some(Reason { code: "WG0101".into(), message: m.into(), line: 3 });
        let check = |path| row(path, Role::Graph, Verdict::Check);
        let rows = [(check("a"), reason("no `x`")), (check("b"), reason("other")), (check("c"), reason("no `y`"))];
        let text = histogram(&rows, Role::Graph, 1);
        assert_eq!(
            text,
            "    2  check WG0101: no `_`\n         with x (1), y (1)\n         a:3\n    1  check WG0101: other\n         b:3\n"
        );
    }
}
