//! Random statements in variable form and with merged values. All loops count, so they end.

mod branches;
mod loops;
mod patterns;

use crate::expressions::DEPTH;
use crate::program::{Callee, Parameter, SHARED, THREADS, Types};
use crate::random::Random;
use std::rc::Rc;
use wgc_ir::{
    Builtin, Function, FunctionBuilder, Module, Op, Scalar, ScalarConst, Space, Stmt, Type, Value, ValueId, Values,
};

/// The most statements of a function, about.
const STATEMENTS: u32 = 15;
/// The deepest nesting.
const NESTING: u32 = 4;

/// A visible value or place.
pub struct Seen {
    pub id: ValueId,
    pub ty: Type,
    /// All threads that reach it together have the same one. For a place: the contents too.
    pub uniform: bool,
    pub writable: bool,
}

/// Memory that expressions name places of.
#[derive(Clone)]
pub struct Root {
    pub place: ValueId,
    /// The type of the contents; of a buffer, of one element.
    pub ty: Type,
    pub buffer: Option<&'static str>,
    pub uniform: bool,
    pub writable: bool,
    /// A call may take the place.
    whole: bool,
}

/// The statements that a block may contain.
#[derive(Clone)]
struct Context {
    depth: u32,
    /// The types of values that a `Break` carries, if it is allowed.
    breaks: Option<Rc<[Type]>>,
    continues: Option<Rc<[Type]>>,
    returns: bool,
    /// All threads reach the block together.
    together: bool,
    /// In a loop that all threads run together. Only all of them may leave the function there.
    in_shared_loop: bool,
    /// The end may be a jump.
    may_jump: bool,
}

#[derive(Clone, Copy)]
enum Jump {
    Break,
    Continue,
    Return,
}

pub struct Maker<'a> {
    pub random: &'a mut Random,
    pub b: FunctionBuilder,
    pub types: &'a Types,
    pub scope: Vec<Seen>,
    pub roots: Vec<Root>,
    /// The numbers of the thread in the dispatch and in its workgroup, and that of the workgroup.
    pub me: ValueId,
    thread: ValueId,
    pub group: ValueId,
    module: &'a Module,
    callees: &'a [Callee],
    ret: Type,
    /// Some threads may have returned.
    apart: bool,
    left: u32,
    names: u32,
}

impl<'a> Maker<'a> {
    pub fn new(random: &'a mut Random, types: &'a Types, module: &'a Module, callees: &'a [Callee]) -> Maker<'a> {
        let mut b = FunctionBuilder::new("main", Type::Void);
        let nothing = b.const_u32(0);
        Maker {
            random,
            b,
            types,
            scope: Vec::new(),
            roots: Vec::new(),
            me: nothing,
            thread: nothing,
            group: nothing,
            module,
            callees,
            ret: Type::Void,
            apart: false,
            left: 0,
            names: 0,
        }
    }

    pub fn entry(mut self) -> Function {
        self.start("main");
        // All other reads of these are after the barrier.
        for name in [SHARED, "mail"] {
            let place = self.exchanged(name, 0);
            let by = self.constant(&Type::U32);
            let value = self.b.xor(self.me, by);
            self.b.store(place, value);
        }
        self.barrier();
        if self.random.one_in(6) {
            self.leave_early();
        }
        self.locals(3);
        self.statements(&self.top(true), STATEMENTS);
        self.results();
        self.b.finish()
    }

    pub fn function(mut self, callee: &Callee) -> Function {
        self.b = FunctionBuilder::new(callee.name.as_str(), callee.ret.clone());
        self.ret = callee.ret.clone();
        for (n, parameter) in callee.params.iter().enumerate() {
            match parameter {
                Parameter::Value(ty, _) => {
                    let id = self.b.param(format!("a{n}"), ty.clone());
                    self.see(id, false);
                }
                Parameter::Place(ty) => {
                    let place = self.b.param(format!("a{n}"), Type::reference(Space::Function, ty.clone()));
                    self.root(place, ty.clone(), true, true);
                }
            }
        }
        self.start(&callee.name);
        let locals = self.random.below(3_u32);
        self.locals(locals);
        let most = 2 + self.random.below(4);
        self.statements(&self.top(callee.meets), most);
        if !self.b.is_closed() {
            let value = self.returned();
            self.b.ret(value);
        }
        self.b.finish()
    }

    fn top(&self, together: bool) -> Context {
        Context {
            depth: 0,
            breaks: None,
            continues: None,
            returns: true,
            together,
            in_shared_loop: false,
            may_jump: false,
        }
    }

    /// Declares the globals that the function may use, and numbers its thread.
    fn start(&mut self, name: &str) {
        for global in self.module.globals.values() {
            let name = global.name.as_str();
            let place = |this: &mut Self| this.b.global_as(name, global.value_type());
            let element = |ty: &Type| match ty.pointee() {
                Some(Type::RuntimeArray { element, .. } | Type::Array { element, .. }) => (**element).clone(),
                other => panic!("@{name} is {other:?}"),
            };
            let (buffer, writable) = match name {
                "out" => (Some("out"), true),
                "items" => (Some("items"), true),
                "in" => (Some("in"), false),
                "rows" => (Some("rows"), false),
                SHARED => (Some(SHARED), false),
                "view" => (Some("view"), false),
                "p" | "q" | "flag" => (None, true),
                "u" | "table" => (None, false),
                _ => continue,
            };
            // Few functions use all memory, so that some of it has no other reader.
            if self.random.one_in(3) {
                continue;
            }
            let place = place(self);
            let ty = self.b.ty(place);
            let ty = if buffer.is_some() { element(&ty) } else { ty.pointee().expect("a place").clone() };
            let uniform = matches!(name, "in" | "rows" | "u" | "table");
            self.roots.push(Root { place, ty, buffer, uniform, writable, whole: false });
        }
        let thread = self.b.builtin(Builtin::GroupIndex);
        self.thread = self.see(thread, false);
        let group = self.b.builtin(Builtin::GroupId);
        let group = self.b.extract(group, 0);
        self.group = self.see(group, true);
        let threads = self.b.const_u32(THREADS);
        let first = self.b.mul(group, threads);
        self.me = self.b.add(first, thread);
        self.left = if name == "main" { STATEMENTS } else { STATEMENTS / 3 };
    }

    pub fn see(&mut self, id: ValueId, uniform: bool) -> ValueId {
        let ty = self.b.ty(id);
        self.scope.push(Seen { id, ty, uniform, writable: false });
        id
    }

    fn root(&mut self, place: ValueId, ty: Type, writable: bool, whole: bool) {
        self.roots.push(Root { place, ty, buffer: None, uniform: false, writable, whole });
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn locals(&mut self, count: u32) {
        for _ in 0..count {
            let ty = self.types.pick(self.random);
            self.local(&ty);
        }
    }

    /// Adds a local and sets it, as a whole or by its parts.
    fn local(&mut self, ty: &Type) -> ValueId {
        let name = self.name();
        let place = self.b.new_local(name, ty.clone());
        if ty.scalar().is_none() && self.random.one_in(2) {
            for (n, part) in (0..).zip(self.parts(ty)) {
                let to = match ty {
                    Type::Struct(_) => self.b.field(place, n),
                    _ => self.b.index_const(place, n),
                };
                let value = self.expr(&part, 1, false);
                self.b.store(to, value);
            }
        } else {
            let value = self.expr(ty, 1, false);
            self.b.store(place, value);
        }
        self.root(place, ty.clone(), true, true);
        place
    }

    fn barrier(&mut self) {
        let memory = wgc_ir::MemoryFlags { uav: true, group_shared: true, ..wgc_ir::MemoryFlags::default() };
        let scope = Some(wgc_ir::Scope::Workgroup);
        self.b.barrier(wgc_ir::Barrier { memory, group_sync: true, scope, records: None });
    }

    // ---- blocks

    /// Adds statements, and the end that the block needs. Their values are visible in the block alone.
    fn block(&mut self, context: &Context, most: u32, ends: &[Type]) {
        let (scope, roots) = (self.scope.len(), self.roots.len());
        let count = self.random.below(most + 1);
        self.statements(context, count);
        let jumps = self.possible_jumps(context);
        if !self.b.is_closed() && context.may_jump && self.random.one_in(5) && !jumps.is_empty() {
            let jump = self.random.pick(&jumps);
            self.jump(context, jump);
        }
        if !self.b.is_closed() && !ends.is_empty() {
            let values = self.values(ends);
            self.b.push(Stmt::Yield(values));
        }
        self.scope.truncate(scope);
        self.roots.truncate(roots);
    }

    fn nested(&mut self, context: &Context, most: u32, ends: &[Type]) -> Vec<Stmt> {
        self.b.begin_block();
        self.block(context, most, ends);
        self.b.end_block()
    }

    fn statements(&mut self, context: &Context, count: u32) {
        for _ in 0..count {
            if self.b.is_closed() {
                return;
            }
            self.statement(context);
        }
    }

    /// Returns the jumps that a block may end with.
    fn possible_jumps(&self, context: &Context) -> Vec<Jump> {
        let mut jumps = Vec::new();
        if context.breaks.is_some() {
            jumps.extend([Jump::Break, Jump::Break]);
        }
        if context.continues.is_some() {
            jumps.extend([Jump::Continue, Jump::Continue]);
        }
        if context.returns && (self.together(context) || self.apart || !context.in_shared_loop) {
            jumps.push(Jump::Return);
        }
        jumps
    }

    fn jump(&mut self, context: &Context, jump: Jump) {
        let carried = match jump {
            Jump::Break => context.breaks.clone(),
            Jump::Continue => context.continues.clone(),
            Jump::Return => None,
        };
        let values = self.values(&carried.unwrap_or_default());
        let stmt = match jump {
            Jump::Break => Stmt::Break(values),
            Jump::Continue => Stmt::Continue(values),
            Jump::Return => {
                self.apart |= !self.together(context);
                Stmt::Return(self.returned())
            }
        };
        self.b.push(stmt);
    }

    fn returned(&mut self) -> Option<ValueId> {
        let ty = self.ret.clone();
        (ty != Type::Void).then(|| self.expr(&ty, 1, false))
    }

    fn together(&self, context: &Context) -> bool {
        context.together && !self.apart
    }

    /// Returns the context of an arm or body that all threads reach together, or not.
    fn inner(&self, context: &Context, together: bool) -> Context {
        let depth = context.depth + 1;
        let inner = Context { depth, together, may_jump: true, ..context.clone() };
        // Threads that diverged leave no statement that all of them are in.
        match self.together(context) && !together {
            true => Context { breaks: None, continues: None, ..inner },
            false => inner,
        }
    }

    // ---- merged values

    fn values(&mut self, types: &[Type]) -> Values {
        types.iter().map(|ty| self.expr(ty, 1, false)).collect()
    }

    fn merged(&mut self, types: &[Type]) -> Vec<ValueId> {
        types.iter().map(|ty| self.b.function_mut().values.alloc(Value::new(ty.clone(), Op::Merge))).collect()
    }

    /// Returns the types of merged values, often none.
    fn merges(&mut self, most: u32) -> Vec<Type> {
        let count = self.random.below(most + 1);
        (0..count).map(|_| self.types.pick(self.random)).collect()
    }

    fn see_all(&mut self, ids: &[ValueId]) {
        ids.iter().for_each(|id| _ = self.see(*id, false));
    }

    // ---- statements

    fn statement(&mut self, context: &Context) {
        self.left = self.left.saturating_sub(1);
        let deep = context.depth >= NESTING || self.left == 0;
        let together = self.together(context);
        match self.random.below(30_u32) {
            0..=3 => {
                let ty = self.types.pick(self.random);
                self.expr(&ty, DEPTH, false);
            }
            4..=8 => self.store(),
            9 => {
                let ty = self.types.pick(self.random);
                _ = self.local(&ty);
            }
            10..=13 if !deep => self.if_(context),
            14 | 15 if !deep => self.switch(context),
            16..=19 if !deep => self.loop_(context),
            20 if !self.callees.is_empty() => self.call(context),
            21 if together => self.exchange(),
            22 if together => self.subgroup(),
            23 => self.atomic(),
            24 if !deep && self.random.one_in(2) => self.jumps(context),
            24 if !deep => self.chain(context),
            25 => self.guarded(),
            26 => self.copied(),
            27 => self.halves(),
            28 => self.reloaded(),
            29 if self.random.one_in(3) => self.unread(),
            29 => self.stored_on_a_path(),
            _ => self.store(),
        }
    }

    fn store(&mut self) {
        let ty = self.types.pick(self.random);
        let Some(place) = self.place(&ty, true, false) else { return };
        let value = self.expr(&ty, DEPTH, false);
        let value = match self.b.ty(place) {
            Type::Ref(Space::Storage { .. }, _) => self.without_nan(value, &ty),
            _ => value,
        };
        self.b.store(place, value);
    }

    /// Replaces NaN by a number. Operations may return either operand's NaN, so its bits must not be seen.
    fn without_nan(&mut self, value: ValueId, ty: &Type) -> ValueId {
        match ty {
            Type::Scalar(Scalar::F32) | Type::Vector(Scalar::F32, _) => {
                let is_nan = self.b.math(wgc_ir::MathOp::IsNan, &[value]);
                let number = self.b.splat_const(ty, u64::from(77_f32.to_bits()));
                self.b.select(is_nan, number, value)
            }
            Type::Scalar(_) | Type::Vector(..) => value,
            ty => {
                let parts = self.parts(ty);
                let parts = (0..).zip(parts).map(|(n, part)| {
                    let id = self.b.extract(value, n);
                    self.without_nan(id, &part)
                });
                let parts = parts.collect();
                self.b.compose(ty.clone(), parts)
            }
        }
    }

    fn call(&mut self, context: &Context) {
        let together = self.together(context);
        let fits: Vec<Callee> = self.callees.iter().filter(|c| together || !c.meets).cloned().collect();
        if fits.is_empty() {
            return;
        }
        let callee = self.random.pick(&fits);
        let mut args = Vec::new();
        for parameter in &callee.params {
            args.push(match parameter {
                Parameter::Value(ty, Some(bits)) => {
                    let scalar = ty.scalar().expect("constants are scalars");
                    self.b.constant(ScalarConst::new(scalar, *bits))
                }
                Parameter::Value(ty, None) => self.expr(ty, 2, false),
                Parameter::Place(ty) => {
                    // No two parameters name one local.
                    let fits = |root: &&Root| root.whole && root.ty == *ty && !args.contains(&root.place);
                    let known: Vec<ValueId> = self.roots.iter().filter(fits).map(|root| root.place).collect();
                    if known.is_empty() { self.local(ty) } else { self.random.pick(&known) }
                }
            });
        }
        if callee.ret == Type::Void {
            self.b.call_void(callee.name.as_str(), args);
        } else {
            let id = self.b.call(callee.name.as_str(), callee.ret.clone(), args);
            self.see(id, false);
        }
    }
}
