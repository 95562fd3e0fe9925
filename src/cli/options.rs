//! Command-line options: their meanings, commands and groups. [`table`] has a row for each; parsing, help and
//! suggestions read it.
//!
//! Options accept DXC's spellings too, so that a DXC command line works as far as wgc supports it. An unknown option is
//! an error.

mod table;

pub use table::{
    DEBUG_LEVELS, DENORMALS, EMITS, ENVIRONMENTS, JOINED, LANGUAGE_VERSIONS, OLD_LANGUAGE_VERSIONS, OPTIONS, TARGETS,
};

/// The meaning of an option, for all its spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opt {
    Target,
    NativeTarget,
    Output,
    Emit,
    Define,
    Include,
    IncludeRoot,
    Profile,
    Entry,
    LanguageVersion,
    Enable16BitTypes,
    TargetEnvironment,
    EntryPointName,
    MaximalReconvergence,
    Denormals,
    OptLevel,
    SplitNodes,
    AmdxCompat,
    Pack,
    LegacyBufferMatrixOrder,
    RowMajor,
    Precise,
    ColumnMajor,
    Library,
    Listing,
    Preprocess,
    PreprocessTo,
    Dependencies,
    WriteDependencies,
    DependenciesTo,
    IncludeTree,
    StripDebug,
    DebugInfo,
    DebugLevel,
    Program,
    Host,
    Budget,
    WholeGraph,
    NoWarnings,
    Warning,
    Allow,
    Warn,
    Deny,
    ErrorLimit,
    WarningsAsErrors,
    MessageFormat,
    Color,
    Inputs,
    Device,
    OutDir,
    Print,
    Records,
    RecordsJson,
    Sorted,
    Deterministic,
    Poison,
    Trace,
    Stats,
    SubgroupSize,
    Threads,
    MaxInstructions,
    Batching,
    Order,
    Sanitize,
    PageKib,
    Arena,
    Allocator,
    SegmentKib,
    JointDispatch,
    Fusion,
    Resident,
    Fuse,
    NoFuse,
    DirectTargets,
    NoInt64Atomics,
    Schedule,
    Drain,
    /// An option of `wgc_sema::tables::binding_options`; the value is the option and its words, separated by spaces.
    Binding,
    Specialise,
    StandardStreams,
    CheckFormat,
    Stdin,
    Indent,
    Tabs,
    Columns,
    Braces,
    Help,
    HelpAll,
    Version,
}

/// Commands that take options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Command {
    #[default]
    Compile,
    Check,
    Run,
    Devices,
    Explain,
    Verify,
    Fmt,
    Lsp,
}

/// A group of options in help texts and in the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Input,
    Output,
    Language,
    Bindings,
    Diagnostics,
    Debugging,
    Running,
    Inspection,
    Emulation,
    Formatting,
    General,
}

/// The groups in the order of help texts: the word of `wgc help WORD`, and a heading.
pub const GROUPS: &[(Group, &str, &str)] = &[
    (Group::Input, "input", "Input"),
    (Group::Output, "output", "Output"),
    (Group::Language, "language", "Language and module"),
    (Group::Bindings, "bindings", "Bindings"),
    (Group::Diagnostics, "diagnostics", "Diagnostics"),
    (Group::Debugging, "debugging", "Debug information"),
    (Group::Running, "running", "Running"),
    (Group::Inspection, "inspection", "Inspection of emulated graphs"),
    (Group::Emulation, "emulation", "Tuning of emulated graphs"),
    (Group::Formatting, "formatting", "Formatting"),
    (Group::General, "general", "General"),
];

pub struct Spec {
    pub opt: Opt,
    /// All spellings; the first is the one that help and messages use.
    pub names: &'static [&'static str],
    /// Name of the value, for options that take one.
    pub value: Option<&'static str>,
    /// The value is optional: empty by default, otherwise joined with `=`.
    pub optional: bool,
    /// All valid values, if they are a list.
    pub choices: &'static [&'static str],
    pub commands: &'static [Command],
    pub group: Group,
    /// One line for `--help`.
    pub short: &'static str,
    /// The whole description, for `wgc help GROUP` and the reference.
    pub help: &'static str,
}

impl Spec {
    /// Returns whether the value is the name of a file or folder.
    pub fn names_path(&self) -> bool {
        matches!(self.value, Some("FILE" | "DIR" | "OUT"))
    }

    /// Returns the text after the name in help.
    pub fn value_text(&self) -> String {
        match self.value {
            None => String::new(),
            Some(value) if self.optional => format!("[={value}]"),
            Some(value) => format!(" {value}"),
        }
    }
}

pub const ALL: &[Command] = &[
    Command::Compile,
    Command::Check,
    Command::Run,
    Command::Devices,
    Command::Explain,
    Command::Verify,
    Command::Fmt,
    Command::Lsp,
];

pub fn find(name: &str) -> Option<&'static Spec> {
    OPTIONS.iter().find(|s| s.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::table::MESSAGE_FORMATS;
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn message_format_options_match_implemented_formats() {
        let names: Vec<&str> = crate::report::FORMATS.iter().map(|f| f.0).collect();
        assert_eq!(MESSAGE_FORMATS, names);
    }

    #[test]
    fn option_environments_match_the_emitter() {
        let names: Vec<&str> = wgc_backend_spirv::environment::ENVIRONMENTS.iter().map(|e| e.name).collect();
        assert_eq!(ENVIRONMENTS, names);
    }

    #[test]
    fn spellings_are_unique_and_start_with_a_dash() {
        let mut seen = HashSet::new();
        for name in OPTIONS.iter().flat_map(|s| s.names) {
            assert!(name.starts_with('-'), "{name}");
            assert!(seen.insert(name), "{name} stands twice");
        }
        assert!(JOINED.iter().all(|j| find(j).is_some_and(|s| s.value.is_some())));
    }

    #[test]
    fn joined_options_have_at_most_three_characters() {
        // A word option that begins like a joined one is found first, whole; its misspelling must not become a value.
        assert!(JOINED.iter().all(|j| j.len() <= 3));
    }
}
