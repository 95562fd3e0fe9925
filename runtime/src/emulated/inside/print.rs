//! Records as text for people and as lines of JSON for programs, field by field as the manifest lays them out.

use super::order::key;
use super::{After, Appended, Observer, Record};
use crate::device::{Cause, DeviceError};
use crate::record_json::record_json;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use wgc_abi::layout::StructLayout;
use wgc_abi::manifest::{Instance, Manifest};

/// The output format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A heading for each queue that a stage has appended to, and a line for each record.
    Text,
    /// An object for each record, and for each count of empty records, on a separate line.
    Lines,
}

/// The filter of shown records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Only {
    /// Those of these queues.
    Queues(Vec<u32>),
    /// Records appended at this point.
    After(After),
}

/// An observer that writes the records.
pub struct RecordPrinter {
    out: Box<dyn Write>,
    form: Form,
    /// Sorts by contents and omits the positions, which may differ in every run.
    sorted: bool,
    /// Empty: all.
    only: Vec<Only>,
}

impl std::fmt::Debug for RecordPrinter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordPrinter").field("form", &self.form).field("only", &self.only).finish_non_exhaustive()
    }
}

impl Only {
    /// Parses the user's filter: `inject`, `stage:N`, or a node as `Name`, `Name[index]` or by its label.
    ///
    /// # Errors
    /// The graph has no such node or stage; the message lists those that it has.
    pub fn parse(text: &str, manifest: &Manifest) -> Result<Self, String> {
        if text == "inject" {
            return Ok(Self::After(After::Inject));
        }
        if let Some(number) = text.strip_prefix("stage:") {
            let stages = manifest.stages.len();
            let stage = number.parse().ok().filter(|stage: &u32| (*stage as usize) < stages);
            return stage.map(|stage| Self::After(After::Stage(stage))).ok_or_else(|| {
                format!("the graph has no stage `{number}`; its stages are 0 to {}", stages.saturating_sub(1))
            });
        }
        // For a node and level with several depths, the label without its depth means all of them.
        let labelled =
            |i: &Instance| i.label.strip_prefix(text).is_some_and(|l| l.is_empty() || l.starts_with(" depth "));
        let named = |i: &&Instance| i.node.name == text || i.node.to_string() == text || labelled(i);
        let mut queues: Vec<u32> = manifest.instances.iter().filter(named).map(|i| i.queue).collect();
        queues.sort_unstable();
        queues.dedup();
        if !queues.is_empty() {
            return Ok(Self::Queues(queues));
        }
        let mut names: Vec<&str> = Vec::new();
        for instance in &manifest.instances {
            if !names.contains(&instance.node.name.as_str()) {
                names.push(&instance.node.name);
            }
        }
        Err(format!("the graph has no node `{text}`; it has: {}", names.join(", ")))
    }

    fn shows(&self, appended: &Appended) -> bool {
        match self {
            Self::Queues(queues) => queues.contains(&appended.queue),
            Self::After(after) => *after == appended.after,
        }
    }
}

impl RecordPrinter {
    pub fn new(out: Box<dyn Write>, form: Form, sorted: bool, only: Vec<Only>) -> Self {
        Self { out, form, sorted, only }
    }
}

impl Observer for RecordPrinter {
    fn appended(&mut self, manifest: &Manifest, appended: &Appended) -> Result<(), DeviceError> {
        if !self.only.is_empty() && !self.only.iter().any(|only| only.shows(appended)) {
            return Ok(());
        }
        let mut records: Vec<&Record> = appended.records.iter().collect();
        if self.sorted {
            let layout = layout(manifest, appended);
            // Those without memory are last.
            records.sort_by_cached_key(|record| match &record.bytes {
                Some(bytes) => (false, key(layout, bytes)),
                None => (true, Vec::new()),
            });
        }
        let mut lines: Vec<String> = match self.form {
            Form::Text => records.into_iter().map(|record| self.text(manifest, appended, record)).collect(),
            Form::Lines if records.is_empty() => vec![json(manifest, appended, None, self.sorted)],
            Form::Lines => {
                let json = |record| json(manifest, appended, Some(record), self.sorted);
                records.into_iter().map(json).collect()
            }
        };
        if self.form == Form::Text {
            lines.insert(0, heading(manifest, appended));
        }
        let written = lines.iter().try_for_each(|line| writeln!(self.out, "{line}"));
        // A failing run still shows the records before the failure.
        match written.and_then(|()| self.out.flush()) {
            // The reader of the pipe has closed it.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => {
                let why = error.to_string();
                let why = why.split(" (os error").next().unwrap_or(&why).to_lowercase();
                Err(DeviceError { message: format!("cannot write the records: {why}"), cause: Cause::Output })
            }
            Ok(()) => Ok(()),
        }
    }
}

impl RecordPrinter {
    fn text(&self, manifest: &Manifest, appended: &Appended, record: &Record) -> String {
        let mut line = String::from(" ");
        if !self.sorted {
            let spilled = if record.spilled { ", spilled" } else { "" };
            let _ = write!(line, " [{}{spilled}]", record.index);
        }
        if let Some([x, y, z]) = record.grid {
            let _ = write!(line, " grid {x} {y} {z}");
        }
        line + " " + &contents(manifest, appended, record)
    }
}

/// Returns a heading: `after stage 0 (Split): 3 records for Square`
fn heading(manifest: &Manifest, appended: &Appended) -> String {
    let Appended { dispatch, sweep, count, .. } = appended;
    let sweep = if *sweep == 0 { String::new() } else { format!(", sweep {sweep}") };
    let after = match appended.after {
        After::Inject => "inject".to_owned(),
        After::Stage(stage) => format!("stage {stage} ({})", labels(manifest, &appended.from).join(", ")),
    };
    let empty = if appended.records.is_empty() { "empty " } else { "" };
    let s = if *count == 1 { "" } else { "s" };
    let nodes = labels(manifest, &appended.nodes).join(", ");
    format!("dispatch {dispatch}{sweep}, after {after}: {count} {empty}record{s} for {nodes}")
}

fn labels<'m>(manifest: &'m Manifest, instances: &[u32]) -> Vec<&'m str> {
    instances.iter().filter_map(|i| manifest.instances.get(*i as usize)).map(|i| i.label.as_str()).collect()
}

/// Writes one line; for empty records it has their count.
fn json(manifest: &Manifest, appended: &Appended, record: Option<&Record>, sorted: bool) -> String {
    let list = |instances: &[u32]| -> String {
        labels(manifest, instances).into_iter().map(quoted).collect::<Vec<_>>().join(",")
    };
    let mut line = format!("{{\"dispatch\":{}", appended.dispatch);
    if appended.sweep != 0 {
        let _ = write!(line, ",\"sweep\":{}", appended.sweep);
    }
    match appended.after {
        After::Inject => line += ",\"after\":\"inject\"",
        After::Stage(stage) => {
            let _ = write!(line, ",\"after\":{stage},\"from\":[{}]", list(&appended.from));
        }
    }
    let _ = write!(line, ",\"queue\":{},\"nodes\":[{}]", appended.queue, list(&appended.nodes));
    match record {
        None => {
            let _ = write!(line, ",\"count\":{}", appended.count);
        }
        Some(record) => {
            if !sorted {
                let _ = write!(line, ",\"index\":{}", record.index);
                line += if record.spilled { ",\"spilled\":true" } else { "" };
            }
            if let Some([x, y, z]) = record.grid {
                let _ = write!(line, ",\"grid\":[{x},{y},{z}]");
            }
            let _ = write!(line, ",\"record\":{}", contents(manifest, appended, record));
        }
    }
    line + "}"
}

/// Returns the layout of the records, if the package has it.
fn layout<'m>(manifest: &'m Manifest, appended: &Appended) -> Option<&'m StructLayout> {
    let node = appended.nodes.first().and_then(|node| manifest.instances.get(*node as usize));
    node.and_then(|node| manifest.record(node))
}

/// Writes the fields of a record; its words if the package has no layout; `null` if it has no memory.
fn contents(manifest: &Manifest, appended: &Appended, record: &Record) -> String {
    let Some(bytes) = &record.bytes else { return "null".to_owned() };
    match layout(manifest, appended) {
        Some(layout) => record_json(layout, bytes),
        None => {
            let words =
                bytes.chunks(4).map(|word| word.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b)).to_string());
            format!("[{}]", words.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Quotes a string for JSON.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
