//! Settings of clients: at the start, in notifications, and in answers to the server.

use crate::GRAPH;
use crate::client::Client;
use serde_json::{Value, json};

const URI: &str = "file:///lsp/graph.hlsl";

/// Returns a text that needs `-D N=uint`.
fn needs_n() -> String {
    GRAPH.replace("uint n", "N n")
}

#[test]
fn clients_can_push_settings() {
    let mut client = Client::full();
    client.open(URI, &needs_n());
    assert!(!client.diagnostics(URI).is_empty());
    let tell = |client: &Client, settings: Value| {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    };
    tell(&client, json!({ "wgc": { "arguments": ["-D", "N=uint"] } }));
    client.until(URI, <[Value]>::is_empty);
    // Without the section's name, as some clients send it.
    tell(&client, json!({ "arguments": [] }));
    client.until(URI, |all| !all.is_empty());
    tell(&client, json!({ "wgc": { "arguments": "-D N" } }));
    client.replace(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), []);
    assert!(client.messages.iter().any(|message| message.contains("wgc.arguments")), "{:?}", client.messages);
    // The valid settings next to the wrong one apply.
    client.messages.clear();
    tell(&client, json!({ "wgc": { "arguments": ["-D", "N=uint", "--no-such-option"] } }));
    client.replace(URI, &needs_n());
    assert_eq!(client.diagnostics(URI), []);
    assert!(client.messages.iter().any(|message| message.contains("--no-such-option")), "{:?}", client.messages);
    for wrong in [
        &["-HV", "1999"] as &[&str],
        &["--target", "bogus"],
        &["-T", "bogus"],
        &["--bogus", "value"],
        &["-fvk-b-shift", "x", "0"],
        &["x.hlsl"],
    ] {
        for arguments in [[&["-D", "N=uint"], wrong].concat(), [wrong, &["-D", "N=uint"]].concat()] {
            client.messages.clear();
            tell(&client, json!({ "wgc": { "arguments": arguments } }));
            client.replace(URI, &format!("{}// {arguments:?}\n", needs_n()));
            assert_eq!(client.diagnostics(URI), [], "{arguments:?}");
            assert_eq!(client.messages.len(), 1, "{arguments:?}: {:?}", client.messages);
        }
    }
    // A settings file is not a shader.
    client.open("file:///lsp/wgc.json", "{ \"programs\": {} }");
    assert_eq!(client.diagnostics("file:///lsp/wgc.json"), []);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn the_server_pulls_settings_from_the_client() {
    let workspace = json!({
        "configuration": true,
        "didChangeConfiguration": { "dynamicRegistration": true },
        "didChangeWatchedFiles": { "dynamicRegistration": true },
        "inlayHint": { "refreshSupport": true },
    });
    let mut client = Client::new(json!({ "workspace": workspace }), Value::Null);
    client.settings = json!({ "arguments": ["-DN=uint"] });
    let registered = client.wait("client/registerCapability");
    let methods: Vec<&Value> =
        registered["registrations"].as_array().expect("some").iter().map(|one| &one["method"]).collect();
    assert_eq!(methods, ["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
    assert_eq!(client.wait("workspace/configuration"), json!({ "items": [{ "section": "wgc" }] }));
    client.wait("workspace/inlayHint/refresh");
    client.open(URI, &needs_n());
    assert_eq!(client.diagnostics(URI), []);
    // After a notification without settings, the server asks for them.
    client.settings = json!({ "arguments": [] });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.wait("workspace/configuration");
    client.until(URI, |all| !all.is_empty());
    // A client without settings.
    client.settings = Value::Null;
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.wait("workspace/configuration");
    client.replace(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), []);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn warning_options_apply_to_server_diagnostics() {
    // The note about moved registers is never shown here, with or without Vulkan's.
    let text = GRAPH.replace("[NodeLaunch(\"thread\")] [NodeIsProgramEntry]", "[NodeLaunch(\"thread\")] [Strange]");
    let severities = |arguments: Value| {
        let mut client = Client::new(json!({}), json!({ "arguments": arguments }));
        client.open(URI, &text);
        let codes: Vec<String> = client.diagnostics(URI).into_iter().map(|(code, _)| code).collect();
        let severity = client.published[URI].1.iter().map(|d| d["severity"].as_u64().expect("one"));
        codes.into_iter().zip(severity).filter(|(code, _)| code == "WG0119").map(|(_, s)| s).collect::<Vec<_>>()
    };
    assert_eq!(severities(json!([])), [2]);
    assert_eq!(severities(json!(["-WX"])), [1]);
    assert_eq!(severities(json!(["-Wno-unknown-attributes"])), [0; 0]);
    assert_eq!(severities(json!(["--deny", "unknown-attribute"])), [1]);
    assert_eq!(severities(json!(["-no-warnings"])), [0; 0]);
}

#[test]
fn include_directories_are_relative_to_the_workspace() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("shared")).expect("a folder");
    std::fs::write(folder.path().join("shared/record.hlsli"), "struct R { uint n; };\n").expect("written");
    let uri = format!("file://{}", folder.path().display());
    let mut client = Client::in_folder(&uri, json!({ "arguments": ["-I", "shared"] }));
    client.open(URI, &GRAPH.replace("struct R { uint n; };", "#include <record.hlsli>"));
    assert_eq!(client.diagnostics(URI), []);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn directories_follow_the_first_folder_of_the_workspace() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, record) in [("one", "struct R { uint n; };\n"), ("two", "struct Other { uint n; };\n")] {
        std::fs::create_dir_all(folder.path().join(name).join("shared")).expect("a folder");
        std::fs::write(folder.path().join(name).join("shared/record.hlsli"), record).expect("written");
    }
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    let mut client = Client::in_folder(&uri("one"), json!({ "arguments": ["-I", "shared"] }));
    assert_eq!(client.capabilities["workspace"]["workspaceFolders"]["changeNotifications"], true);
    client.open(URI, &GRAPH.replace("struct R { uint n; };", "#include <record.hlsli>"));
    assert_eq!(client.diagnostics(URI), []);
    let change = |client: &Client, added: &[&str], removed: &[&str]| {
        let list = |names: &[&str]| -> Vec<Value> {
            names.iter().map(|name| json!({ "uri": uri(name), "name": name })).collect()
        };
        let event = json!({ "added": list(added), "removed": list(removed) });
        client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    };
    change(&client, &["two"], &["one"]);
    client.until(URI, |all| !all.is_empty());
    // A further folder changes nothing until it is the first.
    change(&client, &["one"], &[]);
    client.replace(URI, &GRAPH.replace("struct R { uint n; };", "#include <record.hlsli>\n"));
    assert!(!client.diagnostics(URI).is_empty());
    change(&client, &[], &["two"]);
    client.until(URI, <[Value]>::is_empty);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn the_diagnostics_setting_selects_push_or_pull() {
    let pulls = json!({ "textDocument": { "diagnostic": {} } });
    let mut client = Client::new(pulls.clone(), json!({ "diagnostics": "push" }));
    assert_eq!(client.capabilities["diagnosticProvider"], Value::Null);
    client.open(URI, "nonsense");
    assert!(!client.diagnostics(URI).is_empty());
    let client = Client::new(pulls, json!({ "diagnostics": "pull" }));
    assert!(client.capabilities["diagnosticProvider"].is_object());
    let mut client = Client::new(json!({}), json!({ "diagnostics": 7 }));
    assert!(client.wait_for_message().contains("wgc.diagnostics"));
}
