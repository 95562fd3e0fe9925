//! Rules about instructions of extended sets: GLSL.std.450 is type-checked, non-semantic sets are accepted (SPIR-V
//! 3.49.4, GLSL.std.450).

use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::Type;
use spirv::{Capability, GlslStd450Op as G, Op, StorageClass};

/// The types of operands and result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OperandShape {
    /// All operands have the result's type, a scalar or vector of floats.
    Floats(usize),
    /// Like `Floats`, of 16 or 32 bits.
    NarrowFloats(usize),
    /// Integers with the count and width of the result.
    Ints(usize),
    /// One operand, of 32 bits.
    Int32,
    /// A vector or scalar of floats; the result is a component.
    Length(usize),
    Cross,
    /// Floats, with an integer or a single float as the last operand.
    Refract,
    Ldexp,
    /// To one 32-bit integer, or back.
    Pack(u32),
    Unpack(u32),
    /// From a vector of two 32-bit integers, or back.
    PackDouble,
    UnpackDouble,
    /// The second operand points to memory of the result's type, or of 32-bit integers.
    Modf,
    Frexp,
    /// The result has two members: the operand's type twice, or with 32-bit integers.
    ModfStruct,
    FrexpStruct,
    /// A pointer to an input of the result's type. The second operand is one 32-bit integer or a vector of two floats.
    AtCentroid,
    AtSample,
    AtOffset,
    /// One operand; [`super::matrices`] checks its type.
    Matrix,
}

#[rustfmt::skip]
const TABLE: &[(OperandShape, &[G])] = &[
    (OperandShape::Floats(1), &[
        G::Round, G::RoundEven, G::Trunc, G::FAbs, G::FSign, G::Floor, G::Ceil, G::Fract, G::Sqrt, G::InverseSqrt,
        G::Normalize,
    ]),
    (OperandShape::NarrowFloats(1), &[
        G::Radians, G::Degrees, G::Sin, G::Cos, G::Tan, G::Asin, G::Acos, G::Atan, G::Sinh, G::Cosh, G::Tanh, G::Asinh,
        G::Acosh, G::Atanh, G::Exp, G::Log, G::Exp2, G::Log2,
    ]),
    (OperandShape::Floats(2), &[G::FMin, G::FMax, G::Step, G::NMin, G::NMax, G::Reflect]),
    (OperandShape::NarrowFloats(2), &[G::Atan2, G::Pow]),
    (OperandShape::Floats(3), &[G::FClamp, G::FMix, G::SmoothStep, G::Fma, G::NClamp, G::FaceForward]),
    // SPIRV-Tools accept all widths for FindILsb.
    (OperandShape::Ints(1), &[G::SAbs, G::SSign, G::FindILsb]),
    (OperandShape::Int32, &[G::FindSMsb, G::FindUMsb]),
    (OperandShape::Ints(2), &[G::UMin, G::SMin, G::UMax, G::SMax]),
    (OperandShape::Ints(3), &[G::UClamp, G::SClamp]),
    (OperandShape::Length(1), &[G::Length]),
    (OperandShape::Length(2), &[G::Distance]),
    (OperandShape::Cross, &[G::Cross]),
    (OperandShape::Refract, &[G::Refract]),
    (OperandShape::Ldexp, &[G::Ldexp]),
    (OperandShape::Pack(4), &[G::PackSnorm4x8, G::PackUnorm4x8]),
    (OperandShape::Pack(2), &[G::PackSnorm2x16, G::PackUnorm2x16, G::PackHalf2x16]),
    (OperandShape::Unpack(4), &[G::UnpackSnorm4x8, G::UnpackUnorm4x8]),
    (OperandShape::Unpack(2), &[G::UnpackSnorm2x16, G::UnpackUnorm2x16, G::UnpackHalf2x16]),
    (OperandShape::PackDouble, &[G::PackDouble2x32]),
    (OperandShape::UnpackDouble, &[G::UnpackDouble2x32]),
    (OperandShape::Modf, &[G::Modf]),
    (OperandShape::Frexp, &[G::Frexp]),
    (OperandShape::ModfStruct, &[G::ModfStruct]),
    (OperandShape::FrexpStruct, &[G::FrexpStruct]),
    (OperandShape::AtCentroid, &[G::InterpolateAtCentroid]),
    (OperandShape::AtSample, &[G::InterpolateAtSample]),
    (OperandShape::AtOffset, &[G::InterpolateAtOffset]),
    (OperandShape::Matrix, &[G::Determinant, G::MatrixInverse]),
];

/// The operands of each instruction of other sets, from number 1 on.
const OTHER_SETS: &[(&str, &[usize])] = &[
    ("SPV_AMD_gcn_shader", &[1, 1, 0]),
    ("SPV_AMD_shader_ballot", &[2, 2, 3, 1]),
    ("SPV_AMD_shader_trinary_minmax", &[3; 9]),
    ("SPV_AMD_shader_explicit_vertex_parameter", &[2]),
];

/// The known sets. Names of sets without semantics begin with `NonSemantic.`.
const SETS: &[&str] = &[
    "GLSL.std.450",
    "OpenCL.std",
    "OpenCL.DebugInfo.100",
    "DebugInfo",
    "SPV_AMD_gcn_shader",
    "SPV_AMD_shader_ballot",
    "SPV_AMD_shader_trinary_minmax",
    "SPV_AMD_shader_explicit_vertex_parameter",
];

pub(super) fn check_imports(c: &mut Checker) {
    for inst in c.insts.iter().filter(|inst| inst.op() == Some(Op::ExtInst)) {
        let name = c.m.imports.get(&c.operand(inst, 0)).filter(|name| name.starts_with("NonSemantic."));
        if let Some(name) = name.filter(|_| c.m.ty(inst.ty) != Some(&Type::Void)) {
            let message = format!("the result of an instruction of {name} is {}, not void", c.type_name(inst.ty));
            c.at(rules::EXT_INST, inst, message);
        }
    }
    for inst in c.insts.iter().filter(|i| i.op() == Some(Op::ExtInstImport)) {
        let Some(name) = c.m.imports.get(&inst.result) else { continue };
        if !SETS.contains(&name.as_str()) && !name.starts_with("NonSemantic.") {
            c.at(rules::EXT_INST, inst, format!("unknown instruction set {name:?}"));
        }
    }
}

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    if op != Op::ExtInst {
        return;
    }
    if let Err(message) = instruction(c, inst) {
        c.at(rules::EXT_INST, inst, message);
    }
}

fn instruction(c: &Checker, inst: &Inst) -> Result<(), String> {
    let (set, number) = (c.operand(inst, 0), c.operand(inst, 1));
    let Some(name) = c.m.imports.get(&set) else {
        return Err(format!("{} is not an imported instruction set", c.m.describe(set)));
    };
    let args = c.m.operands(inst).get(2..).unwrap_or(&[]);
    if let Some((_, counts)) = OTHER_SETS.iter().find(|row| row.0 == name) {
        let count = number.checked_sub(1).and_then(|number| counts.get(number as usize));
        return match count {
            Some(count) if *count == args.len() => Ok(()),
            Some(count) => Err(format!("instruction {number} of {name} has {count} operands, not {}", args.len())),
            None => Err(format!("{name} has no instruction {number}")),
        };
    }
    if name != "GLSL.std.450" {
        return Ok(());
    }
    let found =
        G::from_u32(number).and_then(|which| TABLE.iter().find(|(_, ops)| ops.contains(&which)).zip(Some(which)));
    let Some(((shape, _), which)) = found else {
        return Err(format!("{name} has no instruction {number}"));
    };
    if is_interpolation(which) && !c.m.has_capability(Capability::InterpolationFunction) {
        return Err(format!("{which:?} needs the capability InterpolationFunction"));
    }
    let types: Vec<_> = args.iter().map(|id| c.m.type_of(*id)).collect();
    let fits = fits(c, *shape, inst.ty, &types);
    if fits {
        return Ok(());
    }
    let given: Vec<String> = types.iter().map(|t| c.type_name(*t)).collect();
    Err(format!("{which:?} does not accept ({}) for the result {}", given.join(", "), c.type_name(inst.ty)))
}

/// Returns whether an instruction interpolates an input of a fragment shader.
pub(super) fn is_interpolation(which: G) -> bool {
    matches!(which, G::InterpolateAtCentroid | G::InterpolateAtSample | G::InterpolateAtOffset)
}

/// Returns the instruction of GLSL.std.450 that an OpExtInst names.
pub(super) fn glsl(c: &Checker, inst: &Inst) -> Option<G> {
    let is_glsl = c.m.imports.get(&c.operand(inst, 0)).is_some_and(|name| name == "GLSL.std.450");
    (is_glsl && inst.op() == Some(Op::ExtInst)).then(|| G::from_u32(c.operand(inst, 1)))?
}

/// Returns whether operands of these types give a result of type `ty`.
fn fits(c: &Checker, shape: OperandShape, ty: Id, operands: &[Id]) -> bool {
    let result = c.shape(ty);
    let float = |ty| matches!(c.shape(ty), Some((Type::Float { .. }, _)));
    let all_floats = |n| operands.len() == n && float(ty) && operands.iter().all(|t| *t == ty);
    let like = |other| match (c.shape(other), result) {
        (Some((Type::Int { width: a, .. }, n)), Some((Type::Int { width: b, .. }, m))) => a == b && n == m,
        _ => false,
    };
    let ints = |n| operands.len() == n && operands.iter().all(|t| like(*t));
    let ints32 = |ty, n: u32| matches!(c.shape(ty), Some((Type::Int { width: 32, .. }, m)) if m == n);
    let floats =
        |ty, bits: u32, n: u32| matches!(c.shape(ty), Some((Type::Float { width }, m)) if m == n && *width == bits);
    let components = |ty| c.shape(ty).map_or(0, |shape| shape.1);
    let pointee = |ty| match c.m.ty(ty) {
        Some(Type::Pointer { class, pointee }) => Some((*class, *pointee)),
        _ => None,
    };
    let members = match c.m.ty(ty) {
        Some(Type::Struct { members }) => members.as_slice(),
        _ => &[],
    };
    let input = |ptr| pointee(ptr) == Some((StorageClass::Input, ty)) && floats(ty, 32, components(ty));
    match (shape, operands) {
        (OperandShape::Floats(n), _) => all_floats(n),
        (OperandShape::NarrowFloats(n), _) => all_floats(n) && !matches!(result, Some((Type::Float { width: 64 }, _))),
        (OperandShape::Ints(n), _) => ints(n),
        (OperandShape::Int32, _) => ints(1) && ints32(ty, components(ty)),
        (OperandShape::Length(n), [first, ..]) => {
            let component = match c.m.ty(*first) {
                Some(Type::Vector { component, .. }) => *component,
                _ => *first,
            };
            operands.len() == n && float(ty) && component == ty && operands.iter().all(|t| t == first)
        }
        (OperandShape::Cross, _) => all_floats(2) && components(ty) == 3,
        (OperandShape::Refract, [incident, normal, ratio]) => {
            float(ty) && [incident, normal] == [&ty, &ty] && float(*ratio) && components(*ratio) == 1
        }
        (OperandShape::Ldexp, [x, exponent]) => {
            let is_int = matches!(c.shape(*exponent), Some((Type::Int { .. }, n)) if n == components(ty));
            float(ty) && *x == ty && is_int
        }
        (OperandShape::Pack(n), [from]) => ints32(ty, 1) && floats(*from, 32, n),
        (OperandShape::Unpack(n), [from]) => floats(ty, 32, n) && ints32(*from, 1),
        (OperandShape::PackDouble, [from]) => floats(ty, 64, 1) && ints32(*from, 2),
        (OperandShape::UnpackDouble, [from]) => ints32(ty, 2) && floats(*from, 64, 1),
        (OperandShape::Modf, [x, whole]) => float(ty) && *x == ty && pointee(*whole).is_some_and(|p| p.1 == ty),
        (OperandShape::Frexp, [x, exponent]) => {
            float(ty) && *x == ty && pointee(*exponent).is_some_and(|p| ints32(p.1, components(ty)))
        }
        (OperandShape::ModfStruct, [x]) => float(*x) && members == [*x, *x],
        (OperandShape::FrexpStruct, [x]) => {
            matches!(members, [mantissa, exponent] if mantissa == x && float(*x) && ints32(*exponent, components(*x)))
        }
        (OperandShape::AtCentroid, [ptr]) => input(*ptr),
        (OperandShape::AtSample, [ptr, sample]) => input(*ptr) && ints32(*sample, 1),
        (OperandShape::AtOffset, [ptr, offset]) => input(*ptr) && floats(*offset, 32, 2),
        (OperandShape::Matrix, [_]) => true,
        _ => false,
    }
}
