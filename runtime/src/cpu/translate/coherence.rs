//! Which pointers and handles are `Coherent`: whose plain accesses other workgroups see behind a barrier.
//!
//! Under GLSL450 the decoration says it, of a variable or of a member on the way. Under the Vulkan memory model a barrier
//! makes available whatever is not private to an invocation, so nothing is asked for. What a function gets as a parameter,
//! what is chosen between pointers, and what is an address in a buffer is not followed: it counts as coherent.

use super::Translator;
use spirv::{Decoration, MemoryModel};
use wgc_spirv_module::module::Global;
use wgc_spirv_module::{Id, Type};

impl Translator<'_> {
    /// Looks at a variable that other workgroups can reach.
    pub(super) fn declare_coherence(&mut self, global: &Global) {
        let vulkan = self.m.memory_model.as_ref().is_some_and(|model| model.1 == MemoryModel::Vulkan as u32);
        if !vulkan && self.m.decoration(global.id, None, Decoration::Coherent).is_none() {
            self.incoherent.insert(global.id);
        }
    }

    /// A pointer or handle under another id.
    pub(super) fn same_coherence(&mut self, id: Id, from: Id) {
        if self.incoherent.contains(&from) {
            self.incoherent.insert(id);
        }
    }

    /// The handle that a load gives. A pointer that lies in a buffer has nothing to do with the buffer's decorations.
    pub(super) fn loaded_coherence(&mut self, id: Id, ty: Id, from: Id) {
        if matches!(self.m.ty(ty), Some(Type::Image(_) | Type::SampledImage { .. })) {
            self.same_coherence(id, from);
        }
    }

    /// Whether a member is coherent that its variable is not.
    pub(super) fn is_coherent_member(&self, structure: Id, member: u32) -> bool {
        self.m.decoration(structure, Some(member), Decoration::Coherent).is_some()
    }
}
