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
use crate::internal_error;
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
    /// Messages about files of projects and settings that are wrong: each is told once.
    told: IndexSet<String>,
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

/// The tokens of a program. Where reading it is a mistake of ours, each request says so: none here, where nothing may fail.
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
        let (open, known, told) = (IndexMap::new(), IndexMap::new(), IndexSet::new());
        World { db, sent: Sent::default(), overlay, encoding, open, known, told, arguments, root }
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
        let messages = self.project(&path);
        self.news(messages)
    }

    /// Messages that were not told yet.
    fn news(&mut self, messages: Vec<String>) -> Vec<String> {
        messages.into_iter().filter(|message| self.told.insert(message.clone())).collect()
    }

    /// Finds out which programs all documents have. Messages as of [`World::open`]: what is right by now may be wrong again.
    fn project_all(&mut self) -> Vec<String> {
        let open: Vec<String> = self.open.keys().cloned().collect();
        let messages: IndexSet<String> = open.iter().flat_map(|path| self.project(path)).collect();
        self.told.retain(|message| messages.contains(message));
        self.news(messages.into_iter().collect())
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
        self.told.clear();
        self.project_all()
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
        let paths: Vec<String> = uris.iter().map(|uri| normalize(&path_of(uri))).collect();
        for path in &paths {
            if !self.open.contains_key(path) {
                self.set(path, None);
            }
        }
        if !paths.iter().any(|path| path.ends_with(".json")) {
            return Vec::new();
        }
        // A project that is gone has no programs.
        self.forget(|origin| matches!(origin, Origin::Named(file, _) if !Path::new(file).is_file()));
        self.project_all()
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
        let levels = Levels::of(&own).unwrap_or_default();
        // A folder that is not there confines all the more.
        let include_roots = own.values(Opt::IncludeRoot).map(str::to_owned).collect();
        let program = program_of(&Invocation { files: vec![path.to_owned()], ..own }).unwrap_or_else(|message| {
            messages.push(message);
            let options = Options { include_roots, ..Options::default() };
            (vec![(path.to_owned(), options.clone())], options)
        });
        self.know(Origin::Document(path.to_owned()), program, Manner { name, levels });
        messages
    }

    /// The client's arguments, those that are wrong left out.
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

/// What a client's arguments say of all documents.
///
/// # Errors
/// What is wrong with them, for the user.
fn options_of(arguments: &[String]) -> Result<Invocation, String> {
    let args: Vec<String> = ["check".to_owned()].into_iter().chain(arguments.iter().cloned()).collect();
    match parse::parse(&args).map_err(|error| error.0)? {
        Request::Run(invocation) if invocation.files.is_empty() => {
            Levels::of(&invocation)?;
            // Some values are read with a file alone.
            let (files, options) = (vec![String::new()], invocation.options.clone());
            program_of(&Invocation { command: Command::Check, files, options, ..Invocation::default() })?;
            Ok(invocation)
        }
        _ => Err("it is for options alone".to_owned()),
    }
}

/// An option with its values is so many words.
const LONGEST_OPTION: usize = 3;

/// What is left of arguments without the option that is wrong. Without all, where several are.
fn without_wrong(arguments: &[String]) -> Invocation {
    let without = |lo: usize, count: usize| {
        let hi = lo + count;
        (hi <= arguments.len()).then(|| options_of(&[&arguments[..lo], &arguments[hi..]].concat()).ok()).flatten()
    };
    // From the last: in front of what is left out, nothing becomes the value of another option.
    let cut = |count: usize| (0..arguments.len()).rev().find_map(|lo| without(lo, count));
    (1..=LONGEST_OPTION).find_map(cut).unwrap_or_default()
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
