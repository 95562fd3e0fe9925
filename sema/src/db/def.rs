//! Definitions and their IDs: the possible meanings of a name, and locations in items.
//!
//! IDs survive edits. Scope, name and ordinal identify an item; its index in the order of the syntax tree identifies
//! a declaration inside the item ([`crate::db::items::Decls`]). Nothing here holds a byte offset.

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

/// One top-level item of a program. Scope, name and ordinal identify it; its contents carry no position.
#[salsa::tracked(debug)]
pub struct Item<'db> {
    #[returns(copy)]
    pub program: Program,
    /// Enclosing namespaces joined by `::`, empty at global scope.
    #[returns(deref)]
    pub scope: String,
    #[returns(deref)]
    pub name: String,
    /// The ordinal among items with this scope and name.
    #[returns(copy)]
    pub nth: u32,
    /// The default order of matrices in this item, from the last `#pragma pack_matrix` before it.
    #[tracked]
    #[returns(copy)]
    pub row_major: bool,
    /// The context of a type that a function defines; `None` for an item of the program.
    #[tracked]
    #[returns(copy)]
    pub around: Option<crate::db::def::LocalTypeContext<'db>>,
    /// Everything but the function bodies.
    #[tracked]
    #[returns(ref)]
    pub head: crate::db::items::Tokens,
    /// Function bodies, in the order of the text.
    #[tracked]
    #[returns(deref)]
    pub bodies: Vec<BodyText<'db>>,
}

/// The tokens of one function body. A separate struct, so that an edit in the body leaves the rest of the item valid.
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
    /// The index among the item's bodies.
    #[returns(copy)]
    pub nth: u32,
    #[tracked]
    #[returns(ref)]
    pub source: BodySource,
}

/// The source of a body's tokens.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub enum BodySource {
    /// A separate input.
    Input(BodyTokens),
    /// The tokens themselves: a built-in declaration, or a type inside a function.
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
    /// The record that declares it: each instance of a template has its own enum.
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

/// The target of an unqualified or qualified name. Functions overload, so a lookup returns a list of these.
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
    /// Returns the item that declares it; `None` for a namespace, which many items open.
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

/// A location in an item: a token range of its head or of one of its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct SourcePlace<'db> {
    pub item: Item<'db>,
    /// `None` for the head.
    pub body: Option<u32>,
    pub span: ast::Span,
}

impl<'db> SourcePlace<'db> {
    pub fn head(item: Item<'db>, span: ast::Span) -> SourcePlace<'db> {
        SourcePlace { item, body: None, span }
    }

    /// Returns the location of one token of an item's head.
    pub fn token(item: Item<'db>, at: u32) -> SourcePlace<'db> {
        SourcePlace { item, body: None, span: ast::Span { lo: at, hi: at + 1 } }
    }
}

/// The n-th value of a host's file, in the order of its text (see [`crate::graph::host`]). It has no offset, so a
/// change of the file's formatting invalidates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct HostPlace {
    pub file: SourceFile,
    pub value: u32,
}

/// The location of a label: in the text of the program, or in the host's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum At<'db> {
    Text(SourcePlace<'db>),
    Host(HostPlace),
}

impl<'db> At<'db> {
    /// Returns the location in the program; only there can a fix apply.
    pub fn text(self) -> Option<SourcePlace<'db>> {
        match self {
            At::Text(place) => Some(place),
            At::Host(_) => None,
        }
    }
}

impl<'db> From<SourcePlace<'db>> for At<'db> {
    fn from(place: SourcePlace<'db>) -> At<'db> {
        At::Text(place)
    }
}

impl From<HostPlace> for At<'_> {
    fn from(place: HostPlace) -> Self {
        At::Host(place)
    }
}

/// Shared tokens or trees, compared by content.
pub type Shared<T> = Arc<T>;

/// The context of a type that a function defines.
#[salsa::interned(debug)]
pub struct LocalTypeContext<'db> {
    /// The item with the function's body, and the index of that body.
    #[returns(copy)]
    pub outer: Item<'db>,
    #[returns(copy)]
    pub body: u32,
    /// The index among the types that the body defines.
    #[returns(copy)]
    pub nth: u32,
    /// The unique name of the function instance.
    #[returns(deref)]
    pub function: String,
    /// Names of the function that the type's text mentions.
    #[returns(ref)]
    pub names: Vec<(String, Local<'db>)>,
    /// Template arguments of the function.
    #[returns(ref)]
    pub env: Env<'db>,
    /// The record that declares the function as a method.
    #[returns(copy)]
    pub owner: Option<RecordInst<'db>>,
}
