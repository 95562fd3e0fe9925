//! Attributes of statements: hints for compilers that change no meaning, each for statements of some kinds.

use super::Checker;
use crate::attribute_table::TABLE;
use crate::codes::Code;
use crate::names::closest;
use wgc_frontend::ast::{self, Span, StmtId, StmtKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loop,
    If,
    Switch,
    Other,
}

const LOOPS: &[Kind] = &[Kind::Loop];
const BRANCHES: &[Kind] = &[Kind::If, Kind::Switch];

/// Which statements each is for.
const HINTS: &[(&str, &[Kind], &str)] = &[
    ("unroll", LOOPS, "loops"),
    ("loop", LOOPS, "loops"),
    ("fastopt", LOOPS, "loops"),
    ("allow_uav_condition", LOOPS, "loops"),
    ("branch", BRANCHES, "`if` and `switch`"),
    ("flatten", BRANCHES, "`if` and `switch`"),
    ("call", &[Kind::Switch], "`switch`"),
    ("forcecase", &[Kind::Switch], "`switch`"),
];

impl Checker<'_, '_> {
    /// Says what is wrong with an attribute. Those of other namespaces (`[[vk::..]]`) are read elsewhere.
    pub(super) fn statement_attribute(&mut self, attribute: &ast::Attribute, stmt: StmtId) {
        let [segment] = attribute.path.segments.as_slice() else { return };
        let (name, span) = (segment.name.text.as_str(), attribute.span);
        if name.is_empty() {
            return;
        }
        let kind = self.kind(stmt);
        match HINTS.iter().find(|row| row.0.eq_ignore_ascii_case(name)) {
            Some((_, kinds, _)) if kinds.contains(&kind) => {}
            Some((name, _, places)) => {
                let message = format!("`{name}` belongs on {places} and has no effect here");
                self.error(Code::StatementAttribute, span, message);
            }
            None if TABLE.iter().any(|row| row.name.eq_ignore_ascii_case(name)) => {
                let message = format!("`{name}` belongs on no statement and has no effect here");
                self.error(Code::StatementAttribute, span, message);
            }
            None => {
                let message = format!("unknown attribute `{name}` has no effect");
                let mut unknown = self.diagnostic(Code::UnknownAttribute, span, message);
                let fitting = HINTS.iter().filter(|row| row.1.contains(&kind)).map(|row| row.0);
                if let Some(meant) = closest(name, fitting) {
                    let place = self.place(Span { lo: segment.name.at, hi: segment.name.at + 1 });
                    unknown = unknown.meant(place, meant);
                }
                self.report(unknown);
            }
        }
    }

    fn kind(&self, stmt: StmtId) -> Kind {
        match &self.ast.stmts[stmt].kind {
            StmtKind::Attributed { stmt, .. } => self.kind(*stmt),
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => Kind::Loop,
            StmtKind::If { .. } => Kind::If,
            StmtKind::Switch { .. } => Kind::Switch,
            _ => Kind::Other,
        }
    }
}
