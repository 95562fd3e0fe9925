//! Tracks the threads that left a statement by a jump and are missing after it.
//!
//! Jumps in one block of an `If` or `Switch` do not affect the others: if the group chose together, no thread of it is
//! in another block. The jumping threads are missing after the statement. The exception is a block that the whole group
//! enters and whose end is unreachable. Then no thread is after the statement, and the missing threads matter at the
//! targets of the jumps. Threads that left before a statement are in the state before it, not here.

use super::forward::Target;
use super::scalar_facts::Control;

/// The jumps of the walked code with the threads that make them, or `None`.
#[derive(Clone, Debug, Default)]
struct Jumps {
    returned: Option<Control>,
    /// The jumps by open loop or switch.
    open: Vec<OpenJumps>,
}

/// Jumps that leave a loop or switch, and jumps to its next iteration.
#[derive(Clone, Copy, Debug, Default)]
struct OpenJumps {
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
    /// Returns no jumps for this number of open loops and switches.
    fn none(open: usize) -> Jumps {
        Jumps { returned: None, open: vec![OpenJumps::default(); open] }
    }

    /// Adds other jumps, up to the targets that both have.
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

/// Jumps in blocks that the whole group enters and never leaves at the end. They wait for the target of the innermost
/// jump.
#[derive(Debug, Default)]
struct Waiting {
    next: Jumps,
    after: Jumps,
}

/// An `If`, `Switch` or `Loop`.
#[derive(Debug, Default)]
struct Scope {
    /// Jumps around the statement.
    outer: Jumps,
    /// Jumps in the blocks walked so far.
    arms: Jumps,
    /// The threads that reach the block, if these are all threads of the group or none.
    whole: Option<Control>,
}

/// The missing threads at the current position of the walk.
#[derive(Debug, Default)]
pub struct DepartedThreads {
    /// Jumps since the start of the innermost statement's block.
    jumps: Jumps,
    scopes: Vec<Scope>,
    /// Waiting jumps by open loop or switch.
    waiting: Vec<Waiting>,
}

impl DepartedThreads {
    fn take(&mut self) -> Jumps {
        let none = Jumps::none(self.jumps.open.len());
        std::mem::replace(&mut self.jumps, none)
    }

    /// Forgets the jumps of the current block.
    pub fn forget(&mut self) {
        self.take();
    }

    pub fn enter(&mut self) {
        let outer = self.take();
        let arms = Jumps::none(outer.open.len());
        self.scopes.push(Scope { outer, arms, whole: None });
    }

    /// Enters a block.
    pub fn arm(&mut self, control: Control) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.whole = Some(control).filter(|control| !control.level.parts_groups());
        }
    }

    pub fn arm_end(&mut self, comes_out: bool) {
        let mut jumps = self.take();
        let Some(scope) = self.scopes.last_mut() else { return };
        if let (false, Some(whole)) = (comes_out, scope.whole) {
            // After a return of the whole group, no thread continues.
            if let Some(innermost) = jumps.open.iter().rposition(|open| open.left.or(open.continued).is_some()) {
                let waiting = &mut self.waiting[innermost];
                let is_next = jumps.open[innermost].continued.is_some();
                (if is_next { &mut waiting.next } else { &mut waiting.after }).add(&jumps);
            }
            // Other groups may continue after the statement.
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
        self.jumps.open.push(OpenJumps::default());
        let none = || Jumps::none(self.jumps.open.len());
        self.waiting.push(Waiting { next: none(), after: none() });
    }

    pub fn close(&mut self) {
        self.jumps.open.pop();
        if let Some(waiting) = self.waiting.pop() {
            self.jumps.add(&waiting.after);
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

    /// Records that some threads leave the innermost loop at the end of an iteration.
    pub fn left(&mut self, parted: Control) {
        if let Some(open) = self.jumps.open.last_mut() {
            raise(&mut open.left, Some(parted));
        }
    }

    /// Brings back the threads that continued.
    pub fn continuing(&mut self) {
        if let Some(waiting) = self.waiting.last_mut() {
            let none = Jumps::none(self.jumps.open.len());
            self.jumps.add(&std::mem::replace(&mut waiting.next, none));
        }
        if let Some(open) = self.jumps.open.last_mut() {
            open.continued = None;
        }
    }

    /// Adds the threads that are missing after the innermost statement to those before it.
    pub fn raise(&self, control: &mut Control) {
        let arms = self.scopes.last().into_iter().flat_map(|scope| scope.arms.all());
        for departed in arms.chain(self.jumps.all()) {
            control.raise(departed);
        }
    }
}
