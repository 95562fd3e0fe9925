//! Rules that ids are defined before their uses: in order among declarations, by dominance inside functions.

use super::{Checker, rules};
use crate::module::{Def, Function, Id, Inst};
use crate::structure::Structure;
use rustc_hash::FxHashSet;
use spirv::Op;

/// Checks the declarations outside functions.
pub(super) fn check_declarations(c: &mut Checker) {
    let mut forward = FxHashSet::default();
    for inst in c.insts {
        let Some(op) = inst.op() else { continue };
        if op == Op::Function {
            break;
        }
        // Names, decorations, entry points and modes may refer to later ids.
        let speaks_ahead = op.is_annotation()
            || matches!(op, Op::Name | Op::MemberName | Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId);
        let mut missing = Vec::new();
        let mut early = Vec::new();
        if op == Op::TypeForwardPointer {
            forward.insert(c.operand(inst, 0));
        }
        c.for_each_used_id(inst, |id| {
            if c.m.def(id) == Def::None {
                missing.push(id);
            } else if !speaks_ahead && !forward.contains(&id) && definition_word(c, id) >= inst.word {
                early.push(id);
            }
        });
        report(c, inst, &missing, &early);
    }
}

/// Checks that the files of lines and sources are strings.
pub(super) fn check_files(c: &mut Checker) {
    for inst in c.insts {
        let file = match inst.op() {
            Some(Op::Line) => 0,
            Some(Op::Source) if inst.operands.len() > 2 => 2,
            _ => continue,
        };
        let file = c.operand(inst, file);
        if !c.m.strings.contains_key(&file) {
            let message = format!("the file of a line or source is {}, not an OpString", c.m.describe(file));
            c.add(rules::OPERANDS, inst.word as usize, 0, message);
        }
    }
}

fn report(c: &mut Checker, inst: &Inst, missing: &[Id], early: &[Id]) {
    for id in missing {
        let message = format!("{} is not defined", c.m.describe(*id));
        c.at(rules::DEFINED, inst, message);
    }
    for id in early {
        let message = format!("{} is defined later", c.m.describe(*id));
        c.at(rules::DEFINED, inst, message);
    }
}

/// Returns the word at which an id outside functions is defined.
fn definition_word(c: &Checker, id: Id) -> u32 {
    match c.m.def(id) {
        Def::Type | Def::Constant | Def::Global | Def::Other | Def::ExtImport => {
            c.words_of.get(&id).copied().unwrap_or(0)
        }
        Def::Function(index) => c.m.functions.get(index as usize).map_or(0, |f| f.inst.word),
        // Ids in functions are defined later than every declaration.
        Def::Parameter(..) | Def::Label(..) | Def::Inst(..) => u32::MAX,
        Def::None => 0,
    }
}

/// Checks the body of a function.
pub(super) fn check_function(c: &mut Checker, function: &Function, structure: &Structure) {
    let Def::Function(index) = c.m.def(function.id) else { return };
    for inst in std::iter::once(&function.inst).chain(&function.parameters) {
        let mut missing = Vec::new();
        c.for_each_used_id(inst, |id| {
            if !matches!(c.m.def(id), Def::Type) {
                missing.push(id);
            }
        });
        report(c, inst, &missing, &[]);
    }
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            let op = inst.op();
            if op == Some(Op::Phi) {
                check_phi(c, index, structure, inst);
            } else {
                check_uses(c, index, structure, inst, b, i as u32, op == Some(Op::FunctionCall));
            }
        }
        check_uses(c, index, structure, &block.terminator_inst, b, u32::MAX, false);
    }
}

/// Instructions that may have types as operands.
const TAKE_TYPES: &[Op] = &[
    Op::IsNodePayloadValidAMDX,
    Op::ExtInst,
    Op::ExtInstWithForwardRefsKHR,
    Op::UntypedVariableKHR,
    Op::UntypedAccessChainKHR,
    Op::UntypedInBoundsAccessChainKHR,
    Op::UntypedPtrAccessChainKHR,
    Op::UntypedInBoundsPtrAccessChainKHR,
    Op::UntypedArrayLengthKHR,
    Op::CooperativeMatrixLengthKHR,
];

/// Checks that operands are values. Types are not, nor are functions outside calls.
fn check_values(c: &mut Checker, inst: &Inst) {
    if inst.op().is_some_and(|op| TAKE_TYPES.contains(&op)) {
        return;
    }
    for operand in c.decoded(inst) {
        let Some(id) = operand.id() else { continue };
        if matches!(c.m.def(id), Def::Type | Def::ExtImport) {
            let message = format!("{} is not a value", c.m.describe(id));
            c.at(rules::OPERANDS, inst, message);
        }
    }
}

/// Checks the uses of an instruction, which is the `i`-th of block `b`.
fn check_uses(c: &mut Checker, function: u32, structure: &Structure, inst: &Inst, b: usize, i: u32, call: bool) {
    let mut missing = Vec::new();
    let mut early = Vec::new();
    c.for_each_used_id(inst, |id| match c.m.def(id) {
        Def::None => missing.push(id),
        Def::Inst(f, block, at) if f == function => {
            let block = block as usize;
            // In unreachable blocks, only the order of the text counts.
            let before = if block == b {
                at < i
            } else if structure.dominators.is_reachable(b) {
                structure.dominators.dominates(block, b)
            } else {
                block < b
            };
            if !before {
                early.push(id);
            }
        }
        Def::Parameter(f, _) if f == function => {}
        // The rules of control flow check labels.
        Def::Label(..) => {}
        Def::Inst(..) | Def::Parameter(..) => early.push(id),
        Def::Function(_) if call => {}
        _ => {}
    });
    report(c, inst, &missing, &[]);
    check_values(c, inst);
    for id in early {
        let message = format!("{} is not defined on every path to this use", c.m.describe(id));
        c.at(rules::DOMINANCE, inst, message);
    }
}

/// Checks a phi. Its values are used at the end of the predecessors.
fn check_phi(c: &mut Checker, function: u32, structure: &Structure, inst: &Inst) {
    for pair in c.m.operands(inst).chunks(2) {
        let &[value, parent] = pair else { continue };
        let Def::Label(f, parent) = c.m.def(parent) else { continue };
        match c.m.def(value) {
            Def::None => report(c, inst, &[value], &[]),
            Def::Inst(g, block, _) => {
                let reachable = structure.dominators.is_reachable(parent as usize);
                let dominates = structure.dominators.dominates(block as usize, parent as usize);
                if f != function || g != function || reachable && !dominates {
                    let message = format!("{} is not defined at the end of its predecessor", c.m.describe(value));
                    c.at(rules::DOMINANCE, inst, message);
                }
            }
            _ => {}
        }
    }
}
