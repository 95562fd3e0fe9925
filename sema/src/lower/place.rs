//! Places: memory, texels, and several components of either. Loads and stores of them.

use super::{Binding, Lower, Lowerer};
use crate::check::hir::{ExprId, ExprKind};
use crate::check::ops::BuiltinOp;
use crate::db::ty::{Ty, TyKind};
use crate::types::bit_fields::BitRange;
use wgc_frontend::ast::Span;
use wgc_ir::{ImageLoad, Op, Scalar, Space, Stmt, Type, ValueId};

/// A location for loads and, mostly, stores.
#[derive(Clone, Debug)]
pub(super) enum Lvalue {
    /// A place of the IR, with the value type of its contents.
    Memory { place: ValueId, ty: Type },
    /// A texel: loaded and stored whole.
    Texel { image: ValueId, coord: ValueId, level: Option<ValueId>, sample: Option<ValueId>, ty: Type },
    /// Components of a vector place; all distinct if it is stored to.
    Components { base: Box<Lvalue>, components: Vec<u8> },
    /// A component of a vector place that is loaded and stored whole.
    Component { base: Box<Lvalue>, index: ValueId },
    /// Scalars that form a vector: elements of a matrix. All distinct if it is stored to.
    Scalars { places: Vec<ValueId>, scalar: Scalar },
    /// Bits of an integer place; a store must not change the other bits.
    Bits { base: Box<Lvalue>, range: BitRange, ty: Type },
    /// The first fields of a structure place, as a separate structure.
    Prefix { base: Box<Lvalue>, ty: Type },
}

impl<'db> Lowerer<'db> {
    /// Returns the place of an expression in memory.
    pub(super) fn place(&mut self, id: ExprId) -> Lower<Lvalue> {
        self.positioned(id, |this| this.place_here(id))
    }

    /// Returns the place of the only element of a texture buffer; other places are unchanged.
    fn only_element(&mut self, place: ValueId) -> ValueId {
        match self.b.ty(place) {
            Type::Ref(_, pointee) if matches!(*pointee, Type::RuntimeArray { .. }) => {
                let zero = self.b.const_u32(0);
                self.b.index(place, zero)
            }
            _ => place,
        }
    }

    fn place_here(&mut self, id: ExprId) -> Lower<Lvalue> {
        let expr = self.body.expr(id);
        let span = expr.span;
        match &expr.kind {
            ExprKind::Local(local) => {
                let Some(Binding::Place(place)) = self.locals.get(local).copied() else {
                    return self.unsupported(span, "an object as a variable");
                };
                let ty = self.expr_type(id)?;
                Some(Lvalue::Memory { place, ty })
            }
            ExprKind::Global(var, owner) => {
                if let Some(value) = self.input_global(*var, *owner) {
                    let ty = self.expr_type(id)?;
                    let value = self.adapt(value, &ty);
                    return Some(self.temporary(value));
                }
                let access = match crate::lower::globals::access(self.db, *var, *owner) {
                    Ok(access) => access,
                    Err(no) => return self.no_layout(span, "this global", self.body.expr(id).ty, no),
                };
                self.globals.insert((*var, *owner));
                let is_place = matches!(access.ty, Type::Ref(..));
                let holder = self.b.global_as(access.symbol, access.ty);
                if !is_place {
                    // A specialisation constant is a value.
                    return Some(self.temporary(holder));
                }
                let holder = self.only_element(holder);
                let place = match access.field {
                    Some(field) => self.b.field(holder, field),
                    None => holder,
                };
                if crate::types::globals::global(self.db, *var, *owner).is_some_and(|g| g.is_precise) {
                    self.b.set_precise(place);
                }
                let ty = self.expr_type(id)?;
                Some(Lvalue::Memory { place, ty })
            }
            ExprKind::This => {
                let (place, record) = self.this?;
                let ty = self.expr_type(id)?;
                if self.instance.and_then(|f| f.owner(self.db)) == Some(record) {
                    return Some(Lvalue::Memory { place, ty });
                }
                let whole = self.ir_type(Ty::new(self.db, TyKind::Record(record)), span)?;
                Some(Lvalue::Prefix { base: Box::new(Lvalue::Memory { place, ty: whole }), ty })
            }
            ExprKind::Contents(base) => {
                let ty = self.expr_type(id)?;
                match self.object(*base)? {
                    super::Object::Value(place) => Some(Lvalue::Memory { place: self.only_element(place), ty }),
                    _ => self.unsupported(span, "this constant buffer"),
                }
            }
            ExprKind::Field { base, index } => {
                let ty = self.expr_type(id)?;
                let part = match self.place_or_temporary(*base)? {
                    Lvalue::Memory { place, .. } => self.part(place, *index, ty),
                    // A base's fields come first, at the same indexes.
                    Lvalue::Prefix { base, .. } => match *base {
                        Lvalue::Memory { place, .. } => self.part(place, *index, ty),
                        _ => self.unsupported(span, "a field of a texel"),
                    },
                    _ => self.unsupported(span, "a field of a texel"),
                }?;
                if let Lvalue::Memory { place, .. } = part
                    && self.is_precise_field(self.body.expr(*base).ty, *index)
                {
                    self.b.set_precise(place);
                }
                Some(part)
            }
            ExprKind::Index { base, index } => {
                let ty = self.expr_type(id)?;
                let base_place = self.place_or_temporary(*base)?;
                let index = self.value(*index)?;
                match base_place {
                    Lvalue::Memory { place, ty: Type::Scalar(_) } => Some(Lvalue::Memory { place, ty }),
                    Lvalue::Memory { place, .. } => {
                        let place = self.b.index(place, index);
                        Some(Lvalue::Memory { place, ty })
                    }
                    base => Some(Lvalue::Component { base: Box::new(base), index }),
                }
            }
            ExprKind::Bits { base, range } => {
                let ty = self.expr_type(id)?;
                let base = Box::new(self.place_or_temporary(*base)?);
                Some(Lvalue::Bits { base, range: *range, ty })
            }
            ExprKind::Swizzle { base, components } => {
                let base = self.place_or_temporary(*base)?;
                Some(self.components(base, components.clone()))
            }
            ExprKind::Elements { base, elements } => {
                let base = self.place_or_temporary(*base)?;
                self.element_places(base, elements)
            }
            ExprKind::Base(base) => {
                let ty = self.expr_type(id)?;
                let base = match self.place_or_temporary(*base)? {
                    Lvalue::Prefix { base, .. } => base,
                    base => Box::new(base),
                };
                Some(Lvalue::Prefix { base, ty })
            }
            ExprKind::Assign { place, value } => {
                // The right side comes first, as in C++: `a[i] = i++` stores at the new `i`.
                let value = self.value(*value)?;
                let place = self.place(*place)?;
                self.store(&place, value)?;
                Some(place)
            }
            ExprKind::AssignOp { op, place, value } => {
                let value = self.value(*value)?;
                let place = self.place(*place)?;
                self.assign_op(*op, &place, value)?;
                Some(place)
            }
            ExprKind::Step { increment, post: false, place } => {
                let place = self.place(*place)?;
                self.step(*increment, &place)?;
                Some(place)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(*lhs)?;
                self.place(*rhs)
            }
            ExprKind::Op { op, object, args, .. } => self.op_place(id, *op, *object, args),
            _ => {
                let value = self.value(id)?;
                Some(self.temporary(value))
            }
        }
    }

    /// Returns whether a field of a record is declared `precise`.
    pub(super) fn is_precise_field(&self, ty: Ty<'db>, index: u32) -> bool {
        let record = ty.as_record(self.db).map(|record| crate::types::record::record(self.db, record));
        record.and_then(|record| record.fields.get(index as usize)).is_some_and(|field| field.is_precise)
    }

    /// Marks the parts of a record that its fields declare `precise`.
    pub(super) fn mark_parts(&mut self, ty: Ty<'db>, parts: &[ValueId]) {
        for (index, part) in (0..).zip(parts) {
            if self.is_precise_field(ty, index) {
                self.b.set_precise(*part);
            }
        }
    }

    /// Returns a place for an expression; a value gets a temporary.
    fn place_or_temporary(&mut self, id: ExprId) -> Lower<Lvalue> {
        if self.body.expr(id).category.in_memory() {
            return self.place(id);
        }
        let value = self.value(id)?;
        Some(self.temporary(value))
    }

    pub(super) fn temporary(&mut self, value: ValueId) -> Lvalue {
        let ty = self.b.ty(value);
        let place = self.b.new_local("", ty.clone());
        self.b.store(place, value);
        Lvalue::Memory { place, ty }
    }

    /// Returns a field of a structure, or an element of an array at a constant index.
    fn part(&mut self, place: ValueId, index: u32, ty: Type) -> Lower<Lvalue> {
        let is_array = matches!(self.b.ty(place).pointee(), Some(Type::Array { .. }));
        let place = if is_array { self.b.index_const(place, index) } else { self.b.field(place, index) };
        Some(Lvalue::Memory { place, ty })
    }

    fn components(&mut self, base: Lvalue, components: Vec<u8>) -> Lvalue {
        match (&base, components.as_slice()) {
            (Lvalue::Memory { ty: Type::Scalar(_), .. } | Lvalue::Texel { ty: Type::Scalar(_), .. }, [0]) => base,
            (Lvalue::Memory { place, ty }, [c]) => {
                let ty = Type::vector_of(ty.scalar().unwrap_or(wgc_ir::Scalar::U32), 1);
                let place = self.b.index_const(*place, u32::from(*c));
                Lvalue::Memory { place, ty }
            }
            _ => Lvalue::Components { base: Box::new(base), components },
        }
    }

    pub(super) fn load(&mut self, place: &Lvalue) -> Lower<ValueId> {
        Some(match place {
            Lvalue::Memory { place, ty } => self.b.load_as(*place, ty.clone()),
            &Lvalue::Texel { image, coord, level, sample, .. } => {
                self.b.value(Op::ImageLoad(Box::new(ImageLoad { image, coord, level, sample, sparse: false })))
            }
            Lvalue::Components { base, components } => {
                let base = self.load(base)?;
                self.pick(base, components)
            }
            Lvalue::Component { base, index } => {
                let base = self.load(base)?;
                match self.b.ty(base) {
                    Type::Scalar(_) => base,
                    _ => self.b.value(Op::ExtractDynamic { base, index: *index }),
                }
            }
            Lvalue::Scalars { places, scalar } => {
                let parts = places.iter().map(|p| self.b.load(*p)).collect::<Vec<_>>();
                self.b.compose(Type::vector_of(*scalar, parts.len() as u32), parts)
            }
            Lvalue::Bits { base, range, ty } => {
                let unit = self.load(base)?;
                self.extract_bits(unit, *range, ty)
            }
            Lvalue::Prefix { base, ty } => {
                let whole = self.load(base)?;
                self.prefix(whole, ty)
            }
        })
    }

    /// Picks components of a value, which may be a scalar.
    pub(super) fn pick(&mut self, base: ValueId, components: &[u8]) -> ValueId {
        match (self.b.ty(base), components) {
            (Type::Scalar(_), [0]) => base,
            (_, [c]) => self.b.extract(base, u32::from(*c)),
            _ => self.b.swizzle(base, components),
        }
    }

    /// Returns the first fields of a structure value.
    pub(super) fn prefix(&mut self, whole: ValueId, ty: &Type) -> ValueId {
        let count = if let Type::Struct(s) = ty { s.fields.len() as u32 } else { 0 };
        let parts = (0..count).map(|i| self.b.extract(whole, i)).collect();
        self.b.compose(ty.clone(), parts)
    }

    pub(super) fn store(&mut self, place: &Lvalue, value: ValueId) -> Lower<()> {
        match place {
            Lvalue::Memory { place, .. } => {
                self.forget_record(*place);
                self.b.store(*place, value);
            }
            &Lvalue::Texel { image, coord, sample, .. } => {
                self.b.push(Stmt::ImageStore { image, coord, sample, value })
            }
            Lvalue::Components { base, components } => match &**base {
                // All components in another order: mesh outputs are written as a whole.
                Lvalue::Memory { place, ty: Type::Vector(_, n) }
                    if components.len() == usize::from(*n) && self.is_mesh_output(*place) =>
                {
                    let order = |c: u8| components.iter().position(|from| *from == c).unwrap_or(0) as u8;
                    let whole = self.b.swizzle(value, &(0..*n).map(order).collect::<Vec<_>>());
                    self.b.store(*place, whole);
                }
                // One by one: other threads may write the other components.
                Lvalue::Memory { place, ty } => {
                    for (i, c) in components.iter().enumerate() {
                        let part = if components.len() == 1 { value } else { self.b.extract(value, i as u32) };
                        let target = match ty {
                            Type::Scalar(_) => *place,
                            _ => self.b.index_const(*place, u32::from(*c)),
                        };
                        self.b.store(target, part);
                    }
                }
                base => {
                    let old = self.load(base)?;
                    let new = self.replace(old, components, value);
                    self.store(base, new)?;
                }
            },
            Lvalue::Component { base, index } => {
                let old = self.load(base)?;
                let whole = match self.temporary(old) {
                    Lvalue::Memory { place, ty: Type::Vector(..) } => {
                        let component = self.b.index(place, *index);
                        self.b.store(component, value);
                        self.b.load(place)
                    }
                    _ => value,
                };
                self.store(base, whole)?;
            }
            Lvalue::Scalars { places, .. } => {
                for (i, place) in places.iter().enumerate() {
                    let part = self.b.extract(value, i as u32);
                    self.b.store(*place, part);
                }
            }
            Lvalue::Bits { base, range, .. } => {
                let unit = self.load(base)?;
                let changed = self.insert_bits(unit, *range, value);
                self.store(base, changed)?;
            }
            Lvalue::Prefix { base, ty } => {
                let Lvalue::Memory { place, .. } = &**base else { return None };
                let count = if let Type::Struct(s) = ty { s.fields.len() as u32 } else { 0 };
                for i in 0..count {
                    let target = self.b.field(*place, i);
                    let part = self.b.extract(value, i);
                    self.b.store(target, part);
                }
            }
        }
        Some(())
    }

    /// Returns `old` with the components replaced by those of `value`.
    fn replace(&mut self, old: ValueId, components: &[u8], value: ValueId) -> ValueId {
        if matches!(self.b.ty(old), Type::Scalar(_)) {
            return value;
        }
        let mut new = old;
        for (i, c) in components.iter().enumerate() {
            let part = if components.len() == 1 { value } else { self.b.extract(value, i as u32) };
            new = self.b.insert(new, u32::from(*c), part);
        }
        new
    }

    /// Performs an action on a place. In buffers, textures and mesh outputs, for which accesses have rules of their own,
    /// the code gets the position of the place.
    pub(super) fn at_access<T>(
        &mut self,
        place: &Lvalue,
        span: Span,
        act: impl FnOnce(&mut Self) -> Lower<T>,
    ) -> Lower<T> {
        let mut whole = place;
        while let Lvalue::Components { base, .. }
        | Lvalue::Component { base, .. }
        | Lvalue::Bits { base, .. }
        | Lvalue::Prefix { base, .. } = whole
        {
            whole = base;
        }
        let has_rules =
            |place: &ValueId| matches!(self.b.ty(*place), Type::Ref(Space::MeshOutput | Space::Storage { .. }, _));
        let is_positioned = match whole {
            Lvalue::Memory { place, .. } => has_rules(place),
            Lvalue::Scalars { places, .. } => places.iter().any(has_rules),
            Lvalue::Texel { .. } => true,
            _ => false,
        };
        if !is_positioned {
            return act(self);
        }
        let around = self.b.position();
        self.set_position(span);
        let done = act(self);
        self.b.set_position(around);
        done
    }

    fn is_mesh_output(&self, place: ValueId) -> bool {
        matches!(self.b.ty(place), Type::Ref(Space::MeshOutput, _))
    }

    /// Returns the value type of a place.
    pub(super) fn place_type(&self, place: &Lvalue) -> Type {
        match place {
            Lvalue::Memory { ty, .. }
            | Lvalue::Texel { ty, .. }
            | Lvalue::Bits { ty, .. }
            | Lvalue::Prefix { ty, .. } => ty.clone(),
            Lvalue::Component { base, .. } => {
                Type::Scalar(self.place_type(base).scalar().unwrap_or(wgc_ir::Scalar::U32))
            }
            Lvalue::Scalars { places, scalar } => Type::vector_of(*scalar, places.len() as u32),
            Lvalue::Components { base, components } => {
                let scalar = self.place_type(base).scalar().unwrap_or(wgc_ir::Scalar::U32);
                Type::vector_of(scalar, components.len() as u32)
            }
        }
    }

    /// Returns the place that a built-in operation denotes.
    fn op_place(
        &mut self,
        id: ExprId,
        op: BuiltinOp,
        object: Option<ExprId>,
        args: &[crate::check::hir::Arg],
    ) -> Lower<Lvalue> {
        let span = self.body.expr(id).span;
        let ty = self.expr_type(id)?;
        let index = |this: &mut Self| match args.first() {
            Some(arg) => this.value(arg.expr()),
            None => Some(this.b.const_u32(0)),
        };
        match op {
            BuiltinOp::BufferElement => {
                let buffer = self.object_value(object?, span)?;
                let index = index(self)?;
                let place = self.b.index(buffer, index);
                Some(Lvalue::Memory { place, ty })
            }
            BuiltinOp::InputRecord => {
                let index = index(self)?;
                let record = self.memory_type(self.body.expr(id).ty, span)?;
                let place = self.b.input_record(index, record);
                self.hold_input(object, place);
                Some(Lvalue::Memory { place, ty })
            }
            BuiltinOp::AddressPlace => {
                let pointer = self.value(object?)?;
                let address = self.b.extract(pointer, 0);
                let pointee = self.memory_type(self.body.expr(id).ty, span)?;
                let place = self.b.address(address, pointee, false);
                Some(Lvalue::Memory { place, ty })
            }
            BuiltinOp::RecordsGet => {
                let records = self.value(object?)?;
                let index = index(self)?;
                let place = self.b.output_record(records, index);
                self.hold_output(records, place);
                Some(Lvalue::Memory { place, ty })
            }
            BuiltinOp::ImageTexel | BuiltinOp::ImageMipTexel | BuiltinOp::ImageSampleTexel => {
                self.texel_place(op, object?, args, ty)
            }
            _ => {
                let value = self.value(id)?;
                Some(self.temporary(value))
            }
        }
    }
}
