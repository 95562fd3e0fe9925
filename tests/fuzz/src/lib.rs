//! The bodies of the fuzz targets, and the generators of their inputs.
//!
//! A target accepts any bytes and reports errors of wgc: a panic, a hang or a broken promise is a finding. The same
//! bodies run under libFuzzer (`guided/`, `tools/fuzz`) and as a bounded campaign in the tests (`tests/campaign.rs`).

#![forbid(unsafe_code)]

pub mod campaign;
mod declarations;
pub mod dictionary;
pub mod input;
pub mod mutate;
#[path = "../../support/random.rs"]
pub mod random;
pub mod reduce;
pub mod seeds;
mod sessions;
pub mod targets;

/// The kind of a target's inputs, which decides the seeds and the mutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// HLSL, in the sections of [`input`].
    Source,
    /// HLSL, and edits of it in sections.
    Edits,
    /// JSON, in the sections of [`input`].
    Json,
    /// SPIR-V, as words or as text.
    Spirv,
    /// A package: a tar archive, or the JSON of a manifest.
    Package,
}

/// A part of wgc under test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// The property that holds for any input.
    pub promise: &'static str,
    pub form: Form,
    /// Returns whether the input is valid, or the broken promise. A panic breaks all of them.
    pub body: fn(&[u8]) -> Result<bool, String>,
    /// Size limit of useful inputs, in bytes.
    pub most_bytes: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "preprocess",
        promise: "places are in the files, and what -P prints has the same tokens",
        form: Form::Source,
        body: targets::text::preprocess,
        most_bytes: 16 << 10,
    },
    Target {
        name: "parse",
        promise: "the tree covers all tokens, and errors are at places in the files",
        form: Form::Source,
        body: targets::text::parse,
        most_bytes: 16 << 10,
    },
    Target {
        name: "format",
        promise: "formatting keeps all tokens, and formatting twice is formatting once",
        form: Form::Source,
        body: targets::text::format,
        most_bytes: 16 << 10,
    },
    Target {
        name: "check",
        promise: "any program has diagnostics in every format, at places in its files",
        form: Form::Source,
        body: targets::compile::check,
        most_bytes: 16 << 10,
    },
    Target {
        name: "compile-native",
        promise: "what the check accepts becomes a valid native module, and nothing else does",
        form: Form::Source,
        body: targets::compile::native,
        most_bytes: 12 << 10,
    },
    Target {
        name: "compile-emulated",
        promise: "what the check accepts becomes a package of valid modules, and nothing else does",
        form: Form::Source,
        body: targets::compile::emulated,
        most_bytes: 12 << 10,
    },
    Target {
        name: "compile-compute",
        promise: "what the check accepts becomes a valid module of compute shaders, and nothing else does",
        form: Form::Source,
        body: targets::compile::compute,
        most_bytes: 12 << 10,
    },
    Target {
        name: "edits",
        promise: "after every edit diagnostics and code are those of a fresh analysis",
        form: Form::Edits,
        body: targets::edits::edits,
        most_bytes: 8 << 10,
    },
    Target {
        name: "lsp",
        promise: "the language server answers every request once, and ends when it is told to",
        form: Form::Json,
        body: targets::server::lsp,
        most_bytes: 16 << 10,
    },
    Target {
        name: "settings",
        promise: "settings, host files and run files are read, or have an error",
        form: Form::Json,
        body: targets::files::settings,
        most_bytes: 8 << 10,
    },
    Target {
        name: "package",
        promise: "a package that is read is written and read again as it was",
        form: Form::Package,
        body: targets::files::package,
        most_bytes: 64 << 10,
    },
    Target {
        name: "spirv",
        promise: "any words load and are verified, or have an error",
        form: Form::Spirv,
        body: targets::spirv::spirv,
        most_bytes: 16 << 10,
    },
    #[cfg(feature = "spirv-tools")]
    Target {
        name: "agree",
        promise: "the verifier and SPIRV-Tools agree about modules, or it is known why not",
        form: Form::Spirv,
        body: targets::agreement::agree,
        most_bytes: 16 << 10,
    },
];

/// Finds a target by its name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Size of the command's stack, in bytes.
pub const STACK: usize = 512 << 20;

/// Runs a function on a stack as large as the command's.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.expect("a thread can be started").join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
