//! Name lookup at program level: namespaces, `using namespace`, overload sets, and the prelude as the outermost
//! scope.
//!
//! There is one query for each name ([`lookup`]). A new global changes the table, but only readers of changed answers
//! re-run. [`crate::types::cx`] finds names inside functions and records before it calls this module.

use crate::db::def::{AliasId, Def, EnumId, FnId, Item, Name, RecordId, SourcePlace, VarId};
use crate::db::items::{ItemTree, item_tree, items};
use crate::db::ty::{FnInst, Ty};
use crate::db::{Db, Program};
use crate::types::ambiguity;
use crate::types::prelude;
use std::collections::BTreeMap;
use wgc_frontend::ast::{self, ItemKind, TypeKind};

pub use crate::tables::similar_names::closest;

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
    let def = Def::Namespace(Name::new(db, scope.to_string()));
    table.scopes.entry(outer.to_string()).or_default().entry(name.to_string()).or_default().push(def);
    table.scopes.entry(scope.to_string()).or_default();
}

/// Finds the definitions of `name` in `scope` (namespaces joined by `::`) and the enclosing scopes; the prelude comes
/// last.
///
/// Functions of the prelude stay visible with a program's functions of the same name. The result is empty when
/// nothing is found.
#[salsa::tracked(returns(ref))]
pub fn lookup<'db>(db: &'db dyn Db, program: Program, scope: Name<'db>, name: Name<'db>) -> Vec<Def<'db>> {
    lookup_among(db, program, scope.text(db), name.text(db), &|_| true)
}

/// Finds the definitions that [`lookup`] finds, among those that count.
pub(crate) fn lookup_among<'db>(
    db: &'db dyn Db,
    program: Program,
    mut scope: &str,
    name: &str,
    counts: &dyn Fn(&Def<'db>) -> bool,
) -> Vec<Def<'db>> {
    let mut found = loop {
        let here = in_scope(db, program, scope, name, Hiding::Outer, counts);
        if !here.is_empty() || scope.is_empty() {
            break here;
        }
        scope = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
    };
    if program != db.prelude() && found.iter().all(|d| matches!(d, Def::Function(_))) {
        let below = prelude::named(db, "", name);
        if found.is_empty() {
            found = below;
        } else {
            found.extend(below.into_iter().filter(|d| matches!(d, Def::Function(_))));
        }
    }
    found
}

/// Finds the definitions of `scope::name` without enclosing scopes; `scope` is a full name.
#[salsa::tracked(returns(ref))]
pub fn lookup_in<'db>(db: &'db dyn Db, program: Program, scope: Name<'db>, name: Name<'db>) -> Vec<Def<'db>> {
    let (scope, name) = (scope.text(db), name.text(db));
    let found = in_scope(db, program, scope, name, Hiding::All, &|_| true);
    if !found.is_empty() || program == db.prelude() {
        return found;
    }
    prelude::named(db, scope, name)
}

/// Finds definitions in one scope of a program, among those that count.
fn in_scope<'db>(
    db: &'db dyn Db,
    program: Program,
    scope: &str,
    name: &str,
    hiding: Hiding,
    counts: &dyn Fn(&Def<'db>) -> bool,
) -> Vec<Def<'db>> {
    if program == db.prelude() {
        return prelude::named(db, scope, name);
    }
    find_in(name_table(db, program), scope, name, hiding, counts, &mut Vec::new())
}

/// The names of used namespaces that the names of the scope itself hide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hiding {
    /// All of them: the scope was named, as in `scope::name`.
    All,
    /// Names from outside the scope. `using namespace` makes them names of the scope around both ([namespace.udir]).
    Outer,
    /// None of them: another scope uses this one and sees the names of both.
    None,
}

/// Finds definitions in one scope and in those that it uses; `seen` breaks cycles of `using namespace`.
fn find_in<'db>(
    table: &NameTable<'db>,
    scope: &str,
    name: &str,
    hiding: Hiding,
    counts: &dyn Fn(&Def<'db>) -> bool,
    seen: &mut Vec<String>,
) -> Vec<Def<'db>> {
    if seen.iter().any(|s| s == scope) {
        return Vec::new();
    }
    seen.push(scope.to_string());
    let own = table.scopes.get(scope).and_then(|names| names.get(name));
    let mut found: Vec<Def<'db>> = own.into_iter().flatten().filter(|def| counts(def)).copied().collect();
    let named = table.used.get(scope).and_then(|names| names.get(name)).into_iter().flatten();
    let named = named.map(|path| path.rsplit_once("::").map_or("", |(scope, _)| scope));
    let mut add = |found: &mut Vec<Def<'db>>, full: &str, hiding| {
        for def in find_in(table, full, name, hiding, counts, seen) {
            if !found.contains(&def) {
                found.push(def);
            }
        }
    };
    for full in named.filter_map(|used| scope_as_written(table, scope, used)) {
        add(&mut found, &full, Hiding::All);
    }
    let has_own = !found.is_empty();
    for used in table.using.get(scope).into_iter().flatten() {
        let Some(full) = scope_as_written(table, scope, used) else { continue };
        match hiding {
            Hiding::All if has_own => {}
            Hiding::All => add(&mut found, &full, Hiding::All),
            Hiding::Outer if has_own && !ambiguity::lies_in(&full, scope) => {}
            Hiding::Outer | Hiding::None => add(&mut found, &full, Hiding::None),
        }
    }
    found
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

/// Returns the functions that a call to `name` chooses from. If parameters are equal, a definition hides
/// declarations, and a program's function hides the prelude's.
pub fn overloads<'db>(db: &'db dyn Db, program: Program, scope: Name<'db>, name: Name<'db>) -> &'db [FnId<'db>] {
    merged_overloads(db, program, scope, name)
}

#[salsa::tracked(returns(ref), cycle_result = all_overloads)]
fn merged_overloads<'db>(db: &'db dyn Db, program: Program, scope: Name<'db>, name: Name<'db>) -> Vec<FnId<'db>> {
    merged(db, lookup(db, program, scope, name))
}

/// Returns both declarations and definitions if a signature depends on a call: see `cyclic_signature`.
fn all_overloads<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    program: Program,
    scope: Name<'db>,
    name: Name<'db>,
) -> Vec<FnId<'db>> {
    let functions = lookup(db, program, scope, name).iter();
    functions.filter_map(|def| if let Def::Function(f) = def { Some(*f) } else { None }).collect()
}

/// Returns the functions among definitions. A declaration is left out if its definition is among them.
pub fn merged<'db>(db: &'db dyn Db, defs: &[Def<'db>]) -> Vec<FnId<'db>> {
    let functions = defs.iter().filter_map(|d| match d {
        Def::Function(f) => Some(*f),
        _ => None,
    });
    let mut kept: Vec<(FnId<'db>, Shape<'db>)> = Vec::new();
    for f in functions {
        let shape = shape(db, f);
        // Functions of other namespaces are different functions; a call cannot choose between them.
        let is_same =
            |old: &FnId<'db>| old.item.program(db) != f.item.program(db) || old.item.scope(db) == f.item.scope(db);
        match kept.iter_mut().find(|(old, s)| is_same(old) && s.same_parameters(&shape)) {
            // The first one stays, unless it is only a declaration and this one is its definition.
            Some(old) if !old.1.defined && shape.defined && old.0.item.program(db) == f.item.program(db) => {
                *old = (f, shape);
            }
            Some(_) => {}
            None => kept.push((f, shape)),
        }
    }
    kept.into_iter().map(|(f, _)| f).collect()
}

/// Returns all declarations of a function in its scope, in the order of the text. There are none for a method, which
/// its record declares, nor for built-in functions, which are declared once.
pub fn declarations<'db>(db: &'db dyn Db, f: FnId<'db>) -> &'db [FnId<'db>] {
    if f.item.program(db) == db.prelude() {
        return &[];
    }
    same_function(db, f.item, f.index)
}

#[salsa::tracked(returns(ref), cycle_result = no_other_function)]
fn same_function<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<FnId<'db>> {
    let f = FnId { item, index };
    let Some(node) = crate::db::items::fn_node(db, f).filter(|n| n.decl.around.owner.is_none()) else {
        return Vec::new();
    };
    let scope = Name::new(db, item.scope(db).to_string());
    let name = Name::new(db, node.function.name.text.to_string());
    let mut found = lookup_in(db, item.program(db), scope, name).iter().filter_map(|d| match d {
        Def::Function(f) => Some(*f),
        _ => None,
    });
    if found.clone().count() < 2 {
        return found.by_ref().collect();
    }
    let own = shape(db, f);
    found.filter(|other| *other == f || shape(db, *other).same_parameters(&own)).collect()
}

fn no_other_function<'db>(_: &'db dyn Db, _: salsa::Id, item: Item<'db>, index: u32) -> Vec<FnId<'db>> {
    vec![FnId { item, index }]
}

/// The properties that distinguish two functions of one name.
pub(crate) struct Shape<'db> {
    /// A parameter's type is wrong, so it is unknown which function this is.
    is_wrong: bool,
    /// `None` for a template: the text of parameters distinguishes templates.
    params: Option<Vec<Ty<'db>>>,
    text: String,
    pub(crate) defined: bool,
}

impl Shape<'_> {
    pub(crate) fn same_parameters(&self, other: &Self) -> bool {
        match (&self.params, &other.params) {
            (Some(a), Some(b)) => !self.is_wrong && a == b,
            (None, None) => self.text == other.text,
            _ => false,
        }
    }
}

pub(crate) fn shape<'db>(db: &'db dyn Db, f: FnId<'db>) -> Shape<'db> {
    let Some(node) = crate::db::items::fn_node(db, f) else {
        return Shape { is_wrong: true, params: None, text: String::new(), defined: false };
    };
    let defined = node.function.body != ast::Body::None;
    if node.tree.decls.templates(&node.decl.around).is_empty() {
        let signature = crate::types::signature::fn_signature(db, FnInst::new(db, f, None, Vec::new()));
        let params: Vec<_> = signature.params.iter().map(|p| p.ty).collect();
        let is_wrong = params.iter().any(|ty| ty.is_error(db));
        return Shape { is_wrong, params: Some(params), text: String::new(), defined };
    }
    Shape { is_wrong: false, params: None, text: template_shape(db, f, &node), defined }
}

/// Returns the text of a function template that identifies it: types of value parameters, result and parameters.
/// Names of parameters and template parameters do not matter.
fn template_shape<'db>(db: &'db dyn Db, f: FnId<'db>, node: &crate::db::items::FnNode<'db>) -> String {
    let tree = &node.tree.ast;
    let names = crate::types::signature::template_params(db, f);
    let head = f.item.head(db);
    let values = node.decl.around.templates.iter().flat_map(|t| match &tree.items[*t].kind {
        ItemKind::Template { params, .. } => params.as_slice(),
        _ => &[],
    });
    let mut out = format!("<{}>", names.len());
    let mut add = |span: ast::Span| {
        let range = head.get(span.lo as usize..(span.hi as usize).min(head.len())).unwrap_or_default();
        for token in range {
            let spelling = token.spelling();
            match names.iter().position(|p| p.name == *spelling) {
                Some(nth) => out.push_str(&format!(" ${nth}")),
                None => out.push_str(&format!(" {spelling}")),
            }
        }
        out.push(';');
    };
    // Types of value parameters distinguish templates too: `enable_if<is_same<T, int>::value, int>::type = 0`.
    for param in values {
        if let ast::TemplateParam::Value { ty, .. } = param {
            add(tree.types[*ty].span);
        }
    }
    add(tree.types[node.function.ret].span);
    for param in &node.function.params {
        add(tree.types[param.ty].span);
        for dim in param.declarator.iter().flat_map(|d| &d.dims) {
            add(dim.map_or(ast::Span::default(), |dim| tree.exprs[dim].span));
        }
    }
    out
}

/// Returns the tokens of a span of an item's head, as text.
pub fn spelling<'db>(db: &'db dyn Db, item: Item<'db>, span: ast::Span) -> String {
    let head = item.head(db);
    let range = head.get(span.lo as usize..(span.hi as usize).min(head.len())).unwrap_or_default();
    range.iter().map(|t| t.spelling()).collect::<Vec<_>>().join(" ")
}

/// Returns the location of a definition's name, for labels.
pub fn def_place<'db>(db: &'db dyn Db, def: Def<'db>) -> Option<SourcePlace<'db>> {
    let item = def.item()?;
    let tree: &ItemTree = item_tree(db, item);
    let at = match def {
        Def::Function(f) => crate::db::items::fn_node(db, f)?.function.name.at,
        Def::Record(r) => crate::db::items::record_node(db, r)?.record.name.as_ref()?.at,
        Def::Enum(e) => crate::db::items::enum_node(db, e)?.def.name.as_ref()?.at,
        Def::EnumValue(e, n) => crate::db::items::enum_node(db, e)?.def.values.get(n as usize)?.0.at,
        Def::Var(v) => crate::db::items::var_node(db, v)?.declarator.name.at,
        Def::Alias(a) => tree.decls.aliases.get(a.index as usize)?.parts(&tree.ast)?.0.at,
        Def::Namespace(_) => return None,
    };
    Some(SourcePlace::token(item, at))
}
