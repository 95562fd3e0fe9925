//! The registry of codes: all diagnostics of the compiler, findings of the CPU device and rules of the verifier.
//!
//! Each crate keeps its table next to the code that reports the rows. This list unites the tables, so that each reader
//! knows every code: `wgc explain`, `docs/diagnostics.md`, and the language server. [`page`] has their texts.

pub mod page;

use std::sync::LazyLock;
use wgc_runtime::cpu::{FINDINGS, FindingRow, Subject};
use wgc_sema::tables::codes::{CodeRow, Severity, TABLE};
use wgc_spirv_module::Level;
use wgc_spirv_module::verify::amdx::{AmdxRule, RULES};
use wgc_spirv_module::verify::{RULES as CORE_RULES, Rule};

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `WG0401`, `WG4001`, `AMDX-12` or `core-dominance`
    pub code: &'static str,
    /// `missing-target`. Empty for codes that only the compiler's options could name.
    pub name: &'static str,
    pub kind: CodeKind,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// Empty for rules of SPIR-V: their summaries are the specification's requirements.
    pub explanation: &'static str,
    /// A program that gets this code and no other. Empty if no program of ours can have it.
    pub bad: &'static str,
    /// The corrected program.
    pub good: &'static str,
    /// A section of a specification; may be empty.
    pub spec: String,
}

/// The table of a row, with the columns that only this table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    Diagnostic(Severity),
    Finding {
        subject: Subject,
        /// The behaviour of the device in place of the undefined one.
        instead: &'static str,
    },
    ExtensionRule(Level),
    CoreRule,
}

impl From<&CodeRow> for Entry {
    fn from(row: &CodeRow) -> Entry {
        let CodeRow { code, name, severity, summary, explanation, bad, good, spec } = *row;
        Entry { code, name, kind: CodeKind::Diagnostic(severity), summary, explanation, bad, good, spec: spec.into() }
    }
}

impl From<&FindingRow> for Entry {
    fn from(row: &FindingRow) -> Entry {
        let FindingRow { id, subject, meaning, instead, explanation, bad, good, spec } = *row;
        let kind = CodeKind::Finding { subject, instead };
        Entry { code: id, name: "", kind, summary: meaning, explanation, bad, good, spec: full_names(spec) }
    }
}

impl From<&AmdxRule> for Entry {
    fn from(rule: &AmdxRule) -> Entry {
        let AmdxRule { id, level, spec, summary, explanation, .. } = *rule;
        let kind = CodeKind::ExtensionRule(level);
        Entry { code: id, name: "", kind, summary, explanation, bad: "", good: "", spec: full_names(spec) }
    }
}

impl From<&Rule> for Entry {
    fn from(rule: &Rule) -> Entry {
        let Rule { id, spec, summary } = *rule;
        // Sections without a document are SPIR-V's.
        let spec = if spec.starts_with(|c: char| c.is_ascii_digit()) { format!("SPIR-V, {spec}") } else { spec.into() };
        Entry { code: id, name: "", kind: CodeKind::CoreRule, summary, explanation: "", bad: "", good: "", spec }
    }
}

/// Writes the names of the extension's two texts in full.
fn full_names(spec: &str) -> String {
    let names = [("SPV ", "SPV_AMDX_shader_enqueue, "), ("VK ", "VK_AMDX_shader_enqueue, ")];
    let full = |part: &str| {
        let name = names.iter().find_map(|(short, full)| Some(format!("{full}{}", part.strip_prefix(short)?)));
        name.unwrap_or_else(|| part.into())
    };
    spec.split("; ").map(full).collect::<Vec<_>>().join("; ")
}

/// Returns all rows: those of the compiler, the CPU device, the extension and SPIR-V, each in the order of its table.
pub fn all() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let own = TABLE.iter().map(Entry::from).chain(FINDINGS.iter().map(Entry::from));
        let rules = RULES.iter().map(Entry::from).chain(CORE_RULES.iter().map(|rule| Entry::from(*rule)));
        own.chain(rules).collect()
    });
    &ALL
}

/// Finds a row by its code or name. Codes may have any case, and need no hyphen, prefix `WG` or zeros after it:
/// `AMDX-12` and `amdx12` are one, and so are `WG0303` and `303`.
pub fn find(text: &str) -> Option<&'static Entry> {
    if let Some(code) = wgc_sema::Code::find(text) {
        return all().iter().find(|entry| entry.code == code.row().code);
    }
    let key = |code: &str| code.to_ascii_uppercase().replace('-', "");
    let wanted = key(text);
    all().iter().filter(|entry| !matches!(entry.kind, CodeKind::Diagnostic(_))).find(|entry| {
        let key = key(entry.code);
        key == wanted || key.strip_prefix("WG") == Some(wanted.as_str())
    })
}

impl Entry {
    /// Returns `error`, `warning`, `hint` or `finding`.
    pub fn level(&self) -> &'static str {
        match self.kind {
            CodeKind::Diagnostic(Severity::Error) => "error",
            CodeKind::Diagnostic(Severity::Warning) => "warning",
            CodeKind::Diagnostic(Severity::Hint) => "hint",
            CodeKind::Finding { .. } => "finding",
            CodeKind::ExtensionRule(level) => level.name(),
            CodeKind::CoreRule => Level::Error.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_each_table_is_in_order() {
        let names = all().iter().map(|entry| entry.name).filter(|name| !name.is_empty());
        let mut seen = BTreeSet::new();
        for code in all().iter().map(|entry| entry.code).chain(names) {
            assert!(seen.insert(code.to_ascii_lowercase()), "{code} is in two rows");
        }
        let is_numbered = |entry: &&Entry| entry.kind != CodeKind::CoreRule;
        for prefix in ["WG0", "WG4", "AMDX-"] {
            let codes: Vec<&str> = all().iter().map(|e| e.code).filter(|code| code.starts_with(prefix)).collect();
            assert!(codes.is_sorted() && !codes.is_empty(), "{codes:?}");
        }
        for entry in all().iter().filter(is_numbered) {
            assert!(["WG0", "WG4", "AMDX-"].iter().any(|prefix| entry.code.starts_with(prefix)), "{}", entry.code);
        }
    }

    #[test]
    fn rows_are_complete() {
        for entry in all() {
            let Entry { code, kind, summary, explanation, bad, good, spec, .. } = entry;
            assert!(!summary.is_empty() && !summary.ends_with('.'), "{code}");
            let is_core = *kind == CodeKind::CoreRule;
            assert!(if is_core { explanation.is_empty() } else { explanation.ends_with('.') }, "{code}");
            assert!(!spec.is_empty() || matches!(kind, CodeKind::Diagnostic(_)), "{code} follows no specification");
            assert_eq!(bad.is_empty(), good.is_empty(), "{code}");
        }
    }

    #[test]
    fn codes_are_found_in_any_spelling() {
        let found = |text: &str| find(text).map(|entry| entry.code);
        for text in ["WG4012", "wg4012", "4012"] {
            assert_eq!(found(text), Some("WG4012"), "{text}");
        }
        for text in ["AMDX-12", "amdx-12", "amdx12"] {
            assert_eq!(found(text), Some("AMDX-12"), "{text}");
        }
        assert_eq!((found("401"), found("missing-target")), (Some("WG0401"), Some("WG0401")));
        assert_eq!(found("CORE-dominance"), Some("core-dominance"));
        for text in ["", "WG4000", "9999", "AMDX-", "AMDX-57", "core"] {
            assert_eq!(found(text), None, "{text:?}");
        }
    }

    #[test]
    fn specification_abbreviations_expand_to_full_names() {
        assert_eq!(
            full_names("VK 3.2, sharing input; SPIR-V 3.20, NonWritable"),
            "VK_AMDX_shader_enqueue, 3.2, sharing input; SPIR-V 3.20, NonWritable"
        );
        assert_eq!(full_names("SPV Dependencies"), "SPV_AMDX_shader_enqueue, Dependencies");
    }
}
