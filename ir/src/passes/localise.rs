//! Turns private globals that hold resources or ray queries into locals of the entry points that name them.
//!
//! A resource is not memory: `static Texture2D T = Maps[3];` is a name for an element of `Maps`. Once every function
//! that names such a global is inlined, each entry point gets its own copy, as each thread had before. `split` and
//! `promote` then resolve the resource. A ray query has no initial value. A structure with one is split like that of a
//! local.
//!
//! [`own_globals`] does the same with other private globals that only entry points name, so that they can become
//! values.

use super::inline::for_each_call;
use crate::Symbol;
use crate::function::*;
use crate::module::{Constant, GlobalKind, Module};
use crate::types::{Space, Type};
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most elements of a global that becomes a local, and of its parts. Larger ones rarely become values.
const MAX_ELEMENTS: usize = 64;

/// Replaces such globals in a module whose required calls are inlined, and removes them.
pub fn localise(module: &mut Module) {
    super::demote_all(module);
    let holds = |ty: &Type| ty.is_resource() || ty.holds_resources() || ty.holds_query();
    let globals: Moved = (module.globals.values())
        .filter_map(|global| match &global.kind {
            GlobalKind::Private { ty, init } if holds(ty) => {
                // `split` skips the queries of a structure.
                let is_query = ty.holds_query() && !matches!(ty, Type::Struct(_));
                let zero = init.clone().filter(|init| *init == Constant::Zero && !ty.is_resource() && !is_query);
                Some((global.name.clone(), (ty.clone(), zero)))
            }
            _ => None,
        })
        .collect();
    move_globals(module, &globals);
}

/// Turns private globals of at most 64 elements into locals of the entry points, if nothing else names them and nothing
/// calls these. Each runs once for a thread, so a local has the same lifetime.
pub fn own_globals(module: &mut Module) {
    let is_small = |ty: &Type| scalars(ty) <= MAX_ELEMENTS && !ty.holds_objects() && !ty.holds_query();
    let mut globals: Moved = (module.globals.values())
        .filter_map(|global| match &global.kind {
            GlobalKind::Private { ty, init } if is_small(ty) => Some((global.name.clone(), (ty.clone(), init.clone()))),
            _ => None,
        })
        .collect();
    if globals.is_empty() || module.functions.values().any(|function| has_inline_spirv(function)) {
        return;
    }
    let mut owners: FxHashSet<Symbol> = module.roots().cloned().collect();
    for function in module.functions.values() {
        for_each_call(function, &mut |callee| {
            owners.remove(callee);
        });
    }
    for (_, function) in module.functions.iter().filter(|(name, _)| !owners.contains(*name)) {
        for value in function.values.values() {
            if let Op::Global(global) = &value.op {
                globals.remove(global);
            }
        }
    }
    move_globals(module, &globals);
}

/// Returns whether instructions of the program may expect a pointer to a private variable.
fn has_inline_spirv(function: &Function) -> bool {
    let mut found = function.values.values().any(|value| matches!(value.op, Op::Spirv(_)));
    walk::statements(&function.body, &mut |stmt| found |= matches!(stmt, Stmt::Spirv(_)));
    found
}

/// Returns the number of scalars of a type, at least.
pub(super) fn scalars(ty: &Type) -> usize {
    match ty {
        Type::Array { element, len, .. } => scalars(element).saturating_mul(*len as usize),
        Type::Struct(s) => s.fields.iter().map(|field| scalars(&field.ty)).fold(0, usize::saturating_add),
        Type::Matrix(m) => usize::from(m.rows) * usize::from(m.columns),
        other => other.components().unwrap_or(1) as usize,
    }
}

/// The globals to move, with their types and initial values.
type Moved = FxHashMap<Symbol, (Type, Option<Constant>)>;

/// Replaces these globals by locals in all functions.
fn move_globals(module: &mut Module, globals: &Moved) {
    if globals.is_empty() {
        return;
    }
    for function in module.functions.values_mut() {
        in_function(function, globals);
    }
    module.globals.retain(|name, _| !globals.contains_key(name));
}

/// Returns a new value of a constant, computed at the end of `out`.
pub(super) fn constant(function: &mut Function, ty: &Type, value: &Constant, out: &mut Block) -> ValueId {
    let op = match value {
        Constant::Zero => Op::Zero,
        Constant::Scalar(scalar) => Op::Const(*scalar),
        Constant::Composite(parts) => {
            let part = |(value, n): (&Constant, usize)| {
                let part = match ty {
                    Type::Vector(scalar, _) => Type::Scalar(*scalar),
                    Type::Matrix(m) => m.row(),
                    Type::Array { element, .. } => (**element).clone(),
                    Type::Struct(s) => s.fields.get(n).map_or(Type::Void, |field| field.ty.clone()),
                    _ => Type::Void,
                };
                constant(function, &part.as_value(), value, out)
            };
            Op::Compose(parts.iter().zip(0..).map(part).collect())
        }
    };
    super::associated_globals::make(function, ty.clone(), op, out)
}

fn in_function(function: &mut Function, globals: &Moved) {
    let names = |value: &Value| matches!(&value.op, Op::Global(name) if globals.contains_key(name));
    if !function.values.values().any(names) {
        return;
    }
    let mut locals: FxHashMap<Symbol, LocalId> = FxHashMap::default();
    let mut start = Block::new();
    let named: Vec<(ValueId, Symbol)> = (function.values.iter())
        .filter_map(|(id, value)| match &value.op {
            Op::Global(name) if globals.contains_key(name) => Some((id, name.clone())),
            _ => None,
        })
        .collect();
    for (id, name) in named {
        let Some((ty, initial)) = globals.get(&name) else { continue };
        let local = match locals.get(&name) {
            Some(local) => *local,
            None => {
                let local = function.locals.alloc(Local { name: name.clone(), ty: ty.clone(), variable: None });
                if let Some(initial) = initial {
                    let place = Type::reference(Space::Function, ty.clone());
                    let place = super::associated_globals::make(function, place, Op::Local(local), &mut start);
                    let value = constant(function, &ty.as_value(), initial, &mut start);
                    start.push(Stmt::Store { place, value });
                }
                locals.insert(name, local);
                local
            }
        };
        function.values[id].op = Op::Local(local);
    }
    if locals.is_empty() {
        return;
    }
    // Parts of a place are in the same memory as the whole. Operands come before the values that use them.
    let ids: Vec<ValueId> = function.values.iter().map(|(id, _)| id).collect();
    let mut moved = true;
    while moved {
        moved = false;
        for id in &ids {
            let Type::Ref(Space::Private, pointee) = &function.values[*id].ty else { continue };
            let is_local = match function.values[*id].op {
                Op::Local(_) => true,
                Op::Field { base, .. } | Op::Index { base, .. } => {
                    matches!(function.type_of(base), Some(Type::Ref(Space::Function, _)))
                }
                _ => false,
            };
            if is_local {
                function.values[*id].ty = Type::Ref(Space::Function, pointee.clone());
                moved = true;
            }
        }
    }
    function.body.splice(0..0, start);
}
