//! Local root arguments: the contents of each record in the table that nodes read them from.
//!
//! `local_root_arguments` gives contents by the number of the record and the variable's name. For a missing entry, the
//! resource of that name in `resources` is used for all records. Descriptor tables are numbers of descriptors in the
//! heaps, in the order of the signature.

use wgc_abi::interface::BindingKind;
use wgc_abi::local_root::{LocalRootArgument, LocalRootKind, LocalRootVariable, LocalRoots};
use wgc_abi::{BindingInterface, Interface};

use super::super::error::{Checked, Fault};
use super::super::model::{DescriptorTables, LocalRootRecord, Named, Resource, ResourceKind, RunFile};
use super::super::names;
use super::resources::{self, describe_kind, element, kind_of};
use super::{Budget, Planned, Slot, SlotKind, heaps};
use wgc_json::{Member, Value, ValueKind};

/// The largest table that a run file's host creates.
const MAX_TABLE: u64 = 1 << 28;

/// The table, before there are addresses.
pub(in super::super) struct PlannedRoots {
    pub records: u32,
    pub stride: u32,
    pub arguments: Vec<PlannedArgument>,
}

pub(in super::super) struct PlannedArgument {
    /// Bytes from the start of the table.
    pub offset: usize,
    pub contents: RootContents,
}

pub(in super::super) enum RootContents {
    Constants(Vec<u8>),
    /// The address of the only element of this slot.
    Slot(usize),
    /// The start of a descriptor table in its heap.
    Table(u32),
}

/// Plans the table of a graph that has one; adds buffers without a binding to the slots.
pub(super) fn plan(
    file: &RunFile,
    interface: &Interface,
    budget: &mut Budget,
    slots: &mut Vec<Slot>,
    warnings: &mut Vec<Fault>,
) -> Checked<Option<PlannedRoots>> {
    known_records(file, interface.local_roots.as_ref(), warnings)?;
    let Some(roots) = &interface.local_roots else { return Ok(None) };
    let bytes = u64::from(roots.records) * u64::from(roots.stride);
    if bytes > MAX_TABLE {
        let message =
            format!("a table of {} local root arguments has {bytes} bytes; the limit is {MAX_TABLE}", roots.records);
        return Err(Fault::new(file.source.root.at, message));
    }
    let (mut arguments, mut missing) = (Vec::new(), Vec::new());
    for entry in &roots.entries {
        let Some(layout) = roots.layout(entry) else { continue };
        let given = file.local_root_arguments.iter().find(|given| given.index == entry.index);
        let fields = given.map(|given| fields(given, &layout.arguments)).transpose()?.unwrap_or_default();
        if let Some(given) = given {
            known_resources(file, given, &layout.arguments, warnings)?;
        }
        let tables = given.map(|given| tables(given, &layout.arguments)).transpose()?.unwrap_or_default();
        for (argument, fields) in layout.arguments.iter().zip(fields.into_iter().chain(std::iter::repeat(None))) {
            let Some(variable) = argument.variables.first() else { continue };
            let place = entry.index as usize * roots.stride as usize;
            if let LocalRootKind::Descriptors { .. } = argument.kind {
                match tables.iter().find(|(offset, _)| *offset == argument.offset) {
                    Some((offset, first)) => {
                        if let Some(given) = given {
                            descriptors(given, argument, *first, slots)?;
                        }
                        let offset = place + *offset as usize;
                        arguments.push(PlannedArgument { offset, contents: RootContents::Table(*first) });
                    }
                    None => missing.push(format!(
                        "{} of record {} (in a descriptor table, whose start in its heap is in \"tables\")",
                        variable.name, entry.index,
                    )),
                }
                continue;
            }
            let own = own_contents(given, argument)?.or(fields);
            let found = match &own {
                Some(resource) => Some((resource, format!("{}@{}", variable.name, entry.index))),
                None => shared(file, argument).map(|resource| (resource, variable.name.clone())),
            };
            let Some((resource, name)) = found else {
                missing.push(format!(
                    "{} of record {} ({})",
                    variable.name,
                    entry.index,
                    describe_kind(&variable.kind)
                ));
                continue;
            };
            let offset = place + argument.offset as usize;
            let contents = contents(file, (argument, variable), resource, name, budget, slots)?;
            arguments.push(PlannedArgument { offset, contents });
        }
    }
    if missing.is_empty() {
        return Ok(Some(PlannedRoots { records: roots.records, stride: roots.stride, arguments }));
    }
    let message = format!("the shader uses local root arguments that are missing in this file: {}", missing.join(", "));
    Err(Fault::new(resources::place_of_resources(file), message))
}

/// Checks that the file gives each record once. A table may have records that no node of this graph reads, as in
/// Direct3D 12, where several graphs share one.
fn known_records(file: &RunFile, roots: Option<&LocalRoots>, warnings: &mut Vec<Fault>) -> Checked<()> {
    if let (None, Some(given)) = (roots, file.local_root_arguments.first()) {
        let message = "no node of this program reads local root arguments from a table (spirv-amdx binds them like all other resources)";
        warnings.push(Fault::new(given.at, message));
    }
    for (n, given) in file.local_root_arguments.iter().enumerate() {
        if let Some(roots) = roots
            && roots.entries.iter().all(|entry| entry.index != given.index)
        {
            let known: Vec<String> = roots.entries.iter().map(|entry| entry.index.to_string()).collect();
            let message =
                format!("no node has the local root arguments {}; nodes have: {}", given.index, known.join(", "));
            warnings.push(Fault::new(given.index_at, message));
        }
        if file.local_root_arguments.iter().take(n).any(|before| before.index == given.index) {
            return Err(Fault::new(given.index_at, format!("duplicate local root arguments {}", given.index)));
        }
    }
    Ok(())
}

/// Returns whether `name` is one of the shader's names for an argument.
fn means(argument: &LocalRootArgument, name: &str) -> bool {
    argument.variables.iter().any(|variable| names::means(&variable.name, name))
}

/// Returns whether `name` in `resources` may be a local root argument.
pub(super) fn is_argument(interface: &Interface, name: &str) -> bool {
    let mut layouts = interface.local_roots.iter().flat_map(|roots| &roots.layouts);
    layouts.any(|layout| layout.arguments.iter().any(|argument| means(argument, name)))
}

/// Returns the offset and the start of each descriptor table that the file gives to a record.
fn tables(given: &LocalRootRecord, arguments: &[LocalRootArgument]) -> Checked<Vec<(u32, u32)>> {
    let Some(DescriptorTables { at, first }) = &given.tables else { return Ok(Vec::new()) };
    let is_table = |argument: &&LocalRootArgument| matches!(argument.kind, LocalRootKind::Descriptors { .. });
    let mut offsets: Vec<u32> = arguments.iter().filter(is_table).map(|argument| argument.offset).collect();
    offsets.dedup();
    if offsets.len() != first.len() {
        let message = format!(
            "the local root arguments {} have {} descriptor tables, but the list has {} numbers",
            given.index,
            offsets.len(),
            first.len()
        );
        return Err(Fault::new(*at, message));
    }
    Ok(offsets.into_iter().zip(first).filter_map(|(offset, first)| Some((offset, (*first)?))).collect())
}

/// Checks that the heap of a table that begins at `first` has the descriptors that the shader reads from it. No other
/// code checks: with another descriptor there, or none, the device's behaviour is undefined.
fn descriptors(given: &LocalRootRecord, argument: &LocalRootArgument, first: u32, slots: &[Slot]) -> Checked<()> {
    let LocalRootKind::Descriptors { first: before, count } = argument.kind else { return Ok(()) };
    let heap = match argument.register.class {
        's' => "SamplerDescriptorHeap",
        _ => "ResourceDescriptorHeap",
    };
    let kinds = slots.iter().find(|slot| slot.name == heap).and_then(|slot| match &slot.kind {
        SlotKind::Heap(kinds) => Some(kinds.as_slice()),
        _ => None,
    });
    let kinds = kinds.unwrap_or_default();
    let begin = u64::from(first) + u64::from(before);
    let end = count.map_or(u64::MAX, |count| begin + u64::from(count));
    let fits = |variable: &LocalRootVariable| {
        let kind = resources::slot_kind(&variable.kind);
        let within = (0..).zip(kinds).filter(|(index, _)| (begin..end).contains(index));
        within.filter_map(|(_, there)| there.as_ref()).any(|there| heaps::agree(there, &kind))
    };
    let Some(variable) = argument.variables.iter().find(|variable| !fits(variable)) else { return Ok(()) };
    let at = given.tables.as_ref().map_or(given.at, |tables| tables.at);
    let range = match count {
        Some(1) => format!("at {heap}[{begin}]"),
        Some(_) => format!("in {heap}[{begin}] to [{}]", end - 1),
        None => format!("from {heap}[{begin}] on"),
    };
    let what = describe_kind(&variable.kind);
    let message = format!("the descriptor table of record {} has no {what} {range} for {}", given.index, variable.name);
    Err(Fault::new(at, message))
}

/// Checks that the record has the resources that the file gives to it, or at least that the program declares them.
fn known_resources(
    file: &RunFile,
    given: &LocalRootRecord,
    arguments: &[LocalRootArgument],
    warnings: &mut Vec<Fault>,
) -> Checked<()> {
    let by_contents = |argument: &&LocalRootArgument| !matches!(argument.kind, LocalRootKind::Descriptors { .. });
    let variables: Vec<&LocalRootVariable> =
        arguments.iter().filter(by_contents).flat_map(|argument| &argument.variables).collect();
    for resource in &given.resources {
        let found =
            names::find(&variables, |variable| &variable.name, &resource.name, resource.at, "finds in this record");
        match found {
            Err(_) if file.declares(&resource.name) && !arguments.iter().any(|a| means(a, &resource.name)) => {
                let message = format!("no node reads {} of the local root arguments {}", resource.name, given.index);
                warnings.push(Fault::new(resource.at, message));
            }
            found => drop(found?),
        }
    }
    Ok(())
}

/// Returns the resource that the file gives to one record by name.
fn own_contents(given: Option<&LocalRootRecord>, argument: &LocalRootArgument) -> Checked<Option<Resource>> {
    let mut own = given.into_iter().flat_map(|given| &given.resources).filter(|named| means(argument, &named.name));
    match (own.next(), own.next()) {
        (Some(first), Some(second)) => {
            let message = format!("{:?} and {:?} are the same resource of the shader", first.name, second.name);
            Err(Fault::new(second.at, message))
        }
        (only, _) => Ok(only.map(|named| named.value.clone())),
    }
}

/// Returns the resource that the file gives to all records.
fn shared<'f>(file: &'f RunFile, argument: &LocalRootArgument) -> Option<&'f Resource> {
    let named: Option<&Named<Resource>> = file.resources.iter().find(|named| means(argument, &named.name));
    named.map(|named| &named.value)
}

/// Returns the members in `fields`, each with its constant buffer, by argument.
fn fields(given: &LocalRootRecord, arguments: &[LocalRootArgument]) -> Checked<Vec<Option<Resource>>> {
    let mut out = vec![None; arguments.len()];
    let Some(Value { at, end, kind: ValueKind::Object(members) }) = &given.fields else { return Ok(out) };
    let mut of: Vec<Vec<Member>> = vec![Vec::new(); arguments.len()];
    for member in members {
        let has = |argument: &&LocalRootArgument| match argument.variables.first().map(|variable| &variable.kind) {
            Some(BindingKind::UniformBuffer { block }) => block.field(&member.key).is_some(),
            _ => false,
        };
        let mut having = (0..).zip(arguments).filter(|(_, argument)| has(argument)).map(|(n, _): (usize, _)| n);
        match (having.next(), having.next()) {
            (Some(only), None) => of[only].push(member.clone()),
            (None, _) => {
                let message =
                    format!("no constants of the local root arguments {} contain {:?}", given.index, member.key);
                return Err(Fault::new(member.key_at, message));
            }
            _ => {
                let message = format!("several buffers have {:?}: write them under \"resources\"", member.key);
                return Err(Fault::new(member.key_at, message));
            }
        }
    }
    for (out, members) in out.iter_mut().zip(of).filter(|(_, members)| !members.is_empty()) {
        let fields = Value { at: *at, end: *end, kind: ValueKind::Object(members) };
        *out = Some(Resource { at: *at, kind: ResourceKind::Fields(fields) });
    }
    Ok(out)
}

/// Returns the contents of the record for an argument.
fn contents(
    file: &RunFile,
    (argument, variable): (&LocalRootArgument, &LocalRootVariable),
    resource: &Resource,
    name: String,
    budget: &mut Budget,
    slots: &mut Vec<Slot>,
) -> Checked<RootContents> {
    let binding = BindingInterface {
        name: variable.name.clone(),
        set: 0,
        binding: 0,
        count: 1,
        kind: variable.kind.clone(),
        register: None,
        heap: None,
        counter_of: None,
    };
    if let ResourceKind::Array(_) = resource.kind {
        return Err(Fault::new(resource.at, format!("{} is one resource, not an array", variable.name)));
    }
    if let LocalRootKind::Constants { words } = argument.kind {
        let Planned::Buffer { mut contents, .. } = element(file, &binding, resource)? else {
            return Err(Fault::new(resource.at, format!("{} is a constant buffer", variable.name)));
        };
        contents.truncate(words as usize * 4);
        return Ok(RootContents::Constants(contents));
    }
    let known = slots.iter().position(|slot| slot.name == name);
    if let Some(known) = known {
        return Ok(RootContents::Slot(known));
    }
    let planned = element(file, &binding, resource)?;
    budget.spend(planned.content_bytes(), resource.at)?;
    let elements = vec![planned];
    slots.push(Slot { name, place: None, kind: kind_of(&binding), elements, is_array: false });
    Ok(RootContents::Slot(slots.len() - 1))
}
