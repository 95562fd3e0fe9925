//! The host's decisions about a graph, in addition to the HLSL source: a JSON file (docs/host-json.md).
//!
//! This module turns the file into values, each with the number of its location in the text; [`overrides`] applies them
//! to the contracts of nodes. The keys are those of the D3D12 structures (`D3D12_SHADER_NODE` and its members).

pub mod json;
pub mod overrides;

use crate::db::def::HostPlace;
use crate::db::diagnostic::{Diagnostic, FileRange};
use crate::db::{Db, Program, SourceFile};
use crate::graph::{excessive_index, parse_id};
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use crate::tables::similar_names::closest;
use json::{Error, Json, Value};
use rustc_hash::FxHashSet;
use wgc_ir::NodeId;

/// A decision and the number of its value in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostValue<T> {
    pub value: T,
    pub location: u32,
}

/// The valid contents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Host {
    /// The nodes that the host starts; without a list, the nodes that are marked or that nothing targets.
    pub entries: Option<Vec<HostValue<NodeId>>>,
    /// Marked and untargeted nodes are entries in addition to the listed ones.
    pub include_all: bool,
    pub nodes: Vec<NodeOverride>,
    /// The text is not valid JSON.
    is_unreadable: bool,
    problems: Vec<HostValue<String>>,
}

/// `D3D12_BROADCASTING_LAUNCH_OVERRIDES` and those of the other launch modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeOverride {
    /// The function's name, or else the identity that it declares.
    pub node: HostValue<String>,
    pub name: Option<HostValue<NodeId>>,
    pub program_entry: Option<HostValue<bool>>,
    /// -1: automatic.
    pub local_root_index: Option<HostValue<i64>>,
    /// An inner `None`: the node shares no input, regardless of the shader.
    pub share_input_of: Option<HostValue<Option<NodeId>>>,
    pub dispatch_grid: Option<HostValue<[u32; 3]>>,
    pub max_dispatch_grid: Option<HostValue<[u32; 3]>>,
    pub outputs: Vec<OutputOverride>,
}

/// `D3D12_NODE_OUTPUT_OVERRIDES`, with the output's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputOverride {
    pub output: HostValue<String>,
    pub name: Option<HostValue<NodeId>>,
    pub allow_sparse_nodes: Option<HostValue<bool>>,
    pub max_records: Option<HostValue<u32>>,
    pub max_records_shared_with: Option<HostValue<String>>,
}

const HOST_KEYS: &[&str] = &["entries", "include_all", "nodes"];
const NODE_KEYS: &[&str] = &[
    "name",
    "program_entry",
    "local_root_arguments_table_index",
    "share_input_of",
    "dispatch_grid",
    "max_dispatch_grid",
    "outputs",
];
const OUTPUT_KEYS: &[&str] = &["name", "allow_sparse_nodes", "max_records", "max_records_shared_with"];

#[salsa::tracked(returns(ref))]
fn read(db: &dyn Db, file: SourceFile) -> Result<Json, Error> {
    json::parse(&file.text(db))
}

/// Reads a file. Files that differ only in white space give equal results.
#[salsa::tracked(returns(ref))]
pub(crate) fn host(db: &dyn Db, file: SourceFile) -> Host {
    let Ok(json) = read(db, file) else { return Host { is_unreadable: true, ..Host::default() } };
    let mut reader = Reader { json, problems: Vec::new() };
    let mut host = reader.host();
    host.problems = reader.problems;
    host
}

/// Returns the host's file of a program.
pub(crate) fn file(db: &dyn Db, program: Program) -> Option<SourceFile> {
    program.options(db).host.as_ref().map(|path| db.file(path))
}

/// Returns whether part of the file is unreadable, so that the host's decisions are unknown.
pub(crate) fn is_doubtful(db: &dyn Db, program: Program) -> bool {
    file(db, program).map(|file| host(db, file)).is_some_and(|host| host.is_unreadable || !host.problems.is_empty())
}

/// Returns the problems of the file alone: text, keys and types. A syntax error is in no value, so its location is
/// given in bytes.
pub(crate) fn problems<'db>(db: &'db dyn Db, file: SourceFile) -> (Vec<Diagnostic<'db>>, Option<(String, FileRange)>) {
    if let Err(error) = read(db, file) {
        let range = FileRange::new(file.path(db).into(), error.span.start, error.span.end);
        return (Vec::new(), Some((error.message.clone(), range)));
    }
    let problem = |problem: &HostValue<String>| {
        Diagnostic::new(Code::HostFile, HostPlace { file, value: problem.location }, problem.value.clone())
    };
    (host(db, file).problems.iter().map(problem).collect(), None)
}

/// Returns the location of a value in a host's file.
pub(crate) fn range(db: &dyn Db, place: HostPlace) -> FileRange {
    let spans = read(db, place.file).as_ref().map_or(&[][..], |json| &json.spans);
    let span = spans.get(place.value as usize).cloned().unwrap_or_default();
    FileRange::new(place.file.path(db).into(), span.start, span.end)
}

/// Reads values as the expected types; a value of another type is a problem and is skipped.
struct Reader<'a> {
    json: &'a Json,
    problems: Vec<HostValue<String>>,
}

impl<'a> Reader<'a> {
    fn value(&self, at: u32) -> &'a Value {
        &self.json.values[at as usize]
    }

    fn problem(&mut self, at: u32, message: String) {
        self.problems.push(HostValue { value: message, location: at });
    }

    fn wrong<T>(&mut self, at: u32, wanted: &str) -> Option<T> {
        let found = self.value(at).what();
        self.problem(at, format!("expected {wanted}, found {found}"));
        None
    }

    /// Returns the members of an object: key, location of the key, value. Keys outside of `known` are problems; for
    /// repeated keys the first counts. Without a list all keys are names.
    fn members(&mut self, at: u32, what: &str, known: Option<&[&str]>) -> Vec<(&'a str, u32, u32)> {
        let Value::Object(members) = self.value(at) else {
            return self.wrong(at, what).unwrap_or_default();
        };
        let mut out: Vec<(&str, u32, u32)> = Vec::new();
        let mut keys = FxHashSet::default();
        for (key_at, value) in members {
            let Value::Text(key) = self.value(*key_at) else { continue };
            if keys.contains(key) {
                self.problem(*key_at, format!("duplicate key `{key}`"));
            } else if let Some(known) = known.filter(|known| !known.contains(&key.as_str())) {
                let meant = match closest(key, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("expected one of: {}", known.join(", ")),
                };
                self.problem(*key_at, format!("unknown key `{key}`; {meant}"));
            } else {
                keys.insert(key);
                out.push((key, *key_at, *value));
            }
        }
        out
    }

    fn host(&mut self) -> Host {
        let mut host = Host::default();
        for (key, _, at) in self.members(0, "an object with the host's decisions", Some(HOST_KEYS)) {
            match key {
                "entries" => {
                    let list = self.list(at, "a list of nodes");
                    host.entries = list.map(|all| all.iter().filter_map(|at| self.node_id(*at)).collect());
                }
                "include_all" => host.include_all = self.truth(at).is_some_and(|truth| truth.value),
                _ => {
                    let nodes = self.members(at, "an object with a key for each node", None);
                    host.nodes = nodes.into_iter().map(|(name, key, value)| self.node(name, key, value)).collect();
                }
            }
        }
        host
    }

    fn node(&mut self, name: &str, key: u32, at: u32) -> NodeOverride {
        let mut out = NodeOverride {
            node: HostValue { value: name.to_owned(), location: key },
            name: None,
            program_entry: None,
            local_root_index: None,
            share_input_of: None,
            dispatch_grid: None,
            max_dispatch_grid: None,
            outputs: Vec::new(),
        };
        for (key, _, at) in self.members(at, "an object with changes to the node", Some(NODE_KEYS)) {
            match key {
                "name" => out.name = self.node_id(at),
                "program_entry" => out.program_entry = self.truth(at),
                "local_root_arguments_table_index" => {
                    out.local_root_index = self.number(at, -1, i64::from(u32::MAX), "an index, or -1 for automatic");
                }
                "share_input_of" if *self.value(at) == Value::Null => {
                    out.share_input_of = Some(HostValue { value: None, location: at });
                }
                "share_input_of" => {
                    out.share_input_of = self.node_id(at).map(|id| HostValue { value: Some(id.value), location: at });
                }
                "dispatch_grid" => out.dispatch_grid = self.grid(at),
                "max_dispatch_grid" => out.max_dispatch_grid = self.grid(at),
                _ => {
                    let outputs = self.members(at, "an object with a key for each output", None);
                    out.outputs = outputs.into_iter().map(|(name, key, value)| self.output(name, key, value)).collect();
                }
            }
        }
        out
    }

    fn output(&mut self, name: &str, key: u32, at: u32) -> OutputOverride {
        let mut out = OutputOverride {
            output: HostValue { value: name.to_owned(), location: key },
            name: None,
            allow_sparse_nodes: None,
            max_records: None,
            max_records_shared_with: None,
        };
        for (key, key_at, at) in self.members(at, "an object with changes to the output", Some(OUTPUT_KEYS)) {
            match key {
                "name" => out.name = self.node_id(at),
                "allow_sparse_nodes" => out.allow_sparse_nodes = self.truth(at),
                "max_records" => {
                    let number = self.number(at, 0, i64::from(u32::MAX), "a number of records");
                    out.max_records = number.map(|number| HostValue { value: number.value as u32, location: at });
                }
                _ => out.max_records_shared_with = self.text(at, "the name of an output"),
            }
            if out.max_records.is_some() && out.max_records_shared_with.is_some() {
                self.problem(key_at, format!("output `{name}` has both its own budget and a shared one"));
                out.max_records_shared_with = None;
            }
        }
        out
    }

    fn list(&mut self, at: u32, wanted: &str) -> Option<&'a [u32]> {
        match self.value(at) {
            Value::List(elements) => Some(elements),
            _ => self.wrong(at, wanted),
        }
    }

    fn text(&mut self, at: u32, wanted: &str) -> Option<HostValue<String>> {
        match self.value(at) {
            Value::Text(text) => Some(HostValue { value: text.clone(), location: at }),
            _ => self.wrong(at, wanted),
        }
    }

    /// Reads `name` or `name[3]`.
    fn node_id(&mut self, at: u32) -> Option<HostValue<NodeId>> {
        let text = self.text(at, "a node: \"name\" or \"name[index]\"")?;
        if text.value.is_empty() {
            self.problem(at, "empty node name".into());
            return None;
        }
        if let Some(index) = excessive_index(&text.value) {
            self.problem(
                at,
                format!("the index of a node must be at most {}, not {index}", grouped(u64::from(u32::MAX))),
            );
            return None;
        }
        Some(HostValue { value: parse_id(&text.value), location: at })
    }

    fn truth(&mut self, at: u32) -> Option<HostValue<bool>> {
        match self.value(at) {
            Value::Bool(value) => Some(HostValue { value: *value, location: at }),
            _ => self.wrong(at, "true or false"),
        }
    }

    fn number(&mut self, at: u32, least: i64, most: i64, wanted: &str) -> Option<HostValue<i64>> {
        let Value::Number(text) = self.value(at) else { return self.wrong(at, wanted) };
        let number = text.parse().ok().filter(|n| (least..=most).contains(n));
        if number.is_none() {
            self.problem(at, format!("expected {wanted}, found {text}"));
        }
        number.map(|value| HostValue { value, location: at })
    }

    fn grid(&mut self, at: u32) -> Option<HostValue<[u32; 3]>> {
        let wanted = "a grid: [x, y, z]";
        let list = self.list(at, wanted)?;
        let [x, y, z] = list else {
            self.problem(at, format!("expected {wanted}, found a list of {} elements", list.len()));
            return None;
        };
        let [x, y, z] = [x, y, z].map(|n| self.number(*n, 0, i64::from(u32::MAX), "a number of thread groups"));
        Some(HostValue { value: [x?.value as u32, y?.value as u32, z?.value as u32], location: at })
    }
}
