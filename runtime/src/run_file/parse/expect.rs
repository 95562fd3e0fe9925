//! `expect`: the expected contents of resources.

use super::super::error::{Checked, Fault};
use super::super::model::{Expectation, ExpectationKind, Named};
use super::values::{Object, boolean, list, named, string, unsigned};
use crate::numbers::{Number, Scalar, Tolerance};
use wgc_json::{Position, Value, ValueKind};

pub(super) fn expectations(value: &Value) -> Checked<Vec<Named<Expectation>>> {
    named(value)?
        .into_iter()
        .map(|member| Ok(Named { value: slot(member.value)?, name: member.name, at: member.at }))
        .collect()
}

fn slot(value: &Value) -> Checked<Expectation> {
    match &value.kind {
        ValueKind::Array(items) => {
            let elements = items.iter().map(expectation).collect::<Checked<_>>()?;
            Ok(Expectation { at: value.at, kind: ExpectationKind::Array(elements) })
        }
        _ => expectation(value),
    }
}

fn expectation(value: &Value) -> Checked<Expectation> {
    let at_keys: Vec<String> = Scalar::KEYS.iter().map(|k| format!("{}_at", k.0)).collect();
    let contents: Vec<&str> =
        Scalar::KEYS.iter().map(|k| k.0).chain(at_keys.iter().map(String::as_str)).chain(["structs", "png"]).collect();
    let options = ["any_order", "abs", "rel", "max_channel_error", "max_differing_pixels"];
    let keys: Vec<&str> = contents.iter().copied().chain(options).collect();
    let object = Object::new(value, "an expectation", &keys)?;
    let content = object.only("an expectation", &contents)?;
    let tolerance = Tolerance { abs: tolerance(&object, "abs")?, rel: tolerance(&object, "rel")? };
    let any_order = object.get("any_order").map_or(Ok(false), boolean)?;

    let key = content.key.as_str();
    let applicable: &[&str] = match key {
        "png" => &["max_channel_error", "max_differing_pixels"],
        _ if key.ends_with("_at") => &["abs", "rel"],
        _ => &["any_order", "abs", "rel"],
    };
    if let Some(other) = object.members().iter().find(|m| m.key != key && !applicable.contains(&m.key.as_str())) {
        return Err(Fault::new(other.key_at, format!("{:?} does not check {key:?}", other.key)));
    }
    if any_order && tolerance != Tolerance::default() {
        // The nearest expected value would be ambiguous.
        return Err(Fault::new(value.at, "an expectation in any order cannot have a tolerance"));
    }

    let body = &content.value;
    if matches!(&body.kind, ValueKind::Array(items) if items.is_empty())
        || matches!(&body.kind, ValueKind::Object(members) if members.is_empty())
    {
        return Err(Fault::new(body.at, "an expectation without values compares nothing"));
    }
    let kind = match key {
        "structs" => ExpectationKind::Structs { values: list(body)?.to_vec(), any_order, tolerance },
        "png" => ExpectationKind::Png {
            file: string(body)?.to_owned(),
            max_channel_error: object.get("max_channel_error").map_or(Ok(0), unsigned)?,
            max_differing_pixels: object.get("max_differing_pixels").map_or(Ok(0), unsigned)?,
        },
        _ => match (key.strip_suffix("_at"), Scalar::from_key(key.strip_suffix("_at").unwrap_or(key))) {
            (Some(_), Some(scalar)) => ExpectationKind::At { scalar, numbers: numbers_at(scalar, body)?, tolerance },
            (None, Some(scalar)) => {
                let numbers = list(body)?.iter().map(|item| scalar.read(item)).collect::<Checked<_>>()?;
                ExpectationKind::Numbers { scalar, numbers, any_order, tolerance }
            }
            (_, None) => return Err(Fault::new(content.key_at, format!("unknown key {key:?}"))),
        },
    };
    Ok(Expectation { at: value.at, kind })
}

fn numbers_at(scalar: Scalar, value: &Value) -> Checked<Vec<(Position, u64, Number)>> {
    named(value)?
        .into_iter()
        .map(|member| {
            let index = member.name.parse::<u64>();
            let index = index.map_err(|_| Fault::new(member.at, "keys of values must be indexes: whole numbers"))?;
            Ok((member.at, index, scalar.read(member.value)?))
        })
        .collect()
}

fn tolerance(object: &Object<'_>, key: &str) -> Checked<f64> {
    let Some(value) = object.get(key) else { return Ok(0.0) };
    match &value.kind {
        ValueKind::Number(text) => match text.parse::<f64>() {
            Ok(tolerance) if tolerance >= 0.0 && tolerance.is_finite() => Ok(tolerance),
            _ => Err(Fault::new(value.at, "a tolerance must be a finite number of at least 0")),
        },
        _ => Err(Fault::new(value.at, format!("expected a number, found {}", value.describe()))),
    }
}
