//! The graph that the server draws and updates.

use crate::GRAPH;
use crate::client::{Client, shown};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/graph.hlsl";

fn drawing() -> Client {
    Client::new(
        json!({
            "general": { "positionEncodings": ["utf-8"] },
            "experimental": { "wgcGraph": true },
            "window": { "showDocument": { "support": true } },
        }),
        Value::Null,
    )
}

fn graph(client: &mut Client, uri: &str) -> Value {
    client.request("wgc/graph", json!({ "textDocument": { "uri": uri } })).expect("a graph")
}

fn names(graph: &Value) -> Vec<&str> {
    graph["nodes"].as_array().expect("nodes").iter().map(|node| node["name"].as_str().expect("a name")).collect()
}

/// Returns `from output to`, by the names of the nodes.
fn edges(graph: &Value) -> Vec<String> {
    let names = names(graph);
    let name = |edge: &Value, end: &str| names[edge[end].as_u64().expect("a number") as usize].to_owned();
    let shown = |edge: &Value| {
        format!("{} {} {}", name(edge, "from"), edge["output"].as_str().unwrap_or("?"), name(edge, "to"))
    };
    graph["edges"].as_array().expect("edges").iter().map(shown).collect()
}

#[test]
fn the_graph_request_returns_nodes_edges_budgets_and_svg() {
    let mut client = drawing();
    client.open(URI, GRAPH);
    let found = graph(&mut client, URI);
    assert_eq!((&found["programs"], &found["program"]), (&json!(["graph.hlsl"]), &json!("graph.hlsl")));
    assert_eq!(names(&found), ["first", "second", "leaves", "leaves[1]"]);
    assert_eq!(edges(&found), ["first second second", "first others leaves", "first others leaves[1]"]);
    let first = &found["nodes"][0];
    assert_eq!((&first["launch"], &first["entry"], &first["count"]), (&json!("thread"), &json!(true), &json!(1)));
    assert_eq!(first["input"], json!({ "record": "R", "bytes": 4, "name": "input", "maxRecords": 1 }));
    let budget = json!({ "records": { "used": 3, "limit": 8 }, "bytes": { "used": 12, "limit": 128 } });
    assert_eq!(first["budget"], budget);
    assert_eq!(first["location"]["uri"], URI);
    assert_eq!(shown(&first["location"]["range"]), "4:5-4:10");
    // The range covers the attributes and the body of the function.
    assert_eq!(shown(&first["ranges"][0]["range"]), "3:0-9:1");
    let others = &found["edges"][1];
    let fields = [&others["maxRecords"], &others["record"], &others["bytes"], &others["array"], &others["recursion"]];
    assert_eq!(fields, [&json!(2), &json!("R"), &json!(4), &json!(2), &json!(false)]);
    assert!(shown(&others["location"]["range"]).starts_with("5:11-5:"), "{others}");
    let svg = found["svg"].as_str().expect("a picture");
    for part in ["data-node=\"3\"", "leaves[1]", "others[2]: at most 2; R, 4 bytes", "3 of 8 records, 12 of 128 bytes"]
    {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
    assert!(!svg.contains("<style") && found["style"].as_str().is_some_and(|style| style.contains(".wgc-graph")));
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn graph_views_are_notified_of_changes() {
    let mut client = drawing();
    client.open(URI, GRAPH);
    client.wait("wgc/graphChanged");
    assert_eq!(graph(&mut client, URI)["nodes"][0]["errors"], 0);
    // Causes an error in the first node, and renames the second.
    client.replace(URI, &GRAPH.replace("void second", "void third").replace("others[input", "nonsense[input"));
    client.wait("wgc/graphChanged");
    let found = graph(&mut client, URI);
    assert_eq!(names(&found), ["first", "third", "leaves", "leaves[1]", "second"]);
    assert_eq!(edges(&found)[0], "first second second");
    let missing = &found["nodes"][4];
    assert_eq!((&missing["count"], &missing["location"]), (&json!(0), &Value::Null));
    // The undeclared name, and the missing target.
    assert_eq!(found["nodes"][0]["errors"], 2, "{:?}", client.published);
    // The other nodes have no errors.
    assert_eq!((&found["nodes"][1]["errors"], &found["nodes"][2]["errors"]), (&json!(0), &json!(0)));
    assert!(found["svg"].as_str().is_some_and(|svg| svg.contains("node thread entry error")), "{found}");
    // Clients that show no graphs receive none.
    let mut other = Client::full();
    other.open(URI, GRAPH);
    other.diagnostics(URI);
    assert_eq!(other.notifications, []);
}

#[test]
fn recursion_sharing_and_arrays_are_shown() {
    let mut text = String::from(
        "struct R { uint n; };\n\
         [Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(16, 1, 1)] [NumThreads(64, 1, 1)]\n\
         [NodeMaxRecursionDepth(3)]\n\
         void Walk(DispatchNodeInputRecord<G> input, [MaxRecords(4)] NodeOutput<G> Walk,\n\
         \x20         [MaxRecords(2)] [NodeID(\"Many\")] NodeOutputArray<R> many,\n\
         \x20         [MaxRecordsSharedWith(many)] [NodeID(\"Many\")] [NodeArraySize(3)] NodeOutputArray<R> few,\n\
         \x20         [MaxRecords(1)] [UnboundedSparseNodes] NodeOutputArray<R> Sparse) {}\n\
         [Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(16, 1, 1)] [NumThreads(32, 1, 1)]\n\
         [NodeShareInputOf(\"Walk\")]\n\
         void Beside(DispatchNodeInputRecord<G> input) {}\n",
    );
    text.insert_str(0, "struct G { uint3 grid : SV_DispatchGrid; };\n");
    for n in 0..9 {
        text += &format!(
            "[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"Many\", {n})] void m{n}(ThreadNodeInputRecord<R> r) {{}}\n"
        );
    }
    let mut client = drawing();
    client.open(URI, &text);
    let found = graph(&mut client, URI);
    assert_eq!(names(&found), ["Walk", "Beside", "Many[0..8]", "Sparse"], "nine are one");
    assert_eq!(edges(&found), ["Walk Walk Walk", "Walk many Many[0..8]", "Walk few Many[0..8]", "Walk Sparse Sparse"]);
    let walk = &found["nodes"][0];
    assert_eq!((&walk["grid"], &walk["threads"]), (&json!({ "max": [16, 1, 1] }), &json!([64, 1, 1])));
    assert_eq!((&walk["maxRecursion"], &found["edges"][0]["recursion"]), (&json!(3), &json!(true)));
    assert_eq!(found["nodes"][1]["sharesInputOf"], 0);
    assert_eq!(
        (&found["nodes"][2]["count"], found["nodes"][2]["ranges"].as_array().map(Vec::len)),
        (&json!(9), Some(9))
    );
    assert_eq!((&found["edges"][2]["sharesRecordsWith"], &found["edges"][2]["array"]), (&json!("many"), &json!(3)));
    assert_eq!((&found["edges"][3]["sparse"], &found["edges"][3]["array"]), (&json!(true), &json!("unbounded")));
    let svg = found["svg"].as_str().expect("a picture");
    for part in [
        "broadcasting, entry, 3 levels of recursion",
        "64\u{d7}1\u{d7}1 threads, grids up to 16\u{d7}1\u{d7}1",
        "few[3]: shared with many; R, 4 bytes",
        "9 thread nodes",
        "does not exist",
        "Beside shares the input of Walk",
    ] {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
}

#[test]
fn node_names_are_escaped_in_the_svg() {
    let mut client = drawing();
    client.open(URI, &GRAPH.replace("\"leaves\"", "\"</svg><script>alert(1)</script>\""));
    let found = graph(&mut client, URI);
    assert!(names(&found).iter().any(|name| name.contains("<script>")), "{found}");
    let svg = found["svg"].as_str().expect("a picture");
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"), "{svg}");
}

#[test]
fn each_project_program_has_its_own_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write(
        "wgc.json",
        r#"{ "programs": { "near": { "files": ["a.hlsl"] }, "far": { "files": ["a.hlsl", "b.hlsl"] } } }"#,
    );
    write("a.hlsl", GRAPH);
    write("b.hlsl", "[Shader(\"node\")] [NodeLaunch(\"thread\")] void lone() {}\n");
    let uri = format!("file://{}/a.hlsl", folder.path().display());
    let mut client = drawing();
    client.open(&uri, GRAPH);
    let near = graph(&mut client, &uri);
    assert_eq!((&near["programs"], &near["program"]), (&json!(["near", "far"]), &json!("near")));
    let far =
        client.request("wgc/graph", json!({ "textDocument": { "uri": uri }, "program": "far" })).expect("a graph");
    assert_eq!((far["program"].as_str(), names(&far).len()), (Some("far"), 5));
}

#[test]
fn the_graph_of_documents_without_nodes_is_empty() {
    let mut client = drawing();
    let nothing = "file:///lsp/never-opened.hlsl";
    assert_eq!(graph(&mut client, nothing), Value::Null);
    client.open(URI, "float x;\n");
    assert_eq!(names(&graph(&mut client, URI)), [""; 0]);
    assert_eq!(client.request("wgc/graph", json!({})), Err(-32602));
}

#[test]
fn the_graph_command_writes_an_svg_and_shows_it() {
    let mut client = drawing();
    let run = |arguments: Value| json!({ "command": "wgc.graph", "arguments": arguments });
    assert_eq!(client.request("workspace/executeCommand", run(json!([]))), Err(-32602), "nothing is open");
    client.open(URI, GRAPH);
    let answer = client.request("workspace/executeCommand", run(json!([]))).expect("a file");
    let shown = client.wait("window/showDocument");
    assert_eq!((&shown["uri"], &shown["external"]), (&answer["uri"], &json!(true)));
    let file = answer["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file");
    let text = std::fs::read_to_string(file).expect("it is there");
    assert!(text.starts_with("<svg ") && text.contains("<style>") && text.trim_end().ends_with("</svg>"), "{text}");
    std::fs::remove_file(file).expect("it goes");
    assert_eq!(client.request("workspace/executeCommand", json!({ "command": "rm" })), Err(-32602));
}

#[test]
fn lenses_open_the_graph_if_the_client_can_show_it() {
    let command = |capabilities: Value| {
        let mut client = Client::new(capabilities, Value::Null);
        client.open(URI, GRAPH);
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
        let first = lenses.expect("lenses")[0]["command"].clone();
        (first["command"].as_str().unwrap_or("none").to_owned(), first["arguments"].clone())
    };
    assert_eq!(command(json!({})), (String::new(), Value::Null));
    assert_eq!(command(json!({ "experimental": { "wgcGraph": true } })), ("wgc.showGraph".to_owned(), Value::Null));
    let shows = json!({ "window": { "showDocument": { "support": true } } });
    assert_eq!(command(shows), ("wgc.graph".to_owned(), json!([URI])));
}
