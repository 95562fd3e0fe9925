//! One JSON object a line for each diagnostic.
//!
//! ```json
//! {"severity":"error","code":"WG0401","name":"missing-target","message":"..","file":"a.hlsl",
//!  "line":9,"column":20,"end_line":9,"end_column":28,
//!  "labels":[{"message":"..","file":"a.hlsl",..,"expansions":[{"macro":"M","file":"a.hlsl",..}],
//!             "included_from":[{"file":"b.hlsl",..}]}],
//!  "notes":[".."],"fix":{"message":"..","file":"a.hlsl",..,"replacement":".."}}
//! ```
//!
//! A diagnostic's location is that of its first label. Lines and columns are those of [`super::place`]. `code`, `name`
//! and the location are null for a message without a location; `fix` is null if there is none.

use super::place::{LineRange, Places};
use super::{TextOf, WriteError};
use serde_json::{Map, Value, json};
use std::io::Write;
use wgc_sema::db::diagnostic::{Rendered, RenderedLabel};
use wgc_sema::tables::codes::Severity;

pub(super) fn write(out: &mut dyn Write, diagnostics: &[Rendered], text_of: TextOf<'_>) -> Result<(), WriteError> {
    let mut places = Places::new(text_of);
    for diagnostic in diagnostics {
        writeln!(out, "{}", object(&mut places, diagnostic))?;
    }
    Ok(())
}

/// Returns a message without code and location.
pub fn plain(severity: Severity, message: &str) -> Value {
    let mut object = Map::new();
    object.insert("severity".into(), severity.to_string().into());
    for key in ["code", "name"] {
        object.insert(key.into(), Value::Null);
    }
    object.insert("message".into(), message.into());
    for key in PLACE {
        object.insert(key.into(), Value::Null);
    }
    object.insert("labels".into(), json!([]));
    object.insert("notes".into(), json!([]));
    object.insert("fix".into(), Value::Null);
    Value::Object(object)
}

const PLACE: [&str; 5] = ["file", "line", "column", "end_line", "end_column"];

fn insert(object: &mut Map<String, Value>, place: LineRange) {
    let LineRange { file, line, column, end_line, end_column } = place;
    let values = [json!(&*file), json!(line), json!(column), json!(end_line), json!(end_column)];
    object.extend(PLACE.map(String::from).into_iter().zip(values));
}

fn object(places: &mut Places<'_>, diagnostic: &Rendered) -> Value {
    let row = diagnostic.code.row();
    let Value::Object(mut object) = plain(diagnostic.severity, &diagnostic.message) else { return Value::Null };
    object.insert("code".into(), row.code.into());
    object.insert("name".into(), row.name.into());
    if let Some(first) = diagnostic.labels.first() {
        insert(&mut object, places.find(&first.range));
    }
    object.insert("labels".into(), diagnostic.labels.iter().map(|l| label(places, l)).collect());
    object.insert("notes".into(), diagnostic.notes.iter().map(String::as_str).collect());
    if let Some(fix) = &diagnostic.fix {
        let mut change = Map::new();
        change.insert("message".into(), fix.message.as_str().into());
        insert(&mut change, places.physical(&fix.range));
        change.insert("replacement".into(), fix.replacement.as_str().into());
        object.insert("fix".into(), change.into());
    }
    object.into()
}

fn label(places: &mut Places<'_>, label: &RenderedLabel) -> Value {
    let mut object = Map::new();
    object.insert("message".into(), label.message.as_str().into());
    insert(&mut object, places.find(&label.range));
    let mut expansions = Vec::new();
    for (name, range) in &label.trail {
        let mut step = Map::new();
        step.insert("macro".into(), name.as_str().into());
        insert(&mut step, places.find(range));
        expansions.push(Value::Object(step));
    }
    object.insert("expansions".into(), expansions.into());
    let mut included = Vec::new();
    for range in &label.included {
        let mut step = Map::new();
        insert(&mut step, places.find(range));
        included.push(Value::Object(step));
    }
    object.insert("included_from".into(), included.into());
    object.into()
}
