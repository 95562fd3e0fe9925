//! Name lookup at program level: namespaces, `using namespace`, overload sets, and the prelude as the outermost
//! scope.
//!
//! There is one query for each name ([`lookup`]). A new global changes the table, but only readers of changed answers
//! re-run. [`crate::types::cx`] finds names inside functions and records before it calls this module.

use crate::db::def::{Def, FnId, Item, Name, SourcePlace};
use crate::db::items::{ItemTree, item_tree};
use crate::db::ty::{FnInst, Ty};
use crate::db::{Db, Program};
use crate::types::prelude;
use crate::types::using_directives::{Hiding, Lookup};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wgc_frontend::ast::{self, ItemKind};

pub use crate::tables::similar_names::closest;

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
    Lookup::find(db, program, scope, name, hiding, counts)
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
    let mut positions: FxHashMap<(Option<Vec<Ty<'db>>>, String), Vec<usize>> = FxHashMap::default();
    for f in functions {
        let shape = shape(db, f);
        let positions = positions.entry((shape.params.clone(), shape.text.clone())).or_default();
        // Functions of other namespaces are different functions; a call cannot choose between them.
        let is_same =
            |old: &FnId<'db>| old.item.program(db) != f.item.program(db) || old.item.scope(db) == f.item.scope(db);
        match positions.iter().find(|at| is_same(&kept[**at].0) && !kept[**at].1.is_wrong) {
            // The first one stays, unless it is only a declaration and this one is its definition.
            Some(at) => {
                let old = &mut kept[*at];
                if !old.1.defined && shape.defined && old.0.item.program(db) == f.item.program(db) {
                    *old = (f, shape);
                }
            }
            None => {
                positions.push(kept.len());
                kept.push((f, shape));
            }
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
    match found.clone().count() {
        0 | 1 => return found.by_ref().collect(),
        MANY.. => {
            if let Some(same) = same_functions(db, item.program(db), scope, name).get(&f) {
                return same.to_vec();
            }
        }
        _ => {}
    }
    let own = shape(db, f);
    found.filter(|other| *other == f || shape(db, *other).same_parameters(&own)).collect()
}

/// The fewest functions of one name that are grouped by their parameters once for all of them.
const MANY: usize = 16;

/// Returns for each function of a scope's name the functions with the same parameters.
#[salsa::tracked(returns(ref), cycle_result = no_groups)]
fn same_functions<'db>(
    db: &'db dyn Db,
    program: Program,
    scope: Name<'db>,
    name: Name<'db>,
) -> FxHashMap<FnId<'db>, Arc<[FnId<'db>]>> {
    let found = lookup_in(db, program, scope, name);
    let functions: Vec<_> =
        found.iter().filter_map(|d| if let Def::Function(f) = d { Some(*f) } else { None }).collect();
    let mut groups: FxHashMap<_, Vec<FnId<'db>>> = FxHashMap::default();
    for f in &functions {
        let shape = shape(db, *f);
        // A wrong function is like no other.
        let own = shape.is_wrong.then_some(*f);
        groups.entry((own, shape.params, shape.text)).or_default().push(*f);
    }
    let mut out = FxHashMap::default();
    for group in groups.into_values() {
        let group: Arc<[FnId<'db>]> = group.into();
        out.extend(group.iter().map(|f| (*f, group.clone())));
    }
    out
}

/// Handles signatures that depend on a call: each function is compared with the others.
fn no_groups<'db>(
    _: &'db dyn Db,
    _: salsa::Id,
    _: Program,
    _: Name<'db>,
    _: Name<'db>,
) -> FxHashMap<FnId<'db>, Arc<[FnId<'db>]>> {
    FxHashMap::default()
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
