//! Types of literals without a suffix.
//!
//! Up to HLSL 2021 they have literal types, which adapt to the other operand. In HLSL 202x a float literal is a
//! `float`. An integer literal has the first of `int` and `int64_t` that holds the number. Hexadecimal and octal ones
//! may also be `uint` and `uint64_t` (HLSL proposal 0017).

use crate::db::Db;
use crate::db::def::Item;
use crate::db::ty::Repr;

/// The year for 202x, as in DXC's `__HLSL_VERSION`.
pub const HLSL_202X: u32 = 2029;

/// Returns the type of a literal without a suffix; `integer` is `None` for a float. Returns `None` for a literal
/// type.
pub fn unsuffixed<'db>(db: &'db dyn Db, item: Item<'db>, text: &str, integer: Option<i128>) -> Option<Repr> {
    let is_202x = item.program(db).options(db).hlsl_version.is_some_and(|year| year >= HLSL_202X);
    is_202x.then(|| integer.map_or(Repr::F32, |number| smallest(text, number)))
}

fn smallest(text: &str, number: i128) -> Repr {
    let is_decimal = !text.starts_with('0') || text == "0";
    let fits = |bits: u32| number < 1 << bits;
    match () {
        () if fits(31) => Repr::I32,
        () if fits(32) && !is_decimal => Repr::U32,
        () if fits(63) => Repr::I64,
        () => Repr::U64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_literals_use_the_smallest_fitting_type() {
        let rows = [
            ("0", 0, Repr::I32),
            ("2147483647", 0x7fff_ffff, Repr::I32),
            ("2147483648", 0x8000_0000, Repr::I64),
            ("0x80000000", 0x8000_0000, Repr::U32),
            ("037777777777", 0xffff_ffff, Repr::U32),
            ("0x100000000", 1 << 32, Repr::I64),
            ("0xffffffffffffffff", 0xffff_ffff_ffff_ffff, Repr::U64),
        ];
        for (text, number, wanted) in rows {
            assert_eq!(smallest(text, number), wanted, "{text}");
        }
    }
}
