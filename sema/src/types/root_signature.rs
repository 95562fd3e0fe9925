//! Root signatures: the strings of `[RootSignature("..")]`, `GlobalRootSignature` and `LocalRootSignature`.
//!
//! SPIR-V has none: bindings come from registers. Here a root signature is only checked: its syntax, its ranges, its
//! size. [`crate::tables::root_signature`] is the language of the strings.

use crate::db::diagnostic::{Diagnostic, Inside};
use crate::db::items::VarNode;
use crate::tables::builtin::Subobject;
use crate::tables::codes::Code;
use crate::tables::root_signature::{Error, RootSignature, parse};
use crate::types::attributes::unquote;
use crate::types::cx::Cx;
use wgc_frontend::ast::{Ast, ExprId, ExprKind, Span};

/// A string literal: its text, and the end offset of each of its adjacent parts.
pub(crate) struct Text {
    pub span: Span,
    pub text: String,
    ends: Vec<usize>,
}

impl Text {
    pub(crate) fn of(ast: &Ast, expr: ExprId) -> Option<Text> {
        let ExprKind::Str(parts) = &ast.exprs[expr].kind else { return None };
        let mut end = 0;
        let ends = parts.iter().map(|part| {
            end += unquote(std::slice::from_ref(part)).len();
            end
        });
        Some(Text { span: ast.exprs[expr].span, ends: ends.collect(), text: unquote(parts) })
    }

    /// Returns the span of the part at an offset: one token.
    pub(crate) fn part(&self, at: usize) -> Span {
        let part = self.ends.iter().position(|end| at < *end).unwrap_or(self.ends.len().saturating_sub(1));
        let lo = (self.span.lo + part as u32).min(self.span.hi.saturating_sub(1));
        Span { lo, hi: lo + 1 }
    }

    /// Returns the word at an offset, within its part.
    fn inside(&self, at: usize) -> Inside {
        let start = self.ends.iter().copied().rfind(|end| *end <= at).unwrap_or(0);
        let end = self.ends.iter().copied().find(|end| at < *end).unwrap_or(self.text.len());
        let rest = self.text.get(at..end).unwrap_or_default();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        Inside { at: at.saturating_sub(start) as u32, len: len as u32, whole: end.saturating_sub(start) as u32 }
    }
}

/// Reads the root signature in a string and reports its errors.
pub(crate) fn read(cx: &mut Cx<'_, '_>, text: &Text) -> Option<RootSignature> {
    match parse(&text.text) {
        Ok(signature) => Some(signature),
        Err(Error { at, message }) => {
            let diagnostic = Diagnostic::new(Code::BadSubobject, cx.place(text.part(at)), message);
            cx.errors.push(diagnostic.inside(text.inside(at)));
            None
        }
    }
}

/// Returns the strings of a subobject: `{ "a", "b" }`.
pub(crate) fn strings(node: &VarNode) -> Option<Vec<Text>> {
    let ast = &node.tree.ast;
    let init = node.declarator.init?;
    match &ast.exprs[init].kind {
        ExprKind::List(elements) => elements.iter().map(|e| Text::of(ast, *e)).collect(),
        _ => Some(vec![Text::of(ast, init)?]),
    }
}

/// Checks the strings of a subobject and their number.
pub(crate) fn check_subobject<'db>(cx: &mut Cx<'_, 'db>, subobject: Subobject, node: &VarNode<'db>) {
    let span = node.declarator.span;
    if subobject == Subobject::Effect {
        let name = &node.declarator.name;
        let message = format!("`{}` is ignored: wgc has no effect framework", name.text);
        return cx.error(Code::EffectSyntax, Span { lo: name.at, hi: name.at + 1 }, message);
    }
    if node.declarator.init.is_none() {
        cx.error(Code::BadSubobject, span, "a subobject needs a list of strings: `= { \"..\" }`");
        return;
    }
    let (wanted, plural) = match subobject {
        Subobject::GlobalRootSignature | Subobject::LocalRootSignature => (1, "one string"),
        Subobject::SubobjectToExportsAssociation => (2, "two strings"),
        Subobject::Other | Subobject::Effect => return,
    };
    match strings(node).filter(|s| s.len() == wanted).as_deref() {
        None => cx.error(Code::BadSubobject, span, format!("this subobject needs {plural}")),
        Some([only]) => drop(read(cx, only)),
        Some(_) => {}
    }
}
