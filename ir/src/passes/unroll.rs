//! Iterations of loops in front of them.
//!
//! Which resource a variable is may depend on the number of an iteration: when each iteration has statements of its own,
//! folding decides it. That is done where a loop must go away, not to make it faster.

use crate::Symbol;
use crate::function::*;
use crate::walk;
use rustc_hash::FxHashMap;

/// Values of a function above which no iteration is copied.
const MAX_VALUES: usize = 1 << 16;

/// Takes the first iteration out of an innermost loop that sets a local of this name. False when there is none, or what it
/// would take is too much.
///
/// The iteration and the loop become the default of a switch, which `Break` leaves as it left the loop.
pub fn peel(function: &mut Function, local: &Symbol) -> bool {
    if function.values.len() > MAX_VALUES {
        return false;
    }
    let mut body = std::mem::take(&mut function.body);
    let done = peel_in(&mut body, function, local);
    function.body = body;
    done
}

fn peel_in(block: &mut Block, function: &mut Function, local: &Symbol) -> bool {
    for stmt in block.iter_mut() {
        if stmt.blocks_mut().into_iter().any(|inner| peel_in(inner, function, local)) {
            return true;
        }
        let Stmt::Loop { body, continuing, break_if } = stmt else { continue };
        if !sets(body, function, local) || continues(body) {
            continue;
        }
        let mut map = FxHashMap::default();
        let mut default = copy(body, function, &mut map);
        if !default.last().is_some_and(Stmt::is_jump) {
            default.extend(copy(continuing, function, &mut map));
            if let Some(cond) = break_if {
                let cond = map.get(cond).copied().unwrap_or(*cond);
                default.push(Stmt::If { cond, then: vec![Stmt::Break], otherwise: Block::new() });
            }
            default.push(stmt.clone());
        }
        let zero = Op::Const(ScalarConst::u32(0));
        let selector = function.values.alloc(Value::new(crate::Type::U32, zero));
        *stmt = Stmt::Switch { selector, cases: Vec::new(), default };
        let at = block.iter().position(|s| matches!(s, Stmt::Switch { selector: s, .. } if *s == selector));
        block.insert(at.unwrap_or(0), Stmt::Let(selector));
        return true;
    }
    false
}

/// Whether a statement stores to the local.
fn sets(block: &Block, function: &Function, local: &Symbol) -> bool {
    let mut found = false;
    walk::statements(block, &mut |stmt| {
        if let Stmt::Store { place, .. } = stmt
            && let Some(Op::Local(id)) = function.value(*place).map(|v| &v.op)
        {
            found |= function.local(*id).is_some_and(|l| l.name == *local);
        }
    });
    found
}

/// Whether a `Continue` belongs to the loop around the block.
fn continues(block: &Block) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Continue => true,
        Stmt::Loop { .. } => false,
        other => other.blocks().into_iter().any(continues),
    })
}

/// The same statements with values of their own.
fn copy(block: &Block, function: &mut Function, map: &mut FxHashMap<ValueId, ValueId>) -> Block {
    let mut out = Block::with_capacity(block.len());
    for stmt in block {
        let mut stmt = stmt.clone();
        let new = |map: &FxHashMap<ValueId, ValueId>, id: &mut ValueId| *id = map.get(id).copied().unwrap_or(*id);
        stmt.for_each_operand_mut(|id| new(map, id));
        if let Stmt::Let(id) = &mut stmt
            && let Some(value) = function.value(*id)
        {
            let mut value = value.clone();
            value.op.for_each_operand_mut(|id| new(map, id));
            let fresh = function.values.alloc(value);
            map.insert(*id, fresh);
            *id = fresh;
        }
        for inner in stmt.blocks_mut() {
            *inner = copy(inner, function, map);
        }
        if let Stmt::Loop { break_if: Some(cond), .. } = &mut stmt {
            new(map, cond);
        }
        out.push(stmt);
    }
    out
}
