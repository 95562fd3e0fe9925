//! Completion in half-typed texts. `|` marks the position.

use crate::GRAPH;
use crate::client::{Client, at, shown};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/completion.hlsl";

/// Returns the answer at the mark, from a server that has not seen the text before.
fn answer(client: &mut Client, uri: &str, text: &str) -> Value {
    let mark = text.find('|').expect("a mark");
    let (line, column) = (text[..mark].matches('\n').count(), mark - text[..mark].rfind('\n').map_or(0, |n| n + 1));
    client.open(uri, &text.replacen('|', "", 1));
    let params = json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": column } });
    let answer = client.request("textDocument/completion", params).expect("an answer");
    client.close(uri);
    answer
}

fn items(text: &str) -> Vec<Value> {
    let mut client = Client::full();
    let answer = answer(&mut client, URI, text);
    assert_eq!(client.messages, [""; 0], "no request panicked");
    answer["items"].as_array().expect("items").clone()
}

/// Returns the resolved details of the first item.
fn about(text: &str) -> String {
    let mut client = Client::full();
    let first = answer(&mut client, URI, text)["items"][0].clone();
    client.open(URI, &text.replacen('|', "", 1));
    let resolved = client.request("completionItem/resolve", first).expect("an answer");
    word(&resolved["documentation"], "value")
}

fn word(item: &Value, key: &str) -> String {
    item[key].as_str().unwrap_or_default().to_owned()
}

fn labels(text: &str) -> Vec<String> {
    items(text).iter().map(|item| word(item, "label")).collect()
}

/// Returns label and detail of each item.
fn details(text: &str) -> Vec<String> {
    items(text).iter().map(|item| format!("{}: {}", word(item, "label"), word(item, "detail"))).collect()
}

fn has(all: &[String], wanted: &[&str], not: &[&str]) {
    for name in wanted {
        assert!(all.iter().any(|label| label == name), "{name} is missing: {all:?}");
    }
    for name in not {
        assert!(!all.iter().any(|label| label == name), "{name} is too much: {all:?}");
    }
}

/// Returns the text of `GRAPH` with the body of `second` replaced.
fn in_body(body: &str) -> String {
    GRAPH.replace("    Out[0] = input.Get().n;\n", &format!("    {body}\n"))
}

/// In the header of a loop or a `switch`, completion tolerates all missing parts.
#[test]
fn completion_in_incomplete_loop_and_switch_headers() {
    let headers = [
        "for (uint i = input.|",
        "for (uint i = 0; i < (input).|",
        "for (uint i = 0; i < 3; i += (input).|",
        "switch ((input).|",
        "switch ((input).|) { case 0: break; }",
        "while ((input).|",
        "do { } while ((input).|",
    ];
    for header in headers {
        assert_eq!(details(&in_body(header)), ["Get: R Get()"], "{header}");
    }
    for header in [
        "for (uint inner = 0; |",
        "for (uint inner = 0; inn|",
        "for (uint inner = 0; inner < 3; |",
        "for (uint inner = 0; inner < 3; ++inner) |",
    ] {
        has(&labels(&in_body(header)), &["inner"], &[]);
    }
    has(&labels(&in_body("for (uint inner = 0; inner < 3; ++inner) { } |")), &["Out"], &["inner"]);
}

#[test]
fn registers_and_offsets() {
    assert_eq!(labels("Buffer<uint> a : register(t4); Texture2D<float4> b : register(|"), ["t5"]);
    assert_eq!(labels("RWBuffer<uint> a : register(u|);"), ["u0"]);
    assert_eq!(labels("[[vk::binding(1)]] static const SamplerState a : register(|);"), ["s0"]);
    assert_eq!(labels("cbuffer C : register(|) { uint a; }"), ["b0"]);
    assert_eq!(labels("unknown a : register(|);"), ["b0", "s0", "t0", "u0"]);
    assert_eq!(labels("RWBuffer<uint> a : register(u0, |);"), ["space0"]);
    assert_eq!(labels("RWBuffer<uint> a : register(u0, space0, |);"), [""; 0]);
    assert_eq!(labels("cbuffer C { uint a : packoffset(|); }"), ["c0"]);
}

/// Initial values and default arguments are completed like bodies.
#[test]
fn members_complete_outside_function_bodies() {
    let lines = |text: &str| -> Vec<String> { details(text).into_iter().take(2).collect() };
    let two = ["x: float", "y: float"];
    let program = |line: &str| {
        format!(
            "struct Q {{ float2 f() {{ return 1; }} }};\nstruct R {{ Q n; bool b; }};\n\
             namespace N {{ static const float2 h = 1; R r() {{ return (R)0; }} }}\n\
             #define H N::h\n{line}\n[numthreads(1, 1, 1)] void after() {{ }}"
        )
    };
    for value in ["normalize(N::h)", "(N::h * 2)", "N::h", "H", "float2(1, 2)", "(N::r().n.f())", "((float2)1)"] {
        assert_eq!(lines(&program(&format!("static const float2 g = {value}.|"))), two, "{value}");
        assert_eq!(lines(&program(&format!("static const float2 g = {value}.|;"))), two, "{value};");
        assert_eq!(lines(&program(&format!("float2 f(float2 a = {value}.|) {{ return a; }}"))), two, "f({value})");
        assert_eq!(lines(&program(&format!("struct S {{ static const float2 g = {value}.|; }};"))), two, "S {value}");
        let template = format!("template<typename T> struct S {{ static const float2 g = {value}.|; }};");
        assert_eq!(lines(&program(&template)), two, "S<T> {value}");
    }
    let fields = details(&program("static R r = N::r(), q = N::r().|;"));
    assert_eq!(fields, ["b: bool", "n: Q"]);
}

#[test]
fn members_of_records_and_of_node_objects() {
    assert_eq!(details(&in_body("input.|")), ["Get: R Get()"]);
    assert_eq!(items(&in_body("input.|"))[0]["documentation"]["value"], "The record, or the record with this index.");
    assert_eq!(details(&in_body("input.Get().|")), ["n: uint"]);
    assert_eq!(details(&in_body("uint a = input.G|et().n;")), ["Get: R Get()"]);
    // An omitted default argument does not belong to the value.
    let worker = GRAPH.replace("Records(1).OutputComplete();\n    others", "Records(1).Get().|;\n    others");
    assert_eq!(details(&worker), ["n: uint"]);
    let default = in_body("Out[0] = made().|;").replacen("};", "};\nR made(uint a = 1);", 1);
    assert_eq!(details(&default), ["n: uint"]);
    assert_eq!(details(&in_body("Out[0] = ((R)0).|")), ["n: uint"]);
    assert_eq!(details(&in_body("R r; Out[0] = ((r)).|")), ["n: uint"]);
    assert_eq!(details(&in_body("Out[0] = unknown(3).|")), [""; 0]);
    // All brackets are open, and text follows.
    assert_eq!(details(&in_body("if (input.Get().|\n    Out[0] = 1;")), ["n: uint"]);
    assert_eq!(details(&in_body("Out[0] = max(1, input.Get().|")), ["n: uint"]);
    assert_eq!(details(&in_body("for (uint i = 0; i < input.|")), ["Get: R Get()"]);
    let cut = GRAPH.find("second.Get").expect("a call");
    let outputs = details(&format!("{}second.|", &GRAPH[..cut]));
    has(&outputs, &["IsValid: bool IsValid()"], &[]);
    let outputs = details(&GRAPH.replace("second.GetThreadNodeOutputRecords(1).OutputComplete();", "second.|"));
    assert!(
        outputs.iter().any(|line| line.starts_with("GetThreadNodeOutputRecords: ThreadNodeOutputRecords<R>")),
        "{outputs:?}"
    );
    let records = details(&GRAPH.replace(
        "second.GetThreadNodeOutputRecords(1).OutputComplete();",
        "ThreadNodeOutputRecords<R> made = second.GetThreadNodeOutputRecords(1);\n    made.|",
    ));
    assert_eq!(records, ["Get: R Get(uint index)", "OutputComplete: void OutputComplete()"]);
    let element = details(&GRAPH.replace("others[input.Get().n].GetThread", "others[input.Get().n].|GetThread"));
    assert!(element.iter().any(|line| line.starts_with("GetThreadNodeOutputRecords: ")), "{element:?}");
}

#[test]
fn attributes_of_vulkan() {
    let all = labels("[[|]] RWTexture2D<float4> image;");
    has(
        &all,
        &["vk::binding", "vk::image_format", "vk::push_constant", "vk::ext_instruction"],
        &["vk::ext_literal", "numthreads"],
    );
    assert_eq!(labels("[[vk::bindi|"), ["binding", "counter_binding"]);
    assert_eq!(details("[[vk::counter|]] RWBuffer<uint> a;"), ["counter_binding: vk::counter_binding(binding)"]);
    assert_eq!(labels("cbuffer C { [[vk::|]] uint a; };"), ["location", "offset"]);
    assert_eq!(labels("void f([[vk::ext|]] uint a);"), ["ext_literal", "ext_reference"]);
    assert_eq!(
        labels("[[vk::image_format(\"rgba8|\")]] RWTexture2D<float4> image;"),
        ["rgba8", "rgba8i", "rgba8snorm", "rgba8ui"]
    );
}

#[test]
fn members_of_templates_are_known_in_their_methods() {
    let all = labels("template<typename T> struct A { T some; float4 vee; int m() { return 1; } void f() { | } };");
    has(&all, &["some", "vee", "m", "f"], &[]);
}

#[test]
fn locals_complete_in_unclosed_blocks() {
    let start = "void z(uint param) {\n    uint outer;\n    if (1) {\n        uint inner = 1;\n        ";
    for rest in [
        "inn|",
        "inn|\n\nvoid after() { }\n",
        "Out[0] = max(inn|",
        "for (;;) { inn|",
        "{ uint gone; }\n inn|",
        "{ uint gone; } |",
    ] {
        let all = labels(&format!("RWBuffer<uint> Out;\n{start}{rest}"));
        has(&all, &["inner"], &["gone"]);
    }
    let all = labels(&format!("{start}}}\n    |"));
    has(&all, &["outer", "param"], &["inner"]);
}

#[test]
fn members_of_structures() {
    let text = "struct Base { uint low : 4; uint high : 4; float Area() { return 1; } };\n\
                // What lights.\nstruct Light : Base {\n    // In world space.\n    float3 position;\n    float4x4 m[2];\n    static const uint Count = 2;\n};\n\
                ConstantBuffer<Light> lights[4];\nLight Make(uint n) { Light l; return l; }\n\
                void f(Light p)\n{\n    @\n}\n";
    let of = |body: &str| details(&text.replace('@', body));
    let all = ["Area: float Area()", "Count: uint", "high: uint", "low: uint", "m: float4x4[2]", "position: float3"];
    assert_eq!(of("p.|"), all);
    assert_eq!(of("lights[1].|"), all);
    assert_eq!(of("Make(1).|"), all);
    assert_eq!(of("return (p).|"), all);
    // The type is unknown.
    assert_eq!(of("q.|"), [""; 0]);
    assert_eq!(
        of("p.position.|"),
        [
            "x: float",
            "y: float",
            "z: float",
            "xy: float2",
            "xyz: float3",
            "r: float",
            "g: float",
            "b: float",
            "rg: float2",
            "rgb: float3"
        ]
    );
    assert_eq!(of("p.position.xz|"), ["xz: float2", "xzx: float3", "xzy: float3", "xzz: float3", "xyz: float3"]);
    let elements = of("p.m[0].|");
    assert_eq!(elements.len(), 32);
    has(&elements, &["_m00: float", "_11: float", "_m33: float", "_44: float"], &["_m44: float", "_00: float"]);
    assert_eq!(about(&text.replace('@', "p.po|")), "In world space.");
    assert_eq!(about(&text.replace('@', "Lig|")), "What lights.");
    has(&labels(&text.replace('@', "Light::|")), &["Count", "position", "Area"], &["Light"]);
}

#[test]
fn members_in_templates() {
    let text = "struct Light { float3 position; uint count; };\n\
                template<typename T> struct Box { T inner; Light light; uint Size() { return light.@1; } };\n\
                template<typename T> uint Count(T given, Light own) { Light made = own; return given.@2 + made.@3 + own.@4; }\n\
                RWStructuredBuffer<uint> Out;\n\
                [Shader(\"node\")] [NodeLaunch(\"thread\")]\n\
                void f(ThreadNodeInputRecord<Light> input) { Out[0] = Count(input.Get(), input.Get()); }\n";
    let of = |mark: &str| {
        let all = ["@1", "@2", "@3", "@4"]
            .iter()
            .fold(text.to_owned(), |text, one| text.replace(one, if *one == mark { "|" } else { "count" }));
        details(&all)
    };
    let all = ["count: uint", "position: float3"];
    for mark in ["@1", "@3", "@4"] {
        assert_eq!(of(mark), all, "{mark}");
    }
    // A call in the program shows the parameter of the template.
    assert_eq!(of("@2"), all);
}

#[test]
fn swizzle_completion_continues_with_each_letter() {
    let mut client = Client::full();
    let found = answer(&mut client, URI, "void f(float2 v) { float x = v.x|; }");
    assert_eq!(found["isIncomplete"], true, "more comes with more letters");
    assert_eq!(shown(&found["items"][0]["textEdit"]["range"]), "0:31-0:32");
}

#[test]
fn completion_offers_attributes_valid_at_the_cursor() {
    let node = "struct R { uint n; };\n[Shader(\"node\")]\n[NodeLaunch(\"thread\")]\n[|\nvoid f(ThreadNodeInputRecord<R> r) { }\n";
    let all = labels(node);
    has(
        &all,
        &["NodeIsProgramEntry", "NodeID", "NodeShareInputOf", "NodeMaxRecursionDepth"],
        &["Shader", "NodeLaunch", "NodeDispatchGrid", "OutputTopology", "MaxRecords", "unroll", "domain"],
    );
    has(&labels(&node.replace("thread", "mesh")), &["NodeDispatchGrid", "OutputTopology"], &["NodeMaxRecursionDepth"]);
    has(&labels(&node.replace("node", "compute")), &["NumThreads", "WaveSize"], &["NodeID", "NodeDispatchGrid"]);
    // Before other attributes, and with the bracket that an editor closes.
    let first = "[Nod|]\n[Shader(\"node\")] [NodeLaunch(\"coalescing\")]\nvoid f() { }\n";
    has(&labels(first), &["NodeIsProgramEntry", "NodeID"], &["NodeLaunch", "NodeDispatchGrid", "Shader"]);
    let param = |object: &str| labels(&format!("void f([|] {object} o)\n{{\n}}\n"));
    has(&param("NodeOutput<R>"), &["MaxRecords", "NodeID", "MaxRecordsSharedWith"], &["NodeArraySize", "NumThreads"]);
    has(&param("NodeOutputArray<R>"), &["MaxRecords", "NodeArraySize", "UnboundedSparseNodes"], &["unroll"]);
    assert_eq!(param("GroupNodeInputRecords<R>"), ["MaxRecords"]);
    assert_eq!(param("ThreadNodeInputRecord<R>"), [""; 0]);
    has(&labels("void f() {\n    [un|\n    for (uint i = 0; i < 4; i++) { }\n}"), &["unroll"], &["NumThreads"]);
    has(&labels("struct [|] R { uint n; };"), &["NodeTrackRWInputSharing"], &["NodeID"]);
    // An index is not an attribute.
    has(&labels("static uint a[4]; void f() { a[|"), &["a"], &["unroll"]);
}

#[test]
fn attribute_completions_use_snippets_if_supported() {
    let text = "[NodeMax|\nvoid f() { }\n";
    let mut client = Client::new(
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } }),
        Value::Null,
    );
    let found = answer(&mut client, URI, text)["items"].clone();
    let grid = found
        .as_array()
        .expect("items")
        .iter()
        .find(|item| item["label"] == "NodeMaxDispatchGrid")
        .expect("it")
        .clone();
    assert_eq!(grid["textEdit"]["newText"], "NodeMaxDispatchGrid(${1}, ${2}, ${3})$0");
    assert_eq!(
        (&grid["insertTextFormat"], &grid["detail"]),
        (&json!(2), &json!("NodeMaxDispatchGrid(uint, uint, uint)"))
    );
    assert_eq!(grid["documentation"]["value"], "On functions. Launch modes: broadcasting, mesh.");
    let plain = items(text);
    let grid = plain.iter().find(|item| item["label"] == "NodeMaxDispatchGrid").expect("it");
    assert_eq!((&grid["textEdit"]["newText"], grid.get("insertTextFormat")), (&json!("NodeMaxDispatchGrid"), None));
}

#[test]
fn arguments_of_attributes_are_legal_values() {
    assert_eq!(labels("[NodeLaunch(\"|\")] void f() { }"), ["broadcasting", "coalescing", "mesh", "thread"]);
    assert_eq!(labels("[NodeLaunch(\"|"), ["broadcasting", "coalescing", "mesh", "thread"]);
    assert_eq!(labels("[OutputTopology(\"|\")] void f() { }"), ["line", "triangle"]);
    assert_eq!(labels("[Shader(\"|\")] void f() { }")[..2], ["compute", "node"]);
    let quoted = items("[NodeLaunch(|)] void f() { }");
    assert_eq!(quoted[0]["textEdit"]["newText"], "\"broadcasting\"");
    // Existing nodes.
    let outputs = details(&GRAPH.replace("NodeID(\"leaves\")]", "NodeID(\"|\")]"));
    assert_eq!(outputs, ["first: thread node", "leaves: thread node", "second: thread node"]);
    let typed = items(&GRAPH.replace("NodeID(\"leaves\")]", "NodeID(\"l|eav\")]"));
    assert_eq!(typed.len(), 1);
    assert_eq!(shown(&typed[0]["textEdit"]["range"]), "5:36-5:40");
    let shared = labels(&GRAPH.replace("[NodeIsProgramEntry]", "[NodeShareInputOf(\"|\")]"));
    assert_eq!(shared, ["leaves", "second"], "no node shares its own input");
    // The name of a node: targets of outputs that do not exist yet.
    let named = details(
        &GRAPH
            .replace("[NodeID(\"leaves\", 0)]", "[NodeID(\"|\")]")
            .replace("NodeOutput<R> second", "NodeOutput<R> third"),
    );
    assert_eq!(named, ["leaves: an output's target without a node", "third: an output's target without a node"]);
    let budget = GRAPH.replace("[MaxRecords(2)]", "[MaxRecordsSharedWith(|)]");
    assert_eq!(details(&budget), ["second: NodeOutput"]);
}

#[test]
fn semantic_completions_depend_on_the_launch_mode() {
    let of = |mode: &str| labels(&format!("[Shader(\"node\")] [NodeLaunch(\"{mode}\")]\nvoid f(uint i : |)\n{{\n}}\n"));
    let all = ["SV_DispatchThreadID", "SV_GroupID", "SV_GroupIndex", "SV_GroupThreadID"];
    assert_eq!(of("broadcasting"), all);
    assert_eq!(of("coalescing"), ["SV_GroupIndex", "SV_GroupThreadID"]);
    assert_eq!(of("thread"), [""; 0]);
    assert_eq!(
        labels("[Shader(\"compute\")] [NumThreads(1, 1, 1)]\nvoid f(uint3 i : SV_Dis|"),
        ["SV_DispatchThreadID"]
    );
    let fields = labels("struct R { uint3 grid : | };");
    has(&fields, &["SV_DispatchGrid", "SV_Position"], &["register"]);
    assert_eq!(fields[0], "SV_DispatchGrid");
    assert_eq!(labels(&format!("{GRAPH}\nRWBuffer<uint> more : |;\n")), ["register(u1)"]);
    assert_eq!(labels(&format!("{GRAPH}\nTexture2D<float> picture : |")), ["register(t0)"]);
    assert_eq!(labels("cbuffer C : | { float4 v; };"), ["register(b0)"]);
    // A conditional operator, a case and a base do not expect semantics.
    has(&labels("static uint a; void f() { uint b = true ? a : | ; }"), &["a"], &["SV_GroupIndex"]);
    has(&labels("struct A { uint n; }; struct B : |"), &["A"], &["SV_DispatchGrid"]);
}

#[test]
fn names_in_scope_are_nearest_first() {
    let text = "#define LIMIT 4\nnamespace n { static const uint Inner = 1; }\nenum Mode { Fast, Slow };\n\
                struct S { uint count; uint Get(uint scale) { uint counted = 0; return co| } };\n\
                uint Count(uint a, float b) { return a; }\nuint Late() { return 1; }\n";
    let all = labels(text);
    assert_eq!(all[..2], ["counted", "count"]);
    has(&all, &["const", "continue", "countbits", "cosh"], &["Count", "Late", "cbuffer", "Co"]);
    let text = "static uint before;\nvoid f(uint arg)\n{\n    { uint hidden; }\n    for (uint i = 0; i < 4; i++)\n    {\n        float inner = 1;\n        |\n    }\n    uint later;\n}\nvoid g() { }\n";
    let all = labels(text);
    assert_eq!(all[..3], ["arg", "i", "inner"]);
    has(&all, &["before", "f", "for", "groupshared"][..3], &["hidden", "later", "g", "groupshared"]);
    let details = details(&text.replace("        |", "        in|"));
    assert_eq!(details[0], "inner: float");
    // Before all declarations.
    has(&labels("|"), &["struct", "float4", "StructuredBuffer", "cbuffer"], &["return", "if"]);
    has(&labels("#define LIMIT 4\nvoid f() { uint a = LI|"), &["LIMIT"], &[]);
    has(&labels("namespace n { static const uint Inner = 1; }\nvoid f() { uint a = n::|"), &["Inner"], &["n", "sin"]);
    has(&labels("enum class Mode { Fast, Slow };\nvoid f() { Mode m = Mode::|; }"), &["Fast", "Slow"], &["Mode"]);
    // Neither new names nor words in comments are suggested.
    assert_eq!(labels("void f() { uint co|; }"), [""; 0]);
    assert_eq!(labels("// co|"), [""; 0]);
}

#[test]
fn type_positions_complete_only_types() {
    let text = "namespace scene { struct Spot { uint n; }; template<typename T> struct Pair { T a, b; }; }\n\
                typedef scene::Spot Place; static uint count; uint Count() { return 1; }\n";
    let others = ["count", "Count", "min", "if", "return"];
    for typed in ["RWStructuredBuffer<|", "void f(NodeOutput<|", "scene::Pair<|", "uint f() { scene::Pair<|"] {
        has(&labels(&format!("{text}{typed}")), &["Place", "scene", "uint", "float4"], &others);
    }
    has(&labels(&format!("{text}struct Q : |")), &["Place", "scene"], &others);
    assert_eq!(labels(&format!("{text}struct Q : P|")), ["Place"]);
    has(&labels(&format!("{text}using namespace |")), &["scene"], &["Place", "count", "uint"]);
    let text = text.replace(
        "namespace scene { ",
        "namespace scene { namespace deep { struct Deeper { uint n; }; } uint Far() { return 1; } enum Color { Red }; ",
    );
    for typed in ["NodeOutput<scene::|", "typedef scene::|", "uint f() { scene::Pair<scene::|"] {
        has(&labels(&format!("{text}{typed}")), &["Spot", "Color", "deep"], &["Far"]);
    }
    has(&labels(&format!("{text}uint f() {{ return scene::|")), &["Spot", "Far", "deep"], &[]);
    has(&labels(&format!("{text}struct Q : scene::|")), &["Spot", "deep"], &["Far", "Color"]);
    assert_eq!(labels(&format!("{text}using namespace scene::|")), ["deep"]);
    has(&labels(&format!("{text}typedef |")), &["Place", "scene", "uint"], &others);
    has(&labels(&format!("{text}vector<|")), &["uint", "float"], &others);
    has(&labels(&format!("{text}enum E : |")), &["uint", "int64_t"], &["Place2", "count", "float", "float4"]);
    let parameter = "static const uint Most = 4;\nvoid f([MaxRecords(|)] NodeOutput<scene::Spot> o)";
    has(&labels(&format!("{text}{parameter}")), &["Most", "count"], &["Count", "NodeOutput2"]);
    for typed in
        ["void f(|", "void f(in |", "void f(uint a, |", "[MaxRecords(1)] |", "struct Q { |", "static |", "uint a;\n|"]
    {
        let typed = if typed.starts_with('[') { format!("void f({typed}") } else { typed.to_owned() };
        has(&labels(&format!("{text}{typed}")), &["Place", "scene", "uint"], &["count", "Count", "min"]);
    }
    has(&labels(&format!("{text}static uint c = |")), &["count", "Count", "Place"], &[]);
    has(&labels(&format!("{text}void f(uint a = |")), &["count", "Count", "Place"], &[]);
    has(&labels(&format!("{text}static uint c[|")), &["count"], &[]);
    // A name that is not a template is compared.
    has(&labels(&format!("{text}uint f() {{ if (count <|")), &["count", "Count", "min", "sizeof"], &[]);
}

#[test]
fn completion_in_incomplete_calls() {
    let text = "uint Add(uint a, uint b) { return a + b; }\n// Twice as much.\nuint Twice(uint a) { return 2 * a; }\n\
                void f(uint count)\n{\n    uint sum = 0;\n    Add(count, |\n}\n";
    let all = labels(text);
    assert_eq!(all[..2], ["count", "sum"]);
    has(&all, &["Add", "Twice", "max"], &[]);
    let found = items(&text.replace("(count, |", "(count, Tw|"));
    assert_eq!((&found[0]["label"], &found[0]["detail"]), (&json!("Twice"), &json!("uint Twice(uint a)")));
    assert_eq!(about(&text.replace("(count, |", "(count, Tw|")), "Twice as much.");
}

#[test]
fn built_in_completions_resolve_to_documentation() {
    let mut client = Client::full();
    let found = answer(&mut client, URI, "void f() { float a = smooths|; }");
    let item = found["items"][0].clone();
    assert_eq!((&item["label"], item.get("detail")), (&json!("smoothstep"), None));
    let resolved = client.request("completionItem/resolve", item).expect("an answer");
    assert_eq!(resolved["detail"], "T smoothstep(T low, T high, T x)");
    let found = answer(&mut client, URI, "void f() { float a = sig|; }");
    let sign =
        found["items"].as_array().expect("items").iter().find(|item| item["label"] == "sign").expect("sign").clone();
    let resolved = client.request("completionItem/resolve", sign).expect("an answer");
    assert_eq!(
        resolved["documentation"]["value"],
        "```hlsl\nvector<int, N> sign(vector<T, N> x)\n```\nThe sign: -1, 0 or 1. It is 0 for NaN."
    );
    // An item of another server stays unchanged.
    assert_eq!(client.request("completionItem/resolve", json!({ "label": "x" })), Ok(json!({ "label": "x" })));
}

#[test]
fn directives_and_includes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, "#pragma once\n#define FROM_HEADER 1\n").expect("written");
    };
    ["beside.hlsli", "deep/inner.hlsl", "deep/notes.txt", "lib/common.h"].iter().for_each(|name| file(name));
    let uri = format!("file://{}/graph.hlsl", folder.path().display());
    let options = json!({ "arguments": ["-I", format!("{}/lib", folder.path().display())] });
    let mut client = Client::new(json!({}), options);
    let mut of = |text: &str| -> Vec<String> {
        let found = answer(&mut client, &uri, text);
        found["items"].as_array().expect("items").iter().map(|item| word(item, "label")).collect()
    };
    assert_eq!(of("#include \"|"), ["beside.hlsli", "common.h", "deep/", "lib/", "vk/"]);
    assert_eq!(of("#include \"deep/|\""), ["inner.hlsl"]);
    assert_eq!(of("#include <c|>"), ["common.h"]);
    assert_eq!(of("#include \"vk/kh|"), ["khr/"]);
    assert_eq!(of("#include |"), [""; 0]);
    assert_eq!(of("#inc|"), ["include"]);
    assert_eq!(of("#pragma on|"), ["once"]);
    has(&of("#|"), &["define", "endif", "ifdef", "include", "pragma"], &["once"]);
    has(&of("#include \"beside.hlsli\"\n#define OWN 2\n#if defined(|"), &["FROM_HEADER", "OWN", "__WGC__"], &["sin"]);
}

#[test]
fn headers_that_were_never_saved_are_offered() {
    let mut client = Client::full();
    client.open("file:///lsp/unsaved.hlsli", "uint Unsaved() { return 1; }\n");
    let found = answer(&mut client, URI, "#include \"un|\"\n");
    assert_eq!(word(&found["items"][0], "label"), "unsaved.hlsli");
}

#[test]
fn completion_columns_use_the_client_encoding() {
    // Two units of UTF-16, four bytes.
    let text = "struct S { float3 v; };\nvoid f(S s) { /* \u{1f600} */ s.| }\n";
    let mut client = Client::new(json!({}), Value::Null);
    client.open(URI, &text.replacen('|', "", 1));
    let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 1, "character": 25 } });
    let found = client.request("textDocument/completion", params).expect("an answer");
    assert_eq!(word(&found["items"][0], "label"), "v");
    assert_eq!(shown(&found["items"][0]["textEdit"]["range"]), "1:25-1:25");
    let behind = at(text, "s.|", 0);
    assert_eq!(behind["character"], 25, "in bytes it is two more, in front of the name already");
}

#[test]
fn server_announces_completion_triggers() {
    let client = Client::full();
    let triggers = json!([".", ":", "[", "\"", "<", "#", "/"]);
    assert_eq!(
        client.capabilities["completionProvider"],
        json!({ "triggerCharacters": triggers, "resolveProvider": true })
    );
}
