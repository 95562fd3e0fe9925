//! Loops that count: with a local or a parameter, tested at the head or at the end.

use super::{Context, Maker};
use std::rc::Rc;
use wgc_ir::{BinaryOp as B, LoopControl, LoopDetails, LoopHint, Op, Scalar, ScalarConst, Stmt, Type, ValueId};

/// The most iterations of a loop.
const TRIPS: u32 = 7;

/// The counting of a loop.
struct Count {
    scalar: Scalar,
    first: ValueId,
    /// The operation for the next value, with its operand.
    next: (B, ValueId),
    /// The loop goes on while this comparison of the counter is true.
    test: (B, ValueId),
    /// The number of iterations depends on the thread.
    varies: bool,
    /// The limit of a loop that counts up to it from zero.
    limit: Option<ValueId>,
    /// It also ends if the first value is not tested.
    ends_late: bool,
}

/// Returns the comparison that is true where an integer comparison is false.
fn inverse(test: B) -> B {
    match test {
        B::Lt => B::Ge,
        B::Le => B::Gt,
        B::Gt => B::Le,
        B::Ge => B::Lt,
        B::Ne => B::Eq,
        _ => B::Ne,
    }
}

/// Returns the next value of a counter.
fn step(scalar: Scalar, counter: u32, (next, by): (B, u32)) -> u32 {
    match next {
        B::Add => counter.wrapping_add(by),
        B::Sub => counter.wrapping_sub(by),
        B::Mul => counter.wrapping_mul(by),
        B::Shl => counter.wrapping_shl(by),
        B::Xor => counter ^ by,
        _ if scalar == Scalar::I32 => ((counter as i32) >> (by & 31)) as u32,
        _ => counter.wrapping_shr(by),
    }
}

/// Returns whether a count from constants ends soon enough, if the test comes first.
fn ends(scalar: Scalar, first: u32, (next, by): (B, u32), (test, limit): (B, u32)) -> bool {
    let mut counter = first;
    for _ in 0..=TRIPS {
        let order = match scalar {
            Scalar::I32 => (counter as i32).cmp(&(limit as i32)),
            _ => counter.cmp(&limit),
        };
        let goes_on = match test {
            B::Lt => order.is_lt(),
            B::Le => order.is_le(),
            B::Gt => order.is_gt(),
            B::Ge => order.is_ge(),
            B::Ne => order.is_ne(),
            _ => order.is_eq(),
        };
        if !goes_on {
            return true;
        }
        counter = step(scalar, counter, (next, by));
    }
    false
}

impl Maker<'_> {
    fn count(&mut self, together: bool) -> Count {
        if self.random.one_in(3) {
            // The uniform `n` of a loop that all threads run is small too.
            let any = self.expr(&Type::U32, 1, together);
            let three = self.b.const_u32(3);
            let limit = self.b.and(any, three);
            let [zero, one] = [0, 1].map(|n| self.b.const_u32(n));
            let next = (B::Add, one);
            return Count {
                scalar: Scalar::U32,
                first: zero,
                next,
                test: (B::Lt, limit),
                varies: !together,
                limit: Some(limit),
                ends_late: true,
            };
        }
        let scalar = self.random.pick(&[Scalar::U32, Scalar::I32]);
        loop {
            let first = self.random.pick(&[0, 0, 0, 1, 2, 5, 16, 0xffff_fffe, 0x7fff_fffe]);
            let next = self.random.pick(&[B::Add, B::Add, B::Add, B::Sub, B::Mul, B::Shl, B::Shr, B::Xor]);
            let by = self.random.pick(&[1, 1, 1, 2, 3]);
            let test = self.random.pick(&[B::Lt, B::Lt, B::Le, B::Gt, B::Ge, B::Ne, B::Eq]);
            let limit = self.random.pick(&[0, 1, 2, 3, 4, 5, 0xffff_ffff, 0x8000_0000]);
            if ends(scalar, first, (next, by), (test, limit)) {
                let ends_late = ends(scalar, step(scalar, first, (next, by)), (next, by), (test, limit));
                let constant = |this: &mut Self, n: u32| this.b.constant(ScalarConst::new(scalar, n.into()));
                let (first, by, limit) = (constant(self, first), constant(self, by), constant(self, limit));
                return Count {
                    scalar,
                    first,
                    next: (next, by),
                    test: (test, limit),
                    varies: false,
                    limit: None,
                    ends_late,
                };
            }
        }
    }

    pub(super) fn loop_(&mut self, context: &Context) {
        let together = self.together(context) && !self.random.one_in(3);
        let count = self.count(together);
        let ty = Type::Scalar(count.scalar);
        let by_local = self.random.one_in(2);
        let at_end = self.random.one_in(3);
        let results: Rc<[Type]> = self.merges(2).into();
        let again: Rc<[Type]> = self.merges(1).into();
        let carried = self.merges(2);
        let mut details = LoopDetails { hint: self.loop_hint(), ..LoopDetails::default() };
        details.first = self.values(&carried).into_vec();
        details.params = self.merged(&carried);
        details.again = self.merged(&again);
        details.results = self.merged(&results);
        let place = by_local.then(|| {
            let name = self.name();
            let place = self.b.new_local(name, ty.clone());
            self.b.store(place, count.first);
            place
        });
        if place.is_none() {
            details.first.push(count.first);
            details.params.extend(self.merged(std::slice::from_ref(&ty)));
        }
        let (scope, roots) = (self.scope.len(), self.roots.len());
        let uniform = together && !count.varies;
        let inner = Context {
            breaks: Some(results.clone()),
            continues: Some(again.clone()),
            in_shared_loop: context.in_shared_loop || uniform,
            may_jump: self.random.one_in(3),
            ..self.inner(context, uniform)
        };
        let counter = |this: &mut Self, details: &LoopDetails| match place {
            Some(place) => this.b.load(place),
            None => *details.params.last().expect("the counter"),
        };
        // ---- the body
        self.b.begin_block();
        carried.iter().zip(&details.params).for_each(|(_, id)| _ = self.see(*id, false));
        let now = counter(self, &details);
        self.see(now, uniform);
        if !at_end {
            let goes_on = self.b.binary(count.test.0, now, count.test.1);
            let leaves = self.b.block(|_| {});
            let values = self.values(&results);
            let leave = vec![Stmt::Break(values)];
            if self.random.one_in(4) {
                let ends = self.b.not(goes_on);
                self.b.push(Stmt::if_(ends, leave, leaves));
            } else {
                self.b.push(Stmt::if_(goes_on, leaves, leave));
            }
            if let Some(limit) = count.limit {
                self.after_test(limit);
            }
        }
        let inside = self.scope.len();
        self.block(&inner, 4, &again);
        self.scope.truncate(inside);
        let body = self.b.end_block();
        self.scope.truncate(scope);
        self.roots.truncate(roots);
        // ---- continuing
        self.b.begin_block();
        carried.iter().zip(&details.params).for_each(|(_, id)| _ = self.see(*id, false));
        let again = details.again.clone();
        self.see_all(&again);
        let quiet = Context { breaks: None, continues: None, returns: false, may_jump: false, ..inner };
        let count_of = self.random.below(2_u32);
        self.statements(&quiet, count_of);
        let now = counter(self, &details);
        let next = self.b.binary(count.next.0, now, count.next.1);
        if let Some(place) = place {
            self.b.store(place, next);
        }
        let mut break_if = None;
        if at_end {
            let (op, limit) = count.test;
            break_if = Some(if count.ends_late && !self.random.one_in(4) {
                self.b.binary(inverse(op), next, limit)
            } else {
                // It ends where the test at the head would end it.
                let (this, that) = (self.b.binary(op, now, limit), self.b.binary(op, next, limit));
                let goes_on = self.b.and(this, that);
                self.b.not(goes_on)
            });
            details.last = self.values(&results).into_vec();
        }
        details.next = self.values(&carried).into_vec();
        if place.is_none() {
            details.next.push(next);
        }
        let continuing = self.b.end_block();
        self.scope.truncate(scope);
        self.roots.truncate(roots);
        let results = details.results.clone();
        self.b.push(Stmt::Loop { body, continuing, break_if, details: Box::new(details) });
        self.see_all(&results);
    }

    /// Adds operations that have a defined result only after the test: the limit is not zero.
    fn after_test(&mut self, limit: ValueId) {
        match self.random.below(3_u32) {
            0 => {
                let value = self.expr(&Type::U32, 1, false);
                let op = self.random.pick(&[B::Div, B::Rem]);
                let id = self.b.binary(op, value, limit);
                self.keep(id);
            }
            1 => {
                // The index before zero is past the end.
                let one = self.b.const_u32(1);
                let before = self.b.sub(limit, one);
                let place = self.b.global(&self.module.globals["in"]);
                let place = self.b.index(place, before);
                let id = self.b.value_as(Type::U32, Op::Load(place));
                self.keep(id);
            }
            _ => {}
        }
    }

    fn loop_hint(&mut self) -> LoopHint {
        let any = LoopControl::Any;
        let control = self.random.pick(&[any, any, any, LoopControl::Unroll(None), LoopControl::Loop]);
        LoopHint { control, ..LoopHint::default() }
    }
}
