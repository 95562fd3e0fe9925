//! The server's state: open documents, their programs and the database.
//!
//! A file belongs to the programs of `wgc.json` that read it as a translation unit or header. If there are none, it
//! belongs to the programs of other open documents that include it. Otherwise it is a program of its own.

use super::builtins;
use super::documents::{Change, Document, MAX_BYTES, Overlay};
use super::features::tokens::Sent;
use super::positions::{Encoding, Lines};
use super::uri::{path_of, uri_of};
use crate::cli::options::{Command, Opt};
use crate::cli::parse::{self, Invocation, Request};
use crate::described::{Levels, program_of};
use crate::internal_error;
use crate::project::manifest::Manifest;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use wgc_sema::Compiler;
use wgc_sema::db::items::unit;
use wgc_sema::db::units;
use wgc_sema::db::{Db, FileLoader, Options, Program, is_built_in, normalize};

/// The origin of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// A `wgc.json` and a name in it.
    Named(String, String),
    /// The path of a document.
    Document(String),
}

/// A program and its description: equal descriptions share a program.
#[derive(Clone, Debug, PartialEq)]
struct KnownProgram {
    program: Program,
    units: Vec<(String, Options)>,
    options: Options,
    manner: Arc<Manner>,
}

/// The name and warning levels of a program, which its queries do not depend on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Manner {
    name: String,
    levels: Levels,
}

pub struct World {
    db: Compiler,
    sent: Sent,
    overlay: Overlay,
    encoding: Encoding,
    /// By path.
    open: IndexMap<String, Document>,
    known: IndexMap<Origin, KnownProgram>,
    /// Messages about invalid project files and settings, each sent once.
    reported: IndexSet<String>,
    /// Problems of a document's project, by its path.
    wrong: FxHashMap<String, Vec<String>>,
    /// The `wgc.json` of a document, by its path.
    manifests: FxHashMap<String, String>,
    /// Command-line options from the client, for all documents.
    arguments: Vec<String>,
    /// The base of relative directories in these options; without it, the server's directory.
    root: Option<PathBuf>,
}

/// The state that a request sees, between two changes.
#[derive(Clone)]
pub struct Snapshot {
    pub db: Compiler,
    /// The last semantic tokens sent.
    pub sent: Sent,
    pub encoding: Encoding,
    /// Path, URI and version of open documents.
    open: Arc<IndexMap<String, (String, i32)>>,
    named: Arc<[Program]>,
    /// By path.
    own: Arc<IndexMap<String, Program>>,
    /// Paths of documents that are too large to read.
    large: Arc<IndexSet<String>>,
    /// Programs that are too large to analyze.
    large_programs: Arc<[Program]>,
    manners: Arc<FxHashMap<Program, Arc<Manner>>>,
    /// Copies of the maps in [`World`].
    wrong: Arc<FxHashMap<String, Vec<String>>>,
    manifests: Arc<FxHashMap<String, String>>,
    missing: Arc<[Missing]>,
    /// Computed on first use.
    index: Arc<OnceLock<Index>>,
}

/// An unreadable file of a program in `wgc.json`.
#[derive(Debug)]
struct Missing {
    manifest: String,
    program: Program,
    message: String,
}

/// The programs that read a file, by its path.
#[derive(Debug, Default)]
struct Index {
    named: FxHashMap<String, Vec<Program>>,
    /// With the documents whose programs they are.
    own: FxHashMap<String, Vec<(String, Program)>>,
    /// Programs that are too large: nothing else is known about their files.
    large: FxHashMap<String, Program>,
}

/// The token limit of programs to analyze: each token takes up to two kilobytes.
pub const MAX_TOKENS: usize = 500_000;

/// The limit of open documents for prefetches: each new document looks at all others.
const MAX_AHEAD: usize = 64;

/// Counts the tokens of a program. Nothing may fail here, so a panic counts as none; the requests report it.
fn size(db: &Compiler, program: Program) -> usize {
    let tokens = || {
        internal_error::simulate(Some("wgc/size"));
        units(db, program).into_iter().map(|part| unit(db, part).unit.tokens.len()).sum()
    };
    internal_error::isolated(tokens).unwrap_or(0)
}

impl World {
    pub fn new(encoding: Encoding, arguments: Vec<String>, root: Option<PathBuf>) -> World {
        let overlay = Overlay::default();
        let db = Compiler::new(Box::new(overlay.clone()));
        let (open, known, reported) = (IndexMap::new(), IndexMap::new(), IndexSet::new());
        let (wrong, manifests) = (FxHashMap::default(), FxHashMap::default());
        World { db, sent: Sent::default(), overlay, encoding, open, known, reported, wrong, manifests, arguments, root }
    }

    pub fn snapshot(&self) -> Snapshot {
        let open = self.open.iter().map(|(path, document)| (path.clone(), (document.uri.clone(), document.version)));
        let is_large = |known: &&KnownProgram| size(&self.db, known.program) > MAX_TOKENS;
        let mut large: IndexSet<String> = self
            .open
            .iter()
            .filter(|(_, document)| document.text.len() > MAX_BYTES)
            .map(|(path, _)| path.clone())
            .collect();
        let mut large_programs = Vec::new();
        for (origin, known) in self.known.iter().filter(|(_, known)| is_large(known)) {
            large_programs.push(known.program);
            if let Origin::Document(path) = origin {
                large.insert(path.clone());
            }
        }
        let named = self.known.iter().filter(|(origin, _)| matches!(origin, Origin::Named(..)));
        let named = named.map(|(_, known)| known.program).filter(|program| !large_programs.contains(program)).collect();
        // Settings such as `wgc.json` are no shaders, regardless of the client's language ID.
        let is_read = |path: &String| self.open.contains_key(path) && !large.contains(path) && !path.ends_with(".json");
        let own = self.known.iter().filter_map(|(origin, known)| match origin {
            Origin::Document(path) if is_read(path) => Some((path.clone(), known.program)),
            _ => None,
        });
        let own = Arc::new(own.collect());
        Snapshot {
            db: self.db.clone(),
            sent: self.sent.clone(),
            encoding: self.encoding,
            open: Arc::new(open.collect()),
            named,
            own,
            large: Arc::new(large),
            large_programs: large_programs.into(),
            wrong: Arc::new(self.wrong.clone()),
            manifests: Arc::new(self.manifests.clone()),
            missing: self.missing().into(),
            index: Arc::default(),
            manners: Arc::new(self.known.values().map(|known| (known.program, known.manner.clone())).collect()),
        }
    }

    /// Returns the unreadable files of named programs.
    fn missing(&self) -> Vec<Missing> {
        let mut out = Vec::new();
        for (origin, known) in &self.known {
            let Origin::Named(manifest, name) = origin else { continue };
            for (path, _) in known.units.iter().filter(|(path, _)| !self.db.file(path).exists(&self.db)) {
                let why = self.overlay.standing(path).refusal.unwrap_or_else(|| "no such file".into());
                let message = format!("{manifest}: program `{name}`: cannot read {path}: {why}");
                out.push(Missing { manifest: manifest.clone(), program: known.program, message });
            }
        }
        out
    }

    /// Opens a document. Returns messages about invalid project files.
    pub fn open(&mut self, uri: &str, version: i32, text: &str) -> Vec<String> {
        let path = normalize(&path_of(uri));
        let document = Document { uri: uri.to_owned(), version, text: text.as_bytes().into() };
        self.set(&path, Some(document.text.clone()));
        self.open.insert(path.clone(), document);
        let messages = self.project(&path);
        self.news(messages)
    }

    /// Returns the messages that were not sent before.
    fn news(&mut self, messages: Vec<String>) -> Vec<String> {
        messages.into_iter().filter(|message| self.reported.insert(message.clone())).collect()
    }

    /// Finds the programs of all documents. Returns messages like [`World::open`]; a problem that was fixed in between
    /// is reported again.
    fn project_all(&mut self) -> Vec<String> {
        let open: Vec<String> = self.open.keys().cloned().collect();
        let messages: IndexSet<String> = open.iter().flat_map(|path| self.project(path)).collect();
        self.reported.retain(|message| messages.contains(message));
        self.news(messages.into_iter().collect())
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Vec<Change>) {
        let path = normalize(&path_of(uri));
        let Some(document) = self.open.get_mut(&path) else { return };
        document.change(version, changes, self.encoding);
        let text = document.text.clone();
        self.set(&path, Some(text));
    }

    /// Returns the number of values in the database, obsolete ones included.
    pub fn stored_values(&mut self) -> usize {
        self.db.stored_values()
    }

    /// Forgets everything but the open documents.
    pub fn renew(&mut self) {
        self.db = Compiler::new(Box::new(self.overlay.clone()));
        self.known.clear();
        let open: Vec<String> = self.open.keys().cloned().collect();
        // These problems were reported when the documents were opened.
        open.iter().for_each(|path| _ = self.project(path));
    }

    /// Sets other options for all documents. Returns messages like [`World::open`].
    pub fn configure(&mut self, arguments: &[String]) -> Vec<String> {
        if self.arguments == arguments {
            return Vec::new();
        }
        self.arguments = arguments.to_vec();
        self.reported.clear();
        self.project_all()
    }

    /// Changes the base of relative directories in the client's options. Returns messages like [`World::open`].
    pub fn move_to(&mut self, root: Option<PathBuf>) -> Vec<String> {
        if self.root == root {
            return Vec::new();
        }
        self.root = root;
        self.reported.clear();
        self.project_all()
    }

    /// Returns whether too many documents are open for prefetches.
    pub fn is_busy(&self) -> bool {
        self.open.len() > MAX_AHEAD
    }

    /// Returns whether more than one document is open.
    pub fn shows_several(&self) -> bool {
        self.open.len() > 1
    }

    pub fn close(&mut self, uri: &str) {
        let path = normalize(&path_of(uri));
        if self.open.shift_remove(&path).is_some() {
            self.sent.forget(&path);
            self.wrong.remove(&path);
            self.manifests.remove(&path);
            self.forget(|origin| matches!(origin, Origin::Document(closed) if *closed == path));
            self.set(&path, None);
        }
    }

    /// Handles files that changed on disk, by URI. Returns messages like [`World::open`].
    pub fn changed_on_disk(&mut self, uris: &[String]) -> Vec<String> {
        let paths: Vec<String> = uris.iter().map(|uri| normalize(&path_of(uri))).collect();
        for path in &paths {
            if !self.open.contains_key(path) {
                self.set(path, None);
            }
        }
        if !paths.iter().any(|path| path.ends_with(".json")) {
            return Vec::new();
        }
        // A deleted project has no programs.
        self.forget(|origin| matches!(origin, Origin::Named(file, _) if !Path::new(file).is_file()));
        self.project_all()
    }

    /// Sets the client's text, or the one on disk.
    fn set(&mut self, path: &str, text: Option<Arc<[u8]>>) {
        self.overlay.set(path, text);
        self.db.set_text(path, self.overlay.load(path).as_deref());
    }

    /// Finds the programs of a document.
    fn project(&mut self, path: &str) -> Vec<String> {
        let mut messages = Vec::new();
        if builtins::is_copy(path) {
            return messages;
        }
        self.manifests.remove(path);
        match Manifest::of(Path::new(path).parent().unwrap_or(Path::new(""))) {
            Ok(None) => {}
            Ok(Some(manifest)) => {
                let file = manifest.path().to_string_lossy().into_owned();
                self.manifests.insert(path.to_owned(), file.clone());
                let names: Vec<String> = manifest.names().map(str::to_owned).collect();
                self.forget(|origin| matches!(origin, Origin::Named(f, name) if *f == file && !names.contains(name)));
                for name in names {
                    let check = Invocation { command: Command::Check, ..Invocation::default() };
                    let described = manifest.invocation(&name, &check).and_then(|invocation| {
                        let manner = Manner { name: name.clone(), levels: Levels::of(&invocation)? };
                        Ok((program_of(&invocation)?, manner))
                    });
                    match described {
                        Ok((program, manner)) => self.know(Origin::Named(file.clone(), name), program, manner),
                        Err(message) => messages.push(message),
                    }
                }
            }
            Err(message) => messages.push(message),
        }
        match messages.is_empty() {
            true => _ = self.wrong.remove(path),
            false => _ = self.wrong.insert(path.to_owned(), messages.clone()),
        }
        let own = Invocation { command: Command::Check, ..self.given(&mut messages) };
        let name =
            Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
        let levels = Levels::of(&own).unwrap_or_default();
        // A missing folder restricts includes even more, so it stays.
        let include_roots = own.values(Opt::IncludeRoot).map(str::to_owned).collect();
        let program = program_of(&Invocation { files: vec![path.to_owned()], ..own }).unwrap_or_else(|message| {
            messages.push(message);
            let options = Options { include_roots, ..Options::default() };
            (vec![(path.to_owned(), options.clone())], options)
        });
        self.know(Origin::Document(path.to_owned()), program, Manner { name, levels });
        messages
    }

    /// Returns the client's arguments, without the invalid ones.
    fn given(&self, messages: &mut Vec<String>) -> Invocation {
        let mut invocation = match options_of(&self.arguments) {
            Ok(invocation) => invocation,
            Err(message) => {
                messages.push(format!("the setting `wgc.arguments`: {message}"));
                without_wrong(&self.arguments)
            }
        };
        for (opt, value) in &mut invocation.options {
            if let (Opt::Include | Opt::IncludeRoot | Opt::Host, Some(root)) = (*opt, &self.root) {
                *value = root.join(value.as_str()).to_string_lossy().into_owned();
            }
        }
        invocation
    }

    fn know(&mut self, origin: Origin, (units, options): (Vec<(String, Options)>, Options), manner: Manner) {
        let manner = Arc::new(manner);
        if let Some(known) = self.known.get_mut(&origin)
            && known.units == units
            && known.options == options
        {
            known.manner = manner;
            return;
        }
        let program = match units.as_slice() {
            [(path, own)] => self.db.add_program(&[path], own.clone()),
            several => {
                let units = several.iter().map(|(path, own)| (path.as_str(), own.clone())).collect();
                self.db.add_whole(units, options.clone())
            }
        };
        if let Some(old) = self.known.insert(origin, KnownProgram { program, units, options, manner }) {
            self.db.forget(old.program);
        }
    }

    /// Drops obsolete programs.
    fn forget(&mut self, is_gone: impl Fn(&Origin) -> bool) {
        let gone = self.known.extract_if(.., |origin, _| is_gone(origin));
        gone.for_each(|(_, known)| self.db.forget(known.program));
    }
}

/// Parses a client's arguments for all documents.
///
/// # Errors
/// The reason why they are invalid, for the user.
fn options_of(arguments: &[String]) -> Result<Invocation, String> {
    let args: Vec<String> = ["check".to_owned()].into_iter().chain(arguments.iter().cloned()).collect();
    match parse::parse(&args).map_err(|error| error.0)? {
        Request::Run(invocation) if invocation.files.is_empty() => {
            Levels::of(&invocation)?;
            // Some values are only parsed together with a file.
            let (files, options) = (vec![String::new()], invocation.options.clone());
            program_of(&Invocation { command: Command::Check, files, options, ..Invocation::default() })?;
            Ok(invocation)
        }
        _ => Err("only options are allowed".to_owned()),
    }
}

/// The maximum number of arguments that one option and its values take.
const LONGEST_OPTION: usize = 3;

/// Returns the arguments without the one invalid option, or none of them if several are invalid.
fn without_wrong(arguments: &[String]) -> Invocation {
    let without = |lo: usize, count: usize| {
        let hi = lo + count;
        (hi <= arguments.len()).then(|| options_of(&[&arguments[..lo], &arguments[hi..]].concat()).ok()).flatten()
    };
    // From the end, so that no earlier option takes the next argument as its value.
    let cut = |count: usize| (0..arguments.len()).rev().find_map(|lo| without(lo, count));
    (1..=LONGEST_OPTION).find_map(cut).unwrap_or_default()
}

impl Snapshot {
    /// Returns the path of a document.
    pub fn path(&self, uri: &str) -> String {
        normalize(&path_of(uri))
    }

    /// Returns the warning levels of a program.
    pub fn levels(&self, program: Program) -> Levels {
        self.manners.get(&program).map(|manner| manner.levels.clone()).unwrap_or_default()
    }

    /// Returns the name of a program: its name in `wgc.json`, or its file's name.
    pub fn name(&self, program: Program) -> String {
        self.manners.get(&program).map(|manner| manner.name.clone()).unwrap_or_default()
    }

    /// Returns the URI of the last opened document.
    pub fn last_opened(&self) -> Option<String> {
        self.open.last().map(|(_, (uri, _))| uri.clone())
    }

    /// Returns the URI of a path, in the client's spelling if the file is open. A built-in text has a file of its own.
    pub fn uri(&self, path: &str) -> String {
        if wgc_sema::db::is_built_in(path)
            && let Some(file) = builtins::file_of(path, &self.text(path))
        {
            return uri_of(&file);
        }
        self.open.get(path).map_or_else(|| uri_of(path), |(uri, _)| uri.clone())
    }

    /// Returns the version of an open document.
    pub fn version(&self, path: &str) -> Option<i32> {
        self.open.get(path).map(|(_, version)| *version)
    }

    pub fn text(&self, path: &str) -> Arc<[u8]> {
        self.db.file(path).text(&self.db)
    }

    pub fn lines(&self, path: &str) -> Lines {
        Lines::new(&self.text(path), self.encoding)
    }

    /// Returns the files that a program reads.
    pub fn files_of(&self, program: Program) -> Vec<String> {
        let parts = units(&self.db, program).into_iter();
        let files = parts.flat_map(|part| unit(&self.db, part).files.iter().map(|file| file.path(&self.db).to_owned()));
        files.filter(|path| !is_built_in(path)).collect()
    }

    /// Returns the document or program that exceeds the size limits, for messages.
    pub fn large(&self, path: &str) -> Option<String> {
        if self.large.contains(path) {
            return Some("this".into());
        }
        let index = self.index();
        let program = index.large.get(path).filter(|_| self.programs_of(path).is_empty())?;
        Some(format!("the program `{}`, which reads this file,", self.name(*program)))
    }

    /// Returns the problems of a document's project: those of its programs, or all if it belongs to none.
    pub fn troubles(&self, path: &str) -> Vec<String> {
        let mut out = self.wrong.get(path).cloned().unwrap_or_default();
        let Some(manifest) = self.manifests.get(path) else { return out };
        let is_named = self.index().named.contains_key(path) || self.index().large.contains_key(path);
        let concerns = |missing: &&Missing| {
            missing.manifest == *manifest && (!is_named || self.programs_of(path).contains(&missing.program))
        };
        out.extend(self.missing.iter().filter(concerns).map(|missing| missing.message.clone()));
        out
    }

    /// Returns the index from files to programs. Built once: a client may have thousands of documents.
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for program in self.named.iter() {
                for file in self.files_of(*program) {
                    let of_file = index.named.entry(file).or_default();
                    if of_file.last() != Some(program) {
                        of_file.push(*program);
                    }
                }
            }
            for (document, program) in self.own.iter() {
                for file in self.files_of(*program) {
                    let of_file = index.own.entry(file).or_default();
                    if of_file.last().is_none_or(|(last, _)| last != document) {
                        of_file.push((document.clone(), *program));
                    }
                }
            }
            for program in self.large_programs.iter() {
                for file in self.files_of(*program) {
                    index.large.entry(file).or_insert(*program);
                }
            }
            index
        })
    }

    /// Returns the programs of a file: at least one, unless they are too large. It is a program of its own only if no
    /// other known program reads it.
    pub fn programs_of(&self, path: &str) -> Vec<Program> {
        let index = self.index();
        if let Some(named) = index.named.get(path) {
            return named.clone();
        }
        let own = index.own.get(path).into_iter().flatten();
        let others: Vec<Program> = own.filter(|(other, _)| other != path).map(|(_, program)| *program).collect();
        if !others.is_empty() {
            return others;
        }
        match index.large.contains_key(path) {
            true => Vec::new(),
            false => self.own.get(path).copied().into_iter().collect(),
        }
    }

    pub fn open_paths(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    /// Returns open documents and all other files of their programs, without duplicates.
    pub fn paths(&self) -> Vec<String> {
        let mut out: indexmap::IndexSet<String> = self.open.keys().cloned().collect();
        out.extend(self.programs().into_iter().flat_map(|program| self.files_of(program)));
        out.into_iter().collect()
    }

    /// Returns all known programs without duplicates: those of `wgc.json`, and those of other open documents.
    pub fn all_programs(&self) -> Vec<Program> {
        let mut out = self.programs();
        out.extend(self.named.iter().filter(|program| !out.contains(program)).copied().collect::<Vec<_>>());
        out
    }

    /// Returns the programs of all open documents, without duplicates.
    pub fn programs(&self) -> Vec<Program> {
        let mut out: Vec<Program> = Vec::new();
        for path in self.open.keys() {
            let of = self.programs_of(path);
            out.extend(of.into_iter().filter(|program| !out.contains(program)).collect::<Vec<_>>());
        }
        out
    }
}
