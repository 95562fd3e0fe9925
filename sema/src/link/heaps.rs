//! Descriptor heaps: `ResourceDescriptorHeap[i]` and `SamplerDescriptorHeap[i]`.
//!
//! The rules are DXC's for SPIR-V. A heap's resources of one type are elements of an unbounded array of that type. All
//! such arrays of one heap share one binding, whose descriptors are mutable. The counters of buffers in the heap are
//! one array at a separate binding, at the same indexes. Unused heaps have no binding. The others get the binding of
//! the command line, or the first bindings of set 0 that are free after all other resources.

use crate::db::{Db, Program};
use crate::tables::binding_options::{BindingOptions, Slot};
use std::collections::{BTreeMap, BTreeSet};
use wgc_ir::{Binding, Global, Heap, Module, Symbol};

/// Gives views of heaps the bindings that the heaps have in a module or would have, regardless of the views' names.
pub(crate) fn place_views(db: &dyn Db, program: Program, module: &Module, views: &mut BTreeMap<Symbol, Global>) {
    let slots = |globals: &mut dyn Iterator<Item = &Global>| -> Vec<(Option<Heap>, Slot)> {
        let slot = |binding: &Binding| (binding.heap, Slot { set: binding.set, binding: binding.binding });
        globals.filter_map(|global| global.binding().map(slot)).collect()
    };
    let known = slots(&mut module.globals.values());
    let mut places: BTreeMap<Heap, Slot> = known.iter().filter_map(|(heap, slot)| Some(((*heap)?, *slot))).collect();
    let needed: BTreeSet<Heap> = slots(&mut views.values()).into_iter().filter_map(|(heap, _)| heap).collect();
    let missing = needed.into_iter().filter(|heap| !places.contains_key(heap)).collect();
    // Declared but unused resources keep their numbers here too.
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

/// Assigns bindings to the heaps that a module uses; `taken` are the bindings of all other resources, used or not.
pub fn place(module: &mut Module, options: &BindingOptions, taken: impl Iterator<Item = (u32, u32)>) {
    let used: BTreeSet<Heap> = module.globals.values().filter_map(|g| g.binding()?.heap).collect();
    let places = places(&used, options, taken);
    for binding in module.globals.values_mut().filter_map(Global::binding_mut) {
        if let Some(slot) = binding.heap.and_then(|heap| places.get(&heap)) {
            (binding.set, binding.binding) = (slot.set, slot.binding);
        }
    }
}

/// Returns the bindings of heaps.
pub(crate) fn places(
    used: &BTreeSet<Heap>,
    options: &BindingOptions,
    taken: impl Iterator<Item = (u32, u32)>,
) -> BTreeMap<Heap, Slot> {
    let configured = |heap| match heap {
        Heap::Resource => options.resource_heap,
        Heap::Sampler => options.sampler_heap,
        Heap::Counter => options.counter_heap,
    };
    let mut taken: BTreeSet<(u32, u32)> = taken.collect();
    taken.extend(used.iter().filter_map(|heap| configured(*heap)).map(|slot| (slot.set, slot.binding)));
    let mut out = BTreeMap::new();
    for heap in used.iter().copied() {
        let slot = configured(heap).unwrap_or_else(|| {
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
    use crate::lower::heaps::name;
    use compact_str::format_compact;
    use wgc_ir::{Count, GlobalKind};

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
