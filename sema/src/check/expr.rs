//! Expressions: literals, names, members and elements; other modules handle the rest.

use super::Checker;
use super::env;
use super::fold;
use super::hir::{Category, ExprId, ExprKind, ReadOnly};
use super::resolve::Meaning;
use crate::db::def::{Def, FnId};
use crate::db::ty::{FnInst, RecordInst, Repr, Scalar, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::cx::PathTarget;
use crate::types::name_uses::Symbol;
use wgc_frontend::ast::{self, Span};
use wgc_ir::ScalarConst;

impl<'db> Checker<'_, 'db> {
    /// Checks an expression that has a value.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        let expr = self.expr_any(id);
        if matches!(self.ty(expr).kind(self.db), TyKind::Void) {
            return self.error(Code::TypeMismatch, self.span(expr), "this call does not return a value".to_string());
        }
        expr
    }

    /// Checks an expression that may be a call without a value.
    pub(super) fn expr_any(&mut self, id: ast::ExprId) -> ExprId {
        let ast = self.ast;
        let span = ast.exprs[id].span;
        match &ast.exprs[id].kind {
            ast::ExprKind::Error => self.error_expr(span),
            ast::ExprKind::Paren(inner) => self.expr_any(*inner),
            ast::ExprKind::Int(text) | ast::ExprKind::Float(text) => self.literal(text, span),
            ast::ExprKind::Char(text) => self.character(text, span),
            ast::ExprKind::Bool(b) => {
                let ty = self.scalar_ty(Scalar::Bool);
                self.value(ExprKind::Const(ScalarConst { ty: Repr::Bool, bits: u64::from(*b) }), ty, span)
            }
            ast::ExprKind::Str(parts) => {
                let text = crate::types::attributes::unquote(parts);
                let ty = Ty::new(self.db, TyKind::String);
                self.value(ExprKind::Str(text), ty, span)
            }
            ast::ExprKind::Path(path) => self.path(path, span),
            ast::ExprKind::Unary { op, operand } => self.unary(*op, *operand, span),
            ast::ExprKind::Postfix { increment, operand } => self.step(*increment, true, *operand, span),
            ast::ExprKind::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs, span),
            ast::ExprKind::Assign { op, lhs, rhs } => self.assign(*op, *lhs, *rhs, span),
            ast::ExprKind::Comma { lhs, rhs } => {
                let (lhs, rhs) = (self.expr_any(*lhs), self.expr_any(*rhs));
                match self.overloaded(",", lhs, vec![rhs], span) {
                    Some(call) => call,
                    None => self.comma(lhs, rhs, span),
                }
            }
            ast::ExprKind::Cond { cond, then, otherwise } => self.cond(*cond, *then, *otherwise, span),
            ast::ExprKind::Cast { ty, operand } => {
                self.useless_precise(*ty, "a cast");
                let to = self.resolve_type(*ty);
                if matches!(ast.exprs[*operand].kind, ast::ExprKind::List(_)) {
                    return self.initializer(*operand, to, "the value").0;
                }
                let is_void = matches!(to.kind(self.db), TyKind::Void);
                let operand = if is_void { self.expr_any(*operand) } else { self.expr(*operand) };
                let cast = self.cast(operand, to, span);
                if self.category(operand) == Category::Place && self.category(cast) == Category::Value {
                    self.casts.insert(cast, operand);
                }
                cast
            }
            ast::ExprKind::Call { callee, args } => self.call(*callee, args, span),
            ast::ExprKind::Index { base, index } => self.index(*base, *index, span),
            ast::ExprKind::Member { base, name, .. } => {
                if let Some(value) = self.enum_value(*base, name, span) {
                    return value;
                }
                let base = self.expr(*base);
                self.member(base, name, span)
            }
            ast::ExprKind::Sizeof(operand) => self.unread(|this| this.sizeof(*operand, span)),
            ast::ExprKind::Type(_) => self.error(Code::NotAValue, span, "a type is not a value".to_string()),
            ast::ExprKind::List(_) => {
                let message = "an initialiser list is only allowed in a declaration".to_string();
                self.error(Code::BadInitializer, span, message)
            }
        }
    }

    /// Checks `a, b`, which has the type and category of `b`.
    fn comma(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (ty, category) = (self.ty(rhs), self.category(rhs));
        let dropped = self.settled(self.ty(lhs));
        let lhs = self.convert(lhs, dropped);
        self.expr_in(ExprKind::Comma { lhs, rhs }, ty, category, span)
    }

    /// Returns whether an expression is a variable or a part of one named by constants, so that its evaluation has no
    /// effect.
    fn is_plain_place(&self, id: ExprId) -> bool {
        match self.body.expr(id).kind {
            ExprKind::Local(_) | ExprKind::Global(..) | ExprKind::This => true,
            ExprKind::Field { base, .. } | ExprKind::Base(base) => self.is_plain_place(base),
            _ => false,
        }
    }

    // ---- literals

    fn literal(&mut self, text: &str, span: Span) -> ExprId {
        let Some((number, suffix)) = env::literal(text) else {
            return self.error(Code::BadLiteral, span, crate::tables::constant::no_number(text));
        };
        let integer = match number {
            fold::Number::Int(integer) => Some(integer),
            fold::Number::Float(_) => None,
        };
        let scalar = suffix.or_else(|| crate::types::literal_types::unsuffixed(self.db, self.item, text, integer));
        let (ty, kept) = match (scalar, number) {
            // `1.5h` is a `half`, regardless of the size of `half`.
            (Some(Repr::F16), _) if !self.item.program(self.db).options(self.db).enable_16bit_types => {
                (TyKind::Scalar(Scalar::Half), Scalar::Half.repr())
            }
            (Some(s), _) => (TyKind::Scalar(Scalar::of(s)), s),
            (None, fold::Number::Int(_)) => (TyKind::LiteralInt, Repr::I64),
            (None, fold::Number::Float(_)) => (TyKind::LiteralFloat, Repr::F64),
        };
        let ty = Ty::new(self.db, ty);
        self.value(ExprKind::Const(fold::constant(number, kept)), ty, span)
    }

    /// Checks `'a'`, the number of the character's code.
    fn character(&mut self, text: &str, span: Span) -> ExprId {
        let Some(code) = wgc_frontend::escape::character(text) else {
            return self.error(Code::BadLiteral, span, format!("invalid character literal `{text}`"));
        };
        let ty = Ty::new(self.db, TyKind::LiteralInt);
        let c = fold::constant(fold::Number::Int(i128::from(u32::from(code))), Repr::I64);
        self.value(ExprKind::Const(c), ty, span)
    }

    // ---- names

    fn path(&mut self, path: &ast::Path, span: Span) -> ExprId {
        match self.meaning(path) {
            Meaning::Error => self.error_expr(span),
            Meaning::Value(e) => e,
            Meaning::Type(ty) => {
                let message = format!("`{}` is a type, not a value", self.show(ty));
                self.error(Code::NotAValue, span, message)
            }
            Meaning::Functions(_) => {
                let name = path.segments.last().map_or("", |s| s.name.text.as_str());
                self.error(Code::NotAValue, span, format!("`{name}` is a function: call it with parentheses"))
            }
            Meaning::Namespace => self.error(Code::NotAValue, span, "a namespace is not a value".to_string()),
        }
    }

    /// Returns `this`, if there is one.
    pub(super) fn this(&mut self, span: Span) -> Option<ExprId> {
        let owner = self.owner.filter(|_| self.has_this)?;
        let ty = Ty::new(self.db, TyKind::Record(owner));
        let category = if self.const_this { Category::ReadOnly(ReadOnly::This) } else { Category::Place };
        Some(self.expr_in(ExprKind::This, ty, category, span))
    }

    // ---- members

    /// Checks `Kind.Small`, Slang's spelling of `Kind::Small`.
    fn enum_value(&mut self, base: ast::ExprId, name: &ast::Ident, span: Span) -> Option<ExprId> {
        let ast::ExprKind::Path(path) = &self.ast.exprs[base].kind else { return None };
        match self.with_cx(|cx| cx.resolve_callee(path)) {
            PathTarget::Type(ty) if matches!(ty.kind(self.db), TyKind::Enum(_)) => {}
            _ => return None,
        }
        let mut path = ast::Path { span, ..path.clone() };
        path.segments.push(ast::Segment { name: name.clone(), args: None });
        Some(match self.meaning(&path) {
            Meaning::Value(value) => value,
            _ => self.error_expr(span),
        })
    }

    pub(super) fn member(&mut self, base: ExprId, name: &ast::Ident, span: Span) -> ExprId {
        let ty = self.ty(base);
        let text = name.text.as_str();
        if self.is_error(ty) || text.is_empty() {
            return self.error_expr(span);
        }
        let at = Span { lo: name.at, hi: name.at + 1 };
        match ty.kind(self.db).clone() {
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::LiteralInt | TyKind::LiteralFloat => {
                self.swizzle(base, text, at, span)
            }
            TyKind::Matrix { rows, columns, .. } => self.elements(base, (rows, columns), text, at, span),
            TyKind::Record(r) => match env::builtin(self.db, r) {
                // A constant buffer represents its contents.
                Some(Builtin::ConstantBuffer | Builtin::TextureBuffer) => {
                    let Some(inner) = env::argument_ty(self.db, r) else { return self.error_expr(span) };
                    let category = Category::ReadOnly(ReadOnly::Resource);
                    let contents = self.expr_in(ExprKind::Contents(base), inner, category, self.span(base));
                    self.member(contents, name, span)
                }
                _ => self.field(base, r, text, at, span),
            },
            TyKind::Array(_, Some(length)) if text == "Length" => {
                let c = fold::constant(fold::Number::Int(i128::from(length)), Scalar::U32.repr());
                let ty = self.scalar_ty(Scalar::U32);
                self.value(ExprKind::Const(c), ty, span)
            }
            _ => {
                let message = format!("`{}` has no members", self.show(ty));
                self.error(Code::UnknownMember, at, message)
            }
        }
    }

    /// Records the use of a field.
    fn note_field(&self, mut owner: RecordInst<'db>, path: &[u32], text: &str, at: Span) {
        if self.sink.is_none() {
            return;
        }
        for index in path {
            let Some(field) = env::fields(self.db, owner).get(*index as usize) else { return };
            if let Some(place) = field.declares(text) {
                let bits = field.bits.iter().find(|b| b.name == text);
                let ty = bits.map_or(field.ty, |bits| bits.ty);
                return self.note(at.lo, Symbol::Field { place, owner, ty });
            }
            let Some(inner) = field.ty.as_record(self.db) else { return };
            owner = inner;
        }
    }

    fn field(&mut self, base: ExprId, r: crate::db::ty::RecordInst<'db>, text: &str, at: Span, span: Span) -> ExprId {
        let fields = env::fields(self.db, r);
        if let Some(path) = env::path_to_field(self.db, r, text) {
            self.note_field(r, &path, text, at);
            let category = self.category(base);
            let mut part = base;
            for index in path {
                let fields = self.ty(part).as_record(self.db).map(|r| env::fields(self.db, r));
                let Some(field) = fields.and_then(|f| f.get(index as usize)) else { return self.error_expr(span) };
                part = self.expr_in(ExprKind::Field { base: part, index }, field.ty, category, span);
                if let Some(bits) = field.bits.iter().find(|b| b.name == text) {
                    return self.expr_in(ExprKind::Bits { base: part, range: bits.range }, bits.ty, category, span);
                }
            }
            return part;
        }
        // `object.member` of a static member: the object is evaluated and its value ignored.
        if let Some((owner, var)) = crate::types::record::static_member(self.db, r, text) {
            self.note(at.lo, Symbol::Def(Def::Var(var)));
            let Some(member) = self.variable(Some(owner), var, span) else { return self.error_expr(span) };
            return if self.is_plain_place(base) { member } else { self.comma(base, member, span) };
        }
        let shown = self.show(self.ty(base));
        if env::methods(self.db, r, text).iter().any(|(_, f)| env::is_indexed(self.db, *f)) {
            let message = format!("`{text}` of `{shown}` needs two indexes: `.{text}[i][position]`");
            return self.error(Code::NotAValue, at, message);
        }
        if !env::methods(self.db, r, text).is_empty() {
            let message = format!("`{text}` is a method of `{shown}`: call it with parentheses");
            return self.error(Code::NotAValue, at, message);
        }
        if crate::types::record::lacks_a_base(self.db, r) {
            return self.error_expr(span);
        }
        let mut diagnostic = self.diagnostic(Code::UnknownMember, at, format!("`{shown}` has no member `{text}`"));
        diagnostic = match self.builtin(self.ty(base)) {
            Some(Builtin::Input(_) | Builtin::OutputRecords(_)) => {
                diagnostic.note("call `Get()` on the handle to access the record's fields")
            }
            Some(_) => diagnostic,
            None => match crate::tables::similar_names::closest(text, fields.iter().map(|f| f.name.as_str())) {
                Some(meant) => diagnostic.meant(self.place(at), meant),
                None => diagnostic,
            },
        };
        self.report(diagnostic);
        self.error_expr(span)
    }

    /// Checks `.xyz`, `.rgb`, `.xx`; scalars have one component.
    fn swizzle(&mut self, base: ExprId, text: &str, at: Span, span: Span) -> ExprId {
        let Some(num) = self.num(self.ty(base)) else { return self.error_expr(span) };
        let set = ["xyzw", "rgba"].into_iter().find(|set| text.chars().all(|c| set.contains(c)));
        let components: Vec<u8> =
            set.map(|set| text.chars().filter_map(|c| set.find(c)).map(|i| i as u8).collect()).unwrap_or_default();
        let shown = self.show(self.ty(base));
        if components.is_empty() || components.len() > 4 {
            return self.error(Code::BadSwizzle, at, format!("invalid swizzle `{text}` of `{shown}`"));
        }
        if let Some(i) = components.iter().position(|c| *c >= num.components()) {
            let letter = text.chars().nth(i).unwrap_or('?');
            return self.error(Code::BadSwizzle, at, format!("`{shown}` has no component `{letter}`"));
        }
        let repeated = (1..components.len()).any(|i| components[..i].contains(&components[i]));
        let category = match self.category(base) {
            Category::Place if repeated => Category::ReadOnly(ReadOnly::Swizzle),
            category => category,
        };
        let width = if components.len() == 1 { 0 } else { components.len() as u8 };
        let comp = crate::types::numeric::Comp::Of(num.comp.settled());
        // A literal gets a concrete type before its components are selected.
        let settled = self.num_ty(crate::types::numeric::Num { comp, shape: num.shape });
        let base = self.convert(base, settled);
        let ty = self.num_ty(crate::types::numeric::Num { comp, shape: crate::types::numeric::Shape::vector(width) });
        self.note(at.lo, Symbol::Type(ty));
        self.expr_in(ExprKind::Swizzle { base, components }, ty, category, span)
    }

    // ---- elements

    fn index(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> ExprId {
        // `texture.mips[level][position]`, and everything of that form.
        if let ast::ExprKind::Index { base: member, index: first } = self.ast.exprs[base].kind
            && let ast::ExprKind::Member { base: object, name, .. } = &self.ast.exprs[member].kind
        {
            let object = self.expr(*object);
            if let TyKind::Record(r) = self.ty(object).kind(self.db) {
                let mut methods = env::methods(self.db, *r, name.text.as_str());
                methods.retain(|(_, f)| env::is_indexed(self.db, *f));
                if !methods.is_empty() {
                    let args = vec![self.expr(first), self.expr(index)];
                    if !self.indices_fit(object, &methods, &args) {
                        return self.error_expr(span);
                    }
                    self.callee = Some(name.at);
                    return self.call_method(object, name.text.as_str(), methods, &[], args, span);
                }
            }
            let member = self.member(object, name, self.ast.exprs[member].span);
            let base = self.element(member, first, self.ast.exprs[base].span);
            return self.element(base, index, span);
        }
        let base = self.expr(base);
        self.element(base, index, span)
    }

    fn element(&mut self, base: ExprId, index: ast::ExprId, span: Span) -> ExprId {
        let base = match self.text_array(base, None) {
            Some(characters) => self.text_elements(base, characters),
            None => base,
        };
        let ty = self.ty(base);
        if self.is_error(ty) {
            self.expr(index);
            return base;
        }
        let (element, len) = match ty.kind(self.db) {
            TyKind::Vector(s, n) => (self.scalar_ty(*s), Some(u32::from(*n))),
            TyKind::Array(element, len) => (*element, *len),
            TyKind::Matrix { scalar, rows, columns, .. } => {
                (Ty::new(self.db, TyKind::Vector(*scalar, *columns)), Some(u32::from(*rows)))
            }
            TyKind::Record(r) => {
                let methods = env::methods(self.db, *r, "operator[]");
                if methods.is_empty() {
                    return self.not_indexable(ty, span);
                }
                let index = self.expr(index);
                if !self.indices_fit(base, &methods, &[index]) {
                    return self.error_expr(span);
                }
                return self.call_method(base, "operator[]", methods, &[], vec![index], span);
            }
            _ => return self.not_indexable(ty, span),
        };
        let index = self.expr(index);
        let Some(index) = self.index_value(index) else { return self.error_expr(span) };
        if let Some(len) = len
            && let Some(c) = fold::eval(self.db, &self.body, index)
            && let fold::Number::Int(i) = fold::number(c)
            && !(0..i128::from(len)).contains(&i)
        {
            let message = format!("index {i} is out of range for `{}`, which has {len} elements", self.show(ty));
            return self.error(Code::IndexRange, self.span(index), message);
        }
        let category = self.category(base);
        self.expr_in(ExprKind::Index { base, index }, element, category, span)
    }

    /// Checks that an index of a built-in object has exactly the required number of components.
    fn indices_fit(&mut self, object: ExprId, methods: &[(RecordInst<'db>, FnId<'db>)], args: &[ExprId]) -> bool {
        let [(owner, method)] = methods else { return true };
        if !env::is_prelude(self.db, *method) {
            return true;
        }
        let inst = FnInst::new(self.db, *method, Some(*owner), Vec::new());
        for (arg, param) in args.iter().zip(&env::signature(self.db, inst).params) {
            let (Some(have), Some(want)) = (self.num(self.ty(*arg)), self.num(param.ty)) else { continue };
            if have.components() == want.components() {
                continue;
            }
            let (object, want_ty, have_ty) =
                (self.show(self.ty(object)), self.show(param.ty), self.show(self.ty(*arg)));
            let message = format!("the index of `{object}` must be `{want_ty}`, not `{have_ty}`");
            let mut diagnostic = self.diagnostic(Code::TypeMismatch, self.span(*arg), message);
            if have.components() > want.components() && !have.shape.is_matrix() {
                let first = &"xyzw"[..usize::from(want.components()).min(4)];
                diagnostic = diagnostic.note(format!("write `.{first}` to select its first component"));
            }
            self.report(diagnostic);
            return false;
        }
        true
    }

    fn not_indexable(&mut self, ty: Ty<'db>, span: Span) -> ExprId {
        let message = format!("cannot index `{}`", self.show(ty));
        let mut diagnostic = self.diagnostic(Code::NotIndexable, span, message);
        if matches!(self.builtin(ty), Some(Builtin::Input(_) | Builtin::Output { .. })) {
            diagnostic = diagnostic.note("it holds one record, or is one output; the plural types have elements");
        }
        self.report(diagnostic);
        self.error_expr(span)
    }

    /// Converts an index to a 32-bit or 64-bit integer.
    fn index_value(&mut self, index: ExprId) -> Option<ExprId> {
        let ty = self.ty(index);
        if self.is_error(ty) {
            return None;
        }
        let to = match self.num(ty) {
            Some(n) if n.components() == 1 => match n.comp {
                crate::types::numeric::Comp::Of(s) if s.is_integer() && s.size() >= 4 => s,
                crate::types::numeric::Comp::LitInt => Scalar::I32,
                _ => Scalar::U32,
            },
            _ => {
                let message = format!("an index must be an integer, not `{}`", self.show(ty));
                self.error(Code::TypeMismatch, self.span(index), message);
                return None;
            }
        };
        let to = self.scalar_ty(to);
        Some(self.convert(index, to))
    }

    fn sizeof(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        let ty = match &self.ast.exprs[operand].kind {
            ast::ExprKind::Type(ty) => self.resolve_type(*ty),
            ast::ExprKind::Path(path) => match self.meaning(path) {
                Meaning::Type(ty) => ty,
                Meaning::Value(e) => self.ty(e),
                _ => self.error_ty(),
            },
            // `T[2]` parses as a subscript.
            ast::ExprKind::Index { .. } if self.with_cx(|cx| cx.is_array_of_type(operand)) => {
                self.with_cx(|cx| cx.expr_as_type(operand)).unwrap_or(self.error_ty())
            }
            _ => {
                let e = self.expr(operand);
                self.ty(e)
            }
        };
        if self.is_error(ty) {
            return self.error_expr(span);
        }
        let Some(size) = env::size_of(self.db, self.settled(ty)) else {
            let message = format!("`{}` has no size", self.show(ty));
            return self.error(Code::TypeMismatch, span, message);
        };
        let ty = self.scalar_ty(Scalar::U32);
        self.value(ExprKind::Const(ScalarConst { ty: Repr::U32, bits: u64::from(size) }), ty, span)
    }
}
