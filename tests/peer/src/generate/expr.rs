//! Expressions. All are defined: indexes and shift counts are masked, divisors are positive, floats stay exact.

use super::Generator;
use super::tree::{Role, Tree, tree};
use super::types::{Exact, Function, Mode, Scalar, Scalar as S, Ty, Value};

impl Generator {
    /// Wraps the text of a value of a type.
    pub fn made(&self, ty: &Ty, mut inner: Tree) -> Value {
        inner.role = Role::Value(self.spelled(ty));
        Value { tree: inner, exact: ty.scalar().map(Scalar::domain).unwrap_or_default(), literal: false }
    }

    fn exactly(&self, ty: &Ty, inner: Tree, exact: Exact) -> Value {
        Value { exact, ..self.made(ty, inner) }
    }

    /// A value that is what variables of its type may hold.
    pub fn value(&mut self, ty: &Ty, depth: u32) -> Value {
        let value = self.any_value(ty, depth);
        self.normal(ty, value)
    }

    /// The same with the type of its own that literals lack.
    pub fn typed(&mut self, ty: &Ty, depth: u32) -> Value {
        let value = self.value(ty, depth);
        self.with_type(ty, value)
    }

    fn with_type(&self, ty: &Ty, value: Value) -> Value {
        if !value.literal {
            return value;
        }
        let exact = value.exact;
        self.exactly(ty, tree!(Role::Fixed; format!("(({})", self.spelled(ty)), value.tree, ")"), exact)
    }

    /// Brings a float back into the domain of variables.
    fn normal(&self, ty: &Ty, value: Value) -> Value {
        let Some(scalar) = ty.scalar().filter(|s| s.is_float()) else { return value };
        let domain = scalar.domain();
        if value.exact.magnitude <= domain.magnitude && value.exact.fraction <= domain.fraction {
            return value;
        }
        self.masked(ty, value)
    }

    fn masked(&self, ty: &Ty, value: Value) -> Value {
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

    fn any_value(&mut self, ty: &Ty, depth: u32) -> Value {
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
            // Casts name no array types without an alias.
            let name = &self.arrays.iter().find(|(known, _)| known == ty).expect("every array type has a name").1;
            return self.made(ty, tree!(Role::Fixed; format!("(({name})0)")));
        }
        self.made(ty, tree!(Role::Fixed; format!("(({})0)", self.spelled(ty))))
    }

    fn structure(&mut self, ty: &Ty, depth: u32) -> Value {
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
                    // The left one is called like a method: it is a variable or a call.
                    return self.made(ty, tree!(Role::Fixed; "(", left.tree, format!(" {operator} "), right.tree, ")"));
                }
                _ => {}
            }
        }
        self.path(ty, false).unwrap_or_else(|| self.zero(ty))
    }

    /// A variable, a part of one, or a literal.
    pub fn leaf(&mut self, ty: &Ty) -> Value {
        if !self.random.one_in(4)
            && let Some(value) = self.path(ty, false)
        {
            return value;
        }
        self.literal(ty)
    }

    pub fn literal(&mut self, ty: &Ty) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        if ty.components() > 1 {
            if self.random.one_in(4) {
                let one = self.literal(&Ty::Scalar(scalar));
                let inner = tree!(Role::Fixed; format!("(({})", self.spelled(ty)), one.tree, ")");
                return self.made(ty, inner);
            }
            let mut inner = tree!(Role::Fixed; format!("{}(", self.spelled(ty)));
            for n in 0..ty.components() {
                if n > 0 {
                    inner.add(", ");
                }
                let one = self.literal(&Ty::Scalar(scalar));
                inner.add(one.tree);
            }
            inner.add(")");
            return self.made(ty, inner);
        }
        let (text, literal) = self.literal_text(scalar);
        Value { literal, ..self.made(ty, tree!(Role::Fixed; text)) }
    }

    fn literal_text(&mut self, scalar: Scalar) -> (String, bool) {
        match scalar {
            S::Bool => (self.random.pick(&["true", "false"]).to_owned(), false),
            S::F16 | S::F32 | S::F64 => {
                let Exact { magnitude, fraction } = scalar.domain();
                let steps = self.random.below(2 << (magnitude + fraction)) as i32 - (1 << (magnitude + fraction));
                let number = f64::from(steps) / f64::from(1 << fraction);
                let mut text = format!("{number:?}");
                let mut literal = false;
                match scalar {
                    S::F16 => text.push('h'),
                    S::F64 => text.push('L'),
                    _ if self.random.one_in(2) => text.push('f'),
                    _ => literal = true,
                }
                (if number.is_sign_negative() { format!("({text})") } else { text }, literal)
            }
            _ => {
                let wide = scalar.bits();
                let number: i64 = match self.random.below(8) {
                    0..=4 => i64::from(self.random.below(20)),
                    5 => i64::from(self.random.below(0x8000)),
                    6 if wide >= 32 => self.random.pick(&[0x7fff_ffff, 0x10000, 0xffff, 0x5555_5555, 0x1234_5678]),
                    6 => self.random.pick(&[0x7fff, 0xff, 0x5555]),
                    _ => 1 << self.random.below(wide.min(31) - 1),
                };
                let negative = scalar.is_signed() && self.random.one_in(4);
                let digits = if self.random.one_in(4) { format!("{number:#x}") } else { number.to_string() };
                let signed = if negative { format!("(-{digits})") } else { digits.clone() };
                match scalar {
                    S::I32 => (signed, true),
                    S::U32 => (format!("{digits}u"), false),
                    S::I64 | S::U64 if self.random.one_in(3) => {
                        let high = self.random.next() as u32 >> 1;
                        let name = scalar.name();
                        (format!("((({name})0x{high:x}u << 32) | ({name}){digits}u)"), false)
                    }
                    _ => (format!("(({}){signed})", scalar.name()), false),
                }
            }
        }
    }

    /// An index below a count.
    pub fn index(&mut self, count: u32) -> Tree {
        let role = || Role::Value("uint".to_owned());
        if count == 1 || self.indexing || self.nodes == 0 || self.random.one_in(3) {
            let n = self.random.below(count);
            return tree!(role(); n.to_string());
        }
        // No index within an index: the search for variables would not end.
        self.indexing = true;
        self.nodes = self.nodes.saturating_sub(1);
        let depth = u32::from(self.random.one_in(3));
        let of = if self.random.one_in(4) { Ty::INT } else { Ty::UINT };
        let value = self.typed(&of, depth);
        self.indexing = false;
        let inner = if count.is_power_of_two() {
            tree!(role(); "(", value.tree, format!(" & {})", count - 1))
        } else if of == Ty::UINT {
            tree!(role(); "(", value.tree, format!(" % {count}u)"))
        } else {
            tree!(role(); "((uint)", value.tree, format!(" % {count}u)"))
        };
        // It may only shrink as a whole.
        tree!(Role::Fixed; inner)
    }

    /// A variable of a type or a part of one, if the search finds any.
    pub fn path(&mut self, ty: &Ty, writable: bool) -> Option<Value> {
        let (tree, _) = self.path_of(ty, writable, None)?;
        Some(self.made(ty, tree))
    }

    /// The same, with the variable's place in the list; it is none of those whose places are given.
    pub fn path_of(&mut self, ty: &Ty, writable: bool, without: Option<&[usize]>) -> Option<(Tree, usize)> {
        for _ in 0..24 {
            let n = self.random.below(self.vars.len() as u32) as usize;
            let var = self.vars.get(n)?;
            let hidden = self.vars[n + 1..].iter().any(|later| later.name == self.vars[n].name);
            if hidden || (writable && !var.writable) || without.is_some_and(|others| others.contains(&n)) {
                continue;
            }
            let (mut tree, mut at) = (tree!(Role::Fixed; &var.name), var.ty.clone());
            self.swizzled = false;
            for _ in 0..6 {
                if at == *ty && (self.random.one_in(2) || !matches!(at, Ty::Array(..))) {
                    return Some((tree, n));
                }
                // Nor does it load from the swizzle of a swizzle (dxc_faults.tsv: swizzle-swizzle).
                if self.swizzled {
                    break;
                }
                let Some(next) = self.descend(&mut tree, &at, writable) else { break };
                at = next;
            }
        }
        None
    }

    /// Goes into a part of a value.
    fn descend(&mut self, tree: &mut Tree, at: &Ty, writable: bool) -> Option<Ty> {
        match at {
            Ty::Struct(n) => {
                let mut n = *n;
                // Of the base as well, under the same name.
                let mut all = self.structs[n].members.clone();
                while let Some(base) = self.structs[n].base {
                    n = base;
                    all.extend(self.structs[n].members.iter().cloned());
                }
                if self.no_bits && writable {
                    all.retain(|member| member.bits.is_none());
                }
                if all.is_empty() {
                    return None;
                }
                let member = self.random.pick(&all);
                tree.add(format!(".{}", member.name));
                Some(member.ty)
            }
            Ty::Array(element, count) => {
                tree.add("[");
                let index = self.index(*count);
                tree.add(index);
                tree.add("]");
                Some((**element).clone())
            }
            Ty::Matrix(s, rows, columns) => {
                if self.random.one_in(2) {
                    tree.add("[");
                    let index = self.index(*rows);
                    tree.add(index);
                    tree.add("]");
                    return Some(Ty::Vector(*s, *columns));
                }
                let n = 1 + self.random.below(3);
                let from_one = self.random.one_in(2);
                let mut taken = Vec::new();
                let mut text = String::from(".");
                for _ in 0..n {
                    let (r, c) = (self.random.below(*rows), self.random.below(*columns));
                    if taken.contains(&(r, c)) {
                        continue;
                    }
                    taken.push((r, c));
                    text += &if from_one { format!("_{}{}", r + 1, c + 1) } else { format!("_m{r}{c}") };
                }
                self.swizzled = true;
                tree.add(text);
                Some(Ty::vector(*s, taken.len() as u32))
            }
            Ty::Vector(s, n) => {
                // DXC gets the index of a swizzle wrong (dxc_faults.tsv: swizzle-index).
                if self.random.one_in(4) && !self.swizzled {
                    tree.add("[");
                    let swizzled = self.swizzled;
                    let index = self.index(*n);
                    self.swizzled = swizzled;
                    tree.add(index);
                    tree.add("]");
                    return Some(Ty::Scalar(*s));
                }
                let count = self.random.pick(&[1, 1, 1, 2, 2, 3, 4]);
                let letters: Vec<char> = self.random.pick(&["xyzw", "rgba"]).chars().collect();
                let mut taken = Vec::new();
                for _ in 0..count {
                    let c = self.random.below(*n);
                    if writable && taken.contains(&c) {
                        continue;
                    }
                    taken.push(c);
                }
                self.swizzled = true;
                tree.add(format!(".{}", taken.iter().map(|c| letters[*c as usize]).collect::<String>()));
                Some(Ty::vector(*s, taken.len() as u32))
            }
            _ => None,
        }
    }

    /// Another vector, of which a swizzle gives the type.
    fn swizzled(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let from = Ty::Vector(scalar, 2 + self.random.below(3));
        let value = self.any_value(&from, depth - 1);
        let components = from.components();
        let letters: Vec<char> = self.random.pick(&["xyzw", "rgba"]).chars().collect();
        let of = (0..ty.components()).map(|_| letters[self.random.below(components) as usize]).collect::<String>();
        let exact = value.exact;
        self.exactly(ty, tree!(Role::Fixed; "(", value.tree, format!(").{of}")), exact)
    }

    /// A vector or matrix of parts.
    fn constructed(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let mut left = ty.components();
        let mut inner = tree!(Role::Fixed; format!("{}(", self.spelled(ty)));
        let mut exact = Exact::default();
        while left > 0 {
            let n = if matches!(ty, Ty::Matrix(..)) { 1 } else { 1 + self.random.below(left.min(3)) };
            let part = Ty::vector(scalar, n);
            let value = if self.random.one_in(6) && scalar.is_int() {
                // Converted on the way.
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

    fn conditional(&mut self, ty: &Ty, depth: u32) -> Value {
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

    fn boolean(&mut self, ty: &Ty, depth: u32) -> Value {
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

    fn integer(&mut self, ty: &Ty, depth: u32) -> Value {
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
                let (first, second) = (self.any_value(&other, depth - 1), self.typed(ty, depth - 1));
                tree!(Role::Fixed; "(", first.tree, ", ", second.tree, ")")
            }
            21 if self.waves() => return self.wave(ty, depth),
            22 if !is_matrix => return self.flat_chain(ty, depth),
            _ => return self.integer_intrinsic(ty, depth),
        };
        self.made(ty, inner)
    }

    /// Operators without parentheses: their precedence decides.
    fn flat_chain(&mut self, ty: &Ty, depth: u32) -> Value {
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

    fn arithmetic(&mut self, ty: &Ty, depth: u32) -> Value {
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

    fn integer_intrinsic(&mut self, ty: &Ty, depth: u32) -> Value {
        let scalar = ty.scalar().unwrap_or(S::U32);
        let unsigned32 = scalar == S::U32 && !matches!(ty, Ty::Matrix(..));
        let is_vector = !matches!(ty, Ty::Matrix(..));
        let inner = match self.random.below(9) {
            0 | 1 => {
                let (a, b) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                tree!(Role::Fixed; self.random.pick(&["min(", "max("]), a.tree, ", ", b.tree, ")")
            }
            2 if unsigned32 => {
                let name = self.random.pick(&["countbits(", "reversebits(", "firstbitlow(", "firstbithigh("]);
                let value = self.typed(ty, depth - 1);
                tree!(Role::Fixed; name, value.tree, ")")
            }
            3 if unsigned32 => {
                let value = self.typed(&ty.with(S::I32), depth - 1);
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
            6 => {
                let (a, b, c) = (self.typed(ty, depth - 1), self.typed(ty, depth - 1), self.typed(ty, depth - 1));
                // Bounds in order: clamp is undefined where they are not.
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

    /// Four bytes in a word.
    fn packed(&mut self, depth: u32) -> Value {
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

    /// From another component type.
    fn converted(&mut self, ty: &Ty, depth: u32) -> Value {
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

    /// `mul` of numbers of any shape.
    fn matrix_product(&mut self, ty: &Ty, depth: u32) -> Value {
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

    fn float(&mut self, ty: &Ty, depth: u32) -> Value {
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

    fn float_intrinsic(&mut self, ty: &Ty, depth: u32) -> Value {
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
                // Either way of computing it is exact.
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

    /// Something of all lanes.
    fn wave(&mut self, ty: &Ty, depth: u32) -> Value {
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

    /// A call of a function without effects, or of a method.
    pub fn call(&mut self, ty: &Ty, depth: u32) -> Option<Value> {
        if self.random.one_in(3)
            && let Some(value) = self.method_call(ty, depth)
        {
            return Some(value);
        }
        let room = self.cost_left();
        let known: Vec<Function> =
            self.functions.iter().filter(|f| f.pure && f.result == *ty && f.cost <= room).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let function = self.random.pick(&known);
        self.spend(function.cost);
        let mut inner = tree!(Role::Fixed; format!("{}(", function.name));
        let arguments = self.arguments(&function, depth, &[]);
        inner.add(arguments);
        inner.add(")");
        Some(self.made(ty, inner))
    }

    fn method_call(&mut self, ty: &Ty, depth: u32) -> Option<Value> {
        let room = self.cost_left();
        let mut known = Vec::new();
        for (n, s) in self.structs.iter().enumerate() {
            known.extend(s.methods.iter().filter(|m| m.result == *ty && m.cost <= room).map(|m| (n, m.clone())));
        }
        if known.is_empty() {
            return None;
        }
        let (of, method) = self.random.pick(&known);
        let object = self.path(&Ty::Struct(of), false)?;
        self.spend(method.cost);
        let mut inner = tree!(Role::Fixed; object.tree, format!(".{}(", method.name));
        let arguments = self.arguments(&method, depth, &[]);
        inner.add(arguments);
        inner.add(")");
        Some(self.made(ty, inner))
    }

    /// Arguments of a call. Variables that `taken` names are not written to by it; every variable is by one parameter at most.
    pub fn arguments(&mut self, function: &Function, depth: u32, taken: &[usize]) -> Tree {
        let mut taken = taken.to_vec();
        let mut all = tree!(Role::Fixed;);
        for (n, param) in function.params.iter().enumerate() {
            // The rest has defaults.
            if param.defaulted && self.random.one_in(2) {
                break;
            }
            if n > 0 {
                all.add(", ");
            }
            if param.mode == Mode::In {
                let value = self.typed(&param.ty, depth.saturating_sub(1));
                all.add(value.tree);
                continue;
            }
            let found = self.path_of(&param.ty, true, Some(&taken));
            let (tree, var) = found.expect("statements ask for calls that can be made");
            taken.push(var);
            all.add(tree);
        }
        all
    }
}
