//! Definitions by identity: what a name can mean, and where it stands.
//!
//! Identities survive edits: an item is known by its scope, name and ordinal, a declaration inside it by its place in
//! the order of the syntax tree ([`crate::db::items::Decls`]). Nothing here holds a byte offset.

use crate::db::item_texts::BodyTokens;
use crate::db::items::Tokens;
use crate::db::ty::RecordInst;
use crate::db::ty::{Env, Local};
use crate::db::{Db, Program, SourceFile};
use std::sync::Arc;
use wgc_frontend::ast;

/// A name, interned.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct Name<'db> {
    #[returns(deref)]
    pub text: String,
}

/// One top-level item of a program. Identity is scope, name and ordinal; contents carry no position.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    #[returns(copy)]
    pub program: Program,
    /// Enclosing namespaces joined by `::`, empty at global scope.
    #[returns(deref)]
    pub scope: String,
    #[returns(deref)]
    pub name: String,
    /// Among items with this scope and name.
    #[returns(copy)]
    pub nth: u32,
    /// Matrices spelled here are row-major unless said otherwise: `#pragma pack_matrix` in front of the item.
    #[tracked]
    #[returns(copy)]
    pub row_major: bool,
    /// A type that a function defines, and what it sees there; `None` for an item of the program.
    #[tracked]
    #[returns(copy)]
    pub around: Option<crate::db::def::Around<'db>>,
    /// Everything but the function bodies.
    #[tracked]
    #[returns(ref)]
    pub head: crate::db::items::Tokens,
    /// Function bodies, in the order of the text.
    #[tracked]
    #[returns(deref)]
    pub bodies: Vec<BodyText<'db>>,
}

/// The tokens of one function body. A struct of its own, so that an edit inside it touches nothing else of the item.
#[salsa::tracked(debug)]
pub struct BodyText<'db> {
    #[returns(copy)]
    pub program: Program,
    #[returns(deref)]
    pub scope: String,
    #[returns(deref)]
    pub item: String,
    #[returns(copy)]
    pub item_nth: u32,
    /// Among the item's bodies.
    #[returns(copy)]
    pub nth: u32,
    #[tracked]
    #[returns(ref)]
    pub source: BodySource,
}

/// Where the tokens of a body are.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub enum BodySource {
    /// In an input of their own.
    Input(BodyTokens),
    /// A declaration of ours, or a type inside a function: with what it was cut from.
    Own(Tokens),
}

impl<'db> BodyText<'db> {
    pub fn tokens(self, db: &'db dyn Db) -> &'db Tokens {
        match self.source(db) {
            BodySource::Input(input) => input.tokens(db),
            BodySource::Own(tokens) => tokens,
        }
    }
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
    /// The record it is a member of: each instance of a template has an enum of its own.
    pub owner: Option<RecordInst<'db>>,
}

/// The n-th function or method of an item, in the order of the syntax tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct FnId<'db> {
    pub item: Item<'db>,
    pub index: u32,
}

/// The n-th variable of an item (`int a, b;`), of a cbuffer, or the n-th static member of its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct VarId<'db> {
    pub item: Item<'db>,
    pub index: u32,
}

/// The n-th `typedef` or `using N = T` of an item (a record may hold several).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct AliasId<'db> {
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
    Alias(AliasId<'db>),
    Namespace(Name<'db>),
}

impl<'db> Def<'db> {
    /// The item that declares it; `None` for a namespace, which many items open.
    pub fn item(self) -> Option<Item<'db>> {
        match self {
            Def::Function(f) => Some(f.item),
            Def::Record(r) => Some(r.item),
            Def::Enum(e) | Def::EnumValue(e, _) => Some(e.item),
            Def::Var(v) => Some(v.item),
            Def::Alias(a) => Some(a.item),
            Def::Namespace(_) => None,
        }
    }
}

/// A place within an item: a token range of its head or of one of its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Place<'db> {
    pub item: Item<'db>,
    /// `None` for the head.
    pub body: Option<u32>,
    pub span: ast::Span,
}

impl<'db> Place<'db> {
    pub fn head(item: Item<'db>, span: ast::Span) -> Place<'db> {
        Place { item, body: None, span }
    }

    /// One token of an item's head.
    pub fn token(item: Item<'db>, at: u32) -> Place<'db> {
        Place { item, body: None, span: ast::Span { lo: at, hi: at + 1 } }
    }
}

/// The n-th value of a host's file, in the order of its text (see [`crate::graph::host`]): no offset, so that a host's file that
/// is only written in another way changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct HostPlace {
    pub file: SourceFile,
    pub value: u32,
}

/// Where something is said: in the text of the program, or in the host's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum At<'db> {
    Text(Place<'db>),
    Host(HostPlace),
}

impl<'db> At<'db> {
    /// The place in the program, which alone can be mended there.
    pub fn text(self) -> Option<Place<'db>> {
        match self {
            At::Text(place) => Some(place),
            At::Host(_) => None,
        }
    }
}

impl<'db> From<Place<'db>> for At<'db> {
    fn from(place: Place<'db>) -> At<'db> {
        At::Text(place)
    }
}

impl From<HostPlace> for At<'_> {
    fn from(place: HostPlace) -> Self {
        At::Host(place)
    }
}

/// Shared text of tokens or trees; compared by content.
pub type Shared<T> = Arc<T>;

/// What stands around a type that a function defines.
#[salsa::interned(debug)]
pub struct Around<'db> {
    /// The item with the function's body, and which of its bodies that is.
    #[returns(copy)]
    pub outer: Item<'db>,
    #[returns(copy)]
    pub body: u32,
    /// Among the types that the body defines.
    #[returns(copy)]
    pub nth: u32,
    /// The name of the function instance, which no other has.
    #[returns(deref)]
    pub function: String,
    /// Names of the function that the text of the type mentions.
    #[returns(ref)]
    pub names: Vec<(String, Local<'db>)>,
    /// Template arguments of the function.
    #[returns(ref)]
    pub env: Env<'db>,
    /// The record that the function is a method of.
    #[returns(copy)]
    pub owner: Option<RecordInst<'db>>,
}
