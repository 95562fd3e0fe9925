//! Cut-offs: the queries that run again after an edit, counted by `WillExecute` events.

use std::collections::BTreeMap;
use wgc_sema::Compiler;
use wgc_sema::db::{FileLoader, Options, Program};
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;

const TEXT: &str = r#"
struct A { uint x; };
struct B { uint y; };
RWStructuredBuffer<uint> results : register(u0);

uint twice(uint n) { return n * 2; }

[Shader("node")]
[NodeLaunch("thread")]
void root(ThreadNodeInputRecord<A> input, [MaxRecords(1)] NodeOutput<B> leaf)
{
    ThreadNodeOutputRecords<B> outRecord = leaf.GetThreadNodeOutputRecords(1);
    outRecord.Get().y = twice(input.Get().x);
    outRecord.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<B> input)
{
    InterlockedAdd(results[0], input.Get().y);
}

[Shader("node")]
[NodeLaunch("thread")]
void alone(ThreadNodeInputRecord<A> input)
{
    InterlockedAdd(results[1], input.Get().x);
}
"#;

struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

struct Session {
    db: Compiler,
    program: Program,
}

impl Session {
    fn new() -> Session {
        let mut db = Compiler::with_log(Box::new(Nothing));
        db.set_text("test.hlsl", Some(TEXT.as_bytes()));
        let program = db.add_program(&["test.hlsl"], Options::default());
        let mut session = Session { db, program };
        session.build();
        session
    }

    /// Builds everything, which must have no diagnostics but hints, and returns the executed queries.
    fn build(&mut self) -> BTreeMap<String, u32> {
        let all = diagnostics(&self.db, self.program);
        assert!(all.iter().all(|d| d.severity == Severity::Hint), "{all:#?}");
        assert!(link(&self.db, self.program).module.is_some());
        self.db.take_log().into_iter().collect()
    }

    fn edit(&mut self, from: &str, to: &str) -> BTreeMap<String, u32> {
        assert_eq!(TEXT.matches(from).count(), 1, "`{from}`");
        self.db.set_text("test.hlsl", Some(TEXT.replacen(from, to, 1).as_bytes()));
        self.build()
    }
}

fn times(ran: &BTreeMap<String, u32>, query: &str) -> u32 {
    ran.get(query).copied().unwrap_or(0)
}

#[test]
fn the_first_build_runs_each_function_once() {
    let mut db = Compiler::with_log(Box::new(Nothing));
    db.set_text("test.hlsl", Some(TEXT.as_bytes()));
    let program = db.add_program(&["test.hlsl"], Options::default());
    let mut session = Session { db, program };
    let ran = session.build();
    assert_eq!(times(&ran, "check"), 4, "{ran:#?}");
    assert_eq!(times(&ran, "lowered"), 4, "{ran:#?}");
    assert_eq!(times(&ran, "graph"), 1);
    assert_eq!(times(&ran, "node_of"), 4, "three nodes and a helper");
}

/// Only the built-in declarations that the program names are read, and those that these name.
#[test]
fn first_build_reads_only_named_prelude_items() {
    let mut db = Compiler::with_log(Box::new(Nothing));
    db.set_text("test.hlsl", Some(TEXT.as_bytes()));
    let program = db.add_program(&["test.hlsl"], Options::default());
    let ran = Session { db, program }.build();
    let named =
        ["RWStructuredBuffer", "ThreadNodeInputRecord", "NodeOutput", "ThreadNodeOutputRecords", "InterlockedAdd"];
    let pieces: usize = named.iter().map(|name| wgc_stdlib::index::declaring("", name).len()).sum();
    assert!(pieces >= named.len());
    assert_eq!(times(&ran, "piece_item") as usize, pieces, "{ran:#?}");
    let own = 7;
    assert_eq!(times(&ran, "item_tree") as usize, pieces + own, "{ran:#?}");
}

#[test]
fn no_query_runs_without_an_edit() {
    let mut session = Session::new();
    assert!(session.build().is_empty());
}

/// All offsets move, no token changes.
#[test]
fn a_comment_on_line_1_moves_positions_only() {
    let mut session = Session::new();
    let ran = session.edit("\nstruct A", "// a comment that moves everything\nstruct A");
    let allowed = ["unit", "slices", "diagnostics"];
    for query in ran.keys() {
        assert!(allowed.contains(&query.as_str()), "`{query}` ran: {ran:#?}");
    }
    assert_eq!(times(&ran, "slices"), 1);
}

/// Lines are not part of lowered functions: they are looked up at the end, in the current text.
#[test]
fn inserting_a_comment_shifts_lines_without_relowering() {
    let mut session = Session::new();
    let line_of = |session: &Session, text: &str, what: &str| {
        let map = wgc_sema::link::source_map::source_map(&session.db, session.program);
        let module = link(&session.db, session.program).module.as_ref().expect("it links");
        let scope = module.functions["twice"].scopes.values().next().expect("it has a source");
        // `return` is the first token of the body after its brace, or the brace itself.
        let lines: Vec<u32> = (0..8).filter_map(|n| map.locate(&scope.text, n)).map(|at| at.line).collect();
        let expected = text.lines().position(|l| l.contains(what)).expect("it is there") as u32 + 1;
        assert!(!lines.is_empty() && lines.iter().all(|l| *l == expected), "{lines:?} and not {expected}");
        let name = map.locate(&scope.head(), scope.name).expect("a function has a name");
        assert_eq!((name.line, name.column), (expected, 6));
        expected
    };
    let before = line_of(&session, TEXT, "uint twice");
    let edited = TEXT.replacen("\nstruct A", "// one\n\n\nstruct A", 1);
    let ran = session.edit("\nstruct A", "// one\n\n\nstruct A");
    assert_eq!(line_of(&session, &edited, "uint twice"), before + 2);
    assert_eq!(times(&ran, "lowered") + times(&ran, "link") + times(&ran, "check"), 0, "{ran:#?}");
}

#[test]
fn an_edit_in_one_body_checks_and_lowers_that_function() {
    let mut session = Session::new();
    let ran = session.edit("return n * 2;", "return n * 3;");
    for query in ["check", "lowered", "parse_body", "link"] {
        assert_eq!(times(&ran, query), 1, "{query}: {ran:#?}");
    }
    for query in [
        "items",
        "graph",
        "item_tree",
        "node_of",
        "fn_signature",
        "lookup",
        "declared_record",
        "global_of",
        "name_table",
        "directives",
    ] {
        assert_eq!(times(&ran, query), 0, "{query}: {ran:#?}");
    }
}

#[test]
fn adding_an_unrelated_global_rechecks_nothing() {
    let mut session = Session::new();
    let ran = session.edit("struct B", "static const uint unrelated = 7;\nstruct B");
    for query in ["check", "lowered", "fn_signature", "node_of", "declared_record"] {
        assert_eq!(times(&ran, query), 0, "{query}: {ran:#?}");
    }
    assert_eq!(times(&ran, "name_table"), 1, "{ran:#?}");
}

/// `A` is used by `root` and `alone`, not by `leaf` or `twice`.
#[test]
fn editing_a_record_rechecks_only_its_users() {
    let mut session = Session::new();
    let ran = session.edit("struct A { uint x; };", "struct A { uint x; uint more; };");
    assert_eq!(times(&ran, "declared_record"), 1, "{ran:#?}");
    assert_eq!(times(&ran, "check"), 2, "{ran:#?}");
    assert_eq!(times(&ran, "node_of"), 2, "{ran:#?}");
    assert_eq!(times(&ran, "graph"), 1, "{ran:#?}");
}

/// An unknown name becomes known: the result of its lookup changes, so its readers run.
#[test]
fn creating_a_missing_include_resolves_it() {
    let mut db = Compiler::with_log(Box::new(Nothing));
    let text = format!("#include \"late.hlsl\"\n{TEXT}");
    db.set_text("dir/test.hlsl", Some(text.as_bytes()));
    let program = db.add_program(&["dir/test.hlsl"], Options::default());
    let codes = |db: &Compiler| diagnostics(db, program).iter().map(|d| d.code.to_string()).collect::<Vec<_>>();
    assert_eq!(codes(&db), ["WG0004"]);
    db.set_text("dir/late.hlsl", Some(b"struct Late { uint x; };"));
    assert_eq!(codes(&db), [""; 0]);
    db.set_text("dir/late.hlsl", None);
    assert_eq!(codes(&db), ["WG0004"]);
}

/// The record flow of a node is recomputed if it reaches the edited function, and only then.
#[test]
fn body_edits_recompute_record_flow_of_reaching_nodes_only() {
    let mut session = Session::new();
    assert_eq!(times(&session.edit("return n * 2;", "return n * 3;"), "of_node"), 1, "`root` calls it");
    assert_eq!(
        times(&session.edit("results[1], input", "results[3], input"), "of_node"),
        2,
        "`alone`, and `root` again"
    );
    let ran = session.edit("struct B", "static const uint unrelated = 7;\nstruct B");
    assert_eq!(times(&ran, "of_node"), 1, "`alone` again: {ran:#?}");
}

#[test]
fn reformatting_the_host_file_reruns_no_checks() {
    let mut db = Compiler::with_log(Box::new(Nothing));
    db.set_text("test.hlsl", Some(TEXT.as_bytes()));
    let host = |db: &mut Compiler, text: &str| db.set_text("host.json", Some(text.as_bytes()));
    host(&mut db, r#"{ "nodes": { "leaf": { "name": "alone[1]" } }, "entries": ["root", "rot"] }"#);
    let program = db.add_program(&["test.hlsl"], Options { host: Some("host.json".into()), ..Options::default() });
    let place = |db: &Compiler| -> Vec<u32> {
        let found = diagnostics(db, program).iter().filter(|d| &*d.labels[0].range.file == "host.json");
        found.map(|d| d.labels[0].range.lo).collect()
    };
    assert_eq!(place(&db), [31, 67], "nothing starts the first, the second is no node");
    db.take_log();

    host(&mut db, r#"{   "nodes": { "leaf": { "name": "alone[1]" } }, "entries": ["root", "rot"] }"#);
    assert_eq!(place(&db), [33, 69], "the places move");
    assert!(db.take_log().iter().all(|(query, _)| !query.contains("graph")), "the graph stays");

    host(&mut db, r#"{ "nodes": { "leaf": { "name": "leaf" } }, "entries": ["root", "alone"] }"#);
    assert_eq!(place(&db), [0u32; 0]);
    let log = db.take_log();
    assert!(log.iter().any(|(query, _)| query == "graph"), "{log:?}");
    assert!(log.iter().all(|(query, _)| query != "lowered" && query != "check"), "no body is looked at again: {log:?}");
}

/// The prefetched queries are those of the diagnostics: none of them runs again.
#[test]
fn prefetched_queries_do_not_run_again() {
    let mut db = Compiler::with_log(Box::new(Nothing));
    db.set_text("test.hlsl", Some(TEXT.as_bytes()));
    let program = db.add_program(&["test.hlsl"], Options::default());
    wgc_sema::report::prefetch::prefetch(&db, program);
    let ahead: BTreeMap<String, u32> = db.take_log().into_iter().collect();
    let mut session = Session { db, program };
    let rest = session.build();
    let each = ["check", "lowered", "parse_body", "coherence", "grid_writes", "of_node"];
    let ran = each.map(|query| (times(&ahead, query), times(&rest, query)));
    assert_eq!(ran, [(4, 0), (4, 0), (4, 0), (4, 0), (4, 0), (3, 0)], "{ahead:#?}\n{rest:#?}");
}

#[test]
fn editing_a_forgotten_program_runs_no_queries() {
    let mut session = Session::new();
    session.db.forget(session.program);
    session.db.set_text("test.hlsl", Some(b"struct A { uint x; };"));
    assert_eq!(session.db.take_log(), []);
}
