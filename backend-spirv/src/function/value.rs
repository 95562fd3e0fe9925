//! The dispatch of `Let` to the emitters of operations. Those with tables of their own (arithmetic, mathematics,
//! memory, images, subgroups, the graph) are in separate modules.

use super::image::Image;
use super::{FunctionEmitter, Result, Slot, raw};
use crate::EmitError;
use crate::builder::{id, ids, lit};
use crate::globals::{EmittedGlobal, InputVariable};
use crate::place::Place;
use rspirv::spirv::{Decoration, Op as Spv, Word};
use wgc_ir::{BinaryOp, MathOp, Op, Scalar, Type, UnaryOp, ValueId};

impl FunctionEmitter<'_, '_> {
    pub(super) fn let_(&mut self, value: ValueId) -> Result {
        let f = self.f;
        let data = f.value(value).ok_or_else(|| EmitError::new("a value of another function"))?;
        let first = self.e.b.bound();
        if let Some(slot) = self.operation(value, &data.op, &data.ty)? {
            // A debug name belongs to an instruction of this function, not to a shared constant.
            if let Slot::Value(word) | Slot::Stored { word, .. } | Slot::Records { pointer: word, .. } = slot
                && word >= first
                && !self.e.b.is_interned(word)
            {
                self.e.b.name(word, &data.name);
            }
            if let Slot::Value(word) = slot
                && data.precise
                && word >= first
                && self.rounds(&data.op)
            {
                self.e.b.decorate(word, Decoration::NoContraction, &[]);
            }
            self.set(value, slot);
        }
        Ok(())
    }

    /// Returns whether the operation is an arithmetic instruction on floats, which may be contracted.
    fn rounds(&self, op: &Op) -> bool {
        use BinaryOp as B;
        let operand = match op {
            Op::Unary { op: UnaryOp::Neg, value } => *value,
            Op::Binary { op: B::Add | B::Sub | B::Mul | B::Div | B::Rem, lhs, .. } => *lhs,
            Op::Math { op: MathOp::Fma | MathOp::Dot, args } => match args.first() {
                Some(first) => *first,
                None => return false,
            },
            _ => return false,
        };
        self.f.type_of(operand).and_then(Type::scalar).is_some_and(Scalar::is_float)
    }

    /// Returns the emitted value; `None` for parameters, which are already bound.
    fn operation(&mut self, value: ValueId, op: &Op, ty: &Type) -> Result<Option<Slot>> {
        let word = match op {
            Op::Const(constant) => self.e.scalar_constant(*constant),
            Op::Zero => self.e.zero(ty)?,
            Op::Undef => self.e.undef(ty)?,
            Op::Merge => return Err(EmitError::new("a merged value outside of its statement")),
            Op::Param(_) => {
                return if self.slots.get(raw(value)).is_some_and(Option::is_some) {
                    Ok(None)
                } else {
                    Err(EmitError::new("the function has no such parameter"))
                };
            }
            Op::Compose(parts) => return self.composed(value, parts, ty).map(Some),
            Op::Extract { base, index } => return self.extracted(value, *base, *index, ty).map(Some),
            Op::ExtractDynamic { base, index } => self.extract_dynamic(*base, *index, ty)?,
            Op::Insert { base, index, value } => {
                let (base, part, ty) = (self.word(*base)?, self.word(*value)?, self.e.value_type(ty)?);
                self.e.b.op(Spv::CompositeInsert, ty, vec![id(part), id(base), lit(*index)])
            }
            Op::Swizzle { base, components } => self.swizzle(*base, components, ty)?,
            Op::Shuffle { lhs, rhs, components } => {
                let (lhs, rhs, ty) = (self.word(*lhs)?, self.word(*rhs)?, self.e.value_type(ty)?);
                let components = components.iter().map(|&c| lit(u32::from(c)));
                self.e.b.op(Spv::VectorShuffle, ty, [id(lhs), id(rhs)].into_iter().chain(components).collect())
            }
            Op::Unary { op, value } => self.unary(*op, *value, ty)?,
            Op::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs, ty)?,
            Op::Select { cond, then, otherwise } => {
                let words = [self.word(*cond)?, self.word(*then)?, self.word(*otherwise)?];
                let is_scalar = matches!(self.ty(*cond)?, Type::Scalar(_));
                self.select(words, is_scalar, ty)?
            }
            Op::Convert(operand) => self.convert(*operand, ty)?,
            Op::Bitcast(operand) => {
                let (word, from, to) =
                    (self.word(*operand)?, self.e.value_type(self.ty(*operand)?)?, self.e.value_type(ty)?);
                if from == to { word } else { self.e.b.op(Spv::Bitcast, to, vec![id(word)]) }
            }
            Op::Math { op, args } => self.math(*op, args, ty)?,

            Op::Local(local) => return self.local(*local).map(|place| Some(Slot::Place(place))),
            Op::Global(name) => return self.global(name).map(Some),
            Op::Descriptor { array, index } => return self.descriptor(*array, *index).map(Some),
            // The mark is read when a descriptor is selected.
            Op::NonUniform(operand) => self.word(*operand)?,
            Op::Counter(_) | Op::Bits(_) | Op::Wide(_) => {
                return Err(EmitError::new("another view of memory is left: the module was not prepared"));
            }
            Op::Field { base, index } => {
                let mut place = self.place(*base)?.clone();
                self.e.enter_field(&mut place, *index)?;
                return Ok(Some(Slot::Place(place)));
            }
            Op::Index { base, index } => {
                let (mut place, index) = (self.place(*base)?.clone(), self.word(*index)?);
                self.e.enter_element(&mut place, index)?;
                return Ok(Some(Slot::Place(place)));
            }
            Op::Address(address) => {
                let Type::Ref(space, pointee) = ty else {
                    return Err(EmitError::new("an address that is not a place"));
                };
                let address = self.word(*address)?;
                return self.e.physical_place(address, *space, pointee).map(|place| Some(Slot::Place(place)));
            }
            Op::Load(place) => return self.loaded(value, *place, ty).map(Some),
            Op::ArrayLength(place) => self.array_length(*place)?,
            Op::Atomic { op, place, value, comparator, scope, order } => {
                self.atomic(*op, *place, *value, *comparator, (*scope, *order), ty)?
            }

            Op::ImageLoad(load) => self.image_load(load, ty)?,
            Op::ImageSample(sample) => self.image_sample(sample, ty)?,
            Op::ImageQuery { image, query } => self.image_query(*image, *query, ty)?,
            Op::Texel { image, coord, sample } => {
                return self.texel_place(*image, *coord, *sample).map(|place| Some(Slot::Place(place)));
            }
            Op::Resident(code) => self.resident(*code)?,
            Op::RayQuery { ask, query } => self.ray_question(*ask, *query, ty)?,

            Op::Builtin(builtin) => self.input(InputVariable::System(*builtin))?,
            Op::Subgroup { op, args } => self.subgroup(*op, args, ty)?,
            Op::Call { callee, args } => self.call(callee, args)?,
            Op::Spirv(instruction) => self.spirv(instruction, ty)?,

            Op::RemainingLevels => self.remaining_levels()?,
            Op::InputRecord { index } => return self.input_record(*index).map(|place| Some(Slot::Place(place))),
            Op::InputCount => self.input_count()?,
            Op::Allocate { scope, output, index, count } => {
                let (pointer, output) = self.allocate(*scope, *output, *index, *count)?;
                return Ok(Some(Slot::Records { pointer, output }));
            }
            Op::OutputRecord { records, index } => {
                return self.output_record(*records, *index).map(|place| Some(Slot::Place(place)));
            }
            Op::OutputValid { output, index } => self.output_valid(*output, *index)?,
            Op::FinishedSharing => self.finished_sharing()?,
        };
        Ok(Some(Slot::Value(word)))
    }

    pub(super) fn compose(&mut self, parts: &[ValueId], ty: &Type) -> Result<Word> {
        let words = self.words(parts)?;
        let elements = match ty {
            Type::Vector(_, n) => usize::from(*n),
            Type::Matrix(m) => usize::from(m.rows),
            Type::Array { len, .. } => *len as usize,
            Type::Struct(s) => s.fields.len(),
            _ => return Err(EmitError::new(format!("{ty} is not composed"))),
        };
        let ty = self.e.value_type(ty)?;
        if words.is_empty() {
            return Ok(self.e.b.constant(Spv::ConstantNull, ty, Vec::new()));
        }
        // Parts of a vector may be vectors, but not in a constant.
        if words.len() == elements && words.iter().all(|&w| self.e.b.is_constant(w)) {
            return Ok(self.e.b.constant(Spv::ConstantComposite, ty, ids(&words)));
        }
        match (words.as_slice(), parts) {
            ([only], [part]) if self.e.value_type(self.ty(*part)?)? == ty => Ok(*only),
            _ => Ok(self.e.b.op(Spv::CompositeConstruct, ty, ids(&words))),
        }
    }

    fn extract_dynamic(&mut self, base: ValueId, index: ValueId, ty: &Type) -> Result<Word> {
        let base_ty = self.ty(base)?;
        let (base, index, ty) = (self.word(base)?, self.word(index)?, self.e.value_type(ty)?);
        if matches!(base_ty, Type::Vector(..)) {
            return Ok(self.e.b.op(Spv::VectorExtractDynamic, ty, vec![id(base), id(index)]));
        }
        // SPIR-V indexes arrays at run time only in memory.
        let pointee = self.e.value_type(base_ty)?;
        let variable = self.e.b.local(pointee);
        self.e.b.effect(Spv::Store, vec![id(variable), id(base)]);
        let pointer = self.e.b.pointer_type(rspirv::spirv::StorageClass::Function, ty);
        let element = self.e.b.op(Spv::AccessChain, pointer, vec![id(variable), id(index)]);
        Ok(self.e.b.op(Spv::Load, ty, vec![id(element)]))
    }

    fn swizzle(&mut self, base: ValueId, components: &[u8], ty: &Type) -> Result<Word> {
        let scalar_base = matches!(self.ty(base)?, Type::Scalar(_));
        let (base, ty) = (self.word(base)?, self.e.value_type(ty)?);
        Ok(match components {
            [_] if scalar_base => base,
            &[only] => self.e.b.op(Spv::CompositeExtract, ty, vec![id(base), lit(u32::from(only))]),
            _ if scalar_base => self.splat(base, ty, components.len()),
            _ => {
                let mut operands = vec![id(base), id(base)];
                operands.extend(components.iter().map(|&c| lit(u32::from(c))));
                self.e.b.op(Spv::VectorShuffle, ty, operands)
            }
        })
    }

    /// Returns a vector of type `ty` with `n` equal components.
    pub(super) fn splat(&mut self, scalar: Word, ty: Word, n: usize) -> Word {
        let operands = ids(&vec![scalar; n]);
        if self.e.b.is_constant(scalar) {
            self.e.b.constant(Spv::ConstantComposite, ty, operands)
        } else {
            self.e.b.op(Spv::CompositeConstruct, ty, operands)
        }
    }

    fn global(&mut self, name: &wgc_ir::Symbol) -> Result<Slot> {
        Ok(match self.e.global(name)? {
            EmittedGlobal::Place(place) => Slot::Place(place),
            EmittedGlobal::Constant { word } => Slot::Value(word),
            EmittedGlobal::Descriptors { variable, kind } => {
                self.uses_global(variable);
                Slot::Descriptors { variable, kind }
            }
            EmittedGlobal::Sampler { variable } => {
                self.uses_global(variable);
                let word = self.e.value_type(&Type::Sampler)?;
                Slot::Sampler(self.e.b.op(Spv::Load, word, vec![id(variable)]))
            }
            EmittedGlobal::AccelerationStructure { variable } => {
                self.uses_global(variable);
                let word = self.e.value_type(&Type::AccelerationStructure)?;
                Slot::AccelerationStructure(self.e.b.op(Spv::Load, word, vec![id(variable)]))
            }
            EmittedGlobal::Image { variable, ty, format } => {
                self.uses_global(variable);
                let word = self.e.image_type(ty, format)?;
                let value = self.e.b.op(Spv::Load, word, vec![id(variable)]);
                Slot::Image(Image { value, pointer: variable, ty, format })
            }
        })
    }

    /// Reads a variable of storage class Input.
    pub(crate) fn input(&mut self, input: InputVariable) -> Result<Word> {
        let (variable, ty) = self.e.input(input)?;
        self.uses_global(variable);
        let ty = self.e.value_type(&ty)?;
        Ok(self.e.b.op(Spv::Load, ty, vec![id(variable)]))
    }

    /// Emits a call; the result is meaningless if the callee returns nothing.
    ///
    /// An argument for a place parameter must be a whole variable of this function. Any other place is copied to a
    /// variable and back, as HLSL defines `out` and `inout`.
    pub(super) fn call(&mut self, callee: &wgc_ir::Symbol, args: &[ValueId]) -> Result<Word> {
        let module = self.e.module;
        let Some(function) = module.functions.get(callee) else {
            return Err(EmitError::new(format!("call of unknown function `{callee}`")));
        };
        if function.params.len() != args.len() {
            return Err(EmitError::new(format!("call of `{callee}` with {} arguments", args.len())));
        }
        let word = self.e.callee(callee)?;
        self.uses_function(word);
        let mut operands = vec![id(word)];
        let mut copies: Vec<(Place, Place, Type)> = Vec::new();
        for (param, &arg) in function.params.iter().zip(args).filter(|(param, _)| !super::is_empty(&param.ty)) {
            let Type::Ref(_, pointee) = &param.ty else {
                operands.push(id(self.word(arg)?));
                continue;
            };
            let place = self.place(arg)?.clone();
            let whole = place.space == wgc_ir::Space::Function && place.indexes.is_empty();
            if whole {
                operands.push(id(place.base));
                continue;
            }
            let variable = self.e.value_type(pointee)?;
            let variable = self.e.b.local(variable);
            let copy = Place::new(variable, wgc_ir::Space::Function, crate::place::Content::Value((**pointee).clone()));
            let value = self.load_place(&place, pointee)?;
            self.store_place(&copy, value, pointee)?;
            operands.push(id(variable));
            copies.push((place, copy, (**pointee).clone()));
        }
        let ret = self.e.value_type(&function.ret)?;
        let result = self.e.b.op(Spv::FunctionCall, ret, operands);
        for (place, copy, ty) in copies {
            if place.writable {
                let value = self.load_place(&copy, &ty)?;
                self.store_place(&place, value, &ty)?;
            }
        }
        Ok(result)
    }

    /// Returns an index or count as a 32-bit unsigned integer.
    pub(crate) fn as_u32(&mut self, value: ValueId) -> Result<Word> {
        let word = self.word(value)?;
        let ty = self.ty(value)?;
        match ty {
            Type::Scalar(Scalar::U32) => Ok(word),
            Type::Scalar(Scalar::I32) if self.constant(value).is_some() => {
                let bits = self.constant(value).map_or(0, |c| c.bits);
                Ok(self.e.u32_constant(bits as u32))
            }
            Type::Scalar(_) => self.convert_numeric(word, ty, &Type::U32),
            _ => Err(EmitError::new(format!("an index or count of type {ty}"))),
        }
    }
}
