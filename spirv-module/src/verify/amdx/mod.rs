//! The rules of SPV_AMDX_shader_enqueue, revision 2: what its text and the Vulkan proposal ask of a module.
//!
//! A rule is a row of [`RULES`]: an id, one line, the place in the texts and a function that finds what breaks it. The
//! functions read [`Facts`], which are gathered once: nodes, payload array types, the extension's instructions. What the
//! core rules check already (capabilities, explicit layout, built-ins, interfaces) is no row here; `docs/amdx-rules.md`
//! lists every demand of both texts with the rule that checks it, or why none can.
//!
//! Node names and indexes are those that the module gives, or a host where it is asked. A rule about two nodes holds for
//! nodes of all modules that are given. Where there may be others, a target that is nowhere breaks nothing.

mod decorations;
mod facts;
mod graph;
mod instructions;
mod interface;
mod lifetime;
mod members;
mod modes;
mod read_only;
mod table;

use super::{Checker, Extent, MAX_FINDINGS, Part, Violation};
use facts::{Facts, Node};
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

/// What a rule reads.
#[derive(Clone, Copy)]
enum Check {
    /// A module.
    Own(fn(&Facts, &mut Findings)),
    /// A module, and the nodes of all.
    Graph(fn(&Facts, &Graph, &mut Findings)),
}

/// The modules of a graph.
struct Graph<'g, 'm> {
    modules: &'g [Facts<'m>],
    extent: Extent,
}

impl<'g, 'm> Graph<'g, 'm> {
    /// Every node, with its module.
    fn nodes(&self) -> impl Iterator<Item = (&'g Facts<'m>, &'g Node<'m>)> + use<'g, 'm> {
        self.modules.iter().flat_map(|f| f.nodes.iter().map(move |node| (f, node)))
    }
}

/// Adds what breaks rules of the extension.
pub(super) fn check(checkers: &mut [Checker], parts: &[Part], extent: Extent) {
    let users: Vec<usize> = (0..checkers.len()).filter(|n| uses_extension(&checkers[*n])).collect();
    let modules: Vec<Facts> = users.iter().map(|n| Facts::of(&checkers[*n], parts[*n].names)).collect();
    let graph = Graph { modules: &modules, extent };
    for (facts, n) in modules.iter().zip(users) {
        check_module(&mut checkers[n], facts, &graph);
    }
}

fn check_module(c: &mut Checker, facts: &Facts, graph: &Graph) {
    let mut found = Vec::new();
    for row in RULES {
        let mut findings = Findings::new();
        match row.check {
            Check::Own(check) => check(facts, &mut findings),
            Check::Graph(check) => check(facts, graph, &mut findings),
        }
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
