//! The database: inputs, the loader that stands for the file system, and the log that tests read.
//!
//! It does no I/O itself: a [`FileLoader`] given by the driver answers for paths. A file that does not exist is an
//! input too (`exists` is false), so that creating it later re-runs those who looked for it.
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
    /// The type checker, for constants that need it: [`crate::types::const_eval::CheckedConstant`]. Its type is hidden, since
    /// this layer knows no types.
    fn checker(&self) -> &dyn std::any::Any;
}

/// Paths of the prelude's files, so that they cannot meet a user's.
pub(crate) const PRELUDE_PREFIX: &str = "wgc:";

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

pub fn is_whole(db: &dyn Db, program: Program) -> bool {
    !program.units(db).is_empty()
}
