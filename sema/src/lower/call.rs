//! Calls of functions with bodies, and the parameters of such functions.
//!
//! `in` parameters are values. `out` and `inout` parameters are places of the caller's function, always of a temporary.
//! Copying in and out thus follows the language even if two arguments are the same variable.

use super::place::Lvalue;
use super::{Binding, Bound, Callee, Lower, Lowerer, Object, Passed, symbol};
use crate::check::env::{self, Direction, Signature};
use crate::check::hir::{Arg, ExprId, ExprKind, LocalId};
use crate::db::ty::{FnInst, RecordInst, Ty, TyKind};
use wgc_frontend::ast::Span;
use wgc_ir::{Space, Type, ValueId};

impl<'db> Lowerer<'db> {
    pub(super) fn callee_params(&mut self, signature: &Signature<'db>, bound: &[Bound<'db>]) -> Lower<()> {
        let span = Span::default();
        let ret = match signature.ret.kind(self.db) {
            TyKind::Void => Type::Void,
            _ if self.holds_query(signature.ret) => return self.copied_query(span),
            // Callers know the output; only its index is a value.
            _ if super::returned_objects::is_output(self.db, signature.ret) => Type::U32,
            _ if self.is_node_object(signature.ret) => Type::Void,
            _ => self.ir_type(signature.ret, span)?,
        };
        self.b.function_mut().ret = ret;
        let (object, bound) = match bound.split_first() {
            Some((Bound::This { space, record }, rest)) => (Some((*space, *record)), rest),
            _ => (None, bound),
        };
        if let Some(owner) = self.instance.and_then(|f| f.owner(self.db))
            && !signature.is_static
        {
            let (space, record) = object.unwrap_or((Space::Function, owner));
            let ty = self.this_type(Ty::new(self.db, TyKind::Record(record)), space, span)?;
            let place = self.b.param("this", Type::reference(space, ty));
            self.declare_this(place);
            self.this = Some((place, record));
        }
        for (i, param) in signature.params.iter().enumerate() {
            let local = LocalId(i as u32);
            let name = param.name.as_str();
            let binding = match bound.get(i).copied().unwrap_or(Bound::None) {
                Bound::Unset => {
                    self.given.push(None);
                    continue;
                }
                Bound::Input => Binding::Object(Object::Input),
                Bound::OutputArray(id) => Binding::Object(Object::OutputArray(id)),
                Bound::Output(id) => {
                    let index = self.b.param(name, Type::U32);
                    Binding::Object(Object::Output { id, index })
                }
                Bound::Resource(passed, array) => {
                    let whole = array.unwrap_or(param.ty);
                    self.arrays.extend(array.map(|array| (local, array)));
                    let ty = match passed {
                        Passed::Pushed => crate::lower::globals::pushed_type(self.db, whole, self.block_layout()),
                        Passed::Plain | Passed::Coherent => {
                            let coherent = passed == Passed::Coherent;
                            crate::types::resource_types::resource_type(self.db, whole, coherent, self.block_layout())
                        }
                    };
                    let ty = match ty {
                        Ok(ty) => ty,
                        Err(_) => return self.unsupported(span, "a parameter of this resource type"),
                    };
                    let value = self.b.param(name, ty.clone());
                    if matches!(ty, Type::Descriptors { .. }) {
                        Binding::Object(Object::Value(value))
                    } else {
                        // An ordinary variable: the function may assign another resource to it.
                        let place = self.b.new_local(name, ty);
                        self.declare(place, local);
                        self.b.store(place, value);
                        Binding::Place(place)
                    }
                }
                Bound::Array(array) => {
                    self.arrays.insert(local, array);
                    let ty = self.ir_type(array, span)?;
                    let value = self.b.param(name, ty.clone());
                    let place = self.b.new_local(name, ty);
                    self.declare(place, local);
                    self.b.store(place, value);
                    Binding::Place(place)
                }
                Bound::None | Bound::This { .. } if param.is_shared => {
                    let ty = self.memory_type(param.ty, span)?;
                    let place = self.b.param(name, Type::reference(Space::Workgroup, ty));
                    self.declare(place, local);
                    Binding::Place(place)
                }
                Bound::None | Bound::This { .. } => {
                    let ty = self.ir_type(param.ty, span)?;
                    if param.direction == Direction::In && !ty.holds_query() {
                        let value = self.b.param(name, ty.clone());
                        let place = self.b.new_local(name, ty);
                        self.declare(place, local);
                        if param.is_precise {
                            self.b.set_precise(place);
                        }
                        self.b.store(place, value);
                        Binding::Place(place)
                    } else {
                        let place = self.b.param(name, Type::reference(Space::Function, ty));
                        self.declare(place, local);
                        if param.is_precise {
                            self.b.set_precise(place);
                        }
                        Binding::Place(place)
                    }
                }
            };
            if matches!(binding, Binding::Object(_)) {
                self.declare_object(local);
            }
            self.given.push(match binding {
                Binding::Object(object) => Some(object),
                Binding::Place(_) | Binding::Output { .. } => None,
            });
            self.locals.insert(local, binding);
        }
        Some(())
    }

    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: FnInst<'db>,
        this: Option<ExprId>,
        args: &[Arg],
    ) -> Lower<(Option<ValueId>, Vec<Option<Object>>)> {
        let signature = env::signature(self.db, callee);
        let mut values = Vec::new();
        // Places that receive the value of a temporary after the call.
        let mut results: Vec<(ValueId, Lvalue, Span)> = Vec::new();
        let mut bound = Vec::new();
        // Arguments that are objects rather than values.
        let mut objects = Vec::new();
        if let Some(this) = this {
            let owner = callee.owner(self.db)?;
            let (place, space, record) = self.this_argument(this, owner)?;
            values.push(place);
            if space != Space::Function || record != owner {
                bound.push(Bound::This { space, record });
            }
        }
        for (i, (param, arg)) in signature.params.iter().zip(args).enumerate() {
            objects.push(None);
            if self.is_node_object(param.ty) {
                if param.direction == Direction::Out {
                    bound.push(Bound::Unset);
                } else {
                    let object = self.object(arg.expr())?;
                    bound.push(self.pass_object(object, arg.expr(), &mut values)?);
                    objects.pop();
                    objects.push(Some(object));
                }
                continue;
            }
            if self.is_resource(param.ty) && matches!(arg, Arg::In(_)) {
                if param.direction == Direction::InOut && super::assigned::assigns(self.db, callee, i) {
                    return self.assigned_resource(arg.expr(), i, &signature.name);
                }
                bound.push(self.pass_resource(param.ty, arg.expr(), &mut values)?);
                continue;
            }
            bound.push(Bound::None);
            if self.holds_query(param.ty) {
                values.push(self.query_place(arg.expr())?);
                continue;
            }
            let span = self.body.expr(arg.expr()).span;
            if param.is_shared {
                values.push(self.shared_place(arg.expr(), param.ty)?);
                continue;
            }
            match *arg {
                // A default argument: the result is not visible to the caller.
                Arg::In(value) if param.direction != Direction::In => {
                    let ty = self.ir_type(param.ty, span)?;
                    let temporary = self.b.new_local(param.name.as_str(), ty.clone());
                    let value = self.value(value)?;
                    let value = self.adapt(value, &ty);
                    self.b.store(temporary, value);
                    values.push(temporary);
                }
                Arg::In(value) => values.push(self.value(value)?),
                Arg::Place(place) | Arg::Out(place) | Arg::InOut(place) => {
                    let ty = self.ir_type(param.ty, span)?;
                    let place = self.place(place)?;
                    let temporary = self.b.new_local(param.name.as_str(), ty.clone());
                    if matches!(arg, Arg::InOut(_)) {
                        let value = self.at_access(&place, span, |this| this.load(&place))?;
                        let value = self.adapt(value, &ty);
                        self.b.store(temporary, value);
                    }
                    values.push(temporary);
                    results.push((temporary, place, span));
                }
            }
        }
        if bound.iter().all(|b| *b == Bound::None) {
            bound.clear();
        }
        let name = symbol::callee(self.db, callee, &bound);
        self.callees.insert(Callee { function: callee, bound });
        let value = match signature.ret.kind(self.db) {
            TyKind::Void => {
                self.b.call_void(name, values);
                None
            }
            _ if super::returned_objects::is_output(self.db, signature.ret) => {
                Some(self.b.call(name, Type::U32, values))
            }
            _ if self.is_node_object(signature.ret) => {
                self.b.call_void(name, values);
                None
            }
            _ => {
                let ret = self.expr_type(id)?;
                Some(self.b.call(name, ret, values))
            }
        };
        for (temporary, place, span) in results {
            let value = self.b.load(temporary);
            let ty = self.place_type(&place);
            let value = self.adapt(value, &ty);
            self.at_access(&place, span, |this| this.store(&place, value))?;
        }
        let gives = |arg: &Arg| matches!(arg, Arg::Out(_) | Arg::InOut(_));
        if signature.params.iter().zip(args).any(|(param, arg)| self.is_node_object(param.ty) && gives(arg)) {
            let returned_objects = super::returned_objects::returned_objects(self.db, callee);
            for (n, (param, arg)) in signature.params.iter().zip(args).enumerate() {
                if self.is_node_object(param.ty) && gives(arg) {
                    match returned_objects.given_out(n, &objects) {
                        Some(object) => self.assign_object(arg.expr(), object)?,
                        None => {
                            let message =
                                format!("the input or output that `{}` sets depends on control flow", param.name);
                            return self.unknown_output(self.body.expr(arg.expr()).span, message);
                        }
                    }
                }
            }
        }
        Some((value, objects))
    }

    /// Returns the place of a method's object. It is the object itself, as a method sees concurrent changes to it. A
    /// base is passed with its enclosing record. A value is copied, as is a place of another layout, which is then
    /// read-only.
    fn this_argument(&mut self, this: ExprId, owner: RecordInst<'db>) -> Lower<(ValueId, Space, RecordInst<'db>)> {
        let span = self.body.expr(this).span;
        let value = if self.body.expr(this).category.in_memory() {
            let place = self.place(this)?;
            let whole = if let Lvalue::Prefix { base, .. } = &place { base } else { &place };
            if let Lvalue::Memory { place, .. } = whole
                && let Type::Ref(space, pointee) = self.b.ty(*place)
                && let Some(record) = self.whole(this)
                && *pointee == self.this_type(Ty::new(self.db, TyKind::Record(record)), space, span)?
            {
                return Some((*place, space, record));
            }
            self.load(&place)?
        } else {
            self.value(this)?
        };
        let ty = self.b.ty(value);
        let temporary = self.b.new_local("this", ty);
        self.b.store(temporary, value);
        Some((temporary, Space::Function, owner))
    }

    /// Returns an argument's place in group memory.
    fn shared_place(&mut self, arg: ExprId, wanted: Ty<'db>) -> Lower<ValueId> {
        let span = self.body.expr(arg).span;
        let wanted = Type::reference(Space::Workgroup, self.memory_type(wanted, span)?);
        match self.place(arg)? {
            Lvalue::Memory { place, .. } if self.b.ty(place) == wanted => Some(place),
            _ => self.unsupported(span, "a groupshared argument with a different layout than its parameter"),
        }
    }

    /// Returns the complete record of an object that may be viewed as a base.
    fn whole(&self, object: ExprId) -> Option<RecordInst<'db>> {
        let expr = self.body.expr(object);
        match expr.kind {
            ExprKind::Base(inner) => self.whole(inner),
            ExprKind::This => self.this.map(|(_, record)| record),
            _ => expr.ty.as_record(self.db),
        }
    }

    /// Returns the type of a method's object in a space: locals hold values, all other spaces use the declared layout.
    fn this_type(&mut self, ty: Ty<'db>, space: Space, span: Span) -> Lower<Type> {
        match space {
            Space::Function => self.ir_type(ty, span),
            Space::Storage { .. } => {
                crate::types::blocks::element(self.db, ty, self.block_layout()).ok().map(|(ty, _)| ty)
            }
            _ => self.memory_type(ty, span),
        }
    }

    /// Returns the binding of a parameter for an input or output argument, and adds the values to pass.
    fn pass_object(&mut self, object: Object, arg: ExprId, values: &mut Vec<ValueId>) -> Lower<Bound<'db>> {
        match object {
            Object::Input => Some(Bound::Input),
            Object::OutputArray(id) => Some(Bound::OutputArray(id)),
            Object::Output { id, index } => {
                let index = self.b.convert(index, Type::U32);
                values.push(index);
                Some(Bound::Output(id))
            }
            Object::Value(_) => self.unsupported(self.body.expr(arg).span, "this use of an object"),
        }
    }
}
