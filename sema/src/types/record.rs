//! Records: fields with their types, and bases. Lookup of members is in [`members`], layout is in `layout`.

use crate::db::Db;
use crate::db::def::{FnId, Item, RecordId, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{RecordNode, record_node};
use crate::db::ty::Env;
use crate::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::attribute_table::Target;
use crate::types::attributes;
use crate::types::bit_fields::BitField;
use crate::types::cx::{Cx, PathTarget, Sought};
use crate::types::definition;
use crate::types::instantiation::{MAX_INSTANTIATIONS, enter, enter_base};
use crate::types::mesh_values::Slot;
use crate::types::signature::record_template_params;
use wgc_frontend::ast::{self, Annotation, ExprKind, ItemKind, TypeKind};
use wgc_ir::Interpolation;

/// Modifiers that a member cannot have.
const NOT_MEMBER: &[&str] = &["groupshared", "extern"];

mod bases;
mod member_names;
mod members;
mod own_members;
mod sized;

pub use bases::MAX_BASES;
pub use sized::record;

pub use members::{declared_methods, member_names, methods, path_to_field, static_member};
pub(crate) use members::{lacks_a_base, member, own_name};

/// A record with its template arguments substituted.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Record<'db> {
    /// The name as written, without arguments; `<unnamed>` without one.
    pub name: String,
    /// Direct bases, in order.
    pub bases: Vec<RecordInst<'db>>,
    /// The fields in the order of memory, inherited ones first.
    pub fields: Vec<Field<'db>>,
    /// `[[wgc::builtin("..")]]`: an object of the language. Its fields have no meaning.
    pub builtin: Option<Builtin>,
    /// `[NodeTrackRWInputSharing]` on this record itself.
    pub track_sharing: bool,
    /// It has a body.
    pub complete: bool,
    /// The location of its name.
    pub place: SourcePlace<'db>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Field<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    pub place: SourcePlace<'db>,
    /// `: SV_DispatchGrid`, as written.
    pub semantic: Option<(String, SourcePlace<'db>)>,
    /// The bit-fields that share it, if it is a unit of them. Its name then joins theirs and cannot be used.
    pub bits: Vec<BitField<'db>>,
    /// `[[vk::offset(n)]]`, in bytes.
    pub offset: Option<u32>,
    /// `nointerpolation` and similar modifiers, which matter in outputs of a mesh node.
    pub interpolation: Interpolation,
    /// `precise`
    pub is_precise: bool,
    /// `[[vk::location(n)]]` and similar attributes, which also matter in outputs of a mesh node.
    pub slot: Option<Slot>,
    /// The base that declares it; `None` for a field of the record itself.
    pub inherited: Option<RecordInst<'db>>,
}

impl<'db> Field<'db> {
    pub(crate) fn new(name: impl Into<String>, ty: Ty<'db>, place: SourcePlace<'db>) -> Field<'db> {
        let (semantic, offset, slot, inherited) = (None, None, None, None);
        let (bits, interpolation, is_precise) = (Vec::new(), Interpolation::default(), false);
        Field { name: name.into(), ty, place, semantic, bits, offset, interpolation, is_precise, slot, inherited }
    }

    /// Returns the bit-fields of a unit that are not padding.
    pub fn named_bits(&self) -> impl Iterator<Item = &BitField<'db>> {
        self.bits.iter().filter(|bits| !bits.name.is_empty())
    }

    /// Returns the declaration of the field, or of a bit-field in it, with this name.
    pub fn declares(&self, name: &str) -> Option<SourcePlace<'db>> {
        match self.bits.as_slice() {
            [] => (self.name == name).then_some(self.place),
            bits => bits.iter().find(|b| b.name == name).map(|b| b.place),
        }
    }
}

/// Returns the template parameters of a record with their arguments.
pub fn env_of<'db>(db: &'db dyn Db, inst: Option<RecordInst<'db>>) -> Env<'db> {
    let Some(inst) = inst else { return Env::new() };
    let text = definition::record(db, inst);
    let names = record_template_params(db, text.record).iter().map(|p| p.name.clone());
    names.zip(text.args.iter().cloned()).collect()
}

/// Returns the name of a record, for messages.
pub fn record_name<'db>(db: &'db dyn Db, record: RecordId<'db>) -> String {
    let name = record_node(db, record).and_then(|n| n.record.name.as_ref());
    name.map_or_else(|| "<unnamed>".to_string(), |n| n.text.to_string())
}

/// Returns the record that encloses a record. `None` if that is a specialisation, because its members do not know its
/// arguments.
pub(crate) fn around<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<RecordInst<'db>> {
    let id = definition::record(db, inst).record;
    let outer = RecordId { item: id.item, index: record_node(db, id)?.decl.around.owner? };
    let args = inst.args(db).get(..record_template_params(db, outer).len())?;
    let is_special = record_node(db, outer)?.record.specialises.is_some();
    (!is_special).then(|| RecordInst::new(db, outer, args.to_vec()))
}

/// Returns whether a member can be used without an object.
pub(crate) fn needs_no_object<'db>(db: &'db dyn Db, found: &PathTarget<'db>) -> bool {
    let is_static = |f: FnId<'db>| {
        crate::db::items::fn_node(db, f)
            .is_some_and(|n| n.tree.ast.types[n.function.ret].modifiers.iter().any(|m| m.text == "static"))
    };
    match found {
        PathTarget::Field(_) => false,
        PathTarget::Functions(functions) => functions.iter().all(|(_, f)| is_static(*f)),
        _ => true,
    }
}

/// Returns whether a record represents a variable template: its instances are variables, not types.
pub(crate) fn is_variable<'db>(db: &'db dyn Db, record: RecordId<'db>) -> bool {
    record_node(db, record).is_some_and(|node| node.record.keyword == ast::RecordKeyword::Variable)
}

/// Returns the variable of such an instance, which its own text declares.
pub(crate) fn variable<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<VarId<'db>> {
    let id = definition::record(db, inst).record;
    let vars = &record_node(db, id)?.tree.decls.vars;
    let index = vars.iter().position(|var| var.around.owner == Some(id.index))?;
    Some(VarId { item: id.item, index: index as u32 })
}

/// Returns the built-in object that a record is, regardless of its instance.
pub fn builtin_of<'db>(db: &'db dyn Db, record: RecordId<'db>) -> Option<Builtin> {
    Some(builtin_tag(db, record)?.1)
}

/// Returns the tag of a built-in object (`node_output`), and the object.
pub fn builtin_tag<'db>(db: &'db dyn Db, record: RecordId<'db>) -> Option<(&'static str, Builtin)> {
    record_tag(db, record.item, record.index)
}

#[salsa::tracked(returns(copy))]
fn record_tag<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Option<(&'static str, Builtin)> {
    // A user's attribute of the same name is not the compiler's.
    if !item.program(db).options(db).internal {
        return None;
    }
    tag_of(&record_node(db, RecordId { item, index })?)
}

/// Returns the built-in object that a type is.
pub fn builtin<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<Builtin> {
    builtin_of(db, ty.as_record(db)?.record(db))
}

/// Returns a record's first type argument: `R` of `NodeOutput<R>`.
pub fn type_arg<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<Ty<'db>> {
    inst.args(db).iter().find_map(|a| if let GenericArg::Ty(ty) = a { Some(*ty) } else { None })
}

fn tag_of(node: &RecordNode) -> Option<(&'static str, Builtin)> {
    let outer = attributes::chain(node.tree, node.decl.item, &node.decl.around.templates);
    let attribute = outer.into_iter().chain(&node.record.attributes).find(|a| attributes::is_internal(a, "builtin"))?;
    match &node.tree.ast.exprs[*attribute.args.as_ref()?.first()?].kind {
        ExprKind::Str(parts) => Builtin::find(&attributes::unquote(parts)),
        _ => None,
    }
}

/// Returns a record as its text declares it: its types may contain themselves. Prefer [`record`], whose types are
/// finite.
#[salsa::tracked(returns(ref), cycle_result = cyclic_record)]
pub(crate) fn declared_record<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Record<'db> {
    let text = definition::record(db, inst);
    let id = text.record;
    let item = id.item;
    let mut out = Record {
        name: record_name(db, id),
        bases: Vec::new(),
        fields: Vec::new(),
        builtin: None,
        track_sharing: false,
        complete: false,
        place: SourcePlace::head(item, Default::default()),
        diagnostics: Vec::new(),
    };
    let Some(node) = record_node(db, id) else { return out };
    out.complete = node.record.members.is_some();
    // Without arguments and bases it starts no other instances; the type that needs it reports the limit.
    let is_leaf = text.args.is_empty() && node.record.bases.is_empty();
    let Some(_level) = (if is_leaf { enter_base() } else { enter() }) else {
        let message = format!("`{}` depends on a chain of more than {MAX_INSTANTIATIONS} other structures", out.name);
        let at = node.record.name.as_ref().map_or(out.place, |name| SourcePlace::token(item, name.at));
        out.diagnostics.push(Diagnostic::new(Code::NestingTooDeep, at, message));
        return out;
    };
    let tree = &node.tree.ast;
    out.place = match &node.record.name {
        Some(name) => SourcePlace::token(item, name.at),
        None => SourcePlace::head(item, tree.types[node.decl.ty].span),
    };
    out.builtin = builtin_of(db, id);
    let outer = attributes::chain(node.tree, node.decl.item, &node.decl.around.templates);
    out.track_sharing = outer.into_iter().chain(&node.record.attributes).any(
        |a| matches!(a.path.segments.as_slice(), [s] if s.name.text.eq_ignore_ascii_case("NodeTrackRWInputSharing")),
    );
    let env = env_of(db, Some(inst));
    let mut cx = Cx::head(db, item, tree, &env).with_owner(Some(inst));
    if !text.rivals.is_empty() {
        let message = format!("several specialisations of `{}` match equally well", out.name);
        let mut diagnostic = Diagnostic::new(Code::TemplateArguments, out.place, message);
        for rival in &text.rivals {
            if let Some(place) = crate::types::names::def_place(db, crate::db::def::Def::Record(*rival)) {
                diagnostic = diagnostic.also(place, "this one matches, too");
            }
        }
        cx.errors.push(diagnostic);
    }

    let attributes: Vec<_> = node.record.attributes.iter().collect();
    crate::types::attribute_table::vulkan(&mut cx, &attributes, Target::Record);
    crate::types::attribute_table::misplaced(&mut cx, &attributes, Target::Record);
    // The check comes before fields are copied: a chain of bases copies a number of fields that is quadratic in its
    // length.
    let has_bases = bases::allowed(&mut cx, inst, &node.record.bases, &out);
    for path in node.record.bases.iter().filter(|_| has_bases) {
        // The names of bases are not looked up among the record's own members.
        cx.owner = None;
        let ty = cx.path_type_as(path, Sought::Scope);
        cx.owner = Some(inst);
        match ty.kind(db) {
            TyKind::Record(base) if *base == inst => {
                cx.error(Code::CyclicDefinition, path.span, format!("`{}` inherits from itself", out.name));
            }
            TyKind::Record(base) => {
                let inner = declared_record(db, *base);
                let has_data = |base: &RecordInst<'db>| !declared_record(db, *base).fields.is_empty();
                if has_data(base)
                    && let Some(first) = out.bases.iter().copied().find(has_data)
                {
                    let message = format!("`{}` has several bases with fields; only one is allowed", out.name);
                    cx.errors.push(
                        Diagnostic::new(Code::BadBase, cx.place(path.span), message)
                            .also(inner.place, "this one has fields")
                            .also(declared_record(db, first).place, "this one has fields, too"),
                    );
                    continue;
                }
                out.fields.extend(
                    inner.fields.iter().map(|f| Field { inherited: Some(f.inherited.unwrap_or(*base)), ..f.clone() }),
                );
                out.bases.push(*base);
            }
            TyKind::Error => {}
            _ => cx.error(Code::BadBase, path.span, format!("`{}` is not a structure", ty.display(db))),
        }
    }
    let Some(members) = &node.record.members else {
        out.diagnostics = cx.errors;
        return out;
    };
    crate::types::using_declarations::check(&mut cx, inst, &node, &out.bases);
    member_names::check(&mut cx, &out.name, tree, members);
    let own = out.fields.len();
    for member in members {
        if let ItemKind::Type(ty) = &tree.items[*member].kind
            && is_unnamed(tree, *ty)
        {
            let place = SourcePlace::head(item, tree.types[*ty].span);
            let ty = cx.value_ty(*ty);
            out.fields.push(Field::new("", ty, place));
        }
        let ItemKind::Var(var) = &tree.items[*member].kind else { continue };
        let modifiers = &tree.types[var.ty].modifiers;
        if modifiers.iter().any(|m| m.text == "static") {
            continue;
        }
        cx.refuse_modifiers(var.ty, NOT_MEMBER, "a member of a structure");
        let attributes: Vec<_> = tree.items[*member].attributes.iter().collect();
        crate::types::attribute_table::vulkan(&mut cx, &attributes, Target::Member);
        crate::types::attribute_table::misplaced(&mut cx, &attributes, Target::Member);
        let offset = crate::types::offsets::in_bytes(&mut cx, &attributes);
        let slot = crate::types::mesh_values::slot(&mut cx, &attributes);
        let words = tree.types[var.ty].modifiers.iter().map(|modifier| modifier.text.as_str());
        let interpolation = crate::types::mesh_values::interpolation(words);
        let is_precise = modifiers.iter().any(|m| m.text == "precise");
        let base = cx.value_ty(var.ty);
        for declarator in &var.vars {
            let ty = cx.declared_ty(base, declarator);
            let place = SourcePlace::token(item, declarator.name.at);
            if let Some(init) = declarator.init {
                let message = format!("member `{}` of `{}` cannot have an initialiser", declarator.name.text, out.name);
                cx.error(Code::BadInitializer, tree.exprs[init].span, message);
            }
            let mut field = Field::new(declarator.name.text.as_str(), ty, place);
            let mut bits = None;
            for annotation in &declarator.annotations {
                match annotation {
                    Annotation::Semantic(ident) => {
                        field.semantic = Some((ident.text.to_string(), SourcePlace::token(item, ident.at)));
                    }
                    Annotation::Bits(expr) => {
                        bits = Some(cx.int(*expr).and_then(|n| u32::try_from(n).ok()));
                    }
                    Annotation::Register(..) | Annotation::PackOffset(..) => {}
                }
            }
            let Some(width) = bits else {
                out.fields.push(Field { offset, interpolation, is_precise, slot, ..field });
                continue;
            };
            if offset.is_some() {
                let message =
                    format!("the bit-field `{}` cannot have an offset: it shares its bytes with others", field.name);
                cx.errors.push(Diagnostic::new(Code::BadOffset, place, message));
            }
            if let Some((_, semantic)) = field.semantic {
                let message = format!("the bit-field `{}` cannot have a semantic", field.name);
                cx.errors.push(Diagnostic::new(Code::BadBitField, semantic, message));
            }
            crate::types::bit_fields::add(&mut cx, &mut out.fields, own, (field.name, field.ty, place), width);
        }
    }
    out.diagnostics = cx.errors;
    out
}

/// Returns whether an unnamed member is an unnamed record, whose fields belong to the enclosing record.
fn is_unnamed(tree: &wgc_frontend::ast::Ast, ty: wgc_frontend::ast::TypeId) -> bool {
    matches!(&tree.types[ty].kind, TypeKind::Record(inner) if inner.name.is_none() && inner.members.is_some())
}

fn cyclic_record<'db>(db: &'db dyn Db, _: salsa::Id, inst: RecordInst<'db>) -> Record<'db> {
    let id = inst.record(db);
    let name = record_name(db, id);
    let place = record_node(db, id)
        .and_then(|n| n.record.name.as_ref())
        .map_or_else(|| SourcePlace::head(id.item, Default::default()), |name| SourcePlace::token(id.item, name.at));
    let error = Diagnostic::new(Code::CyclicDefinition, place, format!("the definition of `{name}` depends on itself"));
    Record {
        name,
        bases: Vec::new(),
        fields: Vec::new(),
        builtin: None,
        track_sharing: false,
        complete: true,
        place,
        diagnostics: vec![error],
    }
}

/// Returns whether a record is neither a template, nor part of one, nor a specialisation.
pub fn is_plain<'db>(db: &'db dyn Db, record: RecordId<'db>) -> bool {
    let Some(node) = record_node(db, record) else { return false };
    let around = node.decl.around.owner;
    node.record.specialises.is_none()
        && record_template_params(db, record).is_empty()
        && around.is_none_or(|index| is_plain(db, RecordId { item: record.item, index }))
}

/// Returns instances of the records that an item defines without template parameters. These are checked separately.
pub fn plain_records<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<RecordInst<'db>> {
    let count = crate::db::items::item_tree(db, item).decls.records.len() as u32;
    let ids = (0..count).map(|index| RecordId { item, index });
    ids.filter(|id| is_plain(db, *id)).map(|id| RecordInst::new(db, id, Vec::new())).collect()
}

/// Returns the number of steps from a record to one of its bases; `None` if it is not a base.
pub fn base_depth<'db>(db: &'db dyn Db, derived: RecordInst<'db>, base: RecordInst<'db>) -> Option<u32> {
    let bases = &crate::types::record::record(db, derived).bases;
    if bases.contains(&base) {
        return Some(1);
    }
    bases.iter().find_map(|b| base_depth(db, *b, base)).map(|d| d + 1)
}
