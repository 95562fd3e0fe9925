//! Rules about scopes, memory semantics, atomics and barriers (SPIR-V 3.25, 3.27, 3.49.18, 3.49.20; Vulkan "Scope").

use super::{Checker, rules};
use crate::constant::Value;
use crate::module::{Id, Inst};
use crate::types::Type;
use spirv::{Capability, MemorySemantics as S, Op, Scope, StorageClass};

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    match op {
        Op::ControlBarrier => {
            check_execution_scope(c, inst, c.operand(inst, 0));
            check_memory_scope(c, inst, c.operand(inst, 1));
            check_semantics(c, inst, c.operand(inst, 2), Order::Any);
        }
        Op::MemoryBarrier => {
            check_memory_scope(c, inst, c.operand(inst, 0));
            check_semantics(c, inst, c.operand(inst, 1), Order::Some);
        }
        Op::AtomicLoad => parts(c, inst, 0, &[(2, Order::Load)]),
        Op::AtomicStore => parts(c, inst, 0, &[(2, Order::Store)]),
        Op::AtomicCompareExchange => parts(c, inst, 0, &[(2, Order::Any), (3, Order::Load)]),
        Op::AtomicExchange | Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => {
            parts(c, inst, 0, &[(2, Order::Any)]);
        }
        _ if is_integer_atomic(op) => parts(c, inst, 0, &[(2, Order::Any)]),
        Op::ReadClockKHR => check_clock_scope(c, inst),
        _ if is_group(op) => check_execution_scope(c, inst, c.operand(inst, 0)),
        _ => return,
    }
    if let Err(message) = atomic(c, op, inst) {
        c.at(rules::ATOMIC, inst, message);
    }
}

/// Returns whether an instruction is a read-modify-write atomic of integers, except those that compare or exchange
/// whole values.
pub(super) fn is_integer_atomic(op: Op) -> bool {
    matches!(
        op,
        Op::AtomicIIncrement
            | Op::AtomicIDecrement
            | Op::AtomicIAdd
            | Op::AtomicISub
            | Op::AtomicSMin
            | Op::AtomicUMin
            | Op::AtomicSMax
            | Op::AtomicUMax
            | Op::AtomicAnd
            | Op::AtomicOr
            | Op::AtomicXor
    )
}

fn is_group(op: Op) -> bool {
    (Op::GroupNonUniformElect..=Op::GroupNonUniformQuadSwap).contains(&op) || op == Op::GroupNonUniformRotateKHR
}

/// Checks scope and semantics of an atomic.
fn parts(c: &mut Checker, inst: &Inst, pointer: usize, semantics: &[(usize, Order)]) {
    check_memory_scope(c, inst, c.operand(inst, pointer + 1));
    for (at, order) in semantics {
        check_semantics(c, inst, c.operand(inst, *at), *order);
    }
}

/// Returns the constant value of a scope or mask; `None` if it is not a constant or its value is unknown.
fn constant(c: &mut Checker, rule: &'static rules::Rule, inst: &Inst, id: Id, what: &str) -> Option<u32> {
    let integer = matches!(c.m.ty(c.m.type_of(id)), Some(Type::Int { width: 32, .. }));
    let known = c.m.constants.get(&id).filter(|k| !matches!(k.value, Value::Undef));
    let is_constant = known.is_some();
    if !integer || !is_constant && !c.is_kernel() {
        let message = format!("{what} {} is not a 32-bit integer constant", c.m.describe(id));
        c.at(rule, inst, message);
        return None;
    }
    c.m.constant_u32(id)
}

fn check_execution_scope(c: &mut Checker, inst: &Inst, id: Id) {
    let Some(value) = constant(c, rules::SCOPE, inst, id, "scope") else { return };
    let group = inst.op().is_some_and(is_group);
    let fits = match Scope::from_u32(value) {
        Some(Scope::Subgroup) => true,
        Some(Scope::Workgroup) => !group,
        Some(_) => c.is_kernel(),
        None => false,
    };
    if !fits {
        c.at(rules::SCOPE, inst, format!("unsupported execution scope {value}"));
    }
}

/// Checks that a clock is that of the subgroup or of the device (VUID-StandaloneSpirv-OpReadClockKHR-04652).
fn check_clock_scope(c: &mut Checker, inst: &Inst) {
    let Some(value) = constant(c, rules::SCOPE, inst, c.operand(inst, 0), "scope") else { return };
    if !matches!(Scope::from_u32(value), Some(Scope::Subgroup | Scope::Device)) && !c.is_kernel() {
        c.at(rules::SCOPE, inst, format!("unsupported scope {value} of a clock"));
    }
}

/// Checks that Vulkan supports a memory scope. The whole device needs a capability under the Vulkan memory model.
pub(super) fn check_memory_scope(c: &mut Checker, inst: &Inst, id: Id) {
    let Some(value) = constant(c, rules::SCOPE, inst, id, "scope") else { return };
    let vulkan = c.vulkan_memory_model();
    let message = match Scope::from_u32(value) {
        Some(Scope::Device) if vulkan && !c.m.has_capability(Capability::VulkanMemoryModelDeviceScope) => {
            Some("the scope Device needs VulkanMemoryModelDeviceScope".to_string())
        }
        Some(Scope::QueueFamily) if !vulkan => Some("the scope QueueFamily outside the Vulkan memory model".into()),
        Some(Scope::Device | Scope::Workgroup | Scope::Subgroup | Scope::Invocation | Scope::QueueFamily) => None,
        Some(Scope::ShaderCallKHR) if c.m.has_capability(Capability::RayTracingKHR) => None,
        Some(Scope::CrossDevice) if c.is_kernel() => None,
        _ => Some(format!("unsupported memory scope {value}")),
    };
    if let Some(message) = message {
        c.at(rules::SCOPE, inst, message);
    }
}

/// The memory orders that an instruction may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Any,
    /// At least one order: a memory barrier without order does nothing, and Vulkan forbids it.
    Some,
    /// No release.
    Load,
    /// No acquire.
    Store,
}

fn check_semantics(c: &mut Checker, inst: &Inst, id: Id, allowed: Order) {
    let Some(value) = constant(c, rules::SEMANTICS, inst, id, "semantics") else { return };
    let bits = S::from_bits_truncate(value);
    let orders = S::ACQUIRE | S::RELEASE | S::ACQUIRE_RELEASE | S::SEQUENTIALLY_CONSISTENT;
    let memory = S::UNIFORM_MEMORY
        | S::SUBGROUP_MEMORY
        | S::WORKGROUP_MEMORY
        | S::CROSS_WORKGROUP_MEMORY
        | S::ATOMIC_COUNTER_MEMORY
        | S::IMAGE_MEMORY
        | S::OUTPUT_MEMORY;
    let order = bits & orders;
    let barrier = matches!(inst.op(), Some(Op::ControlBarrier | Op::MemoryBarrier));
    let releases = order.intersects(S::RELEASE | S::ACQUIRE_RELEASE | S::SEQUENTIALLY_CONSISTENT);
    let acquires = order.intersects(S::ACQUIRE | S::ACQUIRE_RELEASE | S::SEQUENTIALLY_CONSISTENT);
    let message = if order.bits().count_ones() > 1 {
        Some("more than one order")
    } else if c.vulkan_memory_model() && order.contains(S::SEQUENTIALLY_CONSISTENT) {
        Some("SequentiallyConsistent is not allowed under the Vulkan memory model")
    } else if allowed == Order::Load && releases && !acquires || allowed == Order::Load && order == S::ACQUIRE_RELEASE {
        Some("a load cannot release")
    } else if allowed == Order::Store && acquires && order != S::SEQUENTIALLY_CONSISTENT {
        Some("a store cannot acquire")
    } else if allowed == Order::Some && order.is_empty() && !c.is_kernel() {
        Some("a barrier needs a memory order")
    } else if barrier && order.is_empty() && value != 0 && !c.is_kernel() {
        Some("memory without a memory order")
    } else if barrier && !order.is_empty() && !bits.intersects(memory) && !c.is_kernel() {
        Some("a memory order without memory")
    } else if bits.contains(S::MAKE_AVAILABLE) && !releases {
        Some("MakeAvailable without release")
    } else if bits.contains(S::MAKE_VISIBLE) && !acquires {
        Some("MakeVisible without acquire")
    } else if bits.intersects(S::MAKE_AVAILABLE | S::MAKE_VISIBLE) && !c.vulkan_memory_model() {
        Some("MakeAvailable or MakeVisible outside the Vulkan memory model")
    } else {
        None
    };
    if let Some(message) = message {
        c.at(rules::SEMANTICS, inst, message);
    }
}

fn atomic(c: &Checker, op: Op, inst: &Inst) -> Result<(), String> {
    let floats = matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
    let moves = matches!(op, Op::AtomicLoad | Op::AtomicStore | Op::AtomicExchange);
    if !floats && !moves && op != Op::AtomicCompareExchange && !is_integer_atomic(op) {
        return Ok(());
    }
    let pointer = c.operand(inst, 0);
    let Some((class, pointee)) = c.pointer(pointer) else {
        return Err(format!("{} is not a pointer", c.m.describe(pointer)));
    };
    let shared = matches!(
        class,
        StorageClass::Uniform
            | StorageClass::StorageBuffer
            | StorageClass::Workgroup
            | StorageClass::Image
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::TaskPayloadWorkgroupEXT
            | StorageClass::NodePayloadAMDX
            | StorageClass::CrossWorkgroup
            | StorageClass::Generic
    );
    if !shared {
        return Err(format!("no atomics in {class:?}"));
    }
    let fits = match c.m.ty(pointee) {
        Some(Type::Int { width: 32 | 64, .. }) => !floats,
        Some(Type::Float { .. }) => floats || moves,
        _ => false,
    };
    if !fits {
        return Err(format!("no atomics on {}", c.type_name(pointee)));
    }
    if inst.ty != 0 && inst.ty != pointee {
        return Err(format!("the result is {}, but the memory holds {}", c.type_name(inst.ty), c.type_name(pointee)));
    }
    // Values follow scope and semantics; the comparator is the last operand.
    let values: &[usize] = match op {
        Op::AtomicLoad | Op::AtomicIIncrement | Op::AtomicIDecrement => &[],
        Op::AtomicCompareExchange => &[4, 5],
        _ => &[3],
    };
    for &at in values {
        let value = c.operand(inst, at);
        if c.m.type_of(value) != pointee {
            return Err(format!("{} is not a {}", c.m.describe(value), c.type_name(pointee)));
        }
    }
    Ok(())
}
