//! Writes the tables of `src/index.rs`: the position and the names of each declaration of the prelude.

#[path = "src/prelude.rs"]
mod prelude;
#[path = "build/scan.rs"]
mod scan;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/prelude.rs");
    println!("cargo::rerun-if-changed=prelude");
    let path = Path::new(&std::env::var("OUT_DIR")?).join("index.rs");
    Ok(std::fs::write(path, tables()?)?)
}

fn tables() -> Result<String, std::fmt::Error> {
    let mut pieces = String::new();
    let mut names: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    let mut seen: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let (mut types, mut templates, mut namespaces) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut number = 0;
    for (file, (_, text)) in prelude::PRELUDE.iter().enumerate() {
        for found in scan::declarations(text) {
            let scope = found.scope;
            let nth = seen.entry((scope, found.names[0])).or_default();
            let (lo, hi) = (found.lo, found.hi);
            writeln!(pieces, "Piece {{ file: {file}, lo: {lo}, hi: {hi}, scope: {scope:?}, nth: {nth} }},")?;
            *nth += 1;
            if !scope.is_empty() {
                namespaces.insert(scope);
            }
            if found.is_type {
                types.insert(found.names[0]);
            }
            templates.extend(found.templates);
            for name in found.names {
                names.entry((scope, name)).or_default().push(number);
            }
            number += 1;
        }
    }
    let mut out = format!("pub static PIECES: [Piece; {number}] = [\n{pieces}];\n");
    writeln!(out, "static NAMES: [(&str, &str, &[u32]); {}] = [", names.len())?;
    for ((scope, name), pieces) in &names {
        writeln!(out, "({scope:?}, {name:?}, &{pieces:?}),")?;
    }
    writeln!(out, "];")?;
    for (table, words) in [("TYPES", types), ("TEMPLATES", templates), ("NAMESPACES", namespaces)] {
        let words: Vec<&str> = words.into_iter().collect();
        writeln!(out, "pub static {table}: [&str; {}] = {words:?};", words.len())?;
    }
    Ok(out)
}
