//! Messages and breakpoints for tools, as instructions of non-semantic sets.

use super::{Lower, Lowerer};
use crate::check::hir::Arg;
use crate::check::text;
use wgc_ir::spirv::{Instruction, Operand};
use wgc_ir::{Scalar, Stmt, Type};

/// The opcode; both sets have a single instruction.
const ONLY: u32 = 1;

impl<'db> Lowerer<'db> {
    /// Lowers `printf(format, ..)`.
    pub(super) fn print(&mut self, args: &[Arg]) -> Lower<()> {
        let (format, numbers) = args.split_first()?;
        let mut operands = vec![Operand::Text(text::literal(self.db, self.body, format.expr())?.into())];
        for number in numbers {
            let value = self.value(number.expr())?;
            // A bool has no bit representation to print.
            let ty = self.b.ty(value);
            let value = match (ty.scalar(), ty.components()) {
                (Some(Scalar::Bool), Some(n)) => self.b.convert(value, Type::vector_of(Scalar::U32, n)),
                _ => value,
            };
            operands.push(Operand::Value(value));
        }
        self.non_semantic("NonSemantic.DebugPrintf", operands);
        Some(())
    }

    /// Lowers `DebugBreak()`.
    pub(super) fn debug_break(&mut self) {
        self.non_semantic("NonSemantic.DebugBreak", Vec::new());
    }

    fn non_semantic(&mut self, set: &str, operands: Vec<Operand>) {
        self.b.push(Stmt::Spirv(Box::new(Instruction { set: Some(set.into()), opcode: ONLY, operands })));
    }
}
