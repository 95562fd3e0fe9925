//! Linking: the parts of the device library that a shader uses, and one block of push constants for both.

use super::error::EmuError;
use super::library::Library;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use wgc_abi::device::user_push_offset;
use wgc_ir::{
    Block, Field, Function, FunctionBuilder, Global, GlobalKind, Module, Op, Stmt, StructType, Symbol, Type, walk,
};

/// Name of the merged block.
const PUSH: &str = "wgc.push";

/// Returns a module of `functions` and all that they reach. Symbols are looked up in the user's module first, then in
/// the library.
///
/// The functions of `functions` replace those of the same name in `user`.
pub fn link(user: &Module, library: &Library, functions: Vec<Function>) -> Result<Module, EmuError> {
    let mut linked = Module::default();
    let own: FxHashSet<Symbol> = functions.iter().map(|f| f.name.clone()).collect();
    let mut wanted: Vec<Symbol> = Vec::new();
    let mut globals: FxHashSet<Symbol> = FxHashSet::default();
    for function in functions {
        references(&function, &mut wanted, &mut globals);
        linked.add_function(function);
    }
    let mut seen: FxHashSet<Symbol> = own;
    let mut reached: Vec<&Function> = Vec::new();
    while let Some(name) = wanted.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let of_user = user.functions.get(&name);
        let of_library = library.module.functions.get(&name);
        let function = match (of_user, of_library) {
            (Some(_), Some(_)) => return Err(EmuError::Reserved { name }),
            (Some(f), None) | (None, Some(f)) => f,
            // The emitter reports a missing callee with its caller.
            (None, None) => continue,
        };
        references(function, &mut wanted, &mut globals);
        reached.push(function);
    }
    globals.extend(
        user.globals
            .values()
            .filter(|g| globals.contains(&g.name))
            .filter_map(Global::counter)
            .cloned()
            .collect::<Vec<_>>(),
    );
    // Use the order of the modules, not of the search.
    let position = |f: &Function| {
        let place = |m: &Module| m.functions.get_index_of(&f.name);
        place(user).map_or((1, place(library.module)), |i| (0, Some(i)))
    };
    reached.sort_by_key(|f| position(f));
    reached.into_iter().for_each(|f| linked.add_function(f.clone()));
    for global in user.globals.values().filter(|g| globals.contains(&g.name)) {
        if library.module.globals.contains_key(&global.name) {
            return Err(EmuError::Reserved { name: global.name.clone() });
        }
        linked.add_global(global.clone());
    }
    for global in library.module.globals.values().filter(|g| globals.contains(&g.name)) {
        linked.add_global(global.clone());
    }
    merge_push_constants(&mut linked);
    Ok(linked)
}

/// Collects the symbols that the statements of a function name.
fn references(function: &Function, callees: &mut Vec<Symbol>, globals: &mut FxHashSet<Symbol>) {
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Let(id) => match function.value(*id).map(|v| &v.op) {
            Some(Op::Call { callee, .. }) => callees.push(callee.clone()),
            Some(Op::Global(name)) => {
                globals.insert(name.clone());
            }
            _ => {}
        },
        Stmt::Call { callee, .. } => callees.push(callee.clone()),
        _ => {}
    });
}

/// Merges the blocks of push constants, since an entry point has only one: the library's words first, then the user's.
fn merge_push_constants(module: &mut Module) {
    let blocks: Vec<(Symbol, Type)> = (module.globals.values())
        .filter_map(|g| match &g.kind {
            GlobalKind::PushConstant { block } => Some((g.name.clone(), block.clone())),
            _ => None,
        })
        .collect();
    let [(user, user_block), (library, library_block)] = blocks.as_slice() else { return };
    let align = user_block.align().max(4);
    let offset = user_push_offset(align) as u32;
    let field = |name: &'static str, ty: &Type, offset| Field::new(name, ty.clone(), offset);
    let size = offset + user_block.size().unwrap_or(0);
    let align = align.max(library_block.align());
    let block = Type::Struct(Arc::new(StructType {
        name: Symbol::const_new(PUSH),
        fields: vec![field("wgc", library_block, 0), field("user", user_block, offset)],
        size: size.next_multiple_of(align),
        align,
    }));
    let merged = Global { name: Symbol::const_new(PUSH), kind: GlobalKind::PushConstant { block } };
    module.globals.shift_remove(user);
    module.globals.shift_remove(library);
    for function in module.functions.values_mut() {
        let old = std::mem::replace(&mut **function, Function::new("", Type::Void));
        **function = redirect(old, &merged, library, user);
    }
    module.add_global(merged);
}

/// Replaces accesses to the two blocks by fields of the merged block.
fn redirect(function: Function, merged: &Global, library: &Symbol, user: &Symbol) -> Function {
    let (mut b, body) = FunctionBuilder::rewrite(function);
    redirect_block(&mut b, body, merged, library, user);
    b.finish()
}

fn redirect_block(b: &mut FunctionBuilder, block: Block, merged: &Global, library: &Symbol, user: &Symbol) {
    for mut stmt in block {
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            b.begin_block();
            redirect_block(b, old, merged, library, user);
            *inner = b.end_block();
        }
        if let Stmt::Let(id) = stmt
            && let Some(Op::Global(name)) = b.function().value(id).map(|v| v.op.clone())
            && (name == *library || name == *user)
        {
            let base = b.global(merged);
            b.function_mut().values[id].op = Op::Field { base, index: u32::from(name == *user) };
        }
        b.push(stmt);
    }
}
