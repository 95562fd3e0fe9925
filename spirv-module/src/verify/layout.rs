//! Rules about explicit layout (SPIR-V 2.16.2, Vulkan "Offset and Stride Assignment"). Memory that needs a layout has
//! offsets and strides, aligned by scalar rules and without overlap. Other memory has none.

use super::{Checker, rules};
use crate::module::{Id, Module};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Capability, Decoration as D, StorageClass};

pub(super) fn check(c: &mut Checker) {
    let sizes = sizes(c.m);
    let mut explicit = Reach { into_payloads: true, ..Reach::default() };
    let mut payloads = Reach { into_payloads: true, ..Reach::default() };
    let mut buffers = Reach { into_payloads: true, ..Reach::default() };
    // A payload array in other memory breaks a rule of its extension, but none of these.
    let mut implicit = Reach::default();
    let workgroup_layout = c.m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
    for inst in &c.m.declarations {
        let Some(Type::Pointer { class, pointee }) = c.m.ty(inst.result) else { continue };
        match class {
            StorageClass::Uniform
            | StorageClass::StorageBuffer
            | StorageClass::PushConstant
            | StorageClass::PhysicalStorageBuffer => {
                explicit.add(c, *pointee);
                buffers.add(c, *pointee);
            }
            StorageClass::NodePayloadAMDX => {
                explicit.add(c, *pointee);
                payloads.add(c, *pointee);
            }
            _ => {}
        }
    }
    // Only variables are in other memory; pointers to members are derived from them.
    let locals = c.m.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| &b.insts));
    let locals = locals.filter(|i| i.op() == Some(spirv::Op::Variable)).map(|i| i.ty);
    for ty in c.m.globals.values().map(|g| g.ty).chain(locals) {
        let Some(Type::Pointer { class, pointee }) = c.m.ty(ty) else { continue };
        match class {
            StorageClass::Function | StorageClass::Private => implicit.add(c, *pointee),
            StorageClass::Workgroup if !workgroup_layout => implicit.add(c, *pointee),
            _ => {}
        }
    }
    for &ty in &explicit.types {
        if let Err(message) = laid_out(c, ty, &sizes) {
            let word = c.words_of.get(&ty).copied().unwrap_or(0) as usize;
            let place = if buffers.seen.contains(&ty) { "" } else { " of a payload" };
            c.add(rules::LAYOUT, word, ty, format!("{}{place}: {message}", c.m.describe(ty)));
        }
    }
    for inst in c.m.declarations.iter().filter(|inst| payloads.seen.contains(&inst.result)) {
        if matches!(c.m.ty(inst.result), Some(Type::RuntimeArray { .. })) {
            let message = format!("{} has no length, but is part of a payload", c.m.describe(inst.result));
            c.at(rules::LAYOUT, inst, message);
        }
    }
    for &ty in &implicit.types {
        let found =
            c.m.decorations
                .get(&ty)
                .into_iter()
                .flatten()
                .find(|d| matches!(D::from_u32(d.kind), Some(D::Offset | D::ArrayStride | D::MatrixStride)));
        if let Some(decoration) = found {
            let message = format!("{} has a layout, but its storage class has none", c.m.describe(ty));
            c.add(rules::NO_LAYOUT, decoration.inst.word as usize, ty, message);
        }
    }
}

/// Types reached from pointers, without repetitions, in order.
#[derive(Default)]
struct Reach {
    types: Vec<Id>,
    seen: FxHashSet<Id>,
    into_payloads: bool,
}

impl Reach {
    fn add(&mut self, c: &Checker, ty: Id) {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            if !self.seen.insert(ty) {
                continue;
            }
            match c.m.ty(ty) {
                Some(Type::Array { element: part, .. } | Type::RuntimeArray { element: part }) => work.push(*part),
                Some(Type::NodePayloadArray { payload }) => {
                    work.extend(Some(*payload).filter(|_| self.into_payloads));
                    continue;
                }
                Some(Type::Struct { members }) => work.extend(members.iter().rev()),
                _ => continue,
            }
            // An array of blocks is an array of descriptors, which has no stride.
            let is_descriptors = match c.m.ty(ty) {
                Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => {
                    c.m.decoration(*element, None, D::Block).is_some()
                        || c.m.decoration(*element, None, D::BufferBlock).is_some()
                }
                _ => false,
            };
            if !is_descriptors {
                self.types.push(ty);
            }
        }
    }
}

/// The bytes of a value up to its last one, and its scalar alignment.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub size: u64,
    pub align: u64,
}

/// Returns the extents of all types, in the order of declaration. Matrices have the extent of their columns side by
/// side; members with a MatrixStride use that.
pub(super) fn sizes(m: &Module) -> FxHashMap<Id, Extent> {
    let mut sizes: FxHashMap<Id, Extent> = FxHashMap::default();
    for inst in &m.declarations {
        let extent = match m.ty(inst.result) {
            Some(Type::Int { width, .. } | Type::Float { width }) => {
                let bytes = u64::from(*width) / 8;
                Some(Extent { size: bytes, align: bytes })
            }
            Some(Type::Vector { component: part, count } | Type::Matrix { column: part, columns: count }) => {
                sizes.get(part).map(|e| Extent { size: e.size.saturating_mul(u64::from(*count)), align: e.align })
            }
            Some(Type::Array { element, length }) => sizes.get(element).map(|e| {
                let stride = m.decoration_word(inst.result, None, D::ArrayStride).map_or(e.size, u64::from);
                let count = m.constant_u64(*length).unwrap_or(1);
                Extent { size: stride.saturating_mul(count.saturating_sub(1)).saturating_add(e.size), align: e.align }
            }),
            // No member may follow it.
            Some(Type::RuntimeArray { element }) => sizes.get(element).map(|e| Extent { size: 0, align: e.align }),
            Some(Type::Struct { members }) => {
                let mut all = Some(Extent { size: 0, align: 1 });
                for (i, member) in members.iter().enumerate() {
                    let offset = m.decoration_word(inst.result, Some(i as u32), D::Offset).unwrap_or(0);
                    let part = member_extent(m, inst.result, i as u32, *member, &sizes);
                    all = match (all, part) {
                        (Some(all), Some(part)) => Some(Extent {
                            size: all.size.max(u64::from(offset).saturating_add(part.size)),
                            align: all.align.max(part.align),
                        }),
                        _ => None,
                    };
                }
                all
            }
            Some(Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. }) => {
                Some(Extent { size: 8, align: 8 })
            }
            _ => None,
        };
        if let Some(extent) = extent {
            sizes.insert(inst.result, extent);
        }
    }
    sizes
}

/// Returns the extent of a member, including its matrix stride.
pub(super) fn member_extent(
    m: &Module,
    ty: Id,
    index: u32,
    member: Id,
    sizes: &FxHashMap<Id, Extent>,
) -> Option<Extent> {
    let plain = *sizes.get(&member)?;
    let Some(stride) = m.decoration_word(ty, Some(index), D::MatrixStride) else { return Some(plain) };
    let (matrix, copies, array_stride) = match m.ty(member)? {
        Type::Array { element, length } => {
            let stride = m.decoration_word(member, None, D::ArrayStride).unwrap_or(0);
            (*element, m.constant_u64(*length).unwrap_or(1), u64::from(stride))
        }
        Type::RuntimeArray { element } => (*element, 1, 0),
        _ => (member, 1, 0),
    };
    let Type::Matrix { column, columns } = m.ty(matrix)? else { return Some(plain) };
    let Type::Vector { component, count } = m.ty(*column)? else { return Some(plain) };
    let scalar = sizes.get(component)?;
    let row_major = m.decoration(ty, Some(index), D::RowMajor).is_some();
    let (lines, width) = if row_major { (*count, *columns) } else { (*columns, *count) };
    let one = u64::from(stride).saturating_mul(u64::from(lines.saturating_sub(1)));
    let one = one.saturating_add(scalar.size.saturating_mul(u64::from(width)));
    let size = array_stride.saturating_mul(copies.saturating_sub(1)).saturating_add(one);
    Some(Extent { size, align: scalar.align })
}

fn laid_out(c: &Checker, ty: Id, sizes: &FxHashMap<Id, Extent>) -> Result<(), String> {
    match c.m.ty(ty) {
        Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => {
            let Some(stride) = c.m.decoration_word(ty, None, D::ArrayStride) else {
                return Err("an array without ArrayStride".into());
            };
            let Some(e) = sizes.get(element) else { return Ok(()) };
            let stride = u64::from(stride);
            if stride < e.size || !stride.is_multiple_of(e.align.max(1)) || stride == 0 && e.size > 0 {
                return Err(format!("elements of {} bytes, aligned to {}, with ArrayStride {stride}", e.size, e.align));
            }
            Ok(())
        }
        Some(Type::Struct { members }) => members_laid_out(c, ty, members, sizes),
        _ => Ok(()),
    }
}

fn members_laid_out(c: &Checker, ty: Id, members: &[Id], sizes: &FxHashMap<Id, Extent>) -> Result<(), String> {
    let mut ranges = Vec::new();
    for (i, &member) in members.iter().enumerate() {
        let index = i as u32;
        let Some(offset) = c.m.decoration_word(ty, Some(index), D::Offset) else {
            return Err(format!("member {i} without Offset"));
        };
        if holds_matrix(c, member) {
            let stride = c.m.decoration_word(ty, Some(index), D::MatrixStride);
            let major = [D::RowMajor, D::ColMajor].iter().any(|d| c.m.decoration(ty, Some(index), *d).is_some());
            if stride.is_none_or(|s| s == 0) || !major {
                return Err(format!("matrix member {i} without MatrixStride or order"));
            }
            matrix_stride(c, ty, index, member, stride.unwrap_or(0), sizes)?;
        }
        if matches!(c.m.ty(member), Some(Type::Bool)) {
            return Err(format!("member {i} is a bool, which has no size"));
        }
        let Some(e) = member_extent(c.m, ty, index, member, sizes) else { continue };
        if !u64::from(offset).is_multiple_of(e.align.max(1)) {
            return Err(format!("member {i} at {offset} is not aligned to {}", e.align));
        }
        // A runtime array takes all following bytes.
        let size = if matches!(c.m.ty(member), Some(Type::RuntimeArray { .. })) { u64::MAX / 2 } else { e.size };
        ranges.push((u64::from(offset), size, i));
    }
    ranges.sort_unstable();
    for pair in ranges.windows(2) {
        let &[(first, size, i), (second, next, j)] = pair else { continue };
        if first.saturating_add(size) > second && next > 0 {
            return Err(format!("members {i} and {j} overlap at {second}"));
        }
    }
    Ok(())
}

/// Checks that the stored vectors of a matrix are aligned and do not overlap.
fn matrix_stride(
    c: &Checker,
    ty: Id,
    index: u32,
    member: Id,
    stride: u32,
    sizes: &FxHashMap<Id, Extent>,
) -> Result<(), String> {
    let Some(Type::Matrix { column, columns }) = matrix_in(c, member).and_then(|id| c.m.ty(id)) else { return Ok(()) };
    let Some(Type::Vector { component, count }) = c.m.ty(*column) else { return Ok(()) };
    let Some(scalar) = sizes.get(component) else { return Ok(()) };
    let row_major = c.m.decoration(ty, Some(index), D::RowMajor).is_some();
    let length = u64::from(if row_major { *columns } else { *count });
    let bytes = scalar.size.saturating_mul(length);
    if u64::from(stride) < bytes || !u64::from(stride).is_multiple_of(scalar.align.max(1)) {
        return Err(format!("matrix member {index} has vectors of {bytes} bytes with MatrixStride {stride}"));
    }
    Ok(())
}

fn holds_matrix(c: &Checker, ty: Id) -> bool {
    matrix_in(c, ty).is_some()
}

/// Returns the type of the matrices in arrays, or the matrix itself.
fn matrix_in(c: &Checker, mut ty: Id) -> Option<Id> {
    for _ in 0..=c.m.types.len() {
        match c.m.ty(ty) {
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) if *element != ty => ty = *element,
            other => return matches!(other, Some(Type::Matrix { .. })).then_some(ty),
        }
    }
    None
}
