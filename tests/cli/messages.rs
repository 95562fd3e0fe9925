//! Messages: their text, formats for programs, levels of warnings, the cap on errors, `wgc explain`.

use crate::support::{Ran, Scratch, wgc};
use serde_json::{Value, json};

/// One error with a fix, one through a macro, one after a character of two bytes, one warning; a byte-order mark.
const SOURCE: &str = "\u{feff}#define BAD(x) x + nothing_here
struct R { uint a; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [Sticky]
void root([MaxRecords(1)] NodeOutput<R> chidl) {
    uint y = BAD(1);
    /* \u{e9} */ uint z = qq;
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void child(ThreadNodeInputRecord<R> i) { }
";

fn source() -> Scratch {
    Scratch::new().with("odd name.hlsl", SOURCE)
}

fn check(dir: &Scratch, args: &[&str]) -> Ran {
    wgc(&dir.0, ["check", "odd name.hlsl"].iter().chain(args))
}

/// Returns line and column (from 1, in characters) of the only occurrence of a piece of the source.
fn place(piece: &str) -> (usize, usize) {
    let text = SOURCE.trim_start_matches('\u{feff}');
    assert_eq!(text.matches(piece).count(), 1, "{piece}");
    let before = &text[..text.find(piece).expect("it is there")];
    (before.matches('\n').count() + 1, before.rsplit('\n').next().expect("a line").chars().count() + 1)
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

/// Messages use the line names of `#line`; a fix changes the file that was read.
#[test]
fn messages_use_locations_of_line_directives() {
    let before = "#line 30 \"original.hlsl\"\n";
    let dir = Scratch::new().with("odd name.hlsl", before.to_owned() + SOURCE.trim_start_matches('\u{feff}'));
    let found = objects(&check(&dir, &["--message-format=json"]).expect(1).out());
    let target = found.iter().find(|o| o["code"] == "WG0401").expect("the wrong target");
    let (line, column) = place("chidl");
    assert_eq!(json!([target["file"], target["line"], target["column"]]), json!(["original.hlsl", line + 29, column]));
    let fix = &target["fix"];
    assert_eq!(json!([fix["file"], fix["line"]]), json!(["odd name.hlsl", line + 1]));
    let short = check(&dir, &["--message-format=short"]).expect(1).stderr;
    assert!(short.contains(&format!("original.hlsl:{}:{column}: error[WG0401]", line + 29)), "{short}");
}

/// `#line` may name any line of any file. No format prints a line 0, and none fails to print the message.
#[test]
fn messages_handle_extreme_line_directives() {
    let numbers =
        ["0", "1", "2147483647", "4294967295", "0 \"\"", "4294967295 \"a\\\"b\u{7f}\u{1b}[31m\"", "7 \"../..\""];
    for number in numbers {
        for source in [
            "uint x = ;\n",
            "\n\n[Shader(\"node\")] [NodeLaunch(\"thread\")] void n() {\n  uint a = missing; }\n",
            "#define M missing +\n#line 0\nstatic uint a = M\n M\n 1;\n",
        ] {
            let dir = Scratch::new().with("odd name.hlsl", format!("#line {number}\n{source}"));
            for format in ["human", "short"] {
                let stderr = check(&dir, &["--message-format", format]).expect(1).stderr;
                assert!(stderr.contains("error"), "{number} {format}: {stderr}");
            }
            let found = objects(&check(&dir, &["--message-format=json"]).expect(1).out());
            for object in &found {
                let lines = [&object["line"], &object["end_line"]].map(|n| n.as_u64().expect("a line"));
                assert!((1..1 << 31).contains(&lines[0]) && lines[0] <= lines[1], "{number}: {object}");
            }
            let log = check(&dir, &["--message-format=sarif"]).expect(1).out();
            let log: Value = serde_json::from_str(&log).expect("one document");
            for result in log["runs"][0]["results"].as_array().expect("a list") {
                let region = &result["locations"][0]["physicalLocation"]["region"];
                assert!(
                    region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1),
                    "{result}"
                );
            }
        }
    }
    // A number that does not fit 32 bits is an error in the directive.
    for number in ["4294967296", "-1", "99999999999999999999999999"] {
        let dir = Scratch::new().with("odd name.hlsl", format!("#line {number}\nuint x;\n"));
        let stderr = check(&dir, &["--message-format=short"]).expect(1).stderr;
        assert!(stderr.contains("odd name.hlsl:1:"), "{stderr}");
    }
}

/// A message shows the start of a long word and its length, in each format.
#[test]
fn messages_truncate_long_tokens() {
    let name = "n".repeat(60_000);
    let sources = [
        format!("static const uint x = {name};\n"),
        format!("static const uint x = {};\n", "9".repeat(60_000)),
        format!("struct {name} {{ uint a; }};\nstatic {name} s = 1 + {name}::b;\n"),
        format!("#define {name} missing\nstatic const uint x = {name};\n"),
        format!("#include \"{name}\"\n"),
        format!("#error {name}\n"),
        format!("#{name}\n"),
        format!("[{name}] void f() {{ }}\n[Shader(\"{name}\")] void g() {{ {name}(1); f({name}); }}\n"),
        format!("static const uint x = \"{name}\";\n"),
        format!("void f(uint {name}) {{ uint {name}; float4 v; v.{name} = 1; }}\n"),
        format!("enum {name} {{ A }}; {name} {name};\ntemplate <typename {name}> void f();\n"),
    ];
    for source in sources {
        let dir = Scratch::new().with("odd name.hlsl", &source);
        for format in ["human", "short", "json", "sarif"] {
            let ran = check(&dir, &["--message-format", format]);
            let output = ran.out() + &ran.stderr;
            assert!(
                !output.is_empty() && output.len() < 64 << 10,
                "{format} {}: {} bytes",
                &source[..60],
                output.len()
            );
        }
    }
}

/// Errors that stop a command are reported in the format of findings.
#[test]
fn fatal_errors_are_printed_in_the_message_format() {
    let dir = Scratch::new().with("graph.hlsl", "[Shader(\"node\")] [NodeLaunch(\"thread\")] void a() { }\n");
    let ran = wgc(&dir.0, ["check", "none.hlsl", "--message-format=json"]).expect(2);
    let found = objects(&ran.out());
    assert_eq!((found.len(), ran.stderr.as_str()), (1, ""));
    assert_eq!(json!([found[0]["severity"], found[0]["code"], found[0]["file"]]), json!(["error", null, null]));
    assert!(found[0]["message"].as_str().expect("text").contains("none.hlsl"));
    let ran = wgc(&dir.0, ["check", "none.hlsl", "--message-format=sarif"]).expect(2);
    let log: Value = serde_json::from_str(&ran.out()).expect("a document");
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["level"], "error");
    assert!(results[0]["message"]["text"].as_str().expect("text").contains("none.hlsl"));
    // Compiling writes both to standard error.
    let ran = wgc(&dir.0, ["none.hlsl", "--message-format=json"]).expect(2);
    assert_eq!((objects(&ran.stderr).len(), ran.out().as_str()), (1, ""));
    assert!(wgc(&dir.0, ["check", "none.hlsl"]).expect(2).stderr.starts_with("wgc: cannot read"));
}

#[test]
fn json_is_one_object_a_line() {
    let dir = source();
    let ran = check(&dir, &["--message-format=json"]).expect(1);
    assert_eq!(ran.stderr, "");
    let found = objects(&ran.out());
    let summary: Vec<_> =
        found.iter().map(|o| (o["severity"].as_str().expect("text"), o["code"].as_str().expect("text"))).collect();
    assert_eq!(summary, [("warning", "WG0119"), ("error", "WG0401"), ("error", "WG0101"), ("error", "WG0101")]);
    let keys: Vec<_> = found[0].as_object().expect("an object").keys().map(String::as_str).collect();
    let places = ["file", "line", "column", "end_line", "end_column"];
    assert_eq!(keys[..4], ["severity", "code", "name", "message"]);
    assert_eq!(keys[4..9], places);
    assert_eq!(keys[9..], ["labels", "notes", "fix"]);

    let target = &found[1];
    let (line, column) = place("chidl");
    assert_eq!(target["file"], "odd name.hlsl");
    assert_eq!(target["name"], "missing-target");
    assert_eq!([&target["line"], &target["column"]], [&json!(line), &json!(column)]);
    assert_eq!([&target["end_line"], &target["end_column"]], [&json!(line), &json!(column + "chidl".len())]);
    let other = &target["labels"][1];
    assert_eq!(json!([other["line"], other["column"]]), json!([place("child(").0, place("child(").1]));
    let fix = &target["fix"];
    let (line, column) = place("[MaxRecords");
    assert_eq!(fix["replacement"], "[NodeID(\"child\")] ");
    // The fix inserts text before the span and replaces none.
    assert_eq!(
        json!([fix["line"], fix["column"], fix["end_line"], fix["end_column"]]),
        json!([line, column, line, column])
    );

    let expanded = &found[2];
    assert_eq!(json!([expanded["line"], expanded["column"]]), json!([place("BAD(1)").0, place("BAD(1)").1]));
    let step = &expanded["labels"][0]["expansions"][0];
    let (line, column) = place("nothing_here");
    assert_eq!(json!([step["macro"], step["line"], step["column"]]), json!(["BAD", line, column]));

    let (line, column) = place("qq");
    assert_eq!(json!([found[3]["line"], found[3]["column"]]), json!([line, column]));
    assert_eq!(found[3]["fix"], Value::Null);
}

/// A mistake in a header: each format prints the chain of includes.
#[test]
fn header_diagnostics_show_the_include_chain() {
    let dir = Scratch::new()
        .with("inner.hlsli", "#pragma once\n#define ADD(x) x + missing\nuint f() { return ADD(1); }\n")
        .with("outer.hlsli", "// first\n#include \"inner.hlsli\"\n")
        .with("other.hlsli", "#include \"inner.hlsli\"\n")
        .with(
            "a.hlsl",
            "#include \"outer.hlsli\"\n#include \"other.hlsli\"\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")] void n() { f(); }\n",
        );
    let run = |format: &str| wgc(&dir.0, ["check", "a.hlsl", format]).expect(1);
    let human = run("--message-format=human").stderr;
    assert!(human.contains("= included from outer.hlsli:2, a.hlsl:1\n"), "{human}");
    let json = objects(&run("--message-format=json").out());
    let place = |o: &Value| json!([o["file"], o["line"], o["column"], o["end_column"]]);
    let by: Vec<_> = json[0]["labels"][0]["included_from"].as_array().expect("a list").iter().map(place).collect();
    assert_eq!(by, [json!(["outer.hlsli", 2, 10, 23]), json!(["a.hlsl", 1, 10, 23])]);
    let log: Value = serde_json::from_str(&run("--message-format=sarif").out()).expect("one document");
    let related = log["runs"][0]["results"][0]["relatedLocations"].as_array().expect("a list").iter();
    let shown = |o: &Value| {
        let at = &o["physicalLocation"];
        json!([at["artifactLocation"]["uri"], at["region"]["startLine"], o["message"]["text"]])
    };
    let wanted = [
        json!(["inner.hlsli", 2, "expanded from macro `ADD`"]),
        json!(["outer.hlsli", 2, "included here"]),
        json!(["a.hlsl", 1, "included here"]),
    ];
    assert_eq!(related.map(shown).collect::<Vec<_>>(), wanted);
}

/// Standard output of a compilation may be the module, so messages do not go there.
#[test]
fn json_of_a_compilation_goes_to_standard_error() {
    let dir = source();
    let ran = wgc(&dir.0, ["odd name.hlsl", "-spirv", "-o", "-", "--message-format=json"]).expect(1);
    assert_eq!(ran.stdout, b"");
    assert_eq!(objects(&ran.stderr).len(), 4);
}

/// A misspelt `-W` is the only message, and an error, before anything is compiled.
#[test]
fn sarif_has_errors_about_options() {
    let dir = source();
    let ran = check(&dir, &["--message-format=sarif", "-WX", "-Wno-WG9999"]).expect(1);
    let log: Value = serde_json::from_str(&ran.out()).expect("one document");
    let results = log["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["level"], "error");
    let text = "-Wno-WG9999 has no effect: unknown diagnostic `WG9999`; `wgc explain` lists them";
    assert_eq!(results[0]["message"]["text"], text);
}

#[test]
fn sarif_is_one_document() {
    let dir = source().with("good.hlsl", SOURCE.lines().skip(7).collect::<Vec<_>>().join("\n"));
    let ran = check(&dir, &["--message-format=sarif"]).expect(1);
    let log: Value = serde_json::from_str(&ran.out()).expect("one document");
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules: Vec<_> = run["tool"]["driver"]["rules"].as_array().expect("a list").iter().map(|r| &r["id"]).collect();
    assert_eq!(rules, ["WG0101", "WG0119", "WG0401"]);
    let results = run["results"].as_array().expect("a list");
    for result in results {
        // The index names the same rule as the ID, because readers may use either.
        assert_eq!(rules[result["ruleIndex"].as_u64().expect("a number") as usize], &result["ruleId"]);
    }
    assert_eq!(json!([results[0]["level"], results[1]["level"]]), json!(["warning", "error"]));
    let at = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(at["artifactLocation"]["uri"], "odd%20name.hlsl");
    let (line, column) = place("chidl");
    let region = json!({ "startLine": line, "startColumn": column, "endLine": line, "endColumn": column + 5 });
    assert_eq!(at["region"], region);
    let change = &results[1]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "[NodeID(\"child\")] ");

    // A location in a macro expansion relates to the definition.
    let expanded = &results[2];
    let (line, column) = place("nothing_here");
    assert_eq!(
        expanded["relatedLocations"],
        json!([{
            "physicalLocation": {
                "artifactLocation": { "uri": "odd%20name.hlsl" },
                "region": { "startLine": line, "startColumn": column, "endLine": line, "endColumn": column + 12 },
            },
            "message": { "text": "expanded from macro `BAD`" },
        }])
    );
    assert_eq!(results[3]["relatedLocations"], Value::Null);

    // A clean program has a log too; several programs share one.
    let programs = "{\"programs\": {\"a\": {\"files\": [\"odd name.hlsl\"]}, \"b\": {\"files\": [\"odd name.hlsl\"]}}}";
    let dir = dir.with("wgc.json", programs);
    let both = wgc(&dir.0, ["check", "--message-format=sarif"]).expect(1).out();
    let both: Value = serde_json::from_str(&both).expect("one document");
    assert_eq!(both["runs"].as_array().map(Vec::len), Some(2));
    let dir = Scratch::new().with("empty.hlsl", "[Shader(\"node\")] [NodeLaunch(\"thread\")] void n() { }");
    let none = wgc(&dir.0, ["check", "empty.hlsl", "--message-format=sarif"]).expect(0).out();
    let none: Value = serde_json::from_str(&none).expect("one document");
    assert_eq!(none["runs"][0]["results"], json!([]));
}

#[test]
fn warnings_have_levels_and_errors_have_none() {
    let dir = source();
    let codes = |args: &[&str]| {
        let all: Vec<&str> = args.iter().copied().chain(["--message-format=json"]).collect();
        let found = objects(&check(&dir, &all).out());
        let of = |o: &Value| {
            (o["code"].as_str().expect("text").to_owned(), o["severity"].as_str().expect("text").to_owned())
        };
        found.iter().map(of).filter(|(code, _)| code != "WG0101").collect::<Vec<_>>()
    };
    let (attribute, target) = ("WG0119".to_owned(), ("WG0401".to_owned(), "error".to_owned()));
    assert_eq!(codes(&["--allow", "WG0119"]), std::slice::from_ref(&target));
    assert_eq!(codes(&["--deny=unknown-attribute"]), [(attribute.clone(), "error".into()), target.clone()]);
    assert_eq!(codes(&["--deny=all", "--warn", "wg0119"]), [(attribute, "warning".into()), target.clone()]);
    assert_eq!(codes(&["--allow", "all"]), [target]);
    assert!(check(&dir, &["--allow=WG0401"]).expect(1).stderr.contains("only warnings can be turned off"));
    let unknown = check(&dir, &["--allow=missing-targets"]).expect(2).stderr;
    assert!(unknown.contains("did you mean `missing-target`?"), "{unknown}");
}

#[test]
fn messages_have_colours_on_request() {
    let dir = source();
    let is_coloured = |args: &[&str]| check(&dir, args).expect(1).stderr.contains('\u{1b}');
    assert!(is_coloured(&["--color", "always"]));
    // The output is no terminal.
    assert!(!is_coloured(&["--color", "never"]) && !is_coloured(&["--color=auto"]) && !is_coloured(&[]));
}

/// Direct3D registers that do not map to one Vulkan binding are not reported unless the user names a target.
#[test]
fn moved_register_warnings_default_on_with_a_target() {
    let dir = Scratch::new().with(
        "a.hlsl",
        "StructuredBuffer<uint> t : register(t0);\nRWStructuredBuffer<uint> u : register(u0);\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")] void n() { u[0] = t[0]; }\n",
    );
    let check = |args: &[&str], status: i32| wgc(&dir.0, ["check", "a.hlsl"].iter().chain(args)).expect(status).stderr;
    assert_eq!(check(&["-WX"], 0), "");
    assert!(check(&["--warn", "WG0132"], 0).contains("warning[WG0132]"));
    assert!(check(&["--deny", "WG0132"], 1).contains("error[WG0132]"));
    assert!(check(&["--target", "spirv-emulated"], 0).contains("warning[WG0132]"));
    assert!(check(&["--target", "spirv-amdx", "-WX"], 1).contains("error[WG0132]"));
    assert!(check(&["-auto-binding-space", "1"], 0).contains("warning[WG0132]"));
    assert_eq!(check(&["-fvk-u-shift", "10", "0"], 0), "");
    assert!(wgc(&dir.0, ["a.hlsl"]).expect(0).stderr.contains("warning[WG0132]"));
}

#[test]
fn diagnostics_are_truncated_at_the_error_limit() {
    let body: String = (0..150).map(|n| format!("    x{n} = 1;\n")).collect();
    let dir =
        Scratch::new().with("a.hlsl", format!("[Shader(\"node\")] [NodeLaunch(\"thread\")] void n() {{\n{body}}}\n"));
    let lines = |args: &[&str]| {
        let ran = wgc(&dir.0, ["check", "a.hlsl", "--message-format=short"].iter().chain(args)).expect(1);
        ran.stderr.lines().map(String::from).collect::<Vec<_>>()
    };
    let short = lines(&[]);
    assert_eq!(short.len(), 101);
    assert_eq!(short[100], "... and 50 more messages (--error-limit=0 shows all)");
    assert_eq!(lines(&["--error-limit=0"]).len(), 150);
    assert_eq!(lines(&["-ferror-limit=149"])[149], "... and 1 more message (--error-limit=0 shows all)");
    assert_eq!(lines(&["--error-limit", "150"]).len(), 150);
    let json = |limit: &[&str]| {
        let ran = wgc(&dir.0, ["check", "a.hlsl", "--message-format=json"].iter().chain(limit)).expect(1);
        ran.out().lines().count()
    };
    assert_eq!((json(&[]), json(&["--error-limit=7"])), (150, 7));
}

#[test]
fn codes_are_explained() {
    let dir = Scratch::new();
    let by_code = wgc(&dir.0, ["explain", "wg0401"]).expect(0).out();
    for spelled in ["missing-target", "wg401", "401", "0401"] {
        assert_eq!(by_code, wgc(&dir.0, ["explain", spelled]).expect(0).out(), "{spelled}");
    }
    for part in
        ["WG0401 missing-target\nerror\n", "\nWrong:\n\n    ", "\nRight:\n\n    ", "\nSpecification: WorkGraphs.md"]
    {
        assert!(by_code.contains(part), "{part}\n{by_code}");
    }
    let warning = wgc(&dir.0, ["explain", "unknown-attribute"]).expect(0).out();
    assert!(warning.contains("--allow WG0119 hides it, --deny WG0119 makes it an error"), "{warning}");
    let unknown = wgc(&dir.0, ["explain", "missing-targt"]).expect(2).stderr;
    assert!(unknown.contains("did you mean `missing-target`?"), "{unknown}");
    let finding = wgc(&dir.0, ["explain", "wg4012"]).expect(0).out();
    for part in [
        "WG4012\nfinding of the CPU device; with --sanitize error it ends",
        "\nRun:\n\n    wgc run ",
        "\nrun.json:\n\n    {\n",
    ] {
        assert!(finding.contains(part), "{part}\n{finding}");
    }
    let rule = wgc(&dir.0, ["explain", "AMDX-12", "core-dominance"]).expect(0).out();
    assert_eq!(rule, wgc(&dir.0, ["explain", "amdx12", "core-dominance"]).expect(0).out());
    for part in [
        "AMDX-12\nrule of wgc verify; a module that breaks it gets an error\n",
        "\nSpecification: SPV_AMDX_shader_enqueue, ",
        "core-dominance\nrule of wgc verify",
    ] {
        assert!(rule.contains(part), "{part}\n{rule}");
    }
    let list = wgc(&dir.0, ["explain"]).expect(0).out();
    assert_eq!(list.lines().count(), wgc_compiler::registry::all().len());
    // Levels are for the compiler's diagnostics only.
    let dir = Scratch::new().with("a.hlsl", "");
    let level = wgc(&dir.0, ["check", "a.hlsl", "--deny", "WG4012"]).expect(2).stderr;
    assert!(level.contains("`WG4012` is not a diagnostic of the compiler, so it has no level"), "{level}");
}
