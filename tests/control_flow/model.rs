//! The expected results of programs, computed by an interpreter. It runs functions one thread at a time, and nodes with
//! all threads together in statements that contain barriers.

use crate::program::{Case, Expr, Function, Loop, Stmt, THREADS, VARIABLES};
use std::collections::HashMap;

/// The way that control leaves a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return(u32),
}

pub struct Model<'a> {
    functions: &'a [Function],
    /// Steps left before the run is given up.
    fuel: u32,
}

/// The program takes too many steps.
pub struct TooLong;

type Result<T> = std::result::Result<T, TooLong>;

#[derive(Clone, Default)]
struct Thread {
    variables: [u32; VARIABLES],
    counters: HashMap<usize, u32>,
    result: Option<u32>,
}

impl Thread {
    fn new(v0: u32, v1: u32) -> Thread {
        Thread { variables: [v0, v1, 0, 1], ..Thread::default() }
    }
}

impl<'a> Model<'a> {
    pub fn new(functions: &'a [Function], fuel: u32) -> Model<'a> {
        Model { functions, fuel }
    }

    /// Returns the value of a function.
    pub fn call(&mut self, function: &Function, v0: u32, v1: u32) -> Result<u32> {
        let mut thread = Thread::new(v0, v1);
        match self.block(&function.body, &mut thread)? {
            Flow::Return(value) => Ok(value),
            _ => self.value(&function.result, &thread),
        }
    }

    /// Returns the result of each thread of a group.
    pub fn group(&mut self, function: &Function, v0: impl Fn(u32) -> u32, v1: u32) -> Result<Vec<u32>> {
        let mut threads: Vec<Thread> = (0..THREADS as u32).map(|t| Thread::new(v0(t), v1)).collect();
        let mut given = [0; THREADS];
        self.together(&function.body, &mut threads, &mut given)?;
        threads.iter().map(|t| t.result.map_or_else(|| self.value(&function.result, t), Ok)).collect()
    }

    fn step(&mut self) -> Result<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(TooLong)?;
        Ok(())
    }

    fn value(&mut self, e: &Expr, thread: &Thread) -> Result<u32> {
        self.step()?;
        Ok(match e {
            Expr::Const(value) => *value,
            Expr::Variable(n) => thread.variables[*n],
            Expr::Counter(n) => thread.counters[n],
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a, thread)?, self.value(b, thread)?);
                match op {
                    '+' => a.wrapping_add(b),
                    '-' => a.wrapping_sub(b),
                    '*' => a.wrapping_mul(b),
                    '^' => a ^ b,
                    '&' => a & b,
                    '|' => a | b,
                    '%' => a % b,
                    other => panic!("{other} is no operator"),
                }
            }
            Expr::Choose(of) => {
                let [a, b, c, d] = &**of;
                let less = self.value(a, thread)? < self.value(b, thread)?;
                self.value(if less { c } else { d }, thread)?
            }
            Expr::Call(callee, args) => {
                let (v0, v1) = (self.value(&args[0], thread)?, self.value(&args[1], thread)?);
                let functions = self.functions;
                self.call(&functions[*callee], v0, v1)?
            }
        })
    }

    fn block(&mut self, block: &[Stmt], thread: &mut Thread) -> Result<Flow> {
        for stmt in block {
            let flow = self.stmt(stmt, thread)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &Stmt, thread: &mut Thread) -> Result<Flow> {
        self.step()?;
        match stmt {
            Stmt::Set(n, e) => thread.variables[*n] = self.value(e, thread)?,
            Stmt::If(cond, then, otherwise) => {
                let odd = self.value(cond, thread)? & 1 == 1;
                return self.block(if odd { then } else { otherwise }, thread);
            }
            Stmt::Loop { kind, number, trips, body } => {
                let mut count = Count::new(*kind, *trips);
                while let Some(value) = count.begin() {
                    thread.counters.insert(*number, value);
                    match self.block(body, thread)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                    }
                }
            }
            Stmt::Switch(selector, cases) => {
                let value = self.value(selector, thread)?;
                for case in &cases[chosen(cases, value)..] {
                    match self.block(&case.body, thread)? {
                        Flow::Next if case.breaks => break,
                        Flow::Next => {}
                        Flow::Break => break,
                        other => return Ok(other),
                    }
                }
            }
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
            Stmt::Return(e) => return Ok(Flow::Return(self.value(e, thread)?)),
            Stmt::Exchange { .. } => panic!("a thread meets itself"),
        }
        Ok(Flow::Next)
    }

    /// Runs statements that all remaining threads reach together. A return ends single threads; all threads take other
    /// jumps.
    fn together(&mut self, block: &[Stmt], threads: &mut [Thread], given: &mut [u32; THREADS]) -> Result<Flow> {
        for stmt in block {
            self.step()?;
            let Some(first) = threads.iter().find(|t| t.result.is_none()).cloned() else { return Ok(Flow::Next) };
            let flow = match stmt {
                _ if !meets(stmt) => {
                    let mut flow = Flow::Next;
                    for thread in threads.iter_mut().filter(|t| t.result.is_none()) {
                        match self.stmt(stmt, thread)? {
                            Flow::Return(value) => thread.result = Some(value),
                            other => flow = other,
                        }
                    }
                    flow
                }
                Stmt::Exchange { give, add, from } => {
                    let left = |(n, t): (usize, &mut Thread)| t.result.is_none().then_some(n);
                    let left: Vec<usize> = threads.iter_mut().enumerate().filter_map(left).collect();
                    left.iter().for_each(|&n| given[n] = threads[n].variables[*give]);
                    for n in left {
                        let variable = &mut threads[n].variables[*add];
                        *variable = variable.wrapping_add(given[(n + from) % THREADS]);
                    }
                    Flow::Next
                }
                Stmt::If(cond, then, otherwise) => {
                    let odd = self.value(cond, &first)? & 1 == 1;
                    self.together(if odd { then } else { otherwise }, threads, given)?
                }
                Stmt::Loop { kind, number, trips, body } => {
                    let mut count = Count::new(*kind, *trips);
                    while let Some(value) = count.begin() {
                        for thread in threads.iter_mut() {
                            thread.counters.insert(*number, value);
                        }
                        if self.together(body, threads, given)? == Flow::Break {
                            break;
                        }
                    }
                    Flow::Next
                }
                Stmt::Switch(selector, cases) => {
                    let value = self.value(selector, &first)?;
                    let mut flow = Flow::Next;
                    for case in &cases[chosen(cases, value)..] {
                        flow = self.together(&case.body, threads, given)?;
                        if flow != Flow::Next || case.breaks {
                            break;
                        }
                    }
                    if flow == Flow::Break { Flow::Next } else { flow }
                }
                other => panic!("{other:?} holds no meeting"),
            };
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }
}

/// Returns the first case that runs, or the number of cases if none does.
fn chosen(cases: &[Case], value: u32) -> usize {
    let labelled = cases.iter().position(|case| case.labels.contains(&value));
    labelled.or_else(|| cases.iter().position(|case| case.is_default)).unwrap_or(cases.len())
}

/// Returns whether threads meet in a statement.
fn meets(stmt: &Stmt) -> bool {
    let any = |block: &[Stmt]| block.iter().any(meets);
    match stmt {
        Stmt::Exchange { .. } => true,
        Stmt::If(_, then, otherwise) => any(then) || any(otherwise),
        Stmt::Loop { body, .. } => any(body),
        Stmt::Switch(_, cases) => cases.iter().any(|case| any(&case.body)),
        _ => false,
    }
}

/// Iterations of a loop, each with the value of its counter.
struct Count {
    kind: Loop,
    trips: u32,
    begun: u32,
}

impl Count {
    fn new(kind: Loop, trips: u32) -> Count {
        Count { kind, trips, begun: 0 }
    }

    fn begin(&mut self) -> Option<u32> {
        let at_least = if matches!(self.kind, Loop::Do) { 1 } else { 0 };
        if self.begun >= self.trips.max(at_least) {
            return None;
        }
        self.begun += 1;
        Some(match self.kind {
            Loop::For | Loop::Do => self.begun - 1,
            Loop::While => self.trips - self.begun,
            Loop::Ever => self.begun,
        })
    }
}
