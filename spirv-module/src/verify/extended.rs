//! Rules about instructions of extended sets: GLSL.std.450 is type-checked, non-semantic sets are accepted (SPIR-V
//! 3.49.4, GLSL.std.450).

use super::{Checker, rules};
use crate::module::Inst;
use crate::types::Type;
use spirv::{GlslStd450Op as G, Op};

/// The types of operands and result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OperandShape {
    /// All operands have the result's type, a scalar or vector of floats.
    Floats(usize),
    /// Integers with the count and width of the result.
    Ints(usize),
    /// A vector or scalar of floats; the result is a component.
    Length(usize),
    Cross,
    /// Floats, with an integer or a single float as the last operand.
    Refract,
    Ldexp,
    /// To one 32-bit integer, or back.
    Pack(u32),
    Unpack(u32),
    /// Only their number is checked.
    Any(usize),
}

const TABLE: &[(OperandShape, &[G])] = &[
    (
        OperandShape::Floats(1),
        &[
            G::Round,
            G::RoundEven,
            G::Trunc,
            G::FAbs,
            G::FSign,
            G::Floor,
            G::Ceil,
            G::Fract,
            G::Radians,
            G::Degrees,
            G::Sin,
            G::Cos,
            G::Tan,
            G::Asin,
            G::Acos,
            G::Atan,
            G::Sinh,
            G::Cosh,
            G::Tanh,
            G::Asinh,
            G::Acosh,
            G::Atanh,
            G::Exp,
            G::Log,
            G::Exp2,
            G::Log2,
            G::Sqrt,
            G::InverseSqrt,
            G::Normalize,
        ],
    ),
    (OperandShape::Floats(2), &[G::Atan2, G::Pow, G::FMin, G::FMax, G::Step, G::NMin, G::NMax, G::Reflect]),
    (OperandShape::Floats(3), &[G::FClamp, G::FMix, G::SmoothStep, G::Fma, G::NClamp, G::FaceForward]),
    (OperandShape::Ints(1), &[G::SAbs, G::SSign, G::FindILsb, G::FindSMsb, G::FindUMsb]),
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
    (
        OperandShape::Any(1),
        &[
            G::ModfStruct,
            G::FrexpStruct,
            G::Determinant,
            G::MatrixInverse,
            G::PackDouble2x32,
            G::UnpackDouble2x32,
            G::InterpolateAtCentroid,
        ],
    ),
    (OperandShape::Any(2), &[G::Modf, G::Frexp, G::InterpolateAtSample, G::InterpolateAtOffset]),
    (OperandShape::Any(3), &[G::IMix]),
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
    let types: Vec<_> = args.iter().map(|id| c.m.type_of(*id)).collect();
    let result = c.shape(inst.ty);
    let float = |ty| matches!(c.shape(ty), Some((Type::Float { .. }, _)));
    let like = |ty| match (c.shape(ty), result) {
        (Some((Type::Int { width: a, .. }, n)), Some((Type::Int { width: b, .. }, m))) => a == b && n == m,
        _ => false,
    };
    let all_floats = float(inst.ty) && types.iter().all(|t| *t == inst.ty);
    let one_uint = |ty| matches!(c.shape(ty), Some((Type::Int { width: 32, .. }, 1)));
    let floats32 = |ty, n: u32| matches!(c.shape(ty), Some((Type::Float { width: 32 }, m)) if m == n);
    let fits = match *shape {
        OperandShape::Floats(n) => types.len() == n && all_floats,
        OperandShape::Ints(n) => types.len() == n && types.iter().all(|t| like(*t)),
        OperandShape::Length(n) => {
            let component = types.first().map(|t| match c.m.ty(*t) {
                Some(Type::Vector { component, .. }) => *component,
                _ => *t,
            });
            types.len() == n && float(inst.ty) && component == Some(inst.ty) && types.iter().all(|t| *t == types[0])
        }
        OperandShape::Cross => types.len() == 2 && all_floats && result.is_some_and(|r| r.1 == 3),
        OperandShape::Refract => types.len() == 3 && float(inst.ty) && types[..2].iter().all(|t| *t == inst.ty),
        OperandShape::Ldexp => types.len() == 2 && float(inst.ty) && types[0] == inst.ty,
        OperandShape::Pack(n) => types.len() == 1 && one_uint(inst.ty) && floats32(types[0], n),
        OperandShape::Unpack(n) => types.len() == 1 && floats32(inst.ty, n) && one_uint(types[0]),
        OperandShape::Any(n) => types.len() == n,
    };
    if fits {
        return Ok(());
    }
    let given: Vec<String> = types.iter().map(|t| c.type_name(*t)).collect();
    Err(format!("{which:?} does not accept ({}) for the result {}", given.join(", "), c.type_name(inst.ty)))
}
