//! Checks that sample offsets are constants within limits, as Vulkan requires.
//!
//! A variable offset may become constant after inlining and loop unrolling, so this check runs after both.

use crate::Symbol;
use crate::function::*;
use crate::image::{SAMPLE_OFFSETS, SampleResult, TexelOffset};
use crate::position::{Position, SourceText};
use crate::walk;

/// An offset that no target accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetError {
    pub function: Symbol,
    /// A component out of range; `None` for a variable offset.
    pub outside: Option<i32>,
    /// The text and the token of the sample, if known.
    pub at: Option<(SourceText, u32)>,
}

impl std::fmt::Display for OffsetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.outside {
            None => write!(f, "the offset of a sample in {} is not a constant", self.function),
            Some(part) => write!(f, "the offset {part} of a sample in {} is out of range", self.function),
        }
    }
}

impl std::error::Error for OffsetError {}

/// Returns the offset of a sample. Gathers are excluded, since theirs may be variables.
fn sample_offset(function: &Function, stmt: &Stmt) -> Option<ValueId> {
    let Stmt::Let(id) = stmt else { return None };
    let Op::ImageSample(sample) = &function.value(*id)?.op else { return None };
    match (sample.result, sample.offset) {
        (SampleResult::Gathered(_) | SampleResult::GatherCompared(_), _) => None,
        (_, TexelOffset::One(offset)) => Some(offset),
        _ => None,
    }
}

/// Returns the offset of a sample if it is variable.
pub(super) fn variable_offset(function: &Function, stmt: &Stmt) -> Option<ValueId> {
    sample_offset(function, stmt).filter(|offset| !function.is_constant(*offset))
}

/// Returns whether the function samples with a variable offset.
pub(super) fn has_variable_offsets(function: &Function) -> bool {
    let mut found = false;
    walk::statements(&function.body, &mut |stmt| found |= variable_offset(function, stmt).is_some());
    found
}

/// Checks the offsets of samples.
///
/// # Errors
/// Returns the first offset that is variable or out of range.
pub fn offsets(function: &Function) -> Result<(), OffsetError> {
    let mut position = None;
    let found = in_block(function, &function.body, &mut position);
    let Some(outside) = found else { return Ok(()) };
    let text = |at: Position| Some((function.scope(at.scope)?.text.clone(), at.token));
    Err(OffsetError { function: function.name.clone(), outside, at: position.and_then(text) })
}

/// Returns the error of the first wrong offset, and stores its position in `position`.
fn in_block(function: &Function, block: &Block, position: &mut Option<Position>) -> Option<Option<i32>> {
    let around = *position;
    for stmt in block {
        if let Stmt::At(at) = stmt {
            *position = Some(*at);
        }
        if let Some(offset) = sample_offset(function, stmt) {
            if !function.is_constant(offset) {
                return Some(None);
            }
            let outside = parts(function, offset).into_iter().find(|part| !SAMPLE_OFFSETS.contains(part));
            if outside.is_some() {
                return Some(outside);
            }
        }
        for inner in stmt.blocks() {
            let found = in_block(function, inner, position);
            if found.is_some() {
                return found;
            }
        }
    }
    *position = around;
    None
}

/// Returns the components of a constant offset. Those of zero are omitted.
fn parts(function: &Function, offset: ValueId) -> Vec<i32> {
    let one = |id: ValueId| function.constant(id).map(|c| c.bits as u32 as i32);
    match function.value(offset).map(|v| &v.op) {
        Some(Op::Compose(parts)) => parts.iter().filter_map(|part| one(*part)).collect(),
        _ => one(offset).into_iter().collect(),
    }
}
