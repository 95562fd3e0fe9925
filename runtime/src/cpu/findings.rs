//! Undefined behaviour that the CPU device detects, and the behaviour that replaces it.

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

/// The kinds of findings. Codes are stable: run files name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    OutOfRange,
    PartialBarrier,
    TooManyRecords,
    MissingEnqueue,
    UseAfterEnqueue,
    GridAboveMaximum,
    RecursionPastLimit,
    MissingTarget,
    VaryingGroupCall,
    UnboundResource,
    Uninitialised,
    DataRace,
    UseAfterFinish,
    FinishedTwice,
    MeshElement,
    MeshBeforeCounts,
    MeshTooLarge,
    MeshCountsTwice,
    MeshIndex,
    EmptyGrid,
    FinishedByHost,
}

/// Kind, code, meaning, and the device's behaviour in place of the undefined.
pub const TABLE: &[(Code, &str, &str, &str)] = &[
    (Code::OutOfRange, "WG4001", "access outside its memory", "writes are dropped, reads give zero"),
    (Code::PartialBarrier, "WG4002", "barrier reached by a part of the workgroup", "those that reached it go on"),
    (Code::TooManyRecords, "WG4003", "more records than MaxRecords", "they are allocated all the same"),
    (Code::MissingEnqueue, "WG4004", "records never completed", "they are dropped"),
    (Code::UseAfterEnqueue, "WG4005", "record used after its completion", "the use is ignored"),
    (Code::GridAboveMaximum, "WG4006", "dispatch grid above its maximum", "it is cut to the maximum"),
    (Code::RecursionPastLimit, "WG4007", "recursion past its limit", "the records are dropped"),
    (Code::MissingTarget, "WG4008", "records for a node that the output does not reach", "they are dropped"),
    (Code::VaryingGroupCall, "WG4009", "group call in varying control flow", "those that reached it make the call"),
    (Code::UnboundResource, "WG4010", "resource with nothing bound", "writes are dropped, reads give zero"),
    (Code::Uninitialised, "WG4011", "value used that nothing has defined", "it is what lies there, often zero"),
    (Code::DataRace, "WG4012", "data race", "each access is made when its thread comes to it"),
    (
        Code::UseAfterFinish,
        "WG4013",
        "record touched after FinishedCrossGroupSharing",
        "the access is made all the same",
    ),
    (Code::FinishedTwice, "WG4014", "FinishedCrossGroupSharing called again", "the first call counts"),
    (Code::MeshElement, "WG4015", "write to an element of a mesh that is not put out", "it is lost"),
    (Code::MeshBeforeCounts, "WG4016", "mesh written before its size is set", "the write is made all the same"),
    (Code::MeshTooLarge, "WG4017", "mesh larger than it may be", "it is cut to the maximum"),
    (Code::MeshCountsTwice, "WG4018", "size of a mesh set again", "the first call counts"),
    (Code::MeshIndex, "WG4019", "primitive of a vertex that is not put out", "it is put out all the same"),
    (Code::EmptyGrid, "WG4020", "fixed dispatch grid of no workgroups", "the records are dropped"),
    (
        Code::FinishedByHost,
        "WG4021",
        "FinishedCrossGroupSharing in a node that the host dispatched",
        "it answers as for records of other nodes",
    ),
];

impl Code {
    fn row(self) -> Option<&'static (Code, &'static str, &'static str, &'static str)> {
        TABLE.iter().find(|row| row.0 == self)
    }

    /// Returns the code, `WG4001` and so on.
    pub fn id(self) -> &'static str {
        self.row().map_or("", |r| r.1)
    }

    pub fn meaning(self) -> &'static str {
        self.row().map_or("", |r| r.2)
    }

    pub fn instead(self) -> &'static str {
        self.row().map_or("", |r| r.3)
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

type Key = (Code, String, u32);

impl Findings {
    pub fn new(sanitize: Sanitize) -> Findings {
        Findings { sanitize, ..Findings::default() }
    }

    /// Records one; `who` is the thread and its record. Returns an error if findings are errors.
    pub fn report(
        &mut self,
        code: Code,
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
        let message = format!("{}: {}{place}; {}", code.meaning(), what(), code.instead());
        let finding = Finding { code: code.id(), message, node: node.to_string(), count: 1 };
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
    fn codes_are_unique_and_all_there() {
        let mut ids: Vec<_> = TABLE.iter().map(|r| r.1).collect();
        ids.dedup();
        assert_eq!(ids.len(), TABLE.len());
        assert!(TABLE.iter().all(|r| r.0.id() == r.1));
    }

    #[test]
    fn the_same_place_counts_once() {
        let mut f = Findings::default();
        for word in [7, 7, 9] {
            f.report(Code::OutOfRange, "n", At { word, lines: &Lines::default() }, || "x".into(), String::new).unwrap();
        }
        assert_eq!(f.list().iter().map(|x| x.count).collect::<Vec<_>>(), [2, 1]);
        f.sanitize = Sanitize::Error;
        assert!(
            f.report(Code::OutOfRange, "n", At { word: 10, lines: &Lines::default() }, || "x".into(), String::new)
                .is_err()
        );
    }
}
