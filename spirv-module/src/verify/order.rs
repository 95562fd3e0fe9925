//! Rules about header, version and the order of sections (SPIR-V 2.3 and 2.4).

use super::{Checker, is_line, rules};
use crate::grammar;
use spirv::Op;

/// Returns the section of the logical layout that an instruction belongs to; `None` if it may be in several.
fn section(op: Op) -> Option<(u32, &'static str)> {
    Some(match op {
        Op::Capability => (0, "capabilities"),
        Op::Extension => (1, "extensions"),
        Op::ExtInstImport => (2, "imports"),
        Op::MemoryModel => (3, "the memory model"),
        Op::EntryPoint => (4, "entry points"),
        Op::ExecutionMode | Op::ExecutionModeId => (5, "execution modes"),
        Op::String | Op::SourceExtension | Op::Source | Op::SourceContinued => (6, "sources"),
        Op::Name | Op::MemberName => (7, "names"),
        Op::ModuleProcessed => (8, "processing notes"),
        _ if op.is_annotation() => (9, "decorations"),
        // Lines begin with the declarations at the earliest.
        Op::Line | Op::NoLine => (10, "declarations"),
        _ if op.is_type() || op.is_constant() => (10, "declarations"),
        Op::TypeForwardPointer | Op::ConstantStringAMDX | Op::SpecConstantStringAMDX => (10, "declarations"),
        _ => return None,
    })
}

/// Minor versions that added instructions to the core.
const SINCE: &[(u8, &[Op])] = &[
    (1, &[Op::ModuleProcessed, Op::SizeOf]),
    (2, &[Op::ExecutionModeId, Op::DecorateId]),
    (
        3,
        &[
            Op::GroupNonUniformElect,
            Op::GroupNonUniformAll,
            Op::GroupNonUniformAny,
            Op::GroupNonUniformAllEqual,
            Op::GroupNonUniformBroadcast,
            Op::GroupNonUniformBroadcastFirst,
            Op::GroupNonUniformBallot,
            Op::GroupNonUniformInverseBallot,
            Op::GroupNonUniformBallotBitExtract,
            Op::GroupNonUniformBallotBitCount,
            Op::GroupNonUniformBallotFindLSB,
            Op::GroupNonUniformBallotFindMSB,
            Op::GroupNonUniformShuffle,
            Op::GroupNonUniformShuffleXor,
            Op::GroupNonUniformShuffleUp,
            Op::GroupNonUniformShuffleDown,
            Op::GroupNonUniformIAdd,
            Op::GroupNonUniformFAdd,
            Op::GroupNonUniformIMul,
            Op::GroupNonUniformFMul,
            Op::GroupNonUniformSMin,
            Op::GroupNonUniformUMin,
            Op::GroupNonUniformFMin,
            Op::GroupNonUniformSMax,
            Op::GroupNonUniformUMax,
            Op::GroupNonUniformFMax,
            Op::GroupNonUniformBitwiseAnd,
            Op::GroupNonUniformBitwiseOr,
            Op::GroupNonUniformBitwiseXor,
            Op::GroupNonUniformLogicalAnd,
            Op::GroupNonUniformLogicalOr,
            Op::GroupNonUniformLogicalXor,
            Op::GroupNonUniformQuadBroadcast,
            Op::GroupNonUniformQuadSwap,
        ],
    ),
    (4, &[Op::CopyLogical, Op::PtrEqual, Op::PtrNotEqual, Op::PtrDiff]),
];

/// Instructions that the grammar has and the specification reserves.
const RESERVED: &[Op] = &[
    Op::ImageSparseSampleProjImplicitLod,
    Op::ImageSparseSampleProjExplicitLod,
    Op::ImageSparseSampleProjDrefImplicitLod,
    Op::ImageSparseSampleProjDrefExplicitLod,
];

pub(super) fn check(c: &mut Checker) {
    let (_, minor) = c.m.version;
    if minor > 6 {
        c.add(rules::HEADER, 1, 0, format!("SPIR-V 1.{minor} does not exist"));
    }
    if c.m.memory_model.is_none() {
        c.add(rules::ORDER, 5, 0, "the module has no OpMemoryModel");
    }
    let mut reached = (0, "capabilities");
    let mut in_function = false;
    let mut after_merge = false;
    for inst in c.insts {
        // The grammar has the instructions that Vulkan can use. All others are unknown, including their results.
        if grammar::pattern(inst.opcode).is_none() {
            c.add(rules::OPCODE, inst.word as usize, 0, format!("unknown instruction {}", inst.name()));
        }
        if inst.op().is_some_and(|op| RESERVED.contains(&op)) {
            c.add(rules::OPCODE, inst.word as usize, 0, format!("{} is reserved", inst.name()));
        }
        let op = inst.op();
        let follows_merge = std::mem::replace(&mut after_merge, matches!(op, Some(Op::LoopMerge | Op::SelectionMerge)));
        let Some(op) = op else { continue };
        if follows_merge && is_line(Some(op)) {
            c.at(rules::MERGE, inst, "an instruction is between a merge instruction and its branch");
        }
        if let Some((since, _)) = SINCE.iter().find(|(since, ops)| minor < *since && ops.contains(&op)) {
            c.at(rules::VERSION, inst, format!("it needs SPIR-V 1.{since}, but the module is 1.{minor}"));
        }
        if op == Op::Function {
            in_function = true;
            reached = (11, "functions");
            continue;
        }
        if op == Op::FunctionEnd {
            in_function = false;
            continue;
        }
        // After the first function, lines may also separate functions.
        if op == Op::Nop || is_line(Some(op)) && reached.0 > 10 {
            continue;
        }
        let Some((place, name)) = section(op).or_else(|| (!in_function).then_some((10, "declarations"))) else {
            continue;
        };
        if place < reached.0 {
            c.at(rules::ORDER, inst, format!("it belongs to {name}, but comes after {} began", reached.1));
        } else {
            reached = (place, name);
        }
    }
}
