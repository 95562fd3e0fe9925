//! Statements with the patterns that passes look for, which random statements rarely have.

use super::Maker;
use crate::expressions::DEPTH;
use crate::program::{IN, OUT, RESULTS, SHARED, SUMS, THREADS};
use wgc_ir::{
    AtomicOp, BinaryOp as B, BranchHint, Case, MemoryOrder, Op, Scalar, Scope, Space, Stmt, SubgroupOp as S, Type,
    ValueId,
};

impl Maker<'_> {
    /// Returns the place that the thread `from` later in the group writes.
    pub(super) fn exchanged(&mut self, name: &str, from: u32) -> ValueId {
        let place = self.b.global(&self.module.globals[name]);
        let [from, last, threads] = [from, THREADS - 1, THREADS].map(|n| self.b.const_u32(n));
        let later = self.b.add(self.thread, from);
        let mut index = self.b.and(later, last);
        if name != SHARED {
            let first = self.b.mul(self.group, threads);
            index = self.b.add(first, index);
        }
        self.b.index(place, index)
    }

    /// Makes a word count in the result of the thread.
    pub(super) fn keep(&mut self, word: ValueId) {
        let place = self.b.global(&self.module.globals["kept"]);
        let mut sum = self.b.load(place);
        self.summed(&mut sum, word, &Type::U32);
        self.b.store(place, sum);
    }

    /// Some threads return before all barriers, so the others meet without them.
    pub(super) fn leave_early(&mut self) {
        let [mask, which] = [self.random.pick(&[1, 3, 7]), self.random.below(2)].map(|n| self.b.const_u32(n));
        let bits = self.b.and(self.me, mask);
        let cond = self.b.eq(bits, which);
        self.b.if_then(cond, |b| b.ret(None));
    }

    /// All threads write between two barriers. Each reads a word of another, before and after.
    pub(super) fn exchange(&mut self) {
        let (name, read) = self.random.pick(&[(SHARED, SHARED), ("mail", "mail"), ("mail", "view")]);
        let from = self.random.below(THREADS);
        let theirs = self.exchanged(read, from);
        let before = self.b.load(theirs);
        self.see(before, false);
        let value = self.expr(&Type::U32, DEPTH, false);
        let own = self.exchanged(name, 0);
        self.barrier();
        self.b.store(own, value);
        self.barrier();
        let after = self.b.load(theirs);
        self.see(after, false);
        let change = self.b.sub(after, before);
        self.keep(change);
    }

    pub(super) fn subgroup(&mut self) {
        let ty = self.random.pick(&[Type::U32, Type::I32, Type::F32, Type::Vector(Scalar::U32, 2)]);
        let integer = ty.scalar().is_some_and(Scalar::is_integer);
        let (op, args) = match self.random.below(9_u32) {
            0 => (S::Elect, Vec::new()),
            1 => {
                let value = self.expr(&Type::BOOL, 2, false);
                (self.random.pick(&[S::Any, S::All, S::Ballot]), vec![value])
            }
            2 => {
                let (value, lane) = (self.expr(&ty, 2, false), self.index(2, true));
                (S::Shuffle, vec![value, lane])
            }
            3 if ty.components() == Some(1) => (S::AllEqual, vec![self.expr(&ty, 2, false)]),
            4 if integer => (self.random.pick(&[S::BitAnd, S::BitOr, S::BitXor]), vec![self.expr(&ty, 2, false)]),
            _ => {
                let all = [S::BroadcastFirst, S::Add, S::ExclusiveAdd, S::Min, S::Max, S::Mul];
                (self.random.pick(&all), vec![self.expr(&ty, 2, false)])
            }
        };
        let id = self.b.subgroup(op, &args);
        self.see(id, false);
        if op == S::Ballot {
            let id = self.b.extract(id, 0);
            self.see(id, false);
        }
    }

    /// An atomic on a word of all threads, whose old value nobody reads, or on a word of this thread.
    pub(super) fn atomic(&mut self) {
        let value = self.expr(&Type::U32, 2, false);
        let shared = self.random.one_in(2);
        let (name, index) = if shared { ("sums", self.index(SUMS, false)) } else { ("out", self.own(OUT)) };
        let place = self.b.global(&self.module.globals[name]);
        let place = self.b.index(place, index);
        // The result is the same in any order, if each word has one operation.
        let op =
            if shared { AtomicOp::Add } else { self.random.pick(&[AtomicOp::Add, AtomicOp::Exchange, AtomicOp::Max]) };
        if shared {
            self.b.atomic(op, place, value, Scope::Device, MemoryOrder::Relaxed);
            return;
        }
        let before = self.b.load(place);
        let old = self.b.atomic(op, place, value, Scope::Device, MemoryOrder::Relaxed);
        let after = self.b.load(place);
        self.see(old, false);
        let change = self.b.sub(after, before);
        self.keep(change);
    }

    /// Returns the index of an element of this thread, of `len` ones.
    fn own(&mut self, len: u32) -> ValueId {
        let index = self.index(len, false);
        let len = self.b.const_u32(len);
        let first = self.b.mul(self.me, len);
        self.b.add(first, index)
    }

    /// A division or load in a branch, which is undefined outside of it.
    pub(super) fn guarded(&mut self) {
        let ty = Type::U32;
        let other = self.expr(&ty, 1, false);
        let divides = self.random.one_in(2);
        let (cond, operand) = if divides {
            let zero = self.b.const_u32(0);
            let by = self.expr(&ty, 2, false);
            (self.b.ne(by, zero), by)
        } else {
            let any = self.expr(&ty, 2, false);
            let [mask, len] = [2 * IN - 1, IN].map(|n| self.b.const_u32(n));
            let index = self.b.and(any, mask);
            (self.b.lt(index, len), index)
        };
        let value = self.expr(&ty, 1, false);
        self.b.begin_block();
        let id = if divides {
            let op = self.random.pick(&[B::Div, B::Rem]);
            self.b.binary(op, value, operand)
        } else {
            let place = self.b.global(&self.module.globals["in"]);
            let place = self.b.index(place, operand);
            self.b.load(place)
        };
        self.b.push(Stmt::Yield([id].into()));
        let then = self.b.end_block();
        let otherwise = vec![Stmt::Yield([other].into())];
        let results = self.merged(&[ty]);
        let hint = if self.random.one_in(2) { BranchHint::Flatten } else { BranchHint::Any };
        self.b.push(Stmt::If { cond, then, otherwise, results: results.clone().into(), hint });
        self.see_all(&results);
        self.keep(results[0]);
    }

    /// A local with a copy of an array in a buffer, read at an index.
    pub(super) fn copied(&mut self) {
        let ty = if self.random.one_in(3) { self.types.words.clone() } else { self.types.rows.clone() };
        let name = self.name();
        let place = self.b.new_local(name, ty.clone());
        let (global, field) = if ty == self.types.rows { ("u", Some(3)) } else { ("table", None) };
        let mut from = self.b.global(&self.module.globals[global]);
        if let Some(field) = field {
            from = self.b.field(from, field);
        }
        let value = self.b.load_as(from, ty);
        self.b.store(place, value);
        let index = self.expr(&Type::U32, 2, false);
        let three = self.b.const_u32(3);
        let index = self.b.and(index, three);
        let element = self.b.index(place, index);
        let id = self.b.load(element);
        self.see(id, false);
        if self.random.one_in(4) {
            // It is no copy any more.
            let value = self.constant(&self.b.ty(id));
            self.b.store(element, value);
            let index = self.index(4, false);
            let element = self.b.index(place, index);
            let id = self.b.load(element);
            self.see(id, false);
        }
    }

    /// A word that is stored by halves, as lowering does.
    pub(super) fn halves(&mut self) {
        let (a, c) = (self.expr(&Type::U32, 2, false), self.expr(&Type::U32, 2, false));
        let [low, high, sixteen] = [0xffff, 0xffff_0000, 16].map(|n| self.b.const_u32(n));
        // Another program may set more bits than those of the half.
        let a = if self.random.one_in(4) { a } else { self.b.and(a, low) };
        let c = self.b.shl(c, sixteen);
        let index = self.own(OUT);
        let place = self.b.global(&self.module.globals["out"]);
        let place = self.b.index(place, index);
        let mut parts = [(high, a), (low, c)];
        if self.random.one_in(2) {
            parts.reverse();
        }
        for (mask, value) in parts {
            self.b.atomic(AtomicOp::And, place, mask, Scope::Device, MemoryOrder::Relaxed);
            self.b.atomic(AtomicOp::Or, place, value, Scope::Device, MemoryOrder::Relaxed);
        }
    }

    /// Two loads of one place, with a store between them that may be to it.
    pub(super) fn reloaded(&mut self) {
        let ty = self.types.pick(self.random);
        let Some(place) = self.place(&ty, true, false) else { return };
        let first = self.b.load_as(place, ty.clone());
        self.see(first, false);
        self.store();
        if let Some(other) = self.place(&ty, true, false) {
            let value = self.expr(&ty, 1, false);
            let value = match self.b.ty(other) {
                Type::Ref(Space::Storage { .. }, _) => self.without_nan(value, &ty),
                _ => value,
            };
            self.b.store(other, value);
        }
        let second = self.b.load_as(place, ty.clone());
        self.see(second, false);
        let mut sum = self.b.const_u32(1);
        self.summed(&mut sum, second, &ty);
        self.keep(sum);
    }

    /// Two loads of one place, with a store between them on a path that leaves a switch.
    pub(super) fn stored_on_a_path(&mut self) {
        let ty = self.types.pick(self.random);
        let places: Vec<ValueId> = self.roots.iter().filter(|r| r.writable && r.ty == ty).map(|r| r.place).collect();
        let places: Vec<ValueId> =
            places.into_iter().filter(|place| self.b.ty(*place).pointee() == Some(&ty)).collect();
        let place = if places.is_empty() { self.local(&ty) } else { self.random.pick(&places) };
        let before = self.b.load_as(place, ty.clone());
        self.see(before, false);
        let cond = self.expr(&Type::BOOL, 2, false);
        let selector = self.index(2, false);
        let value = self.expr(&ty, 1, false);
        let leaves = vec![Stmt::Store { place, value }, Stmt::break_()];
        let body = vec![Stmt::if_(cond, leaves, Vec::new())];
        let (cases, default) =
            if self.random.one_in(2) { (vec![Case { labels: vec![1], body }], Vec::new()) } else { (Vec::new(), body) };
        self.b.switch(selector, cases, default);
        let after = self.b.load_as(place, ty.clone());
        self.see(after, false);
        let mut sum = self.b.const_u32(1);
        self.summed(&mut sum, after, &ty);
        self.keep(sum);
    }

    /// A store to memory that nothing reads.
    pub(super) fn unread(&mut self) {
        let place = self.b.global(&self.module.globals["unread"]);
        let place = self.b.index(place, self.thread);
        let value = self.expr(&Type::U32, 2, false);
        self.b.store(place, value);
    }

    /// Stores a sum of some visible values and of most locals. The rest may be unused.
    pub(super) fn results(&mut self) {
        if self.b.is_closed() {
            return;
        }
        let place = self.b.global(&self.module.globals["result"]);
        let len = self.b.const_u32(RESULTS);
        let mut index = self.b.mul(self.me, len);
        for _ in 0..RESULTS {
            let kept = self.b.global(&self.module.globals["kept"]);
            let mut sum = self.b.load(kept);
            let values: Vec<(ValueId, Type)> =
                self.scope.iter().filter(|seen| seen.ty.pointee().is_none()).map(|s| (s.id, s.ty.clone())).collect();
            for (id, ty) in values {
                if self.random.one_in(3) {
                    self.summed(&mut sum, id, &ty);
                }
            }
            for root in self.roots.clone().into_iter().filter(|root| root.buffer.is_none() && root.writable) {
                if !self.random.one_in(3) {
                    let id = self.b.value_as(root.ty.clone(), Op::Load(root.place));
                    self.summed(&mut sum, id, &root.ty);
                }
            }
            let to = self.b.index(place, index);
            self.b.store(to, sum);
            let one = self.b.const_u32(1);
            index = self.b.add(index, one);
        }
    }

    fn summed(&mut self, sum: &mut ValueId, value: ValueId, ty: &Type) {
        let word = match ty {
            Type::Scalar(Scalar::U32) => value,
            Type::Scalar(Scalar::Bool) => self.b.convert(value, Type::U32),
            Type::Scalar(Scalar::F32) => {
                let number = self.without_nan(value, ty);
                self.b.bitcast(number, Type::U32)
            }
            Type::Scalar(_) => self.b.bitcast(value, Type::U32),
            ty => {
                for (n, part) in (0..).zip(self.parts(ty)) {
                    let id = self.b.extract(value, n);
                    self.summed(sum, id, &part);
                }
                return;
            }
        };
        let by = self.b.const_u32(31);
        let product = self.b.mul(*sum, by);
        *sum = self.b.add(product, word);
    }
}
