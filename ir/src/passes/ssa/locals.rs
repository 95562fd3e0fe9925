//! The locals that become values, and the statements that merge them.

use super::Number;
use crate::Symbol;
use crate::function::*;
use crate::types::{Space, Type};
use crate::value_map::ValueMap;
use rustc_hash::FxHashMap;

/// The maximum number of values that the edges into one point carry, all together. A switch of thousands of cases that
/// sets thousands of locals would have millions.
const MAX_CARRIED: usize = 1 << 16;

/// A local that becomes a value.
pub(super) struct Promoted {
    pub id: LocalId,
    pub name: Symbol,
    pub ty: Type,
    pub precise: bool,
    /// The numbers of the first and the last statement that load or store it.
    first: u32,
    last: u32,
    /// The first use is a store of the whole, in this block.
    set_first_in: Option<u32>,
    /// All uses are in that block. So they have values that the block stored, in each iteration of loops around it.
    is_confined: bool,
}

/// A step from a place to a part of it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// `ty` is the type of the part as a value.
    Known { index: u32, ty: Type },
    /// A component of a vector at run time, only for loads.
    Chosen(ValueId),
}

/// A place in a local: the place that it is a part of, unless it is the whole.
#[derive(Clone)]
struct Place {
    local: LocalId,
    base: Option<(ValueId, Step)>,
}

/// The extent of an `if`, a switch or a loop, in numbers of statements.
#[derive(Default)]
pub(super) struct Span {
    start: u32,
    /// The number after the last statement inside.
    end: u32,
    is_loop: bool,
    /// The most edges into one point of the statement, or more.
    edges: usize,
    /// The locals stored inside.
    stored: Vec<LocalId>,
    /// Those stored in the first block: an arm, or the body of a loop.
    stored_in_body: Vec<LocalId>,
}

pub(super) struct Analysis {
    pub locals: Vec<Promoted>,
    /// The places in these locals.
    paths: ValueMap<Place>,
    number_of: FxHashMap<LocalId, Number>,
    /// The statements with blocks, in the order of the walk.
    pub spans: Vec<Span>,
}

impl Analysis {
    pub fn of(function: &Function) -> Analysis {
        let mut scan = Scan {
            function,
            paths: ValueMap::default(),
            uses: FxHashMap::default(),
            kept: vec![false; function.locals.len()],
            spans: Vec::new(),
            statements: 0,
            blocks: Vec::new(),
            jumps: Vec::new(),
        };
        scan.block(&function.body);
        let Scan { mut paths, mut uses, mut kept, spans, blocks, .. } = scan;
        for local in uses.values_mut() {
            let end = local.set_first_in.and_then(|block| blocks.get(block as usize));
            local.is_confined = end.is_some_and(|end| local.last <= *end);
        }
        for span in &spans {
            span.limit(&uses, &mut kept);
        }
        let is_kept = |local: LocalId| kept[raw(local)];
        paths.retain(|place| !is_kept(place.local));
        uses.retain(|local, _| !is_kept(*local));
        let mut order: Vec<LocalId> = uses.keys().copied().collect();
        order.sort_unstable_by_key(|local| raw(*local));
        let number_of = order.iter().copied().zip(0..).collect();
        let locals = order.into_iter().filter_map(|local| uses.remove(&local)).collect();
        Analysis { locals, paths, number_of, spans }
    }

    /// Returns whether the place is in a local that becomes a value.
    pub fn has(&self, place: ValueId) -> bool {
        self.paths.contains(place)
    }

    /// Returns the local that a place is in, with the steps from the whole.
    pub fn path(&self, place: ValueId) -> Option<(Number, Vec<Step>)> {
        let mut at = self.paths.get(place)?;
        let mut steps = Vec::new();
        while let Some((base, step)) = &at.base {
            steps.push(step.clone());
            at = self.paths.get(*base)?;
        }
        steps.reverse();
        Some((*self.number_of.get(&at.local)?, steps))
    }

    fn numbers(&self, of: &[LocalId], wanted: impl Fn(&Promoted) -> bool) -> Vec<Number> {
        let numbers = of.iter().filter_map(|local| self.number_of.get(local).copied());
        numbers.filter(|number| wanted(&self.locals[*number as usize])).collect()
    }
}

impl Span {
    /// Keeps the locals that the statement would merge, if these are too many.
    fn limit(&self, uses: &FxHashMap<LocalId, Promoted>, kept: &mut [bool]) {
        let merges = |local: &&LocalId| match uses.get(*local) {
            Some(local) if self.is_loop => self.is_carried(local),
            Some(local) => self.is_used_outside(local),
            None => false,
        };
        let merged = self.stored.iter().filter(|local| !kept[raw(**local)]).filter(merges);
        if self.edges.saturating_mul(merged.clone().count()) > MAX_CARRIED {
            let merged: Vec<LocalId> = merged.copied().collect();
            merged.into_iter().for_each(|local| kept[raw(local)] = true);
        }
    }

    fn is_used_outside(&self, local: &Promoted) -> bool {
        local.first < self.start || local.last > self.end
    }

    /// Returns whether the next iteration of the loop may read the value of the previous one.
    fn is_carried(&self, local: &Promoted) -> bool {
        self.is_used_outside(local) || !local.is_confined
    }

    /// Returns the locals that the statement stores and others use.
    pub fn used_outside(&self, analysis: &Analysis) -> Vec<Number> {
        analysis.numbers(&self.stored, |local| self.is_used_outside(local))
    }

    /// Returns the locals whose values iterations of the loop pass on.
    pub fn carried(&self, analysis: &Analysis) -> Vec<Number> {
        analysis.numbers(&self.stored, |local| self.is_carried(local))
    }

    /// Returns the locals whose values the body of the loop passes to `continuing`.
    pub fn carried_to_continuing(&self, analysis: &Analysis) -> Vec<Number> {
        analysis.numbers(&self.stored_in_body, |local| self.is_carried(local))
    }
}

/// The walk that collects the uses of locals.
struct Scan<'a> {
    function: &'a Function,
    paths: ValueMap<Place>,
    uses: FxHashMap<LocalId, Promoted>,
    /// Locals with uses that values cannot replace.
    kept: Vec<bool>,
    spans: Vec<Span>,
    /// The number of statements so far.
    statements: u32,
    /// The numbers of the last statements of blocks.
    blocks: Vec<u32>,
    /// The jumps to each surrounding switch or loop.
    jumps: Vec<usize>,
}

impl Scan<'_> {
    fn keep(&mut self, place: ValueId) {
        if let Some(place) = self.paths.get(place) {
            self.kept[raw(place.local)] = true;
        }
    }

    /// Walks a block. Returns the locals that it stores, in order and without repetition.
    fn block(&mut self, block: &Block) -> Vec<LocalId> {
        let this = self.blocks.len();
        self.blocks.push(0);
        let mut stored = Vec::new();
        for stmt in block {
            self.statements += 1;
            match stmt {
                Stmt::Let(id) => self.let_value(*id),
                Stmt::Store { place, value } => {
                    self.keep(*value);
                    stored.extend(self.store(*place, *value, this as u32));
                }
                other => other.operands().into_iter().for_each(|id| self.keep(id)),
            }
            if let Stmt::Break(_) | Stmt::Continue(_) = stmt {
                // Each surrounding statement counts it: a `Continue` may leave switches.
                self.jumps.iter_mut().for_each(|jumps| *jumps += 1);
            }
            if let Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Loop { .. } = stmt {
                stored.extend_from_slice(self.nested(stmt));
            }
        }
        self.blocks[this] = self.statements;
        stored.sort_unstable_by_key(|local| raw(*local));
        stored.dedup();
        stored
    }

    /// Walks the blocks of a statement. Returns the locals that they store.
    fn nested(&mut self, stmt: &Stmt) -> &[LocalId] {
        let place = self.spans.len();
        // The walk needs the spans in the order of their starts.
        self.spans.push(Span::default());
        let is_target = !matches!(stmt, Stmt::If { .. });
        if is_target {
            self.jumps.push(0);
        }
        let is_loop = matches!(stmt, Stmt::Loop { .. });
        let mut span = Span { start: self.statements, is_loop, ..Span::default() };
        let mut arms = 0;
        for (n, block) in stmt.blocks().enumerate() {
            arms += 1;
            let stored = self.block(block);
            if n == 0 {
                span.stored_in_body.clone_from(&stored);
            }
            span.stored.extend(stored);
        }
        let mut ends = Vec::new();
        stmt.for_each_end_operand(|id| ends.push(id));
        ends.into_iter().for_each(|id| self.keep(id));
        span.end = self.statements;
        span.stored.sort_unstable_by_key(|local| raw(*local));
        span.stored.dedup();
        let jumps = if is_target { self.jumps.pop().unwrap_or(0) } else { 0 };
        span.edges = arms + jumps;
        self.spans[place] = span;
        &self.spans[place].stored
    }

    fn let_value(&mut self, id: ValueId) {
        let Some(value) = self.function.value(id) else { return };
        let place = match &value.op {
            Op::Local(local) => match self.function.local(*local) {
                Some(data) if data.ty.as_value().is_mergeable() => Place { local: *local, base: None },
                _ => return,
            },
            Op::Field { base, index } => match self.part_of(*base, id, *index) {
                Some(place) => place,
                None => return,
            },
            Op::Index { base, index } => {
                self.keep(*index);
                let known = self.function.constant(*index).and_then(|c| u32::try_from(c.bits).ok());
                match known.map_or_else(|| self.chosen(*base, *index), |index| self.part_of(*base, id, index)) {
                    Some(place) => place,
                    None => return self.keep(*base),
                }
            }
            Op::Load(place) => return self.load(*place, &value.ty),
            op => {
                op.for_each_operand(|operand| self.keep(operand));
                return;
            }
        };
        self.paths.insert(id, place);
    }

    /// Returns the part of a place at a known index, if there is one.
    fn part_of(&self, base: ValueId, part: ValueId, index: u32) -> Option<Place> {
        let outer = self.paths.get(base)?;
        let count = match pointee(self.function, base)? {
            Type::Vector(_, n) => u32::from(*n),
            Type::Matrix(m) => u32::from(m.rows),
            Type::Array { len, .. } => *len,
            Type::Struct(s) => s.fields.len() as u32,
            _ => return None,
        };
        let ty = pointee(self.function, part)?.as_value();
        let base = Some((base, Step::Known { index, ty }));
        (index < count).then_some(Place { local: outer.local, base })
    }

    /// Returns the component of a vector at run time.
    fn chosen(&self, base: ValueId, index: ValueId) -> Option<Place> {
        let outer = self.paths.get(base)?;
        let is_vector = matches!(pointee(self.function, base)?, Type::Vector(..));
        is_vector.then_some(Place { local: outer.local, base: Some((base, Step::Chosen(index))) })
    }

    fn load(&mut self, place: ValueId, ty: &Type) {
        let Some(local) = self.paths.get(place).map(|place| place.local) else { return };
        match pointee(self.function, place) {
            Some(pointee) if pointee.as_value() == *ty => {
                self.used(local, place);
            }
            _ => self.keep(place),
        }
    }

    /// Returns the local that a store changes.
    fn store(&mut self, place: ValueId, value: ValueId, block: u32) -> Option<LocalId> {
        let Place { local, base } = self.paths.get(place)?.clone();
        let fits = pointee(self.function, place).map(Type::as_value).as_ref() == self.function.type_of(value);
        if !fits || matches!(base, Some((_, Step::Chosen(_)))) {
            self.keep(place);
        }
        let first = self.used(local, place)?;
        if base.is_none() && first {
            self.uses.get_mut(&local)?.set_first_in = Some(block);
        }
        Some(local)
    }

    /// Notes a use of a local by the current statement. Returns whether it is the first.
    fn used(&mut self, local: LocalId, place: ValueId) -> Option<bool> {
        let data = self.function.local(local)?;
        let precise = self.function.value(place).is_some_and(|place| place.precise);
        let mut is_first = false;
        let used = self.uses.entry(local).or_insert_with(|| {
            is_first = true;
            Promoted {
                id: local,
                name: data.name.clone(),
                ty: data.ty.as_value(),
                precise: false,
                first: self.statements,
                last: 0,
                set_first_in: None,
                is_confined: false,
            }
        });
        used.last = self.statements;
        used.precise |= precise;
        Some(is_first)
    }
}

fn pointee(function: &Function, place: ValueId) -> Option<&Type> {
    match function.type_of(place)? {
        Type::Ref(Space::Function, pointee) => Some(pointee),
        _ => None,
    }
}

fn raw(local: LocalId) -> usize {
    local.into_raw().into_u32() as usize
}
