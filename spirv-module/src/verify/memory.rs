//! Rules about variables, loads, stores, copies and access chains (SPIR-V 3.49.8).

use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::Type;
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration, MemoryAccess, Op, StorageClass};

/// Checks a variable outside functions.
pub(super) fn check_global(c: &mut Checker, inst: &Inst) {
    if let Err(message) = variable(c, inst, true) {
        c.at(rules::VARIABLE, inst, message);
    }
    if let Err(message) = aliasing(c, inst) {
        c.at(rules::PHYSICAL, inst, message);
    }
}

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    if matches!(op, Op::Phi | Op::Select | Op::Load)
        && let Some(Type::Pointer { class, .. }) = c.m.ty(inst.ty)
        && *class != StorageClass::PhysicalStorageBuffer
        && !c.is_kernel()
        && !has_variable_pointers(c, *class)
    {
        let message =
            format!("only a variable, an access chain or a dedicated instruction can give a pointer into {class:?}");
        c.at(rules::POINTER, inst, message);
    }
    match op {
        Op::Variable => {
            if let Err(message) = variable(c, inst, false) {
                c.at(rules::VARIABLE, inst, message);
            }
            if let Err(message) = aliasing(c, inst) {
                c.at(rules::PHYSICAL, inst, message);
            }
        }
        Op::Load => {
            access(c, inst, 0, Some(inst.ty), false);
            mask(c, inst, 1, 0, Access::Load);
        }
        Op::Store => {
            let ty = c.m.type_of(c.operand(inst, 1));
            access(c, inst, 0, Some(ty), true);
            mask(c, inst, 2, 0, Access::Store);
        }
        Op::CopyMemory => {
            let ty = c.pointer(c.operand(inst, 1)).map_or(0, |p| p.1);
            access(c, inst, 0, Some(ty), true);
            access(c, inst, 1, None, false);
        }
        Op::AccessChain | Op::InBoundsAccessChain => {
            if let Err(message) = chain(c, inst, 1) {
                c.at(rules::ACCESS_CHAIN, inst, message);
            }
        }
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => compared(c, op, inst),
        Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
            if let Err(message) = chain(c, inst, 2) {
                c.at(rules::ACCESS_CHAIN, inst, message);
            }
        }
        Op::ArrayLength => {
            if let Err(message) = array_length(c, inst) {
                c.at(rules::OPERANDS, inst, message);
            }
        }
        _ => {}
    }
}

fn variable(c: &Checker, inst: &Inst, global: bool) -> Result<(), String> {
    let Some(Type::Pointer { class, pointee }) = c.m.ty(inst.ty) else {
        return Err(format!("{} is not a pointer type", c.m.describe(inst.ty)));
    };
    let declared_class = StorageClass::from_u32(c.operand(inst, 0));
    if declared_class != Some(*class) {
        return Err(format!("its storage class is {declared_class:?}, but that of its type is {class:?}"));
    }
    if global == (*class == StorageClass::Function) {
        let place = if global { "outside functions" } else { "in a function" };
        return Err(format!("storage class {class:?} is not allowed {place}"));
    }
    if matches!(class, StorageClass::PhysicalStorageBuffer | StorageClass::Generic) {
        return Err(format!("no variable can be in {class:?}"));
    }
    if matches!(c.m.ty(*pointee), Some(Type::Void | Type::Function { .. })) {
        return Err(format!("holds {}", c.type_name(*pointee)));
    }
    super::rays::variable(c, *class, *pointee)?;
    let opaque = matches!(c.m.ty(*pointee), Some(Type::Image(_) | Type::Sampler | Type::SampledImage { .. }));
    if opaque && !matches!(class, StorageClass::UniformConstant | StorageClass::Function) {
        return Err(format!("an image or sampler cannot be in {class:?}"));
    }
    if *class == StorageClass::UniformConstant && !c.is_kernel() && !is_handle(c, *pointee) {
        return Err(format!(
            "it holds {}, which is not an image, sampler or acceleration structure",
            c.type_name(*pointee)
        ));
    }
    if matches!(c.m.ty(*pointee), Some(Type::RuntimeArray { .. })) && !is_descriptor_class(*class) {
        return Err("a runtime array must be the last member of a block".into());
    }
    let Some(&initializer) = c.m.operands(inst).get(1) else { return Ok(()) };
    let constant = c.m.constants.get(&initializer);
    if constant.is_none() && !c.m.globals.contains_key(&initializer) {
        return Err(format!("{} is not a constant", c.m.describe(initializer)));
    }
    if c.m.type_of(initializer) != *pointee {
        return Err(format!("initialised by {}", c.type_name(c.m.type_of(initializer))));
    }
    let null = constant.is_some_and(|k| k.value == crate::constant::Value::Null);
    match class {
        StorageClass::Output | StorageClass::Private | StorageClass::Function => Ok(()),
        StorageClass::Workgroup if null => Ok(()),
        StorageClass::UniformConstant | StorageClass::CrossWorkgroup if c.is_kernel() => Ok(()),
        _ => Err(format!("a variable of {class:?} cannot have an initialiser")),
    }
}

/// Checks a comparison of pointers.
fn compared(c: &mut Checker, op: Op, inst: &Inst) {
    let types = [0, 1].map(|at| c.m.type_of(c.operand(inst, at)));
    let Some((class, _)) = c.pointer(c.operand(inst, 0)).filter(|_| types[0] == types[1]) else {
        c.at(rules::OPERANDS, inst, "the operands must be pointers of one type");
        return;
    };
    let fits = match c.m.ty(inst.ty) {
        Some(Type::Int { .. }) => op == Op::PtrDiff,
        Some(Type::Bool) => op != Op::PtrDiff,
        _ => false,
    };
    if !fits {
        c.at(rules::OPERANDS, inst, format!("the result cannot be {}", c.type_name(inst.ty)));
    }
    if class != StorageClass::PhysicalStorageBuffer && !c.is_kernel() && !has_variable_pointers(c, class) {
        c.at(rules::POINTER, inst, format!("pointers into {class:?} cannot be compared"));
    }
}

/// Returns whether pointers into a storage class may be selected at run time.
pub(super) fn has_variable_pointers(c: &Checker, class: StorageClass) -> bool {
    let all = c.m.has_capability(Capability::VariablePointers);
    match class {
        StorageClass::StorageBuffer => all || c.m.has_capability(Capability::VariablePointersStorageBuffer),
        StorageClass::Workgroup => all,
        _ => false,
    }
}

/// Returns whether a type is an opaque resource, or an array of them.
fn is_handle(c: &Checker, ty: Id) -> bool {
    let one = match c.m.ty(ty) {
        Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => c.m.ty(*element),
        other => other,
    };
    match one {
        Some(Type::Image(_) | Type::Sampler | Type::SampledImage { .. }) => true,
        Some(Type::Other { opcode }) => *opcode == Op::TypeAccelerationStructureKHR as u16,
        _ => false,
    }
}

pub(super) fn is_descriptor_class(class: StorageClass) -> bool {
    matches!(class, StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer)
}

/// Checks that a structure that ends in a runtime array is the block of a buffer
/// (VUID-StandaloneSpirv-OpTypeRuntimeArray-04680).
pub(super) fn check_unsized(c: &mut Checker) {
    let mut unsized_types = FxHashSet::default();
    for inst in &c.m.declarations {
        let ends_in_one = match c.m.ty(inst.result) {
            Some(Type::RuntimeArray { .. }) => true,
            Some(Type::Array { element, .. }) => unsized_types.contains(element),
            Some(Type::Struct { members }) => members.iter().any(|member| unsized_types.contains(member)),
            _ => false,
        };
        if ends_in_one {
            unsized_types.insert(inst.result);
        }
    }
    if unsized_types.is_empty() || c.is_kernel() {
        return;
    }
    let locals = c.m.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| &b.insts));
    for inst in c.m.declarations.iter().chain(locals).filter(|inst| inst.op() == Some(Op::Variable)) {
        let Some(Type::Pointer { class, pointee }) = c.m.ty(inst.ty) else { continue };
        let structure = match c.m.ty(*pointee) {
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => *element,
            _ => *pointee,
        };
        // [`variable`] checks variables that are runtime arrays.
        if !unsized_types.contains(&structure) || !matches!(c.m.ty(structure), Some(Type::Struct { .. })) {
            continue;
        }
        let old = c.m.decoration(structure, None, Decoration::BufferBlock).is_some();
        // `interface` checks that structures of storage buffers are blocks.
        if *class != StorageClass::StorageBuffer && !(*class == StorageClass::Uniform && old) {
            let name = c.m.describe(structure);
            c.at(
                rules::VARIABLE,
                inst,
                format!("it holds {name}, which ends in a runtime array but is not the block of a buffer"),
            );
        }
    }
}

/// Checks that a variable that is a physical pointer (or an array of them) declares its aliasing.
fn aliasing(c: &Checker, inst: &Inst) -> Result<(), String> {
    let Some(Type::Pointer { mut pointee, .. }) = c.m.ty(inst.ty).cloned() else { return Ok(()) };
    for _ in 0..=c.m.types.len() {
        match c.m.ty(pointee) {
            Some(Type::Array { element, .. }) if *element != pointee => pointee = *element,
            _ => break,
        }
    }
    if !matches!(c.m.ty(pointee), Some(Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. })) {
        return Ok(());
    }
    let count = [Decoration::AliasedPointer, Decoration::RestrictPointer]
        .iter()
        .filter(|d| c.m.decoration(inst.result, None, **d).is_some())
        .count();
    match count {
        1 => Ok(()),
        0 => Err("it holds a physical pointer, but is neither AliasedPointer nor RestrictPointer".into()),
        _ => Err("it is both AliasedPointer and RestrictPointer".into()),
    }
}

/// Checks the pointer of a load or store: it points to the type, and written memory is writable.
fn access(c: &mut Checker, inst: &Inst, index: usize, ty: Option<Id>, write: bool) {
    let id = c.operand(inst, index);
    let result = match c.pointer(id) {
        None => Err(format!("{} is not a pointer", c.m.describe(id))),
        Some((_, pointee)) if ty.is_some_and(|ty| ty != pointee) => Err(format!(
            "{} points to {}, not to {}",
            c.m.describe(id),
            c.type_name(pointee),
            c.type_name(ty.unwrap_or(0))
        )),
        Some((_, pointee))
            if matches!(c.m.ty(pointee), Some(Type::RuntimeArray { .. } | Type::Void | Type::Function { .. })) =>
        {
            Err(format!("{} is not a value", c.type_name(pointee)))
        }
        Some((class, _)) if write && is_read_only(c, class, id) => Err(format!("shaders cannot write {class:?}")),
        Some(_) => Ok(()),
    };
    if let Err(message) = result {
        c.at(rules::MEMORY_ACCESS, inst, message);
    }
}

fn is_read_only(c: &Checker, class: StorageClass, id: Id) -> bool {
    match class {
        StorageClass::Input | StorageClass::PushConstant | StorageClass::UniformConstant => !c.is_kernel(),
        StorageClass::Uniform => !is_buffer_block(c, id),
        _ => false,
    }
}

/// Returns whether a pointer of the class Uniform points into a storage buffer of the old style.
fn is_buffer_block(c: &Checker, mut id: Id) -> bool {
    // The chain is no longer than the number of instructions.
    for _ in 0..c.m.words.len() {
        match c.m.inst(id).and_then(|i| Some((i.op()?, c.operand(i, 0)))) {
            Some((Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject, base)) => id = base,
            Some(_) => return true,
            None => break,
        }
    }
    // Pointers from elsewhere are not followed.
    let Some((_, mut ty)) = c.pointer(id).filter(|_| c.m.globals.contains_key(&id)) else { return true };
    if let Some(Type::Array { element, .. } | Type::RuntimeArray { element }) = c.m.ty(ty) {
        ty = *element;
    }
    c.m.decoration(ty, None, Decoration::BufferBlock).is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
}

/// Checks the memory operands from operand `at` on, for the pointer in operand `pointer`.
fn mask(c: &mut Checker, inst: &Inst, at: usize, pointer: usize, access: Access) {
    let words = c.m.operands(inst);
    let value = words.get(at).copied();
    let bits = MemoryAccess::from_bits_truncate(value.unwrap_or(0));
    let mut next = at + 1;
    let mut operand = |present: bool| {
        let found = words.get(next).copied().filter(|_| present);
        next += usize::from(present);
        found
    };
    let aligned = operand(bits.contains(MemoryAccess::ALIGNED));
    let available = operand(bits.contains(MemoryAccess::MAKE_POINTER_AVAILABLE));
    let visible = operand(bits.contains(MemoryAccess::MAKE_POINTER_VISIBLE));

    let class = c.pointer(c.operand(inst, pointer)).map(|p| p.0);
    if class == Some(StorageClass::PhysicalStorageBuffer) {
        match aligned {
            None => c.at(rules::PHYSICAL, inst, "a physical pointer needs Aligned"),
            Some(n) if !n.is_power_of_two() => c.at(rules::PHYSICAL, inst, format!("alignment of {n} bytes")),
            Some(_) => {}
        }
    }
    let wrong = match access {
        Access::Load if available.is_some() => Some("a load cannot have MakePointerAvailable"),
        Access::Store if visible.is_some() => Some("a store cannot have MakePointerVisible"),
        _ if (available.is_some() || visible.is_some()) && !bits.contains(MemoryAccess::NON_PRIVATE_POINTER) => {
            Some("making a pointer available or visible needs NonPrivatePointer")
        }
        _ if bits.contains(MemoryAccess::NON_PRIVATE_POINTER) && !class.is_some_and(is_shared) => {
            Some("NonPrivatePointer on memory that no other invocation sees")
        }
        _ => None,
    };
    if let Some(message) = wrong {
        c.at(rules::MEMORY_MODEL, inst, message);
    }
    for scope in [available, visible].into_iter().flatten() {
        super::atomics::check_memory_scope(c, inst, scope);
    }
}

/// Returns whether other invocations may access memory of a class (SPIR-V 2.18.1: all others are always private).
fn is_shared(class: StorageClass) -> bool {
    matches!(
        class,
        StorageClass::Uniform
            | StorageClass::Workgroup
            | StorageClass::CrossWorkgroup
            | StorageClass::Generic
            | StorageClass::Image
            | StorageClass::StorageBuffer
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::TaskPayloadWorkgroupEXT
            | StorageClass::NodePayloadAMDX
    )
}

/// Checks an access chain with indexes into the type from operand `first` on.
fn chain(c: &Checker, inst: &Inst, first: usize) -> Result<(), String> {
    let base = c.operand(inst, 0);
    let Some((class, mut ty)) = c.pointer(base) else {
        return Err(format!("{} is not a pointer", c.m.describe(base)));
    };
    let Some(Type::Pointer { class: result_class, pointee }) = c.m.ty(inst.ty) else {
        return Err("its result is not a pointer".into());
    };
    if *result_class != class {
        return Err(format!("from {class:?} to {result_class:?}"));
    }
    for (i, &index) in c.m.operands(inst).iter().enumerate().skip(1) {
        let is_integer = matches!(c.m.ty(c.m.type_of(index)), Some(Type::Int { .. }));
        if !is_integer {
            return Err(format!("index {} is not an integer", c.m.describe(index)));
        }
        if i < first {
            continue;
        }
        ty = match c.m.ty(ty) {
            Some(Type::Vector { component: part, .. } | Type::Matrix { column: part, .. })
            | Some(Type::Array { element: part, .. } | Type::RuntimeArray { element: part })
            | Some(Type::NodePayloadArray { payload: part }) => *part,
            Some(Type::Struct { members }) => {
                let Some(n) = c.m.constant_u32(index).filter(|_| c.m.constants.contains_key(&index)) else {
                    return Err(format!("{} selects a member but is not a constant", c.m.describe(index)));
                };
                match members.get(n as usize) {
                    Some(member) => *member,
                    None => return Err(format!("member {n} of a structure with {} members", members.len())),
                }
            }
            _ => return Err(format!("{} cannot be indexed", c.type_name(ty))),
        };
    }
    if ty != *pointee {
        return Err(format!("it leads to {}, but its result type is {}", c.type_name(ty), c.type_name(*pointee)));
    }
    Ok(())
}

fn array_length(c: &Checker, inst: &Inst) -> Result<(), String> {
    if !matches!(c.m.ty(inst.ty), Some(Type::Int { width: 32, .. })) {
        return Err(format!("the result must be a 32-bit integer, not {}", c.type_name(inst.ty)));
    }
    let (structure, member) = (c.operand(inst, 0), c.operand(inst, 1));
    let members = c.pointer(structure).and_then(|p| match c.m.ty(p.1) {
        Some(Type::Struct { members }) => Some(members),
        _ => None,
    });
    let last = members.filter(|m| m.len() == member as usize + 1).and_then(|m| m.last());
    match last.and_then(|ty| c.m.ty(*ty)) {
        Some(Type::RuntimeArray { .. }) => Ok(()),
        _ => Err(format!("member {member} of {} is not a runtime array at its end", c.m.describe(structure))),
    }
}
