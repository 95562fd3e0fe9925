//! A long-lived server: files appear and vanish, on the disk too, and some are not text.

use crate::GRAPH;
use crate::client::{Client, at};
use serde_json::{Value, json};
use std::path::Path;

const URI: &str = "file:///lsp/graph.hlsl";

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn tell(client: &Client, path: &Path, kind: u32) {
    let changes = json!([{ "uri": uri(path), "type": kind }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
}

const CHANGED: u32 = 2;
const DELETED: u32 = 3;

#[test]
fn the_server_handles_deleted_and_recreated_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (header, main) = (folder.path().join("some.hlsli"), folder.path().join("graph.hlsl"));
    let write = |path: &Path, text: &str| std::fs::write(path, text).expect("written");
    write(&header, "typedef uint N;\n");
    let text = format!("#include \"some.hlsli\"\n{}", GRAPH.replace("uint n", "N n"));
    write(&main, &text);
    let mut client = Client::full();
    client.open(&uri(&main), &text);
    assert_eq!(client.diagnostics(&uri(&main)), []);
    std::fs::remove_file(&header).expect("it goes");
    tell(&client, &header, DELETED);
    client.until(&uri(&main), |all| all.iter().any(|one| one["message"].to_string().contains("some.hlsli")));
    // A folder under its name.
    std::fs::create_dir(&header).expect("a folder");
    tell(&client, &header, CHANGED);
    client.replace(&uri(&main), &text);
    assert!(!client.diagnostics(&uri(&main)).is_empty());
    std::fs::remove_dir(&header).expect("it goes");
    write(&header, "typedef uint N;\n");
    tell(&client, &header, CHANGED);
    client.until(&uri(&main), <[Value]>::is_empty);
    // An open file has the editor's text, even if it is removed.
    std::fs::remove_file(&main).expect("it goes");
    tell(&client, &main, DELETED);
    client.replace(&uri(&main), &text);
    assert_eq!(client.diagnostics(&uri(&main)), []);
    // Once closed it does not exist, and it can be opened again.
    client.close(&uri(&main));
    client.open(&uri(&main), GRAPH);
    assert_eq!(client.diagnostics(&uri(&main)), []);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn server_handles_project_removal_and_recreation() {
    let folder = tempfile::tempdir().expect("a folder");
    let (project, file) = (folder.path().join("wgc.json"), folder.path().join("graph.hlsl"));
    let text = GRAPH.replace("uint n", "N n");
    let described = r#"{ "programs": { "some": { "files": ["graph.hlsl"], "defines": { "N": "uint" } } } }"#;
    std::fs::write(&project, described).expect("written");
    std::fs::write(&file, &text).expect("written");
    let mut client = Client::full();
    client.open(&uri(&file), &text);
    assert_eq!(client.diagnostics(&uri(&file)), []);
    std::fs::remove_file(&project).expect("it goes");
    tell(&client, &project, DELETED);
    client.until(&uri(&file), |all| !all.is_empty());
    // A half-written file is reported.
    std::fs::write(&project, "{ \"programs\"").expect("written");
    tell(&client, &project, CHANGED);
    assert!(client.wait_for_message().contains("wgc.json"));
    std::fs::write(&project, described).expect("written");
    tell(&client, &project, CHANGED);
    client.until(&uri(&file), <[Value]>::is_empty);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn unsaved_text_is_dropped_when_a_document_closes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (header, main) = (folder.path().join("some.hlsli"), folder.path().join("graph.hlsl"));
    std::fs::write(&header, "typedef uint N;\n").expect("written");
    let text = format!("#include \"some.hlsli\"\n{}", GRAPH.replace("uint n", "N n"));
    let mut client = Client::full();
    client.open(&uri(&main), &text);
    assert_eq!(client.diagnostics(&uri(&main)), []);
    client.open(&uri(&header), "typedef uint Other;\n");
    client.until(&uri(&main), |all| !all.is_empty());
    client.close(&uri(&header));
    client.until(&uri(&main), <[Value]>::is_empty);
}

#[test]
fn header_queries_use_every_program_that_includes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let described = r#"{ "programs": {
        "plain": { "files": ["plain.hlsl"] },
        "wide": { "files": ["wide.hlsl"], "defines": { "WIDE": "1" } }
    } }"#;
    let header = "struct S { uint n; };\n#ifdef WIDE\nuint Wide(S input) { return input.n; }\n#else\n\
                  uint Narrow(S input) { return input.n; }\n#endif\n";
    let main = format!("#include \"shared.hlsli\"\n{GRAPH}");
    for (name, text) in [("wgc.json", described), ("shared.hlsli", header), ("plain.hlsl", &main), ("wide.hlsl", &main)]
    {
        std::fs::write(path(name), text).expect("written");
    }
    let mut client = Client::full();
    let shared = uri(&path("shared.hlsli"));
    client.open(&shared, header);
    assert_eq!(client.diagnostics(&shared), [], "nothing is left out everywhere");
    let document = json!({ "uri": shared });
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": document })).expect("symbols");
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["S", "Wide", "Narrow"]);
    let tokens = client.request("textDocument/semanticTokens/full", json!({ "textDocument": document }));
    // S, n; WIDE; name, type, parameter, its use and the field, twice.
    assert_eq!(tokens.expect("tokens")["data"].as_array().map(Vec::len), Some(5 * (2 + 1 + 5 + 5)));
    for function in ["Wide", "Narrow"] {
        let part = format!("uint {function}(S input) {{ return input.n");
        let place = at(header, &part, part.len() - 1);
        let params = json!({ "textDocument": document, "position": place });
        let found = client.request("textDocument/completion", params).expect("an answer");
        assert_eq!(found["items"][0]["label"], "n", "{function}");
        let params = json!({ "textDocument": document, "positions": [place] });
        let grown = client.request("textDocument/selectionRange", params).expect("an answer");
        let (mut depth, mut next) = (0, &grown[0]);
        while next.is_object() {
            (depth, next) = (depth + 1, &next["parent"]);
        }
        // Member, expression, statement, body, function, all: the parser's nodes are included.
        assert!(depth >= 6, "{function}: {grown:#}");
    }
}

/// Diagnostics of a translation unit appear once. Diagnostics of the whole program appear in each file.
#[test]
fn programs_of_several_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let described = r#"{ "programs": { "p": { "files": ["a.hlsl", "b.hlsl"] } } }"#;
    let header = "struct R { uint n; };\nuit frame;\n";
    let resources = "RWStructuredBuffer<uint> B : register(u0);\nStructuredBuffer<uint> T : register(t0);\n";
    let node = |name: &str, to: &str| {
        format!(
            "#include \"shared.hlsli\"\n{resources}[Shader(\"node\")] [NodeLaunch(\"thread\")]\n\
             void {name}(ThreadNodeInputRecord<R> input{to}) {{ B[0] = T[input.Get().n]; }}\n"
        )
    };
    let first = node("First", ", [MaxRecords(1)] [NodeID(\"Second\")] NodeOutput<R> next");
    let second = node("Second", "");
    for (name, text) in [("wgc.json", described), ("shared.hlsli", header), ("a.hlsl", &first), ("b.hlsl", &second)] {
        std::fs::write(path(name), text).expect("written");
    }
    let [shared, a, b] = ["shared.hlsli", "a.hlsl", "b.hlsl"].map(|name| uri(&path(name)));
    let again = json!({ "codeLens": { "refreshSupport": true } });
    let mut client = Client::new(json!({ "workspace": again }), Value::Null);
    client.open(&shared, header);
    let codes: Vec<String> = client.diagnostics(&shared).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["WG0101"], "one mistake, whoever includes it");
    client.replace(&shared, "struct R { uint n; };\n");
    assert_eq!(client.diagnostics(&shared), []);

    client.open(&a, &first);
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": a }, "range": everything });
    let hints = client.request("textDocument/inlayHint", params).expect("hints");
    let labels: Vec<&str> = hints.as_array().expect("a list").iter().filter_map(|one| one["label"].as_str()).collect();
    assert!(labels.contains(&"binding 0, set 0") && labels.contains(&"binding 1, set 0"), "{labels:?}");

    client.open(&b, &second);
    assert_eq!(client.diagnostics(&b), []);
    let lens = |client: &mut Client| {
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": b } })).expect("lenses");
        lenses[0]["command"]["title"].as_str().unwrap_or_default().to_owned()
    };
    assert!(lens(&mut client).contains("1 producer"));
    client.notifications.clear();
    client.replace(&a, &first.replace("\"Second\"", "\"Third\""));
    client.wait("workspace/codeLens/refresh");
    assert!(lens(&mut client).contains("0 producers"), "{}", lens(&mut client));
}

#[test]
fn server_reads_shadertoolsconfig_json() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("include")).expect("made");
    std::fs::write(folder.path().join("include/n.hlsli"), "typedef N M;\n").expect("written");
    let config = folder.path().join("shadertoolsconfig.json");
    let described = r#"{ "root": true, "hlsl.preprocessorDefinitions": { "N": "uint" },
        "hlsl.additionalIncludeDirectories": ["include"] }"#;
    std::fs::write(&config, described).expect("written");
    let text = format!("#include <n.hlsli>\n{}", GRAPH.replace("uint n", "M n"));
    let main = uri(&folder.path().join("graph.hlsl"));
    let mut client = Client::full();
    client.open(&main, &text);
    assert_eq!(client.diagnostics(&main), []);
    std::fs::remove_file(&config).expect("it goes");
    tell(&client, &config, DELETED);
    client.until(&main, |all| !all.is_empty());
}

/// Sends every request at some positions of a document.
fn ask_all(client: &mut Client, uri: &str, lines: u32) {
    let document = json!({ "uri": uri });
    for method in ["textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/codeLens", "wgc/graph"] {
        let answer = client.request(method, json!({ "textDocument": document }));
        assert!(answer.is_ok(), "{method}: {answer:?}");
    }
    for line in [0, lines / 2, lines] {
        for method in ["definition", "references", "hover", "prepareCallHierarchy", "completion"] {
            let params = json!({ "textDocument": document, "position": { "line": line, "character": 3 } });
            let answer = client.request(&format!("textDocument/{method}"), params);
            assert!(answer.is_ok(), "{method}: {answer:?}");
        }
    }
}

#[test]
fn binary_includes_do_not_break_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    // Bytes of all values, as in an image; some begin with the byte-order marks of UTF-16.
    let mut state = 1u32;
    let mut noise = |start: &[u8], count: usize| -> Vec<u8> {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        start.iter().copied().chain((0..count).map(|_| next())).collect()
    };
    for (name, bytes) in [
        ("noise.hlsli", noise(b"", 20_000)),
        ("wide.hlsli", noise(b"\xff\xfeh\0i\0", 2000)),
        ("image.hlsli", noise(b"\x89PNG\r\n\x1a\n\0\0\0\r", 20_000)),
        ("zeros.hlsli", vec![0; 50_000]),
        ("empty.hlsli", Vec::new()),
    ] {
        let (header, main) = (folder.path().join(name), folder.path().join("graph.hlsl"));
        std::fs::write(&header, &bytes).expect("written");
        let mut client = Client::full();
        // Included, and open in the editor.
        client.open(&uri(&main), &format!("#include \"{name}\"\n{GRAPH}"));
        let diagnostics = client.diagnostics(&uri(&main));
        ask_all(&mut client, &uri(&main), 20);
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        client.open(&uri(&header), &shown);
        client.diagnostics(&uri(&header));
        ask_all(&mut client, &uri(&header), shown.lines().count() as u32);
        client.close(&uri(&header));
        client.replace(&uri(&main), GRAPH);
        assert_eq!(client.diagnostics(&uri(&main)), [], "after {name}: {diagnostics:?}");
        assert_eq!(client.messages, [""; 0], "no request panicked");
        assert_eq!(client.leave(), Ok(()));
    }
}

#[test]
fn large_documents_are_answered_or_reported() {
    let mut client = Client::full();
    // One long line, one deep nest, and many lines.
    let line = format!("static const uint a[] = {{ {} }};\n", "1, ".repeat(100_000));
    let nest = format!("static const uint a = {}1{};\n", "(".repeat(50_000), ")".repeat(50_000));
    let lines =
        "uint f(uint x) { return x + 1; }\n".to_owned() + &"// a line of words that say nothing\n".repeat(100_000);
    for text in [line, nest, lines] {
        client.open(URI, &text);
        client.diagnostics(URI);
        ask_all(&mut client, URI, text.lines().count() as u32);
        client.close(URI);
    }
    // Files that are too large are not read but reported. Limits apply to tokens of a program, with its includes, and
    // to bytes of a file.
    let functions = "uint f(uint x) { return x + 1; }\n".repeat(40_000);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("many.hlsli"), &functions).expect("written");
    let uri = format!("file://{}/a.hlsl", folder.path().display());
    for text in [functions.as_str(), "#include \"many.hlsli\"\n", &" nonsense".repeat(1 << 20)] {
        client.open(&uri, text);
        let codes: Vec<String> = client.diagnostics(&uri).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["large"]);
        ask_all(&mut client, &uri, 10);
        client.replace(&uri, GRAPH);
        assert_eq!(client.diagnostics(&uri), []);
        client.close(&uri);
    }
    // Shows the most severe of thousands of messages.
    client.open(URI, &format!("{}{GRAPH}", "@ $ `\n".repeat(2_000)));
    let diagnostics = client.diagnostics(URI);
    assert_eq!(diagnostics.len(), 1_000);
    assert!(client.published[URI].1[999]["message"].as_str().is_some_and(|text| text.ends_with("are not shown")));
    client.replace(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), []);
    assert_eq!(client.messages, [""; 0], "no request panicked");
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn server_discards_old_data_and_keeps_open_documents() {
    let mut client = Client::forgetful();
    client.open(URI, GRAPH);
    client.diagnostics(URI);
    let params = json!({ "textDocument": { "uri": URI }, "position": at(GRAPH, "NodeID(\"leaves\")]", 9) });
    for number in 0..300 {
        let other = format!("file:///lsp/{}.hlsl", number % 7);
        client.open(&other, &GRAPH.replace("second", &format!("second{number}")));
        client.replace(URI, &format!("{GRAPH}float f{number}(float x) {{ return x; }}\n"));
        let found = client.request("textDocument/definition", params.clone()).expect("an answer");
        assert_eq!(found.as_array().map(Vec::len), Some(2));
        client.close(&other);
    }
    // The server checks its size at every 128th of 901 events. Each time the database had grown too much.
    let forgot = client.messages.iter().filter(|message| message.contains("restarted its analysis")).count();
    assert!((3..=7).contains(&forgot), "{:?}", client.messages);
    assert_eq!(client.messages.len(), forgot, "{:?}", client.messages);
    // Open documents are kept.
    client.replace(URI, &GRAPH.replace("Out[0] =", "Ouch[0] ="));
    assert_eq!(client.diagnostics(URI).len(), 1);
    client.replace(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), []);
    assert_eq!(client.leave(), Ok(()));
}
