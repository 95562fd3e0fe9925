//! Every fix in a message of `tests/ui` corrects the error. With only the fix applied, the message is gone, and the
//! text is no worse than before. The corrected text may reveal further messages.

use std::path::{Path, PathBuf};
use wgc_compiler::{Session, report};
use wgc_sema::db::Options;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::{Code, Severity};

/// Returns all programs below a folder, in order.
fn programs(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "hlsl") {
            out.push(path);
        }
    }
}

fn messages(path: &Path, folder: &Path, library: bool) -> (Session, Vec<Rendered>) {
    let name = path.to_string_lossy();
    let include_dirs = vec![folder.to_string_lossy().into_owned()];
    let session = Session::new(&[&*name], Options { library, include_dirs, ..Options::default() });
    let mut found = session.diagnostics();
    found.retain(|d| d.severity != Severity::Hint);
    (session, found)
}

/// The first code that is not about the text itself.
const FIRST_BEHIND_SYNTAX: Code = Code::UnknownName;

fn syntax_errors(messages: &[Rendered]) -> usize {
    messages.iter().filter(|d| d.code < FIRST_BEHIND_SYNTAX).count()
}

#[test]
fn fixes_resolve_their_diagnostics() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let scratch = tempfile::tempdir().expect("a folder");
    let mut all = Vec::new();
    programs(&ui, &mut all);
    let (mut tried, mut complaints) = (0, Vec::new());
    for path in all {
        let folder = path.parent().expect("a file is in a folder");
        let source = std::fs::read(&path).expect("the file is there");
        let library = source.starts_with(b"//! library");
        let (session, before) = messages(&path, folder, library);
        let name = path.to_string_lossy();
        for message in &before {
            let Some(fix) = message.fix.as_ref().filter(|fix| *fix.range.file == *name) else { continue };
            let text = session.text(&name);
            let (lo, hi) = (fix.range.lo as usize, fix.range.hi as usize);
            let mended = [&text[..lo], fix.replacement.as_bytes(), &text[hi..]].concat();
            let copy = scratch.path().join(path.file_name().expect("a file has a name"));
            std::fs::write(&copy, &mended).expect("it can be written");
            let (remade, after) = messages(&copy, folder, library);
            tried += 1;
            let is_same = |other: &&Rendered| other.code == message.code && other.message == message.message;
            let left = after.iter().filter(is_same).count();
            let is_mended = left < before.iter().filter(is_same).count();
            let is_syntax = message.code < FIRST_BEHIND_SYNTAX;
            if !is_mended || !is_syntax && syntax_errors(&after) > syntax_errors(&before) {
                let line = source[..lo.min(source.len())].iter().filter(|b| **b == b'\n').count() + 1;
                complaints.push(format!(
                    "{}:{line}: `{}`, with `{}` instead:\n{}",
                    path.strip_prefix(&ui).unwrap_or(&path).display(),
                    message.message,
                    fix.replacement,
                    report::to_string(&after, report::Format::Short, &|path| remade.text(path)),
                ));
            }
        }
    }
    assert!(tried > 50, "only {tried} fixes were tried");
    assert!(complaints.is_empty(), "of {tried} fixes:\n{}", complaints.join("\n"));
}
