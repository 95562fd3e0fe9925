//! Types of HLSL, interned.
//!
//! Templates are checked once per instance, as in C++: no type contains a template parameter. A built-in object such as
//! `NodeOutput<R>` is a [`RecordInst`] of a template declared in `stdlib/`, told apart by its `[[wgc::builtin("..")]]`.

use crate::db::def::{EnumId, RecordId};
pub use crate::tables::scalar::{Repr, Scalar};
use crate::types::template_value::Value;

#[salsa::interned(debug, revisions = usize::MAX)]
pub struct Ty<'db> {
    #[returns(ref)]
    pub kind: TyKind<'db>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum TyKind<'db> {
    /// A diagnostic exists; anything involving it is silent.
    Error,
    Void,
    Scalar(Scalar),
    /// The type of an unsuffixed literal, before it meets another type.
    LiteralInt,
    LiteralFloat,
    /// 1 to 4 components: HLSL's `float1` is not `float`.
    Vector(Scalar, u8),
    /// 1 to 4 rows and columns. The order in memory is a property of what is declared: expressions, locals and
    /// parameters have the type that [`Ty::unordered`] gives, in which it is false.
    Matrix {
        scalar: Scalar,
        rows: u8,
        columns: u8,
        row_major: bool,
    },
    /// `None` for an unsized array.
    Array(Ty<'db>, Option<u32>),
    Record(RecordInst<'db>),
    Enum(EnumId<'db>),
    String,
}

/// A record with its template arguments (none for a plain one).
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct RecordInst<'db> {
    #[returns(copy)]
    pub record: RecordId<'db>,
    #[returns(ref)]
    pub args: Vec<GenericArg<'db>>,
}

/// A function or method with the arguments of its own and its record's template.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct FnInst<'db> {
    #[returns(copy)]
    pub function: crate::db::def::FnId<'db>,
    /// The record it is a method of.
    #[returns(copy)]
    pub owner: Option<RecordInst<'db>>,
    #[returns(ref)]
    pub args: Vec<GenericArg<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum GenericArg<'db> {
    Ty(Ty<'db>),
    Value(Value<'db>),
}
