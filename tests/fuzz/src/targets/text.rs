//! Preprocessor, parser and formatter: the passes that need only text.

use super::holds;
use crate::input::{ProgramInput, program};
use std::sync::Arc;
use wgc_fmt::{Braces, Style, after_newline, after_token, apply};
use wgc_frontend::ast::visit::Node;
use wgc_frontend::ast::{Ast, Span};
use wgc_frontend::diagnostic::{Error, FileId, Location};
use wgc_frontend::parse::{dump_item, parse_body, parse_item};
use wgc_frontend::preprocess::{Includes, Options, Unit};
use wgc_frontend::slice::{ItemSlice, slice};
use wgc_frontend::spelled::{Spelled, SpellingShape, spelled};
use wgc_frontend::token::Sym;
use wgc_frontend::{Names, unit};

/// The files of an input, for the preprocessor.
struct Files(Vec<(String, Arc<[u8]>)>);

impl Files {
    fn of(input: &ProgramInput) -> Files {
        Files(input.files.iter().map(|(name, text)| (name.clone(), text.as_slice().into())).collect())
    }

    fn unit(&self) -> Unit {
        unit(self, &[FileId(0)], &Options::default(), &Names::default())
    }

    /// Checks that a location is in a file, and not before the start of its text.
    fn inside(&self, unit: &Unit, at: Location, what: &str) -> Result<(), String> {
        let place = unit.place(at);
        let length = self.0.get(place.file.0 as usize).map(|(_, text)| text.len());
        let is_inside = place.lo <= place.hi && length.is_some_and(|length| place.hi as usize <= length);
        holds(is_inside, || format!("{what} is at {place:?} of a file of {length:?} bytes"))
    }
}

impl Includes for Files {
    fn resolve(&self, _: &[FileId], name: &str, _: bool) -> Option<FileId> {
        self.0.iter().position(|(known, _)| known == name).map(|index| FileId(index as u32))
    }

    fn text(&self, file: FileId) -> Arc<[u8]> {
        self.0[file.0 as usize].1.clone()
    }

    fn path(&self, file: FileId) -> compact_str::CompactString {
        self.0[file.0 as usize].0.as_str().into()
    }
}

fn checked_errors(files: &Files, unit: &Unit, errors: &[Error]) -> Result<(), String> {
    for error in errors {
        files.inside(unit, error.at, "an error")?;
        for (_, at) in &error.notes {
            files.inside(unit, *at, "a note")?;
        }
        if let Some(fix) = &error.fix {
            files.inside(unit, fix.at, "a fix")?;
        }
        holds(!error.message.is_empty(), || "an error has no message".to_owned())?;
        unit.trail(error.at);
    }
    Ok(())
}

/// Runs the target `preprocess`.
pub fn preprocess(input: &[u8]) -> Result<bool, String> {
    let files = Files::of(&program(input));
    let unit = files.unit();
    holds(unit.tokens.len() == unit.origins.len(), || "tokens and places are not as many".to_owned())?;
    for at in &unit.origins {
        files.inside(&unit, *at, "a token")?;
    }
    checked_errors(&files, &unit, &unit.errors)?;
    for (file, range) in &unit.inactive {
        let length = files.0[file.0 as usize].1.len() as u32;
        holds(range.start <= range.end && range.end <= length, || format!("{range:?} of {length} bytes is inactive"))?;
    }
    printed_again(&files, &unit)?;
    Ok(unit.errors.is_empty())
}

/// Checks that `-P` prints the same tokens for a program without errors, and leaves no macro to expand.
fn printed_again(files: &Files, unit: &Unit) -> Result<(), String> {
    let text_of = |file: FileId| files.0.get(file.0 as usize).map(|(name, text)| (name.clone(), text.clone()));
    let printed = wgc_compiler::preprocessed::text(unit, &text_of);
    if !unit.errors.is_empty() {
        return Ok(());
    }
    let again = Files(vec![(crate::input::MAIN.to_owned(), printed.as_bytes().into())]);
    let read = again.unit();
    let spelled = |unit: &Unit| unit.tokens.iter().map(|token| token.spelling().to_owned()).collect::<Vec<_>>();
    let (before, after) = (spelled(unit), spelled(&read));
    holds(before == after, || {
        let at = before.iter().zip(&after).position(|(a, b)| a != b).unwrap_or(before.len().min(after.len()));
        format!("-P changes token {at}: {:?} becomes {:?} in\n{printed}", before.get(at), after.get(at))
    })
}

/// Checks that nodes are inside the tokens of the root. Some are outside their parents: a type includes the brackets
/// after a name.
fn checked_spans(ast: &Ast, root: Node, outer: Span) -> Result<(), String> {
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        let span = ast.span(node);
        let is_inside = span.lo <= span.hi && outer.lo <= span.lo && span.hi <= outer.hi;
        holds(is_inside, || format!("{node:?} is at {span:?} of {outer:?}"))?;
        stack.extend(ast.children(node));
    }
    Ok(())
}

/// Runs the target `parse`.
pub fn parse(input: &[u8]) -> Result<bool, String> {
    let files = Files::of(&program(input));
    let unit = files.unit();
    let (items, errors) = slice(&unit);
    checked_errors(&files, &unit, &errors)?;
    let mut right = unit.errors.is_empty() && errors.is_empty();
    covered(&unit, &items, right)?;
    for item in &items {
        let head = parse_item(&item.head);
        checked_spans(&head.ast, Node::Item(head.root), Span { lo: 0, hi: item.head.len() as u32 })?;
        let located: Vec<Error> = head.errors.iter().map(|error| unit.locate(error, &item.head_origins)).collect();
        checked_errors(&files, &unit, &located)?;
        right &= located.is_empty();
        for body in &item.bodies {
            let parsed = parse_body(&body.tokens);
            for stmt in parsed.root {
                checked_spans(&parsed.ast, Node::Stmt(stmt), Span { lo: 0, hi: body.tokens.len() as u32 })?;
            }
            let located: Vec<Error> = parsed.errors.iter().map(|error| unit.locate(error, &body.origins)).collect();
            checked_errors(&files, &unit, &located)?;
            right &= located.is_empty();
        }
        dump_item(item);
    }
    Ok(right)
}

/// Checks that every token of a valid program is in an item or around one: in a namespace, or at the end of a
/// declaration.
fn covered(unit: &Unit, items: &[ItemSlice], right: bool) -> Result<(), String> {
    let mut is_covered = vec![false; unit.tokens.len()];
    for item in items {
        holds(item.head.len() == item.head_origins.len(), || "places of a head are not as many".to_owned())?;
        let bodies = item.bodies.iter().flat_map(|body| &body.origins);
        for origin in item.head_origins.iter().chain(bodies) {
            match is_covered.get_mut(*origin as usize) {
                Some(covered) => *covered = true,
                None => return Err(format!("an item has token {origin} of {}", unit.tokens.len())),
            }
        }
        for body in &item.bodies {
            let (open, close) = body.braces;
            for brace in [open, close] {
                if let Some(covered) = is_covered.get_mut(brace as usize) {
                    *covered = true;
                }
            }
        }
    }
    let mut in_namespace = false;
    for (at, token) in unit.tokens.iter().enumerate() {
        in_namespace = token.is(Sym::Namespace) || in_namespace && !is_covered[at] && !token.is(Sym::LBrace);
        let ends = [Sym::LBrace, Sym::RBrace, Sym::Semi].into_iter().any(|sym| token.is(sym));
        let inline =
            token.spelling() == "inline" && unit.tokens.get(at + 1).is_some_and(|next| next.is(Sym::Namespace));
        holds(!right || is_covered[at] || in_namespace || inline || ends, || {
            format!("token {at}, `{}`, is in no item", token.spelling())
        })?;
    }
    Ok(())
}

fn styles() -> [Style; 3] {
    let narrow = Style { indent: 2, tabs: true, columns: 60, braces: Braces::SameLine, indent_cases: Some(true) };
    [Style::default(), narrow, Style { columns: 80, braces: Braces::NextLine, ..Style::default() }]
}

/// Returns tokens by their texts, without backslashes before line ends.
fn tokens(bytes: &[u8]) -> Vec<(SpellingShape, bool, &[u8])> {
    let all = spelled(bytes).unwrap_or_default();
    // Only for directives does the start of a line matter.
    let begins = |token: &Spelled| token.starts_line && token.shape == SpellingShape::Hash;
    let text = |token: &Spelled| match &bytes[token.lo as usize..token.hi as usize] {
        // Ends at the line end, and the formatter removes white space there.
        open if token.shape == SpellingShape::Open => open.trim_ascii_end(),
        text => text,
    };
    all.iter().map(|token| (token.shape, begins(token), text(token))).collect()
}

fn without_space(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.iter().copied().filter(|b| !b.is_ascii_whitespace() && *b != 0x0b)
}

/// Checks a text under one style.
fn formatted(bytes: &[u8], style: &Style) -> Result<(), String> {
    let once = wgc_fmt::format(bytes, style);
    let shown = || String::from_utf8_lossy(&once).into_owned();
    holds(without_space(bytes).eq(without_space(&once)), || format!("more than white space changed:\n{}", shown()))?;
    holds(tokens(bytes) == tokens(&once), || format!("tokens changed:\n{}", shown()))?;
    let twice = wgc_fmt::format(&once, style);
    holds(once == twice, || format!("formatting twice makes\n{}\nof\n{}", String::from_utf8_lossy(&twice), shown()))
}

/// Runs the target `format`.
pub fn format(input: &[u8]) -> Result<bool, String> {
    for style in &styles() {
        formatted(input, style)?;
    }
    // Simulates typing, at a position that depends on the text itself.
    let at = (input.iter().fold(7usize, |sum, byte| sum.wrapping_mul(31) + usize::from(*byte))) % (input.len() + 1);
    for typed in [after_token, after_newline] {
        let edits = typed(input, &Style::default(), at as u32);
        let edited = apply(input, &edits);
        holds(without_space(input).eq(without_space(&edited)), || {
            format!("typing at {at} changes more than white space:\n{}", String::from_utf8_lossy(&edited))
        })?;
    }
    Ok(spelled(input).is_some())
}
