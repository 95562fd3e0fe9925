//! Diagnostics of one item without its bodies: types, values, signatures, node contracts.

use crate::check::initial::{initial, is_computed};
use crate::contracts::node::{node, plain_function_attributes};
use crate::db::Db;
use crate::db::def::{EnumId, FnId, Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{ItemTree, item_tree, record_node};
use crate::db::ty::{Env, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::attribute_table::Target;
use crate::types::const_eval::enum_values;
use crate::types::cx::{Cx, PathTarget};
use crate::types::extent::{excess, extent};
use crate::types::globals::{GlobalKind, cbuffer, global};
use crate::types::instantiation::{plain_function, plain_owner};
use crate::types::layout::record_layout;
use crate::types::name_uses::param_name;
use crate::types::record::{env_of, plain_records, record};
use crate::types::signature::fn_signature;
use crate::types::suggestions::NameKind;
use crate::types::vulkan_attributes;
use wgc_frontend::ast::{Ast, ExprId, ExprKind, Ident, ItemKind};

/// Returns the diagnostics of one item's declarations: types, values, signatures, node contracts. No bodies.
#[salsa::tracked(returns(ref))]
pub fn item_diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic<'db>> {
    let tree = item_tree(db, item);
    let mut out = Vec::new();
    for inst in plain_records(db, item) {
        let decl = record(db, inst);
        out.extend(decl.diagnostics.iter().cloned());
        out.extend(crate::types::interfaces::missing(db, inst));
        out.extend(member_assertions(db, inst));
        let env = Env::new();
        let mut cx = Cx::head(db, item, &tree.ast, &env);
        for field in decl.fields.iter().filter(|field| field.place.item == item) {
            let _ = crate::types::node_record::check_object(&mut cx, field.ty, field.place.span);
        }
        out.append(&mut cx.errors);
        if decl.fields.iter().any(|f| f.offset.is_some())
            && let Ok(laid) = crate::types::layout_rules::Rules::Natural.placed(db, inst)
        {
            crate::types::offsets::report(&laid, |i| decl.fields[i].place, &mut out);
        }
        // Some cycles appear only in the layout.
        if decl.complete
            && decl.builtin.is_none()
            && excess(extent(db, Ty::new(db, TyKind::Record(inst)))).is_none()
            && let Err(no) = record_layout(db, inst)
            && no.at_definition
        {
            out.push(Diagnostic::new(Code::CyclicDefinition, decl.place, no.why.clone()));
        }
    }
    for (index, alias) in tree.decls.aliases.iter().enumerate() {
        if tree.decls.templates(&alias.around).is_empty() && alias.around.owner.is_none() {
            out.extend(crate::types::written::alias_ty(db, item, index as u32, None, Vec::new()).1.iter().cloned());
        }
    }
    for (index, decl) in tree.decls.enums.iter().enumerate() {
        let owner = decl.around.owner.and_then(|index| plain_owner(db, item, index));
        // Members of a template are checked at its uses.
        if decl.around.owner.is_none() || owner.is_some() {
            out.extend(enum_values(db, EnumId { item, index: index as u32, owner }).diagnostics.iter().cloned());
        }
    }
    for (index, var) in tree.decls.vars.iter().enumerate() {
        let owner = var.around.owner.and_then(|index| plain_owner(db, item, index));
        if (var.around.owner.is_none() || owner.is_some())
            && let Some(global) = global(db, VarId { item, index: index as u32 }, owner)
        {
            out.extend(global.diagnostics.iter().cloned());
            let var = VarId { item, index: index as u32 };
            let is_ignored = global.has_init && matches!(global.kind, GlobalKind::Loose | GlobalKind::CBufferMember(_));
            if is_computed(db, var, owner) || is_ignored {
                out.extend(initial(db, item, var.index, owner).diagnostics.iter().cloned());
            }
        }
    }
    if let Some(buffer) = cbuffer(db, item) {
        out.extend(buffer.diagnostics.iter().cloned());
    }
    for index in 0..tree.decls.functions.len() as u32 {
        let f = FnId { item, index };
        if let Some(inst) = plain_function(db, f) {
            out.extend(fn_signature(db, inst).diagnostics.iter().cloned());
        }
        out.extend(crate::check::template_names::unknown(db, f).iter().cloned());
        out.extend(crate::types::default_arguments::missing(db, f));
        match node(db, f) {
            Some(node) => out.extend(node.diagnostics.iter().cloned()),
            None => out.extend(plain_function_attributes(db, item, index).iter().cloned()),
        }
    }
    stray_attributes(db, item, &mut out);
    type_attributes(db, item, &mut out);
    template_parameters(item, tree, &mut out);
    static_assert(db, item, &mut out);
    using(db, item, &mut out);
    crate::check::useless_precise::of_item(db, item, &mut out);
    alias_attributes(db, item, &mut out);
    out.extend(crate::types::definition::diagnostics(db, item));
    out.extend(crate::types::operator_rules::diagnostics(db, item));
    out.extend(crate::contracts::root_signatures::diagnostics(db, item));
    out
}

/// Reports parameters of one template that have the same name.
fn template_parameters<'db>(item: Item<'db>, tree: &ItemTree, out: &mut Vec<Diagnostic<'db>>) {
    for (_, node) in tree.ast.items.iter() {
        let ItemKind::Template { params, .. } = &node.kind else { continue };
        // A parameter may have no name.
        let names: Vec<&Ident> = params.iter().map(param_name).filter(|name| !name.text.is_empty()).collect();
        for (n, name) in names.iter().enumerate() {
            if let Some(first) = names[..n].iter().find(|first| first.text == name.text) {
                let message = format!("duplicate template parameter `{}`", name.text);
                let wrong = Diagnostic::new(Code::Redefinition, SourcePlace::token(item, name.at), message);
                out.push(wrong.also(SourcePlace::token(item, first.at), "first declared here"));
            }
        }
    }
}

fn using<'db>(db: &'db dyn Db, item: Item<'db>, out: &mut Vec<Diagnostic<'db>>) {
    let tree = item_tree(db, item);
    let env = Env::new();
    let mut cx = Cx::head(db, item, &tree.ast, &env);
    let (path, namespace) = match &tree.ast.items[tree.root].kind {
        ItemKind::UsingNamespace(path) | ItemKind::NamespaceAlias { path, .. } => (path, true),
        ItemKind::UsingName(path) => (path, false),
        _ => return,
    };
    match cx.resolve(path) {
        PathTarget::Error => {}
        PathTarget::Nothing(at) => cx.unknown(path, at, if namespace { NameKind::Scope } else { NameKind::Value }),
        PathTarget::Namespace(_) if namespace => {}
        PathTarget::Namespace(_) => {
            cx.error(Code::UnknownName, path.span, "this is a namespace: write `using namespace`")
        }
        _ if !namespace => {}
        _ => cx.error(Code::UnknownName, path.span, "this is not a namespace"),
    }
    out.append(&mut cx.errors);
}

/// Reports function attributes before a declaration that is not a function, for example if a declaration was inserted
/// between a node and its attributes. Otherwise the function after it would silently not be a node. Variables and
/// members report theirs themselves.
fn stray_attributes<'db>(db: &'db dyn Db, item: Item<'db>, out: &mut Vec<Diagnostic<'db>>) {
    let tree = item_tree(db, item);
    let root = &tree.ast.items[tree.root];
    let what = match &root.kind {
        ItemKind::Type(_) => "a type",
        ItemKind::CBuffer(_) => "a constant buffer",
        ItemKind::Typedef { .. } | ItemKind::Using { .. } => "an alias",
        ItemKind::Template { .. } => "`template`",
        ItemKind::UsingNamespace(_) | ItemKind::NamespaceAlias { .. } | ItemKind::UsingName(_) => "a namespace",
        ItemKind::StaticAssert(_) => "an assertion",
        ItemKind::Empty => "`;`",
        _ => return,
    };
    let of_functions = root.attributes.iter().filter(|attribute| {
        let [segment] = attribute.path.segments.as_slice() else { return false };
        crate::types::attribute_table::find(&segment.name.text).is_some_and(|row| row.is_of_functions())
    });
    let mut places = of_functions.map(|attribute| SourcePlace::head(item, attribute.span));
    if let Some(first) = places.next() {
        let message = format!("function attributes must precede a function, not {what}");
        let stray = Diagnostic::new(Code::AttributePlace, first, message).note("move them before their function");
        out.push(places.fold(stray, |stray, place| stray.also(place, "this one, too")));
    }
}

/// Reports attributes of `vk::` before types and aliases. Other declarations report theirs themselves.
fn type_attributes<'db>(db: &'db dyn Db, item: Item<'db>, out: &mut Vec<Diagnostic<'db>>) {
    let tree = item_tree(db, item);
    for (_, node) in tree.ast.items.iter() {
        if matches!(node.kind, ItemKind::Type(_) | ItemKind::Typedef { .. } | ItemKind::Using { .. }) {
            let place = |span| SourcePlace::head(item, span);
            out.extend(node.attributes.iter().filter_map(|a| vulkan_attributes::wrong(a, Target::Record, place)));
        }
    }
}

/// Reports attributes of aliases, which request SPIR-V extensions and would otherwise be ignored. A type of inline
/// SPIR-V is rejected at its uses.
fn alias_attributes<'db>(db: &'db dyn Db, item: Item<'db>, out: &mut Vec<Diagnostic<'db>>) {
    let tree = item_tree(db, item);
    let is_refused = |index: u32, alias: &crate::tables::decls::AliasDecl| {
        let builtin = |ty: crate::db::ty::Ty<'db>| crate::types::record::record(db, ty.as_record(db)?).builtin;
        alias.around.templates.is_empty()
            && builtin(crate::types::written::alias_ty(db, item, index, None, Vec::new()).0) == Some(Builtin::SpirvType)
    };
    for (index, alias) in (0..).zip(&tree.decls.aliases) {
        if let ItemKind::Using { attributes, .. } = &tree.ast.items[alias.item].kind
            && let Some(attribute) = attributes.first()
            && !is_refused(index, alias)
        {
            let message = "wgc does not compile attributes of type aliases yet";
            out.push(Diagnostic::new(Code::NotSupported, SourcePlace::head(item, attribute.span), message));
        }
    }
}

fn static_assert<'db>(db: &'db dyn Db, item: Item<'db>, out: &mut Vec<Diagnostic<'db>>) {
    let tree = item_tree(db, item);
    let ItemKind::StaticAssert(args) = &tree.ast.items[tree.root].kind else { return };
    let env = Env::new();
    let mut cx = Cx::head(db, item, &tree.ast, &env);
    assertion(&mut cx, args);
    out.append(&mut cx.errors);
}

/// Checks the assertions among the members of a structure, which may ask for its size.
pub(crate) fn member_assertions<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Vec<Diagnostic<'db>> {
    let id = crate::types::definition::record(db, inst).record;
    let Some(node) = record_node(db, id) else { return Vec::new() };
    let env = env_of(db, Some(inst));
    let mut cx = Cx::head(db, id.item, &node.tree.ast, &env).with_owner(Some(inst));
    for member in node.record.members.iter().flatten() {
        if let ItemKind::StaticAssert(args) = &node.tree.ast.items[*member].kind {
            assertion(&mut cx, args);
        }
    }
    cx.errors
}

fn assertion(cx: &mut Cx<'_, '_>, args: &[ExprId]) {
    let Some(condition) = args.first() else { return };
    if let Some(value) = cx.constant(*condition)
        && !value.truthy()
    {
        cx.error(Code::StaticAssert, cx.ast.exprs[*condition].span, failed_assertion(cx.ast, args));
    }
}

/// Returns the message about an assertion that fails, with its own text if it has one.
pub(super) fn failed_assertion(ast: &Ast, args: &[ExprId]) -> String {
    match args.get(1).map(|text| &ast.exprs[*text].kind) {
        Some(ExprKind::Str(parts)) => {
            format!("the assertion fails: {}", crate::types::attributes::unquote(parts))
        }
        _ => "the assertion fails".to_string(),
    }
}
