//! Random expressions before and after `fold`: both have the same value for all inputs.
//!
//! The evaluator follows the semantics in the crate documentation and knows nothing of the passes.

use crate::read;
use wgc_ir::passes::{self, DenormalFlush};
use wgc_ir::{BinaryOp as B, Block, Function, Op, Scalar, Stmt, Type, UnaryOp, ValueId};

/// The number of functions of each kind.
const SEEDS: u64 = 400;

/// The scalars of a value. `None` is an undefined one.
type Data = Vec<Option<u64>>;

/// A linear congruential generator, whose high bits are used.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }
    fn below(&mut self, end: usize) -> usize {
        self.bits() as usize % end
    }
    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// A function of random statements. Values are known by their types.
struct Text {
    random: Random,
    lines: String,
    /// Visible values: number and type.
    values: Vec<(usize, &'static str)>,
    next: usize,
}

const INTEGERS: &[&str] = &["u32", "i32"];
const ARITHMETIC: &[&str] = &["add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr"];
const COMPARISONS: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge"];
const NUMBERS: &[&str] = &["0", "1", "2", "3", "8", "31", "32", "255", "2147483647"];
const FLOATS: &[&str] = &["0.0", "-0.0", "1.0", "-1.0", "0.5", "4.0", "3.0", "1e30"];

impl Text {
    fn operand(&mut self, ty: &str) -> usize {
        // Recent values are likelier, so that expressions become deep.
        let all: Vec<usize> = self.values.iter().filter(|v| v.1 == ty).map(|v| v.0).collect();
        let recent = all.len().saturating_sub(4);
        let from = if self.random.below(3) > 0 { &all[recent..] } else { &all[..] };
        from[self.random.below(from.len())]
    }

    fn line(&mut self, ty: &'static str, op: &str) {
        self.lines += &format!("%{}: {ty} = {op}\n", self.next);
        self.values.push((self.next, ty));
        self.next += 1;
    }

    fn parameters(&mut self, types: &[&'static str]) {
        types.iter().enumerate().for_each(|(n, ty)| self.line(ty, &format!("param {n}")));
    }

    fn with(&mut self, op: &str, types: &[&str]) -> String {
        let operands: Vec<String> = types.iter().map(|ty| format!("%{}", self.operand(ty))).collect();
        format!("{op} {}", operands.join(", "))
    }

    /// Returns the type of an operation's result, and one of the operations on these operands.
    fn one_of(&mut self, ty: &'static str, ops: &[&'static str], operands: &[&str]) -> (&'static str, String) {
        let op = self.random.pick(ops);
        (ty, self.with(op, operands))
    }

    /// Adds an operation on integers, bools and vectors.
    fn integer_operation(&mut self) {
        let ty = self.random.pick(INTEGERS);
        let vector = if ty == "u32" { "u32x2" } else { "i32x2" };
        let at = self.random.below(2);
        let (result, op) = match self.random.below(21) {
            0..5 => self.one_of(ty, ARITHMETIC, &[ty, ty]),
            5 => self.one_of(vector, ARITHMETIC, &[vector, vector]),
            6..8 => self.one_of("bool", COMPARISONS, &[ty, ty]),
            8 => self.one_of("boolx2", COMPARISONS, &[vector, vector]),
            9 => self.one_of("bool", &["and", "or", "xor", "eq", "ne"], &["bool", "bool"]),
            10 => self.one_of(ty, &["neg", "bit_not"], &[ty]),
            11 => self.one_of("bool", &["not"], &["bool"]),
            12 => self.one_of(ty, &["select"], &["bool", ty, ty]),
            13 => self.one_of("bool", &["select"], &["bool", "bool", "bool"]),
            14 => self.one_of(vector, &["select"], &["boolx2", vector, vector]),
            15 => {
                let from = self.random.pick(&["u32", "i32", "bool", "u64"]);
                let to = self.random.pick(&["u32", "i32", "bool", "u64", "bool"]);
                self.one_of(to, &["convert"], &[from])
            }
            16 => self.one_of(ty, &["bitcast"], &["u32"]),
            17 if at == 0 => self.one_of(vector, &["compose"], &[ty, ty]),
            17 => (ty, format!("{}, {at}", self.with("extract", &[vector]))),
            18 => {
                let (base, value) = (self.operand(vector), self.operand(ty));
                (vector, format!("insert %{base}, {at}, %{value}"))
            }
            19 => {
                let order = self.random.pick(&["0 3", "2 1", "3 0", "3 2", "1 1"]);
                (vector, format!("{}, {order}", self.with("shuffle", &[vector, vector])))
            }
            _ => {
                let order = self.random.pick(&["0 1", "1 0", "1 1"]);
                (vector, format!("{}, {order}", self.with("swizzle", &[vector])))
            }
        };
        self.line(result, &op);
    }

    fn float_operation(&mut self) {
        let (result, op) = match self.random.below(10) {
            0..6 => self.one_of("f32", &["add", "sub", "mul", "div"], &["f32", "f32"]),
            6 => self.one_of("f32", &["neg"], &["f32"]),
            7 => self.one_of("bool", COMPARISONS, &["f32", "f32"]),
            8 => self.one_of("bool", &["not"], &["bool"]),
            _ => self.one_of("f32", &["select"], &["bool", "f32", "f32"]),
        };
        self.line(result, &op);
    }

    /// Adds operations, and branches that store to `%0`.
    fn statements(&mut self, count: usize, depth: usize, operation: fn(&mut Text), stored: &str) {
        for _ in 0..count {
            if depth > 0 && self.random.below(8) == 0 {
                let cond = self.operand("bool");
                self.lines += &format!("if %{cond} {{\n");
                for _ in 0..2 {
                    let visible = self.values.len();
                    self.statements(5, depth - 1, operation, stored);
                    self.values.truncate(visible);
                    self.lines += "} else {\n";
                }
                self.lines.truncate(self.lines.len() - "} else {\n".len());
                self.lines += "}\n";
            } else {
                operation(self);
            }
        }
        let value = self.operand(stored);
        self.lines += &format!("store %0, %{value}\n");
    }
}

/// A run of a function on certain arguments.
struct Run<'a> {
    function: &'a Function,
    arguments: &'a [u64],
    values: Vec<Option<Data>>,
    /// All values that were stored, in order.
    stored: Vec<Data>,
    /// A branch on an undefined condition was reached.
    lost: bool,
}

impl Run<'_> {
    fn data(&self, id: ValueId) -> Data {
        self.values[id.into_raw().into_u32() as usize].clone().expect("it is computed before")
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            match stmt {
                Stmt::Let(id) => {
                    let result = self.evaluate(*id);
                    self.values[id.into_raw().into_u32() as usize] = Some(result);
                }
                Stmt::Store { value, .. } => self.stored.push(self.data(*value)),
                Stmt::If { cond, then, otherwise, .. } => match self.data(*cond)[0] {
                    Some(cond) => self.block(if cond != 0 { then } else { otherwise }),
                    None => self.lost = true,
                },
                _ => {}
            }
            if self.lost {
                return;
            }
        }
    }

    fn evaluate(&self, id: ValueId) -> Data {
        let value = self.function.value(id).expect("a value of the function");
        let scalar_of = |id: &ValueId| self.function.type_of(*id).and_then(Type::scalar).expect("a number");
        let count = value.ty.components().unwrap_or(1) as usize;
        match &value.op {
            Op::Const(c) => vec![Some(c.bits)],
            Op::Zero => vec![Some(0); count],
            Op::Param(n) => vec![Some(self.arguments[*n as usize])],
            Op::Compose(parts) => parts.iter().flat_map(|part| self.data(*part)).collect(),
            Op::Extract { base, index } => vec![self.data(*base)[*index as usize]],
            Op::Insert { base, index, value } => {
                let mut data = self.data(*base);
                data[*index as usize] = self.data(*value)[0];
                data
            }
            Op::Swizzle { base, components } => {
                let data = self.data(*base);
                components.iter().map(|at| data[usize::from(*at)]).collect()
            }
            Op::Shuffle { lhs, rhs, components } => {
                let data = [self.data(*lhs), self.data(*rhs)].concat();
                components.iter().map(|at| data[usize::from(*at)]).collect()
            }
            Op::Unary { op, value } => {
                let ty = scalar_of(value);
                self.data(*value).into_iter().map(|x| Some(unary(*op, ty, x?))).collect()
            }
            Op::Binary { op, lhs, rhs } => {
                let ty = scalar_of(lhs);
                self.data(*lhs).into_iter().zip(self.data(*rhs)).map(|(x, y)| binary(*op, ty, x?, y?)).collect()
            }
            Op::Select { cond, then, otherwise } => {
                let (cond, then, otherwise) = (self.data(*cond), self.data(*then), self.data(*otherwise));
                let chosen = |n: usize| if cond[n % cond.len()]? != 0 { then[n] } else { otherwise[n] };
                (0..count).map(chosen).collect()
            }
            Op::Convert(from) => {
                let (from_ty, to) = (scalar_of(from), value.ty.scalar().expect("a number"));
                self.data(*from).into_iter().map(|x| Some(convert(from_ty, to, x?))).collect()
            }
            Op::Bitcast(from) => self.data(*from),
            Op::Global(_) => Vec::new(),
            other => panic!("the generator has no {other:?}"),
        }
    }
}

fn signed(ty: Scalar, x: u64) -> i64 {
    if ty == Scalar::I32 { i64::from(x as u32 as i32) } else { x as i64 }
}

fn wrapped(ty: Scalar, x: u64) -> u64 {
    match ty {
        Scalar::Bool => x & 1,
        Scalar::U64 => x,
        _ => x & 0xffff_ffff,
    }
}

/// Returns the bits of a float. All NaN are one here.
fn float_bits(x: f32) -> u64 {
    u64::from(if x.is_nan() { f32::NAN } else { x }.to_bits())
}

fn unary(op: UnaryOp, ty: Scalar, x: u64) -> u64 {
    match (op, ty) {
        (UnaryOp::Neg, Scalar::F32) => float_bits(-f32::from_bits(x as u32)),
        (UnaryOp::Neg, _) => wrapped(ty, 0u64.wrapping_sub(x)),
        (UnaryOp::Not, _) => u64::from(x == 0),
        (UnaryOp::BitNot, _) => wrapped(ty, !x),
    }
}

fn binary(op: B, ty: Scalar, x: u64, y: u64) -> Option<u64> {
    if ty == Scalar::F32 {
        let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
        let number = |x: f32| Some(float_bits(x));
        return match op {
            B::Add => number(x + y),
            B::Sub => number(x - y),
            B::Mul => number(x * y),
            B::Div => number(x / y),
            B::Eq => Some(u64::from(x == y)),
            B::Ne => Some(u64::from(x != y)),
            B::Lt => Some(u64::from(x < y)),
            B::Le => Some(u64::from(x <= y)),
            B::Gt => Some(u64::from(x > y)),
            B::Ge => Some(u64::from(x >= y)),
            _ => panic!("the generator has no such operation"),
        };
    }
    let is_signed = ty == Scalar::I32;
    let order = if is_signed { signed(ty, x).cmp(&signed(ty, y)) } else { x.cmp(&y) };
    let count = y & if ty == Scalar::U64 { 63 } else { 31 };
    let result = match op {
        B::Add => x.wrapping_add(y),
        B::Sub => x.wrapping_sub(y),
        B::Mul => x.wrapping_mul(y),
        // The quotient of the least number and -1 does not fit.
        B::Div | B::Rem if y == 0 || is_signed && x == 1 << 31 && signed(ty, y) == -1 => return None,
        B::Div if is_signed => (signed(ty, x) / signed(ty, y)) as u64,
        B::Rem if is_signed => (signed(ty, x) % signed(ty, y)) as u64,
        B::Div => x / y,
        B::Rem => x % y,
        B::And => x & y,
        B::Or => x | y,
        B::Xor => x ^ y,
        B::Shl => x << count,
        B::Shr if is_signed => (signed(ty, x) >> count) as u64,
        B::Shr => x >> count,
        B::Eq => u64::from(order.is_eq()),
        B::Ne => u64::from(order.is_ne()),
        B::Lt => u64::from(order.is_lt()),
        B::Le => u64::from(order.is_le()),
        B::Gt => u64::from(order.is_gt()),
        B::Ge => u64::from(order.is_ge()),
    };
    Some(wrapped(ty, result))
}

fn convert(from: Scalar, to: Scalar, x: u64) -> u64 {
    match to {
        Scalar::Bool => u64::from(x != 0),
        _ => wrapped(to, signed(from, x) as u64),
    }
}

fn run(function: &Function, arguments: &[u64]) -> (Vec<Data>, bool) {
    let mut run =
        Run { function, arguments, values: vec![None; function.values.len()], stored: Vec::new(), lost: false };
    run.block(&function.body);
    (run.stored, run.lost)
}

/// Compares the stored values where they were defined before.
fn compare(text: &str, flush: DenormalFlush, arguments: &[Vec<u64>]) {
    let before = read(text);
    let mut after = before.clone();
    passes::fold_floats(&mut after.functions["f"], flush);
    crate::check(&after);
    for arguments in arguments {
        let (expected, lost) = run(&before.functions["f"], arguments);
        let (found, _) = run(&after.functions["f"], arguments);
        assert!(lost || found.len() == expected.len(), "{arguments:?}\n{text}");
        for (expected, found) in expected.iter().zip(&found) {
            let agree = |(x, y): (&Option<u64>, &Option<u64>)| x.is_none() || x == y;
            let all = expected.iter().zip(found).all(agree);
            assert!(all, "{arguments:?}: {expected:x?} became {found:x?}\n{text}\n{}", wgc_ir::print(&after));
        }
    }
}

fn text(
    seed: u64,
    types: &[&'static str],
    constants: &[(&'static str, &str)],
    operation: fn(&mut Text),
    stored: &str,
) -> String {
    let mut text = Text { random: Random(seed), lines: String::new(), values: Vec::new(), next: 1 };
    text.parameters(types);
    for (ty, number) in constants {
        text.line(ty, number);
    }
    if stored == "u32" {
        for ty in ["u32x2", "i32x2", "boolx2"] {
            let part = &ty[..ty.len() - 2];
            let compose = text.with("compose", &[part, part]);
            text.line(ty, &compose);
            text.line(ty, "zero");
        }
    }
    text.statements(40, 2, operation, stored);
    let params: Vec<String> = types.iter().enumerate().map(|(n, ty)| format!("p{n}: {ty}")).collect();
    format!(
        "global @g: private {stored}\nfn @f({}) -> void {{\n%0: ref<private, {stored}> = global @g\n{}}}",
        params.join(", "),
        text.lines
    )
}

#[test]
fn random_integer_expressions_keep_their_values() {
    let types = ["u32", "u32", "i32", "bool", "bool", "u64"];
    let mut constants = vec![("u32", "4294967295"), ("i32", "-1"), ("bool", "true"), ("bool", "false"), ("u64", "5")];
    constants.extend(NUMBERS.iter().flat_map(|number| [("u32", *number), ("i32", *number)]));
    let special = [0u64, 1, 2, 31, 32, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    for seed in 0..SEEDS {
        let text = text(seed, &types, &constants, Text::integer_operation, "u32");
        let mut random = Random(seed ^ 0x5555);
        let argument = |random: &mut Random, ty: &str| {
            let bits =
                if random.below(2) == 0 { special[random.below(special.len())] } else { u64::from(random.bits()) };
            match ty {
                "bool" => bits & 1,
                "u64" => bits << random.below(33),
                _ => bits,
            }
        };
        let mut arguments = || types.iter().map(|ty| argument(&mut random, ty)).collect();
        let all: Vec<Vec<u64>> = (0..8).map(|_| arguments()).collect();
        compare(&text, DenormalFlush::Required, &all);
    }
}

#[test]
fn random_float_expressions_keep_their_bits() {
    let types = ["f32", "f32", "f32", "bool"];
    let constants: Vec<(&str, &str)> = FLOATS.iter().map(|number| ("f32", *number)).collect();
    let special = [0.0, -0.0, 1.0, -1.0, 0.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, -1e-39, 3e38];
    for seed in 0..SEEDS {
        let text = text(seed, &types, &constants, Text::float_operation, "f32");
        let mut random = Random(seed ^ 0x5555);
        let argument = |random: &mut Random, ty: &str| match ty {
            "bool" => u64::from(random.bits() & 1),
            _ if random.below(3) > 0 => float_bits(special[random.below(special.len())]),
            _ => float_bits(f32::from_bits(random.bits())),
        };
        let mut arguments = || types.iter().map(|ty| argument(&mut random, ty)).collect();
        let all: Vec<Vec<u64>> = (0..8).map(|_| arguments()).collect();
        for flush in [DenormalFlush::Required, DenormalFlush::Optional] {
            compare(&text, flush, &all);
        }
    }
}
