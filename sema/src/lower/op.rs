//! Built-in operations: the lowering of each row of [`crate::check::ops::OPS`].

use super::{LaunchMode, Lower, Lowerer, Object, Role};
use crate::check::hir::{Arg, Category, ExprId};
use crate::check::ops::{BuiltinOp, memory, semantics};
use crate::check::{env, fold};
use crate::db::ty::FnInst;
use crate::tables::builtin::Builtin;
use wgc_ir::{
    AtomicOp, Barrier, BinaryOp, MemoryFlags, MemoryOrder, Op, Scalar, Scope, Space, Stmt, SubgroupOp, Type, ValueId,
};

impl<'db> Lowerer<'db> {
    /// Lowers a call of a built-in operation that is not a place; returns its value, if any.
    pub(super) fn op(
        &mut self,
        id: ExprId,
        op: BuiltinOp,
        callee: FnInst<'db>,
        object: Option<ExprId>,
        args: &[Arg],
    ) -> Lower<Option<ValueId>> {
        debug_assert_eq!(self.body.expr(id).category, Category::Value);
        let span = self.body.expr(id).span;
        let value = match op {
            op if Self::is_number_op(op) => {
                let values = args.iter().map(|a| self.value(a.expr())).collect::<Lower<Vec<_>>>()?;
                let ty = self.expr_type(id)?;
                self.number(op, &values, &ty)?
            }
            BuiltinOp::SplitBits => {
                self.split_bits(args)?;
                return Some(None);
            }

            // ---- graph
            BuiltinOp::InputCount => self.b.input_count(),
            BuiltinOp::InputFinished => {
                self.finished = self.finished.or(Some(self.source(span)));
                self.b.value(Op::FinishedSharing)
            }
            BuiltinOp::RemainingLevels => self.b.value(Op::RemainingLevels),
            BuiltinOp::RecordsComplete => {
                let records = self.value(object?)?;
                self.b.complete(records);
                self.forget_records(records);
                return Some(None);
            }
            BuiltinOp::Allocate(scope) => {
                let (output, index) = self.output(object?)?;
                let count = self.arg(args, 0)?;
                let Type::Records(records) = self.expr_type(id)? else { return None };
                self.b.allocate(scope, output, index, count, (*records.record).clone())
            }
            BuiltinOp::OutputValid => {
                let (output, index) = self.output(object?)?;
                self.b.output_valid(output, index)
            }
            BuiltinOp::IncrementCount(scope) => {
                let (output, index) = self.output(object?)?;
                let count = self.arg(args, 0)?;
                self.b.increment_count(scope, output, index, count);
                return Some(None);
            }

            // ---- resources
            BuiltinOp::NonUniform => {
                let index = self.arg(args, 0)?;
                self.b.value(Op::NonUniform(index))
            }
            BuiltinOp::CounterIncrement => {
                let buffer = self.object_value(object?, span)?;
                self.count(buffer, 1)
            }
            BuiltinOp::CounterDecrement => {
                let buffer = self.object_value(object?, span)?;
                self.count_down(buffer)
            }
            BuiltinOp::Append => {
                let buffer = self.object_value(object?, span)?;
                let value = self.arg(args, 0)?;
                let index = self.count(buffer, 1);
                let place = self.b.index(buffer, index);
                self.b.store(place, value);
                return Some(None);
            }
            BuiltinOp::Consume => {
                let buffer = self.object_value(object?, span)?;
                let ty = self.expr_type(id)?;
                let index = self.count_down(buffer);
                let place = self.b.index(buffer, index);
                self.b.load_as(place, ty)
            }
            BuiltinOp::BufferSize => {
                let buffer = self.object_value(object?, span)?;
                let count = self.b.array_length(buffer);
                let stride = match self.b.ty(buffer).pointee() {
                    Some(Type::RuntimeArray { stride, .. }) => *stride,
                    _ => 0,
                };
                let stride = self.b.const_u32(stride);
                self.put(args, 0, count)?;
                self.put(args, 1, stride)?;
                return Some(None);
            }
            BuiltinOp::RawSize => {
                let buffer = self.object_value(object?, span)?;
                let words = self.b.array_length(buffer);
                let two = self.b.const_u32(2);
                let bytes = self.b.shl(words, two);
                self.put(args, 0, bytes)?;
                return Some(None);
            }
            BuiltinOp::RawLoad => {
                let buffer = self.object_value(object?, span)?;
                let offset = self.arg(args, 0)?;
                let ty = self.raw_type(callee, self.body.expr(id).ty, span)?;
                let value = self.raw_load(buffer, offset, &ty, span)?;
                self.in_memory(args)?;
                value
            }
            BuiltinOp::BufferLoad => {
                let buffer = self.object_value(object?, span)?;
                let ty = self.expr_type(id)?;
                let index = self.arg(args, 0)?;
                let place = self.b.index(buffer, index);
                let value = self.b.load_as(place, ty);
                self.in_memory(args)?;
                value
            }
            BuiltinOp::RawStore => {
                let buffer = self.object_value(object?, span)?;
                let (offset, value) = (self.arg(args, 0)?, self.arg(args, 1)?);
                let stored = self.body.expr(args.get(1)?.expr()).ty;
                let ty = self.raw_type(callee, stored, span)?;
                self.raw_store(buffer, offset, value, &ty, span)?;
                return Some(None);
            }
            BuiltinOp::RawAtomic(op) => {
                let place = self.raw_word(object?, args, span)?;
                self.atomic(op, place, args)?;
                return Some(None);
            }
            BuiltinOp::RawCompareStore => {
                let place = self.raw_word(object?, args, span)?;
                self.atomic(AtomicOp::CompareExchange, place, args)?;
                return Some(None);
            }
            BuiltinOp::WideAtomic(op) => {
                let place = self.raw_pair(object?, args, span)?;
                self.atomic(op, place, args)?;
                return Some(None);
            }
            BuiltinOp::WideCompareStore => {
                let place = self.raw_pair(object?, args, span)?;
                self.atomic(AtomicOp::CompareExchange, place, args)?;
                return Some(None);
            }
            BuiltinOp::ImageSize(extra) => {
                self.image_size(object?, extra, args)?;
                return Some(None);
            }
            BuiltinOp::ImageLoad => self.image_load(object?, args)?,
            BuiltinOp::ImageSample { compare, lod } => self.image_sample(id, object?, compare, lod, args)?,
            BuiltinOp::ImageGather { component, compare } => {
                self.image_gather(id, object?, component, compare, args)?
            }
            BuiltinOp::ImageGatherRaw => self.image_gather(id, object?, 0, false, args)?,
            BuiltinOp::ImageLod { unclamped } => self.image_lod(object?, unclamped, args)?,
            BuiltinOp::ImageSamplePosition => self.image_sample_position(object?, args)?,
            BuiltinOp::ImageResident => {
                let status = self.arg(args, 0)?;
                self.b.convert(status, Type::BOOL)
            }

            // ---- rays
            BuiltinOp::RayTrace => {
                self.ray_trace(callee, object?, args)?;
                return Some(None);
            }
            BuiltinOp::RayCommand(command) => {
                self.ray_command(command, object?, args)?;
                return Some(None);
            }
            BuiltinOp::RayQuestion(_) | BuiltinOp::RayNonOpaque => self.ray_question(id, op, object?)?,

            // ---- synchronisation
            BuiltinOp::Atomic(op) => {
                let place = self.atomic_place(args)?;
                self.atomic(op, place, args)?;
                return Some(None);
            }
            BuiltinOp::CompareStore => {
                let place = self.atomic_place(args)?;
                self.atomic(AtomicOp::CompareExchange, place, args)?;
                return Some(None);
            }
            BuiltinOp::BarrierMemory => {
                let memory = match self.flag(args, 0) {
                    Some(memory) => memory,
                    // Unknown flags mean all memory.
                    None => self.value(args.first()?.expr()).map(|_| memory::ALL)?,
                };
                self.barrier_as(memory, None, args)?;
                return Some(None);
            }
            BuiltinOp::BarrierObject => {
                let object = args.first()?.expr();
                let (memory, records) = match self.builtin(self.body.expr(object).ty) {
                    Some(Builtin::Input(_)) => (memory::NODE_INPUT, None),
                    Some(Builtin::OutputRecords(_)) => (memory::NODE_OUTPUT, Some(self.value(object)?)),
                    _ => (memory::UAV, None),
                };
                self.barrier_as(memory, records, args)?;
                return Some(None);
            }
            BuiltinOp::Barrier { memory, semantics } => {
                self.barrier(memory, semantics, None);
                return Some(None);
            }

            // ---- meshes
            BuiltinOp::MeshCounts => {
                let (vertices, primitives) = (self.arg(args, 0)?, self.arg(args, 1)?);
                self.b.push(Stmt::MeshCounts { vertices, primitives });
                return Some(None);
            }

            // ---- debugging
            BuiltinOp::Print => {
                self.print(args)?;
                return Some(None);
            }
            BuiltinOp::DebugBreak => {
                self.debug_break();
                return Some(None);
            }

            // ---- lanes and system values
            BuiltinOp::Subgroup(lanes) => self.subgroup(lanes, args)?,
            BuiltinOp::Builtin(builtin) => self.b.builtin(builtin),

            // ---- memory at an address
            BuiltinOp::AddressLoad { coherent } => {
                let ty = self.expr_type(id)?;
                let address = self.arg(args, 0)?;
                let place = self.b.address(address, ty, coherent);
                self.b.load(place)
            }
            BuiltinOp::AddressStore { coherent } => {
                let (address, value) = (self.arg(args, 0)?, self.arg(args, 1)?);
                let ty = self.b.ty(value);
                let place = self.b.address(address, ty, coherent);
                self.b.store(place, value);
                return Some(None);
            }
            BuiltinOp::AddressAtomic { op, order } => {
                let ty = self.expr_type(id)?;
                let address = self.arg(args, 0)?;
                let place = self.b.address(address, ty, true);
                let value = self.arg(args, 1)?;
                match op {
                    AtomicOp::CompareExchange => {
                        let (comparator, value) = (value, self.arg(args, 2)?);
                        self.b.compare_exchange(place, comparator, value, Scope::Device, order)
                    }
                    _ => self.b.atomic(op, place, value, Scope::Device, order),
                }
            }

            BuiltinOp::Spirv => return self.spirv(id, callee, args),

            // The check rejected it.
            BuiltinOp::OtherStage(_) | BuiltinOp::Lacking(_) => return None,

            // Places and objects are lowered elsewhere; numbers are above.
            BuiltinOp::InputRecord
            | BuiltinOp::RecordsGet
            | BuiltinOp::AddressPlace
            | BuiltinOp::BufferElement
            | BuiltinOp::ImageTexel
            | BuiltinOp::ImageMipTexel
            | BuiltinOp::ImageSampleTexel
            | BuiltinOp::OutputElement
            | BuiltinOp::HeapElement
            | BuiltinOp::Math(_)
            | BuiltinOp::Rem
            | BuiltinOp::Mad
            | BuiltinOp::Bitcast
            | BuiltinOp::JoinBits
            | BuiltinOp::FromHalf
            | BuiltinOp::ToHalf
            | BuiltinOp::And
            | BuiltinOp::Or
            | BuiltinOp::Select
            | BuiltinOp::MatrixProduct
            | BuiltinOp::Transpose => {
                let name = &env::signature(self.db, callee).name;
                return self.unsupported(span, &format!("this use of `{name}`"));
            }
        };
        Some(Some(value))
    }

    /// Returns the value of the n-th argument.
    pub(super) fn arg(&mut self, args: &[Arg], n: usize) -> Lower<ValueId> {
        self.value(args.get(n)?.expr())
    }

    /// Stores a value to the n-th argument, an `out` one.
    pub(super) fn put(&mut self, args: &[Arg], n: usize, value: ValueId) -> Lower<()> {
        let place = self.place(args.get(n)?.expr())?;
        let ty = self.place_type(&place);
        let value = self.adapt(value, &ty);
        self.store(&place, value)
    }

    fn flag(&mut self, args: &[Arg], n: usize) -> Lower<u32> {
        let c = fold::eval(self.db, self.body, args.get(n)?.expr())?;
        u32::try_from(c.bits).ok()
    }

    /// Returns the output that contains an object.
    fn output(&mut self, object: ExprId) -> Lower<(u32, ValueId)> {
        let span = self.body.expr(object).span;
        match self.object(object)? {
            Object::Output { id, index } => Some((id, index)),
            _ => self.unsupported(span, "this output"),
        }
    }

    // ---- counters

    /// Adds to a buffer's counter and returns the old value.
    fn count(&mut self, buffer: ValueId, step: u32) -> ValueId {
        let place = self.b.value(Op::Counter(buffer));
        let step = self.b.const_u32(step);
        self.b.atomic(AtomicOp::Add, place, step, Scope::Device, MemoryOrder::Relaxed)
    }

    /// Decrements a buffer's counter and returns the new value.
    fn count_down(&mut self, buffer: ValueId) -> ValueId {
        let old = self.count(buffer, u32::MAX);
        let one = self.b.const_u32(1);
        self.b.sub(old, one)
    }

    // ---- atomics

    fn atomic_place(&mut self, args: &[Arg]) -> Lower<ValueId> {
        let dest = args.first()?.expr();
        let span = self.body.expr(dest).span;
        match self.place(dest)? {
            super::place::Lvalue::Memory { place, .. } => match self.b.ty(place) {
                Type::Ref(
                    Space::Function | Space::Private | Space::Uniform | Space::PushConstant | Space::MeshOutput,
                    _,
                ) => self.unsupported(span, "an atomic in a method of an object that no other thread sees"),
                _ => Some(place),
            },
            super::place::Lvalue::Texel { image, coord, level: None, sample, .. } => {
                Some(self.b.value(Op::Texel { image, coord, sample }))
            }
            _ => self.unsupported(span, "an atomic on this expression"),
        }
    }

    /// Lowers an atomic. The arguments after the destination are the comparator (of a compare), the value and the
    /// destination of the original value.
    fn atomic(&mut self, op: AtomicOp, place: ValueId, args: &[Arg]) -> Lower<()> {
        let dest = args.first()?.expr();
        let span = self.body.expr(dest).span;
        let pointee = self.b.ty(place).pointee().cloned().unwrap_or(Type::Void);
        let moves = op == AtomicOp::Exchange;
        // Floats are compared by their bits: 0 is not -0, and a NaN equals itself. They are exchanged as bits too,
        // since few devices support atomics on floats. Only texels have no type other than that of their image.
        let (place, pointee) = match pointee {
            Type::Scalar(Scalar::F32) if (moves || op == AtomicOp::CompareExchange) && !self.is_texel(place) => {
                (self.b.value(Op::Bits(place)), Type::U32)
            }
            pointee => (place, pointee),
        };
        let fits = match pointee {
            Type::Scalar(Scalar::F32) => moves,
            Type::Scalar(s) => s.is_integer() && s.size() >= 4,
            _ => false,
        };
        if !fits {
            return self.unsupported(span, &format!("this atomic on `{}`", self.body.expr(dest).ty.display(self.db)));
        }
        let mut rest = 1..;
        let mut next = |this: &mut Self| this.arg(args, rest.next()?);
        let comparator = if op == AtomicOp::CompareExchange { Some(next(self)?) } else { None };
        let value = next(self)?;
        // A byte-address buffer consists of words, so other 32-bit numbers are passed as their bits.
        let given = self.b.ty(value);
        let comparator = comparator.map(|c| self.b.bitcast(c, pointee.clone()));
        let value = self.b.bitcast(value, pointee.clone());
        let scope = match self.b.ty(place) {
            Type::Ref(Space::Workgroup, _) => Scope::Workgroup,
            _ => Scope::Device,
        };
        let order = MemoryOrder::Relaxed;
        let old = self.b.value(Op::Atomic { op, place, value, comparator, scope, order });
        match rest.next().filter(|n| *n < args.len()) {
            Some(n) => {
                let old = self.b.bitcast(old, given);
                self.put(args, n, old)
            }
            None => Some(()),
        }
    }

    fn is_texel(&self, place: ValueId) -> bool {
        matches!(self.b.ty(place), Type::Ref(Space::Image, _))
    }

    // ---- barriers

    /// Emits a barrier with the semantics of the second argument. Semantics that are not constant order as much as
    /// flags can request. A run-time test decides if threads wait for each other; the language requires it to be
    /// uniform.
    fn barrier_as(&mut self, memory: u32, records: Option<ValueId>, args: &[Arg]) -> Lower<()> {
        if let Some(semantics) = self.flag(args, 1) {
            self.barrier(memory, semantics, records);
            return Some(());
        }
        let semantics = self.value(args.get(1)?.expr())?;
        let scope = if memory & !memory::GROUP_SHARED == 0 { semantics::GROUP_SCOPE } else { semantics::DEVICE_SCOPE };
        if self.role == Role::Node(LaunchMode::Thread) {
            self.barrier(memory, scope, records);
            return Some(());
        }
        let bit = self.b.const_u32(semantics::GROUP_SYNC);
        let bit = self.b.binary(BinaryOp::And, semantics, bit);
        let zero = self.b.const_u32(0);
        let cond = self.b.binary(BinaryOp::Ne, bit, zero);
        let mut side = |semantics| {
            self.nested(|this| {
                this.barrier(memory, semantics, records);
                Some(())
            })
        };
        let then = side(scope | semantics::GROUP_SYNC)?;
        let otherwise = side(scope)?;
        self.b.push(Stmt::if_(cond, then, otherwise));
        Some(())
    }

    /// SPEC 4370: `ALL_MEMORY` drops the kinds that do not apply; of two scopes the wider holds.
    fn barrier(&mut self, mem: u32, sem: u32, records: Option<ValueId>) {
        let has = |bit: u32| mem & bit != 0;
        let mut flags = MemoryFlags {
            uav: has(memory::UAV),
            group_shared: has(memory::GROUP_SHARED),
            node_input: has(memory::NODE_INPUT),
            node_output: has(memory::NODE_OUTPUT),
        };
        match self.role {
            Role::Node(LaunchMode::Thread) => flags.group_shared = false,
            Role::Compute => (flags.node_input, flags.node_output) = (false, false),
            Role::Node(_) | Role::Callee => {}
        }
        let scope = if sem & semantics::DEVICE_SCOPE != 0 {
            Some(Scope::Device)
        } else if sem & semantics::GROUP_SCOPE != 0 {
            Some(Scope::Workgroup)
        } else {
            None
        };
        let group_sync = sem & semantics::GROUP_SYNC != 0;
        self.b.push(Stmt::Barrier(Barrier { memory: flags, group_sync, scope, records }));
    }

    // ---- lanes

    fn subgroup(&mut self, op: SubgroupOp, args: &[Arg]) -> Lower<ValueId> {
        let values = args.iter().map(|a| self.value(a.expr())).collect::<Lower<Vec<_>>>()?;
        self.by_rows(&values, |this, parts| Some(this.lanes(op, parts)))
    }

    fn lanes(&mut self, op: SubgroupOp, values: &[ValueId]) -> ValueId {
        // One result for each component.
        if op == SubgroupOp::AllEqual
            && let [value] = *values
            && let Type::Vector(_, n) = self.b.ty(value)
        {
            let mut parts = Vec::new();
            for i in 0..u32::from(n) {
                let part = self.b.extract(value, i);
                parts.push(self.b.subgroup(op, &[part]));
            }
            return self.b.compose(Type::Vector(Scalar::Bool, n), parts);
        }
        if op.is_derivative()
            && let [value] = *values
        {
            // Only single precision is supported; derivatives of other types are no more exact.
            let ty = self.b.ty(value);
            let single = Type::vector_of(Scalar::F32, ty.components().unwrap_or(1));
            let value = self.b.convert(value, single);
            let difference = self.b.subgroup(op, &[value]);
            return self.b.convert(difference, ty);
        }
        self.b.subgroup(op, values)
    }
}
