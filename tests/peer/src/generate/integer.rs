//! Integers: operators, functions, four bytes in a word.

use super::Generator;
use super::tree::{Role, tree};
use super::types::{Scalar, Scalar as S, Ty, Value};

impl Generator {
    pub fn integer(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let is_matrix = matches!(ty, Ty::Matrix(..));
        let inner = match self.random.below(26) {
            0..=2 => return self.leaf(ty),
            3..=7 => return self.arithmetic(ty, depth),
            8 => {
                let count = self.any_value(ty, depth - 1);
                let value = self.typed(ty, depth - 1);
                let operator = self.random.pick(&[" << ", " >> "]);
                let mask = scalar.bits() - 1;
                tree!(Role::Fixed; "(", value.tree, operator, "(", count.tree, format!(" & {mask}))"))
            }
            9 => {
                let (value, by) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                let operator = self.random.pick(&[" / ", " % "]);
                let guard = if scalar.is_signed() { " & 7) + 1)" } else { " | 1)" };
                let open = if scalar.is_signed() { "((" } else { "(" };
                tree!(Role::Fixed; "(", value.tree, operator, open, by.tree, guard, ")")
            }
            10 => {
                let value = self.any_value(ty, depth - 1);
                let value = self.with_type(ty, value);
                tree!(Role::Fixed; self.random.pick(&["(-", "(~", "(+"]), value.tree, ")")
            }
            11 | 12 => return self.conditional(ty, depth),
            13 | 14 => return self.converted(ty, depth),
            15 if !is_matrix && ty.components() > 1 => return self.swizzled(ty, depth),
            15 | 16 if ty.components() > 1 => return self.constructed(ty, depth),
            15 | 17 | 18 => match self.call(ty, depth) {
                Some(value) => return value,
                None => return self.arithmetic(ty, depth),
            },
            // DXC has no bitwise operators of matrices: those of integers are left out.
            19 if ty.components() == 1 && scalar.bits() == 32 => {
                return self.matrix_product(ty, depth);
            }
            20 if self.random.one_in(3) => {
                let other = self.random_number();
                let other = if matches!(other, Ty::Matrix(..)) { Ty::FLOAT } else { other };
                // No variable: DXC may use its pointer as the value (dxc_faults.tsv: comma-variable).
                let (first, second) = (self.any_value(&other, depth - 1), self.arithmetic(ty, depth));
                tree!(Role::Fixed; "(", first.tree, ", ", second.tree, ")")
            }
            21 if self.waves() => return self.wave(ty, depth),
            22 if !is_matrix => return self.flat_chain(ty, depth),
            _ => return self.integer_intrinsic(ty, depth),
        };
        self.made(ty, inner)
    }

    /// Generates operators without parentheses: their precedence decides.
    pub fn flat_chain(&mut self, ty: &Ty, depth: u32) -> Value {
        let mut inner = tree!(Role::Fixed; "(");
        for n in 0..3 + self.random.below(3) {
            if n > 0 {
                inner.add(self.random.pick(&[" + ", " - ", " * ", " & ", " | ", " ^ "]));
            }
            if self.random.one_in(6) {
                inner.add(self.random.pick(&["-", "~"]));
            }
            let value = self.typed(ty, u32::from(depth > 2));
            inner.add(value.tree);
        }
        inner.add(")");
        self.made(ty, inner)
    }

    pub fn arithmetic(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let operator = self.random.pick(&[" + ", " - ", " * ", " & ", " | ", " ^ "]);
        let left = self.typed(ty, depth - 1);
        let right = match self.random.below(6) {
            // Converted by the operator.
            0 if !matches!(ty, Ty::Matrix(..)) => {
                let lower: &[Scalar] = match scalar {
                    S::U32 => &[S::Bool, S::I32],
                    S::I32 => &[S::Bool],
                    S::U64 => &[S::U32, S::I32, S::I64],
                    S::I64 => &[S::I32],
                    _ => &[scalar],
                };
                let lower = self.random.pick(lower);
                self.typed(&ty.with(lower), depth - 1)
            }
            // For all components.
            1 => self.any_value(&Ty::Scalar(scalar), depth - 1),
            _ => self.any_value(ty, depth - 1),
        };
        let inner = if ty.components() > 1 && self.random.one_in(8) {
            tree!(Role::Fixed; "(", right.tree, operator, left.tree, ")")
        } else {
            tree!(Role::Fixed; "(", left.tree, operator, right.tree, ")")
        };
        self.made(ty, inner)
    }

    pub fn integer_intrinsic(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let unsigned32 = scalar == S::U32 && !matches!(ty, Ty::Matrix(..));
        let is_vector = !matches!(ty, Ty::Matrix(..));
        let inner = match self.random.below(9) {
            0 | 1 if self.in_body || scalar.bits() != 16 => {
                let (a, b) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                let a = if scalar.bits() == 16 { self.not_constant(ty, a) } else { a };
                tree!(Role::Fixed; self.random.pick(&["min(", "max("]), a.tree, ", ", b.tree, ")")
            }
            2 if unsigned32 => {
                let name = self.random.pick(&["countbits(", "reversebits(", "firstbitlow(", "firstbithigh("]);
                let value = self.typed(ty, depth - 1);
                tree!(Role::Fixed; name, value.tree, ")")
            }
            // DXC keeps a literal at 64 bits (dxc_faults.tsv: asuint-literal).
            3 if unsigned32 && self.in_body => {
                let of = ty.with(S::I32);
                let value = self.typed(&of, depth - 1);
                let value = self.not_constant(&of, value);
                tree!(Role::Fixed; "asuint(", value.tree, ")")
            }
            3 if scalar == S::I32 && is_vector => {
                let value = self.typed(&ty.with(S::U32), depth - 1);
                tree!(Role::Fixed; "asint(", value.tree, ")")
            }
            4 if scalar == S::I32 => {
                let value = self.typed(ty, depth - 1);
                tree!(Role::Fixed; "abs(", value.tree, ")")
            }
            4 if ty.components() == 1 && scalar.bits() == 32 => {
                let of = Ty::Vector(scalar, 2 + self.random.below(3));
                let (a, b) = (self.typed(&of, depth - 1), self.typed(&of, depth - 1));
                tree!(Role::Fixed; "dot(", a.tree, ", ", b.tree, ")")
            }
            5 if scalar == S::I32 && is_vector => {
                let of = self.numeric_scalar();
                // DXC's module for the sign of other widths is invalid.
                let of = if of == S::F32 { of } else { S::I32 };
                let value = self.typed(&ty.with(of), depth - 1);
                tree!(Role::Fixed; "sign(", value.tree, ")")
            }
            5 if unsigned32 && ty.components() == 1 => return self.packed(depth),
            6 if scalar.bits() != 16 => {
                let (a, b, c) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                // Ordered bounds: clamp is undefined otherwise.
                let (low, high) = (c.tree.clone(), b.tree);
                let inner = tree!(Role::Fixed; "clamp(", a.tree, ", min(", low, ", ", high.clone(), "), max(", c.tree, ", ", high, "))");
                return self.made(ty, inner);
            }
            7 if scalar.bits() == 32 => {
                let (a, b, c) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                tree!(Role::Fixed; "mad(", a.tree, ", ", b.tree, ", ", c.tree, ")")
            }
            _ => return self.arithmetic(ty, depth),
        };
        self.made(ty, inner)
    }

    /// Returns a value that no compiler can fold: DXC folds some operations wrongly (dxc_faults.tsv: min-16,
    /// packed-constants).
    pub fn not_constant(&mut self, ty: &Ty, value: Value) -> Value {
        let by = match ty {
            Ty::Scalar(S::U32) => "gi".to_owned(),
            _ => format!("({})gi", self.spelled(ty)),
        };
        self.made(ty, tree!(Role::Fixed; "(", value.tree, format!(" + {by})")))
    }

    /// Generates four bytes in a word.
    pub fn packed(&mut self, depth: u32) -> Value {
        let ty = Ty::UINT;
        let word = self.typed(&ty, depth - 1);
        let inner = match self.random.below(6) {
            0 => {
                tree!(Role::Fixed; "dot4add_u8packed(", word.tree, ", ", self.typed(&ty, depth - 1).tree, ", ", self.typed(&ty, depth - 1).tree, ")")
            }
            1 => {
                tree!(Role::Fixed; "((uint)dot4add_i8packed(", word.tree, ", ", self.typed(&ty, depth - 1).tree, ", ", self.typed(&Ty::INT, depth - 1).tree, "))")
            }
            // DXC folds 8-bit constants wrongly (dxc_faults.tsv: packed-constants).
            2..=4 if self.in_body => {
                let (name, of) = self.random.pick(&[
                    ("pack_u8", S::U32),
                    ("pack_s8", S::I32),
                    ("pack_clamp_s8", S::I32),
                    ("pack_clamp_u8", S::I32),
                ]);
                let by = if of == S::U32 { "gi" } else { "(int)gi" };
                let value = self.typed(&Ty::Vector(of, 4), depth - 1).tree;
                tree!(Role::Fixed; format!("((uint){name}("), value, format!(" + {by}))"))
            }
            _ => {
                let (name, cast) =
                    self.random.pick(&[("unpack_u8u32", "uint8_t4_packed"), ("(uint4)unpack_s8s32", "int8_t4_packed")]);
                let of = self.random.pick(&["x", "y", "z", "w"]);
                tree!(Role::Fixed; format!("({name}(({cast})"), word.tree, format!(")).{of}"))
            }
        };
        self.made(&ty, inner)
    }
}
