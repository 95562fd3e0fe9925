//! `wgc fmt`: reformats the white space of files.

use super::{FAILED, NamedBy, OK, Stop, plain, print, print_bytes};
use crate::cli::options::Opt;
use crate::cli::parse::Invocation;
use crate::project::formatting::{BracePosition, Format};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;
use wgc_abi::file::Content;
use wgc_abi::package::is_package;
use wgc_abi::replace::Staged;
use wgc_fmt::{Edit, Style, apply, edits};

/// The name of standard input on the command line.
const STDIN: &str = "-";

pub(super) fn fmt(invocation: &Invocation) -> Result<u8, Stop> {
    let mut files = invocation.files.clone();
    if invocation.has(Opt::Stdin) {
        if !files.is_empty() {
            return Err(Stop::Usage("--stdin cannot be combined with files".into()));
        }
        files.push(STDIN.into());
    }
    if files.is_empty() {
        return Err(Stop::Usage("`wgc fmt` needs files; --stdin formats standard input".into()));
    }
    let given = given(invocation)?;
    let check = invocation.has(Opt::CheckFormat);
    let mut differs = false;
    let mut all = true;
    for file in &files {
        match one(file, &given, check) {
            Ok(same) => differs |= !same,
            // An error in one file does not stop the others.
            Err(Stop::Usage(message)) if files.len() > 1 => {
                all = false;
                super::complain(&message);
            }
            Err(stop) => return Err(stop),
        }
    }
    match all {
        false => Err(Stop::Usage("some files were not formatted".into())),
        true => Ok(if check && differs { FAILED } else { OK }),
    }
}

/// Returns the style options of the command line.
fn given(invocation: &Invocation) -> Result<Format, Stop> {
    Ok(Format {
        indent: invocation.number(Opt::Indent)?,
        tabs: invocation.has(Opt::Tabs).then_some(true),
        columns: invocation.number(Opt::Columns)?,
        // The table of options only allows these names.
        braces: invocation.value(Opt::Braces).and_then(BracePosition::find),
        indent_cases: None,
    })
}

/// Formats one file, or shows the changes. Returns whether there were none.
fn one(file: &str, given: &Format, check: bool) -> Result<bool, Stop> {
    let near = if file == STDIN { Format::of("stdin.hlsl") } else { Format::of(file) };
    let style: Style = given.clone().or(near.map_err(Stop::Usage)?).style().map_err(Stop::Usage)?;
    if !check && wgc_abi::stream::is_stream(Path::new(file)) {
        return Err(Stop::Usage(format!("{file} is a pipe or a device, which cannot be overwritten; use --stdin")));
    }
    let bytes = match is_package(Path::new(file)) {
        true => None,
        false => Some(super::read_file(file, Content::Source, NamedBy::User)?),
    };
    super::is_text(file, bytes.as_deref())?;
    let bytes = bytes.unwrap_or_default();
    let edits = edits(&bytes, &style);
    match (file, check) {
        (_, true) => print(&diff(if file == STDIN { "<stdin>" } else { file }, &bytes, &edits))?,
        (STDIN, false) => print_bytes(&apply(&bytes, &edits))?,
        // An already formatted file keeps its modification time.
        _ if edits.is_empty() => {}
        _ => replace(Path::new(file), &bytes, &apply(&bytes, &edits))
            .map_err(|e| Stop::Usage(format!("cannot write {file}: {}", plain(&e))))?,
    }
    Ok(edits.is_empty())
}

/// Replaces the old text by the new one, unless another program has changed it meanwhile.
fn replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let mut staged = Staged::over(path)?;
    staged.write_all(new)?;
    if wgc_abi::file::read(path, Content::Source)? != old {
        return Err(io::Error::other("it changed during formatting"));
    }
    staged.commit()
}

/// Returns the changed lines in the format of `patch`.
fn diff(file: &str, bytes: &[u8], edits: &[Edit]) -> String {
    let mut out = String::new();
    if edits.is_empty() {
        return out;
    }
    let _ = writeln!(out, "--- {file}\n+++ {file}");
    let starts: Vec<usize> = std::iter::once(0)
        .chain(bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1))
        .filter(|at| *at < bytes.len())
        .collect();
    let line_of = |at: u32| starts.partition_point(|start| *start <= at as usize).saturating_sub(1);
    // The number of lines added so far.
    let mut more = 0_i64;
    let mut rest = edits;
    while let Some(first) = rest.first() {
        // Edits on the same or adjacent lines form one hunk.
        let lines = line_of(first.range.start)..line_of(first.range.end) + 1;
        let (mut lines, mut count): (Range<usize>, usize) = (lines, 1);
        while let Some(next) = rest.get(count).filter(|next| line_of(next.range.start) <= lines.end) {
            lines.end = line_of(next.range.end) + 1;
            count += 1;
        }
        let (these, others) = rest.split_at(count);
        rest = others;
        let start = starts.get(lines.start).copied().unwrap_or(0);
        let end = starts.get(lines.end).copied().unwrap_or(bytes.len());
        let moved = these.iter().map(|edit| Edit {
            range: edit.range.start - start as u32..edit.range.end - start as u32,
            text: edit.text.clone(),
        });
        let new = apply(&bytes[start..end], &moved.collect::<Vec<_>>());
        let (old, new) = (shown(&bytes[start..end]), shown(&new));
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - same;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        let (old, new) = (&old[same..old.len() - tail], &new[same..new.len() - tail]);
        let at = lines.start + same + 1;
        // If one side has no lines, its number is that of the previous line.
        let before = at - usize::from(old.is_empty());
        let after = at as i64 + more - i64::from(new.is_empty());
        let _ = writeln!(out, "@@ -{before},{} +{after},{} @@", old.len(), new.len());
        old.iter().for_each(|line| out += &format!("-{line}"));
        new.iter().for_each(|line| out += &format!("+{line}"));
        more += new.len() as i64 - old.len() as i64;
    }
    out
}

/// Splits text into lines with their line ends.
fn shown(bytes: &[u8]) -> Vec<String> {
    let line = |line: &[u8]| match line.strip_suffix(b"\n") {
        Some(line) => format!("{}\n", String::from_utf8_lossy(line)),
        None => format!("{}\n\\ No newline at end of file\n", String::from_utf8_lossy(line)),
    };
    bytes.split_inclusive(|b| *b == b'\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff_of(text: &str) -> String {
        diff("a.hlsl", text.as_bytes(), &edits(text.as_bytes(), &Style::default()))
    }

    #[test]
    fn fmt_does_not_overwrite_concurrently_changed_files() {
        let dir = tempfile::tempdir().expect("made");
        let path = dir.path().join("a.hlsl");
        std::fs::write(&path, "uint a ;").expect("written");
        replace(&path, b"uint a ;", b"uint a;").expect("replaced");
        let error = replace(&path, b"uint a ;", b"uint a;\n").expect_err("it has another text");
        assert_eq!(error.to_string(), "it changed during formatting");
        assert_eq!(std::fs::read(&path).expect("there"), b"uint a;");
        assert_eq!(std::fs::read_dir(dir.path()).expect("there").count(), 1);
    }

    #[test]
    fn diff_shows_only_changed_lines() {
        let text = "uint  a;\nuint b;\nuint c;\n\n\n\nuint d ;\nuint e; uint f;\nuint g;";
        let wanted = "--- a.hlsl\n+++ a.hlsl\n@@ -1,1 +1,1 @@\n-uint  a;\n+uint a;\n\
                      @@ -5,5 +5,4 @@\n-\n-\n-uint d ;\n-uint e; uint f;\n-uint g;\n\\ No newline at end of file\n\
                      +uint d;\n+uint e;\n+uint f;\n+uint g;\n";
        assert_eq!(diff_of(text), wanted);
        assert_eq!(diff_of("uint a;\n"), "");
    }
}
