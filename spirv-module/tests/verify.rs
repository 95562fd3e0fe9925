//! The verifier: valid modules pass, and for each rule there is a module that breaks it and no other.

use wgc_spirv_module::{Module, Violation, asm, verify, words};

fn violations(text: &str) -> Vec<Violation> {
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&Module::load(&words).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

fn file(path: &str) -> Module {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    Module::load(&words::from_bytes(&std::fs::read(path).unwrap()).unwrap()).unwrap()
}

#[test]
fn hand_written_graphs_are_valid() {
    for name in ["g1", "g2", "g4"] {
        let found = verify(&file(&format!("tests/amdx-graphs/{name}.spv")));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}
