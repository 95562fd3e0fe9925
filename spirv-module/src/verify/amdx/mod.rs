//! The rules of SPV_AMDX_shader_enqueue, revision 2: what its text and the Vulkan proposal ask of a module.
//!
//! A rule is a row of [`RULES`]: an id, one line, the place in the texts and a function that finds what breaks it. The
//! functions read [`Facts`], which are gathered once: nodes, payload array types, the extension's instructions. What the
//! core rules check already (capabilities, explicit layout, built-ins, interfaces) is no row here; `docs/amdx-rules.md`
//! lists every demand of both texts with the rule that checks it, or why none can.
//!
//! Node names and indexes are those that the module gives. A host may give others, so a rule about two nodes holds only
//! for nodes of this module that are called so here: a target that is nowhere in the module breaks nothing.

mod decorations;
mod facts;
mod graph;
mod instructions;
mod interface;
mod lifetime;
mod modes;
mod table;

use super::{Checker, MAX_FINDINGS, Violation};
use facts::Facts;
pub use table::{AmdxRule, RULES};

/// A broken rule, as the function of the rule says it.
struct Finding {
    /// Where the instruction is.
    word: u32,
    id: crate::module::Id,
    /// An instruction whose source line tells the reader where to look.
    line: u32,
    message: String,
    /// What would be right.
    help: String,
}

type Findings = Vec<Finding>;

impl Facts<'_> {
    /// A finding about an instruction of a function body.
    fn broken(&self, inst: &crate::Inst, message: String, help: impl Into<String>) -> Finding {
        Finding { word: inst.word, id: inst.result, line: inst.word, message, help: help.into() }
    }
}

/// Adds what breaks rules of the extension.
pub(super) fn check(c: &mut Checker) {
    if !uses_extension(c) {
        return;
    }
    let facts = Facts::of(c);
    let mut found = Vec::new();
    for row in RULES {
        let mut findings = Findings::new();
        (row.check)(&facts, &mut findings);
        found.extend(findings.into_iter().map(|f| (row, f)));
    }
    for (row, finding) in found {
        if c.found.len() >= MAX_FINDINGS {
            break;
        }
        c.found.push(Violation {
            rule: row.id,
            spec_ref: row.spec,
            level: row.level,
            message: finding.message,
            help: finding.help,
            word: finding.word as usize,
            id: finding.id,
            line: None,
            line_word: finding.line,
        });
    }
}

/// Modules without it have nothing to break. The core rules refuse what is used undeclared.
fn uses_extension(c: &Checker) -> bool {
    c.m.has_capability(spirv::Capability::ShaderEnqueueAMDX)
        || c.m.extensions.iter().any(|e| e.0 == facts::EXTENSION)
        || c.m.types.values().any(|t| matches!(t, crate::Type::NodePayloadArray { .. }))
}
