//! Types of resources in the IR: buffers, images, samplers and their counters.

use crate::db::Db;
use crate::db::ty::{Repr as Scalar, Ty, TyKind};
use crate::tables::binding_options::BlockLayout;
use crate::tables::builtin::Builtin;
use crate::types::blocks::{self, Memory};
use crate::types::globals;
use crate::types::layout::NoLayout;
use crate::types::record::type_arg;
use wgc_ir::{Binding, Heap, ImageType, Symbol, TexelFormat, Type};

pub(crate) fn resource<'db>(
    db: &'db dyn Db,
    object: Builtin,
    ty: Ty<'db>,
    coherent: bool,
    format: Option<TexelFormat>,
    layout: BlockLayout,
    binding: Binding,
) -> Result<wgc_ir::GlobalKind, NoLayout> {
    use wgc_ir::GlobalKind as K;
    let unsupported = || NoLayout::new(format!("wgc does not compile `{}` yet", ty.display(db)));
    let arg = ty.as_record(db).and_then(|inst| type_arg(db, inst));
    let texel = || match arg.map(|t| t.kind(db)) {
        Some(TyKind::Scalar(s)) if is_texel(s.repr()) => Some((s.repr(), 1)),
        Some(TyKind::Vector(s, n)) if is_texel(s.repr()) => Some((s.repr(), *n)),
        _ => None,
    };
    Ok(match object {
        Builtin::StructuredBuffer { .. } | Builtin::CountedBuffer => {
            let writable = object != Builtin::StructuredBuffer { writable: false };
            let (element, stride) = blocks::element(db, arg.ok_or_else(unsupported)?, layout)?;
            K::Buffer { element, stride, writable, coherent, counter: None, binding }
        }
        Builtin::ByteAddressBuffer { writable } => {
            K::Buffer { element: Type::Scalar(Scalar::U32), stride: 4, writable, coherent, counter: None, binding }
        }
        Builtin::ConstantBuffer => {
            let block = blocks::laid_out(db, arg.ok_or_else(unsupported)?, Memory::Uniform, layout)?;
            K::Uniform { block, binding }
        }
        Builtin::TextureBuffer => {
            let contents = arg.ok_or_else(unsupported)?;
            texture_buffer(blocks::laid_out(db, contents, Memory::Storage, layout)?, binding)
        }
        Builtin::Texture { dim, arrayed, multisampled, writable: storage } => {
            let (texel, components) = texel().ok_or_else(unsupported)?;
            let ty = ImageType { dim, arrayed, multisampled, texel, components, storage };
            K::Image { ty, format, coherent: coherent && storage, binding }
        }
        Builtin::TypedBuffer { writable: storage } => {
            let (texel, components) = texel().ok_or_else(unsupported)?;
            let (dim, arrayed, multisampled) = (wgc_ir::ImageDim::Buffer, false, false);
            let ty = ImageType { dim, arrayed, multisampled, texel, components, storage };
            K::Image { ty, format, coherent: coherent && storage, binding }
        }
        Builtin::Sampler { .. } => K::Sampler { binding },
        Builtin::AccelerationStructure => K::AccelerationStructure { binding },
        _ => return Err(unsupported()),
    })
}

/// Returns a buffer of one read-only block.
pub(crate) fn texture_buffer(block: Type, binding: Binding) -> wgc_ir::GlobalKind {
    let stride = block.size().unwrap_or_default();
    let (writable, coherent, counter) = (false, false, None);
    wgc_ir::GlobalKind::Buffer { element: block, stride, writable, coherent, counter, binding }
}

/// Returns whether a scalar can be a component of an image format: SPIR-V has no images of bool and double.
fn is_texel(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::Bool | Scalar::F64)
}

/// Returns the type of a parameter that is a resource, or an array of them. It equals [`GlobalAccess::ty`] of the
/// argument.
pub fn resource_type<'db>(db: &'db dyn Db, ty: Ty<'db>, coherent: bool, layout: BlockLayout) -> Result<Type, NoLayout> {
    let element = globals::element(db, ty);
    let object = crate::types::record::builtin(db, element).ok_or_else(|| NoLayout::new(""))?;
    let count = globals::descriptor_count(db, ty).ok_or_else(|| NoLayout::new(""))?;
    let kind = resource(db, object, element, coherent, None, layout, Binding::open(count))?;
    Ok(wgc_ir::Global { name: Symbol::default(), kind }.value_type())
}

/// Returns whether a buffer may have a counter.
pub(crate) fn has_counter(object: Builtin) -> bool {
    matches!(object, Builtin::StructuredBuffer { writable: true } | Builtin::CountedBuffer)
}

/// Returns the name of the global that holds a buffer's counter.
pub fn counter_symbol(buffer: &Symbol) -> Symbol {
    compact_str::format_compact!("counter.var.{buffer}")
}

/// Returns whether a global of this name holds a counter.
pub fn is_counter(name: &str) -> bool {
    name.starts_with("counter.var.")
}

/// Returns the counter of a buffer, without set and binding.
pub fn counter(buffer: &wgc_ir::Global) -> Option<wgc_ir::Global> {
    let name = buffer.counter()?.clone();
    let of = buffer.binding()?;
    let heap = of.heap.map(|_| Heap::Counter);
    let binding = Binding { heap, ..Binding::open(of.count) };
    let (element, coherent) = (Type::U32, false);
    let kind = wgc_ir::GlobalKind::Buffer { element, stride: 4, writable: true, coherent, counter: None, binding };
    Some(wgc_ir::Global { name, kind })
}
