//! Rules about sampling, gathering and level queries, by a table of their operands and results (SPIR-V 3.49.10). They
//! check the reference of comparisons, the additional coordinate of projections, and the residency code of sparse
//! instructions. They also check the combinations of image operands.

use super::Checker;
use crate::module::{Id, Inst};
use crate::types::{ImageType, Type};
use spirv::{Dim, ImageOperands, Op};

/// The access to a sampled image or an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SamplingKind {
    /// A sample with a level from derivatives.
    Implicit,
    /// A sample with an explicit level.
    Explicit,
    Gather,
    /// A read without a sampler, with a level.
    Fetch,
    /// A read of a storage image.
    Read,
}

/// The properties of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) kind: SamplingKind,
    /// It compares: it has one more operand, and one component instead of four unless it gathers.
    compares: bool,
    /// It divides the coordinate by its last component.
    projects: bool,
    /// The result is a structure: the residency code, then the texel.
    sparse: bool,
}

impl Access {
    /// Returns the index of the image operands' mask.
    pub(super) fn mask_at(self) -> usize {
        if self.compares || self.kind == SamplingKind::Gather { 3 } else { 2 }
    }
}

const fn row(op: Op, kind: SamplingKind, compares: bool, projects: bool, sparse: bool) -> (Op, Access) {
    (op, Access { kind, compares, projects, sparse })
}

const TABLE: &[(Op, Access)] = &[
    row(Op::ImageSampleImplicitLod, SamplingKind::Implicit, false, false, false),
    row(Op::ImageSampleExplicitLod, SamplingKind::Explicit, false, false, false),
    row(Op::ImageSampleDrefImplicitLod, SamplingKind::Implicit, true, false, false),
    row(Op::ImageSampleDrefExplicitLod, SamplingKind::Explicit, true, false, false),
    row(Op::ImageSampleProjImplicitLod, SamplingKind::Implicit, false, true, false),
    row(Op::ImageSampleProjExplicitLod, SamplingKind::Explicit, false, true, false),
    row(Op::ImageSampleProjDrefImplicitLod, SamplingKind::Implicit, true, true, false),
    row(Op::ImageSampleProjDrefExplicitLod, SamplingKind::Explicit, true, true, false),
    row(Op::ImageGather, SamplingKind::Gather, false, false, false),
    row(Op::ImageDrefGather, SamplingKind::Gather, true, false, false),
    row(Op::ImageFetch, SamplingKind::Fetch, false, false, false),
    row(Op::ImageRead, SamplingKind::Read, false, false, false),
    row(Op::ImageSparseSampleImplicitLod, SamplingKind::Implicit, false, false, true),
    row(Op::ImageSparseSampleExplicitLod, SamplingKind::Explicit, false, false, true),
    row(Op::ImageSparseSampleDrefImplicitLod, SamplingKind::Implicit, true, false, true),
    row(Op::ImageSparseSampleDrefExplicitLod, SamplingKind::Explicit, true, false, true),
    row(Op::ImageSparseGather, SamplingKind::Gather, false, false, true),
    row(Op::ImageSparseDrefGather, SamplingKind::Gather, true, false, true),
    row(Op::ImageSparseFetch, SamplingKind::Fetch, false, false, true),
    row(Op::ImageSparseRead, SamplingKind::Read, false, false, true),
];

/// Returns the access of the instruction, if it reads texels.
pub(super) fn access(op: Op) -> Option<Access> {
    TABLE.iter().find(|row| row.0 == op).map(|row| row.1)
}

/// Returns the texel type of an instruction's result; for sparse instructions, from the result's structure.
pub(super) fn texel_type(c: &Checker, access: Access, inst: &Inst) -> Result<Id, String> {
    if !access.sparse {
        return Ok(inst.ty);
    }
    match c.m.ty(inst.ty) {
        Some(Type::Struct { members, .. }) if members.len() == 2 => match c.m.ty(members[0]) {
            Some(Type::Int { .. }) => Ok(members[1]),
            _ => Err(format!("the residency code has the type {}, not an integer", c.type_name(members[0]))),
        },
        _ => {
            Err(format!("the result must be a structure of a residency code and a texel, not {}", c.type_name(inst.ty)))
        }
    }
}

/// Checks a sample or gather of a sampled image: its operands and its result.
pub(super) fn check(c: &Checker, access: Access, inst: &Inst) -> Result<(), String> {
    let image = sampled(c, inst)?;
    if image.multisampled {
        return Err("the image is multisampled".into());
    }
    let dims: &[Dim] = match access {
        Access { kind: SamplingKind::Gather, .. } => &[Dim::Dim2D, Dim::DimCube, Dim::DimRect],
        Access { projects: true, .. } => &[Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::DimRect],
        _ => &[Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::DimRect, Dim::DimCube],
    };
    if !dims.contains(&image.dim) || access.projects && image.arrayed {
        return Err(format!(
            "the image has the unsupported dimension {:?}{}",
            image.dim,
            if image.arrayed { " with layers" } else { "" }
        ));
    }
    let wanted = plane(image.dim) + u32::from(image.arrayed || access.projects);
    floats(c, c.operand(inst, 1), wanted, "the coordinate")?;
    if access.compares {
        single(c, c.operand(inst, 2))?;
    } else if access.kind == SamplingKind::Gather {
        match c.shape(c.m.type_of(c.operand(inst, 2))) {
            Some((Type::Int { width: 32, .. }, 1)) => {}
            _ => return Err(format!("the component {} is not a 32-bit integer", c.m.describe(c.operand(inst, 2)))),
        }
    }
    let ty = texel_type(c, access, inst)?;
    let components = if access.compares && access.kind != SamplingKind::Gather { 1 } else { 4 };
    match c.shape(ty) {
        Some((_, n)) if n == components => {}
        _ if components == 1 => return Err(format!("the result must have one component, not {}", c.type_name(ty))),
        _ => return Err(format!("the result must have four components, not {}", c.type_name(ty))),
    }
    super::images::texel(c, &image, ty)
}

/// Checks `OpImageQueryLod`: two floats, for a coordinate without layer.
pub(super) fn levels_at(c: &Checker, inst: &Inst) -> Result<(), String> {
    let image = sampled(c, inst)?;
    if !has_levels(&image) {
        return Err("the image has no levels".into());
    }
    match c.shape(inst.ty) {
        Some((Type::Float { .. }, 2)) => {}
        _ => return Err(format!("the result must have two floats, not {}", c.type_name(inst.ty))),
    }
    floats(c, c.operand(inst, 1), plane(image.dim), "the coordinate")
}

/// Checks `OpImageQueryLevels` and `OpImageQuerySamples`: an integer.
pub(super) fn count(c: &Checker, op: Op, image: &ImageType, inst: &Inst) -> Result<(), String> {
    match op {
        Op::ImageQueryLevels if !has_levels(image) => return Err("the image has no levels".into()),
        Op::ImageQuerySamples if !image.multisampled || image.dim != Dim::Dim2D => {
            return Err("the image is not multisampled".into());
        }
        _ => {}
    }
    match c.shape(inst.ty) {
        Some((Type::Int { .. }, 1)) => Ok(()),
        _ => Err(format!("the result must be an integer, not {}", c.type_name(inst.ty))),
    }
}

/// Checks `OpImageSparseTexelsResident`: a bool from a residency code.
pub(super) fn resident(c: &Checker, inst: &Inst) -> Result<(), String> {
    let code = c.operand(inst, 0);
    match (c.m.ty(inst.ty), c.shape(c.m.type_of(code))) {
        (Some(Type::Bool), Some((Type::Int { .. }, 1))) => Ok(()),
        (Some(Type::Bool), _) => Err(format!("the residency code {} is not an integer", c.m.describe(code))),
        _ => Err(format!("the result must be a bool, not {}", c.type_name(inst.ty))),
    }
}

/// Checks that the image operands fit the instruction, the image and each other.
pub(super) fn operands_go_together(access: Access, image: &ImageType, mask: ImageOperands) -> Result<(), String> {
    use ImageOperands as I;
    let kind = access.kind;
    let lod_or_grad = mask.intersection(I::LOD | I::GRAD);
    let offsets = mask.intersection(I::CONST_OFFSET | I::OFFSET | I::CONST_OFFSETS);
    let without = |bit: I, why: &str| match mask.contains(bit) {
        true => Err(format!("has {bit:?}{why}")),
        false => Ok(()),
    };
    match kind {
        SamplingKind::Explicit if lod_or_grad.is_empty() => return Err("has neither Lod nor Grad".into()),
        SamplingKind::Explicit if lod_or_grad == I::LOD | I::GRAD => return Err("has both Lod and Grad".into()),
        SamplingKind::Explicit => {}
        SamplingKind::Fetch => without(I::GRAD, ", but no sampler")?,
        _ => {
            without(I::LOD, ", but no explicit level")?;
            without(I::GRAD, ", but no explicit level")?;
        }
    }
    if kind != SamplingKind::Implicit {
        without(I::BIAS, ", but no implicit level")?;
    }
    if kind != SamplingKind::Gather {
        without(I::CONST_OFFSETS, ", but is not a gather")?;
    }
    if offsets.bits().count_ones() > 1 {
        return Err("has several kinds of offsets".into());
    }
    if image.dim == Dim::DimCube && !offsets.is_empty() {
        return Err("has an offset for a cube".into());
    }
    if mask.contains(I::SAMPLE) != image.multisampled && image.dim != Dim::DimSubpassData {
        let how = if image.multisampled {
            "has no Sample operand, but the image is multisampled"
        } else {
            "has a Sample operand, but the image is not multisampled"
        };
        return Err(how.into());
    }
    if kind != SamplingKind::Implicit && !mask.contains(I::GRAD) {
        without(I::MIN_LOD, ", but no derivatives")?;
    }
    Ok(())
}

/// Returns the components of gradients and offsets, and of coordinates without layer.
pub(super) fn plane(dim: Dim) -> u32 {
    match dim {
        Dim::Dim1D | Dim::DimBuffer => 1,
        Dim::Dim3D | Dim::DimCube => 3,
        _ => 2,
    }
}

fn has_levels(image: &ImageType) -> bool {
    [Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::DimCube].contains(&image.dim)
}

fn sampled(c: &Checker, inst: &Inst) -> Result<ImageType, String> {
    match c.value_type(inst, 0) {
        Some(Type::SampledImage { image }) => match c.m.ty(*image) {
            Some(Type::Image(image)) => Ok(*image),
            _ => Err(format!("{} is not a sampled image", c.m.describe(c.operand(inst, 0)))),
        },
        _ => Err(format!("{} is not a sampled image", c.m.describe(c.operand(inst, 0)))),
    }
}

fn floats(c: &Checker, id: Id, wanted: u32, what: &str) -> Result<(), String> {
    match c.shape(c.m.type_of(id)) {
        Some((Type::Float { .. }, n)) if n >= wanted => Ok(()),
        _ => Err(format!("{what} {} must have {wanted} floats", c.m.describe(id))),
    }
}

fn single(c: &Checker, id: Id) -> Result<(), String> {
    match c.m.ty(c.m.type_of(id)) {
        Some(Type::Float { width: 32, .. }) => Ok(()),
        _ => Err(format!("the reference {} is not a 32-bit float", c.m.describe(id))),
    }
}
