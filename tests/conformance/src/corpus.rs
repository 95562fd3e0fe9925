//! Finds the cases in the directory of tests, from each test's text and path only.

use crate::Role;
use crate::directives::{Run, is_xfail, runs};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One run of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Relative to the directory of tests, with `/`.
    pub path: String,
    /// Hash of the file's bytes, 16 hexadecimal digits.
    pub hash: String,
    pub role: Role,
    /// The table joins them by spaces, so a flag contains a space only inside quotes.
    pub flags: Vec<String>,
}

impl Case {
    pub fn flag_text(&self) -> String {
        if self.flags.is_empty() { "-".into() } else { self.flags.join(" ") }
    }
}

/// Directories with [`Role::Parse`] tests; only the second one has [`Role::Compute`] tests.
const SYNTAX_DIRS: &[&str] = &["HLSLFileCheck/", "CodeGenSPIRV/"];
pub const SPIRV_DIR: &str = "CodeGenSPIRV/";
/// Further directories, used only for programs with nodes.
const NODE_DIRS: &[&str] = &["CodeGenDXIL/", "DXILValidation/", "HLSLFileCheckLit/", "LitDXILValidation/", "SemaHLSL/"];
const LINES_DIR: &str = "SemaHLSL/";
/// Tests of errors about other subjects, which merely mention node types.
const OTHER_SUBJECTS: &[&str] = &["invalid-hitobject-decls", "invalid-longvec-decls", "linalg/"];
/// Tests of node programs without a visible node entry of their own.
const NODE_PATHS: &[&str] = &["hlsl/workgraph/", "CodeGenSPIRV/node."];

/// Keywords of the effect framework that declare no shader code.
const EFFECT_WORDS: &[&str] =
    &["technique", "technique10", "technique11", "fxgroup", "BlendState", "DepthStencilState"];

/// Returns all cases under a directory, in the order of their paths.
///
/// # Errors
/// Fails if a file or directory cannot be read, or the directory has no tests.
pub fn cases(root: &Path) -> io::Result<Vec<Case>> {
    let mut files = Vec::new();
    for dir in SYNTAX_DIRS.iter().chain(NODE_DIRS) {
        collect(&root.join(dir), &mut files)?;
    }
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let bytes = fs::read(&file)?;
        let path = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        all.extend(cases_of(&path, &bytes));
    }
    if all.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("no test under {}", root.display())));
    }
    Ok(all)
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "hlsl") {
            out.push(path);
        }
    }
    Ok(())
}

/// Returns the cases of one test: one for each role and set of flags.
pub fn cases_of(path: &str, bytes: &[u8]) -> Vec<Case> {
    let text = String::from_utf8_lossy(bytes);
    let code = without_comments(&text);
    let in_syntax_dir = SYNTAX_DIRS.iter().any(|d| path.starts_with(d));
    let has_nodes = has_node_entry(&code) || NODE_PATHS.iter().any(|p| path.contains(p));
    let hash = hash(bytes);
    let mut cases: Vec<Case> = Vec::new();
    for run in runs(&text) {
        // Features that DXC lacks for SPIR-V, such as mesh nodes, are still required here.
        let is_of_nodes = has_nodes && path.starts_with(SPIRV_DIR);
        let role = if is_xfail(&text) && !is_of_nodes {
            Some(Role::Xfail)
        } else if EFFECT_WORDS.iter().any(|w| has_word(&code, w)) {
            Some(Role::Effect)
        } else if run.refused {
            refused_role(path, &run, &code)
        } else if path.starts_with(SPIRV_DIR) && run.value("-T").is_some_and(|t| t.starts_with("cs_")) {
            Some(Role::Compute)
        } else if has_nodes && !run.is_of_other_stage() {
            Some(Role::Graph)
        } else {
            Some(Role::Parse)
        };
        let Some(role) = role.filter(|role| in_syntax_dir || matches!(role, Role::Graph | Role::Lines)) else {
            continue;
        };
        let case = Case { path: path.to_owned(), hash: hash.clone(), role, flags: run.flags };
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases
}

fn refused_role(path: &str, run: &Run, code: &str) -> Option<Role> {
    let about_nodes = NODE_PATHS.iter().any(|p| path.contains(p))
        || has_node_entry(code)
        || NODE_TYPES.iter().any(|t| has_word(code, t));
    let lines = path.starts_with(LINES_DIR)
        && run.verify
        && about_nodes
        && !OTHER_SUBJECTS.iter().any(|subject| path.contains(subject));
    if lines { Some(Role::Lines) } else { Some(Role::Refused) }
}

/// Object types of work graphs in error tests without a node entry.
const NODE_TYPES: &[&str] = &[
    "DispatchNodeInputRecord",
    "RWDispatchNodeInputRecord",
    "GroupNodeInputRecords",
    "RWGroupNodeInputRecords",
    "ThreadNodeInputRecord",
    "RWThreadNodeInputRecord",
    "NodeOutput",
    "NodeOutputArray",
    "EmptyNodeInput",
    "EmptyNodeOutput",
    "MaxRecords",
    "NodeLaunch",
];

/// Finds `[Shader("node")]` in any case and spacing.
fn has_node_entry(code: &str) -> bool {
    let squeezed: String = code.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    squeezed.contains("shader(\"node\")")
}

fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        !code[..at].ends_with(part) && !code[at + word.len()..].starts_with(part)
    })
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, comment) = rest.split_at(at);
        out.push_str(before);
        rest = if comment.starts_with("//") {
            comment.find('\n').map_or("", |end| &comment[end..])
        } else if comment.starts_with("/*") {
            comment.find("*/").map_or("", |end| &comment[end + 2..])
        } else {
            out.push('/');
            &comment[1..]
        };
    }
    out + rest
}

/// Returns the FNV-1a hash, which shows whether a test is the same as in the table.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(path: &str, text: &str) -> Vec<Role> {
        cases_of(path, text.as_bytes()).iter().map(|c| c.role).collect()
    }

    #[test]
    fn corpus_roles_follow_folder_and_directives() {
        let cs = "// RUN: %dxc -T cs_6_0 -E main %s -spirv | FileCheck %s\n";
        assert_eq!(roles("CodeGenSPIRV/a.hlsl", cs), [Role::Compute]);
        assert_eq!(roles("HLSLFileCheck/a.hlsl", cs), [Role::Parse]);
        assert_eq!(roles("SemaHLSL/a.hlsl", cs), []);
        assert_eq!(roles("CodeGenSPIRV/a.hlsl", &format!("{cs}// XFAIL: *")), [Role::Xfail]);
        assert_eq!(roles("CodeGenSPIRV/a.hlsl", &cs.replace("%dxc", "not %dxc")), [Role::Refused]);
        assert_eq!(roles("CodeGenSPIRV/a.hlsl", &format!("{cs}technique T {{}}")), [Role::Effect]);
        assert_eq!(roles("CodeGenSPIRV/a.hlsl", &format!("{cs}// this technique")), [Role::Compute]);
        let lib = "// RUN: %dxc -T lib_6_8 %s | FileCheck %s\n[Shader( \"node\" )] void f() {}";
        assert_eq!(roles("CodeGenDXIL/a.hlsl", lib), [Role::Graph]);
        assert_eq!(roles("CodeGenDXIL/a.hlsl", lib.split('[').next().unwrap_or("")), []);
        let verify = "// RUN: %dxc -T lib_6_8 -verify %s\n[Shader(\"node\")] void f(); // expected-error {{no}}";
        assert_eq!(roles("SemaHLSL/a.hlsl", verify), [Role::Lines]);
        assert_eq!(roles("SemaHLSL/linalg/a.hlsl", verify), []);
    }

    #[test]
    fn run_lines_with_equivalent_flags_form_one_case() {
        let text = "// RUN: %dxc -T ps_6_0 -O3 %s\n// RUN: %dxc -T ps_6_0 -Od %s\n// RUN: %dxc -T ps_6_0 -DA %s";
        assert_eq!(cases_of("HLSLFileCheck/a.hlsl", text.as_bytes()).len(), 2);
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(b""), "cbf29ce484222325");
        assert_eq!(hash(b"a"), "af63dc4c8601ec8c");
    }
}
