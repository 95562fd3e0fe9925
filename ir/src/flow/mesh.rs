//! Checks the outputs of a mesh node (MeshShader.md, SetMeshOutputCounts, Shared Output Arrays). The size is set once,
//! before any output is written. Outputs are never read.

use super::forward::{Forward, run};
use super::successors::RepeatedStatements;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label, LaunchParameters};
use crate::function::*;
use crate::graph::MeshArray;
use crate::types::{Space, Type};

pub fn check(tree: &Tree<'_>, launched: &LaunchParameters, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    let is_count = |step: &StepId| matches!(tree.steps[*step].stmt, Stmt::MeshCounts { .. });
    // Unreachable calls are ignored.
    let is_reached = |step: &StepId| uniformity.control(*step).is_some();
    let counts: Vec<StepId> = (0..tree.steps.len()).filter(is_count).collect();
    let touched: Vec<Touch> =
        (0..tree.steps.len()).filter(is_reached).filter_map(|step| touch(tree, launched, step)).collect();
    if let [first, others @ ..] = &counts[..] {
        for other in others {
            let finding = Finding::new(FindingKind::MeshCountsTwice, tree.steps[*other].at);
            out.push(finding.also(Label::Counted, tree.steps[*first].at));
        }
        check_counts(tree, launched, uniformity, *first, &touched, others.is_empty(), out);
    }
    for touch in &touched {
        let kind = match touch {
            Touch { is_read: true, .. } => FindingKind::MeshRead,
            Touch { is_part: true, array: Some(MeshArray::Indices), .. } => FindingKind::MeshIndexPart,
            _ => continue,
        };
        out.push(Finding::new(kind, tree.steps[touch.step].at));
    }
    let mut written = touched.iter().filter(|touch| !touch.is_read);
    if counts.is_empty() {
        let (kind, at) = match written.next() {
            Some(first) => (FindingKind::MeshWithoutCounts { is_set_somewhere: false }, tree.steps[first.step].at),
            None => (FindingKind::NoMesh, None),
        };
        out.push(Finding::new(kind, at));
        return;
    }
    let early = Early { tree, found: None, reporting: false };
    if let Some(step) = run(tree, early, true).and_then(|early| early.found) {
        let finding = Finding::new(FindingKind::MeshWithoutCounts { is_set_somewhere: true }, tree.steps[step].at);
        out.push(finding.also(Label::Counted, tree.steps[counts[0]].at));
    }
}

/// Finds the only call that sets the size, or the first of several.
fn check_counts(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    uniformity: &Uniformity,
    step: StepId,
    touched: &[Touch],
    is_only: bool,
    out: &mut Vec<Finding>,
) {
    let at = tree.steps[step].at;
    let Stmt::MeshCounts { vertices, primitives } = tree.steps[step].stmt else { return };
    if let Some(around) = RepeatedStatements::of(tree, uniformity).repeating_loop(step) {
        out.push(Finding::new(FindingKind::MeshCountsInLoop, at).also(Label::RepeatedLoop, tree.steps[around].at));
    }
    if let Some(parted) = uniformity.parted(step) {
        out.push(parted.labels(tree, step, Finding::new(FindingKind::VaryingMeshCounts, at).maybe(parted.may)));
    }
    let count_of = |array| match array {
        MeshArray::Vertices => *vertices,
        MeshArray::Indices | MeshArray::Primitives => *primitives,
    };
    for array in [MeshArray::Vertices, MeshArray::Indices] {
        let most = launched.mesh.iter().find(|(of, ..)| *of == array).map(|(.., len)| u64::from(*len));
        let count = uniformity.constant(count_of(array)).map(|c| c.bits);
        if let (Some(count), Some(most)) = (count, most)
            && count > most
        {
            out.push(Finding::new(FindingKind::MeshCountTooLarge { array, count, most }, at));
        }
    }
    if !is_only {
        return;
    }
    for touch in touched.iter().filter(|touch| !touch.is_read) {
        let Some((array, index)) = touch.array.zip(touch.index) else { continue };
        let known = uniformity.constant(index).zip(uniformity.constant(count_of(array)));
        if let Some((index, count)) = known.map(|(index, count)| (index.bits, count.bits))
            && index >= count
        {
            let finding = Finding::new(FindingKind::MeshIndex { array, index, count }, tree.steps[touch.step].at);
            out.push(finding.also(Label::Counted, at));
        }
    }
}

/// A read or write of a mesh output array.
struct Touch {
    step: StepId,
    array: Option<MeshArray>,
    /// The index of the element.
    index: Option<ValueId>,
    /// It accesses a part of an element.
    is_part: bool,
    is_read: bool,
}

fn touch(tree: &Tree<'_>, launched: &LaunchParameters, step: StepId) -> Option<Touch> {
    let (place, is_read) = match (tree.steps[step].stmt, tree.op(step)) {
        (Stmt::Store { place, .. }, _) => (*place, false),
        (_, Some(Op::Load(place))) => (*place, true),
        _ => return None,
    };
    if !is_output(tree.function, place) {
        return None;
    }
    let mut touch = Touch { step, array: None, index: None, is_part: false, is_read };
    let mut at = place;
    loop {
        match &tree.function.value(at)?.op {
            Op::Global(name) => {
                touch.array = launched.mesh.iter().find(|(_, of, _)| of == name).map(|(array, ..)| *array);
                return Some(touch);
            }
            // Indexes are visited from the innermost to the outermost, which is the element's.
            Op::Index { base, index } => {
                touch.is_part |= touch.index.is_some();
                touch.index = Some(*index);
                at = *base;
            }
            Op::Field { base, .. } => {
                touch.is_part = true;
                at = *base;
            }
            _ => return Some(touch),
        }
    }
}

fn is_output(function: &Function, place: ValueId) -> bool {
    matches!(function.type_of(place), Some(Type::Ref(Space::MeshOutput, _)))
}

/// Finds the first write that control may reach before the size is set. The state tells if the size may still be unset.
struct Early<'t, 'f> {
    tree: &'t Tree<'f>,
    found: Option<StepId>,
    reporting: bool,
}

impl Forward for Early<'_, '_> {
    type State = bool;

    fn join(&mut self, state: &mut bool, other: &bool) -> bool {
        let grew = *other && !*state;
        *state |= *other;
        grew
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn simple(&mut self, step: StepId, state: &mut bool) {
        match self.tree.steps[step].stmt {
            Stmt::MeshCounts { .. } => *state = false,
            Stmt::Store { place, .. } if *state && self.reporting && is_output(self.tree.function, *place) => {
                self.found.get_or_insert(step);
            }
            _ => {}
        }
    }

    fn arm(&mut self, _: StepId, _: usize, _: &mut bool) -> bool {
        true
    }
}
