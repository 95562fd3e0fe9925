//! Bindings of a program of several translation units, which share one pipeline layout; a shared resource has one
//! binding.
//!
//! The bindings of a single unit are in [`crate::link::bindings`], the assignment in [`crate::link::assignment`].

use crate::db::def::VarId;
use crate::db::diagnostic::Diagnostic;
use crate::db::units;
use crate::db::{Db, Program};
use crate::link::assignment::assign;
use crate::link::bindings::{BindingRequest, pushed, second_push_constants, wanted};
use crate::link::compute::compute_entries;
use crate::link::link;
use crate::link::program::names;
use crate::link::usage::{Usage, is_local};
use crate::lower::globals::access;
use crate::types::resource_types::counter_symbol;
use std::collections::{BTreeMap, BTreeSet};

/// The resources of all units, with shared ones once.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Joint<'db> {
    all: Vec<BindingRequest<'db>>,
    /// For each unit, the index in `all` of each resource, in the order of [`wanted`].
    pub of: Vec<Vec<usize>>,
}

/// Joins the resources of all units, which share a pipeline layout. The same name at one register is one binding, as is
/// the same name and type without a register. As within a unit, [`assign`] judges a register with several names.
#[salsa::tracked(returns(ref))]
pub fn joint<'db>(db: &'db dyn Db, program: Program) -> Joint<'db> {
    let units = units(db, program);
    let names = names(db, &units);
    let mut all: Vec<BindingRequest<'db>> = Vec::new();
    // The name in its unit, and the last unit that declares it.
    let mut from: Vec<(String, usize)> = Vec::new();
    let mut of: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for (n, unit) in units.iter().enumerate() {
        for w in wanted(db, *unit) {
            let own = &w.symbol;
            let is_it = |i: &usize| from[*i].1 != n && from[*i].0 == *own && is_same(&all[*i], w);
            let index = match (0..all.len()).find(is_it) {
                Some(index) => index,
                None => {
                    let is_taken = all.iter().any(|other| other.symbol == *own);
                    let symbol = if is_taken { format!("{}::{own}", names[n]) } else { own.clone() };
                    all.push(BindingRequest { symbol, ..w.clone() });
                    from.push((own.clone(), n));
                    all.len() - 1
                }
            };
            from[index].1 = n;
            of[n].push(index);
        }
    }
    Joint { all, of }
}

/// Returns whether two resources of the same name in two units are one.
fn is_same(a: &BindingRequest, b: &BindingRequest) -> bool {
    let (x, y) = (&a.declared, &b.declared);
    let nowhere = x.register.is_none() && y.register.is_none();
    a.kind == b.kind
        && a.ty == b.ty
        && x.vulkan.is_none()
        && y.vulkan.is_none()
        && x.register == y.register
        && (!nowhere || x.space == y.space)
}

/// Bindings over all units.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct JointBindings<'db> {
    /// For each unit: set and binding by symbol.
    pub of: Vec<BTreeMap<String, (u32, u32)>>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

#[salsa::tracked(returns(ref))]
pub(crate) fn bindings<'db>(db: &'db dyn Db, program: Program) -> JointBindings<'db> {
    let units = units(db, program);
    let Joint { all, of } = joint(db, program);
    let places = |unit: Program, of: &'db [usize]| wanted(db, unit).iter().map(|w| &w.symbol).zip(of);
    let counter = |symbol: &str| counter_symbol(&symbol.into()).to_string();
    let mut usage = Usage::default();
    for (unit, of) in units.iter().zip(of) {
        let of_unit = &link(db, *unit).usage;
        let of_whole = |used: &BTreeSet<String>| -> BTreeSet<String> {
            let mut out = BTreeSet::new();
            for (own, index) in places(*unit, of) {
                let symbol = &all[*index].symbol;
                out.extend(used.contains(own).then(|| symbol.clone()));
                out.extend(used.contains(&counter(own)).then(|| counter(symbol)));
            }
            out
        };
        usage.used.extend(of_whole(&of_unit.used));
        for used in &of_unit.counters {
            let whole = places(*unit, of).find(|(own, _)| counter(own) == *used);
            usage.counters.extend(whole.map(|(_, index)| counter(&all[*index].symbol)));
        }
        usage.pipelines.extend(of_unit.pipelines.iter().map(of_whole));
    }
    if compute_entries(db, program).is_empty() {
        usage.pipelines = vec![usage.used.clone()];
    }
    let assigned = assign(all, &program.options(db).bindings, &usage, &|register| is_local(db, program, register));
    let mut out = JointBindings { of: Vec::new(), diagnostics: assigned.diagnostics };
    out.diagnostics.extend(other_push_constants(db, program));
    for (unit, of) in units.iter().zip(of) {
        let mut slots = BTreeMap::new();
        for (own, index) in places(*unit, of) {
            let pair = |symbol: &str, own: String| assigned.of.get(symbol).map(|slot| (own, *slot));
            slots.extend(pair(&counter(&all[*index].symbol), counter(own)));
            slots.extend(pair(&all[*index].symbol, own.clone()));
        }
        out.of.push(slots);
    }
    out
}

/// Returns set and binding of a unit's resources in the whole program, by the unit's symbols.
pub fn bindings_of_unit(db: &dyn Db, whole: Program, unit: Program) -> Option<&BTreeMap<String, (u32, u32)>> {
    let nth = units(db, whole).iter().position(|u| *u == unit)?;
    bindings(db, whole).of.get(nth)
}

/// Returns the block of push constants of each unit that has one.
pub fn push_constants<'db>(db: &'db dyn Db, whole: Program) -> Vec<VarId<'db>> {
    units(db, whole).into_iter().filter_map(|unit| pushed(db, unit).into_iter().next()).collect()
}

/// Reports blocks of push constants whose type differs from the first, as units share one block, regardless of its
/// name.
fn other_push_constants<'db>(db: &'db dyn Db, whole: Program) -> Vec<Diagnostic<'db>> {
    let mut blocks =
        push_constants(db, whole).into_iter().filter_map(|var| Some((var, access(db, var, None).ok()?.ty)));
    let Some((first, ty)) = blocks.next() else { return Vec::new() };
    let others = blocks.filter(|(_, other)| *other != ty);
    others.filter_map(|(var, _)| second_push_constants(db, first, var)).collect()
}
