//! What the nodes and compute shaders of a program need of it, correct or not.
//!
//! Files are shared between stages: beside a graph stand pixel shaders and their helpers. Names, types and syntax are
//! checked everywhere. What wgc does not compile, what belongs to another stage, and functions that are declared and not
//! defined, matter only where something that is compiled mentions them. So does recursion, and where a library exports it. Unlike [`crate::link::Linked::reached`] this looks through bodies that are wrong.

use crate::check::check;
use crate::check::hir::ExprKind;
use crate::check::initial::{initial, is_computed};
use crate::contracts::node::stage;
use crate::db::def::{FnId, Item};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::functions;
use crate::db::items::{fn_node, item_tree};
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::link::{MAX_INSTANCES, link, roots};
use crate::tables::codes::Code;
use crate::tables::collections::{IndexMap, IndexSet};
use crate::types::instantiation::plain_function;

/// Functions and items that entry points need, themselves or through others.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Needed<'db> {
    functions: IndexSet<FnInst<'db>>,
    /// Where these functions, and the globals that they mention, are declared.
    items: IndexSet<Item<'db>>,
    /// What functions call that the library exports, with these.
    exported: IndexSet<FnInst<'db>>,
    /// Nothing can be started and no stage is named: a part of a program. Its callers are elsewhere, so what wgc does not
    /// compile counts in all of it.
    everything: bool,
}

#[salsa::tracked(returns(ref))]
pub(crate) fn needed<'db>(db: &'db dyn Db, program: Program) -> Needed<'db> {
    let roots = roots(db, program);
    let everything = roots.is_empty() && functions(db, program).into_iter().all(|f| stage(db, f).is_none());
    let (functions, items) = (link(db, program).reached.clone(), IndexSet::default());
    let mut out = Needed { functions, items, exported: exported(db, program), everything };
    out.functions.extend(roots.into_iter().map(|(function, _)| function));
    let mut globals = IndexSet::default();
    let (mut instances, mut variables) = (IndexMap::default(), IndexMap::default());
    let mut next = 0;
    // Grows while it is walked.
    while let Some(function) = out.functions.get_index(next).copied() {
        next += 1;
        out.items.insert(function.function(db).item);
        // Linking reports a template that needs ever more of itself; here it only must end.
        let count = instances.entry(function.function(db)).or_insert(0u32);
        *count += 1;
        if *count > MAX_INSTANCES {
            continue;
        }
        let mut bodies = vec![&check(db, function).body];
        while let Some(body) = bodies.pop() {
            for expr in &body.exprs {
                match &expr.kind {
                    ExprKind::Call { callee, .. } => _ = out.functions.insert(*callee),
                    // Its initial value is computed with whatever that needs.
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

/// Functions that are marked `export`, and what they call.
fn exported<'db>(db: &'db dyn Db, program: Program) -> IndexSet<FnInst<'db>> {
    let is_exported = |f: &FnId<'db>| {
        fn_node(db, *f)
            .is_some_and(|n| n.tree.ast.types[n.function.ret].modifiers.iter().any(|word| word.text == "export"))
    };
    let mut out: IndexSet<FnInst<'db>> =
        functions(db, program).into_iter().filter(is_exported).filter_map(|f| plain_function(db, f)).collect();
    let mut instances = IndexMap::default();
    let mut next = 0;
    // Grows while it is walked.
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

impl<'db> Needed<'db> {
    /// Circles of calls among what is exported.
    pub fn exported_circles(&self, db: &'db dyn Db) -> Vec<Diagnostic<'db>> {
        let functions: Vec<_> = self.exported.iter().copied().collect();
        crate::lower::recursion::circles(db, &functions)
    }

    /// Whether a diagnostic about the body of this function counts.
    pub fn counts(&self, function: FnInst<'db>, diagnostic: &Diagnostic<'db>) -> bool {
        if diagnostic.code == Code::Recursion {
            return self.functions.contains(&function) || self.exported.contains(&function);
        }
        !self.asks_for_reach(diagnostic.code) || self.functions.contains(&function)
    }

    /// Whether a diagnostic about the declarations of this item counts. Types always do: they are needed by name.
    pub fn item_counts(&self, db: &'db dyn Db, item: Item<'db>, diagnostic: &Diagnostic<'db>) -> bool {
        if !self.asks_for_reach(diagnostic.code) || self.items.contains(&item) {
            return true;
        }
        let decls = &item_tree(db, item).decls;
        !decls.records.is_empty() || !decls.aliases.is_empty() || decls.functions.is_empty() && decls.vars.is_empty()
    }

    /// Whether a diagnostic is about what a compiled function cannot have, in a program that is right without it.
    fn asks_for_reach(&self, code: Code) -> bool {
        match code {
            // The callers of a part of a program may be of the other stage.
            Code::OtherStage => true,
            Code::NotSupported | Code::NoBody => !self.everything,
            _ => false,
        }
    }
}
