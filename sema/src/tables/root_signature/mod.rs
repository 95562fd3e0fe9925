//! The language of root signatures. [`clauses`] is its table. See "Specifying Root Signatures in HLSL".

mod clauses;
mod parse;

pub use parse::{Error, Parameter, Range, RootSignature, parse};
