//! Reads debug instructions back from a module. It follows the numbers and operands in the specification of
//! NonSemantic.Shader.DebugInfo.100, and uses no code of the emitter.

#![allow(dead_code, reason = "each test binary uses a part")]

use rspirv::binary::{Consumer, ParseAction, parse_words};
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rspirv::spirv::{Op, Word};
use std::collections::HashMap;

pub const COMPILATION_UNIT: u32 = 1;
pub const TYPE_BASIC: u32 = 2;
pub const TYPE_POINTER: u32 = 3;
pub const TYPE_ARRAY: u32 = 5;
pub const TYPE_VECTOR: u32 = 6;
pub const TYPEDEF: u32 = 7;
pub const TYPE_FUNCTION: u32 = 8;
pub const TYPE_ENUM: u32 = 9;
pub const TYPE_COMPOSITE: u32 = 10;
pub const TYPE_MEMBER: u32 = 11;
pub const TYPE_TEMPLATE: u32 = 14;
pub const GLOBAL_VARIABLE: u32 = 18;
pub const FUNCTION_DECLARATION: u32 = 19;
pub const FUNCTION: u32 = 20;
pub const LEXICAL_BLOCK: u32 = 21;
pub const SCOPE: u32 = 23;
pub const NO_SCOPE: u32 = 24;
pub const INLINED_AT: u32 = 25;
pub const LOCAL_VARIABLE: u32 = 26;
pub const DECLARE: u32 = 28;
pub const VALUE: u32 = 29;
pub const SOURCE: u32 = 35;
pub const FUNCTION_DEFINITION: u32 = 101;
pub const SOURCE_CONTINUED: u32 = 102;
pub const LINE: u32 = 103;
pub const NO_LINE: u32 = 104;
pub const ENTRY_POINT: u32 = 107;
pub const TYPE_MATRIX: u32 = 108;

/// A debug instruction: its number and operands.
#[derive(Clone, Debug)]
pub struct Debug {
    pub number: u32,
    pub operands: Vec<Word>,
}

/// An instruction of code, and the debug state in force at it.
#[derive(Clone, Debug)]
pub struct Placed {
    pub instruction: Instruction,
    /// Line and column.
    pub at: Option<(u32, u32)>,
    pub scope: Option<(Word, Option<Word>)>,
}

/// The instructions of a module in order: rspirv's own modules cannot hold debug instructions between constants.
#[derive(Default)]
struct Flat(Vec<Instruction>);

impl Consumer for Flat {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, instruction: Instruction) -> ParseAction {
        self.0.push(instruction);
        ParseAction::Continue
    }
}

pub struct Reader {
    instructions: Vec<Instruction>,
    strings: HashMap<Word, String>,
    numbers: HashMap<Word, u32>,
    debug: HashMap<Word, Debug>,
    /// Debug instructions outside of functions, in order.
    pub declarations: Vec<Word>,
}

impl Reader {
    pub fn new(words: &[u32]) -> Reader {
        let mut flat = Flat::default();
        parse_words(words, &mut flat).expect("rspirv reads it");
        let mut reader = Reader {
            strings: HashMap::new(),
            numbers: HashMap::new(),
            debug: HashMap::new(),
            declarations: Vec::new(),
            instructions: flat.0,
        };
        let set = reader.set();
        for i in &reader.instructions {
            let Some(id) = i.result_id else { continue };
            match (i.class.opcode, i.operands.as_slice()) {
                (Op::String, [Operand::LiteralString(text)]) => _ = reader.strings.insert(id, text.clone()),
                (Op::Constant, [Operand::LiteralBit32(n)]) => _ = reader.numbers.insert(id, *n),
                (Op::ConstantTrue, _) => _ = reader.numbers.insert(id, 1),
                (Op::ConstantFalse, _) => _ = reader.numbers.insert(id, 0),
                _ => {}
            }
            if let Some(debug) = debug_of(i, set) {
                reader.debug.insert(id, debug);
            }
        }
        let outside = reader.instructions.iter().take_while(|i| i.class.opcode != Op::Function);
        let outside = outside.filter(|i| debug_of(i, set).is_some());
        reader.declarations = outside.filter_map(|i| i.result_id).collect();
        reader
    }

    /// Returns the import of the instruction set, or 0.
    fn set(&self) -> Word {
        let name = [Operand::LiteralString("NonSemantic.Shader.DebugInfo.100".into())];
        let import = self.instructions.iter().find(|i| i.class.opcode == Op::ExtInstImport && i.operands == name);
        import.and_then(|i| i.result_id).unwrap_or(0)
    }

    /// Returns the instructions outside of functions.
    pub fn outside(&self) -> impl Iterator<Item = &Instruction> {
        self.instructions.iter().take_while(|i| i.class.opcode != Op::Function)
    }

    /// Returns a debug instruction inside of a function; `None` for code.
    pub fn debug_of(&self, i: &Instruction) -> Option<Debug> {
        debug_of(i, self.set())
    }

    /// Returns the results of all instructions of an opcode, with 0 for an instruction without a result.
    pub fn results(&self, op: Op) -> Vec<Word> {
        let all = self.instructions.iter().filter(|i| i.class.opcode == op);
        all.map(|i| i.result_id.unwrap_or(0)).collect()
    }

    /// Returns the opcodes of all functions.
    pub fn opcodes(&self) -> Vec<Op> {
        self.instructions.iter().map(|i| i.class.opcode).skip_while(|op| *op != Op::Function).collect()
    }

    pub fn text(&self, id: Word) -> &str {
        self.strings.get(&id).unwrap_or_else(|| panic!("%{id} is no string"))
    }

    pub fn number(&self, id: Word) -> u32 {
        *self.numbers.get(&id).unwrap_or_else(|| panic!("%{id} is no number"))
    }

    pub fn debug(&self, id: Word) -> &Debug {
        self.debug.get(&id).unwrap_or_else(|| panic!("%{id} is no debug instruction"))
    }

    /// Returns the declarations of one kind.
    pub fn all(&self, number: u32) -> Vec<Word> {
        self.declarations.iter().copied().filter(|id| self.debug(*id).number == number).collect()
    }

    /// Returns the one declaration of this kind whose first operand is this name.
    #[track_caller]
    pub fn named(&self, number: u32, name: &str) -> Word {
        let found: Vec<Word> =
            self.all(number).into_iter().filter(|id| self.text(self.debug(*id).operands[0]) == name).collect();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        found[0]
    }

    /// Returns an operand of a debug instruction.
    pub fn operand(&self, id: Word, n: usize) -> Word {
        self.debug(id).operands[n]
    }

    /// Returns a type in source notation.
    pub fn type_name(&self, id: Word) -> String {
        let Some(Debug { number, operands }) = self.debug.get(&id) else { return "void".into() };
        match *number {
            TYPE_BASIC | TYPEDEF | TYPE_ENUM | TYPE_COMPOSITE => self.text(operands[0]).into(),
            TYPE_POINTER => format!("{}*", self.type_name(operands[0])),
            TYPE_VECTOR => format!("{}{}", self.type_name(operands[0]), self.number(operands[1])),
            TYPE_ARRAY => {
                let counts = operands[1..].iter().map(|n| format!("[{}]", self.number(*n)));
                self.type_name(operands[0]) + &counts.collect::<String>()
            }
            TYPE_MATRIX => {
                let order = if self.number(operands[2]) == 1 { "columns" } else { "rows" };
                format!("{} {order} of {}", self.number(operands[1]), self.type_name(operands[0]))
            }
            TYPE_FUNCTION => {
                let params: Vec<String> = operands[2..].iter().map(|p| self.type_name(*p)).collect();
                format!("{}({})", self.type_name(operands[1]), params.join(", "))
            }
            other => panic!("{other} is no type"),
        }
    }

    /// Returns scopes from the inside out: names of functions and lines of blocks.
    pub fn scopes(&self, mut scope: Word) -> Vec<String> {
        let mut out = Vec::new();
        loop {
            let Debug { number, operands } = self.debug(scope);
            match *number {
                LEXICAL_BLOCK => {
                    out.push(format!("block at {}", self.number(operands[1])));
                    scope = operands[3];
                }
                FUNCTION => {
                    out.push(self.text(operands[0]).to_owned());
                    return out;
                }
                other => panic!("{other} is no scope of code"),
            }
        }
    }

    /// Returns the instructions of all functions with their lines and scopes.
    pub fn code(&self) -> Vec<Placed> {
        let set = self.set();
        let (mut out, mut at, mut scope) = (Vec::new(), None, None);
        for i in self.instructions.iter().skip_while(|i| i.class.opcode != Op::Function) {
            // Lines and scopes end with their block.
            if i.class.opcode == Op::Label {
                (at, scope) = (None, None);
            }
            match debug_of(i, set) {
                Some(Debug { number: LINE, operands }) => {
                    at = Some((self.number(operands[1]), self.number(operands[3])));
                }
                Some(Debug { number: NO_LINE, .. }) => at = None,
                Some(Debug { number: SCOPE, operands }) => scope = Some((operands[0], operands.get(1).copied())),
                Some(Debug { number: NO_SCOPE, .. }) => scope = None,
                _ => out.push(Placed { instruction: i.clone(), at, scope }),
            }
        }
        out
    }

    /// Returns the instructions of an opcode.
    pub fn code_of(&self, op: Op) -> Vec<Placed> {
        self.code().into_iter().filter(|p| p.instruction.class.opcode == op).collect()
    }

    /// Returns debug instructions of one kind inside functions, with the state at them.
    pub fn inside(&self, number: u32) -> Vec<(Debug, Placed)> {
        let set = self.set();
        let all = self.code().into_iter().filter_map(|p| Some((debug_of(&p.instruction, set)?, p)));
        all.filter(|(debug, _)| debug.number == number).collect()
    }

    /// Returns the opcode that defines an id.
    pub fn opcode(&self, id: Word) -> Op {
        let found = self.instructions.iter().find(|i| i.result_id == Some(id));
        found.unwrap_or_else(|| panic!("nothing defines %{id}")).class.opcode
    }
}

fn debug_of(i: &Instruction, set: Word) -> Option<Debug> {
    match i.operands.as_slice() {
        [Operand::IdRef(of), Operand::LiteralExtInstInteger(number), rest @ ..]
            if i.class.opcode == Op::ExtInst && *of == set =>
        {
            let id = |operand: &Operand| if let Operand::IdRef(id) = operand { *id } else { panic!("a literal") };
            Some(Debug { number: *number, operands: rest.iter().map(id).collect() })
        }
        _ => None,
    }
}
