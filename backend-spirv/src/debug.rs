//! Source information of a module: its amount, and the core instructions for files and lines.
//!
//! Positions of the IR have no meaning alone; the [`SourceMap`](wgc_ir::SourceMap) in the options has their lines. A
//! module without a source map has names and no lines.

use crate::builder::Line;
use crate::emitter::Emitter;
use rspirv::spirv::Word;
use rustc_hash::FxHashMap;
use wgc_ir::{Function, Location, Position};

/// The source information that a module contains.
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
    /// NonSemantic.Shader.DebugInfo.100: types, scopes and variables, and DebugLine instead of OpLine. The text is then
    /// in DebugSource, for every file.
    pub instructions: bool,
    /// OpModuleProcessed with the compiler and its command line.
    pub tool: bool,
}

impl DebugInfo {
    pub const NONE: DebugInfo =
        DebugInfo { names: false, file: false, text: false, lines: false, instructions: false, tool: false };
    /// Inexpensive information: names, file names and lines.
    pub const LINES: DebugInfo = DebugInfo { names: true, file: true, lines: true, ..DebugInfo::NONE };
    /// All information that a debugger can use, with the source.
    pub const FULL: DebugInfo = DebugInfo { text: true, instructions: true, ..DebugInfo::LINES };

    /// Returns whether the command line is part of the module.
    pub fn has_command_line(self) -> bool {
        self.tool || self.instructions
    }
}

/// The name of this compiler in modules.
pub(crate) const COMPILER: &str = concat!("wgc ", env!("CARGO_PKG_VERSION"));

/// Names of files in the module.
#[derive(Default)]
pub(crate) struct Files {
    /// OpString, by index in the map.
    strings: FxHashMap<u32, Word>,
}

impl Emitter<'_> {
    /// Returns the OpString of a file's name.
    fn file_name(&mut self, file: u32) -> Option<Word> {
        if let Some(&known) = self.files.strings.get(&file) {
            return Some(known);
        }
        let path = self.options.sources.as_ref()?.files.get(file as usize)?.path.clone();
        let string = self.b.debug_name(&path);
        self.files.strings.insert(file, string);
        Some(string)
    }

    /// Emits OpSource of the program.
    pub fn source(&mut self) {
        let debug = self.options.debug;
        let Some(version) = self.options.hlsl_version else { return };
        let sources = self.options.sources.as_ref();
        let file = sources.filter(|_| debug.file).and_then(|map| map.files.first()).cloned();
        let name = file.as_ref().and_then(|_| self.file_name(0));
        let text = file
            .filter(|_| debug.text && !debug.instructions)
            .map(|file| String::from_utf8_lossy(&file.text).into_owned());
        self.b.source(version, name, text.as_deref());
    }

    /// Emits OpModuleProcessed of the compiler.
    pub fn tool(&mut self) {
        if self.options.debug.tool {
            self.b.processed(COMPILER);
            self.b.processed(&format!("command line: {}", self.options.command_line));
        }
    }

    /// Returns the source location of a position.
    pub fn line(&mut self, f: &Function, position: Position) -> Option<Line> {
        if self.debugs() {
            return self.scoped_line(f, position);
        }
        if !self.options.debug.lines {
            return None;
        }
        let text = &f.scope(position.scope)?.text;
        let Location { file, line, column } = self.options.sources.as_ref()?.locate(text, position.token)?;
        Some(Line::Plain { file: self.file_name(file)?, line, column })
    }
}
