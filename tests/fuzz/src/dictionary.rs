//! The tokens of the language, from the compiler's own tables.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use wgc_frontend::spelled::{SpellingShape, spelled};
use wgc_frontend::token::{CONTEXTUAL_MODIFIERS, MODIFIERS, Sym};

/// Returns all tokens, sorted.
pub fn words() -> &'static [&'static str] {
    static WORDS: OnceLock<Vec<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut all: BTreeSet<&'static str> = BTreeSet::new();
        all.extend(Sym::ALL.iter().map(|sym| sym.text()));
        all.extend(MODIFIERS.iter().chain(CONTEXTUAL_MODIFIERS));
        all.extend(wgc_sema::types::attribute_table::TABLE.iter().map(|row| row.name));
        all.extend(wgc_sema::types::system_values::TABLE.iter().map(|row| row.name));
        all.extend(wgc_stdlib::index::names(""));
        // Built-in types, functions and methods, and the types of their parameters.
        for (_, text) in wgc_stdlib::PRELUDE {
            let tokens = spelled(text.as_bytes()).unwrap_or_default();
            let tokens = tokens.iter().filter(|token| token.shape == SpellingShape::Word);
            let own = |word: &&str| word.len() > 1 && !word.starts_with("__") && !word.contains("wgc");
            all.extend(tokens.map(|token| &text[token.lo as usize..token.hi as usize]).filter(own));
        }
        all.into_iter().collect()
    })
}

/// Boundary numbers of literals, limits and types.
pub const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "31",
    "32",
    "33",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "511",
    "512",
    "1023",
    "1024",
    "1025",
    "4095",
    "4096",
    "65535",
    "65536",
    "16777215",
    "16777216",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0xffffffffffffffff",
    "0x10000000000000000",
    "1u",
    "4294967295u",
    "1ll",
    "18446744073709551615ull",
    "0.0",
    "0.5",
    "1.0",
    "-0.0",
    "1e38",
    "3.5e38",
    "1e308",
    "1e309",
    "1e-45",
    "1e-400",
    "65504.0h",
    "65520.0h",
    "1.0l",
    "017",
    "0b101",
    "1e",
    "0x",
    "1.",
    ".5",
    "-1",
    "-2147483648",
    "999999999999999999999999999999",
];

/// Returns the tokens in the syntax of libFuzzer's dictionaries.
pub fn file() -> String {
    let escaped = |word: &str| word.replace('\\', "\\\\").replace('"', "\\\"");
    words().iter().chain(NUMBERS).map(|word| format!("\"{}\"\n", escaped(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionary_contains_words_of_every_table() {
        for word in [
            "while",
            "groupshared",
            "NodeMaxDispatchGrid",
            "SV_GroupIndex",
            "WaveActiveSum",
            "GetThreadNodeOutputRecords",
        ] {
            assert!(words().contains(&word), "{word}");
        }
        assert!(words().len() > 500, "{}", words().len());
    }
}
