//! Warning levels: `--allow`, `--warn` and `--deny`, and DXC's `-WX`, `-Werror[=NAME]`, `-WNAME`, `-Wno-NAME`,
//! `-no-warnings`.
//!
//! Warnings are named by code (`WG0119`) or by name (`unknown-attribute`) from the table of diagnostics. After `-W`, a
//! group of DXC stands for its counterparts here ([`GROUPS`]), and other names of DXC have no effect. After wgc's own
//! options, both are errors. Later options win. Violations of the rules of the language or the graph remain errors in
//! any case.

use crate::registry;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::{Code, Severity};

/// Groups of DXC's warnings with other names than ours, and their members.
pub const GROUPS: &[(&str, &[Code])] = &[
    ("#warnings", &[Code::UserWarning]),
    ("attribute-statement", &[Code::StatementAttribute]),
    ("attribute-type", &[Code::AttributeArgumentSign, Code::HintArgument]),
    ("conversion", &[Code::Truncation]),
    ("effects-syntax", &[Code::EffectSyntax]),
    ("ignored-attributes", &[Code::UnknownAttribute, Code::StatementAttribute, Code::FixedSpecialisation]),
    ("parentheses", &[Code::AssignedCondition]),
    ("uninitialized", &[Code::OwnInitializer]),
    ("unknown-attributes", &[Code::UnknownAttribute]),
    ("unused-comparison", &[Code::DroppedValue]),
    ("unused-value", &[Code::DroppedValue]),
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// Hides everything but errors.
    none: bool,
    all_errors: bool,
    /// Rules in the order given. A rule without a code applies to all.
    rules: Vec<(Option<Code>, Level)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Off,
    Warning,
    Error,
}

impl Warnings {
    /// Applies `-no-warnings`.
    pub fn silence(&mut self) {
        self.none = true;
    }

    /// Applies `-WX`.
    pub fn make_errors(&mut self) {
        self.all_errors = true;
    }

    /// Applies the text after `-W`.
    pub fn add(&mut self, text: &str) {
        let (level, name) = match text {
            "error" => return self.make_errors(),
            "no-error" => {
                self.all_errors = false;
                return;
            }
            _ => parts(text),
        };
        if name == "everything" {
            self.rules.push((None, level));
        }
        let of_clang = GROUPS.iter().filter(|(group, _)| *group == name).flat_map(|(_, codes)| *codes);
        self.rules.extend(Code::find(name).iter().chain(of_clang).map(|code| (Some(*code), level)));
    }

    /// Applies the value of `--allow`, `--warn` or `--deny`: codes or names separated by commas, or `all`.
    ///
    /// # Errors
    /// A name that is not a diagnostic.
    pub fn set(&mut self, level: Level, text: &str) -> Result<(), String> {
        for name in text.split(',').map(str::trim) {
            let code = match name {
                "all" => None,
                _ => Some(find(name)?),
            };
            self.rules.push((code, level));
        }
        Ok(())
    }

    /// Returns the level of warnings without a code: `None` if hidden, else whether they are errors.
    pub fn without_code(&self) -> Option<bool> {
        match self.rules.iter().rev().find(|rule| rule.0.is_none()).map(|rule| rule.1) {
            Some(Level::Off) => None,
            Some(Level::Error) => Some(true),
            _ => (!self.none).then_some(self.all_errors),
        }
    }

    /// Applies the rules. Errors remain errors, and hints without a rule are removed.
    pub fn apply(&self, diagnostics: &mut Vec<Rendered>) {
        self.apply_with_hints(diagnostics);
        diagnostics.retain(|d| d.severity != Severity::Hint);
    }

    /// Works like [`Warnings::apply`] for editors, which show hints too.
    pub fn apply_with_hints(&self, diagnostics: &mut Vec<Rendered>) {
        diagnostics.retain_mut(|d| {
            let rule = self.rules.iter().rev().find(|rule| rule.0.is_none_or(|code| code == d.code));
            match (d.severity, rule.map(|rule| rule.1)) {
                (Severity::Error, Some(Level::Off | Level::Warning)) if rule.is_some_and(|rule| rule.0.is_some()) => {
                    d.notes.push(format!("{} is an error here: only warnings can be turned off", d.code));
                }
                (Severity::Error, _) => {}
                (_, Some(Level::Off)) => return false,
                (_, Some(Level::Error)) => d.severity = Severity::Error,
                (Severity::Warning, _) if self.none => return false,
                (Severity::Hint, Some(Level::Warning)) if !self.none => d.severity = Severity::Warning,
                (Severity::Hint, _) => {}
                (Severity::Warning, None) if self.all_errors => d.severity = Severity::Error,
                (Severity::Warning, _) => {}
            }
            true
        });
    }
}

/// Splits the text after `-W`, other than `error` and `no-error`, into a level and a name.
fn parts(text: &str) -> (Level, &str) {
    let forms = [("error=", Level::Error), ("no-error=", Level::Warning), ("no-", Level::Off)];
    let form = forms.iter().find_map(|(prefix, level)| Some((*level, text.strip_prefix(prefix)?)));
    form.unwrap_or((Level::Warning, text))
}

/// The limit of wrong letters in a misspelled name, and the least length of a name that may be one. No group of DXC is
/// so similar to another name; only its `synth` is to `syntax`.
const MISSPELLED: usize = 2;
const SHORTEST: usize = 6;

/// Returns a warning about the text after `-W` if it is probably misspelled: an unknown code, or a name that differs
/// from a known one by at most two letters. All other unknown names may be groups of DXC.
pub fn doubt(text: &str) -> Option<String> {
    let (_, name) = parts(text);
    if Code::find(name).is_some() || GROUPS.iter().any(|(group, _)| *group == name) {
        return None;
    }
    if name.strip_prefix("WG").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some(format!("-W{text} has no effect: {}", find(name).err()?));
    }
    let known = registry::all().iter().map(|row| row.name).chain(GROUPS.iter().map(|(group, _)| *group));
    let near = super::parse::closest(name, known.filter(|known| !known.is_empty()))?;
    (strsim::damerau_levenshtein(name, near) <= MISSPELLED && name.len() >= SHORTEST)
        .then(|| format!("-W{text} has no effect: did you mean `{near}`?"))
}

/// Finds the diagnostic of the compiler with a code or name.
///
/// # Errors
/// There is none; the message suggests the closest name.
pub fn find(name: &str) -> Result<Code, String> {
    Code::find(name).ok_or_else(|| match registry::find(name) {
        Some(row) => format!("`{}` is not a diagnostic of the compiler, so it has no level", row.code),
        None => unknown(name),
    })
}

/// Formats the message for a name that is in no table, with the closest one.
pub fn unknown(name: &str) -> String {
    let names = registry::all().iter().flat_map(|row| [row.code, row.name]);
    match super::parse::closest(name, names.filter(|name| !name.is_empty())) {
        Some(near) => format!("unknown diagnostic `{name}`; did you mean `{near}`?"),
        None => format!("unknown diagnostic `{name}`; `wgc explain` lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Warnings about the language for which DXC has no group with another name: it has no warning, no name for it, or
    /// the same name.
    const WITHOUT_GROUP: &[Code] = &[
        Code::MacroRedefined,
        Code::AttributeRepeated,
        Code::IgnoredInitializer,
        Code::MovedBinding,
        Code::MixedOffsets,
        Code::SharedRegister,
        Code::MissingMethod,
        Code::LateType,
        Code::MixedBitFields,
        Code::MissingReturn,
        Code::FormatArgument,
        Code::FloatSwitch,
        Code::WriteToReadOnly,
        Code::UselessPrecise,
    ];

    fn shown(options: &[&str]) -> Vec<(&'static str, Severity)> {
        let mut warnings = Warnings::default();
        for option in options {
            match *option {
                "WX" => warnings.make_errors(),
                "none" => warnings.silence(),
                _ if option.contains(' ') => {
                    let (word, name) = option.split_once(' ').expect("it has one");
                    let level = match word {
                        "allow" => Level::Off,
                        "warn" => Level::Warning,
                        _ => Level::Error,
                    };
                    warnings.set(level, name).expect("a diagnostic");
                }
                name => warnings.add(name),
            }
        }
        let rendered = |code: Code| Rendered {
            code,
            severity: code.row().severity,
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            fix: None,
        };
        let mut all = vec![rendered(Code::UnknownAttribute), rendered(Code::UserWarning), rendered(Code::Syntax)];
        warnings.apply(&mut all);
        all.iter().map(|d| (d.code.row().code, d.severity)).collect()
    }

    #[test]
    fn each_warning_option_has_its_effect() {
        use Severity::{Error, Warning};
        let (attribute, user, syntax) = ("WG0119", "WG0006", ("WG0010", Error));
        assert_eq!(shown(&[]), [(attribute, Warning), (user, Warning), syntax]);
        assert_eq!(shown(&["WX"]), [(attribute, Error), (user, Error), syntax]);
        assert_eq!(shown(&["error", "no-error"]), [(attribute, Warning), (user, Warning), syntax]);
        assert_eq!(shown(&["none"]), [syntax]);
        assert_eq!(shown(&["no-unknown-attribute"]), [(user, Warning), syntax]);
        assert_eq!(shown(&["no-wg0119", "error"]), [(user, Error), syntax]);
        assert_eq!(shown(&["error=user-warning"]), [(attribute, Warning), (user, Error), syntax]);
        assert_eq!(shown(&["error", "no-error=user-warning"]), [(attribute, Error), (user, Warning), syntax]);
        assert_eq!(shown(&["no-user-warning", "user-warning"]), [(attribute, Warning), (user, Warning), syntax]);
        assert_eq!(shown(&["no-syntax", "no-conversion"]), [(attribute, Warning), (user, Warning), syntax]);
    }

    #[test]
    fn dxc_warning_groups_are_supported() {
        use Severity::{Error, Warning};
        let (attribute, user, syntax) = ("WG0119", "WG0006", ("WG0010", Error));
        assert_eq!(shown(&["no-#warnings"]), [(attribute, Warning), syntax]);
        assert_eq!(shown(&["WX", "no-unknown-attributes"]), [(user, Error), syntax]);
        assert_eq!(shown(&["no-everything", "error=ignored-attributes"]), [(attribute, Error), syntax]);
        for (group, codes) in GROUPS {
            assert_eq!(Code::find(group), None, "a name of ours needs no row");
            assert!(codes.iter().all(|code| code.row().severity == Warning), "{group}");
        }
        let conversion = GROUPS.iter().find(|(group, _)| *group == "conversion").map(|(_, codes)| *codes);
        assert_eq!(conversion, Some([Code::Truncation].as_slice()));
    }

    #[test]
    fn misspelled_warnings_are_reported() {
        for known in
            ["no-WG0119", "no-unknown-attribute", "error=ignored-attributes", "no-unused-variable", "shadow", "synth"]
        {
            assert_eq!(doubt(known), None, "{known}");
        }
        let found = ["no-WG9999", "error=user-warnin", "no-ignored-atributes"].map(doubt);
        let wanted = [
            "-Wno-WG9999 has no effect: unknown diagnostic `WG9999`; `wgc explain` lists them",
            "-Werror=user-warnin has no effect: did you mean `user-warning`?",
            "-Wno-ignored-atributes has no effect: did you mean `ignored-attributes`?",
        ];
        assert_eq!(found, wanted.map(|text| Some(text.to_owned())));
    }

    /// Codes from WG0300 on are about graphs and nodes, for which DXC has no warnings.
    #[test]
    fn warnings_have_the_group_of_dxc() {
        let with_group = |code: &Code| GROUPS.iter().any(|(_, codes)| codes.contains(code));
        let language =
            Code::ALL.iter().filter(|code| code.row().severity == Severity::Warning && code.row().code < "WG0300");
        let undecided: Vec<_> = language.filter(|code| !with_group(code) && !WITHOUT_GROUP.contains(code)).collect();
        assert!(undecided.is_empty(), "give {undecided:?} a row of `GROUPS`, or name it in `WITHOUT_GROUP`");
        assert!(!WITHOUT_GROUP.iter().any(with_group));
    }

    #[test]
    fn warning_options_accept_all_and_lists() {
        use Severity::{Error, Warning};
        let (attribute, user, syntax) = ("WG0119", "WG0006", ("WG0010", Error));
        assert_eq!(shown(&["deny all"]), [(attribute, Error), (user, Error), syntax]);
        assert_eq!(shown(&["deny all", "allow WG0119"]), [(user, Error), syntax]);
        assert_eq!(shown(&["allow all", "warn user-warning"]), [(user, Warning), syntax]);
        assert_eq!(shown(&["allow wg0119, user-warning"]), [syntax]);
        assert_eq!(shown(&["allow syntax"]), [(attribute, Warning), (user, Warning), syntax]);
        let mut warnings = Warnings::default();
        let unknown = warnings.set(Level::Off, "user-warnin").expect_err("there is none");
        assert_eq!(unknown, "unknown diagnostic `user-warnin`; did you mean `user-warning`?");
        let finding = warnings.set(Level::Off, "wg4001").expect_err("it has no level");
        assert_eq!(finding, "`WG4001` is not a diagnostic of the compiler, so it has no level");
        assert_eq!(warnings.without_code(), Some(false));
        warnings.set(Level::Error, "all").expect("it is a word of its own");
        assert_eq!(warnings.without_code(), Some(true));
    }

    #[test]
    fn hints_are_hidden_unless_enabled() {
        let of = |options: &[(Level, &str)]| {
            let mut warnings = Warnings::default();
            for (level, name) in options {
                warnings.set(*level, name).expect("a diagnostic");
            }
            let code = Code::UnknownAttribute;
            let (labels, notes) = (Vec::new(), Vec::new());
            let mut all =
                vec![Rendered { code, severity: Severity::Hint, message: String::new(), labels, notes, fix: None }];
            warnings.apply(&mut all);
            all.first().map(|d| d.severity)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(Level::Warning, "all")]), Some(Severity::Warning));
        assert_eq!(of(&[(Level::Warning, "WG0119")]), Some(Severity::Warning));
        assert_eq!(of(&[(Level::Error, "WG0119")]), Some(Severity::Error));
        assert_eq!(of(&[(Level::Error, "WG0119"), (Level::Off, "all")]), None);
    }
}
