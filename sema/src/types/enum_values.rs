//! The values of enums: explicit, or one more than the previous value.

use crate::db::Db;
use crate::db::def::{Def, EnumId, Item, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{enum_node, item_tree};
use crate::db::ty::Local;
use crate::db::ty::{RecordInst, Repr as Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use crate::tables::constant::{Const, wrap};
use crate::types::constant_variables::too_deep;
use crate::types::cx::{Cx, Locals};
use crate::types::instantiation::enter;
use crate::types::names::def_place;

/// The values of an enum.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct EnumValues<'db> {
    pub scalar: Scalar,
    /// In the order of the text; `None` where a diagnostic explains the error.
    pub values: Vec<Option<Const>>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl EnumValues<'_> {
    /// Converts a value to an operand: an `int` if the enum has 16 bits (C++ [conv.prom]).
    pub(crate) fn promoted(&self, value: Const) -> Const {
        if matches!(self.scalar, Scalar::I16 | Scalar::U16) { value.cast(Scalar::I32) } else { value }
    }
}

/// The values of an enum so far; later ones may use their names.
struct Earlier<'db> {
    /// The type of all of them until the enum is complete.
    ty: Ty<'db>,
    known: Vec<(String, Option<Const>)>,
}

impl<'db> Locals<'db> for Earlier<'db> {
    fn find(&self, name: &str) -> Option<Local<'db>> {
        self.known.iter().find(|(n, _)| n == name).map(|(_, value)| match value {
            Some(value) => Local::Constant(self.ty, *value),
            None => Local::Variable,
        })
    }
}

pub fn enum_values<'db>(db: &'db dyn Db, id: EnumId<'db>) -> &'db EnumValues<'db> {
    values_of(db, id.item, id.index, id.owner)
}

/// Returns the errors in the values if they depend on arguments of a template. Every other enum is checked
/// separately.
pub fn wrong_in_instance<'db>(db: &'db dyn Db, id: EnumId<'db>) -> &'db [Diagnostic<'db>] {
    let depends = id.owner.is_some_and(|owner| !owner.args(db).is_empty());
    if depends { &enum_values(db, id).diagnostics } else { &[] }
}

#[salsa::tracked(returns(ref), cycle_result = cyclic_enum)]
fn values_of<'db>(db: &'db dyn Db, item: Item<'db>, index: u32, owner: Option<RecordInst<'db>>) -> EnumValues<'db> {
    let mut out = EnumValues { scalar: Scalar::I32, values: Vec::new(), diagnostics: Vec::new() };
    let Some(node) = enum_node(db, EnumId { item, index, owner }) else { return out };
    let tree = item_tree(db, item);
    let env = crate::types::record::env_of(db, owner);
    // Instances of templates may need each other.
    let Some(_level) = enter() else {
        let place = place(db, EnumId { item, index, owner });
        let error = place.map(|p| Diagnostic::new(Code::NestingTooDeep, p, too_deep()));
        out.diagnostics.extend(error);
        out.values = vec![None; node.def.values.len()];
        return out;
    };
    if let Some(base) = node.def.base {
        let mut cx = Cx::head(db, item, &tree.ast, &env).with_owner(owner);
        match cx.ty(base).kind(db) {
            TyKind::Scalar(s) if s.is_integer() || s.repr() == Scalar::Bool => out.scalar = s.repr(),
            TyKind::Error => {}
            _ => cx.error(Code::NotAType, tree.ast.types[base].span, "the type of an enum must be an integer"),
        }
        out.diagnostics.append(&mut cx.errors);
    }
    let mut earlier = Earlier { ty: Ty::scalar_ty(db, crate::db::ty::Scalar::of(out.scalar)), known: Vec::new() };
    let mut next = Some(0);
    for (name, init) in &node.def.values {
        let value = match init {
            None => next,
            Some(expr) => {
                let mut cx = Cx::head(db, item, &tree.ast, &env).with_owner(owner);
                cx.locals = Some(&earlier);
                let value = cx.constant(*expr).and_then(|c| c.to_int());
                out.diagnostics.append(&mut cx.errors);
                value
            }
        };
        let value = value.map(|v| Const::Int { value: wrap(v, Some(out.scalar)), scalar: Some(out.scalar) });
        next = value.and_then(|v| v.to_int()).map(|v| v + 1);
        earlier.known.push((name.text.to_string(), value));
        out.values.push(value);
    }
    out
}

/// Returns the location of its name, or of the name of its first value.
fn place<'db>(db: &'db dyn Db, id: EnumId<'db>) -> Option<SourcePlace<'db>> {
    def_place(db, Def::Enum(id)).or_else(|| def_place(db, Def::EnumValue(id, 0)))
}

fn cyclic_enum<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    item: Item<'db>,
    index: u32,
    owner: Option<RecordInst<'db>>,
) -> EnumValues<'db> {
    let place = place(db, EnumId { item, index, owner });
    let error = place.map(|p| Diagnostic::new(Code::CyclicDefinition, p, "a value of this enum depends on itself"));
    EnumValues { scalar: Scalar::I32, values: Vec::new(), diagnostics: error.into_iter().collect() }
}

pub fn enum_is_scoped<'db>(db: &'db dyn Db, e: EnumId<'db>) -> bool {
    enum_node(db, e).is_some_and(|n| n.def.scoped)
}
