//! Byte-address buffers: values of any plain type as words of 32 bits.
//!
//! The buffer is an array of words. Offsets are bytes and multiples of four, except that a 16-bit value may be in the
//! upper half of a word.

use super::{Lower, Lowerer};
use crate::check::hir::{Arg, ExprId};
use crate::db::ty::{FnInst, GenericArg, Ty};
use crate::types::extent::MAX_LISTED;
use wgc_frontend::ast::Span;
use wgc_ir::{AtomicOp, BinaryOp, MemoryOrder, Op, Scalar, Scope, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Returns the place of the word at a byte offset.
    fn word(&mut self, buffer: ValueId, offset: ValueId) -> ValueId {
        let two = self.b.const_u32(2);
        let index = self.b.shr(offset, two);
        self.b.index(buffer, index)
    }

    /// Returns the word of an atomic method; the offset is the first argument.
    pub(super) fn raw_word(&mut self, object: ExprId, args: &[Arg], span: Span) -> Lower<ValueId> {
        let buffer = self.object_value(object, span)?;
        let offset = self.arg(args, 0)?;
        Some(self.word(buffer, offset))
    }

    /// Returns the two words of an atomic method.
    pub(super) fn raw_pair(&mut self, object: ExprId, args: &[Arg], span: Span) -> Lower<ValueId> {
        let buffer = self.object_value(object, span)?;
        let pairs = self.b.value(Op::Wide(buffer));
        let offset = self.arg(args, 0)?;
        let three = self.b.const_u32(3);
        let index = self.b.shr(offset, three);
        Some(self.b.index(pairs, index))
    }

    /// Stores the status of a buffer load if requested; always success, as SPIR-V has no status for it.
    pub(super) fn in_memory(&mut self, args: &[Arg]) -> Lower<()> {
        if args.len() < 2 {
            return Some(());
        }
        let one = self.b.const_u32(1);
        self.put(args, 1, one)
    }

    fn at(&mut self, offset: ValueId, bytes: u32) -> ValueId {
        if bytes == 0 {
            return offset;
        }
        let bytes = self.b.const_u32(bytes);
        self.b.add(offset, bytes)
    }

    /// Returns the memory type of `Load<T>` and `Store<T>`: the declared `T` or the type of the value. `T` determines
    /// the matrix order unless the command line does.
    pub(super) fn raw_type(&mut self, callee: FnInst<'db>, value: Ty<'db>, span: Span) -> Lower<Type> {
        let ty = match callee.args(self.db).first() {
            Some(GenericArg::Ty(ty)) => self.memory_type(*ty, span)?,
            _ => self.memory_type(value, span)?,
        };
        let legacy = self.source.item.program(self.db).options(self.db).legacy_buffer_matrices;
        Some(if legacy { ty.as_value() } else { ty })
    }

    /// Loads a value with the layout of `ty` from memory.
    pub(super) fn raw_load(&mut self, buffer: ValueId, offset: ValueId, ty: &Type, span: Span) -> Lower<ValueId> {
        match ty {
            Type::Scalar(scalar) => Some(self.load_scalar(buffer, offset, *scalar)),
            Type::Vector(scalar, n) => {
                let mut parts = Vec::new();
                for i in 0..u32::from(*n) {
                    let at = self.at(offset, i * scalar.size());
                    parts.push(self.load_scalar(buffer, at, *scalar));
                }
                Some(self.b.compose(ty.clone(), parts))
            }
            Type::Matrix(m) => {
                let mut rows = Vec::new();
                for r in 0..u32::from(m.rows) {
                    let mut parts = Vec::new();
                    for c in 0..u32::from(m.columns) {
                        let at = self.at(offset, m.offset(r, c));
                        parts.push(self.load_scalar(buffer, at, m.scalar));
                    }
                    rows.push(self.string(m.row(), parts));
                }
                Some(self.b.compose(ty.as_value(), rows))
            }
            Type::Array { len, .. } if *len as usize > MAX_LISTED => {
                self.unsupported(span, &format!("a load of an array with more than {MAX_LISTED} elements"))
            }
            Type::Array { element, len, stride } => {
                let mut parts = Vec::new();
                for i in 0..*len {
                    self.room(span, 1)?;
                    let at = self.at(offset, i * stride);
                    parts.push(self.raw_load(buffer, at, element, span)?);
                }
                Some(self.b.compose(ty.as_value(), parts))
            }
            Type::Struct(s) => {
                let mut parts = Vec::new();
                for field in &s.fields {
                    let at = self.at(offset, field.offset);
                    parts.push(self.raw_load(buffer, at, &field.ty, span)?);
                }
                Some(self.b.compose(ty.as_value(), parts))
            }
            _ => self.object_in_memory(span, "a load from a buffer"),
        }
    }

    fn load_scalar(&mut self, buffer: ValueId, offset: ValueId, scalar: Scalar) -> ValueId {
        let place = self.word(buffer, offset);
        let word = self.b.load(place);
        let ty = Type::Scalar(scalar);
        match scalar.size() {
            _ if scalar == Scalar::Bool => self.b.convert(word, ty),
            4 => self.b.bitcast(word, ty),
            8 => {
                let next = self.at(offset, 4);
                let place = self.word(buffer, next);
                let high = self.b.load(place);
                let words = self.b.compose(Type::Vector(Scalar::U32, 2), vec![word, high]);
                self.b.bitcast(words, ty)
            }
            _ => {
                // The second bit of the offset selects the half of the word.
                let (two, three) = (self.b.const_u32(2), self.b.const_u32(3));
                let odd = self.b.and(offset, two);
                let shift = self.b.shl(odd, three);
                let half = self.b.shr(word, shift);
                let half = self.b.convert(half, Type::Scalar(Scalar::U16));
                self.b.bitcast(half, ty)
            }
        }
    }

    pub(super) fn raw_store(
        &mut self,
        buffer: ValueId,
        offset: ValueId,
        value: ValueId,
        ty: &Type,
        span: Span,
    ) -> Lower<()> {
        let parts: Vec<(u32, u32, Type)> = match ty {
            Type::Scalar(scalar) => {
                self.store_scalar(buffer, offset, value, *scalar);
                return Some(());
            }
            Type::Vector(scalar, n) => {
                (0..u32::from(*n)).map(|i| (i, i * scalar.size(), Type::Scalar(*scalar))).collect()
            }
            Type::Matrix(m) => {
                for r in 0..u32::from(m.rows) {
                    let row = self.b.extract(value, r);
                    for c in 0..u32::from(m.columns) {
                        let part = self.pick(row, &[c as u8]);
                        let at = self.at(offset, m.offset(r, c));
                        self.store_scalar(buffer, at, part, m.scalar);
                    }
                }
                return Some(());
            }
            Type::Array { len, .. } if *len as usize > MAX_LISTED => {
                return self.unsupported(span, &format!("a store of an array with more than {MAX_LISTED} elements"));
            }
            Type::Array { element, len, stride } => (0..*len).map(|i| (i, i * stride, (**element).clone())).collect(),
            Type::Struct(s) => s.fields.iter().enumerate().map(|(i, f)| (i as u32, f.offset, f.ty.clone())).collect(),
            _ => return self.object_in_memory(span, "a store to a buffer"),
        };
        for (index, bytes, ty) in parts {
            self.room(span, 0)?;
            let part = self.b.extract(value, index);
            let at = self.at(offset, bytes);
            self.raw_store(buffer, at, part, &ty, span)?;
        }
        Some(())
    }

    /// Stores 16 bits: clears its half of the word, then sets it. Another thread may write the other half at the same
    /// time, so both steps are atomic. A third thread that reads zero in between has a data race.
    fn store_half(&mut self, buffer: ValueId, offset: ValueId, value: ValueId) {
        let place = self.word(buffer, offset);
        let half = self.b.bitcast(value, Type::Scalar(Scalar::U16));
        let half = self.b.convert(half, Type::U32);
        let (two, three, ones) = (self.b.const_u32(2), self.b.const_u32(3), self.b.const_u32(0xffff));
        let odd = self.b.and(offset, two);
        let shift = self.b.shl(odd, three);
        let mask = self.b.shl(ones, shift);
        let all = self.b.const_u32(u32::MAX);
        let others = self.b.binary(BinaryOp::Xor, mask, all);
        let half = self.b.shl(half, shift);
        self.b.atomic(AtomicOp::And, place, others, Scope::Device, MemoryOrder::Relaxed);
        self.b.atomic(AtomicOp::Or, place, half, Scope::Device, MemoryOrder::Relaxed);
    }

    fn store_scalar(&mut self, buffer: ValueId, offset: ValueId, value: ValueId, scalar: Scalar) {
        match scalar.size() {
            4 => {
                let word = if scalar == Scalar::Bool {
                    self.b.convert(value, Type::U32)
                } else {
                    self.b.bitcast(value, Type::U32)
                };
                let place = self.word(buffer, offset);
                self.b.store(place, word);
            }
            8 => {
                let words = self.b.bitcast(value, Type::Vector(Scalar::U32, 2));
                for i in 0..2 {
                    let word = self.b.extract(words, i);
                    let at = self.at(offset, i * 4);
                    let place = self.word(buffer, at);
                    self.b.store(place, word);
                }
            }
            _ => self.store_half(buffer, offset, value),
        }
    }
}
