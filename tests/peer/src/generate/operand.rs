//! Operands of expressions: literals, indexes, variables and their parts.

use super::Generator;
use super::tree::{Role, Tree, tree};
use super::types::{Exact, Scalar, Scalar as S, Ty, Value};

impl Generator {
    /// Generates a variable, a part of one, or a literal.
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

    pub fn literal_text(&mut self, scalar: Scalar) -> (String, bool) {
        match scalar {
            S::Bool => (self.random.pick(&["true", "false"]).to_owned(), false),
            S::F16 | S::F32 | S::F64 => {
                let Exact { magnitude, fraction } = scalar.domain();
                let steps =
                    self.random.below::<u32>(2 << (magnitude + fraction)) as i32 - (1 << (magnitude + fraction));
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
                        let high = self.random.number() as u32 >> 1;
                        let name = scalar.name();
                        (format!("((({name})0x{high:x}u << 32) | ({name}){digits}u)"), false)
                    }
                    _ => (format!("(({}){signed})", scalar.name()), false),
                }
            }
        }
    }

    /// Generates an index below a count.
    pub fn index(&mut self, count: u32) -> Tree {
        let role = || Role::Value("uint".to_owned());
        if count == 1 || self.indexing || self.nodes == 0 || self.random.one_in(3) {
            let n = self.random.below(count);
            return tree!(role(); n.to_string());
        }
        // No nested indexes, because the search for variables would not end.
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
        // A reduction may only replace it as a whole.
        tree!(Role::Fixed; inner)
    }

    /// Returns a variable of a type or a part of one, if the search finds any.
    pub fn path(&mut self, ty: &Ty, writable: bool) -> Option<Value> {
        let (tree, _) = self.path_of(ty, writable, None)?;
        Some(self.made(ty, tree))
    }

    /// Returns a variable with its index in the list, which is not among `without`.
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
                // Nor does it load from a swizzled swizzle (dxc_faults.tsv: swizzle-swizzle).
                if self.swizzled {
                    break;
                }
                let Some(next) = self.descend(&mut tree, &at, writable) else { break };
                at = next;
            }
        }
        None
    }

    /// Selects a part of a value.
    pub fn descend(&mut self, tree: &mut Tree, at: &Ty, writable: bool) -> Option<Ty> {
        match at {
            Ty::Struct(n) => {
                let mut n = *n;
                // Includes members of the base, under the same name.
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
                // DXC computes the index of a swizzle wrongly (dxc_faults.tsv: swizzle-index).
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
}
