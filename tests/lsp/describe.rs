//! Descriptions of names: hover, signatures, and names of the workspace.

use crate::client::{Client, at, shown};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/describe.hlsl";

const TEXT: &str = r#"// What travels.
// Two lines.
struct R { float3 at; uint n : 4; uint m : 8; // how many
    float w; };
/* The frame. */
cbuffer Frame { float time; float3 eye; };
static const uint Size = 4 * 2;
static const float2 Pair = float2(1, 0.5);
enum class Mode { Off, On = 4 };
typedef R Alias;
/// Adds.
/// @param a one
uint Add(uint a, uint b = 1) { return a + b; }
float Add(float a, float b) { return a + b; }
template<typename T> T Most(T a, T b) { return a; }
namespace tools { uint One() { return 1; } }
#define TWICE(x) ((x) * 2)
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint shared_sums[4];

// Starts it all.
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> second)
{
    float3 position[2];
    R r = input.Get();
    Mode mode = Mode::On;
    uint sum = Add(r.n, Size) + TWICE(tools::One()) + Most(1u, r.m);
    Out[0] = sum + saturate(r.w) + InterlockedAddOf(1);
    ThreadNodeOutputRecords<R> records = second.GetThreadNodeOutputRecords(1);
    records.OutputComplete();
}
"#;

fn opened(text: &str) -> Client {
    let mut client = Client::full();
    client.open(URI, text);
    client
}

fn hover(client: &mut Client, text: &str, part: &str, plus: usize) -> (String, String) {
    let params = json!({ "textDocument": { "uri": URI }, "position": at(text, part, plus) });
    let answer = client.request("textDocument/hover", params).expect("an answer");
    let range = if answer["range"].is_null() { String::new() } else { shown(&answer["range"]) };
    (answer["contents"]["value"].as_str().unwrap_or_default().to_owned(), range)
}

/// std140 is the default: elements of arrays and inherited members are aligned to 16 bytes, and no vector crosses that
/// boundary. Structured buffers use std430: elements have their own size, and a structure has the alignment of its most
/// aligned member.
#[test]
fn hovering_shows_field_offsets_in_buffers() {
    let text = "struct U { float a; float2 c[2]; float3 e; };\nstruct V : U { float f; };\n\
                interface I { void go(); };\nConstantBuffer<V> v;\nStructuredBuffer<V> many;\n\
                cbuffer C { float2 p; row_major float2x2 m; float last : packoffset(c3); };\nfloat get() { return v.e.x + v.f + v.a; }\n";
    let mut client = opened(text);
    let rows = "| offset | in a constant buffer | in a structured buffer | bytes | `U`, 32 bytes |\n\
                |---:|---:|---:|---:|---|\n| 0 | 0 | 0 | 4 | `float a` |\n| 4 | 16 | 8 | 16 | `float2[2] c` |\n\
                | 20 | 48 | 32 | 12 | `float3 e` |\n\n48 bytes from one element to the next in a structured buffer\n";
    let members = "| offset | bytes | `C`, 64 bytes |\n|---:|---:|---|\n| 0 | 8 | `float2 p` |\n| 8 | 8 | *padding* |\n\
                   | 16 | 32 | `row_major float2x2 m` |\n| 48 | 4 | `float last` |\n| 52 | 12 | *padding* |\n";
    let in_buffers = "; offset 48 in a constant buffer; offset 32 in a structured buffer";
    let last = "; offset 64 in a constant buffer; offset 48 in a structured buffer";
    for (part, plus, expected) in [
        ("U {", 0, format!("```hlsl\nstruct U\n```\n\n{rows}")),
        ("v.e", 2, hover_text("float3 e  // of V", &format!("offset 20, 12 bytes of the 36 of `V`{in_buffers}"))),
        ("v.f", 2, hover_text("float f  // of V", &format!("offset 32, 4 bytes of the 36 of `V`{last}"))),
        ("v.a", 2, hover_text("float a  // of V", "offset 0, 4 bytes of the 36 of `V`")),
        ("I {", 0, hover_text("interface I", "no data")),
        ("many;", 0, hover_text("StructuredBuffer<V> many", "64 bytes from one element to the next")),
        ("C {", 0, format!("```hlsl\ncbuffer C\n```\n\n{members}")),
        ("m; f", 0, hover_text("row_major float2x2 m  // of cbuffer C", "offset 16, 32 bytes of the 64 of `C`")),
    ] {
        assert_eq!(hover(&mut client, text, part, plus).0, expected, "{part}");
    }
}

fn hover_text(declaration: &str, facts: &str) -> String {
    format!("```hlsl\n{declaration}\n```\n\n{facts}\n")
}

#[test]
fn hovering_shows_declarations_comments_and_values() {
    let mut client = opened(TEXT);
    for (part, plus, expected) in [
        (
            "R { ",
            0,
            "```hlsl\nstruct R\n```\n\n| offset | bytes | `R`, 20 bytes |\n|---:|---:|---|\n| 0 | 12 | `float3 at` |\n\
             | 12 | 4 | `uint n : 4, m : 8` |\n| 16 | 4 | `float w` |\n\n32 bytes from one element to the next in a structured buffer\n\nWhat travels.\nTwo lines.\n",
        ),
        ("r.w)", 2, "```hlsl\nfloat w  // of R\n```\n\noffset 16, 4 bytes of the 20 of `R`\n"),
        ("r.m)", 2, "```hlsl\nuint m  // of R\n```\n\noffset 12, bits 4 to 11, of the 20 of `R`\n\nhow many\n"),
        ("float3 at", 7, "```hlsl\nfloat3 at  // of R\n```\n\noffset 0, 12 bytes of the 20 of `R`\n"),
        ("eye;", 1, "```hlsl\nfloat3 eye  // of cbuffer Frame\n```\n\noffset 4, 12 bytes of the 16 of `Frame`\n"),
        ("Size =", 1, "```hlsl\nstatic const uint Size = 8\n```\n"),
        ("Pair =", 1, "```hlsl\nstatic const float2 Pair = { 1.0, 0.5 }\n```\n"),
        ("Mode::On", 6, "```hlsl\nMode::On = 4\n```\n"),
        ("Mode mode", 0, "```hlsl\nenum class Mode\n```\n"),
        ("Alias;", 0, "```hlsl\nusing Alias = R\n```\n"),
        ("Add(r.n", 0, "```hlsl\nuint Add(uint a, [uint b])  // +1 overload\n```\n\nAdds.\n@param a one\n"),
        ("Most(1u", 0, "```hlsl\nuint Most(uint a, uint b)\n```\n"),
        ("One()) +", 0, "```hlsl\nuint tools::One()\n```\n"),
        ("tools::", 0, "```hlsl\nnamespace tools\n```\n"),
        ("position[", 1, "```hlsl\nfloat3 position[2]\n```\n"),
        ("shared_sums", 1, "```hlsl\ngroupshared uint shared_sums[4]\n```\n"),
        ("Out[0]", 1, "```hlsl\nRWStructuredBuffer<uint> Out\n```\n"),
        (
            "TWICE(tools",
            1,
            "```hlsl\n#define TWICE(x) ((x) * 2)\n```\n\nbecomes\n\n```hlsl\n((tools :: One()) * 2)\n```\n",
        ),
        ("T> T Most", 0, "```hlsl\ntypename T\n```\n"),
        ("Add(float a", 0, "```hlsl\nfloat Add(float a, float b)\n```\n"),
        ("input.Get()", 1, "```hlsl\nThreadNodeInputRecord<R> input\n```\n"),
        (
            "Frame {",
            1,
            "```hlsl\ncbuffer Frame\n```\n\n| offset | bytes | `Frame`, 16 bytes |\n|---:|---:|---|\n| 0 | 4 | `float time` |\n| 4 | 12 | `float3 eye` |\n\nThe frame.\n",
        ),
        (
            "MaxRecords(1)",
            1,
            "```hlsl\n[MaxRecords(uint)]\n```\n\nOn node parameters.\n\n\
             The most records that a thread group (in thread launch, a thread) requests for an output, or that a \
             coalescing group receives.\n",
        ),
    ] {
        assert_eq!(hover(&mut client, TEXT, part, plus).0, expected, "{part}");
    }
    // The range of the name.
    assert_eq!(hover(&mut client, TEXT, "Size) +", 1).1, "27:24-27:28");
}

#[test]
fn built_in_names_are_explained() {
    let mut client = opened(TEXT);
    let (text, _) = hover(&mut client, TEXT, "GetThreadNodeOutputRecords", 3);
    assert!(
        text.starts_with(
            "```hlsl\nThreadNodeOutputRecords<R> NodeOutput<R>::GetThreadNodeOutputRecords(uint numRecordsForThisThread)\n```\n"
        ) && text.contains("`OutputComplete()`"),
        "{text}"
    );
    let (text, _) = hover(&mut client, TEXT, "saturate", 1);
    assert!(text.contains("saturate(float") && text.contains("Clamps to the range from 0 to 1."), "{text}");
    let (text, _) = hover(&mut client, TEXT, "ThreadNodeInputRecord<R>", 1);
    assert!(
        text.starts_with("```hlsl\nstruct ThreadNodeInputRecord") && text.contains("input record of a thread node"),
        "{text}"
    );
    let (text, _) = hover(&mut client, TEXT, "float3 position", 1);
    assert_eq!(text, "```hlsl\nfloat3\n```\n\n12 bytes\n");
}

#[test]
fn unknown_types_of_templates_are_two_dots() {
    let text = "template<typename T> struct Box { T value; T items[2]; T Get(T other) { return value; } };\n";
    let mut client = opened(text);
    for (part, shown) in [("value;", ".. value"), ("items[", ".. items"), ("Get(", ".. Get(.. other)")] {
        let (answer, _) = hover(&mut client, text, part, 0);
        assert!(answer.contains(shown) && !answer.contains("<error>"), "{part}: {answer}");
    }
}

#[test]
fn node_hover_shows_contract_then_comment() {
    let mut client = opened(TEXT);
    let (text, range) = hover(&mut client, TEXT, "void first", 6);
    assert!(text.starts_with("**`first`**: thread node, entry\n"), "{text}");
    assert!(text.ends_with("\n---\nStarts it all."), "{text}");
    assert_eq!(range, "22:5-22:10");
}

// ---- signatures

/// Returns the labels, the active one, and the text of the active parameter, at the end of a prefix of the text.
fn signature(before: &str, after: &str) -> Option<(Vec<String>, usize, String)> {
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": { "signatureHelp": {
            "signatureInformation": { "parameterInformation": { "labelOffsetSupport": true } } } },
    });
    let mut client = Client::new(capabilities, Value::Null);
    let text = format!("{before}{after}");
    client.open(URI, &text);
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let position = json!({ "line": before.matches('\n').count(), "character": before.len() - start });
    let params = json!({ "textDocument": { "uri": URI }, "position": position });
    let answer = client.request("textDocument/signatureHelp", params).expect("an answer");
    if answer.is_null() {
        return None;
    }
    let all = answer["signatures"].as_array().expect("signatures");
    let labels: Vec<String> = all.iter().map(|one| one["label"].as_str().unwrap_or_default().to_owned()).collect();
    let active = answer["activeSignature"].as_u64().expect("a number") as usize;
    let param = answer["activeParameter"].as_u64().expect("a number") as usize;
    let range = &all[active]["parameters"][param]["label"];
    let at = |n: usize| range[n].as_u64().map(|at| at as usize);
    let text = at(0).zip(at(1)).map(|(lo, hi)| labels[active][lo..hi].to_owned()).unwrap_or_default();
    Some((labels, active, text))
}

const HEAD: &str = "struct R { uint n; };\nuint Add(uint a, uint b = 1) { return a + b; }\nfloat Add(float2 a, float2 b, float c) { return c; }\n\
                    void Fill(out float3 target, RWStructuredBuffer<uint> from) {}\n\
                    struct S { uint n; uint Method(uint x, float y) { return x; } };\n";

#[test]
fn calls_show_their_overloads_and_parameters() {
    let both = ["uint Add(uint a, [uint b])", "float Add(float2 a, float2 b, float c)"].map(str::to_owned).to_vec();
    let add = |before: &str, after: &str| signature(&format!("{HEAD}void F(uint x)\n{{\n    {before}"), after);
    let is = |active: usize, param: &str| Some((both.clone(), active, param.to_owned()));
    // Complete, and half-typed in various forms.
    assert_eq!(add("uint y = Add(", "x, 2);\n}\n"), is(0, "uint a"));
    assert_eq!(add("uint y = Add(x, ", "2);\n}\n"), is(0, "[uint b]"));
    assert_eq!(add("uint y = Add(", "\n}\n"), is(0, "uint a"));
    assert_eq!(add("uint y = Add(x,", "\n}\n"), is(0, "[uint b]"));
    assert_eq!(add("Add(x, ", ""), is(0, "[uint b]"));
    assert_eq!(add("uint y = Add(x, 1, ", ");\n}\n"), is(1, "float c"));
    assert_eq!(add("float y = Add(float2(1, 2), ", "1.0.xx, 2);\n}\n"), is(1, "float2 b"));
    // Inside and after another call's arguments.
    assert_eq!(add("uint y = Add(Add(x, 1), ", "2);\n}\n"), is(0, "[uint b]"));
    assert_eq!(add("uint y = min(Add(", "x), 2);\n}\n"), is(0, "uint a"));
    assert_eq!(add("uint y = (Add((x + 1) * 2, ", "2));\n}\n"), is(0, "[uint b]"));
    // A constructor has no parameters: the signature is that of the enclosing call.
    assert_eq!(add("float y = Add(x.xx, float2(1, ", "2), 3);\n}\n"), is(1, "float2 b"));
    assert_eq!(add("uint y = Add(x, (uint)(x + ", "1));\n}\n"), is(0, "[uint b]"));
    // No call.
    assert_eq!(add("uint y = float2(x, ", "1).x;\n}\n"), None);
    for declared in [
        "void g(int a, ",
        "struct D { void g(int a, ",
        "namespace n { void g(int a, ",
        "template<typename T> T g(T a, ",
    ] {
        assert_eq!(signature(&format!("{HEAD}{declared}"), ") { }\n"), None, "{declared}");
        assert_eq!(signature(&format!("{HEAD}{declared}"), ""), None, "{declared}");
    }
    assert_eq!(add("uint y = Add(x, 2); ", "\n}\n"), None);
    assert_eq!(add("uint y = (x", ");\n}\n"), None);
}

#[test]
fn signature_help_shows_the_active_parameter() {
    let before = format!("{HEAD}void F(uint x)\n{{\n    float3 v; Fill(v, ");
    let label = vec!["void Fill(out float3 target, RWStructuredBuffer<uint> from)".to_owned()];
    assert_eq!(signature(&before, ");\n}\n"), Some((label.clone(), 0, "RWStructuredBuffer<uint> from".to_owned())));
    let before = format!("{HEAD}void F(uint x)\n{{\n    float3 v; Fill(");
    assert_eq!(signature(&before, "\n}\n"), Some((label, 0, "out float3 target".to_owned())));
}

#[test]
fn signature_help_covers_attributes() {
    let one = |label: &str, param: &str| Some((vec![label.to_owned()], 0, param.to_owned()));
    let grid = one("NodeDispatchGrid(uint, uint, uint)", "uint");
    assert_eq!(signature("[NodeDispatchGrid(1, ", ""), grid);
    assert_eq!(signature("[nodedispatchgrid(", "1, 1, 1)] void f() {}\n"), grid);
    assert_eq!(signature("void f([NodeID(\"a\", ", ")] NodeOutput<R> a) {}\n"), one("NodeID(\"..\"[, uint])", "uint"));
    assert_eq!(signature("[[vk::binding(", ""), one("vk::binding(binding[, set])", "binding"));
    assert_eq!(signature("[NodeUnknown(", ""), None);
}

#[test]
fn methods_have_signatures_too() {
    let before = format!("{HEAD}void F(uint x)\n{{\n    S s; uint y = s.Method(x, ");
    let label = vec!["uint Method(uint x, float y)".to_owned()];
    assert_eq!(signature(&before, "1);\n}\n"), Some((label.clone(), 0, "float y".to_owned())));
    assert_eq!(signature(&before, "\n}\n"), Some((label, 0, "float y".to_owned())));
    let node = "[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]\n\
                void first(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> next)\n{\n    ";
    for (text, label, param) in [
        (
            "next.GetThreadNodeOutputRecords(",
            "ThreadNodeOutputRecords<R> GetThreadNodeOutputRecords(uint numRecordsForThisThread)",
            "uint numRecordsForThisThread",
        ),
        ("next.GetThreadNodeOutputRecords(1).Get(", "R Get([uint index])", "[uint index]"),
    ] {
        for end in [");\n}\n", "\n}\n", ""] {
            let before = format!("{HEAD}{node}{text}");
            let found = signature(&before, end);
            assert_eq!(found, Some((vec![label.to_owned()], 0, param.to_owned())), "{text} {end}");
        }
    }
}

#[test]
fn built_in_functions_have_signatures_with_docs() {
    let text = format!("{HEAD}void F(float x)\n{{\n    float y = smoothstep(0, ");
    let (labels, _, param) = signature(&text, "1, x);\n}\n").expect("a call");
    assert!(labels.len() == 1 && labels[0].contains("smoothstep("), "{labels:?}");
    assert!(param.contains("float"), "{param}");
    let mut client = Client::full();
    let text = format!("{text}1, x);\n}}\n");
    client.open(URI, &text);
    let params = json!({ "textDocument": { "uri": URI }, "position": at(&text, "smoothstep(0, ", 14) });
    let answer = client.request("textDocument/signatureHelp", params).expect("an answer");
    let about = answer["signatures"][0]["documentation"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(about.contains("from 0 at `low` to 1 at `high`"), "{answer:#}");
}

// ---- the workspace

#[test]
fn workspace_symbols_match_by_letters() {
    let mut client = opened(TEXT);
    client.open("file:///lsp/describe_more.hlsl", "struct Adder { uint addend; };\nuint Aadd() { return 1; }\n");
    let mut found = |query: &str| -> Vec<String> {
        let answer = client.request("workspace/symbol", json!({ "query": query })).expect("symbols");
        let line = |one: &Value| {
            let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            format!("{} {} {} {}", text("name"), one["kind"], text("containerName"), shown(&one["location"]["range"]))
        };
        answer.as_array().expect("a list").iter().map(line).collect()
    };
    // The whole name first, then names with that prefix.
    assert_eq!(
        found("add"),
        [
            "Add 12  12:5-12:8",
            "Add 12  13:6-13:9",
            "Adder 23  0:7-0:12",
            "addend 8 Adder 0:20-0:26",
            "Aadd 12  1:5-1:9"
        ]
    );
    assert_eq!(found("frst"), ["first 24  22:5-22:10"]);
    assert_eq!(found("one"), ["One 12 tools 15:23-15:26"]);
    assert_eq!(found("nothing of the kind"), [""; 0]);
    assert!(found("").len() > 20);
}
