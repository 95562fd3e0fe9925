//! `<` after names: template arguments after the name of a template in scope, a comparison after any other (C++
//! [temp.names]). In the expectations `<| |>` are the brackets of template arguments, and `(|` opens a cast.

mod common;

use common::read_text;
use wgc_frontend::token::dump;

const TEMPLATES: &str = "template<typename T> struct Box { T v; template<typename U> U as() { return (U)v; } };\n\
    template<int N> uint num() { return N; }\ntemplate<bool B> uint flag() { return B; }\n";

/// Returns the last line of the tokens, with `statement` inside a function with variables `a` to `d`.
fn read(before: &str, statement: &str) -> String {
    let text = format!("{before}\nvoid f(uint a, uint b, uint c, uint d) {{\n{statement}\n}}\n");
    let tokens = dump(&read_text(&text).tokens);
    let lines: Vec<&str> = tokens.lines().collect();
    lines[lines.len() - 2].to_owned()
}

fn plain(statement: &str) {
    let read = read("", statement);
    assert!(!read.contains("<|") && !read.contains("|>"), "{read}");
}

#[test]
fn variables_compare_in_every_context() {
    for statement in [
        "g(a < b, c > (d));",
        "g(a < b, c > d);",
        "g(a < b, c > -1, (d));",
        "g((a) < b, c > (d + 1));",
        "bool2 v = bool2(a < b, c > (d));",
        "bool q[2] = { a < b, c > d };",
        "bool q = a < b, r = c > (d);",
        "t = a < b, c > (d);",
        "for (bool t = a < b, u = c > (d); n < 3; t = a < n, u = c > n) g(t);",
        "return a < b, c > (d);",
        "q[a < b] = q[c > d];",
        "g(a < b ? c : d, c > (d));",
        "uint length = 3; g(length < b, c > (d));",
        "uint min, distance; g(min < distance, distance > (min));",
        "g(v.x < v.y, v.z > (v.w));",
    ] {
        plain(statement);
    }
}

#[test]
fn templates_in_scope_have_arguments() {
    for (statement, expected) in [
        ("Box<uint> x;", "Box <| uint |> x ;"),
        ("g(num<3>() < a, b > num<4>());", "g ( num <| 3 |> ( ) < a , b > num <| 4 |> ( ) ) ;"),
        ("g(a < num<3>(), b > (c));", "g ( a < num <| 3 |> ( ) , b > ( c ) ) ;"),
        ("Box<Box<uint> > y;", "Box <| Box <| uint |> |> y ;"),
        ("flag<a < 3>();", "flag <| a < 3 |> ( ) ;"),
        ("flag<a < b || c < d>();", "flag <| a < b || c < d |> ( ) ;"),
        ("x.as<uint>();", "x . as <| uint |> ( ) ;"),
        ("vector<float, 3> v;", "vector <| float , 3 |> v ;"),
    ] {
        assert_eq!(read(TEMPLATES, statement), expected);
    }
}

#[test]
fn declarations_hide_templates_in_their_scopes() {
    for (before, statement, expected) in [
        ("", "uint Box; g(Box < a, b > (c));", "uint Box ; g ( Box < a , b > ( c ) ) ;"),
        ("", "{ uint num; } num<3>();", "{ uint num ; } num <| 3 |> ( ) ;"),
        (
            "",
            "for (uint num = 0; num < a, b > (c); ) g(); num<3>();",
            "for ( uint num = 0 ; num < a , b > ( c ) ; ) g ( ) ; num <| 3 |> ( ) ;",
        ),
        (
            "",
            "if (uint num = a) g(num < a, b > (c)); else g(num < a, b > (c)); num<3>();",
            "if ( uint num = a ) g ( num < a , b > ( c ) ) ; else g ( num < a , b > ( c ) ) ; num <| 3 |> ( ) ;",
        ),
        ("void h(uint num) { }", "num<3>();", "num <| 3 |> ( ) ;"),
        (
            "namespace N { static uint num; }",
            "g(N::num < a, b > (c)); num<3>();",
            "g ( N :: num < a , b > ( c ) ) ; num <| 3 |> ( ) ;",
        ),
        (
            "struct S { uint num; };",
            "S s; g(s.num < a, b > (c)); num<3>();",
            "S s ; g ( s . num < a , b > ( c ) ) ; num <| 3 |> ( ) ;",
        ),
        ("enum E { num };", "g(E::num < a, b > (c));", "g ( E :: num < a , b > ( c ) ) ;"),
        // Operators that only the arguments of a known template may contain.
        ("", "uint num; g(num < a && b > (c));", "uint num ; g ( num < a && b > ( c ) ) ;"),
        ("", "uint num; g(num < a || b > c ? d : a);", "uint num ; g ( num < a || b > c ? d : a ) ;"),
        ("", "for (uint num = 0; num < a && b > (c); ) g();", "for ( uint num = 0 ; num < a && b > ( c ) ; ) g ( ) ;"),
        ("struct S { uint num; };", "S s; g(s.num < a && b > (c));", "S s ; g ( s . num < a && b > ( c ) ) ;"),
        (
            "namespace N { static uint num; }",
            "g(N::num < a && b > (c)); flag<a < b && c < d>();",
            "g ( N :: num < a && b > ( c ) ) ; flag <| a < b && c < d |> ( ) ;",
        ),
        (
            "template<typename T> T x(T t) { return t; }",
            "g(v.x < a && v.y > (c));",
            "g ( v . x < a && v . y > ( c ) ) ;",
        ),
        ("cbuffer C { uint lim; };", "g(lim < a, b > (c));", "g ( lim < a , b > ( c ) ) ;"),
    ] {
        assert_eq!(read(&format!("{TEMPLATES}{before}"), statement), expected);
    }
}

#[test]
fn enclosing_members_hide_templates() {
    let text = |body: &str| format!("{TEMPLATES}{body}");
    for body in [
        "struct S {\nuint f() { return g(num < 1, 2 > (num)); }\nuint num; };",
        "struct B { uint num; }; struct S : B {\nuint f() { return g(num < 1, 2 > (num)); }\n};",
        "struct S {\nuint f() { return g(num < 1 && 2 > (num)); }\nuint num; };",
        "struct B { uint num; }; struct S : B {\nuint f() { return g(num < 1 && 2 > (num)); }\n};",
        "struct S { uint num; uint f(); };\nuint S::f() { return g(num < 1, 2 > (num)); }",
        "struct S { uint num;\nuint f() { return g(this.num < 1, 2 > (this.num)); }\n};",
        "\ntemplate<int num> uint h() { return g(num < 1, 2 > (num)); }",
    ] {
        let tokens = dump(&read_text(&text(body)).tokens);
        let line = tokens.lines().find(|line| line.contains("return g")).expect("the method");
        assert!(!line.split_once("return").expect("a body").1.contains("<|"), "{line}");
    }
}

#[test]
fn a_parenthesised_variable_is_no_cast() {
    let types = "struct P { uint a; };";
    assert_eq!(read(&format!("{types} static uint P;"), "x = (P) - 1;"), "x = ( P ) - 1 ;");
    assert_eq!(read(types, "x = (P) - 1;"), "x = (| P ) - 1 ;");
    assert_eq!(read(types, "{ uint P; } x = (P) - 1;"), "{ uint P ; } x = (| P ) - 1 ;");
}

#[test]
fn unknown_names_and_types_as_arguments_are_recovered() {
    assert_eq!(read("", "Unknown<uint> x;"), "Unknown <| uint |> x ;");
    assert_eq!(read("uint plain(uint x) { return x; }", "plain<uint>(3);"), "plain < uint > ( 3 ) ;");
}

#[test]
fn lookup_in_cyclic_bases_terminates() {
    let bases = |name: &str| format!("{}{name}", format!("{name}, ").repeat(8));
    let text = format!(
        "{TEMPLATES}struct A;\nstruct B : {} {{ uint b; }};\nstruct A : {} {{\nuint f() {{ return g(x < 1, 2 > (x)); }}\n}};",
        bases("A"),
        bases("B"),
    );
    assert!(dump(&read_text(&text).tokens).contains("g ("));
}
