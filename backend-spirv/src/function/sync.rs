//! Atomics and barriers: scopes and memory semantics under both memory models.

use super::{FunctionEmitter, Result};
use crate::EmitError;
use crate::builder::id;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, MemorySemantics, Op as Spv, Scope as SpvScope, StorageClass, Word};
use wgc_ir::{AtomicOp, Barrier, MemoryFlags, MemoryOrder, Scalar, Scope, Type, ValueId};

/// The warning about atomics on a payload.
const PAYLOAD_ATOMIC: &str =
    "atomic on a node record: the specification of the native target makes concurrent access to a record a data race";

/// Returns the kinds of memory that a barrier orders. SPV_AMDX_shader_enqueue defines no bit for payloads. Records are
/// ordered with buffers, since the emulated target stores them there.
fn barrier_memory(memory: MemoryFlags) -> MemorySemantics {
    let mut semantics = MemorySemantics::RELAXED;
    if memory.uav {
        semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
    }
    if memory.group_shared {
        semantics |= MemorySemantics::WORKGROUP_MEMORY;
    }
    if memory.node_input || memory.node_output {
        semantics |= MemorySemantics::UNIFORM_MEMORY;
    }
    semantics
}

impl FunctionEmitter<'_, '_> {
    fn scope(&mut self, scope: Scope) -> Word {
        match scope {
            Scope::Workgroup => self.e.u32_constant(SpvScope::Workgroup as u32),
            Scope::Device => self.device_scope(),
        }
    }

    fn semantics(&mut self, semantics: MemorySemantics) -> Word {
        self.e.u32_constant(semantics.bits())
    }

    /// Adds availability and visibility, which the Vulkan memory model requires explicitly.
    fn with_availability(&self, order: MemorySemantics, memory: MemorySemantics) -> MemorySemantics {
        let mut semantics = order | memory;
        if self.e.target.vulkan_memory_model {
            let both = MemorySemantics::ACQUIRE_RELEASE;
            if order.intersects(MemorySemantics::RELEASE | both) {
                semantics |= MemorySemantics::MAKE_AVAILABLE;
            }
            if order.intersects(MemorySemantics::ACQUIRE | both) {
                semantics |= MemorySemantics::MAKE_VISIBLE;
            }
        }
        semantics
    }

    pub(super) fn barrier(&mut self, barrier: Barrier) {
        let memory = match barrier.scope {
            Some(_) => barrier_memory(barrier.memory),
            // A thread sees its own accesses in order without a barrier.
            None => MemorySemantics::RELAXED,
        };
        let scope = self.scope(barrier.scope.unwrap_or(Scope::Workgroup));
        let semantics = if memory.is_empty() {
            MemorySemantics::RELAXED
        } else {
            self.with_availability(MemorySemantics::ACQUIRE_RELEASE, memory)
        };
        let semantics_word = self.semantics(semantics);
        let ordering = [Operand::IdScope(scope), Operand::IdMemorySemantics(semantics_word)];
        if barrier.group_sync {
            let workgroup = self.scope(Scope::Workgroup);
            let [scope, semantics] = ordering;
            self.e.b.effect(Spv::ControlBarrier, vec![Operand::IdScope(workgroup), scope, semantics]);
        } else if !semantics.is_empty() {
            self.e.b.effect(Spv::MemoryBarrier, ordering.to_vec());
        }
    }

    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        place: ValueId,
        value: ValueId,
        comparator: Option<ValueId>,
        (scope, order): (Scope, MemoryOrder),
        ty: &Type,
    ) -> Result<Word> {
        let Type::Scalar(scalar) = *ty else { return Err(EmitError::new(format!("an atomic on {ty}"))) };
        let class = self.place(place)?.class();
        let memory = match class {
            StorageClass::Workgroup => MemorySemantics::WORKGROUP_MEMORY,
            StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => MemorySemantics::UNIFORM_MEMORY,
            StorageClass::Image => MemorySemantics::IMAGE_MEMORY,
            StorageClass::NodePayloadAMDX => {
                let function = self.f.name.clone();
                let at = self.written_at();
                self.e.warn(crate::WarningKind::PayloadAtomic, PAYLOAD_ATOMIC, &function, at);
                MemorySemantics::UNIFORM_MEMORY
            }
            _ => return Err(EmitError::new("an atomic on memory that no other thread sees")),
        };
        if scalar.size() == 8 {
            self.e.b.capability(Capability::Int64Atomics);
            if class == StorageClass::Image {
                self.e.b.capability(Capability::Int64ImageEXT);
            }
        }
        let pointer = self.pointer_of(place)?;
        let scope = Operand::IdScope(self.scope(scope));
        let order = |emitter: &mut Self, acquire_release: MemorySemantics| {
            let semantics = match order {
                MemoryOrder::Relaxed => MemorySemantics::RELAXED,
                MemoryOrder::AcquireRelease => emitter.with_availability(acquire_release, memory),
            };
            Operand::IdMemorySemantics(emitter.semantics(semantics))
        };
        let result = self.e.value_type(ty)?;
        Ok(match op {
            AtomicOp::Load => {
                let semantics = order(self, MemorySemantics::ACQUIRE);
                self.e.b.op(Spv::AtomicLoad, result, vec![id(pointer), scope, semantics])
            }
            AtomicOp::Store => {
                let (semantics, word) = (order(self, MemorySemantics::RELEASE), self.word(value)?);
                self.e.b.effect(Spv::AtomicStore, vec![id(pointer), scope, semantics, id(word)]);
                self.e.undef(ty)?
            }
            AtomicOp::CompareExchange => {
                let comparator = comparator.ok_or_else(|| EmitError::new("a compare-exchange without comparator"))?;
                let (equal, unequal) = (
                    order(self, MemorySemantics::ACQUIRE_RELEASE),
                    // A failed exchange has written nothing, so it releases nothing.
                    order(self, MemorySemantics::ACQUIRE),
                );
                let (word, comparator) = (self.word(value)?, self.word(comparator)?);
                let operands = vec![id(pointer), scope, equal, unequal, id(word), id(comparator)];
                self.e.b.op(Spv::AtomicCompareExchange, result, operands)
            }
            _ => {
                let spv = read_modify_write(op, scalar)
                    .ok_or_else(|| EmitError::new(format!("atomic {op:?} on {}", Type::Scalar(scalar))))?;
                let (semantics, word) = (order(self, MemorySemantics::ACQUIRE_RELEASE), self.word(value)?);
                self.e.b.op(spv, result, vec![id(pointer), scope, semantics, id(word)])
            }
        })
    }
}

fn read_modify_write(op: AtomicOp, scalar: Scalar) -> Option<Spv> {
    if op == AtomicOp::Exchange {
        return Some(Spv::AtomicExchange);
    }
    if !scalar.is_integer() {
        return None;
    }
    Some(match (op, scalar.is_signed()) {
        (AtomicOp::Add, _) => Spv::AtomicIAdd,
        (AtomicOp::And, _) => Spv::AtomicAnd,
        (AtomicOp::Or, _) => Spv::AtomicOr,
        (AtomicOp::Xor, _) => Spv::AtomicXor,
        (AtomicOp::Min, true) => Spv::AtomicSMin,
        (AtomicOp::Min, false) => Spv::AtomicUMin,
        (AtomicOp::Max, true) => Spv::AtomicSMax,
        (AtomicOp::Max, false) => Spv::AtomicUMax,
        (AtomicOp::SignedMin, _) => Spv::AtomicSMin,
        (AtomicOp::SignedMax, _) => Spv::AtomicSMax,
        (AtomicOp::Exchange | AtomicOp::CompareExchange | AtomicOp::Load | AtomicOp::Store, _) => return None,
    })
}
