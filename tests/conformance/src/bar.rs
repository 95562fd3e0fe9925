//! The required totals, and the list of compute shaders that need not compile. The list is a table of
//! `docs/differences.md`, and the head of that page repeats the totals of the committed verdicts.

use crate::report::{Total, in_order, parsed};
use crate::table::Row;
use crate::{Role, Verdict};
use std::collections::BTreeSet;

/// Reasons that exempt a compute shader from compiling.
pub const CATEGORIES: &[&str] =
    &["cooperative matrices", "inline SPIR-V and vk::ext types", "HLSL before 2021", "shader model above 6.9"];

const HEADING: &str = "## Tests of compute shaders that need not compile";

/// Files that need not compile, by category.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    pub files: Vec<(String, String)>,
}

impl Exceptions {
    /// Reads the table under the heading. The first column has a category, the second names in backquotes, without the
    /// directory and `.hlsl`.
    pub fn parse(text: &str) -> Exceptions {
        let section = text.split_once(HEADING).map_or("", |(_, rest)| rest);
        let section = section.split("\n## ").next().unwrap_or_default();
        let mut files = Vec::new();
        for line in section.lines() {
            let Some((category, names)) = line.strip_prefix('|').and_then(|row| row.split_once('|')) else { continue };
            let names = names.split('`').skip(1).step_by(2);
            files.extend(names.map(|name| (category.trim().to_owned(), format!("CodeGenSPIRV/{name}.hlsl"))));
        }
        Exceptions { files }
    }

    fn has(&self, path: &str) -> bool {
        self.files.iter().any(|(_, file)| file == path)
    }
}

/// Returns the requirements that the rows miss, as sentences.
pub fn lacking(rows: &[Row], exceptions: &Exceptions) -> Vec<String> {
    let mut out = Vec::new();
    let syntax = parsed(rows);
    if !reaches(syntax, 99) {
        out.push("fewer than 99 % of the positive files parse".to_owned());
    }
    let failing = |role: Role| -> BTreeSet<&str> {
        let failed = rows.iter().filter(|r| r.case.role == role && r.verdict != Verdict::Ok);
        failed.map(|r| r.case.path.as_str()).collect()
    };
    out.extend(failing(Role::Graph).iter().map(|path| format!("{path} has nodes and does not become IR, or a module")));
    let failed = failing(Role::Compute);
    let unexplained = failed.iter().filter(|path| !exceptions.has(path));
    out.extend(
        unexplained.map(|path| format!("{path} is a compute shader that does not compile, and is no exception")),
    );
    let total = in_order(rows, Role::Compute);
    if exceptions.files.len() * 20 > total.files {
        out.push(format!("{} exceptions are more than 5 % of {} files", exceptions.files.len(), total.files));
    }
    for (category, file) in &exceptions.files {
        if !CATEGORIES.contains(&category.as_str()) {
            out.push(format!("{file} is an exception for no permitted reason: {category}"));
        }
        if !failed.contains(file.as_str()) {
            out.push(format!("{file} is an exception and compiles, or is no test: it leaves the list"));
        }
    }
    out
}

fn reaches(total: Total, percent: usize) -> bool {
    total.met * 100 >= total.files * percent
}

/// Returns the first code block of a text, which should hold the totals.
pub fn quoted(text: &str) -> &str {
    let Some((_, rest)) = text.split_once("```\n") else { return "" };
    rest.split_once("```").map_or("", |(block, _)| block)
}

/// Returns the text with other totals.
pub fn with_totals(text: &str, totals: &str) -> String {
    let Some((head, rest)) = text.split_once("```\n") else { return text.to_owned() };
    let tail = rest.split_once("```").map_or("", |(_, tail)| tail);
    format!("{head}```\n{totals}```{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Case;

    const TEXT: &str = "# D\n\n```\nold\n```\n\n## Tests of compute shaders that need not compile\n\n| why | files |\n|---|---|\n\
                        | cooperative matrices | `a`, `x/b` |\n\n## More\n\n| HLSL before 2021 | `c` |\n";

    fn row(path: &str, role: Role, verdict: Verdict) -> Row {
        Row { case: Case { path: path.into(), hash: "0".into(), role, flags: Vec::new() }, verdict }
    }

    /// Returns forty compute shaders, two of them exceptions.
    fn rows() -> Vec<Row> {
        let mut rows: Vec<Row> =
            (0..38).map(|i| row(&format!("CodeGenSPIRV/ok{i}.hlsl"), Role::Compute, Verdict::Ok)).collect();
        rows.push(row("CodeGenSPIRV/a.hlsl", Role::Compute, Verdict::Check));
        rows.push(row("CodeGenSPIRV/x/b.hlsl", Role::Compute, Verdict::Check));
        rows.push(row("SemaHLSL/n.hlsl", Role::Graph, Verdict::Ok));
        rows
    }

    fn changed(path: &str, verdict: Verdict) -> Vec<String> {
        let mut rows = rows();
        let row = rows.iter_mut().find(|r| r.case.path == path).expect("it is there");
        row.verdict = verdict;
        lacking(&rows, &Exceptions::parse(TEXT))
    }

    #[test]
    fn exceptions_are_parsed_from_their_section() {
        let of = |name: &str| ("cooperative matrices".to_owned(), format!("CodeGenSPIRV/{name}.hlsl"));
        assert_eq!(Exceptions::parse(TEXT).files, [of("a"), of("x/b")]);
        assert_eq!(quoted(TEXT), "old\n");
        let empty = with_totals(TEXT, "");
        assert_eq!((quoted(&empty), with_totals(&empty, "old\n")), ("", TEXT.to_owned()));
    }

    #[test]
    fn met_requirements_are_not_listed_as_lacking() {
        assert_eq!(lacking(&rows(), &Exceptions::parse(TEXT)), [""; 0]);
    }

    #[test]
    fn each_acceptance_criterion_can_fail() {
        let assert_lists_only =
            |list: Vec<String>, part: &str| assert!(list.len() == 1 && list[0].contains(part), "{list:?}");
        assert_lists_only(changed("CodeGenSPIRV/ok3.hlsl", Verdict::Validator), "is no exception");
        assert_lists_only(changed("SemaHLSL/n.hlsl", Verdict::Lower), "does not become IR");
        assert_lists_only(changed("CodeGenSPIRV/a.hlsl", Verdict::Ok), "leaves the list");
        let unknown = TEXT.replace("cooperative matrices", "too hard");
        assert_eq!(lacking(&rows(), &Exceptions::parse(&unknown)).len(), 2);
        let third = TEXT.replace("`a`", "`a`, `ok1`");
        let list = lacking(&rows(), &Exceptions::parse(&third));
        assert!(list[0].contains("3 exceptions are more than 5 % of 40"), "{list:?}");
        let mut unread = rows();
        unread[0].verdict = Verdict::Syntax;
        let list = lacking(&unread, &Exceptions::parse(TEXT));
        assert!(list[0].contains("99 %"), "{list:?}");
    }
}
