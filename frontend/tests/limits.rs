//! Limits of the preprocessor. Values at a limit are accepted, one more gives one error, and memory use stays
//! proportional.

mod common;

use common::{Files, read, read_text};
use wgc_frontend::diagnostic::ErrorCode;
use wgc_frontend::preprocess::Unit;

/// The maximum length in bytes of a name, a number, or a token that `#` or `##` produces.
const LONGEST: usize = 64 << 10;

fn codes(unit: &Unit) -> Vec<ErrorCode> {
    unit.errors.iter().map(|error| error.code).collect()
}

const DOUBLE: &str =
    "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n#define D(x) Q(x, x)\n#define STR_(x) #x\n#define STR(x) STR_(x)\n";

/// Returns a name whose length is doubled this number of times.
fn doubled(times: usize, of: &str) -> String {
    format!("{}{of}{}", "D(".repeat(times), ")".repeat(times))
}

#[test]
fn pasted_tokens_have_a_length_limit() {
    // 2^16 bytes.
    let most = doubled(16, "n");
    for text in [format!("{most}\n"), format!("#if {most}\n#endif\n"), format!("#define N {most}\nN\n")] {
        assert_eq!(codes(&read_text(&format!("{DOUBLE}{text}"))), [], "{text}");
    }
    let unit = read_text(&format!("{DOUBLE}{most}\n"));
    assert_eq!(unit.tokens.first().map(|token| token.text.len()), Some(LONGEST));
    for one_more in [format!("Q({most}, n)"), doubled(17, "n"), doubled(60, "n"), doubled(60, "1")] {
        for text in [
            format!("{one_more}\n"),
            format!("#if {one_more}\n#endif\n"),
            format!("#define N {one_more}\nN\n"),
            format!("#line {one_more}\n"),
            format!("STR({one_more})\n"),
        ] {
            let unit = read_text(&format!("{DOUBLE}{text}"));
            let limits = codes(&unit).into_iter().filter(|code| *code == ErrorCode::ExpansionLimit).count();
            assert_eq!(limits, 1, "{:?}", unit.errors);
            assert!(unit.errors.iter().all(|error| error.message.len() < 2 * LONGEST));
        }
    }
}

#[test]
fn stringized_tokens_have_a_length_limit() {
    // Including its quotes.
    let text = |bytes: usize| format!("{DOUBLE}STR_({})\n", "a ".repeat(bytes / 2 - 1));
    assert_eq!(codes(&read_text(&text(LONGEST))), []);
    assert_eq!(codes(&read_text(&text(LONGEST + 4))), [ErrorCode::ExpansionLimit]);
}

#[test]
fn source_tokens_have_a_length_limit() {
    for letter in ["a", "7"] {
        assert_eq!(codes(&read_text(&format!("{};\n", letter.repeat(LONGEST)))), []);
        let unit = read_text(&format!("{};\n{};\n", letter.repeat(LONGEST + 1), letter.repeat(1 << 20)));
        assert_eq!(codes(&unit), [ErrorCode::TokenTooLong]);
        assert!(unit.errors[0].message.contains("65537 bytes; the limit is 65536"), "{}", unit.errors[0].message);
        assert!(unit.tokens.iter().all(|token| token.text.len() <= LONGEST));
    }
    // Comments and strings have no maximum length.
    assert_eq!(codes(&read_text(&format!("/*{0}*/ \"{0}\"; // {0}\n", "x".repeat(1 << 18)))), []);
}

#[test]
fn bytes_of_macro_expansions_are_limited() {
    let uses = |count: usize| format!("#define N {}\n{}", "n".repeat(LONGEST), "N\n".repeat(count));
    // 64 MiB.
    assert_eq!(codes(&read_text(&uses(1024))), []);
    let unit = read_text(&uses(1025));
    assert_eq!(codes(&unit), [ErrorCode::ExpansionLimit]);
    assert!(unit.errors[0].message.contains("67108864 bytes"), "{}", unit.errors[0].message);
}

#[test]
fn include_depth_is_limited() {
    let files = |count: usize| {
        let names: Vec<String> = (0..=count).map(|n| format!("f{n}.h")).collect();
        let texts: Vec<String> =
            (1..=count).map(|n| format!("#include \"f{n}.h\"\n")).chain(["last;\n".to_owned()]).collect();
        let main = ("main.hlsl", "#include \"f0.h\"\n");
        let all: Vec<(&str, &str)> =
            std::iter::once(main).chain(names.iter().zip(&texts).map(|(n, t)| (n.as_str(), t.as_str()))).collect();
        codes(&read(&Files::new(&all)))
    };
    assert_eq!(files(198), []);
    assert_eq!(files(199), [ErrorCode::IncludeTooDeep]);
    let twice = "#include \"x.h\"\n#include \"x.h\"\n";
    assert_eq!(codes(&read(&Files::new(&[("x.h", twice)]))), [ErrorCode::IncludeTooDeep]);
    let other = "#include \"y.h\"\n#include \"y.h\"\n";
    let each_other = [("x.h", other), ("y.h", twice)];
    assert_eq!(codes(&read(&Files::new(&each_other))), [ErrorCode::IncludeTooDeep]);
}

#[test]
fn tokens_of_macro_expansions_are_limited() {
    // Each use of M produces 1,023 tokens in addition to itself.
    let uses = |count: usize, rest: usize| {
        format!("#define M {}\n#define R {}\n{}R\n", "x ".repeat(1023), "y ".repeat(rest), "M\n".repeat(count))
    };
    assert_eq!(codes(&read_text(&uses(511, 1022))), []);
    assert_eq!(codes(&read_text(&uses(511, 1023))), [ErrorCode::ExpansionLimit]);
}

#[test]
fn if_directive_expressions_have_a_nesting_limit() {
    let of = |n: usize| codes(&read_text(&format!("#if {}1{}\n#endif\n", "(".repeat(n), ")".repeat(n))));
    assert_eq!(of(127), []);
    assert_eq!(of(128), [ErrorCode::MalformedCondition]);
    let signs = |n: usize| codes(&read_text(&format!("#if {}1\n#endif\n", "!".repeat(n))));
    assert_eq!(signs(127), []);
    assert_eq!(signs(128), [ErrorCode::MalformedCondition]);
}

#[test]
fn the_number_of_includes_is_limited() {
    let of = |text: &str, count: usize| {
        let main = "#include \"a.h\"\n".repeat(count);
        codes(&read(&Files::new(&[("main.hlsl", &main), ("a.h", text)])))
    };
    assert_eq!(of("", 10_000), []);
    assert_eq!(of("", 10_001), [ErrorCode::IncludeTooDeep]);
    // 2^22 tokens in all.
    let tokens = "x ".repeat(1 << 16);
    assert_eq!(of(&tokens, 64), []);
    assert_eq!(of(&tokens, 65), [ErrorCode::IncludeTooDeep]);
}
