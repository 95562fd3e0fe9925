//! NonSemantic.Shader.DebugInfo.100: sources, types, functions, scopes and variables for debuggers.
//!
//! Every operand of these instructions is an id, so numbers are constants and names are OpString. Declarations are
//! created at the first use, each once, after all other global instructions. No declaration refers to a later one.
//! Their contents come from the IR (offsets, values, inlined calls) and from the source's
//! [declarations](wgc_ir::Declarations) in the options.
//!
//! - [`types`]: types, with their offsets; templates;
//! - [`scopes`]: functions, lexical blocks, inlined calls, lines;
//! - [`variables`]: locals, parameters and globals.

mod scopes;
mod types;
pub(crate) mod variables;

use crate::builder::{pieces, source_text};
use crate::emitter::Emitter;
use rspirv::spirv::{SourceLanguage, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_ir::declared::{Declarations, SourceType};
use wgc_ir::{Location, ScopeId, SourceMap, Symbol};

/// The name of the instruction set.
pub(crate) const SET: &str = "NonSemantic.Shader.DebugInfo.100";

/// Version of the instruction set, and of the DWARF whose terms it uses.
const VERSIONS: [u32; 2] = [100, 4];

/// A DebugOperation: the operand is a pointer, the result is the memory that it points to.
const DEREF: u32 = 0;

/// The used values of DebugInfoFlags.
mod flag {
    pub const PUBLIC: u32 = 3;
    pub const LOCAL: u32 = 1 << 2;
    pub const DEFINITION: u32 = 1 << 3;
    pub const ARTIFICIAL: u32 = 1 << 5;
    pub const OBJECT_POINTER: u32 = 1 << 8;
    pub const ENUM_CLASS: u32 = 1 << 14;
}

macro_rules! instructions {
    ($($name:ident = $number:literal,)*) => {
        /// The emitted instructions of the set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub(crate) enum Instruction { $($name = $number,)* }

        impl Instruction {
            /// Returns the name in disassembly.
            pub fn name_of(number: u32) -> Option<&'static str> {
                match number {
                    $($number => Some(concat!("Debug", stringify!($name))),)*
                    _ => None,
                }
            }
        }
    };
}

instructions! {
    InfoNone = 0,
    CompilationUnit = 1,
    TypeBasic = 2,
    TypePointer = 3,
    TypeArray = 5,
    TypeVector = 6,
    Typedef = 7,
    TypeFunction = 8,
    TypeEnum = 9,
    TypeComposite = 10,
    TypeMember = 11,
    TypeTemplate = 14,
    TypeTemplateParameter = 15,
    GlobalVariable = 18,
    FunctionDeclaration = 19,
    Function = 20,
    LexicalBlock = 21,
    Scope = 23,
    NoScope = 24,
    InlinedAt = 25,
    LocalVariable = 26,
    Declare = 28,
    Value = 29,
    Operation = 30,
    Expression = 31,
    Source = 35,
    FunctionDefinition = 101,
    SourceContinued = 102,
    Line = 103,
    NoLine = 104,
    EntryPoint = 107,
    TypeMatrix = 108,
}

/// The existing declarations.
#[derive(Default)]
pub(crate) struct Declared {
    /// The file of the first function.
    main: Option<u32>,
    /// Compilation units by their first files.
    units: FxHashMap<u32, Word>,
    nothing: Option<Word>,
    expression: Option<Word>,
    dereference: Option<Word>,
    strings: FxHashMap<String, Word>,
    sources: FxHashMap<u32, Word>,
    types: FxHashMap<SourceType, Word>,
    /// Functions by symbol. A function with a second definition is declared again.
    functions: FxHashMap<Symbol, Word>,
    defined: FxHashSet<Word>,
    /// Blocks by function and first token.
    blocks: FxHashMap<(Word, u32), Word>,
    /// Inlined calls of scopes in the current function.
    inlined: FxHashMap<ScopeId, Word>,
    /// Local variables by operands: a variable is declared once even if its function is inlined several times.
    locals: FxHashMap<Vec<Word>, Word>,
}

impl<'m> Emitter<'m> {
    /// Returns whether the module has debug instructions.
    pub fn debugs(&self) -> bool {
        self.options.debug.instructions && self.sources().is_some_and(|map| !map.files.is_empty())
    }

    fn sources(&self) -> Option<&'m SourceMap> {
        self.options.sources.as_deref()
    }

    fn declarations(&self) -> Option<&'m Declarations> {
        self.sources().map(|map| &map.declarations)
    }

    fn declare(&mut self, which: Instruction, operands: &[Word]) -> Word {
        let void = self.void();
        self.b.debug_declaration(void, which, operands)
    }

    fn numbers<const N: usize>(&mut self, values: [u32; N]) -> [Word; N] {
        values.map(|value| self.u32_constant(value))
    }

    fn text(&mut self, text: &str) -> Word {
        if let Some(&known) = self.declared.strings.get(text) {
            return known;
        }
        let string = self.b.debug_name(text);
        self.declared.strings.insert(text.to_owned(), string);
        string
    }

    /// Returns DebugInfoNone.
    fn nothing(&mut self) -> Word {
        if let Some(known) = self.declared.nothing {
            return known;
        }
        let nothing = self.declare(Instruction::InfoNone, &[]);
        *self.declared.nothing.insert(nothing)
    }

    /// Returns an empty DebugExpression: the operand is the variable's value or memory without a conversion.
    fn no_expression(&mut self) -> Word {
        if let Some(known) = self.declared.expression {
            return known;
        }
        let empty = self.declare(Instruction::Expression, &[]);
        *self.declared.expression.insert(empty)
    }

    /// Returns the DebugExpression of a variable in memory whose pointer is the operand.
    fn dereference(&mut self) -> Word {
        if let Some(known) = self.declared.dereference {
            return known;
        }
        let code = self.u32_constant(DEREF);
        let operation = self.declare(Instruction::Operation, &[code]);
        let expression = self.declare(Instruction::Expression, &[operation]);
        *self.declared.dereference.insert(expression)
    }

    /// Returns the DebugSource of a file, with its text if the options ask for that.
    fn debug_source(&mut self, file: u32) -> Word {
        if let Some(&known) = self.declared.sources.get(&file) {
            return known;
        }
        let found = self.sources().and_then(|map| map.files.get(file as usize));
        let path = self.text(found.map_or("", |f| &f.path));
        let text = found
            .filter(|f| self.options.debug.text && !f.text.is_empty())
            .map(|f| source_text(&String::from_utf8_lossy(&f.text)).into_owned());
        let pieces: Vec<Word> =
            text.iter().flat_map(|text| pieces(text)).map(|piece| self.b.debug_string(piece)).collect();
        let mut pieces = pieces.into_iter();
        let operands: Vec<Word> = std::iter::once(path).chain(pieces.next()).collect();
        let source = self.declare(Instruction::Source, &operands);
        for piece in pieces {
            self.declare(Instruction::SourceContinued, &[piece]);
        }
        self.declared.sources.insert(file, source);
        source
    }

    /// Returns the compilation unit of a location; without one, the unit of the module's first function.
    fn unit(&mut self, at: Option<Location>) -> Word {
        let file = at.map_or(self.declared.main.unwrap_or(0), |at| at.file);
        let root = self.sources().map_or(0, |map| map.root_of(file));
        if let Some(&known) = self.declared.units.get(&root) {
            return known;
        }
        let [version, dwarf, language] = self.numbers([VERSIONS[0], VERSIONS[1], SourceLanguage::HLSL as u32]);
        let source = self.debug_source(root);
        let unit = self.declare(Instruction::CompilationUnit, &[version, dwarf, source, language]);
        self.declared.units.insert(root, unit);
        unit
    }

    /// Returns source, line and column of a location; without one, line 0 of the first function's file.
    fn place_operands(&mut self, at: Option<Location>) -> [Word; 3] {
        let nowhere = || Location { file: self.declared.main.unwrap_or(0), line: 0, column: 0 };
        let Location { file, line, column } = at.unwrap_or_else(nowhere);
        let [line, column] = self.numbers([line, column]);
        [self.debug_source(file), line, column]
    }
}

#[cfg(test)]
mod tests {
    use super::Instruction;

    #[test]
    fn debug_instructions_have_their_specified_names() {
        assert_eq!(Instruction::name_of(Instruction::InfoNone as u32), Some("DebugInfoNone"));
        assert_eq!(Instruction::name_of(108), Some("DebugTypeMatrix"));
        assert_eq!(Instruction::name_of(27), None);
    }
}
