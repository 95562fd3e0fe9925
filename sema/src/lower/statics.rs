//! `static` variables of functions: one for each thread, shared by all calls. A constant initial value is the global's
//! own. Any other is computed when control first reaches the declaration; a second global records that.

use super::{Binding, Lower, Lowerer};
use crate::check::fold;
use crate::check::hir::{ExprId, ExprKind, LocalId};
use wgc_ir::{Constant, Global, GlobalKind, Stmt, Symbol, Type};

impl<'db> Lowerer<'db> {
    /// Lowers the declaration of a `static` local.
    pub(super) fn static_local(&mut self, local: LocalId, init: Option<ExprId>) -> Lower<()> {
        let decl = self.body.local(local);
        let ty = self.ir_type(decl.ty, decl.span)?;
        let name = self.static_name(local);
        let constant = match init {
            None => Some(Constant::Zero),
            Some(init) => self.constant(init),
        };
        let computed = init.filter(|_| constant.is_none());
        let place = self.private(name.clone(), ty, constant.unwrap_or(Constant::Zero));
        if decl.is_precise {
            self.b.set_precise(place);
        }
        self.locals.insert(local, Binding::Place(place));
        let Some(init) = computed else { return Some(()) };
        let done = self.private(format!("{name}.done").into(), Type::BOOL, Constant::Zero);
        let is_done = self.b.load(done);
        let first = self.nested(|this| {
            let value = this.value(init)?;
            this.b.store(place, value);
            let yes = this.b.const_bool(true);
            this.b.store(done, yes);
            Some(())
        })?;
        self.b.push(Stmt::if_(is_done, Vec::new(), first));
        Some(())
    }

    fn private(&mut self, name: Symbol, ty: Type, init: Constant) -> wgc_ir::ValueId {
        let global = Global { name, kind: GlobalKind::Private { ty, init: Some(init) } };
        let place = self.b.global_as(global.name.clone(), global.value_type());
        if !self.statics.contains(&global) {
            self.statics.push(global);
        }
        place
    }

    /// Returns the same name for all lowerings of the function, as they share the variable.
    fn static_name(&self, local: LocalId) -> Symbol {
        let name = &self.body.local(local).name;
        let before = self.body.locals[..local.0 as usize].iter().filter(|l| l.is_static && l.name == *name).count();
        let nth = if before == 0 { String::new() } else { format!("#{before}") };
        match self.instance {
            Some(f) => format!("{}.{name}{nth}", crate::check::symbol::plain(self.db, f)).into(),
            None => format!("{name}{nth}").into(),
        }
    }

    /// Evaluates a constant: scalars, and vectors, arrays and structures of them.
    fn constant(&mut self, id: ExprId) -> Option<Constant> {
        let expr = self.body.expr(id);
        if let Some(c) = fold::eval(self.db, self.body, id) {
            let scalar = crate::types::layout::ir_type(self.db, expr.ty).ok()?.scalar()?;
            return Some(Constant::Scalar(fold::constant(fold::number(c), scalar)));
        }
        match &expr.kind {
            ExprKind::Zero => Some(Constant::Zero),
            ExprKind::Compose(parts) => {
                let mut out = Vec::new();
                for part in parts {
                    let is_vector = matches!(self.body.expr(*part).ty.kind(self.db), crate::db::ty::TyKind::Vector(..));
                    let inside = matches!(expr.ty.kind(self.db), crate::db::ty::TyKind::Vector(..));
                    match self.constant(*part)? {
                        // The components of shorter vectors form a vector.
                        Constant::Composite(components) if is_vector && inside => out.extend(components),
                        Constant::Zero if is_vector && inside => return None,
                        constant => out.push(constant),
                    }
                }
                Some(Constant::Composite(out))
            }
            ExprKind::Splat(inner) => match crate::types::layout::ir_type(self.db, expr.ty).ok()? {
                Type::Vector(scalar, n) => {
                    let c = fold::eval(self.db, self.body, *inner)?;
                    let component = Constant::Scalar(fold::constant(fold::number(c), scalar));
                    Some(Constant::Composite(vec![component; usize::from(n)]))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
