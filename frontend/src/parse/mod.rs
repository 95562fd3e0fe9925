//! Parses the tokens of one item head or one function body into a tree.
//!
//! Parsing never fails: the result is always a tree and a list of errors, each with one specific message.
//! `grammar.lalrpop` is the language. `feed` passes tokens to it and limits nesting. `repair` inserts missing tokens,
//! removes superfluous ones, and parses again. `message` words the errors, `foreign` those about other languages.
//! `builder` puts nodes into the arenas.

use std::ops::Range;

use lalrpop_util::lalrpop_mod;

use self::builder::Root;
use self::feed::Tok;
use crate::ast::visit::Node;
use crate::ast::{self, Ast, Item, ItemId, ItemKind, Stmt, StmtId, StmtKind};
use crate::diagnostic::SyntaxError;
use crate::local::method_bodies;
use crate::slice::ItemSlice;
use crate::token::{Sym, Token};

mod builder;
mod feed;
mod foreign;
mod message;
mod repair;

lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::print_stdout,
        clippy::allow_attributes_without_reason,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        unused,
        reason = "LALRPOP writes this code"
    )]
    grammar,
    "/grammar.rs"
);

/// A tree and the mistakes found in it. Spans are token indexes of the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    pub ast: Ast,
    pub root: T,
    pub errors: Vec<SyntaxError>,
}

/// Parses the head of an item, as cut by `slice`.
pub fn parse_item(head: &[Token]) -> Parsed<ItemId> {
    let (mut ast, root, errors) = repair::parse(Tok::StartItem, head, &[]);
    let root = match root {
        Some(Root::Item(item)) => item,
        _ => {
            let span = ast::Span { lo: 0, hi: head.len() as u32 };
            ast.items.alloc(Item { attributes: Vec::new(), kind: ItemKind::Error, span })
        }
    };
    Parsed { ast, root, errors }
}

/// The maximum nesting of types defined in functions and their methods. Deeper ones are a syntax error.
pub const LOCAL_DEPTH: usize = 8;

/// Parses the contents of a function body's braces. Methods of records that it defines are closed in the tree. They are
/// parsed separately after [`crate::slice_local`] cuts their record. Their errors are included here.
pub fn parse_body(body: &[Token]) -> Parsed<Vec<StmtId>> {
    body_within(body, LOCAL_DEPTH)
}

fn body_within(body: &[Token], depth: usize) -> Parsed<Vec<StmtId>> {
    let closed = if depth == 0 { Vec::new() } else { method_bodies(body) };
    let (mut ast, root, mut errors) = repair::parse(Tok::StartBody, body, &closed);
    for range in closed {
        let found = body_within(inside(body, &range), depth - 1).errors;
        errors.extend(found.into_iter().map(|error| error.moved(range.start as u32 + 1)));
    }
    let root = match root {
        Some(Root::Body(stmts)) => stmts,
        _ => {
            let span = ast::Span { lo: 0, hi: body.len() as u32 };
            vec![ast.stmts.alloc(Stmt { kind: StmtKind::Error, span })]
        }
    };
    Parsed { ast, root, errors }
}

/// Returns the tokens between the braces of a range. The last brace may be missing.
fn inside<'t>(body: &'t [Token], range: &Range<usize>) -> &'t [Token] {
    let inner = body.get(range.start + 1..range.end).unwrap_or_default();
    match inner.split_last() {
        Some((last, before)) if last.is(Sym::RBrace) => before,
        _ => inner,
    }
}

/// Returns the tree of a body as text, including methods of the records that it defines.
pub fn dump_body(body: &[Token]) -> String {
    dump_within(body, LOCAL_DEPTH)
}

fn dump_within(body: &[Token], depth: usize) -> String {
    let methods = if depth == 0 { Vec::new() } else { method_bodies(body) };
    let method = |number: u32| {
        methods.get(number as usize).map_or_else(String::new, |range| dump_within(inside(body, range), depth - 1))
    };
    let parsed = parse_body(body);
    let roots: Vec<Node> = parsed.root.iter().map(|&stmt| Node::Stmt(stmt)).collect();
    ast::dump(&parsed.ast, &roots, &method)
}

/// Returns the tree of an item with all its bodies as text, for `--emit ast`.
pub fn dump_item(item: &ItemSlice) -> String {
    let head = parse_item(&item.head);
    let body = |number: u32| item.bodies.get(number as usize).map_or_else(String::new, |body| dump_body(&body.tokens));
    let mut text = String::new();
    if !item.scope.is_empty() {
        text.push_str(&format!("in {}\n", item.scope.join("::")));
    }
    text.push_str(&ast::dump(&head.ast, &[Node::Item(head.root)], &body));
    text
}
