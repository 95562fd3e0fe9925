//! Random expressions: operations with defined results for all operands, and places within their memory.

use crate::program::{IN, ITEMS, OUT, ROWS, SHARED, THREADS};
use crate::statements::{Maker, Root, Seen};
use wgc_ir::{BinaryOp as B, MathOp as M, Op, Scalar, ScalarConst, Space, Type, UnaryOp, ValueId};

const INTEGERS: [u64; 14] = [0, 0, 1, 1, 2, 3, 4, 7, 8, 31, 255, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
const FLOATS: [f32; 13] = [0.0, -0.0, 1.0, 1.0, -1.0, 2.0, 0.5, 4.0, 3.0, -2.5, 1e30, 1e-30, f32::INFINITY];

/// The size of expressions that statements use.
pub const DEPTH: u32 = 3;

/// A step from a place to a place inside of it.
#[derive(Clone)]
enum Step {
    Field(u32),
    /// An element or component of this many.
    Element(u32),
}

/// Returns the paths from a type to its parts of another type.
fn paths(from: &Type, to: &Type) -> Vec<Vec<Step>> {
    let inside = |step: Step, part: &Type| {
        paths(part, to).into_iter().map(move |path| std::iter::once(step.clone()).chain(path).collect::<Vec<Step>>())
    };
    let mut found: Vec<Vec<Step>> = if from == to { vec![Vec::new()] } else { Vec::new() };
    match from {
        Type::Vector(s, n) if *to == Type::Scalar(*s) => found.push(vec![Step::Element(u32::from(*n))]),
        Type::Array { element, len, .. } => found.extend(inside(Step::Element(*len), element)),
        Type::Struct(s) => {
            for (n, field) in (0..).zip(&s.fields) {
                found.extend(inside(Step::Field(n), &field.ty));
            }
        }
        _ => {}
    }
    found
}

impl Maker<'_> {
    /// Returns a value of a type. A uniform one is the same for all threads that reach it together.
    pub fn expr(&mut self, ty: &Type, depth: u32, uniform: bool) -> ValueId {
        if depth == 0 || self.random.one_in(4) {
            return self.leaf(ty, uniform);
        }
        let id = match ty {
            Type::Scalar(Scalar::Bool) => self.condition(depth - 1, uniform),
            Type::Scalar(Scalar::F32) => self.float(depth - 1, uniform),
            Type::Scalar(scalar) => self.integer(*scalar, depth - 1, uniform),
            Type::Vector(scalar, n) => self.vector(*scalar, *n, depth - 1, uniform),
            _ => self.aggregate(ty, depth - 1, uniform),
        };
        self.see(id, uniform)
    }

    /// Returns a visible value, the contents of a place, or a constant.
    fn leaf(&mut self, ty: &Type, uniform: bool) -> ValueId {
        if !self.random.one_in(4)
            && let Some(id) = self.visible(ty, uniform)
        {
            return id;
        }
        if !self.random.one_in(3)
            && let Some(place) = self.place(ty, false, uniform)
        {
            let id = self.b.load_as(place, ty.clone());
            return self.see(id, uniform);
        }
        self.constant(ty)
    }

    fn visible(&mut self, ty: &Type, uniform: bool) -> Option<ValueId> {
        let fits = |seen: &&Seen| seen.ty == *ty && (seen.uniform || !uniform);
        let all: Vec<ValueId> = self.scope.iter().filter(fits).map(|seen| seen.id).collect();
        // Recent values are likelier, so that expressions become deep.
        let from = if self.random.one_in(3) { 0 } else { all.len().saturating_sub(4) };
        (!all.is_empty()).then(|| self.random.pick(&all[from..]))
    }

    pub fn constant(&mut self, ty: &Type) -> ValueId {
        match ty {
            Type::Scalar(scalar) => {
                let bits = match scalar {
                    Scalar::F32 => u64::from(self.random.pick(&FLOATS).to_bits()),
                    _ => self.random.pick(&INTEGERS),
                };
                self.b.constant(ScalarConst::new(*scalar, bits))
            }
            ty if self.random.one_in(if ty.scalar().is_some() { 4 } else { 2 }) => self.b.zero(ty.clone()),
            Type::Vector(scalar, n) if self.random.one_in(2) => {
                let part = self.constant(&Type::Scalar(*scalar));
                self.b.splat(part, u32::from(*n))
            }
            ty => {
                let parts = self.parts(ty);
                let parts = parts.iter().map(|part| self.constant(part)).collect();
                self.b.compose(ty.clone(), parts)
            }
        }
    }

    /// Returns the types of the elements of a vector, array or structure.
    pub fn parts(&self, ty: &Type) -> Vec<Type> {
        match ty {
            Type::Vector(scalar, n) => vec![Type::Scalar(*scalar); usize::from(*n)],
            Type::Array { element, len, .. } => vec![(**element).clone(); *len as usize],
            Type::Struct(s) => s.fields.iter().map(|f| f.ty.clone()).collect(),
            other => panic!("{other} has no parts"),
        }
    }

    /// Returns an index below a length.
    pub fn index(&mut self, len: u32, uniform: bool) -> ValueId {
        if self.random.one_in(2) {
            let n = self.random.below(len);
            return self.b.const_u32(n);
        }
        let any = self.expr(&Type::U32, 1, uniform);
        let id = if len.is_power_of_two() {
            let mask = self.b.const_u32(len - 1);
            self.b.and(any, mask)
        } else {
            let len = self.b.const_u32(len);
            self.b.rem(any, len)
        };
        self.see(id, uniform)
    }

    /// Returns an operand's part of this type, of any value that has one.
    fn part(&mut self, ty: &Type, depth: u32, uniform: bool) -> ValueId {
        let whole = loop {
            let whole = self.random.pick(&self.types.all);
            if whole != *ty
                && (whole.scalar().is_none() || whole.scalar() == ty.scalar())
                && !paths(&whole, ty).is_empty()
            {
                break whole;
            }
            if !self.types.all.iter().any(|other| other != ty && !paths(other, ty).is_empty()) {
                return self.leaf(ty, uniform);
            }
        };
        let path = self.random.pick(&paths(&whole, ty));
        let mut id = self.expr(&whole, depth, uniform);
        for step in path {
            id = match step {
                Step::Field(n) => self.b.extract(id, n),
                Step::Element(len) if self.random.one_in(2) => {
                    let n = self.random.below(len);
                    self.b.extract(id, n)
                }
                Step::Element(len) => {
                    let index = self.index(len, uniform);
                    self.b.extract_dynamic(id, index)
                }
            };
        }
        id
    }

    fn choice(&mut self, ty: &Type, depth: u32, uniform: bool) -> ValueId {
        let cond = self.expr(&Type::BOOL, depth, uniform);
        let (then, otherwise) = (self.expr(ty, depth, uniform), self.expr(ty, depth, uniform));
        self.b.select(cond, then, otherwise)
    }

    fn binary(&mut self, ops: &[B], ty: &Type, depth: u32, uniform: bool) -> ValueId {
        let (lhs, rhs) = (self.expr(ty, depth, uniform), self.expr(ty, depth, uniform));
        let op = self.random.pick(ops);
        let id = self.b.binary(op, lhs, rhs);
        self.often_precise(id)
    }

    fn often_precise(&mut self, id: ValueId) -> ValueId {
        if self.random.one_in(8) && self.b.ty(id).scalar() == Some(Scalar::F32) {
            self.b.set_precise(id);
        }
        id
    }

    fn math(&mut self, ops: &[(M, usize)], ty: &Type, depth: u32, uniform: bool) -> ValueId {
        let (op, arity) = self.random.pick(ops);
        let args: Vec<ValueId> = (0..arity).map(|_| self.expr(ty, depth, uniform)).collect();
        self.b.math(op, &args)
    }

    fn convert(&mut self, from: &[Scalar], to: Type, depth: u32, uniform: bool) -> ValueId {
        let scalar = self.random.pick(from);
        let from = Type::vector_of(scalar, to.components().unwrap_or(1));
        let value = self.expr(&from, depth, uniform);
        self.b.value_as(to, Op::Convert(value))
    }

    fn integer(&mut self, scalar: Scalar, depth: u32, uniform: bool) -> ValueId {
        let ty = Type::Scalar(scalar);
        match self.random.below(15_u32) {
            0..=3 => self.binary(&[B::Add, B::Sub, B::Mul, B::And, B::Or, B::Xor, B::Add], &ty, depth, uniform),
            4 => {
                let (value, count) = (self.expr(&ty, depth, uniform), self.expr(&Type::U32, depth, uniform));
                let op = self.random.pick(&[B::Shl, B::Shr]);
                self.b.binary(op, value, count)
            }
            5 | 6 => {
                let value = self.expr(&ty, depth, uniform);
                // Never zero, and positive.
                let by = if self.random.one_in(2) {
                    let by = self.random.pick(&[1, 2, 3, 4, 7, 8, 16]);
                    self.b.constant(ScalarConst::new(scalar, by))
                } else {
                    let any = self.expr(&ty, depth, uniform);
                    let [seven, one] = [7, 1].map(|n| self.b.constant(ScalarConst::new(scalar, n)));
                    let small = self.b.and(any, seven);
                    self.b.or(small, one)
                };
                let op = self.random.pick(&[B::Div, B::Rem]);
                self.b.binary(op, value, by)
            }
            7 => {
                let value = self.expr(&ty, depth, uniform);
                let op = self.random.pick(&[UnaryOp::Neg, UnaryOp::BitNot]);
                self.b.unary(op, value)
            }
            8 => self.choice(&ty, depth, uniform),
            9 => {
                let ops = [(M::Min, 2), (M::Max, 2), (M::Abs, 1), (M::Sign, 1), (M::CountBits, 1), (M::ReverseBits, 1)];
                let ops = if scalar == Scalar::U32 { &ops[..2] } else { &ops[..] };
                self.math(ops, &ty, depth, uniform)
            }
            10 => self.math(&[(M::FirstBitLow, 1), (M::FirstBitHigh, 1), (M::CountBits, 1)], &ty, depth, uniform),
            11 => self.convert(&[Scalar::F32, Scalar::Bool], ty, depth, uniform),
            12 => {
                let other = if scalar == Scalar::U32 { Type::I32 } else { Type::U32 };
                let value = self.expr(&other, depth, uniform);
                if self.random.one_in(2) { self.b.bitcast(value, ty) } else { self.b.convert(value, ty) }
            }
            _ => self.part(&ty, depth, uniform),
        }
    }

    fn float(&mut self, depth: u32, uniform: bool) -> ValueId {
        let (u, ty) = (uniform, Type::F32);
        match self.random.below(14_u32) {
            0..=3 => self.binary(&[B::Add, B::Sub, B::Mul, B::Div], &ty, depth, u),
            4 => {
                // A product that a sum may take in.
                let product = self.binary(&[B::Mul], &ty, depth, u);
                let other = self.expr(&ty, depth, u);
                let op = self.random.pick(&[B::Add, B::Sub]);
                let id = self.b.binary(op, product, other);
                self.often_precise(id)
            }
            5 => {
                let value = self.expr(&ty, depth, u);
                self.b.neg(value)
            }
            6 => self.choice(&ty, depth, u),
            7 => {
                let ops = [M::Abs, M::Sign, M::Floor, M::Ceil, M::Round, M::Trunc, M::Fract, M::Sqrt];
                let op = self.random.pick(&ops);
                self.math(&[(op, 1)], &ty, depth, u)
            }
            8 => self.math(&[(M::Min, 2), (M::Max, 2), (M::Clamp, 3), (M::Fma, 3), (M::Mix, 3)], &ty, depth, u),
            9 => {
                let vector = Type::Vector(Scalar::F32, self.random.pick(&[2, 3, 4]));
                self.math(&[(M::Dot, 2), (M::Length, 1)], &vector, depth, u)
            }
            10 => self.convert(&[Scalar::U32, Scalar::I32, Scalar::Bool], ty, depth, u),
            _ => self.part(&ty, depth, u),
        }
    }

    fn condition(&mut self, depth: u32, uniform: bool) -> ValueId {
        let (u, ty) = (uniform, Type::BOOL);
        match self.random.below(12_u32) {
            0..=4 => {
                let of = self.random.pick(&[Type::U32, Type::I32, Type::F32, Type::U32]);
                self.binary(&[B::Eq, B::Ne, B::Lt, B::Le, B::Gt, B::Ge], &of, depth, u)
            }
            5 => self.binary(&[B::And, B::Or, B::Xor, B::Eq, B::Ne], &ty, depth, u),
            6 => {
                let value = self.expr(&ty, depth, u);
                self.b.not(value)
            }
            7 => self.choice(&ty, depth, u),
            8 => self.math(&[(M::IsNan, 1), (M::IsInf, 1)], &Type::F32, depth, u),
            9 => {
                let vector = Type::Vector(Scalar::Bool, self.random.pick(&[2, 3]));
                self.math(&[(M::Any, 1), (M::All, 1)], &vector, depth, u)
            }
            10 => self.convert(&[Scalar::U32, Scalar::I32, Scalar::F32], ty, depth, u),
            _ => self.part(&ty, depth, u),
        }
    }

    fn vector(&mut self, scalar: Scalar, n: u8, depth: u32, u: bool) -> ValueId {
        let ty = Type::Vector(scalar, n);
        match self.random.below(11_u32) {
            0..=2 => {
                let ops: &[B] = match scalar {
                    Scalar::F32 => &[B::Add, B::Sub, B::Mul, B::Div],
                    Scalar::Bool => &[B::And, B::Or, B::Eq],
                    _ => &[B::Add, B::Sub, B::Mul, B::And, B::Or, B::Xor, B::Shl, B::Shr],
                };
                self.binary(ops, &ty, depth, u)
            }
            3 => {
                let cond = self.expr(&Type::Vector(Scalar::Bool, n), depth, u);
                if !matches!(n, 2 | 3) {
                    return self.choice(&ty, depth, u);
                }
                let (then, otherwise) = (self.expr(&ty, depth, u), self.expr(&ty, depth, u));
                self.b.select(cond, then, otherwise)
            }
            4 => self.choice(&ty, depth, u),
            5 => {
                let mut parts = Vec::new();
                let mut left = n;
                if n > 2 && self.random.one_in(2) {
                    parts.push(self.expr(&Type::Vector(scalar, 2), depth, u));
                    left -= 2;
                }
                parts.extend((0..left).map(|_| self.expr(&Type::Scalar(scalar), depth, u)));
                self.b.compose(ty, parts)
            }
            6 => {
                let from = self.random.pick(&[1, 2, 3]);
                if n > 1 && self.random.one_in(3) {
                    let widths = [self.random.pick(&[2, 3]), self.random.pick(&[2, 3])];
                    let [lhs, rhs] = widths.map(|width| self.expr(&Type::Vector(scalar, width), depth, u));
                    let all = u32::from(widths[0] + widths[1]);
                    let components: Vec<u8> = (0..n).map(|_| self.random.below(all) as u8).collect();
                    return self.b.shuffle(lhs, rhs, &components);
                }
                let base = self.expr(&Type::vector_of(scalar, from), depth, u);
                let components: Vec<u8> = (0..n).map(|_| self.random.below(from) as u8).collect();
                self.b.swizzle(base, &components)
            }
            7 => {
                let (base, part) = (self.expr(&ty, depth, u), self.expr(&Type::Scalar(scalar), depth, u));
                let at = self.random.below(u32::from(n));
                self.b.insert(base, at, part)
            }
            8 if scalar == Scalar::F32 => {
                let (base, by) = (self.expr(&ty, depth, u), self.expr(&Type::F32, depth, u));
                let by = self.b.splat(by, u32::from(n));
                let id = if self.random.one_in(2) { self.b.mul(base, by) } else { self.b.mul(by, base) };
                self.often_precise(id)
            }
            9 if scalar == Scalar::Bool && n == 2 => {
                let of = Type::Vector(self.random.pick(&[Scalar::U32, Scalar::I32, Scalar::F32]), n);
                self.binary(&[B::Eq, B::Ne, B::Lt, B::Ge], &of, depth, u)
            }
            9 if n == 3 && scalar == Scalar::F32 => self.math(&[(M::Cross, 2)], &ty, depth, u),
            9 if n == 2 => {
                let all = [Scalar::U32, Scalar::I32, Scalar::F32, Scalar::Bool];
                let from: Vec<Scalar> = all.into_iter().filter(|s| *s != scalar).collect();
                self.convert(&from, ty, depth, u)
            }
            _ => self.part(&ty, depth, u),
        }
    }

    fn aggregate(&mut self, ty: &Type, depth: u32, u: bool) -> ValueId {
        let parts = self.parts(ty);
        match self.random.below(5_u32) {
            0 => {
                let parts = parts.iter().map(|part| self.expr(part, 0, u)).collect();
                self.b.compose(ty.clone(), parts)
            }
            1 | 2 => {
                let base = self.expr(ty, depth, u);
                let at = self.random.below(parts.len());
                let part = self.expr(&parts[at], depth, u);
                self.b.insert(base, at as u32, part)
            }
            3 => self.choice(ty, depth, u),
            _ => match self.place(ty, false, u) {
                Some(place) => self.b.load_as(place, ty.clone()),
                None => self.part(ty, depth, u),
            },
        }
    }

    /// Returns a place of a type, if there is one.
    pub fn place(&mut self, ty: &Type, writable: bool, uniform: bool) -> Option<ValueId> {
        let fits =
            |seen: &&Seen| seen.ty.pointee() == Some(ty) && (seen.writable || !writable) && (seen.uniform || !uniform);
        let known: Vec<ValueId> = self.scope.iter().filter(fits).map(|seen| seen.id).collect();
        if !known.is_empty() && !self.random.one_in(3) {
            return Some(self.random.pick(&known[known.len().saturating_sub(6)..]));
        }
        let fits = |root: &&Root| {
            (root.writable || !writable) && (root.uniform || !uniform) && !paths(&root.ty, ty).is_empty()
        };
        let roots: Vec<Root> = self.roots.iter().filter(fits).cloned().collect();
        if roots.is_empty() {
            return None;
        }
        let root = self.random.pick(&roots);
        let path = self.random.pick(&paths(&root.ty, ty));
        let mut place = self.first_place(&root, uniform);
        for step in path {
            self.see_place(place, uniform, root.writable);
            place = match step {
                Step::Field(n) => self.b.field(place, n),
                Step::Element(len) => {
                    let index = self.index(len, uniform);
                    self.b.index(place, index)
                }
            };
        }
        self.see_place(place, uniform, root.writable);
        Some(place)
    }

    /// Returns the place of a root: of a buffer, an element that the thread may access.
    fn first_place(&mut self, root: &Root, uniform: bool) -> ValueId {
        let Some(buffer) = root.buffer else { return root.place };
        let (own, len) = match buffer {
            "out" => (true, OUT),
            "items" => (true, ITEMS),
            "in" => (false, IN),
            "rows" => (false, ROWS),
            SHARED | "view" => (false, THREADS),
            other => panic!("@{other} has no elements for expressions"),
        };
        let mut index = self.index(len, uniform);
        if own || buffer == "view" {
            let len = self.b.const_u32(len);
            let first = self.b.mul(if own { self.me } else { self.group }, len);
            index = self.b.add(first, index);
        }
        self.b.index(root.place, index)
    }

    /// Notes a place, except in memory that all threads write.
    fn see_place(&mut self, place: ValueId, uniform: bool, writable: bool) {
        let ty = self.b.ty(place);
        // A read-only place that some threads share stays valid too.
        debug_assert!(!matches!(ty, Type::Ref(Space::Workgroup, _)) || !writable);
        self.scope.push(Seen { id: place, ty, uniform, writable });
    }
}
