//! Which warnings are shown, and which are errors: `-WX`, `-Werror[=NAME]`, `-Wno-NAME`, `-no-warnings`.
//!
//! Names are codes (`WG0119`) or names (`unknown-attribute`) of the table of diagnostics. Names that are in no table
//! of ours belong to DXC and have no effect. Later options win.

use wgc_sema::codes::{Code, Severity};
use wgc_sema::diagnostic::Rendered;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// Nothing but errors is shown.
    none: bool,
    all_errors: bool,
    /// In the order given.
    rules: Vec<(Code, Level)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Off,
    Warning,
    Error,
}

impl Warnings {
    /// `-no-warnings`
    pub fn silence(&mut self) {
        self.none = true;
    }

    /// `-WX`
    pub fn make_errors(&mut self) {
        self.all_errors = true;
    }

    /// What stands behind `-W`.
    pub fn add(&mut self, text: &str) {
        let (level, name) = match text {
            "error" => return self.make_errors(),
            "no-error" => {
                self.all_errors = false;
                return;
            }
            _ => {
                let forms = [("error=", Level::Error), ("no-error=", Level::Warning), ("no-", Level::Off)];
                let form = forms.iter().find_map(|(prefix, level)| Some((*level, text.strip_prefix(prefix)?)));
                form.unwrap_or((Level::Warning, text))
            }
        };
        self.rules.extend(Code::find(name).map(|code| (code, level)));
    }

    /// What becomes of a warning that has no code: `None` when it is not shown, else whether it is an error.
    pub fn without_code(&self) -> Option<bool> {
        (!self.none).then_some(self.all_errors)
    }

    /// Applies the choices. Errors stay what they are.
    pub fn apply(&self, diagnostics: &mut Vec<Rendered>) {
        diagnostics.retain_mut(|d| {
            if d.severity != Severity::Warning {
                return true;
            }
            let rule = self.rules.iter().rev().find(|rule| rule.0 == d.code).map(|rule| rule.1);
            match rule {
                Some(Level::Off) => return false,
                Some(Level::Error) => d.severity = Severity::Error,
                _ if self.none => return false,
                Some(Level::Warning) => {}
                None if self.all_errors => d.severity = Severity::Error,
                None => {}
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(options: &[&str]) -> Vec<(&'static str, Severity)> {
        let mut warnings = Warnings::default();
        for option in options {
            match *option {
                "WX" => warnings.make_errors(),
                "none" => warnings.silence(),
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
    fn each_option_does_what_it_says() {
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
}
