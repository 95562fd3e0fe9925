//! The inputs of the database, its interface [`Db`], and the loader that represents the file system. The database
//! itself is [`crate::Compiler`].
//!
//! No query does I/O: the driver supplies a [`FileLoader`] that reads paths. A missing file is an input too (`exists`
//! is false), so creating it later re-runs the queries that looked for it.
pub mod def;
pub mod diagnostic;
pub mod item_texts;
pub mod items;
pub(crate) mod prelude;
pub mod reuse;
pub mod ty;
use crate::db::item_texts::Texts;
use crate::db::reuse::Memory;
pub use salsa::Cancelled;
use std::sync::Arc;

/// A file by path; its text may be any bytes.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(deref)]
    pub path: String,
    #[returns(clone)]
    pub text: Arc<[u8]>,
    /// The loader found something there, or the text was set.
    #[returns(copy)]
    pub exists: bool,
    #[returns(ref)]
    pub standing: Standing,
}

/// Files that form one graph, with the options that change their meaning.
#[salsa::input(debug)]
pub struct Program {
    /// The files, read in order as one translation unit.
    #[returns(ref)]
    pub roots: Vec<SourceFile>,
    /// Instead of roots: programs whose nodes form the graph, see [`crate::link::program`].
    #[returns(ref)]
    pub units: Vec<Program>,
    #[returns(ref)]
    pub options: Options,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `-D NAME=VALUE`
    pub defines: Vec<(String, String)>,
    /// `-I DIR`, in the order of the search. The directory of the including file precedes them for `"name"`, and follows
    /// them for `<name>`.
    pub include_dirs: Vec<String>,
    /// Prefixes of included names, and the folders that replace them.
    pub virtual_dirs: Vec<(String, String)>,
    /// `--include-root DIR`, absolute and without links: includes are found only in these folders. Empty: everywhere.
    pub include_roots: Vec<String>,
    pub enable_16bit_types: bool,
    /// The year of `-HV`; 2021 by default. Before 2021, `&&`, `||` and `?:` work on each component and evaluate all
    /// operands, and variables of a `for` stay in scope after the loop.
    pub hlsl_version: Option<u32>,
    /// `-Zpr`: matrices are row-major by default.
    pub row_major: bool,
    /// `-Gis`: all arithmetic is precise.
    pub precise: bool,
    /// `-fspv-use-legacy-buffer-matrix-order`: byte-address buffers hold matrices row by row, regardless of their
    /// types.
    pub legacy_buffer_matrices: bool,
    /// Compiled as part of wgc: the namespace `wgc::` may be used.
    pub internal: bool,
    /// Graph-level diagnostics are off (`--library`).
    pub library: bool,
    /// A host's entry list, which replaces the resolved set.
    pub entries: Option<Vec<String>>,
    /// The path of a file with the host's decisions, see [`crate::graph::host`].
    pub host: Option<String>,
    /// `-T cs_* -E NAME`: the function that is a compute entry point, regardless of its attributes.
    pub compute_entry: Option<String>,
    /// `--spec ID=VALUE`: values that replace the defaults of specialisation constants; later ones win.
    pub specialisation: Vec<(u32, String)>,
    /// `-fvk-*`
    pub bindings: crate::tables::binding_options::BindingOptions,
    /// The version in `-T`, for the predefined macros; 6.8 by default.
    pub shader_model: Option<(u32, u32)>,
    /// The version in `-fspv-target-env`, for the predefined macros; 1.6 by default.
    pub spirv_version: Option<(u32, u32)>,
}

/// A loader's facts about a path, without the contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The absolute path without links. `None` stands for the path itself, as for a document that is not on disk.
    pub real: Option<String>,
    /// The reason why an existing file is not read.
    pub refusal: Option<String>,
}

/// The outside world: the bytes of a path, or `None` if it does not exist.
pub trait FileLoader {
    fn load(&self, path: &str) -> Option<Vec<u8>>;

    /// Returns the facts about a path, without the contents.
    fn standing(&self, path: &str) -> Standing {
        let _ = path;
        Standing::default()
    }

    /// Returns whether the file belongs to a library. Such files are durable: they rarely change while the user
    /// edits.
    fn is_library(&self, path: &str) -> bool {
        let _ = path;
        false
    }
}

#[salsa::db]
pub trait Db: salsa::Database {
    /// Returns the input for a path. Equal normalised paths have the same input, whether or not the file exists.
    fn file(&self, path: &str) -> SourceFile;
    /// Returns the built-in declarations (`stdlib/prelude/*.hlsl`), which never change.
    fn prelude(&self) -> Program;
    /// Returns the results of the texts before the last edit.
    fn memory(&self) -> &Memory;
    /// Returns the texts that programs were cut into.
    fn texts(&self) -> &Texts;
    /// Returns the type checker, for constants that need it: [`crate::types::const_eval::CheckedConstant`]. Its type
    /// is hidden, because this layer does not depend on types.
    fn checker(&self) -> &dyn std::any::Any;
}

/// The prefix of the prelude's paths, which no user's path can have.
pub(crate) const PRELUDE_PREFIX: &str = "wgc:";

/// Returns the path of a standard library header.
pub fn header_path(name: &str) -> String {
    format!("{PRELUDE_PREFIX}<wgc>/{name}")
}

/// Returns whether a path is that of a text built into wgc. Such a text is not on disk and does not change.
pub fn is_built_in(path: &str) -> bool {
    path.starts_with(PRELUDE_PREFIX)
}

/// Normalises a path: `a/./b/../c` becomes `a/c`. Two spellings are one file if their text shows it; the disk is not
/// read.
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

/// Returns the translation units of a program: the program itself, unless it consists of units.
pub fn units(db: &dyn Db, program: Program) -> Vec<Program> {
    let units = program.units(db);
    if units.is_empty() { vec![program] } else { units.clone() }
}

pub fn is_whole(db: &dyn Db, program: Program) -> bool {
    !program.units(db).is_empty()
}
