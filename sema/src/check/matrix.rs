//! Elements of matrices by name: `m._m01`, `m._11_22`, `m._m00_m11 = v`.

use super::Checker;
use super::hir::{Category, ExprId, ExprKind, ReadOnly};
use crate::db::ty::{Ty, TyKind};
use crate::tables::codes::Code;
use wgc_frontend::ast::Span;

impl<'db> Checker<'_, 'db> {
    /// Checks `base.text`, one element or a vector of up to four.
    pub(super) fn elements(&mut self, base: ExprId, size: (u8, u8), text: &str, at: Span, span: Span) -> ExprId {
        let ty = self.ty(base);
        let TyKind::Matrix { scalar, .. } = *ty.kind(self.db) else { return self.error_expr(span) };
        let shown = self.show(ty);
        let Some(elements) = named_elements(text) else {
            let message = format!("invalid elements `{text}` of `{shown}`");
            let diagnostic = self.diagnostic(Code::BadSwizzle, at, message);
            self.report(diagnostic.note("write up to four elements, `_m00` (from zero) or `_11` (from one)"));
            return self.error_expr(span);
        };
        if let Some((row, column)) = elements.iter().find(|(r, c)| *r >= size.0 || *c >= size.1) {
            let message = format!("`{shown}` has no element in row {row}, column {column} (counted from zero)");
            return self.error(Code::BadSwizzle, at, message);
        }
        let repeated = (1..elements.len()).any(|i| elements[..i].contains(&elements[i]));
        let category = match self.category(base) {
            Category::Place if repeated => Category::ReadOnly(ReadOnly::Swizzle),
            category => category,
        };
        let ty = match elements.len() {
            1 => self.scalar_ty(scalar),
            n => Ty::new(self.db, TyKind::Vector(scalar, n as u8)),
        };
        self.expr_in(ExprKind::Elements { base, elements }, ty, category, span)
    }
}

/// Parses rows and columns, from zero. All elements of one name count from zero, or all from one.
fn named_elements(text: &str) -> Option<Vec<(u8, u8)>> {
    let mut elements = Vec::new();
    let from_zero = text.starts_with("_m");
    for part in text.strip_prefix('_')?.split('_') {
        let (digits, first) = if from_zero { (part.strip_prefix('m')?, b'0') } else { (part, b'1') };
        let [row, column] = digits.as_bytes() else { return None };
        let index = |digit: &u8| digit.checked_sub(first).filter(|n| *n < 4);
        elements.push((index(row)?, index(column)?));
    }
    (elements.len() <= 4).then_some(elements)
}

#[cfg(test)]
mod tests {
    use super::named_elements;

    #[test]
    fn matrix_element_names_count_from_zero_or_one() {
        assert_eq!(named_elements("_m00_m13"), Some(vec![(0, 0), (1, 3)]));
        assert_eq!(named_elements("_11_24_44"), Some(vec![(0, 0), (1, 3), (3, 3)]));
        for wrong in ["", "_", "m00", "_m0", "_m00_11", "_01", "_m04", "_15", "_m00m01", "_11_11_11_11_11", "_m00_"] {
            assert_eq!(named_elements(wrong), None, "{wrong}");
        }
    }
}
