//! Completion: candidates from the program, and the files that an `#include` may name.

use crate::loader::is_outside;
use crate::lsp::world::Snapshot;
use std::path::Path;
use wgc_ide::{Candidate, CandidateKind, Completion, CompletionKind};
use wgc_sema::db::normalize;

/// Extensions of files that shaders include.
const ENDINGS: &[&str] = &["hlsl", "hlsli", "h", "hpp", "fx", "fxh", "inc", "slang", "usf", "ush"];

/// The limit of folder entries to read: an editor may be in any folder.
const MAX_ENTRIES: usize = 2000;

/// Returns the completions at a byte of a file.
pub fn completion(world: &Snapshot, path: &str, at: u32) -> Option<Completion> {
    let program = super::program_at(world, path, at)?;
    let mut found = wgc_ide::complete(&world.db, program, path, &world.text(path), at);
    if let CompletionKind::Include { folder, .. } = &found.wanted {
        let options = program.options(&world.db);
        let beside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut folders: Vec<String> = vec![format!("{beside}/{folder}")];
        folders.extend(options.include_dirs.iter().map(|dir| format!("{dir}/{folder}")));
        let virtual_dirs = options.virtual_dirs.iter();
        folders.extend(virtual_dirs.filter_map(|(from, to)| {
            let rest = folder.strip_prefix(from.trim_end_matches('/'))?;
            Some(format!("{to}{rest}"))
        }));
        // Files outside the include roots must not be listed either.
        let roots = &options.include_roots;
        folders.retain(|folder| !is_outside(&normalize(folder), roots));
        let prefix = found.prefix.to_lowercase();
        let mut all: Vec<Candidate> = Vec::new();
        folders.iter().for_each(|folder| in_folder(world, path, &normalize(folder), &mut all));
        of_ours(folder, &mut all);
        all.retain(|candidate| candidate.label.to_lowercase().starts_with(&prefix));
        all.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
        all.dedup_by(|a, b| a.label == b.label);
        found.candidates = all;
    }
    Some(found)
}

/// Adds the folders and headers of a folder, from the disk and from open documents.
fn in_folder(world: &Snapshot, own: &str, folder: &str, out: &mut Vec<Candidate>) {
    let is_header = |name: &str| Path::new(name).extension().is_some_and(|e| ENDINGS.iter().any(|ending| e == *ending));
    let mut file = |name: &str| {
        if is_header(name) && normalize(&format!("{folder}/{name}")) != own {
            out.push(Candidate::new(name, CandidateKind::File, "", 0));
        }
    };
    for path in world.paths() {
        if let Some((beside, name)) = path.rsplit_once('/')
            && beside == folder
        {
            file(name);
        }
    }
    let entries = std::fs::read_dir(if folder.is_empty() { "." } else { folder });
    for entry in entries.into_iter().flatten().take(MAX_ENTRIES).flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        match std::fs::metadata(entry.path()) {
            Ok(is) if is.is_dir() => {
                out.push(Candidate::new(format!("{name}/"), CandidateKind::Folder, "", 1));
            }
            Ok(is) if is.is_file() && is_header(&name) && normalize(&format!("{folder}/{name}")) != own => {
                out.push(Candidate::new(name, CandidateKind::File, "", 0));
            }
            _ => {}
        }
    }
}

/// Adds the headers that come with the compiler.
fn of_ours(folder: &str, out: &mut Vec<Candidate>) {
    for rest in wgc_ide::headers().filter_map(|name| name.strip_prefix(folder)) {
        out.push(match rest.split_once('/') {
            Some((inner, _)) => Candidate::new(format!("{inner}/"), CandidateKind::Folder, "built in", 1),
            None => Candidate::new(rest, CandidateKind::File, "built in", 0),
        });
    }
}
