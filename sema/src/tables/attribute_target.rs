//! The places of attributes.

/// The kind of syntax that an attribute belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Function,
    /// A parameter of a function.
    Param,
    Record,
    Statement,
    Global,
    /// A field of a record.
    Member,
}

impl Target {
    pub fn name(self) -> &'static str {
        match self {
            Target::Function => "functions",
            Target::Param => "node parameters",
            Target::Record => "records",
            Target::Statement => "statements",
            Target::Global => "global variables",
            Target::Member => "members",
        }
    }
}
