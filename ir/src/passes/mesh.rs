//! Splits the outputs of mesh nodes: an array of structures becomes one array for each value of an element, as
//! rasterisers require.
//!
//! A store of a whole element becomes one store for each of its values. All distances to planes share one array,
//! regardless of the values that hold them, and are stored one by one. Memory outside of a shader has no bools: they
//! become numbers, except the one that culls a primitive. Reads are undefined, as in the language.
//!
//! This runs after `inline`, when every place of such an array is a place of the array's global.

use super::associated_globals::make;
use crate::Symbol;
use crate::function::*;
use crate::mesh::{self, MeshSlot, MeshValue};
use crate::module::{Global, GlobalKind, Module};
use crate::types::{Field, Scalar, Space, StructType, Type};
use crate::typing::{self, Typing};
use compact_str::format_compact;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// A part of a mesh with an unknown use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    pub function: Symbol,
}

impl std::fmt::Display for MeshError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unsupported use of a mesh output in {}", self.function)
    }
}

impl std::error::Error for MeshError {}

/// An array that is split.
struct SplitArray {
    element: Type,
    len: u32,
    parts: Vec<ArrayPart>,
}

/// A value of the array's elements.
struct ArrayPart {
    path: Vec<u32>,
    /// The type in the source.
    ty: Type,
    /// The array that holds it.
    global: Symbol,
    /// For distances: the index of the first one in the array.
    first: Option<u32>,
}

/// Splits the arrays of all mesh nodes in a module whose calls are inlined.
pub fn mesh(module: &mut Module) -> Result<(), MeshError> {
    super::demote_all(module);
    let mut wholes: FxHashMap<Symbol, SplitArray> = FxHashMap::default();
    let mut made: IndexMap<Symbol, Global> = IndexMap::new();
    for global in module.globals.values() {
        if let GlobalKind::MeshOutput { ty: Type::Array { element, len, .. }, values, .. } = &global.kind
            && !values.is_empty()
        {
            let taken = |name: &Symbol| module.globals.contains_key(name);
            let whole = SplitArray { element: (**element).clone(), len: *len, parts: Vec::new() };
            wholes.insert(global.name.clone(), take_apart(whole, global, values, &taken, &mut made));
        }
    }
    if wholes.is_empty() {
        return Ok(());
    }
    module.globals.retain(|name, _| !wholes.contains_key(name));
    module.globals.extend(made);
    for function in module.functions.values_mut() {
        let named = |value: &Value| matches!(&value.op, Op::Global(name) if wholes.contains_key(name));
        if function.values.values().any(named) {
            in_function(function, &wholes, &module.globals)?;
        }
    }
    Ok(())
}

/// Creates the globals of an array's values.
fn take_apart(
    mut whole: SplitArray,
    global: &Global,
    values: &[MeshValue],
    taken: &dyn Fn(&Symbol) -> bool,
    made: &mut IndexMap<Symbol, Global>,
) -> SplitArray {
    let GlobalKind::MeshOutput { array, .. } = &global.kind else { return whole };
    // The arrays of clip distances and of cull distances.
    let mut distances: [Option<Symbol>; 2] = [None, None];
    for value in values {
        let Some(ty) = mesh::at_path(&whole.element, &value.path) else { continue };
        let (first, all) = match value.slot {
            MeshSlot::ClipDistance(first) => (Some(first), Some(0)),
            MeshSlot::CullDistance(first) => (Some(first), Some(1)),
            _ => (None, None),
        };
        let known = all.and_then(|all: usize| distances[all].clone());
        let name = known.unwrap_or_else(|| {
            let mut name = format_compact!("{}.{}", global.name, value.semantic);
            while taken(&name) || made.contains_key(&name) {
                name.push('\'');
            }
            let (element, slot) = match all {
                Some(all) => {
                    let of = |v: &&MeshValue| std::mem::discriminant(&v.slot) == std::mem::discriminant(&value.slot);
                    let count = |v: &MeshValue| mesh::distances(mesh::at_path(&whole.element, &v.path)?);
                    let sum: u32 = values.iter().filter(of).filter_map(count).sum();
                    distances[all] = Some(name.clone());
                    let slot = if all == 0 { MeshSlot::ClipDistance(0) } else { MeshSlot::CullDistance(0) };
                    (array_of(Type::F32, sum), slot)
                }
                None => (outside(ty, value.slot), value.slot),
            };
            let value = MeshValue { path: Vec::new(), slot, ..value.clone() };
            let ty = array_of(element, whole.len);
            let kind = GlobalKind::MeshOutput { ty, array: *array, values: vec![value] };
            made.insert(name.clone(), Global { name: name.clone(), kind });
            name
        });
        whole.parts.push(ArrayPart { path: value.path.clone(), ty: ty.clone(), global: name, first });
    }
    whole
}

fn array_of(element: Type, len: u32) -> Type {
    let stride = element.size().unwrap_or(0);
    Type::Array { element: element.into(), len, stride }
}

/// Returns the type of a value as a pixel shader sees it.
fn outside(ty: &Type, slot: MeshSlot) -> Type {
    match slot {
        MeshSlot::Cull => return Type::Scalar(Scalar::Bool),
        // Signed, as in GLSL and as validators require.
        MeshSlot::Layer | MeshSlot::Viewport | MeshSlot::ShadingRate | MeshSlot::PrimitiveId => {
            return Type::Scalar(Scalar::I32);
        }
        _ => {}
    }
    let number = |scalar: Scalar| if scalar == Scalar::Bool { Scalar::U32 } else { scalar };
    match ty {
        Type::Scalar(scalar) => Type::Scalar(number(*scalar)),
        Type::Vector(scalar, n) => Type::Vector(number(*scalar), *n),
        Type::Matrix(m) => Type::Matrix(crate::MatrixType { scalar: number(m.scalar), ..*m }),
        Type::Array { element, len, stride } => {
            Type::Array { element: outside(element, slot).into(), len: *len, stride: *stride }
        }
        Type::Struct(s) => {
            let field = |f: &Field| Field { ty: outside(&f.ty, slot), ..f.clone() };
            Type::Struct(StructType { fields: s.fields.iter().map(field).collect(), ..(**s).clone() }.into())
        }
        other => other.clone(),
    }
}

fn in_function(
    function: &mut Function,
    wholes: &FxHashMap<Symbol, SplitArray>,
    globals: &IndexMap<Symbol, Global>,
) -> Result<(), MeshError> {
    let mut start = Block::new();
    let mut parts = FxHashMap::default();
    let named: Vec<&SplitArray> = (function.values.values())
        .filter_map(|value| if let Op::Global(name) = &value.op { wholes.get(name) } else { None })
        .collect();
    // All arrays of a node belong to its interface, even if never written.
    for part in named.into_iter().flat_map(|whole| &whole.parts) {
        if let Some(global) = globals.get(&part.global)
            && !parts.contains_key(&part.global)
        {
            let op = Op::Global(part.global.clone());
            parts.insert(part.global.clone(), make(function, global.value_type(), op, &mut start));
        }
    }
    let body = std::mem::take(&mut function.body);
    let mut apart = Apart { function, wholes, parts, places: FxHashMap::default() };
    let body = apart.block(body);
    start.extend(body.ok_or_else(|| MeshError { function: apart.function.name.clone() })?);
    function.body = start;
    Ok(())
}

/// A step from a place to an inner one.
#[derive(Clone, Copy, Debug)]
enum Step {
    Field(u32),
    Index(ValueId),
}

struct Apart<'a> {
    function: &'a mut Function,
    wholes: &'a FxHashMap<Symbol, SplitArray>,
    /// The arrays of the values.
    parts: FxHashMap<Symbol, ValueId>,
    /// Places in arrays that no longer exist.
    places: FxHashMap<ValueId, (Symbol, Vec<Step>)>,
}

impl<'a> Apart<'a> {
    /// Rewrites a block. Returns `None` if a place is used other than for reads and writes.
    fn block(&mut self, block: Block) -> Option<Block> {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block {
            for inner in stmt.blocks_mut() {
                *inner = self.block(std::mem::take(inner))?;
            }
            match stmt {
                Stmt::Let(id) if self.names_place(id) => continue,
                Stmt::Let(id) => {
                    let value = &mut self.function.values[id];
                    let mut used = false;
                    value.op.for_each_operand(|operand| used |= self.places.contains_key(&operand));
                    match value.op {
                        Op::Load(_) if used => value.op = Op::Undef,
                        _ if used => return None,
                        _ => {}
                    }
                }
                Stmt::Store { place, value } if self.places.contains_key(&place) => {
                    let (name, steps) = self.places.get(&place)?.clone();
                    self.write(&name, &steps, value, &mut out)?;
                    continue;
                }
                _ if stmt.operands().iter().any(|operand| self.places.contains_key(operand)) => return None,
                _ => {}
            }
            out.push(stmt);
        }
        Some(out)
    }

    /// Records a place in an array that is split.
    fn names_place(&mut self, id: ValueId) -> bool {
        let inside = |base: &ValueId, step: Step| {
            let (name, steps) = self.places.get(base)?;
            Some((name.clone(), steps.iter().copied().chain([step]).collect()))
        };
        let place = match &self.function.values[id].op {
            Op::Global(name) if self.wholes.contains_key(name) => Some((name.clone(), Vec::new())),
            Op::Field { base, index } => inside(base, Step::Field(*index)),
            Op::Index { base, index } => inside(base, Step::Index(*index)),
            _ => None,
        };
        place.map(|place| self.places.insert(id, place)).is_some()
    }

    fn write(&mut self, name: &Symbol, steps: &[Step], value: ValueId, out: &mut Block) -> Option<()> {
        let whole = self.wholes.get(name)?;
        match steps {
            [] => self.all(whole, value, out),
            [Step::Index(index), inside @ ..] => self.element(whole, *index, inside, value, out),
            [Step::Field(_), ..] => None,
        }
    }

    /// Stores every element of an array, in a loop.
    fn all(&mut self, whole: &SplitArray, value: ValueId, out: &mut Block) -> Option<()> {
        let local = |apart: &mut Self, name: &str, ty: &Type, out: &mut Block| {
            let local = Local { name: name.into(), ty: ty.clone(), variable: None };
            let local = apart.function.locals.alloc(local);
            apart.make(Type::reference(Space::Function, ty.clone()), Op::Local(local), out)
        };
        let ty = self.function.type_of(value)?.clone();
        let copy = local(self, "mesh.copy", &ty, out);
        out.push(Stmt::Store { place: copy, value });
        let counter = local(self, "mesh.element", &Type::U32, out);
        let zero = self.number(0, out);
        out.push(Stmt::Store { place: counter, value: zero });
        let (mut body, mut continuing) = (Block::new(), Block::new());
        let index = self.make(Type::U32, Op::Load(counter), &mut body);
        let place = self.derived(Op::Index { base: copy, index }, &mut body)?;
        let ty = self.function.type_of(place)?.pointee()?.clone();
        let element = self.make(ty, Op::Load(place), &mut body);
        self.element(whole, index, &[], element, &mut body)?;
        let before = self.make(Type::U32, Op::Load(counter), &mut continuing);
        let one = self.number(1, &mut continuing);
        let next = self.computed(BinaryOp::Add, before, one, &mut continuing);
        continuing.push(Stmt::Store { place: counter, value: next });
        let len = self.number(whole.len, &mut continuing);
        let done = Op::Binary { op: BinaryOp::Ge, lhs: next, rhs: len };
        let done = self.make(Type::BOOL, done, &mut continuing);
        out.push(Stmt::Loop { body, continuing, break_if: Some(done), details: Box::default() });
        Some(())
    }

    /// Stores each value of an element, or of a part of it.
    fn element(
        &mut self,
        whole: &SplitArray,
        index: ValueId,
        steps: &[Step],
        value: ValueId,
        out: &mut Block,
    ) -> Option<()> {
        let fields: Vec<u32> =
            steps.iter().map_while(|step| if let Step::Field(n) = step { Some(*n) } else { None }).collect();
        for part in &whole.parts {
            if let Some(below) = part.path.strip_prefix(&fields[..]).filter(|_| fields.len() == steps.len()) {
                let mut value = value;
                for &index in below {
                    value = self.derived(Op::Extract { base: value, index }, out)?;
                }
                self.part(part, index, &[], value, out)?;
            } else if fields.starts_with(&part.path) {
                self.part(part, index, &steps[part.path.len()..], value, out)?;
            }
        }
        Some(())
    }

    fn part(
        &mut self,
        part: &ArrayPart,
        index: ValueId,
        steps: &[Step],
        value: ValueId,
        out: &mut Block,
    ) -> Option<()> {
        let base = *self.parts.get(&part.global)?;
        let mut place = self.derived(Op::Index { base, index }, out)?;
        let Some(first) = part.first else {
            for step in steps {
                let op = match *step {
                    Step::Field(index) => Op::Field { base: place, index },
                    Step::Index(index) => Op::Index { base: place, index },
                };
                place = self.derived(op, out)?;
            }
            let to = self.function.type_of(place)?.pointee()?.clone();
            let value = self.converted(value, &to, out)?;
            out.push(Stmt::Store { place, value });
            return Some(());
        };
        let (mut ty, mut number) = (&part.ty, self.number(first, out));
        for step in steps {
            let Step::Index(index) = *step else { return None };
            let index = match self.function.constant(index) {
                Some(constant) => self.number(constant.bits as u32, out),
                None => self.converted(index, &Type::U32, out)?,
            };
            let element = match ty {
                Type::Array { element, .. } => &**element,
                Type::Vector(..) => &Type::F32,
                _ => return None,
            };
            let each = self.number(mesh::distances(element)?, out);
            let before = self.computed(BinaryOp::Mul, index, each, out);
            number = self.computed(BinaryOp::Add, number, before, out);
            ty = element;
        }
        self.distances(place, number, value, out)
    }

    /// Stores distances from an index on.
    fn distances(&mut self, base: ValueId, number: ValueId, value: ValueId, out: &mut Block) -> Option<()> {
        let ty = self.function.type_of(value)?.clone();
        let (count, each) = match &ty {
            Type::Scalar(_) => {
                let place = self.derived(Op::Index { base, index: number }, out)?;
                out.push(Stmt::Store { place, value });
                return Some(());
            }
            Type::Vector(_, n) => (u32::from(*n), 1),
            Type::Array { element, len, .. } => (*len, mesh::distances(element)?),
            _ => return None,
        };
        for n in 0..count {
            let part = self.derived(Op::Extract { base: value, index: n }, out)?;
            let before = self.number(n * each, out);
            let number = self.computed(BinaryOp::Add, number, before, out);
            self.distances(base, number, part, out)?;
        }
        Some(())
    }

    /// Converts a value to a type that differs in three respects: numbers for bools, a bool for a number, or another
    /// layout.
    fn converted(&mut self, value: ValueId, to: &Type, out: &mut Block) -> Option<ValueId> {
        let from = self.function.type_of(value)?.clone();
        if from == *to {
            return Some(value);
        }
        let count = match to {
            Type::Scalar(_) | Type::Vector(..) => return Some(self.make(to.clone(), Op::Convert(value), out)),
            // Stores convert between layouts.
            _ if from.same_shape(to) => return Some(value),
            Type::Matrix(m) => u32::from(m.rows),
            Type::Array { len, .. } => *len,
            Type::Struct(s) => s.fields.len() as u32,
            _ => return None,
        };
        let mut parts = Vec::new();
        for index in 0..count {
            let part = self.derived(Op::Extract { base: value, index }, out)?;
            parts.push(self.converted(part, &typing::element(to, index).ok()?, out)?);
        }
        Some(self.make(to.clone(), Op::Compose(parts), out))
    }

    fn make(&mut self, ty: Type, op: Op, out: &mut Block) -> ValueId {
        make(self.function, ty, op, out)
    }

    /// Adds a value with the type that its operands determine.
    fn derived(&mut self, op: Op, out: &mut Block) -> Option<ValueId> {
        match typing::type_of(self.function, &op, &Type::Void) {
            Ok(Typing::Is(ty)) => Some(self.make(ty, op, out)),
            _ => None,
        }
    }

    fn number(&mut self, n: u32, out: &mut Block) -> ValueId {
        self.make(Type::U32, Op::Const(ScalarConst::u32(n)), out)
    }

    /// Returns a sum or product of words, folded if possible.
    fn computed(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId, out: &mut Block) -> ValueId {
        let constants = self.function.constant(lhs).zip(self.function.constant(rhs));
        match (op, constants.map(|(lhs, rhs)| (lhs.bits as u32, rhs.bits as u32))) {
            (BinaryOp::Add, Some((lhs, rhs))) => self.number(lhs.wrapping_add(rhs), out),
            (BinaryOp::Mul, Some((lhs, rhs))) => self.number(lhs.wrapping_mul(rhs), out),
            _ => self.make(Type::U32, Op::Binary { op, lhs, rhs }, out),
        }
    }
}
