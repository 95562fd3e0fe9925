//! A macro for structures with a fixed little-endian layout, their encoder, decoder and field offsets.

/// Declares a structure of `u32` and `u64` fields (and arrays of them) with `SIZE`, `FIELDS`, `encode` and `decode`.
///
/// Fields are contiguous, without padding. A 64-bit field must have an offset that is a multiple of eight, which is
/// checked at compile time.
macro_rules! row {
    ($(#[$meta:meta])* $name:ident { $($(#[$fmeta:meta])* $field:ident : $ty:ty,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(C)]
        pub struct $name { $($(#[$fmeta])* pub $field: $ty,)+ }

        impl $name {
            /// Size in bytes.
            pub const SIZE: usize = 0 $(+ std::mem::size_of::<$ty>())+;
            /// Name, offset and size in bytes of each field.
            pub const FIELDS: &'static [(&'static str, usize, usize)] = &[
                $((stringify!($field), std::mem::offset_of!($name, $field), std::mem::size_of::<$ty>()),)+
            ];

            /// Appends the little-endian bytes.
            pub fn encode(&self, out: &mut Vec<u8>) {
                $($crate::row::Word::put(&self.$field, out);)+
            }

            pub fn to_bytes(&self) -> Vec<u8> {
                let mut out = Vec::with_capacity(Self::SIZE);
                self.encode(&mut out);
                out
            }

            /// Decodes the first `SIZE` bytes; `None` if there are fewer.
            pub fn decode(bytes: &[u8]) -> Option<Self> {
                let mut at = bytes.get(..Self::SIZE)?;
                Some(Self { $($field: $crate::row::Word::take(&mut at)?,)+ })
            }
        }

        // There is no padding: the sum of the fields is the size of the structure.
        const _: () = assert!($name::SIZE == std::mem::size_of::<$name>());
    };
}
pub(crate) use row;

pub(crate) trait Word: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! word {
    ($ty:ty) => {
        impl Word for $ty {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (head, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*head))
            }
        }
    };
}
word!(u32);
word!(u64);

impl<T: Word + Copy + Default, const N: usize> Word for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        for word in self {
            word.put(out);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let mut words = [T::default(); N];
        for word in &mut words {
            *word = T::take(bytes)?;
        }
        Some(words)
    }
}
