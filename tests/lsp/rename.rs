//! Renaming: the program keeps its meaning, or the new name is refused.

use crate::GRAPH;
use crate::client::{Client, at};
use serde_json::{Value, json};
use std::collections::HashMap;

const URI: &str = "file:///lsp/rename.hlsl";

/// An editor that shows the reason for a refusal, which the protocol carries next to the code.
struct Editor {
    client: Client,
    texts: HashMap<String, String>,
    /// The file of the request.
    here: String,
}

impl Editor {
    fn new(files: &[(&str, &str)]) -> Editor {
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8"] }, "textDocument": { "rename": { "prepareSupport": true } },
        });
        let mut client = Client::new(capabilities, Value::Null);
        assert_eq!(client.capabilities["renameProvider"], json!({ "prepareProvider": true }));
        let mut texts = HashMap::new();
        for (uri, text) in files {
            client.open(uri, text);
            texts.insert((*uri).to_owned(), (*text).to_owned());
        }
        Editor { client, texts, here: URI.to_owned() }
    }

    fn place(&self, part: &str, plus: usize) -> Value {
        json!({ "textDocument": { "uri": self.here }, "position": at(&self.texts[&self.here], part, plus) })
    }

    fn ask(&mut self, part: &str, plus: usize, new: &str) -> Result<Value, i32> {
        let mut params = self.place(part, plus);
        params["newName"] = json!(new);
        self.client.request("textDocument/rename", params)
    }

    /// Applies the edits of an answer to the texts, and sends them to the server.
    fn apply(&mut self, answer: &Value) {
        for (uri, edits) in answer["changes"].as_object().expect("changes") {
            let text = self.texts.get_mut(uri).expect("a file that is open");
            let mut edits: Vec<(usize, usize, String)> = edits
                .as_array()
                .expect("edits")
                .iter()
                .map(|edit| {
                    let offset = |end: &str| {
                        let at = |key: &str| edit["range"][end][key].as_u64().expect("a number") as usize;
                        let start: usize = text.split_inclusive('\n').take(at("line")).map(str::len).sum();
                        start + at("character")
                    };
                    (offset("start"), offset("end"), edit["newText"].as_str().expect("text").to_owned())
                })
                .collect();
            edits.sort();
            for (lo, hi, new) in edits.into_iter().rev() {
                text.replace_range(lo..hi, &new);
            }
            self.client.replace(uri, text);
        }
    }

    /// Renames, and checks that the diagnostics stay the same except for the names in them.
    fn rename(&mut self, part: &str, plus: usize, new: &str) -> String {
        let uris: Vec<String> = self.texts.keys().cloned().collect();
        let codes = |client: &mut Client, uri: &str| -> Vec<String> {
            client.diagnostics(uri).into_iter().map(|(code, _)| code).collect()
        };
        let before: Vec<Vec<String>> = uris.iter().map(|uri| codes(&mut self.client, uri)).collect();
        let answer = self.ask(part, plus, new).unwrap_or_else(|_| panic!("{part}: {:?}", self.client.refusals));
        self.apply(&answer);
        for (uri, before) in uris.iter().zip(before) {
            // Between the edits of two files the program is inconsistent.
            codes(&mut self.client, uri);
            self.client.until(uri, |all| all.iter().filter_map(|one| one["code"].as_str()).eq(before.iter()));
        }
        self.texts[&self.here].clone()
    }

    fn diagnostics(&mut self) -> Vec<String> {
        let uris: Vec<String> = self.texts.keys().cloned().collect();
        uris.iter().flat_map(|uri| self.client.diagnostics(uri)).map(|(code, _)| code).collect()
    }

    fn is_refused(&mut self, part: &str, plus: usize, new: &str, why: &str) {
        assert_eq!(self.ask(part, plus, new), Err(-32602), "{part} to {new}");
        let refusal = self.client.refusals.last().expect("a reason");
        assert!(refusal.contains(why), "{part} to {new}: {refusal}");
    }
}

const TEXT: &str = r#"struct R { uint n; uint m; };
RWStructuredBuffer<uint> Out : register(u0);
static const uint Size = 4;
uint Helper(uint a);
uint Helper(uint a) { return a * Size; }
float Helper(float a) { return a; }
#define PUT(i, v) Out[i] = (v)
#define FIELD(r) r.n
#define MAKE(name) uint name##_made = 1
template<typename T> T Same(T value) { T copy = value; return copy; }

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first(ThreadNodeInputRecord<R> input)
{
    R r = input.Get();
    uint local = Helper(r.n);
    { uint inner = local; PUT(0, inner + local + FIELD(r)); }
    MAKE(odd);
    PUT(local, Same(local) + odd_made);
}
"#;

#[test]
fn renaming_changes_every_occurrence_of_a_symbol() {
    for (part, plus, new, expected) in [
        ("uint local", 6, "other", vec!["uint other = Helper(r.n)", "uint inner = other;", "PUT(other, Same(other)"]),
        ("uint n;", 5, "count", vec!["uint count; uint m", "#define FIELD(r) r.count", "Helper(r.count)"]),
        (
            "Helper(r.n",
            1,
            "Scaled",
            vec!["uint Scaled(uint a);\nuint Scaled(uint a) {", "float Helper(float", "= Scaled(r"],
        ),
        ("Out : ", 1, "Results", vec!["<uint> Results : ", "#define PUT(i, v) Results[i]"]),
        ("Size = 4", 1, "Factor", vec!["uint Factor = 4", "a * Factor"]),
        ("R { ", 0, "Record", vec!["struct Record {", "ThreadNodeInputRecord<Record>", "    Record r = "]),
        ("T> T Same", 0, "U", vec!["template<typename U> U Same(U value) { U copy"]),
        ("copy;", 1, "kept", vec!["T kept = value; return kept;"]),
        ("a * Size", 0, "x", vec!["uint Helper(uint a);\nuint Helper(uint x) { return x * Size; }"]),
        ("inner +", 1, "local2", vec!["uint local2 = local; PUT(0, local2 + local + FIELD(r))"]),
        ("r = input", 0, "record", vec!["R record = input", "Helper(record.n)", "FIELD(record))"]),
        // The function has the node's name and there is no string: both are renamed.
        ("void first", 6, "begin", vec!["void begin("]),
    ] {
        let mut editor = Editor::new(&[(URI, TEXT)]);
        let text = editor.rename(part, plus, new);
        for wanted in expected {
            assert!(text.contains(wanted), "{part} to {new}: no `{wanted}` in\n{text}");
        }
        let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').count();
        assert_eq!(words(&text), words(TEXT));
    }
}

#[test]
fn reverting_a_rename_restores_the_text() {
    let mut editor = Editor::new(&[(URI, TEXT)]);
    editor.rename("uint n;", 5, "count");
    editor.rename("uint count;", 5, "n");
    editor.rename("uint local", 6, "other");
    let text = editor.rename("uint other", 6, "local");
    assert_eq!(text, TEXT);
}

#[test]
fn invalid_renames_are_rejected() {
    let mut editor = Editor::new(&[(URI, TEXT)]);
    editor.diagnostics();
    // Invalid names, and keywords.
    for new in ["", "9a", "a b", "for", "float3", "this", "a-b", "\u{e9}"] {
        editor.is_refused(
            "uint local",
            6,
            new,
            if new == "for" || new == "float3" || new == "this" { "keyword" } else { "not a valid name" },
        );
    }
    // A built-in; no name; a macro; a name that a macro creates.
    editor.is_refused("input.Get()", 7, "Fetch", "built in");
    editor.is_refused("uint local", 1, "other", "built in");
    editor.is_refused("return a", 1, "other", "nothing here");
    editor.is_refused("PUT(local", 1, "SET", "cannot rename the macro");
    editor.is_refused("odd_made)", 1, "even", "rename.hlsl:18: a macro builds");
    // The alias of a namespace is not its name.
    let text = "namespace N { namespace M { uint F() { return 1; } } }\nnamespace Other = N::M;\nuint G() { return Other::F() + N::M::F(); }\n";
    let mut editor = Editor::new(&[(URI, text)]);
    editor.is_refused("Other::F", 1, "New", "`Other` is another name of `M`");
    assert_eq!(editor.rename("M::F(); }", 0, "New").matches("New").count(), 3);
}

#[test]
fn renames_that_collide_or_shadow_are_rejected() {
    let mut editor = Editor::new(&[(URI, TEXT)]);
    editor.diagnostics();
    // Declared in the same scope; a field of the same structure.
    editor.is_refused("uint local", 6, "r", "duplicate");
    editor.is_refused("uint n;", 5, "m", "two fields");
    // The local of the block would hide it, where the block uses it.
    editor.is_refused("uint local", 6, "inner", "own initialiser");
    // Would hide a global that is used later.
    editor.is_refused("uint local", 6, "Out", "");
    editor.is_refused("uint local", 6, "Same", "");
    let text = "uint A(uint x) { { uint inner = 2; x += inner; } return x; }\n";
    let mut inside = Editor::new(&[(URI, text)]);
    inside.is_refused("uint x", 5, "inner", "another meaning");
    // Two functions with equal parameters.
    editor.is_refused("Size = 4", 1, "R", "");
    let text = "uint A(uint x) { return x; }\nuint B(uint x) { return x; }\nuint C() { return A(1) + B(2); }\n";
    let mut editor = Editor::new(&[(URI, text)]);
    editor.is_refused("uint B", 5, "A", "");
    // Another call would then choose this overload.
    let text = "uint A(uint x) { return x; }\nuint B(int x) { return x; }\nuint C() { return A(1) + B(2); }\n";
    let mut editor = Editor::new(&[(URI, text)]);
    editor.is_refused("uint B", 5, "A", "");
    // An overload that no call could choose is allowed.
    let text = "uint A(uint x) { return x; }\nuint B(uint2 x) { return x.y; }\nuint C() { return A(1u) + B(uint2(2u, 1u)); }\n";
    let mut editor = Editor::new(&[(URI, text)]);
    assert!(editor.rename("uint B", 5, "A").contains("A(1u) + A(uint2("));
}

#[test]
fn renaming_an_ambiguous_name_in_a_macro_is_refused() {
    let text =
        "#define SHORT (value >> 1)\nuint A(uint value) { return SHORT; }\nuint B(uint value) { return SHORT; }\n";
    let mut editor = Editor::new(&[(URI, text)]);
    editor.is_refused("value) { return SHORT; }\nuint B", 1, "other", "has another meaning");
    // With one use it has one meaning.
    let text = "#define SHORT (value >> 1)\nuint A(uint value) { return SHORT; }\n";
    let mut editor = Editor::new(&[(URI, text)]);
    assert_eq!(
        editor.rename("uint value", 6, "other"),
        "#define SHORT (other >> 1)\nuint A(uint other) { return SHORT; }\n"
    );
}

#[test]
fn renaming_instance_dependent_template_names_is_refused() {
    let why = "in other instances of this template";
    let overloads = "uint kind(uint x) { return 1; }\nuint kind(bool x) { return 2; }\n\
                     template<typename T> uint of(T v) { return kind(v); }\n";
    for calls in ["of(1u) + of(true)", "of(true) + of(1u)", "1", "of(1u) + of(2u) + of(true)"] {
        let text = format!("{overloads}uint all() {{ return {calls}; }}\n");
        for chosen in ["kind(uint", "kind(bool"] {
            Editor::new(&[(URI, &text)]).is_refused(chosen, 0, "sort", why);
        }
    }
    // All instances call the same overload.
    let text = format!("{overloads}uint all() {{ return of(1u) + of(2u); }}\n");
    let renamed = Editor::new(&[(URI, &text)]).rename("kind(uint", 0, "sort");
    assert!(renamed.contains("return sort(v)") && renamed.contains("uint kind(bool"), "{renamed}");

    // Methods and fields of unrelated records, functions of a local type.
    let text = "struct A { uint go() { return 1; } };\nstruct B { uint go() { return 2; } };\n\
                template<typename T> uint of(T t) { return t.go(); }\n\
                uint all() { A a; B b; return of(a) + of(b); }\n";
    Editor::new(&[(URI, text)]).is_refused("go() { return 1", 0, "run", why);
    let text = "struct A { uint x; };\nstruct B { uint x; };\ntemplate<typename T> uint of(T t) { return t.x; }\n\
                uint all() { A a = { 1 }; B b = { 2 }; return of(a) + of(b); }\n";
    Editor::new(&[(URI, text)]).is_refused("x; };\nstruct B", 0, "y", why);
    let text = format!(
        "{}uint all() {{ return of(1u) + of(true); }}\n",
        overloads.replace(
            "return kind(v);",
            "struct L { T t; uint go() { return kind(t); } }; L l; l.t = v; return l.go();"
        )
    );
    Editor::new(&[(URI, &text)]).is_refused("kind(uint", 0, "sort", why);

    // The new name would be an overload that only the second instance chooses.
    let text = "uint kind(int x) { return 1; }\nuint other(bool x) { return 2; }\n\
                template<typename T> uint of(T v) { return kind(v); }\nuint all() { return of(1) + of(true); }\n";
    Editor::new(&[(URI, text)]).is_refused("other", 0, "kind", "already has another meaning");
}

#[test]
fn nodes_are_renamed_with_the_strings_that_name_them() {
    // Through the output parameter, whose name is the node's.
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    let text = editor.rename("> second,", 3, "last");
    assert_eq!(text, GRAPH.replace("second", "last"));
    // Through a string; functions with other names keep them.
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    let text = editor.rename("NodeID(\"leaves\")]", 9, "leafs");
    assert_eq!(text, GRAPH.replace("\"leaves\"", "\"leafs\""));
    // A function whose name differs from its node's.
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    let text = editor.rename("void other_leaf", 6, "second_leaf");
    assert_eq!(text, GRAPH.replace("other_leaf", "second_leaf"));
    // The name of another node.
    editor.is_refused("void first", 6, "second", "");
    editor.is_refused("NodeID(\"leaves\")]", 9, "second", "");
    // A parameter whose node has another name.
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    assert_eq!(editor.rename("> others", 3, "many"), GRAPH.replace("others", "many"));
    // At uses as at the parameters.
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    assert_eq!(editor.rename("others[", 3, "many"), GRAPH.replace("others", "many"));
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    assert_eq!(editor.rename("second.Get", 3, "last"), GRAPH.replace("second", "last"));
}

#[test]
fn renaming_a_node_updates_its_input_sharers() {
    let text = GRAPH.replace(
        "[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid second",
        "[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeShareInputOf(\"second\")]\n\
         void sharer(ThreadNodeInputRecord<R> input) { Out[3] = input.Get().n; }\n\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid second",
    );
    let mut editor = Editor::new(&[(URI, &text)]);
    assert_eq!(editor.rename("void second", 6, "last"), text.replace("second", "last"));
    let mut editor = Editor::new(&[(URI, &text)]);
    assert_eq!(editor.rename("InputOf(\"second\")", 10, "last"), text.replace("second", "last"));
}

/// `Go` belongs to two interfaces that one structure joins; the members of `far` and `other` belong to neither.
const FAMILY: &str = r#"interface I { uint Go(uint x); uint Go(float2 x); };
interface J { uint Go(uint x); };
interface K { uint Go(uint x); };
struct A : I, J { uint Go(uint x) { return x + 1; } uint Go(float2 x) { return 1; } };
struct B : A { uint Go(uint x); uint Go(uint x, uint y) { return y; } };
uint B::Go(uint x) { return x + 2; }
struct Base { uint Go(uint x) { return x + 3; } };
struct C : Base, J { uint Up() { return Base::Go(3); } };
struct Far : K { uint Go(uint x) { return x; } };
struct Other { uint Go(uint x) { return x; } };
template<typename T> struct Box : J { T held; uint Go(uint x) { return x; } };
template<typename T> uint Call(T t) { return t.Go(2); }
RWStructuredBuffer<uint> Out : register(u0);
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first()
{
    struct Local : I { uint Go(uint x) { return x; } uint Go(float2 x) { return 4; } };
    A a; B b; C c; Far far; Other other; Box<uint> box; Local local;
    Out[0] = a.Go(2) + b.Go(2) + c.Up() + Call(a) + local.Go(2u) + box.Go(2);
    Out[1] = far.Go(2) + other.Go(2) + a.Go(float2(1, 1)) + b.Go(1, 2) + local.Go(float2(1, 1));
}
"#;

#[test]
fn renaming_a_method_renames_its_interface_methods() {
    // All except those with other parameters, and those of structures that share no interface with these.
    let family = ["Go(uint x);", "Go(uint x) {", "Base::Go", "t.Go", "a.Go(2)", "b.Go(2)", "Go(2u)", "box.Go"];
    let mut expected = FAMILY.to_owned();
    for part in family {
        expected = expected.replace(part, &part.replace("Go", "Step"));
    }
    for kept in ["interface K { uint ", "struct Far : K { uint ", "struct Other { uint "] {
        expected = expected.replace(&format!("{kept}Step"), &format!("{kept}Go"));
    }
    for (part, plus) in [
        ("I { uint Go", 9),
        ("J { uint Go", 9),
        ("A : I, J { uint Go", 17),
        ("B : A { uint Go", 14),
        ("B::Go", 4),
        ("Base { uint Go", 13),
        ("Base::Go", 6),
        ("J { T held; uint Go", 18),
        ("t.Go", 3),
        ("a.Go", 3),
        ("b.Go", 3),
        ("Local : I { uint Go", 18),
        ("local.Go", 7),
        ("box.Go", 5),
    ] {
        let mut editor = Editor::new(&[(URI, FAMILY)]);
        assert_eq!(editor.diagnostics(), [""; 0]);
        assert_eq!(editor.rename(part, plus, "Step"), expected, "{part}");
    }
    // The other overload, and unrelated members.
    let rename = |part: &str, plus: usize| Editor::new(&[(URI, FAMILY)]).rename(part, plus, "Step");
    let vectors = FAMILY.replace("Go(float2", "Step(float2");
    assert_eq!(rename("uint Go(float2", 6), vectors);
    let far = FAMILY.replace("interface K { uint Go", "interface K { uint Step");
    assert_eq!(
        rename("far.Go", 5),
        far.replace("Far : K { uint Go", "Far : K { uint Step").replace("far.Go", "far.Step")
    );
    assert_eq!(rename("b.Go(1", 3), FAMILY.replace("Go(uint x, ", "Step(uint x, ").replace("b.Go(1", "b.Step(1"));
}

#[test]
fn renaming_methods_spans_programs_but_not_built_ins() {
    let (header, other) = ("file:///lsp/interfaces.hlsli", "file:///lsp/other_program.hlsl");
    let shared = "interface I { uint Go(uint x); };\ninterface J { uint Go(uint x); };\n";
    let one = "#include \"interfaces.hlsli\"\nstruct A : I { uint Go(uint x) { return x; } };\nuint F(A a) { return a.Go(1); }\n";
    let two = "#include \"interfaces.hlsli\"\nstruct B : I, J { uint Go(uint x) { return x; } };\nuint F(B b) { return b.Go(1); }\n";
    let mut editor = Editor::new(&[(header, shared), (URI, one), (other, two)]);
    let answer = editor.ask("a.Go", 2, "Step").expect("edits");
    editor.apply(&answer);
    let replaced = |text: &str| text.replace("Go", "Step");
    assert_eq!(
        [header, URI, other].map(|uri| editor.texts[uri].clone()),
        [replaced(shared), replaced(one), replaced(two)]
    );
    // A member of the built-in base cannot be renamed.
    let text = "interface I { void GetDimensions(out uint n); };\nstruct B : ByteAddressBuffer, I { };\n\
                struct A : I { void GetDimensions(out uint n) { n = 1; } };\n\
                uint F(A a) { uint n; a.GetDimensions(n); return n; }\n";
    Editor::new(&[(URI, text)]).is_refused("a.Get", 3, "Size", "`GetDimensions` is built in");
    // The new name would implement another interface.
    let text = "interface I { uint Go(); };\ninterface J { uint Stop(); };\nstruct Base { uint Stop() { return 1; } };\n\
                struct A : Base, I, J { uint Go() { return 2; } };\nuint F(A a) { return a.Go(); }\n";
    Editor::new(&[(URI, text)]).is_refused("a.Go", 2, "Stop", "already has another meaning");
}

#[test]
fn all_files_of_all_programs_are_renamed() {
    let (header, other) = ("file:///lsp/shared_names.hlsli", "file:///lsp/other_program.hlsl");
    let shared = "struct Shared { uint n; };\nuint Read(Shared s) { return s.n; }\n";
    let one = "#include \"shared_names.hlsli\"\nuint F(Shared s) { return Read(s); }\n";
    let two = "#include \"shared_names.hlsli\"\nuint G() { Shared s; s.n = 1; return Read(s); }\n";
    let mut editor = Editor::new(&[(header, shared), (URI, one), (other, two)]);
    let answer = editor.ask("Read(s)", 1, "Fetch").expect("edits");
    editor.apply(&answer);
    let replaced = |text: &str| text.replace("Read", "Fetch");
    assert_eq!(
        [header, URI, other].map(|uri| editor.texts[uri].clone()),
        [replaced(shared), replaced(one), replaced(two)]
    );
    // The other program already uses the name.
    let two = two.replace("uint G", "uint Taken(Shared s) { return 1; }\nuint G");
    let mut editor = Editor::new(&[(header, shared), (URI, one), (other, &two)]);
    editor.is_refused("Read(s)", 1, "Taken", "");
}

/// Returns a file of a program whose units share their common declarations, with its node.
fn unit(node: &str) -> String {
    format!(
        "struct R {{ uint n; }};\nstruct Item {{ uint weight; }};\nstruct Pushed {{ uint at; }};\n\
         [[vk::push_constant]] Pushed pushed;\nRWStructuredBuffer<Item> Counts;\nSamplerState Linear : register(s1);\n\
         Texture2D<float> Map;\ncbuffer Camera {{ uint eye; Item last; }}\nuint frame;\nRWStructuredBuffer<Item> {node}Own;\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid {node}(ThreadNodeInputRecord<R> input)\n{{\n    \
         Counts[0].weight = eye + frame + last.weight + pushed.at + uint(Map.SampleLevel(Linear, 0, 0));\n    \
         {node}Own[0].weight = 1;\n}}\n"
    )
}

#[test]
fn renames_cover_declarations_shared_between_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let uri = |name: &str| format!("file://{}", folder.path().join(name).display());
    let texts = [unit("First"), unit("Second")];
    let described = r#"{ "programs": { "p": { "files": ["a.hlsl", "b.hlsl"] } } }"#;
    for (name, text) in [("wgc.json", described), ("a.hlsl", &texts[0]), ("b.hlsl", &texts[1])] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let (a, b) = (uri("a.hlsl"), uri("b.hlsl"));
    let new = || {
        let mut editor = Editor::new(&[(&a, &texts[0]), (&b, &texts[1])]);
        editor.here.clone_from(&b);
        assert_eq!(editor.diagnostics(), [""; 0]);
        editor
    };
    let places = [
        ("Counts;", "Counts"),
        ("Linear, 0", "Linear"),
        ("Map.Sample", "Map"),
        ("Camera {", "Camera"),
        ("eye;", "eye"),
        ("last.weight", "last"),
        ("frame +", "frame"),
        ("pushed.at", "pushed"),
        ("at;", "at"),
        ("Pushed pushed", "Pushed"),
        ("weight =", "weight"),
        ("Item last", "Item"),
    ];
    let mut editor = new();
    for (part, name) in places {
        let mut params = editor.place(part, 1);
        let marked = editor.client.request("textDocument/documentHighlight", params.clone()).expect("an answer");
        params["context"] = json!({ "includeDeclaration": true });
        let found = editor.client.request("textDocument/references", params).expect("an answer");
        let of = |uri: &str| found.as_array().expect("a list").iter().filter(|one| one["uri"] == uri).count();
        let words = |text: &str| {
            let is_name = |c: char| !c.is_ascii_alphanumeric();
            text.split(is_name).filter(|word| *word == name).count()
        };
        assert_eq!((of(&a), of(&b)), (words(&texts[0]), words(&texts[1])), "{name}");
        assert_eq!(marked.as_array().map(Vec::len), Some(words(&texts[1])), "{name}");
        // Both files have the new name, and their program is otherwise unchanged.
        let mut editor = new();
        editor.rename(part, 1, "renamed");
        for (uri, text) in [&a, &b].into_iter().zip(&texts) {
            let left = words(&editor.texts[uri]);
            assert_eq!((left, editor.texts[uri].matches("renamed").count()), (0, words(text)), "{name}");
        }
    }
    // A private declaration would become the other file's too.
    editor.is_refused("SecondOwn;", 1, "FirstOwn", "changes the resources");
    // `R` is not a resource: each file has its own.
    assert!(new().rename("struct R", 7, "Mine").contains("<Mine> input"));
    assert_eq!(editor.texts[&a], texts[0]);
}

#[test]
fn namespaces_enums_and_members_of_buffers() {
    let text = "namespace tools { uint One() { return 1; } namespace deep { uint Two() { return 2; } } }\n\
                enum Mode { Off, On };\ncbuffer Frame { uint count; };\n\
                uint F() { return tools::One() + tools::deep::Two() + (uint)Mode::On + (uint)On + count; }\n";
    let renamed = |part: &str, plus: usize, new: &str| Editor::new(&[(URI, text)]).rename(part, plus, new);
    assert_eq!(renamed("tools {", 1, "kit"), text.replace("tools", "kit"));
    assert_eq!(renamed("deep::", 1, "inner"), text.replace("deep", "inner"));
    assert_eq!(
        renamed("Off, On", 5, "Running"),
        text.replace("On }", "Running }").replace("::On +", "::Running +").replace(")On", ")Running")
    );
    assert_eq!(renamed("Mode {", 1, "State"), text.replace("Mode", "State"));
    assert_eq!(renamed("+ count", 3, "frames"), text.replace("count", "frames"));
}

#[test]
fn prepare_rename_returns_range_and_name() {
    let mut editor = Editor::new(&[(URI, GRAPH)]);
    let mut prepared = |part: &str, plus: usize| {
        let params = json!({ "textDocument": { "uri": URI }, "position": at(GRAPH, part, plus) });
        let answer = editor.client.request("textDocument/prepareRename", params)?;
        Ok::<_, i32>((crate::client::shown(&answer["range"]), answer["placeholder"].as_str().unwrap_or("").to_owned()))
    };
    // Without the quotes.
    assert_eq!(prepared("NodeID(\"leaves\")]", 9), Ok(("5:36-5:42".to_owned(), "leaves".to_owned())));
    assert_eq!(prepared("void second", 6), Ok(("12:5-12:11".to_owned(), "second".to_owned())));
    assert_eq!(prepared("Out[0]", 1), Ok(("14:4-14:7".to_owned(), "Out".to_owned())));
    assert_eq!(prepared("struct R", 1), Err(-32602));
    assert_eq!(prepared("input.Get().n;", 7), Err(-32602));
}

#[test]
fn edits_carry_versions_if_the_client_supports_them() {
    let capabilities = json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } });
    let mut client = Client::new(capabilities, Value::Null);
    let text = "uint F() { return 1; }\nuint G() { return F(); }\n";
    client.open(URI, "uint F() { return 1 }\n");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let document = json!({ "uri": URI });
    let params = json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).expect("actions");
    let change = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!((&change["textDocument"]["version"], &change["edits"][0]["newText"]), (&json!(1), &json!(";")));
    client.replace(URI, text);
    let params = json!({ "textDocument": document, "position": at(text, "F()", 0), "newName": "H" });
    let answer = client.request("textDocument/rename", params).expect("edits");
    let change = &answer["documentChanges"][0];
    assert_eq!((&change["textDocument"]["uri"], &change["textDocument"]["version"]), (&json!(URI), &json!(2)));
    assert_eq!((change["edits"].as_array().map(Vec::len), &answer["changes"]), (Some(2), &Value::Null));
}

/// A value and the type that it hides share a name, but are separate symbols.
#[test]
fn a_hidden_type_is_a_separate_symbol() {
    const HIDDEN: &str = "struct Item { uint v; };\n\
        struct Whole { Item Item; };\n\
        RWStructuredBuffer<Item> Item : register(u0);\n\
        uint Read() { struct Item one = Item[0]; Whole w; w.Item = one; return w.Item.v; }\n";
    let mut editor = Editor::new(&[(URI, HIDDEN)]);
    let text = editor.rename("> Item :", 2, "Items");
    assert_eq!(text.replace("Items", "Item"), HIDDEN);
    assert_eq!(text.matches("Items").count(), 2, "{text}");
    let text = editor.rename("struct Item {", 7, "Element");
    assert_eq!(text.matches("Element").count(), 4, "{text}");
    let text = editor.rename("Element Item;", 8, "part");
    assert_eq!(text.matches("part").count(), 3, "{text}");
    assert!(text.contains("struct Element one = Items[0]; Whole w; w.part = one; return w.part.v;"), "{text}");
}
