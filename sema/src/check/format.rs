//! Checks of `printf` arguments against the format, as no implicit conversion applies to them.
//!
//! Formats are those of Vulkan's messages: `%d`, `%u`, `%x`, `%o`, `%f`, `%e`, `%g`, `%a` and similar. `l` means 64
//! bits, and `%v3f` a vector of three.

use super::Checker;
use super::hir::{Arg, ExprId};
use crate::tables::codes::Code;
use wgc_frontend::ast::Span;

/// A conversion of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion<'t> {
    /// The text of the conversion, for example `%3.1f`.
    text: &'t str,
    /// Components of the argument.
    components: u8,
    letter: char,
}

/// Returns the conversions of a format in order; an invalid one is an error with its text.
fn conversions(format: &str) -> Vec<Result<Conversion<'_>, &str>> {
    let mut out = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("%%") {
            rest = after;
            continue;
        }
        let (conversion, length) = conversion(rest);
        out.push(conversion);
        rest = &rest[length..];
    }
    out
}

/// Parses the conversion at the start of `text`; returns it and its length.
fn conversion(text: &str) -> (Result<Conversion<'_>, &str>, usize) {
    let skip =
        |from: usize, any: &str| from + text[from..].len() - text[from..].trim_start_matches(|c| any.contains(c)).len();
    let mut at = skip(1, "-0+ #");
    at = skip(at, "0123456789");
    if text[at..].starts_with('.') {
        at = skip(at + 1, "0123456789");
    }
    let mut components = 1;
    if text[at..].starts_with('v') {
        let digit = text[at + 1..].chars().next().and_then(|c| c.to_digit(10)).filter(|n| (2..=4).contains(n));
        components = digit.unwrap_or(0) as u8;
        at += 1 + usize::from(digit.is_some());
    }
    at = skip(at, "lh");
    let letter = text[at..].chars().next();
    let mut end = at + letter.map_or(0, char::len_utf8);
    let known = letter.filter(|c| "diuxXofFeEgGaA".contains(*c) && components > 0);
    let Some(letter) = known else { return (Err(&text[..end]), end) };
    // `%ul` is another spelling of `%lu`.
    if letter == 'u' && text[end..].starts_with('l') {
        end += 1;
    }
    (Ok(Conversion { text: &text[..end], components, letter }), end)
}

impl<'db> Checker<'_, 'db> {
    /// Warns about arguments that a tool would display incorrectly.
    pub(super) fn check_format(&mut self, format: &str, args: &[Arg], span: Span) {
        let at = args.first().map_or(span, |arg| self.span(arg.expr()));
        let given: Vec<ExprId> = args.iter().skip(1).map(|arg| arg.expr()).collect();
        let found = conversions(format);
        for (n, conversion) in found.iter().enumerate() {
            match (conversion, given.get(n)) {
                (Err(text), _) => {
                    let known =
                        "conversions: `%d`, `%u`, `%x`, `%o`, `%f`, `%e`, `%g`, `%a`; 64 bits: `%ld`; vectors: `%v3f`";
                    let diagnostic = self.diagnostic(Code::FormatArgument, at, format!("unknown conversion `{text}`"));
                    return self.report(diagnostic.note(known));
                }
                (Ok(conversion), Some(arg)) => self.check_conversion(*conversion, *arg),
                (Ok(conversion), None) => {
                    let message = format!("missing argument for `{}`", conversion.text);
                    let diagnostic = self.diagnostic(Code::FormatArgument, at, message);
                    return self.report(diagnostic);
                }
            }
        }
        if let Some(extra) = given.get(found.len()) {
            let message = "the format has no conversion for this argument".to_owned();
            let diagnostic = self.diagnostic(Code::FormatArgument, self.span(*extra), message);
            self.report(diagnostic);
        }
    }

    fn check_conversion(&mut self, conversion: Conversion<'_>, arg: ExprId) {
        let ty = self.ty(arg);
        let Some(num) = self.num(ty) else { return };
        let Conversion { text, components, letter } = conversion;
        let wants_float = "fFeEgGaA".contains(letter);
        let is_long = text.contains('l');
        let size = num.comp.settled().repr().size();
        let wanted = match (wants_float, num.shape.components() == components) {
            (_, false) if components == 1 => "a scalar".to_owned(),
            (_, false) => format!("a vector of {components} components"),
            (true, true) if !num.comp.is_float() => "a floating-point number".to_owned(),
            (false, true) if num.comp.is_float() => "an integer".to_owned(),
            (false, true) if size == 8 && !is_long => "at most 32 bits".to_owned(),
            _ => return,
        };
        let letter = match (num.comp.is_float(), size) {
            (true, _) => "f".to_owned(),
            (false, 8) => format!("l{}", if num.comp.settled().is_signed() { 'd' } else { 'u' }),
            (false, _) => if num.comp.settled().is_signed() { "d" } else { "u" }.to_owned(),
        };
        let better = match num.shape.components() {
            1 => Some(format!("%{letter}")),
            n @ 2..=4 if !num.shape.is_matrix() => Some(format!("%v{n}{letter}")),
            _ => None,
        };
        let message = format!("`{text}` expects {wanted}, not `{}`", self.show(ty));
        let mut diagnostic = self.diagnostic(Code::FormatArgument, self.span(arg), message);
        if let Some(better) = better {
            diagnostic = diagnostic.note(format!("write `{better}`"));
        }
        self.report(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printf_conversions_are_parsed() {
        let all = |format: &str| -> Vec<String> {
            let one = |c: Result<Conversion<'_>, &str>| match c {
                Ok(c) => format!("{}={}{}", c.text, c.components, c.letter),
                Err(text) => format!("?{text}"),
            };
            conversions(format).into_iter().map(one).collect()
        };
        assert_eq!(all("a %d %5.2f|%-08x%% %v3f %1.2v4f"), ["%d=1d", "%5.2f=1f", "%-08x=1x", "%v3f=3f", "%1.2v4f=4f"]);
        assert_eq!(all("%lu %ul %lld"), ["%lu=1u", "%ul=1u", "%lld=1d"]);
        assert_eq!(all("%s %v5f % %ä%"), ["?%s", "?%v5", "?% %", "?%"]);
    }
}
