//! Undefined behaviour that the CPU device detects, and the behaviour that replaces it.
//!
//! # Examples
//!
//! Each example in `findings.in` is a whole program. [`COMMAND`] runs it with [`RUN_FILE`], or with the text after its
//! line `// file: run.json`. `tests/explained.rs` does so: the wrong example has the finding of its row and no other.

use indexmap::IndexMap;
use std::fmt;
use wgc_spirv_module::Lines;

/// The reaction to findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sanitize {
    /// Record them and continue as hardware commonly does.
    #[default]
    Warn,
    /// The first one ends the run with an error.
    Error,
    /// Continue silently.
    Off,
}

/// A row of the table of findings.
#[derive(Clone, Copy, Debug)]
pub struct FindingRow {
    /// `WG4001`
    pub id: &'static str,
    pub subject: Subject,
    /// One line, without a full stop.
    pub meaning: &'static str,
    /// The behaviour of the device in place of the undefined one.
    pub instead: &'static str,
    /// The mistake and its correction, for a reader who does not know the specification.
    pub explanation: &'static str,
    /// A program with this finding and no other. Empty if no source that wgc accepts has it.
    pub bad: &'static str,
    /// The corrected program, without findings.
    pub good: &'static str,
    /// A section of a specification.
    pub spec: &'static str,
}

/// The parts of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Memory,
    Records,
    Meshes,
}

/// The command that runs an example.
pub const COMMAND: &str = "wgc run example.hlsl --inputs run.json --target spirv-amdx";

/// The run file of an example that has none of its own.
pub const RUN_FILE: &str = r#"{
  "resources": { "Data": { "fill_u32": [4, 16] } },
  "dispatch": [ { "inputs": [ { "node": "Main", "count": 1 } ] } ],
  "expect_findings": []
}
"#;

macro_rules! findings {
    ($($number:literal $variant:ident $subject:ident $meaning:literal => $instead:literal
       $explanation:literal bad $bad:literal good $good:literal spec $spec:literal;)*) => {
        /// The kinds of findings. Codes are stable: run files name them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FindingCode { $($variant,)* }

        /// Rows in the order of `FindingCode`.
        pub const TABLE: &[FindingRow] = &[$(FindingRow {
            id: concat!("WG", $number),
            subject: Subject::$subject,
            meaning: $meaning,
            instead: $instead,
            explanation: $explanation,
            bad: program($bad),
            good: program($good),
            spec: $spec,
        },)*];
    };
}

include!("findings.in");

/// Returns an example without the line break at the start of its raw string.
const fn program(text: &'static str) -> &'static str {
    match text.as_bytes() {
        [b'\n', ..] => text.split_at(1).1,
        _ => text,
    }
}

impl FindingCode {
    pub fn row(self) -> &'static FindingRow {
        &TABLE[self as usize]
    }
}

/// One thing that happened, however often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `WG4001` and so on.
    pub code: &'static str,
    /// The first occurrence: the error, its location, and the behaviour in its place.
    pub message: String,
    /// The node, or the entry point of a plain compute shader.
    pub node: String,
    pub count: u64,
}

impl Finding {
    /// Describes the finding without its code.
    pub fn describe(&self) -> String {
        let times = if self.count > 1 { format!(" ({} times)", self.count) } else { String::new() };
        format!("{}: {}{times}", self.node, self.message)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.describe())
    }
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Its place in the module, 0 for none.
    pub word: u32,
    pub lines: &'a Lines,
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lines.at(self.word) {
            Some(line) => write!(f, "{line}"),
            None => write!(f, "module word {}", self.word),
        }
    }
}

/// Collects findings, one per kind and place (entry point and word of the module).
#[derive(Debug, Default)]
pub struct Findings {
    sanitize: Sanitize,
    list: Vec<Finding>,
    index: IndexMap<Key, usize>,
}

type Key = (FindingCode, String, u32);

impl Findings {
    pub fn new(sanitize: Sanitize) -> Findings {
        Findings { sanitize, ..Findings::default() }
    }

    /// Records one; `who` is the thread and its record. Returns an error if findings are errors.
    pub fn report(
        &mut self,
        code: FindingCode,
        node: &str,
        at: At<'_>,
        what: impl FnOnce() -> String,
        who: impl FnOnce() -> String,
    ) -> Result<(), String> {
        if self.sanitize == Sanitize::Off {
            return Ok(());
        }
        let key = (code, node.to_string(), at.word);
        if let Some(finding) = self.index.get(&key).and_then(|&i| self.list.get_mut(i)) {
            finding.count += 1;
            return Ok(());
        }
        let place = match (at.word, who()) {
            (0, who) if who.is_empty() => String::new(),
            (0, who) => format!(" ({who})"),
            (_, who) if who.is_empty() => format!(" ({at})"),
            (_, who) => format!(" ({at}; {who})"),
        };
        let row = code.row();
        let message = format!("{}: {}{place}; {}", row.meaning, what(), row.instead);
        let finding = Finding { code: row.id, message, node: node.to_string(), count: 1 };
        let text = finding.to_string();
        self.index.insert(key, self.list.len());
        self.list.push(finding);
        if self.sanitize == Sanitize::Error { Err(text) } else { Ok(()) }
    }

    pub fn is_off(&self) -> bool {
        self.sanitize == Sanitize::Off
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Appends the findings of another thread.
    pub fn append(&mut self, other: Findings) {
        for (key, at) in other.index {
            let Some(finding) = other.list.get(at) else { continue };
            match self.index.get(&key).and_then(|&i| self.list.get_mut(i)) {
                Some(known) => known.count += finding.count,
                None => {
                    self.index.insert(key, self.list.len());
                    self.list.push(finding.clone());
                }
            }
        }
    }

    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.index.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_at_one_location_are_merged() {
        let mut f = Findings::default();
        for word in [7, 7, 9] {
            f.report(FindingCode::OutOfRange, "n", At { word, lines: &Lines::default() }, || "x".into(), String::new)
                .unwrap();
        }
        assert_eq!(f.list().iter().map(|x| x.count).collect::<Vec<_>>(), [2, 1]);
        f.sanitize = Sanitize::Error;
        assert!(
            f.report(
                FindingCode::OutOfRange,
                "n",
                At { word: 10, lines: &Lines::default() },
                || "x".into(),
                String::new
            )
            .is_err()
        );
    }
}
