//! What a module says about its source: how much of it, and files, lines and scopes as instructions.
//!
//! Positions of the IR mean nothing by themselves; the [`SourceMap`] that comes with the options tells their lines. A
//! module without one has names and no lines.

use crate::builder::Line;
use crate::emitter::Emitter;
use rspirv::spirv::Word;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wgc_ir::{Location, Position, SourceMap, SourceScope};

/// What a module says about its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugInfo {
    /// OpName and OpMemberName.
    pub names: bool,
    /// OpSource with the language and the first file.
    pub file: bool,
    /// OpSource holds the whole text.
    pub text: bool,
    /// OpLine in functions.
    pub lines: bool,
}

impl DebugInfo {
    pub const NONE: DebugInfo = DebugInfo { names: false, file: false, text: false, lines: false };
    /// What does not cost much: names, file names and lines.
    pub const LINES: DebugInfo = DebugInfo { names: true, file: true, text: false, lines: true };
}

/// Files as the module names them.
#[derive(Default)]
pub(crate) struct Files {
    /// OpString, by index in the map.
    strings: FxHashMap<u32, Word>,
}

impl Emitter<'_> {
    fn sources(&self) -> Option<&Arc<SourceMap>> {
        self.options.sources.as_ref()
    }

    /// OpString of a file's name.
    fn file_name(&mut self, file: u32) -> Option<Word> {
        if let Some(&known) = self.files.strings.get(&file) {
            return Some(known);
        }
        let path = self.sources()?.files.get(file as usize)?.path.clone();
        let string = self.b.debug_string(&path);
        self.files.strings.insert(file, string);
        Some(string)
    }

    /// OpSource of the program.
    pub fn source(&mut self) {
        let debug = self.options.debug;
        let Some(version) = self.options.hlsl_version else { return };
        let file = self.sources().filter(|_| debug.file).and_then(|map| map.files.first()).cloned();
        let name = file.as_ref().and_then(|_| self.file_name(0));
        let text = file.filter(|_| debug.text).map(|file| String::from_utf8_lossy(&file.text).into_owned());
        self.b.source(version, name, text.as_deref());
    }

    /// Where a position stands, as OpLine says it.
    pub fn line(&mut self, scope: Option<&SourceScope>, position: Position) -> Option<Line> {
        if !self.options.debug.lines {
            return None;
        }
        let Location { file, line, column } = self.sources()?.locate(&scope?.text, position.token)?;
        Some(Line { file: self.file_name(file)?, line, column })
    }
}
