//! The emission of one function: its values by id, its statements, its structured control flow.
//!
//! Operations are in the submodules. The state here keeps one invariant: a block is open exactly while the current
//! point is reachable. Code after a jump in the IR is dead and is not emitted. An unreachable merge block contains
//! OpUnreachable, except in the continue construct of a loop.

mod arithmetic;
mod control;
mod convert;
mod descriptor;
mod image;
mod math;
mod matrix;
mod memory;
mod ray;
mod sample;
mod select;
mod spirv;
mod stored;
mod subgroup;
mod sync;
mod value;

use crate::EmitError;
use crate::builder::id;
use crate::debug_info::variables::DebugValue;
use crate::emitter::{Emitter, FunctionUses};
use crate::globals::DescriptorKind;
use crate::node_context::NodeContext;
use crate::place::{Content, Place};
use crate::types::{LayoutId, Relation};
use rspirv::spirv::{Op, StorageClass, Word};
use rustc_hash::FxHashMap;
use wgc_ir::{Function, LocalId, Position, ScalarConst, Space, Stmt, Type, ValueId, VariableId};

/// The emitted form of an IR value.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Value(Word),
    /// A structure or array in its memory type.
    Stored {
        word: Word,
        layout: LayoutId,
    },
    Place(Place),
    Image(image::Image),
    Sampler(Word),
    AccelerationStructure(Word),
    /// An array of resources.
    Descriptors {
        variable: Word,
        kind: DescriptorKind,
    },
    /// Allocated records: the pointer, and the node's output.
    Records {
        pointer: Word,
        output: usize,
    },
}

pub(crate) struct FunctionEmitter<'e, 'm> {
    pub e: &'e mut Emitter<'m>,
    pub f: &'m Function,
    pub node: Option<&'e NodeContext<'m>>,
    slots: Vec<Option<Slot>>,
    locals: FxHashMap<LocalId, Word>,
    uses: FunctionUses,
    composites: stored::Uses,
    constructs: Vec<control::Construct>,
    /// In the `continuing` of a loop: the number of constructs around that loop. A `Break` leaves none of them.
    constructs_around_continuing: usize,
    reachable: bool,
    /// The label of the open block.
    label: Word,
    /// The values that the end of the current arm yields.
    yielded: Vec<Word>,
    /// Number of the block: an access chain may be reused only within its block.
    block: u32,
    chains: FxHashMap<ValueId, (u32, Word)>,
    return_type: Word,
    /// The source position of the current statement.
    position: Option<Position>,
}

type Result<T = ()> = std::result::Result<T, EmitError>;

/// Returns whether a parameter of this type passes no data. Such parameters are omitted: some drivers reject functions
/// with an empty structure as a parameter. The callee creates its own value.
pub(crate) fn is_empty(ty: &Type) -> bool {
    match ty {
        Type::Struct(s) => s.fields.iter().all(|field| is_empty(&field.ty)),
        Type::Array { element, .. } | Type::Ref(Space::Function, element) => is_empty(element),
        _ => false,
    }
}

fn raw(value: ValueId) -> usize {
    value.into_raw().into_u32() as usize
}

impl<'e, 'm> FunctionEmitter<'e, 'm> {
    pub fn new(e: &'e mut Emitter<'m>, f: &'m Function, node: Option<&'e NodeContext<'m>>) -> Self {
        FunctionEmitter {
            e,
            f,
            node,
            slots: vec![None; f.values.len()],
            locals: FxHashMap::default(),
            uses: FunctionUses::default(),
            composites: stored::Uses::of(f),
            constructs: Vec::new(),
            constructs_around_continuing: usize::MAX,
            reachable: false,
            label: 0,
            yielded: Vec::new(),
            block: 0,
            chains: FxHashMap::default(),
            return_type: 0,
            position: None,
        }
    }

    /// Emits the function under this id. Returns the globals and functions that it uses.
    pub fn emit(mut self, word: Word) -> Result<FunctionUses> {
        let f = self.f;
        self.needs(&f.needs)?;
        let parameter_types = f.params.iter().map(|p| self.parameter_type(&p.ty)).collect::<Result<Vec<_>>>()?;
        let written: Vec<Word> =
            parameter_types.iter().zip(&f.params).filter(|(_, p)| !is_empty(&p.ty)).map(|(ty, _)| *ty).collect();
        let ret = self.e.value_type(&f.ret)?;
        self.return_type = ret;
        let ty = self.e.function_type(ret, &written);
        self.e.b.name(word, &f.name);
        self.e.b.begin_function(word, ret, ty, f.noinline);
        let mut parameters = Vec::with_capacity(parameter_types.len());
        for (ty, param) in parameter_types.into_iter().zip(&f.params) {
            parameters.push(match &param.ty {
                empty @ Type::Ref(_, pointee) if is_empty(empty) => {
                    let pointee = self.e.value_type(pointee)?;
                    self.e.b.local(pointee)
                }
                empty if is_empty(empty) => self.e.zero(empty)?,
                _ => {
                    let parameter = self.e.b.parameter(ty);
                    self.e.b.name(parameter, &param.name);
                    parameter
                }
            });
        }
        self.bind_parameters(&parameters);
        let entry = self.e.b.id();
        self.open(entry);
        self.e.define_function(f, word);
        self.declare_parameters(&parameters);
        self.statements(&f.body)?;
        if self.reachable {
            let value = match &f.ret {
                Type::Void => None,
                ty => Some(self.e.undef(ty)?),
            };
            self.return_(value);
        }
        self.e.b.set_line(None);
        self.e.b.end_function();
        Ok(self.uses)
    }

    fn parameter_type(&mut self, ty: &Type) -> Result<Word> {
        match ty {
            Type::Ref(Space::Function, pointee) => {
                let pointee = self.e.value_type(pointee)?;
                Ok(self.e.b.pointer_type(StorageClass::Function, pointee))
            }
            Type::Image(_)
            | Type::Sampler
            | Type::AccelerationStructure
            | Type::RayQuery
            | Type::Descriptors { .. }
            | Type::Ref(..)
            | Type::Records(_) => {
                Err(EmitError::new(format!("a parameter of type {ty} is left: the function should have been inlined")))
            }
            _ => self.e.value_type(ty),
        }
    }

    /// Binds each `Op::Param` to its parameter. The IR has a separate value for every use of one.
    fn bind_parameters(&mut self, parameters: &[Word]) {
        for (value, data) in self.f.values.iter() {
            let wgc_ir::Op::Param(n) = data.op else { continue };
            let (Some(&word), Some(param)) = (parameters.get(n as usize), self.f.params.get(n as usize)) else {
                continue;
            };
            let slot = match &param.ty {
                Type::Ref(space, pointee) => Slot::Place(Place::new(word, *space, Content::Value((**pointee).clone()))),
                _ => Slot::Value(word),
            };
            self.slots[raw(value)] = Some(slot);
        }
    }

    // ---- values

    pub fn slot(&self, value: ValueId) -> Result<&Slot> {
        self.slots
            .get(raw(value))
            .and_then(|s| s.as_ref())
            .ok_or_else(|| EmitError::new(format!("value %{} is used before it is computed", raw(value))))
    }

    pub fn set(&mut self, value: ValueId, slot: Slot) {
        if let Some(place) = self.slots.get_mut(raw(value)) {
            *place = Some(slot);
        }
    }

    /// Returns the id of a plain value.
    pub fn word(&self, value: ValueId) -> Result<Word> {
        match self.slot(value)? {
            Slot::Value(word) => Ok(*word),
            Slot::Records { .. } => Err(EmitError::new("a record handle is used as a value")),
            Slot::Stored { .. } => Err(EmitError::new("a value in its memory type is used as a whole")),
            Slot::Place(_)
            | Slot::Image(_)
            | Slot::Sampler(_)
            | Slot::AccelerationStructure(_)
            | Slot::Descriptors { .. } => Err(EmitError::new("a place or resource is used as a value")),
        }
    }

    pub fn words(&self, values: &[ValueId]) -> Result<Vec<Word>> {
        values.iter().map(|&v| self.word(v)).collect()
    }

    pub fn place(&self, value: ValueId) -> Result<&Place> {
        match self.slot(value)? {
            Slot::Place(place) => Ok(place),
            _ => Err(EmitError::new("a value is used as a place")),
        }
    }

    pub fn ty(&self, value: ValueId) -> Result<&'m Type> {
        self.f.type_of(value).ok_or_else(|| EmitError::new("a value of another function"))
    }

    pub fn constant(&self, value: ValueId) -> Option<ScalarConst> {
        self.f.constant(value)
    }

    /// Returns the variable of a local.
    pub fn local(&mut self, local: LocalId) -> Result<Place> {
        let data = self.f.local(local).ok_or_else(|| EmitError::new("a local of another function"))?;
        let merged = match &data.ty {
            Type::Records(_) => Some("record handle"),
            ty if ty.is_resource() || ty.holds_objects() => Some("resource"),
            _ => None,
        };
        if let Some(what) = merged {
            return Err(EmitError::new(format!("control flow merges {what} `{}`", data.name)));
        }
        let word = match self.locals.get(&local) {
            Some(&known) => known,
            None => {
                let pointee = self.e.value_type(&data.ty)?;
                let variable = self.e.b.local(pointee);
                self.e.b.name(variable, &data.name);
                self.locals.insert(local, variable);
                if let Some(declared) = data.variable.filter(|_| self.e.debugs()) {
                    self.e.debug_declare(self.f, declared, variable);
                }
                variable
            }
        };
        Ok(Place::new(word, Space::Function, Content::Value(data.ty.clone())))
    }

    /// Emits debug declarations of variables that parameters point to.
    fn declare_parameters(&mut self, parameters: &[Word]) {
        let f = self.f;
        let debugs = self.e.debugs();
        for (param, &word) in f.params.iter().zip(parameters) {
            if let Some(declared) = param.variable.filter(|_| debugs) {
                self.e.debug_declare(f, declared, word);
            }
        }
    }

    /// Emits the debug value of a variable from here on.
    fn holds(&mut self, variable: VariableId, value: Option<ValueId>) -> Result {
        if !self.e.debugs() {
            return Ok(());
        }
        let ty = self.f.variable(variable).map(|variable| &variable.ty);
        let value = match value.map(|v| self.slot(v)) {
            Some(Ok(Slot::Value(word))) => DebugValue::Whole(*word),
            Some(Ok(&Slot::Stored { word, layout })) => match (self.e.layout(layout).shape, ty) {
                (Relation::Members, Some(ty)) => DebugValue::Whole(self.e.undef(ty)?),
                _ => DebugValue::Whole(word),
            },
            Some(Ok(Slot::Place(place))) if ty.is_some_and(|ty| ty.pointee().is_none()) => {
                let place = place.clone();
                DebugValue::At(self.e.pointer(&place)?)
            }
            Some(_) => return Ok(()),
            // Debuggers do not know handles and resources.
            None => match ty {
                Some(Type::Records(_)) | None => return Ok(()),
                // The output of a node.
                Some(Type::Void) => {
                    self.e.debug_object(self.f, variable);
                    return Ok(());
                }
                Some(ty) if ty.is_resource() || ty.holds_objects() => return Ok(()),
                Some(ty) => DebugValue::Whole(self.e.undef(ty)?),
            },
        };
        let line = self.position.and_then(|p| self.e.line(self.f, p));
        self.e.debug_value(self.f, variable, value, (self.position, line));
        Ok(())
    }

    /// Records that the function uses a global variable.
    pub fn uses_global(&mut self, variable: Word) {
        self.uses.globals.insert(variable);
    }

    /// Records that the function compares values across a quad of threads.
    pub fn uses_derivatives(&mut self) {
        self.uses.derivatives = true;
    }

    pub fn uses_function(&mut self, function: Word) {
        self.uses.callees.insert(function);
    }

    // ---- control flow

    fn open(&mut self, label: Word) {
        self.e.b.begin_block(label);
        self.label = label;
        self.block += 1;
        self.reachable = true;
    }

    fn return_(&mut self, value: Option<Word>) {
        match value {
            None => self.e.b.terminate(Op::Return, Vec::new()),
            Some(value) => self.e.b.terminate(Op::ReturnValue, vec![id(value)]),
        }
        self.reachable = false;
    }

    fn statements(&mut self, block: &'m [Stmt]) -> Result {
        let around = self.position;
        self.statements_in_place(block)?;
        self.at(around);
        Ok(())
    }

    /// Emits statements of the open block, which keeps the position of the last one.
    fn statements_in_place(&mut self, block: &'m [Stmt]) -> Result {
        for stmt in block {
            if !self.reachable {
                break;
            }
            if let Err(error) = self.statement(stmt) {
                return Err(error.written_at(self.written_at()));
            }
        }
        Ok(())
    }

    /// Returns the source position of the current statement.
    pub(super) fn written_at(&self) -> Option<(wgc_ir::SourceText, u32)> {
        let position = self.position?;
        Some((self.f.scope(position.scope)?.text.clone(), position.token))
    }

    /// Sets the position of the next instructions.
    fn at(&mut self, position: Option<Position>) {
        if self.position != position {
            self.position = position;
            let line = position.and_then(|p| self.e.line(self.f, p));
            self.e.b.set_line(line);
        }
    }

    fn statement(&mut self, stmt: &'m Stmt) -> Result {
        match stmt {
            Stmt::At(position) => {
                self.at(Some(*position));
                Ok(())
            }
            Stmt::Holds { variable, value } => self.holds(*variable, *value),
            Stmt::Let(value) => self.let_(*value),
            Stmt::Store { place, value } => self.store(*place, *value),
            Stmt::If { cond, then, otherwise, results, hint } => self.if_(*cond, (then, otherwise), results, *hint),
            Stmt::Loop { body, continuing, break_if, details } => self.loop_((body, continuing), *break_if, details),
            Stmt::Switch { selector, cases, default, results, hint } => {
                self.switch(*selector, (cases, default), results, *hint)
            }
            Stmt::Yield(values) => {
                self.yielded = self.words(values)?;
                Ok(())
            }
            Stmt::Break(values) => self.break_(values),
            Stmt::Continue(values) => self.continue_(values),
            Stmt::Return(value) => {
                let value = value.map(|v| self.word(v)).transpose()?;
                if value.is_none() != (self.f.ret == Type::Void) {
                    return Err(EmitError::new("a return does not fit the function's type"));
                }
                self.return_(value);
                Ok(())
            }
            Stmt::Barrier(barrier) => {
                self.barrier(*barrier);
                Ok(())
            }
            Stmt::ImageStore { image, coord, sample, value } => self.image_store(*image, *coord, *sample, *value),
            Stmt::RayQuery { command, query, args } => self.ray_command(*command, *query, args),
            Stmt::Complete(records) => self.complete(*records),
            Stmt::IncrementCount { scope, output, index, count } => {
                let pointer = self.allocate(*scope, *output, *index, *count)?.0;
                self.e.b.effect(Op::EnqueueNodePayloadsAMDX, vec![id(pointer)]);
                Ok(())
            }
            // A native driver checks nothing.
            Stmt::Report { .. } => Ok(()),
            Stmt::MeshCounts { vertices, primitives } => self.mesh_counts(*vertices, *primitives),
            Stmt::Call { callee, args } => self.call(callee, args).map(|_| ()),
            Stmt::Spirv(instruction) => self.spirv(instruction, &Type::Void).map(drop),
        }
    }
}
