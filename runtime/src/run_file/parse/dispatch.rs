//! `dispatch`: the DispatchGraph calls and the records of each.

use super::super::error::{Checked, Fault};
use super::super::json::{Position, Value};
use super::super::model::{Dispatch, Input, Named, Records};
use super::super::scalar::Scalar;
use super::resources::numbers;
use super::values::{Object, list, string, unsigned, word};

const RECORD_KEYS: &[&str] = &["records", "bytes", "u32", "file"];

pub(super) fn dispatches(value: &Value, unsupported: &mut Vec<Fault>) -> Checked<Vec<Dispatch>> {
    list(value)?.iter().map(|item| dispatch(item, unsupported)).collect()
}

fn dispatch(value: &Value, unsupported: &mut Vec<Fault>) -> Checked<Dispatch> {
    let object = Object::new(value, "a dispatch", &["mode", "inputs", "repeat"])?;
    if let Some(mode) = object.get("mode")
        && word(mode, &[("cpu", false), ("gpu", true)])?
    {
        unsupported.push(Fault::unsupported(mode.at, "records in device memory (mode \"gpu\") are"));
    }
    let Some(inputs) = object.get("inputs") else {
        return Err(Fault::new(value.at, "a dispatch has \"inputs\""));
    };
    Ok(Dispatch {
        inputs: list(inputs)?.iter().map(input).collect::<Checked<_>>()?,
        repeat: object.get("repeat").map_or(Ok(1), unsigned)?,
    })
}

fn input(value: &Value) -> Checked<Input> {
    let keys: Vec<&str> = ["node", "index"].iter().chain(RECORD_KEYS).chain(&["stride", "count"]).copied().collect();
    let object = Object::new(value, "an input", &keys)?;
    let Some(node) = object.get("node") else { return Err(Fault::new(value.at, "an input names its \"node\"")) };
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
        let message = format!("an input has one of: {}, or a \"count\" of empty records", RECORD_KEYS.join(", "));
        return Err(Fault::new(value.at, message));
    };
    if let (Records::Fields(_), Some((at, _))) = (&records, stride.or(count)) {
        return Err(Fault::new(at, "records by field have no \"stride\" and no \"count\": the list says it all"));
    }
    if let (Records::Empty, Some((at, _))) = (&records, stride) {
        return Err(Fault::new(at, "empty records have no \"stride\""));
    }
    Ok(Input {
        at: value.at,
        node: Named { name: string(node)?.to_owned(), at: node.at, value: () },
        index: object.get("index").map_or(Ok(0), unsigned)?,
        records,
        stride,
        count,
    })
}
