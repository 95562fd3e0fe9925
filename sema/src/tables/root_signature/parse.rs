//! Parses the text of a root signature into clauses and ranges of registers, and reports errors in the text.

use super::clauses::{CLAUSES, Clause, ClauseValue, ROOT_FLAGS, is_filter};
use crate::tables::similar_names::closest;

/// An error and its byte offset in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub at: usize,
    pub message: String,
}

type Result<T> = std::result::Result<T, Error>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootSignature {
    /// In the order of the text.
    pub ranges: Vec<Range>,
    /// Words of `RootFlags`.
    pub flags: Vec<String>,
    pub parameters: Vec<Parameter>,
}

/// A clause outside tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name as the table of clauses spells it.
    pub clause: &'static str,
    /// The ranges of a table, or the single range of another clause.
    pub ranges: Vec<Range>,
    /// The settings by name, words in upper case.
    pub settings: Vec<(&'static str, String)>,
}

/// Registers of one class and space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// `b`, `t`, `u` or `s`.
    pub class: char,
    pub first: u32,
    /// Inclusive; `u32::MAX` when the range is unbounded.
    pub last: u32,
    pub space: u32,
    /// In upper case.
    pub visibility: String,
    /// For a range in a table: the number of descriptors before it.
    pub offset: u32,
}

/// The size limit of root arguments in 32-bit words.
const MAX_WORDS: u32 = 64;
const ALL: &str = "SHADER_VISIBILITY_ALL";

impl RootSignature {
    pub fn covers(&self, class: char, number: u32, space: u32) -> bool {
        self.ranges.iter().any(|r| r.class == class && r.space == space && (r.first..=r.last).contains(&number))
    }
}

impl Range {
    fn overlaps(&self, other: &Range) -> bool {
        let seen_together = self.visibility == other.visibility || self.visibility == ALL || other.visibility == ALL;
        (self.class, self.space) == (other.class, other.space)
            && seen_together
            && self.first <= other.last
            && other.first <= self.last
    }

    fn show(&self) -> String {
        let Range { class, first, last, space, .. } = self;
        let registers = match *last {
            last if last == *first => format!("{class}{first}"),
            u32::MAX => format!("{class}{first} and up"),
            last => format!("{class}{first} to {class}{last}"),
        };
        if *space == 0 { registers } else { format!("{registers} in space {space}") }
    }
}

/// Parses a root signature.
///
/// # Errors
/// Returns the first error in the text.
pub fn parse(text: &str) -> Result<RootSignature> {
    let mut p = Parser { text, at: 0, out: RootSignature::default(), words: 0 };
    let mut flags = false;
    while p.peek().is_some() {
        let (at, word) = p.word("a clause such as `UAV(u0)`")?;
        p.expect('(')?;
        if word.eq_ignore_ascii_case("RootFlags") {
            if std::mem::replace(&mut flags, true) {
                return Err(Error { at, message: "duplicate `RootFlags`".into() });
            }
            let words = p.value(ROOT_FLAGS)?;
            p.out.flags = words.split('|').filter(|word| !word.is_empty()).map(str::to_owned).collect();
            p.expect(')')?;
        } else {
            p.root_clause(at, word)?;
        }
        // DXC accepts a comma after the last clause, which macros leave there.
        if p.peek().is_some() {
            p.expect(',')?;
        }
    }
    Ok(p.out)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    out: RootSignature,
    words: u32,
}

/// The parameters of one clause that later checks need.
struct Parameters {
    register: Option<u32>,
    /// `None` is unbounded.
    count: Option<u32>,
    space: u32,
    visibility: Option<String>,
    constants: Option<u32>,
    /// The offset in its table; `None` follows the previous range.
    offset: Option<u32>,
    settings: Vec<(&'static str, String)>,
}

impl<'t> Parser<'t> {
    fn error(&self, message: impl Into<String>) -> Error {
        Error { at: self.at.min(self.text.len().saturating_sub(1)), message: message.into() }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Moves to the next character that is not a space, and returns it.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, c: char) -> Result<()> {
        if self.eat(c) { Ok(()) } else { Err(self.expected(&format!("`{c}`"))) }
    }

    fn expected(&mut self, what: &str) -> Error {
        let found = self.peek();
        let end = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        match (found, &self.rest()[..end]) {
            (None, _) => self.error(format!("expected {what}, found the end of the root signature")),
            (Some(c), "") => self.error(format!("expected {what}, found `{c}`")),
            (Some(_), word) => self.error(format!("expected {what}, found `{word}`")),
        }
    }

    /// Reads a run of letters, digits and `_`; returns its offset and text.
    fn word(&mut self, what: &str) -> Result<(usize, &'t str)> {
        self.peek();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected(what));
        }
        let at = self.at;
        self.at += end;
        Ok((at, &rest[..end]))
    }

    /// Reads a clause outside tables, after its `(`.
    fn root_clause(&mut self, at: usize, word: &str) -> Result<()> {
        let clause = find(at, word, |c| c.at_root.is_some())?;
        let first = self.out.ranges.len();
        if clause.register.is_none() {
            let visibility = self.table()?;
            let settings = visibility.map(|v| ("visibility", v)).into_iter().collect();
            self.parameter_of(clause, first, settings);
            return Ok(());
        }
        let p = self.parameters(at, clause, clause.at_root.unwrap_or_default())?;
        if clause.name == "RootConstants" && p.constants.is_none() {
            return Err(Error { at, message: "`RootConstants` needs its `num32BitConstants`".into() });
        }
        self.spend(at, clause.words + p.constants.unwrap_or(0))?;
        let visibility = p.visibility.clone();
        self.range(at, clause, &p, visibility.as_deref().unwrap_or(ALL), 0)?;
        self.parameter_of(clause, first, p.settings);
        Ok(())
    }

    /// Adds a parameter for a clause. Its ranges are those from `first` on.
    fn parameter_of(&mut self, clause: &Clause, first: usize, settings: Vec<(&'static str, String)>) {
        let ranges = self.out.ranges.get(first..).unwrap_or_default().to_vec();
        self.out.parameters.push(Parameter { clause: clause.name, ranges, settings });
    }

    /// Reads a descriptor table after `DescriptorTable(`. Returns its visibility.
    fn table(&mut self) -> Result<Option<String>> {
        let start = self.at;
        self.spend(start, 1)?;
        let mut clauses: Vec<(usize, &'static Clause, Parameters)> = Vec::new();
        let mut visibility = None;
        loop {
            let (at, word) = self.word("a range such as `SRV(t0)`")?;
            if word.eq_ignore_ascii_case("visibility") {
                if visibility.is_some() {
                    return Err(Error { at, message: "duplicate `visibility`".into() });
                }
                self.expect('=')?;
                visibility = Some(self.parameter("visibility")?);
            } else {
                self.expect('(')?;
                let clause = find(at, word, |c| c.in_table.is_some())?;
                let p = self.parameters(at, clause, clause.in_table.unwrap_or_default())?;
                let samplers = |c: &Clause| c.register == Some('s');
                if let Some((_, first, before)) = clauses.last() {
                    if samplers(first) != samplers(clause) {
                        let message = "samplers and other descriptors cannot share a table: their heaps are different";
                        return Err(Error { at, message: message.into() });
                    }
                    if before.count.is_none() && p.offset.is_none() {
                        let message = "a range after an unbounded range needs an `offset`";
                        return Err(Error { at, message: message.into() });
                    }
                }
                clauses.push((at, clause, p));
            }
            if !self.eat(',') {
                break;
            }
        }
        self.expect(')')?;
        if clauses.is_empty() {
            return Err(Error { at: start, message: "a descriptor table needs at least one range".into() });
        }
        let mut end = Some(0u32);
        for (at, clause, p) in &clauses {
            let first = p.offset.or(end);
            // A range after an unbounded one must give its own offset.
            end = first.and_then(|first| first.checked_add(p.count.unwrap_or(0)));
            let (Some(first), Some(_)) = (first, end) else {
                return Err(Error { at: *at, message: "the range ends after the last descriptor".into() });
            };
            self.range(*at, clause, p, visibility.as_deref().unwrap_or(ALL), first)?;
        }
        Ok(visibility)
    }

    /// Reads the parameters of a clause up to its `)`.
    fn parameters(&mut self, at: usize, clause: &Clause, known: &[(&'static str, ClauseValue)]) -> Result<Parameters> {
        let mut out = Parameters {
            register: None,
            count: Some(1),
            space: 0,
            visibility: None,
            constants: None,
            offset: None,
            settings: Vec::new(),
        };
        let mut seen: Vec<&str> = Vec::new();
        loop {
            let (place, word) = self.word("a register or a parameter")?;
            if !self.eat('=') {
                let class = clause.register.unwrap_or_default();
                let Some(number) = register(word, class) else {
                    let message = format!("`{}` expects a register `{class}..`, not `{word}`", clause.name);
                    return Err(Error { at: place, message });
                };
                if out.register.replace(number).is_some() {
                    return Err(Error { at: place, message: format!("`{}` expects one register", clause.name) });
                }
            } else {
                let Some((name, kind)) = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) else {
                    let names = known.iter().map(|(name, _)| *name);
                    let meant = closest(word, names).map(|m| format!("; did you mean `{m}`?")).unwrap_or_default();
                    let message = format!("unknown parameter `{word}` of `{}`{meant}", clause.name);
                    return Err(Error { at: place, message });
                };
                if seen.contains(name) {
                    return Err(Error { at: place, message: format!("duplicate `{name}`") });
                }
                seen.push(name);
                let value = self.value(*kind)?;
                let number = value.parse().ok();
                out.settings.push((name, value.clone()));
                match *name {
                    "numDescriptors" => out.count = number,
                    "space" => out.space = number.unwrap_or(0),
                    "visibility" => out.visibility = Some(value),
                    "num32BitConstants" => out.constants = number,
                    "offset" => out.offset = number,
                    _ => {}
                }
            }
            if !self.eat(',') {
                break;
            }
        }
        self.expect(')')?;
        if out.register.is_none() {
            return Err(Error { at, message: format!("`{}` has no register", clause.name) });
        }
        Ok(out)
    }

    /// Reads the value of a parameter of the table itself.
    fn parameter(&mut self, name: &str) -> Result<String> {
        let table = CLAUSES.iter().find(|c| c.register.is_none()).and_then(|c| c.at_root).unwrap_or_default();
        match table.iter().find(|(n, _)| *n == name) {
            Some((_, kind)) => self.value(*kind),
            None => Err(self.error(format!("a table has no parameter `{name}`"))),
        }
    }

    /// Reads a value; words become upper case.
    fn value(&mut self, kind: ClauseValue) -> Result<String> {
        if kind == ClauseValue::Float {
            return self.float();
        }
        let (at, word) = self.word("a value")?;
        let number = || number(word);
        let wrong = |message: String| Err(Error { at, message });
        match kind {
            ClauseValue::Number(min, max) => match number() {
                Some(n) if (min..=max).contains(&n) => Ok(n.to_string()),
                _ => wrong(format!("expected a number from {min} to {max}, found `{word}`")),
            },
            ClauseValue::Count if word.eq_ignore_ascii_case("unbounded") => Ok("UNBOUNDED".into()),
            ClauseValue::Count => match number() {
                Some(n) if n > 0 => Ok(n.to_string()),
                _ => wrong(format!("expected a number of at least 1 or `unbounded`, found `{word}`")),
            },
            ClauseValue::Offset if word.eq_ignore_ascii_case("DESCRIPTOR_RANGE_OFFSET_APPEND") => Ok("APPEND".into()),
            ClauseValue::Offset => match number() {
                Some(n) => Ok(n.to_string()),
                None => wrong(format!("expected a number or `DESCRIPTOR_RANGE_OFFSET_APPEND`, found `{word}`")),
            },
            ClauseValue::Word(words) => one_of(at, word, words),
            ClauseValue::Filter if is_filter(word) => Ok(word.to_ascii_uppercase()),
            ClauseValue::Filter => wrong(format!("unknown filter `{word}`")),
            ClauseValue::Flags(_) if word == "0" => Ok(String::new()),
            ClauseValue::Flags(words) => {
                let mut all = one_of(at, word, words)?;
                while self.eat('|') {
                    let (at, word) = self.word("a flag")?;
                    all = all + "|" + &one_of(at, word, words)?;
                }
                Ok(all)
            }
            ClauseValue::Float => self.float(),
        }
    }

    fn float(&mut self) -> Result<String> {
        self.peek();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(rest.len());
        let text = rest[..end].trim_end_matches(['f', 'F']);
        if text.parse::<f32>().is_err() {
            return Err(self.expected("a number"));
        }
        self.at += end;
        Ok(text.to_string())
    }

    fn spend(&mut self, at: usize, words: u32) -> Result<()> {
        self.words += words;
        if self.words > MAX_WORDS {
            let message = format!("the root arguments exceed {MAX_WORDS} words of 32 bits");
            return Err(Error { at, message });
        }
        Ok(())
    }

    /// Adds the registers of a clause.
    fn range(&mut self, at: usize, clause: &Clause, p: &Parameters, visibility: &str, offset: u32) -> Result<()> {
        let first = p.register.unwrap_or(0);
        let last = match p.count {
            None => Some(u32::MAX),
            Some(n) => first.checked_add(n - 1),
        };
        let Some(last) = last else {
            return Err(Error { at, message: "the range ends after the last register".into() });
        };
        let class = clause.register.unwrap_or_default();
        let range = Range { class, first, last, space: p.space, visibility: visibility.to_string(), offset };
        if let Some(old) = self.out.ranges.iter().find(|r| r.overlaps(&range)) {
            let message = format!("the registers {} overlap {}, declared earlier", range.show(), old.show());
            return Err(Error { at, message });
        }
        self.out.ranges.push(range);
        Ok(())
    }
}

fn find(at: usize, word: &str, fits: impl Fn(&Clause) -> bool) -> Result<&'static Clause> {
    if let Some(clause) = CLAUSES.iter().find(|c| c.name.eq_ignore_ascii_case(word)) {
        if fits(clause) {
            return Ok(clause);
        }
        let place = if clause.at_root.is_some() {
            "is not allowed inside a descriptor table"
        } else {
            "is only allowed inside a descriptor table"
        };
        return Err(Error { at, message: format!("`{}` {place}", clause.name) });
    }
    let names = CLAUSES.iter().map(|c| c.name).chain(["RootFlags"]);
    let meant = closest(word, names).map(|m| format!("; did you mean `{m}`?")).unwrap_or_default();
    Err(Error { at, message: format!("`{word}` is not an element of a root signature{meant}") })
}

fn one_of(at: usize, word: &str, words: &[&str]) -> Result<String> {
    if words.iter().any(|w| w.eq_ignore_ascii_case(word)) {
        return Ok(word.to_ascii_uppercase());
    }
    let meant = closest(word, words.iter().copied()).map(|m| format!("; did you mean `{m}`?")).unwrap_or_default();
    Err(Error { at, message: format!("unknown value `{word}`{meant}") })
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// Returns the register number if the word names a register of the class.
fn register(word: &str, class: char) -> Option<u32> {
    let digits = word.strip_prefix(class).or(word.strip_prefix(class.to_ascii_uppercase()))?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example from the documentation.
    const EXAMPLE: &str = "RootFlags( ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | DENY_VERTEX_SHADER_ROOT_ACCESS), \
        CBV(b0, space = 1), SRV(t0), UAV(u0, visibility = SHADER_VISIBILITY_GEOMETRY), \
        DescriptorTable( CBV(b0), UAV(u1, numDescriptors = 2), SRV(t1, numDescriptors = unbounded)), \
        DescriptorTable(Sampler(s0, numDescriptors = 2)), RootConstants(num32BitConstants=1, b9), \
        DescriptorTable( UAV(u3), UAV(u4), UAV(u5, offset=1)), StaticSampler(s2), \
        StaticSampler(s3, addressU = TEXTURE_ADDRESS_CLAMP, filter = FILTER_MIN_MAG_MIP_LINEAR, mipLODBias = -0.5f)";

    #[test]
    fn example_root_signature_covers_its_registers() {
        let signature = parse(EXAMPLE).unwrap();
        assert_eq!(signature.ranges.len(), 13);
        for (covered, class, number, space) in [
            (true, 'b', 0, 1),
            (true, 'b', 0, 0),
            (false, 'b', 1, 0),
            (true, 'u', 2, 0),
            (false, 'u', 6, 0),
            (true, 't', 4_000_000_000, 0),
            (false, 't', 1, 1),
            (true, 's', 1, 0),
            (true, 's', 3, 0),
            (true, 'b', 9, 0),
        ] {
            assert_eq!(signature.covers(class, number, space), covered, "{class}{number}, space {space}");
        }
        let offsets: Vec<u32> = signature.ranges.iter().map(|range| range.offset).collect();
        // CBV, SRV, UAV; the first table; samplers; constants; the third table; static samplers.
        assert_eq!(offsets, [0, 0, 0, 0, 1, 3, 0, 0, 0, 1, 1, 0, 0]);
        assert_eq!(parse(""), Ok(RootSignature::default()));
        assert_eq!(parse("UAV(u0), SRV(t0) , "), parse("UAV(u0), SRV(t0)"));
        assert_eq!(parse("RootFlags(0),"), parse("RootFlags(0)"));
        assert_eq!(parse("rootflags(0), uav(U3, SPACE=0x2)").unwrap().ranges[0].space, 2);
    }

    #[test]
    fn root_signature_errors_have_offsets() {
        for (text, at, part) in [
            ("SRV(t0), UVA(u0)", 9, "did you mean `UAV`?"),
            ("UAV(u0", 5, "expected `)`, found the end"),
            ("UAV(u0))", 7, "expected `,`, found `)`"),
            ("UAV(u0),, SRV(t0)", 8, "a clause such as `UAV(u0)`"),
            (", UAV(u0)", 0, "a clause such as `UAV(u0)`"),
            ("UAV(t0)", 4, "expects a register `u..`, not `t0`"),
            ("UAV(space = 1)", 0, "has no register"),
            ("UAV(u0, numDescriptors = 2)", 8, "unknown parameter `numDescriptors`"),
            ("UAV(u0, space = 4294967280)", 16, "from 0 to 4294967279"),
            ("UAV(u0, space = 1, space = 1)", 19, "duplicate `space`"),
            ("Sampler(s0)", 0, "is only allowed inside a descriptor table"),
            ("DescriptorTable(StaticSampler(s0))", 16, "is not allowed inside"),
            ("DescriptorTable(visibility = SHADER_VISIBILITY_ALL)", 16, "at least one range"),
            ("DescriptorTable(SRV(t0), Sampler(s0))", 25, "their heaps are different"),
            ("DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0))", 53, "unbounded range"),
            ("DescriptorTable(SRV(t4294967295, numDescriptors = 2))", 16, "after the last register"),
            ("DescriptorTable(SRV(t0), UAV(u0, offset = 4294967295))", 25, "after the last descriptor"),
            ("DescriptorTable(SRV(t0, numDescriptors = 0))", 41, "at least 1"),
            ("CBV(b3), RootConstants(num32BitConstants = 4, b3)", 9, "the registers b3 overlap b3"),
            ("DescriptorTable(SRV(t0, numDescriptors = 4)), SRV(t3)", 46, "t3 overlap t0 to t3, declared earlier"),
            ("RootConstants(b0)", 0, "needs its `num32BitConstants`"),
            ("RootConstants(num32BitConstants = 63, b0), UAV(u0)", 43, "exceed 64 words"),
            ("RootFlags(0), RootFlags(0)", 14, "duplicate `RootFlags`"),
            ("RootFlags(ALLOW_STREAM_OUTPUTS)", 10, "did you mean `ALLOW_STREAM_OUTPUT`?"),
            ("StaticSampler(s0, filter = FILTER_NONE)", 27, "unknown filter"),
            ("StaticSampler(s0, maxLOD = high)", 27, "expected a number, found `high`"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.message.contains(part), "{text}: {}", error.message);
            assert_eq!(error.at, at, "{text}: {}", error.message);
        }
        // Different stages do not see each other's registers.
        let stages = "SRV(t0, visibility = SHADER_VISIBILITY_PIXEL), SRV(t0, visibility = SHADER_VISIBILITY_MESH)";
        assert!(parse(stages).is_ok());
        assert!(parse(&stages.replace("SHADER_VISIBILITY_MESH", "SHADER_VISIBILITY_ALL")).is_err());
    }
}
