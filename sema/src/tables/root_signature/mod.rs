//! The language of root signatures, as in "Specifying Root Signatures in HLSL"; [`clauses`] is its table.

mod clauses;
mod parse;

pub use parse::{Error, Parameter, Range, RootSignature, parse};
