//! The tables of faults for `tools/plant-faults`: checks that the location of each fault still exists. It plants none.

use std::collections::BTreeMap;
use std::path::Path;

/// Values by key; the lines of `find` and of `plant` in one text.
pub type Fault = BTreeMap<String, String>;

fn read(table: &str, keys: &[&str]) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for line in table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (key, text) = line.split_once(": ").unwrap_or_else(|| panic!("not `key: text`: {line}"));
        assert!(keys.contains(&key), "no such key: {line}");
        if key == "fault" {
            faults.push(Fault::new());
        }
        let fault = faults.last_mut().unwrap_or_else(|| panic!("of no fault: {line}"));
        match fault.get_mut(key) {
            None => drop(fault.insert(key.to_owned(), text.to_owned())),
            Some(lines) if ["find", "plant"].contains(&key) => *lines += &format!("\n{text}"),
            Some(_) => panic!("a second one: {line}"),
        }
    }
    faults
}

/// Returns the faults of a table, after a check: each has all keys, and the text to replace occurs once in its file.
pub fn checked(root: &Path, table: &str, keys: &[&str]) -> Vec<Fault> {
    let text = std::fs::read_to_string(root.join(table)).expect("the table is there");
    let faults = read(&text, keys);
    let mut wrong = String::new();
    for (nth, fault) in faults.iter().enumerate() {
        let name = &fault["fault"];
        assert!(faults[..nth].iter().all(|other| other["fault"] != *name), "two are called `{name}`");
        let missing: Vec<&&str> = keys.iter().filter(|key| !fault.contains_key(**key)).collect();
        assert!(missing.is_empty(), "{name}: without {missing:?}");
        assert_ne!(fault["find"], fault["plant"], "{name}: it replaces nothing");
        let text = std::fs::read_to_string(root.join(&fault["file"]));
        let count = text.map_or(0, |text| text.matches(&fault["find"]).count());
        if count != 1 {
            wrong += &format!("{name}: its text occurs {count} times in {}\n", fault["file"]);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    faults
}
