//! The table of command-line options. Parsing, help texts and suggestions all read it.
//!
//! Spellings of DXC stand beside our own where both exist, so that a DXC command line keeps working for what is
//! supported; an option that is not in the table is an error, never ignored.

/// What an option means, whatever its spelling.
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
    FuseArrays,
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

pub struct Spec {
    pub opt: Opt,
    /// All spellings; the first is the one that help and messages use.
    pub names: &'static [&'static str],
    /// Name of the value, for options that take one.
    pub value: Option<&'static str>,
    /// The value may be left out: it is empty then. Given, it is joined with `=`.
    pub optional: bool,
    /// Legal values, where they are a closed list.
    pub choices: &'static [&'static str],
    pub commands: &'static [Command],
    pub help: &'static str,
}

impl Spec {
    /// What stands behind the name, in help.
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
const SOURCE: &[Command] = &[Command::Compile, Command::Check, Command::Run];
const MESSAGES: &[Command] = &[Command::Compile, Command::Check, Command::Run, Command::Verify];
const COMPILE: &[Command] = &[Command::Compile];
const RUN: &[Command] = &[Command::Run];
const FMT: &[Command] = &[Command::Fmt];
const LSP: &[Command] = &[Command::Lsp];
/// What modules say, or are, whoever takes them. `wgc check` takes them because some of them decide what compiles, and so that
/// the options of a build serve it as they are.
const MODULE: &[Command] = &[Command::Compile, Command::Check, Command::Run];

pub const TARGETS: &[&str] = &["spirv-emulated", "spirv-amdx"];
/// Categories of DXC, see [`crate::commands`].
pub const DEBUG_LEVELS: &[&str] =
    &["file", "source", "line", "tool", "vulkan", "vulkan-with-source", "rich", "rich-with-source"];

pub const ENVIRONMENTS: &[&str] = &[
    "vulkan1.0",
    "vulkan1.1",
    "vulkan1.1spirv1.4",
    "vulkan1.2",
    "vulkan1.3",
    "vulkan1.4",
    "universal1.5",
    "universal1.6",
];
/// Those that [`OLD_LANGUAGE_VERSIONS`] has not are what wgc reads.
pub const LANGUAGE_VERSIONS: &[&str] = &["2016", "2017", "2018", "2021", "202x"];
/// Accepted with a warning: 2021 with the logic of before.
pub const OLD_LANGUAGE_VERSIONS: &[&str] = &["2016", "2017", "2018"];
pub const DENORMALS: &[&str] = &["any", "preserve", "ftz"];
pub const EMITS: &[&str] = &["asm", "ir", "reflection", "header", "svg", "tokens", "ast"];

const fn flag(opt: Opt, names: &'static [&'static str], commands: &'static [Command], help: &'static str) -> Spec {
    Spec { opt, names, value: None, optional: false, choices: &[], commands, help }
}

const fn value(
    opt: Opt,
    names: &'static [&'static str],
    value: &'static str,
    choices: &'static [&'static str],
    commands: &'static [Command],
    help: &'static str,
) -> Spec {
    Spec { opt, names, value: Some(value), optional: false, choices, commands, help }
}

/// With a value that may be left out.
const fn optional(
    opt: Opt,
    names: &'static [&'static str],
    value: &'static str,
    commands: &'static [Command],
    help: &'static str,
) -> Spec {
    Spec { opt, names, value: Some(value), optional: true, choices: &[], commands, help }
}

const MESSAGE_FORMATS: &[&str] = &["human", "short", "json", "sarif"];

/// The names of [`wgc_sema::tables::binding_options::OPTIONS`].
const BINDING_NAMES: &[&str] = &{
    let mut names = [""; wgc_sema::tables::binding_options::OPTIONS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = wgc_sema::tables::binding_options::OPTIONS[i].0;
        i += 1;
    }
    names
};

pub const OPTIONS: &[Spec] = &[
    value(
        Opt::Target,
        &["--target"],
        "TARGET",
        TARGETS,
        SOURCE,
        "spirv-emulated: plain compute for Vulkan 1.2 (default); spirv-amdx: VK_AMDX_shader_enqueue",
    ),
    flag(Opt::NativeTarget, &["-spirv"], &[Command::Compile, Command::Check], "the same as --target spirv-amdx"),
    value(
        Opt::Output,
        &["-o", "-Fo", "--output"],
        "OUT",
        &[],
        COMPILE,
        "where to write: a package directory (spirv-emulated) or a file (spirv-amdx, --emit, --pack); - is standard output",
    ),
    value(
        Opt::Emit,
        &["--emit"],
        "WHAT",
        EMITS,
        COMPILE,
        "write this as text, to standard output without -o, instead of a module",
    ),
    value(
        Opt::Define,
        &["-D"],
        "NAME[=VALUE]",
        &[],
        SOURCE,
        "define a macro, as 1 without a value, or one with parameters (NAME(a,b)=VALUE); between two files: for the second alone",
    ),
    value(Opt::Include, &["-I"], "DIR", &[], SOURCE, "search DIR for included files"),
    value(
        Opt::IncludeRoot,
        &["--include-root"],
        "DIR",
        &[],
        SOURCE,
        "find included files in DIR alone, links resolved; may be given several times",
    ),
    value(
        Opt::Profile,
        &["-T"],
        "PROFILE",
        &[],
        SOURCE,
        "lib_6_8 and later: a library of nodes (default); cs_6_0 and later, with -E: one compute shader",
    ),
    value(Opt::Entry, &["-E"], "NAME", &[], SOURCE, "the entry point of -T cs_*"),
    value(
        Opt::LanguageVersion,
        &["-HV"],
        "YEAR",
        LANGUAGE_VERSIONS,
        SOURCE,
        "language version; those before 2021 are 2021 with the operators `&&`, `||` and `?:` and the scope of `for` of before, with a warning; in 202x literals are float and int",
    ),
    flag(Opt::Enable16BitTypes, &["-enable-16bit-types"], SOURCE, "half and min16 types take 16 bits"),
    value(
        Opt::TargetEnvironment,
        &["-fspv-target-env"],
        "ENVIRONMENT",
        ENVIRONMENTS,
        MODULE,
        "version of SPIR-V, of a compute module (default: vulkan1.2)",
    ),
    value(
        Opt::EntryPointName,
        &["-fspv-entrypoint-name"],
        "NAME",
        &[],
        &[Command::Compile, Command::Check],
        "name of the entry point in the module (default: the function's)",
    ),
    flag(
        Opt::MaximalReconvergence,
        &["-fspv-enable-maximal-reconvergence"],
        &[Command::Compile, Command::Check],
        "lanes that part come together again where the source does (SPV_KHR_maximal_reconvergence)",
    ),
    value(
        Opt::Denormals,
        &["-denorm"],
        "MODE",
        DENORMALS,
        MODULE,
        "what happens to denormal floats of 32 bits: the device's choice (any, default), preserved, or flushed to zero (ftz)",
    ),
    flag(
        Opt::SplitNodes,
        &["--split-nodes"],
        &[Command::Compile, Command::Check, Command::Run],
        "spirv-amdx: a module for each node in place of one, OUT with the node before its extension (graph.Draw.spv; \
         of a node with another index than 0 its index too: graph.Draw_1.spv)",
    ),
    flag(
        Opt::AmdxCompat,
        &["--amdx-compat"],
        &[Command::Compile, Command::Check],
        "spirv-amdx: IsValid names its output as SPIRV-Tools want it, by a value, and not as the extension says, by a type; \
         wgc verify refuses such modules (AMDX-44), the CPU device runs them",
    ),
    flag(
        Opt::Pack,
        &["--pack"],
        COMPILE,
        "spirv-emulated: the package as one file (a tar archive) in place of a directory",
    ),
    flag(
        Opt::LegacyBufferMatrixOrder,
        &["-fspv-use-legacy-buffer-matrix-order"],
        SOURCE,
        "byte-address buffers hold matrices row by row, whatever their types say",
    ),
    flag(Opt::RowMajor, &["-Zpr"], SOURCE, "matrices lie in memory row by row unless the source says otherwise"),
    flag(Opt::Precise, &["-Gis"], SOURCE, "compute all floats as if they were declared `precise`"),
    flag(Opt::ColumnMajor, &["-Zpc"], SOURCE, "matrices lie in memory column by column (default)"),
    flag(
        Opt::Library,
        &["--library"],
        SOURCE,
        "the files are a part of a graph: what other files may settle is not checked; repeated identities and budgets are, as warnings",
    ),
    value(Opt::Listing, &["-Fc"], "FILE", &[], COMPILE, "also write SPIR-V text to FILE"),
    flag(Opt::Preprocess, &["-P"], COMPILE, "preprocess, and do nothing else; to standard output without -Fi"),
    value(Opt::PreprocessTo, &["-Fi"], "FILE", &[], COMPILE, "where -P writes"),
    flag(
        Opt::Dependencies,
        &["-M"],
        COMPILE,
        "print the files that are read, as a rule for make (to FILE with -MF): preprocess, and do nothing else",
    ),
    flag(Opt::WriteDependencies, &["-MD"], COMPILE, "also write that rule, beside the output with the extension .d"),
    value(Opt::DependenciesTo, &["-MF"], "FILE", &[], COMPILE, "also write that rule to FILE"),
    flag(Opt::IncludeTree, &["-H", "-Vi"], SOURCE, "print every file as it is included, to standard error"),
    value(Opt::Program, &["--program"], "NAME", &[], SOURCE, "a program of wgc.json in place of files"),
    value(
        Opt::Host,
        &["--host"],
        "FILE",
        &[],
        SOURCE,
        "what the host decides, as JSON: the nodes that it starts, and what it changes of nodes and outputs",
    ),
    flag(
        Opt::WholeGraph,
        &["--graph"],
        &[Command::Verify],
        "the modules are all of one graph, and nodes of one are held against those of the others",
    ),
    flag(
        Opt::Budget,
        &["--budget"],
        &[Command::Check],
        "print what each node takes of each limit: records, bytes, groupshared memory, depth",
    ),
    flag(
        Opt::DebugInfo,
        &["-Zi"],
        MODULE,
        "for debuggers: source text, types, scopes and variables (NonSemantic.Shader.DebugInfo.100)",
    ),
    value(
        Opt::DebugLevel,
        &["-fspv-debug"],
        "WHAT",
        DEBUG_LEVELS,
        MODULE,
        "what a module says of its source beside names, in place of -Zi: file, source and line (default), each with those \
         before it; tool: the command line; vulkan and rich: as -Zi, without the text unless -with-source; may be given \
         several times",
    ),
    flag(Opt::StripDebug, &["-Qstrip_debug"], MODULE, "leave names and all else about the source out of the module"),
    flag(Opt::NoWarnings, &["-no-warnings", "-w"], SOURCE, "no warnings"),
    value(
        Opt::Warning,
        &["-W"],
        "[no-][error=]NAME",
        &[],
        SOURCE,
        "a warning by its code, its name or that of DXC: off (-Wno-NAME), an error (-Werror=NAME), on (-WNAME); -Werror is -WX",
    ),
    flag(Opt::WarningsAsErrors, &["-WX"], SOURCE, "warnings are errors"),
    value(
        Opt::Allow,
        &["--allow"],
        "CODE",
        &[],
        SOURCE,
        "do not show these warnings: codes or names with commas between them, or all; later options win",
    ),
    value(Opt::Warn, &["--warn"], "CODE", &[], SOURCE, "show them as warnings; hints, which are off, too"),
    value(Opt::Deny, &["--deny"], "CODE", &[], SOURCE, "make errors of them"),
    value(
        Opt::ErrorLimit,
        &["--error-limit", "-ferror-limit"],
        "N",
        &[],
        SOURCE,
        "show no more than N errors and what comes before the next (0: all; default: 100, and 0 in json and sarif)",
    ),
    value(
        Opt::MessageFormat,
        &["--message-format"],
        "FORMAT",
        MESSAGE_FORMATS,
        MESSAGES,
        "human: with source lines (default); short: one line a message; json: an object a line; sarif: SARIF 2.1.0; what \
         `wgc check` and `wgc verify` write for programs goes to standard output, see docs/diagnostics.md",
    ),
    value(Opt::Color, &["--color"], "WHEN", &["auto", "always", "never"], SOURCE, "colour in messages (default: auto)"),
    flag(Opt::StandardStreams, &["--stdio"], LSP, "what many editors say to servers: there is no other way"),
    value(Opt::Inputs, &["--inputs"], "FILE", &[], RUN, "the run file: resources, dispatches, expected results"),
    value(Opt::Device, &["--device"], "DEVICE", &[], RUN, "cpu (default), or vulkan[:PART OF ITS NAME]"),
    value(Opt::OutDir, &["--out"], "DIR", &[], RUN, "write every writable resource to DIR, images as PNG too"),
    value(Opt::Print, &["--print"], "NAME", &[], RUN, "print a resource as JSON"),
    optional(
        Opt::Records,
        &["--records"],
        "WHICH",
        RUN,
        "spirv-emulated: print the records that each stage appends, field by field: all, those for a node (NODE, NODE[INDEX]), \
         those of one stage (stage:N) or of the host (inject); may be given several times",
    ),
    value(
        Opt::RecordsJson,
        &["--records-json"],
        "FILE",
        &[],
        RUN,
        "write them to FILE instead, each a line of JSON; - is standard output",
    ),
    flag(
        Opt::Sorted,
        &["--sorted"],
        RUN,
        "with --records: by contents and without their places in the queue, which differ between devices",
    ),
    flag(
        Opt::Deterministic,
        &["--deterministic"],
        RUN,
        "spirv-emulated: put the records that a stage appends in the order of their contents, the same on every device with the same settings",
    ),
    flag(
        Opt::Poison,
        &["--poison"],
        MODULE,
        "spirv-emulated: a word lies behind each record, and free pages are filled; wgc run finds what is written behind \
         records, and records in pages that are another's",
    ),
    value(
        Opt::Trace,
        &["--trace"],
        "FILE",
        &[],
        RUN,
        "spirv-emulated: write what ran, when and with how much to FILE, for chrome://tracing and Perfetto; on the CPU device \
         time is executed instructions",
    ),
    flag(Opt::Stats, &["--stats"], RUN, "spirv-emulated: print the same in sum, a line for each node"),
    value(
        Opt::SubgroupSize,
        &["--subgroup-size"],
        "N",
        &[],
        RUN,
        "lanes of a subgroup on the CPU device (default: 32), where a shader has no `WaveSize`",
    ),
    value(
        Opt::Threads,
        &["--threads"],
        "N",
        &[],
        RUN,
        "threads of the CPU device for workgroups that do not depend on each other (default: 1, which does the same each time)",
    ),
    value(
        Opt::MaxInstructions,
        &["--max-instructions"],
        "N",
        &[],
        RUN,
        "end a workgroup of the CPU device after N instructions (default: 268435456)",
    ),
    value(
        Opt::Batching,
        &["--batching"],
        "POLICY",
        &[],
        RUN,
        "coalescing on the CPU device: full, single, random:SEED",
    ),
    value(Opt::Order, &["--order"], "POLICY", &[], RUN, "order of records on the CPU device: fifo, lifo, random:SEED"),
    value(
        Opt::Sanitize,
        &["--sanitize"],
        "MODE",
        &["warn", "error", "off"],
        RUN,
        "what the CPU device does about undefined behaviour; `error` is for what emulated graphs report too (default: warn)",
    ),
    value(
        Opt::Arena,
        &["--arena"],
        "SIZE",
        &[],
        RUN,
        "memory for the records of an emulated graph: min, default, or bytes (default: default)",
    ),
    value(
        Opt::Allocator,
        &["--allocator"],
        "FORM",
        &["auto", "lane", "subgroup"],
        RUN,
        "how threads of an emulated graph get places for records: each by an atomic, or subgroups together (default: \
         auto, which is together where the device has maximal reconvergence)",
    ),
    value(
        Opt::PageKib,
        &["--page-kib"],
        "N",
        &[],
        MODULE,
        "page size of the emulated target's arena, at least that of its largest record (default: 64)",
    ),
    value(
        Opt::SegmentKib,
        &["--segment-kib"],
        "N",
        &[],
        MODULE,
        "records of one workgroup up to which the emulated target schedules stages together (default: 64; 0: never)",
    ),
    value(
        Opt::FuseArrays,
        &["--fuse-arrays"],
        "N",
        &[],
        MODULE,
        "so many elements of an array, or other nodes, that have the same code have one dispatch on the emulated target \
         (default: 64; 0: each has its own)",
    ),
    value(
        Opt::DirectTargets,
        &["--direct-targets"],
        "N",
        &[],
        MODULE,
        "where the records of one limit may go to no more than so many nodes of a stage, the emulated target has room for all of \
         them at each; else they share it, and are moved (default: 4)",
    ),
    flag(
        Opt::NoInt64Atomics,
        &["--no-int64-atomics"],
        MODULE,
        "spirv-emulated: for devices without 64-bit atomics on buffers; where nodes read their grids from records, a kernel \
         more stands between the stages",
    ),
    value(
        Opt::Schedule,
        &["--schedule"],
        "ORDER",
        &["topological", "depth"],
        MODULE,
        "when the emulated target runs a node: once, behind all that send to it, or once for each depth that records \
         reach it at (default: topological)",
    ),
    value(
        Opt::Drain,
        &["--drain"],
        "LEVELS",
        &[],
        MODULE,
        "topologically, run what recursive nodes send to behind every so many of their levels, and not once behind the \
         last (default: 0, once)",
    ),
    value(Opt::Binding, BINDING_NAMES, "..", &[], SOURCE, "bindings and layout, as DXC has them; see docs/language.md"),
    value(
        Opt::Specialise,
        &["--spec"],
        "ID=VALUE",
        &[],
        SOURCE,
        "the value of the specialisation constant ID, in place of its default",
    ),
    flag(
        Opt::CheckFormat,
        &["--check"],
        FMT,
        "change nothing; print what would change, as patch reads it, and fail if there is some",
    ),
    flag(Opt::Stdin, &["--stdin"], FMT, "format standard input, to standard output"),
    value(Opt::Indent, &["--indent"], "N", &[], FMT, "columns of a step (default: 4)"),
    flag(Opt::Tabs, &["--tabs"], FMT, "steps are tabs"),
    value(Opt::Columns, &["--columns"], "N", &[], FMT, "longer lines are broken (default: 120)"),
    value(
        Opt::Braces,
        &["--braces"],
        "WHERE",
        crate::project::formatting::PLACES,
        FMT,
        "where the braces of blocks stand: as the file has them (default), on the next line, on the same line",
    ),
    flag(Opt::Help, &["--help", "-h", "-help", "-?"], ALL, "print help"),
    flag(Opt::Version, &["--version", "-V"], ALL, "print the version"),
];

/// Options whose value may follow without a space, as in `-DN=4`.
pub const JOINED: &[&str] = &["-D", "-I", "-E", "-T", "-W", "-Fo", "-Fc", "-Fi", "-MF"];

pub fn find(name: &str) -> Option<&'static Spec> {
    OPTIONS.iter().find(|s| s.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn message_formats_are_those_that_exist() {
        let names: Vec<&str> = crate::report::FORMATS.iter().map(|f| f.0).collect();
        assert_eq!(MESSAGE_FORMATS, names);
    }

    #[test]
    fn environments_are_those_of_the_emitter() {
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
    fn no_option_is_a_prefix_trap_of_a_joined_one() {
        // A word option that begins like a joined one is found first, whole; its misspelling must not become a value.
        assert!(JOINED.iter().all(|j| j.len() <= 3));
    }
}
