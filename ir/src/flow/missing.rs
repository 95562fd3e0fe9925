//! Which threads have left the ways through a statement by a jump, and so are missing behind it.
//!
//! Those who jump in one block of an `If` or `Switch` say nothing about the others: where the threads of a group chose
//! together, nobody of the group is in another block. Behind the statement they are missing there, unless the whole group
//! has gone into a block whose end control does not come to: then nobody is behind the statement, and who is missing
//! matters where the jumps lead. Who has left before a statement is no part of this: the state before it says so.

use super::forward::Target;
use super::known::Control;

/// Jumps of what is walked, each with who makes it; `None` where there is none.
#[derive(Clone, Debug, Default)]
struct Jumps {
    returned: Option<Control>,
    /// By loop or switch that is open.
    open: Vec<Open>,
}

/// Jumps that leave a loop or switch, and those that go on to its next round.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    left: Option<Control>,
    continued: Option<Control>,
}

fn raise(own: &mut Option<Control>, other: Option<Control>) {
    match (own, other) {
        (Some(own), Some(other)) => _ = own.raise(other),
        (own, other) => *own = own.or(other),
    }
}

impl Jumps {
    /// None, with as many open.
    fn none(open: usize) -> Jumps {
        Jumps { returned: None, open: vec![Open::default(); open] }
    }

    /// Adds others, as far as both have what they lead out of.
    fn add(&mut self, other: &Jumps) {
        raise(&mut self.returned, other.returned);
        for (own, other) in self.open.iter_mut().zip(&other.open) {
            raise(&mut own.left, other.left);
            raise(&mut own.continued, other.continued);
        }
    }

    fn each(&mut self, change: impl Fn(&mut Control)) {
        let open = self.open.iter_mut().flat_map(|open| [&mut open.left, &mut open.continued]);
        std::iter::once(&mut self.returned).chain(open).flatten().for_each(change);
    }

    fn all(&self) -> impl Iterator<Item = Control> {
        let open = self.open.iter().flat_map(|open| [open.left, open.continued]);
        std::iter::once(self.returned).chain(open).flatten()
    }
}

/// Jumps in blocks that the whole group goes into and does not come out of, until where the innermost of them leads.
#[derive(Debug, Default)]
struct Waiting {
    next: Jumps,
    behind: Jumps,
}

/// An `If`, `Switch` or `Loop`.
#[derive(Debug, Default)]
struct Scope {
    /// Jumps around it.
    outer: Jumps,
    /// Those in blocks that are walked.
    arms: Jumps,
    /// Who comes to the block, where that is all threads of the group or none.
    whole: Option<Control>,
}

/// Who is missing, at the place that the walk has come to.
#[derive(Debug, Default)]
pub struct Missing {
    /// Since the innermost statement's block began.
    jumps: Jumps,
    scopes: Vec<Scope>,
    /// By loop or switch that is open.
    waiting: Vec<Waiting>,
}

impl Missing {
    fn take(&mut self) -> Jumps {
        let none = Jumps::none(self.jumps.open.len());
        std::mem::replace(&mut self.jumps, none)
    }

    /// Those of the block that is walked.
    pub fn forget(&mut self) {
        self.take();
    }

    pub fn enter(&mut self) {
        let outer = self.take();
        let arms = Jumps::none(outer.open.len());
        self.scopes.push(Scope { outer, arms, whole: None });
    }

    /// Control enters a block.
    pub fn arm(&mut self, control: Control) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.whole = Some(control).filter(|control| !control.level.parts_groups());
        }
    }

    pub fn arm_end(&mut self, comes_out: bool) {
        let mut jumps = self.take();
        let Some(scope) = self.scopes.last_mut() else { return };
        if let (false, Some(whole)) = (comes_out, scope.whole) {
            // Where all return nobody is anywhere.
            if let Some(innermost) = jumps.open.iter().rposition(|open| open.left.or(open.continued).is_some()) {
                let waiting = &mut self.waiting[innermost];
                let is_next = jumps.open[innermost].continued.is_some();
                (if is_next { &mut waiting.next } else { &mut waiting.behind }).add(&jumps);
            }
            // Other groups may be behind the statement.
            jumps.each(|control| {
                if control.level > whole.level {
                    *control = whole
                }
            });
        }
        scope.arms.add(&jumps);
    }

    pub fn leave(&mut self) {
        let jumps = self.take();
        if let Some(scope) = self.scopes.pop() {
            self.jumps = scope.outer;
            self.jumps.add(&scope.arms);
            self.jumps.add(&jumps);
        }
    }

    pub fn open(&mut self) {
        self.jumps.open.push(Open::default());
        let none = || Jumps::none(self.jumps.open.len());
        self.waiting.push(Waiting { next: none(), behind: none() });
    }

    pub fn close(&mut self) {
        self.jumps.open.pop();
        if let Some(waiting) = self.waiting.pop() {
            self.jumps.add(&waiting.behind);
        }
    }

    pub fn jump(&mut self, target: Target, control: Control) {
        let from = match target {
            Target::Function => &mut self.jumps.returned,
            Target::Behind(n) => &mut self.jumps.open[n].left,
            Target::Next(n) => &mut self.jumps.open[n].continued,
        };
        raise(from, Some(control));
    }

    /// Some leave the innermost loop at the end of a round.
    pub fn left(&mut self, parted: Control) {
        if let Some(open) = self.jumps.open.last_mut() {
            raise(&mut open.left, Some(parted));
        }
    }

    /// Those who continued are there again.
    pub fn continuing(&mut self) {
        if let Some(waiting) = self.waiting.last_mut() {
            let none = Jumps::none(self.jumps.open.len());
            self.jumps.add(&std::mem::replace(&mut waiting.next, none));
        }
        if let Some(open) = self.jumps.open.last_mut() {
            open.continued = None;
        }
    }

    /// Adds those who are missing behind the innermost statement to those who were in front of it.
    pub fn raise(&self, control: &mut Control) {
        let arms = self.scopes.last().into_iter().flat_map(|scope| scope.arms.all());
        for missing in arms.chain(self.jumps.all()) {
            control.raise(missing);
        }
    }
}
