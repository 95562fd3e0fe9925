//! Shared helpers of the tests of checking and lowering: a database over texts in memory, all functions of a program,
//! and lines of diagnostics.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use wgc_sema::Compiler;
use wgc_sema::db::def::{FnId, RecordId, SourcePlace};
use wgc_sema::db::items::{item_origins, item_tree, items, unit};
use wgc_sema::db::ty::{FnInst, RecordInst};
use wgc_sema::db::{FileLoader, Options, Program};

/// Files in memory.
pub struct Texts(pub BTreeMap<String, String>);

impl FileLoader for Texts {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|t| t.clone().into_bytes())
    }
}

/// Creates a database with one file, `test.hlsl`.
pub fn program(text: &str) -> (Compiler, Program) {
    with_options(text, Options { enable_16bit_types: true, ..Options::default() })
}

pub fn with_options(text: &str, options: Options) -> (Compiler, Program) {
    let texts = Texts(BTreeMap::from([("test.hlsl".to_string(), text.to_string())]));
    let mut db = Compiler::new(Box::new(texts));
    let program = db.add_program(&["test.hlsl"], options);
    (db, program)
}

/// Returns the functions that are not templates, including methods of plain records, in source order.
pub fn functions(db: &Compiler, program: Program) -> Vec<FnInst<'_>> {
    let mut out = Vec::new();
    for item in items(db, program) {
        let tree = item_tree(db, *item);
        for (index, decl) in tree.decls.functions.iter().enumerate() {
            let function = FnId { item: *item, index: index as u32 };
            if tree.decls.templates(&decl.around).is_empty() {
                let record = decl.around.owner.map(|index| RecordId { item: *item, index });
                let owner = record.map(|r| RecordInst::new(db, r, Vec::new()));
                out.push(FnInst::new(db, function, owner, Vec::new()));
            }
        }
    }
    out
}

/// Returns the line, from 1, that a location begins on.
pub fn line(db: &Compiler, program: Program, place: SourcePlace<'_>) -> usize {
    let place = wgc_sema::types::local_types::in_program(db, place);
    let all = items(db, program);
    let Some(n) = all.iter().position(|i| *i == place.item) else { return 0 };
    let origins = &item_origins(db, program).0[n];
    let tokens = match place.body {
        None => &origins.head,
        Some(b) => &origins.bodies[b as usize],
    };
    let at = (place.span.lo as usize).min(tokens.len().saturating_sub(1));
    let unit = unit(db, program);
    let Some(token) = tokens.get(at) else { return 0 };
    let location = unit.unit.origins[*token as usize];
    let file = unit.files[location.place.file.0 as usize];
    let text = file.text(db);
    text[..location.place.lo as usize].iter().filter(|b| **b == b'\n').count() + 1
}
