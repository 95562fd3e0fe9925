//! Constants as arguments: a parameter that is the same constant at every call becomes that constant.

use super::fold;
use super::inline::{callees_first, for_each_called};
use crate::Symbol;
use crate::function::*;
use crate::module::Module;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The constant that an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Scalar(ScalarConst),
    Zero,
    /// The scalars of a vector.
    Parts(Vec<ScalarConst>),
}

/// Gives constants to parameters that are the same constant at every call, and folds the functions, callers first. So a
/// constant reaches all functions below. The functions of nodes and entries keep their parameters, and those in
/// `more_roots` too, because others may call them. A module with recursion stays as it is.
pub fn call_constants(module: &mut Module, more_roots: &[Symbol]) {
    let Ok(order) = callees_first(module) else { return };
    let roots: FxHashSet<Symbol> = module.roots().chain(more_roots).cloned().collect();
    // By callee: for each parameter the constant of the calls so far, and `None` if they differ.
    let mut given: FxHashMap<Symbol, Vec<Option<Known>>> = FxHashMap::default();
    for name in order.into_iter().rev() {
        let Some(function) = module.functions.get_mut(&name) else { continue };
        let known = given.remove(&name).filter(|_| !roots.contains(&name)).unwrap_or_default();
        if known.iter().any(Option::is_some) {
            set_parameters(function, &known);
        }
        fold(function);
        for_each_called(function, &mut |callee, args| {
            let new = args.iter().map(|arg| known_constant(function, *arg));
            match given.get_mut(callee) {
                None => drop(given.insert(callee.clone(), new.collect())),
                Some(all) => all.iter_mut().zip(new).for_each(|(old, new)| {
                    old.take_if(|old| Some(&*old) != new.as_ref());
                }),
            }
        });
    }
}

fn known_constant(function: &Function, id: ValueId) -> Option<Known> {
    let value = function.value(id)?;
    match (&value.op, &value.ty) {
        (Op::Const(constant), _) => Some(Known::Scalar(*constant)),
        (Op::Zero, _) => Some(Known::Zero),
        (Op::Compose(parts), Type::Vector(..)) => {
            let parts = parts.iter().map(|part| function.constant(*part)).collect::<Option<_>>()?;
            Some(Known::Parts(parts))
        }
        _ => None,
    }
}

/// Replaces the parameters that are known.
fn set_parameters(function: &mut Function, known: &[Option<Known>]) {
    let mut constants = Block::new();
    let uses: Vec<(ValueId, &Known)> = function
        .values
        .iter()
        .filter_map(|(id, value)| match value.op {
            Op::Param(n) => Some((id, known.get(n as usize)?.as_ref()?)),
            _ => None,
        })
        .collect();
    for (id, constant) in uses {
        function.values[id].op = match constant {
            Known::Scalar(scalar) => Op::Const(*scalar),
            Known::Zero => Op::Zero,
            Known::Parts(parts) => {
                let mut part = |c: &ScalarConst| {
                    let part = function.values.alloc(Value::new(Type::Scalar(c.ty), Op::Const(*c)));
                    constants.push(Stmt::Let(part));
                    part
                };
                Op::Compose(parts.iter().map(&mut part).collect())
            }
        };
    }
    // At the start they are visible everywhere.
    function.body.splice(0..0, constants);
}
