//! Floats, which stay exact, and products of matrices.

use super::Generator;
use super::tree::{Role, tree};
use super::types::{Exact, Scalar as S, Ty, Value};

impl Generator {
    /// Generates `mul` of numbers of any shape.
    pub fn matrix_product(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::F32);
        let inner = 2 + self.random.below(2);
        let (left, right) = match *ty {
            Ty::Matrix(_, rows, columns) => {
                if self.random.one_in(3) {
                    let value = self.value(&Ty::Matrix(scalar, columns, rows), depth - 1);
                    return self.made(ty, tree!(Role::Fixed; "transpose(", value.tree, ")"));
                }
                (Ty::Matrix(scalar, rows, inner), Ty::Matrix(scalar, inner, columns))
            }
            Ty::Vector(_, n) if self.random.one_in(2) => (Ty::Matrix(scalar, n, inner), Ty::Vector(scalar, inner)),
            Ty::Vector(_, n) => (Ty::Vector(scalar, inner), Ty::Matrix(scalar, inner, n)),
            _ => (Ty::Vector(scalar, inner), Ty::Vector(scalar, inner)),
        };
        let (a, b) = (self.typed(&left, depth - 1), self.typed(&right, depth - 1));
        let product = a.exact.product(b.exact);
        let exact = Exact { magnitude: product.magnitude + 2, ..product };
        if scalar.is_float() && !exact.fits(scalar) {
            return self.leaf(ty);
        }
        self.exactly(ty, tree!(Role::Fixed; "mul(", a.tree, ", ", b.tree, ")"), exact)
    }

    pub fn float(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::F32);
        let is_matrix = matches!(ty, Ty::Matrix(..));
        match self.random.below(20) {
            0..=2 => return self.leaf(ty),
            3..=6 => {
                let (left, right) = (self.any_value(ty, depth - 1), self.any_value(ty, depth - 1));
                let left = self.with_type(ty, left);
                let (operator, exact) = match self.random.below(3) {
                    0 => (" + ", left.exact.sum(right.exact)),
                    1 => (" - ", left.exact.sum(right.exact)),
                    _ => (" * ", left.exact.product(right.exact)),
                };
                if exact.fits(scalar) {
                    return self.exactly(ty, tree!(Role::Fixed; "(", left.tree, operator, right.tree, ")"), exact);
                }
                let (left, right) = (self.masked(ty, left), self.normal(ty, right));
                let exact = left.exact.sum(right.exact);
                return self.exactly(ty, tree!(Role::Fixed; "(", left.tree, " - ", right.tree, ")"), exact);
            }
            7 | 8 => return self.conditional(ty, depth),
            9 | 10 => return self.converted(ty, depth),
            11 if !is_matrix && ty.components() > 1 => return self.swizzled(ty, depth),
            11 | 12 if ty.components() > 1 => return self.constructed(ty, depth),
            11 | 12 => {
                if let Some(value) = self.call(ty, depth) {
                    return value;
                }
            }
            13 if scalar != S::F64 || self.features.double_matrices => return self.matrix_product(ty, depth),
            14 if self.waves() => return self.wave(ty, depth),
            _ => {}
        }
        self.float_intrinsic(ty, depth)
    }

    pub fn float_intrinsic(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::F32);
        let a = self.typed(ty, depth - 1);
        let same = |name: &str, a: Value, g: &Generator| {
            let exact = a.exact;
            g.exactly(ty, tree!(Role::Fixed; name, a.tree, ")"), exact)
        };
        if matches!(ty, Ty::Matrix(..)) {
            return same(self.random.pick(&["(-", "abs("]), a, self);
        }
        match self.random.below(10) {
            0 => {
                let name = self.random.pick(&["(-", "abs("]);
                same(name, a, self)
            }
            1 | 2 if scalar != S::F64 => {
                let up = Exact { magnitude: a.exact.magnitude + 1, fraction: 0 };
                let name = self.random.pick(&["floor(", "ceil(", "trunc(", "round("]);
                let value = same(name, a, self);
                Value { exact: if up.fits(scalar) { up } else { value.exact }, ..value }
            }
            3 if scalar != S::F64 => {
                let exact = Exact { magnitude: 0, fraction: a.exact.fraction };
                let name = self.random.pick(&["frac(", "saturate("]);
                self.exactly(ty, tree!(Role::Fixed; name, a.tree, ")"), exact)
            }
            4 | 5 => {
                let b = self.typed(ty, depth - 1);
                let exact = a.exact.either(b.exact);
                let name = self.random.pick(&["min(", "max("]);
                self.exactly(ty, tree!(Role::Fixed; name, a.tree, ", ", b.tree, ")"), exact)
            }
            6 if scalar != S::F64 => {
                let b = self.typed(ty, depth - 1);
                let exact = Exact { magnitude: 0, fraction: 0 };
                self.exactly(ty, tree!(Role::Fixed; "step(", a.tree, ", ", b.tree, ")"), exact)
            }
            7 if scalar != S::F64 => {
                let (b, c) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                let exact = a.exact.product(b.exact).sum(c.exact);
                if !exact.fits(scalar) {
                    return self.normal(ty, a);
                }
                self.exactly(ty, tree!(Role::Fixed; "mad(", a.tree, ", ", b.tree, ", ", c.tree, ")"), exact)
            }
            8 if scalar != S::F64 => {
                let mut b = self.typed(ty, depth - 1);
                let s = self.typed(ty, 0);
                // Either order of computation is exact.
                let mut a = a;
                let of = |a: &Value, b: &Value| {
                    let one = s.exact.sum(Exact::default());
                    a.exact.sum(b.exact).product(one).sum(a.exact.sum(b.exact))
                };
                if !of(&a, &b).fits(scalar) {
                    (a, b) = (self.masked(ty, a), self.masked(ty, b));
                }
                let exact = of(&a, &b);
                if !exact.fits(scalar) {
                    return a;
                }
                self.exactly(ty, tree!(Role::Fixed; "lerp(", a.tree, ", ", b.tree, ", ", s.tree, ")"), exact)
            }
            9 if ty.components() == 1 && scalar != S::F64 => {
                let of = Ty::Vector(scalar, 2 + self.random.below(3));
                let (a, b) = (self.typed(&of, depth - 1), self.typed(&of, depth - 1));
                let product = a.exact.product(b.exact);
                let exact = Exact { magnitude: product.magnitude + 2, ..product };
                if !exact.fits(scalar) {
                    return self.leaf(ty);
                }
                self.exactly(ty, tree!(Role::Fixed; "dot(", a.tree, ", ", b.tree, ")"), exact)
            }
            _ => same("(+", a, self),
        }
    }
}
