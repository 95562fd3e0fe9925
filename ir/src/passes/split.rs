//! Splits structures and arrays that hold resources or handles: one local for each of these, and for each part without
//! any. It also splits structures that hold ray queries, because drivers accept queries only as variables and as array
//! elements.
//!
//! Resources and handles are not memory, so such a structure only names its parts. After inlining, whole values of it
//! are composed, loaded and stored. Here each part becomes separate, and `promote` turns the locals of resources and
//! handles into values. The remains of whole values disappear.
//!
//! An element at a run-time index is read and written in a `switch` over the elements. `resource_selection` then tracks
//! the resource that is read there.

use crate::Symbol;
use crate::function::*;
use crate::hint::BranchHint;
use crate::types::{Space, Type};
use crate::typing::{self, Typing};
use crate::variable::Variable;
use rustc_hash::FxHashMap;

/// A place inside an array with a run-time index, with uses other than loads and stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitError {
    pub function: Symbol,
    pub local: Symbol,
}

impl std::fmt::Display for SplitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an element of `{}` is chosen at run time, but is neither loaded nor stored", self.local)
    }
}

impl std::error::Error for SplitError {}

/// Splits the locals of a function in which all calls with resources are inlined.
pub fn split(function: &mut Function) -> Result<(), SplitError> {
    super::demote(function);
    if !function.locals.values().any(|l| falls_apart(&l.ty)) && !function.values.values().any(|v| v.ty.holds_objects())
    {
        return Ok(());
    }
    let mut locals = FxHashMap::default();
    let whole: Vec<LocalId> = function.locals.iter().filter(|(_, l)| falls_apart(&l.ty)).map(|l| l.0).collect();
    for id in whole {
        let local = function.locals[id].clone();
        locals.insert(id, Parts::of(function, local));
    }
    let body = std::mem::take(&mut function.body);
    let mut splitter = Splitter { function, locals, places: FxHashMap::default(), values: FxHashMap::default() };
    let body = splitter.block(body)?;
    splitter.function.body = body;
    super::promote::drop_unused_locals(function);
    Ok(())
}

fn is_handle(ty: &Type) -> bool {
    matches!(ty, Type::Records(_))
}

fn falls_apart(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => ty.holds_objects() || ty.holds_query(),
        _ => ty.holds_objects() && !ty.is_resource(),
    }
}

/// The locals that replace a local.
#[derive(Clone, Debug)]
enum Parts {
    Local(LocalId),
    Many(Vec<Parts>),
}

impl Parts {
    fn of(function: &mut Function, local: Local) -> Parts {
        let Local { name, ty, variable } = local;
        if !falls_apart(&ty) {
            return Parts::Local(function.locals.alloc(Local { name, ty, variable }));
        }
        let parts: Vec<(Symbol, Type)> = match &ty {
            Type::Struct(s) => {
                let part = |f: &crate::Field| (compact_str::format_compact!("{name}.{}", f.name), f.ty.clone());
                s.fields.iter().map(part).collect()
            }
            Type::Array { element, len, .. } => {
                (0..*len).map(|i| (compact_str::format_compact!("{name}[{i}]"), (**element).clone())).collect()
            }
            _ => Vec::new(),
        };
        let part = |(name, ty): (Symbol, Type)| {
            // A debugger sees a variable for each part.
            let whole = variable.and_then(|v| function.variable(v)).cloned();
            let variable =
                whole.map(|whole| function.variables.alloc(Variable { name: name.clone(), ty: ty.clone(), ..whole }));
            Parts::of(function, Local { name, ty, variable })
        };
        Parts::Many(parts.into_iter().map(part).collect())
    }

    fn name(&self, function: &Function) -> Symbol {
        match self {
            Parts::Local(id) => function.locals[*id].name.clone(),
            Parts::Many(parts) => parts.first().map(|p| p.name(function)).unwrap_or_default(),
        }
    }
}

/// A place in a split local that is not itself a local.
#[derive(Clone, Debug)]
enum SplitPlace {
    Parts(Parts),
    /// A place in a local that is not split further.
    Inside(LocalId, Vec<Step>),
    /// One of these places, at least one, selected by a value.
    Chosen(ValueId, Vec<SplitPlace>),
}

/// A step from a place to an inner one.
#[derive(Clone, Copy, Debug)]
enum Step {
    Field(u32),
    Index(ValueId),
}

impl SplitPlace {
    /// Returns the place that a step leads to. `constant` is the index, if it is constant.
    fn inside(&self, step: Step, constant: Option<u32>) -> Option<SplitPlace> {
        match (self, step) {
            (SplitPlace::Parts(Parts::Many(parts)), Step::Field(index)) => {
                parts.get(index as usize).cloned().map(SplitPlace::Parts)
            }
            (SplitPlace::Parts(Parts::Many(parts)), Step::Index(index)) => match constant {
                Some(index) => parts.get(index as usize).cloned().map(SplitPlace::Parts),
                None if parts.is_empty() => None,
                None => Some(SplitPlace::Chosen(index, parts.iter().cloned().map(SplitPlace::Parts).collect())),
            },
            (SplitPlace::Parts(Parts::Local(local)), step) => Some(SplitPlace::Inside(*local, vec![step])),
            (SplitPlace::Inside(local, steps), step) => {
                Some(SplitPlace::Inside(*local, steps.iter().copied().chain([step]).collect()))
            }
            (SplitPlace::Chosen(index, of), step) => {
                let of: Option<Vec<SplitPlace>> = of.iter().map(|spot| spot.inside(step, constant)).collect();
                Some(SplitPlace::Chosen(*index, of?))
            }
        }
    }

    fn name(&self, function: &Function) -> Symbol {
        match self {
            SplitPlace::Parts(parts) => parts.name(function),
            SplitPlace::Inside(local, _) => function.locals[*local].name.clone(),
            SplitPlace::Chosen(_, of) => of.first().map(|spot| spot.name(function)).unwrap_or_default(),
        }
    }
}

/// A value of a type that holds resources or handles.
#[derive(Clone, Debug)]
enum SplitValue {
    Value(ValueId),
    Many(Vec<SplitValue>),
    /// A value that was never set.
    Unset,
    /// Zero in all parts other than resources and handles.
    Zero,
}

impl SplitValue {
    fn part(&self, index: u32) -> SplitValue {
        match self {
            SplitValue::Many(parts) => parts.get(index as usize).cloned().unwrap_or(SplitValue::Unset),
            SplitValue::Zero => SplitValue::Zero,
            _ => SplitValue::Unset,
        }
    }
}

struct Splitter<'a> {
    function: &'a mut Function,
    locals: FxHashMap<LocalId, Parts>,
    /// Places of split locals, and of their parts that are split.
    places: FxHashMap<ValueId, SplitPlace>,
    /// Values of split types, and values that are a part of one.
    values: FxHashMap<ValueId, SplitValue>,
}

impl Splitter<'_> {
    fn block(&mut self, block: Block) -> Result<Block, SplitError> {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block {
            let values = &self.values;
            stmt.for_each_operand_mut(|id| {
                if let Some(SplitValue::Value(new)) = values.get(id) {
                    *id = *new;
                }
            });
            match stmt {
                Stmt::Let(id) => self.let_value(id, &mut out)?,
                Stmt::Store { place, value } => match self.places.get(&place).cloned() {
                    Some(spot) => {
                        let whole = self.whole(value);
                        self.store_at(&spot, &whole, &mut out);
                    }
                    None => out.push(Stmt::Store { place, value }),
                },
                Stmt::Loop { body, continuing, mut break_if, details } => {
                    let body = self.block(body)?;
                    let continuing = self.block(continuing)?;
                    if let Some(id) = &mut break_if
                        && let Some(SplitValue::Value(new)) = self.values.get(id)
                    {
                        *id = *new;
                    }
                    out.push(Stmt::Loop { body, continuing, break_if, details });
                }
                mut other => {
                    self.refuse_places(&other.operands())?;
                    for inner in other.blocks_mut() {
                        *inner = self.block(std::mem::take(inner))?;
                    }
                    out.push(other);
                }
            }
        }
        Ok(out)
    }

    /// Returns an error for a remaining place of a split local, which cannot be passed on.
    fn refuse_places(&self, operands: &[ValueId]) -> Result<(), SplitError> {
        let Some(spot) = operands.iter().find_map(|id| self.places.get(id)) else { return Ok(()) };
        Err(SplitError { function: self.function.name.clone(), local: spot.name(self.function) })
    }

    fn whole(&self, id: ValueId) -> SplitValue {
        self.values.get(&id).cloned().unwrap_or(SplitValue::Value(id))
    }

    fn value(&mut self, ty: Type, op: Op, out: &mut Block) -> ValueId {
        let id = self.function.values.alloc(Value::new(ty, op));
        out.push(Stmt::Let(id));
        id
    }

    fn place_of(&mut self, local: LocalId, out: &mut Block) -> ValueId {
        let ty = Type::reference(Space::Function, self.function.locals[local].ty.clone());
        self.value(ty, Op::Local(local), out)
    }

    /// Returns a place inside a local that is not split.
    fn place_inside(&mut self, local: LocalId, steps: &[Step], out: &mut Block) -> ValueId {
        let mut place = self.place_of(local, out);
        for step in steps {
            let op = match *step {
                Step::Field(index) => Op::Field { base: place, index },
                Step::Index(index) => Op::Index { base: place, index },
            };
            let ty = match typing::type_of(self.function, &op, &Type::Void) {
                Ok(Typing::Is(ty)) => ty,
                _ => Type::Void,
            };
            place = self.value(ty, op, out);
        }
        place
    }

    /// Writes a block for each alternative that a value selects from.
    fn for_each<T>(
        &mut self,
        selector: ValueId,
        of: &[T],
        out: &mut Block,
        mut f: impl FnMut(&mut Self, &T, &mut Block),
    ) {
        let mut cases: Vec<Case> = Vec::new();
        for (label, one) in (0..).zip(of) {
            let mut body = Block::new();
            f(self, one, &mut body);
            cases.push(Case { labels: vec![label], body });
        }
        // An index out of range may select any of them.
        let default = cases.pop().map(|case| case.body).unwrap_or_default();
        out.push(Stmt::Switch { selector, cases, default, hint: BranchHint::Any, results: Values::default() });
    }

    fn store_at(&mut self, spot: &SplitPlace, whole: &SplitValue, out: &mut Block) {
        match spot {
            SplitPlace::Parts(parts) => self.store(parts, whole, out),
            SplitPlace::Inside(local, steps) => {
                let place = self.place_inside(*local, steps, out);
                if let SplitValue::Value(value) = whole {
                    out.push(Stmt::Store { place, value: *value });
                }
            }
            SplitPlace::Chosen(index, of) => {
                self.for_each(*index, of, out, |this, spot, out| this.store_at(spot, whole, out));
            }
        }
    }

    /// Loads a value of this type from a place.
    fn load_at(&mut self, spot: &SplitPlace, ty: &Type, out: &mut Block) -> SplitValue {
        match spot {
            SplitPlace::Parts(parts) => self.load(parts, out),
            SplitPlace::Inside(local, steps) => {
                let place = self.place_inside(*local, steps, out);
                SplitValue::Value(self.value(ty.clone(), Op::Load(place), out))
            }
            SplitPlace::Chosen(index, of) => {
                let name = spot.name(self.function);
                self.carried(name, *index, of, ty, out, |this, spot, out| this.load_at(spot, ty, out))
            }
        }
    }

    /// Selects one of several alternatives, carried by locals.
    fn carried<T>(
        &mut self,
        name: Symbol,
        selector: ValueId,
        of: &[T],
        ty: &Type,
        out: &mut Block,
        mut f: impl FnMut(&mut Self, &T, &mut Block) -> SplitValue,
    ) -> SplitValue {
        let carrier = Parts::of(self.function, Local { name, ty: ty.clone(), variable: None });
        self.for_each(selector, of, out, |this, one, out| {
            let whole = f(this, one, out);
            this.store(&carrier, &whole, out);
        });
        self.load(&carrier, out)
    }

    fn store(&mut self, parts: &Parts, whole: &SplitValue, out: &mut Block) {
        match (parts, whole) {
            (Parts::Local(local), SplitValue::Value(value)) => {
                let place = self.place_of(*local, out);
                out.push(Stmt::Store { place, value: *value });
            }
            (Parts::Many(parts), whole) => {
                for (i, part) in (0..).zip(parts) {
                    self.store(part, &whole.part(i), out);
                }
            }
            (Parts::Local(local), SplitValue::Zero) => {
                let ty = self.function.locals[*local].ty.clone();
                if !ty.is_resource() && !is_handle(&ty) && !ty.holds_query() {
                    let place = self.place_of(*local, out);
                    let value = self.value(ty, Op::Zero, out);
                    out.push(Stmt::Store { place, value });
                }
            }
            (Parts::Local(_), _) => {}
        }
    }

    fn load(&mut self, parts: &Parts, out: &mut Block) -> SplitValue {
        match parts {
            Parts::Local(local) => {
                let place = self.place_of(*local, out);
                let ty = self.function.locals[*local].ty.clone();
                SplitValue::Value(self.value(ty, Op::Load(place), out))
            }
            Parts::Many(parts) => SplitValue::Many(parts.iter().map(|p| self.load(p, out)).collect()),
        }
    }

    fn let_value(&mut self, id: ValueId, out: &mut Block) -> Result<(), SplitError> {
        let Some(value) = self.function.value(id) else { return Ok(()) };
        let mut op = value.op.clone();
        let values = &self.values;
        op.for_each_operand_mut(|operand| {
            if let Some(SplitValue::Value(new)) = values.get(operand) {
                *operand = *new;
            }
        });
        let ty = value.ty.clone();
        let is_whole = ty.holds_objects() || ty.holds_query();
        let step = match &op {
            Op::Local(local) => match self.locals.get(local) {
                Some(parts) => {
                    self.places.insert(id, SplitPlace::Parts(parts.clone()));
                    return Ok(());
                }
                None => None,
            },
            Op::Field { base, index } => Some((*base, Step::Field(*index), None)),
            Op::Index { base, index } => {
                let constant = self.function.constant(*index).map(|c| c.bits as u32);
                Some((*base, Step::Index(*index), constant))
            }
            _ => None,
        };
        if let Some((base, step, constant)) = step
            && let Some(spot) = self.places.get(&base)
        {
            match spot.inside(step, constant) {
                Some(SplitPlace::Parts(Parts::Local(local))) => {
                    self.function.values[id].op = Op::Local(local);
                    out.push(Stmt::Let(id));
                }
                Some(spot) => drop(self.places.insert(id, spot)),
                None => {}
            }
            return Ok(());
        }
        let whole = match &op {
            Op::Load(place) if is_whole || self.places.contains_key(place) => match self.places.get(place).cloned() {
                Some(spot) => self.load_at(&spot, &ty, out),
                None => SplitValue::Unset,
            },
            Op::Compose(parts) if is_whole => SplitValue::Many(parts.iter().map(|p| self.whole(*p)).collect()),
            Op::Zero if is_whole => SplitValue::Zero,
            Op::Undef if is_whole => SplitValue::Unset,
            Op::Insert { base, index, value } if is_whole => {
                let new = self.whole(*value);
                match self.whole(*base) {
                    SplitValue::Many(mut parts) => {
                        if let Some(slot) = parts.get_mut(*index as usize) {
                            *slot = new;
                        }
                        SplitValue::Many(parts)
                    }
                    other => other,
                }
            }
            Op::Extract { base, index } if self.values.contains_key(base) => self.whole(*base).part(*index),
            Op::ExtractDynamic { base, index } if self.values.contains_key(base) => match self.whole(*base) {
                SplitValue::Many(parts) if !parts.is_empty() => {
                    let name = self.function.values[id].name.clone();
                    self.carried(name, *index, &parts, &ty, out, |_, part, _| part.clone())
                }
                SplitValue::Zero => SplitValue::Zero,
                _ => SplitValue::Unset,
            },
            _ => {
                let mut operands = Vec::new();
                op.for_each_operand(|operand| operands.push(operand));
                self.refuse_places(&operands)?;
                self.function.values[id].op = op;
                out.push(Stmt::Let(id));
                return Ok(());
            }
        };
        match whole {
            // An empty handle.
            SplitValue::Unset | SplitValue::Zero if is_handle(&ty) => {
                let name = self.function.values[id].name.clone();
                let unset = Parts::of(self.function, Local { name, ty, variable: None });
                let whole = self.load(&unset, out);
                self.values.insert(id, whole);
            }
            // An unset part of a type that has values.
            SplitValue::Unset | SplitValue::Zero if !is_whole && !self.function.values[id].ty.is_resource() => {
                self.function.values[id].op = if matches!(whole, SplitValue::Zero) { Op::Zero } else { Op::Undef };
                out.push(Stmt::Let(id));
            }
            whole => {
                self.values.insert(id, whole);
            }
        }
        Ok(())
    }
}
