//! The binary forms of numbers, texts, types and collections.

use super::Encoded;
use super::bytes::{Decoder, Encoder};
use crate::Symbol;
use crate::function::Function;
use crate::module::SharedFunction;
use crate::types::Type;
use indexmap::IndexMap;
use la_arena::{Arena, Idx, RawIdx};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Encoded for u8 {
    fn put(&self, to: &mut Encoder) {
        to.byte(*self);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.byte()
    }
}

impl Encoded for bool {
    fn put(&self, to: &mut Encoder) {
        to.byte((*self).into());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        match from.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Encoded for u32 {
    fn put(&self, to: &mut Encoder) {
        to.number((*self).into());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.number()?.try_into().ok()
    }
}

impl Encoded for u64 {
    fn put(&self, to: &mut Encoder) {
        to.number(*self);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.number()
    }
}

/// Written without a sign: the lowest bit is set for negative numbers.
impl Encoded for i64 {
    fn put(&self, to: &mut Encoder) {
        to.number(((self << 1) ^ (self >> 63)) as u64);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        let number = from.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

impl Encoded for char {
    fn put(&self, to: &mut Encoder) {
        u32::from(*self).put(to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        char::from_u32(u32::take(from)?)
    }
}

impl Encoded for Symbol {
    fn put(&self, to: &mut Encoder) {
        to.symbol(self);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.symbol()
    }
}

impl Encoded for String {
    fn put(&self, to: &mut Encoder) {
        to.bytes(self.as_bytes());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.text().map(String::from)
    }
}

impl Encoded for Arc<[u8]> {
    fn put(&self, to: &mut Encoder) {
        to.bytes(self);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.bytes().map(Arc::from)
    }
}

impl Encoded for Type {
    fn put(&self, to: &mut Encoder) {
        to.ty(self);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.ty()
    }
}

impl Encoded for Arc<Type> {
    fn put(&self, to: &mut Encoder) {
        to.ty(self);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.shared_type()
    }
}

impl Encoded for SharedFunction {
    fn put(&self, to: &mut Encoder) {
        Function::put(self, to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Function::take(from).map(SharedFunction::from)
    }
}

impl<T> Encoded for Idx<T> {
    fn put(&self, to: &mut Encoder) {
        self.into_raw().into_u32().put(to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some(Idx::from_raw(RawIdx::from_u32(u32::take(from)?)))
    }
}

impl<T: Encoded> Encoded for Option<T> {
    fn put(&self, to: &mut Encoder) {
        self.is_some().put(to);
        self.iter().for_each(|value| value.put(to));
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        match bool::take(from)? {
            true => T::take(from).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Encoded> Encoded for Box<T> {
    fn put(&self, to: &mut Encoder) {
        T::put(self, to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        T::take(from).map(Box::new)
    }
}

impl<A: Encoded, B: Encoded> Encoded for (A, B) {
    fn put(&self, to: &mut Encoder) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<A: Encoded, B: Encoded, C: Encoded> Encoded for (A, B, C) {
    fn put(&self, to: &mut Encoder) {
        self.0.put(to);
        self.1.put(to);
        self.2.put(to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}

impl<T: Encoded, const N: usize> Encoded for [T; N] {
    fn put(&self, to: &mut Encoder) {
        self.iter().for_each(|value| value.put(to));
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        let all: Option<Vec<T>> = (0..N).map(|_| T::take(from)).collect();
        all?.try_into().ok()
    }
}

impl<T: Encoded> Encoded for Vec<T> {
    fn put(&self, to: &mut Encoder) {
        to.list(self.iter());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.list()
    }
}

impl<T: Encoded> Encoded for Box<[T]> {
    fn put(&self, to: &mut Encoder) {
        to.list(self.iter());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.list().map(Vec::into_boxed_slice)
    }
}

impl<T: Encoded> Encoded for Arena<T> {
    fn put(&self, to: &mut Encoder) {
        to.list(self.values());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.list::<T>().map(Arena::from_iter)
    }
}

impl<T: Encoded + Ord> Encoded for BTreeSet<T> {
    fn put(&self, to: &mut Encoder) {
        to.list(self.iter());
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.list::<T>().map(BTreeSet::from_iter)
    }
}

impl<T: Encoded> Encoded for IndexMap<Symbol, T> {
    fn put(&self, to: &mut Encoder) {
        to.number(self.len() as u64);
        for (name, value) in self {
            name.put(to);
            value.put(to);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        from.list::<(Symbol, T)>().map(IndexMap::from_iter)
    }
}
