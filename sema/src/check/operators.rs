//! Operators: their operand types, common types and results.

use super::Checker;
use super::fold;
use super::hir::{Category, ExprId, ExprKind, ReadOnly, UnaryOp};
use crate::db::ty::{Scalar, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::numeric::{self, Comp, Num};
use wgc_frontend::ast::{self, Span};
use wgc_ir::BinaryOp;

/// The operand requirements of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Numbers; bool counts as int.
    Arithmetic,
    /// Integers; bool counts as int.
    Bits,
    /// Integers; the left side keeps its type.
    Shift,
    /// Numbers, compared to bool.
    Order,
    /// Anything with numbers, bool included, compared to bool.
    Equality,
    /// Scalars, as truth values.
    Logic,
}

/// Returns spelling, meaning and requirements of a binary operator.
fn binary_row(op: ast::BinaryOp) -> (&'static str, Option<BinaryOp>, Class) {
    use ast::BinaryOp as A;
    match op {
        A::Mul => ("*", Some(BinaryOp::Mul), Class::Arithmetic),
        A::Div => ("/", Some(BinaryOp::Div), Class::Arithmetic),
        A::Rem => ("%", Some(BinaryOp::Rem), Class::Arithmetic),
        A::Add => ("+", Some(BinaryOp::Add), Class::Arithmetic),
        A::Sub => ("-", Some(BinaryOp::Sub), Class::Arithmetic),
        A::Shl => ("<<", Some(BinaryOp::Shl), Class::Shift),
        A::Shr => (">>", Some(BinaryOp::Shr), Class::Shift),
        A::Lt => ("<", Some(BinaryOp::Lt), Class::Order),
        A::Gt => (">", Some(BinaryOp::Gt), Class::Order),
        A::Le => ("<=", Some(BinaryOp::Le), Class::Order),
        A::Ge => (">=", Some(BinaryOp::Ge), Class::Order),
        A::Eq => ("==", Some(BinaryOp::Eq), Class::Equality),
        A::Ne => ("!=", Some(BinaryOp::Ne), Class::Equality),
        A::BitAnd => ("&", Some(BinaryOp::And), Class::Bits),
        A::BitXor => ("^", Some(BinaryOp::Xor), Class::Bits),
        A::BitOr => ("|", Some(BinaryOp::Or), Class::Bits),
        A::And => ("&&", None, Class::Logic),
        A::Or => ("||", None, Class::Logic),
    }
}

impl<'db> Checker<'_, 'db> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: ast::ExprId, span: Span) -> ExprId {
        match op {
            ast::UnaryOp::PreInc | ast::UnaryOp::PreDec => {
                return self.step(op == ast::UnaryOp::PreInc, false, operand, span);
            }
            _ => {}
        }
        let operand = self.expr(operand);
        let ty = self.ty(operand);
        if self.is_error(ty) {
            return operand;
        }
        if let Some(call) = self.overloaded(op.text(), operand, Vec::new(), span) {
            return call;
        }
        let operand = self.promoted(operand);
        let ty = self.ty(operand);
        let (symbol, op, fits): (_, _, fn(Comp) -> bool) = match op {
            ast::UnaryOp::Neg => ("-", Some(UnaryOp::Neg), |_| true),
            ast::UnaryOp::Not => ("!", Some(UnaryOp::Not), |_| true),
            ast::UnaryOp::BitNot => ("~", Some(UnaryOp::BitNot), |c| !c.is_float()),
            _ => ("+", None, |_| true),
        };
        let Some(num) = self.num(ty).filter(|n| fits(n.comp)) else {
            let message = format!("`{symbol}` does not accept `{}`", self.show(ty));
            return self.error(Code::BadOperand, span, message);
        };
        let comp = match op {
            Some(UnaryOp::Not) => Comp::Of(Scalar::Bool),
            _ if num.comp.is_bool() => Comp::Of(Scalar::I32),
            _ if self.is_choice(operand) => Comp::Of(num.comp.settled()),
            _ => num.comp,
        };
        let ty = self.num_ty(Num { comp, ..num });
        let operand = self.convert(operand, ty);
        let Some(op) = op else { return self.as_value(operand) };
        if let (ExprKind::Const(c), UnaryOp::Neg | UnaryOp::BitNot) = (&self.body.expr(operand).kind, op) {
            let n = match (op, fold::number(*c)) {
                (UnaryOp::BitNot, fold::Number::Int(i)) => fold::Number::Int(!i),
                (_, fold::Number::Int(i)) => fold::Number::Int(-i),
                (_, fold::Number::Float(f)) => fold::Number::Float(-f),
            };
            let c = fold::constant(n, c.ty);
            return self.value(ExprKind::Const(c), ty, span);
        }
        self.value(ExprKind::Unary { op, operand }, ty, span)
    }

    /// Checks `++x` and `x--`.
    pub(super) fn step(&mut self, increment: bool, post: bool, operand: ast::ExprId, span: Span) -> ExprId {
        let place = self.expr(operand);
        let ty = self.ty(place);
        if self.is_error(ty) {
            return place;
        }
        let symbol = if increment { "++" } else { "--" };
        if self.num(ty).is_none_or(|n| n.comp.is_bool()) || matches!(ty.kind(self.db), TyKind::Enum(_)) {
            let message = format!("`{symbol}` does not accept `{}`", self.show(ty));
            return self.error(Code::BadOperand, span, message);
        }
        if !self.must_be_place(place, &format!("the operand of `{symbol}`")) {
            return self.error_expr(span);
        }
        let category = if post { Category::Value } else { self.category(place) };
        self.expr_in(ExprKind::Step { increment, post, place }, ty, category, span)
    }

    pub(super) fn binary(&mut self, op: ast::BinaryOp, lhs: ast::ExprId, rhs: ast::ExprId, span: Span) -> ExprId {
        let (lhs, rhs) = (self.expr(lhs), self.expr(rhs));
        self.binary_of(op, lhs, rhs, span)
    }

    fn binary_of(&mut self, op: ast::BinaryOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (symbol, ir, class) = binary_row(op);
        if self.is_error(self.ty(lhs)) || self.is_error(self.ty(rhs)) {
            return self.error_expr(span);
        }
        if let Some(call) = self.overloaded(symbol, lhs, vec![rhs], span) {
            return call;
        }
        let Some(ir) = ir.filter(|_| class != Class::Logic) else {
            if self.is_before_2021() {
                return self.logic_by_components(op, lhs, rhs, span);
            }
            // After a mistake in the left side, the right side is not checked.
            let Some(lhs) = self.truth(lhs, symbol) else { return self.error_expr(span) };
            let Some(rhs) = self.truth(rhs, symbol) else { return self.error_expr(span) };
            let ty = self.scalar_ty(Scalar::Bool);
            return self.value(ExprKind::Logical { and: op == ast::BinaryOp::And, lhs, rhs }, ty, span);
        };
        let given = (self.ty(lhs), self.ty(rhs));
        let Some((lhs, rhs)) = self.operands(symbol, class, lhs, rhs, span) else { return self.error_expr(span) };
        // An operator on two values of an unscoped enum returns that enum, unless they are promoted.
        let enumerated = (given.0 == given.1 && matches!(class, Class::Arithmetic | Class::Bits)).then_some(given.0);
        let enumerated = enumerated.filter(|ty| matches!(ty.kind(self.db), TyKind::Enum(_)) && !self.is_promoted(*ty));
        let result = self.computed(ir, class, lhs, rhs, span);
        enumerated.map_or(result, |ty| self.convert(result, ty))
    }

    /// Builds a binary operator whose operands already have the working type.
    fn computed(&mut self, ir: BinaryOp, class: Class, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let ty = self.ty(lhs);
        let num = self.num_or_enum(ty);
        let ty = match (class, num) {
            (Class::Order | Class::Equality, Some(n)) => self.num_ty(Num { comp: Comp::Of(Scalar::Bool), ..n }),
            _ => ty,
        };
        if let (ExprKind::Const(a), ExprKind::Const(b)) = (&self.body.expr(lhs).kind, &self.body.expr(rhs).kind) {
            let count = match class {
                Class::Shift => fold::Number::Int(i128::from(b.bits & u64::from(a.ty.size() * 8 - 1))),
                _ => fold::number(*b),
            };
            if let Some(n) = fold::binary(ir, fold::number(*a), count) {
                let c = fold::constant(n, self.storage_scalar(ty));
                return self.value(ExprKind::Const(c), ty, span);
            }
        }
        self.value(ExprKind::Binary { op: ir, lhs, rhs }, ty, span)
    }

    /// Calls the operator that the object's record defines; `None` if it defines none.
    pub(super) fn overloaded(&mut self, symbol: &str, object: ExprId, args: Vec<ExprId>, span: Span) -> Option<ExprId> {
        let TyKind::Record(record) = self.ty(object).kind(self.db) else { return None };
        let name = format!("operator{symbol}");
        let methods = super::env::methods(self.db, *record, &name);
        // `-a` and `a - b` share a name.
        let takes = |f: crate::db::def::FnId<'db>| super::env::arity(self.db, f).1 == args.len();
        if methods.is_empty() || symbol != "()" && !methods.iter().any(|(_, f)| takes(*f)) {
            return None;
        }
        Some(self.call_method(object, &name, methods, &[], args, span))
    }

    /// Promotes an operand that is an unscoped enum of 16 bits to `int` (C++ [conv.prom]).
    fn promoted(&mut self, id: ExprId) -> ExprId {
        if self.is_promoted(self.ty(id)) { self.convert(id, self.scalar_ty(Scalar::I32)) } else { id }
    }

    fn is_promoted(&self, ty: crate::db::ty::Ty<'db>) -> bool {
        let TyKind::Enum(e) = ty.kind(self.db) else { return false };
        let is_short = matches!(super::env::enum_scalar(self.db, *e), Scalar::I16 | Scalar::U16);
        is_short && !crate::types::enum_values::enum_is_scoped(self.db, *e)
    }

    /// Converts both operands to the type that the operator works in.
    fn operands(
        &mut self,
        symbol: &str,
        class: Class,
        lhs: ExprId,
        rhs: ExprId,
        span: Span,
    ) -> Option<(ExprId, ExprId)> {
        let (lt, rt) = (self.ty(lhs), self.ty(rhs));
        // Two values of one enum are comparable, scoped or not.
        if class == Class::Equality && lt == rt && matches!(lt.kind(self.db), TyKind::Enum(_)) {
            return Some((lhs, rhs));
        }
        let (lhs, rhs) = (self.promoted(lhs), self.promoted(rhs));
        let nums = self.num(self.ty(lhs)).zip(self.num(self.ty(rhs)));
        let fits = |n: Num| match class {
            Class::Bits | Class::Shift => !n.comp.is_float(),
            _ => true,
        };
        let meeting = nums.filter(|(a, b)| fits(*a) && fits(*b));
        let Some(((a, b), shape)) = meeting.and_then(|(a, b)| Some(((a, b), numeric::common_shape(a.shape, b.shape)?)))
        else {
            let message = format!("`{symbol}` does not accept `{}` and `{}`", self.show(lt), self.show(rt));
            let mut diagnostic = self.diagnostic(Code::BadOperand, span, message);
            if let TyKind::Record(record) = lt.kind(self.db)
                && !super::env::methods(self.db, *record, &format!("operator{symbol}")).is_empty()
            {
                // Only `a += b` gets here, and it does not use that operator.
                let note = format!("`operator{symbol}` does not define `{symbol}=`: write `a = a {symbol} b`");
                diagnostic = diagnostic.note(note);
            }
            self.report(diagnostic);
            return None;
        };
        let number = |c: Comp| if c.is_bool() { Comp::Of(Scalar::I32) } else { c };
        let (a, b) = match class {
            Class::Equality => (a, b),
            _ => (Num { comp: number(a.comp), ..a }, Num { comp: number(b.comp), ..b }),
        };
        let mut meet = Num { comp: numeric::common_component(a.comp, b.comp), shape };
        if class == Class::Shift {
            // A literal shifted by a `uint` becomes a `uint`; shifted by another number, an `int`.
            meet.comp = match (a.comp, b.comp) {
                (Comp::LitInt, Comp::Of(Scalar::U32)) => Comp::Of(Scalar::U32),
                (Comp::LitInt, Comp::Of(_)) => Comp::Of(Scalar::I32),
                (comp, _) => comp,
            };
        }
        if meet.comp.is_literal() && (self.is_choice(lhs) || self.is_choice(rhs)) {
            // No other operand decides the type at run time.
            meet.comp = Comp::Of(meet.comp.settled());
        }
        if symbol == "%" && meet.comp == Comp::Of(Scalar::F64) {
            let message = format!(
                "`%` does not accept `{}` and `{}`: it has no version for doubles",
                self.show(lt),
                self.show(rt)
            );
            let diagnostic = self.diagnostic(Code::BadOperand, span, message);
            self.report(diagnostic.note("write `a - b * trunc(a / b)` if the quotient is not large"));
            return None;
        }
        let drops = |n: Num| n.components() > 1 && n.components() > shape.components();
        if drops(a) || drops(b) {
            let message = format!("`{symbol}` drops components: `{}` and `{}`", self.show(lt), self.show(rt));
            self.error(Code::Truncation, span, message);
        }
        let ty = self.num_ty(meet);
        Some((self.convert(lhs, ty), self.convert(rhs, ty)))
    }

    /// Converts a scalar to a truth value. Vectors are rejected, since the operator decides which operands are
    /// evaluated.
    fn truth(&mut self, id: ExprId, symbol: &str) -> Option<ExprId> {
        let ty = self.ty(id);
        let instead = match symbol {
            "&&" => "`and(a, b)`",
            "||" => "`or(a, b)`",
            _ => "`select(condition, a, b)`",
        };
        match self.num(ty) {
            Some(n) if n.components() == 1 => {
                let bool_ty = self.scalar_ty(Scalar::Bool);
                Some(self.convert(id, bool_ty))
            }
            Some(_) => {
                let message = format!("`{symbol}` needs scalars, not `{}`", self.show(ty));
                let diagnostic = self.diagnostic(Code::ScalarCondition, self.span(id), message);
                self.report(diagnostic.note(format!("use component-wise {instead}")));
                None
            }
            None => {
                let message = format!("`{}` is not a `bool`", self.show(ty));
                self.error(Code::TypeMismatch, self.span(id), message);
                None
            }
        }
    }

    /// Checks the condition of a statement.
    pub(super) fn condition(&mut self, id: ast::ExprId) -> ExprId {
        self.assigned_condition(id);
        let id = self.expr(id);
        let ty = self.ty(id);
        if self.is_error(ty) {
            return id;
        }
        match self.num(ty) {
            Some(n) if n.components() == 1 => {
                let bool_ty = self.scalar_ty(Scalar::Bool);
                self.convert(id, bool_ty)
            }
            Some(_) => {
                let message = format!("a condition must be one `bool`, not `{}`", self.show(ty));
                let diagnostic = self.diagnostic(Code::ScalarCondition, self.span(id), message);
                self.report(diagnostic.note("reduce it with `any(..)` or `all(..)`"));
                self.error_expr(self.span(id))
            }
            None => {
                let message = format!("a condition must be a `bool`, not `{}`", self.show(ty));
                self.error(Code::TypeMismatch, self.span(id), message)
            }
        }
    }

    pub(super) fn cond(&mut self, cond: ast::ExprId, then: ast::ExprId, otherwise: ast::ExprId, span: Span) -> ExprId {
        let cond = self.expr(cond);
        let (mut then, mut otherwise) = (self.expr(then), self.expr(otherwise));
        if self.ty(then) != self.ty(otherwise) {
            (then, otherwise) = (self.promoted(then), self.promoted(otherwise));
        }
        let (a, b) = (self.ty(then), self.ty(otherwise));
        if [self.ty(cond), a, b].iter().any(|t| self.is_error(*t)) {
            return self.error_expr(span);
        }
        if self.is_before_2021()
            && let (Some(c), Some(x), Some(y)) =
                (self.num_or_enum(self.ty(cond)), self.num_or_enum(a), self.num_or_enum(b))
        {
            return self.choice_by_components((cond, c), (then, x), (otherwise, y), span);
        }
        let Some(cond) = self.truth(cond, "?:") else { return self.error_expr(span) };
        let ty = match (self.num(a), self.num(b)) {
            _ if a == b => a,
            (Some(x), Some(y)) if numeric::common(x, y).is_some() => {
                numeric::common(x, y).map_or(a, |meet| self.num_ty(meet))
            }
            // An element of a heap takes the type of the other alternative.
            _ if self.lies_in_heap(a, b) => b,
            _ if self.lies_in_heap(b, a) => a,
            _ => {
                let message = format!("the alternatives are `{}` and `{}`", self.show(a), self.show(b));
                return self.error(Code::TypeMismatch, span, message);
            }
        };
        let is_element = matches!(self.builtin(ty), Some(Builtin::HeapElement(_)));
        if matches!(ty.kind(self.db), TyKind::Void) || self.is_object(ty) && !self.is_resource(ty) && !is_element {
            let message = format!("`?:` does not accept values of type `{}`", self.show(ty));
            let wrong = self.diagnostic(Code::BadOperand, span, message);
            let instead = match self.builtin(ty) {
                Some(Builtin::OutputRecords(_)) => "declare the handle, and assign it in both branches of an `if`",
                Some(Builtin::Output { .. }) => {
                    "use each output in a branch of an `if`, or declare one array of outputs and choose the index"
                }
                Some(Builtin::Input(_) | Builtin::RayQuery) => "use each in a branch of an `if`",
                _ => "write an `if`",
            };
            self.report(wrong.note(instead));
            return self.error_expr(span);
        }
        // A choice between literals remains a literal until its use: `convert` then converts the alternatives.
        let (then, otherwise) =
            (self.coerce(then, ty, "the alternative"), self.coerce(otherwise, ty, "the alternative"));
        self.value(ExprKind::Cond { cond, then, otherwise }, ty, span)
    }

    /// Returns whether an expression only passes on a value that is computed at run time.
    fn is_choice(&self, id: ExprId) -> bool {
        matches!(self.body.expr(id).kind, ExprKind::Cond { .. } | ExprKind::Comma { .. })
    }

    /// Returns whether the language version is older than HLSL 2021.
    pub(super) fn is_before_2021(&self) -> bool {
        self.item.program(self.db).options(self.db).hlsl_version.is_some_and(|year| year < 2021)
    }

    /// Checks `&&` and `||` before HLSL 2021.
    fn logic_by_components(&mut self, op: ast::BinaryOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (symbol, ..) = binary_row(op);
        let Some((lhs, rhs)) = self.operands(symbol, Class::Equality, lhs, rhs, span) else {
            return self.error_expr(span);
        };
        let Some(shape) = self.num_or_enum(self.ty(lhs)).map(|n| n.shape) else { return self.error_expr(span) };
        let truth = self.num_ty(Num { comp: Comp::Of(Scalar::Bool), shape });
        let (lhs, rhs) = (self.convert(lhs, truth), self.convert(rhs, truth));
        let op = if op == ast::BinaryOp::And { BinaryOp::And } else { BinaryOp::Or };
        self.value(ExprKind::Binary { op, lhs, rhs }, truth, span)
    }

    /// Checks `?:` of numbers before HLSL 2021.
    fn choice_by_components(
        &mut self,
        (cond, c): (ExprId, Num),
        (then, x): (ExprId, Num),
        (otherwise, y): (ExprId, Num),
        span: Span,
    ) -> ExprId {
        let (a, b) = (self.ty(then), self.ty(otherwise));
        // A scalar condition chooses whole values, a vector condition chooses between as many components.
        let shape = numeric::common_shape(x.shape, y.shape).and_then(|arms| numeric::common_shape(c.shape, arms));
        let dropped = |shape: numeric::Shape| {
            [c, x, y].iter().any(|n| n.components() > 1 && n.components() != shape.components())
        };
        let Some(shape) = shape.filter(|shape| !dropped(*shape)) else {
            let message = format!(
                "`?:` with condition `{}` does not accept `{}` and `{}`",
                self.show(self.ty(cond)),
                self.show(a),
                self.show(b)
            );
            return self.error(Code::BadOperand, span, message);
        };
        let ty = if a == b && x.shape == shape {
            self.settled(a)
        } else {
            let ty = self.num_ty(Num { comp: numeric::common_component(x.comp, y.comp), shape });
            self.settled(ty)
        };
        let truth = self.num_ty(Num { comp: Comp::Of(Scalar::Bool), shape });
        let cond = self.convert(cond, truth);
        let (then, otherwise) =
            (self.coerce(then, ty, "the alternative"), self.coerce(otherwise, ty, "the alternative"));
        self.value(ExprKind::Select { cond, then, otherwise }, ty, span)
    }

    pub(super) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        lhs: ast::ExprId,
        rhs: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let place = self.expr(lhs);
        let ty = self.ty(place);
        if op.is_none() && matches!(self.ast.exprs[rhs].kind, ast::ExprKind::List(_)) {
            let message =
                "an initialiser list is only allowed in a declaration: write a cast or a constructor".to_string();
            return self.error(Code::BadInitializer, span, message);
        }
        let value = self.expr(rhs);
        if self.is_error(ty) || self.is_error(self.ty(value)) {
            return self.error_expr(span);
        }
        if !self.must_be_place(place, "the target of the assignment") {
            return self.error_expr(span);
        }
        let Some(op) = op else {
            if crate::types::extent::extent(self.db, ty).has_query {
                return self.unsupported(span, "a copy of a ray query");
            }
            let value = self.coerce(value, ty, "the assigned value");
            return self.expr_in(ExprKind::Assign { place, value }, ty, self.category(place), span);
        };
        let (symbol, ir, class) = binary_row(op);
        let (Some(ir), false) = (ir, matches!(ty.kind(self.db), TyKind::Enum(_))) else {
            return self.error(Code::BadOperand, span, format!("`{symbol}=` does not accept `{}`", self.show(ty)));
        };
        let is_bool = self.num(ty).is_some_and(|n| n.comp.is_bool());
        if is_bool && !matches!(ir, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            let message = format!("`{symbol}=` does not accept `{}`: a `bool` is not a number", self.show(ty));
            return self.error(Code::BadOperand, span, message);
        }
        // The operator works in the common type; the place keeps its own.
        let Some((read, value)) = self.operands(symbol, class, place, value, span) else {
            return self.error_expr(span);
        };
        let (Some(target), Some(work)) = (self.num(ty), self.num(self.ty(read))) else { return self.error_expr(span) };
        if numeric::shape_distance(work.shape, target.shape).is_none() {
            let message = format!("`{symbol}=` would drop components of `{}`", self.show(ty));
            return self.error(Code::BadOperand, span, message);
        }
        self.expr_in(ExprKind::AssignOp { op: ir, place, value }, ty, self.category(place), span)
    }

    /// Checks that the expression is writable; reports the reason if not.
    pub(super) fn must_be_place(&mut self, id: ExprId, what: &str) -> bool {
        let span = self.span(id);
        match self.category(id) {
            Category::Place => true,
            Category::Value => {
                let is_global = matches!(self.body.expr(id).kind, ExprKind::Global(..));
                let object = self.builtin(self.ty(id));
                let message = match is_global && object.is_some() {
                    true => format!("{what} is a resource that the host binds"),
                    false => format!("{what} is a value, not a variable"),
                };
                let wrong = self.diagnostic(Code::NotAPlace, span, message);
                self.report(match object {
                    Some(object) if object.is_node_object() => wrong
                        .note("a node object cannot be reassigned: pass it to a function without `out` and `inout`"),
                    Some(_) if is_global => wrong.note("use a `static` variable, which can stand for any resource"),
                    _ => wrong,
                });
                false
            }
            Category::ReadOnly(why) => {
                let (reason, note) = match why {
                    ReadOnly::Const => ("is const", None),
                    ReadOnly::Record => {
                        ("belongs to a read-only input record", Some("declare the input as RW.. to write its records"))
                    }
                    ReadOnly::Resource => ("belongs to a read-only resource", None),
                    ReadOnly::Swizzle => ("repeats a component", None),
                    ReadOnly::This => ("is a member in a const method", None),
                };
                let code = if why == ReadOnly::Swizzle { Code::BadSwizzle } else { Code::ReadOnly };
                let mut diagnostic = self.diagnostic(code, span, format!("{what} {reason}"));
                if let Some(note) = note {
                    diagnostic = diagnostic.note(note);
                }
                if let Some(place) = self.global_of(id) {
                    diagnostic = diagnostic.also(place, "declared here");
                }
                self.report(diagnostic);
                false
            }
        }
    }

    /// Returns the declaration of the global that an expression is, or is a part of.
    fn global_of(&self, mut id: ExprId) -> Option<crate::db::def::SourcePlace<'db>> {
        loop {
            id = match &self.body.expr(id).kind {
                ExprKind::Global(var, owner) => {
                    return Some(crate::types::globals::global(self.db, *var, *owner)?.place);
                }
                ExprKind::Op { object: Some(base), .. } => *base,
                ExprKind::Base(base)
                | ExprKind::Contents(base)
                | ExprKind::Field { base, .. }
                | ExprKind::Bits { base, .. }
                | ExprKind::Index { base, .. }
                | ExprKind::Swizzle { base, .. }
                | ExprKind::Elements { base, .. } => *base,
                _ => return None,
            };
        }
    }
}
