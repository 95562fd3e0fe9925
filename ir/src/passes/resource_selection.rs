//! Replaces resources that control flow chooses.
//!
//! A local that holds one of several resources becomes a word that selects one of them. A second word has the index if
//! they are elements of one array. Operations on the resource go into a `switch` over the candidates, once for each. No
//! target has variables of resources, but every target has these words. Places of buffer elements are recreated where
//! they are used.
//!
//! This runs after `promote` and other passes that may reduce the choice to one resource. The `switch` is for the rest.

use super::associated_globals::make;
use super::promote::{declared, drop_unused_locals};
use crate::Symbol;
use crate::function::*;
use crate::hint::BranchHint;
use crate::position::SourceText;
use crate::types::{Space, Type};
use crate::typing::{self, Typing};
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The maximum number of elements of one array, with constant indexes, that are separate candidates. An array with more
/// elements or with a variable index is one candidate with a run-time index.
const MAX_ELEMENTS: usize = 4;

/// A used local of resource type with unknown contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionError {
    pub function: Symbol,
    pub local: Symbol,
    /// The position of its declaration in the source, if there is one.
    pub declared: Option<(SourceText, u32)>,
    pub why: UntraceableReason,
}

/// The reason that the contents of a local are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UntraceableReason {
    /// It is never set.
    Unset,
    /// It is set to a value that is neither a resource of the program nor an element of an array of them.
    Foreign,
}

impl std::fmt::Display for SelectionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.why {
            UntraceableReason::Unset => write!(f, "{} is used in {} but never set", self.local, self.function),
            UntraceableReason::Foreign => {
                write!(f, "cannot determine the target of {} in {}", self.local, self.function)
            }
        }
    }
}

impl std::error::Error for SelectionError {}

/// Replaces the locals of resource type that are read. `promote` must already have replaced as many as possible.
pub fn resource_selection(function: &mut Function) -> Result<(), SelectionError> {
    super::demote(function);
    let mut resources = LocalResources::of(function)?;
    if resources.sets.is_empty() {
        return Ok(());
    }
    resources.close();
    let words = resources.words(function);
    let body = std::mem::take(&mut function.body);
    let mut chooser = Chooser {
        function,
        resources,
        words,
        picks: FxHashMap::default(),
        deferred: FxHashSet::default(),
        replaced: FxHashMap::default(),
    };
    let body = chooser.block(body);
    chooser.function.body = body?;
    drop_unused_locals(function);
    Ok(())
}

/// A resource that a local may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    global: Symbol,
    /// The type of the global.
    ty: Type,
    element: Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    /// The whole global, which is not an array.
    Whole,
    /// A part of the push constants.
    Field(u32),
    At(u32),
    /// An element at a run-time index.
    Chosen,
}

/// Returns the resource that a value is, with the index of an element.
fn candidate(function: &Function, value: ValueId) -> Option<(Candidate, Option<ValueId>)> {
    let Value { op, ty, .. } = function.value(value)?;
    match op {
        Op::Global(global) => {
            Some((Candidate { global: global.clone(), ty: ty.clone(), element: Element::Whole }, None))
        }
        Op::Field { base, index } => {
            let Value { op: Op::Global(global), ty, .. } = function.value(*base)? else { return None };
            Some((Candidate { global: global.clone(), ty: ty.clone(), element: Element::Field(*index) }, None))
        }
        Op::Descriptor { array, index } => {
            let Value { op: Op::Global(global), ty, .. } = function.value(*array)? else { return None };
            let element = function.constant(*index).map_or(Element::Chosen, |c| Element::At(c.bits as u32));
            Some((Candidate { global: global.clone(), ty: ty.clone(), element }, Some(*index)))
        }
        _ => None,
    }
}

/// The possible contents of the locals of resource type.
struct LocalResources {
    places: FxHashMap<ValueId, LocalId>,
    candidates: Vec<Candidate>,
    /// Arrays that are one candidate each.
    arrays: FxHashSet<Symbol>,
    /// For each local that is read: the indexes of its candidates.
    sets: FxHashMap<LocalId, BTreeSet<usize>>,
    /// Pairs of locals: the first is set to the contents of the second.
    copies: Vec<(LocalId, LocalId)>,
}

impl LocalResources {
    fn of(function: &Function) -> Result<LocalResources, SelectionError> {
        let places: FxHashMap<ValueId, LocalId> = (function.values.iter())
            .filter_map(|(id, value)| match value.op {
                Op::Local(local) if function.local(local)?.ty.is_resource() => Some((id, local)),
                _ => None,
            })
            .collect();
        let loaded = |id: ValueId| match function.value(id)?.op {
            Op::Load(place) => places.get(&place).copied(),
            _ => None,
        };
        let mut sets = FxHashMap::default();
        let mut stores = Vec::new();
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Let(id) => sets.extend(loaded(*id).map(|local| (local, BTreeSet::new()))),
            Stmt::Store { place, value } => stores.extend(places.get(place).map(|local| (*local, *value))),
            _ => {}
        });
        stores.retain(|(local, _)| sets.contains_key(local));
        let mut resources =
            LocalResources { places, candidates: Vec::new(), arrays: FxHashSet::default(), sets, copies: Vec::new() };
        resources.arrays = arrays(function, &stores);
        for (local, value) in stores {
            if let Some((candidate, _)) = candidate(function, value) {
                let number = resources.number(candidate);
                resources.sets.entry(local).or_default().insert(number);
            } else if let Some(other) = loaded_by(function, &resources.places, value) {
                resources.copies.push((local, other));
            } else if !matches!(function.value(value).map(|v| &v.op), Some(Op::Undef)) {
                return Err(error(function, local, UntraceableReason::Foreign));
            }
        }
        Ok(resources)
    }

    /// Returns the number of a candidate, and adds it if it is new.
    fn number(&mut self, mut candidate: Candidate) -> usize {
        if self.arrays.contains(&candidate.global) {
            candidate.element = Element::Chosen;
        }
        if let Some(number) =
            self.candidates.iter().position(|c| c.global == candidate.global && c.element == candidate.element)
        {
            return number;
        }
        self.candidates.push(candidate);
        self.candidates.len() - 1
    }

    /// Adds the candidates that locals get from other locals.
    fn close(&mut self) {
        let mut grows = true;
        while grows {
            grows = false;
            for (to, from) in &self.copies {
                let more = self.sets.get(from).cloned().unwrap_or_default();
                if let Some(set) = self.sets.get_mut(to) {
                    let before = set.len();
                    set.extend(more);
                    grows |= set.len() != before;
                }
            }
        }
    }

    /// Creates the locals that replace each resource local.
    fn words(&self, function: &mut Function) -> FxHashMap<LocalId, SelectionLocals> {
        let mut locals: Vec<_> = self.sets.iter().collect();
        locals.sort_by_key(|(local, _)| local.into_raw().into_u32());
        let mut words = FxHashMap::default();
        for (&local, set) in locals {
            let name = function.locals[local].name.clone();
            let mut word = |what: &str| {
                let name = compact_str::format_compact!("{name}.{what}");
                function.locals.alloc(Local { name, ty: Type::U32, variable: None })
            };
            let indexed = set.iter().any(|n| self.candidates[*n].element == Element::Chosen);
            let which = (set.len() > 1).then(|| word("which"));
            words.insert(local, SelectionLocals { which, at: indexed.then(|| word("at")) });
        }
        words
    }
}

fn loaded_by(function: &Function, places: &FxHashMap<ValueId, LocalId>, value: ValueId) -> Option<LocalId> {
    match function.value(value)?.op {
        Op::Load(place) => places.get(&place).copied(),
        _ => None,
    }
}

/// Returns arrays whose stored elements have a variable index, or too many constant ones.
fn arrays(function: &Function, stores: &[(LocalId, ValueId)]) -> FxHashSet<Symbol> {
    let mut elements: FxHashMap<Symbol, BTreeSet<u32>> = FxHashMap::default();
    let mut arrays = FxHashSet::default();
    for (candidate, _) in stores.iter().filter_map(|(_, value)| candidate(function, *value)) {
        match candidate.element {
            Element::Whole | Element::Field(_) => {}
            Element::Chosen => drop(arrays.insert(candidate.global)),
            Element::At(index) => drop(elements.entry(candidate.global).or_default().insert(index)),
        }
    }
    arrays.extend(elements.into_iter().filter(|(_, at)| at.len() > MAX_ELEMENTS).map(|(name, _)| name));
    arrays
}

fn error(function: &Function, local: LocalId, why: UntraceableReason) -> SelectionError {
    let at = function.local(local);
    SelectionError {
        function: function.name.clone(),
        local: at.map(|l| l.name.clone()).unwrap_or_default(),
        declared: at.and_then(|l| declared(function, l)),
        why,
    }
}

/// The words that replace a local.
#[derive(Clone, Copy)]
struct SelectionLocals {
    /// The number of the candidate; `None` if there is only one.
    which: Option<LocalId>,
    /// The index, if a candidate is an array.
    at: Option<LocalId>,
}

/// A value that is one of several resources.
#[derive(Clone)]
struct Pick {
    local: LocalId,
    which: Option<ValueId>,
    at: Option<ValueId>,
}

/// An operation that each candidate repeats.
enum Use {
    /// A value, and the place that carries it out of the `switch`.
    Value(ValueId, ValueId),
    Stmt(Stmt),
}

struct Chooser<'a> {
    function: &'a mut Function,
    resources: LocalResources,
    words: FxHashMap<LocalId, SelectionLocals>,
    picks: FxHashMap<ValueId, Pick>,
    /// Places and array elements that derive from a pick.
    deferred: FxHashSet<ValueId>,
    /// Loads of locals that hold exactly one resource.
    replaced: FxHashMap<ValueId, ValueId>,
}

impl Chooser<'_> {
    fn block(&mut self, block: Block) -> Result<Block, SelectionError> {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block {
            stmt.for_each_operand_mut(|id| *id = self.replaced.get(id).copied().unwrap_or(*id));
            match stmt {
                Stmt::Let(id) => self.let_value(id, &mut out)?,
                Stmt::Store { place, value } if self.resources.places.contains_key(&place) => {
                    let local = self.resources.places[&place];
                    self.store(local, value, &mut out);
                }
                mut other => {
                    for inner in other.blocks_mut() {
                        *inner = self.block(std::mem::take(inner))?;
                    }
                    let picks = self.picks_among(other.operands());
                    match other {
                        Stmt::Holds { variable, .. } if !picks.is_empty() => {
                            out.push(Stmt::Holds { variable, value: None });
                        }
                        // Calls with resources are inlined, and no function returns a resource any more.
                        Stmt::Call { .. } | Stmt::Return(_) if !picks.is_empty() => {
                            return Err(self.foreign(&picks));
                        }
                        other if picks.is_empty() => out.push(other),
                        other => self.each(&picks, &Use::Stmt(other), FxHashMap::default(), &mut out)?,
                    }
                }
            }
        }
        Ok(out)
    }

    fn foreign(&self, picks: &[ValueId]) -> SelectionError {
        let local = picks.first().and_then(|id| self.picks.get(id)).map(|pick| pick.local);
        let unknown = SelectionError {
            function: self.function.name.clone(),
            local: Symbol::default(),
            declared: None,
            why: UntraceableReason::Foreign,
        };
        local.map_or(unknown, |local| error(self.function, local, UntraceableReason::Foreign))
    }

    fn load(&mut self, local: LocalId, out: &mut Block) -> ValueId {
        let place = make(self.function, word_place(), Op::Local(local), out);
        make(self.function, Type::U32, Op::Load(place), out)
    }

    fn set(&mut self, local: LocalId, value: ValueId, out: &mut Block) {
        let value = match self.function.type_of(value) {
            Some(&Type::U32) => value,
            _ => make(self.function, Type::U32, Op::Convert(value), out),
        };
        let place = make(self.function, word_place(), Op::Local(local), out);
        out.push(Stmt::Store { place, value });
    }

    fn constant(&mut self, value: u32, out: &mut Block) -> ValueId {
        make(self.function, Type::U32, Op::Const(ScalarConst::u32(value)), out)
    }

    fn store(&mut self, local: LocalId, value: ValueId, out: &mut Block) {
        // Unread locals need no stores.
        let Some(&words) = self.words.get(&local) else { return };
        let (which, at) = match self.picks.get(&value) {
            Some(Pick { which, at, .. }) => (*which, *at),
            None => match candidate(self.function, value) {
                Some((candidate, index)) => {
                    let number = self.resources.number(candidate);
                    (words.which.map(|_| self.constant(number as u32, out)), index)
                }
                None => (None, None),
            },
        };
        for (word, value) in [(words.which, which), (words.at, at)] {
            if let (Some(word), Some(value)) = (word, value) {
                self.set(word, value, out);
            }
        }
    }

    /// Returns the resource of a candidate.
    fn resource(&mut self, number: usize, at: Option<ValueId>, out: &mut Block) -> ValueId {
        let Candidate { global, ty, element } = self.resources.candidates[number].clone();
        let whole = make(self.function, ty.clone(), Op::Global(global), out);
        if let Element::Field(index) = element {
            let op = Op::Field { base: whole, index };
            let ty = self.type_of(&op, &Type::reference(Space::PushConstant, Type::Void));
            return make(self.function, ty, op, out);
        }
        let (Type::Descriptors { element: inner, .. }, false) = (ty, element == Element::Whole) else { return whole };
        let index = match (element, at) {
            (Element::At(index), _) => self.constant(index, out),
            // Threads that run together may have chosen differently.
            (_, Some(at)) => make(self.function, Type::U32, Op::NonUniform(at), out),
            (_, None) => self.constant(0, out),
        };
        make(self.function, (*inner).clone(), Op::Descriptor { array: whole, index }, out)
    }

    fn let_value(&mut self, id: ValueId, out: &mut Block) -> Result<(), SelectionError> {
        if self.function.value(id).is_none() || self.resources.places.contains_key(&id) {
            return Ok(());
        }
        let mut op = std::mem::replace(&mut self.function.values[id].op, Op::Undef);
        op.for_each_operand_mut(|id| *id = self.replaced.get(id).copied().unwrap_or(*id));
        self.function.values[id].op = op.clone();
        if let Op::Load(place) = op
            && let Some(&local) = self.resources.places.get(&place)
        {
            self.pick(id, local, out);
            return Ok(());
        }
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(operand));
        let picks = self.picks_among(operands);
        let ty = self.function.values[id].ty.clone();
        if picks.is_empty() {
            self.function.values[id].ty = self.type_of(&op, &ty);
            out.push(Stmt::Let(id));
        } else if matches!(op, Op::Call { .. }) {
            return Err(self.foreign(&picks));
        } else if matches!(ty, Type::Ref(..)) || ty.is_resource() {
            self.deferred.insert(id);
        } else {
            let Value { name, .. } = &self.function.values[id];
            let local = self.function.locals.alloc(Local { name: name.clone(), ty: ty.clone(), variable: None });
            let place = Type::reference(Space::Function, ty);
            let place = make(self.function, place, Op::Local(local), out);
            self.each(&picks, &Use::Value(id, place), FxHashMap::default(), out)?;
            self.function.values[id].op = Op::Load(place);
            out.push(Stmt::Let(id));
        }
        Ok(())
    }

    /// Reads the candidate that a local holds at this point.
    fn pick(&mut self, id: ValueId, local: LocalId, out: &mut Block) {
        let Some(&SelectionLocals { which, at }) = self.words.get(&local) else { return };
        let which = which.map(|which| self.load(which, out));
        let at = at.map(|at| self.load(at, out));
        let set = &self.resources.sets[&local];
        match set.first().copied() {
            Some(only) if set.len() == 1 => {
                let resource = self.resource(only, at, out);
                self.replaced.insert(id, resource);
            }
            _ => drop(self.picks.insert(id, Pick { local, which, at })),
        }
    }

    /// Returns the type of a place. The chosen resource may be coherent even if the variable was not.
    fn type_of(&self, op: &Op, ty: &Type) -> Type {
        match (ty, typing::type_of(self.function, op, ty)) {
            (Type::Ref(..), Ok(Typing::Is(ty))) => ty,
            _ => ty.clone(),
        }
    }

    /// Returns the picks that operands depend on, without repetition.
    fn picks_among(&self, operands: Vec<ValueId>) -> Vec<ValueId> {
        let mut found = Vec::new();
        let mut work: Vec<ValueId> = operands;
        while let Some(id) = work.pop() {
            if self.picks.contains_key(&id) && !found.contains(&id) {
                found.push(id);
            } else if self.deferred.contains(&id) {
                self.function.values[id].op.for_each_operand(|operand| work.push(operand));
            }
        }
        found
    }

    /// Writes a `switch` for each pick, with the operations on the resources inside. `known` has the picks that are
    /// already resolved.
    fn each(
        &mut self,
        picks: &[ValueId],
        what: &Use,
        known: FxHashMap<ValueId, ValueId>,
        out: &mut Block,
    ) -> Result<(), SelectionError> {
        let Some((first, rest)) = picks.split_first() else {
            self.apply(what, known, out);
            return Ok(());
        };
        let Pick { local, which, at } = self.picks[first].clone();
        let Some(selector) = which else { return Err(error(self.function, local, UntraceableReason::Unset)) };
        let mut cases = Vec::new();
        for number in self.resources.sets[&local].clone() {
            let mut body = Block::new();
            let resource = self.resource(number, at, &mut body);
            let mut known = known.clone();
            known.insert(*first, resource);
            self.each(rest, what, known, &mut body)?;
            cases.push(Case { labels: vec![number as i64], body });
        }
        // The last candidate becomes the default, since one of them must match.
        let default = cases.pop().map(|case| case.body).unwrap_or_default();
        out.push(Stmt::Switch { selector, cases, default, hint: BranchHint::Any, results: Values::default() });
        Ok(())
    }

    fn apply(&mut self, what: &Use, mut known: FxHashMap<ValueId, ValueId>, out: &mut Block) {
        match what {
            Use::Value(id, place) => {
                let Value { op, ty, name, precise } = self.function.values[*id].clone();
                let op = self.with(op, &mut known, out);
                let value = make(self.function, ty, op, out);
                (self.function.values[value].name, self.function.values[value].precise) = (name, precise);
                out.push(Stmt::Store { place: *place, value });
            }
            Use::Stmt(stmt) => {
                let mut stmt = stmt.clone();
                stmt.for_each_operand_mut(|id| *id = self.known(*id, &mut known, out));
                out.push(stmt);
            }
        }
    }

    fn with(&mut self, mut op: Op, known: &mut FxHashMap<ValueId, ValueId>, out: &mut Block) -> Op {
        op.for_each_operand_mut(|id| *id = self.known(*id, known, out));
        op
    }

    /// Returns a value with all resources resolved.
    fn known(&mut self, id: ValueId, known: &mut FxHashMap<ValueId, ValueId>, out: &mut Block) -> ValueId {
        if let Some(found) = known.get(&id) {
            return *found;
        }
        if !self.deferred.contains(&id) {
            return id;
        }
        let Value { op, ty, precise, .. } = self.function.values[id].clone();
        let op = self.with(op, known, out);
        let ty = self.type_of(&op, &ty);
        let made = make(self.function, ty, op, out);
        self.function.values[made].precise = precise;
        known.insert(id, made);
        made
    }
}

fn word_place() -> Type {
    Type::reference(Space::Function, Type::U32)
}
