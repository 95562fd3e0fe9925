//! Turns merged values into locals, for passes that work on functions without them.
//!
//! Each result and parameter becomes a local. An edge stores its values, the target loads them. A value of `continuing`
//! does not see the body's loads, so `continuing` loads the parameters again.

use crate::Symbol;
use crate::function::*;
use crate::module::Module;
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// Replaces the merged values of all functions by locals.
pub fn demote_all(module: &mut Module) {
    // A function is copied when it is changed, so the others are left alone.
    let merging = module.functions.iter().filter(|(_, function)| merges(function));
    let merging: Vec<Symbol> = merging.map(|(name, _)| name.clone()).collect();
    for name in merging {
        module.functions.get_mut(&name).into_iter().for_each(|function| demote(function));
    }
}

fn merges(function: &Function) -> bool {
    function.values.values().any(|value| value.op == Op::Merge)
}

/// Replaces the merged values of a function by locals.
pub fn demote(function: &mut Function) {
    if !merges(function) {
        return;
    }
    let mut body = std::mem::take(&mut function.body);
    let mut demoter = Demoter { function, places: Block::new(), renamed: FxHashMap::default() };
    demoter.block(&mut body, &Targets::default());
    body.splice(0..0, demoter.places);
    function.body = body;
}

/// The places that the edges of the surrounding statements write.
#[derive(Clone, Default)]
struct Targets {
    yields: Vec<ValueId>,
    breaks: Vec<ValueId>,
    continues: Vec<ValueId>,
}

struct Demoter<'a> {
    function: &'a mut Function,
    /// The places of the new locals, for the start of the function.
    places: Block,
    /// In `continuing`: the second loads of parameters.
    renamed: FxHashMap<ValueId, ValueId>,
}

impl Demoter<'_> {
    /// Returns the places of new locals for these values.
    fn locals(&mut self, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().filter_map(|id| self.local(*id)).collect()
    }

    fn local(&mut self, id: ValueId) -> Option<ValueId> {
        let Value { ty, name, precise, .. } = self.function.value(id)?.clone();
        let local = self.function.locals.alloc(Local { name, ty: ty.clone(), variable: None });
        let place = Value { precise, ..Value::new(Type::reference(Space::Function, ty), Op::Local(local)) };
        let place = self.function.values.alloc(place);
        self.places.push(Stmt::Let(place));
        Some(place)
    }

    /// Makes merged values loads, and returns their statements.
    fn loads(&mut self, values: &[ValueId], places: &[ValueId]) -> Block {
        for (id, place) in values.iter().zip(places) {
            self.function.values[*id].op = Op::Load(*place);
        }
        values.iter().map(|id| Stmt::Let(*id)).collect()
    }

    fn stores(places: &[ValueId], values: &[ValueId], out: &mut Block) {
        out.extend(places.iter().zip(values).map(|(&place, &value)| Stmt::Store { place, value }));
    }

    fn rename(&self, id: &mut ValueId) {
        if let Some(new) = self.renamed.get(id) {
            *id = *new;
        }
    }

    fn block(&mut self, block: &mut Block, targets: &Targets) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            stmt.for_each_operand_mut(|id| self.rename(id));
            let results = stmt.results().to_vec();
            let places = self.locals(&results);
            match &mut stmt {
                Stmt::Let(id) => {
                    if let Some(mut op) = self.function.value(*id).map(|value| value.op.clone()) {
                        op.for_each_operand_mut(|id| self.rename(id));
                        self.function.values[*id].op = op;
                    }
                }
                Stmt::Yield(values) => {
                    Self::stores(&targets.yields, values, &mut out);
                    continue;
                }
                Stmt::Break(values) => Self::stores(&targets.breaks, &std::mem::take(values), &mut out),
                Stmt::Continue(values) => Self::stores(&targets.continues, &std::mem::take(values), &mut out),
                Stmt::If { results, .. } => {
                    *results = Values::default();
                    let inside = Targets { yields: places.clone(), ..targets.clone() };
                    self.blocks(&mut stmt, &inside);
                }
                Stmt::Switch { results, .. } => {
                    *results = Values::default();
                    let inside = Targets { yields: places.clone(), breaks: places.clone(), ..targets.clone() };
                    self.blocks(&mut stmt, &inside);
                }
                Stmt::Loop { body, continuing, details, break_if, .. } => {
                    let plain = LoopDetails { hint: details.hint, ..LoopDetails::default() };
                    let details = std::mem::replace(&mut **details, plain);
                    self.loop_(body, (continuing, break_if), details, (&places, &mut out));
                }
                _ => {}
            }
            let loads = self.loads(&results, &places);
            out.push(stmt);
            out.extend(loads);
        }
        *block = out;
    }

    fn blocks(&mut self, stmt: &mut Stmt, inside: &Targets) {
        for block in stmt.blocks_mut() {
            self.block(block, inside);
        }
    }

    /// Rewrites a loop. `out` gets the stores before it; `results` are the places of its results.
    fn loop_(
        &mut self,
        body: &mut Block,
        (continuing, break_if): (&mut Block, &mut Option<ValueId>),
        mut details: LoopDetails,
        (results, out): (&[ValueId], &mut Block),
    ) {
        let (params, again) = (self.locals(&details.params), self.locals(&details.again));
        Self::stores(&params, &details.first, out);
        let inside = Targets { yields: again.clone(), breaks: results.to_vec(), continues: again.clone() };
        self.block(body, &inside);
        let loads = self.loads(&details.params, &params);
        body.splice(0..0, loads);

        let mut loads = self.loads(&details.again, &again);
        let mut second = Vec::with_capacity(params.len());
        for (id, place) in details.params.iter().zip(&params) {
            let copy = Value { op: Op::Load(*place), ..self.function.values[*id].clone() };
            let copy = self.function.values.alloc(copy);
            loads.push(Stmt::Let(copy));
            second.push((*id, self.renamed.insert(*id, copy)));
        }
        self.block(continuing, &Targets::default());
        continuing.splice(0..0, loads);
        details.next.iter_mut().chain(break_if).chain(&mut details.last).for_each(|id| self.rename(id));
        Self::stores(&params, &details.next, continuing);
        Self::stores(results, &details.last, continuing);
        for (id, old) in second {
            match old {
                Some(old) => self.renamed.insert(id, old),
                None => self.renamed.remove(&id),
            };
        }
    }
}
