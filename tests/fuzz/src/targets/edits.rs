//! A sequence of edits in an incremental database.

use super::holds;
use crate::input::{MAIN, program, sections};
use std::cell::RefCell;
use wgc_sema::Compiler;
use wgc_sema::db::{FileLoader, Options, Program};
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;

/// Edits of an input: more are of no use.
const MAX_EDITS: usize = 8;

/// Inputs after which databases are dropped, to free the memory that they keep for them.
const MAX_INPUTS: u32 = 100;

/// A disk without files.
struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

thread_local! {
    /// The database for fresh analyses.
    static FRESH: RefCell<Option<(Compiler, u32)>> = const { RefCell::new(None) };
}

fn start(db: &mut Compiler, text: &[u8], options: &Options) -> Program {
    db.set_text(MAIN, Some(text));
    db.add_program(&[MAIN], options.clone())
}

/// Applies an edit. An input is a text with sections `//@ edit AT LENGTH` that replace parts of it. `AT` is in
/// thousandths of the text.
fn edited(text: &[u8], head: &[u8], new: &[u8]) -> Vec<u8> {
    let head = String::from_utf8_lossy(head);
    let mut numbers = head.split_ascii_whitespace().skip(1).map(|word| word.parse().unwrap_or(0usize));
    let at = numbers.next().unwrap_or(0).min(1000) * text.len() / 1000;
    let end = at.saturating_add(numbers.next().unwrap_or(0)).min(text.len());
    // The line end before the next section belongs to the format.
    let new = new.strip_suffix(b"\n").unwrap_or(new);
    [&text[..at], new, &text[end..]].concat()
}

/// Runs the target `edits`.
pub fn edits(input: &[u8]) -> Result<bool, String> {
    let all = sections(input);
    let is_edit = |head: &[u8]| head.starts_with(b"edit");
    let first = all.iter().position(|section| is_edit(section.head)).unwrap_or(all.len());
    let whole = input.len() - all[first..].iter().map(|s| s.body.len()).sum::<usize>();
    let options = program(&input[..whole.min(input.len())]).options;
    let mut text: Vec<u8> = all[..first].iter().flat_map(|section| section.body.iter().copied()).collect();
    let (mut fresh, used) =
        FRESH.with_borrow_mut(Option::take).unwrap_or_else(|| (Compiler::new(Box::new(Nothing)), 0));
    let mut db = Compiler::new(Box::new(Nothing));
    let followed = start(&mut db, &text, &options);
    let mut result = Ok(false);
    for (n, section) in all[first..].iter().filter(|section| is_edit(section.head)).take(MAX_EDITS).enumerate() {
        if n == 0 {
            diagnostics(&db, followed);
            link(&db, followed);
        }
        text = edited(&text, section.head, section.body);
        db.set_text(MAIN, Some(&text));
        let anew = start(&mut fresh, &text, &options);
        result =
            same(&db, followed, &fresh, anew).map_err(|e| format!("edit {n}: {e}\n{}", String::from_utf8_lossy(&text)));
        fresh.forget(anew);
        if result.is_err() {
            break;
        }
    }
    if used + 1 < MAX_INPUTS {
        FRESH.set(Some((fresh, used + 1)));
    }
    result
}

/// Compares diagnostics and, for programs without errors, code.
fn same(db: &Compiler, followed: Program, fresh: &Compiler, anew: Program) -> Result<bool, String> {
    let (ours, theirs) = (diagnostics(db, followed), diagnostics(fresh, anew));
    if ours != theirs {
        let at = ours.iter().zip(theirs).position(|(a, b)| a != b).unwrap_or(ours.len().min(theirs.len()));
        return Err(format!("message {at} is\n{:?}\nand anew\n{:?}", ours.get(at), theirs.get(at)));
    }
    let (ours, theirs) = (&link(db, followed).module, &link(fresh, anew).module);
    holds(ours == theirs, || {
        let print = |module: &Option<wgc_ir::Module>| module.as_ref().map_or_else(|| "none".to_owned(), wgc_ir::print);
        format!("the module is\n{}\nand anew\n{}", print(ours), print(theirs))
    })?;
    Ok(ours.is_some())
}
