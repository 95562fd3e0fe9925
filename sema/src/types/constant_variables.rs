//! The values of constant variables and of specialisation constants.

use crate::db::Db;
use crate::db::def::{Def, Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::var_node;
use crate::db::ty::{RecordInst, Ty};
use crate::tables::codes::Code;
use crate::types::const_eval::{ConstTree, Eval, NotConst};
use crate::types::cx::Cx;
use crate::types::globals::{GlobalKind, global};
use crate::types::instantiation::{MAX_INSTANTIATIONS, enter};
use crate::types::names::def_place;
use crate::types::spec_value::{Open, open_as};
use crate::types::specialise;
use wgc_frontend::ast::{ExprId, Span};

/// The reason why a variable has no constant value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub enum ConstError {
    /// It is an ordinary variable.
    NotConst,
    /// Its template needs a chain of instances that is too long.
    TooDeep,
    /// It should be constant, and a diagnostic explains why it is not.
    Wrong,
}

/// Returns the message for [`ConstError::TooDeep`].
pub fn too_deep() -> String {
    format!("this constant depends on a chain of more than {MAX_INSTANTIATIONS} others")
}

/// Returns the value of a `static const` variable, or the default of a specialisation constant. Its diagnostics come
/// from [`crate::types::globals::global`].
pub fn const_value<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    index: u32,
    owner: Option<RecordInst<'db>>,
) -> Result<&'db ConstTree, ConstError> {
    evaluate(db, item, index, owner).value.as_ref().map_err(|e| *e)
}

/// Returns the specialisation constants that a constant is or depends on. Its value here is that of compilation;
/// where no rule needs it at compile time, the program computes it.
pub fn specialised_by<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Vec<VarId<'db>> {
    match var_node(db, var).is_some_and(|n| specialise::is_specialised(&n)) {
        true => vec![var],
        false => evaluate(db, var.item, var.index, owner).specialised.clone(),
    }
}

/// A variable's initialiser as a constant.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Evaluated<'db> {
    pub value: Result<ConstTree, ConstError>,
    /// Specialisation constants that it depends on, through other constants too.
    specialised: Vec<VarId<'db>>,
    /// The expression over them, if the value can stay open.
    pub(crate) open: Option<Open<'db>>,
    /// The part that is not constant, and why, if the variable would otherwise be one.
    pub(crate) because: Option<Box<(SourcePlace<'db>, String)>>,
    /// The errors in it.
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl<'db> Evaluated<'db> {
    fn no(error: ConstError, diagnostics: Vec<Diagnostic<'db>>) -> Self {
        Evaluated { value: Err(error), specialised: Vec::new(), open: None, because: None, diagnostics }
    }
}

#[salsa::tracked(returns(ref), cycle_result = cyclic_value)]
pub fn evaluate<'db>(db: &'db dyn Db, item: Item<'db>, index: u32, owner: Option<RecordInst<'db>>) -> Evaluated<'db> {
    let not_const = Evaluated::no(ConstError::NotConst, Vec::new());
    let Some(node) = var_node(db, VarId { item, index }) else { return not_const };
    let has = |word: &str| node.tree.ast.types[node.ty].modifiers.iter().any(|m| m.text == word);
    let specialised = specialise::is_specialised(&node);
    let text = crate::types::definition::variable(db, VarId { item, index }, owner);
    let Some(value) = var_node(db, text.var) else { return not_const };
    let Some(init) = value.declarator.init else { return not_const };
    let fixed = has("const") && has("static");
    if !specialised && !fixed {
        return not_const;
    }
    let env = crate::types::record::env_of(db, owner);
    let mut cx = Cx::head(db, item, &node.tree.ast, &env).with_owner(owner);
    let base = cx.ty(node.ty);
    let ty = cx.declared_ty(base, node.declarator);
    if ty.is_error(db) {
        return Evaluated::no(ConstError::Wrong, Vec::new()); // `global` reports the type
    }
    cx.errors.clear();
    let mut cx = Cx::head(db, text.var.item, &value.tree.ast, &text.env).with_owner(owner);
    let ty = crate::types::globals::complete_array(&mut cx, ty, init);
    cx.errors.clear();
    let Some(_level) = enter() else { return Evaluated::no(ConstError::TooDeep, Vec::new()) };
    let value = cx.eval_as(ty, init);
    evaluated(cx, VarId { item, index }, (ty, init), value, (specialised, fixed))
}

/// Returns the result of [`evaluate`] for the value of an initialiser. It is a function of its own because chains of
/// constants nest deeply, and `evaluate` then needs less of the stack.
fn evaluated<'db>(
    mut cx: Cx<'_, 'db>,
    var: VarId<'db>,
    (ty, init): (Ty<'db>, ExprId),
    value: Eval<'db, ConstTree>,
    (specialised, is_fixed): (bool, bool),
) -> Evaluated<'db> {
    let db = cx.db;
    let span = cx.ast.exprs[init].span;
    if specialised {
        specialise::depends(&mut cx, span);
    }
    let by = std::mem::take(&mut cx.specialised);
    let mut because = None;
    let value = match value {
        Ok(ConstTree::Scalar(default)) if specialised => match specialise::given(db, var, default.scalar()) {
            None => Ok(ConstTree::Scalar(default)),
            Some(Ok(value)) => Ok(ConstTree::Scalar(value)),
            Some(Err(message)) => {
                cx.error(Code::SpecialisationConstant, span, message);
                Err(ConstError::Wrong)
            }
        },
        Ok(tree) => Ok(tree),
        Err(NotConst::Reported) => Err(ConstError::Wrong),
        Err(NotConst::TooDeep) => Err(ConstError::TooDeep),
        // Some constant variables have no value that is known here: `static const float x = sqrt(2);` is valid.
        Err(NotConst::Because(at, why)) => {
            because = Some(Box::new((cx.place(at), why)));
            Err(ConstError::NotConst)
        }
        Err(NotConst::Variable(at, _, other)) => {
            because = Some(Box::new((cx.place(at), not_constant_message(db, other))));
            Err(ConstError::NotConst)
        }
    };
    let open = match &value {
        Ok(value) if is_fixed && !by.is_empty() => open_as(&mut cx, ty, init, value),
        _ => None,
    };
    let specialised = if value.is_ok() { by } else { Vec::new() };
    Evaluated { value, specialised, open, because, diagnostics: cx.errors }
}

fn cyclic_value<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    item: Item<'db>,
    index: u32,
    _owner: Option<RecordInst<'db>>,
) -> Evaluated<'db> {
    let place = crate::types::names::def_place(db, Def::Var(VarId { item, index }));
    let error =
        place.map(|p| Diagnostic::new(Code::CyclicDefinition, p, "the definition of this variable depends on itself"));
    Evaluated::no(ConstError::Wrong, error.into_iter().collect())
}

/// Returns the message about a variable that is not a constant.
fn not_constant_message<'db>(db: &'db dyn Db, var: VarId<'db>) -> String {
    let name = var_node(db, var).map_or("", |node| node.declarator.name.text.as_str());
    format!("`{name}` is not a constant")
}

impl<'db> Cx<'_, 'db> {
    /// Reports that a constant expression uses a variable, with the part of the declaration that is to blame.
    pub(super) fn not_constant(&mut self, span: Span, owner: Option<RecordInst<'db>>, var: VarId<'db>) {
        let wrong = Diagnostic::new(Code::NotConstant, self.place(span), not_constant_message(self.db, var));
        let because = evaluate(self.db, var.item, var.index, owner).because.clone();
        let because = because.or_else(|| {
            let node = var_node(self.db, var)?;
            let has = |word: &str| node.tree.ast.types[node.ty].modifiers.iter().any(|m| m.text == word);
            let declared = match global(self.db, var, owner)?.kind {
                GlobalKind::CBufferMember(_) => "declared here, in a constant buffer",
                _ if has("static") && has("const") => "declared here without a value",
                _ => "declared here without `static const`",
            };
            Some(Box::new((def_place(self.db, Def::Var(var))?, declared.to_string())))
        });
        self.errors.push(match because {
            Some(because) => wrong.also(because.0, because.1),
            None => wrong,
        });
    }
}
