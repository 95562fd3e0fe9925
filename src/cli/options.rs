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
    JointDispatch,
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
    /// The value may be left out: it is empty then. Given, it is joined with `=`.
    pub optional: bool,
    /// Legal values, where they are a closed list.
    pub choices: &'static [&'static str],
    pub commands: &'static [Command],
    pub group: Group,
    /// One line for `--help`.
    pub short: &'static str,
    /// The whole description, for `wgc help GROUP` and the reference.
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

const fn flag(
    opt: Opt,
    names: &'static [&'static str],
    commands: &'static [Command],
    group: Group,
    short: &'static str,
    help: &'static str,
) -> Spec {
    Spec { opt, names, value: None, optional: false, choices: &[], commands, group, short, help }
}

#[allow(clippy::too_many_arguments, reason = "it is a row of the table below")]
const fn value(
    opt: Opt,
    names: &'static [&'static str],
    value: &'static str,
    choices: &'static [&'static str],
    commands: &'static [Command],
    group: Group,
    short: &'static str,
    help: &'static str,
) -> Spec {
    Spec { opt, names, value: Some(value), optional: false, choices, commands, group, short, help }
}

/// With a value that may be left out.
const fn optional(
    opt: Opt,
    names: &'static [&'static str],
    value: &'static str,
    commands: &'static [Command],
    group: Group,
    short: &'static str,
    help: &'static str,
) -> Spec {
    Spec { opt, names, value: Some(value), optional: true, choices: &[], commands, group, short, help }
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
        Group::Output,
        "spirv-emulated (default) or spirv-amdx",
        "`spirv-emulated`: plain compute for Vulkan 1.2 (default); `spirv-amdx`: VK_AMDX_shader_enqueue",
    ),
    flag(
        Opt::NativeTarget,
        &["-spirv"],
        &[Command::Compile, Command::Check],
        Group::Output,
        "same as --target spirv-amdx",
        "same as `--target spirv-amdx`",
    ),
    value(
        Opt::Output,
        &["-o", "-Fo", "--output"],
        "OUT",
        &[],
        COMPILE,
        Group::Output,
        "output file or package; - is standard output",
        "write to OUT: a package directory (`spirv-emulated`) or a file (`spirv-amdx`, `--emit`, `--pack`); `-` is standard output",
    ),
    value(
        Opt::Emit,
        &["--emit"],
        "WHAT",
        EMITS,
        COMPILE,
        Group::Output,
        "write a text instead of a module",
        "write this text instead of a module, to standard output without `-o`",
    ),
    value(
        Opt::Define,
        &["-D"],
        "NAME[=VALUE]",
        &[],
        SOURCE,
        Group::Input,
        "define a macro (1 without a value)",
        "define a macro: 1 without a value, or with parameters (`NAME(a,b)=VALUE`). Between two files it applies to the second one only",
    ),
    value(
        Opt::Include,
        &["-I"],
        "DIR",
        &[],
        SOURCE,
        Group::Input,
        "add a folder to the search path of included files",
        "search DIR for included files; may be given several times",
    ),
    value(
        Opt::IncludeRoot,
        &["--include-root"],
        "DIR",
        &[],
        SOURCE,
        Group::Input,
        "allow included files inside DIR only",
        "find included files inside DIR only, after links are resolved; may be given several times. It also confines the files that `wgc.json` and run files name",
    ),
    value(
        Opt::Profile,
        &["-T"],
        "PROFILE",
        &[],
        SOURCE,
        Group::Language,
        "lib_6_8 (default), or cs_6_0 and later with -E",
        "`lib_6_8` and later: a library of nodes (default); `cs_6_0` and later, with `-E`: one compute shader",
    ),
    value(
        Opt::Entry,
        &["-E"],
        "NAME",
        &[],
        SOURCE,
        Group::Language,
        "entry point of -T cs_*",
        "the entry point of `-T cs_*`",
    ),
    value(
        Opt::LanguageVersion,
        &["-HV"],
        "YEAR",
        LANGUAGE_VERSIONS,
        SOURCE,
        Group::Language,
        "HLSL version (default: 2021)",
        "HLSL version. Versions before 2021 are 2021 with the earlier operators `&&`, `||` and `?:` and the earlier scope of `for`, with a warning; in 202x literals are `float` and `int`",
    ),
    flag(
        Opt::Enable16BitTypes,
        &["-enable-16bit-types"],
        SOURCE,
        Group::Language,
        "half and min16 types take 16 bits",
        "half and min16 types take 16 bits",
    ),
    value(
        Opt::TargetEnvironment,
        &["-fspv-target-env"],
        "ENVIRONMENT",
        ENVIRONMENTS,
        MODULE,
        Group::Language,
        "SPIR-V version of compute modules",
        "SPIR-V version of a compute module (default: vulkan1.2)",
    ),
    value(
        Opt::EntryPointName,
        &["-fspv-entrypoint-name"],
        "NAME",
        &[],
        &[Command::Compile, Command::Check],
        Group::Language,
        "rename the entry point in the module",
        "name of the entry point in the module (default: that of the function)",
    ),
    flag(
        Opt::MaximalReconvergence,
        &["-fspv-enable-maximal-reconvergence"],
        &[Command::Compile, Command::Check],
        Group::Language,
        "diverged lanes reconverge as in the source",
        "diverged lanes reconverge as in the source (SPV_KHR_maximal_reconvergence)",
    ),
    value(
        Opt::Denormals,
        &["-denorm"],
        "MODE",
        DENORMALS,
        MODULE,
        Group::Language,
        "denormal floats: any (default), preserve or ftz",
        "denormal floats of 32 bits: the choice of the device (`any`, default), preserved, or flushed to zero (`ftz`)",
    ),
    flag(
        Opt::SplitNodes,
        &["--split-nodes"],
        &[Command::Compile, Command::Check, Command::Run],
        Group::Output,
        "spirv-amdx: write one module for each node",
        "`spirv-amdx`: write one module for each node. The node stands before the extension of OUT: `graph.Draw.spv`, or `graph.Draw_1.spv` for index 1",
    ),
    flag(
        Opt::AmdxCompat,
        &["--amdx-compat"],
        &[Command::Compile, Command::Check],
        Group::Language,
        "spirv-amdx: IsValid as SPIRV-Tools expects it",
        "`spirv-amdx`: `IsValid` names its output by a value, as SPIRV-Tools expects, not by a type, as the extension says. `wgc verify` refuses such modules (AMDX-44); the CPU device runs them",
    ),
    flag(
        Opt::Pack,
        &["--pack"],
        COMPILE,
        Group::Output,
        "write the package as one file",
        "`spirv-emulated`: write the package as one file (a tar archive) instead of a directory",
    ),
    flag(
        Opt::LegacyBufferMatrixOrder,
        &["-fspv-use-legacy-buffer-matrix-order"],
        SOURCE,
        Group::Language,
        "row-major matrices in byte-address buffers",
        "byte-address buffers hold row-major matrices, regardless of their types",
    ),
    flag(
        Opt::RowMajor,
        &["-Zpr"],
        SOURCE,
        Group::Language,
        "row-major matrices unless declared",
        "matrices are row-major unless the source says otherwise",
    ),
    flag(
        Opt::Precise,
        &["-Gis"],
        SOURCE,
        Group::Language,
        "treat all floats as `precise`",
        "compute all floats as if they were declared `precise`",
    ),
    flag(
        Opt::ColumnMajor,
        &["-Zpc"],
        SOURCE,
        Group::Language,
        "column-major matrices unless declared (default)",
        "matrices are column-major unless the source says otherwise (default)",
    ),
    flag(
        Opt::Library,
        &["--library"],
        SOURCE,
        Group::Input,
        "skip checks that need other files",
        "the files are a part of a graph: checks that need other files are skipped; duplicate node IDs and budget overruns become warnings",
    ),
    value(
        Opt::Listing,
        &["-Fc"],
        "FILE",
        &[],
        COMPILE,
        Group::Output,
        "also write SPIR-V text to FILE",
        "also write SPIR-V text to FILE",
    ),
    flag(
        Opt::Preprocess,
        &["-P"],
        COMPILE,
        Group::Output,
        "preprocess only",
        "preprocess only; to standard output without `-Fi`",
    ),
    value(
        Opt::PreprocessTo,
        &["-Fi"],
        "FILE",
        &[],
        COMPILE,
        Group::Output,
        "output file of -P",
        "write the output of `-P` to FILE",
    ),
    flag(
        Opt::Dependencies,
        &["-M"],
        COMPILE,
        Group::Output,
        "print a make rule of the files read",
        "preprocess only, and print a make rule of the files that are read; to FILE with `-MF`",
    ),
    flag(
        Opt::WriteDependencies,
        &["-MD"],
        COMPILE,
        Group::Output,
        "also write the make rule, as OUT with .d",
        "also write the make rule, next to the output with the extension `.d`",
    ),
    value(
        Opt::DependenciesTo,
        &["-MF"],
        "FILE",
        &[],
        COMPILE,
        Group::Output,
        "also write the make rule to FILE",
        "also write the make rule to FILE",
    ),
    flag(
        Opt::IncludeTree,
        &["-H", "-Vi"],
        SOURCE,
        Group::Output,
        "print each included file to standard error",
        "print each file to standard error when it is included",
    ),
    value(
        Opt::Program,
        &["--program"],
        "NAME",
        &[],
        SOURCE,
        Group::Input,
        "compile a program of wgc.json",
        "compile the files of a program in `wgc.json`, with its options",
    ),
    value(
        Opt::Host,
        &["--host"],
        "FILE",
        &[],
        SOURCE,
        Group::Input,
        "read decisions of the host from a JSON file",
        "read decisions of the host as JSON: the entry nodes, and changes of nodes and outputs (docs/host-json.md)",
    ),
    flag(
        Opt::WholeGraph,
        &["--graph"],
        &[Command::Verify],
        Group::Input,
        "check the modules as one whole graph",
        "the modules form one whole graph: nodes of one module are checked against those of the others",
    ),
    flag(
        Opt::Budget,
        &["--budget"],
        &[Command::Check],
        Group::Diagnostics,
        "print the budget of each node",
        "print the budget of each node: records, bytes, groupshared memory and depth, with their limits",
    ),
    flag(
        Opt::DebugInfo,
        &["-Zi"],
        MODULE,
        Group::Debugging,
        "add debug information",
        "add debug information: source text, types, scopes and variables (NonSemantic.Shader.DebugInfo.100)",
    ),
    value(
        Opt::DebugLevel,
        &["-fspv-debug"],
        "WHAT",
        DEBUG_LEVELS,
        MODULE,
        Group::Debugging,
        "choose the debug information",
        "choose the debug information, in place of `-Zi`: `file`, `source` and `line` (default), each with those before it; `tool`: the command line; `vulkan` and `rich`: as `-Zi`, without the text unless `-with-source`; may be given several times",
    ),
    flag(
        Opt::StripDebug,
        &["-Qstrip_debug"],
        MODULE,
        Group::Debugging,
        "remove names and debug information",
        "remove names and all other information about the source",
    ),
    flag(
        Opt::NoWarnings,
        &["-no-warnings", "-w"],
        SOURCE,
        Group::Diagnostics,
        "hide all warnings",
        "hide all warnings",
    ),
    value(
        Opt::Warning,
        &["-W"],
        "[no-][error=]NAME",
        &[],
        SOURCE,
        Group::Diagnostics,
        "enable, disable or promote a warning",
        "change a warning by its code, its name or that of DXC: off (`-Wno-NAME`), an error (`-Werror=NAME`), on (`-WNAME`); `-Werror` is `-WX`",
    ),
    flag(
        Opt::WarningsAsErrors,
        &["-WX"],
        SOURCE,
        Group::Diagnostics,
        "treat warnings as errors",
        "treat warnings as errors",
    ),
    value(
        Opt::Allow,
        &["--allow"],
        "CODE",
        &[],
        SOURCE,
        Group::Diagnostics,
        "hide these warnings",
        "hide these warnings: codes or names with commas between them, or `all`; later options win",
    ),
    value(
        Opt::Warn,
        &["--warn"],
        "CODE",
        &[],
        SOURCE,
        Group::Diagnostics,
        "show these as warnings, hints included",
        "show these as warnings; this includes hints, which are off",
    ),
    value(
        Opt::Deny,
        &["--deny"],
        "CODE",
        &[],
        SOURCE,
        Group::Diagnostics,
        "treat these warnings as errors",
        "treat these warnings as errors",
    ),
    value(
        Opt::ErrorLimit,
        &["--error-limit", "-ferror-limit"],
        "N",
        &[],
        SOURCE,
        Group::Diagnostics,
        "stop after N errors (default: 100)",
        "show at most N errors, and leave out all that follows the next one (0: all; default: 100, and 0 in json and sarif)",
    ),
    value(
        Opt::MessageFormat,
        &["--message-format"],
        "FORMAT",
        MESSAGE_FORMATS,
        MESSAGES,
        Group::Diagnostics,
        "human (default), short, json or sarif",
        "`human`: with source lines (default); `short`: one line for each message; `json`: one object for each line; `sarif`: SARIF 2.1.0. `wgc check` and `wgc verify` write json and sarif to standard output (docs/diagnostics.md)",
    ),
    value(
        Opt::Color,
        &["--color"],
        "WHEN",
        &["auto", "always", "never"],
        SOURCE,
        Group::Diagnostics,
        "colours in messages (default: auto)",
        "colours in messages (default: auto)",
    ),
    flag(
        Opt::StandardStreams,
        &["--stdio"],
        LSP,
        Group::General,
        "accepted and ignored: there is no other way",
        "accepted and ignored: there is no other way",
    ),
    value(
        Opt::Inputs,
        &["--inputs"],
        "FILE",
        &[],
        RUN,
        Group::Running,
        "run file: resources, dispatches, expectations",
        "the run file: resources, dispatches, expected results (docs/run-files.md)",
    ),
    value(
        Opt::Device,
        &["--device"],
        "DEVICE",
        &[],
        RUN,
        Group::Running,
        "cpu (default) or vulkan[:PART OF ITS NAME]",
        "`cpu` (default), or `vulkan[:PART OF ITS NAME]`",
    ),
    value(
        Opt::OutDir,
        &["--out"],
        "DIR",
        &[],
        RUN,
        Group::Running,
        "write each writable resource to DIR",
        "write each writable resource to DIR, images also as PNG",
    ),
    value(
        Opt::Print,
        &["--print"],
        "NAME",
        &[],
        RUN,
        Group::Running,
        "print a resource as JSON",
        "print a resource as JSON; may be given several times",
    ),
    optional(
        Opt::Records,
        &["--records"],
        "WHICH",
        RUN,
        Group::Inspection,
        "print the records that stages append",
        "`spirv-emulated`: print the records that each stage appends, field by field: all, those for a node (`NODE`, `NODE[INDEX]`), those of one stage (`stage:N`) or of the host (`inject`); may be given several times",
    ),
    value(
        Opt::RecordsJson,
        &["--records-json"],
        "FILE",
        &[],
        RUN,
        Group::Inspection,
        "write the records to FILE as lines of JSON",
        "write the records to FILE instead of printing them, each a line of JSON; `-` is standard output",
    ),
    flag(
        Opt::Sorted,
        &["--sorted"],
        RUN,
        Group::Inspection,
        "sort the records by contents",
        "with `--records`: sort by contents and leave out the places in the queue, which differ between devices",
    ),
    flag(
        Opt::Deterministic,
        &["--deterministic"],
        RUN,
        Group::Inspection,
        "sort the records that a stage appends",
        "`spirv-emulated`: sort the records that a stage appends by contents, so that all devices agree with the same settings",
    ),
    flag(
        Opt::Poison,
        &["--poison"],
        MODULE,
        Group::Inspection,
        "detect writes beside records",
        "`spirv-emulated`: add a guard word after each record and fill free pages. `wgc run` reports writes after records, and records in pages of others",
    ),
    value(
        Opt::Trace,
        &["--trace"],
        "FILE",
        &[],
        RUN,
        Group::Inspection,
        "write a trace for Perfetto",
        "`spirv-emulated`: write a trace for chrome://tracing and Perfetto: each launch, its time and size. On the CPU device time is executed instructions",
    ),
    flag(
        Opt::Stats,
        &["--stats"],
        RUN,
        Group::Inspection,
        "print totals for each node",
        "`spirv-emulated`: print the totals of a trace, one line for each node",
    ),
    value(
        Opt::SubgroupSize,
        &["--subgroup-size"],
        "N",
        &[],
        RUN,
        Group::Running,
        "lanes of a subgroup (default: 32)",
        "lanes of a subgroup on the CPU device (default: 32) for shaders without `WaveSize`",
    ),
    value(
        Opt::Threads,
        &["--threads"],
        "N",
        &[],
        RUN,
        Group::Running,
        "threads of the CPU device (default: 1)",
        "threads of the CPU device for independent workgroups (default: 1, which repeats exactly)",
    ),
    value(
        Opt::MaxInstructions,
        &["--max-instructions"],
        "N",
        &[],
        RUN,
        Group::Running,
        "limit the instructions of a workgroup",
        "end a workgroup of the CPU device after N instructions (default: 268435456)",
    ),
    value(
        Opt::Batching,
        &["--batching"],
        "POLICY",
        &[],
        RUN,
        Group::Running,
        "coalescing: full, single or random:SEED",
        "coalescing on the CPU device: `full`, `single` or `random:SEED`",
    ),
    value(
        Opt::Order,
        &["--order"],
        "POLICY",
        &[],
        RUN,
        Group::Running,
        "record order: fifo, lifo or random:SEED",
        "order of records on the CPU device: `fifo`, `lifo` or `random:SEED`",
    ),
    value(
        Opt::Sanitize,
        &["--sanitize"],
        "MODE",
        &["warn", "error", "off"],
        RUN,
        Group::Running,
        "undefined behaviour: warn (default), error, off",
        "reaction of the CPU device to undefined behaviour (default: warn); `error` also applies to what emulated graphs report",
    ),
    value(
        Opt::Arena,
        &["--arena"],
        "SIZE",
        &[],
        RUN,
        Group::Emulation,
        "memory for records: min, default or bytes",
        "memory for the records of an emulated graph: `min`, `default` or bytes (default: `default`)",
    ),
    value(
        Opt::Allocator,
        &["--allocator"],
        "FORM",
        &["auto", "lane", "subgroup"],
        RUN,
        Group::Emulation,
        "allocation of records: auto, lane or subgroup",
        "allocation of records: each lane by an atomic (`lane`), or a subgroup together (`subgroup`); default: `auto`, which is `subgroup` if the device has maximal reconvergence",
    ),
    value(
        Opt::PageKib,
        &["--page-kib"],
        "N",
        &[],
        MODULE,
        Group::Emulation,
        "page size of the arena (default: 64)",
        "page size of the arena in KiB, at least that of the largest record (default: 64)",
    ),
    value(
        Opt::SegmentKib,
        &["--segment-kib"],
        "N",
        &[],
        MODULE,
        Group::Emulation,
        "largest workgroup scheduled with others",
        "schedule stages together while the records of one workgroup take at most N KiB (default: 64; 0: never)",
    ),
    value(
        Opt::JointDispatch,
        &["--joint-dispatch", "--fuse-arrays"],
        "N",
        &[],
        MODULE,
        Group::Emulation,
        "one dispatch for N or more nodes of one code",
        "one dispatch for N or more instances of a stage with identical code, such as elements of an array (default: 64; 0: each has its own)",
    ),
    value(
        Opt::DirectTargets,
        &["--direct-targets"],
        "N",
        &[],
        MODULE,
        Group::Emulation,
        "full-size queues for up to N targets",
        "if the records of one limit have up to N targets in a stage, each gets a full-size queue; otherwise they share overflow space and are moved (default: 4)",
    ),
    flag(
        Opt::NoInt64Atomics,
        &["--no-int64-atomics"],
        MODULE,
        Group::Emulation,
        "support devices without 64-bit atomics",
        "support devices without 64-bit atomics on buffers; nodes that read their grids from records need one more kernel between stages",
    ),
    value(
        Opt::Schedule,
        &["--schedule"],
        "ORDER",
        &["topological", "depth"],
        MODULE,
        Group::Emulation,
        "topological (default) or depth",
        "run a node once, after all its producers (`topological`, default), or once for each depth that records reach (`depth`)",
    ),
    value(
        Opt::Drain,
        &["--drain"],
        "LEVELS",
        &[],
        MODULE,
        Group::Emulation,
        "run consumers after every N recursion levels",
        "run consumers of recursive nodes after every N recursion levels (default: 0, once after the last)",
    ),
    value(
        Opt::Binding,
        BINDING_NAMES,
        "..",
        &[],
        SOURCE,
        Group::Bindings,
        "bindings and layout, as in DXC",
        "bindings and layout, as in DXC (docs/language.md)",
    ),
    value(
        Opt::Specialise,
        &["--spec"],
        "ID=VALUE",
        &[],
        SOURCE,
        Group::Input,
        "set a specialisation constant",
        "set the specialisation constant ID in place of its default; may be given several times. Between two files it applies to the second one only",
    ),
    flag(
        Opt::CheckFormat,
        &["--check"],
        FMT,
        Group::Formatting,
        "print a diff and fail if files would change",
        "change nothing; print the changes as a diff, and fail if there are any",
    ),
    flag(
        Opt::Stdin,
        &["--stdin"],
        FMT,
        Group::Formatting,
        "format standard input to standard output",
        "format standard input to standard output",
    ),
    value(
        Opt::Indent,
        &["--indent"],
        "N",
        &[],
        FMT,
        Group::Formatting,
        "columns of an indentation step (default: 4)",
        "columns of an indentation step (default: 4)",
    ),
    flag(Opt::Tabs, &["--tabs"], FMT, Group::Formatting, "indent with tabs", "indent with tabs"),
    value(
        Opt::Columns,
        &["--columns"],
        "N",
        &[],
        FMT,
        Group::Formatting,
        "break longer lines (default: 120)",
        "break longer lines (default: 120)",
    ),
    value(
        Opt::Braces,
        &["--braces"],
        "WHERE",
        crate::project::formatting::PLACES,
        FMT,
        Group::Formatting,
        "placement of opening braces",
        "placement of opening braces: as the file has them (default), on the next line, or on the same line",
    ),
    flag(Opt::Help, &["--help", "-h", "-help", "-?"], ALL, Group::General, "print help", "print help"),
    flag(
        Opt::HelpAll,
        &["--help-all"],
        ALL,
        Group::General,
        "print help with all options",
        "print help with all options and their descriptions",
    ),
    flag(Opt::Version, &["--version", "-V"], ALL, Group::General, "print the version", "print the version"),
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
