//! Definitions by identity: what a name can mean.

use crate::db::Program;
use std::sync::Arc;
use wgc_frontend::ast;

/// A name, interned.
#[salsa::interned(debug)]
pub struct Name<'db> {
    #[returns(deref)]
    pub text: String,
}

/// One top-level item of a program. Identity is scope, name and ordinal; contents carry no position.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    pub program: Program,
    /// Enclosing namespaces joined by `::`, empty at global scope.
    #[returns(deref)]
    pub scope: String,
    #[returns(deref)]
    pub name: String,
    /// Among items with this scope and name.
    pub nth: u32,
}

/// The n-th record of an item, in the order of the syntax tree (0 for a plain `struct S {..};`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct RecordId<'db> {
    pub item: Item<'db>,
    pub index: u32,
}

/// The n-th enum of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct EnumId<'db> {
    pub item: Item<'db>,
    pub index: u32,
}

/// The n-th function or method of an item, in the order of the syntax tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct FnId<'db> {
    pub item: Item<'db>,
    pub index: u32,
}

/// The n-th variable of an item (`int a, b;`), or of a cbuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct VarId<'db> {
    pub item: Item<'db>,
    pub index: u32,
}

/// What an unqualified or qualified name refers to. Functions overload, so a lookup gives a list of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Def<'db> {
    Function(FnId<'db>),
    Record(RecordId<'db>),
    Enum(EnumId<'db>),
    /// The n-th value of an enum.
    EnumValue(EnumId<'db>, u32),
    Var(VarId<'db>),
    /// `typedef` and `using N = T`.
    Alias(Item<'db>),
    Namespace(Name<'db>),
}

/// A place within an item: a token range of its head or of one of its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Place<'db> {
    pub item: Item<'db>,
    /// `None` for the head.
    pub body: Option<u32>,
    pub span: ast::Span,
}

/// Shared text of tokens or trees; compared by content.
pub type Shared<T> = Arc<T>;
