//! Turns private globals that hold resources or ray queries into locals of the entry points that name them.
//!
//! A resource is not memory: `static Texture2D T = Maps[3];` is a name for an element of `Maps`. Once every function
//! that names such a global is inlined, each entry point gets its own copy, as each thread had before. `split` and
//! `promote` then resolve the resource. A ray query has no initial value. A structure with one is split like that of a
//! local.

use crate::Symbol;
use crate::function::*;
use crate::module::{Constant, GlobalKind, Module};
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// Replaces such globals in a module whose required calls are inlined, and removes them.
pub fn localise(module: &mut Module) {
    super::demote_all(module);
    let holds = |ty: &Type| ty.is_resource() || ty.holds_resources() || ty.holds_query();
    let globals: FxHashMap<Symbol, (Type, bool)> = (module.globals.values())
        .filter_map(|global| match &global.kind {
            GlobalKind::Private { ty, init } if holds(ty) => {
                Some((global.name.clone(), (ty.clone(), matches!(init, Some(Constant::Zero)))))
            }
            _ => None,
        })
        .collect();
    if globals.is_empty() {
        return;
    }
    for function in module.functions.values_mut() {
        in_function(function, &globals);
    }
    module.globals.retain(|name, _| !globals.contains_key(name));
}

fn in_function(function: &mut Function, globals: &FxHashMap<Symbol, (Type, bool)>) {
    let mut locals: FxHashMap<Symbol, LocalId> = FxHashMap::default();
    let mut start = Block::new();
    let named: Vec<(ValueId, Symbol)> = (function.values.iter())
        .filter_map(|(id, value)| match &value.op {
            Op::Global(name) if globals.contains_key(name) => Some((id, name.clone())),
            _ => None,
        })
        .collect();
    for (id, name) in named {
        let Some((ty, zeroed)) = globals.get(&name) else { continue };
        let local = match locals.get(&name) {
            Some(local) => *local,
            None => {
                let local = function.locals.alloc(Local { name: name.clone(), ty: ty.clone(), variable: None });
                // `split` skips the queries of a structure.
                let is_query = ty.holds_query() && !matches!(ty, Type::Struct(_));
                if *zeroed && !ty.is_resource() && !is_query {
                    let place = Type::reference(Space::Function, ty.clone());
                    let place = function.values.alloc(Value::new(place, Op::Local(local)));
                    let value = function.values.alloc(Value::new(ty.clone(), Op::Zero));
                    start.extend([Stmt::Let(place), Stmt::Let(value), Stmt::Store { place, value }]);
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
