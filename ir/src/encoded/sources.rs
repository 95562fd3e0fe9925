//! The binary form of source maps. Most tokens follow the one before on the same line, and need one byte.

use super::Encoded;
use super::bytes::{Decoder, Encoder};
use crate::declared::Declarations;
use crate::position::{Location, SourceFile, SourceMap, SourceText};
use rustc_hash::FxHashMap;

/// The map without declarations. Its texts are in the order of their names.
impl Encoded for SourceMap {
    fn put(&self, to: &mut Encoder) {
        let SourceMap { files, roots, declarations: _, texts } = self;
        files.put(to);
        roots.put(to);
        let mut texts: Vec<(&SourceText, &Vec<Location>)> = texts.iter().collect();
        texts.sort_by_key(|(text, _)| (&text.item, text.body));
        to.number(texts.len() as u64);
        for (text, tokens) in texts {
            text.put(to);
            put_tokens(tokens, to);
        }
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        let files: Vec<SourceFile> = Encoded::take(from)?;
        let roots = Encoded::take(from)?;
        let mut texts = FxHashMap::default();
        for _ in 0..from.length()? {
            let text = SourceText::take(from)?;
            texts.insert(text, take_tokens(from)?);
        }
        Some(SourceMap { files, roots, declarations: Declarations::default(), texts })
    }
}

/// The step that a file, a line and a column follow.
const ANYWHERE: u64 = 0;

/// Writes each token as its distance from the one before: an odd number for columns, and an even one for lines, which the
/// column follows.
fn put_tokens(tokens: &[Location], to: &mut Encoder) {
    to.number(tokens.len() as u64);
    let mut last = Location { file: 0, line: 0, column: 0 };
    for &token in tokens {
        let Location { file, line, column } = token;
        let on_same_line = (file, line) == (last.file, last.line);
        match (line.checked_sub(last.line), column.checked_sub(last.column)) {
            (_, Some(columns)) if on_same_line => to.number(u64::from(columns) * 2 + 1),
            (Some(lines), _) if file == last.file && lines > 0 => {
                to.number(u64::from(lines) * 2);
                column.put(to);
            }
            _ => {
                to.number(ANYWHERE);
                [file, line, column].put(to);
            }
        }
        last = token;
    }
}

fn take_tokens(from: &mut Decoder<'_>) -> Option<Vec<Location>> {
    let length = from.length()?;
    let mut tokens = Vec::with_capacity(length);
    let mut last = Location { file: 0, line: 0, column: 0 };
    for _ in 0..length {
        let step = from.number()?;
        if step == ANYWHERE {
            let [file, line, column] = Encoded::take(from)?;
            last = Location { file, line, column };
        } else {
            let distance = u32::try_from(step / 2).ok()?;
            if step % 2 == 1 {
                last.column = last.column.checked_add(distance)?;
            } else {
                last.line = last.line.checked_add(distance)?;
                last.column = Encoded::take(from)?;
            }
        }
        tokens.push(last);
    }
    Some(tokens)
}
