//! Descriptions of symbols as Markdown: the declaration as users see it, its comment, and facts such as the value of a
//! constant or the layout of a field.

use super::bytes;
use super::symbols::{declared_everywhere, type_def};
use super::texts::{declarations, primary};
use std::fmt::Write as _;
use wgc_frontend::ast::{self, ItemKind, RecordKeyword};
use wgc_sema::check::env;
use wgc_sema::check::fold::{Number, number};
use wgc_sema::check::shown;
use wgc_sema::db::def::{Def, SourcePlace, VarId};
use wgc_sema::db::items::{enum_node, fn_node, item_tree, record_node, var_node};
use wgc_sema::db::ty::{FnInst, RecordInst, Ty, TyKind};
use wgc_sema::db::{Db, Program, is_built_in};
use wgc_sema::tables::constant::Const;
use wgc_sema::types::const_eval::ConstTree;
use wgc_sema::types::globals::{GlobalKind, global};
use wgc_sema::types::name_uses::Symbol;
use wgc_sema::types::record::record_name;

/// Returns the type of a symbol, or its return type.
pub fn type_of<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Option<Ty<'db>> {
    let ty = match symbol {
        Symbol::Local { ty, .. } | Symbol::Field { ty, .. } | Symbol::Type(ty) => *ty,
        Symbol::Called(inst) => env::signature(db, *inst).ret,
        Symbol::Def(Def::Function(f)) => env::signature(db, FnInst::new(db, *f, None, Vec::new())).ret,
        Symbol::Def(Def::Var(var)) => global(db, *var, owner_of(db, *var))?.ty,
        Symbol::Def(Def::Record(r)) => Ty::new(db, TyKind::Record(RecordInst::new(db, *r, Vec::new()))),
        Symbol::Def(Def::Enum(e) | Def::EnumValue(e, _)) => Ty::new(db, TyKind::Enum(*e)),
        Symbol::Def(Def::Alias(alias)) => {
            wgc_sema::types::written::alias_ty(db, alias.item, alias.index, None, Vec::new()).0
        }
        Symbol::Def(Def::Namespace(_)) | Symbol::TemplateParam(_) | Symbol::Buffer(_) | Symbol::Word(_) => return None,
    };
    (!ty.is_error(db)).then_some(ty)
}

/// Returns the record of a static member, unless it is a template.
fn owner_of<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<RecordInst<'db>> {
    let index = var_node(db, var)?.decl.around.owner?;
    wgc_sema::types::instantiation::plain_owner(db, var.item, index)
}

/// Describes a symbol as Markdown. An unknown type is `..`, as in a template without instances.
pub fn describe<'db>(db: &'db dyn Db, part: Program, symbol: &Symbol<'db>) -> Option<String> {
    let declaration = declaration(db, symbol)?.replace("<error>", "..");
    let mut out = format!("```hlsl\n{declaration}\n```\n");
    for fact in facts(db, symbol) {
        let _ = write!(out, "\n{fact}\n");
    }
    if let Some(doc) = doc(db, part, symbol) {
        let _ = write!(out, "\n{doc}\n");
    }
    Some(out)
}

/// Returns the documentation of a symbol: a table for built-in names, otherwise comments at a declaration.
pub fn doc<'db>(db: &'db dyn Db, part: Program, symbol: &Symbol<'db>) -> Option<String> {
    if let Some(doc) = built_in_doc(db, symbol) {
        return Some(doc.to_owned());
    }
    let is_param = matches!(symbol, Symbol::Local { is_param: true, .. });
    let docs: Vec<String> = declared_everywhere(db, part, symbol)
        .iter()
        .filter(|range| !is_built_in(&range.file))
        .filter_map(|range| super::comments::about(&db.file(&range.file).text(db), range.lo as usize, is_param))
        .collect();
    docs.into_iter().next()
}

/// Returns the declaration in one or a few lines.
fn declaration<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Option<String> {
    let of = |ty: Ty<'db>, name: &str| declared(db, ty, name);
    Some(match symbol {
        Symbol::Called(inst) => signature(db, *inst),
        Symbol::Def(Def::Function(f)) => {
            let owner = fn_node(db, *f)
                .and_then(|node| node.decl.around.owner)
                .and_then(|index| wgc_sema::types::instantiation::plain_owner(db, f.item, index));
            plain(&shown::declaration(db, owner, primary(db, *f)))
        }
        Symbol::Field { place, owner, ty } => {
            let name = token(db, *place)?;
            let whose = Ty::new(db, TyKind::Record(*owner)).display(db);
            format!("{}  // of {whose}", of(*ty, &name))
        }
        Symbol::Local { place, ty, .. } => of(*ty, &token(db, *place)?),
        Symbol::TemplateParam(place) => template_param(db, *place)?,
        Symbol::Buffer(place) => buffer(db, *place)?,
        Symbol::Word(word) => super::attribute_docs::shown(word)?,
        Symbol::Type(ty) => match type_def(db, *ty) {
            Some(Def::Record(record)) => head_of_record(db, record, *ty),
            Some(def) => declaration(db, &Symbol::Def(def))?,
            None => ty.display(db),
        },
        Symbol::Def(Def::Record(record)) => {
            let plain = Ty::new(db, TyKind::Record(RecordInst::new(db, *record, Vec::new())));
            head_of_record(db, *record, plain)
        }
        Symbol::Def(Def::Enum(e)) => {
            let node = enum_node(db, *e)?;
            let keyword = if node.def.scoped { "enum class" } else { "enum" };
            format!("{keyword} {}", node.def.name.as_ref().map_or("", |name| name.text.as_str()))
        }
        Symbol::Def(Def::EnumValue(e, n)) => {
            let node = enum_node(db, *e)?;
            let (name, _) = node.def.values.get(*n as usize)?;
            let value = env::enum_value(db, *e, *n).map(number);
            let shown = match value {
                Some(Number::Int(value)) => format!(" = {value}"),
                _ => String::new(),
            };
            format!("{}::{}{shown}", Ty::new(db, TyKind::Enum(*e)).display(db), name.text)
        }
        Symbol::Def(Def::Var(var)) => variable(db, *var)?,
        Symbol::Def(Def::Alias(alias)) => {
            let tree = item_tree(db, alias.item);
            let name = tree.decls.aliases.get(alias.index as usize)?.parts(&tree.ast)?.0.text.as_str();
            let ty = type_of(db, symbol).map_or("..".to_owned(), |ty| ty.display(db));
            format!("using {name} = {ty}")
        }
        Symbol::Def(Def::Namespace(name)) => format!("namespace {}", name.text(db)),
    })
}

/// Returns a declaration such as `float x[4]`: the dimensions of an array follow the name.
fn declared<'db>(db: &'db dyn Db, ty: Ty<'db>, name: &str) -> String {
    let shown = ty.display(db);
    match shown.split_once('[') {
        Some((element, dims)) => format!("{element} {name}[{dims}"),
        None => format!("{shown} {name}"),
    }
}

/// Returns `typename T` or `uint N`, as declared.
fn template_param<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<String> {
    let tree = item_tree(db, place.item);
    let templates = tree.ast.items.iter().filter_map(|(_, item)| match &item.kind {
        ItemKind::Template { params, .. } => Some(params),
        _ => None,
    });
    let param = templates.flatten().find(|param| wgc_sema::types::name_uses::param_name(param).at == place.span.lo)?;
    Some(match param {
        ast::TemplateParam::Type { name, .. } => format!("typename {}", name.text),
        ast::TemplateParam::Value { ty, name, .. } => {
            let ty = wgc_sema::types::names::spelling(db, place.item, tree.ast.types[*ty].span);
            format!("{ty} {}  // of a template", name.text)
        }
    })
}

/// Returns `cbuffer Frame`.
fn buffer<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<String> {
    let buffer = wgc_sema::types::globals::cbuffer(db, place.item).as_ref()?;
    let keyword = if buffer.is_texture { "tbuffer" } else { "cbuffer" };
    Some(format!("{keyword} {}", token(db, place)?))
}

/// Removes the backquotes.
fn plain(shown: &str) -> String {
    shown.trim_matches('`').to_owned()
}

/// Returns a function as its callers see it, with its record or namespace.
fn signature<'db>(db: &'db dyn Db, inst: FnInst<'db>) -> String {
    let mut out = plain(&shown::instance(db, inst));
    let name = &env::signature(db, inst).name;
    let around = match inst.owner(db) {
        Some(owner) => Ty::new(db, TyKind::Record(owner)).display(db),
        None => inst.function(db).item.scope(db).to_owned(),
    };
    if !around.is_empty() {
        out = out.replacen(&format!(" {name}("), &format!(" {around}::{name}("), 1);
    }
    let overloads = overloads(db, inst);
    if overloads != 0 {
        let _ = write!(out, "  // +{overloads} overload{}", if overloads == 1 { "" } else { "s" });
    }
    out
}

/// Returns the number of other overloads.
fn overloads<'db>(db: &'db dyn Db, inst: FnInst<'db>) -> usize {
    let f = inst.function(db);
    let name = &env::signature(db, inst).name;
    let all = match inst.owner(db) {
        Some(owner) => wgc_sema::types::record::methods(db, owner, name).len(),
        None => {
            let [scope, name] = [f.item.scope(db), name].map(|text| wgc_sema::db::def::Name::new(db, text.to_owned()));
            wgc_sema::types::names::overloads(db, f.item.program(db), scope, name).len()
        }
    };
    all.saturating_sub(1)
}

fn token<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<String> {
    let text = super::texts::TextId::of(place).tokens(db).get(place.span.lo as usize)?.spelling();
    (!text.is_empty()).then(|| text.to_owned())
}

fn head_of_record<'db>(db: &'db dyn Db, id: wgc_sema::db::def::RecordId<'db>, ty: Ty<'db>) -> String {
    let keyword = match record_node(db, id).map(|node| node.record.keyword) {
        Some(RecordKeyword::Interface) => "interface",
        Some(RecordKeyword::Class) => "class",
        _ => "struct",
    };
    let Some(inst) = ty.as_record(db) else { return format!("{keyword} {}", record_name(db, id)) };
    let params = wgc_sema::types::signature::record_template_params(db, id);
    if inst.args(db).len() < params.len() {
        let names: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
        return format!("{keyword} {}<{}>", record_name(db, id), names.join(", "));
    }
    format!("{keyword} {}", ty.display(db))
}

fn variable<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<String> {
    let node = var_node(db, var)?;
    let name = node.declarator.name.text.as_str();
    let owner = owner_of(db, var);
    let Some(global) = global(db, var, owner) else { return Some(name.to_owned()) };
    let shown = declared(db, global.ty, name);
    let words = &node.tree.ast.types[node.ty].modifiers;
    // The order of a matrix is already part of its type.
    let words = words.iter().map(|word| format!("{} ", word.text)).filter(|word| !shown.starts_with(word.as_str()));
    let words: String = words.collect();
    let value = match global.kind {
        GlobalKind::Constant => env::const_tree(db, var, owner).map(|tree| format!(" = {}", value(tree))),
        GlobalKind::Specialised(id) => Some(format!("  // specialisation constant {id}")),
        GlobalKind::CBufferMember(_) => buffer_around(db, var).map(|buffer| format!("  // of cbuffer {buffer}")),
        _ => None,
    };
    Some(format!("{words}{shown}{}", value.unwrap_or_default()))
}

pub(super) fn buffer_around<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<String> {
    let node = var_node(db, var)?;
    match &node.tree.ast.items[node.decl.cbuffer?].kind {
        ItemKind::CBuffer(buffer) => Some(buffer.name.text.to_string()),
        _ => None,
    }
}

/// The limit of numbers shown for a constant.
const MAX_VALUES: usize = 16;

/// Formats a constant as in a source.
fn value(tree: &ConstTree) -> String {
    let mut out = String::new();
    let mut left = MAX_VALUES;
    write_value(tree, &mut left, &mut out);
    out
}

fn write_value(tree: &ConstTree, left: &mut usize, out: &mut String) {
    match tree {
        ConstTree::Scalar(constant) => {
            *left = left.saturating_sub(1);
            match constant {
                Const::Bool(truth) => _ = write!(out, "{truth}"),
                Const::Int { value, .. } => _ = write!(out, "{value}"),
                Const::Float { bits, .. } => _ = write!(out, "{:?}", f64::from_bits(*bits)),
            }
        }
        ConstTree::Composite(parts) => {
            out.push_str("{ ");
            for (n, part) in parts.iter().enumerate() {
                if n != 0 {
                    out.push_str(", ");
                }
                if *left == 0 {
                    out.push_str("..");
                    break;
                }
                write_value(part, left, out);
            }
            out.push_str(" }");
        }
    }
}

// ---- facts in addition to the declaration

fn facts<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Vec<String> {
    match symbol {
        Symbol::Field { place, owner, .. } => bytes::of_field(db, *place, *owner).into_iter().collect(),
        Symbol::Def(Def::Record(r)) => {
            let plain = wgc_sema::types::record::is_plain(db, *r);
            let ty = Ty::new(db, TyKind::Record(RecordInst::new(db, *r, Vec::new())));
            if plain { bytes::of_type(db, ty).into_iter().collect() } else { Vec::new() }
        }
        Symbol::Type(ty) => bytes::of_type(db, *ty).into_iter().collect(),
        Symbol::Buffer(place) => bytes::of_buffer(db, *place).into_iter().collect(),
        Symbol::Def(Def::Var(var)) => bytes::of_variable(db, *var).into_iter().collect(),
        Symbol::Word(word) => super::attribute_docs::places(word).into_iter().collect(),
        Symbol::Def(Def::Function(f)) => {
            let all = declarations(db, primary(db, *f));
            let has_body = |f: &wgc_sema::db::def::FnId<'db>| {
                fn_node(db, *f).is_some_and(|node| node.function.body != wgc_frontend::ast::Body::None)
            };
            let is_ours = f.item.program(db) == db.prelude();
            let is_open = !is_ours && !all.iter().any(has_body);
            is_open.then(|| "declared without a body".to_owned()).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the documentation of a built-in function, method or type.
fn built_in_doc<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Option<&'static str> {
    if let Symbol::Word(word) = symbol {
        return wgc_stdlib::docs::about(None, &format!("[{word}]"));
    }
    let (object, name) = match symbol {
        Symbol::Called(inst) => {
            if !env::is_prelude(db, inst.function(db)) {
                return None;
            }
            let object = inst.owner(db).map(|owner| record_name(db, owner.record(db)));
            (object, env::signature(db, *inst).name.clone())
        }
        Symbol::Def(Def::Function(f)) if env::is_prelude(db, *f) => {
            let node = fn_node(db, *f)?;
            let owner = node.decl.around.owner.map(|index| wgc_sema::db::def::RecordId { item: f.item, index });
            (owner.map(|owner| record_name(db, owner)), node.function.name.text.to_string())
        }
        Symbol::Def(Def::Record(r)) if r.item.program(db) == db.prelude() => (None, record_name(db, *r)),
        Symbol::Type(ty) => match type_def(db, *ty)? {
            Def::Record(r) if r.item.program(db) == db.prelude() => (None, record_name(db, r)),
            _ => return None,
        },
        _ => return None,
    };
    wgc_stdlib::docs::about(object.as_deref(), &name)
}
