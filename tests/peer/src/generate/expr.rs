//! Expressions. All are defined: indexes and shift counts are masked, divisors are positive, floats stay exact.

use super::Generator;
use super::tree::{Role, Tree, tree};
use super::types::{Exact, Scalar, Scalar as S, Ty, Value};

impl Generator {
    /// Wraps the text of a value of a type.
    pub fn made(&self, ty: &Ty, mut inner: Tree) -> Value {
        inner.role = Role::Value(self.spelled(ty));
        Value { tree: inner, exact: ty.scalar().map(Scalar::domain).unwrap_or_default(), literal: false }
    }

    pub fn exactly(&self, ty: &Ty, inner: Tree, exact: Exact) -> Value {
        Value { exact, ..self.made(ty, inner) }
    }

    /// Generates a value in the domain of variables of its type.
    pub fn value(&mut self, ty: &Ty, depth: u32) -> Value {
        let value = self.any_value(ty, depth);
        self.normal(ty, value)
    }

    /// Generates a value with an explicit type, which literals lack.
    pub fn typed(&mut self, ty: &Ty, depth: u32) -> Value {
        let value = self.value(ty, depth);
        self.with_type(ty, value)
    }

    pub fn with_type(&self, ty: &Ty, value: Value) -> Value {
        if !value.literal {
            return value;
        }
        let exact = value.exact;
        self.exactly(ty, tree!(Role::Fixed; format!("(({})", self.spelled(ty)), value.tree, ")"), exact)
    }

    /// Returns a float to the domain of variables.
    pub fn normal(&self, ty: &Ty, value: Value) -> Value {
        let Some(scalar) = ty.scalar().filter(|s| s.is_float()) else { return value };
        let domain = scalar.domain();
        if value.exact.magnitude <= domain.magnitude && value.exact.fraction <= domain.fraction {
            return value;
        }
        self.masked(ty, value)
    }

    pub fn masked(&self, ty: &Ty, value: Value) -> Value {
        let scalar = ty.scalar().unwrap_or(S::F32);
        let magnitude = scalar.domain().magnitude;
        let mask = (1 << magnitude) - 1;
        if let Ty::Matrix(_, rows, columns) = *ty {
            // DXC has no bitwise operators of matrices.
            let inner = tree!(Role::Fixed; format!("masked{rows}{columns}("), value.tree, ")");
            return self.exactly(ty, inner, Exact { magnitude, fraction: 0 });
        }
        let (own, int) = (self.spelled(ty), self.spelled(&ty.with(S::I32)));
        let inner = tree!(Role::Fixed; format!("{own}({int}("), value.tree, format!(") & {mask})"));
        self.exactly(ty, inner, Exact { magnitude, fraction: 0 })
    }

    pub fn any_value(&mut self, ty: &Ty, depth: u32) -> Value {
        self.nodes = self.nodes.saturating_sub(1);
        let depth = if self.nodes == 0 { 0 } else { depth };
        match ty {
            Ty::Struct(_) => self.structure(ty, depth),
            Ty::Array(..) => self.path(ty, false).unwrap_or_else(|| self.zero(ty)),
            Ty::Enum(n) => {
                if let Some(value) = self.path(ty, false).filter(|_| !self.random.one_in(3)) {
                    return value;
                }
                let enumerators = self.enums[*n].enumerators.clone();
                let name = self.random.pick(&enumerators);
                self.made(ty, tree!(Role::Fixed; name))
            }
            _ if depth == 0 => self.leaf(ty),
            _ if ty.scalar() == Some(S::Bool) => self.boolean(ty, depth),
            _ if ty.scalar().is_some_and(Scalar::is_float) => self.float(ty, depth),
            _ => self.integer(ty, depth),
        }
    }

    pub fn zero(&self, ty: &Ty) -> Value {
        if let Ty::Array(..) = ty {
            // Casts cannot name array types without an alias.
            let name = &self.arrays.iter().find(|(known, _)| known == ty).expect("every array type has a name").1;
            return self.made(ty, tree!(Role::Fixed; format!("(({name})0)")));
        }
        self.made(ty, tree!(Role::Fixed; format!("(({})0)", self.spelled(ty))))
    }

    pub fn structure(&mut self, ty: &Ty, depth: u32) -> Value {
        let Ty::Struct(n) = *ty else { return self.zero(ty) };
        if depth > 0 {
            match self.random.below(4) {
                0 => {
                    if let Some(value) = self.call(ty, depth) {
                        return value;
                    }
                }
                1 if !self.structs[n].operators.is_empty() => {
                    let operators = self.structs[n].operators.clone();
                    let operator = self.random.pick(&operators);
                    let (left, right) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                    // The left operand is called like a method: it is a variable or a call.
                    return self.made(ty, tree!(Role::Fixed; "(", left.tree, format!(" {operator} "), right.tree, ")"));
                }
                _ => {}
            }
        }
        self.path(ty, false).unwrap_or_else(|| self.zero(ty))
    }

    /// Generates a vector of another size, swizzled to the type.
    pub fn swizzled(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let from = Ty::Vector(scalar, 2 + self.random.below(3));
        let value = self.any_value(&from, depth - 1);
        let components = from.components();
        let letters: Vec<char> = self.random.pick(&["xyzw", "rgba"]).chars().collect();
        let of = (0..ty.components()).map(|_| letters[self.random.below(components) as usize]).collect::<String>();
        let exact = value.exact;
        self.exactly(ty, tree!(Role::Fixed; "(", value.tree, format!(").{of}")), exact)
    }

    /// Generates a vector or matrix from parts.
    pub fn constructed(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let mut left = ty.components();
        let mut inner = tree!(Role::Fixed; format!("{}(", self.spelled(ty)));
        let mut exact = Exact::default();
        while left > 0 {
            let n = if matches!(ty, Ty::Matrix(..)) { 1 } else { 1 + self.random.below(left.min(3)) };
            let part = Ty::vector(scalar, n);
            let value = if self.random.one_in(6) && scalar.is_int() {
                // Converted by the constructor.
                let other = self.random.pick(&[S::I32, S::U32, S::Bool]);
                self.any_value(&part.with(other), depth - 1)
            } else {
                self.any_value(&part, depth - 1)
            };
            if left < ty.components() {
                inner.add(", ");
            }
            exact = exact.either(value.exact);
            inner.add(value.tree);
            left -= n;
        }
        inner.add(")");
        self.exactly(ty, inner, exact)
    }

    pub fn conditional(&mut self, ty: &Ty, depth: u32) -> Value {
        self.divergent += 1;
        let (yes, no) = (self.any_value(ty, depth - 1), self.any_value(ty, depth - 1));
        self.divergent -= 1;
        let (yes, no) = (self.with_type(ty, yes), self.with_type(ty, no));
        let exact = yes.exact.either(no.exact);
        let inner = if matches!(ty, Ty::Vector(..)) && self.random.one_in(2) {
            let condition = self.any_value(&ty.with(S::Bool), depth - 1);
            tree!(Role::Fixed; "select(", condition.tree, ", ", yes.tree, ", ", no.tree, ")")
        } else {
            let condition = self.any_value(&Ty::BOOL, depth - 1);
            tree!(Role::Fixed; "(", condition.tree, " ? ", yes.tree, " : ", no.tree, ")")
        };
        self.exactly(ty, inner, exact)
    }

    pub fn boolean(&mut self, ty: &Ty, depth: u32) -> Value {
        let is_scalar = ty.components() == 1;
        let inner = match self.random.below(10) {
            0 => return self.leaf(ty),
            1 => return self.conditional(ty, depth),
            2 => {
                let value = self.any_value(ty, depth - 1);
                tree!(Role::Fixed; "(!", value.tree, ")")
            }
            3 if is_scalar => {
                let of = Ty::Vector(self.random.pick(&[S::Bool, S::I32, S::U32, S::F32]), 2 + self.random.below(3));
                let value = self.any_value(&of, depth - 1);
                tree!(Role::Fixed; self.random.pick(&["any(", "all("]), value.tree, ")")
            }
            4 | 5 => {
                let left = self.any_value(ty, depth - 1);
                self.divergent += 1;
                let right = self.any_value(ty, depth - 1);
                self.divergent -= 1;
                if is_scalar {
                    let operator = self.random.pick(&[" && ", " || ", " == ", " != "]);
                    tree!(Role::Fixed; "(", left.tree, operator, right.tree, ")")
                } else {
                    let name = self.random.pick(&["and(", "or("]);
                    tree!(Role::Fixed; name, left.tree, ", ", right.tree, ")")
                }
            }
            6 => {
                let scalar = self.scalar();
                let value = self.any_value(&ty.with(scalar), depth - 1);
                tree!(Role::Fixed; format!("(({})", self.spelled(ty)), value.tree, ")")
            }
            7 if is_scalar => {
                let value = self.call(ty, depth);
                return value.unwrap_or_else(|| self.leaf(ty));
            }
            8 if is_scalar && !self.enums.is_empty() => {
                let of = Ty::Enum(self.random.below(self.enums.len() as u32) as usize);
                let (left, right) = (self.any_value(&of, 0), self.any_value(&of, 0));
                tree!(Role::Fixed; "(", left.tree, self.random.pick(&[" == ", " != "]), right.tree, ")")
            }
            _ => {
                let scalar = self.numeric_scalar();
                let of = ty.with(scalar);
                let (left, right) = (self.any_value(&of, depth - 1), self.any_value(&of, depth - 1));
                let left = self.with_type(&of, left);
                let operator = self.random.pick(&[" < ", " <= ", " > ", " >= ", " == ", " != "]);
                tree!(Role::Fixed; "(", left.tree, operator, right.tree, ")")
            }
        };
        self.made(ty, inner)
    }

    /// Generates a value converted from another component type.
    pub fn converted(&mut self, ty: &Ty, depth: u32) -> Value {
        if matches!(ty, Ty::Matrix(..)) {
            return self.leaf(ty);
        }
        let scalar = ty.scalar().unwrap_or(S::U32);
        let from = self.scalar();
        let of = ty.with(from);
        let value = self.any_value(&of, depth - 1);
        let value = self.with_type(&of, value);
        let own = self.spelled(ty);
        let cast = |value: Tree| tree!(Role::Fixed; format!("(({own})"), value, ")");
        let (inner, exact) = match (from.is_float(), scalar.is_float()) {
            (false, false) => (cast(value.tree), Exact::default()),
            (true, false) => {
                // Floats are within 28 bits; 16 bits hold half of that, and unsigned integers no negative numbers.
                let value =
                    if scalar.bits() == 16 || value.exact.magnitude > 20 { self.masked(&of, value) } else { value };
                if scalar.is_signed() {
                    (cast(value.tree), Exact::default())
                } else {
                    (cast(tree!(Role::Fixed; "abs(", value.tree, ")")), Exact::default())
                }
            }
            (false, true) if from == S::Bool => (cast(value.tree), Exact { magnitude: 0, fraction: 0 }),
            (false, true) => {
                let magnitude = scalar.domain().magnitude;
                let masked = tree!(Role::Fixed; "(", value.tree, format!(" & {})", (1 << magnitude) - 1));
                (cast(masked), Exact { magnitude, fraction: 0 })
            }
            (true, true) => {
                let value = if value.exact.fits(scalar) { value } else { self.masked(&of, value) };
                let value = if value.exact.fits(scalar) { value } else { self.value(&of, 0) };
                if !value.exact.fits(scalar) {
                    return self.leaf(ty);
                }
                (cast(value.tree), value.exact)
            }
        };
        self.exactly(ty, inner, exact)
    }

    /// Generates an operation over all lanes.
    pub fn wave(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        // Groups are at most 64 threads.
        let sum = |exact: Exact| Exact { magnitude: exact.magnitude + 6, ..exact };
        if matches!(ty, Ty::Matrix(..)) || scalar.bits() != 32 {
            return self.leaf(ty);
        }
        if *ty == Ty::UINT && self.random.one_in(3) {
            let condition = self.any_value(&Ty::BOOL, depth - 1);
            let inner = match self.random.below(4) {
                0 => tree!(Role::Fixed; "WaveActiveCountBits(", condition.tree, ")"),
                1 => tree!(Role::Fixed; "WavePrefixCountBits(", condition.tree, ")"),
                2 => tree!(Role::Fixed; "countbits(WaveActiveBallot(", condition.tree, ")).x"),
                _ => {
                    tree!(Role::Fixed; "((uint)", self.random.pick(&["WaveActiveAllTrue(", "WaveActiveAnyTrue("]), condition.tree, "))")
                }
            };
            return self.made(ty, inner);
        }
        let value = self.typed(ty, depth - 1);
        let exact = value.exact;
        match self.random.below(8) {
            0 | 1 if !scalar.is_float() || sum(exact).fits(scalar) => {
                let name = self.random.pick(&["WaveActiveSum(", "WavePrefixSum("]);
                self.exactly(ty, tree!(Role::Fixed; name, value.tree, ")"), sum(exact))
            }
            2 if scalar.is_int() => {
                let name = self.random.pick(&["WaveActiveBitOr(", "WaveActiveBitAnd(", "WaveActiveBitXor("]);
                if scalar.is_signed() {
                    let own = self.spelled(ty);
                    let unsigned = self.spelled(&ty.with(S::U32));
                    let inner = tree!(Role::Fixed; format!("(({own}){name}({unsigned})"), value.tree, "))");
                    return self.made(ty, inner);
                }
                self.made(ty, tree!(Role::Fixed; name, value.tree, ")"))
            }
            3 => self.exactly(ty, tree!(Role::Fixed; "WaveReadLaneFirst(", value.tree, ")"), exact),
            4 => {
                let lane = self.random.below(4);
                self.exactly(ty, tree!(Role::Fixed; "WaveReadLaneAt(", value.tree, format!(", {lane})")), exact)
            }
            5 if self.features.quads => {
                let name = self.random.pick(&["QuadReadAcrossX(", "QuadReadAcrossY(", "QuadReadAcrossDiagonal("]);
                self.exactly(ty, tree!(Role::Fixed; name, value.tree, ")"), exact)
            }
            6 if self.features.quads => {
                let lane = self.random.below(4);
                self.exactly(ty, tree!(Role::Fixed; "QuadReadLaneAt(", value.tree, format!(", {lane})")), exact)
            }
            _ => {
                let name = self.random.pick(&["WaveActiveMin(", "WaveActiveMax("]);
                self.exactly(ty, tree!(Role::Fixed; name, value.tree, ")"), exact)
            }
        }
    }
}
