//! Applies statements to one path: the symbols of values and of memory.

use super::{Follow, Path, UNSET, Walk};
use crate::flow::parts::{element, is_summary};
use crate::flow::places::root_of;
use crate::flow::symbols::{Sym, Tag};
use crate::flow::tree::StepId;
use crate::function::*;
use crate::types::{Space, Type};

impl<F: Follow> Walk<'_, '_, F> {
    pub(super) fn effect(&mut self, step: StepId, stmt: &Stmt, path: &mut Path<F::Own>) {
        match stmt {
            Stmt::Store { place, value } => match self.uniformity.parts().place(*place).cloned() {
                Some(to) => {
                    let from = self.uniformity.parts().of(*value);
                    for (n, part) in to.parts.clone().enumerate() {
                        let mut stored = UNSET;
                        if from.len() == to.parts.len() && !to.is_one_of_many {
                            stored = *path.values.get(from.start + n);
                        }
                        if stored == UNSET {
                            stored = self.symbols.made(step, part);
                        }
                        if *path.memory.get(part) != stored {
                            *path.memory.get_mut(part) = stored;
                        }
                    }
                }
                None => self.write(step, *place, path),
            },
            Stmt::RayQuery { query, .. } => {
                if let Some(to) = self.uniformity.parts().place(*query).cloned() {
                    for part in to.parts {
                        *path.memory.get_mut(part) = self.symbols.made(step, part);
                    }
                }
            }
            Stmt::Barrier(_) => {
                for root in self.written_around(step) {
                    path.written.insert(root, step);
                }
            }
            Stmt::Spirv(_) | Stmt::Call { .. } => path.barrier = Some(step),
            _ => {}
        }
    }

    /// Returns the memory outside of the thread that others may have written at a barrier. It is the memory written
    /// since the previous barrier, or anywhere in the outermost enclosing loop.
    fn written_around(&mut self, step: StepId) -> Vec<usize> {
        let tree = self.tree;
        let mut around = tree.steps[step].innermost_loop;
        let mut outermost = None;
        while let Some((of, outer)) = around.map(|n| tree.loops[n]) {
            (outermost, around) = (Some(of), outer);
        }
        let is_barrier = |step: &StepId| matches!(tree.steps[*step].stmt, Stmt::Barrier(_));
        let (first, last) = match outermost {
            Some(of) => (of, tree.steps[of].last),
            None => ((0..step).rev().find(is_barrier).unwrap_or(0), step),
        };
        let written = |step: StepId| match (tree.steps[step].stmt, tree.op(step)) {
            (Stmt::Store { place, .. }, _) => Some(*place),
            (_, Some(Op::Atomic { op, place, .. })) if *op != AtomicOp::Load => Some(*place),
            _ => None,
        };
        let places: Vec<ValueId> = (first..=last).filter_map(written).collect();
        places.into_iter().filter_map(|place| self.root(place)).collect()
    }

    /// Returns the index of memory outside of the thread.
    fn root(&mut self, place: ValueId) -> Option<usize> {
        let (root, _) = root_of(self.tree.function, place)?;
        Some(self.roots.iter().position(|known| *known == root).unwrap_or_else(|| {
            self.roots.push(root);
            self.roots.len() - 1
        }))
    }

    fn write(&mut self, step: StepId, place: ValueId, path: &mut Path<F::Own>) {
        match self.root(place) {
            Some(root) => drop(path.written.insert(root, step)),
            None => path.barrier = Some(step),
        }
    }

    pub(super) fn set_value(&self, path: &mut Path<F::Own>, id: ValueId, to: &[Sym]) {
        for (part, sym) in self.uniformity.parts().of(id).zip(to) {
            if path.values.get(part) != sym {
                *path.values.get_mut(part) = *sym;
            }
        }
    }

    pub(super) fn let_value(&mut self, step: StepId, id: ValueId, path: &mut Path<F::Own>) {
        let tree = self.tree;
        let Some(value) = tree.function.value(id) else { return };
        if let Op::Atomic { place, op, .. } = &value.op
            && *op != AtomicOp::Load
        {
            match self.uniformity.parts().place(*place).cloned() {
                Some(to) => to.parts.for_each(|part| *path.memory.get_mut(part) = self.symbols.made(step, part)),
                None => self.write(step, *place, path),
            }
        }
        let wanted = self.uniformity.parts().of(id);
        let known = self.evaluate(step, value, wanted.clone(), path);
        for (n, part) in wanted.enumerate() {
            let sym = match known.get(n).copied().flatten() {
                Some(sym) => sym,
                None => self.symbols.made(step, part),
            };
            if *path.values.get(part) != sym {
                *path.values.get_mut(part) = sym;
            }
        }
    }

    /// Returns the symbols of the parts of a value, if they are more than names.
    fn evaluate(
        &mut self,
        step: StepId,
        value: &Value,
        own: std::ops::Range<usize>,
        path: &Path<F::Own>,
    ) -> Vec<Option<Sym>> {
        let (function, uniformity, wanted) = (self.tree.function, self.uniformity, own.len());
        let parts = uniformity.parts();
        let assumed: Vec<Option<ScalarConst>> = (0..wanted).map(|n| self.follow.assumed(&value.op, n)).collect();
        if assumed.iter().any(Option::is_some) {
            return assumed.into_iter().map(|c| Some(self.symbols.literal(c?))).collect();
        }
        let of = |id: ValueId| -> Vec<Option<Sym>> {
            parts.of(id).map(|part| Some(*path.values.get(part)).filter(|sym| *sym != UNSET)).collect()
        };
        let component = |id: ValueId, n: usize| {
            let all = of(id);
            if all.len() == 1 { all[0] } else { all.get(n).copied().flatten() }
        };
        let scalar_of = |id: ValueId| function.type_of(id).and_then(|ty| ty.scalar());
        let made = |n: usize| (step, own.start + n);
        let all = 0..wanted;
        match &value.op {
            Op::Const(c) => vec![Some(self.symbols.literal(*c)); wanted],
            Op::Zero => match value.ty.scalar() {
                Some(ty) => vec![Some(self.symbols.literal(ScalarConst { ty, bits: 0 })); wanted],
                None => Vec::new(),
            },
            Op::Load(place) => match parts.place(*place) {
                Some(from) if !from.is_one_of_many && from.parts.len() == wanted => {
                    let stored: Vec<(usize, Sym)> =
                        from.parts.clone().map(|part| (part, *path.memory.get(part))).collect();
                    let known = |(part, sym)| if sym == UNSET { self.symbols.begin(part) } else { sym };
                    stored.into_iter().map(known).map(Some).collect()
                }
                Some(_) => Vec::new(),
                None => {
                    let Some(from) = component(*place, 0) else { return Vec::new() };
                    let write = match function.type_of(*place) {
                        // Host constants never change.
                        Some(Type::Ref(Space::Uniform | Space::PushConstant, _)) => None,
                        _ => {
                            let own = self.root(*place).and_then(|root| path.written.get(&root).copied());
                            own.max(path.barrier)
                        }
                    };
                    all.map(|n| Some(self.symbols.other(Tag::Load(write, n), vec![from], made(n)))).collect()
                }
            },
            Op::Compose(elements) => {
                let all: Vec<Option<Sym>> = elements.iter().flat_map(|id| of(*id)).collect();
                if all.len() == wanted { all } else { Vec::new() }
            }
            Op::Extract { base, index } => {
                let Some(whole) = function.type_of(*base).filter(|ty| !is_summary(ty)) else {
                    return Vec::new();
                };
                let from = of(*base);
                let part = element(whole, *index as usize);
                from.get(part).filter(|part| part.len() == wanted).map(<[_]>::to_vec).unwrap_or_default()
            }
            Op::Insert { base, index, value: new } => {
                let mut all = of(*base);
                let part = function.type_of(*base).map_or(0..0, |ty| element(ty, *index as usize));
                let new = of(*new);
                if all.len() != wanted || wanted == 1 || new.len() != part.len() || part.end > wanted {
                    return Vec::new();
                }
                part.zip(new).for_each(|(n, new)| all[n] = new);
                all
            }
            Op::Swizzle { base, components } => components.iter().map(|c| component(*base, usize::from(*c))).collect(),
            Op::Shuffle { components, .. } => {
                let source = |c: &u8| value.op.shuffled(function, *c);
                components.iter().map(|c| source(c).and_then(|(base, at)| component(base, at))).collect()
            }
            Op::Unary { op, value } => {
                all.map(|n| Some(self.symbols.unary(*op, component(*value, n)?, made(n)))).collect()
            }
            Op::Binary { op, lhs, rhs } => {
                let Some(ty) = scalar_of(*lhs) else { return Vec::new() };
                let one = |n: usize| {
                    let (a, b) = (component(*lhs, n)?, component(*rhs, n)?);
                    Some(self.symbols.binary(*op, a, b, ty, made(n)))
                };
                all.map(one).collect()
            }
            Op::Select { cond, then, otherwise } => {
                let one = |n: usize| {
                    let (a, b) = (component(*then, n)?, component(*otherwise, n)?);
                    Some(self.symbols.select(component(*cond, n)?, a, b, made(n)))
                };
                all.map(one).collect()
            }
            Op::Convert(from) => {
                let (Some(ty), Some(to)) = (scalar_of(*from), value.ty.scalar()) else { return Vec::new() };
                all.map(|n| Some(self.symbols.convert(component(*from, n)?, ty, to, made(n)))).collect()
            }
            Op::Bitcast(from) => {
                let (Some(to), Some(sym)) = (value.ty.scalar(), component(*from, 0)) else { return Vec::new() };
                if wanted != 1 || scalar_of(*from).is_none_or(|ty| ty.bits() != to.bits()) {
                    return Vec::new();
                }
                vec![Some(match self.symbols.constant(sym) {
                    Some(c) => self.symbols.literal(ScalarConst { ty: to, ..c }),
                    None => self.symbols.other(Tag::Bitcast(to), vec![sym], made(0)),
                })]
            }
            Op::Math { op, args } => {
                if op.mixes_components() {
                    return Vec::new();
                }
                let one = |n: usize| {
                    let args: Option<Vec<Sym>> = args.iter().map(|arg| component(*arg, n)).collect();
                    Some(self.symbols.other(Tag::Math(*op), args?, made(n)))
                };
                all.map(one).collect()
            }
            Op::Builtin(builtin) => {
                all.map(|n| Some(self.symbols.other(Tag::Builtin(*builtin, n), Vec::new(), made(n)))).collect()
            }
            op => {
                let tag = match op {
                    Op::Global(name) => Tag::Global(name.clone()),
                    Op::Field { index, .. } => Tag::Field(*index),
                    Op::Index { .. } => Tag::Index,
                    Op::Descriptor { .. } => Tag::Descriptor,
                    Op::InputRecord { .. } => Tag::Input,
                    Op::InputCount => Tag::Count,
                    Op::ArrayLength(_) => Tag::Length,
                    Op::OutputValid { output, .. } => Tag::Valid(*output),
                    Op::RemainingLevels => Tag::Levels,
                    _ => return Vec::new(),
                };
                let mut operands = Some(Vec::new());
                op.for_each_operand(|id| match (component(id, 0), &mut operands) {
                    (Some(sym), Some(all)) => all.push(sym),
                    _ => operands = None,
                });
                let Some(operands) = operands.filter(|_| wanted == 1) else { return Vec::new() };
                vec![Some(self.symbols.other(tag, operands, made(0)))]
            }
        }
    }
}
