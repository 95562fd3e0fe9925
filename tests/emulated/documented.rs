//! The manifest: checks its example in `docs/emulation-abi.md` against a written one. Also checks its arena sizes
//! against the formula of that page.

use super::random::Random;
use super::{GRAPHS, compile_with, graph};
use serde_json::Value;
use std::path::Path;
use wgc_abi::tables::Tables;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::emulated::{ClosureError, closure};

/// Parses the example, with `...` turned into an element or a field, so that it is JSON.
fn example(page: &str) -> Value {
    let (_, rest) = page.split_once("\n## 11. manifest.json\n").expect("the section is there");
    let (_, rest) = rest.split_once("```jsonc\n").expect("it has an example");
    let (text, _) = rest.split_once("\n```").expect("it ends");
    let (mut json, mut open, mut in_string) = (String::new(), Vec::new(), false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = if !in_string && rest.starts_with("...") { 3 } else { next.len_utf8() };
        match next {
            '.' if length == 3 => json += if open.last() == Some(&'[') { "\"...\"" } else { "\"...\": 0" },
            '"' => in_string = !in_string,
            '[' | '{' if !in_string => open.push(next),
            ']' | '}' if !in_string => drop(open.pop()),
            _ => {}
        }
        if length != 3 {
            json.push(next);
        }
        rest = &rest[length..];
    }
    serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"))
}

/// Returns the first difference between the written manifest and the example.
fn difference(shown: &Value, written: &Value, place: &str) -> Option<String> {
    match (shown, written) {
        (Value::Object(shown), Value::Object(written)) => {
            let rest = shown.contains_key("...") || shown.len() == written.len();
            let fields = shown.iter().filter(|(name, _)| *name != "...");
            let differs = |(name, value): (&String, &Value)| {
                let place = format!("{place}.{name}");
                match written.get(name) {
                    Some(found) => difference(value, found, &place),
                    None => Some(format!("{place} is not written")),
                }
            };
            fields.map(differs).find_map(|d| d).or((!rest).then(|| format!("{place} has other fields: {written:?}")))
        }
        (Value::Array(shown), Value::Array(written)) => {
            let listed = shown.iter().take_while(|value| *value != "...").count();
            let rest = listed < shown.len() || listed == written.len();
            let elements = shown[..listed].iter().zip(written).enumerate();
            let differs = |(at, (shown, written))| difference(shown, written, &format!("{place}[{at}]"));
            let short = !rest || written.len() < listed;
            elements.map(differs).find_map(|d| d).or(short.then(|| format!("{place} has {} elements", written.len())))
        }
        (Value::String(shown), Value::String(written)) if shown.ends_with("...") => {
            let start = shown.trim_end_matches("...");
            (!written.starts_with(start)).then(|| format!("{place} is {written}"))
        }
        _ => (shown != written).then(|| format!("{place} is {written}, and not {shown}")),
    }
}

#[test]
fn documented_manifest_matches_the_compiler_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/emulation-abi.md")).expect("the page can be read");
    let (_, package) = compile_with(&root.join("examples/hello.hlsl"), Settings::default());
    let written = serde_json::to_value(&package.manifest).expect("it is JSON");
    assert_eq!(difference(&example(&page), &written, "manifest"), None);
}

/// Grids of records with up to 200 times 2^24 - 1 workgroups, each of which produces a record: more than one launch may
/// have, and fewer than a queue may hold.
const MORE_GROUPS_THAN_ONE_LAUNCH: &str = "
struct Field { uint2 grid : SV_DispatchGrid; };
struct Small { uint value; };
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Fan([MaxRecords(200)] NodeOutput<Field> Cover)
{
    GroupNodeOutputRecords<Field> fields = Cover.GetGroupNodeOutputRecords(1);
    fields.Get().grid = uint2(1, 1);
    fields.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(4097, 4095, 1)] [NumThreads(1, 1, 1)]
void Cover(DispatchNodeInputRecord<Field> input, [MaxRecords(1)] NodeOutput<Small> Last)
{
    GroupNodeOutputRecords<Small> last = Last.GetGroupNodeOutputRecords(1);
    last.Get().value = 1;
    last.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Last(ThreadNodeInputRecord<Small> input) {}
";

/// For one record the bound is at most the pages that it needs. For few and for many records of all entry nodes, the
/// sum is enough.
#[test]
fn manifest_one_pass_memory_is_an_upper_bound() {
    let mut random = Random::new(7);
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    let grids = dir.path().join("grids.hlsl");
    std::fs::write(&grids, MORE_GROUPS_THAN_ONE_LAUNCH).expect("it is written");
    let graphs = GRAPHS.into_iter().chain(["joint", "large_grids", "../run/joint_array"]).map(graph);
    for path in graphs.chain([grids]) {
        let name = path.display();
        for page_bytes in [1 << 10, 64 << 10] {
            let (_, package) = compile_with(&path, Settings { page_bytes, ..Settings::default() });
            let tables = Tables::decode(&package.tables).expect("they are sound");
            let (manifest, page) = (&package.manifest, u64::from(tables.page_bytes));
            assert_eq!(manifest.arena.least, u64::from(manifest.min_pages) * page, "{name}");
            let all = |entries: &[u64]| closure(&tables, entries).map(|closure| closure.all * page);
            for entry in &manifest.entrypoints {
                let mut one = vec![0; tables.queues.len()];
                one[entry.queue as usize] = 1;
                match (entry.closure_bytes, all(&one)) {
                    (Some(bytes), Ok(all)) => assert!(0 < all || bytes == 0, "{name}"),
                    (None, Err(ClosureError::Groups { .. } | ClosureError::Records { .. })) => {}
                    other => panic!("{name}, {}: {other:?}", entry.node),
                }
                assert!(entry.closure_bytes.unwrap_or(0) <= all(&one).unwrap_or(u64::MAX), "{name}, {}", entry.node);
            }
            for most in [1, 3, 100, 5000] {
                let (mut entries, mut bytes) = (vec![0; tables.queues.len()], manifest.arena.single);
                for entry in &manifest.entrypoints {
                    let count = u64::from(random.below::<u32>(most + 1));
                    entries[entry.queue as usize] += count;
                    bytes += count * entry.closure_bytes.unwrap_or(0);
                }
                if let Ok(all) = all(&entries) {
                    assert!(all <= bytes, "{name}, {entries:?}: {all} bytes, and not {bytes}");
                }
            }
        }
    }
}
