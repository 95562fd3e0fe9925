//! Symbolic values: two computations of the same value get the same symbol.
//!
//! Symbols relate conditions to each other: `m > 3` and `!(m <= 3)` are one symbol and its negation. A symbol names the
//! statements that it depends on, because the next iteration of a loop gives its name another value. Symbols only name
//! numbers; [`facts`](super::facts) has the facts about them on one path.

use super::tree::StepId;
use crate::Symbol;
use crate::function::*;
use crate::passes::scalar;
use crate::types::Scalar;
use rustc_hash::FxHashMap;

/// A value, as an index in [`Symbols`].
pub type Sym = u32;

/// The maximum number of operands of a symbol in total. Larger values are unknown.
const MAX_SIZE: u32 = 64;
/// The maximum number of statements that a symbol depends on. With more, it changes in each iteration of every loop.
const MAX_STEPS: usize = 8;
/// The maximum number of constants that a value may be one of.
const MAX_CHOICES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Const(ScalarConst),
    /// A part of memory at the start.
    Begin(usize),
    /// A part of the result of a statement; any value.
    Made(StepId, usize),
    /// A part of memory where paths merge.
    Met(StepId, usize),
    /// An unknown condition.
    Either(StepId, usize),
    Unary(UnaryOp, Sym),
    Binary(BinaryOp, Sym, Sym),
    Select(Sym, Sym, Sym),
    Convert(Scalar, Sym),
    Other(Tag, Vec<Sym>),
}

/// Operations that always give the same result for the same operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    Global(Symbol),
    Field(u32),
    Index,
    Descriptor,
    Input,
    Count,
    Length,
    Builtin(Builtin, usize),
    Valid(OutputId),
    Levels,
    Math(MathOp),
    Bitcast(Scalar),
    /// A load of memory that other statements may write, with the last possible write.
    Load(Option<StepId>, usize),
}

struct Entry {
    node: Node,
    size: u32,
    /// The statements in order; `None` for too many.
    steps: Option<Vec<StepId>>,
}

pub struct Symbols {
    entries: Vec<Entry>,
    known: FxHashMap<Node, Sym>,
}

impl Symbols {
    pub fn new() -> Symbols {
        Symbols { entries: Vec::new(), known: FxHashMap::default() }
    }

    pub fn node(&self, sym: Sym) -> &Node {
        &self.entries[sym as usize].node
    }

    pub fn constant(&self, sym: Sym) -> Option<ScalarConst> {
        if let Node::Const(c) = self.node(sym) { Some(*c) } else { None }
    }

    /// Returns the symbol of a known node.
    pub fn find(&self, node: &Node) -> Option<Sym> {
        self.known.get(node).copied()
    }

    /// Returns the constants that it may be, or `None` for other values or too many.
    pub fn choices(&self, sym: Sym) -> Option<Vec<ScalarConst>> {
        match self.node(sym) {
            Node::Const(c) => Some(vec![*c]),
            Node::Select(_, then, otherwise) => {
                let mut all = self.choices(*then)?;
                all.extend(self.choices(*otherwise)?);
                Some(all).filter(|all| all.len() <= MAX_CHOICES)
            }
            _ => None,
        }
    }

    /// Returns the constant that a `min` limits a number to.
    pub fn cut_off(&self, sym: Sym) -> Option<ScalarConst> {
        match self.node(sym) {
            Node::Convert(_, value) => self.cut_off(*value),
            Node::Other(Tag::Math(MathOp::Min), of) => {
                of.iter().filter_map(|one| self.constant(*one)).find(|c| c.ty.is_integer() && c.as_i64() >= 0)
            }
            _ => None,
        }
    }

    /// Returns one of two values, chosen by an unknown condition.
    pub fn either(&mut self, step: StepId, a: Sym, b: Sym) -> Sym {
        let cond = self.intern(Node::Either(step, self.entries.len()));
        self.select(cond, a, b, (step, cond as usize))
    }

    /// Returns whether a condition compares a counted number: a result of arithmetic, or a number that differs between
    /// iterations. Implications between such conditions are not detected.
    pub fn is_counted(&self, cond: Sym) -> bool {
        match self.node(cond) {
            Node::Unary(UnaryOp::Not, a) => self.is_counted(*a),
            Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => self.is_counted(*a) || self.is_counted(*b),
            Node::Binary(_, a, b) => self.counts(*a) || self.counts(*b),
            Node::Select(a, b, c) => [a, b, c].iter().any(|part| self.is_counted(**part)),
            _ => false,
        }
    }

    fn counts(&self, number: Sym) -> bool {
        match self.node(number) {
            Node::Met(..) | Node::Either(..) | Node::Binary(..) => true,
            Node::Unary(_, a) | Node::Convert(_, a) => self.counts(*a),
            Node::Select(_, a, b) => self.counts(*a) || self.counts(*b),
            Node::Const(_) | Node::Begin(_) | Node::Made(..) | Node::Other(..) => false,
        }
    }

    /// Returns whether it depends only on constants and on numbers from the host or the system, which nothing here
    /// writes.
    pub fn is_plain(&self, sym: Sym) -> bool {
        match self.node(sym) {
            Node::Const(_) | Node::Begin(_) => true,
            Node::Made(..) | Node::Met(..) | Node::Either(..) | Node::Other(Tag::Load(Some(_), _), _) => false,
            Node::Unary(_, a) | Node::Convert(_, a) => self.is_plain(*a),
            Node::Binary(_, a, b) => self.is_plain(*a) && self.is_plain(*b),
            Node::Select(a, b, c) => self.is_plain(*a) && self.is_plain(*b) && self.is_plain(*c),
            Node::Other(_, operands) => operands.iter().all(|operand| self.is_plain(*operand)),
        }
    }

    /// Returns whether it may differ in the next iteration of a loop with these statements.
    pub fn is_of(&self, sym: Sym, first: StepId, last: StepId) -> bool {
        let steps = self.entries[sym as usize].steps.as_ref();
        steps.is_none_or(|steps| steps.iter().any(|step| (first..=last).contains(step)))
    }

    pub fn literal(&mut self, c: ScalarConst) -> Sym {
        self.intern(Node::Const(c))
    }

    /// Returns a new symbol for a part of the result of a statement.
    pub fn made(&mut self, step: StepId, part: usize) -> Sym {
        self.intern(Node::Made(step, part))
    }

    fn intern(&mut self, node: Node) -> Sym {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let operands: Vec<Sym> = match &node {
            Node::Const(_) | Node::Begin(_) | Node::Made(..) | Node::Met(..) | Node::Either(..) => Vec::new(),
            Node::Unary(_, a) | Node::Convert(_, a) => vec![*a],
            Node::Binary(_, a, b) => vec![*a, *b],
            Node::Select(a, b, c) => vec![*a, *b, *c],
            Node::Other(_, operands) => operands.clone(),
        };
        let own = match &node {
            Node::Made(step, _) | Node::Met(step, _) | Node::Either(step, _) => Some(*step),
            Node::Other(Tag::Load(Some(step), _), _) => Some(*step),
            _ => None,
        };
        let mut steps = Some(Vec::from_iter(own));
        for operand in &operands {
            steps = match (steps, &self.entries[*operand as usize].steps) {
                (Some(mut all), Some(more)) => {
                    all.extend(more);
                    all.sort_unstable();
                    all.dedup();
                    Some(all).filter(|all| all.len() <= MAX_STEPS)
                }
                _ => None,
            };
        }
        let size = operands.iter().map(|o| self.entries[*o as usize].size).sum::<u32>() + 1;
        let sym = self.entries.len() as Sym;
        self.entries.push(Entry { node: node.clone(), size, steps });
        self.known.insert(node, sym);
        sym
    }

    pub fn begin(&mut self, part: usize) -> Sym {
        self.intern(Node::Begin(part))
    }

    pub fn met(&mut self, step: StepId, part: usize) -> Sym {
        self.intern(Node::Met(step, part))
    }

    /// Returns an operation if it is small enough, otherwise `made`.
    pub fn other(&mut self, tag: Tag, operands: Vec<Sym>, made: (StepId, usize)) -> Sym {
        if let (Tag::Math(op), false) = (&tag, operands.is_empty()) {
            let known: Option<Vec<ScalarConst>> = operands.iter().map(|o| self.constant(*o)).collect();
            if let Some(c) = known.and_then(|known| scalar::math(*op, &known)) {
                return self.literal(c);
            }
        }
        self.sized(Node::Other(tag, operands.clone()), &operands, made)
    }

    fn sized(&mut self, node: Node, operands: &[Sym], made: (StepId, usize)) -> Sym {
        let size: u32 = operands.iter().map(|o| self.entries[*o as usize].size).sum();
        if size < MAX_SIZE { self.intern(node) } else { self.made(made.0, made.1) }
    }

    pub fn not(&mut self, sym: Sym) -> Sym {
        match self.node(sym) {
            Node::Unary(UnaryOp::Not, inner) => *inner,
            Node::Const(c) => {
                let opposite = ScalarConst::bool(c.bits == 0);
                self.literal(opposite)
            }
            _ => self.intern(Node::Unary(UnaryOp::Not, sym)),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, value: Sym, made: (StepId, usize)) -> Sym {
        if let Some(c) = self.constant(value).and_then(|c| scalar::unary(op, c)) {
            return self.literal(c);
        }
        match op {
            UnaryOp::Not => self.not(value),
            _ => self.sized(Node::Unary(op, value), &[value], made),
        }
    }

    /// Returns a binary operation. `ty` is the type of the operands.
    pub fn binary(&mut self, op: BinaryOp, a: Sym, b: Sym, ty: Scalar, made: (StepId, usize)) -> Sym {
        use BinaryOp as B;
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b)) {
            return match scalar::binary(op, x, y) {
                Some(c) => self.literal(c),
                None => self.made(made.0, made.1),
            };
        }
        if let Some(chosen) = self.of_choice(op, a, b, ty, made) {
            return chosen;
        }
        match op {
            // All comparisons are reduced to a few kinds.
            B::Gt => self.binary(B::Lt, b, a, ty, made),
            B::Ge => {
                let less = self.binary(B::Lt, a, b, ty, made);
                self.not(less)
            }
            B::Le => {
                let more = self.binary(B::Lt, b, a, ty, made);
                self.not(more)
            }
            B::Ne => {
                let same = self.binary(B::Eq, a, b, ty, made);
                self.not(same)
            }
            B::Eq if a == b && !ty.is_float() => self.literal(ScalarConst::bool(true)),
            B::Lt if a == b => self.literal(ScalarConst::bool(false)),
            B::Eq => self.equal(a, b, ty, made),
            // No unsigned number is less than 0.
            B::Lt if !ty.is_float() && !ty.is_signed() && self.is_zero(b) => self.literal(ScalarConst::bool(false)),
            B::Lt if !ty.is_float() && !ty.is_signed() && self.is_zero(a) => {
                let same = self.equal(a, b, ty, made);
                self.not(same)
            }
            B::And | B::Or if ty == Scalar::Bool => {
                let (neutral, other) = match (self.constant(a), self.constant(b)) {
                    (Some(c), _) => (Some(c), b),
                    (_, Some(c)) => (Some(c), a),
                    _ => (None, b),
                };
                match neutral {
                    Some(c) if (c.bits != 0) == (op == B::And) => other,
                    Some(c) => self.literal(c),
                    None if a == b => a,
                    None if self.not(a) == b => self.literal(ScalarConst::bool(op == B::Or)),
                    // De Morgan: two negated operands become one negation.
                    None if let (Node::Unary(UnaryOp::Not, a), Node::Unary(UnaryOp::Not, b)) =
                        (self.node(a).clone(), self.node(b).clone()) =>
                    {
                        let opposite = if op == B::And { B::Or } else { B::And };
                        let either = self.binary(opposite, a, b, ty, made);
                        self.not(either)
                    }
                    None => self.sized(Node::Binary(op, a.min(b), a.max(b)), &[a, b], made),
                }
            }
            B::Add | B::Mul | B::And | B::Or | B::Xor => {
                self.sized(Node::Binary(op, a.min(b), a.max(b)), &[a, b], made)
            }
            _ => self.sized(Node::Binary(op, a, b), &[a, b], made),
        }
    }

    fn is_zero(&self, sym: Sym) -> bool {
        self.constant(sym).is_some_and(|c| c.bits == 0)
    }

    fn equal(&mut self, a: Sym, b: Sym, ty: Scalar, made: (StepId, usize)) -> Sym {
        let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
        if let (Some(c), Scalar::Bool) = (self.constant(b), ty) {
            return if c.bits != 0 { a } else { self.not(a) };
        }
        let (a, b) = if self.constant(b).is_some() { (a, b) } else { (a.min(b), a.max(b)) };
        self.sized(Node::Binary(BinaryOp::Eq, a, b), &[a, b], made)
    }

    /// Applies an operation with a constant to a choice of a few constants. The result is a choice of as many results.
    fn of_choice(&mut self, op: BinaryOp, a: Sym, b: Sym, ty: Scalar, made: (StepId, usize)) -> Option<Sym> {
        let (choice, other, is_left) = match (self.node(a), self.node(b)) {
            (Node::Select(..), Node::Const(_)) => (a, b, true),
            (Node::Const(_), Node::Select(..)) => (b, a, false),
            _ => return None,
        };
        self.choices(choice)?;
        let Node::Select(cond, then, otherwise) = *self.node(choice) else { return None };
        let mut one = |x: Sym| {
            let (a, b) = if is_left { (x, other) } else { (other, x) };
            self.binary(op, a, b, ty, made)
        };
        let (then, otherwise) = (one(then), one(otherwise));
        Some(self.select(cond, then, otherwise, made))
    }

    pub fn select(&mut self, cond: Sym, then: Sym, otherwise: Sym, made: (StepId, usize)) -> Sym {
        use BinaryOp as B;
        if then == otherwise {
            return then;
        }
        if let Some(c) = self.constant(cond) {
            return if c.bits != 0 { then } else { otherwise };
        }
        if let Node::Unary(UnaryOp::Not, opposite) = *self.node(cond) {
            return self.select(opposite, otherwise, then, made);
        }
        let as_bool = |c: Option<ScalarConst>| c.filter(|c| c.ty == Scalar::Bool).map(|c| c.bits != 0);
        // The value chosen under the condition may be the condition itself, or its negation.
        let opposite = self.find(&Node::Unary(UnaryOp::Not, cond));
        let is = |sym: Sym, holds: bool| match sym {
            _ if sym == cond => Some(holds),
            _ if Some(sym) == opposite => Some(!holds),
            _ => None,
        };
        let then_is = as_bool(self.constant(then)).or(is(then, true));
        let otherwise_is = as_bool(self.constant(otherwise)).or(is(otherwise, false));
        match (then_is, otherwise_is) {
            (Some(true), Some(false)) => cond,
            (Some(false), Some(true)) => self.not(cond),
            (Some(true), None) => self.binary(B::Or, cond, otherwise, Scalar::Bool, made),
            (None, Some(false)) => self.binary(B::And, cond, then, Scalar::Bool, made),
            (Some(false), None) => {
                let not = self.not(cond);
                self.binary(B::And, not, otherwise, Scalar::Bool, made)
            }
            (None, Some(true)) => {
                let not = self.not(cond);
                self.binary(B::Or, not, then, Scalar::Bool, made)
            }
            _ => self.sized(Node::Select(cond, then, otherwise), &[cond, then, otherwise], made),
        }
    }

    /// Returns a conversion. `from` is the type of the value.
    pub fn convert(&mut self, value: Sym, from: Scalar, to: Scalar, made: (StepId, usize)) -> Sym {
        if from == to {
            return value;
        }
        if let Some(c) = self.constant(value) {
            return match scalar::convert(c, to) {
                Some(c) => self.literal(c),
                None => self.made(made.0, made.1),
            };
        }
        if let Node::Select(cond, then, otherwise) = *self.node(value)
            && self.choices(value).is_some()
        {
            let (then, otherwise) = (self.convert(then, from, to, made), self.convert(otherwise, from, to, made));
            return self.select(cond, then, otherwise, made);
        }
        if to == Scalar::Bool {
            let zero = self.literal(ScalarConst { ty: from, bits: 0 });
            return self.binary(BinaryOp::Ne, value, zero, from, made);
        }
        if from == Scalar::Bool {
            let one = scalar::convert(ScalarConst::bool(true), to);
            let zero = scalar::convert(ScalarConst::bool(false), to);
            if let (Some(one), Some(zero)) = (one, zero) {
                let (one, zero) = (self.literal(one), self.literal(zero));
                return self.sized(Node::Select(value, one, zero), &[value, one, zero], made);
            }
        }
        self.sized(Node::Convert(to, value), &[value], made)
    }
}
