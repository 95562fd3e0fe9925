//! Constants with their values, including specialisation constants.

use crate::module::Id;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// 0 for strings, which have no type.
    pub ty: Id,
    pub value: Value,
    /// It is declared by an OpSpecConstant instruction.
    pub spec: bool,
    /// The SpecId decoration.
    pub spec_id: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number's bits, zero-extended from its width; a boolean as 0 or 1.
    Scalar(u64),
    /// Constituents, each a constant's id.
    Composite(Vec<Id>),
    /// A composite that OpSpecConstantOp computed: its scalars in order.
    Flat(Vec<u64>),
    Null,
    Undef,
    String(String),
    /// A constant this crate does not evaluate (kernel pipes, samplers, address arithmetic): its opcode.
    Other(u16),
}
