//! From names to their declarations, and back: definitions, types, implementations, references, highlights.

use crate::client::{Client, at};
use serde_json::{Value, json};
use std::collections::HashMap;

const URI: &str = "file:///lsp/names.hlsl";

/// Files by URI, with a server that has them open.
pub struct Opened {
    pub client: Client,
    pub texts: HashMap<String, String>,
}

impl Opened {
    pub fn new(files: &[(&str, &str)]) -> Opened {
        let mut client = Client::full();
        let mut texts = HashMap::new();
        for (uri, text) in files {
            client.open(uri, text);
            texts.insert((*uri).to_owned(), (*text).to_owned());
        }
        Opened { client, texts }
    }

    pub fn one(text: &str) -> Opened {
        Opened::new(&[(URI, text)])
    }

    /// Checks that a file has no diagnostics.
    pub fn is_right(&mut self, uri: &str) {
        assert_eq!(self.client.diagnostics(uri), []);
    }

    pub fn ask(&mut self, uri: &str, method: &str, part: &str, plus: usize) -> Value {
        let mut params = json!({ "textDocument": { "uri": uri }, "position": at(&self.texts[uri], part, plus) });
        if method.ends_with("references") {
            params["context"] = json!({ "includeDeclaration": true });
        }
        self.client.request(&format!("textDocument/{method}"), params).expect("an answer")
    }

    /// Returns `line:text` of a range, counted from 0.
    pub fn text(&self, uri: &str, range: &Value) -> String {
        let at = |end: &str, key: &str| range[end][key].as_u64().expect("a number") as usize;
        let line = self.texts[uri].lines().nth(at("start", "line")).unwrap_or_default();
        format!("{}:{}", at("start", "line"), &line[at("start", "character")..at("end", "character")])
    }

    /// Returns the texts at the locations of an answer, in the order of files and lines, with the name of any other
    /// file first.
    pub fn places(&self, from: &str, answer: &Value) -> Vec<String> {
        let all = answer.as_array().expect("locations").iter().map(|one| {
            let uri = one["uri"].as_str().unwrap_or(from);
            let shown = self.text(uri, &one["range"]);
            let name = uri.rsplit('/').next().unwrap_or(uri);
            if uri == from { shown } else { format!("{name}:{shown}") }
        });
        all.collect()
    }

    pub fn found(&mut self, method: &str, part: &str, plus: usize) -> Vec<String> {
        let answer = self.ask(URI, method, part, plus);
        self.places(URI, &answer)
    }
}

const NAMES: &str = r#"namespace math { static const uint Two = 2; uint Twice(uint x) { return x * Two; } }
struct Inner { float3 at; uint bits : 5; };
struct R { Inner inner; uint n; float Sum() { return inner.at.x + n; } };
typedef R Alias;
enum Mode { Off, On = 4 };
cbuffer Frame { float time; uint count; };
RWStructuredBuffer<uint> Out : register(u0);
float Half(float x);
uint Half(uint x) { return x >> 1; }
float Half(float x) { return x * 0.5; }
template<typename T> T Most(T a, T b) { T best = a > b ? a : b; return best; }
#define STORE(i, value) Out[i] = (value)
#define LIMIT 16

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first(ThreadNodeInputRecord<R> input)
{
    Alias record = input.Get();
    Mode mode = On;
    float time2 = Half(time);
    uint half = Half(record.n);
    for (uint i = 0; i < LIMIT; ++i) { half += math::Twice(i); }
    record.inner.at.y = record.Sum() + time2;
    record.inner.bits = (uint)mode;
    STORE(record.n, half + Most(half, count));
    Out[0] = record.inner.bits + Most<uint>(1, 2);
}
"#;

#[test]
fn navigation_test_shader_has_no_diagnostics() {
    let mut opened = Opened::one(NAMES);
    opened.is_right(URI);
}

#[test]
fn names_navigate_to_their_definitions() {
    let mut opened = Opened::one(NAMES);
    let mut leads = |part: &str, plus: usize, to: &str| {
        assert_eq!(opened.found("definition", part, plus), [to], "{part} + {plus}");
    };
    leads("Alias record", 0, "3:Alias");
    leads("R Alias", 0, "2:R");
    leads("Mode mode", 1, "4:Mode");
    leads("= On;", 2, "4:On");
    leads("time);", 0, "5:time");
    leads("count));", 0, "5:count");
    // The overload that the argument chooses; the definition, not its declaration.
    leads("Half(time)", 0, "9:Half");
    leads("Half(record.n)", 0, "8:Half");
    leads("record.n);", 7, "2:n");
    leads("i < LIMIT", 0, "21:i");
    leads("math::Twice(i)", 6, "0:Twice");
    leads("math::Twice(i)", 0, "0:math");
    leads("x * Two", 0, "0:x");
    leads("x * Two", 4, "0:Two");
    leads("record.inner.at.y", 7, "2:inner");
    leads("record.inner.at.y", 13, "1:at");
    leads("record.Sum()", 7, "2:Sum");
    leads("record.inner.bits =", 13, "1:bits");
    leads("inner.at.x + n;", 0, "2:inner");
    leads("inner.at.x + n;", 13, "2:n");
    // Arguments of a macro, and the macro.
    leads("half + Most", 0, "20:half");
    leads("half + Most", 7, "10:Most");
    leads("STORE(record", 2, "11:STORE");
    leads("LIMIT; ++i", 0, "12:LIMIT");
    // Names in a macro's text.
    leads("Out[i]", 0, "6:Out");
    // Inside a template.
    leads("return best", 8, "10:best");
    leads("T best", 0, "10:T");
    leads("Most<uint>", 0, "10:Most");
    // The type of a record in angle brackets.
    leads("ThreadNodeInputRecord<R>", 22, "2:R");
    // At the end of a name.
    leads("half += ", 4, "20:half");
}

#[test]
fn tokens_without_symbols_have_no_definition() {
    let mut opened = Opened::one(NAMES);
    for (part, plus) in [("* 0.5", 0), ("0.5", 1), ("return x", 2), ("uint half", 1), ("[Shader(", 9)] {
        assert_eq!(opened.found("definition", part, plus), [""; 0], "{part}");
    }
}

#[test]
fn navigation_links_declarations_and_definitions() {
    let mut opened = Opened::one(NAMES);
    assert_eq!(opened.found("definition", "Half(float x);", 1), ["9:Half"]);
    assert_eq!(opened.found("definition", "Half(float x) {", 1), ["7:Half"]);
    assert_eq!(opened.found("declaration", "Half(time)", 1), ["7:Half"]);
    assert_eq!(opened.found("implementation", "Half(time)", 1), ["9:Half"]);
}

#[test]
fn names_navigate_to_their_types() {
    let mut opened = Opened::one(NAMES);
    assert_eq!(opened.found("typeDefinition", "record.inner.at.y", 0), ["2:R"]);
    assert_eq!(opened.found("typeDefinition", "record.inner.at.y", 8), ["1:Inner"]);
    assert_eq!(opened.found("typeDefinition", "mode = On", 1), ["4:Mode"]);
    // A handle contains records.
    assert_eq!(opened.found("typeDefinition", "input.Get()", 1), ["2:R"]);
    assert_eq!(opened.found("typeDefinition", "half +=", 1), [""; 0]);
}

#[test]
fn interface_methods_navigate_to_implementations() {
    let text = "interface Shape { float Area(); };\nstruct Square : Shape { float side; float Area() { return side; } };\n\
                struct Round : Shape { float r; float Area() { return r; } };\nfloat F(Square s) { return s.Area(); }\n";
    let mut opened = Opened::one(text);
    assert_eq!(opened.found("implementation", "Shape {", 1), ["1:Square", "2:Round"]);
    assert_eq!(opened.found("implementation", "Area();", 1), ["1:Area", "2:Area"]);
    assert_eq!(opened.found("implementation", "s.Area", 3), ["1:Area"]);
}

#[test]
fn method_references_include_interfaces_and_implementations() {
    let text = "interface Shape { float Area(); };\ninterface Flat { float Area(); float Area(float by); };\n\
                struct Square : Shape, Flat { float Area() { return 1; } float Area(float by) { return by; } };\n\
                struct Round : Shape { float Area() { return 3; } };\n\
                float F(Square s, Round r) { return s.Area() + s.Area(2) + r.Area(); }\n";
    let mut opened = Opened::one(text);
    let all = ["0:Area", "1:Area", "2:Area", "3:Area", "4:Area", "4:Area"];
    for (part, plus) in [
        ("Shape { float Area", 14),
        ("Flat { float Area", 13),
        ("Square : Shape, Flat { float Area", 30),
        ("Round : Shape { float Area", 22),
        ("s.Area()", 3),
        ("r.Area()", 3),
    ] {
        assert_eq!(opened.found("references", part, plus), all, "{part}");
        let answer = opened.ask(URI, "documentHighlight", part, plus);
        let found: Vec<String> =
            answer.as_array().expect("a list").iter().map(|one| opened.text(URI, &one["range"])).collect();
        assert_eq!(found, all, "{part}");
    }
    assert_eq!(opened.found("references", "s.Area(2)", 3), ["1:Area", "2:Area", "4:Area"]);
    // A member that implements the other overload does not implement this one.
    assert_eq!(opened.found("implementation", "Area(); float", 1), ["2:Area"]);
    assert_eq!(opened.found("implementation", "Area(float by); };", 1), ["2:Area"]);
    // Templates implement interfaces too.
    let text = "template<typename T> interface Of { T Get(T x); };\n\
                template<typename T> struct Box : Of<T> { T Get(T x) { return x; } T Get(T x, T y) { return y; } };\n\
                struct Whole : Of<uint> { uint Get(uint x) { return x; } };\n\
                uint F(Box<uint> b, Whole w) { return b.Get(1) + w.Get(2) + b.Get(1, 2); }\n";
    let mut opened = Opened::one(text);
    assert_eq!(opened.found("implementation", "Of {", 1), ["1:Box", "2:Whole"]);
    assert_eq!(opened.found("implementation", "Get(T x); };", 1), ["1:Get", "2:Get"]);
    assert_eq!(opened.found("references", "w.Get", 3), ["0:Get", "1:Get", "2:Get", "3:Get", "3:Get"]);
}

#[test]
fn references_distinguish_symbols() {
    let mut opened = Opened::one(NAMES);
    assert_eq!(opened.found("references", "uint half", 6), ["20:half", "21:half", "24:half", "24:half"]);
    assert_eq!(opened.found("references", "uint n;", 5), ["2:n", "2:n", "20:n", "24:n"]);
    // One of two overloads, with its declaration.
    assert_eq!(opened.found("references", "Half(time)", 1), ["7:Half", "9:Half", "19:Half"]);
    assert_eq!(opened.found("references", "Half(uint", 1), ["8:Half", "20:Half"]);
    assert_eq!(opened.found("references", "Out : ", 1), ["6:Out", "11:Out", "25:Out"]);
    assert_eq!(opened.found("references", "T Most", 2), ["10:Most", "24:Most", "25:Most"]);
    assert_eq!(opened.found("references", "T best", 2), ["10:best", "10:best"]);
    assert_eq!(opened.found("references", "time;", 1), ["5:time", "19:time"]);
    assert_eq!(opened.found("references", "math::", 1), ["0:math", "21:math"]);
    assert_eq!(opened.found("references", "On = 4", 1), ["4:On", "18:On"]);
    assert_eq!(opened.found("references", "LIMIT;", 1), ["12:LIMIT", "21:LIMIT"]);
    assert_eq!(opened.found("references", "uint bits", 6), ["1:bits", "23:bits", "25:bits"]);
}

#[test]
fn references_without_the_declaration() {
    let mut opened = Opened::one(NAMES);
    let params = json!({
        "textDocument": { "uri": URI },
        "position": at(NAMES, "uint half", 6),
        "context": { "includeDeclaration": false },
    });
    let answer = opened.client.request("textDocument/references", params).expect("an answer");
    assert_eq!(opened.places(URI, &answer), ["21:half", "24:half", "24:half"]);
}

#[test]
fn highlights_distinguish_writes_from_reads() {
    let mut opened = Opened::one(NAMES);
    let mut kinds = |part: &str, plus: usize| -> Vec<(String, u64)> {
        let answer = opened.ask(URI, "documentHighlight", part, plus);
        let all = answer.as_array().expect("a list").clone();
        all.iter().map(|one| (opened.text(URI, &one["range"]), one["kind"].as_u64().unwrap_or(0))).collect()
    };
    let of = |list: &[(&str, u64)]| list.iter().map(|(text, kind)| ((*text).to_owned(), *kind)).collect::<Vec<_>>();
    assert_eq!(kinds("uint half", 6), of(&[("20:half", 3), ("21:half", 3), ("24:half", 2), ("24:half", 2)]));
    assert_eq!(kinds("Out[0]", 1), of(&[("6:Out", 3), ("11:Out", 3), ("25:Out", 3)]));
    assert_eq!(kinds("++i", 2), of(&[("21:i", 3), ("21:i", 2), ("21:i", 3), ("21:i", 2)]));
}

#[test]
fn header_references_cover_all_including_files() {
    let header = "file:///lsp/shared.hlsli";
    let other = "file:///lsp/other.hlsl";
    let shared = "struct Shared { uint n; };\nuint Read(Shared s) { return s.n; }\n";
    let one = "#include \"shared.hlsli\"\nuint F(Shared s) { return Read(s); }\n";
    let two = "#include \"shared.hlsli\"\nuint G() { Shared s; s.n = 1; return Read(s) + s.n; }\n";
    let mut opened = Opened::new(&[(header, shared), (URI, one), (other, two)]);
    assert_eq!(opened.found("definition", "Read(s)", 1), ["shared.hlsli:1:Read"]);
    assert_eq!(opened.found("definition", "\"shared", 3), ["shared.hlsli:0:"]);
    assert_eq!(opened.ask(URI, "hover", "\"shared", 3)["contents"]["value"], "`/lsp/shared.hlsli`");
    let answer = opened.ask(header, "references", "Read(", 1);
    assert_eq!(opened.places(header, &answer), ["names.hlsl:1:Read", "other.hlsl:1:Read", "1:Read"]);
    let answer = opened.ask(header, "references", "uint n", 5);
    assert_eq!(opened.places(header, &answer), ["other.hlsl:1:n", "other.hlsl:1:n", "0:n", "1:n"]);
}

#[test]
fn definitions_of_built_ins_are_in_real_files() {
    let mut opened = Opened::one(NAMES.replace("time2 = Half(time)", "time2 = saturate(time)").as_str());
    let mut lead = |part: &str, plus: usize| {
        let found = opened.ask(URI, "definition", part, plus);
        let uri = found[0]["uri"].as_str().unwrap_or_default().to_owned();
        let path = uri.strip_prefix("file://").unwrap_or_else(|| panic!("no file: {found}")).to_owned();
        let text = std::fs::read_to_string(&path).expect("it is there");
        let at = |end: &str, key: &str| found[0]["range"][end][key].as_u64().expect("a number") as usize;
        let line = text.lines().nth(at("start", "line")).expect("the line");
        (uri, text.clone(), line[at("start", "character")..at("end", "character")].to_owned())
    };
    let (uri, text, name) = lead("saturate", 3);
    assert_eq!(name, "saturate");
    let (_, _, name) = lead("input.Get()", 7);
    assert_eq!(name, "Get");
    let (_, _, name) = lead("ThreadNodeInputRecord<R>", 3);
    assert_eq!(name, "ThreadNodeInputRecord");
    // An editor that opens it receives no diagnostics.
    opened.client.open(&uri, &text);
    assert_eq!(opened.client.diagnostics(&uri), []);
    // All users of it.
    assert_eq!(opened.found("references", "saturate", 1), ["19:saturate"].map(str::to_owned));
}

#[test]
fn definition_columns_count_utf16_units_by_default() {
    let text = "/* \u{1f600} */ static uint two = 2; /* \u{e9}\u{1f600} */ uint F() { return /* \u{1f600} */ two; }\n";
    let mut client = Client::new(json!({}), Value::Null);
    client.open(URI, text);
    // `two` at the end: every emoji has two units.
    let column = text[..text.rfind("two").expect("it is there")].encode_utf16().count();
    let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": column + 1 } });
    let found = client.request("textDocument/definition", params).expect("an answer");
    assert_eq!(crate::client::shown(&found[0]["range"]), "0:21-0:24");
}

#[test]
fn members_and_specialisations_outside_of_their_records() {
    let text = "struct S { static uint Next(uint x); uint own; uint Own(); };\nuint S::Next(uint x) { return x + 1; }\n\
                uint S::Own() { return own + Next(own); }\n\
                template<typename T> T Zero() { return (T)0; }\ntemplate<> uint Zero<uint>() { return 0u; }\n\
                template<typename T> struct Box { T held; T Open() { return held; } };\n\
                uint F() { S s; s.own = 1; Box<uint> box; box.held = Zero<uint>(); return S::Next(s.Own()) + box.Open(); }\n";
    let mut opened = Opened::one(text);
    assert_eq!(opened.found("definition", "S::Next(s", 3), ["1:Next"]);
    assert_eq!(opened.found("references", "Next(uint x);", 1), ["0:Next", "1:Next", "2:Next", "6:Next"]);
    assert_eq!(opened.found("references", "uint own", 5), ["0:own", "2:own", "2:own", "6:own"]);
    assert_eq!(opened.found("references", "S {", 0), ["0:S", "1:S", "2:S", "6:S", "6:S"]);
    assert_eq!(opened.found("references", "Zero()", 1), ["3:Zero", "4:Zero", "6:Zero"]);
    assert_eq!(opened.found("references", "T held", 2), ["5:held", "5:held", "6:held"]);
    assert_eq!(opened.found("references", "Open()", 1), ["5:Open", "6:Open"]);
    assert_eq!(opened.found("references", "typename T> struct", 9), ["5:T", "5:T", "5:T"]);
}

#[test]
fn types_inside_of_functions() {
    let text = "uint F(uint x)\n{\n    struct Local { uint a; uint Twice() { return a * 2; } };\n    Local l;\n    l.a = x;\n    return l.Twice();\n}\n";
    let mut opened = Opened::one(text);
    assert_eq!(opened.found("definition", "Local l", 1), ["2:Local"]);
    assert_eq!(opened.found("references", "uint a;", 5), ["2:a", "2:a", "4:a"]);
    assert_eq!(opened.found("definition", "l.Twice", 3), ["2:Twice"]);
}

#[test]
fn navigation_works_in_incomplete_programs() {
    let text = "struct R { uint n; uint m; };\nuint Helper(uint a) { return a; }\n\
                uint F(R r)\n{\n    uint local = Helper(r.n) + ;\n    local = Unknown(r.m, local\n}\nuint G() { return Helper(1); }\n";
    let mut opened = Opened::one(text);
    assert_eq!(opened.found("definition", "Helper(r.n", 1), ["1:Helper"]);
    assert_eq!(opened.found("definition", "r.n)", 2), ["0:n"]);
    assert_eq!(opened.found("definition", "r.m,", 2), ["0:m"]);
    assert_eq!(opened.found("definition", "local\n", 1), ["4:local"]);
    assert_eq!(opened.found("definition", "Helper(1)", 1), ["1:Helper"]);
}

/// Returns the offsets of tokens that are not comments, strings or directives.
fn words(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let is_first = text[..at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
        let skip = if rest.starts_with("//") || is_first && rest.starts_with('#') {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(string) = rest.strip_prefix('"') {
            string.find('"').map_or(rest.len(), |end| end + 2)
        } else {
            0
        };
        if skip != 0 {
            at += skip;
            continue;
        }
        let is_word = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
        let length = bytes[at..].iter().take_while(|byte| is_word(byte)).count();
        if length != 0 && !bytes[at].is_ascii_digit() {
            out.push((at, at + length));
        }
        at += length.max(1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    out
}

#[test]
fn items_of_inline_namespaces_are_found() {
    let text = "inline namespace V2 { uint two() { return 2; } struct Box { uint y; }; }\n\
                namespace lib { inline namespace V1 { Box one(Box b) { b.y += two(); return b; } } }\n\
                uint all(Box b) { return lib::one(b).y + V2::two() + lib::V1::one(b).y; }\n";
    let mut opened = Opened::one(text);
    assert_eq!(opened.client.diagnostics(URI).len(), 1, "no nodes");
    for (part, plus, expected) in [
        ("two() {", 1, vec!["0:two", "1:two", "2:two"]),
        ("Box {", 1, vec!["0:Box", "1:Box", "1:Box", "2:Box"]),
        ("one(Box", 1, vec!["1:one", "2:one", "2:one"]),
        ("V1::", 1, vec!["1:V1", "2:V1"]),
    ] {
        let answer = opened.ask(URI, "references", part, plus);
        assert_eq!(opened.places(URI, &answer), expected, "{part}");
    }
}

/// Definitions and references agree: references of a definition lead back to the name. `WGC_LSP_NAMES` adds folders of
/// shaders; names without any answer are printed.
#[test]
fn definitions_and_references_agree() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let more = std::env::var("WGC_LSP_NAMES").unwrap_or_default();
    let folders = std::iter::once("examples").chain(more.split(':').filter(|folder| !folder.is_empty()));
    for folder in folders {
        let mut files: Vec<_> =
            std::fs::read_dir(root.join(folder)).expect("a folder").flatten().map(|e| e.path()).collect();
        files.retain(|file| file.extension().is_some_and(|end| end == "hlsl"));
        files.sort();
        assert!(!files.is_empty(), "{folder}");
        for file in files {
            leads_back(&file);
        }
    }
}

fn leads_back(file: &std::path::Path) {
    let text = std::fs::read_to_string(file).expect("readable");
    let uri = format!("file://{}", file.display());
    let mut client = Client::full();
    client.open(&uri, &text);
    let position = |offset: usize| {
        let start = text[..offset].rfind('\n').map_or(0, |n| n + 1);
        json!({ "line": text[..offset].matches('\n').count(), "character": offset - start })
    };
    let mut known: HashMap<String, Value> = HashMap::new();
    for (lo, hi) in words(&text) {
        let params = json!({ "textDocument": { "uri": uri }, "position": position(lo) });
        let found = client.request("textDocument/definition", params.clone()).expect("an answer");
        let all = found.as_array().expect("a list").clone();
        if all.is_empty() {
            let hover = client.request("textDocument/hover", params).expect("an answer");
            if hover.is_null() && std::env::var_os("WGC_LSP_NAMES").is_some() {
                let at = position(lo);
                eprintln!("{}:{}: {}", file.display(), at["line"].as_u64().unwrap_or(0) + 1, &text[lo..hi]);
            }
            continue;
        }
        let here = position(lo);
        // A name that a macro assembles does not occur in the text.
        let is_named = |one: &&Value| {
            let line = one["range"]["start"]["line"].as_u64().unwrap_or(0) as usize;
            let column = one["range"]["start"]["character"].as_u64().unwrap_or(0) as usize;
            text.lines().nth(line).is_some_and(|line| line[column..].starts_with(&text[lo..hi]))
        };
        for definition in all.iter().filter(|one| one["uri"] == uri.as_str()).filter(is_named) {
            let references = known.entry(definition.to_string()).or_insert_with(|| {
                let params = json!({
                    "textDocument": { "uri": uri },
                    "position": definition["range"]["start"],
                    "context": { "includeDeclaration": true },
                });
                client.request("textDocument/references", params).expect("an answer")
            });
            let names_it = references.as_array().expect("a list").iter().any(|one| one["range"]["start"] == here);
            assert!(names_it, "{}: {} at {here} leads to {definition}, not back", file.display(), &text[lo..hi]);
        }
    }
    assert_eq!(client.messages, [""; 0]);
}
