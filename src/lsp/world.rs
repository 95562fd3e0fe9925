//! What the server knows: open documents, the programs that they belong to, and the database that answers for both.
//!
//! A file's programs are those of `wgc.json` that have it, as a translation unit or as a header; else the programs of
//! other open documents that include it; else it is a program of its own.

use super::builtins;
use super::documents::{Change, Document, MOST_BYTES, Overlay};
use super::features::tokens::Sent;
use super::positions::{Encoding, Lines};
use super::uri::{path_of, uri_of};
use crate::cli::options::{Command, Opt};
use crate::cli::parse::{self, Invocation, Request};
use crate::commands::{Levels, program_of};
use crate::project::manifest::Manifest;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wgc_sema::db::{Compiler, Db, Options, Program, is_built_in, normalize};
use wgc_sema::items::unit;
use wgc_sema::whole::units;

/// How a program came to be known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// A `wgc.json` and a name in it.
    Named(String, String),
    /// A document, by its path.
    Document(String),
}

/// A program, and what made it: equal descriptions are one program.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    program: Program,
    units: Vec<(String, Options)>,
    options: Options,
    manner: Arc<Manner>,
}

/// What is not of the program itself, but of how it is spoken of.
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
    known: IndexMap<Origin, Known>,
    /// Command-line options that the client gives for all documents.
    arguments: Vec<String>,
    /// What directories among them are relative to, if not to where the server runs.
    root: Option<PathBuf>,
}

/// What a request sees: the state between two changes.
#[derive(Clone)]
pub struct Snapshot {
    pub db: Compiler,
    /// What clients were told of tokens.
    pub sent: Sent,
    pub encoding: Encoding,
    /// Path, URI and version of what is open.
    open: Arc<IndexMap<String, (String, i32)>>,
    named: Arc<[Program]>,
    /// By path.
    own: Arc<IndexMap<String, Program>>,
    /// Paths of documents that are not read.
    large: Arc<IndexSet<String>>,
    manners: Arc<FxHashMap<Program, Arc<Manner>>>,
}

/// Programs of more tokens are not read: what is known of one takes up to two kilobytes for each.
pub const MOST_TOKENS: usize = 500_000;

/// The tokens of a program.
fn size(db: &Compiler, program: Program) -> usize {
    units(db, program).into_iter().map(|part| unit(db, part).unit.tokens.len()).sum()
}

impl World {
    pub fn new(encoding: Encoding, arguments: Vec<String>, root: Option<PathBuf>) -> World {
        let overlay = Overlay::default();
        let db = Compiler::new(Box::new(overlay.clone()));
        let (open, known) = (IndexMap::new(), IndexMap::new());
        World { db, sent: Sent::default(), overlay, encoding, open, known, arguments, root }
    }

    pub fn snapshot(&self) -> Snapshot {
        let open = self.open.iter().map(|(path, document)| (path.clone(), (document.uri.clone(), document.version)));
        let read = |known: &&Known| size(&self.db, known.program) <= MOST_TOKENS;
        let named = self.known.iter().filter(|(origin, _)| matches!(origin, Origin::Named(..)));
        let named = named.map(|(_, known)| known).filter(read);
        let large = self.open.iter().filter(|(path, document)| {
            let known = self.known.get(&Origin::Document((*path).clone()));
            document.text.len() > MOST_BYTES || known.is_some_and(|known| !read(&known))
        });
        let large: IndexSet<String> = large.map(|(path, _)| path.clone()).collect();
        // Settings, such as `wgc.json`, are no shaders, whatever is said of their language.
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
            named: named.map(|known| known.program).collect(),
            own,
            large: Arc::new(large),
            manners: Arc::new(self.known.values().map(|known| (known.program, known.manner.clone())).collect()),
        }
    }

    /// Messages about files of the project that are wrong.
    pub fn open(&mut self, uri: &str, version: i32, text: &str) -> Vec<String> {
        let path = normalize(&path_of(uri));
        let document = Document { uri: uri.to_owned(), version, text: text.as_bytes().into() };
        self.set(&path, Some(document.text.clone()));
        self.open.insert(path.clone(), document);
        self.project(&path)
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Vec<Change>) {
        let path = normalize(&path_of(uri));
        let Some(document) = self.open.get_mut(&path) else { return };
        document.change(version, changes, self.encoding);
        let text = document.text.clone();
        self.set(&path, Some(text));
    }

    /// How much the database holds, of what is there and of what was.
    pub fn held(&mut self) -> usize {
        self.db.held()
    }

    /// Forgets all but what is open.
    pub fn renew(&mut self) {
        self.db = Compiler::new(Box::new(self.overlay.clone()));
        self.known.clear();
        let open: Vec<String> = self.open.keys().cloned().collect();
        // What is wrong was said when they were opened.
        open.iter().for_each(|path| _ = self.project(path));
    }

    /// Other options for all documents. Messages as of [`World::open`].
    pub fn configure(&mut self, arguments: &[String]) -> Vec<String> {
        if self.arguments == arguments {
            return Vec::new();
        }
        self.arguments = arguments.to_vec();
        let open: Vec<String> = self.open.keys().cloned().collect();
        let mut messages: Vec<String> = open.iter().flat_map(|path| self.project(path)).collect();
        messages.dedup();
        messages
    }

    /// Whether the client has more than one document open.
    pub fn shows_several(&self) -> bool {
        self.open.len() > 1
    }

    pub fn close(&mut self, uri: &str) {
        let path = normalize(&path_of(uri));
        if self.open.shift_remove(&path).is_some() {
            self.sent.forget(&path);
            self.set(&path, None);
        }
    }

    /// Something else changed files, by URI. Messages as of [`World::open`].
    pub fn changed_on_disk(&mut self, uris: &[String]) -> Vec<String> {
        let mut messages = Vec::new();
        for uri in uris {
            let path = normalize(&path_of(uri));
            if path.ends_with(".json") {
                // A project that is gone has no programs.
                self.forget(|origin| matches!(origin, Origin::Named(file, _) if !Path::new(file).is_file()));
                let open: Vec<String> = self.open.keys().cloned().collect();
                messages.extend(open.iter().flat_map(|path| self.project(path)));
            }
            if !self.open.contains_key(&path) {
                self.set(&path, None);
            }
        }
        messages.dedup();
        messages
    }

    /// The text that the client has, or that of the disk.
    fn set(&mut self, path: &str, text: Option<Arc<[u8]>>) {
        use wgc_sema::db::FileLoader;
        self.overlay.set(path, text);
        let text = self.overlay.load(path);
        let file = self.db.file(path);
        let same =
            file.exists(&self.db) == text.is_some() && *file.text(&self.db) == *text.as_deref().unwrap_or_default();
        if !same {
            self.db.set_text(path, text.as_deref());
        }
    }

    /// Finds out which programs a document has.
    fn project(&mut self, path: &str) -> Vec<String> {
        let mut messages = Vec::new();
        if builtins::is_copy(path) {
            return messages;
        }
        match Manifest::of(Path::new(path).parent().unwrap_or(Path::new(""))) {
            Ok(None) => {}
            Ok(Some(manifest)) => {
                let file = manifest.path().to_string_lossy().into_owned();
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
        let own = Invocation { command: Command::Check, ..self.given(&mut messages) };
        let name =
            Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
        let levels = Levels::of(&own).unwrap_or_else(|message| {
            messages.push(format!("the setting `wgc.arguments`: {message}"));
            Levels::default()
        });
        let program = program_of(&Invocation { files: vec![path.to_owned()], ..own }).unwrap_or_else(|message| {
            messages.push(message);
            let options = Options::default();
            (vec![(path.to_owned(), options.clone())], options)
        });
        self.know(Origin::Document(path.to_owned()), program, Manner { name, levels });
        messages
    }

    /// The client's arguments.
    fn given(&self, messages: &mut Vec<String>) -> Invocation {
        let args: Vec<String> = ["check".to_owned()].into_iter().chain(self.arguments.iter().cloned()).collect();
        let mut invocation = match parse::parse(&args) {
            Ok(Request::Run(invocation)) if invocation.files.is_empty() => invocation,
            Ok(_) => {
                messages.push("the setting `wgc.arguments` is for options alone".to_owned());
                Invocation::default()
            }
            Err(error) => {
                messages.push(format!("the setting `wgc.arguments`: {}", error.0));
                self.without_one().unwrap_or_default()
            }
        };
        for (opt, value) in &mut invocation.options {
            if let (Opt::Include | Opt::Host, Some(root)) = (*opt, &self.root) {
                *value = root.join(value.as_str()).to_string_lossy().into_owned();
            }
        }
        invocation
    }

    /// Those of the client's arguments that are right, where only one is wrong.
    fn without_one(&self) -> Option<Invocation> {
        // From the last: without the value of an option, what follows would be its value.
        (0..self.arguments.len()).rev().find_map(|wrong| {
            let others = self.arguments.iter().enumerate().filter(|(n, _)| *n != wrong).map(|(_, argument)| argument);
            let args: Vec<String> = ["check".to_owned()].into_iter().chain(others.cloned()).collect();
            match parse::parse(&args) {
                Ok(Request::Run(invocation)) if invocation.files.is_empty() => Some(invocation),
                _ => None,
            }
        })
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
        if let Some(old) = self.known.insert(origin, Known { program, units, options, manner }) {
            self.db.forget(old.program);
        }
    }

    /// Programs that are no more.
    fn forget(&mut self, is_gone: impl Fn(&Origin) -> bool) {
        let gone = self.known.extract_if(.., |origin, _| is_gone(origin));
        gone.for_each(|(_, known)| self.db.forget(known.program));
    }
}

impl Snapshot {
    /// The path of a document.
    pub fn path(&self, uri: &str) -> String {
        normalize(&path_of(uri))
    }

    /// How severe messages of a program are.
    pub fn levels(&self, program: Program) -> Levels {
        self.manners.get(&program).map(|manner| manner.levels.clone()).unwrap_or_default()
    }

    /// What a program is called: as in `wgc.json`, or as its file.
    pub fn name(&self, program: Program) -> String {
        self.manners.get(&program).map(|manner| manner.name.clone()).unwrap_or_default()
    }

    /// The URI of the document that was opened last.
    pub fn last_opened(&self) -> Option<String> {
        self.open.last().map(|(_, (uri, _))| uri.clone())
    }

    /// As the client spells it, where it knows the file. A built-in text has a file of its own.
    pub fn uri(&self, path: &str) -> String {
        if wgc_sema::db::is_built_in(path)
            && let Some(file) = builtins::file_of(path, &self.text(path))
        {
            return uri_of(&file);
        }
        self.open.get(path).map_or_else(|| uri_of(path), |(uri, _)| uri.clone())
    }

    /// Of an open document.
    pub fn version(&self, path: &str) -> Option<i32> {
        self.open.get(path).map(|(_, version)| *version)
    }

    pub fn text(&self, path: &str) -> Arc<[u8]> {
        self.db.file(path).text(&self.db)
    }

    pub fn lines(&self, path: &str) -> Lines {
        Lines::new(&self.text(path), self.encoding)
    }

    /// The files that a program is read from.
    pub fn files_of(&self, program: Program) -> Vec<String> {
        let parts = units(&self.db, program).into_iter();
        let files = parts.flat_map(|part| unit(&self.db, part).files.iter().map(|file| file.path(&self.db).to_owned()));
        files.filter(|path| !is_built_in(path)).collect()
    }

    /// Whether a document is larger than what is read.
    pub fn is_large(&self, path: &str) -> bool {
        self.large.contains(path)
    }

    /// The programs that a file is part of: one at least, unless those are too large.
    pub fn programs_of(&self, path: &str) -> Vec<Program> {
        let has = |program: &&Program| self.files_of(**program).iter().any(|file| file == path);
        let named: Vec<Program> = self.named.iter().filter(has).copied().collect();
        if !named.is_empty() {
            return named;
        }
        let others = self.own.iter().filter(|(other, _)| *other != path).map(|(_, program)| program);
        let others: Vec<Program> = others.filter(has).copied().collect();
        if !others.is_empty() {
            return others;
        }
        self.own.get(path).copied().into_iter().collect()
    }

    pub fn open_paths(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    /// Open documents, and all other files of their programs, each once.
    pub fn paths(&self) -> Vec<String> {
        let mut out: indexmap::IndexSet<String> = self.open.keys().cloned().collect();
        out.extend(self.programs().into_iter().flat_map(|program| self.files_of(program)));
        out.into_iter().collect()
    }

    /// All programs that are known, each once: those of `wgc.json`, and those of open documents that are in none.
    pub fn all_programs(&self) -> Vec<Program> {
        let mut out = self.programs();
        out.extend(self.named.iter().filter(|program| !out.contains(program)).copied().collect::<Vec<_>>());
        out
    }

    /// The programs of all open documents, each once.
    pub fn programs(&self) -> Vec<Program> {
        let mut out: Vec<Program> = Vec::new();
        for path in self.open.keys() {
            let of = self.programs_of(path);
            out.extend(of.into_iter().filter(|program| !out.contains(program)).collect::<Vec<_>>());
        }
        out
    }
}
