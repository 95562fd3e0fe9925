//! Options of a project, which are in `wgc.json` (`options`) and in run files (`args`). Their paths are relative to the
//! file. Under the command line's `--include-root`, they read no file outside, write no file, and leave the folders as
//! they are.

use crate::cli::options::Opt;
use crate::cli::parse::{Invocation, name_of};
use crate::loader::{is_outside, outside, real_path};
use std::path::Path;

/// The access of an option to the file that its value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// The option reads it without a check of the folders.
    Read,
    /// Each file is checked when it is found.
    Confined,
    Write,
}

/// The options whose value is the name of a file or folder.
const FILES: &[(Opt, Access)] = &[
    (Opt::Output, Access::Write),
    (Opt::Include, Access::Confined),
    (Opt::IncludeRoot, Access::Confined),
    (Opt::Listing, Access::Write),
    (Opt::PreprocessTo, Access::Write),
    (Opt::WriteDependencies, Access::Write),
    (Opt::DependenciesTo, Access::Write),
    (Opt::Host, Access::Read),
    (Opt::Inputs, Access::Read),
    (Opt::OutDir, Access::Write),
    (Opt::RecordsJson, Access::Write),
    (Opt::Trace, Access::Write),
];

/// Returns the folders of `--include-root` without links.
///
/// # Errors
/// A folder does not exist.
pub fn include_roots(given: &Invocation) -> Result<Vec<String>, String> {
    let real = |root| {
        let real = real_path(root).filter(|real| Path::new(real).is_dir());
        real.ok_or_else(|| format!("{} {root}: no such folder", name_of(Opt::IncludeRoot)))
    };
    given.values(Opt::IncludeRoot).map(real).collect()
}

/// Confines a project's own options to the folders that the command line names, if it names any. Folders of the
/// project give way to them.
///
/// # Errors
/// An option reads a file outside, or writes a file. A folder does not exist.
pub fn confine(own: &mut Invocation, given: &Invocation) -> Result<(), String> {
    let roots = include_roots(given)?;
    if roots.is_empty() {
        return Ok(());
    }
    own.options.retain(|(opt, _)| *opt != Opt::IncludeRoot);
    for (opt, value) in &own.options {
        match FILES.iter().find(|row| row.0 == *opt).map(|row| row.1) {
            Some(Access::Read) if is_outside(value, &roots) => return Err(outside(value)),
            Some(Access::Write) => {
                let name = name_of(*opt);
                return Err(format!(
                    "with --include-root, only the command line may have `{name}`, which writes a file"
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes the paths of options relative to a folder, unless they are absolute or `-`.
pub fn move_to(folder: &Path, own: &mut Invocation) {
    for (opt, value) in &mut own.options {
        if !matches!(&**value, "" | "-") && FILES.iter().any(|row| row.0 == *opt) {
            *value = wgc_sema::db::normalize(&folder.join(&*value).to_string_lossy());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, FILES};
    use crate::cli::options::{OPTIONS, Opt};

    #[test]
    fn file_options_are_listed_as_confined() {
        for spec in OPTIONS {
            let is_file = spec.names_path() || spec.opt == Opt::WriteDependencies;
            assert_eq!(FILES.iter().any(|row| row.0 == spec.opt), is_file, "{}", spec.names[0]);
        }
        assert_eq!(FILES.iter().filter(|row| row.1 == Access::Read).count(), 2);
    }
}
