//! Tokens of one item head or one function body to a tree.
//!
//! Parsing never fails: what comes out is always a tree and a list of errors, each with one message written for its
//! place. `grammar.lalrpop` is the language, `feed` hands tokens to it and limits nesting, `repair` inserts what is
//! missing and parses again, `message` words the errors, `builder` puts nodes into the arenas.

use lalrpop_util::lalrpop_mod;

use self::builder::Root;
use self::feed::Tok;
use crate::ast::visit::Node;
use crate::ast::{self, Ast, Item, ItemId, ItemKind, Stmt, StmtId, StmtKind};
use crate::diagnostic::SyntaxError;
use crate::slice::ItemSlice;
use crate::token::Token;

mod builder;
mod feed;
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
    let (mut ast, root, errors) = repair::parse(Tok::StartItem, head);
    let root = match root {
        Some(Root::Item(item)) => item,
        _ => {
            let span = ast::Span { lo: 0, hi: head.len() as u32 };
            ast.items.alloc(Item { attributes: Vec::new(), kind: ItemKind::Error, span })
        }
    };
    Parsed { ast, root, errors }
}

/// Parses what stands between the braces of a function body.
pub fn parse_body(body: &[Token]) -> Parsed<Vec<StmtId>> {
    let (mut ast, root, errors) = repair::parse(Tok::StartBody, body);
    let root = match root {
        Some(Root::Body(stmts)) => stmts,
        _ => {
            let span = ast::Span { lo: 0, hi: body.len() as u32 };
            vec![ast.stmts.alloc(Stmt { kind: StmtKind::Error, span })]
        }
    };
    Parsed { ast, root, errors }
}

/// The tree of an item with all its bodies as text, for `--emit ast`.
pub fn dump_item(item: &ItemSlice) -> String {
    let head = parse_item(&item.head);
    let body = |number: u32| {
        let Some(body) = item.bodies.get(number as usize) else { return String::new() };
        let parsed = parse_body(&body.tokens);
        let roots: Vec<Node> = parsed.root.iter().map(|&stmt| Node::Stmt(stmt)).collect();
        // A body has no bodies.
        ast::dump(&parsed.ast, &roots, &|_| String::new())
    };
    let mut text = String::new();
    if !item.scope.is_empty() {
        text.push_str(&format!("in {}\n", item.scope.join("::")));
    }
    text.push_str(&ast::dump(&head.ast, &[Node::Item(head.root)], &body));
    text
}
