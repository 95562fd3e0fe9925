//! Conformance: this compiler over the tests of DXC, which are read from wherever they lie and never stored here.
//!
//! What is stored is a table of facts, `verdicts.tsv`: the path of each test, a hash of its text, what it is for
//! ([`Role`]), the flags that matter, and how far it came ([`Verdict`]). What a test is for follows from the test
//! alone: its RUN lines, the errors it expects, its directory. Nothing follows from what this compiler says about it,
//! so a file that we refuse by mistake cannot slip out of the count.
//!
//! - [`directives`]: RUN lines to runs, each accepted or refused by DXC;
//! - [`corpus`]: the directory to cases, one for each run that differs;
//! - [`compile`]: a case to a verdict and the first message;
//! - [`lines`]: the lines that a `-verify` test expects errors on;
//! - [`table`]: the committed verdicts, and what changed;
//! - [`bar`]: what is asked of the totals, and the list of exceptions;
//! - [`report`]: totals, and the reasons for refusals, most frequent first.

#![forbid(unsafe_code)]

pub mod bar;
pub mod compile;
pub mod corpus;
pub mod directives;
pub mod lines;
pub mod report;
pub mod table;

use std::fmt;

/// What a case must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// DXC compiles it: its syntax must be understood.
    Parse,
    /// Also a program with nodes: it becomes verified IR, without checks of the whole graph, and if DXC's test is about
    /// SPIR-V a valid module for VK_AMDX_shader_enqueue.
    Graph,
    /// Also a compute shader: it becomes a valid module.
    Compute,
    /// DXC refuses it: errors on the lines that it names.
    Lines,
    /// DXC refuses it: it must not crash the front end.
    Refused,
    /// Effect-framework syntax, which DXC skips: it must not crash the front end.
    Effect,
    /// A test that DXC itself fails.
    Xfail,
}

impl Role {
    pub const ALL: &[(Role, &str)] = &[
        (Role::Parse, "parse"),
        (Role::Graph, "graph"),
        (Role::Compute, "compute"),
        (Role::Lines, "lines"),
        (Role::Refused, "refused"),
        (Role::Effect, "effect"),
        (Role::Xfail, "xfail"),
    ];

    pub fn of(name: &str) -> Option<Role> {
        Role::ALL.iter().find(|r| r.1 == name).map(|r| r.0)
    }

    /// DXC accepts it, and so must we.
    pub fn is_positive(self) -> bool {
        matches!(self, Role::Parse | Role::Graph | Role::Compute)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = Role::ALL.iter().find(|r| r.0 == *self).map_or("", |r| r.1);
        f.write_str(name)
    }
}

/// How far a case came, or where it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The compiler crashed.
    Panic,
    /// The command line is refused.
    Flags,
    /// Errors of the preprocessor or the grammar.
    Syntax,
    /// Errors of names, types and checks.
    Check,
    /// No errors and yet no IR that its verifier accepts.
    Lower,
    /// No errors and yet no module.
    Emit,
    /// A module that the validator of SPIRV-Tools refuses; ours has accepted it, or there would be none.
    Validator,
    /// Errors on other lines than the test expects.
    Differs,
    /// As its role asks.
    Ok,
}

impl Verdict {
    const ALL: &[(Verdict, &str)] = &[
        (Verdict::Panic, "panic"),
        (Verdict::Flags, "flags"),
        (Verdict::Syntax, "syntax"),
        (Verdict::Check, "check"),
        (Verdict::Lower, "lower"),
        (Verdict::Emit, "emit"),
        (Verdict::Validator, "validator"),
        (Verdict::Differs, "differs"),
        (Verdict::Ok, "ok"),
    ];

    pub fn of(name: &str) -> Option<Verdict> {
        Verdict::ALL.iter().find(|v| v.1 == name).map(|v| v.0)
    }

    /// The syntax was understood.
    pub fn parsed(self) -> bool {
        self > Verdict::Syntax
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = Verdict::ALL.iter().find(|v| v.0 == *self).map_or("", |v| v.1);
        f.write_str(name)
    }
}
