//! Programs in memory, and errors as lines of text.

#![allow(dead_code, reason = "each test file uses a part")]

use std::sync::Arc;

use compact_str::CompactString;
use wgc_frontend::diagnostic::{Error, FileId, Location};
use wgc_frontend::parse::{parse_body, parse_item};
use wgc_frontend::preprocess::{Includes, Options, Unit};
use wgc_frontend::slice::{ItemSlice, slice};
use wgc_frontend::{Names, unit};

/// Files by name; the first one is the root.
pub struct Files(pub Vec<(String, Vec<u8>)>);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Self {
        Files(files.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect())
    }

    pub fn one(text: impl Into<Vec<u8>>) -> Self {
        Files(vec![("main.hlsl".to_owned(), text.into())])
    }
}

impl Includes for Files {
    fn resolve(&self, _: &[FileId], name: &str, _: bool) -> Option<FileId> {
        self.0.iter().position(|(known, _)| known == name).map(|index| FileId(index as u32))
    }

    fn text(&self, file: FileId) -> Arc<[u8]> {
        self.0[file.0 as usize].1.clone().into()
    }

    fn path(&self, file: FileId) -> CompactString {
        self.0[file.0 as usize].0.as_str().into()
    }
}

pub fn read(files: &Files) -> Unit {
    unit(files, &[FileId(0)], &Options::default(), &Names::default())
}

pub fn read_text(text: &str) -> Unit {
    read(&Files::one(text))
}

/// Returns the spellings of a unit's tokens.
pub fn spell(unit: &Unit) -> Vec<String> {
    unit.tokens.iter().map(|token| token.spelling().to_owned()).collect()
}

/// Returns all errors of a program, those of the preprocessor first.
pub fn all_errors(unit: &Unit) -> (Vec<ItemSlice>, Vec<Error>) {
    let (items, more) = slice(unit);
    let mut errors = unit.errors.clone();
    errors.extend(more);
    for item in &items {
        errors.extend(parse_item(&item.head).errors.iter().map(|error| unit.locate(error, &item.head_origins)));
        for body in &item.bodies {
            errors.extend(parse_body(&body.tokens).errors.iter().map(|error| unit.locate(error, &body.origins)));
        }
    }
    (items, errors)
}

fn line_column(files: &Files, file: FileId, offset: u32) -> (usize, usize) {
    let text = &files.0[file.0 as usize].1;
    let before = &text[..(offset as usize).min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    (line, column)
}

fn place(files: &Files, unit: &Unit, at: Location) -> String {
    let place = unit.place(at);
    let (line, column) = line_column(files, place.file, place.lo);
    let width = place.hi - place.lo;
    let file = if place.file.0 == 0 { String::new() } else { format!("{}:", files.0[place.file.0 as usize].0) };
    format!("{file}{line}:{column}+{width}")
}

/// Renders errors as `line:column+width: message`, followed by notes, the expansion trail and the fix.
pub fn render(files: &Files) -> String {
    let unit = read(files);
    let (_, mut errors) = all_errors(&unit);
    errors.sort_by_key(|error| unit.place(error.at));
    let mut out = String::new();
    for error in &errors {
        out.push_str(&format!("{}: {}\n", place(files, &unit, error.at), error.message));
        for (text, at) in &error.notes {
            out.push_str(&format!("    {}: {text}\n", place(files, &unit, *at)));
        }
        for expansion in unit.trail(error.at) {
            let at = place(files, &unit, expansion.use_site);
            out.push_str(&format!("    {at}: in the expansion of `{}`\n", expansion.name));
        }
        if let Some(fix) = &error.fix {
            out.push_str(&format!("    fix {}: `{}`\n", place(files, &unit, fix.at), fix.text));
        }
    }
    out
}
