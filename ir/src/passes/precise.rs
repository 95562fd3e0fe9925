//! Marks the arithmetic behind `precise` values.
//!
//! Some values of a module are marked ([`Value::precise`](crate::Value)): results that the source declares `precise`,
//! and places with such contents. The marks propagate backwards to all arithmetic that contributes: through operands,
//! compositions, stored values, arguments, results of calls, and conditions that choose between values. The parts of
//! variables are followed separately. Memory that other invocations or the host see is not followed, except groupshared
//! memory.
//!
//! If only some calls need a callee precise, it gets two forms; the second is a copy. Afterwards functions that hide
//! several roundings become single operations ([`expand`]).

mod expand;
mod facts;

use crate::Symbol;
use crate::function::*;
use crate::module::Module;
use crate::types::{Scalar, Type};
use crate::walk;
use facts::{Facts, Path, Root, Spot, Store, overlap, spot};
use rustc_hash::{FxHashMap, FxHashSet};

/// Marks the arithmetic that contributes to marked values. Has no effect if no value is marked.
pub fn precise(module: &mut Module) {
    super::demote_all(module);
    if !module.functions.values().any(|f| f.values.values().any(|v| v.precise)) {
        return;
    }
    let mut flow = Flow::new(module);
    flow.run();
    let outcome = flow.outcome();
    outcome.apply(module);
    for function in module.functions.values_mut() {
        let marked = |v: &Value| v.precise && matches!(v.op, Op::Math { .. });
        if function.values.values().any(marked) {
            expand::expand(function);
        }
    }
}

/// Marks all arithmetic of a function (`-Gis`).
pub fn mark_all(function: &mut Function) {
    let ids: Vec<ValueId> = function.values.iter().map(|(id, _)| id).collect();
    for id in ids {
        function.values[id].precise |= is_arithmetic(function, id);
    }
}

/// Returns whether the value is computed with floats, so that a mark has a meaning.
fn is_arithmetic(function: &Function, id: ValueId) -> bool {
    let Some(value) = function.value(id) else { return false };
    let of_floats = |id: &ValueId| function.type_of(*id).and_then(Type::scalar).is_some_and(Scalar::is_float);
    match &value.op {
        Op::Unary { value, .. } => of_floats(value),
        Op::Binary {
            op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem, lhs, ..
        } => of_floats(lhs),
        // Its operands may be matrices.
        Op::Math { op: MathOp::Product, .. } => true,
        Op::Math { args, .. } => args.first().is_some_and(of_floats),
        _ => false,
    }
}

/// A function in one of its forms: 0 for its own marks, 1 for calls that need more.
type Instance = (usize, usize);

/// The reached parts of one form of a function.
#[derive(Default)]
struct Reached {
    /// The form is used: always the plain form, the other one if a call needs it.
    active: bool,
    values: FxHashSet<(ValueId, Path)>,
    memory: FxHashSet<(Root, Path)>,
    frames: FxHashSet<usize>,
    /// Parameters whose arguments contribute.
    params: FxHashSet<(u32, Path)>,
    /// Calls that need the other form of their callee.
    calls: FxHashSet<usize>,
}

enum Work {
    Value(Instance, ValueId, Path),
    Memory(Instance, Root, Path),
}

struct Flow<'m> {
    module: &'m Module,
    facts: Vec<Facts>,
    reached: Vec<[Reached; 2]>,
    /// Callers of each function, with the index of the call.
    callers: Vec<Vec<(usize, usize)>>,
    /// Module variables that are followed everywhere.
    globals: FxHashSet<(Symbol, Path)>,
    work: Vec<Work>,
}

impl<'m> Flow<'m> {
    fn new(module: &'m Module) -> Flow<'m> {
        let facts: Vec<Facts> = module.functions.values().map(|f| Facts::of(f)).collect();
        let mut callers = vec![Vec::new(); facts.len()];
        for (caller, of) in facts.iter().enumerate() {
            for (n, call) in of.calls.iter().enumerate() {
                if let Some(callee) = module.functions.get_index_of(&call.callee) {
                    callers[callee].push((caller, n));
                }
            }
        }
        let reached = facts.iter().map(|_| Default::default()).collect();
        Flow { module, facts, reached, callers, globals: FxHashSet::default(), work: Vec::new() }
    }

    fn function(&self, index: usize) -> &'m Function {
        &self.module.functions[index]
    }

    fn callee(&self, caller: usize, call: usize) -> Option<usize> {
        self.module.functions.get_index_of(&self.facts[caller].calls[call].callee)
    }

    fn reached(&mut self, (function, form): Instance) -> &mut Reached {
        &mut self.reached[function][form]
    }

    fn run(&mut self) {
        for function in 0..self.facts.len() {
            self.activate((function, 0));
        }
        while let Some(work) = self.work.pop() {
            match work {
                Work::Value(at, id, path) => self.value(at, id, path),
                Work::Memory(at, root, path) => self.memory(at, root, path),
            }
        }
    }

    /// Starts with the marks of the function itself.
    fn activate(&mut self, at: Instance) {
        if std::mem::replace(&mut self.reached(at).active, true) {
            return;
        }
        let function = self.function(at.0);
        for (id, value) in function.values.iter().filter(|(_, v)| v.precise) {
            match value.ty {
                Type::Ref(..) => {
                    let Spot { root, path, .. } = spot(function, id);
                    self.work.extend(root.map(|root| Work::Memory(at, root, path)));
                }
                _ => self.work.push(Work::Value(at, id, Path::new())),
            }
        }
        for n in 0..self.facts[at.0].stores.len() {
            let store = &self.facts[at.0].stores[n];
            if store.spot.precise {
                self.work.push(Work::Value(at, store.value, Path::new()));
            }
        }
        let globals: Vec<_> = self.globals.iter().cloned().collect();
        self.work.extend(globals.into_iter().map(|(name, path)| Work::Memory(at, Root::Global(name), path)));
        for call in 0..self.facts[at.0].calls.len() {
            self.arguments(at, call, 0);
        }
    }

    /// Reaches the arguments that contribute to the needs of a form of the callee.
    fn arguments(&mut self, at: Instance, call: usize, form: usize) {
        let Some(callee) = self.callee(at.0, call) else { return };
        for (n, path) in self.reached[callee][form].params.clone() {
            self.argument(at, call, n, path);
        }
    }

    fn argument(&mut self, at: Instance, call: usize, n: u32, path: Path) {
        let Some(&arg) = self.facts[at.0].calls[call].args.get(n as usize) else { return };
        let function = self.function(at.0);
        match function.type_of(arg) {
            Some(Type::Ref(..)) => {
                let Spot { root, path: mut whole, .. } = spot(function, arg);
                whole.extend(path);
                self.work.extend(root.map(|root| Work::Memory(at, root, whole)));
            }
            _ => self.work.push(Work::Value(at, arg, path)),
        }
    }

    /// Reaches a parameter, and so the arguments of all calls of this form and of the form with more marks.
    fn param(&mut self, at: Instance, n: u32, path: Path) {
        if !self.reached(at).params.insert((n, path.clone())) {
            return;
        }
        for (caller, call) in self.callers[at.0].clone() {
            for form in [0, 1] {
                let of = &self.reached[caller][form];
                if of.active && (at.1 == 0 || of.calls.contains(&call)) {
                    self.argument((caller, form), call, n, path.clone());
                }
            }
        }
    }

    /// Requests the other form for a call, for its result or for its writes to an argument.
    fn call(&mut self, at: Instance, call: usize) -> Option<Instance> {
        let callee = (self.callee(at.0, call)?, 1);
        if self.reached(at).calls.insert(call) {
            self.activate(callee);
            self.arguments(at, call, 1);
        }
        Some(callee)
    }

    /// Reaches the conditions under which a frame runs, up to but not including `home`; `None` means up to the
    /// function.
    fn conditions(&mut self, at: Instance, frame: usize, home: Option<usize>) {
        let mut next = Some(frame).filter(|frame| home != Some(*frame));
        while let Some(frame) = next {
            let parent = self.facts[at.0].frames[frame].parent;
            if self.reached(at).frames.insert(frame) {
                let conditions = self.facts[at.0].frames[frame].conditions.iter();
                self.work.extend(conditions.map(|id| Work::Value(at, *id, Path::new())));
            }
            next = Some(parent).filter(|parent| frame != 0 && home != Some(*parent));
        }
    }

    fn memory(&mut self, at: Instance, root: Root, path: Path) {
        if let Root::Global(name) = &root
            && self.globals.insert((name.clone(), path.clone()))
        {
            // Any function may set it.
            for function in 0..self.facts.len() {
                for form in [0, 1] {
                    if self.reached[function][form].active {
                        self.work.push(Work::Memory((function, form), root.clone(), path.clone()));
                    }
                }
            }
        }
        if !self.reached(at).memory.insert((root.clone(), path.clone())) {
            return;
        }
        if let Root::Param(n) = root {
            self.param(at, n, path.clone());
        }
        let home = match &root {
            Root::Local(local) => self.facts[at.0].homes.get(local).copied().or(Some(0)),
            _ => None,
        };
        for n in 0..self.facts[at.0].stores.len() {
            let Store { spot, value, frame } = &self.facts[at.0].stores[n];
            if spot.root.as_ref() == Some(&root)
                && let Some(part) = overlap(&spot.path, &path)
            {
                let (value, frame, indexes) = (*value, *frame, spot.indexes.clone());
                self.work.push(Work::Value(at, value, part));
                self.work.extend(indexes.into_iter().map(|id| Work::Value(at, id, Path::new())));
                self.conditions(at, frame, home);
            }
        }
        if !matches!(root, Root::Global(_)) {
            self.written_by_calls(at, &root, &path, home);
        }
    }

    /// Reaches calls that take the memory by reference.
    fn written_by_calls(&mut self, at: Instance, root: &Root, path: &Path, home: Option<usize>) {
        let function = self.function(at.0);
        for n in 0..self.facts[at.0].calls.len() {
            let args = self.facts[at.0].calls[n].args.clone();
            for (param, arg) in (0..).zip(args) {
                if !matches!(function.type_of(arg), Some(Type::Ref(..))) {
                    continue;
                }
                let given = spot(function, arg);
                if given.root.as_ref() == Some(root)
                    && let Some(part) = overlap(&given.path, path)
                    && let Some(callee) = self.call(at, n)
                {
                    self.work.push(Work::Memory(callee, Root::Param(param), part));
                    self.conditions(at, self.facts[at.0].calls[n].frame, home);
                }
            }
        }
    }

    fn value(&mut self, at: Instance, id: ValueId, path: Path) {
        let function = self.function(at.0);
        let Some(value) = function.value(id) else { return };
        let known = &mut self.reached(at).values;
        if known.contains(&(id, Path::new())) || !known.insert((id, path.clone())) {
            return;
        }
        let mut need = |id: ValueId, path: Path| self.work.push(Work::Value(at, id, path));
        let (first, rest) = path.split_first().map_or((None, &[][..]), |(first, rest)| (Some(*first), rest));
        let (rest, whole) = (rest.to_vec(), path.is_empty());
        let prefixed = |index: Option<u32>| [index].into_iter().chain(path.iter().copied()).collect::<Path>();
        match &value.op {
            Op::Param(n) if !matches!(value.ty, Type::Ref(..)) => self.param(at, *n, path),
            Op::Load(place) => {
                let Spot { root, path: mut read, indexes, .. } = spot(function, *place);
                indexes.into_iter().for_each(|index| need(index, Path::new()));
                read.extend(path);
                self.work.extend(root.map(|root| Work::Memory(at, root, read)));
            }
            Op::Call { .. } => {
                let call = self.facts[at.0].calls.iter().position(|call| call.result == Some(id));
                if let Some(callee) = call.and_then(|call| self.call(at, call)) {
                    for (returned, frame) in self.facts[callee.0].returns.clone() {
                        self.work.push(Work::Value(callee, returned, path.clone()));
                        self.conditions(callee, frame, None);
                    }
                }
            }
            Op::Compose(parts) if matches!(value.ty, Type::Vector(..)) => {
                let mut before = 0;
                for part in parts {
                    let width = function.type_of(*part).and_then(Type::components).unwrap_or(1);
                    match first.flatten() {
                        Some(at) if !(before..before + width).contains(&at) => {}
                        Some(at) if width > 1 => need(*part, vec![Some(at - before)]),
                        _ => need(*part, Path::new()),
                    }
                    before += width;
                }
            }
            Op::Compose(parts) => match first.flatten() {
                Some(index) => parts.get(index as usize).into_iter().for_each(|part| need(*part, rest.clone())),
                None => parts.iter().for_each(|part| need(*part, rest.clone())),
            },
            Op::Extract { base, index } => need(*base, prefixed(Some(*index))),
            Op::ExtractDynamic { base, index } => {
                need(*base, prefixed(None));
                need(*index, Path::new());
            }
            Op::Insert { base, index, value } => {
                let at = first.flatten();
                if at != Some(*index) {
                    need(*base, path.clone());
                }
                if whole || at.is_none_or(|at| at == *index) {
                    need(*value, rest);
                }
            }
            Op::Swizzle { base, components } => {
                let is_scalar = matches!(function.type_of(*base), Some(Type::Scalar(_)));
                let chosen = first.flatten().and_then(|at| components.get(at as usize));
                for component in chosen.map_or(&components[..], std::slice::from_ref) {
                    need(*base, if is_scalar { Path::new() } else { vec![Some(u32::from(*component))] });
                }
            }
            Op::Shuffle { components, .. } => {
                let chosen = first.flatten().and_then(|at| components.get(at as usize));
                for component in chosen.map_or(&components[..], std::slice::from_ref) {
                    if let Some((base, at)) = value.op.shuffled(function, *component) {
                        need(base, vec![Some(at as u32)]);
                    }
                }
            }
            Op::Select { cond, then, otherwise } => {
                need(*cond, Path::new());
                need(*then, path.clone());
                need(*otherwise, path);
            }
            Op::Convert(inner) => need(*inner, path),
            op => op.for_each_operand(|operand| match function.type_of(operand) {
                // An operation on memory itself, whose contents are not followed.
                Some(Type::Ref(..)) => spot(function, operand).indexes.into_iter().for_each(|id| need(id, Path::new())),
                _ => need(operand, Path::new()),
            }),
        }
    }

    fn outcome(self) -> Outcome {
        let functions = &self.module.functions;
        let marks: Vec<[FxHashSet<ValueId>; 2]> = (self.reached.iter().zip(functions.values()))
            .map(|(forms, function)| {
                [0, 1].map(|form| {
                    let ids = forms[form].values.iter().map(|(id, _)| *id);
                    ids.filter(|id| is_arithmetic(function, *id)).collect()
                })
            })
            .collect();
        // The second form differs if its own marks differ, or the forms of its callees.
        let mut differs: Vec<bool> = marks.iter().map(|[plain, more]| !more.is_subset(plain)).collect();
        let more_calls: Vec<Vec<usize>> =
            (self.reached.iter()).map(|[plain, more]| more.calls.difference(&plain.calls).copied().collect()).collect();
        let mut grows = true;
        while grows {
            grows = false;
            for caller in 0..more_calls.len() {
                let by_call = |call: &usize| self.callee(caller, *call).is_some_and(|callee| differs[callee]);
                if !differs[caller] && more_calls[caller].iter().any(by_call) {
                    (differs[caller], grows) = (true, true);
                }
            }
        }
        let target = |(function, form): Instance, call: usize| {
            let callee = self.callee(function, call)?;
            let more = self.reached[function][form].calls.contains(&call) && differs[callee];
            Some((callee, usize::from(more)))
        };
        // The forms that are called.
        let mut used = vec![[false; 2]; marks.len()];
        let nodes = self.module.graph.nodes.iter().map(|node| &node.function);
        let roots: FxHashSet<&Symbol> = nodes.chain(self.module.entries.iter().map(|e| &e.function)).collect();
        let is_root = |index: &usize| {
            self.callers[*index].is_empty() || functions.get_index(*index).is_some_and(|(name, _)| roots.contains(name))
        };
        let mut work: Vec<Instance> = (0..marks.len()).filter(is_root).map(|index| (index, 0)).collect();
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut used[at.0][at.1], true) {
                work.extend((0..self.facts[at.0].calls.len()).filter_map(|call| target(at, call)));
            }
        }
        let mut taken: FxHashSet<Symbol> = functions.keys().cloned().collect();
        let mut outcome = Outcome::default();
        let mut copies: FxHashMap<usize, Symbol> = FxHashMap::default();
        for (index, name) in functions.keys().enumerate().filter(|(index, _)| used[*index] == [true, true]) {
            let mut copy = compact_str::format_compact!("{name}.precise");
            while !taken.insert(copy.clone()) {
                copy.push('\'');
            }
            copies.insert(index, copy);
        }
        for (index, (name, _)) in functions.iter().enumerate() {
            for form in [0, 1] {
                // An unreachable function keeps its plain form.
                if !used[index][form] && (form == 1 || used[index][1]) {
                    continue;
                }
                let called = (0..self.facts[index].calls.len()).map(|call| match target((index, form), call) {
                    Some((callee, 1)) => copies.get(&callee).cloned(),
                    _ => None,
                });
                let copy = if form == 1 { copies.get(&index).cloned() } else { None };
                outcome.forms.push(Form {
                    name: name.clone(),
                    copy,
                    marks: marks[index][form].clone(),
                    called: called.collect(),
                });
            }
        }
        outcome
    }
}

/// The resulting functions.
#[derive(Default)]
struct Outcome {
    forms: Vec<Form>,
}

struct Form {
    name: Symbol,
    /// The name of the copy, if this form is one.
    copy: Option<Symbol>,
    marks: FxHashSet<ValueId>,
    /// For each call, the copy that is called instead.
    called: Vec<Option<Symbol>>,
}

impl Outcome {
    fn apply(self, module: &mut Module) {
        // Copies come first, because they start from functions without new marks.
        let (copies, others): (Vec<Form>, Vec<Form>) = self.forms.into_iter().partition(|form| form.copy.is_some());
        for form in copies {
            let Some(function) = module.functions.get(&form.name) else { continue };
            let mut function = (**function).clone();
            function.name = form.copy.clone().unwrap_or_default();
            form.apply(&mut function);
            module.functions.insert(function.name.clone(), function.into());
        }
        for form in others {
            if (!form.marks.is_empty() || form.called.iter().any(Option::is_some))
                && let Some(function) = module.functions.get_mut(&form.name)
            {
                form.apply(function);
            }
        }
    }
}

impl Form {
    fn apply(&self, function: &mut Function) {
        for &id in &self.marks {
            function.values[id].precise = true;
        }
        let mut calls = self.called.iter();
        let Function { body, values, .. } = function;
        walk::statements_mut(body, &mut |stmt| {
            let callee = match stmt {
                Stmt::Call { callee, .. } => Some(callee),
                Stmt::Let(id) if (id.into_raw().into_u32() as usize) < values.len() => match &mut values[*id].op {
                    Op::Call { callee, .. } => Some(callee),
                    _ => None,
                },
                _ => None,
            };
            if let Some(callee) = callee
                && let Some(Some(copy)) = calls.next()
            {
                *callee = copy.clone();
            }
        });
    }
}
