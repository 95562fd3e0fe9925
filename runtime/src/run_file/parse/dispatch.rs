//! `dispatch`: the DispatchGraph calls and the records of each, or the workgroups of compute shaders.

use super::super::error::{Checked, Fault};
use super::super::executor::DispatchMode;
use super::super::model::{Dispatch, Input, Named, Records, Work};
use super::resources::numbers;
use super::values::{Object, list, string, unsigned, word};
use crate::numbers::Scalar;
use wgc_json::{Position, Value};

/// The most runs of one dispatch: enough to measure a small graph, and an end for a mistyped number.
const MAX_REPEATS: u32 = 1_000_000;

const RECORD_KEYS: &[&str] = &["records", "bytes", "u32", "file"];

const MODES: &[(&str, DispatchMode)] =
    &[("cpu", DispatchMode::Cpu), ("gpu", DispatchMode::Gpu), ("gpu_count", DispatchMode::GpuCount)];

pub(super) fn dispatches(value: &Value) -> Checked<Vec<Dispatch>> {
    list(value)?.iter().map(dispatch).collect()
}

fn dispatch(value: &Value) -> Checked<Dispatch> {
    let object = Object::new(value, "a dispatch", &["mode", "inputs", "groups", "entry", "repeat"])?;
    let mode = object.get("mode").map(|mode| word(mode, MODES).map(|known| (mode.at, known))).transpose()?;
    let work = match (object.get("inputs"), object.get("groups")) {
        (Some(inputs), None) => {
            if let Some(entry) = object.get("entry") {
                return Err(Fault::new(
                    entry.at,
                    "\"entry\" names a compute shader; a graph has a \"node\" in its inputs",
                ));
            }
            Work::Graph { at: inputs.at, inputs: list(inputs)?.iter().map(input).collect::<Checked<_>>()? }
        }
        (None, Some(groups)) => {
            if let Some(mode) = object.get("mode") {
                return Err(Fault::new(mode.at, "\"mode\" is for records of graphs, not for compute shaders"));
            }
            let entry = object.get("entry").map(named).transpose()?;
            Work::Groups { at: groups.at, groups: axes(groups)?, entry }
        }
        (Some(_), Some(groups)) => {
            return Err(Fault::new(
                groups.at,
                "a dispatch has either \"inputs\" (a graph) or \"groups\" (a compute shader), not both",
            ));
        }
        (None, None) => {
            return Err(Fault::new(value.at, "a dispatch needs \"inputs\" (a graph) or \"groups\" (a compute shader)"));
        }
    };
    Ok(Dispatch { mode, work, repeat: object.get("repeat").map_or(Ok(1), repeats)? })
}

/// Reads how often a dispatch runs.
fn repeats(value: &Value) -> Checked<u32> {
    let count = unsigned(value)?;
    match count {
        ..=MAX_REPEATS => Ok(count),
        _ => Err(Fault::new(value.at, format!("a dispatch runs at most {MAX_REPEATS} times, not {count}"))),
    }
}

fn named(value: &Value) -> Checked<Named<()>> {
    Ok(Named { name: string(value)?.to_owned(), at: value.at, value: () })
}

/// Reads workgroups on one to three axes.
fn axes(value: &Value) -> Checked<[u32; 3]> {
    let given = list(value)?;
    if given.is_empty() || given.len() > 3 {
        return Err(Fault::new(value.at, "\"groups\" needs one to three counts"));
    }
    let mut groups = [1; 3];
    for (count, value) in groups.iter_mut().zip(given) {
        *count = unsigned(value)?;
    }
    Ok(groups)
}

fn input(value: &Value) -> Checked<Input> {
    let keys: Vec<&str> = ["node", "index"].iter().chain(RECORD_KEYS).chain(&["stride", "count"]).copied().collect();
    let object = Object::new(value, "an input", &keys)?;
    let Some(node) = object.get("node") else { return Err(Fault::new(value.at, "an input needs a \"node\"")) };
    let number = |key: &str| -> Checked<Option<(Position, u32)>> {
        object.get(key).map(|value| unsigned(value).map(|number| (value.at, number))).transpose()
    };
    let (stride, count) = (number("stride")?, number("count")?);
    let has_records = object.members().iter().any(|m| RECORD_KEYS.contains(&m.key.as_str()));
    let records = if has_records {
        let member = object.only("an input", RECORD_KEYS)?;
        match member.key.as_str() {
            "records" => Records::Fields(list(&member.value)?.to_vec()),
            "bytes" => Records::Bytes(numbers(Scalar::U8, &member.value)?),
            "u32" => Records::Bytes(numbers(Scalar::U32, &member.value)?),
            _ => Records::File(string(&member.value)?.to_owned()),
        }
    } else if count.is_some() {
        Records::Empty
    } else {
        let message = format!("an input needs one of: {}; or a \"count\" of empty records", RECORD_KEYS.join(", "));
        return Err(Fault::new(value.at, message));
    };
    if let (Records::Fields(_), Some((at, _))) = (&records, stride.or(count)) {
        return Err(Fault::new(at, "records by field cannot have \"stride\" or \"count\": the list determines both"));
    }
    if let (Records::Empty, Some((at, _))) = (&records, stride) {
        return Err(Fault::new(at, "empty records cannot have a \"stride\""));
    }
    Ok(Input {
        at: value.at,
        node: named(node)?,
        index: object.get("index").map_or(Ok(0), unsigned)?,
        records,
        stride,
        count,
    })
}
