//! Snapshots of formatted texts, each in the three brace styles.

use wgc_fmt::{Braces, Style, format};

fn shown(text: &str, style: &Style) -> String {
    String::from_utf8(format(text.as_bytes(), style)).expect("it was UTF-8")
}

macro_rules! texts {
    ($($test:ident $file:literal),* $(,)?) => {$(
        #[test]
        fn $test() {
            let text = include_str!(concat!("texts/", $file));
            insta::assert_snapshot!(shown(text, &Style::default()));
        }
    )*};
}

texts! {
    statements "statements.hlsl",
    declarations "declarations.hlsl",
    nodes "nodes.hlsl",
    directives "directives.hlsl",
    slang "slang.slang",
    half_typed "half_typed.hlsl",
    headed_blocks "headed_blocks.hlsl",
}

#[test]
fn braces_on_the_next_line() {
    let style = Style { braces: Braces::NextLine, ..Style::default() };
    insta::assert_snapshot!(shown(include_str!("texts/statements.hlsl"), &style));
}

#[test]
fn braces_on_the_same_line_narrow_and_with_tabs() {
    let style = Style { braces: Braces::SameLine, columns: 72, tabs: true, indent: 8, indent_cases: Some(true) };
    let text = [include_str!("texts/nodes.hlsl"), include_str!("texts/statements.hlsl")].concat();
    insta::assert_snapshot!(shown(&text, &style));
}
