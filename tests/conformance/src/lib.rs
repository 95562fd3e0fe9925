//! Conformance: runs this compiler over the tests of DXC. The tests are read from their checkout and never stored here.
//!
//! The project stores a table of facts, `verdicts.tsv`: the path of each test, a hash of its text, its purpose
//! ([`Role`]), the relevant flags, and its result ([`Verdict`]). The purpose follows from the test only: its RUN lines,
//! the errors it expects, its directory. It never depends on this compiler's result, so a file that we refuse by
//! mistake is still counted.
//!
//! - [`directives`]: RUN lines to runs, each accepted or refused by DXC;
//! - [`corpus`]: the directory to cases, one for each run that differs;
//! - [`compile`]: a case to a verdict and the first message;
//! - [`lines`]: the lines that a `-verify` test expects errors on;
//! - [`table`]: the committed verdicts, and the changes;
//! - [`bar`]: the required totals, and the list of exceptions;
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

/// The requirement for a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// DXC compiles it: its syntax must be accepted.
    Parse,
    /// Also a program with nodes. It becomes verified IR, without checks of the whole graph. If DXC's test is about
    /// SPIR-V, it also becomes a valid module for VK_AMDX_shader_enqueue.
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

    /// Returns whether DXC accepts the case, so that we must accept it too.
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

/// The stage at which a case succeeded or stopped.
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
    /// No errors, but no IR that its verifier accepts.
    Lower,
    /// No errors, but no module.
    Emit,
    /// A module that the validator of SPIRV-Tools refuses after our own verifier accepted it.
    Validator,
    /// Errors on lines other than those that the test expects.
    Differs,
    /// Meets the requirement of its role.
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

    /// Returns whether the syntax was accepted.
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
