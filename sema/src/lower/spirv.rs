//! Calls of functions that represent a SPIR-V instruction.

use super::place::Lvalue;
use super::{Lower, Lowerer};
use crate::check::hir::{Arg, ExprId};
use crate::check::{env, fold};
use crate::db::ty::{FnInst, Ty, TyKind};
use wgc_ir::spirv::{Instruction, Operand};
use wgc_ir::{Op, Stmt, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Emits the instruction; returns its result if the function has one.
    pub(super) fn spirv(&mut self, id: ExprId, callee: FnInst<'db>, args: &[Arg]) -> Lower<Option<ValueId>> {
        let raw = crate::types::signature::fn_signature(self.db, callee);
        let signature = env::signature(self.db, callee);
        let instruction = raw.instruction.as_ref()?;
        let mut operands = Vec::new();
        for (param, arg) in signature.params.iter().zip(args) {
            if param.is_constant {
                self.literal(arg.expr(), param.ty, &mut operands)?;
                continue;
            }
            let value = match *arg {
                Arg::Place(place) => self.pointer(place)?,
                arg if self.is_resource(param.ty) => self.object_value(arg.expr(), self.body.expr(arg.expr()).span)?,
                arg => {
                    let value = self.value(arg.expr())?;
                    if self.is_pointer(param.ty) { self.b.extract(value, 0) } else { value }
                }
            };
            operands.push(Operand::Value(value));
        }
        self.b.function_mut().needs.merge(&raw.needs);
        let set = instruction.set.as_deref().map(Into::into);
        let instruction = Box::new(Instruction { set, opcode: instruction.opcode, operands });
        if matches!(signature.ret.kind(self.db), TyKind::Void) {
            self.b.push(Stmt::Spirv(instruction));
            return Some(None);
        }
        let ty = self.expr_type(id)?;
        Some(Some(if self.is_pointer(signature.ret) {
            let address = self.b.value_as(Type::U64, Op::Spirv(instruction));
            self.b.compose(ty, vec![address])
        } else {
            self.b.value_as(ty, Op::Spirv(instruction))
        }))
    }

    /// Returns whether a type is `vk::BufferPointer`, which instructions take and return as its address.
    fn is_pointer(&self, ty: Ty<'db>) -> bool {
        ty.as_record(self.db).is_some_and(|r| {
            let record = r.record(self.db);
            record.item.program(self.db) == self.db.prelude()
                && crate::types::record::record_name(self.db, record) == "BufferPointer"
        })
    }

    /// Adds the words of a constant, the low one first.
    fn literal(&mut self, arg: ExprId, ty: Ty<'db>, operands: &mut Vec<Operand>) -> Lower<()> {
        let bits = fold::eval(self.db, self.body, arg)?.bits;
        operands.push(Operand::Literal(bits as u32));
        if matches!(ty.kind(self.db), TyKind::Scalar(s) if s.size() == 8) {
            operands.push(Operand::Literal((bits >> 32) as u32));
        }
        Some(())
    }

    fn pointer(&mut self, place: ExprId) -> Lower<ValueId> {
        let span = self.body.expr(place).span;
        match self.place(place)? {
            Lvalue::Memory { place, .. } => Some(place),
            _ => self
                .unsupported(span, "a reference to something other than a whole variable, element, field or component"),
        }
    }
}
