//! Fails for a change that is half done: a table, a page or a test of a recipe in CONTRIBUTING.md that was forgotten.
//!
//! The checks read the files as text, so that they need no compiler:
//!
//! | guard | compares |
//! |---|---|
//! | [`every_option_is_read_and_tested`] | the options of the command line, the code that reads them, the tests |
//! | [`editor_settings_match_the_server`] | the server's settings, VS Code's, the page, the kinds of hints, the tests |
//! | [`wgc_json_keys_match_documentation_and_fuzz_corpus`] | the structures of `wgc.json`, the page, the corpus of the fuzzer |
//! | [`lsp_requests_have_tests_and_fuzz_seeds`] | the requests of the server, the tests with wrong parameters, the corpus |
//! | [`fields_of_the_manifest_are_documented`] | the structures of `manifest.json`, the page |
//! | [`requests_are_documented`] | the requests of the server, the features in docs/editors.md |
//! | [`kinds_of_hints_are_produced`] | the kinds of inlay hints, the code that produces them, a test, the page |
//! | [`fields_of_the_manifest_are_used`] | the structures of `manifest.json`, the code of the runtime |
//! | [`faults_of_the_manifest_are_tested`] | the checks of a manifest before a run, their tests |
//! | [`numbers_of_the_manifest_are_checked`] | the numbers in `manifest.json`, the checks before a run |
//! | [`required_fields_belong_to_the_version`] | the required fields of `manifest.json`, the version of packages |
//! | [`settings_of_emulated_graphs_are_combined`] | the options for emulated graphs, the combinations that run files try |
//! | [`passes_are_called`] | the passes of `ir`, their callers |
//! | [`each_target_is_known_everywhere`] | the names of targets, the places that need all of them |

use std::collections::BTreeSet;
use std::path::Path;

/// Options that nothing reads, with the reason.
const NOT_READ: &[(&str, &str)] = &[("StandardStreams", "`wgc lsp` always uses the standard streams")];

/// Settings of VS Code that the server does not read, with the reason.
const OF_THE_EXTENSION: &[(&str, &str)] =
    &[("path", "it names the server"), ("trace.server", "the client library reads it")];

/// Fields of the manifest that the runtime does not read: packages check them, and hosts in other languages need them.
const FOR_OTHER_HOSTS: &[&str] = &[
    "arguments_bytes",
    "closure_bytes",
    "context_bytes",
    "instance_state_bytes",
    "page_entry_bytes",
    "queue_state_bytes",
    "root_signatures",
    "status_bytes",
    "tables_bytes",
    "tables_hash",
];

const FOR_ALLOCATION: &str = "hosts in other languages read it; the runtime has the constant";

/// Numbers of the manifest that no check of the runtime compares, with the reason.
const UNCHECKED: &[(&str, &str)] = &[
    ("arguments_bytes", FOR_ALLOCATION),
    ("closure_bytes", "a host reads it to choose an arena; the runtime computes it from the tables"),
    ("context_bytes", FOR_ALLOCATION),
    ("group_size", "the modules have it too, and the device checks those"),
    ("group_threads", "it is compared with the limits of the device"),
    ("instance_state_bytes", FOR_ALLOCATION),
    ("least", "a host reads it to choose an arena; the runtime computes it from the tables"),
    ("mesh_threads", "it is compared with the limits of the device"),
    ("most_threads", "a host reads it to choose, and every choice is right"),
    ("output", "it is printed only"),
    ("page_entry_bytes", FOR_ALLOCATION),
    ("primitives", "it is compared with the limits of the device"),
    ("queue_state_bytes", FOR_ALLOCATION),
    ("recommended", "a host reads it to choose an arena, and every size from the least on is right"),
    ("single", "a host reads it to choose an arena; the runtime computes it from the tables"),
    ("span_bytes", FOR_ALLOCATION),
    ("status_bytes", FOR_ALLOCATION),
    ("subgroup_size", "it is compared with the limits of the device"),
    ("vertices", "it is compared with the limits of the device"),
];

/// The version of packages, and the required fields of its structures. A reader needs all of them, so a change needs a new
/// version. An optional field has a default and needs none.
const RECORDED_VERSION: u32 = 12;
const REQUIRED_FIELDS: &[(&str, &str)] = &[
    (
        "Manifest",
        "version min_pages arena features limits modules kernels instances stages entrypoints bindings push_bytes buffers",
    ),
    ("Carrier", "node guests ends"),
    ("RecordEnd", "node"),
    ("Limits", "group_threads"),
    ("ModuleRef", "file entry group_size hash code"),
    ("MeshSize", "topology vertices primitives"),
    ("Kernels", "prep inject sched gather"),
    ("Resident", "module most_threads"),
    ("Instance", "node level launch module stage queue label"),
    ("Stage", "first_instance instances"),
    ("JointDispatch", "first_instance instances label"),
    ("EntryPoint", "node queue"),
    ("ArenaBytes", "least recommended single"),
    (
        "Buffers",
        "context_bytes tables_bytes queue_state_bytes instance_state_bytes arguments_bytes status_bytes span_bytes page_entry_bytes page_bytes",
    ),
];

/// For each kind of inlay hint: the words of docs/editors.md, and a hint in `inlay_hints_show_compiler_decisions`.
const HINTS: &[(&str, &str, &str)] = &[
    ("Binding", "set and binding of a resource", "<binding 0, set 0>"),
    ("Launch", "groups and threads of a node", "<8 groups of 64 threads>"),
    ("Param", "parameter names", "<left:>"),
    ("Records", "record sizes", "<4 bytes>"),
];

/// The method of `Session` that compiles for each target.
const METHODS: &[(&str, &str)] = &[("spirv-amdx", ".native("), ("spirv-emulated", ".emulated(")];

/// The words of docs/editors.md under "Features" for each request of the server.
const FEATURES: &[(&str, &str)] = &[
    ("callHierarchy/incomingCalls", "call hierarchy"),
    ("callHierarchy/outgoingCalls", "call hierarchy"),
    ("completionItem/resolve", "### Completion"),
    ("textDocument/codeAction", "quick fixes"),
    ("textDocument/codeLens", "code lenses"),
    ("textDocument/completion", "### Completion"),
    ("textDocument/declaration", "definition, declaration"),
    ("textDocument/definition", "definition, declaration"),
    ("textDocument/diagnostic", "pulled by the client"),
    ("textDocument/documentHighlight", "references, highlights"),
    ("textDocument/documentLink", "document links"),
    ("textDocument/documentSymbol", "document symbols"),
    ("textDocument/foldingRange", "folding"),
    ("textDocument/formatting", "formats documents"),
    ("textDocument/hover", "hover over"),
    ("textDocument/implementation", "type definition, implementation"),
    ("textDocument/inlayHint", "inlay hints"),
    ("textDocument/onTypeFormatting", "formats while you type"),
    ("textDocument/prepareCallHierarchy", "call hierarchy"),
    ("textDocument/prepareRename", "### Rename"),
    ("textDocument/rangeFormatting", "documents and ranges"),
    ("textDocument/references", "references, highlights"),
    ("textDocument/rename", "### Rename"),
    ("textDocument/selectionRange", "selection ranges"),
    ("textDocument/semanticTokens/full", "semantic tokens"),
    ("textDocument/semanticTokens/full/delta", "the changes since the last request"),
    ("textDocument/semanticTokens/range", "a range"),
    ("textDocument/signatureHelp", "signature help"),
    ("textDocument/typeDefinition", "type definition"),
    ("wgc/graph", "`wgc/graph`"),
    ("workspace/executeCommand", "### Graph view"),
    ("workspace/symbol", "workspace symbols"),
];

/// Requests that the corpus of the fuzzer lacks, with the reason.
const NOT_FUZZED: &[(&str, &str)] = &[("workspace/executeCommand", "it writes a file")];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the texts in a folder, and in the folders in it, of files with these extensions.
fn texts(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let listed = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder is there");
    for entry in listed.map(|entry| entry.expect("it can be listed")) {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a type").is_dir() {
            out.extend(texts(&path, extensions));
        } else if extensions.iter().any(|e| path.ends_with(&format!(".{e}"))) && path != "tests/forgotten.rs" {
            out.push((path.clone(), read(&path)));
        }
    }
    out
}

/// Returns the text between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("`{start}` is gone"));
    rest.split_once(end).unwrap_or_else(|| panic!("`{start}` is not followed by `{end}`")).0
}

/// Returns the texts that follow each `start`, up to the next `end`.
fn all_between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    text.split(start).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

/// Returns the texts in backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the texts in quotes.
fn in_quotes(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// Splits a source into the code and its unit tests.
fn code_and_tests(text: &str) -> (&str, &str) {
    text.split_once("#[cfg(test)]\nmod tests").unwrap_or((text, ""))
}

/// Returns whether a text has an option that is not part of a longer word.
fn has_option(text: &str, name: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_inside) && !text[at + name.len()..].starts_with(|c| is_inside(c) || c == '-')
    })
}

#[track_caller]
fn same<'t>(what: &str, one: impl IntoIterator<Item = &'t str>, other: impl IntoIterator<Item = &'t str>) {
    let (one, other): (BTreeSet<_>, BTreeSet<_>) = (one.into_iter().collect(), other.into_iter().collect());
    assert!(!one.is_empty(), "{what}: nothing was found");
    let differing: Vec<_> = one.symmetric_difference(&other).collect();
    assert!(differing.is_empty(), "{what}: {differing:?} are on one side only");
}

#[test]
fn every_option_is_read_and_tested() {
    let options = read("src/cli/options.rs");
    let variants = between(&options, "pub enum Opt {", "\n}").lines().filter_map(|line| line.trim().strip_suffix(','));
    let variants: Vec<&str> = variants.filter(|line| !line.starts_with("//")).collect();
    assert!(variants.len() > 50, "{variants:?}");
    let table = read("src/cli/options/table.rs");
    let rows: String = between(&table, "pub const OPTIONS: &[Spec] = &[", "\n];").split_whitespace().collect();
    let bindings = read("sema/src/tables/binding_options.rs");
    let bindings = between(&bindings, "pub const OPTIONS: &[BindingOption] = &[", "\n];");

    let sources = texts("src", &["rs"]);
    let tables = [
        "src/cli/options.rs",
        "src/cli/options/table.rs",
        "src/cli/dxc.rs",
        "src/cli/help.rs",
        "src/option_effects.rs",
    ];
    let code = sources.iter().filter(|(path, _)| !tables.contains(&path.as_str()));
    let code: String = code.flat_map(|(_, text)| code_and_tests(text).0.split_whitespace()).collect();
    let unit_tests = sources.iter().map(|(_, text)| code_and_tests(text).1.to_owned());
    let tests: Vec<String> = unit_tests
        .chain(
            ["tests", "sema/tests"]
                .iter()
                .flat_map(|folder| texts(folder, &["rs", "hlsl", "json", "js"]))
                .map(|(_, text)| text),
        )
        .collect();

    let mut wrong = Vec::new();
    for variant in variants {
        // A method of `Invocation`, an arm of a `match` over the options, or a comparison.
        let methods = ["has", "value", "values", "number"].map(|method| format!("{method}(Opt::{variant}"));
        let is_read =
            methods.iter().any(|call| code.contains(&format!("{call})")) || code.contains(&format!("{call},")))
                || code.contains(&format!("Opt::{variant}=>"))
                || code.contains(&format!("==Opt::{variant})"));
        if is_read == NOT_READ.iter().any(|row| row.0 == variant) {
            wrong.push(format!("nothing reads {variant}, or `NOT_READ` has it in vain"));
        }
        let names: Vec<&str> = match variant {
            "Binding" => all_between(bindings, "(\"-", "\""),
            _ => all_between(&rows, &format!("Opt::{variant},&[\""), "\""),
        };
        assert!(!names.is_empty(), "no row of {variant}");
        let untested = names.into_iter().filter(|name| !tests.iter().any(|text| has_option(text, name)));
        wrong.extend(untested.map(|name| format!("no test uses {name}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn editor_settings_match_the_server() {
    let settings = read("src/lsp/settings.rs");
    let (code, _) = code_and_tests(&settings);
    let plain = all_between(code, "= of(\"", "\")").into_iter().filter(|key| *key != "inlayHints");
    let plain: Vec<&str> = plain.collect();
    let switches = all_between(code, "(\"", "),").into_iter().filter_map(|row| row.split_once("\", &mut hints."));
    let switches: Vec<(&str, &str)> = switches.collect();
    let hints: Vec<String> = switches.iter().map(|(key, _)| format!("inlayHints.{key}")).collect();
    let server: Vec<&str> = plain.iter().copied().chain(hints.iter().map(String::as_str)).collect();

    let package = read("editors/vscode/package.json");
    let properties = all_between(between(&package, "\"properties\": {", "\"problemPatterns\""), "\"wgc.", "\": {");
    let excepted = OF_THE_EXTENSION.iter().map(|row| row.0);
    same("the server's settings and package.json", server.iter().copied().chain(excepted), properties);

    let page = read("docs/editors.md");
    let mut documented: Vec<String> = Vec::new();
    for row in between(&page, "\n## Settings\n", "\n\nThe server reads").lines().filter(|row| row.starts_with("| `")) {
        match in_backticks(row).next() {
            Some("inlayHints") => {
                documented.extend(row.split('"').skip(1).step_by(2).map(|key| format!("inlayHints.{key}")));
            }
            key => documented.extend(key.map(String::from)),
        }
    }
    same("the server's settings and docs/editors.md", server, documented.iter().map(String::as_str));

    let kinds = read("ide/src/hints.rs");
    let kinds = between(&kinds, "pub enum HintKind {", "\n}").lines().filter_map(|line| line.trim().strip_suffix(','));
    let wants = read("src/lsp/requests/hints.rs");
    let wants: Vec<&str> = all_between(between(&wants, "fn wants(", "\n}"), "HintKind::", ",");
    let wants: Vec<(&str, &str)> = wants.into_iter().filter_map(|arm| arm.split_once(" => wanted.")).collect();
    same("the kinds of hints and those with a setting", kinds, wants.iter().map(|arm| arm.0));
    same("the settings of hints and those in use", switches.iter().map(|row| row.1), wants.iter().map(|arm| arm.1));
    assert_eq!(switches.len(), wants.len(), "each kind of hint has its own setting");

    let tests = [read("tests/lsp/hints.rs"), read("tests/lsp/settings.rs")];
    for (key, _) in switches {
        assert!(tests[0].contains(&format!("\"{key}\": false")), "no test in hints.rs switches `{key}` off");
    }
    for key in plain {
        assert!(tests[1].contains(&format!("\"{key}\": ")), "no test in settings.rs has `{key}`");
    }
}

/// Returns the keys and types of a structure that serde reads, except those of flattened fields.
fn fields<'t>(source: &'t str, structure: &str) -> Vec<(&'t str, &'t str)> {
    let (mut out, mut renamed, mut is_flat) = (Vec::new(), None, false);
    for line in between(source, &format!("struct {structure} {{"), "\n}").lines().map(str::trim) {
        if line.starts_with("#[") {
            renamed = renamed.or(all_between(line, "rename = \"", "\"").first().copied());
            is_flat |= line.contains("flatten");
        } else if let Some((name, ty)) = line.trim_end_matches(',').split_once(": ")
            && !line.starts_with("//")
        {
            if !is_flat {
                out.push((renamed.unwrap_or(name.trim_start_matches("pub ")), ty));
            }
            (renamed, is_flat) = (None, false);
        }
    }
    assert!(!out.is_empty(), "{structure} has no fields");
    out
}

#[test]
fn wgc_json_keys_match_documentation_and_fuzz_corpus() {
    let [manifest, format] = [read("src/project/manifest.rs"), read("src/project/formatting.rs")];
    let page = read("docs/wgc-json.md");
    let table = |heading: &str| {
        let rows = between(&page, &format!("\n{heading}\n\n"), "\n\n").lines();
        rows.filter_map(|row| in_backticks(row.strip_prefix("| `").and(Some(row))?).next()).collect::<Vec<_>>()
    };
    let row = page.lines().find(|line| line.starts_with("| `format` |")).expect("the key `format`");
    // The values of each setting are in parentheses.
    let settings = row.split(['(', ')']).step_by(2).flat_map(in_backticks).filter(|key| *key != "format").collect();
    let corpus: String = texts("tests/fuzz/corpus/settings", &["json"]).into_iter().map(|(_, text)| text).collect();
    let places = ["tests/cli", "tests/lsp", "src/project"];
    let tests: Vec<String> =
        places.iter().flat_map(|folder| texts(folder, &["rs"])).map(|(_, text)| text.replace("\\\"", "\"")).collect();
    for (source, structure, documented) in [
        (&manifest, "File", table("## Keys")),
        (&manifest, "Program", table("Keys of a program:")),
        (&manifest, "Unit", table("Keys of an object in `files`:")),
        (&format, "Format", settings),
    ] {
        let keys: Vec<&str> = fields(source, structure).into_iter().map(|field| field.0).collect();
        same(&format!("the fields of {structure} and docs/wgc-json.md"), keys.iter().copied(), documented);
        for key in keys {
            assert!(corpus.contains(&format!("\"{key}\":")), "tests/fuzz/corpus/settings has no `{key}`");
            assert!(
                tests.iter().any(|text| text.contains(&format!("\"{key}\""))),
                "no test of the project file has `{key}`"
            );
        }
    }
}

/// Returns the methods in the table of the server.
fn requests(table: &str) -> Vec<&str> {
    all_between(between(table, "const REQUESTS: &[(&str, Answer)] = &[", "\n];"), "(\"", "\"")
}

#[test]
fn requests_are_documented() {
    same("`REQUESTS` and `FEATURES`", requests(&read("src/lsp/requests.rs")), FEATURES.iter().map(|row| row.0));
    let page = read("docs/editors.md");
    let features = between(&page, "\n## Features\n", "\n## Programs of a file\n");
    for (request, words) in FEATURES {
        assert!(features.contains(words), "docs/editors.md has no `{words}` under \"Features\", for {request}");
    }
}

#[test]
fn kinds_of_hints_are_produced() {
    let hints = read("ide/src/hints.rs");
    let kinds: Vec<&str> = between(&hints, "pub enum HintKind {", "\n}")
        .lines()
        .filter_map(|line| line.trim().strip_suffix(','))
        .collect();
    assert!(!kinds.is_empty());
    let (code, _) = code_and_tests(&hints);
    let page = read("docs/editors.md");
    let feature = page.lines().find(|line| line.starts_with("| inlay hints |")).expect("the feature");
    let tests = read("tests/lsp/hints.rs");
    let test = between(&tests, "fn inlay_hints_show_compiler_decisions()", "\n}");
    for kind in kinds {
        let uses = |start: &str| code.matches(&format!("{start}HintKind::{kind}")).count();
        assert!(uses("") > uses("is_wanted("), "nothing produces hints of the kind `{kind}`");
        let row = HINTS.iter().find(|row| row.0 == kind);
        let (_, words, shown) = row.unwrap_or_else(|| panic!("`HINTS` lacks {kind}"));
        assert!(feature.contains(words), "docs/editors.md does not describe hints of the kind `{kind}`");
        assert!(test.contains(shown), "no test shows a hint of the kind `{kind}`");
    }
}

#[test]
fn faults_of_the_manifest_are_tested() {
    let (program, planted) = (read("runtime/src/emulated/program.rs"), read("tests/planted/manifests.rs"));
    let messages = in_quotes(between(&program, "let problem = if ", "\n        };"));
    let tested = in_quotes(between(&planted, "const FAULTS", "\n];"));
    same("the checks in `Program::check` and `FAULTS`", messages, tested);
}

/// The name, type and attributes of a field.
type Field<'t> = (&'t str, &'t str, String);

/// Returns the fields of the manifest's structures.
fn manifest_fields(source: &str) -> Vec<(&str, Vec<Field<'_>>)> {
    let (code, _) = code_and_tests(source);
    let structures = all_between(code, "\npub struct ", "\n}").into_iter().filter_map(|text| text.split_once(" {\n"));
    let fields_of = |(name, body)| {
        let (mut fields, mut attributes) = (Vec::new(), String::new());
        for line in str::lines(body).map(str::trim).filter(|line| !line.starts_with("//")) {
            match line.strip_prefix("pub ").and_then(|field| field.trim_end_matches(',').split_once(": ")) {
                Some((field, ty)) => fields.push((field, ty, std::mem::take(&mut attributes))),
                None => attributes += line,
            }
        }
        (name, fields)
    };
    structures.map(fields_of).collect()
}

/// A host uses numbers to index, to allocate and to compare. Each is compared with the tables or the device before.
#[test]
fn numbers_of_the_manifest_are_checked() {
    let (manifest, program) = (read("abi/src/manifest.rs"), read("runtime/src/emulated/program.rs"));
    let (package, roots) = (read("abi/src/package.rs"), read("runtime/src/emulated/roots.rs"));
    let checks = [
        between(&program, "fn check(&self)", "/// Returns the words of a module"),
        between(&package, "fn of_files", "\n    }\n"),
        between(&roots, "fn has_sound_roots", "\n    }\n"),
    ];
    let is_checked = |field: &str| checks.iter().any(|check| has_word(check, field));
    let fields: Vec<_> = manifest_fields(&manifest).into_iter().flat_map(|(_, fields)| fields).collect();
    let numbers = fields.iter().filter(|(_, ty, _)| has_word(ty, "u32") || has_word(ty, "u64")).map(|row| row.0);
    let unchecked: BTreeSet<&str> = numbers.filter(|field| !is_checked(field)).collect();
    same("numbers that nothing checks, and `UNCHECKED`", unchecked, UNCHECKED.iter().map(|row| row.0));
}

/// `--fuse` and `--no-fuse` name edges of one program, so their tests are elsewhere.
#[test]
fn settings_of_emulated_graphs_are_combined() {
    let (effects, table, runs) =
        (read("src/option_effects.rs"), read("src/cli/options/table.rs"), read("tests/runs.rs"));
    let settings = between(&runs, "const SETTINGS: &[[&str; 2]] = &[", "\n];");
    let mut found = 0;
    for scope in ["Package", "Run"] {
        let end = format!(", Scope::EmulatedGraph(Setting::{scope}))");
        let options = effects
            .lines()
            .filter_map(|line| line.trim().strip_prefix("limited(Opt::")?.strip_suffix(',')?.strip_suffix(&end));
        for option in options.filter(|option| !["Fuse", "NoFuse"].contains(option)) {
            let row = between(&table, &format!("Opt::{option},"), "]");
            let name = in_quotes(row).next().expect("its name");
            assert!(settings.contains(&format!("\"{name}")), "`SETTINGS` of tests/runs.rs lacks {name}");
            found += 1;
        }
    }
    assert!(found > 8, "{found} settings");
}

#[test]
fn required_fields_belong_to_the_version() {
    let manifest = read("abi/src/manifest.rs");
    let version: u32 = between(&manifest, "pub const VERSION: u32 = ", ";").parse().expect("a number");
    assert_eq!(version, RECORDED_VERSION, "a new version: update `RECORDED_VERSION` and `REQUIRED_FIELDS`");
    let fields = manifest_fields(&manifest);
    same("structures of the manifest", fields.iter().map(|row| row.0), REQUIRED_FIELDS.iter().map(|row| row.0));
    for (structure, fields) in fields {
        let required = fields.iter().filter(|(_, _, attributes)| !attributes.contains("default")).map(|row| row.0);
        let known = REQUIRED_FIELDS.iter().find(|row| row.0 == structure).map_or("", |row| row.1);
        same(&format!("required fields of {structure} in version {version}"), required, known.split_whitespace());
    }
}

#[test]
fn lsp_requests_have_tests_and_fuzz_seeds() {
    let table = read("src/lsp/requests.rs");
    let requests = requests(&table);
    let strangers = read("tests/lsp/strangers.rs");
    let methods = all_between(between(&strangers, "pub const METHODS: &[&str] = &[", "\n];"), "\n    \"", "\"");
    same("`REQUESTS` and `METHODS` of strangers.rs", requests.iter().copied(), methods);
    let corpus: String = texts("tests/fuzz/corpus/lsp", &["json"]).into_iter().map(|(_, text)| text).collect();
    for request in requests {
        let is_there = corpus.contains(&format!("\"method\":\"{request}\""));
        let is_excepted = NOT_FUZZED.iter().any(|row| row.0 == request);
        assert!(is_there != is_excepted, "tests/fuzz/corpus/lsp lacks {request}, or `NOT_FUZZED` has it in vain");
    }
}

/// Returns the fields in the tables and sentences of a page as paths: `modules[].hash`.
fn documented_fields(section: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut of_table = String::new();
    let lines: Vec<&str> = section.lines().collect();
    for (line, next) in lines.iter().zip(lines.iter().skip(1).chain([&""])) {
        let Some((names, meaning)) = line.strip_prefix("| ").and_then(|row| row.split_once(" | ")) else {
            out.extend(in_backticks(line).map(String::from));
            continue;
        };
        if next.starts_with("|---") {
            // `| field of `buffers` | bytes |`
            of_table = in_backticks(names).next().map(|owner| format!("{owner}.")).unwrap_or_default();
            continue;
        }
        let mut owner = of_table.clone();
        for name in in_backticks(names) {
            // `.inject` after `kernels.prep` is `kernels.inject`.
            let path = format!("{owner}{}", name.trim_start_matches('.'));
            owner = path.rsplit_once('.').map(|(owner, _)| format!("{owner}.")).unwrap_or_default();
            out.extend(in_backticks(meaning).map(|part| format!("{path}.{part}")));
            out.insert(path);
        }
    }
    out
}

#[test]
fn fields_of_the_manifest_are_documented() {
    let source = read("abi/src/manifest.rs");
    let page = read("docs/emulation-abi.md");
    let section = between(&page, "\n## 11. manifest.json\n", "\n## 12.");
    let documented = documented_fields(section.rsplit_once("\n```\n").expect("the example").1);
    let mut missing = Vec::new();
    let mut work = vec![("Manifest".to_owned(), String::new())];
    while let Some((structure, owner)) = work.pop() {
        for (field, ty) in fields(&source, &structure) {
            let path = format!("{owner}{field}");
            let inside = [format!("{path}."), format!("{path}[]")];
            if !documented.contains(&path) && !documented.iter().any(|p| inside.iter().any(|i| p.starts_with(i))) {
                missing.push(path.clone());
            }
            let inner = ty.rsplit('<').next().unwrap_or(ty).trim_end_matches('>');
            if source.contains(&format!("pub struct {inner} {{")) {
                work.push((
                    inner.to_owned(),
                    if ty.starts_with("Vec") { format!("{path}[].") } else { inside[0].clone() },
                ));
            }
        }
    }
    assert!(missing.is_empty(), "section 11 of docs/emulation-abi.md lacks {missing:?}");
}

/// Returns whether a text has a word.
fn has_word(text: &str, word: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_inside) && !text[at + word.len()..].starts_with(is_inside))
}

#[test]
fn fields_of_the_manifest_are_used() {
    let source = read("abi/src/manifest.rs");
    let code: Vec<String> = ["runtime/src", "capi/src"]
        .iter()
        .flat_map(|folder| texts(folder, &["rs"]))
        .map(|(_, text)| code_and_tests(&text).0.to_owned())
        .collect();
    let (code_of_manifest, _) = code_and_tests(&source);
    let fields: BTreeSet<&str> =
        all_between(code_of_manifest, "    pub ", ":").into_iter().filter(|name| !name.contains([' ', '('])).collect();
    assert!(fields.len() > 50, "{fields:?}");
    let unused = fields.into_iter().filter(|field| !code.iter().any(|text| has_word(text, field)));
    same("fields that the runtime does not read", unused, FOR_OTHER_HOSTS.iter().copied());
}

#[test]
fn passes_are_called() {
    let code: Vec<String> = ["ir/src", "backend-spirv/src", "sema/src", "src"]
        .iter()
        .flat_map(|folder| texts(folder, &["rs"]))
        .map(|(_, text)| code_and_tests(&text).0.to_owned())
        .collect();
    let list = read("ir/src/passes.rs");
    let passes: Vec<&str> = all_between(&list, "\npub use ", ";")
        .into_iter()
        .flat_map(|used| used.rsplit("::").next().unwrap_or(used).split(['{', '}', ',', ' ']))
        .filter(|name| name.starts_with(char::is_lowercase))
        .collect();
    assert!(passes.len() > 20, "{passes:?}");
    let is_called = |pass: &&str| {
        let (call, definition) = (format!("{pass}("), format!("fn {pass}"));
        let follows_a_name = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        let uses = |line: &str| {
            line.match_indices(&call).any(|(at, _)| !follows_a_name(&line[..at]))
                || has_word(line, &format!("passes::{pass}"))
                || line.contains(&format!("({pass})"))
                || line.contains(&format!(", {pass})"))
                || line.contains(&format!(", {pass}, ")) && !line.starts_with("use ") && !line.starts_with("pub use ")
        };
        code.iter()
            .flat_map(|text| text.lines())
            .any(|line| !line.trim_start().starts_with("//") && !line.contains(&definition) && uses(line))
    };
    let uncalled: Vec<&str> = passes.into_iter().filter(|pass| !is_called(pass)).collect();
    assert!(uncalled.is_empty(), "passes that nothing calls: {uncalled:?}");
}

/// The names of targets are in one table; each of these places needs all of them.
#[test]
fn each_target_is_known_everywhere() {
    let table = read("src/cli/options/table.rs");
    let targets: Vec<&str> =
        between(&table, "pub const TARGETS: &[&str] = &[", "]").split('"').skip(1).step_by(2).collect();
    assert!(targets.len() >= 2, "{targets:?}");
    let variants = targets.len();
    for target in &targets {
        for (file, start, end) in [
            ("src/described.rs", "fn named_target", "\n}"),
            ("tests/support/mod.rs", "pub const PLACES", "];"),
            ("runtime/src/run_file/parse/mod.rs", "const KNOWN", "];"),
        ] {
            let text = read(file);
            assert!(
                between(&text, start, end).contains(&format!("\"{target}\"")),
                "{file} lacks {target} after `{start}`"
            );
        }
        for page in ["docs/ARCHITECTURE.md", "docs/run-files.md", "docs/language.md"] {
            assert!(read(page).contains(target), "{page} lacks {target}");
        }
    }
    same("targets and `METHODS`", targets.iter().copied(), METHODS.iter().map(|row| row.0));
    let modules = read("tests/modules.rs");
    for (target, method) in METHODS {
        assert!(modules.contains(method), "tests/modules.rs does not compile for {target}");
    }
    let verdicts = read("tests/verdicts.rs");
    let listed = between(&verdicts, "const TARGETS: ", "];").matches("Target::").count();
    assert_eq!(listed, variants, "TARGETS of tests/verdicts.rs");
}
