//! Each pass on IR text. Input and output are valid, and the output is that of a careful author.

mod early;
mod fold;
mod inline;
mod keeps;
mod mesh;
mod precise;
mod promote;
mod resources;
mod unroll;
mod views;

use wgc_ir::{Module, parse, print, verify};

fn read(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check(&module);
    module
}

fn check(module: &Module) {
    if let Err(errors) = verify(module) {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", list.join("\n"), print(module));
    }
}

/// Returns the text of the function `@f` after the pass, without indentation.
fn body_of_f(module: &Module) -> String {
    check(module);
    let text = print(module);
    let start = text.find("fn @f(").expect("@f is there");
    let text = &text[start..];
    let end = text.find("\n}\n").expect("it ends");
    text[..end].lines().skip(1).map(str::trim).collect::<Vec<_>>().join("\n")
}

fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
}

const ENTRY: &str = "entry \"f\" = @f threads 1 1 1\n";
