//! Loads and stores, with the memory operands that each space requires.

use super::{FunctionEmitter, Result};
use crate::EmitError;
use crate::builder::{id, lit};
use crate::place::{Content, Place};
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, MemoryAccess, Op as Spv, Scope, Word};
use wgc_ir::{Space, Type, ValueId};

impl FunctionEmitter<'_, '_> {
    pub(super) fn load(&mut self, place: ValueId, ty: &Type) -> Result<Word> {
        if let &Content::Row { matrix, row } = &self.place(place)?.content {
            let place = self.place(place)?.clone();
            return self.load_row(&place, matrix, row);
        }
        let pointer = self.pointer_of(place)?;
        let place = self.place(place)?.clone();
        self.load_at(&place, pointer, ty)
    }

    pub(super) fn store(&mut self, place: ValueId, value: ValueId) -> Result {
        if let &Content::Row { matrix, row } = &self.place(place)?.content {
            let (place, word) = (self.place(place)?.clone(), self.word(value)?);
            return self.store_row(&place, matrix, row, word);
        }
        let pointer = self.pointer_of(place)?;
        let place = self.place(place)?.clone();
        let word = self.stored(value, &place.content)?;
        self.store_stored(&place, pointer, word)
    }

    /// Loads from a place that is not a value of the function.
    pub(super) fn load_place(&mut self, place: &Place, ty: &Type) -> Result<Word> {
        if let &Content::Row { matrix, row } = &place.content {
            return self.load_row(place, matrix, row);
        }
        let pointer = self.new_pointer(place)?;
        self.load_at(place, pointer, ty)
    }

    pub(super) fn store_place(&mut self, place: &Place, word: Word, ty: &Type) -> Result {
        if let &Content::Row { matrix, row } = &place.content {
            return self.store_row(place, matrix, row, word);
        }
        let pointer = self.new_pointer(place)?;
        let word = match &place.content {
            Content::Value(_) | Content::Row { .. } => word,
            Content::Memory(layout) => self.memory_from(*layout, word, ty)?,
        };
        self.store_stored(place, pointer, word)
    }

    fn load_at(&mut self, place: &Place, pointer: Word, ty: &Type) -> Result<Word> {
        let word = self.load_stored(place, pointer)?;
        match &place.content {
            Content::Value(_) | Content::Row { .. } => Ok(word),
            Content::Memory(layout) => self.value_from(*layout, word, ty),
        }
    }

    /// Loads a value of the memory type.
    pub(super) fn load_stored(&mut self, place: &Place, pointer: Word) -> Result<Word> {
        let stored = self.e.content_type(place)?;
        let mut operands = vec![id(pointer)];
        operands.extend(self.access(place, false)?);
        Ok(self.e.b.op(Spv::Load, stored, operands))
    }

    /// Stores a value of the memory type.
    fn store_stored(&mut self, place: &Place, pointer: Word, word: Word) -> Result {
        let mut operands = vec![id(pointer), id(word)];
        operands.extend(self.access(place, true)?);
        self.e.b.effect(Spv::Store, operands);
        Ok(())
    }

    /// Returns the pointer of a place value. It is created once in a block.
    pub(super) fn pointer_of(&mut self, value: ValueId) -> Result<Word> {
        if let Some(&(block, known)) = self.chains.get(&value)
            && block == self.block
        {
            return Ok(known);
        }
        let place = self.place(value)?.clone();
        let pointer = self.new_pointer(&place)?;
        self.chains.insert(value, (self.block, pointer));
        Ok(pointer)
    }

    fn new_pointer(&mut self, place: &Place) -> Result<Word> {
        self.touches(place);
        self.e.pointer(place)
    }

    /// Records the use of the global variable that contains the place.
    fn touches(&mut self, place: &Place) {
        let global = match place.space {
            Space::Function | Space::NodeOutput | Space::Physical { .. } | Space::Image => false,
            Space::Private
            | Space::Workgroup
            | Space::MeshOutput
            | Space::Storage { .. }
            | Space::Uniform
            | Space::PushConstant
            | Space::NodeInput => true,
        };
        if global {
            self.uses_global(place.base);
        }
    }

    /// Returns the memory operands of a load or store.
    ///
    /// Under the Vulkan memory model, only non-private accesses are ordered between threads, and so made available by
    /// barriers and atomics. In addition, coherent memory is made available and visible to the device at each access.
    /// GLSL450 has neither: `Coherent` decorates the variable instead.
    fn access(&mut self, place: &Place, store: bool) -> Result<Vec<Operand>> {
        let mut flags = MemoryAccess::NONE;
        let mut operands = Vec::new();
        let (shared, coherent, physical) = match place.space {
            Space::Workgroup => (true, false, false),
            Space::Storage { coherent } => (place.writable, coherent, false),
            Space::Physical { coherent } => (true, coherent, true),
            _ => (false, false, false),
        };
        if physical {
            flags |= MemoryAccess::ALIGNED;
            operands.push(lit(place.align));
        }
        if self.e.target.vulkan_memory_model {
            if shared {
                flags |= MemoryAccess::NON_PRIVATE_POINTER;
            }
            if shared && coherent {
                flags |= if store { MemoryAccess::MAKE_POINTER_AVAILABLE } else { MemoryAccess::MAKE_POINTER_VISIBLE };
                operands.push(Operand::IdScope(self.device_scope()));
            }
        } else if physical && coherent {
            return Err(EmitError::new("coherent physical memory needs the Vulkan memory model"));
        }
        if flags.is_empty() {
            return Ok(Vec::new());
        }
        operands.insert(0, Operand::MemoryAccess(flags));
        Ok(operands)
    }

    /// Returns the scope of all invocations of the device, which needs a capability under the Vulkan memory model.
    pub(super) fn device_scope(&mut self) -> Word {
        if self.e.target.vulkan_memory_model {
            self.e.b.capability(Capability::VulkanMemoryModelDeviceScope);
        }
        self.e.u32_constant(Scope::Device as u32)
    }

    pub(super) fn array_length(&mut self, place: ValueId) -> Result<Word> {
        let place = self.place(place)?.clone();
        self.touches(&place);
        let buffer = match (place.space, place.block, place.indexes.as_slice()) {
            (Space::Storage { .. }, None, [_]) => place.base,
            (Space::Storage { .. }, Some(layout), [element, _]) => {
                let indexes = vec![*element];
                self.e.pointer(&Place { indexes, content: Content::Memory(layout), ..place.clone() })?
            }
            _ => return Err(EmitError::new("only the array of a buffer has a length")),
        };
        let ty = self.e.scalar_type(wgc_ir::Scalar::U32);
        Ok(self.e.b.op(Spv::ArrayLength, ty, vec![id(buffer), lit(0)]))
    }
}
