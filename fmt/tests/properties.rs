//! Properties of every text: no token changes, formatting is idempotent, and white space that is not kept makes no
//! difference. Runs on all shaders of this repository and on prefixes of them. It also runs on DXC's tests
//! (`WGC_DXC_TESTS`) and Microsoft's samples (`WGC_DX_SAMPLES`) if these variables are set.

#[path = "../../tests/support/random.rs"]
mod random;

use random::Random;
use std::path::{Path, PathBuf};
use wgc_fmt::{Braces, Edit, Style, after_newline, after_token, apply, edits, edits_in, format};
use wgc_frontend::spelled::{SpellingShape, spelled};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Collects the shaders below a folder, in order.
fn shaders(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            shaders(&path, out);
        } else if path.extension().is_some_and(|e| e == "hlsl" || e == "hlsli" || e == "slang") {
            out.push(path);
        }
    }
}

fn examples() -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    shaders(&root().join("examples"), &mut paths);
    assert!(paths.len() > 3);
    paths.iter().map(|path| std::fs::read(path).expect("readable")).collect()
}

fn without_space(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|b| !b.is_ascii_whitespace() && *b != 0x0b).collect()
}

/// Returns the texts of tokens, without backslashes at line ends.
fn tokens(bytes: &[u8]) -> Vec<(SpellingShape, bool, &[u8])> {
    let all = spelled(bytes).unwrap_or_default();
    // The start of a line matters only for directives.
    let begins = |token: &wgc_frontend::spelled::Spelled| token.starts_line && token.shape == SpellingShape::Hash;
    all.iter().map(|t| (t.shape, begins(t), &bytes[t.lo as usize..t.hi as usize])).collect()
}

fn check(name: &str, bytes: &[u8], style: &Style) {
    let once = format(bytes, style);
    let shown = || String::from_utf8_lossy(&once).into_owned();
    assert!(without_space(bytes) == without_space(&once), "{name}: more than white space changed:\n{}", shown());
    assert!(tokens(bytes) == tokens(&once), "{name}: tokens changed:\n{}", shown());
    let twice = format(&once, style);
    assert!(once == twice, "{name}: formatting twice makes\n{}\nof\n{}", String::from_utf8_lossy(&twice), shown());
}

fn styles() -> [Style; 3] {
    let narrow = Style { indent: 2, tabs: true, columns: 60, braces: Braces::SameLine, indent_cases: Some(true) };
    [Style::default(), narrow, Style { columns: 80, braces: Braces::NextLine, ..Style::default() }]
}

#[test]
fn every_shader_keeps_its_tokens_and_is_formatted_once() {
    let mut paths = Vec::new();
    for folder in ["tests", "examples", "bench", "stdlib"] {
        shaders(&root().join(folder), &mut paths);
    }
    assert!(paths.len() > 500, "{}", paths.len());
    for variable in ["WGC_DXC_TESTS", "WGC_DX_SAMPLES"] {
        if let Some(folder) = std::env::var_os(variable) {
            shaders(Path::new(&folder), &mut paths);
        }
    }
    let mut changed = 0;
    for path in &paths {
        let bytes = std::fs::read(path).expect("readable");
        for style in styles() {
            check(&path.display().to_string(), &bytes, &style);
        }
        changed += usize::from(!edits(&bytes, &Style::default()).is_empty());
    }
    assert!(changed > 100, "{changed} of {}", paths.len());
}

#[test]
fn formatting_handles_every_prefix_and_missing_token() {
    for (n, bytes) in examples().iter().enumerate() {
        let ends: Vec<usize> = spelled(bytes).expect("text").iter().map(|token| token.hi as usize).collect();
        for (k, end) in ends.iter().enumerate() {
            check(&format!("example {n} up to {end}"), &bytes[..*end], &styles()[k % 3]);
            let start = spelled(bytes).expect("text")[k].lo as usize;
            let gap = [&bytes[..start], &bytes[*end..]].concat();
            if k % 4 == 0 {
                check(&format!("example {n} without {start}..{end}"), &gap, &styles()[k % 3]);
            }
        }
    }
}

/// The pieces of random texts. Half of their combinations are invalid code.
const PIECES: &[&str] = &[
    "{",
    "}",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ";",
    ";",
    ":",
    ",",
    "::",
    ".",
    "=",
    "==",
    "+",
    "-",
    "&&",
    "?",
    "*",
    "++",
    "\\",
    "\"",
    "'",
    "/*",
    "*/",
    "// c",
    "/* c */",
    "#if A",
    "#else",
    "#endif",
    "#define M(a) a",
    "#",
    "case 1:",
    "case",
    "default:",
    "switch (a)",
    "if (a)",
    "else",
    "for (;;)",
    "while (a)",
    "do",
    "return",
    "break;",
    "struct S",
    "enum E",
    "namespace n",
    "cbuffer C",
    "template<typename T>",
    "[numthreads(1, 1, 1)]",
    "a",
    "b(c)",
    "uint",
    "1",
    "2.0f",
    "operator",
    "float4x4",
    "using",
    "\"t\"",
    "MACRO(a)",
    "[unroll]",
    ": SV_Target",
];

/// The environment may set the number of texts.
#[test]
fn formatting_random_texts_is_idempotent() {
    let count = std::env::var("WGC_FMT_TEXTS").ok().and_then(|count| count.parse().ok()).unwrap_or(4000);
    let mut random = Random::new(1);
    for n in 0..count {
        let mut text = String::new();
        for _ in 0..3 + random.below(22) {
            let piece = PIECES[random.below(PIECES.len())];
            if piece.starts_with('#') && !text.is_empty() {
                text.push('\n');
            }
            text += piece;
            let ends = piece.starts_with(['#', '/']) && !piece.ends_with('/');
            let between = random.below(8);
            text += match between {
                _ if ends => "\n",
                0..=3 => " ",
                4 => "\n",
                5 => "\n    ",
                6 => "\n\n        ",
                _ => "",
            };
        }
        check(&format!("text {n} {text:?}"), text.as_bytes(), &styles()[n % 3]);
    }
}

/// Returns the text with other white space, but the same line breaks.
fn spaced(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let mut out = String::new();
    let blanks = |random: &mut Random, least: usize| {
        let count = least + random.below(4);
        (0..count).map(|_| if random.below(5) == 0 { '\t' } else { ' ' }).collect::<String>()
    };
    for line in text.lines() {
        let code = line.trim();
        if code.is_empty() {
            out += &"\n".repeat(1 + random.below(3));
            continue;
        }
        if !code.starts_with('#') {
            out += &blanks(random, 0);
        }
        let tokens = spelled(code.as_bytes()).expect("text");
        let mut at = 0;
        for (n, token) in tokens.iter().enumerate() {
            let (lo, hi) = (token.lo as usize, token.hi as usize);
            let between = &code[at..lo];
            let before = n.checked_sub(1).map(|before| &code[tokens[before].lo as usize..tokens[before].hi as usize]);
            if code.starts_with('#') || !between.trim().is_empty() {
                out += between;
            } else if let Some(before) = before {
                let this = &code[lo..hi];
                // The text between two tokens decides whether they are one.
                let touching = matches!(before, ">" | "-") && matches!(this, ">" | "=" | "==");
                let pair = format!("{before}{this}");
                let apart =
                    spelled(pair.as_bytes()).is_some_and(|both| both.len() == 2 && both[1].lo as usize == before.len());
                out += &match (touching, apart) {
                    (true, _) => between.to_owned(),
                    (_, apart) => blanks(random, usize::from(!apart)),
                };
            }
            out += &code[lo..hi];
            at = hi;
        }
        let rest = &code[at..];
        if rest.trim_start().starts_with("//") && at > 0 {
            out += &blanks(random, 0);
        }
        out += if at > 0 { rest.trim_start() } else { rest };
        out += &blanks(random, 0);
        out.push('\n');
    }
    out.into_bytes()
}

#[test]
fn formatting_ignores_input_whitespace() {
    let mut random = Random::new(2);
    for (n, bytes) in examples().iter().enumerate() {
        // Columns decide whether a comment continues the one on the line above.
        if n == 3 {
            continue;
        }
        let wanted = format(bytes, &Style::default());
        for _ in 0..20 {
            let other = spaced(bytes, &mut random);
            assert_eq!(without_space(bytes), without_space(&other), "the test itself changed more");
            let got = format(&other, &Style::default());
            assert!(
                got == wanted,
                "example {n}: of\n{}\ncame\n{}",
                String::from_utf8_lossy(&other),
                String::from_utf8_lossy(&got)
            );
        }
    }
}

#[test]
fn blanks_after_a_backslash_are_kept() {
    for style in styles() {
        for text in [
            "a \\ \n",
            "#define F(a) \\\n  foo(a); \\ \n  bar(a); \\\t\n  baz(a)\nvoid f() { }\n",
            "// a \\ \nint  b;\n",
        ] {
            check(text, text.as_bytes(), &style);
        }
    }
    let text = "// a \\ \nint  b;\n";
    assert_eq!(format(text.as_bytes(), &Style::default()), b"// a \\ \nint b;\n");
}

#[test]
fn unterminated_text_is_kept_with_its_line_break() {
    for style in styles() {
        for text in [
            "void f() { int  x=1;\r\n}\r\n#if 0\r\n// no\r\n don't\r\n#endif\r\n",
            "int  x=1;\r\n[NodeID(\"Ti\r\nvoid f() { }\r\n",
            "#define A 'b\r\nint  x=1;\r\n",
            "int  x=1;\n#include \"a.h\" /* half\n",
            "#/*",
        ] {
            check(text, text.as_bytes(), &style);
        }
    }
    // The quote is open in any encoding, so the brace stays on its line.
    for text in [&b"t \"CB\xe4 E\n{"[..], b"t 'C\xe4 E\n{", b"t \xe4\"C\xe4 E\n{ }"] {
        styles().iter().for_each(|style| check("an open quote", text, style));
    }
    // A backslash may join the line with the next one.
    let crlf = ["// x \\ \r\nuint   a;\r\n", "#define A x \\ \r\n  y\r\nuint   a;\r\n", "uint   a;\r\n// C:\\dir\\ "];
    for text in crlf {
        styles().iter().for_each(|style| check(text, text.as_bytes(), style));
        let formatted = String::from_utf8(format(text.as_bytes(), &Style::default())).expect("text");
        assert!(formatted.contains("uint a;\r\n") && !formatted.contains("\r\r"), "{formatted:?}");
    }
    for text in ["\n\u{feff}int  x;\n", "  \u{feff}#include <a>\n"] {
        styles().iter().for_each(|style| check(text, text.as_bytes(), style));
    }
    for text in ["a \\{ b; }", "a;\n\\\n\n  ", "  /* *\\\n  // c\n", "void f() { \\/*\n x */ }", "a \\"] {
        styles().iter().for_each(|style| check(text, text.as_bytes(), style));
    }
    let text = "int  x=1;\r\n[NodeID(\"Ti\r\nvoid f() { }\r\n";
    let formatted = String::from_utf8(format(text.as_bytes(), &Style::default())).expect("text");
    assert!(formatted.starts_with("int x = 1;\r\n[NodeID(\"Ti\r\n"), "{formatted:?}");
}

#[test]
fn formatting_edits_are_minimal_and_white_space_only() {
    let text = b"float4 f( float x ) : A { return x; }\nfloat4 g(float x) : A { return  x; }\n";
    let all = edits(text, &Style::default());
    let edit = |range: std::ops::Range<u32>, text: &str| Edit { range, text: text.into() };
    assert_eq!(all, [edit(9..10, ""), edit(17..18, ""), edit(68..70, " ")]);
    assert_eq!(edits_in(text, &Style::default(), 40..41), all[2..]);
    assert_eq!(edits_in(text, &Style::default(), 3..5), all[..2]);
    assert_eq!(edits_in(text, &Style::default(), 0..75), all);
    assert_eq!(edits_in(text, &Style::default(), 500..900), []);
}

#[test]
fn line_endings_and_byte_order_marks_are_kept() {
    let crlf = b"\xef\xbb\xbfstruct A {\r\nuint x;\r\n};\r\n\r\n\r\n\r\nuint y;";
    let formatted = format(crlf, &Style::default());
    assert_eq!(formatted, b"\xef\xbb\xbfstruct A {\r\n    uint x;\r\n};\r\n\r\nuint y;\r\n");
    assert_eq!(format(b"", &Style::default()), b"");
    assert_eq!(format(b" \n\n", &Style::default()), b"");
    assert_eq!(format(b"\xff\xfea\0", &Style::default()), b"\xff\xfea\0", "UTF-16 stays");
    assert_eq!(format(b"uint a\xe9b ;", &Style::default()), b"uint a\xe9b;\n");
}

#[test]
fn a_long_file_takes_time_by_its_length() {
    let line = "float x = f(a, b) + g(c, h(d, e)) * 2;\n";
    // One long line, unclosed brackets, and nested conditionals.
    let texts = [
        line.replace('\n', "").repeat(20_000),
        "f(a, ".repeat(100_000),
        "{[(".repeat(50_000) + &")".repeat(100_000),
        "a<".repeat(200_000),
        "#if A\n{\n#else\n(\n".repeat(20_000) + &"#endif\n".repeat(20_000),
        "if (a) for (;;) ".repeat(20_000),
        "float4 x[] = {".to_owned() + &"{ 1, 2, 3 }, ".repeat(30_000) + "};",
        "/* a */ ".repeat(100_000),
        "x // c\n".repeat(50_000),
        "case 1: ".repeat(50_000),
        "template<typename T> ".repeat(20_000),
        "else ".repeat(50_000),
        "} ".repeat(100_000),
        "// c\n".repeat(100_000),
        "struct {} ".repeat(30_000),
        "{ { } } ".repeat(30_000),
        "case ".repeat(50_000),
    ];
    for text in texts {
        let begin = std::time::Instant::now();
        let once = format(text.as_bytes(), &Style::default());
        let took = begin.elapsed();
        assert!(took.as_secs() < 40, "{took:?} for {:.60}", text);
        assert!(without_space(text.as_bytes()) == without_space(&once), "{:.60}", text);
    }
}

// ---- while typing

/// Returns the text after the edits, with `|` as the cursor.
fn typed(text: &str, edits: fn(&[u8], &Style, u32) -> Vec<Edit>) -> String {
    let at = text.find('|').expect("a cursor");
    let text = text.replace('|', "");
    let edits = edits(text.as_bytes(), &Style::default(), at as u32);
    String::from_utf8(apply(text.as_bytes(), &edits)).expect("UTF-8")
}

#[test]
fn typing_a_closing_brace_formats_its_block() {
    let text = "void g( ) {}\nvoid f()\n{\nif( a )\n{\nb ( );\n}|\nc ( );";
    assert_eq!(typed(text, after_token), "void g( ) {}\nvoid f()\n{\nif( a )\n    {\n        b();\n    }\nc ( );");
    assert_eq!(typed("a;\n  }|", after_token), "a;\n  }", "it closes nothing");
}

#[test]
fn typing_a_semicolon_formats_its_statement() {
    let text = "void f()\n{\nint a=1 ;\nint  b=f( 1,\n2 ) ;|\nc ( );";
    assert_eq!(typed(text, after_token), "void f()\n{\nint a=1 ;\n    int b = f(1,\n              2);\nc ( );");
}

#[test]
fn a_new_line_is_indented() {
    assert_eq!(typed("void f()\n{\n|", after_newline), "void f()\n{\n    ");
    assert_eq!(typed("void f()\n{\n    a(b,\n|\n);\n", after_newline), "void f()\n{\n    a(b,\n      \n);\n");
    assert_eq!(typed("void f()\n{\n    a(b,\n|\n", after_newline), "void f()\n{\n    a(b,\n        \n");
    assert_eq!(typed("void f()\n{\n    if (a)\n|", after_newline), "void f()\n{\n    if (a)\n        ");
    assert_eq!(typed("void f()\n{\n    a;\n        |}\n", after_newline), "void f()\n{\n    a;\n}\n");
    assert_eq!(typed("a;\n  |b;\n", after_newline), "a;\nb;\n");
    assert_eq!(typed("|", after_newline), "");
}
