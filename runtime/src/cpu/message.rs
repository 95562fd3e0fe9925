//! The messages that shaders print: the texts of NonSemantic.DebugPrintf, filled in for each thread.
//!
//! Formats are those of C's `printf` for numbers, and `%v3f` for a vector. Arguments are used component by component,
//! so that `%f %f` prints a vector of two as well. A conversion without an argument, or not of a number, is printed
//! unchanged.

use std::fmt::Write;

/// Further messages are counted but not kept.
const MOST: usize = 1 << 14;

/// One component of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

/// Messages in the order in which threads printed them.
#[derive(Debug, Default)]
pub struct Messages {
    list: Vec<String>,
    more: u64,
}

impl Messages {
    pub fn add(&mut self, text: String) {
        if self.list.len() < MOST { self.list.push(text) } else { self.more += 1 }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.more == 0
    }

    /// Appends the messages of another thread.
    pub fn append(&mut self, other: Messages) {
        self.more += other.more;
        other.list.into_iter().for_each(|text| self.add(text));
    }

    /// Takes all messages; the last one counts the missing ones.
    pub fn take(&mut self) -> Vec<String> {
        let mut list = std::mem::take(&mut self.list);
        match std::mem::take(&mut self.more) {
            0 => {}
            more => list.push(format!("({more} more)")),
        }
        list
    }
}

/// `%-08.3f`, parsed.
#[derive(Debug, Default)]
struct Conversion {
    left: bool,
    zeros: bool,
    plus: bool,
    width: usize,
    precision: Option<usize>,
    /// Components of `%v3f`, else 1.
    components: usize,
    letter: char,
}

/// Returns the text with its conversions replaced.
pub fn format(text: &str, numbers: &[Number]) -> String {
    let mut out = String::new();
    let mut numbers = numbers.iter().copied();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, conversion) = rest.split_at(at);
        out += before;
        if let Some(after) = conversion.strip_prefix("%%") {
            out.push('%');
            rest = after;
            continue;
        }
        let Some((parsed, length)) = parse(conversion) else {
            out.push('%');
            rest = &conversion[1..];
            continue;
        };
        let given: Vec<Number> = numbers.by_ref().take(parsed.components).collect();
        if given.len() < parsed.components {
            out += &conversion[..length];
        }
        let shown: Vec<String> = given.iter().map(|n| one(&parsed, *n)).collect();
        out += &shown.join(", ");
        rest = &conversion[length..];
    }
    out + rest
}

/// Parses the conversion after `%`; returns its length in bytes too.
fn parse(text: &str) -> Option<(Conversion, usize)> {
    let mut c = Conversion { components: 1, ..Conversion::default() };
    let mut rest = text.strip_prefix('%')?;
    while let Some(flag) = rest.chars().next().filter(|c| "-0+ #".contains(*c)) {
        c.left |= flag == '-';
        c.zeros |= flag == '0';
        c.plus |= flag == '+';
        rest = &rest[1..];
    }
    c.width = digits(&mut rest).unwrap_or(0);
    if let Some(after) = rest.strip_prefix('.') {
        rest = after;
        c.precision = Some(digits(&mut rest).unwrap_or(0));
    }
    if let Some(after) = rest.strip_prefix('v') {
        rest = after;
        c.components = digits(&mut rest).filter(|n| (2..=4).contains(n))?;
    }
    rest = rest.trim_start_matches(['l', 'h']);
    c.letter = rest.chars().next().filter(|c| "diuxXofFeEgGaA".contains(*c))?;
    // `%ul` is an alternative spelling of `%lu`.
    let mut length = text.len() - rest.len() + 1;
    if c.letter == 'u' && rest[1..].starts_with('l') {
        length += 1;
    }
    Some((c, length))
}

fn digits(rest: &mut &str) -> Option<usize> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    *rest = after;
    // No width is so large.
    number.parse().ok().map(|n: usize| n.min(1000))
}

fn one(c: &Conversion, number: Number) -> String {
    let (signed, unsigned, float) = match number {
        Number::Signed(n) => (n, n as u64, n as f64),
        Number::Unsigned(n) => (n as i64, n, n as f64),
        Number::Float(x) => (x as i64, x as u64, x),
    };
    let precision = c.precision.unwrap_or(6);
    let (negative, mut digits) = match c.letter {
        'd' | 'i' => (signed < 0, signed.unsigned_abs().to_string()),
        'u' => (false, unsigned.to_string()),
        'x' => (false, format!("{unsigned:x}")),
        'X' => (false, format!("{unsigned:X}")),
        'o' => (false, format!("{unsigned:o}")),
        _ if float.is_nan() => (false, "nan".to_owned()),
        _ if float.is_infinite() => (float < 0.0, "inf".to_owned()),
        'f' | 'F' => (float.is_sign_negative(), format!("{:.precision$}", float.abs())),
        'g' | 'G' => (float.is_sign_negative(), shortest(float.abs(), precision)),
        _ => (float.is_sign_negative(), scientific(float.abs(), precision)),
    };
    if c.letter.is_ascii_uppercase() {
        digits.make_ascii_uppercase();
    }
    if let (Some(least), true) = (c.precision, "diuxXo".contains(c.letter)) {
        digits = format!("{digits:0>least$}");
    }
    let sign = match (negative, c.plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    let width = c.width.saturating_sub(sign.len());
    if c.left {
        format!("{sign}{digits:<width$}")
    } else if c.zeros {
        format!("{sign}{digits:0>width$}")
    } else {
        format!("{:>1$}", format!("{sign}{digits}"), c.width)
    }
}

/// Formats a number as `1.500000e+00`.
fn scientific(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
    let mut out = String::new();
    let _ = write!(out, "{digits}e{sign}{exponent:0>2}");
    out
}

/// Formats for `%g`: this many digits in all, without trailing zeros.
fn shortest(x: f64, precision: usize) -> String {
    let precision = precision.max(1);
    let text = scientific(x, precision - 1);
    let exponent = text.split_once('e').and_then(|(_, e)| e.parse::<i64>().ok()).unwrap_or(0);
    if (-4..precision as i64).contains(&exponent) {
        return trimmed(&format!("{x:.*}", (precision as i64 - 1 - exponent) as usize)).to_owned();
    }
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
    format!("{}e{exponent}", trimmed(digits))
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_like_printf() {
        use Number::{Float as F, Signed as S, Unsigned as U};
        for (text, numbers, wanted) in [
            ("%d %i|%5d|%-5d|%05d|%+d", &[S(-3), S(4), S(-5), S(6), S(-7), S(8)][..], "-3 4|   -5|6    |-0007|+8"),
            ("%u %x %X %o %ul %lu", &[U(1), U(255), U(255), U(8), U(1 << 40), U(2)], "1 ff FF 10 1099511627776 2"),
            ("%f %.2f %8.3f %.0f", &[F(1.5), F(-0.125), F(2.0), F(7.0)], "1.500000 -0.12    2.000 7"),
            ("%e %.1E", &[F(1500.0), F(-0.0025)], "1.500000e+03 -2.5E-03"),
            ("%g %g %g %g", &[F(0.5), F(1e10), F(100000.0), F(1e-5)], "0.5 1e+10 100000 1e-05"),
            ("%v3f; %v2d", &[F(1.0), F(2.0), F(3.0), S(4), S(5)], "1.000000, 2.000000, 3.000000; 4, 5"),
            ("%f %f %d", &[F(f64::NAN), F(f64::NEG_INFINITY), S(i64::MIN)], "nan -inf -9223372036854775808"),
            ("100%% of %d", &[S(1)], "100% of 1"),
            // Too few arguments, no number, no conversion.
            ("%d %d", &[S(1)], "1 %d"),
            ("%s %", &[S(1)], "%s %"),
            ("%.4d", &[S(-12)], "-0012"),
        ] {
            assert_eq!(format(text, numbers), wanted, "{text}");
        }
    }

    #[test]
    fn message_count_is_limited() {
        let mut messages = Messages::default();
        (0..MOST + 3).for_each(|i| messages.add(i.to_string()));
        let list = messages.take();
        assert_eq!((list.len(), list[MOST].as_str()), (MOST + 1, "(3 more)"));
        assert!(messages.take().is_empty());
    }
}
