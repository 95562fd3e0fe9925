//! Random edits, one after the other in one server. It publishes the same for each text as a fresh server.
//!
//! `WGC_LSP_RANDOM_EDITS=100000` sets the number of edits, `WGC_LSP_SEED` other edits, and `WGC_LSP_COMPARED=1`
//! compares after every one.

use crate::GRAPH;
use crate::client::Client;
use crate::random::Random;
use serde_json::{Value, json};

const EDITS: u64 = 2_000;

/// Compares every n-th edit, because a server for each would take most of the time. Coprime to [`SEQUENCE`], so that
/// each position in a sequence is compared.
const COMPARED: u64 = 7;

/// Length of a sequence of edits; the last one restores the text.
const SEQUENCE: u64 = 40;

const URI: &str = "file:///lsp/edits.hlsl";

/// Texts to insert.
const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ".",
    "::",
    "=",
    "+",
    "\"",
    "\n",
    "// ",
    "/*",
    "*/",
    "#if A\n",
    "#endif\n",
    "#define uint float\n",
    "#define second third\n",
    "#include \"none.hlsli\"\n",
    "uint",
    "float4",
    "struct R { uint m; };\n",
    "first",
    "second",
    "leaves",
    "input",
    "R",
    "Out",
    "0",
    "1.5",
    "[MaxRecords(2)] ",
    "[NodeID(\"second\")] ",
    "[Shader(\"node\")] ",
    "[NodeLaunch(\"coalescing\")] ",
    "[NumThreads(8, 1, 1)] ",
    "return;\n",
    "template<typename T> ",
    "namespace n {\n",
    "uint helper(uint x) { return x + 1; }\n",
    "groupshared uint g[4];\n",
    "\u{1f600}",
];

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Returns an offset between two characters, mostly one at the start of a token.
fn place(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    let inside = |at: usize| {
        let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        at > 0 && word(text.as_bytes().get(at)) && word(text.as_bytes().get(at - 1))
    };
    let exact = random.one_in(8);
    while !text.is_char_boundary(at) || !exact && inside(at) {
        at -= 1;
    }
    at
}

/// Returns a part of a text, and its replacement.
fn edit(text: &str, random: &mut Random) -> (usize, usize, String) {
    let lo = place(text, random);
    match random.below(5) {
        // Inserts a token.
        0 | 1 => (lo, lo, WORDS[random.below(WORDS.len())].to_owned()),
        // Removes a part, mostly a short one.
        2 => {
            let hi = (lo + 1 + random.below(12)).min(text.len());
            let hi = (hi..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            (lo, hi, String::new())
        }
        // Repeats a line elsewhere.
        3 => {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let start = text[..lo].rfind('\n').map_or(0, |at| at + 1);
            (start, start, lines.get(random.below(lines.len())).copied().unwrap_or("\n").to_owned())
        }
        // Removes a line.
        _ => {
            let start = text[..lo].rfind('\n').map_or(0, |at| at + 1);
            (start, text[lo..].find('\n').map_or(text.len(), |at| lo + at + 1), String::new())
        }
    }
}

fn position(text: &str, at: usize) -> Value {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": text[..at].matches('\n').count(), "character": at - start })
}

/// Returns everything that a server publishes about the document.
fn published(client: &mut Client) -> Vec<Value> {
    client.diagnostics(URI);
    client.published[URI].1.clone()
}

#[test]
fn edited_documents_get_the_answers_of_a_fresh_server() {
    let (edits, compared) = (number("WGC_LSP_RANDOM_EDITS", EDITS), number("WGC_LSP_COMPARED", COMPARED).max(1));
    let mut random = Random::new(number("WGC_LSP_SEED", 0));
    let mut client = Client::full();
    client.open(URI, GRAPH);
    let at_first = published(&mut client);
    let mut text = GRAPH.to_owned();
    let mut last: Vec<(usize, usize, String)> = Vec::new();
    for n in 1..=edits {
        if n % SEQUENCE == 0 || text.len() > 4 * GRAPH.len() {
            text = GRAPH.to_owned();
            client.replace(URI, &text);
            last.clear();
            assert_eq!(published(&mut client), at_first, "behind {n} edits");
            continue;
        }
        let (lo, hi, new) = edit(&text, &mut random);
        let range = json!({ "start": position(&text, lo), "end": position(&text, hi) });
        client.change(URI, json!([{ "range": range, "text": new }]));
        text.replace_range(lo..hi, &new);
        last.push((lo, hi, new));
        if n % compared == 0 {
            let found = published(&mut client);
            let mut fresh = Client::full();
            fresh.open(URI, &text);
            assert_eq!(found, published(&mut fresh), "behind edit {n}, of {last:?} in a row, in\n{text}");
        }
    }
    // It may have rebuilt its database.
    client.messages.retain(|message| !message.contains("restarted its analysis"));
    assert_eq!(client.messages, [""; 0], "no request panicked");
    assert_eq!(client.leave(), Ok(()));
}
