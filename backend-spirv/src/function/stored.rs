//! Structures and arrays that keep the type that they have in memory.
//!
//! Memory has types with offsets, and values have types without. A loaded structure of which only parts are used, and
//! one that is composed for a single store, need no conversion as a whole.

use super::{FunctionEmitter, Result, Slot, raw};
use crate::EmitError;
use crate::builder::{id, ids, lit};
use crate::place::Content;
use crate::types::{LayoutId, LayoutKind, Relation, Role, is_laid_out, storage_class};
use rspirv::spirv::{Op as Spv, Word};
use wgc_ir::{Function, Op, Space, Stmt, Type, ValueId, walk};

/// The uses of a value, so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    None,
    /// Only parts are extracted.
    Parts,
    /// It is stored once, to this place.
    Stored(ValueId),
    /// It is used once, as this part of a composed value.
    Part(ValueId, u32),
    Whole,
}

/// The uses of each value of a function.
///
/// Debug information is not a use: the code is the same without it. A debugger can show a value whose memory type has
/// the same members. A variable has no value where its matrices are transposed in memory or its `bool`s are integers.
pub(super) struct Uses(Vec<Use>);

impl Uses {
    pub fn of(function: &Function) -> Uses {
        let mut uses = Uses(vec![Use::None; function.values.len()]);
        walk::statements(&function.body, &mut |stmt| uses.stmt(function, stmt));
        uses
    }

    fn stmt(&mut self, function: &Function, stmt: &Stmt) {
        match stmt {
            Stmt::Holds { .. } => {}
            Stmt::Let(id) => match function.value(*id).map(|value| &value.op) {
                Some(Op::Extract { base, .. }) => self.add(*base, Use::Parts),
                Some(Op::Compose(parts)) => {
                    (0..).zip(parts).for_each(|(n, part)| self.add(*part, Use::Part(*id, n)));
                }
                Some(op) => op.for_each_operand(|id| self.add(id, Use::Whole)),
                None => {}
            },
            Stmt::Store { place, value } => self.add(*value, Use::Stored(*place)),
            other => other.operands().into_iter().for_each(|id| self.add(id, Use::Whole)),
        }
        stmt.for_each_end_operand(|id| self.add(id, Use::Whole));
    }

    fn add(&mut self, id: ValueId, new: Use) {
        let Some(known) = self.0.get_mut(raw(id)) else { return };
        *known = match (*known, new) {
            (Use::None, new) => new,
            (Use::Parts, Use::Parts) => Use::Parts,
            _ => Use::Whole,
        };
    }

    fn get(&self, id: ValueId) -> Use {
        self.0.get(raw(id)).copied().unwrap_or(Use::Whole)
    }
}

impl FunctionEmitter<'_, '_> {
    /// Loads a value. If only its parts are used, it stays in its memory type.
    pub(super) fn loaded(&mut self, value: ValueId, place: ValueId, ty: &Type) -> Result<Slot> {
        if self.composites.get(value) == Use::Parts
            && let &Content::Memory(layout) = &self.place(place)?.content
            && self.stays(layout)
        {
            let pointer = self.pointer_of(place)?;
            let place = self.place(place)?.clone();
            let word = self.load_stored(&place, pointer)?;
            return Ok(Slot::Stored { word, layout });
        }
        self.load(place, ty).map(Slot::Value)
    }

    /// Returns whether a value of the layout needs a conversion that its parts may avoid.
    fn stays(&self, layout: LayoutId) -> bool {
        let layout = self.e.layout(layout);
        let has_parts = match &layout.kind {
            LayoutKind::Struct(fields) => !fields.is_empty(),
            LayoutKind::Array { .. } => true,
            _ => false,
        };
        has_parts && layout.shape != Relation::Same
    }

    /// Extracts a part.
    pub(super) fn extracted(&mut self, value: ValueId, base: ValueId, index: u32, ty: &Type) -> Result<Slot> {
        if let &Slot::Stored { word, layout } = self.slot(base)? {
            let inner = self
                .part_of(layout, index)
                .ok_or_else(|| EmitError::new(format!("there is no part {index} in memory")))?;
            let stored = self.e.layout(inner).word;
            let part = self.e.b.op(Spv::CompositeExtract, stored, vec![id(word), lit(index)]);
            if self.composites.get(value) == Use::Parts && self.stays(inner) {
                return Ok(Slot::Stored { word: part, layout: inner });
            }
            return self.value_from(inner, part, ty).map(Slot::Value);
        }
        let (base, ty) = (self.word(base)?, self.e.value_type(ty)?);
        Ok(Slot::Value(self.e.b.op(Spv::CompositeExtract, ty, vec![id(base), lit(index)])))
    }

    /// Composes a value. If it is only stored, it has the type of that memory from the start.
    pub(super) fn composed(&mut self, value: ValueId, parts: &[ValueId], ty: &Type) -> Result<Slot> {
        if let Some(layout) = self.layout_of_use(value)?
            && self.stays(layout)
            && let Some(parts) = self.stored_parts(layout, parts)?
        {
            let ty = self.e.layout(layout).word;
            let word = match parts.iter().all(|&word| self.e.b.is_constant(word)) {
                true => self.e.b.constant(Spv::ConstantComposite, ty, ids(&parts)),
                false => self.e.b.op(Spv::CompositeConstruct, ty, ids(&parts)),
            };
            return Ok(Slot::Stored { word, layout });
        }
        self.compose(parts, ty).map(Slot::Value)
    }

    /// Returns the layout of the memory that a value is stored to, alone or as a part.
    fn layout_of_use(&mut self, mut value: ValueId) -> Result<Option<LayoutId>> {
        let mut path = Vec::new();
        let place = loop {
            match self.composites.get(value) {
                Use::Part(whole, n) => {
                    path.push(n);
                    value = whole;
                }
                Use::Stored(place) => break place,
                _ => return Ok(None),
            }
        };
        let Some(mut layout) = self.layout_for(place)? else { return Ok(None) };
        for n in path.into_iter().rev() {
            layout = match self.part_of(layout, n) {
                Some(part) => part,
                None => return Ok(None),
            };
        }
        Ok(Some(layout))
    }

    /// Returns the layout of a part of a structure or array.
    fn part_of(&self, layout: LayoutId, index: u32) -> Option<LayoutId> {
        match &self.e.layout(layout).kind {
            LayoutKind::Struct(fields) => fields.get(index as usize).map(|(layout, _)| *layout),
            LayoutKind::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// Returns the layout of a place of a structure or array that may not exist yet.
    fn layout_for(&mut self, place: ValueId) -> Result<Option<LayoutId>> {
        let Type::Ref(space, pointee) = self.ty(place)? else { return Ok(None) };
        let is_composite = matches!(**pointee, Type::Struct(_) | Type::Array { .. });
        // Records have types of their own, by the node.
        let is_record = matches!(space, Space::NodeInput | Space::NodeOutput);
        if !is_composite || is_record || !is_laid_out(storage_class(*space)) {
            return Ok(None);
        }
        self.e.layout_of(pointee, Role::Plain).map(Some)
    }

    fn stored_parts(&mut self, layout: LayoutId, parts: &[ValueId]) -> Result<Option<Vec<Word>>> {
        let layouts: Vec<LayoutId> = match &self.e.layout(layout).kind {
            LayoutKind::Struct(fields) => fields.iter().map(|(layout, _)| *layout).collect(),
            LayoutKind::Array { element, .. } => vec![*element; parts.len()],
            _ => return Ok(None),
        };
        if layouts.len() != parts.len() {
            return Ok(None);
        }
        let stored = layouts.into_iter().zip(parts).map(|(layout, &part)| self.stored(part, &Content::Memory(layout)));
        stored.collect::<Result<Vec<Word>>>().map(Some)
    }

    /// Returns a value in the type of the memory to which it is stored.
    pub(super) fn stored(&mut self, value: ValueId, content: &Content) -> Result<Word> {
        let ty = self.ty(value)?;
        match (self.slot(value)?, content) {
            (&Slot::Stored { word, layout }, Content::Memory(wanted)) if layout == *wanted => Ok(word),
            (&Slot::Stored { word, layout }, Content::Memory(wanted)) => {
                let word = self.value_from(layout, word, ty)?;
                self.memory_from(*wanted, word, ty)
            }
            (&Slot::Stored { word, layout }, _) => self.value_from(layout, word, ty),
            (_, Content::Memory(layout)) => {
                let word = self.word(value)?;
                self.memory_from(*layout, word, ty)
            }
            _ => self.word(value),
        }
    }
}
