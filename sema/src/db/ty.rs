//! Types of HLSL, interned.
//!
//! Templates are checked once per instance, as in C++: no type contains a template parameter. A built-in object such
//! as `NodeOutput<R>` is a [`RecordInst`] of a template declared in `stdlib/`; its `[[wgc::builtin("..")]]`
//! identifies it.

use crate::db::def::{EnumId, RecordId};
use crate::tables::constant::Const;
pub use crate::tables::scalar::{Repr, Scalar};

#[salsa::interned(debug, revisions = usize::MAX)]
pub struct Ty<'db> {
    #[returns(ref)]
    pub kind: TyKind<'db>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum TyKind<'db> {
    /// An invalid type that was already reported. Anything that involves it is silent.
    Error,
    Void,
    Scalar(Scalar),
    /// The type of an unsuffixed literal, before it meets another type.
    LiteralInt,
    LiteralFloat,
    /// 1 to 4 components: HLSL's `float1` is not `float`.
    Vector(Scalar, u8),
    /// 1 to 4 rows and columns. The memory order is a property of declarations: expressions, locals and parameters
    /// have the type that [`Ty::unordered`] returns, with `row_major` false.
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

/// A record with its template arguments (none for a plain record).
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct RecordInst<'db> {
    #[returns(copy)]
    pub record: RecordId<'db>,
    #[returns(ref)]
    pub args: Vec<GenericArg<'db>>,
}

/// A function or method with the template arguments of itself and of its record.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct FnInst<'db> {
    #[returns(copy)]
    pub function: crate::db::def::FnId<'db>,
    /// The record that declares it as a method.
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

/// A value with its type: an integer scalar, `bool`, an enum, or a literal type until it meets its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Value<'db> {
    pub ty: Ty<'db>,
    pub constant: Const,
}

/// Names of template parameters with their arguments.
pub type Env<'db> = Vec<(String, GenericArg<'db>)>;

/// The meaning of a name inside a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Local<'db> {
    Type(Ty<'db>),
    /// A value of an enum that the function defines.
    EnumValue(EnumId<'db>, u32),
    /// A variable or parameter.
    Variable,
    /// A variable or parameter with a known value.
    Constant(Ty<'db>, Const),
}
