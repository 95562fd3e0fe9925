//! The names that items declare, by scope: the table that all lookups read ([`crate::types::names`]).

use crate::db::def::{AliasId, Def, EnumId, FnId, Item, Name, RecordId, VarId};
use crate::db::items::{item_tree, items};
use crate::db::{Db, Program};
use std::collections::{BTreeMap, BTreeSet};
use wgc_frontend::ast::{self, ItemKind, TypeKind};

/// The names that one item adds to its scope, in order. Equal when an edit of the head changes no name.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Declared<'db> {
    pub names: Vec<(String, Def<'db>)>,
    /// `using namespace a::b`, as written.
    pub using: Vec<String>,
    /// `using a::f`, as written.
    pub used: Vec<String>,
    /// `namespace n = a::b`: the name, and its target as written.
    pub alias: Option<(String, String)>,
    /// Members defined outside their records, and specialisations, by the last part of their names. They declare
    /// nothing: [`crate::types::definition`] finds their declarations.
    pub outside: Vec<(String, Def<'db>)>,
}

/// Returns whether a function defines something declared elsewhere: `S::f`, `f<int>`, or a function after
/// `template<>`.
fn is_outside(tree: &ast::Ast, function: &ast::Function, templates: &[ast::ItemId]) -> bool {
    let is_empty =
        |t: &ast::ItemId| matches!(&tree.items[*t].kind, ItemKind::Template { params, .. } if params.is_empty());
    function.owner.is_some() || function.specialises.is_some() || templates.iter().any(is_empty)
}

/// Returns whether a function's text declares it, and does not define something declared elsewhere.
pub fn declares(node: &crate::db::items::FnNode) -> bool {
    !is_outside(&node.tree.ast, node.function, &node.decl.around.templates)
}

#[salsa::tracked(returns(ref))]
pub fn declared<'db>(db: &'db dyn Db, item: Item<'db>) -> Declared<'db> {
    let tree = item_tree(db, item);
    let mut out = Declared::default();
    let decls = &tree.decls;
    for (i, f) in decls.functions.iter().enumerate() {
        if let ItemKind::Function(function) = &tree.ast.items[f.item].kind
            && f.around.owner.is_none()
        {
            let named = (function.name.text.to_string(), Def::Function(FnId { item, index: i as u32 }));
            if is_outside(&tree.ast, function, &f.around.templates) {
                out.outside.push(named);
            } else {
                out.names.push(named);
            }
        }
    }
    for (i, r) in decls.records.iter().enumerate() {
        if let TypeKind::Record(record) = &tree.ast.types[r.ty].kind
            && r.around.owner.is_none()
            && let Some(name) = &record.name
        {
            let named = (name.text.to_string(), Def::Record(RecordId { item, index: i as u32 }));
            if record.specialises.is_some() { out.outside.push(named) } else { out.names.push(named) }
        }
    }
    for (i, e) in decls.enums.iter().enumerate() {
        if let TypeKind::Enum(def) = &tree.ast.types[e.ty].kind
            && e.around.owner.is_none()
        {
            let id = EnumId { item, index: i as u32, owner: None };
            if let Some(name) = &def.name {
                out.names.push((name.text.to_string(), Def::Enum(id)));
            }
            if !def.scoped {
                let values = def.values.iter().enumerate();
                out.names.extend(values.map(|(n, (ident, _))| (ident.text.to_string(), Def::EnumValue(id, n as u32))));
            }
        }
    }
    for (i, v) in decls.vars.iter().enumerate() {
        if let ItemKind::Var(var) = &tree.ast.items[v.item].kind
            && v.around.owner.is_none()
            && let Some(declarator) = var.vars.get(v.declarator as usize)
        {
            let named = (declarator.name.text.to_string(), Def::Var(VarId { item, index: i as u32 }));
            if declarator.owner.is_some() { out.outside.push(named) } else { out.names.push(named) }
        }
    }
    for (i, a) in decls.aliases.iter().enumerate() {
        if let Some((name, ..)) = a.parts(&tree.ast)
            && a.around.owner.is_none()
        {
            out.names.push((name.text.to_string(), Def::Alias(AliasId { item, index: i as u32 })));
        }
    }
    let joined = |path: &ast::Path| path.segments.iter().map(|s| s.name.text.as_str()).collect::<Vec<_>>().join("::");
    match decls.root.map(|root| &tree.ast.items[root].kind) {
        Some(ItemKind::UsingNamespace(path)) => out.using.push(joined(path)),
        Some(ItemKind::NamespaceAlias { name, path }) => out.alias = Some((name.text.to_string(), joined(path))),
        Some(ItemKind::UsingName(path)) => {
            out.used.push(if path.global { format!("::{}", joined(path)) } else { joined(path) });
        }
        _ => {}
    }
    out.names.retain(|(name, _)| !name.is_empty());
    out
}

/// All names of a program by scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct NameTable<'db> {
    /// Scope, then name; definitions in the order of the text.
    pub scopes: BTreeMap<String, BTreeMap<String, Vec<Def<'db>>>>,
    /// Scopes that `using namespace` opens in a scope, as written.
    pub using: BTreeMap<String, Vec<String>>,
    /// Scope, then name: the targets of using-declarations, as written.
    pub used: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The last names of namespaces inside others, and of aliases inside namespaces.
    nested: BTreeSet<String>,
    /// Aliases of namespaces, and their targets, both as full names.
    pub aliases: BTreeMap<String, String>,
    /// The contents of [`Declared::outside`], by name.
    pub outside: BTreeMap<String, Vec<Def<'db>>>,
    /// The first item in a namespace or in a nested one, by the namespace's full name.
    pub openings: BTreeMap<String, Item<'db>>,
}

#[salsa::tracked(returns(ref))]
pub fn name_table<'db>(db: &'db dyn Db, program: Program) -> NameTable<'db> {
    let mut table = NameTable::default();
    table.scopes.entry(String::new()).or_default();
    let mut aliases = Vec::new();
    for item in items(db, program) {
        let scope = item.scope(db);
        open_namespace(db, &mut table, scope, *item);
        let declared = declared(db, *item);
        let names = table.scopes.entry(scope.to_string()).or_default();
        for (name, def) in &declared.names {
            names.entry(name.clone()).or_default().push(*def);
        }
        for (name, def) in &declared.outside {
            table.outside.entry(name.clone()).or_default().push(*def);
        }
        if !declared.using.is_empty() {
            table.using.entry(scope.to_string()).or_default().extend(declared.using.iter().cloned());
        }
        aliases.extend(declared.alias.iter().map(|(name, path)| (scope, name, path)));
        for path in &declared.used {
            let name = path.rsplit_once("::").map_or(path.as_str(), |(_, name)| name);
            let used = table.used.entry(scope.to_string()).or_default();
            used.entry(name.to_string()).or_default().push(path.clone());
        }
    }
    for (scope, name, path) in aliases {
        let Some(full) = scope_as_written(&table, scope, path) else { continue };
        let def = Def::Namespace(Name::new(db, full.clone()));
        table.scopes.entry(scope.to_string()).or_default().entry(name.clone()).or_default().push(def);
        let own = if scope.is_empty() { name.clone() } else { format!("{scope}::{name}") };
        if !scope.is_empty() {
            table.nested.insert(name.clone());
        }
        table.aliases.insert(own, full);
    }
    table
}

/// Returns the scope of a full name that may use namespace aliases.
fn scope_named(table: &NameTable, full: &str) -> Option<String> {
    if table.scopes.contains_key(full) || wgc_stdlib::index::NAMESPACES.contains(&full) {
        return Some(full.to_string());
    }
    let ends = full.match_indices("::").map(|(at, _)| at).chain([full.len()]);
    let through = |end: usize| Some(format!("{}{}", table.aliases.get(full.get(..end)?)?, full.get(end..)?));
    ends.filter_map(through).find(|name| table.scopes.contains_key(name))
}

/// Returns definitions outside their records, and specialisations, of this name in any scope. The prelude has none.
#[salsa::tracked(returns(ref))]
pub fn outside<'db>(db: &'db dyn Db, program: Program, name: Name<'db>) -> Vec<Def<'db>> {
    if program == db.prelude() {
        return Vec::new();
    }
    name_table(db, program).outside.get(name.text(db)).cloned().unwrap_or_default()
}

/// Returns the first item in a namespace of this full name; `None` if the program opens no such namespace.
#[salsa::tracked(returns(copy))]
pub fn opening<'db>(db: &'db dyn Db, program: Program, namespace: Name<'db>) -> Option<Item<'db>> {
    if program == db.prelude() {
        return None;
    }
    name_table(db, program).openings.get(namespace.text(db)).copied()
}

/// Adds a namespace as a name of its enclosing scope.
fn open_namespace<'db>(db: &'db dyn Db, table: &mut NameTable<'db>, scope: &str, item: Item<'db>) {
    if scope.is_empty() || table.scopes.contains_key(scope) {
        return;
    }
    let (outer, name) = scope.rsplit_once("::").unwrap_or(("", scope));
    open_namespace(db, table, outer, item);
    table.openings.insert(scope.to_string(), item);
    if !outer.is_empty() {
        table.nested.insert(name.to_string());
    }
    let def = Def::Namespace(Name::new(db, scope.to_string()));
    table.scopes.entry(outer.to_string()).or_default().entry(name.to_string()).or_default().push(def);
    table.scopes.entry(scope.to_string()).or_default();
}

/// Returns the full name of a scope that is named in `scope`. The name is relative to this scope or the scopes that
/// it uses, then to the enclosing ones. An empty name, or one that begins with `::`, is not relative.
pub fn scope_as_written(table: &NameTable, scope: &str, written: &str) -> Option<String> {
    if written.is_empty() {
        return Some(String::new());
    }
    if let Some(global) = written.strip_prefix("::") {
        return scope_named(table, global);
    }
    // Most namespaces are global, so no other scope can have them.
    let first = written.split("::").next().unwrap_or_default();
    let is_built_in = |name: &&str| name.rsplit_once("::").is_some_and(|(_, last)| last == first);
    if !table.nested.contains(first) && !wgc_stdlib::index::NAMESPACES.iter().any(is_built_in) {
        return scope_named(table, written);
    }
    let mut around = Some(scope);
    while let Some(outer) = around {
        // Used namespaces count by their names as written. The namespaces that they use in turn do not.
        let used = table.using.get(outer).into_iter().flatten().map(|used| used.trim_start_matches("::"));
        for within in std::iter::once(outer).chain(used.filter(|used| *used != written)) {
            let full = if within.is_empty() { written.to_string() } else { format!("{within}::{written}") };
            if let Some(found) = scope_named(table, &full) {
                return Some(found);
            }
        }
        around = (!outer.is_empty()).then(|| outer.rsplit_once("::").map_or("", |(o, _)| o));
    }
    None
}

/// Returns whether a namespace is in `scope` or equals it. If `scope` uses it, its names count as names of `scope`.
pub fn lies_in(namespace: &str, scope: &str) -> bool {
    scope.is_empty() || namespace.strip_prefix(scope).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
