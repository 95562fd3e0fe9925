//! The tables of `wgc_stdlib::index` agree with the front end's view of the whole prelude.

use std::collections::BTreeMap;
use std::sync::Arc;
use wgc_frontend::Names;
use wgc_frontend::diagnostic::FileId;
use wgc_frontend::preprocess::{Includes, Unit};
use wgc_frontend::slice::ItemSlice;
use wgc_frontend::token::{Token, TokenKind};
use wgc_sema::Compiler;
use wgc_sema::db::items::{items, origins};
use wgc_sema::db::{Db, FileLoader};
use wgc_sema::types::name_table::{declared, name_table};
use wgc_sema::types::prelude::named;
use wgc_stdlib::PRELUDE;
use wgc_stdlib::index::{NAMESPACES, TEMPLATES, TYPES, names};

struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

fn compiler() -> Compiler {
    Compiler::new(Box::new(Nothing))
}

/// The files of the prelude, read consecutively like those of a program.
struct Files;

impl Includes for Files {
    fn resolve(&self, _: &[FileId], _: &str, _: bool) -> Option<FileId> {
        None
    }

    fn text(&self, file: FileId) -> Arc<[u8]> {
        PRELUDE[file.0 as usize].1.as_bytes().into()
    }

    fn path(&self, file: FileId) -> compact_str::CompactString {
        PRELUDE[file.0 as usize].0.into()
    }
}

fn whole() -> (Unit, Vec<ItemSlice>) {
    let roots: Vec<FileId> = (0..PRELUDE.len() as u32).map(FileId).collect();
    let unit = wgc_frontend::unit(&Files, &roots, &Default::default(), &Names::default());
    let (slices, errors) = wgc_frontend::slice(&unit);
    assert!(unit.errors.is_empty() && errors.is_empty() && unit.expansions.is_empty() && unit.pragmas.is_empty());
    (unit, slices)
}

/// Compares tokens without line starts: for error recovery, the first token of a part always begins a line.
fn same(a: &[Token], b: &[Token]) -> bool {
    let key = |t: &Token| (t.kind, t.text.clone());
    a.iter().map(key).eq(b.iter().map(key))
}

#[test]
fn prelude_items_match_slices_of_the_whole_prelude() {
    let db = compiler();
    let (unit, slices) = whole();
    let items = items(&db, db.prelude());
    let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
    assert!(items.len() > 300);
    for (item, slice) in items.iter().zip(&slices) {
        let name = slice.name.to_string();
        let nth = seen.entry((slice.scope.join("::"), name.clone())).or_insert(0);
        assert_eq!((item.scope(&db), item.name(&db), item.nth(&db)), (&*slice.scope.join("::"), &*name, *nth));
        *nth += 1;
        assert!(same(item.head(&db), &slice.head), "{name}");
        assert_eq!(item.bodies(&db).len(), slice.bodies.len(), "{name}");
        for (body, own) in slice.bodies.iter().zip(item.bodies(&db)) {
            assert!(same(own.tokens(&db), &body.tokens), "{name}");
        }
        let (part, places) = origins(&db, *item).expect("it stands somewhere");
        let bodies = slice.bodies.iter().map(|b| &b.origins);
        let of_whole: Vec<_> = std::iter::once(&slice.head_origins).chain(bodies).flatten().collect();
        let of_part: Vec<_> = std::iter::once(&places.head).chain(&places.bodies).flatten().collect();
        assert_eq!(of_whole.len(), of_part.len());
        for (a, b) in of_whole.into_iter().zip(of_part) {
            assert_eq!(unit.origins[*a as usize].place, part.unit.origins[*b as usize].place, "{name}");
        }
        let first = part.unit.origins[places.head[0] as usize].place;
        assert_eq!(part.files[first.file.0 as usize].path(&db), format!("wgc:{}", PRELUDE[first.file.0 as usize].0));
    }
    assert_eq!(items.len(), slices.len());
}

#[test]
fn prelude_index_matches_declarations() {
    let db = compiler();
    let prelude = db.prelude();
    let table = name_table(&db, prelude);
    assert!(table.using.is_empty() && table.used.is_empty() && table.outside.is_empty());
    let scopes: Vec<&str> = table.scopes.keys().map(String::as_str).collect();
    assert_eq!(scopes, [&[""], &NAMESPACES[..]].concat());
    for (scope, of_scope) in &table.scopes {
        let declared: Vec<&str> = of_scope.keys().map(String::as_str).filter(|n| !NAMESPACES.contains(n)).collect();
        assert_eq!(names(scope).collect::<Vec<_>>(), declared, "{scope}");
        for (name, defs) in of_scope {
            assert_eq!(&named(&db, scope, name), defs, "{scope}::{name}");
        }
    }
    assert!(named(&db, "", "nothing").is_empty() && named(&db, "vk", "abs").is_empty());
    assert!(items(&db, prelude).iter().all(|item| !declared(&db, *item).names.is_empty()));
}

/// The facts about the prelude that cooking needs. Template parameters are types only in their own declaration.
#[test]
fn prelude_type_and_template_lists_match_its_text() {
    let (unit, _) = whole();
    let mut params: Vec<&str> = Vec::new();
    for pair in unit.tokens.windows(2).filter(|pair| pair[0].spelling() == "typename") {
        params.push(pair[1].spelling());
    }
    let words = unit.tokens.iter().filter(|t| t.kind == TokenKind::Ident).map(|t| t.text.as_str());
    let mut found = (0, 0);
    for word in words {
        let is_type = TYPES.contains(&word) || params.contains(&word);
        assert_eq!(unit.names.is_type(word), is_type, "{word}");
        assert_eq!(unit.names.is_template(word), TEMPLATES.contains(&word), "{word}");
        found = (found.0 + usize::from(is_type), found.1 + usize::from(TEMPLATES.contains(&word)));
    }
    assert!(found.0 > 100 && found.1 > 100, "{found:?}");
    assert!(TYPES.iter().all(|name| unit.names.is_type(name)));
    assert!(TEMPLATES.iter().all(|name| unit.names.is_template(name)));
}
