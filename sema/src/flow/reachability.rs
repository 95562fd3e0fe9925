//! Code that the nodes and compute shaders of a program need, whether correct or not.
//!
//! Stages share files: a file with a graph may also contain pixel shaders and their helpers. Names, types and syntax
//! are checked everywhere. Some errors matter only if compiled code mentions the construct: constructs that wgc does
//! not compile, those of another stage, and functions without a definition. Recursion matters there too, and where a
//! library exports it. Unlike [`crate::link::Linked::reached`], this analysis looks through erroneous bodies.

use crate::check::check;
use crate::check::hir::{Body, ExprKind};
use crate::check::initial::{initial, is_computed};
use crate::contracts::node::stage;
use crate::db::def::{FnId, Item};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::functions;
use crate::db::items::{fn_node, item_tree};
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::link::{MAX_INSTANCES, link, roots};
use crate::lower::start_effects::initialisers_with_effects;
use crate::tables::codes::Code;
use crate::tables::collections::{IndexMap, IndexSet};
use crate::types::instantiation::plain_function;

/// Functions and items that entry points need, directly or indirectly.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct ReachableCode<'db> {
    functions: IndexSet<FnInst<'db>>,
    /// The items that declare these functions and the globals that they mention.
    items: IndexSet<Item<'db>>,
    /// Exported functions of the library and their callees.
    exported: IndexSet<FnInst<'db>>,
    /// The program has no entry point and names no stage, so it is a part of a program. Its callers are elsewhere, so
    /// unsupported constructs count everywhere.
    everything: bool,
}

#[salsa::tracked(returns(ref))]
pub(crate) fn reachable<'db>(db: &'db dyn Db, program: Program) -> ReachableCode<'db> {
    let roots = roots(db, program);
    let everything = roots.is_empty() && functions(db, program).into_iter().all(|f| stage(db, f).is_none());
    let (functions, items) = (link(db, program).reached.clone(), IndexSet::default());
    let mut out = ReachableCode { functions, items, exported: exported(db, program), everything };
    let mut globals = IndexSet::default();
    let mut bodies: Vec<&Body<'db>> = Vec::new();
    let parts: IndexSet<Program> = roots.iter().map(|(function, _)| function.function(db).item.program(db)).collect();
    for (var, owner) in parts.into_iter().flat_map(|part| initialisers_with_effects(db, part)) {
        out.items.insert(var.item);
        globals.insert((*var, *owner));
        bodies.push(&initial(db, var.item, var.index, *owner).body);
    }
    out.functions.extend(roots.into_iter().map(|(function, _)| function));
    let (mut instances, mut variables) = (IndexMap::default(), IndexMap::default());
    let mut next = 0;
    // The set grows during the walk.
    while let Some(function) = out.functions.get_index(next).copied() {
        next += 1;
        out.items.insert(function.function(db).item);
        // Linking reports a template that instantiates itself forever; here the walk only has to end.
        let count = instances.entry(function.function(db)).or_insert(0u32);
        *count += 1;
        if *count > MAX_INSTANCES {
            continue;
        }
        bodies.push(&check(db, function).body);
        while let Some(body) = bodies.pop() {
            for expr in &body.exprs {
                match &expr.kind {
                    ExprKind::Call { callee, .. } => _ = out.functions.insert(*callee),
                    // The initial value is computed in code, so its needs count too.
                    ExprKind::Global(var, owner) if globals.insert((*var, *owner)) => {
                        out.items.insert(var.item);
                        let count = variables.entry(*var).or_insert(0u32);
                        *count += 1;
                        if *count <= MAX_INSTANCES && is_computed(db, *var, *owner) {
                            bodies.push(&initial(db, var.item, var.index, *owner).body);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    out
}

/// Returns the functions marked `export` and their callees.
fn exported<'db>(db: &'db dyn Db, program: Program) -> IndexSet<FnInst<'db>> {
    let is_exported = |f: &FnId<'db>| {
        fn_node(db, *f)
            .is_some_and(|n| n.tree.ast.types[n.function.ret].modifiers.iter().any(|word| word.text == "export"))
    };
    let mut out: IndexSet<FnInst<'db>> =
        functions(db, program).into_iter().filter(is_exported).filter_map(|f| plain_function(db, f)).collect();
    let mut instances = IndexMap::default();
    let mut next = 0;
    // The set grows during the walk.
    while let Some(function) = out.get_index(next).copied() {
        next += 1;
        for expr in &check(db, function).body.exprs {
            if let ExprKind::Call { callee, .. } = &expr.kind {
                let count = instances.entry(callee.function(db)).or_insert(0u32);
                if *count < MAX_INSTANCES && out.insert(*callee) {
                    *count += 1;
                }
            }
        }
    }
    out
}

impl<'db> ReachableCode<'db> {
    /// Finds recursion among exported functions.
    pub fn exported_cycles(&self, db: &'db dyn Db) -> Vec<Diagnostic<'db>> {
        let functions: Vec<_> = self.exported.iter().copied().collect();
        crate::lower::recursion::cycles(db, &functions)
    }

    /// Returns whether a diagnostic about this function's body counts.
    pub fn counts(&self, function: FnInst<'db>, diagnostic: &Diagnostic<'db>) -> bool {
        if diagnostic.code == Code::Recursion {
            return self.functions.contains(&function) || self.exported.contains(&function);
        }
        !self.asks_for_reach(diagnostic.code) || self.functions.contains(&function)
    }

    /// Returns whether a diagnostic about the declarations of this item counts. Types always count: they are needed by
    /// name.
    pub fn item_counts(&self, db: &'db dyn Db, item: Item<'db>, diagnostic: &Diagnostic<'db>) -> bool {
        if !self.asks_for_reach(diagnostic.code) || self.items.contains(&item) {
            return true;
        }
        let decls = &item_tree(db, item).decls;
        !decls.records.is_empty() || !decls.aliases.is_empty() || decls.functions.is_empty() && decls.vars.is_empty()
    }

    /// Returns whether a diagnostic matters only in compiled code: the program is correct without the construct.
    fn asks_for_reach(&self, code: Code) -> bool {
        match code {
            // The callers of a part of a program may be of the other stage.
            Code::OtherStage => true,
            Code::NotSupported | Code::NoBody => !self.everything,
            _ => false,
        }
    }
}
