//! Formulas for numbers of the graph: specialisation constants, and arithmetic on them.
//!
//! The steps run on a stack machine with 32-bit words. The last one leaves the number. So readers need no recursion,
//! regardless of the nesting. Integers have no sign: operations that depend on it have two forms. A bool is also a
//! word, 0 or 1. [`SpecValue::is_number`] checks the kinds of words.

use crate::Symbol;

/// A number that hosts determine through the constants in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpecValue(pub Vec<SpecStep>);

/// A step of the stack machine. `C` names a constant: here the symbol of a global of the kind `SpecConstant`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SpecStep<C = Symbol> {
    /// A 32-bit integer.
    Constant(C),
    /// A constant of type `bool`.
    Truth(C),
    Number(u32),
    Op(SpecOp),
}

/// An operation on the results of the previous steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    /// Remainder with the sign of the dividend.
    SRem,
    Shl,
    UShr,
    SShr,
    And,
    Or,
    Xor,
    Neg,
    Not,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    BothTrue,
    AnyTrue,
    Untrue,
    /// Takes a bool and two integers. Returns the first integer if the bool is true, otherwise the second.
    Select,
}

/// The words of the text form.
const WORDS: [(&str, SpecOp); 25] = [
    ("add", SpecOp::Add),
    ("sub", SpecOp::Sub),
    ("mul", SpecOp::Mul),
    ("udiv", SpecOp::UDiv),
    ("sdiv", SpecOp::SDiv),
    ("urem", SpecOp::URem),
    ("srem", SpecOp::SRem),
    ("shl", SpecOp::Shl),
    ("ushr", SpecOp::UShr),
    ("sshr", SpecOp::SShr),
    ("and", SpecOp::And),
    ("or", SpecOp::Or),
    ("xor", SpecOp::Xor),
    ("neg", SpecOp::Neg),
    ("not", SpecOp::Not),
    ("eq", SpecOp::Eq),
    ("ne", SpecOp::Ne),
    ("ult", SpecOp::ULt),
    ("ule", SpecOp::ULe),
    ("slt", SpecOp::SLt),
    ("sle", SpecOp::SLe),
    ("both", SpecOp::BothTrue),
    ("any", SpecOp::AnyTrue),
    ("untrue", SpecOp::Untrue),
    ("select", SpecOp::Select),
];

/// The kind of an operand or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecKind {
    Integer,
    Truth,
}

impl SpecOp {
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, op)| *op == self).map_or("", |(word, _)| word)
    }

    pub fn from_word(word: &str) -> Option<SpecOp> {
        WORDS.iter().find(|(w, _)| *w == word).map(|(_, op)| *op)
    }

    /// Returns the kinds of the operands, in order, and of the result.
    pub fn kinds(self) -> (&'static [SpecKind], SpecKind) {
        use SpecKind::{Integer as I, Truth as T};
        use SpecOp as O;
        match self {
            O::Add | O::Sub | O::Mul | O::UDiv | O::SDiv | O::URem | O::SRem => (&[I, I], I),
            O::Shl | O::UShr | O::SShr | O::And | O::Or | O::Xor => (&[I, I], I),
            O::Neg | O::Not => (&[I], I),
            O::Eq | O::Ne | O::ULt | O::ULe | O::SLt | O::SLe => (&[I, I], T),
            O::BothTrue | O::AnyTrue => (&[T, T], T),
            O::Untrue => (&[T], T),
            O::Select => (&[T, I, I], I),
        }
    }

    /// Computes the result, or `None` for a division without one.
    fn compute(self, args: &[u32]) -> Option<u32> {
        use SpecOp as O;
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let (x, y) = (arg(0), arg(1));
        let (sx, sy) = (x as i32, y as i32);
        Some(match self {
            O::Add => x.wrapping_add(y),
            O::Sub => x.wrapping_sub(y),
            O::Mul => x.wrapping_mul(y),
            O::UDiv => x.checked_div(y)?,
            O::SDiv => sx.checked_div(sy)? as u32,
            O::URem => x.checked_rem(y)?,
            O::SRem => sx.checked_rem(sy)? as u32,
            O::Shl => x.checked_shl(y)?,
            O::UShr => x.checked_shr(y)?,
            O::SShr => sx.checked_shr(y)? as u32,
            O::And | O::BothTrue => x & y,
            O::Or | O::AnyTrue => x | y,
            O::Xor => x ^ y,
            O::Neg => x.wrapping_neg(),
            O::Not => !x,
            O::Eq => u32::from(x == y),
            O::Ne => u32::from(x != y),
            O::ULt => u32::from(x < y),
            O::ULe => u32::from(x <= y),
            O::SLt => u32::from(sx < sy),
            O::SLe => u32::from(sx <= sy),
            O::Untrue => x ^ 1,
            O::Select => {
                if x != 0 {
                    y
                } else {
                    arg(2)
                }
            }
        })
    }
}

/// Returns the number that the steps compute from the values of the constants. Returns `None` if a constant has no
/// value. The result is also `None` for a division by zero, a shift that exceeds the width, and steps that do not leave
/// exactly one word.
pub fn evaluate<'s, C: 's>(
    steps: impl IntoIterator<Item = &'s SpecStep<C>>,
    mut value: impl FnMut(&C) -> Option<u32>,
) -> Option<u32> {
    let mut stack: Vec<u32> = Vec::new();
    for step in steps {
        match step {
            SpecStep::Constant(constant) => stack.push(value(constant)?),
            SpecStep::Truth(constant) => stack.push(u32::from(value(constant)? != 0)),
            SpecStep::Number(number) => stack.push(*number),
            SpecStep::Op(op) => {
                let first = stack.len().checked_sub(op.kinds().0.len())?;
                let result = op.compute(stack.get(first..)?)?;
                stack.truncate(first);
                stack.push(result);
            }
        }
    }
    match stack[..] {
        [number] => Some(number),
        _ => None,
    }
}

impl SpecValue {
    /// Creates a formula of a single constant.
    pub fn constant(of: Symbol) -> SpecValue {
        SpecValue(vec![SpecStep::Constant(of)])
    }

    /// Returns the constants that determine it, in the order of the steps, with repetitions.
    pub fn constants(&self) -> impl Iterator<Item = &Symbol> {
        self.0.iter().filter_map(|step| match step {
            SpecStep::Constant(constant) | SpecStep::Truth(constant) => Some(constant),
            SpecStep::Number(_) | SpecStep::Op(_) => None,
        })
    }

    pub fn constants_mut(&mut self) -> impl Iterator<Item = &mut Symbol> {
        self.0.iter_mut().filter_map(|step| match step {
            SpecStep::Constant(constant) | SpecStep::Truth(constant) => Some(constant),
            SpecStep::Number(_) | SpecStep::Op(_) => None,
        })
    }

    /// Computes the number like [`evaluate`].
    pub fn evaluate(&self, value: impl FnMut(&Symbol) -> Option<u32>) -> Option<u32> {
        evaluate(&self.0, value)
    }

    /// Returns whether every step finds its operands, and the result is an integer.
    pub fn is_number(&self) -> bool {
        let mut stack = Vec::new();
        for step in &self.0 {
            match step {
                SpecStep::Constant(_) | SpecStep::Number(_) => stack.push(SpecKind::Integer),
                SpecStep::Truth(_) => stack.push(SpecKind::Truth),
                SpecStep::Op(op) => {
                    let (takes, leaves) = op.kinds();
                    if !stack.ends_with(takes) {
                        return false;
                    }
                    stack.truncate(stack.len() - takes.len());
                    stack.push(leaves);
                }
            }
        }
        stack == [SpecKind::Integer]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SpecStep::{Constant, Number, Op};

    #[test]
    fn spec_constant_operations_evaluate_correctly() {
        let minus = |n: u32| n.wrapping_neg();
        for (op, args, result) in [
            (SpecOp::Add, vec![u32::MAX, 2], Some(1)),
            (SpecOp::Sub, vec![2, 3], Some(u32::MAX)),
            (SpecOp::Mul, vec![1 << 31, 3], Some(1 << 31)),
            (SpecOp::UDiv, vec![minus(7), 2], Some(2_147_483_644)),
            (SpecOp::SDiv, vec![minus(7), 2], Some(minus(3))),
            (SpecOp::SRem, vec![minus(7), 2], Some(minus(1))),
            (SpecOp::URem, vec![7, 4], Some(3)),
            (SpecOp::URem, vec![7, 0], None),
            (SpecOp::SDiv, vec![1 << 31, minus(1)], None),
            (SpecOp::Shl, vec![3, 4], Some(48)),
            (SpecOp::Shl, vec![3, 32], None),
            (SpecOp::UShr, vec![minus(8), 1], Some(2_147_483_644)),
            (SpecOp::SShr, vec![minus(8), 1], Some(minus(4))),
            (SpecOp::Xor, vec![6, 3], Some(5)),
            (SpecOp::Not, vec![0], Some(u32::MAX)),
            (SpecOp::ULt, vec![minus(1), 1], Some(0)),
            (SpecOp::SLt, vec![minus(1), 1], Some(1)),
            (SpecOp::Untrue, vec![1], Some(0)),
            (SpecOp::Select, vec![0, 5, 9], Some(9)),
        ] {
            let mut steps: Vec<SpecStep> = args.iter().map(|n| Number(*n)).collect();
            steps.push(Op(op));
            assert_eq!(evaluate(&steps, |_: &Symbol| None), result, "{op:?} {args:?}");
            assert_eq!(SpecOp::from_word(op.word()), Some(op));
        }
    }

    #[test]
    fn spec_values_must_evaluate_to_one_number() {
        let n: Symbol = "n".into();
        assert!(SpecValue::constant(n.clone()).is_number());
        for wrong in [
            vec![],
            vec![Number(1), Number(2)],
            vec![Number(1), Op(SpecOp::Add)],
            vec![Constant(n.clone()), Number(2), Op(SpecOp::Eq)],
            vec![Number(1), Number(2), Number(3), Op(SpecOp::Select)],
        ] {
            assert!(!SpecValue(wrong.clone()).is_number(), "{wrong:?}");
        }
        let twice = SpecValue(vec![Constant(n.clone()), Number(2), Op(SpecOp::Mul)]);
        assert_eq!(twice.evaluate(|_| Some(21)), Some(42));
        assert_eq!(twice.evaluate(|_| None), None);
        assert_eq!(twice.constants().collect::<Vec<_>>(), [&n]);
    }
}
