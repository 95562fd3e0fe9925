//! Pointers: access chains, loads, stores, and other instructions that read a pointer's value.

use super::{Local, Result, Stride, Translator, Value};
use crate::cpu::exec::ops::{Binary, Unary};
use crate::cpu::program::{Footprint, Ins, Row, Space};
use spirv::{Decoration, Op, StorageClass};
use wgc_spirv_module::module::Inst;
use wgc_spirv_module::{Id, Type};

/// A pointer under construction: a row, a constant offset still to be added, and its pointee so far.
struct Walk {
    base: Row,
    pending: i64,
    ty: Id,
    stride: Stride,
    coherent: bool,
}

impl Translator<'_> {
    pub(super) fn access(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        match op {
            Op::Variable => {
                let Type::Pointer { pointee, .. } = *self.ty(inst.ty)? else {
                    return Err("OpVariable has no pointer type".into());
                };
                self.variable(inst.result, pointee)?;
                if operand(1) != 0 {
                    let src = self.value(operand(1))?.row;
                    self.initialise(inst.result, pointee, src)?;
                }
            }
            Op::Load => {
                let value = self.load(operand(0), inst.ty)?;
                self.loaded_coherence(inst.result, inst.ty, operand(0));
                self.define(inst, value.row, value.n);
            }
            Op::Store => {
                let value = self.value(operand(1))?;
                self.store(operand(0), self.m.type_of(operand(1)), value)?;
            }
            Op::CopyMemory => {
                let ty = self.pointee_of(operand(1))?;
                let value = self.load(operand(1), ty)?;
                self.store(operand(0), self.pointee_of(operand(0))?, value)?;
            }
            Op::AccessChain | Op::InBoundsAccessChain => {
                self.chain(inst, operand(0), None, w.get(1..).unwrap_or(&[]))?;
            }
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
                self.chain(inst, operand(0), Some(operand(1)), w.get(2..).unwrap_or(&[]))?;
            }
            Op::ArrayLength => {
                let structure = self.pointee_of(operand(0))?;
                let Type::Struct { members } = self.ty(structure)? else {
                    return Err("OpArrayLength without a structure".into());
                };
                let array = *members.get(operand(1) as usize).ok_or("OpArrayLength of a missing member")?;
                let offset = self.layouts.member_offset(structure, operand(1))?;
                let inner = self.layouts.member_stride(structure, operand(1));
                let stride = self.layouts.array_stride(array, inner)?;
                let address = self.scalar(operand(0))?;
                let dst = self.rows(1)?;
                self.emit(Ins::ArrayLength { dst, address, offset, stride });
                self.define(inst, dst, 1);
            }
            Op::CopyObject | Op::CopyLogical | Op::ExpectKHR => self.alias(inst, operand(0))?,
            Op::ConvertPtrToU | Op::ConvertUToPtr => {
                let row = self.scalar(operand(0))?;
                let row = match self.width(inst.ty)?.0 {
                    64 => row,
                    _ => self.unary(Unary::Cut32, row, 1)?,
                };
                self.define(inst, row, 1);
            }
            Op::PtrEqual | Op::PtrNotEqual => {
                let (a, b) = (self.scalar(operand(0))?, self.scalar(operand(1))?);
                let op = if op == Op::PtrEqual { Binary::Equal } else { Binary::NotEqual };
                let row = self.binary(op, a, b, 1)?;
                self.define(inst, row, 1);
            }
            Op::PtrDiff => {
                let (a, b) = (self.scalar(operand(0))?, self.scalar(operand(1))?);
                let pointee = self.pointee_of(operand(0))?;
                let pointer = self.m.type_of(operand(0));
                let stride = match self.m.decoration_word(pointer, None, Decoration::ArrayStride) {
                    Some(stride) => stride,
                    None => self.layouts.size(pointee, Stride::Natural)?.0,
                };
                let stride = self.constant(u64::from(stride))?;
                let bytes = self.binary(Binary::Sub64, a, b, 1)?;
                let mut row = self.binary(Binary::SDiv64, bytes, stride, 1)?;
                if self.width(inst.ty)?.0 < 64 {
                    row = self.unary(Unary::Cut32, row, 1)?;
                }
                self.define(inst, row, 1);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Gives the same rows another id: values never change.
    pub(super) fn alias(&mut self, inst: &Inst, from: Id) -> Result<()> {
        let value = self.value(from)?;
        if let Some(stride) = self.strides.get(&from).copied() {
            self.strides.insert(inst.result, stride);
        }
        self.same_coherence(inst.result, from);
        self.define(inst, value.row, value.n);
        Ok(())
    }

    pub(super) fn pointee_of(&self, pointer: Id) -> Result<Id> {
        match self.m.ty(self.m.type_of(pointer)) {
            Some(Type::Pointer { pointee, .. }) => Ok(*pointee),
            _ => Err(format!("{} is not a pointer", self.m.describe(pointer))),
        }
    }

    /// Returns the kind of memory that a pointer points to.
    pub(super) fn space(&self, pointer: Id) -> Space {
        let Some(Type::Pointer { class, .. }) = self.m.ty(self.m.type_of(pointer)) else { return Space::Constant };
        let coherent = !self.incoherent.contains(&pointer);
        match class {
            StorageClass::Output if self.program.mesh.is_some() => Space::Mesh,
            StorageClass::Function | StorageClass::Private | StorageClass::Output => Space::Own,
            StorageClass::Workgroup => Space::Group,
            StorageClass::NodePayloadAMDX => Space::Record { coherent },
            StorageClass::PhysicalStorageBuffer => Space::Address { coherent },
            StorageClass::StorageBuffer | StorageClass::Image => Space::Device { coherent },
            // Storage buffers of SPIR-V before 1.3 are in this class too; reads of memory that is never written do not
            // race.
            StorageClass::Uniform => Space::Device { coherent },
            _ => Space::Constant,
        }
    }

    fn footprint_of(&mut self, pointer: Id, ty: Id) -> Result<u32> {
        let stride = self.strides.get(&pointer).copied().unwrap_or_default();
        let footprint: Footprint = self.layouts.footprint(ty, stride)?;
        Ok(self.intern(footprint))
    }

    pub(super) fn load(&mut self, pointer: Id, ty: Id) -> Result<Value> {
        match self.ty(ty)? {
            // Handles: the descriptor's own pointer represents its contents.
            Type::Image(_) | Type::Sampler | Type::Other { .. } => {
                let row = self.scalar(pointer)?;
                return Ok(Value { row, n: 1 });
            }
            Type::SampledImage { .. } => {
                let from = self.scalar(pointer)?;
                let row = self.rows(2)?;
                self.copy(row, from, 1);
                self.copy(row + 1, from, 1);
                return Ok(Value { row, n: 2 });
            }
            _ => {}
        }
        let value = self.new_value(ty)?;
        match self.locals.get(&pointer).copied() {
            Some(local) => {
                if self.count(local.ty)? != value.n {
                    return Err("the type of OpLoad is not that of its pointer".into());
                }
                match local.offset {
                    None => self.copy(value.row, local.row, value.n),
                    Some(offset) => {
                        self.emit(Ins::GatherRows { dst: value.row, row: local.row, offset, n: value.n });
                    }
                }
            }
            None => {
                let address = self.scalar(pointer)?;
                let footprint = self.footprint_of(pointer, ty)?;
                let space = self.space(pointer);
                self.emit(Ins::Load { dst: value.row, address, footprint, space });
            }
        }
        Ok(value)
    }

    pub(super) fn store(&mut self, pointer: Id, ty: Id, value: Value) -> Result<()> {
        match self.locals.get(&pointer).copied() {
            Some(local) => {
                if self.count(local.ty)? != value.n {
                    return Err("the type of OpStore is not that of its pointer".into());
                }
                match local.offset {
                    None => self.copy(local.row, value.row, value.n),
                    Some(offset) => {
                        self.emit(Ins::ScatterRows { src: value.row, row: local.row, offset, n: value.n });
                    }
                }
            }
            None => {
                let address = self.scalar(pointer)?;
                let footprint = self.footprint_of(pointer, ty)?;
                let space = self.space(pointer);
                self.emit(Ins::Store { src: value.row, address, footprint, space });
            }
        }
        Ok(())
    }

    fn chain(&mut self, inst: &Inst, base: Id, element: Option<Id>, indexes: &[Id]) -> Result<()> {
        if let Some(local) = self.locals.get(&base).copied() {
            let local = self.local_chain(local, indexes)?;
            self.locals.insert(inst.result, local);
            return Ok(());
        }
        let Some(Type::Pointer { class, pointee }) = self.m.ty(self.m.type_of(base)).cloned() else {
            return Err(format!("{} is not a pointer", self.m.describe(base)));
        };
        let mut walk = Walk {
            base: self.scalar(base)?,
            pending: 0,
            ty: pointee,
            stride: self.strides.get(&base).copied().unwrap_or_default(),
            coherent: !self.incoherent.contains(&base),
        };
        if let Some(element) = element {
            let declared = self.m.decoration_word(self.m.type_of(base), None, Decoration::ArrayStride);
            let stride = match declared {
                Some(stride) => stride,
                None => self.layouts.size(pointee, walk.stride)?.0,
            };
            let index = self.signed_index(element)?;
            self.step(&mut walk, index, stride, 0)?;
        }
        let mut indexes = indexes;
        if let Some((first, rest)) = indexes.split_first()
            && let Some(inner) = self.descriptor_element(class, pointee)?
        {
            let index = self.scalar(*first)?;
            let dst = self.rows(1)?;
            self.emit(Ins::DescriptorIndex { dst, base: walk.base, index });
            walk.base = dst;
            walk.ty = inner;
            if class != StorageClass::UniformConstant {
                let dst = self.rows(1)?;
                self.emit(Ins::BufferOf { dst, descriptor: walk.base });
                walk.base = dst;
            }
            indexes = rest;
        }
        for &index in indexes {
            self.step_into(&mut walk, index)?;
        }
        self.flush(&mut walk)?;
        if walk.stride != Stride::Natural {
            self.strides.insert(inst.result, walk.stride);
        }
        if !walk.coherent {
            self.incoherent.insert(inst.result);
        }
        self.define(inst, walk.base, 1);
        Ok(())
    }

    /// Returns the element type if the pointee is an array of descriptors.
    fn descriptor_element(&self, class: StorageClass, pointee: Id) -> Result<Option<Id>> {
        let (Type::Array { element, .. } | Type::RuntimeArray { element }) = self.ty(pointee)? else {
            return Ok(None);
        };
        let is_block = |kind| self.m.decoration(*element, None, kind).is_some();
        let descriptors = match class {
            StorageClass::UniformConstant => true,
            StorageClass::StorageBuffer | StorageClass::Uniform => {
                is_block(Decoration::Block) || is_block(Decoration::BufferBlock)
            }
            _ => false,
        };
        Ok(descriptors.then_some(*element))
    }

    /// Returns an index as a signed 64-bit number.
    fn signed_index(&mut self, index: Id) -> Result<Row> {
        let row = self.scalar(index)?;
        match self.width_of(index)? {
            (32, true) => self.unary(Unary::SExt32To64, row, 1),
            (16, true) => {
                let row = self.unary(Unary::SExt16To32, row, 1)?;
                self.unary(Unary::SExt32To64, row, 1)
            }
            _ => Ok(row),
        }
    }

    fn flush(&mut self, walk: &mut Walk) -> Result<()> {
        if walk.pending != 0 {
            let dst = self.rows(1)?;
            self.emit(Ins::Offset { dst, base: walk.base, bytes: walk.pending });
            (walk.base, walk.pending) = (dst, 0);
        }
        Ok(())
    }

    fn step(&mut self, walk: &mut Walk, index: Row, stride: u32, limit: u64) -> Result<()> {
        self.flush(walk)?;
        let dst = self.rows(1)?;
        self.emit(Ins::Index { dst, base: walk.base, index, stride, limit });
        walk.base = dst;
        Ok(())
    }

    /// Applies one index of an access chain.
    fn step_into(&mut self, walk: &mut Walk, index: Id) -> Result<()> {
        let constant = self.m.constant_u64(index);
        let (inner, stride, limit) = match self.ty(walk.ty)?.clone() {
            Type::Struct { members } => {
                let member = constant.ok_or("the index of a structure is not a constant")? as u32;
                let inner = *members.get(member as usize).ok_or("a structure has no such member")?;
                walk.pending += i64::from(self.layouts.member_offset(walk.ty, member)?);
                walk.stride = self.layouts.member_stride(walk.ty, member);
                walk.coherent |= self.is_coherent_member(walk.ty, member);
                walk.ty = inner;
                return Ok(());
            }
            Type::Array { element, length } => {
                let length = self.m.constant_u64(length).ok_or("the length of an array is not a constant")?;
                (element, self.layouts.array_stride(walk.ty, walk.stride)?, length)
            }
            Type::RuntimeArray { element } => {
                let stride = self.layouts.array_stride(walk.ty, walk.stride)?;
                // More elements than a region can have.
                (element, stride, (1 << 40) / u64::from(stride.max(1)))
            }
            Type::NodePayloadArray { payload } => {
                let stride = self.layouts.array_stride(walk.ty, walk.stride)?;
                self.flush(walk)?;
                let input = self.program.input.as_ref().is_some_and(|i| i.row == walk.base);
                let index = self.scalar(index)?;
                let dst = self.rows(1)?;
                self.emit(Ins::Element { dst, base: walk.base, index, stride, input });
                (walk.base, walk.ty) = (dst, payload);
                return Ok(());
            }
            Type::Vector { component, count } => {
                let bytes = self.layouts.size(component, Stride::Natural)?.0;
                let stride = match walk.stride {
                    Stride::Components(stride) => stride,
                    _ => bytes,
                };
                walk.stride = Stride::Natural;
                (component, stride, u64::from(count))
            }
            Type::Matrix { column, columns } => {
                let (bytes, align) = self.layouts.size(column, Stride::Natural)?;
                let (step, rest) = match walk.stride {
                    Stride::Columns(step) => (step, Stride::Natural),
                    Stride::Rows(step) => (align, Stride::Components(step)),
                    _ => (bytes, Stride::Natural),
                };
                walk.stride = rest;
                (column, step, u64::from(columns))
            }
            other => return Err(format!("{other:?} cannot be indexed")),
        };
        match constant {
            Some(index) if index < limit => walk.pending += index as i64 * i64::from(stride),
            _ => {
                let index = self.scalar(index)?;
                self.step(walk, index, stride, limit)?;
            }
        }
        walk.ty = inner;
        Ok(())
    }

    /// Applies an access chain to a variable in registers.
    fn local_chain(&mut self, local: Local, indexes: &[Id]) -> Result<Local> {
        let Local { mut row, mut offset, mut ty } = local;
        for &index in indexes {
            let constant = self.m.constant_u64(index);
            let (inner, length) = match self.ty(ty)?.clone() {
                Type::Struct { members } => {
                    let member = constant.ok_or("the index of a structure is not a constant")? as usize;
                    let inner = *members.get(member).ok_or("a structure has no such member")?;
                    for before in members.iter().take(member) {
                        row += self.count(*before)?;
                    }
                    ty = inner;
                    continue;
                }
                Type::Array { element, length } => {
                    (element, self.m.constant_u64(length).ok_or("the length of an array is not a constant")?)
                }
                Type::Vector { component, count } => (component, u64::from(count)),
                Type::Matrix { column, columns } => (column, u64::from(columns)),
                other => return Err(format!("{other:?} cannot be indexed")),
            };
            let stride = self.count(inner)?;
            match constant {
                Some(index) if index < length => row += index as u32 * stride,
                _ => {
                    let index = self.scalar(index)?;
                    let dst = self.rows(1)?;
                    self.emit(Ins::RowIndex { dst, base: offset, index, stride, limit: length });
                    offset = Some(dst);
                }
            }
            ty = inner;
        }
        Ok(Local { row, offset, ty })
    }
}
