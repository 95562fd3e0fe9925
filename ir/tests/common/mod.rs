//! IR text with positions, read and shown by function, and fused.

use wgc_ir::passes::fusion::{Decision, FusionMode, fuse};
use wgc_ir::passes::{Inline, inline};
use wgc_ir::{Module, parse, print, print_with_positions, verify};

pub fn read(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(verify(&module), Ok(()), "{text}");
    module
}

/// Returns the lines of a function without indentation, its head first.
pub fn lines_of(module: &Module, function: &str) -> Vec<String> {
    let text = print_with_positions(module);
    let from = text.find(&format!("fn @{function}(")).expect("the function is there");
    let body = &text[from..];
    let body = &body[..body.find("\n}\n").expect("it ends")];
    body.lines().map(|l| l.trim().to_owned()).collect()
}

/// Returns the fused program, and the decision for each edge.
pub fn fused_in(mode: FusionMode, text: &str) -> (Module, Vec<Decision>) {
    let mut module = read(text);
    inline(&mut module, Inline::Meeting).expect("there is nothing to refuse");
    let report = fuse(&mut module, mode, &[]);
    assert_eq!(verify(&module), Ok(()), "{}", print(&module));
    (module, report.edges.into_iter().map(|edge| edge.decision).collect())
}
