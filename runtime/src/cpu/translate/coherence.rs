//! The pointers and handles that are `Coherent`: other workgroups see their plain accesses after a barrier.
//!
//! Under GLSL450 the decoration of a variable, or of a member on the path, decides. Under the Vulkan memory model a
//! barrier makes available all memory that is not private to an invocation, so no decoration is needed. Function
//! parameters, pointers chosen from several, and addresses in buffers are not followed: they count as coherent.

use super::Translator;
use spirv::{Decoration, MemoryModel};
use wgc_spirv_module::module::Global;
use wgc_spirv_module::{Id, Type};

impl Translator<'_> {
    /// Records the coherence of a variable that other workgroups can reach.
    pub(super) fn declare_coherence(&mut self, global: &Global) {
        let vulkan = self.m.memory_model.as_ref().is_some_and(|model| model.1 == MemoryModel::Vulkan as u32);
        if !vulkan && self.m.decoration(global.id, None, Decoration::Coherent).is_none() {
            self.incoherent.insert(global.id);
        }
    }

    /// Gives a pointer or handle another id.
    pub(super) fn same_coherence(&mut self, id: Id, from: Id) {
        if self.incoherent.contains(&from) {
            self.incoherent.insert(id);
        }
    }

    /// Sets the coherence of a loaded handle. For a pointer that was loaded from a buffer, the buffer's decorations do
    /// not matter.
    pub(super) fn loaded_coherence(&mut self, id: Id, ty: Id, from: Id) {
        if matches!(self.m.ty(ty), Some(Type::Image(_) | Type::SampledImage { .. })) {
            self.same_coherence(id, from);
        }
    }

    /// Returns whether a member is coherent that its variable is not.
    pub(super) fn is_coherent_member(&self, structure: Id, member: u32) -> bool {
        self.m.decoration(structure, Some(member), Decoration::Coherent).is_some()
    }
}
