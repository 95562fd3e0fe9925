//! The total cost of a call's conversions, as in DXC: a number for each argument, whose sum decides.
//!
//! Parameter and argument meet in a third type, as operands do. The conversion of each to that type and the change of
//! shape are one entry each. Worse kinds of conversions use higher bits, so that no number of better ones outweighs
//! one. The numbers are DXC's, even if they surprise. A float costs less when converted to an integer than an integer
//! converted to a float. `f(int2, int)` therefore precedes `f(float2, float)` for a `float2` and the literal 1.

use crate::db::ty::Scalar;
use crate::types::numeric::{self, Comp, Num};

/// The cost of one argument, or the sum of several.
pub type Score = u64;

/// Kinds of conversions, from the least to the worst.
#[derive(Clone, Copy)]
enum Step {
    Splat,
    /// The parameter has more precision than the common type.
    WiderParameter,
    Promotion,
    /// Signed and unsigned of one size, on the parameter's and on the argument's side.
    SignOfParameter,
    SignOfArgument,
    CastOfParameter,
    CastOfArgument,
    Truncation,
}

/// Bits for each kind: no call has enough arguments to overflow them.
const BITS: u32 = 7;

fn entry(step: Step) -> Score {
    1 << (BITS * step as u32)
}

/// The component type of a converted number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceScalar {
    LitInt,
    LitFloat,
    Enum,
    Of(Scalar),
}

/// Returns the cost of converting a number to another type, in one direction.
pub fn score(from: Num, is_enum: bool, to: Num) -> Score {
    let (have, want) = (from.components(), to.components());
    let shape = match have.cmp(&want) {
        std::cmp::Ordering::Less => entry(Step::Splat),
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => entry(Step::Truncation),
    };
    let given = match from.comp {
        _ if is_enum => SourceScalar::Enum,
        Comp::LitInt => SourceScalar::LitInt,
        Comp::LitFloat => SourceScalar::LitFloat,
        Comp::Of(s) => SourceScalar::Of(s),
    };
    let to = to.comp.settled();
    let meeting = meeting(to, given);
    shape
        + half(to, SourceScalar::Of(meeting), [Step::WiderParameter, Step::CastOfParameter, Step::SignOfParameter])
        + half(meeting, given, [Step::Promotion, Step::CastOfArgument, Step::SignOfArgument])
}

/// Returns the cost of a conversion of a type that is not a number: an object to its base, a buffer to its contents.
pub fn score_of_object() -> Score {
    entry(Step::Truncation)
}

/// Returns the cost between two component types, as promotion, cast, or change of sign.
fn half(to: Scalar, from: SourceScalar, [promotion, cast, sign]: [Step; 3]) -> Score {
    match from {
        SourceScalar::Of(from) if from == to => 0,
        SourceScalar::Of(from) if promotions(from).contains(&to) => entry(promotion),
        SourceScalar::Of(from) if is_other_sign(from, to) => entry(sign),
        // A literal matches any number of its kind, but none of minimum precision.
        SourceScalar::LitInt if to.is_integer() && !has_minimum_precision(to) => 0,
        SourceScalar::LitFloat if to.is_float() && !has_minimum_precision(to) => 0,
        _ => entry(cast),
    }
}

/// Returns the types that a number converts to without loss. The sign is ignored, except with minimum precision.
fn promotions(from: Scalar) -> &'static [Scalar] {
    use Scalar::*;
    match from {
        Min10F => &[Min16F, F16, Half, F32, F64],
        Min16F => &[F16, Half, F32, F64],
        F16 => &[Half, F32, F64],
        Half => &[F32, F64],
        F32 => &[F64],
        I16 | U16 => &[I32, U32, I64, U64],
        I32 | U32 => &[I64, U64],
        Min12I => &[Min16I, I32, I64],
        Min16I => &[I32, I64],
        Min16U => &[U32, U64],
        Bool | I64 | U64 | F64 => &[],
    }
}

fn is_other_sign(a: Scalar, b: Scalar) -> bool {
    use Scalar::*;
    matches!((a, b), (I16, U16) | (U16, I16) | (I32, U32) | (U32, I32) | (I64, U64) | (U64, I64))
}

fn has_minimum_precision(s: Scalar) -> bool {
    matches!(s, Scalar::Min10F | Scalar::Min16F | Scalar::Min12I | Scalar::Min16I | Scalar::Min16U)
}

/// Returns the common type of a parameter's and an argument's components.
fn meeting(to: Scalar, from: SourceScalar) -> Scalar {
    match from {
        SourceScalar::Of(from) => numeric::common_scalar(to, from),
        SourceScalar::LitInt | SourceScalar::Enum if to == Scalar::Bool => Scalar::I32,
        SourceScalar::LitFloat if !to.is_float() => Scalar::F32,
        _ => to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::numeric::Shape;

    fn num(comp: Comp, width: u8) -> Num {
        Num { comp, shape: Shape::vector(width) }
    }

    fn of(scalar: Scalar, width: u8) -> Num {
        num(Comp::Of(scalar), width)
    }

    fn cost(from: Num, to: Num) -> Score {
        score(from, false, to)
    }

    #[test]
    fn worse_conversions_outweigh_a_hundred_better_ones() {
        use Scalar::*;
        // In ascending order; each is more than a hundred times its predecessor.
        let row = [
            cost(of(F32, 0), of(F32, 3)),
            cost(of(F32, 2), of(F64, 2)),
            cost(of(U32, 0), of(I32, 0)),
            cost(of(I32, 0), of(U32, 0)),
            cost(of(F32, 0), of(I32, 0)),
            cost(of(I32, 0), of(F32, 0)),
            cost(of(I32, 3), of(I32, 2)),
        ];
        assert!(row.is_sorted_by(|a, b| a * 100 < *b), "{row:?}");
        assert_eq!(cost(of(U32, 2), of(U32, 2)), 0);
        assert_eq!(cost(of(F32, 0), of(F32, 1)), 0);
    }

    #[test]
    fn literals_convert_freely_within_their_kind() {
        use Scalar::*;
        for to in [I16, U16, I32, U32, I64, U64] {
            assert_eq!(cost(num(Comp::LitInt, 0), of(to, 0)), 0, "{to:?}");
            assert_eq!(cost(num(Comp::LitFloat, 0), of(to, 0)), cost(of(F32, 0), of(I32, 0)), "{to:?}");
        }
        for to in [F16, Half, F32, F64] {
            assert_eq!(cost(num(Comp::LitFloat, 0), of(to, 0)), 0, "{to:?}");
            assert_eq!(cost(num(Comp::LitInt, 0), of(to, 0)), cost(of(I32, 0), of(F32, 0)), "{to:?}");
        }
        assert_eq!(cost(num(Comp::LitInt, 0), of(Min16I, 0)), entry(Step::CastOfArgument));
        assert_eq!(cost(num(Comp::LitInt, 0), of(Bool, 0)), entry(Step::CastOfParameter));
    }

    #[test]
    fn conversions_through_a_third_type_cost_twice() {
        use Scalar::*;
        assert_eq!(cost(of(U32, 0), of(I64, 0)), entry(Step::SignOfParameter) + entry(Step::Promotion));
        assert_eq!(cost(of(I32, 0), of(U64, 0)), entry(Step::Promotion));
        assert_eq!(cost(of(Half, 0), of(Min16F, 0)), entry(Step::CastOfParameter) + entry(Step::Promotion));
        assert_eq!(
            score(of(I32, 0), true, of(Bool, 0)),
            entry(Step::CastOfParameter) + entry(Step::CastOfArgument),
            "an enum"
        );
    }
}
