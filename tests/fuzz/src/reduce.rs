//! Reduction of inputs that keeps a property.

use crate::mutate::{lines, tokens};

/// Removes lines from an input, then tokens, while `shows` holds. Calls it at most `most_questions` times.
pub fn reduce(input: &[u8], most_questions: usize, shows: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut left = most_questions;
    for parts in [lines, tokens] {
        loop {
            let before = best.len();
            best = without_parts(&best, parts, &mut left, shows);
            if best.len() == before || left == 0 {
                break;
            }
        }
    }
    best
}

fn without_parts(
    input: &[u8],
    parts: fn(&[u8]) -> Vec<&[u8]>,
    left: &mut usize,
    shows: &mut dyn FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let mut all = parts(input);
    let mut length = all.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        while at < all.len() && *left > 0 {
            let end = (at + length).min(all.len());
            let smaller = [&all[..at], &all[end..]].concat();
            *left -= 1;
            if shows(&smaller.concat()) {
                all = smaller;
            } else {
                at = end;
            }
        }
        length /= 2;
    }
    all.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduction_keeps_the_failing_part() {
        let text = "a b c\nd bad e\nf g\n".repeat(20) + "h worse(i) j\n";
        let reduced = reduce(text.as_bytes(), 1_000, &mut |text| String::from_utf8_lossy(text).contains("worse"));
        assert_eq!(String::from_utf8_lossy(&reduced).trim(), "worse");
        assert_eq!(reduce(b"abc", 0, &mut |_| true), b"abc");
    }
}
