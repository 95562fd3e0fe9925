//! From JSON values to the model: every key, type and range that can be judged without the shader.

mod dispatch;
mod expect;
mod meshes;
mod resources;
mod scene;
mod settings;
mod values;

use std::path::Path;
use wgc_abi::file::Content;

use self::values::{Object, boolean, list, named, string, unsigned, word};
use super::error::{Checked, Fault, FileError, Source};
use super::model::{CpuSettings, EmulationSettings, ExpectedMessages, RunFile};
use wgc_json::{self as json, Value, ValueKind};

const KEYS: &[&str] = &[
    "shader",
    "defines",
    "args",
    "spec_constants",
    "entries",
    "targets",
    "resources",
    "resource_heap",
    "sampler_heap",
    "local_root_arguments",
    "dispatch",
    "emulation",
    "cpu",
    "expect",
    "expect_records",
    "expect_meshes",
    "expect_findings",
    "expect_messages",
];

impl RunFile {
    /// Reads and parses the file at `path`.
    ///
    /// # Errors
    /// It cannot be read, is not UTF-8, or is no run file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let bytes = wgc_abi::file::read_named(path, Content::RunFile)
            .map_err(|error| FileError::unreadable(path, format!("cannot read this file: {error}")))?;
        Self::of_bytes(bytes, path)
    }

    /// Parses the contents of a file; `path` is as in [`RunFile::parse`].
    ///
    /// # Errors
    /// They are not UTF-8, or no run file.
    pub fn of_bytes(bytes: Vec<u8>, path: &Path) -> Result<Self, FileError> {
        match String::from_utf8(bytes) {
            Ok(text) => Self::parse(text, path),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default());
                let place = Some(json::line_column(&text, valid));
                Err(FileError { place, ..FileError::unreadable(path, "this byte is not valid UTF-8".to_owned()) })
            }
        }
    }

    /// Parses `text`; `path` names it in messages, and its folder is the base of the names in it. For a pipe the base
    /// is the current folder.
    ///
    /// # Errors
    /// The first fault of the text, with its place.
    pub fn parse(text: String, path: &Path) -> Result<Self, FileError> {
        let nothing = Value { at: 0, end: 0, kind: ValueKind::Null };
        let (root, fault) = match json::parse(&text) {
            Ok(root) => {
                let duplicate = root.duplicate().map(Fault::from);
                (root, duplicate)
            }
            Err(error) => (nothing, Some(Fault::from(error))),
        };
        let is_stream = wgc_abi::stream::is_stream(path);
        let source = Source { file: path.to_owned(), is_stream, text, root };
        match fault {
            Some(fault) => Err(source.error(fault)),
            None => run_file(&source).map_err(|fault| source.error(fault)),
        }
    }
}

fn run_file(source: &Source) -> Checked<RunFile> {
    let root = Object::new(&source.root, "a run file", KEYS)?;
    let mut file = RunFile {
        source: source.clone(),
        shaders: Vec::new(),
        defines: Default::default(),
        args: Vec::new(),
        spec_constants: Default::default(),
        entries: None,
        targets: None,
        emulation: EmulationSettings::default(),
        cpu: CpuSettings::default(),
        resources: Vec::new(),
        resource_heap: None,
        sampler_heap: None,
        local_root_arguments: Vec::new(),
        dispatches: Vec::new(),
        expect: Vec::new(),
        expect_records: Vec::new(),
        expect_meshes: Vec::new(),
        expect_findings: None,
        expect_messages: None,
        declared: Vec::new(),
        roots: Vec::new(),
    };
    file.shaders = match root.get("shader") {
        Some(value) if matches!(value.kind, ValueKind::Array(_)) => strings(value)?,
        Some(value) => vec![string(value)?.to_owned()],
        None => Vec::new(),
    };
    if let Some(value) = root.get("defines") {
        for define in named(value)? {
            // `NAME`, or `NAME(a, b)`.
            let called = define.name.split_once('(').filter(|_| define.name.ends_with(')'));
            let called = called.map_or(define.name.as_str(), |(called, _)| called);
            let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
            if !called.starts_with(is_letter) || !called.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
                return Err(Fault::new(define.at, format!("{:?} is not a name of a macro", define.name)));
            }
            file.defines.insert(define.name, macro_text(define.value)?);
        }
    }
    if let Some(value) = root.get("args") {
        file.args = strings(value)?;
    }
    if let Some(value) = root.get("spec_constants") {
        for constant in named(value)? {
            let id = constant.name.parse::<u32>();
            let id = id.map_err(|_| Fault::new(constant.at, "keys of specialisation constants must be numbers"))?;
            file.spec_constants.insert(id, macro_text(constant.value)?);
        }
    }
    file.entries = root.get("entries").map(strings).transpose()?;
    file.targets = root.get("targets").map(targets).transpose()?;
    if let Some(value) = root.get("resources") {
        file.resources = resources::resources(value)?;
    }
    file.resource_heap = root.get("resource_heap").map(resources::heap).transpose()?;
    file.sampler_heap = root.get("sampler_heap").map(resources::heap).transpose()?;
    if let Some(value) = root.get("local_root_arguments") {
        file.local_root_arguments = resources::local_root_arguments(value)?;
    }
    file.dispatches = match root.get("dispatch") {
        Some(value) => dispatch::dispatches(value)?,
        None => return Err(Fault::new(source.root.at, "a run file needs a \"dispatch\"")),
    };
    if let Some(value) = root.get("emulation") {
        file.emulation = settings::emulation(value)?;
    }
    if let Some(value) = root.get("cpu") {
        file.cpu = settings::cpu(value)?;
    }
    if let Some(value) = root.get("expect") {
        file.expect = expect::expectations(value)?;
    }
    if let Some(value) = root.get("expect_records") {
        for node in named(value)? {
            file.expect_records.push(super::model::Named {
                value: unsigned(node.value)?,
                name: node.name,
                at: node.at,
            });
        }
    }
    if let Some(value) = root.get("expect_meshes") {
        file.expect_meshes = meshes::expected(value)?;
    }
    if let Some(value) = root.get("expect_findings") {
        file.expect_findings = Some((value.at, strings(value)?));
    }
    file.expect_messages = root.get("expect_messages").map(messages).transpose()?;
    Ok(file)
}

/// Reads names of targets, at least one.
fn targets(value: &Value) -> Checked<Vec<String>> {
    const KNOWN: [(&str, &str); 2] = [("spirv-amdx", "spirv-amdx"), ("spirv-emulated", "spirv-emulated")];
    let names = list(value)?.iter().map(|item| Ok(word(item, &KNOWN)?.to_owned())).collect::<Checked<Vec<_>>>()?;
    if names.is_empty() { Err(Fault::new(value.at, "a program needs at least one target")) } else { Ok(names) }
}

/// Reads a list of texts in their order, or an object with one.
fn messages(value: &Value) -> Checked<ExpectedMessages> {
    if matches!(value.kind, ValueKind::Array(_)) {
        return Ok(ExpectedMessages { texts: strings(value)?, any_order: false });
    }
    let object = Object::new(value, "an expectation of messages", &["texts", "any_order"])?;
    let Some(texts) = object.get("texts") else {
        return Err(Fault::new(value.at, "expected messages must be a list, or an object with a list of \"texts\""));
    };
    let any_order = object.get("any_order").map_or(Ok(false), boolean)?;
    Ok(ExpectedMessages { texts: strings(texts)?, any_order })
}

fn strings(value: &Value) -> Checked<Vec<String>> {
    list(value)?.iter().map(|item| Ok(string(item)?.to_owned())).collect()
}

/// Returns the text for a macro or a specialisation constant: strings unchanged, numbers and booleans as written.
fn macro_text(value: &Value) -> Checked<String> {
    match &value.kind {
        ValueKind::String(text) | ValueKind::Number(text) => Ok(text.clone()),
        ValueKind::Bool(value) => Ok(value.to_string()),
        _ => Err(Fault::new(value.at, format!("expected a string, a number or a boolean, found {}", value.describe()))),
    }
}
