//! Turns locals into values that cross branches and loops ([`Op::Merge`]).
//!
//! One walk tracks the value of each local. Where the edges into a point have different values, the statement gets a
//! result or a parameter. A read before the first store is zero, or undefined. A local whose place has other uses than loads and
//! stores at known indexes stays.
//!
//! A statement merges the locals that are stored inside and used outside. [`dead`](super::dead()) removes the merges
//! that nothing reads.

mod locals;

use super::markers::settle_markers;
use super::promote::{drop_unused_locals, shown_variable};
use crate::function::*;
use crate::types::Type;
use crate::value_map::ValueMap;
use locals::{Analysis, Span, Step};

/// The value of a local before its first store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    Zero,
    /// The CPU device then finds uses of it.
    Undefined,
}

/// Replaces locals by values. The function gets merged values.
pub fn ssa(function: &mut Function, unset: Unset) {
    if function.locals.is_empty() {
        return;
    }
    let analysis = Analysis::of(function);
    if analysis.locals.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut function.body);
    let mut builder = Builder {
        current: vec![None; analysis.locals.len()],
        unset_values: vec![None; analysis.locals.len()],
        undo: Vec::new(),
        replaced: ValueMap::default(),
        start: Block::new(),
        frames: Vec::new(),
        next_span: 0,
        unset: if unset == Unset::Zero { Op::Zero } else { Op::Undef },
        analysis,
        function,
    };
    builder.block(&mut body);
    let mut start = builder.start;
    start.append(&mut body);
    settle_markers(&mut start, function);
    function.body = start;
    drop_unused_locals(function);
}

fn extend(list: &mut Values, more: Vec<ValueId>) {
    if !more.is_empty() {
        let mut all = std::mem::take(list).into_vec();
        all.extend(more);
        *list = all.into();
    }
}

/// Removes values that all edges carry unchanged from the edges to `continuing`. Their lists begin with `skipped` other
/// values. Returns the locals that are left.
fn keep_changed(carried: Carried, body: &mut Block, skipped: usize) -> Vec<Number> {
    let Carried { locals, changed, .. } = carried;
    if changed.iter().any(|changed| !changed) {
        if let Some(Stmt::Yield(values)) = body.last_mut() {
            retain_changed(values, &changed, skipped);
            if values.is_empty() {
                body.pop();
            }
        }
        each_continue(body, &mut |values| retain_changed(values, &changed, skipped));
    }
    locals.into_iter().zip(changed).filter(|(_, changed)| *changed).map(|(local, _)| local).collect()
}

fn retain_changed(values: &mut Values, changed: &[bool], skipped: usize) {
    let mut kept = std::iter::repeat_n(true, skipped).chain(changed.iter().copied());
    let mut all = std::mem::take(values).into_vec();
    all.retain(|_| kept.next().unwrap_or(true));
    *values = all.into();
}

/// Calls `f` with the values of each `Continue` of the surrounding loop.
fn each_continue(block: &mut Block, f: &mut impl FnMut(&mut Values)) {
    for stmt in block {
        match stmt {
            Stmt::Continue(values) => f(values),
            Stmt::Loop { .. } => {}
            other => other.blocks_mut().for_each(|inner| each_continue(inner, f)),
        }
    }
}

/// Makes the end of a block yield more values.
fn end_with(block: &mut Block, more: Vec<ValueId>) {
    match block.last_mut() {
        Some(Stmt::Yield(values)) => extend(values, more),
        _ => block.push(Stmt::Yield(more.into())),
    }
}

/// The number of a local among those that become values.
type Number = u32;

/// A statement that `Break` leaves, or whose next iteration `Continue` starts.
struct Frame {
    /// The locals whose values a `Break` carries.
    breaks: Vec<Number>,
    /// Those that a `Continue` carries; `None` for a switch.
    continues: Option<Carried>,
}

/// The locals whose values a loop's body passes to `continuing`.
#[derive(Clone)]
struct Carried {
    locals: Vec<Number>,
    /// Their values at the start of the body.
    starts: Vec<ValueId>,
    /// For each: an edge so far carries another value than that at the start.
    changed: Vec<bool>,
}

impl Carried {
    fn note(&mut self, values: &[ValueId]) {
        for ((changed, start), value) in self.changed.iter_mut().zip(&self.starts).zip(values) {
            *changed |= start != value;
        }
    }
}

struct Builder<'a> {
    function: &'a mut Function,
    analysis: Analysis,
    /// The value of each local at this point, if one is set.
    current: Vec<Option<ValueId>>,
    unset: Op,
    /// The value of each local before its first store.
    unset_values: Vec<Option<ValueId>>,
    /// Earlier entries of `current`, which are restored at the end of a block.
    undo: Vec<(Number, Option<ValueId>)>,
    /// Replaced loads, with their values.
    replaced: ValueMap<ValueId>,
    /// Values for the start of the function.
    start: Block,
    frames: Vec<Frame>,
    next_span: usize,
}

impl Builder<'_> {
    fn replace(&self, id: &mut ValueId) {
        self.replaced.replace(id);
    }

    fn set(&mut self, local: Number, value: ValueId) {
        let old = self.current[local as usize].replace(value);
        self.undo.push((local, old));
    }

    fn roll_back(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let Some((local, old)) = self.undo.pop() else { break };
            self.current[local as usize] = old;
        }
    }

    /// Returns the value of a local at this point.
    fn value_of(&mut self, local: Number) -> ValueId {
        let number = local as usize;
        if let Some(known) = self.current[number].or(self.unset_values[number]) {
            return known;
        }
        let value = self.function.values.alloc(Value::new(self.analysis.locals[number].ty.clone(), self.unset.clone()));
        self.start.push(Stmt::Let(value));
        self.unset_values[number] = Some(value);
        value
    }

    fn values_of(&mut self, locals: &[Number]) -> Vec<ValueId> {
        locals.iter().map(|&local| self.value_of(local)).collect()
    }

    /// Creates merged values for these locals, which hold them from here on.
    fn merge(&mut self, locals: &[Number]) -> Vec<ValueId> {
        let mut made = Vec::with_capacity(locals.len());
        for &number in locals {
            let local = &self.analysis.locals[number as usize];
            let value = Value { name: local.name.clone(), ..Value::new(local.ty.clone(), Op::Merge) };
            let id = self.function.values.alloc(Value { precise: local.precise, ..value });
            self.set(number, id);
            made.push(id);
        }
        made
    }

    /// Returns markers for debuggers: variables have these values from here on.
    fn markers(&self, locals: &[Number], values: &[ValueId]) -> Block {
        let marker = |(&number, &value): (&Number, &ValueId)| {
            let variable = shown_variable(self.function, self.analysis.locals[number as usize].id)?;
            Some(Stmt::Holds { variable, value: Some(value) })
        };
        locals.iter().zip(values).filter_map(marker).collect()
    }

    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            stmt.for_each_operand_mut(|id| self.replace(id));
            match &mut stmt {
                Stmt::Let(id) => {
                    self.let_value(*id, &mut out);
                    continue;
                }
                Stmt::Store { place, value } if self.analysis.has(*place) => {
                    let (place, value) = (*place, *value);
                    self.store(place, value, &mut out);
                    continue;
                }
                Stmt::Break(values) => {
                    let locals = self.frames.last().map(|frame| frame.breaks.clone()).unwrap_or_default();
                    extend(values, self.values_of(&locals));
                }
                Stmt::Continue(values) => {
                    let Some(at) = self.frames.iter().rposition(|frame| frame.continues.is_some()) else { continue };
                    let locals = self.frames[at].continues.as_ref().map(|c| c.locals.clone()).unwrap_or_default();
                    let carried = self.values_of(&locals);
                    self.frames[at].continues.iter_mut().for_each(|continues| continues.note(&carried));
                    extend(values, carried);
                }
                Stmt::If { .. } | Stmt::Switch { .. } => {
                    self.branches(stmt, &mut out);
                    continue;
                }
                Stmt::Loop { .. } => {
                    self.loop_(stmt, &mut out);
                    continue;
                }
                _ => {}
            }
            out.push(stmt);
        }
        *block = out;
    }

    fn span(&mut self) -> Span {
        let span = self.analysis.spans.get_mut(self.next_span).map(std::mem::take).unwrap_or_default();
        self.next_span += 1;
        span
    }

    /// Rewrites the arms of an `if` or a switch.
    fn branches(&mut self, mut stmt: Stmt, out: &mut Block) {
        let span = self.span();
        let locals = span.used_outside(&self.analysis);
        let is_switch = matches!(stmt, Stmt::Switch { .. });
        if is_switch {
            self.frames.push(Frame { breaks: locals.clone(), continues: None });
        }
        let mut ends = Vec::new();
        for arm in stmt.blocks_mut() {
            let mark = self.undo.len();
            self.block(arm);
            let falls = !arm.last().is_some_and(Stmt::is_jump);
            ends.push(falls.then(|| self.values_of(&locals)));
            self.roll_back(mark);
        }
        if is_switch {
            self.frames.pop();
        }
        // A local whose value is the one before at all ends needs no merge. The breaks of a switch carry all locals.
        let before = self.values_of(&locals);
        let differs = |n: usize| is_switch || ends.iter().flatten().any(|end| end[n] != before[n]);
        let merged: Vec<usize> = (0..locals.len()).filter(|&n| differs(n)).collect();
        if !merged.is_empty() {
            for (arm, end) in stmt.blocks_mut().zip(&ends) {
                if let Some(end) = end {
                    end_with(arm, merged.iter().map(|&n| end[n]).collect());
                }
            }
        }
        let merged: Vec<Number> = merged.into_iter().map(|n| locals[n]).collect();
        let values = self.merge(&merged);
        let markers = self.markers(&merged, &values);
        if let Stmt::If { results, .. } | Stmt::Switch { results, .. } = &mut stmt {
            extend(results, values);
        }
        out.push(stmt);
        out.extend(markers);
    }

    fn loop_(&mut self, mut stmt: Stmt, out: &mut Block) {
        let span = self.span();
        let results = span.used_outside(&self.analysis);
        let params = span.carried(&self.analysis);
        let again = span.carried_to_continuing(&self.analysis);
        let Stmt::Loop { body, continuing, break_if, details } = &mut stmt else { return };
        let first = self.values_of(&params);
        details.first.extend(first);
        let mark = self.undo.len();
        let values = self.merge(&params);
        let markers = self.markers(&params, &values);
        details.params.extend(values);

        let start = self.undo.len();
        let (starts, changed) = (self.values_of(&again), vec![false; again.len()]);
        let continues = Carried { locals: again, starts, changed };
        self.frames.push(Frame { breaks: results.clone(), continues: Some(continues) });
        self.block(body);
        let Some(Frame { continues: Some(mut continues), .. }) = self.frames.pop() else { return };
        if !continues.locals.is_empty() && !body.last().is_some_and(Stmt::is_jump) {
            let values = self.values_of(&continues.locals);
            continues.note(&values);
            end_with(body, values);
        }
        let again = keep_changed(continues, body, details.again.len());
        body.splice(0..0, markers);
        // `continuing` does not see the values of the body.
        self.roll_back(start);
        let values = self.merge(&again);
        let markers = self.markers(&again, &values);
        details.again.extend(values);
        self.block(continuing);
        continuing.splice(0..0, markers);
        details.next.iter_mut().chain(&mut *break_if).chain(&mut details.last).for_each(|id| self.replace(id));
        details.next.extend(self.values_of(&params));
        if break_if.is_some() {
            details.last.extend(self.values_of(&results));
        }
        self.roll_back(mark);
        let values = self.merge(&results);
        let markers = self.markers(&results, &values);
        details.results.extend(values);
        out.push(stmt);
        out.extend(markers);
    }

    /// Returns a new value, computed here.
    fn value(&mut self, ty: Type, op: Op, out: &mut Block) -> ValueId {
        let id = self.function.values.alloc(Value::new(ty, op));
        out.push(Stmt::Let(id));
        id
    }

    fn let_value(&mut self, id: ValueId, out: &mut Block) {
        if self.analysis.has(id) {
            return;
        }
        let Some(value) = self.function.value(id) else { return };
        let mut op = value.op.clone();
        op.for_each_operand_mut(|operand| self.replace(operand));
        if let Op::Load(place) = op
            && let Some((local, steps)) = self.analysis.path(place)
        {
            let whole = self.value_of(local);
            return self.load(id, whole, &steps, out);
        }
        self.function.values[id].op = op;
        out.push(Stmt::Let(id));
    }

    /// Makes a load the part of the value at these steps.
    fn load(&mut self, id: ValueId, whole: ValueId, steps: &[Step], out: &mut Block) {
        let Some((last, outer)) = steps.split_last() else {
            self.function.values[whole].precise |= self.function.values[id].precise;
            self.replaced.insert(id, whole);
            return;
        };
        let base = self.part(whole, outer, out);
        self.function.values[id].op = match *last {
            Step::Known { index, .. } => Op::Extract { base, index },
            Step::Chosen(mut index) => {
                self.replace(&mut index);
                Op::ExtractDynamic { base, index }
            }
        };
        out.push(Stmt::Let(id));
    }

    /// Returns the part of a value at these steps, which are all known.
    fn part(&mut self, whole: ValueId, steps: &[Step], out: &mut Block) -> ValueId {
        steps.iter().fold(whole, |base, step| match step {
            Step::Known { index, ty } => self.value(ty.clone(), Op::Extract { base, index: *index }, out),
            Step::Chosen(_) => base,
        })
    }

    fn store(&mut self, place: ValueId, value: ValueId, out: &mut Block) {
        let Some((local, steps)) = self.analysis.path(place) else { return };
        let new = if steps.is_empty() {
            value
        } else {
            let whole = self.value_of(local);
            let precise = self.function.value(place).is_some_and(|place| place.precise);
            self.insert(whole, &steps, (value, precise), out)
        };
        let values = [new];
        let markers = self.markers(&[local], &values);
        self.set(local, new);
        out.extend(markers);
    }

    /// Returns the value with one part replaced.
    fn insert(&mut self, whole: ValueId, steps: &[Step], of: (ValueId, bool), out: &mut Block) -> ValueId {
        let [Step::Known { index, ty }, inner @ ..] = steps else { return of.0 };
        let value = if inner.is_empty() {
            of.0
        } else {
            let part = self.value(ty.clone(), Op::Extract { base: whole, index: *index }, out);
            self.insert(part, inner, of, out)
        };
        let ty = self.function.values[whole].ty.clone();
        let new = self.value(ty, Op::Insert { base: whole, index: *index, value }, out);
        self.function.values[new].precise = of.1;
        new
    }
}
