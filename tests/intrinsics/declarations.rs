//! Compares the list with the declarations of `stdlib/prelude`, by object, name and number of parameters.
//! `every_row_is_declared_with_its_types` compares the types.

use crate::list::rows;
use std::collections::BTreeSet;
use std::path::Path;

/// Objects without rows, with the reason.
const NOT_LISTED: &[(&str, &str)] = &[
    ("InputPatch", "only hull and domain shaders have patches"),
    ("OutputPatch", "only hull and domain shaders have patches"),
    ("PointStream", "only geometry shaders have streams"),
    ("LineStream", "only geometry shaders have streams"),
    ("TriangleStream", "only geometry shaders have streams"),
];

/// The namespace of helpers that programs cannot name.
const INTERNAL: &str = "wgc";

/// An object (empty for a function), a name, and a number of parameters.
type Overload = (String, String, usize);

/// Returns attributes, words and characters, without comments.
fn tokens(text: &str) -> Vec<&str> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
        let is_comment = rest.starts_with("//") || rest.starts_with("/*");
        let length = match c {
            '/' if rest.starts_with("//") => until("\n"),
            '/' if rest.starts_with("/*") => until("*/"),
            '[' if rest.starts_with("[[") => until("]]"),
            '"' => 2 + rest[1..].find('"').expect("a string ends"),
            _ => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()).max(c.len_utf8()),
        };
        if !is_comment && !c.is_whitespace() {
            out.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    out
}

/// Returns the index after the bracket that closes the one at `open`.
fn after_block(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += i32::from(matches!(*token, "(" | "{")) - i32::from(matches!(*token, ")" | "}"));
        if depth == 0 {
            return at + 1;
        }
    }
    panic!("a bracket stays open: {:?}", &tokens[open..]);
}

/// Returns the smallest and the largest number of arguments for a list of parameters, without its parentheses.
fn arguments(parameters: &[&str]) -> (usize, usize) {
    let (mut depth, mut count, mut least) = (0, usize::from(!parameters.is_empty()), None);
    for token in parameters {
        match *token {
            "<" => depth += 1,
            ">" => depth -= 1,
            "," if depth == 0 => count += 1,
            "[[wgc::optional]]" | "=" => least = least.or(Some(count - 1)),
            _ => {}
        }
    }
    (least.unwrap_or(count), count)
}

/// Returns the functions and methods that a file of the prelude declares for programs.
fn declared(text: &str) -> BTreeSet<Overload> {
    let tokens = tokens(text);
    let (mut out, mut scope, mut object) = (BTreeSet::new(), "", "");
    let (mut at, mut attributes) = (0, Vec::new());
    while at < tokens.len() {
        let token = tokens[at];
        match token {
            "namespace" => {
                scope = tokens[at + 1];
                at += 3;
                continue;
            }
            "enum" => {
                at = after_block(&tokens, tokens[at..].iter().position(|t| *t == "{").expect("values") + at);
                continue;
            }
            "struct" => object = tokens[at..].iter().skip(1).find(|t| !t.starts_with("[[")).expect("a name"),
            "}" if !object.is_empty() => object = "",
            "}" => scope = "",
            "(" => {
                let end = after_block(&tokens, at);
                let (least, most) = arguments(&tokens[at + 1..end - 1]);
                let name = if tokens[at - 1] == "]" { "operator[]" } else { tokens[at - 1] };
                let owner = match (scope, object) {
                    ("", _) => object.to_owned(),
                    (_, "") => scope.to_owned(),
                    _ => format!("{scope}::{object}"),
                };
                // `mips` and `sample` are members with two operators, and `printf` has a row with `...`.
                let variadic = usize::from(attributes.contains(&"[[wgc::variadic]]"));
                if scope != INTERNAL && !attributes.contains(&"[[wgc::indexed]]") {
                    out.extend((least..=most).map(|n| (owner.clone(), name.to_owned(), n + variadic)));
                }
                attributes.clear();
                at = if tokens.get(end) == Some(&"{") { after_block(&tokens, end) } else { end };
                continue;
            }
            _ => {}
        }
        match token {
            ";" | "{" | "}" => attributes.clear(),
            _ if token.starts_with("[[") => attributes.push(token),
            _ => {}
        }
        at += 1;
    }
    out
}

#[test]
fn every_declaration_has_a_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stdlib/prelude");
    let mut declarations = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|e| e == "hlsl") {
            declarations.extend(declared(&std::fs::read_to_string(path).expect("it can be read")));
        }
    }
    let rows = rows().into_iter().map(|row| {
        // `Texture2D<uint>` has methods that other textures lack.
        let object = row.object.split('<').next().unwrap_or_default();
        (object.to_owned(), row.name.to_owned(), row.parameters.len())
    });
    let rows: BTreeSet<Overload> = rows.collect();
    let is_excepted = |object: &str| NOT_LISTED.iter().any(|row| row.0 == object);
    let missing: Vec<&Overload> = declarations.difference(&rows).filter(|(object, ..)| !is_excepted(object)).collect();
    assert!(missing.is_empty(), "declared in stdlib/prelude, but not in stdlib/intrinsics.tsv: {missing:#?}");
    let unknown: Vec<&Overload> = rows.difference(&declarations).collect();
    assert!(unknown.is_empty(), "in stdlib/intrinsics.tsv, but not declared in stdlib/prelude: {unknown:#?}");
    for (object, reason) in NOT_LISTED {
        assert!(declarations.iter().any(|row| row.0 == *object), "`NOT_LISTED` has {object} in vain: {reason}");
    }
}
