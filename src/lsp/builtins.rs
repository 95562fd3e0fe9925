//! Read-only copies of the built-in texts, and of the pages about codes, on disk, so that an editor can open them.
//!
//! A custom URI scheme would need a client extension that reads it. Neovim 0.7 has no such mechanism, and VS Code needs
//! an extension. Every client opens files, so the copies go to the user's cache, in one folder for each version of the
//! texts. They are read-only, because edits would have no effect. Documents in that folder get no diagnostics.

use crate::registry::{self, page::page};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use wgc_abi::file::Content;
use wgc_abi::replace::Staged;
use wgc_sema::Code;
use wgc_sema::db::{is_built_in, normalize};

/// Returns the folder of the built-in texts.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = from("XDG_CACHE_HOME").or_else(|| from("LOCALAPPDATA"));
        let cache = cache.or_else(|| from("HOME").map(|home| home.join(".cache"))).filter(|cache| cache.is_absolute());
        let mut hasher = DefaultHasher::new();
        wgc_stdlib::PRELUDE.hash(&mut hasher);
        wgc_stdlib::HEADERS.hash(&mut hasher);
        let folder = format!("built-in-{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
        cache.unwrap_or_else(std::env::temp_dir).join("wgc").join(folder)
    })
}

/// Returns whether a path names a copy of a built-in text.
pub fn is_copy(path: &str) -> bool {
    path.starts_with(&format!("{}/", normalize(&folder().to_string_lossy())))
}

/// Returns the path of the copy of a built-in text, and writes the copy if it is missing or differs. `None` if the text
/// is not built in or the copy cannot be written.
pub fn file_of(path: &str, text: &[u8]) -> Option<String> {
    if !is_built_in(path) {
        return None;
    }
    current(path.split_once(':')?.1.trim_start_matches("<wgc>/"), text)
}

/// Returns the path of the page about a code, and writes the page once per process if it is missing or differs.
pub fn page_of(code: Code) -> Option<String> {
    static PAGES: Mutex<BTreeMap<Code, Option<String>>> = Mutex::new(BTreeMap::new());
    let mut pages = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let write = || {
        let row = registry::find(code.row().code)?;
        current(&format!("diagnostics/{}.md", row.code), page(row).as_bytes())
    };
    pages.entry(code).or_insert_with(write).clone()
}

/// Returns the path of a file of the folder, after writing it if it is missing or differs.
fn current(name: &str, text: &[u8]) -> Option<String> {
    let file = folder().join(name);
    if wgc_abi::file::read(&file, Content::Source).ok().as_deref() != Some(text) {
        write(&file, text).ok()?;
    }
    Some(normalize(&file.to_string_lossy()))
}

/// Writes the file atomically: another server may write it at the same time.
fn write(file: &Path, text: &[u8]) -> std::io::Result<()> {
    let parent = file.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(parent)?;
    let mut staged = Staged::file(file)?;
    staged.write_all(text)?;
    let mut permissions = std::fs::metadata(staged.temporary())?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(staged.temporary(), permissions)?;
    staged.commit()
}

#[cfg(test)]
mod tests {
    use super::{file_of, is_copy, page_of};
    use wgc_sema::Code;

    #[test]
    fn codes_have_pages() {
        let path = page_of(Code::MissingTarget).expect("the cache can be written");
        assert!(is_copy(&path) && path.ends_with("/diagnostics/WG0401.md"), "{path}");
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.starts_with("# WG0401 missing-target (error)\n") && text.contains("```hlsl\n"), "{text}");
    }

    #[test]
    fn built_in_texts_are_cached_as_read_only_files() {
        let path = file_of("wgc:<wgc>/vk/test-of-a-name.h", b"text").expect("the cache can be written");
        assert!(is_copy(&path) && path.ends_with("/vk/test-of-a-name.h"), "{path}");
        assert_eq!(std::fs::read(&path).ok().as_deref(), Some(&b"text"[..]));
        assert!(std::fs::metadata(&path).is_ok_and(|metadata| metadata.permissions().readonly()));
        // Another text of this name replaces the copy.
        assert_eq!(file_of("wgc:<wgc>/vk/test-of-a-name.h", b"other").as_deref(), Some(path.as_str()));
        assert_eq!(std::fs::read(&path).ok().as_deref(), Some(&b"other"[..]));
        assert_eq!(file_of("/some/file.hlsl", b""), None);
        assert!(!is_copy("/some/file.hlsl"));
        std::fs::remove_file(&path).expect("removed");
    }
}
