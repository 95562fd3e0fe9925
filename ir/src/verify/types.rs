//! Checks that types are valid in their context.

use crate::layout::occupied;
use crate::types::{Field, Scalar, Space, StructType, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The maximum depth of types. Everything that walks types may recurse.
const MAX_DEPTH: u32 = 64;

/// The context of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// Memory that a host or another invocation sees.
    Memory,
    /// A variable of one thread; it may also hold handles, resources and ray queries.
    Local,
    /// A variable of one thread that outlives its functions; it may also hold resources and ray queries.
    Private,
    /// The result of an operation.
    Value,
    /// A return type.
    Return,
}

/// Checks types, and each structure once. Structures are shared, and a chain of them that each contain the next one
/// twice would otherwise take exponential time.
#[derive(Default)]
pub(super) struct TypeChecker<'a> {
    /// The number of levels below each sound structure. The types outlive the checker, so addresses stay unique.
    heights: FxHashMap<*const StructType, u32>,
    /// Structures with resources or queries that were already checked, with their context.
    opaque: FxHashSet<(*const StructType, Use)>,
    types: std::marker::PhantomData<&'a Type>,
}

impl<'a> TypeChecker<'a> {
    /// Checks a type and everything inside it.
    pub fn check(&mut self, ty: &'a Type, wanted: Use) -> Result<(), String> {
        match ty {
            Type::Void if wanted == Use::Return => Ok(()),
            Type::Ref(space, pointee) if wanted == Use::Value => match &**pointee {
                Type::RuntimeArray { element, stride } => match space {
                    Space::Storage { .. } | Space::Physical { .. } => {
                        self.sized(element, 0)?;
                        check_stride(element, *stride)
                    }
                    _ => Err("a runtime array must be in a buffer or at an address".into()),
                },
                pointee if *space == Space::Function => self.check(pointee, Use::Local),
                pointee if *space == Space::Private => self.check(pointee, Use::Private),
                pointee => self.check(pointee, Use::Memory),
            },
            Type::Records(records) if !matches!(wanted, Use::Memory | Use::Private) => match &*records.record {
                record @ Type::Struct(_) => self.sized(record, 0).map(drop),
                _ => Err("a record is a structure".into()),
            },
            Type::Image(image) if wanted != Use::Memory => {
                if !(1..=4).contains(&image.components) || image.texel == crate::Scalar::Bool {
                    return Err(format!("no image has texels of {} components of that type", image.components));
                }
                Ok(())
            }
            Type::Sampler | Type::AccelerationStructure if wanted != Use::Memory => Ok(()),
            Type::RayQuery if matches!(wanted, Use::Local | Use::Private) => Ok(()),
            Type::Descriptors { element, len } if wanted != Use::Memory => {
                if !element.is_resource() || matches!(**element, Type::Descriptors { .. }) || *len == Some(0) {
                    return Err(format!("{ty} is not an array of resources"));
                }
                self.check(element, Use::Value)
            }
            Type::Ref(..) if wanted != Use::Memory && ty.is_resource() => self.check(ty, Use::Value),
            ty if wanted != Use::Memory && ty.holds_objects() => self.with_objects(ty, wanted, 0),
            ty if matches!(wanted, Use::Local | Use::Private) && ty.holds_query() => self.with_objects(ty, wanted, 0),
            ty => self.sized(ty, 0).map(drop),
        }
    }

    /// Checks a structure or array that is not memory, because it contains resources, handles or ray queries.
    fn with_objects(&mut self, ty: &'a Type, wanted: Use, depth: u32) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match ty {
            Type::Array { element, len, .. } if *len > 0 => self.with_objects(element, wanted, depth + 1),
            Type::Struct(s) if ty.holds_objects() || ty.holds_query() => {
                if !self.opaque.insert((Arc::as_ptr(s), wanted)) {
                    return Ok(());
                }
                s.fields.iter().try_for_each(|f| self.with_objects(&f.ty, wanted, depth + 1))
            }
            ty => self.check(ty, wanted),
        }
    }

    /// Checks a type that has a size, `depth` levels below the requested one. Returns the number of levels below it.
    fn sized(&mut self, ty: &'a Type, depth: u32) -> Result<u32, String> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match ty {
            Type::Scalar(_) | Type::Vector(_, 2..=4) => Ok(0),
            Type::Vector(_, n) => Err(format!("a vector of {n} components")),
            Type::Matrix(m) => m.check().map(|()| 0),
            Type::Array { element, len, stride } => {
                let height = self.sized(element, depth + 1)?;
                check_stride(element, *stride)?;
                if *len == 0 || len.checked_mul(*stride).is_none() {
                    return Err(format!("an array of {len} elements, {stride} bytes each"));
                }
                above(height)
            }
            Type::Struct(s) => self.structure(s, depth),
            Type::Void => Err("void where a value is wanted".into()),
            Type::Ref(..) => Err("a place where a value in memory is wanted".into()),
            Type::RuntimeArray { .. } => Err("a runtime array that is not the whole of a buffer".into()),
            Type::Records(_) => Err("a record handle in memory".into()),
            Type::Image(_) | Type::Sampler | Type::AccelerationStructure | Type::Descriptors { .. } => {
                Err("an image, sampler or acceleration structure in memory".into())
            }
            Type::RayQuery => Err("a ray query that is in no variable of one thread".into()),
        }
    }

    fn structure(&mut self, s: &'a Arc<StructType>, depth: u32) -> Result<u32, String> {
        if let Some(&height) = self.heights.get(&Arc::as_ptr(s)) {
            return Ok(height);
        }
        let mut height = 0;
        for field in &s.fields {
            let below = self.sized(&field.ty, depth + 1);
            height = height.max(below.map_err(|e| format!("{e}, in {}.{}", s.name, field.name))?);
        }
        check_layout(s)?;
        let height = above(height)?;
        self.heights.insert(Arc::as_ptr(s), height);
        Ok(height)
    }
}

fn above(height: u32) -> Result<u32, String> {
    if height < MAX_DEPTH { Ok(height + 1) } else { Err(too_deep()) }
}

fn too_deep() -> String {
    format!("a type nested deeper than {MAX_DEPTH} levels")
}

fn check_stride(element: &Type, stride: u32) -> Result<(), String> {
    let size = occupied(element);
    if u64::from(stride) < size || !stride.is_multiple_of(element.align().max(1)) {
        return Err(format!("elements of {size} bytes and alignment {} every {stride} bytes", element.align()));
    }
    Ok(())
}

fn check_layout(s: &StructType) -> Result<(), String> {
    // In scalar layout a structure ends with its last member.
    let end = s.fields.iter().map(|f| u64::from(f.offset) + u64::from(f.ty.size().unwrap_or(0))).max().unwrap_or(0);
    let ends = s.size.is_multiple_of(s.align.max(1)) || u64::from(s.size) == end;
    if !s.align.is_power_of_two() || !ends {
        return Err(format!("structure {} has size {} and alignment {}", s.name, s.size, s.align));
    }
    let mut ranges = Vec::with_capacity(s.fields.len());
    for field in &s.fields {
        let align = field.ty.align().max(1);
        if !field.offset.is_multiple_of(align) || s.align < align {
            return Err(format!("{}.{} at {} is not aligned to {align}", s.name, field.name, field.offset));
        }
        check_bits(field).map_err(|what| format!("{}.{}: {what}", s.name, field.name))?;
        let start = u64::from(field.offset);
        ranges.push((start, start + occupied(&field.ty), field));
    }
    // The source may list offsets in any order.
    ranges.sort_by_key(|(start, end, _)| (*start, *end));
    for pair in ranges.windows(2) {
        let &[(_, end, before), (start, _, field)] = pair else { continue };
        if start < end {
            return Err(format!("{}.{} at {start} overlaps {}", s.name, field.name, before.name));
        }
    }
    let end = ranges.iter().map(|r| r.1).max().unwrap_or(0);
    if end > u64::from(s.size) {
        return Err(format!("the fields of {} end at {end}, its size is {}", s.name, s.size));
    }
    Ok(())
}

/// Checks that bit-fields are in an integer, one after the other.
fn check_bits(field: &Field) -> Result<(), String> {
    let mut end = 0;
    for bits in &field.bits {
        let Some(unit) = field.ty.scalar().filter(|s| s.is_integer() && matches!(field.ty, Type::Scalar(_))) else {
            return Err(format!("bit-fields of {}", field.ty));
        };
        if bits.scalar != unit && (bits.scalar != Scalar::Bool || unit.size() != 4) {
            return Err(format!("the bit-field {} of another type", bits.name));
        }
        if bits.width == 0 || bits.first < end || u32::from(bits.first) + u32::from(bits.width) > unit.size() * 8 {
            return Err(format!("the bit-field {} of {} bits at {}", bits.name, bits.width, bits.first));
        }
        end = bits.first + bits.width;
    }
    Ok(())
}
