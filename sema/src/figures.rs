//! Numbers as messages show them.

/// `16,777,215`
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

#[cfg(test)]
mod tests {
    #[test]
    fn groups_of_three() {
        let shown: Vec<String> = [0, 999, 1000, 32_768, 16_777_215].map(super::grouped).to_vec();
        assert_eq!(shown, ["0", "999", "1,000", "32,768", "16,777,215"]);
    }
}
