//! The registry as Markdown: `docs/diagnostics.md`, the tables of `docs/cpu-device.md`, and a page for each code.

use super::{CodeKind, Entry, all};
use std::fmt::Write;
use wgc_runtime::cpu::{EXAMPLE_COMMAND, EXAMPLE_RUN_FILE, Subject};

/// The parts of the page: the start of their codes, and their titles.
const PARTS: &[(&str, &str)] = &[
    ("WG00", "Text and syntax"),
    ("WG01", "Names, types and declarations"),
    ("WG02", "Expressions and statements"),
    ("WG03", "One node"),
    ("WG04", "The graph"),
    ("WG05", "Limits of the targets"),
    ("WG06", "Lints"),
    ("WG4", "Findings of the CPU device"),
    ("AMDX-", "Rules of SPV_AMDX_shader_enqueue"),
    ("core-", "Rules of SPIR-V"),
];

const HEAD: &str = "\
# Diagnostics

Generated from the registry in `src/registry` (`WGC_UPDATE_DOCS=1 cargo test -p wgc-compiler --lib page`).

| codes | reported by | table |
|---|---|---|
| `WG0xxx` | the compiler and the language server | `sema/src/tables/codes.in` |
| `WG4xxx` | `wgc run` on the [CPU device](cpu-device.md) | `runtime/src/cpu/findings.in` |
| `AMDX-nn` | `wgc verify`, and the CPU device for native modules ([all requirements](amdx-rules.md)) | `spirv-module/src/verify/amdx/table.rs` |
| `core-..` | `wgc verify` | `spirv-module/src/verify/rules.rs` |

`wgc explain CODE` prints one entry of this page, and `wgc explain` lists all.

## Levels

| level | meaning | options |
|---|---|---|
| error | stops the compilation | none |
| warning | does not stop the compilation | `--allow CODE` hides it, `--deny CODE` makes it an error; `-WX` makes all warnings errors |
| hint | is shown in editors only | `--warn CODE` makes it a warning |
| finding | is undefined behaviour of a run | with `--sanitize error` it ends the run, with `--sanitize off` it is not checked |

These options of levels are for codes `WG0xxx`. CODE is a code or a name, several with commas between them, or `all`. Later options
win. DXC's `-Wno-NAME`, `-Werror=NAME` and `-WNAME` do the same. `--error-limit N` ends the list after N errors (100 in messages for
people; 0 shows all).

## Examples

A test compiles or runs each example. Examples of codes `WG0xxx` are programs for `wgc check`:

| line | meaning |
|---|---|
| `// options: ..`, the first line | options that the example needs |
| `// file: NAME` | starts another file in the same directory |
| `\u{fffd}` | a byte that is not UTF-8 |

## Messages for programs

`--message-format json` writes one JSON object on each line. `sarif` writes one SARIF 2.1.0 document with a run for each program. `wgc check`
and `wgc verify` write to standard output; the other commands write to standard error, because their standard output may be a
module. A message that stops a command, such as an unreadable file, has no code. Wrong usage of the command line is one line of
text on standard error.

| key of an object | value |
|---|---|
| `severity` | `error`, `warning` or `hint` |
| `code`, `name` | `WG0401`, `missing-target`; null for a message without a location |
| `message` | one sentence without line breaks |
| `file`, `line`, `column`, `end_line`, `end_column` | the location of the message. Lines and columns start at 1, columns count Unicode characters, and the end is exclusive |
| `labels` | locations, each with a message. The first is the location above. `expansions` lists the macros that it comes from, and `included_from` the `#include` lines that lead to its file, innermost first |
| `notes` | sentences |
| `fix` | null, or a location and its `replacement` |
| `module`, `word` | only from `wgc verify`: the file, and the word at which the instruction starts; `code` is then a rule |

";

/// Returns the text of `docs/diagnostics.md`.
pub fn document() -> String {
    let mut out = HEAD.to_string();
    for (range, title) in PARTS {
        let mut rows = all().iter().filter(|entry| entry.code.starts_with(range)).peekable();
        let Some(first) = rows.peek() else { continue };
        let _ = writeln!(out, "## {title}\n");
        match first.kind {
            CodeKind::CoreRule => {
                out += "Sections are those of SPIR-V 1.6, or of Vulkan's environment for SPIR-V.\n\n";
                out += "| code | requirement | section |\n|---|---|---|\n";
                for row in rows {
                    let _ = writeln!(out, "| {} | {} | {} |", row.code, row.summary, row.spec);
                }
                out.push('\n');
                continue;
            }
            CodeKind::Finding { .. } => {
                let _ = write!(out, "{}", how_to_run(Some(EXAMPLE_RUN_FILE)));
            }
            _ => {}
        }
        for row in rows {
            section(&mut out, "###", row);
        }
    }
    out.pop();
    out
}

/// Returns the page of one code.
pub fn page(entry: &Entry) -> String {
    let mut out = String::new();
    section(&mut out, "#", entry);
    if is_run(entry) {
        out += &how_to_run(run_file(entry));
    }
    out.pop();
    out
}

/// Returns whether the examples of a row are run.
pub fn is_run(entry: &Entry) -> bool {
    matches!(entry.kind, CodeKind::Finding { .. }) && !entry.bad.is_empty()
}

/// Returns the run file of a row's examples, unless they contain one.
pub fn run_file(entry: &Entry) -> Option<&'static str> {
    (!entry.bad.contains("// file: run.json")).then_some(EXAMPLE_RUN_FILE)
}

fn how_to_run(run_file: Option<&str>) -> String {
    let file = run_file
        .map(|text| format!("An example without a line `// file: run.json` has this one:\n\n```json\n{text}```\n\n"));
    format!("Run examples by:\n\n```sh\n{EXAMPLE_COMMAND}\n```\n\n{}", file.unwrap_or_default())
}

fn section(out: &mut String, heading: &str, row: &Entry) {
    let name = if row.name.is_empty() { String::new() } else { format!(" {}", row.name) };
    let rule = if matches!(row.kind, CodeKind::ExtensionRule(_) | CodeKind::CoreRule) { "rule, " } else { "" };
    let _ = writeln!(out, "{heading} {}{name} ({rule}{})\n\n{}.", row.code, row.level(), capitalised(row.summary));
    if !row.explanation.is_empty() {
        let _ = writeln!(out, "{}", row.explanation);
    }
    out.push('\n');
    if let CodeKind::Finding { instead, .. } = row.kind {
        let _ = writeln!(out, "The CPU device continues: {instead}.\n");
    }
    for (title, example) in [("Wrong", row.bad), ("Right", row.good)].iter().filter(|part| !part.1.is_empty()) {
        let language = if example.starts_with("wgc ") { "sh" } else { "hlsl" };
        let _ = writeln!(out, "{title}:\n\n```{language}\n{}\n```\n", example.trim_end());
    }
    if !row.spec.is_empty() {
        let _ = writeln!(out, "Specification: {}\n", row.spec);
    }
}

pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The lines around the generated tables of `docs/cpu-device.md`.
const BORDERS: [&str; 2] =
    ["<!-- Generated from runtime/src/cpu/findings.in. -->\n\n", "<!-- End of the generated part. -->\n"];

/// Returns `docs/cpu-device.md` with current tables of findings; `None` if it has no place for them.
pub fn with_findings(text: &str) -> Option<String> {
    let (before, rest) = text.split_once(BORDERS[0])?;
    let (_, after) = rest.split_once(BORDERS[1])?;
    let mut tables = String::new();
    for (subject, title) in
        [(Subject::Memory, "Memory and barriers"), (Subject::Records, "Records and nodes"), (Subject::Meshes, "Meshes")]
    {
        let _ = writeln!(tables, "### {title}\n\n| code | finding | the device continues |\n|---|---|---|");
        for entry in all() {
            if let CodeKind::Finding { subject: of, instead } = entry.kind
                && of == subject
            {
                let Entry { code, summary, .. } = entry;
                let link = format!("[{code}](diagnostics.md#{}-finding)", code.to_lowercase());
                let _ = writeln!(tables, "| {link} | {summary} | {instead} |");
            }
        }
        tables.push('\n');
    }
    Some([before, BORDERS[0], &tables, BORDERS[1], after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a page of `docs`, or writes it if `WGC_UPDATE_DOCS` is set.
    fn check(name: &str, text_of: impl Fn(&str) -> String) -> String {
        let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        let wanted = text_of(&found);
        if std::env::var_os("WGC_UPDATE_DOCS").is_some() {
            std::fs::write(&path, &wanted).expect("it can be written");
        } else {
            assert!(found == wanted, "docs/{name} is old; run this test with WGC_UPDATE_DOCS=1");
        }
        wanted
    }

    #[test]
    fn diagnostics_page_matches_the_registry() {
        let text = check("diagnostics.md", |_| document());
        for Entry { code, .. } in all() {
            let is_there = text.contains(&format!("### {code} ")) || text.contains(&format!("| {code} |"));
            assert!(is_there, "{code} belongs to no part");
        }
    }

    #[test]
    fn cpu_device_page_lists_all_findings() {
        let text = check("cpu-device.md", |text| with_findings(text).expect("it has a place for the tables"));
        for entry in all().iter().filter(|entry| matches!(entry.kind, CodeKind::Finding { .. })) {
            assert!(text.contains(&format!("| [{}](", entry.code)), "{} is in no table", entry.code);
        }
    }

    #[test]
    fn code_pages_have_titles_run_files_and_references() {
        let of = |code: &str| page(super::super::find(code).expect("a code"));
        assert!(of("WG4012").starts_with("# WG4012 (finding)\n\nData race.\n"));
        assert!(of("WG4012").contains(EXAMPLE_RUN_FILE) && of("WG4012").contains(EXAMPLE_COMMAND));
        assert!(!of("WG4010").contains(EXAMPLE_RUN_FILE) && !of("WG4016").contains(EXAMPLE_RUN_FILE));
        assert!(of("WG0401").starts_with("# WG0401 missing-target (error)\n"));
        assert!(of("AMDX-01").ends_with("\nSpecification: SPV_AMDX_shader_enqueue, Dependencies\n"));
    }
}
