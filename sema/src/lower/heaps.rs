//! Views of descriptor heaps: the array of a heap's elements as resources of one type.
//!
//! Their bindings depend on the whole program: see [`crate::link::heaps`].

use crate::check::symbol::full_name;
use crate::db::Db;
use crate::db::ty::Ty;
use crate::tables::binding_options::BlockLayout;
use crate::types::layout::NoLayout;
use crate::types::record::builtin;
use crate::types::resource_types::{counter_symbol, has_counter, resource};
use compact_str::format_compact;
use wgc_ir::{Binding, Count, Global, GlobalKind, Heap, Symbol};

/// Prefix for the type of a coherent view.
const COHERENT: &str = "globallycoherent ";

/// Returns the variable that represents a heap.
pub fn name(heap: Heap) -> Symbol {
    match heap {
        Heap::Resource => Symbol::const_new("ResourceDescriptorHeap"),
        Heap::Sampler => Symbol::const_new("SamplerDescriptorHeap"),
        Heap::Counter => counter_symbol(&name(Heap::Resource)),
    }
}

/// Returns the array of a heap's elements as resources of one type. Its binding depends on the whole program: see
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

/// Returns the heap as an array of resources like the variable; `ty` names the variable's type.
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
