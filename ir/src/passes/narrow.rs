//! Loads the used parts of structures and arrays in place of the whole.
//!
//! The parts are loaded where the whole was, so no load moves. Coherent and groupshared memory keeps its accesses.
//! So does memory at device addresses: the structures of the emulation are small, so that more loads would be more
//! instructions, and validation layers check each of them. [`sroa`](super::sroa()) splits locals before.

use super::associated_globals::make;
use crate::function::*;
use crate::types::{Scalar, Space, Type};
use crate::value_map::ValueMap;
use std::collections::BTreeMap;

/// The most loads that replace one.
const MAX_LOADS: usize = 32;

/// Narrows loads of which some parts are unused or copied. Otherwise the whole takes fewer instructions.
pub fn narrow(function: &mut Function) {
    if !function.values.values().any(|value| is_wide_load(function, value)) {
        return;
    }
    let mut body = std::mem::take(&mut function.body);
    let mut uses = Uses { live: vec![false; function.values.len()], ..Uses::default() };
    uses.mark(function, &body);
    uses.block(function, &body);
    let loads = vec![None; uses.parts.len()];
    let mut narrower = Narrower { function, uses, loads, replaced: ValueMap::default() };
    narrower.block(&mut body);
    function.body = body;
}

/// Returns whether a value is a structure or an array that is loaded from memory which this pass may read less of.
fn is_wide_load(function: &Function, value: &Value) -> bool {
    let Op::Load(place) = value.op else { return false };
    let is_composite = matches!(value.ty, Type::Struct(_) | Type::Array { .. });
    let is_plain = matches!(
        function.type_of(place),
        Some(Type::Ref(
            Space::Storage { coherent: false }
                | Space::Uniform
                | Space::PushConstant
                | Space::NodeInput
                | Space::NodeOutput,
            _
        ))
    );
    is_composite && is_plain && !value.ty.holds_objects()
}

fn raw(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

/// A loaded value, or a part of one, with the parts that are extracted from it.
struct Part {
    ty: Type,
    parts: BTreeMap<u32, usize>,
    /// It has uses other than extractions.
    is_whole: bool,
}

/// The parts of all wide loads.
#[derive(Default)]
struct Uses {
    parts: Vec<Part>,
    /// The part of each load and extraction.
    of: ValueMap<usize>,
    /// The values that statements or other live values use.
    live: Vec<bool>,
}

impl Uses {
    /// Marks the live values of a block. Passes before this one leave extractions that nothing uses.
    fn mark(&mut self, function: &Function, block: &Block) {
        for stmt in block.iter().rev() {
            stmt.for_each_end_operand(|id| self.live[raw(id)] = true);
            match stmt {
                Stmt::Holds { .. } => {}
                Stmt::Let(id) => {
                    let Some(value) = function.value(*id) else { continue };
                    if self.live[raw(*id)] || !value.op.is_pure() {
                        value.op.for_each_operand(|id| self.live[raw(id)] = true);
                    }
                }
                other => other.operands().into_iter().for_each(|id| self.live[raw(id)] = true),
            }
            // Values of a loop's body are used in `continuing`.
            let blocks: Vec<&Block> = stmt.blocks().collect();
            blocks.into_iter().rev().for_each(|inner| self.mark(function, inner));
        }
    }

    fn block(&mut self, function: &Function, block: &Block) {
        for stmt in block {
            match stmt {
                // A variable that a debugger shows may lose its value, but changes no code.
                Stmt::Holds { .. } => {}
                Stmt::Let(id) => self.value(function, *id),
                other => other.operands().into_iter().for_each(|id| self.whole(id)),
            }
            stmt.blocks().for_each(|inner| self.block(function, inner));
            stmt.for_each_end_operand(|id| self.whole(id));
        }
    }

    fn value(&mut self, function: &Function, id: ValueId) {
        let Some(value) = function.value(id) else { return };
        match value.op {
            Op::Extract { .. } if !self.live[raw(id)] => {}
            Op::Extract { base, index } if self.of.contains(base) => {
                let Some(&of) = self.of.get(base) else { return };
                let part = match self.parts[of].parts.get(&index) {
                    Some(part) => *part,
                    None => {
                        let part = self.add(value.ty.clone());
                        self.parts[of].parts.insert(index, part);
                        part
                    }
                };
                self.of.insert(id, part);
            }
            _ => {
                value.op.for_each_operand(|operand| self.whole(operand));
                if is_wide_load(function, value) {
                    let part = self.add(value.ty.clone());
                    self.of.insert(id, part);
                }
            }
        }
    }

    fn add(&mut self, ty: Type) -> usize {
        // Parts of vectors are extracted from the loaded vector.
        let is_whole = !matches!(ty, Type::Struct(_) | Type::Array { .. });
        self.parts.push(Part { ty, parts: BTreeMap::new(), is_whole });
        self.parts.len() - 1
    }

    fn whole(&mut self, id: ValueId) {
        if let Some(&part) = self.of.get(id) {
            self.parts[part].is_whole = true;
        }
    }

    /// Returns whether separate loads of the used parts of a part are better. A scalar of it is unused, or an array in
    /// it is used as a whole: a local copy that [`read_in_place`](super::read_in_place()) may remove.
    fn is_separable(&self, part: usize) -> bool {
        let Part { ty, parts, is_whole } = &self.parts[part];
        let count = match ty {
            Type::Struct(s) => s.fields.len(),
            Type::Array { len, .. } => *len as usize,
            _ => 0,
        };
        let is_copied = |part: usize| self.parts[part].is_whole && matches!(self.parts[part].ty, Type::Array { .. });
        !is_whole && (parts.len() < count || parts.values().any(|part| is_copied(*part) || self.is_separable(*part)))
    }

    /// Returns the number of loads that the used parts need.
    fn loads(&self, part: usize) -> usize {
        let Part { parts, is_whole, .. } = &self.parts[part];
        if *is_whole { 1 } else { parts.values().map(|part| self.loads(*part)).fold(0, usize::saturating_add) }
    }
}

struct Narrower<'a> {
    function: &'a mut Function,
    uses: Uses,
    /// The load of each part that has one.
    loads: Vec<Option<ValueId>>,
    /// The loads that replace extractions.
    replaced: ValueMap<ValueId>,
}

impl Narrower<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            stmt.for_each_operand_mut(|id| self.replaced.replace(id));
            if let Stmt::Let(id) = stmt {
                if self.function.value(id).is_some() {
                    let replaced = &self.replaced;
                    self.function.values[id].op.for_each_operand_mut(|id| replaced.replace(id));
                }
                self.value(id, &mut out);
            }
            stmt.blocks_mut().for_each(|inner| self.block(inner));
            stmt.for_each_end_operand_mut(|id| self.replaced.replace(id));
            out.push(stmt);
        }
        *block = out;
    }

    /// Writes the loads of the used parts to `out` if the value is a load to narrow, and notes extractions of these
    /// parts. [`dead`](super::dead()) removes the whole.
    fn value(&mut self, id: ValueId, out: &mut Block) {
        let Some(&part) = self.uses.of.get(id) else { return };
        match self.function.values[id].op {
            Op::Load(place) => {
                let is_narrow = (1..=MAX_LOADS).contains(&self.uses.loads(part));
                if is_narrow && self.uses.is_separable(part) {
                    self.load(part, place, out);
                }
            }
            _ => {
                if let Some(load) = self.loads[part] {
                    self.replaced.insert(id, load);
                }
            }
        }
    }

    /// Loads the used parts of a part.
    fn load(&mut self, part: usize, place: ValueId, out: &mut Block) {
        if self.uses.parts[part].is_whole {
            let ty = self.uses.parts[part].ty.clone();
            self.loads[part] = Some(make(self.function, ty, Op::Load(place), out));
            return;
        }
        for (index, inner) in self.uses.parts[part].parts.clone() {
            let Some(Type::Ref(space, pointee)) = self.function.type_of(place) else { return };
            let (space, pointee) = (*space, pointee.clone());
            let (ty, op) = match &*pointee {
                Type::Struct(s) => match s.fields.get(index as usize) {
                    Some(field) => (field.ty.clone(), Op::Field { base: place, index }),
                    None => return,
                },
                Type::Array { element, .. } => {
                    let constant = ScalarConst { ty: Scalar::U32, bits: u64::from(index) };
                    let index = make(self.function, Type::U32, Op::Const(constant), out);
                    ((**element).clone(), Op::Index { base: place, index })
                }
                _ => return,
            };
            let place = make(self.function, Type::reference(space, ty), op, out);
            self.load(inner, place, out);
        }
    }
}
