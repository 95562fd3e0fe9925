//! The heaps: the contents of each index, seen as a type that the shader reads there.
//!
//! A shader may read one index as several types. Types of one descriptor kind are compatible; for the others, the file
//! selects one with `"as"`. A buffer's contents without `"as"` are a structured or byte-address buffer.

use indexmap::IndexSet;
use wgc_abi::interface::Heap;
use wgc_abi::{BindingInterface, Interface};

use super::super::error::{Checked, Fault};
use super::super::model::{HeapContents, HeapElement, RunFile};
use super::resources::{element, kind_of};
use super::{Budget, Planned, Slot, SlotKind};

/// Plans the heaps that the shader uses, and the counters.
pub(super) fn plan(
    file: &RunFile,
    interface: &Interface,
    budget: &mut Budget,
    warnings: &mut Vec<Fault>,
) -> Checked<Vec<Slot>> {
    let mut slots = Vec::new();
    let heaps = [
        (Heap::Resource, "ResourceDescriptorHeap", "resource_heap", &file.resource_heap),
        (Heap::Sampler, "SamplerDescriptorHeap", "sampler_heap", &file.sampler_heap),
    ];
    for (heap, name, key, given) in heaps {
        let views = views(interface, heap);
        let Some(first) = views.first() else {
            if let Some(given) = given {
                warnings.push(Fault::new(given.at, format!("the shader uses nothing of {name}")));
            }
            continue;
        };
        let Some(given) = given else {
            let message = format!("the shader uses {} of {name}: add {key:?}", list(&views));
            return Err(Fault::new(file.source.root.at, message));
        };
        slots.push(slot(file, name, (first, &views), given, budget)?);
    }
    let length = slots.first().map_or(0, |slot| slot.elements.len());
    if let Some(counters) = views(interface, Heap::Counter).first() {
        slots.push(Slot {
            name: counters.name.clone(),
            place: Some((counters.set, counters.binding)),
            kind: kind_of(counters),
            elements: vec![Planned::Buffer { bytes: 4, contents: Vec::new() }; length],
            is_array: true,
        });
    }
    Ok(slots)
}

fn views(interface: &Interface, heap: Heap) -> Vec<&BindingInterface> {
    interface.bindings.iter().filter(|binding| binding.heap == Some(heap)).collect()
}

/// Returns the type of a view, in HLSL terms.
fn seen_as(view: &BindingInterface) -> &str {
    let ty = view.name.split_once('<').and_then(|(_, ty)| ty.strip_suffix('>')).unwrap_or(&view.name);
    // Prefixes of the types of variables in descriptor tables.
    let ty = ty.split_once("]] ").map_or(ty, |(_, ty)| ty);
    ty.strip_prefix("globallycoherent ").unwrap_or(ty)
}

/// Lists the types of views, each once.
fn list(views: &[&BindingInterface]) -> String {
    let types: IndexSet<&str> = views.iter().map(|view| seen_as(view)).collect();
    types.into_iter().collect::<Vec<_>>().join(", ")
}

fn slot(
    file: &RunFile,
    name: &str,
    (first, views): (&BindingInterface, &[&BindingInterface]),
    given: &HeapContents,
    budget: &mut Budget,
) -> Checked<Slot> {
    if given.elements.is_empty() {
        return Err(Fault::new(given.at, format!("the shader uses {name}, but it is empty")));
    }
    let (mut kinds, mut elements) = (Vec::new(), Vec::new());
    for given in &given.elements {
        match given {
            Some(given) => {
                let (kind, planned) = fitted(file, views, given)?;
                budget.spend(planned.content_bytes(), given.resource.at)?;
                kinds.push(Some(kind));
                elements.push(planned);
            }
            None => {
                kinds.push(None);
                elements.push(Planned::Nothing);
            }
        }
    }
    let place = Some((first.set, first.binding));
    Ok(Slot { name: name.to_owned(), place, kind: SlotKind::Heap(kinds), elements, is_array: true })
}

/// Returns an element in the type of the views that it fits.
fn fitted(file: &RunFile, views: &[&BindingInterface], given: &HeapElement) -> Checked<(SlotKind, Planned)> {
    let at = given.resource.at;
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let named = |view: &&&BindingInterface| match &given.seen_as {
        Some(name) => squeezed(seen_as(view)) == squeezed(name),
        None => true,
    };
    let candidates: Vec<&BindingInterface> = views.iter().filter(named).copied().collect();
    if candidates.is_empty() {
        let name = given.seen_as.as_deref().unwrap_or_default();
        let message = format!("the shader uses no {name} of this heap; it uses: {}", list(views));
        return Err(Fault::new(at, message));
    }
    let mut fits: Vec<(&BindingInterface, SlotKind, Planned)> = Vec::new();
    let mut fault = None;
    for view in candidates.iter().copied() {
        match element(file, view, &given.resource) {
            Ok(planned) => fits.push((view, kind_of(view), planned)),
            Err(wrong) => fault = Some(wrong),
        }
    }
    // Plain contents are a structured or byte-address buffer before they are constants or texels.
    if fits.iter().any(|(_, kind, _)| matches!(kind, SlotKind::Storage { .. })) {
        fits.retain(|(_, kind, _)| matches!(kind, SlotKind::Storage { .. }));
    }
    let Some((_, kind, planned)) = fits.first().cloned() else {
        return Err(match fault {
            Some(fault) if candidates.len() == 1 => fault,
            _ => Fault::new(at, format!("this is not what the shader uses of this heap: {}", list(views))),
        });
    };
    if fits.iter().any(|(_, other, seen)| !agree(other, &kind) || *seen != planned) {
        let fitting: Vec<&BindingInterface> = fits.iter().map(|(view, ..)| *view).collect();
        let message = format!("this may be one of: {}; choose with \"as\"", list(&fitting));
        return Err(Fault::new(at, message));
    }
    let is_written = |kind: &SlotKind| matches!(kind, SlotKind::Storage { writable: true, .. });
    let kind = match kind {
        SlotKind::Storage { element, stride, .. } => {
            SlotKind::Storage { element, stride, writable: fits.iter().any(|(_, kind, _)| is_written(kind)) }
        }
        other => other,
    };
    Ok((kind, planned))
}

/// Returns whether two kinds are one type of descriptor.
pub(super) fn agree(a: &SlotKind, b: &SlotKind) -> bool {
    matches!((a, b), (SlotKind::Storage { .. }, SlotKind::Storage { .. })) || a == b
}
