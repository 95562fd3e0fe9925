//! Operands and nested blocks of operations and statements, and their effects.

use crate::function::{Block, Case, Function, Op, Stmt, ValueId};
use crate::image::ImageQuery;
use crate::types::Type;

/// Passes every operand of an operation to a function, in order. `$each` iterates over a list of them, as references
/// of the kind of `$op`; `$inner` is the method of the structures with operands of their own.
macro_rules! each_operand {
    ($op:expr, $f:expr, $each:ident, $inner:ident) => {{
        let mut f = $f;
        match $op {
            Op::Const(_)
            | Op::Zero
            | Op::Undef
            | Op::Param(_)
            | Op::Merge
            | Op::Local(_)
            | Op::Global(_)
            | Op::Builtin(_)
            | Op::InputCount
            | Op::RemainingLevels
            | Op::FinishedSharing => {}
            Op::Compose(args) | Op::Math { args, .. } | Op::Subgroup { args, .. } | Op::Call { args, .. } => {
                args.$each().for_each(f)
            }
            Op::Extract { base: value, .. }
            | Op::Swizzle { base: value, .. }
            | Op::Unary { value, .. }
            | Op::Convert(value)
            | Op::Bitcast(value)
            | Op::Field { base: value, .. }
            | Op::NonUniform(value)
            | Op::Counter(value)
            | Op::Bits(value)
            | Op::Wide(value)
            | Op::Address(value)
            | Op::Load(value)
            | Op::ArrayLength(value)
            | Op::Resident(value)
            | Op::RayQuery { query: value, .. }
            | Op::InputRecord { index: value }
            | Op::OutputValid { index: value, .. } => f(value),
            Op::ExtractDynamic { base: a, index: b }
            | Op::Insert { base: a, value: b, .. }
            | Op::Shuffle { lhs: a, rhs: b, .. }
            | Op::Binary { lhs: a, rhs: b, .. }
            | Op::Index { base: a, index: b }
            | Op::Descriptor { array: a, index: b }
            | Op::Allocate { index: a, count: b, .. }
            | Op::OutputRecord { records: a, index: b } => {
                f(a);
                f(b);
            }
            Op::Select { cond, then, otherwise } => {
                f(cond);
                f(then);
                f(otherwise);
            }
            Op::ImageLoad(load) => load.$inner(f),
            Op::Spirv(instruction) => instruction.$inner(f),
            Op::ImageSample(sample) => sample.$inner(f),
            Op::ImageQuery { image, query } => {
                f(image);
                query.$inner(f);
            }
            Op::Texel { image, coord, sample } => {
                f(image);
                f(coord);
                sample.$each().for_each(f);
            }
            Op::Atomic { place, value, comparator, .. } => {
                f(place);
                f(value);
                comparator.$each().for_each(f);
            }
        }
    }};
}

impl Op {
    /// Calls `f` with every operand of the operation, in order.
    pub fn for_each_operand(&self, mut f: impl FnMut(ValueId)) {
        each_operand!(self, |id: &ValueId| f(*id), iter, for_each_operand)
    }

    /// Calls `f` with every operand of the operation, in order, for replacement.
    pub fn for_each_operand_mut(&mut self, f: impl FnMut(&mut ValueId)) {
        each_operand!(self, f, iter_mut, for_each_operand_mut)
    }

    /// Returns the vector and component that a number in the list of a [`Shuffle`](Op::Shuffle) stands for.
    pub(crate) fn shuffled(&self, function: &Function, number: u8) -> Option<(ValueId, usize)> {
        let Op::Shuffle { lhs, rhs, .. } = self else { return None };
        let Type::Vector(_, n) = function.type_of(*lhs)? else { return None };
        Some(number.checked_sub(*n).map_or((*lhs, usize::from(number)), |at| (*rhs, usize::from(at))))
    }

    /// Returns whether the value depends only on operands. Then it may be computed twice, elsewhere, or not at all.
    pub fn is_pure(&self) -> bool {
        !matches!(
            self,
            Op::Load(_)
                | Op::Atomic { .. }
                | Op::ImageLoad(_)
                | Op::ImageSample(_)
                | Op::ImageQuery { query: ImageQuery::Lod { .. }, .. }
                | Op::RayQuery { .. }
                | Op::Subgroup { .. }
                | Op::Call { .. }
                | Op::Spirv(_)
                | Op::InputCount
                | Op::Allocate { .. }
                | Op::FinishedSharing
        )
    }

    /// Returns whether the value depends on the lanes that execute the operation together.
    pub fn is_across_lanes(&self) -> bool {
        match self {
            Op::Subgroup { .. } | Op::Spirv(_) | Op::ImageQuery { query: ImageQuery::Lod { .. }, .. } => true,
            Op::ImageSample(sample) => sample.needs_derivatives(),
            _ => false,
        }
    }

    /// Returns whether removing the operation changes the program's behaviour, even if its value is unused.
    pub fn has_effect(&self) -> bool {
        match self {
            Op::RayQuery { ask, .. } => ask.has_effect(),
            _ => matches!(
                self,
                Op::Atomic { .. } | Op::Call { .. } | Op::Spirv(_) | Op::Allocate { .. } | Op::FinishedSharing
            ),
        }
    }

    /// Returns whether the operation refers to the node that the function implements.
    pub fn needs_node(&self) -> bool {
        matches!(
            self,
            Op::InputRecord { .. }
                | Op::InputCount
                | Op::Allocate { .. }
                | Op::OutputValid { .. }
                | Op::RemainingLevels
                | Op::FinishedSharing
        )
    }
}

impl Stmt {
    /// Calls `f` with every operand of the statement itself. It skips the contents of blocks and the value of a `Let`.
    /// It also skips the operands at the end of a loop's `continuing`: see [`Stmt::for_each_end_operand_mut`].
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ValueId)) {
        match self {
            Stmt::At(_) | Stmt::Let(_) | Stmt::Return(None) | Stmt::Report { .. } => {}
            Stmt::Yield(values) | Stmt::Break(values) | Stmt::Continue(values) => values.iter_mut().for_each(f),
            Stmt::Loop { details, .. } => details.first.iter_mut().for_each(f),
            Stmt::Barrier(barrier) => barrier.records.iter_mut().for_each(f),
            Stmt::Holds { value, .. } => value.iter_mut().for_each(f),
            Stmt::Store { place, value } => {
                f(place);
                f(value);
            }
            Stmt::If { cond: value, .. }
            | Stmt::Switch { selector: value, .. }
            | Stmt::Return(Some(value))
            | Stmt::Complete(value) => f(value),
            Stmt::ImageStore { image, coord, sample, value } => {
                f(image);
                f(coord);
                sample.iter_mut().for_each(&mut f);
                f(value);
            }
            Stmt::IncrementCount { index, count, .. } => {
                f(index);
                f(count);
            }
            Stmt::MeshCounts { vertices, primitives } => {
                f(vertices);
                f(primitives);
            }
            Stmt::RayQuery { query, args, .. } => {
                f(query);
                args.iter_mut().for_each(f);
            }
            Stmt::Call { args, .. } => args.iter_mut().for_each(f),
            Stmt::Spirv(instruction) => instruction.for_each_operand_mut(f),
        }
    }

    /// Returns the operands by value; see [`Stmt::for_each_operand_mut`].
    pub fn operands(&self) -> Vec<ValueId> {
        match self {
            Stmt::At(_) | Stmt::Let(_) | Stmt::Return(None) | Stmt::Report { .. } => Vec::new(),
            Stmt::Yield(values) | Stmt::Break(values) | Stmt::Continue(values) => values.to_vec(),
            Stmt::Loop { details, .. } => details.first.clone(),
            Stmt::Barrier(barrier) => barrier.records.into_iter().collect(),
            Stmt::Holds { value, .. } => value.iter().copied().collect(),
            Stmt::Store { place, value } => vec![*place, *value],
            Stmt::If { cond: value, .. }
            | Stmt::Switch { selector: value, .. }
            | Stmt::Return(Some(value))
            | Stmt::Complete(value) => vec![*value],
            Stmt::ImageStore { image, coord, sample, value } => {
                [*image, *coord].into_iter().chain(*sample).chain([*value]).collect()
            }
            Stmt::IncrementCount { index, count, .. } => vec![*index, *count],
            Stmt::MeshCounts { vertices, primitives } => vec![*vertices, *primitives],
            Stmt::RayQuery { query, args, .. } => std::iter::once(query).chain(args).copied().collect(),
            Stmt::Call { args, .. } => args.clone(),
            Stmt::Spirv(instruction) => instruction.values().collect(),
        }
    }

    /// Calls `f` with the operands at the end of a loop's `continuing`, which see the values of that block: `next`,
    /// `break_if` and `last`. Other statements have none.
    pub fn for_each_end_operand_mut(&mut self, f: impl FnMut(&mut ValueId)) {
        if let Stmt::Loop { break_if, details, .. } = self {
            details.next.iter_mut().chain(break_if).chain(&mut details.last).for_each(f);
        }
    }

    /// Calls `f` with the operands that [`Stmt::for_each_end_operand_mut`] lists.
    pub fn for_each_end_operand(&self, f: impl FnMut(ValueId)) {
        if let Stmt::Loop { break_if, details, .. } = self {
            details.next.iter().chain(break_if).chain(&details.last).copied().for_each(f);
        }
    }

    /// Calls `f` with the values that the statement defines: that of a `Let`, parameters and results.
    pub fn for_each_definition(&self, f: impl FnMut(ValueId)) {
        match self {
            Stmt::Let(id) => std::iter::once(id).copied().for_each(f),
            Stmt::If { results, .. } | Stmt::Switch { results, .. } => results.iter().copied().for_each(f),
            Stmt::Loop { details, .. } => {
                details.params.iter().chain(&details.again).chain(&details.results).copied().for_each(f);
            }
            _ => {}
        }
    }

    /// Calls `f` with the values that the statement defines, for replacement.
    pub fn for_each_definition_mut(&mut self, f: impl FnMut(&mut ValueId)) {
        match self {
            Stmt::Let(id) => std::iter::once(id).for_each(f),
            Stmt::If { results, .. } | Stmt::Switch { results, .. } => results.iter_mut().for_each(f),
            Stmt::Loop { details, .. } => {
                details.params.iter_mut().chain(&mut details.again).chain(&mut details.results).for_each(f);
            }
            _ => {}
        }
    }

    /// Returns the values that the statement merges for the statements after it.
    pub fn results(&self) -> &[ValueId] {
        match self {
            Stmt::If { results, .. } | Stmt::Switch { results, .. } => results,
            Stmt::Loop { details, .. } => &details.results,
            _ => &[],
        }
    }

    /// Returns the directly nested blocks, in order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &Block> {
        let (first, cases, last): (_, &[Case], _) = match self {
            Stmt::If { then, otherwise, .. } => (Some(then), &[], Some(otherwise)),
            Stmt::Loop { body, continuing, .. } => (Some(body), &[], Some(continuing)),
            Stmt::Switch { cases, default, .. } => (None, cases, Some(default)),
            _ => (None, &[], None),
        };
        first.into_iter().chain(cases.iter().map(|case| &case.body)).chain(last)
    }

    /// Returns the directly nested blocks, in order, for changes.
    pub fn blocks_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Block> {
        let (first, cases, last): (_, &mut [Case], _) = match self {
            Stmt::If { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            Stmt::Loop { body, continuing, .. } => (Some(body), &mut [], Some(continuing)),
            Stmt::Switch { cases, default, .. } => (None, cases, Some(default)),
            _ => (None, &mut [], None),
        };
        first.into_iter().chain(cases.iter_mut().map(|case| &mut case.body)).chain(last)
    }

    /// Returns whether the statement has nested blocks.
    pub fn is_nested(&self) -> bool {
        matches!(self, Stmt::If { .. } | Stmt::Loop { .. } | Stmt::Switch { .. })
    }

    /// Returns whether the statement is `At` or `Holds`, which only debuggers use.
    pub fn is_marker(&self) -> bool {
        matches!(self, Stmt::At(_) | Stmt::Holds { .. })
    }

    /// Returns whether the statement is `Break`, `Continue` or `Return`: control does not reach the end of the block.
    pub fn is_jump(&self) -> bool {
        matches!(self, Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_))
    }

    /// Returns whether no statement may follow in the same block: jumps and `Yield`.
    pub fn ends_block(&self) -> bool {
        self.is_jump() || matches!(self, Stmt::Yield(_))
    }
}
