//! Builds functions: typed helpers that compute result types, and nested blocks.
//!
//! The builder never panics and never refuses. An operation with unsuitable operands gets the type `Void`, which
//! [`verify`](mod@crate::verify) reports by name. Lowering checked source, or another function, produces none.
//!
//! Parameters, constants and places of locals and globals are created once, in a prologue before the body. So they are
//! visible everywhere.
//!
//! ```
//! use wgc_ir::{FunctionBuilder, Type};
//! let mut b = FunctionBuilder::new("double_odd", Type::U32);
//! let x = b.param("x", Type::U32);
//! let one = b.const_u32(1);
//! let odd = b.and(x, one);
//! let is_odd = b.eq(odd, one);
//! b.if_then(is_odd, |b| {
//!     let twice = b.add(x, x);
//!     b.ret(Some(twice));
//! });
//! b.ret(Some(x));
//! let function = b.finish();
//! assert_eq!(function.body.len(), 6);
//! ```

use crate::Symbol;
use crate::function::*;
use crate::hint::BranchHint;
use crate::image::{ImageLoad, ImageQuery};
use crate::module::Global;
use crate::position::Position;
use crate::types::{AllocScope, RecordsType, Scalar, Space, Type};
use crate::typing::{self, Typing};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Debug)]
pub struct FunctionBuilder {
    function: Function,
    prologue: Block,
    /// Open blocks, innermost last; the first is the body.
    blocks: Vec<Block>,
    /// For each open block: the position that its last marker set, while that is certain.
    marked: Vec<Option<Position>>,
    /// The position of the next statements.
    position: Option<Position>,
    constants: FxHashMap<ScalarConst, ValueId>,
    locals: FxHashMap<LocalId, ValueId>,
    globals: FxHashMap<Symbol, ValueId>,
}

impl FunctionBuilder {
    pub fn new(name: impl Into<Symbol>, ret: Type) -> FunctionBuilder {
        FunctionBuilder {
            function: Function::new(name, ret),
            prologue: Block::new(),
            blocks: vec![Block::new()],
            marked: vec![None],
            position: None,
            constants: FxHashMap::default(),
            locals: FxHashMap::default(),
            globals: FxHashMap::default(),
        }
    }

    /// Opens a finished function for rewriting. Parameters, locals and values stay. Returns the old body: the caller
    /// walks its statements, pushes those that stay and builds those that change.
    pub fn rewrite(mut function: Function) -> (FunctionBuilder, Block) {
        let body = std::mem::take(&mut function.body);
        let mut builder = FunctionBuilder::new("", Type::Void);
        builder.function = function;
        (builder, body)
    }

    /// Returns the function. Blocks that are still open are flattened into their statements, in order.
    pub fn finish(mut self) -> Function {
        let mut body = self.prologue;
        body.extend(self.blocks.drain(..).flatten());
        self.function.body = body;
        self.function
    }

    /// Returns the function so far. Its body is empty until [`finish`](Self::finish).
    pub fn function(&self) -> &Function {
        &self.function
    }

    pub fn function_mut(&mut self) -> &mut Function {
        &mut self.function
    }

    /// Returns the type of a value (`Void` for an id of another function).
    pub fn ty(&self, value: ValueId) -> Type {
        self.function.type_of(value).cloned().unwrap_or(Type::Void)
    }

    /// Gives a value a debug name.
    pub fn set_name(&mut self, value: ValueId, name: impl Into<Symbol>) {
        if self.function.value(value).is_some() {
            self.function.values[value].name = name.into();
        }
    }

    /// Marks a value as precise, or the contents of a place.
    pub fn set_precise(&mut self, value: ValueId) {
        if self.function.value(value).is_some() {
            self.function.values[value].precise = true;
        }
    }

    /// Sets the position of the next statements, and returns the previous one. The builder adds a [`Stmt::At`] before a
    /// statement whose position differs from that of the previous statement.
    pub fn set_position(&mut self, position: Option<Position>) -> Option<Position> {
        std::mem::replace(&mut self.position, position)
    }

    /// Returns the position of the next statements.
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    // ---- blocks

    /// Opens a block; statements go there until [`end_block`](Self::end_block).
    pub fn begin_block(&mut self) {
        self.blocks.push(Block::new());
        self.marked.push(None);
    }

    /// Closes the innermost open block and returns it. The body itself cannot be closed: an empty block is returned
    /// instead.
    pub fn end_block(&mut self) -> Block {
        if self.blocks.len() == 1 {
            return Block::new();
        }
        self.marked.pop();
        self.blocks.pop().unwrap_or_default()
    }

    /// Returns the statements that `f` writes, as a separate block.
    pub fn block(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.begin_block();
        f(self);
        self.end_block()
    }

    /// Returns whether the open block ends in a jump, so that no statement may follow.
    pub fn is_closed(&self) -> bool {
        self.blocks.last().and_then(|b| b.last()).is_some_and(Stmt::is_jump)
    }

    /// Adds a statement to the open block, unless a jump already ended it.
    pub fn push(&mut self, stmt: Stmt) {
        if self.is_closed() {
            return;
        }
        let (Some(block), Some(marked)) = (self.blocks.last_mut(), self.marked.last_mut()) else { return };
        match (&stmt, self.position) {
            (Stmt::At(position), _) => *marked = Some(*position),
            (_, Some(position)) if *marked != Some(position) => {
                block.push(Stmt::At(position));
                *marked = Some(position);
            }
            _ => {}
        }
        // The nested contents may end up in this block when branches are folded.
        if stmt.is_nested() {
            *marked = None;
        }
        block.push(stmt);
    }

    pub fn if_then(&mut self, cond: ValueId, then: impl FnOnce(&mut Self)) {
        self.if_else(cond, then, |_| {});
    }

    pub fn if_else(&mut self, cond: ValueId, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let then = self.block(then);
        let otherwise = self.block(otherwise);
        self.push(Stmt::if_(cond, then, otherwise));
    }

    /// Adds a loop. `continuing` may return the condition that ends it.
    pub fn loop_with(&mut self, body: impl FnOnce(&mut Self), continuing: impl FnOnce(&mut Self) -> Option<ValueId>) {
        let body = self.block(body);
        self.begin_block();
        let break_if = continuing(self);
        let continuing = self.end_block();
        self.push(Stmt::Loop { body, continuing, break_if, details: Box::default() });
    }

    /// Adds a loop that repeats until a `Break`.
    pub fn loop_forever(&mut self, body: impl FnOnce(&mut Self)) {
        self.loop_with(body, |_| None);
    }

    /// Counts a fresh local from `from` up to `to` (exclusive) in steps of one. The body gets the value of the counter.
    pub fn for_range(&mut self, from: ValueId, to: ValueId, body: impl FnOnce(&mut Self, ValueId)) {
        let scalar = self.ty(from).scalar().unwrap_or(Scalar::U32);
        self.counted(from, to, |b| b.constant(ScalarConst::new(scalar, 1)), body);
    }

    /// Counts like [`for_range`](Self::for_range), in steps of `step`, which has the type of the bounds.
    pub fn for_steps(&mut self, from: ValueId, to: ValueId, step: ValueId, body: impl FnOnce(&mut Self, ValueId)) {
        self.counted(from, to, |_| step, body);
    }

    fn counted(
        &mut self,
        from: ValueId,
        to: ValueId,
        step: impl FnOnce(&mut Self) -> ValueId,
        body: impl FnOnce(&mut Self, ValueId),
    ) {
        let ty = self.ty(from);
        let counter = self.new_local("i", ty);
        self.store(counter, from);
        let step = step(self);
        self.loop_with(
            |b| {
                let i = b.load(counter);
                let more = b.lt(i, to);
                b.if_else(more, |_| {}, |b| b.break_());
                body(b, i);
            },
            |b| {
                let i = b.load(counter);
                let next = b.add(i, step);
                b.store(counter, next);
                None
            },
        );
    }

    pub fn switch(&mut self, selector: ValueId, cases: Vec<Case>, default: Block) {
        self.push(Stmt::Switch { selector, cases, default, hint: BranchHint::Any, results: Values::default() });
    }

    pub fn break_(&mut self) {
        self.push(Stmt::break_());
    }

    pub fn continue_(&mut self) {
        self.push(Stmt::Continue(Values::default()));
    }

    pub fn ret(&mut self, value: Option<ValueId>) {
        self.push(Stmt::Return(value));
    }

    // ---- values

    /// Adds the value of `op`, with the type that follows from the operands.
    pub fn value(&mut self, op: Op) -> ValueId {
        self.value_as(Type::Void, op)
    }

    /// Adds the value of `op` with the given type, unless the operands determine another one.
    pub fn value_as(&mut self, ty: Type, op: Op) -> ValueId {
        let ty = match typing::type_of(&self.function, &op, &ty) {
            Ok(Typing::Is(ty)) => ty,
            Ok(Typing::Outside) => ty,
            Err(_) => Type::Void,
        };
        let id = self.function.values.alloc(Value::new(ty, op));
        self.push(Stmt::Let(id));
        id
    }

    /// Adds a value to the prologue, visible in the whole function. `op` must not depend on values of the body.
    fn prologue_value(&mut self, ty: Type, op: Op) -> ValueId {
        let id = self.function.values.alloc(Value::new(ty, op));
        self.prologue.push(Stmt::Let(id));
        id
    }

    /// Adds a parameter; an `out` parameter has the type `Ref(Function, T)`.
    pub fn param(&mut self, name: impl Into<Symbol>, ty: Type) -> ValueId {
        let name = name.into();
        let index = self.function.params.len() as u32;
        self.function.params.push(Param { name: name.clone(), ty: ty.clone(), variable: None });
        let id = self.prologue_value(ty, Op::Param(index));
        self.set_name(id, name);
        id
    }

    pub fn local(&mut self, name: impl Into<Symbol>, ty: Type) -> LocalId {
        self.function.locals.alloc(Local { name: name.into(), ty, variable: None })
    }

    /// Returns the place of a local.
    pub fn local_place(&mut self, local: LocalId) -> ValueId {
        if let Some(&place) = self.locals.get(&local) {
            return place;
        }
        let ty = match self.function.local(local) {
            Some(l) => Type::reference(Space::Function, l.ty.clone()),
            None => Type::Void,
        };
        let place = self.prologue_value(ty, Op::Local(local));
        self.locals.insert(local, place);
        place
    }

    /// Adds a local and returns its place.
    pub fn new_local(&mut self, name: impl Into<Symbol>, ty: Type) -> ValueId {
        let local = self.local(name, ty);
        self.local_place(local)
    }

    /// Returns the place of a global, or its value for images and samplers.
    pub fn global(&mut self, global: &Global) -> ValueId {
        self.global_as(global.name.clone(), global.value_type())
    }

    /// Returns a global by name, for callers that know its [`Global::value_type`].
    pub fn global_as(&mut self, name: impl Into<Symbol>, ty: Type) -> ValueId {
        let name = name.into();
        if let Some(&value) = self.globals.get(&name) {
            return value;
        }
        let value = self.prologue_value(ty, Op::Global(name.clone()));
        self.globals.insert(name, value);
        value
    }

    pub fn constant(&mut self, constant: ScalarConst) -> ValueId {
        if let Some(&value) = self.constants.get(&constant) {
            return value;
        }
        let value = self.prologue_value(Type::Scalar(constant.ty), Op::Const(constant));
        self.constants.insert(constant, value);
        value
    }

    pub fn const_bool(&mut self, value: bool) -> ValueId {
        self.constant(ScalarConst::bool(value))
    }

    pub fn const_u32(&mut self, value: u32) -> ValueId {
        self.constant(ScalarConst::u32(value))
    }

    pub fn const_i32(&mut self, value: i32) -> ValueId {
        self.constant(ScalarConst::i32(value))
    }

    pub fn const_f32(&mut self, value: f32) -> ValueId {
        self.constant(ScalarConst::f32(value))
    }

    /// Returns a value of `ty` (scalar or vector) whose components all have these bits.
    pub fn splat_const(&mut self, ty: &Type, bits: u64) -> ValueId {
        let scalar = self.constant(ScalarConst::new(ty.scalar().unwrap_or(Scalar::U32), bits));
        self.splat(scalar, ty.components().unwrap_or(1))
    }

    pub fn zero(&mut self, ty: Type) -> ValueId {
        self.value_as(ty, Op::Zero)
    }

    pub fn undef(&mut self, ty: Type) -> ValueId {
        self.value_as(ty, Op::Undef)
    }

    pub fn compose(&mut self, ty: Type, parts: Vec<ValueId>) -> ValueId {
        self.value_as(ty, Op::Compose(parts))
    }

    /// Repeats a scalar `n` times. Returns the scalar itself for one.
    pub fn splat(&mut self, scalar: ValueId, n: u32) -> ValueId {
        if n == 1 { scalar } else { self.value(Op::Swizzle { base: scalar, components: vec![0; n as usize] }) }
    }

    pub fn extract(&mut self, base: ValueId, index: u32) -> ValueId {
        self.value(Op::Extract { base, index })
    }

    pub fn extract_dynamic(&mut self, base: ValueId, index: ValueId) -> ValueId {
        self.value(Op::ExtractDynamic { base, index })
    }

    pub fn insert(&mut self, base: ValueId, index: u32, value: ValueId) -> ValueId {
        self.value(Op::Insert { base, index, value })
    }

    pub fn swizzle(&mut self, base: ValueId, components: &[u8]) -> ValueId {
        self.value(Op::Swizzle { base, components: components.to_vec() })
    }

    pub fn shuffle(&mut self, lhs: ValueId, rhs: ValueId, components: &[u8]) -> ValueId {
        self.value(Op::Shuffle { lhs, rhs, components: components.to_vec() })
    }

    pub fn unary(&mut self, op: UnaryOp, value: ValueId) -> ValueId {
        self.value(Op::Unary { op, value })
    }

    pub fn neg(&mut self, value: ValueId) -> ValueId {
        self.unary(UnaryOp::Neg, value)
    }

    pub fn not(&mut self, value: ValueId) -> ValueId {
        self.unary(UnaryOp::Not, value)
    }

    pub fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.value(Op::Binary { op, lhs, rhs })
    }

    pub fn select(&mut self, cond: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        self.value(Op::Select { cond, then, otherwise })
    }

    /// Converts a number. Returns the value itself if it already has the type.
    pub fn convert(&mut self, value: ValueId, ty: Type) -> ValueId {
        if self.ty(value) == ty { value } else { self.value_as(ty, Op::Convert(value)) }
    }

    /// Reinterprets the bits as another type. Returns the value itself if it already has the type.
    pub fn bitcast(&mut self, value: ValueId, ty: Type) -> ValueId {
        if self.ty(value) == ty { value } else { self.value_as(ty, Op::Bitcast(value)) }
    }

    pub fn math(&mut self, op: MathOp, args: &[ValueId]) -> ValueId {
        self.value(Op::Math { op, args: args.to_vec() })
    }

    pub fn min(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.math(MathOp::Min, &[a, b])
    }

    pub fn max(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.math(MathOp::Max, &[a, b])
    }

    // ---- memory

    pub fn field(&mut self, base: ValueId, index: u32) -> ValueId {
        self.value(Op::Field { base, index })
    }

    pub fn index(&mut self, base: ValueId, index: ValueId) -> ValueId {
        self.value(Op::Index { base, index })
    }

    pub fn index_const(&mut self, base: ValueId, index: u32) -> ValueId {
        let index = self.const_u32(index);
        self.index(base, index)
    }

    /// Returns the place of a `pointee` at a device address.
    pub fn address(&mut self, address: ValueId, pointee: Type, coherent: bool) -> ValueId {
        self.value_as(Type::reference(Space::Physical { coherent }, pointee), Op::Address(address))
    }

    /// Loads the contents of a place, with the layout of the place.
    pub fn load(&mut self, place: ValueId) -> ValueId {
        let ty = self.ty(place).pointee().cloned().unwrap_or(Type::Void);
        self.value_as(ty, Op::Load(place))
    }

    /// Loads the contents of a place, converted to a type of the same shape.
    pub fn load_as(&mut self, place: ValueId, ty: Type) -> ValueId {
        self.value_as(ty, Op::Load(place))
    }

    pub fn store(&mut self, place: ValueId, value: ValueId) {
        self.push(Stmt::Store { place, value });
    }

    pub fn array_length(&mut self, place: ValueId) -> ValueId {
        self.value(Op::ArrayLength(place))
    }

    /// Adds an atomic operation. Returns the old value.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        place: ValueId,
        value: ValueId,
        scope: Scope,
        order: MemoryOrder,
    ) -> ValueId {
        self.value(Op::Atomic { op, place, value, comparator: None, scope, order })
    }

    /// Adds an atomic compare-exchange. Returns the old value.
    pub fn compare_exchange(
        &mut self,
        place: ValueId,
        comparator: ValueId,
        value: ValueId,
        scope: Scope,
        order: MemoryOrder,
    ) -> ValueId {
        let op = AtomicOp::CompareExchange;
        self.value(Op::Atomic { op, place, value, comparator: Some(comparator), scope, order })
    }

    pub fn barrier(&mut self, barrier: Barrier) {
        self.push(Stmt::Barrier(barrier));
    }

    pub fn image_load(&mut self, image: ValueId, coord: ValueId) -> ValueId {
        self.value(Op::ImageLoad(Box::new(ImageLoad::new(image, coord))))
    }

    pub fn image_size(&mut self, image: ValueId) -> ValueId {
        self.value(Op::ImageQuery { image, query: ImageQuery::Size(None) })
    }

    pub fn image_store(&mut self, image: ValueId, coord: ValueId, value: ValueId) {
        self.push(Stmt::ImageStore { image, coord, sample: None, value });
    }

    // ---- environment, calls, graph

    pub fn builtin(&mut self, builtin: Builtin) -> ValueId {
        self.value(Op::Builtin(builtin))
    }

    pub fn subgroup(&mut self, op: SubgroupOp, args: &[ValueId]) -> ValueId {
        self.value(Op::Subgroup { op, args: args.to_vec() })
    }

    /// Calls a function for its value. `ret` is the callee's return type.
    pub fn call(&mut self, callee: impl Into<Symbol>, ret: Type, args: Vec<ValueId>) -> ValueId {
        self.value_as(ret, Op::Call { callee: callee.into(), args })
    }

    /// Calls a function that returns nothing.
    pub fn call_void(&mut self, callee: impl Into<Symbol>, args: Vec<ValueId>) {
        self.push(Stmt::Call { callee: callee.into(), args });
    }

    /// Returns the place of the input record `index`. `record` is the input's record type.
    pub fn input_record(&mut self, index: ValueId, record: Type) -> ValueId {
        self.value_as(Type::reference(Space::NodeInput, record), Op::InputRecord { index })
    }

    pub fn input_count(&mut self) -> ValueId {
        self.value(Op::InputCount)
    }

    /// Returns a handle to new records. `record` is the output's record type.
    pub fn allocate(
        &mut self,
        scope: AllocScope,
        output: OutputId,
        index: ValueId,
        count: ValueId,
        record: Type,
    ) -> ValueId {
        let ty = Type::Records(RecordsType { scope, record: Arc::new(record) });
        self.value_as(ty, Op::Allocate { scope, output, index, count })
    }

    pub fn output_record(&mut self, records: ValueId, index: ValueId) -> ValueId {
        self.value(Op::OutputRecord { records, index })
    }

    pub fn output_valid(&mut self, output: OutputId, index: ValueId) -> ValueId {
        self.value(Op::OutputValid { output, index })
    }

    pub fn complete(&mut self, records: ValueId) {
        self.push(Stmt::Complete(records));
    }

    pub fn increment_count(&mut self, scope: AllocScope, output: OutputId, index: ValueId, count: ValueId) {
        self.push(Stmt::IncrementCount { scope, output, index, count });
    }
}

/// One helper for each two-operand operation.
macro_rules! binary_helpers {
    ($($name:ident => $op:ident,)*) => {
        impl FunctionBuilder {
            $(
                #[doc = concat!("`", stringify!($op), "` of two values of one type.")]
                pub fn $name(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
                    self.binary(BinaryOp::$op, lhs, rhs)
                }
            )*
        }
    };
}

binary_helpers! {
    add => Add, sub => Sub, mul => Mul, div => Div, rem => Rem,
    and => And, or => Or, xor => Xor, shl => Shl, shr => Shr,
    eq => Eq, ne => Ne, lt => Lt, le => Le, gt => Gt, ge => Ge,
}
