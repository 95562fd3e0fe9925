//! Wrong programs: one message for each mistake, at its location, and the rest of the tree kept.

mod common;

use common::{Files, all_errors, read, render};
use wgc_frontend::diagnostic::ErrorCode;
use wgc_frontend::parse::dump_item;

#[test]
fn messages() {
    insta::assert_snapshot!(render(&Files::one(include_str!("data/bad-syntax.hlsl"))));
}

#[test]
fn trees() {
    let unit = read(&Files::one(include_str!("data/bad-syntax.hlsl")));
    let (items, _) = all_errors(&unit);
    insta::assert_snapshot!(items.iter().map(dump_item).collect::<String>());
}

/// Checks the messages and locations of one wrong program.
#[track_caller]
fn says(source: &str, want: &[&str]) {
    let text = render(&Files::one(source));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("    ")).collect();
    assert_eq!(lines, want, "{source}");
}

#[test]
fn braces() {
    says(
        "void a() { if (x) {\n}\nvoid b() { }\nstruct S { int x; };\n",
        &["2:2+0: expected `}` to close the body of `a`"],
    );
    says("void a() { } }\nint b;\n", &["1:14+1: unmatched `}`"]);
    // One message, whose fix closes all open braces.
    let unit = read(&Files::one("void a() {\n  if (1) { { }\nvoid b() { }\n"));
    let fixes: Vec<String> = all_errors(&unit).1.into_iter().filter_map(|e| e.fix).map(|fix| fix.text).collect();
    assert_eq!(fixes, ["} }"]);
    says("struct S {\n  int x;\nvoid b() { }\n", &["2:9+0: expected `}` to close `S`"]);
    says("cbuffer C {\n  int x;\n[numthreads(1,1,1)]\nvoid b() { }\n", &["2:9+0: expected `}` to close `C`"]);
    says("namespace N {\n  int x;\n", &["2:9+0: expected `}` to close the namespace `N`"]);
    says("enum E { A, B\nvoid b() { }\n", &["1:14+0: expected `}` to close this enum"]);
    // Unindented text is fine as long as braces match.
    says("void a() {\nif (x)\n{\nfoo(x);\n}\n}\nvoid b()\n{\nint y;\n}\n", &[]);
}

#[test]
fn missing_semicolons_do_not_affect_neighbours() {
    says(
        "uint x\nuint y;\nstruct S { int a; }\nvoid f() { }\nfloat g = 1\n[numthreads(1,1,1)]\nvoid h() { }",
        &[
            "1:7+0: expected `;` after declaration",
            "3:20+0: expected `;` after `}`",
            "5:12+0: expected `;` after expression",
        ],
    );
}

#[test]
fn parse_errors_list_macro_expansions() {
    let text =
        render(&Files::one("#define ONE(x) foo(x x)\n#define TWO(x) ONE(x)\nvoid f() {\n  TWO(1);\n  ONE(2 +);\n}\n"));
    assert_eq!(
        text,
        "4:7+1: expected `,` or `)` after `1`, found `1`\n    \
         4:3+6: in the expansion of `ONE`\n    4:3+6: in the expansion of `TWO`\n\
         5:3+8: expected an expression after `+`\n    5:3+8: in the expansion of `ONE`\n",
    );
}

/// Each C++ construct gets one message, and the code around it is kept.
#[test]
fn cpp_constructs_get_one_message() {
    let rows: &[(&str, &str)] = &[
        ("void f() { x = s->y; }", "1:17+2: HLSL has no `->`"),
        ("void f(float &x) { }", "1:14+1: HLSL has no references"),
        ("void f(const S &&x) { }", "1:16+2: HLSL has no references"),
        ("struct S { T **p; };", "1:14+2: HLSL has no pointers"),
        ("S *g() { return 0; }", "1:3+1: HLSL has no pointers"),
        ("void f() { g(&x, 2); }", "1:14+1: HLSL has no addresses"),
        ("void f() { y = *x; }", "1:16+1: HLSL has no pointers"),
        ("void f() { *x = 1; }", "1:12+1: HLSL has no pointers"),
        ("void f() { p = (float *)x; }", "1:23+1: HLSL has no pointers"),
        ("void f() { s = new S(1); }", "1:16+3: HLSL has no `new`"),
        ("void f() { delete[] p; }", "1:12+8: HLSL has no `delete`"),
        ("void f() { throw 1; }", "1:12+5: HLSL has no `throw`"),
        ("void f() { auto g = [&](int x) -> int { return x; }; }", "1:21+3: HLSL has no lambdas"),
        ("class C { public: float x; };", "1:11+7: HLSL has no `public:`"),
        ("struct C : public B { int x; };", "1:12+6: HLSL has no `public`"),
        ("struct C { virtual void f(); };", "1:12+7: HLSL has no `virtual`"),
        ("struct C : B { void f() override { } };", "1:25+8: HLSL has no `override`"),
        ("struct C { ~C() { } int x; };", "1:12+2: HLSL has no destructors"),
        ("struct C { C(int y) : x(y) { } int x; };", "1:12+1: HLSL has no constructors"),
        ("constinit int k = 1;", "1:1+9: HLSL has no `constinit`"),
        ("void f() { try { g(); } catch (int e) { h(); } catch (S s) { } }", "1:12+3: HLSL has no `try`"),
        ("void f() { x = static_cast<int>(y).z; }", "1:16+11: HLSL has no `static_cast`"),
        ("void f() { x = reinterpret_cast<uint2>(y); }", "1:16+16: HLSL has no `reinterpret_cast`"),
        ("void f() { int x{3}; }", "1:17+0: HLSL has no initialisation with braces alone"),
        ("void f() { for (int a : list) { } }", "1:23+1: HLSL has no range-based `for`"),
    ];
    for (source, want) in rows {
        // The neighbouring item is complete.
        says(&format!("{source}\nint after;\n"), &[want]);
        let (items, _) = all_errors(&read(&Files::one(format!("{source}\nint after;\n"))));
        assert_eq!(items.len(), 2, "{source}");
    }
    // These symbols are also valid HLSL.
    for source in ["void f() { x = a--> b; }", "void f() { x = a & -b * +c; }", "void f(int virtual, int public) { }"] {
        says(source, &[]);
    }
    // A missing operand is a mistake of another kind.
    says("void f() { x = * 3; }", &["1:15+0: expected an expression after `=`"]);
}

/// A mistake without ambiguity gives the tree of its correction.
#[test]
fn mistakes_parse_to_the_tree_of_their_correction() {
    let tree = |source: &str| -> String {
        let (items, _) = all_errors(&read(&Files::one(source)));
        items.iter().map(dump_item).collect()
    };
    let rows: &[(&str, &str)] = &[
        ("void f() { x = s->y->z(1); }", "void f() { x = s.y.z(1); }"),
        ("void f(const S &s) { }", "void f(const S s) { }"),
        ("class C { public: float x; private: void f(); };", "class C { float x; void f(); };"),
        ("struct C : public B { virtual void f() const override { } };", "struct C : B { void f() const { } };"),
        ("void f() { x = static_cast<vector<int, 2> >(y + 1).z; }", "void f() { x = ((vector<int, 2>)(y + 1)).z; }"),
        ("constinit int k = 1;", "static const int k = 1;"),
        ("static constinit int k = 1;", "static const int k = 1;"),
        ("consteval int k() { return 1; }", "int k() { return 1; }"),
        ("void f() { int x{3}; }", "void f() { int x = {3}; }"),
    ];
    for (wrong, right) in rows {
        assert_eq!(tree(wrong), tree(right), "{wrong}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let codes = |source: String| -> Vec<ErrorCode> {
        let unit = read(&Files::one(source));
        all_errors(&unit).1.iter().map(|error| error.code).collect()
    };
    let deep = [ErrorCode::NestingTooDeep];
    let parentheses = format!("void f() {{ x = {}1{}; }}", "(".repeat(200_000), ")".repeat(200_000));
    assert_eq!(codes(parentheses), deep);
    let n = 20_000;
    let wrap = |open: &str, inner: &str, close: &str| {
        format!("void f() {{ x = {}{inner}{}; }}", open.repeat(n), close.repeat(n))
    };
    assert_eq!(codes(wrap("(", "1", ")")), deep);
    assert_eq!(codes(wrap("f(", "1", ")")), deep);
    assert_eq!(codes(wrap("a[", "1", "]")), deep);
    assert_eq!(codes(wrap("(int)", "1", "")), deep);
    assert_eq!(codes(wrap("- ", "1", "")), deep);
    assert_eq!(codes(wrap("a + ", "1", "")), deep);
    assert_eq!(codes(wrap("a = ", "1", "")), deep);
    assert_eq!(codes(wrap("a ? b : ", "1", "")), deep);
    assert_eq!(codes(wrap("1", "", ".x")), deep);
    assert_eq!(codes(format!("void f() {{ {} }}", "if (a) b; else ".repeat(n) + ";")), deep);
    assert_eq!(codes(format!("void f() {{ {}{} }}", "{".repeat(n), "}".repeat(n))), deep);
    assert_eq!(codes(format!("{}int{} x;", "A<".repeat(300), ">".repeat(300))), deep);
    assert_eq!(codes(format!("{}{};", "struct S { ".repeat(n), "};".repeat(n))), deep);
    // Real code is far from the limits.
    assert_eq!(codes(format!("void f() {{ x = {}1{}; }}", "(".repeat(200), ")".repeat(200))), []);
    assert_eq!(codes(format!("void f() {{ x = {}1; }}", "a + ".repeat(400))), []);
    // Unclosed brackets do not make the rest too deep either.
    assert!(codes("(".repeat(n)).len() < 4 && codes("{".repeat(n)).len() < 4 && codes("<".repeat(n)).len() < 4);
}
