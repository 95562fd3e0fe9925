//! Renumbers threads so that every four consecutive lanes form a quad, following HLSL's derivatives specification. In
//! workgroups with even X and Y a quad is two by two threads. It consists of lanes `4 k` to `4 k + 3` of the wave.
//!
//! Devices number lanes row by row. Another order would need a feature that few devices have. So this pass computes the
//! system values of a thread from its lane number. Quad operations then work everywhere, and derivatives use the quads
//! of consecutive invocations. Groups of one row or of two columns already have that order.

use super::associated_globals::make;
use crate::Symbol;
use crate::function::*;
use crate::image::{ImageQuery, QuadShape, quad_shape};
use crate::module::{Global, GlobalKind, Module};
use crate::specialise::{GraphConstant, Specialised};
use crate::types::{Scalar, Space, Type};
use crate::typing::builtin_type;
use crate::walk;
use compact_str::format_compact;
use rustc_hash::FxHashSet;

/// An entry point whose quads are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuadError {
    pub function: Symbol,
}

impl std::fmt::Display for QuadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the quads depend on the specialised size of the workgroup")
    }
}

impl std::error::Error for QuadError {}

/// The system values that number the threads of a workgroup.
const NUMBERS: [Builtin; 3] = [Builtin::GroupThreadId, Builtin::GroupIndex, Builtin::DispatchThreadId];

/// The function of an entry point or node with all reachable functions. If its threads are renumbered, it has the size
/// of its workgroups.
struct Root {
    function: Symbol,
    reached: FxHashSet<Symbol>,
    squares: Option<[u32; 3]>,
}

/// Renumbers the threads of all entry points that use quads of two by two threads.
///
/// # Errors
/// Returns an error if the size of a workgroup is specialised, so that its quads are unknown.
pub fn quads(module: &mut Module) -> Result<(), QuadError> {
    let nodes = module.graph.nodes.iter().map(|n| (&n.function, n.num_threads, &n.specialised));
    let entries = module.entries.iter().map(|e| (&e.function, e.workgroup_size, &e.specialised));
    let mut roots = Vec::new();
    for (function, size, specialised) in nodes.chain(entries) {
        let reached = reachable(module, function);
        let squares = match reached.iter().any(|name| module.functions.get(name).is_some_and(|f| uses_quads(f))) {
            true => renumbered(size, specialised).map_err(|()| QuadError { function: function.clone() })?,
            false => None,
        };
        roots.push(Root { function: function.clone(), reached, squares });
    }
    if roots.iter().all(|root| root.squares.is_none()) {
        return Ok(());
    }
    // Functions that are not inlined get the numbers in variables, since each calling entry point has its own order.
    let is_root = |name: &Symbol| roots.iter().any(|root| root.function == *name);
    let of_squares = |name: &Symbol| roots.iter().any(|root| root.squares.is_some() && root.reached.contains(name));
    let readers = module.functions.iter().filter(|(name, f)| !is_root(name) && of_squares(name) && reads_numbers(f));
    let readers: Vec<Symbol> = readers.map(|(name, _)| name.clone()).collect();
    for root in &roots {
        let hands_on = readers.iter().any(|name| root.reached.contains(name));
        if let Some(function) = module.functions.get_mut(&root.function)
            && (root.squares.is_some() || hands_on)
        {
            in_root(function, root.squares, hands_on);
        }
    }
    for name in &readers {
        let Some(function) = module.functions.get_mut(name) else { continue };
        for builtin in NUMBERS {
            let mut places = Vec::new();
            for id in reads(function, builtin) {
                let place = function.values.alloc(handed(builtin));
                places.push(Stmt::Let(place));
                function.values[id].op = Op::Load(place);
            }
            function.body.splice(0..0, places);
        }
    }
    if !readers.is_empty() {
        for builtin in NUMBERS {
            let (name, kind) = (variable(builtin), GlobalKind::Private { ty: builtin_type(builtin), init: None });
            module.globals.insert(name.clone(), Global { name, kind });
        }
    }
    Ok(())
}

/// Returns the size of workgroups whose threads must be renumbered, or `None`.
fn renumbered(size: [u32; 3], specialised: &Specialised) -> Result<Option<[u32; 3]>, ()> {
    let is_fixed = |axis: u32| specialised.iter().all(|(what, _)| *what != GraphConstant::Threads(axis));
    let one_row = |axis: u32| size[axis as usize] == 1 && is_fixed(axis);
    match quad_shape(size) {
        _ if one_row(1) && one_row(2) => Ok(None),
        _ if !(0..3).all(is_fixed) => Err(()),
        Some(QuadShape::Square) if size[0] > 2 => Ok(Some(size)),
        _ => Ok(None),
    }
}

/// Returns the functions that a function calls, including itself.
fn reachable(module: &Module, function: &Symbol) -> FxHashSet<Symbol> {
    let (mut seen, mut work) = (FxHashSet::default(), vec![function.clone()]);
    while let Some(name) = work.pop() {
        if let Some(function) = module.functions.get(&name).filter(|_| seen.insert(name.clone())) {
            super::inline::for_each_call(function, &mut |callee| work.push(callee.clone()));
        }
    }
    seen
}

/// Calls `f` with the operations of a function's body.
fn for_each_op(function: &Function, f: &mut impl FnMut(ValueId, &Op)) {
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some(value) = function.value(*id)
        {
            f(*id, &value.op);
        }
    });
}

fn uses_quads(function: &Function) -> bool {
    let mut found = false;
    for_each_op(function, &mut |_, op| {
        found |= match op {
            Op::Subgroup { op, .. } => op.is_of_quads() || op.is_derivative(),
            Op::ImageSample(sample) => sample.needs_derivatives(),
            Op::ImageQuery { query: ImageQuery::Lod { .. }, .. } => true,
            _ => false,
        };
    });
    found
}

fn reads_numbers(function: &Function) -> bool {
    NUMBERS.iter().any(|&builtin| !reads(function, builtin).is_empty())
}

fn reads(function: &Function, builtin: Builtin) -> Vec<ValueId> {
    let mut found = Vec::new();
    for_each_op(function, &mut |id, op| {
        if *op == Op::Builtin(builtin) {
            found.push(id);
        }
    });
    found
}

fn variable(builtin: Builtin) -> Symbol {
    format_compact!("wgc.{builtin:?}")
}

/// Returns the place of the variable that holds a number of the thread.
fn handed(builtin: Builtin) -> Value {
    Value::new(Type::reference(Space::Private, builtin_type(builtin)), Op::Global(variable(builtin)))
}

/// Replaces the numbers in the function of an entry point, and stores them for the functions that it calls.
fn in_root(function: &mut Function, squares: Option<[u32; 3]>, hands_on: bool) {
    let mut out = Block::new();
    let old: Vec<(Builtin, Vec<ValueId>)> = NUMBERS.map(|builtin| (builtin, reads(function, builtin))).into();
    let wanted = |builtin| hands_on || old.iter().any(|(b, reads)| *b == builtin && !reads.is_empty());
    let numbers = Numbers { size: squares, wanted: NUMBERS.map(wanted) }.make(function, &mut out);
    for ((builtin, reads), op) in old.iter().zip(numbers) {
        let Some(op) = op else { continue };
        for &id in reads {
            function.values[id].op = op.clone();
        }
        if hands_on {
            let value = make(function, builtin_type(*builtin), op, &mut out);
            let place = function.values.alloc(handed(*builtin));
            out.extend([Stmt::Let(place), Stmt::Store { place, value }]);
        }
    }
    function.body.splice(0..0, out);
}

/// The thread numbers to compute.
struct Numbers {
    /// The size of the workgroup; `None` keeps the numbers of the device.
    size: Option<[u32; 3]>,
    /// The required ones of [`NUMBERS`].
    wanted: [bool; 3],
}

impl Numbers {
    /// Returns the operations that compute the numbers. Their operands are added to `out`.
    fn make(&self, function: &mut Function, out: &mut Block) -> [Option<Op>; 3] {
        let Some([width, height, depth]) = self.size else {
            return [0, 1, 2].map(|n| self.wanted[n].then_some(Op::Builtin(NUMBERS[n])));
        };
        if !self.wanted.contains(&true) {
            return [None, None, None];
        }
        let mut m = Maker { function, out };
        let lane = m.value(Op::Builtin(Builtin::GroupIndex));
        let (columns, rows) = (width / 2, height / 2);
        // The column and row of the lane in its quad, and of the quad in the group.
        let (right, half) = (m.rest(lane, 2), m.quotient(lane, 2));
        let (below, quad) = (m.rest(half, 2), m.quotient(lane, 4));
        let (column, row) = (m.rest(quad, columns), m.quotient(quad, columns));
        let (row, z) = match depth {
            1 => (row, m.constant(0)),
            _ => (m.rest(row, rows), m.quotient(row, rows)),
        };
        let (x, y) = (m.scaled(column, 2, right), m.scaled(row, 2, below));
        let thread = Op::Compose(vec![x, y, z]);
        let index = self.wanted[1].then(|| {
            let line = m.scaled(z, height, y);
            let width = m.constant(width);
            let first = m.value(Op::Binary { op: BinaryOp::Mul, lhs: line, rhs: width });
            Op::Binary { op: BinaryOp::Add, lhs: first, rhs: x }
        });
        let dispatch = self.wanted[2].then(|| {
            let size = [width, height, depth].map(|n| m.constant(n)).to_vec();
            let vector = Type::Vector(Scalar::U32, 3);
            let group = make(m.function, vector.clone(), Op::Builtin(Builtin::GroupId), m.out);
            let size = make(m.function, vector.clone(), Op::Compose(size), m.out);
            let first = Op::Binary { op: BinaryOp::Mul, lhs: group, rhs: size };
            let first = make(m.function, vector.clone(), first, m.out);
            let thread = make(m.function, vector, thread.clone(), m.out);
            Op::Binary { op: BinaryOp::Add, lhs: first, rhs: thread }
        });
        [self.wanted[0].then_some(thread), index, dispatch]
    }
}

/// Adds values of type u32 at the end of a block.
struct Maker<'a> {
    function: &'a mut Function,
    out: &'a mut Block,
}

impl Maker<'_> {
    fn value(&mut self, op: Op) -> ValueId {
        make(self.function, Type::U32, op, self.out)
    }

    fn constant(&mut self, value: u32) -> ValueId {
        self.value(Op::Const(ScalarConst::u32(value)))
    }

    fn with(&mut self, op: BinaryOp, lhs: ValueId, rhs: u32) -> ValueId {
        let rhs = self.constant(rhs);
        self.value(Op::Binary { op, lhs, rhs })
    }

    fn quotient(&mut self, value: ValueId, by: u32) -> ValueId {
        match by.is_power_of_two() {
            true => self.with(BinaryOp::Shr, value, by.ilog2()),
            false => self.with(BinaryOp::Div, value, by),
        }
    }

    fn rest(&mut self, value: ValueId, by: u32) -> ValueId {
        match by.is_power_of_two() {
            true => self.with(BinaryOp::And, value, by - 1),
            false => self.with(BinaryOp::Rem, value, by),
        }
    }

    /// Returns `value * by + plus`.
    fn scaled(&mut self, value: ValueId, by: u32, plus: ValueId) -> ValueId {
        let scaled = self.with(BinaryOp::Mul, value, by);
        self.value(Op::Binary { op: BinaryOp::Add, lhs: scaled, rhs: plus })
    }
}
