//! The dispatches: entry records by field name, as bytes, or a compute shader by name. Also the expected numbers of
//! records that nodes consume.

use wgc_abi::interface::NodeLaunch;
use wgc_abi::{Interface, NodeInterface, StructLayout};

use super::super::error::{Checked, Fault};
use super::super::executor::EntryInput;
use super::super::layout;
use super::super::model::{Dispatch, ExpectedMeshes, Input, Named, Records, RunFile, Work};
use super::{MeshCheck, PlannedDispatch, PlannedWork, RecordCheck, read_file};
use wgc_json::Value;

/// Largest records of one input.
const MAX_BYTES: u64 = 1 << 32;

pub(super) fn plan(file: &RunFile, interface: &Interface) -> Checked<Vec<PlannedDispatch>> {
    let planned = |dispatch: &Dispatch| {
        let work = work(file, interface, &dispatch.work)?;
        Ok(PlannedDispatch { mode: dispatch.mode, work, repeat: dispatch.repeat })
    };
    file.dispatches.iter().map(planned).collect()
}

fn work(file: &RunFile, interface: &Interface, work: &Work) -> Checked<PlannedWork> {
    match work {
        Work::Graph { at, .. } if !interface.compute.is_empty() => {
            Err(Fault::new(*at, "this program is not a graph: a compute shader needs \"groups\""))
        }
        Work::Graph { inputs, .. } => {
            let inputs = inputs.iter().map(|input| entry_input(file, interface, input));
            Ok(PlannedWork::Graph(inputs.collect::<Checked<_>>()?))
        }
        Work::Groups { at, .. } if interface.compute.is_empty() => {
            Err(Fault::new(*at, "this program has no compute shader: a graph needs \"inputs\""))
        }
        Work::Groups { at, groups, entry } => {
            let known = || interface.compute.join(", ");
            let name = match (entry, interface.compute.as_slice()) {
                (Some(entry), all) => all.iter().find(|name| **name == entry.name).ok_or_else(|| {
                    let message = format!("{} is not a compute shader of the program; it has: {}", entry.name, known());
                    Fault::new(entry.at, message)
                })?,
                (None, [only]) => only,
                (None, _) => {
                    return Err(Fault::new(*at, format!("choose a compute shader with \"entry\": {}", known())));
                }
            };
            Ok(PlannedWork::Groups(name.clone(), *groups))
        }
    }
}

fn entry_input(file: &RunFile, interface: &Interface, input: &Input) -> Checked<EntryInput> {
    let node = entry_node(interface, input)?;
    let made =
        |data, stride, count| EntryInput { node: node.id.name.clone(), index: node.id.index, data, stride, count };
    let Some(record) = &node.record else {
        return match (&input.records, input.count) {
            (Records::Empty, Some((_, count))) => Ok(made(Vec::new(), 0, count)),
            (Records::Fields(values), _) if values.iter().all(is_empty_object) => {
                Ok(made(Vec::new(), 0, count_of(values, input)?))
            }
            _ => Err(Fault::new(input.at, format!("{} consumes empty records: write their \"count\"", node.id))),
        };
    };
    match &input.records {
        Records::Empty => {
            let message = format!("{} consumes records of {}, not empty ones", node.id, record_name(record));
            Err(Fault::new(input.at, message))
        }
        Records::Fields(values) => {
            let stride = natural_stride(record);
            let mut data = Vec::new();
            for value in values {
                data.extend(layout::bytes_of(&layout::struct_leaves(record, value)?, stride as usize));
            }
            Ok(made(data, stride, count_of(values, input)?))
        }
        Records::Bytes(bytes) => {
            let (data, stride, count) = raw(input, record, bytes.clone())?;
            Ok(made(data, stride, count))
        }
        Records::File(name) => {
            let (data, stride, count) = raw(input, record, read_file(file, name, input.at)?)?;
            Ok(made(data, stride, count))
        }
    }
}

fn entry_node<'i>(interface: &'i Interface, input: &Input) -> Checked<&'i NodeInterface> {
    let name = &input.node.name;
    match interface.node(name, input.index) {
        Some(node) if node.entry => Ok(node),
        found => {
            let what = if found.is_some() { "is not an entry of the graph" } else { "is not a node of the graph" };
            let entries: Vec<String> = interface.nodes.iter().filter(|n| n.entry).map(|n| n.id.to_string()).collect();
            let index = if input.index == 0 { String::new() } else { format!("[{}]", input.index) };
            let message = format!("{name}{index} {what}; entries are: {}", entries.join(", "));
            Err(Fault::new(input.node.at, message))
        }
    }
}

fn is_empty_object(value: &Value) -> bool {
    matches!(&value.kind, wgc_json::ValueKind::Object(members) if members.is_empty())
}

fn count_of(values: &[Value], input: &Input) -> Checked<u32> {
    u32::try_from(values.len()).map_err(|_| Fault::new(input.at, "more records than a dispatch can have"))
}

/// Returns the alignment of records: their own, and at least a word, as devices read them.
fn unit(record: &StructLayout) -> u32 {
    record.align.max(4)
}

fn natural_stride(record: &StructLayout) -> u32 {
    record.size.checked_next_multiple_of(unit(record)).unwrap_or(record.size)
}

fn record_name(record: &StructLayout) -> String {
    let name = if record.name.is_empty() { "a structure" } else { &record.name };
    format!("{name} ({} bytes)", record.size)
}

/// Returns raw records with their stride and count, checked against the node's record.
fn raw(input: &Input, record: &StructLayout, mut data: Vec<u8>) -> Checked<(Vec<u8>, u32, u32)> {
    let (stride_at, stride) = input.stride.unwrap_or((input.at, natural_stride(record)));
    if stride != 0 && stride < record.size {
        let message = format!("a stride of {stride} bytes is too small for records of {}", record_name(record));
        return Err(Fault::new(stride_at, message));
    }
    if !stride.is_multiple_of(unit(record)) {
        let message = format!(
            "a stride of {stride} bytes: records of {} must be at multiples of {} bytes",
            record_name(record),
            unit(record)
        );
        return Err(Fault::new(stride_at, message));
    }
    let size = u64::from(record.size);
    let given = data.len() as u64;
    let (count_at, count) = match input.count {
        Some((at, count)) => (at, count),
        None if stride == 0 => return Err(Fault::new(stride_at, "a stride of 0 needs a \"count\"")),
        None => {
            // The last record may end before its stride does.
            let whole = given / u64::from(stride) + u64::from(given % u64::from(stride) >= size.max(1));
            (input.at, u32::try_from(whole).unwrap_or(u32::MAX))
        }
    };
    let needed = match u64::from(count) {
        0 => 0,
        count => (count - 1) * u64::from(stride) + size,
    };
    if given < needed {
        let message = format!("{given} bytes for {count} records of {}, but {needed} are needed", record_name(record));
        return Err(Fault::new(count_at, message));
    }
    if input.count.is_none() && needed.next_multiple_of(u64::from(stride.max(1))) < given {
        let message = format!(
            "{given} bytes are not a whole number of records of {} with a stride of {stride} bytes",
            record_name(record)
        );
        return Err(Fault::new(input.at, message));
    }
    let used = if stride == 0 { size.min(needed) } else { needed };
    if used > MAX_BYTES {
        return Err(Fault::new(count_at, format!("records of more than {MAX_BYTES} bytes")));
    }
    data.truncate(used as usize);
    Ok((data, stride, count))
}

/// Reads `expect_records`, with the names checked.
pub(super) fn checks(file: &RunFile, interface: &Interface) -> Checked<Vec<RecordCheck>> {
    let check = |expected: &Named<u64>| {
        let (node, index) = node_of(expected, interface)?;
        Ok(RecordCheck { name: expected.name.clone(), node, index, expected: expected.value })
    };
    file.expect_records.iter().map(check).collect()
}

/// Reads `expect_meshes`, with the names of nodes checked.
pub(super) fn mesh_checks(file: &RunFile, interface: &Interface) -> Checked<Vec<MeshCheck>> {
    let check = |expected: &Named<ExpectedMeshes>| {
        let (node, index) = node_of(expected, interface)?;
        if interface.nodes.iter().any(|n| n.id.name == node && n.launch != NodeLaunch::Mesh) {
            return Err(Fault::new(expected.at, format!("{node} is not a mesh node")));
        }
        Ok(MeshCheck { name: expected.name.clone(), node, index, expected: expected.value.clone() })
    };
    file.expect_meshes.iter().map(check).collect()
}

/// Returns the node that a name means, all elements of an array if it gives no index.
fn node_of<T>(expected: &Named<T>, interface: &Interface) -> Checked<(String, Option<u32>)> {
    let (node, index) = match expected.name.strip_suffix(']').and_then(|n| n.split_once('[')) {
        Some((node, index)) => match index.parse::<u32>() {
            Ok(index) => (node, Some(index)),
            Err(_) => return Err(Fault::new(expected.at, "write an element of a node array as name[3]")),
        },
        None => (expected.name.as_str(), None),
    };
    if !interface.nodes.iter().any(|n| n.id.name == node && index.is_none_or(|i| n.id.index == i)) {
        let known: Vec<String> = interface.nodes.iter().map(|n| n.id.to_string()).collect();
        let message = format!("{} is not a node of the graph; it has: {}", expected.name, known.join(", "));
        return Err(Fault::new(expected.at, message));
    }
    Ok((node.to_owned(), index))
}
