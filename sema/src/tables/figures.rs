//! Formatting of numbers and articles in messages.

/// Formats `16,777,215`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats `-1`, `16,777,215`.
pub fn signed(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(n.unsigned_abs()))
}

/// Returns `a` or `an` for the name of a type or attribute; RW is read letter by letter.
pub fn article(name: &str) -> &'static str {
    let first = name.chars().next().map(|c| c.to_ascii_lowercase());
    if matches!(first, Some('a' | 'e' | 'i' | 'o' | 'u')) || name.starts_with("RW") { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    #[test]
    fn articles() {
        let shown: Vec<_> =
            ["EmptyNodeInput", "RWDispatchNodeInputRecord<R>", "R", "NodeOutput<R>"].map(super::article).to_vec();
        assert_eq!(shown, ["an", "an", "a", "a"]);
    }

    #[test]
    fn digits_are_grouped_by_thousands() {
        let shown: Vec<String> = [0, 999, 1000, 32_768, 16_777_215].map(super::grouped).to_vec();
        assert_eq!(shown, ["0", "999", "1,000", "32,768", "16,777,215"]);
        assert_eq!([-4_294_967_295, -1, 0, 1_000].map(super::signed), ["-4,294,967,295", "-1", "0", "1,000"]);
    }
}
