//! Programs of several translation units: shared and separate parts, and the queries that an edit in one unit runs
//! again.

use std::collections::BTreeMap;
use wgc_sema::Compiler;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::db::{FileLoader, Options, Program};
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::{Code, Severity};

struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

const COMMON: &str =
    "struct Item { uint n; };\nRWStructuredBuffer<uint> results;\nuint twice(uint n) { return 2 * n; }\n";
const FIRST: &str = r#"
#include "common.hlsli"
RWStructuredBuffer<uint> own;
uint step(uint n) { return n + 1; }
[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> second)
{
    ThreadNodeOutputRecords<Item> o = second.GetThreadNodeOutputRecords(1);
    o.Get().n = step(twice(input.Get().n));
    own[0] = 1;
    o.OutputComplete();
}
"#;
const SECOND: &str = r#"
#include "common.hlsli"
RWStructuredBuffer<float> own;
uint step(uint n) { return n + 2; }
[Shader("node")] [NodeLaunch("thread")]
void second(ThreadNodeInputRecord<Item> input) { results[0] = step(twice(input.Get().n)); own[1] = 2; }
"#;

struct Session {
    db: Compiler,
    program: Program,
}

impl Session {
    fn new(first: &str, second: &str) -> Session {
        Session::with(first, second, Options::default())
    }

    fn with(first: &str, second: &str, own: Options) -> Session {
        let mut db = Compiler::with_log(Box::new(Nothing));
        db.set_text("common.hlsli", Some(COMMON.as_bytes()));
        db.set_text("first.hlsl", Some(first.as_bytes()));
        db.set_text("second.hlsl", Some(second.as_bytes()));
        let program = db.add_whole(vec![("first.hlsl", own), ("second.hlsl", Options::default())], Options::default());
        Session { db, program }
    }

    fn found(&self) -> Vec<Rendered> {
        let found = diagnostics(&self.db, self.program).iter();
        found.filter(|d| d.severity != Severity::Hint).cloned().collect()
    }

    fn codes(&self) -> Vec<(Code, String)> {
        self.found().iter().map(|d| (d.code, d.labels[0].range.file.to_string())).collect()
    }

    fn module(&self) -> wgc_ir::Module {
        assert_eq!(self.found(), []);
        let module = link(&self.db, self.program).module.clone().expect("there is no error");
        wgc_ir::verify(&module).expect("it is right");
        module
    }

    fn ran(&mut self) -> BTreeMap<String, u32> {
        self.module();
        self.db.take_log().into_iter().collect()
    }
}

#[test]
fn units_share_equal_declarations_and_separate_others() {
    let session = Session::new(FIRST, SECOND);
    let module = session.module();
    let functions: Vec<&str> = module.functions.keys().map(|name| name.as_str()).collect();
    assert_eq!(functions, ["first", "twice", "step", "second", "second::step"]);
    let bindings: BTreeMap<&str, u32> =
        module.globals.values().map(|g| (g.name.as_str(), g.binding().expect("a buffer").binding)).collect();
    // In source order, over both files; `results` is one buffer.
    assert_eq!(bindings, [("results", 0), ("own", 1), ("second::own", 2)].into());
    assert_eq!(module.graph.nodes.len(), 2);
    assert!(module.graph.nodes[0].entry && !module.graph.nodes[1].entry, "an edge leads to the second file");
}

#[test]
fn a_file_with_different_macros_is_two_units() {
    let text = "#include \"common.hlsli\"\n#ifndef NAME\n#define NAME plain\n#define BY 5\n#endif\n\
                uint by() { return BY; }\n\
                [Shader(\"node\")] [NodeLaunch(\"thread\")] void NAME() { results[0] = by(); }\n";
    let mut db = Compiler::new(Box::new(Nothing));
    db.set_text("common.hlsli", Some(COMMON.as_bytes()));
    db.set_text("dir/part.x.hlsl", Some(text.replace("common", "../common").as_bytes()));
    let define = |name: &str, by: &str| Options {
        defines: vec![("NAME".into(), name.into()), ("BY".into(), by.into())],
        ..Options::default()
    };
    let path = "dir/part.x.hlsl";
    let program = db.add_whole(
        vec![(path, define("a", "1")), (path, define("b", "2")), (path, define("c", "1"))],
        Options::default(),
    );
    assert_eq!(diagnostics(&db, program), &[]);
    let module = link(&db, program).module.clone().expect("there is no error");
    let functions: Vec<&str> = module.functions.keys().map(|name| name.as_str()).collect();
    assert_eq!(functions, ["a", "by", "b", "part#2::by", "c"], "the third has the functions of the first");
}

#[test]
fn the_graph_is_checked_over_all_files() {
    // Two nodes with the same name.
    let session = Session::new(FIRST, &SECOND.replace("void second", "[NodeID(\"first\")] void second"));
    assert_eq!(
        session.codes(),
        [(Code::MissingTarget, "first.hlsl".into()), (Code::DuplicateNode, "second.hlsl".into()),]
    );
    // Each file declares the record: once with equal fields, once with different ones.
    let apart =
        |record: &str| SECOND.replace("#include \"common.hlsli\"", &COMMON.replace("struct Item { uint n; };", record));
    assert_eq!(Session::new(FIRST, &apart("struct Item { uint n; };")).codes(), []);
    let session = Session::new(FIRST, &apart("struct Item { uint n; uint m; };"));
    assert_eq!(session.codes(), [(Code::RecordMismatch, "first.hlsl".into())]);
    let session = Session::new(FIRST, &apart("struct Item { uint n : SV_DispatchGrid; };"));
    assert_eq!(session.codes(), [], "a thread node has no grid to read");
}

#[test]
fn equal_registers_share_one_binding_across_files() {
    let first = FIRST.replace("RWStructuredBuffer<uint> own", "RWStructuredBuffer<uint> own : register(u3, space1)");
    let second =
        SECOND.replace("RWStructuredBuffer<float> own", "RWStructuredBuffer<float> mine : register(u3, space1)");
    let session = Session::new(&first, &second.replace("own[1]", "mine[1]"));
    let module = link(&session.db, session.program).module.clone().expect("there is no error");
    let place = |name: &str| module.globals[name].binding().map(|b| (b.set, b.binding));
    assert_eq!((place("own"), place("mine")), (Some((1, 3)), Some((1, 3))));
    assert_eq!(session.codes(), [(Code::SharedRegister, "second.hlsl".into())], "two names");
    // One name and one type is one declaration, without a diagnostic; with another type, `float`, it is a second view.
    let named = second.replace("mine", "own");
    let codes = |second: &str| Session::new(&first, second).codes();
    assert_eq!(codes(&named), [(Code::SharedRegister, "second.hlsl".into())]);
    assert_eq!(codes(&named.replace("RWStructuredBuffer<float> own", "RWStructuredBuffer<uint> own")), []);
    let texture = second
        .replace("RWStructuredBuffer<float> mine", "RWTexture2D<float> mine")
        .replace("own[1]", "mine[uint2(0, 0)]");
    // A texture is not a buffer: it gets its own binding, with a warning.
    let session = Session::new(&first, &texture);
    assert_eq!(session.codes(), [(Code::MovedBinding, "second.hlsl".into())]);
    let module = link(&session.db, session.program).module.clone().expect("there is no error");
    let place = |name: &str| module.globals[name].binding().map(|b| (b.set, b.binding));
    assert_eq!((place("own"), place("mine")), (Some((1, 3)), Some((1, 4))));
}

/// A pipeline has one range of push constants.
#[test]
fn push_constants_are_one_block_in_all_files() {
    let pushed = |text: &str, block: &str| {
        let declared = format!("struct Pushed {{ {block} }};\n[[vk::push_constant]] Pushed pushed;\n{text}");
        declared.replace("own[", "own[pushed.at + ")
    };
    let first = pushed(FIRST, "uint at;");
    let session = Session::new(&first, &pushed(SECOND, "uint at;"));
    let is_push = |global: &&wgc_ir::Global| matches!(global.kind, wgc_ir::GlobalKind::PushConstant { .. });
    assert_eq!(session.module().globals.values().filter(is_push).count(), 1);
    let session = Session::new(&first, &pushed(SECOND, "uint other; uint at;"));
    assert_eq!(session.codes(), [(Code::BindingConflict, "second.hlsl".to_owned())]);
    let found = session.found();
    assert_eq!(&*found[0].labels[1].range.file, "first.hlsl", "where the first block is");
}

#[test]
fn names_and_macros_are_local_to_their_file() {
    let session = Session::new(FIRST, &SECOND.replace("step(twice", "only_here(twice"));
    assert_eq!(session.codes(), [(Code::UnknownName, "second.hlsl".into())]);
    let own = Options { defines: vec![("ONLY".into(), "1".into())], ..Options::default() };
    let session = Session::with(FIRST, &SECOND.replace("n + 2", "n + ONLY"), own);
    assert_eq!(session.codes(), [(Code::UnknownName, "second.hlsl".into())]);
}

/// Hosts find compute shaders of two files by name, so the names must differ.
#[test]
fn compute_shaders_of_several_files() {
    let text = "RWStructuredBuffer<uint> B; [Shader(\"compute\")] [NumThreads(1, 1, 1)] void main() { B[0] = 1; }";
    assert_eq!(Session::new(text, &text.replace("main", "other")).module().entries.len(), 2);
    assert_eq!(Session::new(text, &text.replace("= 1", "= 2")).codes(), [(Code::Redefinition, "second.hlsl".into())]);
    // In a program with nodes they belong to another stage.
    let module = Session::new(text, SECOND).module();
    assert!(module.entries.is_empty() && !module.functions.contains_key("main"));
}

#[test]
fn editing_one_file_reruns_no_queries_of_another() {
    let mut session = Session::new(FIRST, SECOND);
    let all = session.ran();
    assert!(all["check"] >= 6 && all["lowered"] >= 5 && all["unit"] == 2, "{all:?}");
    session.db.set_text("second.hlsl", Some(SECOND.replace("n + 2", "n + 3").as_bytes()));
    let ran = session.ran();
    let times = |query: &str| ran.get(query).copied().unwrap_or(0);
    assert_eq!((times("unit"), times("slices"), times("items"), times("parse_body")), (1, 1, 0, 1), "{ran:?}");
    assert_eq!((times("check"), times("lowered")), (1, 1), "{ran:?}");
    assert_eq!(times("link"), 2, "the file and the whole: {ran:?}");
    assert_eq!((times("graph"), times("wanted"), times("item_tree"), times("fn_signature")), (0, 0, 0, 0), "{ran:?}");
    // A new resource does not move any of the other file, which comes first.
    let text = SECOND.replace("RWStructuredBuffer<float> own", "RWBuffer<uint> more; RWStructuredBuffer<float> own");
    session.db.set_text("second.hlsl", Some(text.as_bytes()));
    let ran = session.ran();
    assert!(ran.get("lowered").copied().unwrap_or(0) <= 2, "only of the second file: {ran:?}");
}

/// A request may still be answered for a program that another one has replaced, whose texts are gone.
#[test]
fn a_forgotten_program_declares_nothing() {
    let mut session = Session::new(FIRST, SECOND);
    assert_eq!(session.codes(), []);
    session.db.set_text("second.hlsl", Some(format!("uint more;\n{SECOND}").as_bytes()));
    session.db.forget(session.program);
    let nodes = wgc_sema::graph::node_functions(&session.db, session.program);
    assert!(nodes.iter().all(|node| node.item.name(&session.db) != "second"), "{nodes:?}");
    assert_eq!(session.codes(), [(Code::MissingTarget, "first.hlsl".to_owned())]);
}
