//! Options of DXC that have no effect in wgc, or that wgc refuses with a reason. So command lines of DXC work if that
//! does not change the result.
//!
//! Options with an effect are in [`super::options`]. Names and values are those of DXC's option table.
//! `docs/command-line.md` lists every row, and a test compares the two.

/// The value after the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing.
    Flag,
    /// A value in the same argument: `-fspv-extension=KHR`. The name ends with `=` where one is written.
    Joined,
    /// A value in the same argument or in the next.
    Value,
    /// That many further arguments.
    Words(usize),
}

/// The effect of an option of DXC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Accepted, because what it asks for is so anyway or does not concern SPIR-V. Says why.
    None(&'static str),
    /// An error that says what to do instead.
    Refused(&'static str),
}

pub struct Row {
    /// Without the dash.
    pub name: &'static str,
    pub shape: Shape,
    pub effect: Effect,
}

const OPTIMISER: &str = "drivers optimise SPIR-V; wgc writes one form";
const OTHER_STAGES: &str = "it applies to other stages only";
const DXIL: &str = "it applies to DXIL only";
const STYLE: &str = "messages and listings have one style";
const FLOATS: &str = "floating-point arithmetic is not reordered";
const CONTAINER: &str = "DXIL containers are not read or written";
const SEMANTIC_DEFINES: &str = "semantic defines are recorded only in DXIL; -D defines a macro";
const PASSES: &str = "--emit ir prints the code before optimisation, -Fc the output";
const TEMPLATE_SHADERS: &str = "write register(..) or [[vk::binding]] in the source";
const REWRITER: &str = "wgc does not rewrite sources; -P preprocesses them";
const NO_HEADER: &str =
    "no header contains a module: -Fo writes the module, `--emit header` the nodes and records of a graph for C";
const REFLECTION: &str = "`--emit reflection` writes it as JSON";

const fn none(name: &'static str, shape: Shape, why: &'static str) -> Row {
    Row { name, shape, effect: Effect::None(why) }
}

const fn refused(name: &'static str, shape: Shape, why: &'static str) -> Row {
    Row { name, shape, effect: Effect::Refused(why) }
}

use Shape::{Flag, Joined, Value, Words};

#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    none("O0", Flag, OPTIMISER),
    none("O1", Flag, OPTIMISER),
    none("O2", Flag, OPTIMISER),
    none("O3", Flag, OPTIMISER),
    none("Od", Flag, OPTIMISER),
    none("Oconfig=", Joined, OPTIMISER),
    none("opt-disable", Value, OPTIMISER),
    none("opt-enable", Value, OPTIMISER),
    none("opt-select", Words(2), OPTIMISER),
    none("memdep-block-scan-limit", Value, OPTIMISER),
    none("fnew-inlining-behavior", Flag, OPTIMISER),
    none("fspv-reduce-load-size", Flag, OPTIMISER),
    none("fspv-fix-func-call-arguments", Flag, "resources in arguments are resolved by inlining"),
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
    none("ffp-contract=", Joined, FLOATS),
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
    none("Vd", Flag, "every module is verified; this costs little"),
    none("fcgl", Flag, "--emit ir prints the code before optimisation"),
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
    none("Qunused-arguments", Flag, STYLE),
    none("force-rootsig-ver", Value, "the host's pipeline layout decides"),
    none("force_rootsig_ver", Value, "the host's pipeline layout decides"),
    none("validator-version", Value, DXIL),
    none("select-validator", Words(1), "it selects what signs DXIL; every module is verified"),
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
    none("disable-exception-handling", Flag, STYLE),
    none("precise-output", Value, OTHER_STAGES),
    none("flegacy-resource-reservation", Flag, DXIL),
    none("encoding", Value, "sources are UTF-8"),
    none("fdisable-loc-tracking", Flag, STYLE),
    none("fdiagnostics-color", Flag, STYLE),
    none("fno-diagnostics-color", Flag, STYLE),
    none("fcolor-diagnostics", Flag, STYLE),
    none("fno-color-diagnostics", Flag, STYLE),
    none("fansi-escape-codes", Flag, STYLE),
    none("fcaret-diagnostics", Flag, STYLE),
    none("fno-caret-diagnostics", Flag, STYLE),
    none("fshow-column", Flag, STYLE),
    none("fno-show-column", Flag, STYLE),
    none("fshow-source-location", Flag, STYLE),
    none("fspell-checking", Flag, STYLE),
    none("fno-spell-checking", Flag, STYLE),
    none("fspell-checking-limit=", Joined, STYLE),
    none("fdiagnostics-color=", Joined, STYLE),
    none("fdiagnostics-format=", Joined, STYLE),
    none("fdiagnostics-show-option", Flag, STYLE),
    none("fno-diagnostics-show-option", Flag, STYLE),
    none("fdiagnostics-show-category=", Joined, STYLE),
    none("ftime-report", Flag, STYLE),
    none("ftime-trace", Flag, STYLE),
    none("ftime-trace=", Joined, STYLE),
    none("ftime-trace-granularity=", Joined, STYLE),
    none("time", Flag, STYLE),
    none("verbose", Flag, STYLE),
    none("v", Flag, STYLE),
    none("Cc", Flag, STYLE),
    none("Ni", Flag, STYLE),
    none("No", Flag, STYLE),
    none("Lx", Flag, STYLE),
    none("fspv-extension=", Joined, "only the extensions in use are declared"),
    none("fspv-reflect", Flag, REFLECTION),
    none("fspv-print-all", Flag, OPTIMISER),
    none("fspv-max-id", Words(1), "modules stay far below the limits of all drivers"),
    none("fspv-preserve-bindings", Flag, "--emit and the manifest list the remaining bindings"),
    none("fspv-preserve-interface", Flag, OTHER_STAGES),
    none("fspv-use-vulkan-memory-model", Flag, "it is the default from vulkan1.2 on"),
    none("fspv-use-unknown-image-format", Flag, "images have a format if the source declares one or an atomic operation needs one"),
    none("fspv-use-emulated-heap", Flag, "heaps are always arrays of descriptors"),
    none("fvk-stage-io-order=", Joined, OTHER_STAGES),
    none("fvk-invert-y", Flag, OTHER_STAGES),
    none("fvk-use-dx-position-w", Flag, OTHER_STAGES),
    none("fvk-allow-rwstructuredbuffer-arrays", Flag, "arrays of buffers with counters are always allowed"),
    none("fvk-support-nonzero-base-instance", Flag, OTHER_STAGES),
    none("fvk-support-nonzero-base-vertex", Flag, OTHER_STAGES),

    refused("Gec", Flag, "port shaders for older compilers to HLSL 2021"),
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
    refused("metal", Flag, "wgc writes SPIR-V"),
    refused("verify", Joined, "--message-format short prints one message a line"),
    refused("ast-dump", Flag, "--emit ast prints the syntax tree"),
    refused("ast-dump-implicit", Flag, "--emit ast prints the syntax tree"),
    refused("exports", Value, "entry points keep the names of their functions and nodes"),
    refused("import-binding-table", Value, "write register(..) or [[vk::binding]] in the source"),
    refused("binding-table-define", Value, "write register(..) or [[vk::binding]] in the source"),
    refused("rootsig-define", Value, "write the root signature in the source: [RootSignature(NAME)] or GlobalRootSignature"),
    refused("flegacy-macro-expansion", Flag, "macros expand according to the standard"),
    refused("no-legacy-cbuf-layout", Flag, "choose a layout with -fvk-use-scalar-layout"),
    refused("not_use_legacy_cbuf_load", Flag, "choose a layout with -fvk-use-scalar-layout"),
    refused("ignore-line-directives", Flag, "wgc always follows #line: messages have its file and line"),
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
    refused("Po", Flag, "-P -Fi FILE preprocesses to a file"),
    refused("Fl", Value, "-Fo writes the module"),
    refused("Fx", Value, "-Fc writes a listing"),
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

/// The row for an argument (dash included), with the value attached to it.
pub fn find(arg: &str) -> Option<(&'static Row, Option<&str>)> {
    let name = arg.strip_prefix('-')?;
    if let Some(row) = TABLE.iter().find(|row| row.name == name && row.shape != Joined) {
        return Some((row, None));
    }
    TABLE.iter().find_map(|row| {
        let rest = name.strip_prefix(row.name)?;
        let joins = match row.shape {
            Joined => true,
            // Long names are written apart or with `=`; the two-letter ones of FXC join.
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
    fn no_name_stands_twice_or_in_the_other_table() {
        for (n, row) in TABLE.iter().enumerate() {
            assert!(!TABLE[..n].iter().any(|other| other.name == row.name), "{}", row.name);
            assert!(super::super::options::find(&format!("-{}", row.name)).is_none(), "{}", row.name);
        }
    }

    #[test]
    fn values_join_where_dxc_joins_them() {
        let found = |arg: &'static str| find(arg).map(|(row, value)| (row.name, value));
        assert_eq!(found("-O3"), Some(("O3", None)));
        assert_eq!(found("-fspv-extension=KHR"), Some(("fspv-extension=", Some("KHR"))));
        assert_eq!(found("-Fdx.pdb"), Some(("Fd", Some("x.pdb"))));
        assert_eq!(found("-Fd"), Some(("Fd", None)));
        assert_eq!(found("-O4"), None);
        assert_eq!(found("-Zip"), None);
        assert_eq!(found("-external-fnx"), None);
    }
}
