//! The writer and the reader of bytes, with the tables of symbols and types.

use super::Encoded;
use crate::types::Type;
use crate::{MAX_NESTING, Symbol};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum size of the symbols in the table. They need no memory of their own, so many uses of one are cheap. Longer
/// ones are spelled out at each use.
const SHORT: usize = 24;
/// The maximum nesting of types, as in the text form.
const MAX_TYPE_NESTING: u32 = 256;
/// The maximum nesting of lists. A switch has a list of cases, and each case a list of statements.
const MAX_LISTS: usize = 2 * MAX_NESTING + 16;
/// The elements of a list that are allocated before they are read. A wrong length allocates no more.
const FIRST_ELEMENTS: usize = 64;

/// A type as a row of the table.
pub(super) trait Row: Sized {
    fn put(&self, to: &mut Encoder);
    fn take(from: &mut Decoder<'_>) -> Option<Self>;
}

#[derive(Default)]
pub(super) struct Encoder {
    out: Vec<u8>,
    symbols: FxHashMap<Symbol, u64>,
    symbol_rows: Vec<u8>,
    types: FxHashMap<Type, u64>,
    type_rows: Vec<u8>,
}

impl Encoder {
    pub fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    pub fn number(&mut self, number: u64) {
        write_number(&mut self.out, number);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        write_bytes(&mut self.out, bytes);
    }

    pub fn list<'t, T: Encoded + 't>(&mut self, elements: impl ExactSizeIterator<Item = &'t T>) {
        self.number(elements.len() as u64);
        elements.for_each(|element| element.put(self));
    }

    pub fn symbol(&mut self, symbol: &Symbol) {
        if symbol.len() > SHORT {
            self.number(0);
            return self.bytes(symbol.as_bytes());
        }
        let next = self.symbols.len() as u64 + 1;
        let rows = &mut self.symbol_rows;
        let index = *self.symbols.entry(symbol.clone()).or_insert_with(|| {
            write_bytes(rows, symbol.as_bytes());
            next
        });
        self.number(index);
    }

    pub fn ty(&mut self, ty: &Type) {
        let index = match self.types.get(ty) {
            Some(index) => *index,
            None => self.row(ty),
        };
        self.number(index);
    }

    /// Adds a type to the table, after the types in it.
    fn row(&mut self, ty: &Type) -> u64 {
        let out = std::mem::take(&mut self.out);
        Row::put(ty, self);
        self.type_rows.append(&mut self.out);
        self.out = out;
        let index = self.types.len() as u64;
        self.types.insert(ty.clone(), index);
        index
    }

    pub fn finish(self) -> Vec<u8> {
        let mut all = Vec::new();
        write_number(&mut all, self.symbols.len() as u64);
        all.extend(self.symbol_rows);
        write_number(&mut all, self.types.len() as u64);
        all.extend(self.type_rows);
        all.extend(self.out);
        all
    }
}

fn write_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(super) struct Decoder<'b> {
    rest: &'b [u8],
    symbols: Vec<Symbol>,
    types: Vec<TypeRow>,
    /// The lists around the next byte.
    lists: usize,
    /// The maximum nesting of the types that the current row of the table names.
    type_nesting: u32,
}

struct TypeRow {
    ty: Type,
    /// The type for places and elements, after its first use.
    shared: Option<Arc<Type>>,
    nesting: u32,
}

impl<'b> Decoder<'b> {
    /// Reads the tables.
    pub fn new(bytes: &'b [u8]) -> Option<Self> {
        let mut new = Decoder { rest: bytes, symbols: Vec::new(), types: Vec::new(), lists: 0, type_nesting: 0 };
        for _ in 0..new.length()? {
            let symbol = new.text().filter(|text| text.len() <= SHORT)?;
            new.symbols.push(symbol.into());
        }
        for _ in 0..new.length()? {
            new.type_nesting = 0;
            let ty = Row::take(&mut new)?;
            let nesting = new.type_nesting + 1;
            if nesting > MAX_TYPE_NESTING {
                return None;
            }
            new.types.push(TypeRow { ty, shared: None, nesting });
        }
        Some(new)
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 { Some(first.into()) } else { self.long_number(first & 0x7f) }
    }

    /// Reads the rest of a number.
    fn long_number(&mut self, low: u8) -> Option<u64> {
        let mut number = u64::from(low);
        for shift in (7..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            number |= part << shift;
            if byte < 0x80 {
                return (part << shift >> shift == part).then_some(number);
            }
        }
        None
    }

    /// Reads the number of elements of a list, each of which has at least one byte.
    pub fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.rest.len()).then_some(length)
    }

    pub fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.length()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    pub fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub fn list<T: Encoded>(&mut self) -> Option<Vec<T>> {
        let length = self.length()?;
        if self.lists == MAX_LISTS {
            return None;
        }
        self.lists += 1;
        let mut list = Vec::with_capacity(length.min(FIRST_ELEMENTS));
        for _ in 0..length {
            list.push(T::take(self)?);
        }
        self.lists -= 1;
        Some(list)
    }

    pub fn symbol(&mut self) -> Option<Symbol> {
        match self.number()? {
            0 => self.text().filter(|text| text.len() > SHORT).map(Symbol::from),
            index => self.symbols.get(usize::try_from(index - 1).ok()?).cloned(),
        }
    }

    pub fn ty(&mut self) -> Option<Type> {
        self.row().map(|row| row.ty.clone())
    }

    pub fn shared_type(&mut self) -> Option<Arc<Type>> {
        let row = self.row()?;
        let TypeRow { ty, shared, .. } = row;
        Some(shared.get_or_insert_with(|| Arc::new(ty.clone())).clone())
    }

    fn row(&mut self) -> Option<&mut TypeRow> {
        let index = usize::try_from(self.number()?).ok()?;
        let row = self.types.get_mut(index)?;
        self.type_nesting = self.type_nesting.max(row.nesting);
        Some(row)
    }
}
