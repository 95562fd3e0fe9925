//! The source text of an instance: the declaration, a specialisation of its template, or a definition outside its
//! record or namespace.
//!
//! IDs name the primary declaration: `FnInst`, and `RecordInst` with the arguments of the primary template. So types
//! are equal regardless of their text. [`function`], [`record`] and [`variable`] return the text with the contents.

use crate::db::def::{Def, FnId, Item, Name, RecordId, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{fn_node, item_tree, record_node, var_node};
use crate::db::ty::Env;
use crate::db::ty::{FnInst, GenericArg, RecordInst, Ty};
use crate::db::{Db, Program};
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use crate::types::names;
use crate::types::partial_order::{Reader, Term, is_more_special};
use crate::types::signature::{fn_signature, params_of, record_template_params};
use crate::types::suggestions::NameKind;
use crate::types::template_pattern::{Pattern, path_args};
use wgc_frontend::ast::{self, Body, Path};

/// The text of a function, with the arguments for its template parameters.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Definition<'db> {
    pub function: FnId<'db>,
    pub env: Env<'db>,
}

/// Returns the text with the body of a function instance; the declaration itself when there is no body.
#[salsa::tracked(returns(ref))]
pub fn function<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Definition<'db> {
    let id = f.function(db);
    let own = || Definition { function: id, env: crate::types::signature::env_of_fn(db, f) };
    let Some(node) = fn_node(db, id) else { return own() };
    let args = f.args(db).len() + f.owner(db).map_or(0, |o| o.args(db).len());
    let mut fitting: Vec<(usize, Definition<'db>)> = Vec::new();
    for other in outside_functions(db, id.item.program(db), &node.function.name.text) {
        if let Some((params, env)) = fits(db, other, f) {
            fitting.push((params, Definition { function: other, env }));
        }
    }
    // The text with fewer open parameters is more specialised; the first of equals is used.
    let best = fitting.into_iter().min_by_key(|(params, _)| *params);
    match best {
        Some((params, found)) if params < args || node.function.body == Body::None => found,
        _ => own(),
    }
}

/// Returns whether the function has a body.
pub fn has_body<'db>(db: &'db dyn Db, f: FnInst<'db>) -> bool {
    body(db, f).is_some()
}

/// Returns the item with the body, and the index among its bodies.
pub fn body<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Option<(Item<'db>, u32)> {
    let found = function(db, f).function;
    match fn_node(db, found)?.function.body {
        Body::None => None,
        Body::Sliced(n) => Some((found.item, n)),
    }
}

fn outside_functions<'db>(db: &'db dyn Db, program: Program, name: &str) -> impl Iterator<Item = FnId<'db>> {
    let name = Name::new(db, name.to_string());
    crate::types::name_table::outside(db, program, name)
        .iter()
        .filter_map(|d| if let Def::Function(f) = d { Some(*f) } else { None })
}

/// Returns the open parameters of `text` if it defines the instance: their number and arguments.
fn fits<'db>(db: &'db dyn Db, text: FnId<'db>, f: FnInst<'db>) -> Option<(usize, Env<'db>)> {
    let node = fn_node(db, text)?;
    let tree = &node.tree.ast;
    if node.function.body == Body::None || node.function.params.len() != arity(db, f.function(db))? {
        return None;
    }
    let params = params_of(tree, &node.decl.around.templates);
    let mut pattern = Pattern::new(db, text.item, tree, &params);
    let mut owner_args = Vec::new();
    match (f.owner(db), &node.function.owner) {
        (Some(owner), Some(path)) => {
            if record_at(db, text.item, path)? != owner.record(db) {
                return None;
            }
            owner_args = path_args(path);
            pattern.learn(&owner_args, owner.args(db));
        }
        (None, Some(path)) => (namespace_at(db, text.item, path)? == f.function(db).item.scope(db)).then_some(())?,
        (None, None) => (text.item.scope(db) == f.function(db).item.scope(db)).then_some(())?,
        (Some(_), None) => return None,
    }
    let written = node.function.specialises.as_deref().unwrap_or_default();
    pattern.learn(written, f.args(db));
    let is_special = node.function.specialises.is_some() || params.is_empty();
    if !is_special && !pattern.learn_rest(f.args(db)) {
        return None;
    }
    let env = pattern.env()?;
    if let Some(owner) = f.owner(db)
        && (owner_args.len() != owner.args(db).len() || !pattern.is(&owner_args, &env, owner.args(db)))
    {
        return None;
    }
    if !pattern.is(written, &env, f.args(db)) {
        return None;
    }
    let wanted: Vec<Ty<'db>> = fn_signature(db, f).params.iter().map(|p| p.ty).collect();
    (parameter_types(db, text, f.owner(db), &env) == wanted).then_some((params.len(), env))
}

/// Returns the methods that a definition outside its record may define. They have the same name and number of
/// parameters.
pub fn methods_like<'db>(db: &'db dyn Db, f: FnId<'db>) -> Vec<FnId<'db>> {
    let Some(function) = fn_node(db, f).map(|node| node.function) else { return Vec::new() };
    let Some(record) = function.owner.as_ref().and_then(|path| record_at(db, f.item, path)) else { return Vec::new() };
    let mut methods = crate::types::record::declared_methods(db, record, &function.name.text);
    methods.retain(|method| arity(db, *method) == Some(function.params.len()));
    methods
}

fn arity<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<usize> {
    Some(fn_node(db, f)?.function.params.len())
}

fn parameter_types<'db>(db: &'db dyn Db, f: FnId<'db>, owner: Option<RecordInst<'db>>, env: &Env<'db>) -> Vec<Ty<'db>> {
    let Some(node) = fn_node(db, f) else { return Vec::new() };
    let mut cx = Cx::head(db, f.item, &node.tree.ast, env).with_owner(owner);
    let of = |param: &ast::Param| {
        let base = cx.ty(param.ty);
        param.declarator.as_ref().map_or(base, |d| cx.declared_ty(base, d))
    };
    node.function.params.iter().map(of).collect()
}

/// Returns the namespace whose names the text of an item sees. This is the enclosing one, or that of the defined
/// member: `a` for `void a::S::f() {..}`.
#[salsa::tracked(returns(deref))]
pub fn home<'db>(db: &'db dyn Db, item: Item<'db>) -> String {
    let tree = item_tree(db, item);
    let mut root = tree.root;
    while let ast::ItemKind::Template { item, .. } = &tree.ast.items[root].kind {
        root = *item;
    }
    let owner = match &tree.ast.items[root].kind {
        ast::ItemKind::Function(function) => function.owner.as_ref(),
        ast::ItemKind::Var(var) => var.vars.first().and_then(|declarator| declarator.owner.as_ref()),
        _ => None,
    };
    let scope = match owner.and_then(|path| def_at(db, item, path)) {
        Some(Def::Record(record)) => record.item.scope(db),
        Some(Def::Namespace(name)) => name.text(db),
        _ => item.scope(db),
    };
    scope.to_string()
}

/// Returns the record that `S` in `void S::f()` names, regardless of its arguments.
fn record_at<'db>(db: &'db dyn Db, item: Item<'db>, path: &Path) -> Option<RecordId<'db>> {
    match def_at(db, item, path)? {
        Def::Record(record) => Some(record),
        _ => None,
    }
}

/// Returns the record, alias or namespace that a path names, regardless of its arguments.
pub fn def_at<'db>(db: &'db dyn Db, item: Item<'db>, path: &Path) -> Option<Def<'db>> {
    let (mut at, rest) = first(db, item, path)?;
    for segment in rest {
        at = match at {
            Def::Namespace(scope) => {
                let name = Name::new(db, segment.name.text.to_string());
                complete(db, names::lookup_in(db, item.program(db), scope, name))?
            }
            Def::Record(outer) => {
                let decls = &item_tree(db, outer.item).decls;
                let inside = |i: &u32| {
                    let id = RecordId { item: outer.item, index: *i };
                    decls.records[*i as usize].around.owner == Some(outer.index)
                        && record_node(db, id).and_then(|n| n.record.name.as_ref()).map(|n| &n.text)
                            == Some(&segment.name.text)
                };
                let index = (0..decls.records.len() as u32).find(inside)?;
                Def::Record(RecordId { item: outer.item, index })
            }
            _ => return None,
        };
    }
    Some(at)
}

/// Returns the full name of the namespace that `N` in `void N::f()` names.
fn namespace_at<'db>(db: &'db dyn Db, item: Item<'db>, path: &Path) -> Option<&'db str> {
    let (mut at, rest) = first(db, item, path)?;
    for segment in rest {
        let Def::Namespace(scope) = at else { return None };
        let name = Name::new(db, segment.name.text.to_string());
        at = complete(db, names::lookup_in(db, item.program(db), scope, name))?;
    }
    match at {
        Def::Namespace(name) => Some(name.text(db)),
        _ => None,
    }
}

fn first<'db, 'p>(db: &'db dyn Db, item: Item<'db>, path: &'p Path) -> Option<(Def<'db>, &'p [ast::Segment])> {
    let (first, rest) = path.segments.split_first()?;
    let scope = if path.global { "" } else { item.scope(db) };
    let (scope, name) = (Name::new(db, scope.to_string()), Name::new(db, first.name.text.to_string()));
    Some((complete(db, names::lookup(db, item.program(db), scope, name))?, rest))
}

/// Returns the declaration of a record that has members; a namespace or alias has only one.
fn complete<'db>(db: &'db dyn Db, defs: &[Def<'db>]) -> Option<Def<'db>> {
    let whole = |d: &&Def<'db>| match d {
        Def::Record(r) => record_node(db, *r).is_some_and(|n| n.record.members.is_some()),
        Def::Namespace(_) | Def::Alias(_) => true,
        _ => false,
    };
    defs.iter().find(whole).or_else(|| defs.iter().find(|d| matches!(d, Def::Record(_)))).copied()
}

// ---- records

/// The text of a record instance: the primary template or a specialisation, with the arguments for its parameters.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct RecordText<'db> {
    pub record: RecordId<'db>,
    pub args: Vec<GenericArg<'db>>,
    /// Other specialisations that fit equally well.
    pub rivals: Vec<RecordId<'db>>,
}

/// Returns the text with the members of a record instance.
pub fn record<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> &'db RecordText<'db> {
    record_text(db, inst)
}

#[salsa::tracked(returns(ref))]
fn record_text<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> RecordText<'db> {
    let id = inst.record(db);
    let own = || RecordText { record: id, args: inst.args(db).clone(), rivals: Vec::new() };
    let program = id.item.program(db);
    if inst.args(db).is_empty() || program == db.prelude() {
        return own();
    }
    let Some(name) = record_node(db, id).filter(|n| n.decl.around.owner.is_none()).and_then(|n| n.record.name.as_ref())
    else {
        return own();
    };
    let mut fitting = Vec::new();
    for def in crate::types::name_table::outside(db, program, Name::new(db, name.text.to_string())) {
        if let Def::Record(other) = def
            && other.item.scope(db) == id.item.scope(db)
            && let Some(args) = special_args(db, *other, inst.args(db))
        {
            fitting.push((*other, args));
        }
    }
    let patterns: Vec<_> = match fitting.as_slice() {
        [] | [_] => vec![Vec::new(); fitting.len()],
        several => several.iter().map(|(special, _)| pattern(db, *special)).collect(),
    };
    // The specialisation that is more specialised than all others. Without one, the first represents all of them.
    let best = |i: &usize| {
        let others = fitting.iter().enumerate().filter(|(j, _)| j != i);
        others.into_iter().all(|(j, _)| is_more_special(&patterns[*i], &patterns[j]))
    };
    let best = (0..fitting.len()).find(best);
    let mut found = fitting.into_iter();
    let taken = match best {
        Some(only) => found.nth(only).map(|(record, args)| (record, args, Vec::new())),
        None => found.next().map(|(record, args)| (record, args, found.map(|(other, _)| other).collect())),
    };
    taken.map_or_else(own, |(record, args, rivals)| RecordText { record, args, rivals })
}

/// Returns the arguments that a specialisation is written for, with its parameters open.
fn pattern<'db>(db: &'db dyn Db, special: RecordId<'db>) -> Vec<Term<'db>> {
    let Some(node) = record_node(db, special) else { return Vec::new() };
    let env = Env::new();
    let open = record_template_params(db, special);
    let reader = Reader::new(db, special.item, &node.tree.ast, &env, None, open);
    node.record.specialises.iter().flatten().map(|arg| reader.arg(*arg)).collect()
}

/// Returns arguments for the parameters of a specialisation if it fits the arguments of the primary template.
fn special_args<'db>(
    db: &'db dyn Db,
    special: RecordId<'db>,
    actual: &[GenericArg<'db>],
) -> Option<Vec<GenericArg<'db>>> {
    let node = record_node(db, special)?;
    let written = node.record.specialises.as_deref()?;
    let params = record_template_params(db, special);
    let mut pattern = Pattern::new(db, special.item, &node.tree.ast, params);
    pattern.learn(written, actual);
    let env = pattern.env()?;
    let fits = written.len() == actual.len() && pattern.is(written, &env, actual);
    fits.then(|| env.into_iter().map(|(_, arg)| arg).collect())
}

// ---- static members

/// The source of a variable's initialiser: the declaration, or `T S::x = value;` for a static member.
pub struct Initializer<'db> {
    pub var: VarId<'db>,
    pub env: Env<'db>,
}

/// Returns the declaration of a variable that has its initialiser; the variable itself when none has.
pub fn variable<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Initializer<'db> {
    let own = || Initializer { var, env: crate::types::record::env_of(db, owner) };
    let (Some(inst), Some(node)) = (owner, var_node(db, var)) else { return own() };
    if node.declarator.init.is_some() {
        return own();
    }
    let name = Name::new(db, node.declarator.name.text.to_string());
    for def in crate::types::name_table::outside(db, var.item.program(db), name) {
        if let Def::Var(other) = def
            && let Some(env) = var_fits(db, *other, inst)
        {
            return Initializer { var: *other, env };
        }
    }
    own()
}

fn var_fits<'db>(db: &'db dyn Db, text: VarId<'db>, inst: RecordInst<'db>) -> Option<Env<'db>> {
    let node = var_node(db, text)?;
    let path = node.declarator.owner.as_ref()?;
    if record_at(db, text.item, path)? != inst.record(db) {
        return None;
    }
    let params = params_of(&node.tree.ast, &node.decl.around.templates);
    let mut pattern = Pattern::new(db, text.item, &node.tree.ast, &params);
    let args = path_args(path);
    pattern.learn(&args, inst.args(db));
    let env = pattern.env()?;
    let fits = args.len() == inst.args(db).len() && pattern.is(&args, &env, inst.args(db));
    fits.then_some(env)
}

// ---- diagnostics

/// Reports definitions that define nothing: no record has the member, or no template is specialised.
pub fn diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    for (name, def) in &crate::types::name_table::declared(db, item).outside {
        out.extend(match *def {
            Def::Function(f) => function_diagnostic(db, f, name),
            Def::Record(r) => record_diagnostic(db, r, name),
            Def::Var(v) => var_diagnostic(db, v, name),
            _ => None,
        });
    }
    out
}

fn function_diagnostic<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> Option<Diagnostic<'db>> {
    let node = fn_node(db, f)?;
    let at = SourcePlace::token(f.item, node.function.name.at);
    let params = params_of(&node.tree.ast, &node.decl.around.templates);
    let (candidates, what, names): (Vec<FnInst<'db>>, String, Vec<&str>) = match &node.function.owner {
        Some(path) => match record_at(db, f.item, path) {
            Some(record) => {
                let owner = record_template_params(db, record).is_empty();
                let inst = RecordInst::new(db, record, Vec::new());
                let methods = crate::types::record::declared_methods(db, record, name);
                if !owner || !params.is_empty() {
                    // Only users know the instances.
                    let same = methods.iter().any(|m| arity(db, *m) == Some(node.function.params.len()));
                    let what = format!("`{}`", crate::types::record::record_name(db, record));
                    let wrong = (!same).then(|| no_declaration(at, name, &what, methods.first().copied(), db));
                    return wrong.map(|wrong| nearly(wrong, at, name, method_names(db, record)));
                }
                let insts = methods.iter().map(|m| FnInst::new(db, *m, Some(inst), Vec::new())).collect();
                (insts, format!("`{}`", crate::types::record::record_name(db, record)), method_names(db, record))
            }
            None => match namespace_at(db, f.item, path) {
                Some(scope) => {
                    let names = function_names(db, f.item, scope);
                    (functions_in(db, f, Some(scope)), format!("the namespace `{scope}`"), names)
                }
                None => return unknown_owner(db, f.item, path),
            },
        },
        None => {
            let primary = functions_in(db, f, Some(f.item.scope(db)));
            let has_template =
                primary.iter().any(|p| !crate::types::signature::template_params(db, p.function(db)).is_empty());
            // The specialisation itself is not among them.
            return (!has_template).then(|| no_template(db, at, name, !primary.is_empty(), NameKind::Called));
        }
    };
    let plain = |c: &&FnInst<'db>| crate::types::signature::template_params(db, c.function(db)).is_empty();
    if candidates.iter().any(|c| !plain(&c)) {
        return None;
    }
    match candidates.iter().filter(plain).find(|c| fits(db, f, **c).is_some()) {
        None => {
            let wrong = no_declaration(at, name, &what, candidates.first().map(|c| c.function(db)), db);
            Some(nearly(wrong, at, name, names))
        }
        Some(declared) if function(db, *declared).function != f => {
            let first = function(db, *declared).function;
            let diagnostic = Diagnostic::new(Code::Redefinition, at, format!("duplicate definition of `{name}`"));
            let place = names::def_place(db, Def::Function(first));
            Some(match place {
                Some(place) => diagnostic.also(place, "first defined here"),
                None => diagnostic,
            })
        }
        Some(declared) => {
            let again = FnInst::new(db, f, declared.owner(db), Vec::new());
            let result = crate::types::redeclarations::other_result(db, again, *declared);
            result.or_else(|| crate::types::redeclarations::default_given_again(db, f, &[declared.function(db)]))
        }
    }
}

/// Returns the error in the path of an outside definition, if the path names neither a record nor a namespace.
fn unknown_owner<'db>(db: &'db dyn Db, item: Item<'db>, path: &Path) -> Option<Diagnostic<'db>> {
    let front = |n: usize| Path { segments: path.segments[..=n].to_vec(), ..path.clone() };
    let unknown = (0..path.segments.len()).find(|n| def_at(db, item, &front(*n)).is_none());
    let Some(unknown) = unknown else {
        let last = path.segments.last()?;
        let message = format!("`{}` is neither a structure nor a namespace", last.name.text);
        return Some(Diagnostic::new(Code::NoDeclaration, SourcePlace::token(item, last.name.at), message));
    };
    let (env, tree) = (Env::new(), item_tree(db, item));
    let mut cx = Cx::head(db, item, &tree.ast, &env);
    cx.unknown(path, unknown, NameKind::Scope);
    cx.errors.pop()
}

fn functions_in<'db>(db: &'db dyn Db, like: FnId<'db>, scope: Option<&str>) -> Vec<FnInst<'db>> {
    let (Some(scope), Some(node)) = (scope, fn_node(db, like)) else { return Vec::new() };
    let name = Name::new(db, node.function.name.text.to_string());
    let defs = names::lookup_in(db, like.item.program(db), Name::new(db, scope.to_string()), name);
    let functions = defs.iter().filter_map(|d| if let Def::Function(f) = d { Some(*f) } else { None });
    functions.map(|f| FnInst::new(db, f, None, Vec::new())).collect()
}

fn no_declaration<'db>(
    at: SourcePlace<'db>,
    name: &str,
    owner: &str,
    like: Option<FnId<'db>>,
    db: &'db dyn Db,
) -> Diagnostic<'db> {
    let message = match like {
        Some(_) => format!("{owner} declares no `{name}` with these parameters"),
        None => format!("{owner} declares no `{name}`"),
    };
    let diagnostic = Diagnostic::new(Code::NoDeclaration, at, message);
    match like.and_then(|f| names::def_place(db, Def::Function(f))) {
        Some(place) => diagnostic.also(place, "this one has other parameters"),
        None => diagnostic,
    }
}

/// Returns the error of a specialisation without a template.
fn no_template<'db>(
    db: &'db dyn Db,
    at: SourcePlace<'db>,
    name: &str,
    is_declared: bool,
    kind: NameKind,
) -> Diagnostic<'db> {
    if is_declared {
        let message = format!("`{name}` is not a template that can be specialised");
        return Diagnostic::new(Code::NoDeclaration, at, message);
    }
    let (env, tree) = (Env::new(), item_tree(db, at.item));
    let cx = Cx::head(db, at.item, &tree.ast, &env);
    let wrong = Diagnostic::new(Code::NoDeclaration, at, format!("cannot find the template `{name}`"));
    match crate::types::suggestions::nearest(&cx, name, kind) {
        Some((meant, Some(declared))) => wrong.meant(at, &meant).also(declared, format!("`{meant}` is declared here")),
        _ => wrong,
    }
}

/// Suggests the nearest of some names.
fn nearly<'db>(wrong: Diagnostic<'db>, at: SourcePlace<'db>, name: &str, names: Vec<&str>) -> Diagnostic<'db> {
    match crate::tables::similar_names::closest(name, names) {
        Some(meant) => wrong.meant(at, meant),
        None => wrong,
    }
}

fn method_names<'db>(db: &'db dyn Db, record: RecordId<'db>) -> Vec<&'db str> {
    let functions = 0..item_tree(db, record.item).decls.functions.len() as u32;
    let nodes = functions.filter_map(|index| fn_node(db, FnId { item: record.item, index }));
    let own = nodes.filter(|node| node.decl.around.owner == Some(record.index));
    own.map(|node| node.function.name.text.as_str()).collect()
}

fn function_names<'db>(db: &'db dyn Db, item: Item<'db>, scope: &str) -> Vec<&'db str> {
    let names = crate::types::name_table::name_table(db, item.program(db)).scopes.get(scope);
    let functions = names.into_iter().flatten().filter(|(_, defs)| defs.iter().any(|d| matches!(d, Def::Function(_))));
    functions.map(|(name, _)| name.as_str()).collect()
}

fn record_diagnostic<'db>(db: &'db dyn Db, r: RecordId<'db>, name: &str) -> Option<Diagnostic<'db>> {
    let node = record_node(db, r)?;
    let at = SourcePlace::token(r.item, node.record.name.as_ref()?.at);
    let scope = Name::new(db, r.item.scope(db).to_string());
    let found = complete(db, names::lookup(db, r.item.program(db), scope, Name::new(db, name.to_string())));
    let is_template = matches!(found, Some(Def::Record(p)) if !record_template_params(db, p).is_empty());
    (!is_template).then(|| no_template(db, at, name, found.is_some(), NameKind::Type))
}

fn var_diagnostic<'db>(db: &'db dyn Db, v: VarId<'db>, name: &str) -> Option<Diagnostic<'db>> {
    let node = var_node(db, v)?;
    let at = SourcePlace::token(v.item, node.declarator.name.at);
    let path = node.declarator.owner.as_ref()?;
    let Some(record) = record_at(db, v.item, path) else {
        let env = Env::new();
        let mut cx = Cx::head(db, v.item, &node.tree.ast, &env);
        cx.path_type(path);
        return cx.errors.into_iter().next();
    };
    let decls = &item_tree(db, record.item).decls;
    let own = (0..).zip(&decls.vars).filter(|(_, var)| var.around.owner == Some(record.index));
    let nodes = own.filter_map(|(index, _)| var_node(db, VarId { item: record.item, index }));
    let names: Vec<&str> = nodes.map(|node| node.declarator.name.text.as_str()).collect();
    let message = format!("`{}` has no static member `{name}`", crate::types::record::record_name(db, record));
    let wrong = (!names.contains(&name)).then(|| Diagnostic::new(Code::NoDeclaration, at, message));
    wrong.map(|wrong| nearly(wrong, at, name, names))
}
