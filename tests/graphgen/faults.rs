//! The table of faults for `tools/plant-faults`: checks that the location of each still exists. This test plants none.

use crate::support;
use std::collections::BTreeMap;

/// Values by key; the lines of `find` and of `plant` in one text.
type Fault = BTreeMap<&'static str, String>;

const KEYS: [&str; 6] = ["fault", "file", "find", "plant", "seed", "seen"];
/// Minimum number of planted faults.
const LEAST: usize = 20;

fn faults(table: &str) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for line in table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (key, text) = line.split_once(": ").unwrap_or_else(|| panic!("not `key: text`: {line}"));
        let key = KEYS.into_iter().find(|known| *known == key).unwrap_or_else(|| panic!("no such key: {line}"));
        if key == "fault" {
            faults.push(Fault::new());
        }
        let fault = faults.last_mut().unwrap_or_else(|| panic!("of no fault: {line}"));
        match fault.get_mut(key) {
            None => drop(fault.insert(key, text.to_owned())),
            Some(lines) if ["find", "plant"].contains(&key) => *lines += &format!("\n{text}"),
            Some(_) => panic!("a second one: {line}"),
        }
    }
    faults
}

/// The text to replace occurs once in the file that the table names.
#[test]
fn every_fault_pattern_occurs_once_in_its_file() {
    let root = support::root();
    let table = std::fs::read_to_string(root.join("tests/graphgen/faults.txt")).expect("the table is there");
    let faults = faults(&table);
    assert!(faults.len() >= LEAST, "{} faults", faults.len());
    let mut wrong = String::new();
    for (nth, fault) in faults.iter().enumerate() {
        let name = &fault["fault"];
        assert!(faults[..nth].iter().all(|other| other["fault"] != *name), "two are called `{name}`");
        let missing: Vec<&str> = KEYS.into_iter().filter(|key| !fault.contains_key(key)).collect();
        assert!(missing.is_empty(), "{name}: without {missing:?}");
        assert!(fault["seed"].parse::<u64>().is_ok(), "{name}: seed {}", fault["seed"]);
        assert_ne!(fault["find"], fault["plant"], "{name}: it replaces nothing");
        let text = std::fs::read_to_string(root.join(&fault["file"]));
        let count = text.map_or(0, |text| text.matches(&fault["find"]).count());
        if count != 1 {
            wrong += &format!("{name}: its text occurs {count} times in {}\n", fault["file"]);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
