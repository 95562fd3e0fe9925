//! The database of the compiler: files, programs, and the one concrete implementation of [`Db`].

use crate::db::item_texts::Texts;
use crate::db::reuse::Memory;
use crate::db::{
    Db, FileLoader, Options, PRELUDE_PREFIX, Program, SourceFile, Standing, header_path, normalize, units,
};
use crate::types::const_eval::CheckedConstant;
use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// The only concrete database. Clones share everything; reader threads hold clones.
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
        // `new` sets it before returning the database; a program without roots declares nothing.
        self.prelude.unwrap_or_else(|| Program::new(self, Vec::new(), Vec::new(), Options::default()))
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn texts(&self) -> &Texts {
        &self.texts
    }

    fn checker(&self) -> &dyn Any {
        const CHECKED: CheckedConstant =
            CheckedConstant { evaluate: crate::check::constant::evaluate, type_of: crate::check::constant::type_of };
        &CHECKED
    }
}

impl Compiler {
    pub fn new(loader: Box<dyn FileLoader + Send + Sync>) -> Compiler {
        Compiler::build(loader, None)
    }

    /// Creates a database that logs each executed query, for tests of the cut-offs.
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

    /// Adds files that form one translation unit. [`crate::report::diagnostics`] reports roots that do not exist.
    pub fn add_program(&mut self, roots: &[&str], options: Options) -> Program {
        let roots = roots.iter().map(|path| self.file(path)).collect();
        let program = Program::builder(roots, Vec::new(), options).durability(Durability::MEDIUM).new(self);
        self.settle(program);
        program
    }

    /// Adds files that form one graph, each a translation unit with its own options; `options` are those of the graph.
    pub fn add_whole(&mut self, units: Vec<(&str, Options)>, options: Options) -> Program {
        // Options of the graph apply to the whole program.
        let unit = |(path, options): (&str, Options)| {
            self.add_program(&[path], Options { library: true, entries: None, host: None, ..options })
        };
        let units = units.into_iter().map(unit).collect();
        Program::builder(Vec::new(), units, options).durability(Durability::MEDIUM).new(self)
    }

    /// Replaces the text of a file, as an editor does; `None` removes it. An equal text changes nothing.
    pub fn set_text(&mut self, path: &str, text: Option<&[u8]>) {
        let file = self.file(path);
        if self.replace(file, text) {
            self.settle_all();
        }
    }

    /// Updates a file, and returns whether anything changed. Links and permissions may change while the contents stay
    /// equal.
    fn replace(&mut self, file: SourceFile, text: Option<&[u8]>) -> bool {
        let is_new_text = *file.text(self) != *text.unwrap_or_default();
        if is_new_text {
            file.set_text(self).to(text.unwrap_or_default().into());
        }
        let is_new_file = file.exists(self) != text.is_some();
        if is_new_file {
            file.set_exists(self).to(text.is_some());
        }
        let standing = self.loader.standing(file.path(self));
        let stands_anew = *file.standing(self) != standing;
        if stands_anew {
            file.set_standing(self).to(standing);
        }
        is_new_text || is_new_file || stands_anew
    }

    /// Stops tracking the texts of a program that will not be queried again.
    pub fn forget(&mut self, program: Program) {
        let units = units(self, program);
        units.into_iter().for_each(|unit| self.texts.forget(unit));
    }

    /// Slices the current program into the inputs of its queries.
    fn settle(&mut self, program: Program) {
        let slices = crate::db::items::slices(self, program).0.clone();
        let texts = self.texts.clone();
        crate::db::item_texts::settle(self, &texts, program, slices);
    }

    fn settle_all(&mut self) {
        self.texts.programs().into_iter().for_each(|program| self.settle(program));
    }

    /// Reloads every file requested so far; unchanged texts stay.
    pub fn reload(&mut self) {
        let files: Vec<(String, SourceFile)> = {
            let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.iter().filter(|(p, _)| !p.starts_with(PRELUDE_PREFIX)).map(|(p, f)| (p.clone(), *f)).collect()
        };
        for (path, file) in files {
            let bytes = self.loader.load(&path);
            self.replace(file, bytes.as_deref());
        }
        self.settle_all();
    }

    /// Returns the number of stored query values and identities, including those of removed texts, as a measure of
    /// memory. Cancels the computations of clones and waits for them, as a change does.
    pub fn stored_values(&mut self) -> usize {
        let info = <dyn salsa::Database>::memory_usage(self);
        let values = info.structs.iter().chain(info.queries.values());
        values.map(salsa::IngredientInfo::count).sum()
    }

    /// Returns the queries executed since the last call, as `(name, times)` in alphabetical order; empty without a log.
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
