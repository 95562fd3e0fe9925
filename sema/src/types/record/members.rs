//! Lookup of a record's members by name. Bases are searched if the record itself has no such name. [`super::record`]
//! has the members themselves.

use super::own_members::{OwnMember, own_members};
use super::{env_of, record};
use crate::db::Db;
use crate::db::def::{AliasId, Def, EnumId, FnId, Item, RecordId, SourcePlace, VarId};
use crate::db::items::record_node;
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::types::cx::{Cx, PathTarget, Sought};
use crate::types::definition;
use crate::types::instantiation::enter_base;
use crate::types::name_uses::Symbol;
use crate::types::signature::record_template_params;
use rustc_hash::FxHashSet;
use wgc_frontend::ast::{self, ItemKind, Segment};

/// Returns the path to a field, or to the unit of a bit-field, by name. It lists the indexes of enclosing unnamed
/// members, then the field's own index.
pub fn path_to_field<'db>(db: &'db dyn Db, inst: RecordInst<'db>, name: &str) -> Option<Vec<u32>> {
    path_within(db, inst, name, &mut Vec::new())
}

/// Finds the path in one record. `around` are the enclosing records: in incomplete code an unnamed member may contain
/// itself.
fn path_within<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    name: &str,
    around: &mut Vec<RecordInst<'db>>,
) -> Option<Vec<u32>> {
    if around.contains(&inst) {
        return None;
    }
    let fields = &record(db, inst).fields;
    // The last declared of equal names is the nearest in the hierarchy.
    if let Some(index) = fields.iter().rposition(|f| f.declares(name).is_some()) {
        return Some(vec![index as u32]);
    }
    around.push(inst);
    let found = fields.iter().enumerate().filter(|(_, f)| f.name.is_empty()).find_map(|(index, field)| {
        let mut path = path_within(db, field.ty.as_record(db)?, name, around)?;
        path.insert(0, index as u32);
        Some(path)
    });
    around.pop();
    found
}

/// Returns the methods named `name`, each with the record that declares it. The record's own methods hide those of
/// its bases, unless a using-declaration adds them.
pub fn methods<'db>(db: &'db dyn Db, inst: RecordInst<'db>, name: &str) -> Vec<(RecordInst<'db>, FnId<'db>)> {
    methods_in(db, inst, name, &mut FxHashSet::default())
}

/// Finds the methods; `seen` breaks cycles of bases, which are reported at the records.
fn methods_in<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    name: &str,
    seen: &mut FxHashSet<RecordInst<'db>>,
) -> Vec<(RecordInst<'db>, FnId<'db>)> {
    let Some(_level) = enter_base().filter(|_| seen.insert(inst)) else { return Vec::new() };
    let own = hiding_methods(db, inst, name);
    if !own.is_empty() {
        return own;
    }
    bases_of(db, inst).iter().copied().flat_map(|base| methods_in(db, base, name, seen)).collect()
}

/// Returns the methods of an instance's own text and of its using-declarations. They hide other methods of its bases.
fn hiding_methods<'db>(db: &'db dyn Db, inst: RecordInst<'db>, name: &str) -> Vec<(RecordInst<'db>, FnId<'db>)> {
    let own = declared_methods(db, definition::record(db, inst).record, name);
    let mut own: Vec<_> = own.into_iter().map(|f| (inst, f)).collect();
    if !own.is_empty() {
        own.extend(crate::types::using_declarations::imported_methods(db, inst, name));
    }
    own
}

/// Returns the methods that a record's own text declares under a name.
pub fn declared_methods<'db>(db: &'db dyn Db, record: RecordId<'db>, name: &str) -> Vec<FnId<'db>> {
    let methods = own_members(db, record, name).iter().filter_map(|member| match member {
        OwnMember::Method(index) => Some(FnId { item: record.item, index: *index }),
        _ => None,
    });
    methods.collect()
}

/// Returns the names of all methods and fields, for "did you mean".
pub fn member_names<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Vec<String> {
    member_names_in(db, inst, &mut FxHashSet::default())
}

/// Collects the names; bases may share bases, so each is visited once.
fn member_names_in<'db>(db: &'db dyn Db, inst: RecordInst<'db>, seen: &mut FxHashSet<RecordInst<'db>>) -> Vec<String> {
    let Some(_level) = enter_base().filter(|_| seen.insert(inst)) else { return Vec::new() };
    let id = definition::record(db, inst).record;
    let mut out: Vec<String> = record(db, inst).fields.iter().map(|f| f.name.clone()).collect();
    if let Some(node) = record_node(db, id) {
        for f in node.tree.decls.functions.iter().filter(|f| f.around.owner == Some(id.index)) {
            if let ItemKind::Function(function) = &node.tree.ast.items[f.item].kind {
                out.push(function.name.text.to_string());
            }
        }
    }
    out.extend(record(db, inst).bases.iter().flat_map(|base| member_names_in(db, *base, seen)));
    out
}

/// Resolves `S::name`: values of enums, static members, methods and fields, nested types and aliases. The bases
/// follow in the same order.
pub(crate) fn member<'db>(
    cx: &mut Cx<'_, 'db>,
    inst: RecordInst<'db>,
    segment: &Segment,
    sought: Sought,
) -> Option<PathTarget<'db>> {
    member_in(cx, inst, segment, sought, &mut FxHashSet::default())
}

fn member_in<'db>(
    cx: &mut Cx<'_, 'db>,
    inst: RecordInst<'db>,
    segment: &Segment,
    sought: Sought,
    seen: &mut FxHashSet<RecordInst<'db>>,
) -> Option<PathTarget<'db>> {
    let _level = enter_base().filter(|_| seen.insert(inst))?;
    let db = cx.db;
    let text = definition::record(db, inst);
    let id = text.record;
    let item = id.item;
    let name = segment.name.text.as_str();
    let tree = &record_node(db, id)?.tree.ast;
    // Members that are values hide types of the same name.
    let counts = |cx: &Cx<'_, 'db>, at: u32| match sought {
        Sought::Any => true,
        Sought::Type => cx.is_after(item, at, segment),
        Sought::Scope => false,
    };
    let with_owner =
        |functions: Vec<(RecordInst<'db>, FnId<'db>)>| functions.into_iter().map(|(owner, f)| (Some(owner), f));
    let mut are_methods_read = false;
    for member in own_members(db, id, name).iter().copied() {
        match member {
            OwnMember::EnumValue { of, n, at } if counts(cx, at) => {
                return Some(PathTarget::EnumValue(EnumId { item, index: of, owner: Some(inst) }, n));
            }
            OwnMember::Var { index, at } if counts(cx, at) => {
                return Some(PathTarget::Var(Some(inst), VarId { item, index }));
            }
            OwnMember::EnumValue { .. } | OwnMember::Var { .. } => {}
            OwnMember::Method(_) if are_methods_read => {}
            OwnMember::Method(_) => {
                are_methods_read = true;
                let own = hiding_methods(db, inst, name);
                let is_declared = |(owner, f): &(RecordInst<'db>, FnId<'db>)| {
                    *owner != inst || crate::db::items::fn_node(db, *f).is_none_or(|n| counts(cx, n.function.name.at))
                };
                if own.iter().any(is_declared) {
                    return Some(PathTarget::Functions(with_owner(own).collect()));
                }
            }
            OwnMember::Field { at } if counts(cx, at) => {
                // The name is not a type here, so any field index will do. The record may be under construction, so it
                // is not queried.
                let index = match sought {
                    Sought::Any => path_to_field(db, inst, name).and_then(|path| path.first().copied()),
                    Sought::Type | Sought::Scope => Some(0),
                };
                // A field of an unnamed member is found in that member.
                if let Some(index) = index {
                    return Some(PathTarget::Field(index));
                }
            }
            OwnMember::Field { .. } => {}
            OwnMember::Record(index) => {
                let record = RecordId { item, index };
                let outer = env_of(db, Some(inst));
                let params = record_template_params(db, record).get(text.args.len()..).unwrap_or_default();
                let own = cx.template_args(params, segment.args.as_deref(), item, &outer, name, segment.name.at);
                let Some(own) = own else { return Some(PathTarget::Error) };
                let named = record_node(db, record).and_then(|inner| inner.record.name.as_ref());
                warn_of_late(cx, item, named, segment, sought);
                let args: Vec<_> = text.args.iter().cloned().chain(own).collect();
                cx.note(segment.name.at, Symbol::Def(Def::Record(record)));
                return Some(PathTarget::Type(Ty::new(db, TyKind::Record(RecordInst::new(db, record, args)))));
            }
            OwnMember::Enum(index) => {
                let id = EnumId { item, index, owner: Some(inst) };
                let named = crate::db::items::enum_node(db, id).and_then(|inner| inner.def.name.as_ref());
                warn_of_late(cx, item, named, segment, sought);
                cx.note(segment.name.at, Symbol::Def(Def::Enum(id)));
                return Some(PathTarget::Type(Ty::new(db, TyKind::Enum(id))));
            }
            OwnMember::Alias(index) => {
                let alias = AliasId { item, index };
                let decls = &record_node(db, id)?.tree.decls;
                warn_of_late(
                    cx,
                    item,
                    decls.aliases[index as usize].parts(tree).map(|(named, ..)| named),
                    segment,
                    sought,
                );
                return Some(crate::types::written::alias(cx, alias, Some(inst), segment));
            }
        }
    }
    let mut bases = bases_of(db, inst).iter();
    let mut found = bases.find_map(|base| member_in(cx, *base, segment, sought, seen))?;
    if let PathTarget::Functions(functions) = &mut found {
        // Methods of several bases form one overload set.
        functions.extend(bases.flat_map(|base| with_owner(methods_in(db, *base, name, seen))));
    }
    Some(found)
}

/// Warns about a type that the record declares only after its use; bodies of methods may use it.
fn warn_of_late<'db>(
    cx: &mut Cx<'_, 'db>,
    item: Item<'db>,
    name: Option<&ast::Ident>,
    segment: &Segment,
    sought: Sought,
) {
    if let Some(name) = name.filter(|name| sought == Sought::Type && !cx.is_after(item, name.at, segment)) {
        cx.warn_of_late(segment, SourcePlace::token(item, name.at));
    }
}

/// Returns the static member of a name with the record that declares it. The record's own comes before those of its
/// bases.
pub fn static_member<'db>(db: &'db dyn Db, inst: RecordInst<'db>, name: &str) -> Option<(RecordInst<'db>, VarId<'db>)> {
    static_member_in(db, inst, name, &mut FxHashSet::default())
}

fn static_member_in<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    name: &str,
    seen: &mut FxHashSet<RecordInst<'db>>,
) -> Option<(RecordInst<'db>, VarId<'db>)> {
    let _level = enter_base().filter(|_| seen.insert(inst))?;
    let id = definition::record(db, inst).record;
    let index = own_members(db, id, name).iter().find_map(|member| match member {
        OwnMember::Var { index, .. } => Some(*index),
        _ => None,
    });
    if let Some(index) = index {
        return Some((inst, VarId { item: id.item, index }));
    }
    bases_of(db, inst).iter().copied().find_map(|base| static_member_in(db, base, name, seen))
}

/// Returns only the bases, so that a lookup in them does not need the fields. This is a query because an endless
/// template searches the bases of all its instances for each name.
#[salsa::tracked(returns(ref), cycle_result = cyclic_bases)]
pub(super) fn bases_of<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Vec<RecordInst<'db>> {
    let id = definition::record(db, inst).record;
    let Some(node) = record_node(db, id) else { return Vec::new() };
    if node.record.bases.is_empty() {
        return Vec::new();
    }
    let env = env_of(db, Some(inst));
    let mut cx = Cx::head(db, id.item, &node.tree.ast, &env);
    let types: Vec<Ty<'db>> = node.record.bases.iter().map(|path| cx.path_type_as(path, Sought::Scope)).collect();
    types.into_iter().filter_map(|ty| ty.as_record(db)).filter(|base| *base != inst).collect()
}

/// Handles a base that depends on a member of the record itself; [`record`] reports it.
fn cyclic_bases<'db>(_db: &'db dyn Db, _id: salsa::Id, _inst: RecordInst<'db>) -> Vec<RecordInst<'db>> {
    Vec::new()
}

/// Returns whether a direct or indirect base of a record is unknown, so that its members are unknown too.
pub(crate) fn lacks_a_base<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    super::bases::are_too_many(db, inst) || lacks_a_base_in(db, inst, &mut FxHashSet::default())
}

fn lacks_a_base_in<'db>(db: &'db dyn Db, inst: RecordInst<'db>, seen: &mut FxHashSet<RecordInst<'db>>) -> bool {
    let Some(_level) = enter_base().filter(|_| seen.insert(inst)) else { return false };
    let Some(node) = record_node(db, definition::record(db, inst).record) else { return false };
    if node.record.bases.is_empty() {
        return false;
    }
    let bases = bases_of(db, inst);
    bases.len() < node.record.bases.len() || bases.iter().any(|base| lacks_a_base_in(db, *base, seen))
}

/// Returns the record or base that a name means inside a record. Each has its own name as a member (C++
/// \[class.pre\]).
pub(crate) fn own_name<'db>(db: &'db dyn Db, inst: RecordInst<'db>, segment: &Segment) -> Option<RecordInst<'db>> {
    if segment.args.is_some() { None } else { own_name_in(db, inst, &segment.name.text, &mut FxHashSet::default()) }
}

fn own_name_in<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    name: &str,
    seen: &mut FxHashSet<RecordInst<'db>>,
) -> Option<RecordInst<'db>> {
    let _level = enter_base().filter(|_| seen.insert(inst))?;
    if record_node(db, inst.record(db))?.record.name.as_ref()?.text == name {
        return Some(inst);
    }
    bases_of(db, inst).iter().find_map(|base| own_name_in(db, *base, name, seen))
}
