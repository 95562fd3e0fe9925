//! Values by how they come about, so that two computations of the same are seen to be one.
//!
//! What conditions have in common is decided by it: `m > 3` and `!(m <= 3)` are one symbol and its opposite. A symbol
//! names the statements that it comes from, because their next turn in a loop makes another value of the same name. It is
//! a name of numbers alone; what is known of them on one way is in [`facts`](super::facts).

use super::tree::StepId;
use crate::Symbol;
use crate::function::*;
use crate::passes::scalar;
use crate::types::Scalar;
use rustc_hash::FxHashMap;

/// A value, by its place in [`Symbols`].
pub type Sym = u32;

/// Operands that a symbol is made of at most, all told: of more, nothing is known.
const MAX_SIZE: u32 = 64;
/// Statements that it comes from at most: one of more is taken to be another in each turn of every loop.
const MAX_STEPS: usize = 8;
/// Constants that something may be one of.
const MAX_CHOICES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Const(ScalarConst),
    /// A part of memory as it was at the begin.
    Begin(usize),
    /// Part of what a statement gives, anything.
    Made(StepId, usize),
    /// A part of memory where ways meet.
    Met(StepId, usize),
    /// Some condition.
    Either(StepId, usize),
    Unary(UnaryOp, Sym),
    Binary(BinaryOp, Sym, Sym),
    Select(Sym, Sym, Sym),
    Convert(Scalar, Sym),
    Other(Tag, Vec<Sym>),
}

/// Operations of which only that they give the same again counts.
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
    /// Memory that other statements may write: the last one that did, or may have.
    Load(Option<StepId>, usize),
}

struct Entry {
    node: Node,
    size: u32,
    /// In order; `None` for many.
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

    /// The symbol of something that was met before.
    pub fn find(&self, node: &Node) -> Option<Sym> {
        self.known.get(node).copied()
    }

    /// The constants that it is one of; `None` where it may be anything else, or one of too many.
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

    /// The constant that a number is cut off at by a `min`.
    pub fn cut_off(&self, sym: Sym) -> Option<ScalarConst> {
        match self.node(sym) {
            Node::Convert(_, value) => self.cut_off(*value),
            Node::Other(Tag::Math(MathOp::Min), of) => {
                of.iter().filter_map(|one| self.constant(*one)).find(|c| c.ty.is_integer() && c.as_i64() >= 0)
            }
            _ => None,
        }
    }

    /// One of two values, by a condition that nothing is known of.
    pub fn either(&mut self, step: StepId, a: Sym, b: Sym) -> Sym {
        let cond = self.intern(Node::Either(step, self.entries.len()));
        self.select(cond, a, b, (step, cond as usize))
    }

    /// Whether a condition compares what was counted: of numbers that arithmetic gives, or that differ between the turns of
    /// a loop, it is not seen what one condition says of another.
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

    /// Whether it comes of numbers that nothing has written here: constants, those of the host and of the system.
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

    /// Whether it may be another value in the next turn of a loop whose statements these are.
    pub fn is_of(&self, sym: Sym, first: StepId, last: StepId) -> bool {
        let steps = self.entries[sym as usize].steps.as_ref();
        steps.is_none_or(|steps| steps.iter().any(|step| (first..=last).contains(step)))
    }

    pub fn literal(&mut self, c: ScalarConst) -> Sym {
        self.intern(Node::Const(c))
    }

    /// A symbol of its own for a part of what a step gives.
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

    /// An operation, as far as it is small enough; `made` where it is not.
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

    /// `ty` is that of the operands.
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
            // Few kinds of comparisons stand for all.
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
            // No number of this kind is less than 0.
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
                    // Not either is neither.
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

    /// One of a few constants and another one: one of as many results.
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
        // What is chosen where the condition holds may be the condition, or its opposite.
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

    /// `from` is the type of the value.
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
