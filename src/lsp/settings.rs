//! The user's settings, from `initializationOptions` and later from the section `wgc`, pushed or requested.

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Options for all documents, as on the command line.
    pub arguments: Vec<String>,
    /// Push diagnostics even to clients that can pull them, so that closed files have some too. Read only at startup.
    pub pushes: bool,
    pub inlay_hints: InlayHints,
}

/// The enabled inlay hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlayHints {
    /// The binding of a resource.
    pub bindings: bool,
    /// Threads and grids of nodes.
    pub grids: bool,
    /// Sizes and counts of records.
    pub records: bool,
    /// Names of parameters before arguments.
    pub parameters: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        let inlay_hints = InlayHints { bindings: true, grids: true, records: true, parameters: true };
        Settings { arguments: Vec::new(), pushes: false, inlay_hints }
    }
}

impl Settings {
    /// Applies the given settings, and returns messages about invalid ones. Ignores foreign keys, which belong to the
    /// client.
    pub fn read(&mut self, given: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut complain = |key: &str, wanted: &str| wrong.push(format!("the setting `wgc.{key}` must be {wanted}"));
        let of = |key: &str| given.get(key).filter(|value| !value.is_null());
        if let Some(value) = of("arguments") {
            let words = value.as_array().map(|all| all.iter().map(|one| one.as_str().map(str::to_owned)));
            // In Lua, an empty list and an empty object are the same table.
            let none = value.as_object().filter(|object| object.is_empty()).map(|_| Vec::new());
            match words.and_then(Iterator::collect::<Option<Vec<String>>>).or(none) {
                Some(words) => self.arguments = words,
                None => complain("arguments", "a list of options as strings"),
            }
        }
        if let Some(value) = of("diagnostics") {
            match value.as_str() {
                Some("push") => self.pushes = true,
                Some("pull") => self.pushes = false,
                _ => complain("diagnostics", "`push` or `pull`"),
            }
        }
        if let Some(value) = of("inlayHints") {
            let hints = &mut self.inlay_hints;
            let switches = [
                ("bindings", &mut hints.bindings),
                ("grids", &mut hints.grids),
                ("records", &mut hints.records),
                ("parameters", &mut hints.parameters),
            ];
            for (key, switch) in switches {
                match (value, value.get(key)) {
                    // One value for all hints.
                    (Value::Bool(all), _) => *switch = *all,
                    (_, None) => {}
                    (_, Some(Value::Bool(one))) => *switch = *one,
                    (_, Some(_)) => complain(&format!("inlayHints.{key}"), "true or false"),
                }
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unmentioned_settings_keep_their_values() {
        let mut settings = Settings::default();
        assert_eq!(settings.read(&json!({ "arguments": ["-D", "N"], "path": "/bin/wgc" })), [""; 0]);
        assert_eq!(settings.read(&json!({ "inlayHints": { "grids": false }, "diagnostics": "push" })), [""; 0]);
        assert_eq!(settings.arguments, ["-D", "N"]);
        assert!(settings.pushes && !settings.inlay_hints.grids && settings.inlay_hints.records);
        assert_eq!(settings.read(&json!({ "inlayHints": false, "arguments": null })), [""; 0]);
        let none = InlayHints { bindings: false, grids: false, records: false, parameters: false };
        assert_eq!(settings.inlay_hints, none);
        assert_eq!(settings.read(&json!({ "arguments": {} })), [""; 0]);
        assert_eq!(settings.arguments, [""; 0]);
        let same = settings.clone();
        assert_eq!(settings.read(&json!("nonsense")), [""; 0]);
        let wrong = settings.read(&json!({ "arguments": [1], "diagnostics": 1, "inlayHints": { "grids": 1 } }));
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert_eq!(settings, same);
    }
}
