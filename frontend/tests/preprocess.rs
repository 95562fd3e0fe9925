//! Expansions compared with manually derived results. Those marked with a section are from the C standard.

mod common;

use common::{Files, read, read_text, render, spell};
use wgc_frontend::diagnostic::{ErrorCode, FileId};
use wgc_frontend::preprocess::{Options, Pragma, Stage};
use wgc_frontend::{Names, unit};

#[track_caller]
fn expands(source: &str, want: &str) {
    let unit = read_text(source);
    let errors: Vec<_> = unit.errors.iter().map(|error| &error.message).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(spell(&unit), spell(&read_text(want)));
}

/// C11 6.10.3.5 example 3.
#[test]
fn rescanning() {
    expands(
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
         #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
         #define str(x) # x\n\
         f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
         p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n\
         f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);\n\
         int i[] = { 1, 23, 4, 5, };\nchar c[2][6] = { \"hello\", \"\" };\n",
    );
}

/// C11 6.10.3.5 example 4, with the text of the include instead of the directive.
#[test]
fn stringizing_and_pasting() {
    let source = "#define str(s) # s\n#define xstr(s) str(s)\n\
        #define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)\n\
        #define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
        #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
        debug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);\n\
        #include xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n";
    let files = Files::new(&[("main.hlsl", source), ("vers2.h", "included;\n")]);
    let unit = read(&files);
    assert!(unit.errors.is_empty(), "{:?}", unit.errors);
    let want = r#"printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
        fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
        included; "hello"; "hello" ", world""#;
    assert_eq!(spell(&unit), spell(&read_text(want)));
}

/// C11 6.10.3.5 example 5.
#[test]
fn pasting_nothing() {
    expands(
        "#define t(x,y,z) x ## y ## z\n\
         int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    );
}

/// C11 6.10.3.5 example 7.
#[test]
fn variadic() {
    expands(
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
         #define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n\
         debug(\"Flag\");\ndebug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\n\
         report(x>y, \"x is %d but y is %d\", x, y);",
        "fprintf(stderr, \"Flag\");\nfprintf(stderr, \"X = %d\\n\", x);\nputs(\"The first, second, and third items.\");\n\
         ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));",
    );
    // GNU: empty arguments remove the comma.
    expands("#define e(a, ...) p(a, ## __VA_ARGS__)\ne(1); e(1, 2); e(1, 2, 3);", "p(1); p(1, 2); p(1, 2, 3);");
    expands("#define n(first, rest...) q(first, rest)\nn(1, 2, 3);", "q(1, 2, 3);");
}

#[test]
fn hide_sets_propagate_with_tokens() {
    // The name in the argument existed before the call, the one in the body did not.
    expands("#define f(x) x f\nf(f)(1);", "f f(1);");
    // WG14 DR 017 question 19, as common compilers do it.
    expands("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9);", "2*9*g;");
    expands("#define a b\n#define b a\na b;", "a b;");
    expands("#define x y z\n#define y x 1\n#define z x y\nx;", "x 1 x x 1;");
    // A name that could not expand once never expands.
    expands("#define id(x) x\n#define foo foo bar\nid(id(foo));", "foo bar;");
}

#[test]
fn macro_named_like_its_type() {
    expands(
        "#define Cursor(...) Cursor::ctor(__VA_ARGS__)\nCursor c = Cursor(int2(5, 5), 2);",
        "Cursor c = Cursor::ctor(int2(5, 5), 2);",
    );
}

#[test]
fn macro_calls_may_span_lines_and_directives() {
    expands("#define f(a, b) a + b\nf\n(\n1,\n#ifdef f\n2\n#else\n3\n#endif\n);", "1 + 2;");
    expands("#define f(a) <a>\nf;", "f;");
    expands("#define o f(\n#define f(a) [a]\no 1);", "[1];");
    // Parentheses keep commas together, brackets do not.
    expands("#define two(a, b) b a\ntwo(x(1, 2), 3); two(x[1, 2]);", "3 x(1, 2); 2] x[1;");
}

#[test]
fn conditions() {
    let table = [
        ("1 + 2 * 3 == 7", true),
        ("(1 + 2) * 3 == 9", true),
        ("-1 < 0", true),
        // Unsigned if either side is.
        ("-1 < 0u", false),
        ("0x10 == 16 && 010 == 8 && 0b11 == 3", true),
        ("1 ? 0 : 1", false),
        ("0 && (1 / 0)", false),
        ("1 || (1 / 0)", true),
        ("8 >> 1 >= 4", true),
        ("'a' == 97 && '\\n' == 10", true),
        ("~0 == -1 && !0", true),
        ("7 % 4 ^ 1", true),
        ("undefined_name", false),
        ("defined A && defined(B) && !defined C", true),
        ("VALUE == 3", true),
        ("TWICE(2) == 4", true),
        ("HAS_A", true),
        ("__has_include(\"other.h\") && !__has_include(<none.h>)", true),
        ("defined __has_include", true),
        ("__has_include(OTHER)", true),
        ("__has_include(NONE)", false),
        ("true && !false", true),
        ("__HLSL_VERSION >= 2021 && __SHADER_TARGET_STAGE == __SHADER_STAGE_LIBRARY", true),
        ("__SHADER_TARGET_MAJOR == 6 && __SHADER_TARGET_MINOR == 8", true),
        ("defined(__spirv__) && defined(__WGC__) && defined(__hlsl_dx_compiler)", true),
        ("1 \\\n + 1 == 2 // comment", true),
        // Counts of 64 and more, as in DXC.
        ("(1 << 63) < 0 && (1 << 64) == 0 && (2 << 64) == 0 && (1 << -1) == 0", true),
        ("(-5 >> 64) == -1 && (5 >> 64) == 0 && (5u >> -1) == 0", true),
    ];
    for (condition, want) in table {
        let source = format!(
            "#define A\n#define B 0\n#define VALUE 3\n#define TWICE(x) ((x) * 2)\n#define HAS_A defined(A)\n\
             #define OTHER \"other.h\"\n#define NONE <none.h>\n\
             #if {condition}\nyes\n#else\nno\n#endif\n"
        );
        let unit = read(&Files::new(&[("main.hlsl", &source), ("other.h", "")]));
        assert!(unit.errors.is_empty(), "{condition}: {:?}", unit.errors);
        assert_eq!(spell(&unit), [if want { "yes" } else { "no" }], "{condition}");
    }
}

#[test]
fn groups() {
    let branches = |a: u32, b: u32, c: u32| {
        let source = format!(
            "#if {a}\none\n#if {b}\nnested\n#endif\n#elif {b}\ntwo\n#elifdef NONE\nnever\n#elifndef NONE\nthree\n#else\nfour\n#endif\nend {c}"
        );
        spell(&read_text(&source)).join(" ")
    };
    assert_eq!(branches(1, 0, 7), "one end 7");
    assert_eq!(branches(1, 1, 7), "one nested end 7");
    assert_eq!(branches(0, 1, 7), "two end 7");
    assert_eq!(branches(0, 0, 7), "three end 7");
    // Skipped text is not even read as tokens, and its directives are not processed.
    expands("#if 0\n#error no\n#include \"nowhere\"\nit's\n#bogus\n#else\nyes\n#endif", "yes");
}

#[test]
fn inactive_ranges_are_recorded() {
    let text = "a\n#if 0\nb\nc\n#else\nd\n#endif\n#if 1\ne\n#elif 1\nf\n#endif\n";
    let unit = read_text(text);
    let parts: Vec<&str> =
        unit.inactive.iter().map(|(_, range)| &text[range.start as usize..range.end as usize]).collect();
    assert_eq!(parts, ["b\nc\n", "f\n"]);
}

#[test]
fn pragma_once_files_are_included_once() {
    let files = Files::new(&[
        ("main.hlsl", "#include \"a.h\"\n#include <b.h>\n#include \"a.h\"\n#include \"c.h\"\n#include \"c.h\"\nend"),
        ("a.h", "#pragma once\na\n#include \"b.h\"\n"),
        ("b.h", "#ifndef B\n#define B\nb\n#endif\n"),
        ("c.h", "c"),
    ]);
    let unit = read(&files);
    assert!(unit.errors.is_empty(), "{:?}", unit.errors);
    assert_eq!(spell(&unit), ["a", "b", "c", "c", "end"]);
    assert_eq!(unit.files, [FileId(0), FileId(1), FileId(2), FileId(3)]);
    let from: Vec<u32> = unit.origins.iter().map(|at| at.place.file.0).collect();
    assert_eq!(from, [1, 2, 3, 3, 0]);
}

#[test]
fn several_roots_are_one_unit() {
    let files = Files::new(&[
        ("a.hlsl", "#include \"h\"\n#define A 1\nf(A)"),
        ("b.hlsl", "#include \"h\"\nf(A)"),
        ("h", "#pragma once\nheader"),
    ]);
    let unit = unit(&files, &[FileId(0), FileId(1)], &Options::default(), &Names::default());
    assert_eq!(spell(&unit).join(" "), "header f ( 1 ) f ( 1 )");
}

#[test]
fn lines_and_files() {
    let source = "__LINE__\n#define here __LINE__\n\nhere /*\n*/ __LINE__ \\\n __LINE__\n__FILE__\n#line 100 \"other\"\n\
                  __LINE__ __FILE__ __COUNTER__ __COUNTER__";
    expands(source, "1 4 5 6 \"main.hlsl\" 100 \"other\" 0 1");
}

#[test]
fn defines_of_the_command_line() {
    let options = Options {
        defines: vec![("N".into(), "3".into()), ("ADD(a,b)".into(), "a + b".into()), ("N".into(), "4".into())],
        stage: Stage::Compute,
        native_16bit: true,
        ..Options::default()
    };
    let files = Files::one("N ADD(1, 2) __SHADER_TARGET_STAGE __HLSL_ENABLE_16_BIT");
    let unit = unit(&files, &[FileId(0)], &options, &Names::default());
    assert!(unit.errors.is_empty(), "{:?}", unit.errors);
    assert_eq!(spell(&unit).join(" "), "4 1 + 2 5 1");
}

#[test]
fn pragmas_record_the_next_token_index() {
    let unit = read_text("a >>\n#pragma pack_matrix(row_major)\nb\n#pragma dxc diagnostic push\n");
    let row_major = Pragma::PackMatrix { row_major: true };
    assert_eq!(unit.pragmas, [(2, row_major), (3, Pragma::Other("dxc diagnostic push".into()))]);
}

#[test]
fn pragma_operator_works_in_macros_and_arguments() {
    let text = r##"#define DO(x) _Pragma(#x) c
#define ID(x) x
_Pragma("pack_matrix(row_major)") a
b ID(_Pragma("say \"a\\b\"") d) DO(pack_matrix(column_major))"##;
    let unit = read_text(text);
    assert!(unit.errors.is_empty(), "{:?}", unit.errors);
    assert_eq!(spell(&unit).join(" "), "a b d c");
    let matrix = |row_major| Pragma::PackMatrix { row_major };
    let pragma = Pragma::Other(r#"say "a\b""#.into());
    assert_eq!(unit.pragmas, [(0, matrix(true)), (2, pragma), (3, matrix(false))]);

    for wrong in ["_Pragma a", "_Pragma(a)", "_Pragma(\"x\" a", "_Pragma"] {
        let unit = read_text(wrong);
        let codes: Vec<ErrorCode> = unit.errors.iter().map(|error| error.code).collect();
        assert_eq!(codes, [ErrorCode::MalformedDirective], "{wrong}");
        assert!(unit.pragmas.is_empty(), "{wrong}");
    }
}

#[test]
fn macro_token_origins_point_to_the_use() {
    let text = "#define INNER(x) x + bad\n#define OUTER(y) INNER(y)\nOUTER(arg) rest";
    let unit = read_text(text);
    let shown: Vec<&str> = unit
        .origins
        .iter()
        .map(|at| {
            let place = unit.place(*at);
            &text[place.lo as usize..place.hi as usize]
        })
        .collect();
    // The argument's text is the user's; the rest came from the macro.
    assert_eq!(shown, ["arg", "OUTER(arg)", "OUTER(arg)", "rest"]);
    let trail: Vec<&str> = unit.trail(unit.origins[2]).iter().map(|expansion| expansion.name.as_str()).collect();
    assert_eq!(trail, ["INNER", "OUTER"]);
    let spelled = unit.origins[2].place;
    assert_eq!(&text[spelled.lo as usize..spelled.hi as usize], "bad");
}

#[test]
fn encodings() {
    let read_bytes = |bytes: &[u8]| read(&Files::one(bytes));
    assert_eq!(spell(&read_bytes(b"\xef\xbb\xbfa")), ["a"]);
    assert_eq!(spell(&read_bytes(b"a // caf\xe9\n/* \xff */ b")), ["a", "b"]);
    let bad = read_bytes(b"a \xe9\xe8 b \"\xff\"");
    assert_eq!(spell(&bad), ["a", "b"]);
    let codes: Vec<ErrorCode> = bad.errors.iter().map(|error| error.code).collect();
    assert_eq!(codes, [ErrorCode::NotUtf8, ErrorCode::NotUtf8]);
    assert_eq!((bad.errors[0].at.place.lo, bad.errors[0].at.place.hi), (2, 4));
    let wide = read_bytes(b"\xff\xfea\0");
    assert_eq!(wide.errors[0].code, ErrorCode::WrongEncoding);
    assert!(wide.errors[0].message.contains("UTF-16") && wide.tokens.is_empty());
    let latin = read_bytes("é x".as_bytes());
    assert_eq!(latin.errors[0].message, "unexpected `é`");
}

#[test]
fn excessive_preprocessing_hits_limits() {
    // 2^40 tokens, and 2^40 steps without a token.
    for last in ["x", ""] {
        let mut source = String::new();
        for n in 1..40 {
            source.push_str(&format!("#define m{n} m{0} m{0}\n", n - 1));
        }
        source.push_str(&format!("#define m0 {last}\nm39 end\n"));
        let unit = read_text(&source);
        assert_eq!(unit.errors.len(), 1);
        assert_eq!(unit.errors[0].code, ErrorCode::ExpansionLimit);
    }
    // Doubling arguments.
    let unit = read_text(&format!("#define d(x) x x\n{}1{}", "d(".repeat(100), ")".repeat(100)));
    assert_eq!(unit.errors.iter().map(|error| error.code).collect::<Vec<_>>(), [ErrorCode::ExpansionLimit]);
    // Calls in arguments, deeper than any stack.
    let unit = read_text(&format!("#define d(x) x\n{}1{}", "d(".repeat(10_000), ")".repeat(10_000)));
    assert!(unit.errors.iter().all(|error| error.code == ErrorCode::ExpansionLimit));
    // A long chain of names.
    let chain: String = (0..20_000).map(|n| format!("#define n{n} n{}\n", n + 1)).collect();
    let unit = read_text(&format!("{chain}n0"));
    assert_eq!(unit.errors.iter().map(|error| error.code).collect::<Vec<_>>(), [ErrorCode::ExpansionLimit]);
    // A file that includes itself, and nested conditions.
    let unit = read(&Files::new(&[("main.hlsl", "#include \"main.hlsl\"\n")]));
    assert_eq!(unit.errors.iter().map(|error| error.code).collect::<Vec<_>>(), [ErrorCode::IncludeTooDeep]);
    let unit = read_text(&format!("#if {}1\n#endif\n#if {}1\n#endif\n", "(".repeat(100_000), "!".repeat(100_000)));
    assert_eq!(unit.errors.len(), 2);
}

/// The parser adds no error to that of the preprocessor.
#[test]
fn a_wrong_macro_call_is_reported_once() {
    for text in ["static const uint one = ADD(1);", "void f() { ADD(1); return x; }", "ADD(1)\n", "ADD(1);", "ADD(1"] {
        let text = format!("#define ADD(a, b) ((a) + (b))\n{text}\n");
        assert_eq!(render(&Files::one(text.as_str())).matches("macro `ADD`").count(), 1, "{text}");
        assert_eq!(
            render(&Files::one(text.as_str())).lines().filter(|line| !line.starts_with(' ')).count(),
            1,
            "{text}"
        );
    }
}

#[test]
fn messages() {
    let source = include_str!("data/bad-directives.hlsl");
    insta::assert_snapshot!(render(&Files::new(&[("main.hlsl", source)])));
}
