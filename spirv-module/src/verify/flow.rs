//! Rules about blocks, phis and structured control flow (SPIR-V 2.2.5, 2.11, 3.49.17).
//!
//! Every block has an innermost *part*: a selection, the body of a loop, or its continue construct. Parts follow from
//! structural dominance in one walk over the structured order. A block is in the part that its structural dominator
//! opens or is in. Merge blocks are in the part of their header, and continue targets open the continue construct. An
//! edge is legal if it stays in its part, or leaves it as merge, break, continue or back edge.

use super::{Checker, is_line, rules};
use crate::module::{Block, Function, Id, Merge, Terminator};
use crate::structure::Structure;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Capability, LoopControl, Op};

pub(super) fn check(c: &mut Checker, function: &Function, structure: &Structure) {
    blocks(c, function, structure);
    phis(c, function, structure);
    branches(c, function);
    if !c.m.has_capability(Capability::Shader) {
        return;
    }
    merges(c, function, structure);
    let parts = Parts::of(function, structure);
    edges(c, function, structure, &parts);
    fall_through(c, function, structure);
}

/// Adds a finding about the terminator of a block.
fn at_end(c: &mut Checker, rule: &'static rules::Rule, block: &Block, message: &str) {
    let text = format!("block {}: {message}", c.m.describe(block.label));
    c.add(rule, block.terminator_inst.word as usize, block.label, text);
}

/// Checks the order of blocks, and of instructions in them.
fn blocks(c: &mut Checker, function: &Function, structure: &Structure) {
    if structure.predecessors.first().is_some_and(|p| !p.is_empty())
        && let Some(entry) = function.blocks.first()
    {
        at_end(c, rules::BLOCK, entry, "a branch targets the entry block");
    }
    for (i, block) in function.blocks.iter().enumerate() {
        if structure.dominators.immediate[i].is_some_and(|d| d > i) {
            at_end(c, rules::BLOCK, block, "it is before the block that dominates it");
        }
        let mut phis = true;
        let mut variables = i == 0;
        for inst in &block.insts {
            match inst.op() {
                op if is_line(op) => {}
                Some(Op::Phi) if !phis => c.at(rules::BLOCK, inst, "a phi after other instructions"),
                Some(Op::Phi) if i == 0 => c.at(rules::BLOCK, inst, "a phi in the entry block"),
                Some(Op::Phi) => {}
                Some(Op::Variable | Op::UntypedVariableKHR) => {
                    if !variables {
                        c.at(rules::BLOCK, inst, "a variable after the start of its function");
                    }
                    phis = false;
                }
                // Debug information may separate variables.
                Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => phis = false,
                _ => (phis, variables) = (false, false),
            }
        }
    }
}

fn phis(c: &mut Checker, function: &Function, structure: &Structure) {
    for (i, block) in function.blocks.iter().enumerate() {
        let mut predecessors: Vec<Id> =
            structure.predecessors[i].iter().filter_map(|&p| function.blocks.get(p)).map(|b| b.label).collect();
        predecessors.sort_unstable();
        for inst in block.insts.iter().filter(|inst| inst.op() == Some(Op::Phi)) {
            let words = c.m.operands(inst);
            let mut parents: Vec<Id> = words.iter().skip(1).step_by(2).copied().collect();
            parents.sort_unstable();
            if parents != predecessors {
                let message = match parents.iter().find(|parent| !predecessors.contains(parent)) {
                    Some(other) => format!("{} is not a predecessor of the block", c.m.describe(*other)),
                    None => {
                        format!("{} predecessors are named, but the block has {}", parents.len(), predecessors.len())
                    }
                };
                c.at(rules::PHI, inst, message);
            }
            for &value in words.iter().step_by(2) {
                if c.m.type_of(value) != inst.ty {
                    let message = format!("{} is not a {}", c.m.describe(value), c.type_name(inst.ty));
                    c.at(rules::PHI, inst, message);
                }
            }
        }
    }
}

/// Checks the types of conditions and selectors.
fn branches(c: &mut Checker, function: &Function) {
    for block in &function.blocks {
        match &block.terminator {
            Terminator::BranchConditional { then, otherwise, .. } if then == otherwise && c.m.version.1 >= 6 => {
                at_end(c, rules::BRANCH, block, "both branches lead to the same block, which SPIR-V 1.6 forbids");
            }
            Terminator::BranchConditional { .. } if !matches!(c.m.operands(&block.terminator_inst).len(), 3 | 5) => {
                at_end(c, rules::BRANCH, block, "a conditional branch has two weights or none");
            }
            Terminator::BranchConditional { condition, .. }
                if !matches!(c.m.ty(c.m.type_of(*condition)), Some(Type::Bool)) =>
            {
                at_end(c, rules::BRANCH, block, "the branch condition is not a bool");
            }
            Terminator::Switch { selector, cases, .. } => {
                if !matches!(c.m.ty(c.m.type_of(*selector)), Some(Type::Int { .. })) {
                    at_end(c, rules::BRANCH, block, "the selector of the switch is not an integer");
                }
                let mut seen = FxHashSet::default();
                if !cases.iter().all(|(value, _)| seen.insert(*value)) {
                    at_end(c, rules::BRANCH, block, "duplicate case");
                }
            }
            _ => {}
        }
    }
}

/// Checks headers against their merge blocks and continue targets.
fn merges(c: &mut Checker, function: &Function, structure: &Structure) {
    let mut merged: FxHashSet<usize> = FxHashSet::default();
    for construct in &structure.constructs {
        let (header, merge) = (construct.header, construct.merge);
        let block = &function.blocks[header];
        let fits = matches!(
            (block.merge, &block.terminator),
            (Some(Merge::Selection { .. }), Terminator::BranchConditional { .. } | Terminator::Switch { .. })
                | (Some(Merge::Loop { .. }), Terminator::Branch(_) | Terminator::BranchConditional { .. })
        );
        if let Some(Merge::Loop { control, .. }) = block.merge {
            let bits = LoopControl::from_bits_truncate(control);
            let asks = LoopControl::UNROLL | LoopControl::PEEL_COUNT | LoopControl::PARTIAL_COUNT;
            if bits.contains(LoopControl::DONT_UNROLL) && bits.intersects(asks) {
                at_end(c, rules::CONTROL, block, "the loop has DontUnroll together with a request for unrolling");
            }
        }
        if !fits {
            at_end(c, rules::MERGE, block, "the merge instruction is not followed by a branch of its kind");
        }
        if !merged.insert(merge) {
            at_end(c, rules::MERGE, block, "its merge block belongs to another header");
        }
        if !structure.structural.is_reachable(header) {
            continue;
        }
        if merge == header || !structure.structural.dominates(header, merge) {
            at_end(c, rules::MERGE, block, "does not dominate its merge block");
        }
        if let Some(target) = construct.continue_target {
            if target == merge {
                at_end(c, rules::MERGE, block, "its merge block is its continue target");
            } else if !structure.structural.dominates(header, target) {
                at_end(c, rules::MERGE, block, "does not dominate its continue target");
            }
        }
    }
    for (i, block) in function.blocks.iter().enumerate() {
        let switch = matches!(block.terminator, Terminator::Switch { .. });
        if switch && block.merge.is_none() && structure.structural.is_reachable(i) {
            at_end(c, rules::MERGE, block, "a switch without a merge block");
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstructKind {
    If,
    Switch,
    Body,
    Continue,
}

struct ConstructPart {
    kind: ConstructKind,
    header: usize,
    merge: usize,
    continue_target: Option<usize>,
    /// The part around the header.
    parent: Option<usize>,
}

struct Parts {
    list: Vec<ConstructPart>,
    /// The part of each block; a header belongs to the part around it.
    inside: Vec<Option<usize>>,
    /// The part that each header opens.
    opened: FxHashMap<usize, usize>,
}

impl Parts {
    fn of(function: &Function, structure: &Structure) -> Parts {
        let count = function.blocks.len();
        let by_header: FxHashMap<usize, usize> =
            structure.constructs.iter().enumerate().map(|(i, k)| (k.header, i)).collect();
        let mut merge_of = vec![None; count];
        let mut continue_of = vec![None; count];
        for construct in &structure.constructs {
            merge_of[construct.merge] = Some(construct.header);
            if let Some(target) = construct.continue_target.filter(|t| *t != construct.header) {
                continue_of[target] = Some(construct.header);
            }
        }
        let mut parts = Parts { list: Vec::new(), inside: vec![None; count], opened: FxHashMap::default() };
        let mut continues: FxHashMap<usize, usize> = FxHashMap::default();
        for &block in &structure.order {
            let dominates = |header: &usize| structure.structural.dominates(*header, block);
            parts.inside[block] =
                if let Some(&part) = continue_of[block].filter(dominates).and_then(|h| continues.get(&h)) {
                    Some(part)
                } else if let Some(header) = merge_of[block].filter(dominates) {
                    parts.inside[header]
                } else {
                    structure.structural.immediate[block].and_then(|d| parts.after(d))
                };
            let Some(construct) = by_header.get(&block).and_then(|i| structure.constructs.get(*i)) else { continue };
            let part = |kind| ConstructPart {
                kind,
                header: block,
                merge: construct.merge,
                continue_target: construct.continue_target,
                parent: parts.inside[block],
            };
            let kind = match (construct.continue_target, &function.blocks[block].terminator) {
                // The whole loop is its continue construct.
                (Some(target), _) if target == block => ConstructKind::Continue,
                (Some(_), _) => ConstructKind::Body,
                (None, Terminator::Switch { .. }) => ConstructKind::Switch,
                (None, _) => ConstructKind::If,
            };
            let body = part(kind);
            let continues_at = construct.continue_target.filter(|t| *t != block).map(|_| part(ConstructKind::Continue));
            parts.opened.insert(block, parts.list.len());
            parts.list.push(body);
            if let Some(part) = continues_at {
                continues.insert(block, parts.list.len());
                parts.list.push(part);
            }
        }
        parts
    }

    /// Returns the part that control is in after a block: the one it opens, or the one it is in.
    fn after(&self, block: usize) -> Option<usize> {
        self.opened.get(&block).copied().or(self.inside[block])
    }

    /// Returns whether a part is a continue construct or is inside one.
    fn continues(&self, part: Option<usize>) -> bool {
        let mut next = part;
        while let Some(part) = next.and_then(|p| self.list.get(p)) {
            if part.kind == ConstructKind::Continue {
                return true;
            }
            next = part.parent;
        }
        false
    }

    /// Returns whether control may go from a part to a block outside it. A continue construct is left only by the block
    /// with the back edge, since that is on every path out.
    fn may_leave(&self, from: Option<usize>, to: usize, goes_back: impl Fn(usize) -> bool) -> bool {
        let mut next = from;
        let mut innermost = true;
        let mut in_switch = false;
        while let Some(part) = next.and_then(|p| self.list.get(p)) {
            let merges = to == part.merge;
            match part.kind {
                ConstructKind::If if merges && innermost => return true,
                ConstructKind::If => {}
                ConstructKind::Switch if merges && !in_switch => return true,
                ConstructKind::Switch => in_switch = true,
                ConstructKind::Body => return merges || Some(to) == part.continue_target,
                ConstructKind::Continue => return merges && innermost && goes_back(part.header),
            }
            innermost = false;
            next = part.parent;
        }
        false
    }
}

fn edges(c: &mut Checker, function: &Function, structure: &Structure, parts: &Parts) {
    let loops: FxHashMap<usize, usize> =
        structure.constructs.iter().filter_map(|k| Some((k.header, k.continue_target?))).collect();
    let mut back_edges: FxHashMap<usize, u32> = FxHashMap::default();
    for &from in &structure.order {
        let block = &function.blocks[from];
        let part = parts.after(from);
        let mut leaves = 0;
        // A branch to the entry block is already reported.
        for &to in structure.successors[from].iter().filter(|to| **to != 0) {
            if structure.position[to] <= structure.position[from] {
                leaves += 1;
                *back_edges.entry(to).or_default() += 1;
                let continues = loops.get(&to).is_some_and(|target| {
                    structure.structural.dominates(to, from)
                        && (*target == to
                            || part
                                .and_then(|p| parts.list.get(p))
                                .is_some_and(|p| p.kind == ConstructKind::Continue && p.header == to))
                });
                if !continues {
                    at_end(
                        c,
                        rules::BACK_EDGE,
                        block,
                        "a back edge does not lead from a loop's continue construct to its header",
                    );
                }
            } else if parts.inside[to] != part {
                leaves += 1;
                let goes_back = |header| structure.successors[from].contains(&header);
                if !parts.may_leave(part, to, goes_back) {
                    let message = format!("it leaves its construct for {}", c.m.describe(function.blocks[to].label));
                    at_end(c, rules::NESTING, block, &message);
                }
            }
        }
        if block.terminator.targets().next().is_none() && parts.continues(part) {
            at_end(c, rules::BACK_EDGE, block, "a continue construct does not lead back to its header");
        }
        let selects = matches!(block.terminator, Terminator::BranchConditional { .. });
        if selects && block.merge.is_none() && structure.successors[from].len() > 1 && leaves == 0 {
            at_end(c, rules::MERGE, block, "a selection without a merge block");
        }
    }
    for construct in structure.constructs.iter().filter(|k| k.continue_target.is_some()) {
        let count = back_edges.get(&construct.header).copied().unwrap_or(0);
        if count != 1 && structure.structural.is_reachable(construct.header) {
            let message = format!("a loop with {count} back edges");
            at_end(c, rules::BACK_EDGE, &function.blocks[construct.header], &message);
        }
    }
}

/// Checks that a case falls through only to the next one in the switch.
fn fall_through(c: &mut Checker, function: &Function, structure: &Structure) {
    for construct in structure.constructs.iter().filter(|k| k.continue_target.is_none()) {
        let header = construct.header;
        let Terminator::Switch { default, cases, .. } = &function.blocks[header].terminator else { continue };
        if !structure.structural.is_reachable(header) {
            continue;
        }
        let labels: FxHashMap<Id, usize> = structure.successors[header]
            .iter()
            .filter_map(|&b| function.blocks.get(b).map(|block| (block.label, b)))
            .collect();
        // The cases in the order of the switch. Several values of one block count once, regardless of their positions.
        let mut order: Vec<usize> = Vec::new();
        let mut known = FxHashSet::default();
        let default_block = labels.get(default).copied();
        for block in cases.iter().filter_map(|(_, label)| labels.get(label).copied()) {
            if block != construct.merge && known.insert(block) {
                order.push(block);
            }
        }
        let is_case = |block: usize| structure.successors[header].contains(&block) || block == construct.merge;
        let shared =
            structure.order.iter().find(|b| structure.structural.immediate[**b] == Some(header) && !is_case(**b));
        if let Some(&shared) = shared {
            at_end(
                c,
                rules::NESTING,
                &function.blocks[shared],
                "two cases lead to this block, which is neither a case nor the merge block",
            );
        }
        let place: FxHashMap<usize, usize> = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
        for &target in structure.successors[header].iter().filter(|t| **t != construct.merge) {
            let mut from_cases = FxHashSet::default();
            for &from in structure.predecessors[target].iter().filter(|p| **p != header) {
                // The block directly under the header that leads here.
                let mut case = from;
                while let Some(up) = structure.structural.immediate[case].filter(|up| *up != header) {
                    case = up;
                }
                if case != target && structure.structural.is_reachable(from) {
                    from_cases.insert(case);
                }
            }
            let in_order = from_cases.iter().all(|case| match (place.get(case), place.get(&target)) {
                (Some(a), Some(b)) => a + 1 == *b,
                // The default has no position among the cases.
                _ => Some(target) == default_block || Some(*case) == default_block,
            });
            if from_cases.len() > 1 || !in_order {
                at_end(
                    c,
                    rules::NESTING,
                    &function.blocks[header],
                    "a case falls through to a case that does not follow it",
                );
            }
        }
    }
}
