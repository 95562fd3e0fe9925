//! The committed verdicts: a table with tabs, one case a line, in the order of the corpus.

use crate::corpus::Case;
use crate::{Role, Verdict};
use std::collections::HashMap;

/// A case and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub case: Case,
    pub verdict: Verdict,
}

const HEADER: &str = "# path\thash\trole\tflags\tverdict";

/// # Errors
/// Names the line that is no row.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, l)| !l.starts_with('#'));
    lines.map(|(number, line)| row(line).ok_or_else(|| format!("line {number} is no row: {line}"))).collect()
}

fn row(line: &str) -> Option<Row> {
    let [path, hash, role, flags, verdict] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let flags = if flags == "-" { Vec::new() } else { flags.split(' ').map(String::from).collect() };
    let case = Case { path: path.into(), hash: hash.into(), role: Role::of(role)?, flags };
    Some(Row { case, verdict: Verdict::of(verdict)? })
}

pub fn print(rows: &[Row]) -> String {
    let mut text = format!("{HEADER}\n");
    for Row { case, verdict } in rows {
        text += &format!("{}\t{}\t{}\t{}\t{verdict}\n", case.path, case.hash, case.role, case.flag_text());
    }
    text
}

/// Differences between the table and the current results.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Cases that passed and now fail, with both verdicts; or that crash.
    pub worse: Vec<(Case, Verdict, Verdict)>,
    pub better: Vec<(Case, Verdict, Verdict)>,
    /// Cases that failed and still fail, with another verdict.
    pub moved: Vec<(Case, Verdict, Verdict)>,
    /// Paths of tests whose text differs from the table's.
    pub other_text: Vec<String>,
    /// In the table but not found.
    pub gone: Vec<Case>,
    /// Found but not in the table.
    pub new: Vec<Case>,
}

/// Compares both. Without the validator (`validated` is false) its verdict is unavailable, which is no change.
pub fn compare(table: &[Row], now: &[Row], validated: bool) -> Changes {
    let mut changes = Changes::default();
    let key = |case: &Case| (case.path.clone(), case.role, case.flag_text());
    let old: HashMap<_, _> = table.iter().map(|r| (key(&r.case), r)).collect();
    let mut seen = Vec::new();
    for Row { case, verdict } in now {
        let key = key(case);
        let Some(old) = old.get(&key) else {
            changes.new.push(case.clone());
            continue;
        };
        seen.push(key);
        if old.case.hash != case.hash {
            changes.other_text.push(case.path.clone());
            continue;
        }
        let unknown = !validated && old.verdict == Verdict::Validator && *verdict == Verdict::Ok;
        if old.verdict == *verdict || unknown {
            continue;
        }
        let change = (case.clone(), old.verdict, *verdict);
        if old.verdict == Verdict::Ok || *verdict == Verdict::Panic {
            changes.worse.push(change);
        } else if *verdict == Verdict::Ok {
            changes.better.push(change);
        } else {
            changes.moved.push(change);
        }
    }
    let seen: std::collections::HashSet<_> = seen.into_iter().collect();
    changes.gone = table.iter().filter(|r| !seen.contains(&key(&r.case))).map(|r| r.case.clone()).collect();
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, hash: &str, verdict: Verdict) -> Row {
        let flags = vec!["-T".into(), "cs_6_0".into()];
        Row { case: Case { path: path.into(), hash: hash.into(), role: Role::Compute, flags }, verdict }
    }

    #[test]
    fn the_text_form_is_read_back() {
        let mut rows = vec![row("a.hlsl", "1", Verdict::Ok), row("b.hlsl", "2", Verdict::Check)];
        rows[1].case.flags.clear();
        assert_eq!(parse(&print(&rows)), Ok(rows));
        assert!(parse("a.hlsl\t1\tcompute\t-").is_err());
        assert!(parse("a.hlsl\t1\tcompute\t-\tfine").is_err());
    }

    #[test]
    fn every_kind_of_verdict_change_is_classified() {
        use Verdict::{Check, Emit, Ok, Panic, Validator};
        let table = [
            row("was-ok", "1", Ok),
            row("crashes", "1", Check),
            row("mended", "1", Check),
            row("further", "1", Check),
            row("other", "1", Ok),
            row("gone", "1", Ok),
            row("same", "1", Emit),
            row("val", "1", Validator),
        ];
        let now = [
            row("was-ok", "1", Validator),
            row("crashes", "1", Panic),
            row("mended", "1", Ok),
            row("further", "1", Emit),
            row("other", "2", Check),
            row("same", "1", Emit),
            row("new", "1", Ok),
            row("val", "1", Ok),
        ];
        let changes = compare(&table, &now, false);
        let paths = |list: &[(Case, Verdict, Verdict)]| list.iter().map(|c| c.0.path.clone()).collect::<Vec<_>>();
        assert_eq!(paths(&changes.worse), ["was-ok", "crashes"]);
        assert_eq!(paths(&changes.better), ["mended"]);
        assert_eq!(paths(&changes.moved), ["further"]);
        assert_eq!(changes.other_text, ["other"]);
        assert_eq!(changes.gone.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), ["gone"]);
        assert_eq!(changes.new.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), ["new"]);
        assert_eq!(paths(&compare(&table, &now, true).better), ["mended", "val"]);
    }
}
