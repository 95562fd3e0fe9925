//! Descriptor heaps: `ResourceDescriptorHeap[i]` and `SamplerDescriptorHeap[i]`.
//!
//! As DXC has it for SPIR-V: what is taken from a heap as one type is an element of an unbounded array of that type, and
//! all such arrays of one heap lie at one binding, whose descriptors are mutable. The counters of buffers in the heap lie
//! in one array at a binding of its own, at the same indexes. Heaps that nobody uses have no binding; the others get what
//! the command line says, or the first bindings of set 0 that are free once everything else has one.

use crate::binding_options::{BindingOptions, BlockLayout, Slot};
use crate::bindings::{counter_symbol, has_counter, resource};
use crate::db::Db;
use crate::layout::NoLayout;
use crate::lower::symbol::full_name;
use crate::record::builtin;
use crate::ty::Ty;
use compact_str::format_compact;
use std::collections::BTreeSet;
use wgc_ir::{Binding, Count, Global, GlobalKind, Heap, Module, Symbol};

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
    let coherent = if coherent { "globallycoherent " } else { "" };
    Ok(Global { name: format_compact!("{}<{coherent}{}>", name(heap), full_name(db, ty)), kind })
}

/// Gives the heaps that a module uses their bindings. `taken` are the places of all other resources, used or not.
pub fn place(module: &mut Module, options: &BindingOptions, taken: impl Iterator<Item = (u32, u32)>) {
    let told = |heap| match heap {
        Heap::Resource => options.resource_heap,
        Heap::Sampler => options.sampler_heap,
        Heap::Counter => options.counter_heap,
    };
    let used: BTreeSet<Heap> = module.globals.values().filter_map(|g| g.binding()?.heap).collect();
    let mut taken: BTreeSet<(u32, u32)> = taken.collect();
    taken.extend(used.iter().filter_map(|heap| told(*heap)).map(|slot| (slot.set, slot.binding)));
    for heap in used {
        let slot = told(heap).unwrap_or_else(|| {
            let free = (0..).find(|n| !taken.contains(&(0, *n)));
            Slot { set: 0, binding: free.unwrap_or_default() }
        });
        taken.insert((slot.set, slot.binding));
        for binding in module.globals.values_mut().filter_map(Global::binding_mut).filter(|b| b.heap == Some(heap)) {
            (binding.set, binding.binding) = (slot.set, slot.binding);
        }
    }
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
