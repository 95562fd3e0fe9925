//! Tokens of one item head or one function body to a tree.
//!
//! Parsing never fails: what comes out is always a tree and a list of errors, each with one message written for its
//! place. `grammar.lalrpop` is the language, `feed` hands tokens to it and limits nesting, `repair` inserts what is
//! missing and parses again, `message` words the errors, `foreign` those about other languages, `builder` puts nodes into the arenas.

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
    #[allow(clippy::all, clippy::print_stdout, unused)]
    grammar,
    "/grammar.rs"
);

/// A tree and the mistakes found on the way. Spans are token indexes of the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    pub ast: Ast,
    pub root: T,
    pub errors: Vec<SyntaxError>,
}

/// Parses the head of an item, as `slice` cut it.
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

/// Types that functions define in methods of each other; what nests deeper is a syntax error.
pub const LOCAL_DEPTH: usize = 8;

/// Parses what stands between the braces of a function body. Methods of records that it defines are closed in the tree,
/// and parsed by themselves when [`crate::slice_local`] cuts their record; the errors in them are among these.
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

/// What stands between the braces of a range; the last one may be missing.
fn inside<'t>(body: &'t [Token], range: &Range<usize>) -> &'t [Token] {
    let inner = body.get(range.start + 1..range.end).unwrap_or_default();
    match inner.split_last() {
        Some((last, before)) if last.is(Sym::RBrace) => before,
        _ => inner,
    }
}

/// The tree of a body as text, methods of the records that it defines included.
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

/// The tree of an item with all its bodies as text, for `--emit ast`.
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
