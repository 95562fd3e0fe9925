//! Numbers as operands: component types, widths, HLSL's usual arithmetic conversions, and distances between types.
//! These are pure functions of types; nothing here builds an expression or reports an error.

use crate::db::ty::Scalar;

/// The component type of an operand. Literals without a suffix take the type of the other operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comp {
    LitInt,
    LitFloat,
    Of(Scalar),
}

/// A scalar, vector or matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Num {
    pub comp: Comp,
    pub shape: Shape,
}

/// The arrangement of a number's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// 0 for a scalar or vector, 1 to 4 for a matrix.
    pub rows: u8,
    /// 0 for a scalar, else 1 to 4: components of a vector, columns of a matrix.
    pub width: u8,
}

impl Shape {
    pub const SCALAR: Shape = Shape { rows: 0, width: 0 };

    pub fn vector(width: u8) -> Shape {
        Shape { rows: 0, width }
    }

    pub fn is_matrix(self) -> bool {
        self.rows > 0
    }

    pub fn components(self) -> u8 {
        self.rows.max(1) * self.width.max(1)
    }

    /// Returns whether this is a vector, or a matrix of one row or column: its components have one order.
    fn is_line(self) -> bool {
        self.rows <= 1 || self.width <= 1
    }

    /// Returns the shape as the `N` of a built-in declaration's `vector<T, N>`: the width, or both numbers of a
    /// matrix.
    pub fn code(self) -> u8 {
        if self.is_matrix() { self.rows << 4 | self.width } else { self.width.max(1) }
    }

    pub fn of_code(code: u8) -> Shape {
        Shape { rows: code >> 4, width: code & 15 }
    }

    /// Returns whether the number is the code of a matrix.
    pub fn is_code(code: i64) -> bool {
        (1..=4).contains(&(code >> 4)) && (1..=4).contains(&(code & 15))
    }
}

impl Comp {
    pub fn is_float(self) -> bool {
        match self {
            Comp::LitFloat => true,
            Comp::LitInt => false,
            Comp::Of(s) => s.is_float(),
        }
    }

    pub fn is_bool(self) -> bool {
        self == Comp::Of(Scalar::Bool)
    }

    pub fn is_literal(self) -> bool {
        matches!(self, Comp::LitInt | Comp::LitFloat)
    }

    /// Returns the default type of a literal.
    pub fn settled(self) -> Scalar {
        match self {
            Comp::LitInt => Scalar::I32,
            Comp::LitFloat => Scalar::F32,
            Comp::Of(s) => s,
        }
    }
}

impl Num {
    pub fn scalar(comp: Comp) -> Num {
        Num { comp, shape: Shape::SCALAR }
    }

    /// Returns the number of components, 1 for a scalar.
    pub fn components(self) -> u8 {
        self.shape.components()
    }
}

/// Returns the component type of an arithmetic operation on two operands.
pub fn common_component(a: Comp, b: Comp) -> Comp {
    use Comp::*;
    match (a, b) {
        _ if a == b => a,
        (LitInt, LitFloat) | (LitFloat, LitInt) => LitFloat,
        // A literal is a number, so the `bool` becomes one too.
        (LitInt, Of(Scalar::Bool)) | (Of(Scalar::Bool), LitInt) => Of(Scalar::I32),
        (LitInt, Of(s)) | (Of(s), LitInt) => Of(s),
        (LitFloat, Of(s)) | (Of(s), LitFloat) => Of(if s.is_float() { s } else { Scalar::F32 }),
        (Of(x), Of(y)) => Of(common_scalar(x, y)),
        (LitInt, LitInt) | (LitFloat, LitFloat) => a,
    }
}

/// Returns the component type of two operands that are not literals. Unlike in C++, but as in DXC, two integers of
/// different sizes are unsigned if one of them is. `half` with a minimum-precision type gives `float`.
pub fn common_scalar(x: Scalar, y: Scalar) -> Scalar {
    let higher = if x.rank() >= y.rank() { x } else { y };
    match (x, y) {
        _ if x == y => x,
        (Scalar::Bool, other) | (other, Scalar::Bool) => other,
        (Scalar::Half, Scalar::Min16F | Scalar::Min10F) | (Scalar::Min16F | Scalar::Min10F, Scalar::Half) => {
            Scalar::F32
        }
        _ if x.is_float() != y.is_float() => {
            if x.is_float() {
                x
            } else {
                y
            }
        }
        _ if x.is_integer() && !(x.is_signed() && y.is_signed()) => higher.to_unsigned(),
        _ => higher,
    }
}

/// Returns the width of an operation on two operands: scalars are spread, the wider vector loses components.
pub fn common_width(a: u8, b: u8) -> u8 {
    match (a, b) {
        (0, n) | (n, 0) | (1, n) | (n, 1) => n,
        _ => a.min(b),
    }
}

/// Returns the shape of an operation on two operands. A scalar is spread. The larger of two vectors or two matrices
/// loses components. With a vector, a matrix of one row or column is a vector. With a matrix, a vector of equally
/// many components becomes a matrix.
pub fn common_shape(a: Shape, b: Shape) -> Option<Shape> {
    Some(match (a.is_matrix(), b.is_matrix()) {
        (false, false) => Shape::vector(common_width(a.width, b.width)),
        _ if a.components() == 1 => b,
        _ if b.components() == 1 => a,
        (true, true) => Shape { rows: a.rows.min(b.rows), width: a.width.min(b.width) },
        _ if a.is_line() && b.is_line() => Shape::vector(a.components().min(b.components())),
        _ if a.components() == b.components() => {
            if a.is_matrix() {
                a
            } else {
                b
            }
        }
        _ => return None,
    })
}

/// Returns the common type of two operands; `None` for a vector and a matrix without a common shape.
pub fn common(a: Num, b: Num) -> Option<Num> {
    Some(Num { comp: common_component(a.comp, b.comp), shape: common_shape(a.shape, b.shape)? })
}

/// The distance from an argument to a parameter; smaller is nearer. Overloads are compared by the sum of both parts.
pub type Distance = u32;

/// Returns the distance of a component conversion.
pub fn component_distance(from: Comp, to: Comp) -> Distance {
    use Scalar::*;
    let Comp::Of(to) = to else { return if from == to { 0 } else { 9 } };
    match from {
        Comp::LitInt => match to {
            I32 => 1,
            U32 => 2,
            I64 => 3,
            U64 => 4,
            F32 => 5,
            I16 | U16 | Min16I | Min16U | Min12I => 6,
            F16 | F64 | Half | Min16F | Min10F => 7,
            Bool => 8,
        },
        Comp::LitFloat => match to {
            F32 => 1,
            F64 => 2,
            F16 | Half | Min16F | Min10F => 3,
            Bool => 8,
            _ => 6,
        },
        Comp::Of(from) if from == to => 0,
        Comp::Of(Bool) => match to {
            I32 => 3,
            U32 => 4,
            _ if to.is_float() => 6,
            _ => 5,
        },
        Comp::Of(_) if to == Bool => 7,
        Comp::Of(from) if from.is_float() => match (to.is_float(), to.rank() > from.rank()) {
            // In order: to another minimum-precision type, to `float`, to a wider type.
            (true, true) => 1 + u32::from(to.rank() >= F32.rank()) + u32::from(from.rank() < F32.rank() && to == F64),
            (true, false) => 4 + u32::from(from == F64 && to != F32),
            (false, _) => 6,
        },
        Comp::Of(_) if to.is_float() => 4 + u32::from(to.rank() < F32.rank()),
        Comp::Of(from) => match to.rank().cmp(&from.rank()) {
            std::cmp::Ordering::Greater => 2 + u32::from(from.is_signed() != to.is_signed()),
            std::cmp::Ordering::Equal => 3,
            std::cmp::Ordering::Less => 5,
        },
    }
}

/// Returns the distance of a change of shape. `None` if components are missing, or if a matrix and a vector have
/// different numbers of them.
pub fn shape_distance(from: Shape, to: Shape) -> Option<Distance> {
    let (have, want) = (from.components(), to.components());
    match (from.is_matrix(), to.is_matrix()) {
        _ if from == to => Some(0),
        (false, false) => width_distance(from.width, to.width),
        _ if have == 1 && want == 1 => Some(10),
        _ if have == 1 => Some(20),
        _ if want == 1 => Some(40),
        (true, true) if from.rows >= to.rows && from.width >= to.width => Some(40),
        (true, true) => None,
        _ if have == want => Some(if from.is_line() && to.is_line() { 10 } else { 30 }),
        _ if have > want && from.is_line() && to.is_line() => Some(40),
        _ => None,
    }
}

/// Returns the distance of a change of width; `None` if a vector would lack components.
pub fn width_distance(from: u8, to: u8) -> Option<Distance> {
    match (from, to) {
        _ if from == to => Some(0),
        (0, 1) | (1, 0) => Some(10),
        (0 | 1, _) => Some(20),
        _ if from > to => Some(40),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_conversions() {
        let of = Comp::Of;
        assert_eq!(common_component(of(Scalar::I32), of(Scalar::U32)), of(Scalar::U32));
        assert_eq!(common_component(of(Scalar::U32), of(Scalar::I64)), of(Scalar::U64));
        assert_eq!(common_component(of(Scalar::I32), of(Scalar::I64)), of(Scalar::I64));
        assert_eq!(common_component(of(Scalar::F16), of(Scalar::U64)), of(Scalar::F16));
        assert_eq!(common_component(Comp::LitInt, of(Scalar::U16)), of(Scalar::U16));
        assert_eq!(common_component(Comp::LitFloat, of(Scalar::I32)), of(Scalar::F32));
        assert_eq!(common_component(Comp::LitFloat, of(Scalar::F16)), of(Scalar::F16));
        assert_eq!(common_component(Comp::LitInt, Comp::LitFloat), Comp::LitFloat);
        assert_eq!(common_component(Comp::LitInt, of(Scalar::Bool)), of(Scalar::I32));
        assert_eq!(common_component(of(Scalar::Bool), Comp::LitFloat), of(Scalar::F32));
    }

    #[test]
    fn common_component_has_the_higher_precision() {
        use Scalar::*;
        let d = |from, to| component_distance(Comp::Of(from), Comp::Of(to));
        assert_eq!(common_component(Comp::Of(Half), Comp::Of(F32)), Comp::Of(F32));
        assert_eq!(common_component(Comp::Of(Min10F), Comp::Of(Min16F)), Comp::Of(Min16F));
        assert_eq!(common_component(Comp::Of(Min16I), Comp::Of(Min16U)), Comp::Of(Min16U));
        assert_eq!(common_component(Comp::Of(Min16U), Comp::Of(I32)), Comp::Of(U32));
        assert_eq!(common_component(Comp::Of(Min12I), Comp::Of(Min16U)), Comp::Of(Min16U));
        assert_eq!(common_component(Comp::Of(Half), Comp::Of(Min16F)), Comp::Of(F32));
        // From near to far.
        for row in [
            [d(Half, Half), d(Half, F32), d(Half, F64), d(Half, I32)],
            [d(F32, F32), d(F32, F64), d(F32, Half), d(F32, I32)],
            [d(Min16I, Min16I), d(Min16I, I32), d(Min16I, U32), d(Min16I, F32)],
            [d(I32, I32), d(I32, U32), d(I32, F32), d(I32, Half)],
        ] {
            assert!(row.is_sorted_by(|a, b| a < b), "{row:?}");
        }
    }

    #[test]
    fn common_widths_and_their_distances() {
        assert_eq!(common_width(0, 3), 3);
        assert_eq!(common_width(1, 3), 3);
        assert_eq!(common_width(4, 2), 2);
        assert_eq!(width_distance(2, 3), None);
        assert!(width_distance(3, 2) > width_distance(0, 2));
    }

    #[test]
    fn common_shapes_and_their_distances() {
        let m = |rows, width| Shape { rows, width };
        let v = Shape::vector;
        assert_eq!(common_shape(m(4, 3), m(3, 4)), Some(m(3, 3)));
        assert_eq!(common_shape(m(2, 3), Shape::SCALAR), Some(m(2, 3)));
        assert_eq!(common_shape(v(3), m(1, 3)), Some(v(3)));
        assert_eq!(common_shape(v(4), m(2, 2)), Some(m(2, 2)));
        assert_eq!(common_shape(m(4, 4), v(4)), None);
        assert_eq!(shape_distance(m(2, 3), m(3, 2)), None);
        assert_eq!(shape_distance(v(3), m(3, 3)), None);
        assert!(shape_distance(m(4, 4), m(3, 3)) > shape_distance(Shape::SCALAR, m(3, 3)));
        for shape in [v(1), v(4), m(1, 1), m(4, 4), m(2, 3)] {
            assert_eq!(Shape::of_code(shape.code()), shape);
            assert_eq!(Shape::is_code(i64::from(shape.code())), shape.is_matrix());
        }
    }

    #[test]
    fn an_int_literal_prefers_int_then_uint_then_float() {
        let d = |s| component_distance(Comp::LitInt, Comp::Of(s));
        assert!(d(Scalar::I32) < d(Scalar::U32) && d(Scalar::U32) < d(Scalar::F32) && d(Scalar::F32) < d(Scalar::Bool));
    }
}
