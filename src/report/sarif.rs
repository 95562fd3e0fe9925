//! Diagnostics as SARIF 2.1.0 (Static Analysis Results Interchange Format), for services that collect findings.
//!
//! A log has one run for each checked program. Rules are the rows of the table of diagnostics that a run found; a
//! message without a code has no rule.

use super::TextOf;
use super::place::{LineRange, Places};
use serde_json::{Map, Value, json};
use wgc_sema::db::diagnostic::{Rendered, RenderedFix, RenderedLabel};
use wgc_sema::tables::codes::{Code, Severity};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A document with a run for each program.
#[derive(Debug, Default)]
pub struct Log {
    runs: Vec<Value>,
}

impl Log {
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds the diagnostics of a program, and messages without a location.
    pub fn add(&mut self, diagnostics: &[Rendered], plain: &[(Severity, String)], text_of: TextOf<'_>) {
        let mut places = Places::new(text_of);
        let mut codes: Vec<Code> = diagnostics.iter().map(|d| d.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let results = diagnostics.iter().map(|d| result(&mut places, &codes, d));
        let plain =
            plain.iter().map(|(severity, text)| json!({ "level": level(*severity), "message": { "text": text } }));
        let results: Vec<Value> = results.chain(plain).collect();
        self.add_run(codes.iter().map(|c| rule(*c)).collect(), results);
    }

    /// Adds a run by its rules and results.
    pub fn add_run(&mut self, rules: Vec<Value>, results: Vec<Value>) {
        self.runs.push(json!({
            "tool": { "driver": { "name": "wgc", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }));
    }

    /// Returns the document, with a final line break.
    pub fn text(&self) -> String {
        let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": self.runs });
        format!("{log:#}\n")
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn rule(code: Code) -> Value {
    let row = code.row();
    json!({
        "id": row.code,
        "name": row.name,
        "shortDescription": { "text": row.summary },
        "fullDescription": { "text": row.explanation },
        "defaultConfiguration": { "level": level(row.severity) },
    })
}

fn result(places: &mut Places<'_>, codes: &[Code], diagnostic: &Rendered) -> Value {
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text += "\n";
        text += note;
    }
    let mut result = Map::new();
    result.insert("ruleId".into(), diagnostic.code.row().code.into());
    result.insert("ruleIndex".into(), json!(codes.binary_search(&diagnostic.code).unwrap_or_default()));
    result.insert("level".into(), level(diagnostic.severity).into());
    result.insert("message".into(), json!({ "text": text }));
    if let Some((first, others)) = diagnostic.labels.split_first() {
        result.insert("locations".into(), json!([location(places.find(&first.range), &first.message)]));
        let mut related = Vec::new();
        origins(places, first, &mut related);
        for label in others {
            related.push(location(places.find(&label.range), &label.message));
            origins(places, label, &mut related);
        }
        if !related.is_empty() {
            result.insert("relatedLocations".into(), related.into());
        }
    }
    if let Some(fix) = &diagnostic.fix {
        result.insert("fixes".into(), json!([change(places, fix)]));
    }
    result.into()
}

/// Adds the origins of a label: macro expansions and `#include`s.
fn origins(places: &mut Places<'_>, label: &RenderedLabel, out: &mut Vec<Value>) {
    for (name, range) in label.written_elsewhere() {
        out.push(location(places.find(range), &format!("expanded from macro `{name}`")));
    }
    for range in &label.included {
        out.push(location(places.find(range), "included here"));
    }
}

fn location(place: LineRange, message: &str) -> Value {
    let mut location = Map::new();
    location.insert(
        "physicalLocation".into(),
        json!({ "artifactLocation": artifact(&place.file), "region": region(&place) }),
    );
    if !message.is_empty() {
        location.insert("message".into(), json!({ "text": message }));
    }
    location.into()
}

fn change(places: &mut Places<'_>, fix: &RenderedFix) -> Value {
    let place = places.physical(&fix.range);
    json!({
        "description": { "text": fix.message },
        "artifactChanges": [{
            "artifactLocation": artifact(&place.file),
            "replacements": [{ "deletedRegion": region(&place), "insertedContent": { "text": fix.replacement } }],
        }],
    })
}

/// Converts a path to a relative or absolute URI reference, with other characters escaped.
pub fn artifact(file: &str) -> Value {
    let mut uri = String::new();
    for byte in file.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    if uri.starts_with('/') {
        uri.insert_str(0, "file://");
    }
    json!({ "uri": uri })
}

fn region(place: &LineRange) -> Value {
    json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    })
}
