//! Facts about numbers on one path through a function, from its conditions.

use super::symbols::{Node, Sym, Symbols, Tag};
use super::tree::StepId;
use crate::function::{BinaryOp, MathOp, ScalarConst, UnaryOp};
use crate::passes::scalar;
use crate::types::Scalar;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An inclusive range of numbers; a bool is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    ty: Scalar,
    least: i128,
    most: i128,
}

impl Range {
    fn all(ty: Scalar) -> Range {
        let bits = ty.bits().min(64);
        let (least, most) = match ty {
            Scalar::Bool => (0, 1),
            _ if ty.is_signed() => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            _ => (0, (1i128 << bits) - 1),
        };
        Range { ty, least, most }
    }

    fn only(c: ScalarConst) -> Range {
        Range { ty: c.ty, least: integer(c), most: integer(c) }
    }

    fn number(self) -> Option<ScalarConst> {
        (self.least == self.most).then(|| ScalarConst::new(self.ty, self.least as u64))
    }
}

fn integer(c: ScalarConst) -> i128 {
    if c.ty.is_signed() { i128::from(c.as_i64()) } else { i128::from(c.bits) }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    known: Rc<BTreeMap<Sym, Range>>,
}

impl Facts {
    /// Keeps the facts that both paths have, or that follow from their facts. Returns whether the facts of this one
    /// change.
    pub fn meet(&mut self, other: &Facts, symbols: &Symbols) -> bool {
        if Rc::ptr_eq(&self.known, &other.known) || self.known == other.known {
            return false;
        }
        let of = |facts: &Facts, sym: Sym| {
            let known = facts.known.get(&sym).copied();
            known.or_else(|| facts.number(symbols, sym).filter(|c| !c.ty.is_float()).map(Range::only))
        };
        let joined = |sym: &Sym| {
            let (own, other) = (of(self, *sym)?, of(other, *sym)?);
            let both = Range { least: own.least.min(other.least), most: own.most.max(other.most), ..own };
            let all = Range::all(both.ty);
            (both.least > all.least || both.most < all.most).then_some((*sym, both))
        };
        let joined: BTreeMap<Sym, Range> = self.known.keys().chain(other.known.keys()).filter_map(joined).collect();
        let changed = joined != *self.known;
        if changed {
            self.known = Rc::new(joined);
        }
        changed
    }

    /// Forgets values that differ in the next iteration of a loop with these statements.
    pub fn forget(&mut self, symbols: &Symbols, first: StepId, last: StepId) {
        if self.known.keys().any(|sym| symbols.is_of(*sym, first, last)) {
            Rc::make_mut(&mut self.known).retain(|sym, _| !symbols.is_of(*sym, first, last));
        }
    }

    fn range(&self, symbols: &Symbols, sym: Sym) -> Option<Range> {
        self.known.get(&sym).copied().or_else(|| self.computed(symbols, sym))
    }

    /// Returns the range of an operation from the ranges of its operands.
    fn computed(&self, symbols: &Symbols, sym: Sym) -> Option<Range> {
        match symbols.node(sym) {
            Node::Const(c) => Some(*c).filter(|c| !c.ty.is_float()).map(Range::only),
            Node::Other(Tag::Math(op @ (MathOp::Min | MathOp::Max)), of) => {
                let [a, b] = of[..] else { return None };
                let (a, b) = (self.range(symbols, a), self.range(symbols, b));
                let ty = a.or(b)?.ty;
                let (a, b) = (a.unwrap_or(Range::all(ty)), b.unwrap_or(Range::all(ty)));
                let one = |a: i128, b: i128| if *op == MathOp::Min { a.min(b) } else { a.max(b) };
                Some(Range { ty, least: one(a.least, b.least), most: one(a.most, b.most) })
            }
            Node::Convert(to, value) => {
                let (from, all) = (self.range(symbols, *value)?, Range::all(*to));
                let fits = to.is_integer() && all.least <= from.least && from.most <= all.most;
                fits.then_some(Range { ty: *to, ..from })
            }
            _ => None,
        }
    }

    /// Returns the least value of an unsigned number if the facts bound it.
    pub fn least(&self, symbols: &Symbols, sym: Sym) -> Option<u64> {
        self.range(symbols, sym).and_then(|range| u64::try_from(range.least).ok())
    }

    /// Returns the number if it is constant on this path.
    pub fn number(&self, symbols: &Symbols, sym: Sym) -> Option<ScalarConst> {
        if let Some(number) = self.known.get(&sym).and_then(|range| range.number()) {
            return Some(number);
        }
        match symbols.node(sym) {
            Node::Const(c) => Some(*c),
            Node::Unary(op, value) => scalar::unary(*op, self.number(symbols, *value)?),
            Node::Convert(to, value) => scalar::convert(self.number(symbols, *value)?, *to),
            Node::Select(cond, then, otherwise) => match self.holds(symbols, *cond) {
                Some(true) => self.number(symbols, *then),
                Some(false) => self.number(symbols, *otherwise),
                None => {
                    let then = self.number(symbols, *then)?;
                    (self.number(symbols, *otherwise)? == then).then_some(then)
                }
            },
            Node::Binary(op, a, b) => self.binary(symbols, *op, *a, *b),
            Node::Begin(_) | Node::Made(..) | Node::Met(..) | Node::Either(..) | Node::Other(..) => None,
        }
    }

    fn binary(&self, symbols: &Symbols, op: BinaryOp, a: Sym, b: Sym) -> Option<ScalarConst> {
        use BinaryOp as B;
        let (x, y) = (self.number(symbols, a), self.number(symbols, b));
        if let (Some(x), Some(y)) = (x, y) {
            return scalar::binary(op, x, y);
        }
        let is = |value: bool| Some(ScalarConst::bool(value));
        let decided = |c: Option<ScalarConst>| c.filter(|c| c.ty == Scalar::Bool).map(|c| c.bits != 0);
        match op {
            B::And if decided(x) == Some(false) || decided(y) == Some(false) => return is(false),
            B::Or if decided(x) == Some(true) || decided(y) == Some(true) => return is(true),
            B::Eq | B::Lt => {}
            _ => return None,
        }
        let comparison = |op, a, b| {
            let sym = symbols.find(&Node::Binary(op, a, b))?;
            self.known.get(&sym)?.number().map(|c| c.bits != 0)
        };
        let (less, more) = (comparison(B::Lt, a, b), comparison(B::Lt, b, a));
        let differ = less == Some(true) || more == Some(true);
        let other = comparison(B::Eq, a.min(b), a.max(b));
        let same = other == Some(true);
        match op {
            B::Eq if differ => return is(false),
            B::Eq if less == Some(false) && more == Some(false) => return is(true),
            B::Lt if more == Some(false) && other == Some(false) => return is(true),
            B::Lt if same || more == Some(true) => return is(false),
            _ => {}
        }
        let whole = |of: Option<Range>, number: Option<ScalarConst>| {
            of.or(number.filter(|c| !c.ty.is_float()).map(Range::only))
        };
        let (a, b) = (whole(self.range(symbols, a), x), whole(self.range(symbols, b), y));
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (Some(a), None) => (a, Range::all(a.ty)),
            (None, Some(b)) => (Range::all(b.ty), b),
            (None, None) => return None,
        };
        match op {
            _ if a.ty != b.ty => None,
            B::Eq if a.most < b.least || b.most < a.least => is(false),
            B::Lt if a.most < b.least => is(true),
            B::Lt if a.least >= b.most => is(false),
            _ => None,
        }
    }

    /// Returns the constants that a symbol may be.
    pub fn choices(&self, symbols: &Symbols, sym: Sym) -> Option<Vec<ScalarConst>> {
        let all = symbols.choices(sym)?;
        let Node::Select(cond, then, otherwise) = *symbols.node(sym) else { return Some(all) };
        match self.holds(symbols, cond) {
            Some(true) => self.choices(symbols, then),
            Some(false) => self.choices(symbols, otherwise),
            None => {
                let mut all = self.choices(symbols, then)?;
                all.extend(self.choices(symbols, otherwise)?);
                Some(all)
            }
        }
    }

    /// Adds possible constants of a symbol. Returns whether it is certainly one of them.
    pub fn reaches(&self, symbols: &Symbols, sym: Sym, out: &mut Vec<ScalarConst>) -> bool {
        if let Some(number) = self.number(symbols, sym) {
            out.push(number);
            return true;
        }
        let mut found = Vec::new();
        // If one operand is open, the operation is applied to each of its possible constants.
        let made = |of: Sym, make: &dyn Fn(ScalarConst) -> Option<ScalarConst>, found: &mut Vec<_>| {
            let mut operands = Vec::new();
            let is_all = self.reaches(symbols, of, &mut operands);
            let results: Vec<_> = operands.iter().filter_map(|c| make(*c)).collect();
            found.extend(&results);
            is_all && results.len() == operands.len()
        };
        let mut is_all = match symbols.node(sym) {
            Node::Select(cond, then, otherwise) => {
                let mut is_all = true;
                for (of, holds) in [(then, true), (otherwise, false)] {
                    let mut facts = self.clone();
                    if facts.assume(symbols, *cond, holds) {
                        is_all &= facts.reaches(symbols, *of, &mut found);
                    }
                }
                is_all
            }
            Node::Convert(to, of) => made(*of, &|c| scalar::convert(c, *to), &mut found),
            Node::Binary(op, a, b) => match (self.number(symbols, *a), self.number(symbols, *b)) {
                (None, Some(b)) => made(*a, &|a| scalar::binary(*op, a, b), &mut found),
                (Some(a), None) => made(*b, &|b| scalar::binary(*op, a, b), &mut found),
                _ => false,
            },
            _ => false,
        };
        found.retain(|c| !self.excludes(symbols, sym, *c));
        is_all &= !found.is_empty();
        out.extend(found);
        is_all
    }

    /// Returns whether conditions exclude a number.
    fn excludes(&self, symbols: &Symbols, sym: Sym, c: ScalarConst) -> bool {
        let is_beyond = |range: Range| range.ty == c.ty && !(range.least..=range.most).contains(&integer(c));
        if !c.ty.is_float() && self.range(symbols, sym).is_some_and(is_beyond) {
            return true;
        }
        let same = symbols.find(&Node::Const(c)).and_then(|c| symbols.find(&Node::Binary(BinaryOp::Eq, sym, c)));
        same.is_some_and(|same| self.holds(symbols, same) == Some(false))
    }

    /// Returns whether a condition is true, if known.
    pub fn holds(&self, symbols: &Symbols, cond: Sym) -> Option<bool> {
        self.number(symbols, cond).map(|c| c.bits != 0)
    }

    /// Assumes that a condition is true or false. Returns false if that contradicts known facts.
    pub fn assume(&mut self, symbols: &Symbols, cond: Sym, holds: bool) -> bool {
        use BinaryOp as B;
        if let Some(known) = self.holds(symbols, cond) {
            return known == holds;
        }
        Rc::make_mut(&mut self.known).insert(cond, Range::only(ScalarConst::bool(holds)));
        match *symbols.node(cond) {
            Node::Unary(UnaryOp::Not, opposite) => self.assume(symbols, opposite, !holds),
            Node::Binary(op @ (B::And | B::Or), a, b) => {
                if (op == B::And) == holds {
                    return self.assume(symbols, a, holds) && self.assume(symbols, b, holds);
                }
                // If one operand is neutral, the other one decides.
                let neutral = Some(op == B::And);
                match (self.holds(symbols, a), self.holds(symbols, b)) {
                    (known, _) if known == neutral => self.assume(symbols, b, holds),
                    (_, known) if known == neutral => self.assume(symbols, a, holds),
                    _ => true,
                }
            }
            Node::Select(cond, then, otherwise) => {
                let differs = |sym: Sym| self.holds(symbols, sym).is_some_and(|is| is != holds);
                match (differs(then), differs(otherwise)) {
                    (true, true) => false,
                    (true, false) => self.assume(symbols, cond, false) && self.assume(symbols, otherwise, holds),
                    (false, true) => self.assume(symbols, cond, true) && self.assume(symbols, then, holds),
                    (false, false) => true,
                }
            }
            Node::Binary(B::Eq, a, b) if holds => {
                if let Some(c) = self.number(symbols, b) {
                    return self.narrow(symbols, a, c, |_, c| (c, c));
                }
                true
            }
            Node::Binary(B::Eq, a, b) => match self.number(symbols, b) {
                // Shrinks a range whose bound is excluded.
                Some(c) => self.narrow(symbols, a, c, |range, c| {
                    (range.least + i128::from(range.least == c), range.most - i128::from(range.most == c))
                }),
                None => true,
            },
            Node::Binary(B::Lt, a, b) => {
                let (x, y) = (self.number(symbols, a), self.number(symbols, b));
                match (x, y) {
                    (None, Some(c)) if holds => self.narrow(symbols, a, c, |r, c| (r.least, r.most.min(c - 1))),
                    (None, Some(c)) => self.narrow(symbols, a, c, |r, c| (r.least.max(c), r.most)),
                    (Some(c), None) if holds => self.narrow(symbols, b, c, |r, c| (r.least.max(c + 1), r.most)),
                    (Some(c), None) => self.narrow(symbols, b, c, |r, c| (r.least, r.most.min(c))),
                    _ => true,
                }
            }
            _ => true,
        }
    }

    /// Narrows the range of a number by a comparison with another one.
    fn narrow(
        &mut self,
        symbols: &Symbols,
        sym: Sym,
        beside: ScalarConst,
        to: impl Fn(Range, i128) -> (i128, i128),
    ) -> bool {
        if beside.ty.is_float() {
            return true;
        }
        let range = self.range(symbols, sym).unwrap_or(Range::all(beside.ty));
        let (least, most) = to(range, integer(beside));
        let (least, most) = (least.max(range.least), most.min(range.most));
        if least > most {
            return false;
        }
        if range.ty == beside.ty {
            Rc::make_mut(&mut self.known).insert(sym, Range { least, most, ..range });
        }
        true
    }
}
