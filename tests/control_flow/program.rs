//! Programs that consist of control flow: their representation, their generation, and their HLSL text.

use crate::random::Random;
use std::fmt::Write;

/// Variables of a function, `v0` and so on: the first two are its parameters.
pub const VARIABLES: usize = 4;
/// Threads of a group.
pub const THREADS: usize = 8;

#[derive(Clone, Debug)]
pub enum Expr {
    Const(u32),
    Variable(usize),
    /// The counter of a loop, by the loop's number.
    Counter(usize),
    Binary(char, Box<Expr>, Box<Expr>),
    /// `a < b ? c : d`
    Choose(Box<[Expr; 4]>),
    /// A call of an earlier function.
    Call(usize, Box<[Expr; 2]>),
}

#[derive(Clone, Copy, Debug)]
pub enum Loop {
    /// `for (i = 0; i < n; ++i)`
    For,
    /// `while (i > 0) { --i; .. }`, from n
    While,
    /// `do { .. } while (++i < n)`
    Do,
    /// `for (;;) { if (i == n) break; ++i; .. }`
    Ever,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub labels: Vec<u32>,
    pub is_default: bool,
    pub body: Vec<Stmt>,
    /// Ends with a `break`, and does not fall through.
    pub breaks: bool,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Set(usize, Expr),
    /// Runs the first block if the expression is odd.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Loop {
        kind: Loop,
        number: usize,
        trips: u32,
        body: Vec<Stmt>,
    },
    Switch(Expr, Vec<Case>),
    Break,
    Continue,
    Return(Expr),
    /// All threads meet. Each publishes one variable, and adds to another the value last published by another thread.
    Exchange {
        give: usize,
        add: usize,
        from: usize,
    },
}

pub struct Function {
    pub body: Vec<Stmt>,
    pub result: Expr,
}

/// The statements that are allowed at a position.
#[derive(Clone, Copy)]
struct Where {
    depth: u32,
    /// In a loop; in a `switch` or loop.
    continues: bool,
    breaks: bool,
    /// Enclosing loops, a bit for each number; and those that all threads run together.
    counters: u64,
    same: u64,
    /// All threads reach this position together.
    together: bool,
}

struct Maker<'a> {
    random: &'a mut Random,
    /// Number of earlier functions that may be called.
    callable: usize,
    loops: usize,
}

impl Function {
    /// Generates a function of two numbers that may call the first `callable` ones.
    pub fn made(random: &mut Random, callable: usize) -> Function {
        Function::of(random, callable, false)
    }

    /// Generates the body of a node, whose threads meet.
    pub fn met(random: &mut Random, callable: usize) -> Function {
        Function::of(random, callable, true)
    }

    fn of(random: &mut Random, callable: usize, together: bool) -> Function {
        let mut maker = Maker { random, callable, loops: 0 };
        let at = Where { depth: 0, continues: false, breaks: false, counters: 0, same: 0, together };
        let body = maker.block(at, if together { 9 } else { 5 });
        let result = maker.expr(at, 2);
        Function { body, result }
    }
}

impl Maker<'_> {
    fn block(&mut self, at: Where, most: u32) -> Vec<Stmt> {
        let mut block = Vec::new();
        for _ in 0..1 + self.random.below(most) {
            let stmt = self.stmt(at);
            let ends = matches!(stmt, Stmt::Break | Stmt::Continue | Stmt::Return(_));
            block.push(stmt);
            if ends {
                break;
            }
        }
        block
    }

    fn stmt(&mut self, at: Where) -> Stmt {
        let inner = Where { depth: at.depth + 1, ..at };
        let deep = at.depth >= 4;
        loop {
            return match self.random.below(15) {
                0..=2 => Stmt::Set(self.variable(), self.expr(at, 3)),
                3 | 4 if !deep => {
                    // Threads that meet inside must arrive together.
                    let together = at.together && self.random.below(2) == 0;
                    let cond = if together { self.same(at) } else { self.expr(at, 2) };
                    let inner = self.apart(inner, together);
                    let otherwise = if self.random.below(2) == 0 { self.block(inner, 2) } else { Vec::new() };
                    Stmt::If(cond, self.block(inner, 3), otherwise)
                }
                5 | 6 if !deep && self.loops < 64 => {
                    let number = self.loops;
                    self.loops += 1;
                    let together = at.together && self.random.below(3) != 0;
                    let bit = 1 << number;
                    let same = if together { at.same | bit } else { at.same };
                    let counters = at.counters | bit;
                    let inner = Where { continues: true, breaks: true, together, counters, same, ..inner };
                    let kind = self.random.pick(&[Loop::For, Loop::While, Loop::Do, Loop::Ever]);
                    Stmt::Loop { kind, number, trips: self.random.below(5), body: self.block(inner, 4) }
                }
                7 if !deep => self.switch(at, inner),
                8 if at.breaks => Stmt::Break,
                9 if at.continues => Stmt::Continue,
                // Not in the outermost block, so that the statements after it still run.
                10 if at.depth > 0 && self.random.below(2) == 0 => Stmt::Return(self.expr(at, 2)),
                // Some threads return, and the others meet.
                11 if at.together => Stmt::If(self.expr(at, 2), vec![Stmt::Return(self.expr(at, 2))], Vec::new()),
                12..=14 if at.together => {
                    let from = 1 + self.random.below(THREADS as u32 - 1) as usize;
                    Stmt::Exchange { give: self.variable(), add: self.variable(), from }
                }
                _ => continue,
            };
        }
    }

    /// Forbids meeting in code where threads may diverge, and jumps out of statements that all threads run together.
    fn apart(&self, at: Where, together: bool) -> Where {
        match at.together && !together {
            true => Where { together: false, breaks: false, continues: false, ..at },
            false => at,
        }
    }

    fn switch(&mut self, at: Where, inner: Where) -> Stmt {
        let together = at.together && self.random.below(2) == 0;
        let selector = if together { self.same(at) } else { self.expr(at, 2) };
        let inner = Where { breaks: true, ..self.apart(inner, together) };
        let count = 1 + self.random.below(4);
        let default = self.random.below(count + 1);
        let cases = (0..count).map(|n| {
            let labels = (0..self.random.below(3)).map(|m| n * 2 + m).filter(|l| *l < n * 2 + 2).collect();
            let body = self.block(inner, 2);
            Case { labels, is_default: n == default, breaks: n + 1 == count || self.random.below(3) != 0, body }
        });
        let mut cases: Vec<Case> = cases.collect();
        cases.retain(|case| case.is_default || !case.labels.is_empty());
        match cases.last_mut() {
            Some(last) => last.breaks = true,
            None => return Stmt::Set(self.variable(), selector),
        }
        Stmt::Switch(Expr::Binary('%', Box::new(selector), Box::new(Expr::Const(9))), cases)
    }

    fn variable(&mut self) -> usize {
        self.random.below(VARIABLES as u32) as usize
    }

    /// Returns the counter of one of these loops.
    fn counter(&mut self, among: u64) -> Expr {
        let numbers: Vec<usize> = (0..64).filter(|n| among >> n & 1 == 1).collect();
        Expr::Counter(self.random.pick(&numbers))
    }

    /// Returns an expression with the same value for all threads that meet.
    fn same(&mut self, at: Where) -> Expr {
        if at.same == 0 {
            return Expr::Const(self.random.below(8));
        }
        let other = Expr::Const(self.random.below(4));
        let op = self.random.pick(&['+', '^', '*']);
        Expr::Binary(op, Box::new(self.counter(at.same)), Box::new(other))
    }

    fn expr(&mut self, at: Where, depth: u32) -> Expr {
        let part = |this: &mut Self| Box::new(this.expr(at, depth - 1));
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0 => Expr::Const(self.random.below(20)),
            1 if at.counters != 0 => self.counter(at.counters),
            1..=3 => Expr::Variable(self.variable()),
            4 if self.callable > 0 => {
                let callee = self.random.below(self.callable as u32) as usize;
                Expr::Call(callee, Box::new([*part(self), *part(self)]))
            }
            4 | 5 => Expr::Choose(Box::new([*part(self), *part(self), *part(self), *part(self)])),
            _ => {
                let op = self.random.pick(&['+', '-', '*', '^', '&', '|']);
                Expr::Binary(op, part(self), part(self))
            }
        }
    }
}

/// Prints HLSL. In a node, a return stores its value in `Out`.
pub struct Spelling {
    text: String,
    in_node: bool,
    indent: usize,
}

impl Spelling {
    pub fn function(name: &str, function: &Function) -> String {
        let mut spelling = Spelling { text: String::new(), in_node: false, indent: 1 };
        spelling.body(function);
        format!("uint {name}(uint v0, uint v1)\n{{\n{}}}\n", spelling.text)
    }

    /// Prints the statements of a node, with `v0` and `v1` in scope and a place for each thread's result.
    pub fn node(function: &Function) -> String {
        let mut spelling = Spelling { text: String::new(), in_node: true, indent: 1 };
        spelling.body(function);
        spelling.text
    }

    fn body(&mut self, function: &Function) {
        self.line("uint v2 = 0, v3 = 1;");
        self.block(&function.body);
        let result = expr(&function.result);
        self.returned(&result, true);
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4);
    }

    fn returned(&mut self, value: &str, last: bool) {
        match (self.in_node, last) {
            (false, _) => self.line(&format!("return {value};")),
            (true, true) => self.line(&format!("Out[at] = {value};")),
            (true, false) => self.line(&format!("{{ Out[at] = {value}; return; }}")),
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn nested(&mut self, block: &[Stmt]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(variable, value) => self.line(&format!("v{variable} = {};", expr(value))),
            Stmt::If(cond, then, otherwise) => {
                let attribute = ["", "[branch] ", "[flatten] "][then.len() % 3];
                self.line(&format!("{attribute}if ({} & 1) {{", expr(cond)));
                self.nested(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.nested(otherwise);
                }
                self.line("}");
            }
            Stmt::Loop { kind, number, trips, body } => {
                let i = format!("i{number}");
                let attribute = ["", "[loop] ", "[unroll] ", "[fastopt] ", "[allow_uav_condition] "][number % 5];
                let (before, head, first, last) = match kind {
                    Loop::For => (
                        String::new(),
                        format!("for (uint {i} = 0; {i} < {trips}; ++{i}) {{"),
                        String::new(),
                        "}".to_owned(),
                    ),
                    Loop::While => (
                        format!("uint {i} = {trips};"),
                        format!("while ({i} > 0) {{"),
                        format!("--{i};"),
                        "}".to_owned(),
                    ),
                    Loop::Do => (
                        format!("uint {i} = 0;"),
                        "do {".to_owned(),
                        String::new(),
                        format!("}} while (++{i} < {trips});"),
                    ),
                    Loop::Ever => (
                        format!("uint {i} = 0;"),
                        "for (;;) {".to_owned(),
                        format!("if ({i} == {trips}) break; ++{i};"),
                        "}".to_owned(),
                    ),
                };
                if !before.is_empty() {
                    self.line(&before);
                }
                let attribute = if matches!(kind, Loop::Ever) { "" } else { attribute };
                self.line(&format!("{attribute}{head}"));
                self.indent += 1;
                if !first.is_empty() {
                    self.line(&first);
                }
                self.block(body);
                self.indent -= 1;
                self.line(&last);
            }
            Stmt::Switch(selector, cases) => {
                let attribute = ["", "[forcecase] ", "[call] ", "[branch] "][cases.len() % 4];
                self.line(&format!("{attribute}switch ({}) {{", expr(selector)));
                for case in cases {
                    for label in &case.labels {
                        self.line(&format!("case {label}:"));
                    }
                    if case.is_default {
                        self.line("default:");
                    }
                    self.line("{");
                    self.nested(&case.body);
                    self.line("}");
                    if case.breaks {
                        self.line("    break;");
                    }
                }
                self.line("}");
            }
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(value) => self.returned(&expr(value), false),
            Stmt::Exchange { give, add, from } => {
                self.line(&format!("Given[thread] = v{give};"));
                self.line("GroupMemoryBarrierWithGroupSync();");
                self.line(&format!("v{add} += Given[(thread + {from}) % {THREADS}];"));
                self.line("GroupMemoryBarrierWithGroupSync();");
            }
        }
    }
}

fn expr(e: &Expr) -> String {
    match e {
        Expr::Const(value) => format!("{value}u"),
        Expr::Variable(n) => format!("v{n}"),
        Expr::Counter(n) => format!("i{n}"),
        Expr::Binary(op, a, b) => format!("({} {op} {})", expr(a), expr(b)),
        Expr::Choose(of) => {
            let [a, b, c, d] = &**of;
            format!("({} < {} ? {} : {})", expr(a), expr(b), expr(c), expr(d))
        }
        Expr::Call(callee, args) => format!("f{callee}({}, {})", expr(&args[0]), expr(&args[1])),
    }
}
