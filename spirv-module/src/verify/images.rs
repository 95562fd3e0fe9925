//! The rules that image instructions fit the image (SPIR-V 3.49.10), as far as compute shaders use them.

use super::sampling::{self, Access, SamplingKind};
use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::{ImageType, Type};
use spirv::{Capability, Dim, ImageFormat, Op};

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    let access = sampling::access(op);
    let result = match op {
        Op::ImageWrite => write(c, inst),
        Op::ImageQuerySize | Op::ImageQuerySizeLod => size(c, op, inst),
        Op::ImageTexelPointer => texel_pointer(c, inst),
        Op::SampledImage => sampled_image(c, inst),
        Op::ImageQueryLod => sampling::levels_at(c, inst),
        Op::ImageQueryLevels | Op::ImageQuerySamples => {
            image(c, inst, 0).and_then(|image| sampling::count(c, op, &image, inst))
        }
        Op::ImageSparseTexelsResident => sampling::resident(c, inst),
        Op::Image => match (c.value_type(inst, 0), inst.ty) {
            (Some(Type::SampledImage { image }), ty) if *image == ty => Ok(()),
            _ => Err("the result must be the image of a sampled image".into()),
        },
        _ => match access {
            Some(access @ Access { kind: SamplingKind::Fetch | SamplingKind::Read, .. }) => read(c, access, inst),
            Some(access) => sampling::check(c, access, inst),
            None => return,
        },
    };
    if let Err(message) = result.and_then(|()| operands(c, op, access, inst)) {
        c.at(rules::IMAGE, inst, message);
        return;
    }
    for scope in texel_scopes(c, op, inst) {
        super::atomics::check_memory_scope(c, inst, scope);
    }
    // Reads and writes of a storage image without a format need a capability.
    let needed = match op {
        Op::ImageRead | Op::ImageSparseRead => Capability::StorageImageReadWithoutFormat,
        Op::ImageWrite => Capability::StorageImageWriteWithoutFormat,
        _ => return,
    };
    if let Ok(image) = image(c, inst, 0)
        && image.format == ImageFormat::Unknown
        && image.dim != Dim::DimSubpassData
        && !c.m.has_capability(needed)
        && !c.is_kernel()
    {
        c.at(rules::CAPABILITY, inst, format!("an image without a format needs the capability {needed:?}"));
    }
}

/// Checks the optional operands: their number by the mask, and the type of each.
fn operands(c: &Checker, op: Op, access: Option<Access>, inst: &Inst) -> Result<(), String> {
    let at = match (op, access) {
        (_, Some(access)) => access.mask_at(),
        (Op::ImageWrite, _) => 3,
        _ => return Ok(()),
    };
    let sampled = access.is_some_and(|access| !matches!(access.kind, SamplingKind::Fetch | SamplingKind::Read));
    let words = c.m.operands(inst);
    let mask = spirv::ImageOperands::from_bits_truncate(words.get(at).copied().unwrap_or(0));
    let image = match c.value_type(inst, 0) {
        Some(Type::SampledImage { image }) => c.m.ty(*image),
        other => other,
    };
    let Some(Type::Image(image)) = image else { return Ok(()) };
    if let Some(access) = access {
        sampling::operands_go_together(access, image, mask)?;
    }
    let axes = sampling::plane(image.dim);
    let mut rest = words.get(at + 1..).unwrap_or(&[]).iter();
    let mut next = |bit, wanted: &str, fits: &dyn Fn(&Type, u32) -> bool, count: usize| {
        for _ in 0..if mask.contains(bit) { count } else { 0 } {
            let id = rest.next().copied().unwrap_or(0);
            let good = c.shape(c.m.type_of(id)).is_some_and(|(ty, n)| fits(ty, n));
            if !good && bit != spirv::ImageOperands::CONST_OFFSETS {
                return Err(format!("{bit:?} {} must be {wanted}", c.m.describe(id)));
            }
        }
        Ok(())
    };
    let integer = |ty: &Type, n: u32| matches!(ty, Type::Int { .. }) && n == 1;
    let float = |ty: &Type, n: u32| matches!(ty, Type::Float { .. }) && n == 1;
    let floats = |ty: &Type, n: u32| matches!(ty, Type::Float { .. }) && n == axes;
    let integers = |ty: &Type, n: u32| matches!(ty, Type::Int { .. }) && n == axes;
    next(spirv::ImageOperands::BIAS, "float", &float, 1)?;
    if sampled {
        next(spirv::ImageOperands::LOD, "float", &float, 1)?;
    } else {
        next(spirv::ImageOperands::LOD, "integer", &integer, 1)?;
    }
    next(spirv::ImageOperands::GRAD, &format!("{axes} floats"), &floats, 2)?;
    next(spirv::ImageOperands::CONST_OFFSET, &format!("{axes} integers"), &integers, 1)?;
    next(spirv::ImageOperands::OFFSET, &format!("{axes} integers"), &integers, 1)?;
    next(spirv::ImageOperands::CONST_OFFSETS, "integers", &integers, 1)?;
    next(spirv::ImageOperands::SAMPLE, "integer", &integer, 1)?;
    next(spirv::ImageOperands::MIN_LOD, "float", &float, 1)
}

/// Returns the scopes of texels that are made available or visible.
fn texel_scopes(c: &Checker, op: Op, inst: &Inst) -> Vec<Id> {
    let at = match op {
        Op::ImageRead | Op::ImageFetch | Op::ImageSparseRead | Op::ImageSparseFetch => 2,
        Op::ImageWrite => 3,
        _ => return Vec::new(),
    };
    let words = c.m.operands(inst);
    let mask = spirv::ImageOperands::from_bits_truncate(words.get(at).copied().unwrap_or(0));
    let scopes = [spirv::ImageOperands::MAKE_TEXEL_AVAILABLE, spirv::ImageOperands::MAKE_TEXEL_VISIBLE];
    let count = scopes.iter().filter(|s| mask.contains(**s)).count();
    // The scopes follow all other operands.
    words.get(words.len().saturating_sub(count)..).unwrap_or(&[]).to_vec()
}

fn image(c: &Checker, inst: &Inst, at: usize) -> Result<ImageType, String> {
    match c.value_type(inst, at) {
        Some(Type::Image(image)) => Ok(*image),
        _ => Err(format!("{} is not an image", c.m.describe(c.operand(inst, at)))),
    }
}

/// Returns the number of coordinate components of a texel: those of the plane, and the layer.
fn coordinates(image: &ImageType) -> u32 {
    let plane = sampling::plane(image.dim);
    // In a cube read as an image, the layer is part of the third coordinate.
    plane + u32::from(image.arrayed && image.dim != Dim::DimCube)
}

fn coordinate(c: &Checker, image: &ImageType, id: Id) -> Result<(), String> {
    let wanted = coordinates(image);
    match c.shape(c.m.type_of(id)) {
        Some((Type::Int { .. }, n)) if n >= wanted => Ok(()),
        _ => Err(format!("coordinate {} does not have {wanted} components", c.m.describe(id))),
    }
}

/// Checks that the components of a texel have the image's type.
pub(super) fn texel(c: &Checker, image: &ImageType, ty: Id) -> Result<(), String> {
    let component = match c.m.ty(ty) {
        Some(Type::Vector { component, .. }) => *component,
        _ => ty,
    };
    let void = matches!(c.m.ty(image.sampled_type), Some(Type::Void));
    if component == image.sampled_type || void {
        return Ok(());
    }
    Err(format!("{} is not a texel of {}", c.type_name(ty), c.type_name(image.sampled_type)))
}

fn read(c: &Checker, access: Access, inst: &Inst) -> Result<(), String> {
    let image = image(c, inst, 0)?;
    let wanted = if access.kind == SamplingKind::Read { 2 } else { 1 };
    let ty = sampling::texel_type(c, access, inst)?;
    if image.sampled != wanted && image.sampled != 0 && image.dim != Dim::DimSubpassData {
        return Err(format!("Sampled of the image is {}", image.sampled));
    }
    let four = matches!(c.shape(ty), Some((_, 4)));
    if access.kind == SamplingKind::Fetch && !four {
        return Err(format!("the result must have four components, not {}", c.type_name(ty)));
    }
    coordinate(c, &image, c.operand(inst, 1))?;
    texel(c, &image, ty)
}

fn write(c: &Checker, inst: &Inst) -> Result<(), String> {
    let image = image(c, inst, 0)?;
    if image.sampled == 1 {
        return Err("Sampled of the image is 1".into());
    }
    coordinate(c, &image, c.operand(inst, 1))?;
    texel(c, &image, c.m.type_of(c.operand(inst, 2)))
}

fn size(c: &Checker, op: Op, inst: &Inst) -> Result<(), String> {
    let image = image(c, inst, 0)?;
    let plane = match image.dim {
        Dim::Dim1D | Dim::DimBuffer => 1,
        Dim::Dim3D => 3,
        _ => 2,
    };
    let wanted = plane + u32::from(image.arrayed);
    match c.shape(inst.ty) {
        Some((Type::Int { .. }, n)) if n == wanted => {}
        _ => return Err(format!("the result must have {wanted} integers, not {}", c.type_name(inst.ty))),
    }
    let has_levels = image.sampled == 1 && !image.multisampled && image.dim != Dim::DimBuffer;
    match op {
        Op::ImageQuerySize if has_levels => Err("the image has levels, so its size depends on the level".into()),
        Op::ImageQuerySizeLod if !has_levels && image.sampled != 0 => Err("the image has no levels".into()),
        Op::ImageQuerySizeLod => integer(c, inst, 1),
        _ => Ok(()),
    }
}

fn texel_pointer(c: &Checker, inst: &Inst) -> Result<(), String> {
    let pointee = match c.m.ty(inst.ty) {
        Some(Type::Pointer { class: spirv::StorageClass::Image, pointee }) => *pointee,
        _ => return Err("the result must be a pointer of the class Image".into()),
    };
    let id = c.operand(inst, 0);
    let Some(Type::Image(image)) = c.pointer(id).and_then(|p| c.m.ty(p.1)) else {
        return Err(format!("{} is not a pointer to an image", c.m.describe(id)));
    };
    coordinate(c, image, c.operand(inst, 1))?;
    integer(c, inst, 2)?;
    texel(c, image, pointee)
}

/// Checks that an operand is a scalar integer: a level or a sample.
fn integer(c: &Checker, inst: &Inst, at: usize) -> Result<(), String> {
    match c.value_type(inst, at) {
        Some(Type::Int { .. }) => Ok(()),
        _ => Err(format!("{} is not an integer", c.m.describe(c.operand(inst, at)))),
    }
}

fn sampled_image(c: &Checker, inst: &Inst) -> Result<(), String> {
    let fits = matches!(c.m.ty(inst.ty), Some(Type::SampledImage { image })
        if c.m.type_of(c.operand(inst, 0)) == *image);
    match c.value_type(inst, 1) {
        Some(Type::Sampler) if fits => Ok(()),
        Some(Type::Sampler) => Err("the type of the image differs".into()),
        _ => Err(format!("{} is not a sampler", c.m.describe(c.operand(inst, 1)))),
    }
}
