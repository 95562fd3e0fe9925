//! Published diagnostics of the server, and its fixes.

use crate::GRAPH;
use crate::client::{Client, shown};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/graph.hlsl";

#[test]
fn diagnostics_are_updated_after_edits() {
    let mut client = Client::full();
    client.open(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), []);
    // One character.
    let line = GRAPH.lines().position(|line| line.contains("Out[0] =")).expect("it is there");
    let edit = |text: &str, from: u32, to: u32| {
        let at = |character: u32| json!({ "line": line, "character": character });
        json!([{ "range": { "start": at(from), "end": at(to) }, "text": text }])
    };
    client.change(URI, edit("Ouch", 4, 7));
    let found = client.diagnostics(URI);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "WG0101" && found[0].1.contains("`Ouch`"), "{found:?}");
    let diagnostic = &client.published[URI].1[0];
    assert_eq!((shown(&diagnostic["range"]), &diagnostic["severity"]), (format!("{line}:4-{line}:8"), &json!(1)));
    client.change(URI, edit("Out", 4, 8));
    assert_eq!(client.diagnostics(URI), []);
    // A closed document has none.
    client.replace(URI, "nonsense");
    assert!(!client.diagnostics(URI).is_empty());
    client.close(URI);
    client.until(URI, <[Value]>::is_empty);
    assert_eq!(client.leave(), Ok(()));
}

/// Checks that a code links to its page, in a file that any client opens.
#[test]
fn codes_link_to_their_pages() {
    let mut client = Client::full();
    client.open(URI, "nonsense");
    client.diagnostics(URI);
    let all = &client.published[URI].1;
    assert!(!all.is_empty());
    for diagnostic in all {
        let code = diagnostic["code"].as_str().expect("a code");
        let href = diagnostic["codeDescription"]["href"].as_str().unwrap_or_else(|| panic!("{diagnostic:#}"));
        let text = std::fs::read_to_string(href.strip_prefix("file://").expect("a file")).expect("it is there");
        assert!(text.starts_with(&format!("# {code} ")), "{text}");
    }
    assert_eq!(client.leave(), Ok(()));
    // A client without support for links receives none.
    let mut simple = Client::new(json!({}), Value::Null);
    simple.open(URI, "nonsense");
    simple.diagnostics(URI);
    assert!(simple.published[URI].1.iter().all(|diagnostic| diagnostic["codeDescription"].is_null()));
}

#[test]
fn edge_diagnostics_link_to_the_other_node() {
    let mut client = Client::full();
    let text =
        GRAPH.replace("void second(ThreadNodeInputRecord<R> input)", "void second(ThreadNodeInputRecord<S> input)");
    let text = format!("struct S {{ float x; uint n; }};\n{text}");
    client.open(URI, &text);
    client.diagnostics(URI);
    let edge = client.published[URI].1.iter().find(|d| d["relatedInformation"].is_array());
    let edge = edge.unwrap_or_else(|| panic!("{:?}", client.published)).clone();
    let related = edge["relatedInformation"].as_array().expect("it is one");
    assert!(related.iter().any(|one| one["location"]["uri"] == URI), "{edge:#}");
    // A client without support for related information receives it as text.
    let mut simple = Client::new(json!({}), Value::Null);
    simple.open(URI, &text);
    let found = simple.diagnostics(URI);
    assert!(
        found.iter().any(|(code, message)| *code == edge["code"] && message.contains("/lsp/graph.hlsl:")),
        "{found:?}"
    );
}

#[test]
fn diagnostic_columns_follow_the_negotiated_encoding() {
    let text = "/* \u{1f600}\u{e9} */ Unknown x;\n";
    let column = |client: &mut Client| {
        client.open(URI, text);
        client.diagnostics(URI);
        shown(&client.published[URI].1[0]["range"])
    };
    assert_eq!(column(&mut Client::full()), "0:13-0:20");
    let mut other = Client::new(json!({}), Value::Null);
    assert_eq!(other.capabilities["positionEncoding"], "utf-16");
    assert_eq!(column(&mut other), "0:10-0:17");
}

#[test]
fn headers_are_diagnosed_through_their_includers() {
    let mut client = Client::full();
    let header = "file:///lsp/half.hlsli";
    // The header is invalid without its includer.
    client.open(header, "N Double(N x) { return x + y; }\n");
    assert!(client.diagnostics(header).iter().any(|(_, message)| message.contains("`N`")));
    client.open(URI, &format!("#define N uint\n#include \"half.hlsli\"\n{GRAPH}"));
    assert_eq!(client.diagnostics(URI), []);
    client.until(header, |all| all.len() == 1);
    assert!(client.diagnostics(header)[0].1.contains("`y`"));
    client.replace(header, "N Double(N x) { return x + x; }\n");
    assert_eq!(client.diagnostics(header), []);
    client.close(URI);
    client.until(header, |all| !all.is_empty());
}

#[test]
fn closed_headers_are_diagnosed_through_their_includers() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("half.hlsli"), "uint Double(uint x) { return x + y; }\n").expect("written");
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let mut client = Client::full();
    client.open(&uri("graph.hlsl"), &format!("#include \"half.hlsli\"\n{GRAPH}"));
    client.until(&uri("half.hlsli"), |all| all.len() == 1 && all[0]["message"].to_string().contains("`y`"));
    assert_eq!(client.diagnostics(&uri("graph.hlsl")), []);
    // The header has no includer any more.
    client.replace(&uri("graph.hlsl"), GRAPH);
    client.until(&uri("half.hlsli"), <[Value]>::is_empty);
}

#[test]
fn macro_diagnostics_link_to_the_macro_definition() {
    let mut client = Client::full();
    client.open(URI, &format!("#define SUM(a) (a + missing)\n{GRAPH}\nuint F() {{ return SUM(1); }}\n"));
    client.diagnostics(URI);
    let diagnostic = &client.published[URI].1[0];
    let related = diagnostic["relatedInformation"].as_array().expect("where it stands in the macro");
    assert_eq!(related.len(), 1, "{diagnostic:#}");
    assert_eq!(related[0]["message"], "in the expansion of `SUM`");
    assert_eq!(shown(&related[0]["location"]["range"]), "0:20-0:27");
}

#[test]
fn inactive_preprocessor_code_is_dimmed() {
    let mut client = Client::full();
    client.open(URI, &format!("#if 0\nnonsense\n#endif\n{GRAPH}"));
    let found = client.diagnostics(URI);
    assert_eq!(found.len(), 1, "{found:?}");
    let diagnostic = &client.published[URI].1[0];
    assert_eq!((&diagnostic["tags"], &diagnostic["severity"]), (&json!([1]), &json!(4)));
    assert!(shown(&diagnostic["range"]).starts_with("1:0-"), "{diagnostic}");
}

#[test]
fn quick_fixes_repair_unambiguous_mistakes() {
    let mut client = Client::full();
    let text = GRAPH.replace("NodeLaunch", "NodeLunch");
    client.open(URI, &text);
    let found = client.diagnostics(URI);
    let lines: Vec<&str> = text.lines().collect();
    let end = json!({ "line": lines.len(), "character": 0 });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let mut actions = |only: Value| {
        let context = json!({ "diagnostics": [], "only": only });
        let params = json!({ "textDocument": { "uri": URI }, "range": whole, "context": context });
        client.request("textDocument/codeAction", params).expect("actions").as_array().cloned().unwrap_or_default()
    };
    let fixes = actions(json!(["quickfix"]));
    assert!(fixes.len() >= 4, "{found:?} {fixes:#?}");
    // The names are guesses, so an editor must not apply them automatically on save.
    assert!(fixes.iter().all(|fix| fix["isPreferred"] == false && fix["diagnostics"][0]["code"].is_string()));
    assert_eq!(actions(json!(["source.fixAll"])), [json!(null); 0]);
    let edits: Vec<Value> = fixes.iter().map(|fix| fix["edit"]["changes"][URI][0].clone()).collect();
    let mut mended: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for edit in edits.iter().rev() {
        let at = |end: &str, key: &str| edit["range"][end][key].as_u64().expect("a number") as usize;
        mended[at("start", "line")]
            .replace_range(at("start", "character")..at("end", "character"), edit["newText"].as_str().expect("text"));
    }
    assert_eq!(mended.join("\n") + "\n", GRAPH);
}

#[test]
fn quick_fixes_are_offered_at_their_locations() {
    let mut client = Client::full();
    let text = GRAPH.replacen("[NodeLaunch(\"thread\")]", "[NodeLaunch(\"thread\")][NodeLaunch(\"thread\")]", 1);
    let text = text.replacen("[NodeLaunch", "[NodeLaunch(\"thread\")][NodeLaunch", 1);
    client.open(URI, &text);
    let mut titles = |line: u32, from: u32, to: u32| -> Vec<String> {
        let at = |character: u32| json!({ "line": line, "character": character });
        let context = json!({ "diagnostics": [], "only": ["quickfix"] });
        let range = json!({ "start": at(from), "end": at(to) });
        let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
        let answer = client.request("textDocument/codeAction", params).expect("actions");
        let title = |one: &Value| one["title"].as_str().unwrap_or_default().to_owned();
        answer.as_array().expect("a list").iter().map(title).collect()
    };
    assert_eq!(titles(3, 45, 45), ["remove the first `NodeLaunch`"]);
    assert_eq!(titles(3, 20, 45).len(), 2);
    assert_eq!(titles(4, 0, 10), [""; 0]);
    // Both fixes together.
    let end = json!({ "line": 99, "character": 0 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let context = json!({ "diagnostics": [], "only": ["source.fixAll.wgc"] });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
    let all = client.request("textDocument/codeAction", params).expect("actions");
    assert_eq!(all[0]["edit"]["changes"][URI].as_array().map(Vec::len), Some(2), "{all:#}");
}

#[test]
fn fix_all_applies_only_certain_fixes() {
    let fixed = |text: &str| {
        let mut client = Client::full();
        client.open(URI, text);
        client.diagnostics(URI);
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
        let context = json!({ "diagnostics": [], "only": ["source.fixAll.wgc"] });
        let params = json!({ "textDocument": { "uri": URI }, "range": whole, "context": context });
        let all = client.request("textDocument/codeAction", params).expect("actions");
        let edits = all[0]["edit"]["changes"][URI].as_array().cloned().unwrap_or_default();
        edits.iter().map(|edit| edit["newText"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(fixed("void f() { int a = 1 }\n"), [";"]);
    assert_eq!(fixed("void f() { int a = 1\n}\n"), [";"]);
    assert_eq!(fixed("groupshared uint g[4]\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid n() { }\n"), [";"]);
    // With several possible meanings the author chooses: another name, another place, another of two constructs.
    for text in [
        "void f() { int a[2] = {1, 2; int b = 1; }",
        "void f() { int a = 1; if (a = 1) { } }",
        "void f() { for (int i = 0; i < 3, i++) { } }",
        "void f() { for (int i = 0; i < 3) { } }",
        "int f(int a) { return a + 1) * 2; }",
        "int f(int a) { return (a + 1 * 2; }",
        "void f() { int[3] k; }",
        "void f() { int a = 1 2; }",
        "void f() { int minDepth = 1; int b = maxDepth; }",
        "void f() { unsigned short s = 1; }",
        "void f() { float64 s = 1; float x = sinn(s); }",
        "enum E { P; Q };",
        "struct R { uint n; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid n(GroupNodeInputRecords<R> r) { }",
        "struct R { uint n; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\n\
         void a(ThreadNodeInputRecord<R> r, [MaxRecords(2)] NodeOutput<R> b1) { }\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")] void c(ThreadNodeInputRecord<R> r) { }",
    ] {
        assert_eq!(fixed(text), [""; 0], "{text}");
    }
}

#[test]
fn clients_can_pull_diagnostics() {
    let mut client = Client::new(json!({ "textDocument": { "diagnostic": {} } }), Value::Null);
    assert!(client.capabilities["diagnosticProvider"]["interFileDependencies"] == true);
    client.open(URI, "nonsense");
    let report =
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } })).expect("a report");
    assert_eq!(report["kind"], "full");
    assert!(!report["items"].as_array().expect("items").is_empty());
    // Any diagnostics to publish would have been sent by then.
    for n in 0..20 {
        client.replace(URI, &format!("nonsense {n}"));
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } })).expect("a report");
    }
    assert!(client.published.is_empty(), "nothing is said twice");
}

#[test]
fn server_settings_accept_command_line_options() {
    let mut client = Client::new(json!({}), json!({ "arguments": ["-D", "N=uint"] }));
    client.open(URI, &GRAPH.replace("uint n", "N n"));
    assert_eq!(client.diagnostics(URI), []);
    let mut client = Client::new(json!({}), json!({ "arguments": ["--no-such"] }));
    client.open(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), [], "the rest works");
    assert!(client.messages.iter().any(|message| message.contains("--no-such")), "{:?}", client.messages);
}
