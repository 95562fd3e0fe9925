//! Descriptor heaps: `ResourceDescriptorHeap[i]` and `SamplerDescriptorHeap[i]`.
//!
//! As DXC has it for SPIR-V: what is taken from a heap as one type is an element of an unbounded array of that type, and
//! all such arrays of one heap lie at one binding, whose descriptors are mutable. The counters of buffers in the heap lie
//! in one array at a binding of its own, at the same indexes. Heaps that nobody uses have no binding; the others get what
//! the command line says, or the first bindings of set 0 that are free once everything else has one.

use crate::db::ty::Ty;
use crate::db::{Db, Program};
use crate::link::bindings::{counter_symbol, has_counter, resource};
use crate::lower::symbol::full_name;
use crate::tables::binding_options::{BindingOptions, BlockLayout, Slot};
use crate::types::layout::NoLayout;
use crate::types::record::builtin;
use compact_str::format_compact;
use std::collections::{BTreeMap, BTreeSet};
use wgc_ir::{Binding, Count, Global, GlobalKind, Heap, Module, Symbol};

/// What comes before the type of a view that is coherent.
const COHERENT: &str = "globallycoherent ";

/// The variable that stands for a heap.
pub fn name(heap: Heap) -> Symbol {
    match heap {
        Heap::Resource => Symbol::const_new("ResourceDescriptorHeap"),
        Heap::Sampler => Symbol::const_new("SamplerDescriptorHeap"),
        Heap::Counter => counter_symbol(&name(Heap::Resource)),
    }
}

/// The array of a heap's elements seen as resources of one type. Where it is bound depends on the whole program: see
/// [`place`].
pub fn view<'db>(
    db: &'db dyn Db,
    heap: Heap,
    ty: Ty<'db>,
    coherent: bool,
    layout: BlockLayout,
) -> Result<Global, NoLayout> {
    let object = builtin(db, ty).ok_or_else(|| NoLayout::new(""))?;
    let binding = Binding { heap: Some(heap), ..Binding::open(Count::Unbounded) };
    let mut kind = resource(db, object, ty, coherent, None, layout, binding)?;
    if let GlobalKind::Buffer { counter, .. } = &mut kind {
        *counter = has_counter(object).then(|| name(Heap::Counter));
    }
    let coherent = if coherent { COHERENT } else { "" };
    Ok(Global { name: format_compact!("{}<{coherent}{}>", name(heap), full_name(db, ty)), kind })
}

/// The heap as an array of what a variable is, whose type has the name.
pub(crate) fn view_as(variable: &Global, ty: &str) -> Global {
    let heap = match variable.kind {
        GlobalKind::Sampler { .. } => Heap::Sampler,
        _ => Heap::Resource,
    };
    let mut out = variable.clone();
    if let Some(binding) = out.binding_mut() {
        *binding = Binding { heap: Some(heap), ..Binding::open(Count::Unbounded) };
    }
    let mut modifiers = String::new();
    match &mut out.kind {
        GlobalKind::Buffer { coherent, counter, .. } => {
            *counter = counter.take().map(|_| name(Heap::Counter));
            modifiers.push_str(if *coherent { COHERENT } else { "" });
        }
        GlobalKind::Image { coherent, format, .. } => {
            let format = format.map(|format| format!("[[vk::image_format(\"{}\")]] ", format.name()));
            modifiers.push_str(&format.unwrap_or_default());
            modifiers.push_str(if *coherent { COHERENT } else { "" });
        }
        _ => {}
    }
    out.name = format_compact!("{}<{modifiers}{ty}>", name(heap));
    out
}

/// Gives views of heaps, by whatever name, the bindings that the heaps have in a module, or would have.
pub(crate) fn place_views(db: &dyn Db, program: Program, module: &Module, views: &mut BTreeMap<Symbol, Global>) {
    let slots = |globals: &mut dyn Iterator<Item = &Global>| -> Vec<(Option<Heap>, Slot)> {
        let slot = |binding: &Binding| (binding.heap, Slot { set: binding.set, binding: binding.binding });
        globals.filter_map(|global| global.binding().map(slot)).collect()
    };
    let known = slots(&mut module.globals.values());
    let mut places: BTreeMap<Heap, Slot> = known.iter().filter_map(|(heap, slot)| Some(((*heap)?, *slot))).collect();
    let needed: BTreeSet<Heap> = slots(&mut views.values()).into_iter().filter_map(|(heap, _)| heap).collect();
    let missing = needed.into_iter().filter(|heap| !places.contains_key(heap)).collect();
    // What is declared and not used keeps its number here too.
    let declared = crate::db::units(db, program)
        .into_iter()
        .flat_map(|unit| crate::link::bindings::bindings(db, unit).taken(module));
    let taken = known.iter().map(|(_, slot)| (slot.set, slot.binding)).chain(declared);
    places.extend(self::places(&missing, &program.options(db).bindings, taken));
    for binding in views.values_mut().filter_map(Global::binding_mut) {
        if let Some(slot) = binding.heap.and_then(|heap| places.get(&heap)) {
            (binding.set, binding.binding) = (slot.set, slot.binding);
        }
    }
}

/// Gives the heaps that a module uses their bindings. `taken` are the places of all other resources, used or not.
pub fn place(module: &mut Module, options: &BindingOptions, taken: impl Iterator<Item = (u32, u32)>) {
    let used: BTreeSet<Heap> = module.globals.values().filter_map(|g| g.binding()?.heap).collect();
    let places = places(&used, options, taken);
    for binding in module.globals.values_mut().filter_map(Global::binding_mut) {
        if let Some(slot) = binding.heap.and_then(|heap| places.get(&heap)) {
            (binding.set, binding.binding) = (slot.set, slot.binding);
        }
    }
}

/// The bindings of heaps.
pub(crate) fn places(
    used: &BTreeSet<Heap>,
    options: &BindingOptions,
    taken: impl Iterator<Item = (u32, u32)>,
) -> BTreeMap<Heap, Slot> {
    let told = |heap| match heap {
        Heap::Resource => options.resource_heap,
        Heap::Sampler => options.sampler_heap,
        Heap::Counter => options.counter_heap,
    };
    let mut taken: BTreeSet<(u32, u32)> = taken.collect();
    taken.extend(used.iter().filter_map(|heap| told(*heap)).map(|slot| (slot.set, slot.binding)));
    let mut out = BTreeMap::new();
    for heap in used.iter().copied() {
        let slot = told(heap).unwrap_or_else(|| {
            let free = (0..).find(|n| !taken.contains(&(0, *n)));
            Slot { set: 0, binding: free.unwrap_or_default() }
        });
        taken.insert((slot.set, slot.binding));
        out.insert(heap, slot);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(heaps: &[Heap]) -> Module {
        let mut module = Module::default();
        for heap in heaps {
            for n in 0..2 {
                let binding = Binding { heap: Some(*heap), ..Binding::open(Count::Unbounded) };
                let kind = GlobalKind::Sampler { binding };
                module.add_global(Global { name: format_compact!("{}{n}", name(*heap)), kind });
            }
        }
        module
    }

    fn slots(module: &Module) -> Vec<(u32, u32)> {
        module.globals.values().filter_map(|g| g.binding()).map(|b| (b.set, b.binding)).collect()
    }

    #[test]
    fn heaps_take_the_first_free_bindings_in_their_order() {
        let mut all = module(&[Heap::Counter, Heap::Sampler, Heap::Resource]);
        place(&mut all, &BindingOptions::default(), [(0, 1), (1, 0)].into_iter());
        assert_eq!(slots(&all), [(0, 3), (0, 3), (0, 2), (0, 2), (0, 0), (0, 0)]);
        let mut one = module(&[Heap::Sampler]);
        place(&mut one, &BindingOptions::default(), std::iter::empty());
        assert_eq!(slots(&one), [(0, 0), (0, 0)], "heaps that are not used take nothing");
    }

    #[test]
    fn heaps_go_where_the_command_line_says() {
        let mut options = BindingOptions::default();
        options.set("-fvk-bind-counter-heap", &["4", "5"]).unwrap();
        options.set("-fvk-bind-sampler-heap", &["0", "0"]).unwrap();
        let mut all = module(&[Heap::Resource, Heap::Sampler, Heap::Counter]);
        place(&mut all, &options, std::iter::empty());
        assert_eq!(slots(&all), [(0, 1), (0, 1), (0, 0), (0, 0), (5, 4), (5, 4)]);
    }
}
