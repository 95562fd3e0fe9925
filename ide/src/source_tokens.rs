//! The tokens of a file as written: names, numbers, strings, signs and whole directives, with their locations.
//!
//! They are available for incomplete text, independent of the preprocessor and the parser. This module knows brackets
//! and lines, but no grammar.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceTokenKind {
    Name,
    Number,
    /// A string with its quotes; `closed` if the second one is present.
    Text {
        closed: bool,
    },
    /// One character other than `::`.
    Sign(u8),
    /// The sign `::`.
    Scope,
    /// A directive from `#` to the end of its last line.
    Directive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceToken {
    pub kind: SourceTokenKind,
    pub lo: u32,
    pub hi: u32,
    /// The first token of its line.
    pub begins_line: bool,
    /// In the first column.
    pub at_margin: bool,
}

impl SourceToken {
    pub fn is(&self, sign: u8) -> bool {
        self.kind == SourceTokenKind::Sign(sign)
    }
}

/// A text with its tokens.
#[derive(Clone, Debug)]
pub struct SourceTokens<'t> {
    pub text: &'t [u8],
    pub all: Vec<SourceToken>,
    /// The comments, each with a flag for those that continue at their end, up to the end of a line or of the text.
    comments: Vec<(Range<u32>, bool)>,
    /// The partner of each bracket.
    partners: Vec<Option<u32>>,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl<'t> SourceTokens<'t> {
    pub fn new(text: &'t [u8]) -> SourceTokens<'t> {
        let mut tokens = SourceTokens { text, all: Vec::new(), comments: Vec::new(), partners: Vec::new() };
        tokens.read();
        tokens.pair();
        tokens
    }

    fn read(&mut self) {
        let text = self.text;
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        let (mut at, mut line, mut is_first) = (0, 0, true);
        while at < text.len() {
            let start = at;
            let kind = match byte(at) {
                b'\n' => {
                    (at, is_first) = (at + 1, true);
                    line = at;
                    continue;
                }
                c if c.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b'/' if byte(at + 1) == b'/' => {
                    at = end_of_line(text, at);
                    self.comments.push((start as u32..at as u32, true));
                    continue;
                }
                b'/' if byte(at + 1) == b'*' => {
                    let end = text[at + 2..].windows(2).position(|two| two == b"*/");
                    at = end.map_or(text.len(), |end| at + 2 + end + 2);
                    self.comments.push((start as u32..at as u32, end.is_none()));
                    if let Some(last) = text[start..at].iter().rposition(|c| *c == b'\n') {
                        line = start + last + 1;
                    }
                    continue;
                }
                b'#' if is_first => {
                    at = end_of_line(text, at);
                    SourceTokenKind::Directive
                }
                quote @ (b'"' | b'\'') => {
                    at += 1;
                    while at < text.len() && !matches!(byte(at), b'\n' | b'\r') && byte(at) != quote {
                        at += if byte(at) == b'\\' && !matches!(byte(at + 1), b'\n' | b'\r') { 2 } else { 1 };
                    }
                    at = at.min(text.len());
                    let closed = byte(at) == quote;
                    at += usize::from(closed);
                    SourceTokenKind::Text { closed }
                }
                c if c.is_ascii_digit() || c == b'.' && byte(at + 1).is_ascii_digit() => {
                    while is_name(byte(at)) || byte(at) == b'.' && !is_name_start(byte(at + 1)) {
                        at += 1;
                    }
                    SourceTokenKind::Number
                }
                c if is_name(c) => {
                    while is_name(byte(at)) {
                        at += 1;
                    }
                    SourceTokenKind::Name
                }
                b':' if byte(at + 1) == b':' => {
                    at += 2;
                    SourceTokenKind::Scope
                }
                c => {
                    at += 1;
                    SourceTokenKind::Sign(c)
                }
            };
            let at_margin = start == line;
            self.all.push(SourceToken { kind, lo: start as u32, hi: at as u32, begins_line: is_first, at_margin });
            is_first = false;
        }
    }

    /// Pairs the brackets. A closing bracket pairs with the last open one of its kind, but never with one outside the
    /// surrounding braces.
    fn pair(&mut self) {
        self.partners = vec![None; self.all.len()];
        let mut open: Vec<usize> = Vec::new();
        for (n, token) in self.all.iter().enumerate() {
            let SourceTokenKind::Sign(sign) = token.kind else { continue };
            if matches!(sign, b'(' | b'[' | b'{') {
                open.push(n);
            } else if let Some(depth) = closes(&self.all, &open, sign) {
                self.partners[n] = Some(open[depth] as u32);
                self.partners[open[depth]] = Some(n as u32);
                open.truncate(depth);
            }
        }
    }

    pub fn get(&self, n: usize) -> Option<&SourceToken> {
        self.all.get(n)
    }

    /// Returns whether the n-th token is this sign.
    pub fn is(&self, n: usize, sign: u8) -> bool {
        self.all.get(n).is_some_and(|token| token.is(sign))
    }

    /// Returns the text of the n-th token; "" if there is none, or if it is not UTF-8.
    pub fn str(&self, n: usize) -> &'t str {
        self.all.get(n).map_or("", |token| self.part(token.lo..token.hi))
    }

    pub fn part(&self, range: Range<u32>) -> &'t str {
        let bytes = self.text.get(range.start as usize..range.end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Returns the n-th token if it is a name, else "".
    pub fn name(&self, n: usize) -> &'t str {
        if self.all.get(n).is_some_and(|token| token.kind == SourceTokenKind::Name) { self.str(n) } else { "" }
    }

    pub fn partner(&self, n: usize) -> Option<usize> {
        self.partners.get(n).copied().flatten().map(|n| n as usize)
    }

    pub fn in_comment(&self, at: u32) -> bool {
        let n = self.comments.partition_point(|(range, _)| range.start < at);
        let last = n.checked_sub(1).and_then(|n| self.comments.get(n));
        last.is_some_and(|(range, goes_on)| at < range.end || *goes_on && at == range.end)
    }

    pub fn comments(&self) -> impl Iterator<Item = Range<u32>> {
        self.comments.iter().map(|(range, _)| range.clone())
    }

    /// Returns the comment that contains a byte or ends there.
    pub fn comment(&self, at: u32) -> Option<Range<u32>> {
        let n = self.comments.partition_point(|(range, _)| range.start <= at);
        let (range, _) = self.comments.get(n.checked_sub(1)?)?;
        (at <= range.end).then(|| range.clone())
    }

    /// Returns the index of the first token that ends after a byte.
    pub fn first_after(&self, at: u32) -> usize {
        self.all.partition_point(|token| token.hi <= at)
    }

    /// Returns the brackets that are open before the n-th token, outermost first. An unclosed bracket ends at the next
    /// token in the first column, and one inside a statement ends with it.
    pub fn open_brackets(&self, n: usize) -> Vec<usize> {
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in self.all.iter().enumerate().take(n) {
            let is_lost = |open: &usize| self.partner(*open).is_none();
            if token.at_margin && matches!(token.kind, SourceTokenKind::Name | SourceTokenKind::Sign(b'[')) {
                let lost = open.iter().position(|open| is_lost(open) && !self.opens_namespace(*open));
                open.truncate(lost.unwrap_or(open.len()));
            }
            let SourceTokenKind::Sign(sign) = token.kind else { continue };
            match sign {
                b'(' | b'[' | b'{' => open.push(at),
                b';' => {
                    while open.last().is_some_and(|last| !self.is(*last, b'{') && is_lost(last)) {
                        open.pop();
                    }
                }
                sign => open.truncate(closes(&self.all, &open, sign).unwrap_or(open.len())),
            }
        }
        open
    }

    fn opens_namespace(&self, brace: usize) -> bool {
        let start = self.statement(brace);
        (start..brace).any(|n| self.name(n) == "namespace")
    }

    /// Returns the first token of the statement or declaration that contains the n-th token, without enclosing
    /// constructs.
    pub fn statement(&self, n: usize) -> usize {
        let mut at = n;
        while let Some(before) = at.checked_sub(1) {
            match self.all[before].kind {
                SourceTokenKind::Sign(b';' | b'{' | b'}') | SourceTokenKind::Directive => break,
                SourceTokenKind::Sign(b')' | b']') => match self.partner(before) {
                    Some(partner) => at = partner,
                    None => at = before,
                },
                SourceTokenKind::Sign(b'(') if self.partner(before).is_none_or(|partner| partner >= n) => break,
                _ => at = before,
            }
        }
        at
    }
}

fn is_name_start(byte: u8) -> bool {
    is_name(byte) && !byte.is_ascii_digit() && !matches!(byte, b'e' | b'E' | b'f' | b'F' | b'h' | b'H' | b'l' | b'L')
}

/// Returns the number of brackets that stay open when a sign closes one; `None` if it closes none.
fn closes(tokens: &[SourceToken], open: &[usize], sign: u8) -> Option<usize> {
    let wanted = match sign {
        b')' => b'(',
        b']' => b'[',
        b'}' => b'{',
        _ => return None,
    };
    let depth = open.iter().rposition(|n| tokens[*n].is(wanted) || wanted != b'{' && tokens[*n].is(b'{'))?;
    tokens[open[depth]].is(wanted).then_some(depth)
}

/// Returns the end of a line that backslashes may continue.
fn end_of_line(text: &[u8], mut at: usize) -> usize {
    while let Some(length) = text[at..].iter().position(|c| *c == b'\n') {
        let end = at + length;
        let line = text[at..end].strip_suffix(b"\r").unwrap_or(&text[at..end]);
        if line.last() != Some(&b'\\') {
            return at + line.len();
        }
        at = end + 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_tokens() {
        let text = "#define A \\\n 1\nfloat2 v = a.x + 1.5f; // (\n/* { */ s(\"a\\\"b\", 'c') \"open\n ::b 1.xx";
        let tokens = SourceTokens::new(text.as_bytes());
        let all: Vec<&str> = (0..tokens.all.len()).map(|n| tokens.str(n)).collect();
        let expected = [
            "#define A \\\n 1",
            "float2",
            "v",
            "=",
            "a",
            ".",
            "x",
            "+",
            "1.5f",
            ";",
            "s",
            "(",
            "\"a\\\"b\"",
            ",",
            "'c'",
            ")",
            "\"open",
            "::",
            "b",
            "1",
            ".",
            "xx",
        ];
        assert_eq!(all, expected);
        let comment = text.find("// (").unwrap_or_default() as u32;
        assert!(tokens.in_comment(comment + 4) && !tokens.in_comment(comment) && !tokens.in_comment(comment + 5));
    }

    #[test]
    fn abandoned_brackets_are_not_reported_as_open() {
        let open = |text: &str| {
            let tokens = SourceTokens::new(text.as_bytes());
            tokens.open_brackets(tokens.all.len()).iter().map(|n| tokens.str(*n)).collect::<String>()
        };
        assert_eq!(open("void f() { if (a) { g(b[1"), "{{([");
        assert_eq!(open("void f() { if (a) {\n}\nvoid g() { h("), "{(");
        assert_eq!(open("[Node\nvoid g(uint a"), "(");
        assert_eq!(open("void f() { g(a, ; h["), "{[");
        assert_eq!(open("namespace n {\nvoid f() { } struct S {"), "{{");
    }
}
