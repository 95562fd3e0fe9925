//! The typing rules of operations: their operands and result types.
//!
//! This is the only table: the builder computes types with it, `verify` compares them. It has only rules that depend on
//! the function alone. `verify` checks operations that name globals, callees or a node's interface.

use crate::function::{AtomicOp, Builtin, Function, Op, ValueId};
use crate::ray::RayCommand;
use crate::spirv::Instruction;
use crate::types::{Scalar, Space, Type};

mod image;
mod numbers;

pub use image::{coord_components, direction_components, size_components, texel_type};

/// A broken typing rule, as text that names the operand.
pub type TypeError = String;

type Result<T = Type> = std::result::Result<T, TypeError>;

/// The origin of a value's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typing {
    /// The operands determine it.
    Is(Type),
    /// The module or the node determines it (`Global`, `Call`, `InputRecord`, `Allocate`). Operands were checked as far
    /// as possible within the function.
    Outside,
}

/// Returns the type that the value of `op` must have. `declared` is the claimed type. Operations that allow several
/// (`Convert`, `Zero`, `Load` of another layout ..) accept it or explain why not.
///
/// Operands must be values of `function`. A foreign id is an error, not a panic.
pub fn type_of(function: &Function, op: &Op, declared: &Type) -> Result<Typing> {
    let t = Operands { function };
    let ty = match op {
        Op::Const(c) => {
            if c.bits & !c.ty.mask() != 0 {
                return Err(format!("constant {:#x} has bits outside its type", c.bits));
            }
            Type::Scalar(c.ty)
        }
        Op::Zero | Op::Undef => {
            sized(declared)?;
            declared.clone()
        }
        Op::Merge if declared.is_mergeable() => declared.clone(),
        Op::Merge => return Err(format!("values of {declared} do not merge")),
        Op::Param(n) => match function.params.get(*n as usize) {
            Some(p) => p.ty.clone(),
            None => return Err(format!("the function has no parameter {n}")),
        },
        Op::Compose(parts) => t.compose(parts, declared)?,
        Op::Extract { base, index } => element(t.of(*base)?, *index)?,
        Op::ExtractDynamic { base, index } => {
            t.index(*index)?;
            match t.of(*base)? {
                Type::Vector(s, _) => Type::Scalar(*s),
                Type::Matrix(m) => m.row(),
                Type::Array { element, .. } => (**element).clone(),
                other => return Err(format!("{other} has no elements to select at run time")),
            }
        }
        Op::Insert { base, index, value } => {
            let base = t.of(*base)?;
            same("inserted value", t.of(*value)?, &element(base, *index)?)?;
            base.clone()
        }
        Op::Swizzle { base, components } => {
            let base = t.of(*base)?;
            let (s, n) = numeric_or_bool(base)?;
            if components.is_empty() || components.len() > 4 || components.iter().any(|&c| u32::from(c) >= n) {
                return Err(format!("swizzle {components:?} does not fit {base}"));
            }
            Type::vector_of(s, components.len() as u32)
        }
        Op::Shuffle { lhs, rhs, components } => {
            let (lhs, rhs) = (t.of(*lhs)?, t.of(*rhs)?);
            let (Type::Vector(scalar, n), Type::Vector(other, m)) = (lhs, rhs) else {
                return Err(format!("shuffles {lhs} and {rhs}, not two vectors"));
            };
            if scalar != other {
                return Err(format!("shuffles components of {lhs} and {rhs}"));
            }
            if !(2..=4).contains(&components.len()) || components.iter().any(|c| *c >= n + m) {
                return Err(format!("shuffle {components:?} does not fit {lhs} and {rhs}"));
            }
            Type::Vector(*scalar, components.len() as u8)
        }
        Op::Unary { op, value } => numbers::unary(*op, t.of(*value)?)?,
        Op::Binary { op, lhs, rhs } => numbers::binary(*op, t.of(*lhs)?, t.of(*rhs)?)?,
        Op::Select { cond, then, otherwise } => {
            let ty = t.of(*then)?;
            same("alternative", t.of(*otherwise)?, ty)?;
            sized(ty)?;
            match t.of(*cond)? {
                Type::Scalar(Scalar::Bool) => {}
                Type::Vector(Scalar::Bool, n) if matches!(ty, Type::Vector(_, m) if n == m) => {}
                other => return Err(format!("condition is {other}, not bool")),
            }
            ty.clone()
        }
        Op::Convert(value) => {
            let (_, from) = numeric_or_bool(t.of(*value)?)?;
            let (_, to) = numeric_or_bool(declared)?;
            if from != to {
                return Err(format!("converts {from} components to {to}"));
            }
            declared.clone()
        }
        Op::Bitcast(value) => {
            let from = t.of(*value)?;
            let (from_scalar, n) = numeric(from)?;
            let (to_scalar, m) = numeric(declared)?;
            if from_scalar.size() * n != to_scalar.size() * m {
                return Err(format!("{from} and {declared} differ in size"));
            }
            declared.clone()
        }
        Op::Math { op, args } => {
            let args = args.iter().map(|&a| t.of(a)).collect::<Result<Vec<_>>>()?;
            numbers::math(*op, &args)?
        }
        Op::Local(id) => match function.local(*id) {
            Some(local) => Type::reference(Space::Function, local.ty.clone()),
            None => return Err("no such local".into()),
        },
        Op::Field { base, index } => {
            let (space, pointee) = t.place(*base)?;
            match pointee {
                Type::Struct(_) => Type::reference(space, element(pointee, *index)?),
                other => return Err(format!("field of a place of type {other}")),
            }
        }
        Op::Index { base, index } => {
            t.index(*index)?;
            let (space, pointee) = t.place(*base)?;
            match pointee {
                Type::Vector(s, _) => Type::reference(space, Type::Scalar(*s)),
                Type::Matrix(m) => Type::reference(space, m.row()),
                Type::Array { element, .. } | Type::RuntimeArray { element, .. } => {
                    Type::Ref(space, std::sync::Arc::clone(element))
                }
                other => return Err(format!("element of a place of type {other}")),
            }
        }
        Op::Address(value) => {
            same("address", t.of(*value)?, &Type::U64)?;
            match declared {
                Type::Ref(Space::Physical { .. }, pointee)
                    if pointee.size().is_some() || matches!(**pointee, Type::RuntimeArray { .. }) =>
                {
                    declared.clone()
                }
                other => return Err(format!("an address gives a physical place, not {other}")),
            }
        }
        Op::Load(place) => {
            let (space, pointee) = t.place(*place)?;
            in_memory(space)?;
            if space == Space::MeshOutput {
                return Err("outputs of a mesh cannot be read".into());
            }
            storable(pointee)?;
            if !declared.same_shape(pointee) {
                return Err(format!("loads {declared} from a place of type {pointee}"));
            }
            declared.clone()
        }
        Op::ArrayLength(place) => match t.place(*place)? {
            (Space::Storage { .. }, Type::RuntimeArray { .. }) => Type::U32,
            _ => return Err("only the runtime array of a buffer has a length".into()),
        },
        Op::Atomic { op, place, value, comparator, .. } => t.atomic(*op, *place, *value, *comparator)?,
        Op::ImageLoad(load) => t.image_load(load, declared)?,
        Op::ImageSample(sample) => t.image_sample(sample, declared)?,
        Op::ImageQuery { image, query } => t.image_query(t.image(*image)?, query)?,
        Op::Texel { image, coord, sample } => t.texel_place(*image, *coord, *sample)?,
        Op::Resident(code) => {
            same("residency code", t.of(*code)?, &Type::U32)?;
            Type::BOOL
        }
        Op::RayQuery { ask, query } => {
            t.query(*query)?;
            ask.result()
        }
        Op::Builtin(b) => builtin_type(*b),
        Op::Spirv(instruction) => {
            check_instruction(function, instruction)?;
            sized(declared)?;
            declared.clone()
        }
        Op::Subgroup { op, args } => {
            let args = args.iter().map(|&a| t.of(a)).collect::<Result<Vec<_>>>()?;
            numbers::subgroup(*op, &args)?
        }
        Op::Call { args, .. } => {
            for &arg in args {
                t.of(arg)?;
            }
            return Ok(Typing::Outside);
        }
        Op::Global(_) => return Ok(Typing::Outside),
        Op::Descriptor { array, index } => {
            t.index(*index)?;
            match t.of(*array)? {
                Type::Descriptors { element, .. } => (**element).clone(),
                other => return Err(format!("{other} is not an array of resources")),
            }
        }
        Op::NonUniform(value) => {
            let ty = t.of(*value)?;
            numeric_or_bool(ty)?;
            ty.clone()
        }
        Op::Counter(buffer) => match t.place(*buffer)? {
            (Space::Storage { .. }, Type::RuntimeArray { .. }) => {
                Type::reference(Space::Storage { coherent: false }, Type::U32)
            }
            _ => return Err("only a buffer has a counter".into()),
        },
        Op::Bits(place) => match t.place(*place)? {
            (space, Type::Scalar(Scalar::F32)) if space.is_shared() && space != Space::Image => {
                Type::reference(space, Type::U32)
            }
            _ => return Err(format!("{} is not a place of a float that threads share", t.of(*place)?)),
        },
        Op::Wide(buffer) => match t.place(*buffer)? {
            (space @ Space::Storage { .. }, Type::RuntimeArray { element, .. }) if **element == Type::U32 => {
                let stride = Scalar::U64.size();
                Type::reference(space, Type::RuntimeArray { element: Type::U64.into(), stride })
            }
            _ => return Err(format!("{} is not a buffer of words", t.of(*buffer)?)),
        },
        Op::InputRecord { index } => {
            t.index(*index)?;
            return Ok(Typing::Outside);
        }
        Op::Allocate { index, count, .. } => {
            t.index(*index)?;
            t.index(*count)?;
            return Ok(Typing::Outside);
        }
        Op::OutputRecord { records, index } => {
            t.index(*index)?;
            match t.of(*records)? {
                Type::Records(r) => Type::Ref(Space::NodeOutput, std::sync::Arc::clone(&r.record)),
                other => return Err(format!("{other} is not a record handle")),
            }
        }
        Op::InputCount | Op::RemainingLevels => Type::U32,
        Op::OutputValid { index, .. } => {
            t.index(*index)?;
            Type::BOOL
        }
        Op::FinishedSharing => Type::BOOL,
    };
    Ok(Typing::Is(ty))
}

/// Checks the operands of a store.
pub fn check_store(function: &Function, place: ValueId, value: ValueId) -> Result<()> {
    let t = Operands { function };
    let (space, pointee) = t.place(place)?;
    in_memory(space)?;
    storable(pointee)?;
    let value = t.of(value)?;
    if value.same_shape(pointee) { Ok(()) } else { Err(format!("stores {value} to a place of {pointee}")) }
}

/// Checks the operands of an image store.
pub fn check_image_store(
    function: &Function,
    (image, coord, sample): (ValueId, ValueId, Option<ValueId>),
    value: ValueId,
) -> Result<()> {
    let t = Operands { function };
    let image = t.image(image)?;
    if !image.storage {
        return Err("the image is read-only".into());
    }
    t.texel(image, coord, sample)?;
    same("texel", t.of(value)?, &Type::vector_of(image.texel, u32::from(image.components)))
}

/// Checks the operands of a command to a ray query.
pub fn check_ray_command(function: &Function, command: RayCommand, query: ValueId, args: &[ValueId]) -> Result<()> {
    let t = Operands { function };
    t.query(query)?;
    let wanted = command.operands();
    if args.len() != wanted.len() {
        return Err(format!("takes {} operands, not {}", wanted.len(), args.len()));
    }
    args.iter().zip(&wanted).try_for_each(|(arg, ty)| same("operand", t.of(*arg)?, ty))
}

/// Checks that a value is a 32-bit index or count.
pub fn check_index(function: &Function, value: ValueId) -> Result<()> {
    Operands { function }.index(value)
}

/// Returns the type of a system value.
pub fn builtin_type(builtin: Builtin) -> Type {
    match builtin {
        Builtin::GroupThreadId | Builtin::GroupId | Builtin::DispatchThreadId | Builtin::NumWorkgroups => {
            Type::Vector(Scalar::U32, 3)
        }
        Builtin::GroupIndex
        | Builtin::SubgroupSize
        | Builtin::SubgroupLane
        | Builtin::SubgroupId
        | Builtin::NumSubgroups => Type::U32,
    }
}

/// Returns the type of an element of a vector, matrix (a row), array or structure.
pub fn element(ty: &Type, index: u32) -> Result<Type> {
    let found = match ty {
        Type::Vector(s, n) if index < u32::from(*n) => Some(Type::Scalar(*s)),
        Type::Matrix(m) if index < u32::from(m.rows) => Some(m.row()),
        Type::Array { element, len, .. } if index < *len => Some((**element).clone()),
        Type::Struct(s) => s.fields.get(index as usize).map(|f| f.ty.clone()),
        _ => None,
    };
    found.ok_or_else(|| format!("{ty} has no element {index}"))
}

/// Checks that the operands of an instruction have ids, or pointers, in the module. Handles of nodes and arrays of
/// resources have neither.
pub(crate) fn check_instruction(function: &Function, instruction: &Instruction) -> Result<()> {
    instruction.values().try_for_each(|value| match (Operands { function }).of(value)? {
        ty @ (Type::Void | Type::Records(_) | Type::Descriptors { .. } | Type::Ref(Space::Image, _)) => {
            Err(format!("no instruction takes {ty}"))
        }
        _ => Ok(()),
    })
}

struct Operands<'a> {
    function: &'a Function,
}

impl<'a> Operands<'a> {
    fn of(&self, id: ValueId) -> Result<&'a Type> {
        match self.function.value(id) {
            Some(value) => Ok(&value.ty),
            None => Err(format!("no such value %{}", id.into_raw().into_u32())),
        }
    }

    fn place(&self, id: ValueId) -> Result<(Space, &'a Type)> {
        match self.of(id)? {
            Type::Ref(space, pointee) => Ok((*space, pointee)),
            other => Err(format!("{other} is not a place")),
        }
    }

    fn query(&self, id: ValueId) -> Result<()> {
        let ty = self.of(id)?;
        if *ty == Type::reference(Space::Private, Type::RayQuery) {
            return Ok(());
        }
        same("query", ty, &Type::reference(Space::Function, Type::RayQuery))
    }

    /// Checks an index or count: any 32-bit or 64-bit integer.
    fn index(&self, id: ValueId) -> Result<()> {
        match self.of(id)? {
            Type::Scalar(s) if s.is_integer() && s.size() >= 4 => Ok(()),
            other => Err(format!("index or count is {other}")),
        }
    }

    fn compose(&self, parts: &[ValueId], declared: &Type) -> Result {
        match declared {
            Type::Vector(scalar, n) => {
                let mut total = 0u32;
                for &part in parts {
                    let (s, m) = numeric_or_bool(self.of(part)?)?;
                    if s != *scalar {
                        return Err(format!("component is {}", self.of(part)?));
                    }
                    total = total.saturating_add(m);
                }
                if total != u32::from(*n) {
                    return Err(format!("{total} components make no {declared}"));
                }
            }
            Type::Matrix(m) => {
                if parts.len() != usize::from(m.rows) {
                    return Err(format!("{} rows make no {declared}", parts.len()));
                }
                for &part in parts {
                    same("row", self.of(part)?, &m.row())?;
                }
            }
            Type::Array { element, len, .. } => {
                if parts.len() as u64 != u64::from(*len) {
                    return Err(format!("{} elements do not form {declared}", parts.len()));
                }
                for &part in parts {
                    same("element", self.of(part)?, element)?;
                }
            }
            Type::Struct(s) => {
                if parts.len() != s.fields.len() {
                    return Err(format!("{} fields do not form {declared}", parts.len()));
                }
                for (&part, field) in parts.iter().zip(&s.fields) {
                    same("field", self.of(part)?, &field.ty)?;
                }
            }
            other => return Err(format!("{other} is not composed")),
        }
        Ok(declared.clone())
    }

    fn atomic(&self, op: AtomicOp, place: ValueId, value: ValueId, comparator: Option<ValueId>) -> Result {
        let (space, pointee) = self.place(place)?;
        if !space.is_shared() {
            return Err(format!("no other thread sees the space of {}", self.of(place)?));
        }
        if space == Space::Image && matches!(op, AtomicOp::Load | AtomicOp::Store) {
            return Err("texels are loaded and stored by image operations".into());
        }
        let Type::Scalar(scalar) = pointee else { return Err(format!("atomic on {pointee}")) };
        // Devices have atomics on integers. Floats in memory are viewed through `Op::Bits`, but texels cannot be.
        let texel = space == Space::Image && *scalar == Scalar::F32 && op == AtomicOp::Exchange;
        let fits = scalar.is_integer() && scalar.size() >= 4 || texel;
        if !fits {
            return Err(format!("atomic on {pointee}"));
        }
        let given = self.of(value)?;
        if op != AtomicOp::Load {
            same("operand", given, pointee)?;
        }
        match (op, comparator) {
            (AtomicOp::CompareExchange, Some(c)) => same("comparator", self.of(c)?, pointee)?,
            (AtomicOp::CompareExchange, None) => return Err("has no comparator".into()),
            (_, Some(_)) => return Err("takes no comparator".into()),
            (_, None) => {}
        }
        Ok(pointee.clone())
    }
}

fn same(what: &str, ty: &Type, expected: &Type) -> Result<()> {
    if ty.stands_for(expected) { Ok(()) } else { Err(format!("{what} is {ty}, not {expected}")) }
}

fn sized(ty: &Type) -> Result<()> {
    if ty.size().is_some() && !ty.holds_query() { Ok(()) } else { Err(format!("{ty} has no size")) }
}

/// Checks that the memory is not a texel, which has its own load and store operations.
fn in_memory(space: Space) -> Result<()> {
    if space == Space::Image { Err("a texel is loaded and stored by image operations".into()) } else { Ok(()) }
}

/// Checks that a type can be stored. Locals hold handles and images until `promote`; all other memory holds only sized
/// types.
fn storable(ty: &Type) -> Result<()> {
    match ty {
        Type::Records(_) => Ok(()),
        ty if ty.is_resource() => Ok(()),
        _ => sized(ty),
    }
}

fn numeric_or_bool(ty: &Type) -> Result<(Scalar, u32)> {
    match (ty.scalar(), ty.components()) {
        (Some(s), Some(n)) => Ok((s, n)),
        _ => Err(format!("{ty} is neither scalar nor vector")),
    }
}

fn numeric(ty: &Type) -> Result<(Scalar, u32)> {
    let (s, n) = numeric_or_bool(ty)?;
    if s == Scalar::Bool { Err(format!("does not take {ty}")) } else { Ok((s, n)) }
}
