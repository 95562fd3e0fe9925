//! Access to JSON values, with errors that name the expected type.

use super::super::error::{Checked, Fault};
use super::super::model::Named;
use wgc_json::{Member, Position, Value, ValueKind};

/// An object with the keys of the format: unknown ones are refused before anything is read.
pub(super) struct Object<'v> {
    pub at: Position,
    members: &'v [Member],
}

impl<'v> Object<'v> {
    /// Checks the keys of an object; `what` names it in messages: "a run file".
    pub fn new(value: &'v Value, what: &str, keys: &[&str]) -> Checked<Self> {
        Self::with_old_keys(value, what, keys, &[])
    }

    /// Checks the keys like `new`, but accepts old names of keys too. Messages leave those out.
    pub fn with_old_keys(value: &'v Value, what: &str, keys: &[&str], old: &[&str]) -> Checked<Self> {
        let ValueKind::Object(members) = &value.kind else {
            return Err(Fault::new(value.at, format!("{what} must be an object, found {}", value.describe())));
        };
        if let Some(unknown) =
            members.iter().find(|m| !keys.contains(&m.key.as_str()) && !old.contains(&m.key.as_str()))
        {
            let message = format!("unknown key {:?}; {what} can have: {}", unknown.key, keys.join(", "));
            return Err(Fault::new(unknown.key_at, message));
        }
        Ok(Self { at: value.at, members })
    }

    pub fn get(&self, key: &str) -> Option<&'v Value> {
        self.members.iter().find(|m| m.key == key).map(|m| &m.value)
    }

    /// Returns the one member whose key is in `keys`.
    pub fn only(&self, what: &str, keys: &[&str]) -> Checked<&'v Member> {
        let none = || Fault::new(self.at, format!("{what} needs one of: {}", keys.join(", ")));
        self.at_most_one(what, keys)?.ok_or_else(none)
    }

    /// Returns the member whose key is in `keys`, if there is one. Two are an error.
    pub fn at_most_one(&self, what: &str, keys: &[&str]) -> Checked<Option<&'v Member>> {
        let mut found = self.members.iter().filter(|m| keys.contains(&m.key.as_str()));
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => {
                let message = format!("{what} can have either {:?} or {:?}, not both", first.key, second.key);
                Err(Fault::new(second.key_at, message))
            }
            (first, _) => Ok(first),
        }
    }

    pub fn members(&self) -> &'v [Member] {
        self.members
    }
}

/// Returns the members of an object whose keys are the user's names.
pub(super) fn named(value: &Value) -> Checked<Vec<Named<&Value>>> {
    match &value.kind {
        ValueKind::Object(members) => {
            Ok(members.iter().map(|m| Named { name: m.key.clone(), at: m.key_at, value: &m.value }).collect())
        }
        _ => Err(Fault::new(value.at, format!("expected an object, found {}", value.describe()))),
    }
}

pub(super) fn list(value: &Value) -> Checked<&[Value]> {
    match &value.kind {
        ValueKind::Array(items) => Ok(items),
        _ => Err(Fault::new(value.at, format!("expected an array, found {}", value.describe()))),
    }
}

pub(super) fn string(value: &Value) -> Checked<&str> {
    match &value.kind {
        ValueKind::String(text) => Ok(text),
        _ => Err(Fault::new(value.at, format!("expected a string, found {}", value.describe()))),
    }
}

pub(super) fn boolean(value: &Value) -> Checked<bool> {
    match value.kind {
        ValueKind::Bool(value) => Ok(value),
        _ => Err(Fault::new(value.at, format!("expected true or false, found {}", value.describe()))),
    }
}

/// Reads a whole number from 0 that fits into the type.
pub(super) fn unsigned<T: TryFrom<u64>>(value: &Value) -> Checked<T> {
    let number = match &value.kind {
        ValueKind::Number(text) => text.parse::<u64>().ok().and_then(|n| T::try_from(n).ok()),
        _ => return Err(Fault::new(value.at, format!("expected a number, found {}", value.describe()))),
    };
    let bits = 8 * size_of::<T>();
    number
        .ok_or_else(|| Fault::new(value.at, format!("expected a whole number of at least 0 with at most {bits} bits")))
}

/// Reads one of the words in `table`.
pub(super) fn word<T: Copy>(value: &Value, table: &[(&str, T)]) -> Checked<T> {
    let text = string(value)?;
    table.iter().find(|row| row.0 == text).map(|row| row.1).ok_or_else(|| {
        let known: Vec<&str> = table.iter().map(|row| row.0).collect();
        Fault::new(value.at, format!("expected one of {}, found {text:?}", known.join(", ")))
    })
}
