//! Properties of any text. It gives a tree, nothing panics, and locations are inside the files. Spans are inside their
//! parents, and an error stays in its item. `tests/fuzz` has programs with damaged tokens.

mod common;

use common::{Files, all_errors, read};
use proptest::prelude::*;
use wgc_frontend::ast::visit::Node;
use wgc_frontend::ast::{Ast, Span};
use wgc_frontend::diagnostic::Location;
use wgc_frontend::parse::{dump_item, parse_body, parse_item};
use wgc_frontend::slice::slice;

fn check_spans(ast: &Ast, root: Node, outer: Span) {
    let mut stack = vec![(root, outer)];
    while let Some((node, outer)) = stack.pop() {
        let span = ast.span(node);
        assert!(span.lo <= span.hi && outer.lo <= span.lo && span.hi <= outer.hi, "{node:?} {span:?} {outer:?}");
        stack.extend(ast.children(node).into_iter().map(|child| (child, outer)));
    }
}

/// Runs all stages over a text and checks the properties.
fn check(text: &[u8]) {
    let files = Files::one(text);
    let unit = read(&files);
    assert_eq!(unit.tokens.len(), unit.origins.len());
    let (items, errors) = all_errors(&unit);
    let inside = |at: Location| {
        let place = unit.place(at);
        assert!(place.lo <= place.hi && place.hi as usize <= text.len(), "{at:?} {place:?} {}", text.len());
    };
    unit.origins.iter().for_each(|at| inside(*at));
    for error in &errors {
        inside(error.at);
        error.notes.iter().for_each(|(_, at)| inside(*at));
        assert!(!error.message.is_empty());
    }
    for item in &items {
        assert_eq!(item.head.len(), item.head_origins.len());
        let head = parse_item(&item.head);
        check_spans(&head.ast, Node::Item(head.root), Span { lo: 0, hi: item.head.len() as u32 });
        for body in &item.bodies {
            assert_eq!(body.tokens.len(), body.origins.len());
            let parsed = parse_body(&body.tokens);
            for stmt in parsed.root {
                check_spans(&parsed.ast, Node::Stmt(stmt), Span { lo: 0, hi: body.tokens.len() as u32 });
            }
        }
        dump_item(item);
    }
}

/// Parts of generated text, some of them invalid.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "a",
        "float4",
        "struct",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ";",
        ",",
        ".",
        "::",
        ":",
        "?",
        "=",
        "+",
        "-",
        "++",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "return",
        "template",
        "typename",
        "operator",
        "namespace",
        "cbuffer",
        "enum",
        "typedef",
        "using",
        "sizeof",
        "unsigned",
        "const",
        "let",
        "1",
        "0.x",
        "\"s\"",
        "'c'",
        "\n",
        " ",
        "\\\n",
        "\n#define a(x) x a(x) #x x##x\n",
        "\n#if ",
        "\n#endif\n",
        "\n#else\n",
        "\n#elif 1\n",
        "#",
        "##",
        "/*",
        "*/",
        "//",
        "import",
        "register(",
        "a<b>(",
        "(float)",
        "\u{e9}",
        "@",
    ];
    prop_oneof![8 => prop::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => ".{0,4}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_parse_with_valid_locations(text in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&text);
    }

    #[test]
    fn arbitrary_token_sequences_parse_with_valid_locations(pieces in prop::collection::vec(piece(), 0..120), spaced in any::<bool>()) {
        check(pieces.join(if spaced { " " } else { "" }).as_bytes());
    }
}

/// After removing any one token of a body, all errors are in that item, and all other items are unchanged.
#[test]
fn an_error_stays_in_its_item() {
    let program = include_str!("../../examples/hello_work_graphs.hlsl");
    let good = read(&Files::one(program));
    let (items, _) = slice(&good);
    let victim = items.iter().position(|item| item.name == "secondNode").expect("a node");
    let first = items[victim].head_origins[0] as usize;
    let braces = items[victim].bodies[0].braces;
    let start = good.origins[first].place.lo as usize;
    let end = good.origins[braces.1 as usize].place.hi as usize;
    // Without its `{` or `}` the item is a different one, so both stay.
    for index in first..braces.1 as usize {
        if index == braces.0 as usize {
            continue;
        }
        let place = good.origins[index].place;
        let gone = (place.hi - place.lo) as usize;
        let text = format!("{}{}", &program[..place.lo as usize], &program[place.hi as usize..]);
        let unit = read(&Files::one(text.as_str()));
        let (now, errors) = all_errors(&unit);
        for error in &errors {
            let at = unit.place(error.at);
            assert!(start <= at.lo as usize && at.hi as usize <= end - gone, "token {index}: {error:?}");
        }
        assert_eq!(now.len(), items.len(), "token {index}: {}", good.tokens[index].spelling());
        for (number, (a, b)) in items.iter().zip(&now).enumerate() {
            assert!(number == victim || a.head == b.head, "token {index}: {}", a.name);
        }
        assert!(errors.len() <= 3, "token {index}: {errors:?}");
    }
}
