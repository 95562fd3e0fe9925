//! Debug instructions: the import of their set, declarations after all others, and scopes and lines inside blocks.

use super::{Builder, Line, Scoped, id, ids, lit};
use crate::debug_info::{Instruction, SET};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Op, Word};

impl Builder {
    /// Emits OpLine, or DebugScope and DebugLine, before an instruction if its line differs from the previous one in
    /// the block. Unconditional branches get no line. Nothing may separate a merge instruction from its branch.
    pub(super) fn push_line(&mut self, next: Op) {
        let wanted = self.line;
        let Some(f) = &mut self.function else { return };
        if f.line == wanted || matches!(next, Op::Branch | Op::Unreachable) {
            return;
        }
        match (wanted, std::mem::replace(&mut f.line, wanted)) {
            (Some(Line::Plain { file, line, column }), _) => {
                let line = self.instruction(Op::Line, None, None, vec![id(file), lit(line), lit(column)]);
                self.append(line);
            }
            (Some(Line::Scoped(to)), before) => {
                let before = if let Some(Line::Scoped(before)) = before { Some(before) } else { None };
                if before.map(|b| (b.scope, b.inlined)) != Some((to.scope, to.inlined)) {
                    self.scope(to);
                }
                match to.at {
                    at if at == before.and_then(|b| b.at) => {}
                    Some([source, line, column]) => {
                        self.debug(to.void, Instruction::Line, &[source, line, line, column, column]);
                    }
                    None => self.debug(to.void, Instruction::NoLine, &[]),
                }
            }
            (None, Some(Line::Scoped(before))) => {
                self.debug(before.void, Instruction::NoScope, &[]);
                if before.at.is_some() {
                    self.debug(before.void, Instruction::NoLine, &[]);
                }
            }
            (None, _) => {
                let line = self.instruction(Op::NoLine, None, None, Vec::new());
                self.append(line);
            }
        }
    }

    fn scope(&mut self, to: Scoped) {
        let scope = self.debug_scope(to);
        self.append(scope);
    }

    fn debug_scope(&mut self, to: Scoped) -> dr::Instruction {
        let operands: Vec<Word> = std::iter::once(to.scope).chain(to.inlined).collect();
        self.debug_instruction(to.void, Instruction::Scope, &operands).1
    }

    fn debug_set(&mut self) -> Word {
        self.extension("SPV_KHR_non_semantic_info");
        self.import(SET)
    }

    fn debug_instruction(&mut self, void: Word, which: Instruction, arguments: &[Word]) -> (Word, dr::Instruction) {
        let mut operands = vec![id(self.debug_set()), Operand::LiteralExtInstInteger(which as u32)];
        operands.extend(ids(arguments));
        let result = self.id();
        (result, self.instruction(Op::ExtInst, Some(void), Some(result), operands))
    }

    /// Adds a debug instruction after all types, constants and global variables.
    pub fn debug_declaration(&mut self, void: Word, which: Instruction, arguments: &[Word]) -> Word {
        let (result, instruction) = self.debug_instruction(void, which, arguments);
        self.declarations.push(instruction);
        result
    }

    /// Adds a debug instruction to the open block.
    pub fn debug(&mut self, void: Word, which: Instruction, arguments: &[Word]) {
        let (_, instruction) = self.debug_instruction(void, which, arguments);
        self.append(instruction);
    }

    /// Adds a debug instruction to the open block at the current line.
    pub fn debug_here(&mut self, void: Word, which: Instruction, arguments: &[Word]) {
        self.push_line(Op::ExtInst);
        self.debug(void, which, arguments);
    }

    /// Adds a debug instruction at the start of the function after its variables, in a scope or outside of all.
    pub fn debug_at_start(&mut self, scope: Option<Scoped>, void: Word, which: Instruction, arguments: &[Word]) {
        let mut added = Vec::new();
        let here = self.function.as_ref().and_then(|f| f.start_scope);
        let to = scope.map(|s| (s.scope, s.inlined));
        if let Some(scope) = scope.filter(|_| to != here) {
            added.push(self.debug_scope(scope));
        }
        added.push(self.debug_instruction(void, which, arguments).1);
        if let Some(f) = &mut self.function {
            f.start.extend(added);
            f.start_scope = to.or(here);
        }
    }

    /// Returns the debug instructions at the start of the current function. Its scopes end there.
    pub(super) fn start_of_function(&mut self) -> Vec<dr::Instruction> {
        let Some(f) = &mut self.function else { return Vec::new() };
        let (mut start, scoped) = (std::mem::take(&mut f.start), f.start_scope.is_some());
        if let Some(void) = start.first().and_then(|first| first.result_type).filter(|_| scoped) {
            start.push(self.debug_instruction(void, Instruction::NoScope, &[]).1);
        }
        start
    }
}
