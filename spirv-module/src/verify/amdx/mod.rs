//! The rules of SPV_AMDX_shader_enqueue, revision 2: the requirements of its text and of the Vulkan proposal for a
//! module.
//!
//! A rule is a row of [`RULES`]: an id, a summary, the section in the texts and a function that finds violations. The
//! functions read [`Facts`], which are collected once: nodes, payload array types, the extension's instructions. The
//! core rules already check capabilities, explicit layout, built-ins and interfaces, so these have no rows here.
//! `docs/amdx-rules.md` lists every requirement of both texts with its rule, or the reason that none can check it.
//!
//! Node names and indexes come from the host if it gives them, otherwise from the module. A rule about two nodes
//! applies to nodes of all given modules. If there may be other modules, a missing target breaks no rule.

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

/// A broken rule, as reported by the rule's function.
struct Finding {
    /// The position of the instruction.
    word: u32,
    id: crate::module::Id,
    /// An instruction with the source line to show.
    line: u32,
    message: String,
    /// A suggestion.
    help: String,
}

type Findings = Vec<Finding>;

impl Facts<'_> {
    /// Creates a finding about an instruction of a function body.
    fn broken(&self, inst: &crate::Inst, message: String, help: impl Into<String>) -> Finding {
        Finding { word: inst.word, id: inst.result, line: inst.word, message, help: help.into() }
    }
}

/// The input of a rule.
#[derive(Clone, Copy)]
enum Check {
    /// A rule about one module.
    Own(fn(&Facts, &mut Findings)),
    /// A rule about a module and the nodes of all modules.
    Graph(fn(&Facts, &Graph, &mut Findings)),
}

/// The modules of a graph.
struct Graph<'g, 'm> {
    modules: &'g [Facts<'m>],
    extent: Extent,
}

impl<'g, 'm> Graph<'g, 'm> {
    /// Iterates over all nodes, with their modules.
    fn nodes(&self) -> impl Iterator<Item = (&'g Facts<'m>, &'g Node<'m>)> + use<'g, 'm> {
        self.modules.iter().flat_map(|f| f.nodes.iter().map(move |node| (f, node)))
    }
}

/// Adds the findings of the extension's rules.
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

/// Returns whether a module uses the extension; others cannot break its rules. The core rules reject undeclared uses.
fn uses_extension(c: &Checker) -> bool {
    c.m.has_capability(spirv::Capability::ShaderEnqueueAMDX)
        || c.m.extensions.iter().any(|e| e.0 == facts::EXTENSION)
        || c.m.types.values().any(|t| matches!(t, crate::Type::NodePayloadArray { .. }))
}
