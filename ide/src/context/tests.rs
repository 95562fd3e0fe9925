//! Tests of the context of incomplete texts.

use super::*;

/// Returns the context at the mark `|`.
fn at(text: &str) -> CompletionContext {
    let mark = text.find('|').expect("a mark");
    let text = text.replacen('|', "", 1);
    typing(&SourceTokens::new(text.as_bytes()), mark as u32)
}

fn wanted(text: &str) -> CompletionKind {
    at(text).wanted
}

#[test]
fn attribute_completion_finds_the_annotated_declaration() {
    let node = "[Shader(\"node\")]\n[NodeLaunch(\"thread\")]\n[No|\nvoid f(ThreadNodeInputRecord<R> r) { }\n";
    let CompletionKind::Attribute { on: Target::Function, head } = wanted(node) else { panic!("{:?}", wanted(node)) };
    assert_eq!((head.name.as_str(), head.launch()), ("f", Some(Launch::Thread)));
    assert_eq!(head.params[0].object, "ThreadNodeInputRecord");
    let names: Vec<&str> = head.attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["Shader", "NodeLaunch"]);
    let param = "void f(uint a, [MaxRecords(2)] [|] NodeOutput<R> out1, [X(1, 2)] NodeOutput<S> out2)";
    let CompletionKind::Attribute { on: Target::Param, head } = wanted(param) else { panic!("{:?}", wanted(param)) };
    assert_eq!(head.param, Some(1));
    let params: Vec<(&str, &str, usize)> =
        head.params.iter().map(|p| (p.object.as_str(), p.name.as_str(), p.attributes.len())).collect();
    assert_eq!(params, [("uint", "a", 0), ("NodeOutput", "out1", 1), ("NodeOutput", "out2", 1)]);
    let on = |text: &str| match wanted(text) {
        CompletionKind::Attribute { on, .. } => Some(on),
        _ => None,
    };
    assert_eq!(on("void f() { [| for (;;) { } }"), Some(Target::Statement));
    assert_eq!(on("void f() { a[| = 1; }"), None);
    assert_eq!(on("void f() { g(a)[| = 1; }"), None);
    assert_eq!(on("struct [|] S { };"), Some(Target::Record));
    assert_eq!(on("struct S { [| uint a; };"), Some(Target::Member));
    assert_eq!(on("[|"), Some(Target::Function));
    assert_eq!(on("[Shader(\"node\"), |] void f() { }"), Some(Target::Function));
    assert_eq!(on("[[|]] uint a;"), None);
    let vulkan = |on, is_qualified| CompletionKind::Vulkan { on, is_qualified };
    assert_eq!(wanted("[[|]] uint a;"), vulkan(Target::Function, false));
    assert_eq!(wanted("[[vk::|"), vulkan(Target::Function, true));
    assert_eq!(wanted("[[vk::binding(0, 1), vk::b|]] uint a;"), vulkan(Target::Function, true));
    assert_eq!(wanted("struct S { [[vk::o|]] uint a; };"), vulkan(Target::Member, true));
    assert_eq!(wanted("void f(uint a, [[|]] uint b);"), vulkan(Target::Param, false));
    assert_eq!(
        wanted("void f() { a[b[vk::|]]; }"),
        CompletionKind::Scoped { path: vec!["vk".into()], of: Box::new(CompletionKind::Name(Level::Body)) }
    );
}

#[test]
fn arguments_of_attributes_are_counted() {
    let of = |text: &str| match wanted(text) {
        CompletionKind::Argument { attribute, nth, is_quoted, on, .. } => Some((attribute, nth, is_quoted, on)),
        _ => None,
    };
    assert_eq!(of("[NodeLaunch(\"thr|\")] void f() { }"), Some(("NodeLaunch".into(), 0, true, Target::Function)));
    assert_eq!(of("[NodeLaunch(\"thr|"), Some(("NodeLaunch".into(), 0, true, Target::Function)));
    assert_eq!(of("void f([NodeID(\"a\", |"), Some(("NodeID".into(), 1, false, Target::Param)));
    assert_eq!(of("void f() { g(\"|\"); }"), None);
    let typing = at("[NodeID(\"ab|cd\")]");
    assert_eq!((typing.replace, typing.prefix.as_str()), (9..13, "ab"));
}

#[test]
fn completion_distinguishes_the_meanings_of_colons() {
    let semantic = |text: &str| match wanted(text) {
        CompletionKind::Semantic(of) => Some(of),
        _ => None,
    };
    assert!(matches!(semantic("void f(uint a : |"), Some(SemanticOf::Param(_, 0))));
    assert!(matches!(semantic("void f(uint a : SV_Gr|oupID, uint b)"), Some(SemanticOf::Param(_, 0))));
    assert_eq!(semantic("struct S { uint a : |"), Some(SemanticOf::Field));
    assert_eq!(semantic("float4 f() : |"), Some(SemanticOf::Result));
    assert_eq!(semantic("RWBuffer<uint> b : |;"), Some(SemanticOf::Global("RWBuffer".into())));
    assert_eq!(semantic("cbuffer C : |"), Some(SemanticOf::CBuffer));
    assert_eq!(wanted("struct S : |"), CompletionKind::Name(Level::Bases));
    assert_eq!(wanted("void f() { a = b ? c : |"), CompletionKind::Name(Level::Body));
    let scoped = |of| CompletionKind::Scoped { path: vec!["N".into()], of: Box::new(of) };
    assert_eq!(wanted("void f() { N::|"), scoped(CompletionKind::Name(Level::Body)));
    assert_eq!(wanted("typedef N::|"), scoped(CompletionKind::Name(Level::Types)));
    assert_eq!(wanted("using namespace N::|"), scoped(CompletionKind::Name(Level::Namespaces)));
    assert_eq!(wanted("enum E : |"), CompletionKind::Name(Level::EnumBase));
    assert_eq!(wanted("using namespace N|"), CompletionKind::Name(Level::Namespaces));
    assert_eq!(wanted("namespace N|"), CompletionKind::Nothing);
    let argument =
        |path: &[&str], level| CompletionKind::TypeArgument { path: path.iter().map(|p| (*p).into()).collect(), level };
    assert_eq!(wanted("void f(N::Pair<|"), argument(&["N", "Pair"], Level::Params));
    assert_eq!(wanted("void f() { if (a < |"), argument(&["a"], Level::Body));
}

#[test]
fn directives_are_not_program_text() {
    let of = |text: &str| {
        let typing = at(text);
        (typing.wanted, typing.replace, typing.prefix)
    };
    assert_eq!(of("#|"), (CompletionKind::Directive, 1..1, String::new()));
    assert_eq!(of("  # inc|"), (CompletionKind::Directive, 4..7, "inc".into()));
    let include = |angled, folder: &str| CompletionKind::Include { angled, folder: folder.into() };
    assert_eq!(of("#include \"|"), (include(false, ""), 10..10, String::new()));
    assert_eq!(of("#include \"a/b|.h\""), (include(false, "a/"), 12..15, "b".into()));
    assert_eq!(of("#include <a/|>"), (include(true, "a/"), 12..12, String::new()));
    assert_eq!(of("#include \"a\"|").0, CompletionKind::Nothing);
    assert_eq!(of("#if defined(A|").0, CompletionKind::Macro);
    assert_eq!(of("#define A|").0, CompletionKind::Nothing);
    assert_eq!(of("#define A B|").0, CompletionKind::Name(Level::Body));
    assert_eq!(of("// a|").0, CompletionKind::Nothing);
}

#[test]
fn new_declaration_names_are_not_completed() {
    assert_eq!(wanted("void f() { uint |"), CompletionKind::Nothing);
    assert_eq!(wanted("void f() { uint\n|\n}"), CompletionKind::Name(Level::Body));
    assert_eq!(wanted("void f() { uint a|"), CompletionKind::Nothing);
    assert_eq!(wanted("void f() { return a|"), CompletionKind::Name(Level::Body));
    assert_eq!(wanted("void f(NodeOutput<N::R> ne|"), CompletionKind::Nothing);
    assert_eq!(wanted("void f() { StructuredBuffer<vector<float, 4> > b|"), CompletionKind::Nothing);
    assert_eq!(wanted("void f() { if (a < b > |"), CompletionKind::Name(Level::Body));
    assert_eq!(wanted("void f() { a\n b|"), CompletionKind::Name(Level::Body));
    assert_eq!(wanted("stru|"), CompletionKind::Declaration(Level::File));
    assert_eq!(wanted("void f() { a.|\n b = 1; }"), CompletionKind::Member { dot: 6 });
    assert_eq!(wanted("void f() { a = 1.|"), CompletionKind::Nothing);
}
