//! Names of variables in run files, and the errors for unknown names.
//!
//! The compiler puts scopes and file names before a name, joined by `.` or `::`. A run file may write either, and may
//! omit leading scopes if the rest is unique.

use super::error::{Checked, Fault};
use wgc_json::Position;

/// Finds the item that `name` means: the one with exactly this name, or the only one that ends with it.
///
/// Finds the item that a name means. `verb` says how the shader accesses such items: "uses".
pub(super) fn find<'i, T>(
    items: &'i [T],
    name_of: impl Fn(&T) -> &str,
    name: &str,
    at: Position,
    verb: &str,
) -> Checked<(usize, &'i T)> {
    let exact = items.iter().enumerate().find(|(_, item)| same(name_of(item), name));
    if let Some(found) = exact {
        return Ok(found);
    }
    let mut found = items.iter().enumerate().filter(|(_, item)| ends_with(name_of(item), name));
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (Some((_, first)), Some((_, second))) => Err(Fault::new(
            at,
            format!("{name:?} is ambiguous: {} or {}; write the whole name", name_of(first), name_of(second)),
        )),
        (None, _) => {
            let known: Vec<&str> = items.iter().map(name_of).collect();
            let meant = nearest(name, &known).map_or_else(String::new, |near| format!(" (did you mean {near:?}?)"));
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Err(Fault::new(at, format!("the shader {verb} no resource {name:?}{meant}; it {verb}: {known}")))
        }
    }
}

/// Returns whether `name`, written in a run file, may mean the variable with the compiler's name `full`.
pub(super) fn means(full: &str, name: &str) -> bool {
    same(full, name) || ends_with(full, name)
}

/// Splits a name into parts. A counter's name has one part for the counter and those of its buffer.
fn parts(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    name.split(['.', ':']).filter(|part| !part.is_empty())
}

fn same(full: &str, name: &str) -> bool {
    full == name || parts(full).eq(parts(name))
}

fn ends_with(full: &str, name: &str) -> bool {
    let mut outer = parts(full).rev();
    let given = parts(name).rev().all(|part| outer.next() == Some(part));
    // A counter is never meant by the name of its buffer.
    given && outer.next().is_some() && full.starts_with(COUNTER) == name.starts_with(COUNTER)
}

const COUNTER: &str = "counter.var.";

/// Returns the most similar known name, if at most a third of it differs.
fn nearest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let short = |full: &'n str| parts(full).next_back().unwrap_or(full);
    let distances = known.iter().map(|full| (distance(name, full).min(distance(name, short(full))), *full));
    let limit = (name.chars().count() / 3).max(1);
    distances.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance).map(|(_, full)| full)
}

/// Insertions, deletions and replacements of letters, without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(items: &[&str], name: &str) -> Result<usize, String> {
        find(items, |item| item, name, 0, "uses").map(|(index, _)| index).map_err(|fault| fault.message)
    }

    #[test]
    fn resource_names_may_omit_scopes() {
        let items = ["a.b.Out", "a::In", "counter.var.Out", "x.In", "Plain", "Both", "a.Both"];
        assert_eq!(found(&items, "a::b::Out"), Ok(0));
        assert_eq!(found(&items, "b.Out"), Ok(0));
        assert_eq!(found(&items, "Out"), Ok(0), "not its counter");
        assert_eq!(found(&items, "counter.var.Out"), Ok(2));
        assert_eq!(found(&items, "a.In"), Ok(1));
        assert_eq!(found(&items, "Both"), Ok(5), "the whole name comes first");
        assert_eq!(found(&items, "In"), Err("\"In\" is ambiguous: a::In or x.In; write the whole name".into()));
        assert!(found(&items, "c::Out").is_err() && found(&items, "ut").is_err());
    }

    #[test]
    fn the_nearest_name_is_offered() {
        let of = |name: &str| found(&["lib::Output", "Items"], name).unwrap_err();
        assert_eq!(
            of("Outptu"),
            "the shader uses no resource \"Outptu\" (did you mean \"lib::Output\"?); it uses: lib::Output, Items"
        );
        assert_eq!(
            of("item"),
            "the shader uses no resource \"item\" (did you mean \"Items\"?); it uses: lib::Output, Items"
        );
        assert_eq!(of("Light"), "the shader uses no resource \"Light\"; it uses: lib::Output, Items");
        assert_eq!(found(&[], "A"), Err("the shader uses no resource \"A\"; it uses: none".into()));
    }
}
