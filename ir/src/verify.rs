//! Checks that a module keeps the contract in the crate's documentation.
//!
//! If [`verify`] returns Ok, every pass and every back end succeeds or returns an error, and never panics. `verify`
//! itself accepts any value of [`Module`], even an invalid one. Its time is linear in the module's size, multiplied by
//! the number of nodes for node operations in helper functions.
//!
//! It does not check rules that depend on a target or on source text: limits of Vulkan, attributes, launch-mode
//! legality.

mod calls;
mod function;
mod graph;
mod merges;
mod types;

use crate::Symbol;
use crate::module::Module;
use std::fmt;

/// A part of the contract that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A meaningless type, such as vectors of 9, places of places, overlapping fields.
    Type,
    /// A missing name, or a name for two things.
    Name,
    /// A constant that does not fit its type.
    Constant,
    /// Nodes, records, grids, entry points.
    Interface,
    /// A value used where it is not visible, or computed twice.
    Scope,
    /// An operation with wrong operands or a wrong result type.
    Operands,
    /// A write to a read-only place.
    Place,
    /// Jumps, labels, missing returns, depth.
    ControlFlow,
    /// Arguments of calls, and recursion.
    Call,
    /// Graph operations against the node's interface.
    NodeOperation,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    pub rule: Rule,
    /// The name of the function, global, node or entry.
    pub part: String,
    /// The statement inside a function, as a path such as `3.then.0`, with the value if it is a `Let`.
    pub statement: Option<String>,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.part)?;
        if let Some(statement) = &self.statement {
            write!(f, ", statement {statement}")?;
        }
        write!(f, ": {:?}: {}", self.rule, self.message)
    }
}

impl std::error::Error for VerifyError {}

/// The number of errors after which the rest is omitted.
const MAX_ERRORS: usize = 64;

/// Returns the broken rules, at most [`MAX_ERRORS`] of them.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors::default();
    let types_are_sound = graph::globals(module, &mut errors) & graph::graph(module, &mut errors);
    let mut functions_are_sound = true;
    for (name, function) in &module.functions {
        if *name != function.name {
            errors.add(Rule::Name, format!("function @{name}"), format!("is called @{} inside", function.name));
        }
        functions_are_sound &= function::signature(function, &mut errors);
    }
    // Types are compared below. This is only safe if none of them is infinite.
    if types_are_sound && functions_are_sound {
        graph::interfaces(module, &mut errors);
        let calls = calls::analyse(module, &mut errors);
        for (i, function) in module.functions.values().enumerate() {
            function::body(module, function, calls.nodes(i), &mut errors);
        }
    }
    if errors.list.is_empty() { Ok(()) } else { Err(errors.list) }
}

#[derive(Default)]
struct Errors {
    list: Vec<VerifyError>,
}

impl Errors {
    fn add(&mut self, rule: Rule, part: String, message: impl Into<String>) {
        self.push(VerifyError { rule, part, statement: None, message: message.into() });
    }

    fn push(&mut self, error: VerifyError) {
        if self.list.len() < MAX_ERRORS {
            self.list.push(error);
        }
    }
}

fn function_part(name: &Symbol) -> String {
    format!("function @{name}")
}
