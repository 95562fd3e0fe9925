//! The lines on which a `-verify` test expects errors.
//!
//! `// expected-error {{text}}` refers to its own line, `expected-error@+2` to a line relative to it, and
//! `expected-error@12` to that line. Counts and texts are not compared, because a message may be worded or repeated
//! differently. A directive inside `#if` counts in any branch, as in DXC's own tool.

use std::collections::BTreeSet;

/// Returns line numbers, from 1. Directives for any line (`@*`) are left out.
pub fn expected(text: &str) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        for (at, found) in line.match_indices("expected-error") {
            let rest = line[at + found.len()..].trim_start_matches("-re");
            let Some(place) = rest.strip_prefix('@') else {
                lines.insert(number);
                continue;
            };
            let end = place.find(|c: char| !c.is_ascii_digit() && c != '+' && c != '-').unwrap_or(place.len());
            let line = match place[..end].split_at_checked(1) {
                Some(("+", n)) => n.parse().ok().and_then(|n: u32| number.checked_add(n)),
                Some(("-", n)) => n.parse().ok().and_then(|n: u32| number.checked_sub(n)),
                _ => place[..end].parse().ok(),
            };
            lines.extend(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_error_lines_of_directives() {
        let text = "int a; // expected-error {{x}}\n// expected-error@+2 2 {{y}} expected-error@1 {{z}}\n\n\
                    b // expected-note {{n}}\n// expected-error@-2 {{w}}\n/* expected-error-re@+1 {{v}} */\n\
                    // expected-error@* {{any}}\n";
        assert_eq!(expected(text), BTreeSet::from([1, 3, 4, 7]));
    }
}
