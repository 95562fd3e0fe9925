//! Assignment of descriptor bindings.
//!
//! The rules are DXC's. `[[vk::binding]]` and `[[vk::counter_binding]]` decide first. Next is `register(u3, space1)`,
//! which means binding 3 of set 1 plus the command line's shift for the class and space. A resource with neither gets
//! the next free binding of its set, in source order. The counter of an Append or Consume buffer without a number
//! follows its buffer there. Counters of other buffers come last, in the order of their first use.
//!
//! `t3`, `u3` and `b3` are three registers but one binding. If the program uses shifts or `[[vk::binding]]`, the
//! numbers are intended, and a collision with such a number is an error. Nearly every Direct3D program has only plain
//! registers. The later resource then moves to the next free binding, with one warning for all. Both diagnostics
//! suggest shifts that keep all registers apart.
//!
//! Only resources in use can collide. Two used resources with one register are two names for one descriptor if it can
//! be both. Otherwise the later one moves as well, as it does if each node has its own local root arguments.

use crate::db::diagnostic::Diagnostic;
use crate::link::bindings::{BindingRequest, Bindings};
use crate::link::usage::{Register, Usage};
use crate::tables::binding_options::BindingOptions;
use crate::tables::codes::Code;
use crate::types::resource_types::counter_symbol;
use std::collections::{BTreeMap, BTreeSet};
use wgc_ir::{ImageType, Type};

/// A resource with a register, and the binding that the register means.
type Claim<'a, 'db> = (&'a BindingRequest<'db>, (u32, u32));

/// A resource, or its counter.
#[derive(Clone, Copy)]
struct Holder<'w, 'db> {
    who: &'w BindingRequest<'db>,
    is_counter: bool,
}

impl Holder<'_, '_> {
    /// Returns whether the source fixes the binding, so that any other resource there is the mistake.
    fn is_fixed(&self) -> bool {
        self.is_counter || self.who.declared.vulkan.is_some()
    }

    fn show(&self) -> String {
        match self.is_counter {
            true => format!("the counter of `{}`", self.who.symbol),
            false => format!("`{}`", self.who.symbol),
        }
    }
}

/// Assigned bindings and their holders.
#[derive(Default)]
struct UsedBindings<'w, 'db> {
    by: BTreeMap<(u32, u32), Option<Holder<'w, 'db>>>,
    /// Set and first binding of a search, and a later binding: all between them are taken. Bindings are never released.
    searched: BTreeMap<(u32, u32), u32>,
}

impl<'w, 'db> UsedBindings<'w, 'db> {
    /// Takes the first free binding of a set from a number on.
    fn next(&mut self, set: u32, from: u32, who: Option<&'w BindingRequest<'db>>) -> (u32, u32) {
        self.next_of(set, from, 1, who)
    }

    /// Takes the first range of `count` consecutive free bindings and returns its start.
    fn next_of(&mut self, set: u32, from: u32, count: u32, who: Option<&'w BindingRequest<'db>>) -> (u32, u32) {
        // An earlier search from the same binding passed all before its end. A wider range fits nowhere before it either.
        let mut first = self.searched.get(&(set, from)).copied().unwrap_or(from);
        let end = |first: u32| first.saturating_add(count);
        while let Some(taken) = self.by.range((set, first)..(set, end(first))).next_back() {
            first = taken.0.1.saturating_add(1);
        }
        if count == 1 {
            self.searched.insert((set, from), first.saturating_add(1));
        }
        let holder = who.map(|who| Holder { who, is_counter: false });
        self.by.extend((first..end(first)).map(|n| ((set, n), holder)));
        (set, first)
    }

    fn holder(&self, slot: (u32, u32)) -> Option<Holder<'w, 'db>> {
        self.by.get(&slot).copied().flatten()
    }
}

/// A resource whose binding differs from its register.
struct Moved<'w, 'db> {
    who: &'w BindingRequest<'db>,
    from: (u32, u32),
    to: (u32, u32),
    holder: Holder<'w, 'db>,
    /// A local root argument of some nodes, at the register of one of others.
    own: bool,
}

/// Assigns all bindings; `is_local` tests if a register is a local root argument.
pub(crate) fn assign<'db>(
    wanted: &[BindingRequest<'db>],
    options: &BindingOptions,
    usage: &Usage,
    is_local: &dyn Fn(Register) -> bool,
) -> Bindings<'db> {
    let mut out = Bindings::default();
    let mut taken = UsedBindings::default();
    let counter = |w: &BindingRequest<'db>| counter_symbol(&w.symbol.as_str().into()).to_string();
    let is_used = |w: &&BindingRequest<'db>| usage.used.contains(&w.symbol);
    let used: Vec<&BindingRequest<'db>> = wanted.iter().filter(is_used).collect();
    let shifts = Shifts { used: &used, options };
    for w in &used {
        let Some((binding, set)) = w.declared.vulkan else { continue };
        match taken.holder((set, binding)) {
            Some(Holder { who: old, .. }) if old.kind != w.kind => {
                let message = format!(
                    "`{}` is a {} at binding {binding} of set {set}, but `{}` there is a {}",
                    w.symbol, w.kind, old.symbol, old.kind
                );
                let note = "variables may share a binding only if they are of one kind";
                let diagnostic = Diagnostic::new(Code::BindingConflict, w.place, message);
                out.diagnostics.push(diagnostic.also(old.place, "declared here").note(note));
            }
            _ => {
                taken.by.insert((set, binding), Some(Holder { who: w, is_counter: false }));
            }
        }
    }
    for w in used.iter().filter(|w| usage.used.contains(&counter(w))) {
        let Some(binding) = w.declared.counter else { continue };
        let slot = (set_of(w, options), binding);
        if let Some(old) = taken.holder(slot) {
            let message = format!(
                "the counter of `{}` is at binding {binding} of set {}, which is the binding of {}",
                w.symbol,
                slot.0,
                old.show()
            );
            let diagnostic = Diagnostic::new(Code::BindingConflict, w.place, message);
            out.diagnostics.push(diagnostic.also(old.who.place, "declared here"));
        }
        taken.by.insert(slot, Some(Holder { who: w, is_counter: true }));
    }
    // Further names of a resource, by symbol.
    let mut names: BTreeMap<&str, &BindingRequest<'db>> = BTreeMap::new();
    let mut registers: BTreeMap<Register, Vec<Claim<'_, 'db>>> = BTreeMap::new();
    let mut moved: Vec<Moved<'_, 'db>> = Vec::new();
    for w in used.iter().copied() {
        let Some(register) = w.register() else { continue };
        let there = registers.entry(register).or_default();
        let own = !there.is_empty() && is_local(register);
        if let Some((first, slot)) = there.iter().find(|(old, _)| !own && is_one(old, w)) {
            if usage.together(&first.symbol, &w.symbol) {
                out.diagnostics.push(shared(w, first, register));
            }
            out.of.insert(w.symbol.clone(), *slot);
            names.insert(&w.symbol, first);
            continue;
        }
        let (slot, meant) = register_slot(w, register, options);
        out.diagnostics.extend(out_of_range(w, register, options));
        let slot = match taken.holder(slot) {
            Some(holder) if meant || holder.is_fixed() => {
                out.diagnostics.push(collision(w, holder, slot, &shifts));
                slot
            }
            Some(holder) => {
                let to = taken.next(slot.0, slot.1, Some(w));
                moved.push(Moved { who: w, from: slot, to, holder, own });
                to
            }
            None => slot,
        };
        taken.by.entry(slot).or_insert(Some(Holder { who: w, is_counter: false }));
        out.of.insert(w.symbol.clone(), slot);
        there.push((w, slot));
    }
    out.diagnostics.extend(of_moved(&moved, &shifts));
    // Unused resources never collide, but they keep their numbers from resources without one. Otherwise the first use
    // of a resource would renumber all others.
    for w in wanted {
        let slots = [
            w.declared.vulkan.map(|(binding, set)| (w.symbol.clone(), (set, binding))),
            w.register().map(|register| (w.symbol.clone(), register_slot(w, register, options).0)),
            w.declared.counter.filter(|_| w.has_counter).map(|binding| (counter(w), (set_of(w, options), binding))),
        ];
        for (symbol, slot) in slots.into_iter().flatten() {
            let slot = *out.of.entry(symbol).or_insert(slot);
            taken.by.entry(slot).or_insert(Some(Holder { who: w, is_counter: false }));
        }
    }
    // If structures are split into resources, each element of every array takes a binding: DXC flattens all arrays
    // then.
    let flattens = wanted.iter().any(|w| w.is_part);
    let count = |w: &BindingRequest<'db>, taken: &mut UsedBindings<'_, 'db>, of: &mut BTreeMap<String, (u32, u32)>| {
        // Two names of one buffer share its counter.
        let first = names.get(w.symbol.as_str()).filter(|first| first.has_counter);
        let slot = first.and_then(|first| of.get(&counter(first)).copied()).unwrap_or_else(|| {
            let set = of.get(&w.symbol).map_or(0, |slot| slot.0);
            taken.next(set, 0, None)
        });
        of.insert(counter(w), slot);
    };
    let counters = |w: &&BindingRequest<'db>| w.has_counter && w.declared.counter.is_none();
    for w in wanted {
        if w.declared.vulkan.is_none() && w.declared.register.is_none() {
            let set = w.declared.space.unwrap_or(options.auto_set);
            let from = if options.auto_shift { options.shift(w.class, set) } else { 0 };
            let slot = taken.next_of(set, from, if flattens { w.count } else { 1 }, Some(w));
            out.of.insert(w.symbol.clone(), slot);
        }
        // DXC declares such a counter with its buffer, and others at their first use.
        if w.is_counted && counters(&w) {
            count(w, &mut taken, &mut out.of);
        }
    }
    let mut others: Vec<&BindingRequest<'db>> = wanted.iter().filter(counters).filter(|w| !w.is_counted).collect();
    let rank: BTreeMap<&str, usize> = usage.counters.iter().enumerate().map(|(n, name)| (name.as_str(), n)).collect();
    others.sort_by_key(|w| rank.get(counter(w).as_str()).copied().unwrap_or(usize::MAX));
    others.into_iter().for_each(|w| count(w, &mut taken, &mut out.of));
    out
}

/// Returns the binding that a resource's register means, and whether the number is intended.
fn register_slot(w: &BindingRequest<'_>, (_, number, space): Register, options: &BindingOptions) -> ((u32, u32), bool) {
    let sent = sent(w, options);
    let slot = sent.unwrap_or((space, number.saturating_add(options.shift(w.class, space))));
    (slot, sent.is_some() || !options.shifts.is_empty())
}

/// Returns the error for a register whose shift is too large: bindings have 32 bits.
fn out_of_range<'db>(
    w: &BindingRequest<'db>,
    (class, number, space): Register,
    options: &BindingOptions,
) -> Option<Diagnostic<'db>> {
    let shift = options.shift(class, space);
    if sent(w, options).is_some() || number.checked_add(shift).is_some() {
        return None;
    }
    let message = format!(
        "`{}` at register {class}{number} cannot be shifted by {shift}: bindings end at {}",
        w.symbol,
        u32::MAX
    );
    Some(Diagnostic::new(Code::BindingConflict, w.place, message))
}

/// Returns whether one descriptor can be both of two resources with the same register.
fn is_one(a: &BindingRequest<'_>, b: &BindingRequest<'_>) -> bool {
    let parts = |w: &BindingRequest<'_>| match w.ty.clone() {
        Some(Type::Descriptors { element, len }) => (Some(len), Some((*element).clone())),
        other => (None, other),
    };
    let ((m, a_type), (n, b_type)) = (parts(a), parts(b));
    // The number of texel components that a shader reads does not affect the view, and buffers have no views.
    let view = |ty| match ty {
        Some(Type::Image(image)) => Some(ImageType { components: 4, ..image }),
        _ => None,
    };
    a.kind == b.kind && m == n && view(a_type) == view(b_type)
}

/// Reports two names for a single descriptor.
fn shared<'db>(
    w: &BindingRequest<'db>,
    first: &BindingRequest<'db>,
    (class, number, space): Register,
) -> Diagnostic<'db> {
    let message =
        format!("`{}` and `{}` are one {}: both have register {class}{number}", w.symbol, first.symbol, w.kind);
    let message = if space == 0 { message } else { format!("{message} in space {space}") };
    Diagnostic::new(Code::SharedRegister, w.place, message)
        .also(first.place, "the host binds one resource to both")
        .note("give one of them another register if they should be two resources")
}

/// Returns the set of a resource, regardless of the source of its binding.
fn set_of(w: &BindingRequest<'_>, options: &BindingOptions) -> u32 {
    let given = w.declared.vulkan.map(|(_, set)| set).or_else(|| sent(w, options).map(|(set, _)| set));
    let register = w.declared.register.map(|(.., space)| space);
    given.or(register).or(w.declared.space).unwrap_or(options.auto_set)
}

/// Returns the binding that `-fvk-bind-register` gives a resource.
fn sent(w: &BindingRequest<'_>, options: &BindingOptions) -> Option<(u32, u32)> {
    let register = w.register()?;
    options.registers.iter().rev().find(|(from, _)| *from == register).map(|(_, to)| (to.set, to.binding))
}

/// Reports a resource whose binding the source or the command line gave to another one.
fn collision<'db>(
    w: &BindingRequest<'db>,
    old: Holder<'_, 'db>,
    (set, binding): (u32, u32),
    shifts: &Shifts<'_, 'db>,
) -> Diagnostic<'db> {
    let message = format!("`{}` gets binding {binding} of set {set}, which is the binding of {}", w.symbol, old.show());
    let diagnostic = Diagnostic::new(Code::BindingConflict, w.place, message).also(old.who.place, "declared here");
    shifts.suggest(diagnostic)
}

/// Reports all moved resources in one warning.
fn of_moved<'db>(moved: &[Moved<'_, 'db>], shifts: &Shifts<'_, 'db>) -> Option<Diagnostic<'db>> {
    let (first, others) = moved.split_first()?;
    let (class, number, _) = first.who.register()?;
    let message = format!(
        "`{}` at register {class}{number} moves to binding {} of set {}: {} has binding {}",
        first.who.symbol,
        first.to.1,
        first.to.0,
        first.holder.show(),
        first.from.1
    );
    let mut diagnostic =
        Diagnostic::new(Code::MovedBinding, first.who.place, message).also(first.holder.who.place, "declared here");
    if moved.iter().any(|m| m.own) {
        diagnostic = diagnostic
            .note("nodes have separate local root arguments, so the same register is a different resource in each");
    }
    if !others.is_empty() {
        let names: Vec<String> = others.iter().map(|m| format!("`{}` to {}", m.who.symbol, m.to.1)).collect();
        diagnostic = diagnostic.note(format!("these move, too: {}", names.join(", ")));
    }
    if moved.iter().all(|m| m.own) {
        let elsewhere =
            "this is its binding on `spirv-amdx`; on `spirv-emulated`, nodes read it from their record of arguments";
        return Some(diagnostic.note("set each binding with `[[vk::binding(n, set)]]`").note(elsewhere));
    }
    Some(shifts.suggest(diagnostic))
}

/// The search for shifts that keep all registers of a program apart.
struct Shifts<'w, 'db> {
    used: &'w [&'w BindingRequest<'db>],
    options: &'w BindingOptions,
}

impl<'db> Shifts<'_, 'db> {
    fn suggest(&self, diagnostic: Diagnostic<'db>) -> Diagnostic<'db> {
        match self.options() {
            Some(options) if !options.is_empty() => diagnostic
                .note(format!("with these options, no two resources share a binding: `{}`", options.join(" "))),
            _ => diagnostic.note("no option that shifts a whole class separates them: use `[[vk::binding(n, set)]]`"),
        }
    }

    /// Returns the options that differ from the given ones, one for each class and space.
    fn options(&self) -> Option<Vec<String>> {
        const CLASSES: [char; 4] = ['b', 't', 'u', 's'];
        let mut taken: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut numbers: BTreeMap<(u32, usize), BTreeSet<u32>> = BTreeMap::new();
        let mut registers: BTreeMap<Register, &BindingRequest<'db>> = BTreeMap::new();
        for w in self.used {
            let fixed = w.declared.vulkan.map(|(binding, set)| (set, binding)).or_else(|| sent(w, self.options));
            match (fixed, w.register()) {
                (Some(slot), _) => {
                    taken.insert(slot);
                    taken.extend(w.declared.counter.map(|counter| (slot.0, counter)));
                }
                (None, Some(register @ (_, number, space))) => {
                    // Two incompatible resources at one register have the same shift, so no shift can separate them.
                    registers.insert(register, w).is_none_or(|old| is_one(old, w)).then_some(())?;
                    let class = CLASSES.iter().position(|c| *c == w.class)?;
                    numbers.entry((space, class)).or_default().insert(number);
                    taken.extend(w.declared.counter.map(|counter| (space, counter)));
                }
                (None, None) => {}
            }
        }
        let mut out = Vec::new();
        for ((space, class), numbers) in numbers {
            let slots = |shift: u32| -> Option<Vec<(u32, u32)>> {
                numbers.iter().map(|n| Some((space, n.checked_add(shift)?))).collect()
            };
            let last = taken.last().map_or(0, |_| taken.iter().map(|slot| slot.1).max().unwrap_or(0));
            let free = |shift: &u32| slots(*shift).is_some_and(|slots| slots.iter().all(|s| !taken.contains(s)));
            let shift = (0..=last.saturating_add(10)).step_by(10).find(free)?;
            taken.extend(slots(shift)?);
            if self.options.shift(CLASSES[class], space) != shift {
                out.push(format!("-fvk-{}-shift {shift} {space}", CLASSES[class]));
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_continue_where_the_last_one_ended() {
        let mut taken = UsedBindings::default();
        taken.by.insert((0, 2), None);
        taken.by.insert((0, 7), None);
        let found: Vec<u32> = (0..5).map(|_| taken.next(0, 0, None).1).collect();
        assert_eq!(found, [0, 1, 3, 4, 5]);
        assert_eq!(taken.next_of(0, 0, 3, None), (0, 8), "a wide range skips the gap");
        assert_eq!(taken.next(0, 0, None), (0, 6), "the gap stays free");
        assert_eq!(taken.next(1, 3, None), (1, 3), "each set has its own");
        // From the start each time, these are five billion steps.
        for _ in 0..100_000 {
            taken.next(2, 0, None);
        }
        assert_eq!(taken.next(2, 0, None), (2, 100_000));
    }
}
