//! `docs/limits.md`: each row names an existing constant and existing tests. Each constant with the name of a limit has
//! a row.

use crate::support::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of the tables.
struct Row {
    text: String,
    /// `path` and `CONSTANT`.
    kept: (String, String),
    /// `path` and `function`.
    tests: Vec<(String, String)>,
}

/// Returns the texts in backquotes of a cell, in pairs.
fn pairs(cell: &str) -> Vec<(String, String)> {
    let quoted: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    quoted.chunks_exact(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/limits.md")).expect("it is there");
    let lines = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| limit"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, _, kept, tests] = cells[..] else { panic!("not five cells: {line}") };
        let kept = pairs(kept).pop().unwrap_or_else(|| panic!("a file and a constant: {line}"));
        Row { text: line.to_owned(), kept, tests: pairs(tests) }
    };
    lines.map(row).collect()
}

fn contents(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn documented_limits_are_sorted_with_constants_and_tests() {
    let rows = rows();
    assert!(rows.len() > 40, "{}", rows.len());
    let text = contents("docs/limits.md");
    let sections: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
    assert!(sections.is_sorted(), "{sections:?}");
    let mut wrong = String::new();
    for row in &rows {
        let (path, constant) = &row.kept;
        let text = contents(path);
        let is_there = [format!("const {constant}:"), format!("const fn {constant}(")].iter().any(|c| text.contains(c));
        if !is_there {
            wrong += &format!("{path} has no constant `{constant}`: {}\n", row.text);
        }
        if row.tests.is_empty() {
            wrong += &format!("without a test: {}\n", row.text);
        }
        for (path, test) in &row.tests {
            if !contents(path).contains(&format!("fn {test}()")) {
                wrong += &format!("{path} has no test `{test}`: {}\n", row.text);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Constants with the name of a limit that are none of a user's input. They bound the work of wgc without an error,
/// belong to a rule of the language or of a format, which a diagnostic or another page explains, or are exceeded only by
/// SPIR-V modules that break such a rule.
const OTHERS: &[(&str, &str)] = &[
    ("abi/src/device.rs", "MAX_CHUNKS"),
    ("abi/src/device.rs", "MAX_DYNAMIC_RECORDS"),
    ("abi/src/device.rs", "MAX_GROUPS"),
    ("abi/src/device.rs", "MAX_RECORDS"),
    ("abi/src/device.rs", "MAX_RUN"),
    ("abi/src/device.rs", "MAX_WINDOW"),
    ("abi/src/layout.rs", "MAX_ALIGN"),
    ("abi/src/replace.rs", "MAX_LINKS"),
    ("backend-spirv/src/emulated/layout.rs", "MAX_PAGE_BYTES"),
    ("backend-spirv/src/emulated/node/bounds.rs", "MAX_DEPTH"),
    ("backend-spirv/src/emulated/node/grouped.rs", "MAX_SENT_BYTES"),
    ("backend-spirv/src/emulated/plan/closure.rs", "MAX_RECOMMENDED"),
    ("backend-spirv/src/emulated/plan/segments.rs", "MAX_GROWTH"),
    ("backend-spirv/src/emulated/resident.rs", "MAX_OPERATIONS"),
    ("fmt/src/lib.rs", "MAX_TURNS"),
    ("fmt/src/lines.rs", "MAX_OF_HEAD"),
    ("fmt/src/lines.rs", "MAX_OF_LABEL"),
    ("fmt/src/roles.rs", "MAX_OF_TEMPLATE"),
    ("fmt/src/wrap.rs", "MAX_STEPS"),
    ("ide/src/calls.rs", "MAX_TOKENS"),
    ("ide/src/comments.rs", "MAX_HEAD"),
    ("ide/src/comments.rs", "MAX_TEXT"),
    ("ide/src/complete.rs", "MAX_DETAIL"),
    ("ide/src/context.rs", "MAX_OF_PATH"),
    ("ide/src/describe.rs", "MAX_VALUES"),
    ("ide/src/macros.rs", "MAX_TOKENS"),
    ("ide/src/tokens.rs", "MAX_WORDS"),
    ("ide/src/view.rs", "MAX_ELEMENTS"),
    ("ir/src/encoded/bytes.rs", "MAX_LISTS"),
    ("ir/src/encoded/bytes.rs", "MAX_TYPE_NESTING"),
    ("ir/src/flow.rs", "MAX_WAVE"),
    ("ir/src/flow/budgets.rs", "MAX_UNEVEN"),
    ("ir/src/flow/buffers.rs", "MAX_STEPS"),
    ("ir/src/flow/forward.rs", "MAX_VISITS"),
    ("ir/src/flow/handles.rs", "MAX_HANDLES"),
    ("ir/src/flow/misuse.rs", "MAX_VISITS"),
    ("ir/src/flow/parts.rs", "MAX_PARTS"),
    ("ir/src/flow/paths.rs", "MAX_ITERATIONS"),
    ("ir/src/flow/paths.rs", "MAX_PATHS"),
    ("ir/src/flow/paths.rs", "MAX_ROUNDS"),
    ("ir/src/flow/paths.rs", "MAX_VISITS"),
    ("ir/src/flow/symbols.rs", "MAX_CHOICES"),
    ("ir/src/flow/symbols.rs", "MAX_SIZE"),
    ("ir/src/flow/symbols.rs", "MAX_STEPS"),
    ("ir/src/parse.rs", "MAX_DEPTH"),
    ("ir/src/passes/const_eval.rs", "MAX_SCALARS"),
    ("ir/src/passes/fold/composites.rs", "MAX_PARTS"),
    ("ir/src/passes/forward/memory.rs", "MAX_STORES"),
    ("ir/src/passes/fusion/elements.rs", "MAX_CONSTANTS"),
    ("ir/src/passes/fusion/rules.rs", "MAX_EMPTY"),
    ("ir/src/passes/fusion/rules.rs", "MAX_FUSED_OPERATIONS"),
    ("ir/src/passes/fusion/rules.rs", "MAX_GROUP_BYTES"),
    ("ir/src/passes/fusion/rules.rs", "MAX_GUEST_GROUPS"),
    ("ir/src/passes/fusion/rules.rs", "MAX_MAILBOX_BYTES"),
    ("ir/src/passes/fusion/rules.rs", "MAX_OUTPUT_GROWTH"),
    ("ir/src/passes/fusion/rules.rs", "MAX_RECORDS_FOR_THREAD"),
    ("ir/src/passes/fusion/rules.rs", "MAX_SLOTS"),
    ("ir/src/passes/fusion/rules.rs", "MAX_SLOT_BYTES"),
    ("ir/src/passes/fusion/rules.rs", "MAX_STATIC_SCALARS"),
    ("ir/src/passes/hoist.rs", "MAX_MOVED"),
    ("ir/src/passes/hoist.rs", "MAX_PARTS"),
    ("ir/src/passes/ifs.rs", "MAX_FLATTENED"),
    ("ir/src/passes/ifs.rs", "MAX_OPERATIONS"),
    ("ir/src/passes/localise.rs", "MAX_ELEMENTS"),
    ("ir/src/passes/narrow.rs", "MAX_LOADS"),
    ("ir/src/passes/nest.rs", "MAX_BREAKS"),
    ("ir/src/passes/overwritten.rs", "MAX_ELEMENTS"),
    ("ir/src/passes/overwritten.rs", "MAX_TRACKED"),
    ("ir/src/passes/resource_selection.rs", "MAX_ELEMENTS"),
    ("ir/src/passes/sroa.rs", "MAX_ACCESSES"),
    ("ir/src/passes/sroa.rs", "MAX_ELEMENTS"),
    ("ir/src/passes/sroa.rs", "MAX_PARTS"),
    ("ir/src/passes/ssa/locals.rs", "MAX_CARRIED"),
    ("ir/src/passes/unroll.rs", "MAX_NESTED"),
    ("ir/src/types.rs", "MAX_MERGED"),
    ("ir/src/verify.rs", "MAX_ERRORS"),
    ("ir/src/verify/types.rs", "MAX_DEPTH"),
    ("runtime/src/cpu/exec/image.rs", "MAX_TEXEL"),
    ("runtime/src/cpu/exec/payload.rs", "MAX_BYTES"),
    ("runtime/src/cpu/graph/limits.rs", "MAX_STEPS"),
    ("runtime/src/cpu/mask.rs", "MAX_LANES"),
    ("runtime/src/cpu/memory.rs", "MAX_REGIONS"),
    ("runtime/src/cpu/mod.rs", "MAX_GROUPS"),
    ("runtime/src/cpu/sanitize/races.rs", "MAX_EVENTS"),
    ("runtime/src/cpu/sanitize/races.rs", "MAX_GROUPS"),
    ("runtime/src/cpu/translate/graph.rs", "MAX_SENT"),
    ("runtime/src/cpu/translate/graph.rs", "MAX_TAKEN"),
    ("runtime/src/cpu/translate/layout.rs", "MAX_DEPTH"),
    ("runtime/src/cpu/translate/layout.rs", "MAX_VISITS"),
    ("runtime/src/cpu/translate/mesh.rs", "MAX_BYTES"),
    ("runtime/src/cpu/translate/mesh.rs", "MAX_DEPTH"),
    ("runtime/src/cpu/translate/mesh.rs", "MAX_ELEMENTS"),
    ("runtime/src/cpu/translate/variables.rs", "MAX_PROMOTED"),
    ("runtime/src/cpu/translate/variables.rs", "MAX_SHARED"),
    ("runtime/src/emulated/mod.rs", "MAX_SWEEPS"),
    ("runtime/src/mesh.rs", "MAX_BYTES"),
    ("runtime/src/module_interface.rs", "MAX_DEPTH"),
    ("runtime/src/module_interface.rs", "MAX_FIELDS"),
    ("runtime/src/run_file/plan/records.rs", "MAX_BYTES"),
    ("runtime/src/vulkan/enqueue/graph.rs", "MAX_SCRATCH"),
    ("sema/src/check/init.rs", "MAX_DEALT"),
    ("sema/src/check/text.rs", "MAX_NAMES"),
    ("sema/src/contracts/node/sizes.rs", "MAX_GROUPS"),
    ("sema/src/contracts/node/sizes.rs", "MAX_MESH_GROUPS"),
    ("sema/src/contracts/node/sizes.rs", "MAX_MESH_THREADS"),
    ("sema/src/flow/groupshared_usage.rs", "MAX_GROUPSHARED"),
    ("sema/src/flow/groupshared_usage.rs", "MAX_MESH_GROUPSHARED"),
    ("sema/src/flow/lints/memory.rs", "MAX_BEHIND"),
    ("sema/src/flow/lints/memory.rs", "MAX_TARGETS"),
    ("sema/src/flow/records.rs", "MAX_FUNCTIONS"),
    ("sema/src/flow/records/size.rs", "MAX_FOLLOWED"),
    ("sema/src/flow/records/sums.rs", "MAX_PARTS"),
    ("sema/src/graph/budget.rs", "MAX_GROUP_MEMORY"),
    ("sema/src/graph/budget.rs", "MAX_OUTPUTS"),
    ("sema/src/graph/budget.rs", "MAX_RECORD"),
    ("sema/src/graph/limits.rs", "MAX_OF_CHAIN"),
    ("sema/src/graph/limits.rs", "MAX_OF_CYCLE"),
    ("sema/src/graph/sharing.rs", "MAX_SHARERS"),
    ("sema/src/lower/start_effects.rs", "MAX_UNITS"),
    ("sema/src/report/instantiation_notes.rs", "MAX_CALLS"),
    ("sema/src/tables/root_signature/clauses.rs", "MAX_SPACE"),
    ("sema/src/tables/root_signature/parse.rs", "MAX_WORDS"),
    ("sema/src/tables/similar_names.rs", "MAX_COMPARISONS"),
    ("sema/src/types/const_eval.rs", "MAX_OF_ELEMENT"),
    ("sema/src/types/const_eval.rs", "MAX_SCALARS"),
    ("sema/src/types/mesh_outputs.rs", "MAX_BYTES"),
    ("sema/src/types/mesh_outputs.rs", "MAX_DEPTH"),
    ("sema/src/types/mesh_outputs.rs", "MAX_ELEMENTS"),
    ("sema/src/types/mesh_outputs.rs", "MAX_ROWS"),
    ("sema/src/types/mesh_outputs.rs", "MAX_VALUES"),
    ("sema/src/types/partial_order.rs", "MAX_ALIASES"),
    ("sema/src/types/spec_value.rs", "MAX_STEPS"),
    ("spirv-module/src/fold.rs", "MAX_DEPTH"),
    ("spirv-module/src/fold.rs", "MAX_SCALARS"),
    ("spirv-module/src/verify.rs", "MAX_FINDINGS"),
    ("spirv-module/src/verify/amdx/facts.rs", "MAX_STEPS"),
    ("spirv-module/src/verify/amdx/members.rs", "MAX_STRUCTURES"),
    ("spirv-module/src/verify/amdx/modes.rs", "MAX_SHARERS"),
    ("spirv-module/src/verify/amdx/read_only.rs", "MAX_CHAINS"),
    ("spirv-module/src/verify/mesh.rs", "MAX_DEPTH"),
    ("src/lsp/features.rs", "MAX_HOVERED"),
    ("src/lsp/features.rs", "MAX_MESSAGES"),
    ("src/lsp/features/completion.rs", "MAX_ENTRIES"),
    ("src/lsp/features/navigate.rs", "MAX_SYMBOLS"),
    ("src/lsp/mod.rs", "MAX_ATTEMPTS"),
    ("src/lsp/mod.rs", "MAX_REPORTS"),
    ("src/lsp/proto.rs", "MAX_NESTED"),
    ("src/lsp/requests/formatting.rs", "MAX_EDITS"),
    ("src/lsp/upkeep.rs", "MAX_GROWTH"),
    ("src/lsp/world.rs", "MAX_AHEAD"),
    ("src/picture/layout.rs", "MAX_BENDS"),
    ("src/picture/rows.rs", "MAX_LETTERS"),
    ("src/preprocessed.rs", "MAX_EMPTY_LINES"),
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.extension() {
            Some(extension) if extension == "rs" => out.push(path),
            _ if path.is_dir() => sources(&path, out),
            _ => {}
        }
    }
}

/// Returns the constants `MAX_..` of a file, without those of its tests.
fn constants(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let names = code.lines().filter_map(|line| Some(line.split_once("const ")?.1.split_once(':')?.0.to_owned()));
    names.filter(|name| name.starts_with("MAX_")).collect()
}

#[test]
fn limit_constants_are_documented() {
    let mut files = Vec::new();
    for folder in ["abi", "backend-spirv", "fmt", "frontend", "ide", "ir", "json", "runtime", "sema", "spirv-module"] {
        sources(&root().join(folder).join("src"), &mut files);
    }
    sources(&root().join("src"), &mut files);
    let mut listed: BTreeMap<(String, String), bool> = rows().into_iter().map(|row| (row.kept, false)).collect();
    listed.extend(OTHERS.iter().map(|(path, name)| (((*path).to_owned(), (*name).to_owned()), false)));
    let mut missing = String::new();
    for file in files {
        let path = file.strip_prefix(root()).expect("inside").to_string_lossy().replace('\\', "/");
        for name in constants(&fs::read_to_string(&file).expect("readable")) {
            match listed.get_mut(&(path.clone(), name.clone())) {
                Some(found) => *found = true,
                None => missing += &format!("{path}: {name}\n"),
            }
        }
    }
    let gone =
        OTHERS.iter().filter(|(path, name)| listed.get(&((*path).to_owned(), (*name).to_owned())) != Some(&true));
    let gone: Vec<_> = gone.collect();
    assert!(missing.is_empty() && gone.is_empty(), "neither in docs/limits.md nor here:\n{missing}gone: {gone:?}");
}
