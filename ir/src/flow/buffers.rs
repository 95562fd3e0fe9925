//! The buffer or image that a place is in, by a name with the same meaning in several nodes.
//!
//! Resources are followed through locals, and so through parameters of inlined functions, if each local only ever holds
//! one resource. Constant indexes distinguish the elements of arrays of resources and of heaps. Structure members,
//! elements of local arrays, choices between resources and computed indexes are not followed.

use crate::Symbol;
use crate::function::*;
use crate::passes::scalar;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::fmt;

/// The maximum length of a chain of locals that is followed.
const MAX_STEPS: usize = 16;

/// A resource of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Buffer {
    pub name: Symbol,
    /// The element of an array of resources.
    pub element: Option<u32>,
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            None => f.write_str(&self.name),
            // A heap has one global for each type that it is read as.
            Some(n) => write!(f, "{}[{n}]", self.name.split('<').next().unwrap_or_default()),
        }
    }
}

pub struct Buffers<'f> {
    function: &'f Function,
    /// The values that are stored in each local with a resource.
    stored: FxHashMap<LocalId, Vec<ValueId>>,
}

impl<'f> Buffers<'f> {
    pub fn of(function: &'f Function) -> Buffers<'f> {
        let mut stored: FxHashMap<LocalId, Vec<ValueId>> = FxHashMap::default();
        crate::walk::statements(&function.body, &mut |stmt| {
            if let Stmt::Store { place, value } = stmt
                && let Some(Op::Local(local)) = function.value(*place).map(|place| &place.op)
                && matches!(function.type_of(*value), Some(Type::Ref(..) | Type::Image(_)))
            {
                stored.entry(*local).or_default().push(*value);
            }
        });
        Buffers { function, stored }
    }

    /// Returns the buffer that a place is in.
    pub fn at(&self, place: ValueId) -> Option<Buffer> {
        self.follow(place, MAX_STEPS)
    }

    fn follow(&self, place: ValueId, steps: usize) -> Option<Buffer> {
        let mut at = place;
        loop {
            match &self.function.value(at)?.op {
                Op::Field { base, .. } | Op::Index { base, .. } => at = *base,
                Op::Global(name) => return Some(Buffer { name: name.clone(), element: None }),
                Op::Descriptor { array, index } => {
                    let Op::Global(name) = &self.function.value(*array)?.op else { return None };
                    return Some(Buffer { name: name.clone(), element: Some(self.number(*index)?) });
                }
                Op::Load(from) => {
                    let Op::Local(local) = self.function.value(*from)?.op else { return None };
                    let (first, others) = self.stored.get(&local)?.split_first()?;
                    let steps = steps.checked_sub(1)?;
                    let buffer = self.follow(*first, steps)?;
                    let is_same = |value: &ValueId| self.follow(*value, steps).as_ref() == Some(&buffer);
                    return others.iter().all(is_same).then_some(buffer);
                }
                _ => return None,
            }
        }
    }

    fn number(&self, id: ValueId) -> Option<u32> {
        if let Some(constant) = self.function.constant(id) {
            return u32::try_from(constant.bits).ok();
        }
        let value = self.function.value(id)?;
        let Op::Convert(from) = value.op else { return None };
        let converted = scalar::convert(self.function.constant(from)?, value.ty.scalar()?)?;
        u32::try_from(converted.bits).ok()
    }
}
