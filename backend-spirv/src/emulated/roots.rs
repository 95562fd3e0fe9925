//! Local root arguments: resources in a node's record of the host's table become memory at addresses.
//!
//! A shader is processed after the passes that emission runs first, when all its resources are traced to globals. Root
//! constants are memory in the record. Constant, structured and byte-address buffers are memory at the address in the
//! record. The device library returns the record's own address, once for each function that uses it. Resources with a
//! size query (GetDimensions) or a counter, and those that are not buffers, cannot be root arguments.
//!
//! A resource in a descriptor table is an element of a heap, or several consecutive elements, starting at the index in
//! the record. The code equals a read from `ResourceDescriptorHeap` or `SamplerDescriptorHeap`.

use super::error::{EmuError, RootProblem};
use super::library::{Helper, Library};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use wgc_abi::interface::{BindingInterface, BindingKind, Register};
use wgc_abi::local_root as abi;
use wgc_ir::{
    BinaryOp, Block, Count, Function, FunctionBuilder, Global, GlobalKind, LocalRoot, LocalRootArgument, LocalRootKind,
    LocalRootLayout, Module, NodeId, Op, Scalar, ScalarConst, Space, Stmt, Symbol, Type, Value, ValueId,
};

/// Replaces the resources of a shader that are local root arguments. Their globals are removed from the module, and
/// their names are returned. `record` is the helper that returns the record's address; it is in the module.
pub fn lower(
    module: &mut Module,
    node: &NodeId,
    root: &LocalRoot,
    library: &Library,
    record: Helper,
) -> Result<Vec<Symbol>, EmuError> {
    let mut arguments: FxHashMap<Symbol, RootArgumentSlot> = FxHashMap::default();
    let mut counters = Vec::new();
    for global in module.globals.values() {
        let Some((argument, before)) = global.binding().and_then(|binding| root.layout.find(binding)) else { continue };
        let refuse = |problem| EmuError::LocalRoot { node: node.clone(), name: global.name.clone(), problem };
        fits(global, argument, before).map_err(refuse)?;
        let view = match argument.kind {
            LocalRootKind::Descriptors { first, .. } => {
                counters.extend(global.counter().cloned());
                let view = root.layout.views.get(&global.name).ok_or_else(|| refuse(RootProblem::Operation))?;
                Some((view.clone(), first.saturating_add(before)))
            }
            LocalRootKind::Constants { .. } | LocalRootKind::Address => None,
        };
        arguments.insert(global.name.clone(), RootArgumentSlot { offset: argument.offset, kind: argument.kind, view });
    }
    let uses = |f: &Function| f.values.values().any(|v| matches!(&v.op, Op::Global(g) if arguments.contains_key(g)));
    let users: Vec<Symbol> = module.functions.values().filter(|f| uses(f)).map(|f| f.name.clone()).collect();
    for name in &users {
        let Some(function) = module.functions.get_mut(name) else { continue };
        let old = std::mem::replace(&mut **function, Function::new("", Type::Void));
        **function = Rewrite::function(old, &arguments, library, record)
            .map_err(|(name, problem)| EmuError::LocalRoot { node: node.clone(), name, problem })?;
    }
    module.globals.retain(|name, _| !arguments.contains_key(name) && !counters.contains(name));
    for (view, _) in arguments.values().filter_map(|found| found.view.as_ref()) {
        let counter = view.counter().and_then(|counter| root.layout.views.get(counter));
        counter.into_iter().for_each(|counter| module.add_global(counter.clone()));
        // The source may read the same view from the heap without a counter.
        if module.globals.get(&view.name).is_none_or(|known| known.counter().is_none()) {
            module.add_global(view.clone());
        }
    }
    if users.is_empty() {
        module.functions.shift_remove(record.name);
    }
    let mut names: Vec<Symbol> = arguments.into_keys().chain(counters).collect();
    names.sort();
    Ok(names)
}

/// The static samplers so far. They are bound, so each variable is one sampler in all nodes.
#[derive(Default)]
pub struct StaticSamplers {
    known: FxHashMap<Symbol, Option<BTreeMap<&'static str, String>>>,
}

impl StaticSamplers {
    /// Adds the samplers that a node's shader binds. `layout` is the layout of its local root arguments.
    pub fn note(&mut self, module: &Module, node: &NodeId, layout: Option<&LocalRootLayout>) -> Result<(), EmuError> {
        for global in module.globals.values().filter(|global| matches!(global.kind, GlobalKind::Sampler { .. })) {
            let Some((_, number, space)) = global.binding().and_then(|binding| binding.register) else { continue };
            let own = layout.and_then(|layout| layout.samplers.get(&(space, number)));
            if *self.known.entry(global.name.clone()).or_insert_with(|| own.cloned()) != own.cloned() {
                let (node, name, problem) = (node.clone(), global.name.clone(), RootProblem::Sampler);
                return Err(EmuError::LocalRoot { node, name, problem });
            }
        }
        Ok(())
    }
}

/// A variable's data in the record of the node.
struct RootArgumentSlot {
    /// Bytes from the start of the record.
    offset: u32,
    kind: LocalRootKind,
    /// For a descriptor table: the heap as an array of the variable's type, and the number of earlier descriptors in
    /// the table.
    view: Option<(Global, u32)>,
}

/// Checks that a root argument fits the shader's declaration; `before` counts earlier registers of its range.
fn fits(global: &Global, argument: &LocalRootArgument, before: u32) -> Result<(), RootProblem> {
    let count = global.binding().map_or(Count::One, |binding| binding.count);
    if let LocalRootKind::Descriptors { count: registers, .. } = argument.kind {
        let Some(given) = registers.map(|registers| registers - before) else { return Ok(()) };
        return match count {
            Count::One => Ok(()),
            Count::Array(needed) if needed <= given => Ok(()),
            Count::Array(_) | Count::Unbounded => Err(RootProblem::Range { given }),
        };
    }
    if count != Count::One {
        return Err(RootProblem::Array);
    }
    match (&global.kind, argument.kind) {
        (GlobalKind::Uniform { block, .. }, LocalRootKind::Constants { words }) => {
            let (needed, given, offset) = (end_of(block), words * 4, argument.offset);
            match () {
                () if needed > given => Err(RootProblem::Constants { needed, given }),
                // A load from memory at an address is aligned to its scalar.
                () if !offset.is_multiple_of(block.widest()) => Err(RootProblem::Alignment { offset }),
                () => Ok(()),
            }
        }
        (GlobalKind::Uniform { .. } | GlobalKind::Buffer { .. }, LocalRootKind::Address) => Ok(()),
        _ => Err(RootProblem::Kind),
    }
}

/// Returns the end of the last member of a block, without the padding of its size.
fn end_of(block: &Type) -> u32 {
    match block {
        Type::Struct(s) => s.fields.iter().map(|f| f.offset.saturating_add(end_of(&f.ty))).max().unwrap_or(0),
        other => other.size().unwrap_or(0),
    }
}

/// The rejected variable, and the reason.
type Refused = (Symbol, RootProblem);

struct Rewrite<'a> {
    b: FunctionBuilder,
    arguments: &'a FxHashMap<Symbol, RootArgumentSlot>,
    /// Address of the record.
    record: ValueId,
    /// Places in the memory of an argument: the variable, and the address of its memory.
    places: FxHashMap<ValueId, (Symbol, ValueId)>,
    /// Arrays in descriptor tables: the variable, and the index of its first element in the heap.
    arrays: FxHashMap<ValueId, (Symbol, ValueId)>,
}

impl<'a> Rewrite<'a> {
    fn function(
        function: Function,
        arguments: &'a FxHashMap<Symbol, RootArgumentSlot>,
        library: &Library,
        record: Helper,
    ) -> Result<Function, Refused> {
        let ret = library.function(record).map(|f| f.ret.clone()).unwrap_or(Type::U64);
        let (mut b, body) = FunctionBuilder::rewrite(function);
        let record = b.call(record.name, ret, Vec::new());
        let mut rewrite = Rewrite { b, arguments, record, places: FxHashMap::default(), arrays: FxHashMap::default() };
        rewrite.block(body)?;
        Ok(rewrite.b.finish())
    }

    fn block(&mut self, block: Block) -> Result<(), Refused> {
        for mut stmt in block {
            for inner in stmt.blocks_mut() {
                let old = std::mem::take(inner);
                self.b.begin_block();
                let result = self.block(old);
                *inner = self.b.end_block();
                result?;
            }
            match &stmt {
                Stmt::Let(id) => self.value(*id)?,
                Stmt::Call { args, .. } => self.none_of(args)?,
                _ => {}
            }
            self.b.push(stmt);
        }
        Ok(())
    }

    /// Rejects places at addresses in an operation that does not accept them.
    fn none_of(&self, values: &[ValueId]) -> Result<(), Refused> {
        let place = values.iter().find_map(|value| self.places.get(value).or_else(|| self.arrays.get(value)));
        place.map_or(Ok(()), |(name, _)| Err((name.clone(), RootProblem::Operation)))
    }

    fn value(&mut self, id: ValueId) -> Result<(), Refused> {
        let Some(Value { ty, op, .. }) = self.b.function().value(id).cloned() else { return Ok(()) };
        match &op {
            Op::Global(name) => {
                let Some(argument) = self.arguments.get(name) else { return Ok(()) };
                let offset = self.b.constant(ScalarConst::u64(u64::from(argument.offset)));
                let at = self.b.binary(BinaryOp::Add, self.record, offset);
                let address = match argument.kind {
                    LocalRootKind::Constants { .. } => at,
                    LocalRootKind::Address => {
                        let place = self.b.address(at, Type::U64, false);
                        self.b.load(place)
                    }
                    LocalRootKind::Descriptors { .. } => {
                        let Some((view, before)) = &argument.view else { return Ok(()) };
                        self.descriptor(id, &ty, (name, at), view, *before);
                        return Ok(());
                    }
                };
                self.replace(id, &ty, Op::Address(address), (name.clone(), address));
            }
            Op::Descriptor { array, index } => {
                let Some((_, first)) = self.arrays.get(array).cloned() else { return Ok(()) };
                let index = self.b.convert(*index, Type::U32);
                let index = self.b.binary(BinaryOp::Add, first, index);
                self.b.function_mut().values[id].op = Op::Descriptor { array: *array, index };
            }
            Op::Field { base, .. } | Op::Index { base, .. } | Op::Bits(base) => {
                let Some(known) = self.places.get(base).cloned() else { return Ok(()) };
                self.replace(id, &ty, op, known);
            }
            Op::Wide(base) => {
                let Some(known) = self.places.get(base).cloned() else { return Ok(()) };
                let pairs = Type::RuntimeArray { element: Type::U64.into(), stride: Scalar::U64.size() };
                let address = known.1;
                self.replace(id, &Type::Ref(space_of(&ty), Arc::new(pairs)), Op::Address(address), known);
            }
            Op::ArrayLength(place) => {
                let Some((name, _)) = self.places.get(place) else { return Ok(()) };
                return Err((name.clone(), RootProblem::Size));
            }
            Op::Counter(buffer) => {
                let Some((name, _)) = self.places.get(buffer) else { return Ok(()) };
                return Err((name.clone(), RootProblem::Counter));
            }
            Op::Call { args, .. } => self.none_of(args)?,
            _ => {}
        }
        Ok(())
    }

    /// Turns a variable into an element of a heap, or an array into one that starts there. `at` is the address of its
    /// table.
    fn descriptor(&mut self, id: ValueId, ty: &Type, (name, at): (&Symbol, ValueId), view: &Global, before: u32) {
        let place = self.b.address(at, Type::U32, false);
        let table = self.b.load(place);
        let before = self.b.constant(ScalarConst::u32(before));
        let first = self.b.binary(BinaryOp::Add, table, before);
        if let Type::Descriptors { .. } = ty {
            let value = &mut self.b.function_mut().values[id];
            (value.ty, value.op) = (view.value_type(), Op::Global(view.name.clone()));
            self.arrays.insert(id, (name.clone(), first));
        } else {
            let array = self.b.global_as(view.name.clone(), view.value_type());
            self.b.function_mut().values[id].op = Op::Descriptor { array, index: first };
        }
    }

    /// Turns a value into a place at an address.
    fn replace(&mut self, id: ValueId, ty: &Type, op: Op, known: (Symbol, ValueId)) {
        let coherent = matches!(space_of(ty), Space::Storage { coherent: true } | Space::Physical { coherent: true });
        let pointee = ty.pointee().cloned().unwrap_or(Type::Void);
        let value = &mut self.b.function_mut().values[id];
        (value.ty, value.op) = (Type::reference(Space::Physical { coherent }, pointee), op);
        self.places.insert(id, known);
    }
}

fn space_of(ty: &Type) -> Space {
    match ty {
        Type::Ref(space, _) => *space,
        _ => Space::Function,
    }
}

/// Returns the host's view of the table. `bindings` are the program's bindings, and `used` has the variables of each
/// node that are in its record. `None`: no node has local root arguments.
pub fn manifest(
    roots: &[Option<LocalRoot>],
    used: &[Vec<Symbol>],
    bindings: &[BindingInterface],
) -> Option<abi::LocalRoots> {
    let mut entries: Vec<(u32, abi::LocalRootLayout)> = Vec::new();
    let mut align = abi::LocalRoots::WORDS;
    for (root, used) in roots.iter().zip(used) {
        let Some(root) = root else { continue };
        let mut made = layout(&root.layout, used, bindings);
        if made.arguments.iter().any(is_wide) {
            align = abi::LocalRoots::ADDRESSES;
        }
        match entries.iter_mut().find(|(index, _)| *index == root.index) {
            // Nodes that share a record: list the variables of both.
            Some((_, known)) => {
                for (known, more) in known.arguments.iter_mut().zip(&mut made.arguments) {
                    let names: Vec<String> = known.variables.iter().map(|v| v.name.clone()).collect();
                    known.variables.extend(more.variables.drain(..).filter(|v| !names.contains(&v.name)));
                }
            }
            None => entries.push((root.index, made)),
        }
    }
    entries.sort_by_key(|(index, _)| *index);
    let last = entries.last()?.0;
    let largest = entries.iter().map(|(_, layout)| layout.size).max().unwrap_or(0);
    let mut layouts = indexmap::IndexSet::new();
    let entries = entries
        .into_iter()
        .map(|(index, layout)| abi::LocalRootEntry { index, layout: layouts.insert_full(layout).0 as u32 })
        .collect();
    Some(abi::LocalRoots {
        records: last.saturating_add(1),
        stride: largest.max(align).next_multiple_of(align),
        align,
        layouts: layouts.into_iter().collect(),
        entries,
    })
}

/// Returns whether an argument contains 64-bit values: an address or constants.
fn is_wide(argument: &abi::LocalRootArgument) -> bool {
    let has_wide = |variable: &abi::LocalRootVariable| match &variable.kind {
        BindingKind::UniformBuffer { block } => block.widest() > abi::LocalRoots::WORDS,
        _ => false,
    };
    match argument.kind {
        abi::LocalRootKind::Address | abi::LocalRootKind::Descriptors { .. } => true,
        abi::LocalRootKind::Constants { .. } => argument.variables.iter().any(has_wide),
    }
}

fn layout(layout: &LocalRootLayout, used: &[Symbol], bindings: &[BindingInterface]) -> abi::LocalRootLayout {
    let argument = |argument: &LocalRootArgument| {
        let (class, number, space) = argument.register;
        let register = Register { class, number, space };
        let is_here = |r: &Register| argument.place_of((r.class, r.number, r.space)).is_some();
        let of_node =
            |b: &&BindingInterface| b.register.as_ref().is_some_and(is_here) && used.iter().any(|u| *u == b.name);
        let variable = |b: &BindingInterface| abi::LocalRootVariable { name: b.name.clone(), kind: b.kind.clone() };
        abi::LocalRootArgument {
            offset: argument.offset,
            kind: match argument.kind {
                LocalRootKind::Constants { words } => abi::LocalRootKind::Constants { words },
                LocalRootKind::Address => abi::LocalRootKind::Address,
                LocalRootKind::Descriptors { first, count } => abi::LocalRootKind::Descriptors { first, count },
            },
            variables: bindings.iter().filter(of_node).map(variable).collect(),
            register,
        }
    };
    abi::LocalRootLayout {
        signature: layout.signature.to_string(),
        size: layout.size,
        arguments: layout.arguments.iter().map(argument).collect(),
    }
}
