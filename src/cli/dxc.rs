//! Options of DXC that wgc ignores or refuses, each with a reason. wgc ignores an option if the result is right
//! without it, so that command lines of DXC work.
//!
//! Options with an effect are in [`super::options`]. Names and values are those of DXC's option table.
//! `docs/command-line.md` lists every row, and a test compares the two.

/// The value after the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionShape {
    /// No value.
    Flag,
    /// A value in the same argument: `-fspv-extension=KHR`. If DXC writes a `=` before the value, the name ends with it.
    Joined,
    /// A value in the same argument or in the next.
    Value,
    /// This number of further arguments.
    Words(usize),
}

/// The effect of an option of DXC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Accepted without effect. The reason: wgc does the same without it, or it does not apply to SPIR-V.
    None(&'static str),
    /// Refused with an error. The reason, or the alternative in wgc.
    Refused(&'static str),
}

pub struct DxcOption {
    /// Without the dash.
    pub name: &'static str,
    pub shape: OptionShape,
    pub effect: Effect,
}

const OPTIMISER: &str = "-O0 to -O3 choose the optimisation";
const OTHER_STAGES: &str = "it applies to other stages only";
const DXIL: &str = "it applies to DXIL only";
const STYLE: &str = "the style of messages and listings is fixed";
const FLOATS: &str = "wgc does not reorder floating-point arithmetic";
const CONTAINER: &str = "wgc does not read or write DXIL containers";
const SEMANTIC_DEFINES: &str = "semantic defines are recorded only in DXIL; -D defines a macro";
const PASSES: &str = "use --emit ir for the IR before all passes, or -Fc for the final SPIR-V";
const TEMPLATE_SHADERS: &str = "write register(..) or [[vk::binding]] in the source";
const ROOT_SIGNATURE: &str = "SPIR-V has no root signature; the host creates the pipeline layout";
const TOOL: &str = "it changes the behaviour of DXC itself, not the output";
const COLOURS: &str = "use --color instead";
const REWRITER: &str = "wgc does not rewrite sources; use -P to preprocess them";
const NO_HEADER: &str =
    "wgc does not write modules as headers: use -Fo for the module, or `--emit header` for the nodes and records in C";
const REFLECTION: &str = "modules contain no reflection; `--emit reflection` writes it as JSON";

const fn none(name: &'static str, shape: OptionShape, why: &'static str) -> DxcOption {
    DxcOption { name, shape, effect: Effect::None(why) }
}

const fn refused(name: &'static str, shape: OptionShape, why: &'static str) -> DxcOption {
    DxcOption { name, shape, effect: Effect::Refused(why) }
}

use OptionShape::{Flag, Joined, Value, Words};

#[rustfmt::skip]
pub const TABLE: &[DxcOption] = &[
    none("Oconfig=", Joined, OPTIMISER),
    none("opt-disable", Value, OPTIMISER),
    none("opt-enable", Value, OPTIMISER),
    none("opt-select", Words(2), OPTIMISER),
    none("memdep-block-scan-limit", Value, OPTIMISER),
    none("fnew-inlining-behavior", Flag, OPTIMISER),
    none("fspv-reduce-load-size", Flag, OPTIMISER),
    none("fspv-fix-func-call-arguments", Flag, "inlining resolves resources in arguments"),
    none("Gfa", Flag, OPTIMISER),
    none("Gfp", Flag, OPTIMISER),
    none("all-resources-bound", Flag, OPTIMISER),
    none("all_resources_bound", Flag, OPTIMISER),
    none("res-may-alias", Flag, "resources may always alias"),
    none("res_may_alias", Flag, "resources may always alias"),
    none("enable-lifetime-markers", Flag, OPTIMISER),
    none("disable-lifetime-markers", Flag, OPTIMISER),
    none("force-zero-store-lifetimes", Flag, OPTIMISER),
    none("preserve-intermediate-values", Flag, OPTIMISER),
    none("ffinite-math-only", Flag, FLOATS),
    none("fno-finite-math-only", Flag, FLOATS),
    none("fassociative-math", Flag, FLOATS),
    none("fno-associative-math", Flag, FLOATS),
    none("funsafe-math-optimizations", Flag, FLOATS),
    none("fno-unsafe-math-optimizations", Flag, FLOATS),
    none("fno-reciprocal-math", Flag, FLOATS),
    none("fsigned-zeros", Flag, FLOATS),
    none("fhonor-nans", Flag, FLOATS),
    none("fno-honor-nans", Flag, FLOATS),
    none("fhonor-infinities", Flag, FLOATS),
    none("fno-honor-infinities", Flag, FLOATS),
    none("ftrapping-math", Flag, FLOATS),
    none("fno-trapping-math", Flag, FLOATS),
    none("ffp-contract=", Joined, "a product and its sum may be one operation from `-O2` on, without `precise` and `-Gis`"),
    none("flimited-precision=", Joined, FLOATS),
    none("Gpp", Flag, "the types determine the precision"),
    none("funroll-loops", Flag, OPTIMISER),
    none("fno-unroll-loops", Flag, OPTIMISER),
    none("freroll-loops", Flag, OPTIMISER),
    none("fno-reroll-loops", Flag, OPTIMISER),
    none("fconstexpr-depth=", Joined, "evaluation of constants has its own limits"),
    none("fconstexpr-steps=", Joined, "evaluation of constants has its own limits"),
    none("fconstexpr-backtrace-limit=", Joined, STYLE),
    none("Ges", Flag, "wgc is always strict"),
    none("enable_unbounded_descriptor_tables", Flag, DXIL),
    none("ignore-opt-semdefs", Flag, SEMANTIC_DEFINES),
    none("ignore-semdef", Words(1), SEMANTIC_DEFINES),
    none("override-semdef", Words(1), SEMANTIC_DEFINES),
    none("mms-bitfields", Flag, "bit-fields of one type always share words"),
    none("Vd", Flag, "wgc verifies every module, at little cost"),
    none("fcgl", Flag, "use --emit ir for the IR before all passes"),
    none("nologo", Flag, "wgc prints no logo"),
    none("Zs", Flag, DXIL),
    none("Zss", Flag, DXIL),
    none("Zsb", Flag, DXIL),
    none("Fd", Value, DXIL),
    none("Qembed_debug", Flag, DXIL),
    none("Qsource_in_debug_module", Flag, DXIL),
    none("Qpdb_in_private", Flag, DXIL),
    none("Qstrip_priv", Flag, DXIL),
    none("Qstrip_rootsignature", Flag, DXIL),
    none("Qstrip_reflect", Flag, REFLECTION),
    none("Qkeep_reflect_in_dxil", Flag, DXIL),
    none("Qstrip_reflect_from_dxil", Flag, DXIL),
    none("Qunused-arguments", Flag, "wgc does not warn about unused arguments"),
    none("force-rootsig-ver", Value, ROOT_SIGNATURE),
    none("force_rootsig_ver", Value, ROOT_SIGNATURE),
    none("validator-version", Value, DXIL),
    none("select-validator", Words(1), "it selects the validator that signs DXIL; wgc verifies every module"),
    none("pack-prefix-stable", Flag, DXIL),
    none("pack_prefix_stable", Flag, DXIL),
    none("pack-optimized", Flag, DXIL),
    none("pack_optimized", Flag, DXIL),
    none("skip-serialization", Flag, DXIL),
    none("export-shaders-only", Flag, "only entry points are exported"),
    none("default-linkage", Value, "only entry points are exported"),
    none("external", Value, DXIL),
    none("external-fn", Value, DXIL),
    none("enable-payload-qualifiers", Flag, OTHER_STAGES),
    none("disable-payload-qualifiers", Flag, OTHER_STAGES),
    none("disable-exception-handling", Flag, TOOL),
    none("precise-output", Value, OTHER_STAGES),
    none("flegacy-resource-reservation", Flag, DXIL),
    none("encoding", Value, "sources are UTF-8"),
    none("fdisable-loc-tracking", Flag, STYLE),
    none("fdiagnostics-color", Flag, COLOURS),
    none("fno-diagnostics-color", Flag, COLOURS),
    none("fcolor-diagnostics", Flag, COLOURS),
    none("fno-color-diagnostics", Flag, COLOURS),
    none("fansi-escape-codes", Flag, COLOURS),
    none("fcaret-diagnostics", Flag, STYLE),
    none("fno-caret-diagnostics", Flag, STYLE),
    none("fshow-column", Flag, STYLE),
    none("fno-show-column", Flag, STYLE),
    none("fshow-source-location", Flag, STYLE),
    none("fspell-checking", Flag, STYLE),
    none("fno-spell-checking", Flag, STYLE),
    none("fspell-checking-limit=", Joined, STYLE),
    none("fdiagnostics-color=", Joined, COLOURS),
    none("fdiagnostics-format=", Joined, "use --message-format instead"),
    none("fdiagnostics-show-option", Flag, STYLE),
    none("fno-diagnostics-show-option", Flag, STYLE),
    none("fdiagnostics-show-category=", Joined, STYLE),
    none("ftime-report", Flag, TOOL),
    none("ftime-trace", Flag, TOOL),
    none("ftime-trace=", Joined, TOOL),
    none("ftime-trace-granularity=", Joined, TOOL),
    none("time", Flag, TOOL),
    none("verbose", Flag, TOOL),
    none("v", Flag, TOOL),
    none("Cc", Flag, STYLE),
    none("Ni", Flag, STYLE),
    none("No", Flag, STYLE),
    none("Lx", Flag, STYLE),
    none("fspv-extension=", Joined, "a module declares only the extensions that it uses"),
    none("fspv-reflect", Flag, REFLECTION),
    none("fspv-print-all", Flag, OPTIMISER),
    none("fspv-max-id", Words(1), "modules stay far below the limits of all drivers"),
    none("fspv-preserve-interface", Flag, OTHER_STAGES),
    none("fspv-use-vulkan-memory-model", Flag, "it is the default from vulkan1.2 on"),
    none("fspv-use-unknown-image-format", Flag, "an image has a format only if the source declares one or an atomic operation needs one"),
    none("fspv-use-emulated-heap", Flag, "heaps are always arrays of descriptors"),
    none("fvk-stage-io-order=", Joined, OTHER_STAGES),
    none("fvk-invert-y", Flag, OTHER_STAGES),
    none("fvk-use-dx-position-w", Flag, OTHER_STAGES),
    none("fvk-allow-rwstructuredbuffer-arrays", Flag, "arrays of buffers with counters are always allowed"),
    none("fvk-support-nonzero-base-instance", Flag, OTHER_STAGES),
    none("fvk-support-nonzero-base-vertex", Flag, OTHER_STAGES),

    refused("Gec", Flag, "port the shader to HLSL 2021"),
    refused("Fe", Value, "redirect standard error instead"),
    refused("Fh", Value, NO_HEADER),
    refused("Vn", Value, NO_HEADER),
    refused("Fre", Value, REFLECTION),
    refused("Frs", Value, CONTAINER),
    refused("Fsh", Value, CONTAINER),
    refused("setrootsignature", Value, CONTAINER),
    refused("extractrootsignature", Flag, CONTAINER),
    refused("verifyrootsignature", Value, CONTAINER),
    refused("setprivate", Value, CONTAINER),
    refused("getprivate", Value, CONTAINER),
    refused("dumpbin", Flag, CONTAINER),
    refused("link", Flag, "name several files: they form one graph"),
    refused("recompile", Flag, CONTAINER),
    refused("metal", Flag, "wgc writes only SPIR-V"),
    refused("verify", Joined, "use --message-format short, which prints one message a line"),
    refused("ast-dump", Flag, "use --emit ast for the syntax tree"),
    refused("ast-dump-implicit", Flag, "use --emit ast for the syntax tree"),
    refused("exports", Value, "entry points keep the names of their functions and nodes"),
    refused("import-binding-table", Value, "write register(..) or [[vk::binding]] in the source"),
    refused("binding-table-define", Value, "write register(..) or [[vk::binding]] in the source"),
    refused("rootsig-define", Value, "write the root signature in the source: [RootSignature(NAME)] or GlobalRootSignature"),
    refused("flegacy-macro-expansion", Flag, "wgc expands macros according to the C standard"),
    refused("no-legacy-cbuf-layout", Flag, "use -fvk-use-scalar-layout or another option for the layout"),
    refused("not_use_legacy_cbuf_load", Flag, "use -fvk-use-scalar-layout or another option for the layout"),
    refused("ignore-line-directives", Flag, "wgc always uses #line: messages show its file and line"),
    refused("Odump", Flag, PASSES),
    refused("print-before-all", Flag, PASSES),
    refused("print-after-all", Flag, PASSES),
    refused("print-before", Words(1), PASSES),
    refused("print-after", Words(1), PASSES),
    refused("mllvm", Words(1), "wgc does not use LLVM"),
    refused("include", Value, "write #include in the source"),
    refused("imacros", Value, "write #include in the source"),
    refused("U", Value, "remove the -D that defines it, or write #undef in the source"),
    refused("working-directory", Value, "start wgc in that directory"),
    refused("Po", Flag, "use -P -Fi FILE to preprocess to a file"),
    refused("Fl", Value, "use -Fo for the module"),
    refused("Fx", Value, "use -Fc for a listing"),
    refused("shtemplate", Value, TEMPLATE_SHADERS),
    refused("mergeUAVs", Value, TEMPLATE_SHADERS),
    refused("matchUAVs", Value, TEMPLATE_SHADERS),
    refused("unchanged", Flag, REWRITER),
    refused("skip-fn-body", Flag, REWRITER),
    refused("skip-static", Flag, REWRITER),
    refused("global-extern-by-default", Flag, REWRITER),
    refused("keep-user-macro", Flag, REWRITER),
    refused("extract-entry-uniforms", Flag, REWRITER),
    refused("remove-unused-globals", Flag, REWRITER),
    refused("remove-unused-functions", Flag, REWRITER),
    refused("line-directive", Flag, REWRITER),
    refused("decl-global-cb", Flag, REWRITER),
    refused("fspv-use-descriptor-heap", Flag, "wgc does not use SPV_EXT_descriptor_heap: heaps are arrays of descriptors"),
    refused("fspv-flatten-resource-arrays", Flag, "arrays of resources keep one binding"),
];

/// Returns the row of an argument (dash included), and the value in the same argument.
pub fn find(arg: &str) -> Option<(&'static DxcOption, Option<&str>)> {
    let name = arg.strip_prefix('-')?;
    if let Some(row) = TABLE.iter().find(|row| row.name == name && row.shape != Joined) {
        return Some((row, None));
    }
    TABLE.iter().find_map(|row| {
        let rest = name.strip_prefix(row.name)?;
        let joins = match row.shape {
            Joined => true,
            // A long name needs `=` or a separate argument. FXC's two-letter names need neither.
            Value => !rest.is_empty() && (row.name.len() == 2 || rest.starts_with('=')),
            Flag | Words(_) => false,
        };
        joins.then(|| (row, Some(rest.strip_prefix('=').unwrap_or(rest))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_absent_from_the_table_of_options() {
        for (n, row) in TABLE.iter().enumerate() {
            assert!(!TABLE[..n].iter().any(|other| other.name == row.name), "{}", row.name);
            assert!(super::super::options::find(&format!("-{}", row.name)).is_none(), "{}", row.name);
        }
    }

    #[test]
    fn option_values_join_as_in_dxc() {
        let found = |arg: &'static str| find(arg).map(|(row, value)| (row.name, value));
        assert_eq!(found("-Ges"), Some(("Ges", None)));
        assert_eq!(found("-fspv-extension=KHR"), Some(("fspv-extension=", Some("KHR"))));
        assert_eq!(found("-Fdx.pdb"), Some(("Fd", Some("x.pdb"))));
        assert_eq!(found("-Fd"), Some(("Fd", None)));
        assert_eq!(found("-O4"), None);
        assert_eq!(found("-Zip"), None);
        assert_eq!(found("-external-fnx"), None);
    }
}
