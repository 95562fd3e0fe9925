//! The database: inputs, and the one trait that reaches outside.

use std::sync::Arc;

/// A file by path; its text may be anything.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(deref)]
    pub path: String,
    #[returns(clone)]
    pub text: Arc<[u8]>,
}

/// Files that form one graph, with the options that change their meaning.
#[salsa::input(debug)]
pub struct Program {
    #[returns(ref)]
    pub roots: Vec<SourceFile>,
    #[returns(ref)]
    pub options: Options,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `-D NAME=VALUE`
    pub defines: Vec<(String, String)>,
    pub enable_16bit_types: bool,
    /// Compiled as part of wgc: the namespace `wgc::` may be used.
    pub internal: bool,
    /// Graph-level rows are off (`--library`).
    pub library: bool,
    /// A host's entry list, which replaces the resolved set.
    pub entries: Option<Vec<String>>,
}

#[salsa::db]
pub trait Db: salsa::Database {
    /// The file that `#include` names, seen in `from`; the same file always gives the same input.
    fn resolve_include(&self, from: SourceFile, name: &str, angled: bool) -> Option<SourceFile>;
    /// The built-in declarations (`stdlib/*.hlsl`), durable.
    fn prelude(&self) -> Program;
}
