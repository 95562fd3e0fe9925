//! `docs/intrinsics.md`, generated from the list.

use crate::list::{Row, rows};
use std::fmt::Write as _;

const HEAD: &str = "# Intrinsics and methods

Every intrinsic and method of HLSL up to shader model 6.8, and those of later models that exist. Generated from
`stdlib/intrinsics.tsv` (`WGC_UPDATE_DOCS=1 cargo test -p wgc-compiler --test intrinsics page`). `tests/intrinsics/list.rs`
explains the types and checks every row against the declarations.

The last column names the tests that execute the row, in `tests/intrinsics/` unless a path is given. For rows of other
stages or of Direct3D alone, it names the test that wgc refuses them. A Vulkan feature in brackets: only the CPU device runs the test, because the software driver lacks the feature. `ReadClock` is compiled only,
since no test device has clocks.
";

fn page() -> String {
    let rows = rows();
    let mut text = HEAD.to_owned();
    let mut object = None;
    for row in &rows {
        if object != Some(row.object) {
            object = Some(row.object);
            let title = if row.object.is_empty() { "Functions" } else { row.object };
            let _ = write!(text, "\n## {title}\n\n| | shader model | legal in | executed by |\n|---|---|---|---|\n");
        }
        let kinds: Vec<String> = row.kinds.iter().map(|(v, k)| format!("{v}: {k}")).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(", {}", kinds.join(", ")) };
        let _ = writeln!(
            text,
            "| `{} {}({})`{kinds} | {} | {} | {} |",
            row.result,
            row.name,
            row.parameters.join(", "),
            row.shader_model,
            row.legal,
            tests(row)
        );
    }
    text
}

fn tests(row: &Row) -> String {
    let only = |t: &str| crate::CPU_DEVICE_ONLY.iter().find(|(test, _)| *test == t);
    let one = |t: &&str| match (t.strip_prefix('@'), only(t)) {
        (Some(area), _) => format!("*{area}*"),
        (None, Some((_, features))) => format!("`{t}` ({})", features[0]),
        (None, None) => format!("`{t}`"),
    };
    row.tests.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn intrinsics_page_matches_the_list() {
    let path = crate::support::root().join("docs/intrinsics.md");
    let page = page();
    if std::env::var_os("WGC_UPDATE_DOCS").is_some_and(|v| v == "1") {
        std::fs::write(&path, &page).expect("it can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "docs/intrinsics.md is old; run this test with WGC_UPDATE_DOCS=1");
}
