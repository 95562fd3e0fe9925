//! The results of a run.

use std::fmt;
use std::path::PathBuf;

use super::compare::counted;
use super::executor::Finding;

/// The result of one expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A description of the tested values.
    Pass(String),
    /// The first difference, with its index, expected and actual value.
    Fail(String),
    /// Why it could not be tested on this device.
    Skipped(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The subject of the expectation: a resource, `records of NODE`, or `findings`.
    pub subject: String,
    pub verdict: Verdict,
}

/// The result of a run, shown by `Display` one line per expectation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub device: String,
    pub outcomes: Vec<Outcome>,
    /// The output of mesh nodes, a line each.
    pub meshes: Vec<String>,
    /// All findings, expected or not.
    pub findings: Vec<Finding>,
    /// The messages that shaders printed, in order.
    pub messages: Vec<String>,
    /// The resources for `--print`: name and JSON.
    pub printed: Vec<(String, String)>,
    /// Files written for `--out`.
    pub written: Vec<PathBuf>,
}

impl Report {
    /// Returns whether no expectation failed.
    pub fn passed(&self) -> bool {
        self.failures() == 0
    }

    /// Returns 0 if every expectation holds, else 1.
    pub fn exit_code(&self) -> u8 {
        u8::from(!self.passed())
    }

    fn failures(&self) -> usize {
        self.outcomes.iter().filter(|o| matches!(o.verdict, Verdict::Fail(_))).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, json) in &self.printed {
            writeln!(f, "{name} = {json}")?;
        }
        for message in &self.messages {
            writeln!(f, "printf: {}", message.trim_end_matches('\n'))?;
        }
        for finding in &self.findings {
            writeln!(f, "warning[{}]: {}", finding.code, finding.message)?;
        }
        for line in &self.meshes {
            writeln!(f, "{line}")?;
        }
        for outcome in &self.outcomes {
            match &outcome.verdict {
                Verdict::Pass(what) => writeln!(f, "pass  {}: {what}", outcome.subject)?,
                Verdict::Fail(difference) => writeln!(f, "FAIL  {}: {difference}", outcome.subject)?,
                Verdict::Skipped(reason) => writeln!(f, "skip  {}: {reason}", outcome.subject)?,
            }
        }
        for file in &self.written {
            writeln!(f, "wrote {}", file.display())?;
        }
        let count = |is: fn(&Verdict) -> bool| self.outcomes.iter().filter(|o| is(&o.verdict)).count();
        let skipped = match count(|v| matches!(v, Verdict::Skipped(_))) {
            0 => String::new(),
            skipped => format!(", {skipped} not checked"),
        };
        let (failures, total) = (self.failures(), self.outcomes.len());
        let passed = counted(count(|v| matches!(v, Verdict::Pass(_))), "expectation");
        match (failures, total) {
            (_, 0) => writeln!(f, "ran on {}; nothing was expected", self.device),
            (0, _) => writeln!(f, "ran on {}; {passed} held{skipped}", self.device),
            _ => {
                let total = counted(total, "expectation");
                writeln!(f, "ran on {}; {failures} of {total} failed{skipped}", self.device)
            }
        }
    }
}
