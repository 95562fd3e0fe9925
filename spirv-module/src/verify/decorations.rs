//! The rule that decorations are on valid targets, and not repeated (SPIR-V 3.20, 2.16.1).

use super::{Checker, rules};
use crate::module::{Decoration, Def, Id};
use crate::types::Type;
use rustc_hash::FxHashSet;
use spirv::Decoration as D;
use spirv::{Op, StorageClass};

/// The valid targets of a decoration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Struct,
    Member,
    /// A member of matrix type, or an array of matrices.
    MatrixMember,
    /// An array, a runtime array or a pointer.
    Strided,
    Variable,
    VariableOrMember,
    /// A variable, a member or a parameter, but no value computed from them.
    Declaration,
    /// A scalar specialisation constant.
    SpecConstant,
    /// A result with a type and a value.
    Object,
    /// A result of arithmetic.
    Value,
    /// A variable or parameter that is, or contains, a physical pointer.
    PhysicalVariable,
}

/// Decorations, their targets, and the number of their operands.
const TABLE: &[(D, Target, usize)] = &[
    (D::Block, Target::Struct, 0),
    (D::BufferBlock, Target::Struct, 0),
    (D::GLSLShared, Target::Struct, 0),
    (D::GLSLPacked, Target::Struct, 0),
    (D::CPacked, Target::Struct, 0),
    (D::Offset, Target::Member, 1),
    (D::RowMajor, Target::MatrixMember, 0),
    (D::ColMajor, Target::MatrixMember, 0),
    (D::MatrixStride, Target::MatrixMember, 1),
    (D::ArrayStride, Target::Strided, 1),
    (D::Binding, Target::Variable, 1),
    (D::DescriptorSet, Target::Variable, 1),
    (D::InputAttachmentIndex, Target::Variable, 1),
    (D::Location, Target::VariableOrMember, 1),
    (D::Component, Target::VariableOrMember, 1),
    (D::Aliased, Target::Declaration, 0),
    (D::Restrict, Target::Declaration, 0),
    (D::NonWritable, Target::Declaration, 0),
    (D::NonReadable, Target::Declaration, 0),
    (D::Coherent, Target::Declaration, 0),
    (D::Volatile, Target::Declaration, 0),
    (D::Invariant, Target::VariableOrMember, 0),
    (D::Flat, Target::Declaration, 0),
    (D::NoPerspective, Target::Declaration, 0),
    (D::Centroid, Target::Declaration, 0),
    (D::Sample, Target::Declaration, 0),
    (D::Patch, Target::Declaration, 0),
    (D::PerPrimitiveEXT, Target::Declaration, 0),
    (D::Stream, Target::Declaration, 1),
    (D::XfbBuffer, Target::Declaration, 1),
    (D::XfbStride, Target::Declaration, 1),
    (D::SpecId, Target::SpecConstant, 1),
    (D::Uniform, Target::Object, 0),
    (D::UniformId, Target::Object, 1),
    (D::NoContraction, Target::Value, 0),
    (D::NoSignedWrap, Target::Value, 0),
    (D::NoUnsignedWrap, Target::Value, 0),
    (D::AliasedPointer, Target::PhysicalVariable, 0),
    (D::RestrictPointer, Target::PhysicalVariable, 0),
];

/// Decorations with ids as operands, which OpDecorateId adds.
const WITH_IDS: &[D] = &[
    D::UniformId,
    D::AlignmentId,
    D::MaxByteOffsetId,
    D::CounterBuffer,
    D::NodeMaxPayloadsAMDX,
    D::NodeSharesPayloadLimitsWithAMDX,
    D::PayloadNodeNameAMDX,
    D::PayloadNodeBaseIndexAMDX,
    D::PayloadNodeArraySizeAMDX,
];

/// Numbers of operands, with the decorations that are allowed on any target.
const COUNTS: &[(usize, &[D])] = &[
    (
        0,
        &[
            D::RelaxedPrecision,
            D::Constant,
            D::SaturatedConversion,
            D::NonUniform,
            D::PerVertexKHR,
            D::TrackFinishWritingAMDX,
            D::PayloadNodeSparseArrayAMDX,
            D::PayloadDispatchIndirectAMDX,
        ],
    ),
    (1, &[D::BuiltIn, D::Index, D::FPRoundingMode, D::FPFastMathMode, D::Alignment]),
    (1, WITH_IDS),
];

/// Storage classes of variables at the interface of a stage.
const EDGE: &[StorageClass] = &[StorageClass::Input, StorageClass::Output];

/// Storage classes of variables with locations: at the interface of a stage, and those of rays.
const LOCATED: &[StorageClass] = &[
    StorageClass::Input,
    StorageClass::Output,
    StorageClass::RayPayloadKHR,
    StorageClass::IncomingRayPayloadKHR,
    StorageClass::HitAttributeKHR,
    StorageClass::CallableDataKHR,
    StorageClass::IncomingCallableDataKHR,
    StorageClass::ShaderRecordBufferKHR,
];

/// Decorations that are allowed only in certain storage classes (Vulkan, "Standalone SPIR-V Validation").
const CLASSES: &[(D, &[StorageClass])] = &[
    (D::Flat, EDGE),
    (D::NoPerspective, EDGE),
    (D::Centroid, EDGE),
    (D::Sample, EDGE),
    (D::Invariant, EDGE),
    (D::BuiltIn, EDGE),
    (D::Location, LOCATED),
    (D::Component, LOCATED),
    (D::Index, &[StorageClass::Output]),
    (D::InputAttachmentIndex, &[StorageClass::UniformConstant]),
    (
        D::NonWritable,
        &[
            StorageClass::UniformConstant,
            StorageClass::Uniform,
            StorageClass::StorageBuffer,
            StorageClass::PhysicalStorageBuffer,
            StorageClass::NodePayloadAMDX,
            StorageClass::Private,
            StorageClass::Function,
        ],
    ),
];

pub(super) fn check(c: &mut Checker) {
    for (&target, decorations) in &c.m.decorations {
        let mut seen = FxHashSet::default();
        let is_group = op_outside(c, target) == Some(Op::DecorationGroup);
        for decoration in decorations {
            if is_group {
                continue;
            }
            if let Err(message) = one(c, target, decoration) {
                let name = name(decoration.kind);
                let text = format!("{name} of {}: {message}", c.m.describe(target));
                c.add(rules::DECORATION, decoration.inst.word as usize, target, text);
            }
            // A few decorations may be repeated, with different operands.
            let repeats = matches!(D::from_u32(decoration.kind), Some(D::UserSemantic | D::FuncParamAttr));
            if !repeats && !seen.insert((decoration.member, decoration.kind)) {
                let text = format!("{} is repeated on {}", name(decoration.kind), c.m.describe(target));
                c.add(rules::DECORATION, decoration.inst.word as usize, target, text);
            }
        }
    }
}

pub(super) fn name(kind: u32) -> String {
    D::from_u32(kind).map_or_else(|| format!("decoration {kind}"), |d| format!("{d:?}"))
}

fn one(c: &Checker, target: Id, decoration: &Decoration) -> Result<(), String> {
    if let Some(member) = decoration.member {
        match c.m.ty(target) {
            Some(Type::Struct { members }) if (member as usize) < members.len() => {}
            Some(Type::Struct { members }) => {
                return Err(format!("member {member} of a structure with {} members", members.len()));
            }
            _ => return Err("a member decoration on a type that is not a structure".into()),
        }
    }
    let kind = D::from_u32(decoration.kind);
    if matches!(kind, Some(D::Coherent | D::Volatile)) && c.vulkan_memory_model() {
        return Err("under the Vulkan memory model, decorate each access instead".into());
    }
    if kind == Some(D::BufferBlock) && c.m.version.1 > 3 {
        return Err("not allowed in SPIR-V 1.4 and later".into());
    }
    let class = c.m.globals.get(&target).map(|_| c.m.ty(c.m.type_of(target)));
    if kind == Some(D::NonWritable)
        && c.m.version.1 < 4
        && matches!(class, Some(Some(Type::Pointer { class: StorageClass::Private, .. })))
    {
        return Err("before SPIR-V 1.4 only resources can have it".into());
    }
    if let Some(Some(Type::Pointer { class, .. })) = class
        && decoration.member.is_none()
        && CLASSES.iter().any(|(of, classes)| kind == Some(*of) && !classes.contains(class))
    {
        return Err(format!("a variable in {class:?} cannot have it"));
    }
    let by_id = matches!(decoration.inst.op(), Some(Op::DecorateId | Op::MemberDecorateIdEXT));
    if let Some(kind) = kind
        && by_id != WITH_IDS.contains(&kind)
    {
        return Err(if by_id { "it cannot have IDs as operands".into() } else { "it needs OpDecorateId".into() });
    }
    if by_id {
        // Allow constants, and the types and variables that a few of them refer to.
        let known = |id: &u32| matches!(c.m.def(*id), Def::Constant | Def::Type | Def::Global);
        if let Some(id) = c.m.decoration_operands(decoration).iter().find(|id| !known(id)) {
            return Err(format!("{} is not a constant", c.m.describe(*id)));
        }
    }
    let row = TABLE.iter().find(|row| Some(row.0) == kind);
    let count = kind.and_then(|kind| COUNTS.iter().find(|(_, all)| all.contains(&kind))).map(|row| row.0);
    let given = c.m.decoration_operands(decoration).len();
    if let Some(count) = row.map(|row| row.2).or(count).filter(|count| given != *count) {
        return Err(format!("{given} operands, expected {count}"));
    }
    let Some((_, wanted, _)) = row else { return Ok(()) };
    let on_member = decoration.member.is_some();
    let fits = match wanted {
        Target::Struct => !on_member && matches!(c.m.ty(target), Some(Type::Struct { .. })),
        Target::Member => on_member,
        Target::MatrixMember => decoration.member.is_some_and(|i| is_matrix_member(c, target, i)),
        Target::Strided => {
            let ty = c.m.ty(target);
            !on_member && matches!(ty, Some(Type::Array { .. } | Type::RuntimeArray { .. } | Type::Pointer { .. }))
        }
        Target::Variable => !on_member && is_variable(c, target),
        Target::VariableOrMember => on_member || is_variable(c, target),
        Target::Declaration => on_member || is_variable(c, target) || matches!(c.m.def(target), Def::Parameter(..)),
        Target::SpecConstant => {
            // Computed and composite constants have no value of their own.
            let op = op_outside(c, target);
            let scalar = matches!(op, Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse));
            !on_member && (scalar || op == Some(Op::SpecConstantStringAMDX))
        }
        Target::Object => !on_member && !matches!(c.m.ty(c.m.type_of(target)), None | Some(Type::Void)),
        Target::Value => !on_member && matches!(c.m.def(target), Def::Inst(..)),
        Target::PhysicalVariable => !on_member && is_physical_variable(c, target),
    };
    if fits { Ok(()) } else { Err("this target cannot have it".into()) }
}

/// Returns the instruction outside of functions that has this result.
fn op_outside(c: &Checker, id: Id) -> Option<Op> {
    let word = c.words_of.get(&id).and_then(|at| c.m.words.get(*at as usize))?;
    Op::from_u32(word & 0xffff)
}

fn is_variable(c: &Checker, id: Id) -> bool {
    c.m.globals.contains_key(&id) || c.m.inst(id).is_some_and(|i| i.op() == Some(Op::Variable))
}

fn is_matrix_member(c: &Checker, id: Id, member: u32) -> bool {
    let Some(Type::Struct { members }) = c.m.ty(id) else { return false };
    let ty = innermost(c, members.get(member as usize).copied().unwrap_or(0));
    matches!(c.m.ty(ty), Some(Type::Matrix { .. }))
}

/// Returns the type of the elements of an array, of arrays too; other types are returned as they are.
pub(super) fn innermost(c: &Checker, mut ty: Id) -> Id {
    // Types are declared before those that contain them, so the chain ends; in a wrong module it may be a circle.
    for _ in 0..=c.m.types.len() {
        match c.m.ty(ty) {
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) if *element != ty => ty = *element,
            _ => break,
        }
    }
    ty
}

fn is_physical_variable(c: &Checker, id: Id) -> bool {
    let mut ty = c.m.type_of(id);
    if is_variable(c, id)
        && let Some(Type::Pointer { pointee, .. }) = c.m.ty(ty)
    {
        ty = *pointee;
    }
    for _ in 0..=c.m.types.len() {
        match c.m.ty(ty) {
            Some(Type::Array { element, .. }) if *element != ty => ty = *element,
            Some(Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. }) => return true,
            _ => return false,
        }
    }
    false
}
