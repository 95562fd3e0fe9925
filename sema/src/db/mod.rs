//! The database: inputs, the loader that stands for the file system, and the log that tests read.
//!
//! It does no I/O itself: a [`FileLoader`] given by the driver answers for paths. A file that does not exist is an
//! input too (`exists` is false), so that creating it later re-runs those who looked for it.
pub mod def;
pub mod diagnostic;
pub mod item_texts;
pub mod items;
pub mod reuse;
pub mod ty;
use crate::db::item_texts::Texts;
use crate::db::reuse::Memory;
use rustc_hash::FxHashMap;
pub use salsa::Cancelled;
use salsa::{Durability, Setter};
use std::sync::{Arc, Mutex, PoisonError};

/// A file by path; its text may be anything.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(deref)]
    pub path: String,
    #[returns(clone)]
    pub text: Arc<[u8]>,
    /// Something was there when the loader looked, or its text was set.
    #[returns(copy)]
    pub exists: bool,
    #[returns(ref)]
    pub standing: Standing,
}

/// Files that form one graph, with the options that change their meaning.
#[salsa::input(debug)]
pub struct Program {
    /// Read one after the other, as one translation unit.
    #[returns(ref)]
    pub roots: Vec<SourceFile>,
    /// In place of roots: programs whose nodes form the graph, see [`crate::link::program`].
    #[returns(ref)]
    pub units: Vec<Program>,
    #[returns(ref)]
    pub options: Options,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `-D NAME=VALUE`
    pub defines: Vec<(String, String)>,
    /// `-I DIR`, searched in this order after the directory of the including file.
    pub include_dirs: Vec<String>,
    /// Beginnings of included names, and the folders that they stand for.
    pub virtual_dirs: Vec<(String, String)>,
    /// `--include-root DIR`, absolute and without links: includes are found in these folders alone. Empty: everywhere.
    pub include_roots: Vec<String>,
    pub enable_16bit_types: bool,
    /// The year of `-HV`; 2021 without. Before that, `&&`, `||` and `?:` work component by component and evaluate all.
    pub hlsl_version: Option<u32>,
    /// `-Zpr`: matrices lie row by row where nothing else is said.
    pub row_major: bool,
    /// `-Gis`: all arithmetic is precise.
    pub precise: bool,
    /// `-fspv-use-legacy-buffer-matrix-order`: byte-address buffers hold matrices row by row, whatever their types say.
    pub legacy_buffer_matrices: bool,
    /// Compiled as part of wgc: the namespace `wgc::` may be used.
    pub internal: bool,
    /// Graph-level rows are off (`--library`).
    pub library: bool,
    /// A host's entry list, which replaces the resolved set.
    pub entries: Option<Vec<String>>,
    /// The path of a file with what the host decides, see [`crate::graph::host`].
    pub host: Option<String>,
    /// `-T cs_* -E NAME`: the function that is a compute entry point, whatever its attributes say.
    pub compute_entry: Option<String>,
    /// `--spec ID=VALUE`: values of specialisation constants in place of their defaults; later ones win.
    pub specialisation: Vec<(u32, String)>,
    /// `-fvk-*`
    pub bindings: crate::tables::binding_options::BindingOptions,
    /// Of `-T`, for the predefined macros; 6.8 without.
    pub shader_model: Option<(u32, u32)>,
    /// Of `-fspv-target-env`, for the predefined macros; 1.6 without.
    pub spirv_version: Option<(u32, u32)>,
}

/// What a loader knows of a path beside its contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The absolute path without links; `None`: the path itself, as of a document that is on no disk.
    pub real: Option<String>,
    /// Why a file that is there is not read.
    pub refusal: Option<String>,
}

/// The outside world: bytes of a path, or `None` when nothing is there.
pub trait FileLoader {
    fn load(&self, path: &str) -> Option<Vec<u8>>;

    /// What is known of a path beside its contents.
    fn standing(&self, path: &str) -> Standing {
        let _ = path;
        Standing::default()
    }

    /// Durable files are those of a library: they rarely change while the user edits.
    fn is_library(&self, path: &str) -> bool {
        let _ = path;
        false
    }
}

#[salsa::db]
pub trait Db: salsa::Database {
    /// The input for a path; the same normalised path gives the same input, whether or not a file is there.
    fn file(&self, path: &str) -> SourceFile;
    /// The built-in declarations (`stdlib/*.hlsl`), which never change.
    fn prelude(&self) -> Program;
    /// What was made of texts before the last edit.
    fn memory(&self) -> &Memory;
    /// What the files of programs were cut into.
    fn texts(&self) -> &Texts;
}

/// The one concrete database. Clones share everything; a clone is what a reader thread holds.
#[salsa::db]
#[derive(Clone)]
pub struct Compiler {
    storage: salsa::Storage<Self>,
    files: Arc<Mutex<FxHashMap<String, SourceFile>>>,
    loader: Arc<dyn FileLoader + Send + Sync>,
    log: Option<Arc<Mutex<Vec<String>>>>,
    prelude: Option<Program>,
    memory: Arc<Memory>,
    texts: Arc<Texts>,
}

#[salsa::db]
impl salsa::Database for Compiler {}

#[salsa::db]
impl Db for Compiler {
    fn file(&self, path: &str) -> SourceFile {
        let path = normalize(path);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = files.get(&path) {
            return *file;
        }
        let bytes = self.loader.load(&path);
        let durability = if self.loader.is_library(&path) { Durability::HIGH } else { Durability::LOW };
        let exists = bytes.is_some();
        let text: Arc<[u8]> = bytes.unwrap_or_default().into();
        let file = SourceFile::builder(path.clone(), text, exists, self.loader.standing(&path))
            .durability(durability)
            .path_durability(Durability::HIGH)
            .new(self);
        files.insert(path, file);
        file
    }

    fn prelude(&self) -> Program {
        // `new` sets it before it hands the database out; a program without roots declares nothing.
        self.prelude.unwrap_or_else(|| Program::new(self, Vec::new(), Vec::new(), Options::default()))
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn texts(&self) -> &Texts {
        &self.texts
    }
}

impl Compiler {
    pub fn new(loader: Box<dyn FileLoader + Send + Sync>) -> Compiler {
        Compiler::build(loader, None)
    }

    /// A database that notes each query it executes, for tests of the cut-offs.
    pub fn with_log(loader: Box<dyn FileLoader + Send + Sync>) -> Compiler {
        Compiler::build(loader, Some(Arc::default()))
    }

    fn build(loader: Box<dyn FileLoader + Send + Sync>, log: Option<Arc<Mutex<Vec<String>>>>) -> Compiler {
        let callback = log.clone().map(|log| {
            let note = move |event: salsa::Event| {
                if let salsa::EventKind::WillExecute { database_key } = event.kind {
                    log.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{database_key:?}"));
                }
            };
            Box::new(note) as Box<dyn Fn(salsa::Event) + Send + Sync>
        });
        let mut db = Compiler {
            storage: salsa::Storage::new(callback),
            files: Arc::default(),
            loader: loader.into(),
            log,
            prelude: None,
            memory: Arc::default(),
            texts: Arc::default(),
        };
        let roots = wgc_stdlib::PRELUDE
            .iter()
            .map(|(path, text)| {
                let path = format!("{PRELUDE_PREFIX}{path}");
                let file = SourceFile::builder(path.clone(), text.as_bytes().into(), true, Standing::default())
                    .durability(Durability::NEVER_CHANGE)
                    .new(&db);
                db.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path, file);
                file
            })
            .collect();
        for (name, text) in wgc_stdlib::HEADERS {
            let path = header_path(name);
            let file = SourceFile::builder(path.clone(), text.as_bytes().into(), true, Standing::default())
                .durability(Durability::NEVER_CHANGE)
                .new(&db);
            db.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path, file);
        }
        let options = Options { internal: true, library: true, enable_16bit_types: true, ..Options::default() };
        db.prelude = Some(Program::builder(roots, Vec::new(), options).durability(Durability::NEVER_CHANGE).new(&db));
        db
    }

    /// Files that form one translation unit. Roots that do not exist are reported by [`crate::report::diagnostics`].
    pub fn add_program(&mut self, roots: &[&str], options: Options) -> Program {
        let roots = roots.iter().map(|path| self.file(path)).collect();
        let program = Program::builder(roots, Vec::new(), options).durability(Durability::MEDIUM).new(self);
        self.settle(program);
        program
    }

    /// Files that form one graph, each a translation unit with options of its own; `options` are those of the graph.
    pub fn add_whole(&mut self, units: Vec<(&str, Options)>, options: Options) -> Program {
        // What is asked of a graph is asked of the whole.
        let unit = |(path, options): (&str, Options)| {
            self.add_program(&[path], Options { library: true, entries: None, host: None, ..options })
        };
        let units = units.into_iter().map(unit).collect();
        Program::builder(Vec::new(), units, options).durability(Durability::MEDIUM).new(self)
    }

    /// Replaces the text of a file, as an editor does. `None` removes it.
    pub fn set_text(&mut self, path: &str, text: Option<&[u8]>) {
        self.replace(path, text);
        self.settle_all();
    }

    fn replace(&mut self, path: &str, text: Option<&[u8]>) {
        let file = self.file(path);
        file.set_text(self).to(text.unwrap_or_default().into());
        if file.exists(self) != text.is_some() {
            file.set_exists(self).to(text.is_some());
        }
        self.stand(file);
    }

    /// Looks again at what is known of a file beside its contents. Links may lead elsewhere although those are the same.
    fn stand(&mut self, file: SourceFile) {
        let standing = self.loader.standing(file.path(self));
        if *file.standing(self) != standing {
            file.set_standing(self).to(standing);
        }
    }

    /// Does not follow the texts of a program any more, which nobody will ask about again.
    pub fn forget(&mut self, program: Program) {
        let units = units(self, program);
        units.into_iter().for_each(|unit| self.texts.forget(unit));
    }

    /// Cuts what a program is now into the inputs of its queries.
    fn settle(&mut self, program: Program) {
        let slices = crate::db::items::slices(self, program).0.clone();
        let texts = self.texts.clone();
        crate::db::item_texts::settle(self, &texts, program, slices);
    }

    fn settle_all(&mut self) {
        self.texts.programs().into_iter().for_each(|program| self.settle(program));
    }

    /// Reads again, through the loader, every file that was asked for so far; texts that did not change stay.
    pub fn reload(&mut self) {
        let files: Vec<(String, SourceFile)> = {
            let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.iter().filter(|(p, _)| !p.starts_with(PRELUDE_PREFIX)).map(|(p, f)| (p.clone(), *f)).collect()
        };
        for (path, file) in files {
            let bytes = self.loader.load(&path);
            let same =
                bytes.is_some() == file.exists(self) && bytes.as_deref().unwrap_or_default() == &*file.text(self);
            if !same {
                self.replace(&path, bytes.as_deref());
            }
            self.stand(file);
        }
        self.settle_all();
    }

    /// How many values of queries and identities there are, those of texts that are no more among them: a measure of the
    /// memory. Cancels what clones compute, and waits for them, as a change does.
    pub fn held(&mut self) -> usize {
        let info = <dyn salsa::Database>::memory_usage(self);
        let values = info.structs.iter().chain(info.queries.values());
        values.map(salsa::IngredientInfo::count).sum()
    }

    /// Queries executed since the last call, as `(name, times)` in alphabetical order; empty without a log.
    pub fn take_log(&mut self) -> Vec<(String, u32)> {
        let mut counts = std::collections::BTreeMap::new();
        if let Some(log) = &self.log {
            for key in log.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
                let name = key.split('(').next().unwrap_or_default().to_string();
                *counts.entry(name).or_insert(0) += 1;
            }
        }
        counts.into_iter().collect()
    }
}

/// Paths of the prelude's files, so that they cannot meet a user's.
const PRELUDE_PREFIX: &str = "wgc:";

/// Where the header lies that the standard library has under a name.
pub fn header_path(name: &str) -> String {
    format!("{PRELUDE_PREFIX}<wgc>/{name}")
}

/// Whether a path is that of a text that comes with wgc: no file that could be read, or change.
pub fn is_built_in(path: &str) -> bool {
    path.starts_with(PRELUDE_PREFIX)
}

/// `a/./b/../c` is `a/c`: two spellings of a path that meet without looking at the disk are one file.
pub fn normalize(path: &str) -> String {
    if path.starts_with(PRELUDE_PREFIX) {
        return path.to_string();
    }
    let path = path.replace('\\', "/");
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

/// The translation units of a program: itself, unless it is a whole.
pub fn units(db: &dyn Db, program: Program) -> Vec<Program> {
    let units = program.units(db);
    if units.is_empty() { vec![program] } else { units.clone() }
}

pub(crate) fn is_whole(db: &dyn Db, program: Program) -> bool {
    !program.units(db).is_empty()
}
