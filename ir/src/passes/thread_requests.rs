//! Thread-launch nodes: without a group, each thread makes the requests of its group alone.

use crate::function::{Function, Op, Stmt};
use crate::graph::Launch;
use crate::module::Module;
use crate::types::{AllocScope, RecordsType, Type};
use crate::walk;
use std::sync::Arc;

/// Turns the requests of such nodes, and their handles, into requests of single threads. The graph operations must be
/// in the functions of the nodes, so this runs after [`inline`](super::inline).
pub fn thread_requests(module: &mut Module) {
    super::demote_all(module);
    let Module { functions, graph, .. } = module;
    for node in graph.nodes.iter().filter(|node| node.launch == Launch::Thread) {
        if let Some(function) = functions.get_mut(&node.function) {
            of_threads(function);
        }
    }
}

fn of_threads(function: &mut Function) {
    for local in function.locals.values_mut() {
        handle(&mut local.ty);
    }
    for value in function.values.values_mut() {
        handle(&mut value.ty);
        if let Op::Allocate { scope, .. } = &mut value.op {
            *scope = AllocScope::Thread;
        }
    }
    walk::statements_mut(&mut function.body, &mut |stmt| {
        if let Stmt::IncrementCount { scope, .. } = stmt {
            *scope = AllocScope::Thread;
        }
    });
}

fn handle(ty: &mut Type) {
    match ty {
        Type::Records(RecordsType { scope, .. }) => *scope = AllocScope::Thread,
        Type::Ref(_, inner) if matches!(**inner, Type::Records(_)) || inner.holds_handles() => {
            handle(Arc::make_mut(inner));
        }
        Type::Array { element, .. } if matches!(**element, Type::Records(_)) || element.holds_handles() => {
            handle(Arc::make_mut(element));
        }
        Type::Struct(s) if s.fields.iter().any(|f| matches!(f.ty, Type::Records(_)) || f.ty.holds_handles()) => {
            Arc::make_mut(s).fields.iter_mut().for_each(|f| handle(&mut f.ty));
        }
        _ => {}
    }
}
