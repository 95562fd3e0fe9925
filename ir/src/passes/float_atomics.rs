//! Stores floats as words in memory if atomics compare or exchange their bits.
//!
//! SPIR-V compares integers only, few devices exchange anything else, and pointers cannot be cast. So a global with an
//! [`Op::Bits`] of one of its parts holds words instead of floats (of 32 bits), at the same offsets. Loads convert the
//! words to floats afterwards, stores convert floats to words before. The same applies to a record type, with all nodes
//! that produce or consume it. Memory at an address has the type of each access, so there only the place itself
//! changes. This runs after `inline` and `promote`, when every place can be traced.

use crate::Symbol;
use crate::function::*;
use crate::module::{GlobalKind, Module};
use crate::types::{Field, RecordsType, Scalar, StructType, Type};
use crate::typing;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Bits of a float in memory other than a global, a record or an address, or in memory that leaves its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloatAtomicError {
    pub function: Symbol,
}

impl std::fmt::Display for FloatAtomicError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot determine the memory of a float atomic in {}", self.function)
    }
}

impl std::error::Error for FloatAtomicError {}

/// The memory that a place is part of.
enum Root {
    Global(Symbol),
    /// A record of this type.
    Record(Type),
    Address,
    Other,
}

/// Replaces every [`Op::Bits`] of a module.
pub fn float_atomics(module: &mut Module) -> Result<(), FloatAtomicError> {
    let mut retyped = FxHashSet::default();
    let mut records = FxHashSet::default();
    for function in module.functions.values() {
        for value in function.values.values() {
            let Op::Bits(place) = value.op else { continue };
            match root(function, place) {
                Root::Global(name) => _ = retyped.insert(name),
                Root::Record(ty) => _ = records.insert(ty),
                Root::Address => {}
                Root::Other => return Err(FloatAtomicError { function: function.name.clone() }),
            }
        }
    }
    let mut types = WordTypes::default();
    for global in module.globals.values_mut().filter(|g| retyped.contains(&g.name)) {
        match &mut global.kind {
            GlobalKind::Workgroup { ty } | GlobalKind::Buffer { element: ty, .. } => *ty = types.of(ty),
            _ => {}
        }
    }
    for node in &mut module.graph.nodes {
        let inputs = node.input.iter_mut().filter_map(|i| i.record.as_mut());
        for record in inputs.chain(node.outputs.iter_mut().filter_map(|o| o.record.as_mut())) {
            if records.contains(&record.ty) {
                record.ty = types.of(&record.ty);
            }
        }
    }
    for function in module.functions.values_mut() {
        let body = std::mem::take(&mut function.body);
        let mut rewrite =
            Rewrite { function, globals: &retyped, records: &records, places: FxHashSet::default(), types: &mut types };
        let body = rewrite.block(body);
        function.body = body.ok_or_else(|| FloatAtomicError { function: function.name.clone() })?;
    }
    Ok(())
}

fn root(function: &Function, place: ValueId) -> Root {
    match function.value(place).map(|v| &v.op) {
        Some(Op::Field { base, .. } | Op::Index { base, .. } | Op::Descriptor { array: base, .. }) => {
            root(function, *base)
        }
        Some(Op::Global(name)) => Root::Global(name.clone()),
        Some(Op::InputRecord { .. } | Op::OutputRecord { .. }) => match function.type_of(place).and_then(Type::pointee)
        {
            Some(ty) => Root::Record(ty.clone()),
            None => Root::Other,
        },
        Some(Op::Address(_)) => Root::Address,
        _ => Root::Other,
    }
}

/// Types with words instead of floats. Structures are converted once each, since they are shared.
#[derive(Default)]
struct WordTypes {
    structures: FxHashMap<Arc<StructType>, Arc<StructType>>,
}

impl WordTypes {
    fn of(&mut self, ty: &Type) -> Type {
        let scalar = |s: Scalar| if s == Scalar::F32 { Scalar::U32 } else { s };
        match ty {
            Type::Scalar(s) => Type::Scalar(scalar(*s)),
            Type::Vector(s, n) => Type::Vector(scalar(*s), *n),
            Type::Matrix(m) => Type::Matrix(crate::MatrixType { scalar: scalar(m.scalar), ..*m }),
            Type::Array { element, len, stride } => {
                Type::Array { element: self.of(element).into(), len: *len, stride: *stride }
            }
            Type::RuntimeArray { element, stride } => {
                Type::RuntimeArray { element: self.of(element).into(), stride: *stride }
            }
            Type::Struct(s) => Type::Struct(self.structure(s)),
            Type::Ref(space, pointee) => Type::reference(*space, self.of(pointee)),
            Type::Descriptors { element, len } => Type::Descriptors { element: self.of(element).into(), len: *len },
            other => other.clone(),
        }
    }

    fn structure(&mut self, s: &Arc<StructType>) -> Arc<StructType> {
        if let Some(known) = self.structures.get(s) {
            return Arc::clone(known);
        }
        let fields: Vec<Field> = s.fields.iter().map(|f| Field { ty: self.of(&f.ty), ..f.clone() }).collect();
        let made = if fields == s.fields { Arc::clone(s) } else { Arc::new(StructType { fields, ..(**s).clone() }) };
        self.structures.insert(Arc::clone(s), Arc::clone(&made));
        made
    }
}

struct Rewrite<'a> {
    function: &'a mut Function,
    globals: &'a FxHashSet<Symbol>,
    records: &'a FxHashSet<Type>,
    /// The places within retyped memory.
    places: FxHashSet<ValueId>,
    types: &'a mut WordTypes,
}

impl Rewrite<'_> {
    fn block(&mut self, body: Block) -> Option<Block> {
        let mut out = Block::with_capacity(body.len());
        for mut stmt in body {
            for inner in stmt.blocks_mut() {
                *inner = self.block(std::mem::take(inner))?;
            }
            match &mut stmt {
                Stmt::Let(id) => self.value(*id, &mut out)?,
                Stmt::Store { place, value } if self.places.contains(place) => *value = self.words(*value, &mut out)?,
                // The pointer type would differ from the one that the callee or the instruction expects.
                Stmt::Call { args, .. } if args.iter().any(|a| self.places.contains(a)) => return None,
                Stmt::Spirv(instruction) if instruction.values().any(|a| self.places.contains(&a)) => return None,
                _ => {}
            }
            out.push(stmt);
        }
        Some(out)
    }

    /// Converts the value of a `Let`.
    fn value(&mut self, id: ValueId, out: &mut Block) -> Option<()> {
        let value = self.function.value(id)?.clone();
        let within = |base: &ValueId| self.places.contains(base);
        if let Type::Records(handle) = &value.ty
            && self.records.contains(&handle.record)
        {
            let record = self.types.of(&handle.record).into();
            self.function.values[id].ty = Type::Records(RecordsType { record, ..handle.clone() });
            return Some(());
        }
        match value.op {
            Op::Global(ref name) if self.globals.contains(name) => self.retype(id, &value.ty),
            Op::Field { base, .. } | Op::Index { base, .. } | Op::Descriptor { array: base, .. } if within(&base) => {
                self.retype(id, &value.ty);
            }
            Op::InputRecord { .. } | Op::OutputRecord { .. }
                if value.ty.pointee().is_some_and(|ty| self.records.contains(ty)) =>
            {
                self.retype(id, &value.ty);
            }
            Op::Load(place) if within(&place) => {
                let ty = self.types.of(&value.ty);
                if ty != value.ty {
                    let words = self.make(ty, Op::Load(place), out);
                    self.function.values[id].op = self.converted(words, &value.ty, out)?;
                }
            }
            Op::Bits(place) if within(&place) => self.function.values[id].op = self.function.value(place)?.op.clone(),
            Op::Bits(place) => {
                let words = self.view(place, out)?;
                out.pop();
                self.function.values[id].op = self.function.value(words)?.op.clone();
            }
            Op::Call { ref args, .. } if args.iter().any(within) => return None,
            Op::Spirv(ref instruction) if instruction.values().any(|a| within(&a)) => return None,
            _ => {}
        }
        Some(())
    }

    fn retype(&mut self, place: ValueId, ty: &Type) {
        self.function.values[place].ty = self.types.of(ty);
        self.places.insert(place);
    }

    fn make(&mut self, ty: Type, op: Op, out: &mut Block) -> ValueId {
        super::associated_globals::make(self.function, ty, op, out)
    }

    /// Returns a place at an address as a place of words.
    fn view(&mut self, place: ValueId, out: &mut Block) -> Option<ValueId> {
        let Value { ty, mut op, .. } = self.function.value(place)?.clone();
        match &mut op {
            Op::Field { base, .. } | Op::Index { base, .. } => *base = self.view(*base, out)?,
            Op::Address(_) => {}
            _ => return None,
        }
        let ty = self.types.of(&ty);
        Some(self.make(ty, op, out))
    }

    /// Converts a value to the words in memory.
    fn words(&mut self, value: ValueId, out: &mut Block) -> Option<ValueId> {
        let from = self.function.type_of(value)?.clone();
        let to = self.types.of(&from);
        self.convert(value, &to, out)
    }

    /// Converts a value to a type that differs only in floats and words.
    fn convert(&mut self, value: ValueId, to: &Type, out: &mut Block) -> Option<ValueId> {
        if self.function.type_of(value)? == to {
            return Some(value);
        }
        let op = self.converted(value, to, out)?;
        Some(self.make(to.clone(), op, out))
    }

    fn converted(&mut self, value: ValueId, to: &Type, out: &mut Block) -> Option<Op> {
        let from = self.function.type_of(value)?.clone();
        let parts = match to {
            Type::Scalar(_) | Type::Vector(..) => return Some(Op::Bitcast(value)),
            Type::Matrix(m) => u32::from(m.rows),
            Type::Array { len, .. } => *len,
            Type::Struct(s) => s.fields.len() as u32,
            _ => return None,
        };
        let mut composed = Vec::new();
        for index in 0..parts {
            let part = self.make(typing::element(&from, index).ok()?, Op::Extract { base: value, index }, out);
            composed.push(self.convert(part, &typing::element(to, index).ok()?, out)?);
        }
        Some(Op::Compose(composed))
    }
}
