//! Attributes of statements: compiler hints that change no result, each for certain kinds of statements.

use super::Checker;
use super::fold;
use crate::db::diagnostic::Diagnostic;
use crate::tables::codes::Code;
use crate::tables::codes::Severity;
use crate::tables::similar_names::closest;
use crate::types::attribute_table::{TABLE, Target};
use crate::types::vulkan_attributes;
use wgc_frontend::ast::{self, Span, StmtId, StmtKind};
use wgc_ir::{BranchHint, LoopControl, LoopHint};

#[derive(Clone, Copy, PartialEq, Eq)]
enum StatementKind {
    Loop,
    If,
    Switch,
    Other,
}

const LOOPS: &[StatementKind] = &[StatementKind::Loop];
const BRANCHES: &[StatementKind] = &[StatementKind::If, StatementKind::Switch];

/// The statements that each hint applies to.
const HINTS: &[(&str, &[StatementKind], &str)] = &[
    ("unroll", LOOPS, "loops"),
    ("loop", LOOPS, "loops"),
    ("fastopt", LOOPS, "loops"),
    ("allow_uav_condition", LOOPS, "loops"),
    ("branch", BRANCHES, "`if` and `switch`"),
    ("flatten", BRANCHES, "`if` and `switch`"),
    ("call", &[StatementKind::Switch], "`switch`"),
    ("forcecase", &[StatementKind::Switch], "`switch`"),
];

/// Contradictory hints, which DXC rejects together.
const CONFLICTS: &[[&str; 2]] = &[["unroll", "loop"], ["unroll", "fastopt"], ["branch", "flatten"]];

/// The hints before a statement, in source order.
#[derive(Clone, Debug, Default)]
pub(super) struct Hints(Vec<Hint>);

#[derive(Clone, Debug)]
struct Hint {
    /// The spelling in the table.
    name: &'static str,
    /// The number of iterations of `[unroll(n)]`.
    count: Option<u32>,
    span: Span,
}

impl Hints {
    fn find(&self, name: &str) -> Option<&Hint> {
        self.0.iter().find(|hint| hint.name == name)
    }

    pub fn of_loop(&self) -> LoopHint {
        let control = match (self.find("unroll"), self.find("loop"), self.find("fastopt")) {
            (Some(hint), ..) => LoopControl::Unroll(hint.count),
            (_, Some(_), _) => LoopControl::Loop,
            (_, _, Some(_)) => LoopControl::FastOpt,
            _ => LoopControl::Any,
        };
        LoopHint { control, uav_condition: self.find("allow_uav_condition").is_some() }
    }

    pub fn branch(&self) -> BranchHint {
        let rows = [
            ("branch", BranchHint::Branch),
            ("flatten", BranchHint::Flatten),
            ("forcecase", BranchHint::ForceCase),
            ("call", BranchHint::Call),
        ];
        rows.iter().find(|row| self.find(row.0).is_some()).map_or(BranchHint::Any, |row| row.1)
    }
}

impl<'db> Checker<'_, 'db> {
    /// Records a hint that applies to its statement; a contradiction with an earlier hint is an error.
    fn hint(&mut self, name: &'static str, attribute: &ast::Attribute) {
        let span = attribute.span;
        let conflict = CONFLICTS.iter().find_map(|pair| {
            let other = pair.iter().find(|other| **other != name).filter(|_| pair.contains(&name))?;
            self.hints.find(other).cloned()
        });
        if let Some(other) = conflict {
            let message = format!("`{name}` contradicts `{}`", other.name);
            let place = self.place(other.span);
            let diagnostic: Diagnostic<'db> = self.diagnostic(Code::HintConflict, span, message);
            self.report(diagnostic.also(place, format!("`{}` is here", other.name)));
            return;
        }
        let count = if name == "unroll" { self.unroll_count(attribute) } else { None };
        // The first of repeated hints counts.
        if self.hints.find(name).is_none() {
            self.hints.0.push(Hint { name, count, span });
        }
    }

    /// Returns the number of iterations in `[unroll(n)]`.
    fn unroll_count(&mut self, attribute: &ast::Attribute) -> Option<u32> {
        let arg = *attribute.args.as_ref()?.first()?;
        let is_text = matches!(self.ast.exprs[arg].kind, ast::ExprKind::Str(_));
        let id = self.expr_any(arg);
        let ty = self.ty(id);
        let is_integer = self.num_or_enum(ty).is_some_and(|n| !n.comp.is_float() && !n.comp.is_bool());
        let count = match fold::eval(self.db, &self.body, id).map(fold::number) {
            Some(fold::Number::Int(n)) if is_integer => u32::try_from(n).ok(),
            _ => None,
        };
        if count.is_none() && !self.is_error(ty) {
            let message = "the number of iterations must be a constant of type `uint`".to_string();
            let diagnostic = self.diagnostic(Code::HintArgument, self.ast.exprs[arg].span, message);
            self.report(if is_text { diagnostic.severity(Severity::Error) } else { diagnostic });
        }
        count
    }

    /// Reports errors in an attribute.
    pub(super) fn statement_attribute(&mut self, attribute: &ast::Attribute, stmt: StmtId) {
        let [segment] = attribute.path.segments.as_slice() else {
            let wrong = vulkan_attributes::wrong(attribute, Target::Statement, |span| self.place(span));
            wrong.into_iter().for_each(|wrong| self.report(wrong));
            return;
        };
        let (name, span) = (segment.name.text.as_str(), attribute.span);
        if name.is_empty() {
            return;
        }
        let kind = self.kind(stmt);
        match HINTS.iter().find(|row| row.0.eq_ignore_ascii_case(name)) {
            Some((name, kinds, _)) if kinds.contains(&kind) => self.hint(name, attribute),
            Some((name, _, places)) => {
                let message = format!("`{name}` belongs on {places} and has no effect here");
                self.error(Code::StatementAttribute, span, message);
            }
            None if TABLE.iter().any(|row| row.name.eq_ignore_ascii_case(name)) => {
                let message = format!("`{name}` does not belong on statements and has no effect here");
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

    fn kind(&self, stmt: StmtId) -> StatementKind {
        match &self.ast.stmts[stmt].kind {
            StmtKind::Attributed { stmt, .. } => self.kind(*stmt),
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => StatementKind::Loop,
            StmtKind::If { .. } => StatementKind::If,
            StmtKind::Switch { .. } => StatementKind::Switch,
            _ => StatementKind::Other,
        }
    }
}
