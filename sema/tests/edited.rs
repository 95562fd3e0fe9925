//! Incremental parsing: after random edits of the graphs that the tests run, the updated unit equals the unit of the
//! whole text. The same holds for its slices. `WGC_EDITS` is the number of edits of each file.

#[path = "../../tests/support/random.rs"]
mod random;

use random::Random;
use std::path::{Path, PathBuf};
use wgc_sema::Compiler;
use wgc_sema::db::items::{item_origins, items, unit};
use wgc_sema::db::{FileLoader, Options, Program};

/// Edits of each file.
const EDITS: u64 = 25;

struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(path).ok()
    }
}

/// Inserted texts: statements, and fragments that break them.
const TEXTS: &[&str] = &[
    "",
    " ",
    "\n",
    "x",
    "7",
    "1 + 2",
    "uint fresh = 3;\n",
    "if (a < b) { a = b; }\n",
    "for (uint q = 0; q < 4; ++q) { }\n",
    "Made<int> made;\n",
    "a = (uint)b;\n",
    "/* a comment */",
    "// another\n",
    "/*",
    "*/",
    ";",
    "{",
    "}",
    "(",
    ")",
    "#define X 3\n",
    "\n#if 0\n",
    "\n#endif\n",
    "\n#line 70\n",
    "__LINE__",
    "struct Fresh { uint x; };\n",
    "\"text\"",
    "\"",
    "é",
    "\\\n",
    "import",
    "a >> 2",
    "sample float4",
    "uint num = 3;\n",
    "uint Box;\n",
    "Both(num < a, b > (c));\n",
    "Box<uint> made;\n",
    "Cell",
    "x = (Cell) - 1;\n",
];

/// Replaces a part of a line, often the rest of a statement.
fn edit(random: &mut Random, text: &str) -> String {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let rest = &text[at..];
    let length = match random.below(4) {
        0 | 1 => 0,
        2 => rest.find([';', '\n']).unwrap_or(0),
        _ => rest.char_indices().nth(random.below(12)).map_or(0, |(at, _)| at),
    };
    format!("{}{}{}", &text[..at], random.pick(TEXTS), &rest[length..])
}

fn shaders(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(root).expect("the folder is there");
    let mut out: Vec<PathBuf> = entries.map(|entry| entry.expect("it is listed").path()).collect();
    out.retain(|path| path.extension().is_some_and(|extension| extension == "hlsl"));
    out.sort();
    out
}

fn program(db: &mut Compiler, path: &str, text: &str) -> Program {
    db.set_text(path, Some(text.as_bytes()));
    db.add_program(&[path], Options::default())
}

/// Describes the locations and contents of all items.
fn described(db: &Compiler, program: Program) -> String {
    let all = items(db, program).iter().zip(&item_origins(db, program).0);
    let all = all.map(|(item, origins)| {
        let bodies: Vec<_> = item.bodies(db).iter().map(|body| body.tokens(db)).collect();
        let place = (item.scope(db), item.name(db), item.nth(db), item.row_major(db));
        format!("{place:?} {:?} {bodies:?} {origins:?}\n", item.head(db))
    });
    all.collect::<String>() + &format!("{:?}", item_origins(db, program).1)
}

/// The statement before the parenthesis loses its end: it is a call now, not a cast.
#[test]
fn an_edit_that_joins_two_statements_equals_a_fresh_unit() {
    let old = "uint F(uint n)\n{\n    n += 1;\n    (void)Count(n);\n    (void)n;\n    return n;\n}\n";
    let new = old.replace("Count(n);\n   ", "Cou");
    assert_ne!(new, old);
    let (mut db, mut fresh) = (Compiler::new(Box::new(Disk)), Compiler::new(Box::new(Disk)));
    let edited = program(&mut db, "joined.hlsl", old);
    items(&db, edited);
    db.set_text("joined.hlsl", Some(new.as_bytes()));
    let anew = program(&mut fresh, "joined.hlsl", &new);
    assert_eq!(unit(&db, edited).unit, unit(&fresh, anew).unit);
}

#[test]
fn incrementally_edited_units_equal_fresh_ones() {
    let edits = std::env::var("WGC_EDITS").ok().and_then(|n| n.parse().ok()).unwrap_or(EDITS);
    let (mut followed, mut all) = (0u64, 0u64);
    // A program that was never queried has no predecessor.
    let mut fresh = Compiler::new(Box::new(Disk));
    for (n, path) in shaders("examples").into_iter().chain(shaders("tests/run")).enumerate() {
        let mut text = std::fs::read_to_string(&path).expect("the shader is there");
        let path = path.to_string_lossy().into_owned();
        let mut random = Random::new(n as u64);
        let mut db = Compiler::new(Box::new(Disk));
        let edited = program(&mut db, &path, &text);
        items(&db, edited);
        let mut good = text.clone();
        for _ in 0..edits {
            let next = edit(&mut random, &text);
            db.set_text(&path, Some(next.as_bytes()));
            let anew = program(&mut fresh, &path, &next);
            assert_eq!(unit(&db, edited).unit, unit(&fresh, anew).unit, "{path}\n{text}\nbecame\n{next}");
            assert_eq!(described(&db, edited), described(&fresh, anew), "{path}\n{text}\nbecame\n{next}");
            fresh.forget(anew);
            all += 1;
            text = next;
            if unit(&db, edited).is_edited() {
                followed += 1;
                good.clone_from(&text);
            } else if random.below(4) > 0 {
                // Edits of a broken text are not followed.
                text.clone_from(&good);
                db.set_text(&path, Some(text.as_bytes()));
                items(&db, edited);
            }
        }
    }
    eprintln!("{followed} of {all} edits are followed");
    // Otherwise the test would check nothing.
    assert!(followed * 5 > all, "{followed} of {all}");
}
