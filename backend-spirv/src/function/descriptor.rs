//! Elements of arrays of resources.
//!
//! An index may differ between the threads of a subgroup. Then the pointer, and any value loaded through it, is
//! `NonUniform` (SPV_EXT_descriptor_indexing, core in SPIR-V 1.5). Vulkan reads the decoration from the instruction
//! that accesses the resource.

use super::image::Image;
use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::id;
use crate::globals::DescriptorKind;
use crate::place::{Content, Place};
use rspirv::spirv::{Capability, Op as Spv, StorageClass, Word};
use rustc_hash::FxHashSet;
use wgc_ir::{Op, Type, ValueId};

impl FunctionEmitter<'_, '_> {
    pub(super) fn descriptor(&mut self, array: ValueId, index: ValueId) -> Result<Slot> {
        let Slot::Descriptors { variable, kind } = *self.slot(array)? else {
            return Err(EmitError::new("control flow chooses the array of resources"));
        };
        let non_uniform = self.is_non_uniform(index);
        let (dynamic, divergent) = kind.indexing();
        if let Some(dynamic) = dynamic.filter(|_| self.constant(index).is_none()) {
            // The texel buffers' capabilities came with descriptor indexing, the others with the first shaders.
            self.e.b.capability(dynamic);
        }
        if non_uniform {
            self.e.b.capability(Capability::ShaderNonUniform);
            if let Some(divergent) = divergent {
                self.e.b.capability(divergent);
            }
        }
        let index = self.as_u32(index)?;
        match kind {
            DescriptorKind::Block { space, layout, writable, wrapped } => {
                let mut place = Place::new(variable, space, Content::Memory(layout));
                place.indexes.push(index);
                place.block = Some(layout);
                (place.writable, place.non_uniform) = (writable, non_uniform);
                if wrapped {
                    self.e.enter_field(&mut place, 0)?;
                }
                Ok(Slot::Place(place))
            }
            DescriptorKind::Image(ty, format) => {
                let word = self.e.image_type(ty, format)?;
                let (pointer, value) = self.load_descriptor(variable, index, word, non_uniform);
                Ok(Slot::Image(Image { value, pointer, ty, format }))
            }
            DescriptorKind::AccelerationStructure => {
                let word = self.e.value_type(&Type::AccelerationStructure)?;
                Ok(Slot::AccelerationStructure(self.load_descriptor(variable, index, word, non_uniform).1))
            }
            DescriptorKind::Sampler => {
                let word = self.e.value_type(&Type::Sampler)?;
                Ok(Slot::Sampler(self.load_descriptor(variable, index, word, non_uniform).1))
            }
        }
    }

    /// Loads an element of an array of images or samplers. Returns its pointer and value.
    fn load_descriptor(&mut self, variable: Word, index: Word, ty: Word, non_uniform: bool) -> (Word, Word) {
        let pointer = self.e.b.pointer_type(StorageClass::UniformConstant, ty);
        let element = self.e.b.op(Spv::AccessChain, pointer, vec![id(variable), id(index)]);
        let value = self.e.b.op(Spv::Load, ty, vec![id(element)]);
        if non_uniform {
            self.e.non_uniform(element);
            self.e.non_uniform(value);
        }
        (element, value)
    }

    /// Returns whether the value was computed from one that is marked as non-uniform.
    fn is_non_uniform(&self, value: ValueId) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![value];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.f.value(id).map(|v| &v.op) {
                Some(Op::NonUniform(_)) => return true,
                // Values loaded from memory are not followed.
                Some(op) if op.is_pure() => op.for_each_operand(|operand| work.push(operand)),
                _ => {}
            }
        }
        false
    }
}
