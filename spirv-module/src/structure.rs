//! The control-flow graph of a function: predecessors, dominators, and an order of blocks for execution.
//!
//! In the *structured order*, every block follows its header, a construct's blocks precede its merge block, and a
//! loop's body precedes its continue construct. An executor always runs the first block in this order at which a lane
//! waits. Then diverged lanes reconverge at the merge block: no lane continues there before all lanes that will reach
//! it.

use crate::error::{LoadError, Result};
use crate::module::{Function, Id, Merge};
use rustc_hash::FxHashMap;

/// The structure of a function. Blocks are identified by their index in [`Function::blocks`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Blocks that the entry block reaches through branches and merge instructions, in structured order.
    pub order: Vec<usize>,
    /// Position of each block in `order`; `None` for all others.
    pub position: Vec<Option<usize>>,
    /// Targets of each block's terminator, without repetitions.
    pub successors: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
    /// Dominators over branches only.
    pub dominators: Dominators,
    /// Dominators over branches and edges from headers to their merge block and continue target: structural dominance
    /// (SPIR-V 2.2.5).
    pub structural: Dominators,
    /// Headers with their merge blocks, in block order.
    pub constructs: Vec<Construct>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Construct {
    pub header: usize,
    pub merge: usize,
    /// The continue target of a loop.
    pub continue_target: Option<usize>,
}

/// The dominator tree of the blocks that the entry reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// The nearest strict dominator; `None` for the entry and for unreachable blocks.
    pub immediate: Vec<Option<usize>>,
    /// Interval of a depth-first walk of the tree; (0, 0) for unreachable blocks.
    interval: Vec<(u32, u32)>,
}

impl Structure {
    /// Computes the structure. Fails if a branch or a merge instruction names a label outside the function.
    pub fn of(function: &Function) -> Result<Structure> {
        let labels: FxHashMap<Id, usize> = function.blocks.iter().enumerate().map(|(i, b)| (b.label, i)).collect();
        let find = |id: Id, word: u32| match labels.get(&id) {
            Some(&block) => Ok(block),
            None => Err(LoadError::new(word as usize, format!("%{id} is not a block of this function"))),
        };
        let count = function.blocks.len();
        let mut successors = vec![Vec::new(); count];
        let mut augmented = vec![Vec::new(); count];
        let mut constructs = Vec::new();
        // The last block that named each target: a switch may have a hundred thousand cases.
        let mut named_by = vec![usize::MAX; count];
        for (index, block) in function.blocks.iter().enumerate() {
            let word = block.terminator_inst.word;
            if let Some(merge) = block.merge {
                let word = block.merge_inst.as_ref().map_or(word, |i| i.word);
                let target = find(merge.merge_block(), word)?;
                augmented[index].push(target);
                let continue_target = match merge {
                    Merge::Loop { continue_target, .. } => Some(find(continue_target, word)?),
                    Merge::Selection { .. } => None,
                };
                augmented[index].extend(continue_target);
                constructs.push(Construct { header: index, merge: target, continue_target });
            }
            for target in block.terminator.targets() {
                let target = find(target, word)?;
                if named_by[target] != index {
                    named_by[target] = index;
                    successors[index].push(target);
                }
            }
            // The first visited target comes last, so the branch's first target ends up nearest.
            augmented[index].extend(successors[index].iter().rev());
        }
        let order = reverse_postorder(&augmented);
        let mut position = vec![None; count];
        for (place, &block) in order.iter().enumerate() {
            position[block] = Some(place);
        }
        let predecessors = reversed(&successors);
        let dominators = Dominators::of(&successors);
        let structural = Dominators::of(&augmented);
        Ok(Structure { order, position, successors, predecessors, dominators, structural, constructs })
    }
}

impl Dominators {
    /// Computes the dominators of a graph with node 0 as entry (Cooper, Harvey and Kennedy's iteration).
    pub fn of(successors: &[Vec<usize>]) -> Dominators {
        let count = successors.len();
        let order = reverse_postorder(successors);
        let mut place = vec![usize::MAX; count];
        for (i, &node) in order.iter().enumerate() {
            place[node] = i;
        }
        let predecessors = reversed(successors);
        let mut immediate: Vec<Option<usize>> = vec![None; count];
        let mut changed = !order.is_empty();
        if let Some(&entry) = order.first() {
            immediate[entry] = Some(entry);
        }
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let mut best: Option<usize> = None;
                for &p in &predecessors[node] {
                    if place[p] == usize::MAX || immediate[p].is_none() {
                        continue;
                    }
                    best = Some(match best {
                        None => p,
                        Some(b) => intersect(b, p, &place, &immediate),
                    });
                }
                if best.is_some() && immediate[node] != best {
                    immediate[node] = best;
                    changed = true;
                }
            }
        }
        if let Some(&entry) = order.first() {
            immediate[entry] = None;
        }
        let interval = intervals(&order, &immediate);
        Dominators { immediate, interval }
    }

    pub fn is_reachable(&self, node: usize) -> bool {
        self.interval.get(node).is_some_and(|i| i.1 != 0)
    }

    /// Returns whether every path from the entry to `b` goes through `a`; a node dominates itself. False for
    /// unreachable nodes.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        match (self.interval.get(a), self.interval.get(b)) {
            (Some(a), Some(b)) => a.1 != 0 && b.1 != 0 && a.0 <= b.0 && b.1 <= a.1,
            _ => false,
        }
    }
}

fn intersect(mut a: usize, mut b: usize, place: &[usize], immediate: &[Option<usize>]) -> usize {
    while a != b {
        while place[a] > place[b] {
            a = immediate[a].unwrap_or(b);
        }
        while place[b] > place[a] {
            b = immediate[b].unwrap_or(a);
        }
    }
    a
}

fn intervals(order: &[usize], immediate: &[Option<usize>]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); immediate.len()];
    for &node in order {
        if let Some(parent) = immediate[node] {
            children[parent].push(node);
        }
    }
    let mut interval = vec![(0, 0); immediate.len()];
    let mut clock = 0;
    let mut stack: Vec<(usize, usize)> = order.first().map(|&entry| (entry, 0)).into_iter().collect();
    while let Some((node, next)) = stack.last_mut() {
        if *next == 0 {
            clock += 1;
            interval[*node].0 = clock;
        }
        match children[*node].get(*next) {
            Some(&child) => {
                *next += 1;
                stack.push((child, 0));
            }
            None => {
                clock += 1;
                interval[*node].1 = clock;
                stack.pop();
            }
        }
    }
    interval
}

fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (node, targets) in successors.iter().enumerate() {
        for &target in targets {
            predecessors[target].push(node);
        }
    }
    predecessors
}

/// Computes a depth-first order from node 0. It is iterative, since a function may have any number of blocks.
fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    let mut stack: Vec<(usize, usize)> = Vec::new();
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push((0, 0));
    }
    while let Some((node, next)) = stack.last_mut() {
        match successors[*node].get(*next) {
            Some(&target) => {
                *next += 1;
                if !seen[target] {
                    seen[target] = true;
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    fn structure(body: &str) -> (Structure, Vec<String>) {
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n%bool = OpTypeBool\n\
             %uint = OpTypeInt 32 0\n%c = OpConstantTrue %bool\n%u = OpConstant %uint 1\n%ft = OpTypeFunction %void\n\
             %f = OpFunction %void None %ft\n{body}\nOpFunctionEnd"
        );
        let words = crate::asm::assemble(&text).unwrap();
        let module = Module::load(&words).unwrap();
        let function = &module.functions[0];
        let s = Structure::of(function).unwrap();
        // Ids lose their names, so blocks get names from the order of labels in the text.
        let names = body.lines().filter_map(|l| l.split_once(" = OpLabel")).map(|l| l.0[1..].to_string()).collect();
        (s, names)
    }

    fn order(body: &str) -> String {
        let (s, names) = structure(body);
        s.order.iter().map(|&b| names[b].as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_loop_ends_with_its_continue_target_and_its_merge_block() {
        // The text has merge and continue before the body on purpose.
        let body = "%e = OpLabel\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %m %k None\nOpBranchConditional %c %b %m\n\
                    %m = OpLabel\nOpReturn\n%k = OpLabel\nOpBranch %h\n\
                    %b = OpLabel\nOpSelectionMerge %j None\nOpBranchConditional %c %t %j\n%t = OpLabel\nOpBranch %m\n\
                    %j = OpLabel\nOpBranch %k";
        assert_eq!(order(body), "e h b t j k m");
        let (s, _) = structure(body);
        assert!(s.dominators.dominates(1, 4), "h dominates b");
        assert!(!s.dominators.dominates(4, 2), "b does not dominate m");
        assert_eq!(s.constructs.len(), 2);
    }

    #[test]
    fn switch_cases_that_fall_through_keep_their_order() {
        let body = "%e = OpLabel\nOpSelectionMerge %m None\nOpSwitch %u %d 1 %a 2 %b\n%b = OpLabel\nOpBranch %m\n\
                    %a = OpLabel\nOpBranch %b\n%d = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn";
        let found = order(body);
        let place = |n: &str| found.split(' ').position(|x| x == n).unwrap();
        assert!(place("a") < place("b") && place("d") < place("m") && place("b") < place("m"), "{found}");
    }

    #[test]
    fn an_unreachable_merge_block_is_ordered_but_not_dominated() {
        let body = "%e = OpLabel\nOpSelectionMerge %m None\nOpBranchConditional %c %a %b\n%a = OpLabel\nOpReturn\n\
                    %b = OpLabel\nOpReturn\n%m = OpLabel\nOpUnreachable";
        let (s, _) = structure(body);
        assert_eq!(s.order.len(), 4);
        assert!(!s.dominators.is_reachable(3));
        assert!(s.structural.is_reachable(3));
    }

    #[test]
    fn a_branch_out_of_the_function_is_an_error() {
        let text = "%void = OpTypeVoid\n%ft = OpTypeFunction %void\n%f = OpFunction %void None %ft\n%e = OpLabel\n\
                    OpBranch %void\nOpFunctionEnd";
        let module = Module::load(&crate::asm::assemble(text).unwrap()).unwrap();
        assert!(Structure::of(&module.functions[0]).is_err());
    }
}
