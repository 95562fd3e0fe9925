//! Programs of several files: includes, search paths, macros across files, missing files.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use wgc_sema::Compiler;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::db::items::unit;
use wgc_sema::db::{FileLoader, Options, Standing};
use wgc_sema::report::diagnostics::diagnostics;

const NODE: &str = "[Shader(\"node\")] [NodeLaunch(\"thread\")] void n() { }\n";

#[derive(Clone, Default)]
struct Texts(Arc<Mutex<BTreeMap<String, String>>>);

impl Texts {
    fn new(files: &[(&str, &str)]) -> Texts {
        let texts = Texts::default();
        files.iter().for_each(|(path, text)| texts.set(path, text));
        texts
    }

    fn set(&self, path: &str, text: &str) {
        self.0.lock().unwrap().insert(path.to_string(), text.to_string());
    }
}

impl FileLoader for Texts {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(path).map(|t| t.clone().into_bytes())
    }
}

fn check(files: &[(&str, &str)], roots: &[&str], options: Options) -> Vec<Rendered> {
    let mut db = Compiler::new(Box::new(Texts::new(files)));
    let program = db.add_program(roots, options);
    diagnostics(&db, program).clone()
}

fn brief(all: &[Rendered]) -> Vec<(String, String)> {
    all.iter().map(|r| (r.code.to_string(), r.labels[0].range.file.to_string())).collect()
}

fn found(code: &str, file: &str) -> (String, String) {
    (code.to_string(), file.to_string())
}

/// A quoted file is searched next to all open files, the innermost first, and then along `-I`, as in DXC.
#[test]
fn includes_are_searched_in_the_folders_of_including_files() {
    let main = |assertion: &str| format!("#include \"b/x.hlsli\"\n_Static_assert({assertion}, \"\");\n{NODE}");
    let check_with = |main: &str, inner: &str, where_it_is: &[(&str, &str)]| {
        let options = Options { include_dirs: vec!["lib".into()], ..Options::default() };
        let mut files =
            vec![("a/main.hlsl", main), ("a/b/x.hlsli", "#include \"c/z.hlsli\"\n"), ("a/b/c/z.hlsli", inner)];
        files.extend(where_it_is);
        brief(&check(&files, &["a/main.hlsl"], options))
    };
    let quoted = "#include \"y.hlsli\"\n";
    let places = [
        ("a/b/c/y.hlsli", "#define V 1"),
        ("a/b/y.hlsli", "#define V 2"),
        ("a/y.hlsli", "#define V 3"),
        ("lib/y.hlsli", "#define V 4"),
    ];
    for first in 0..places.len() {
        let assertion = format!("V == {}", first + 1);
        assert_eq!(check_with(&main(&assertion), quoted, &places[first..]), [], "{}", places[first].0);
    }
    // This does not apply to names in angle brackets, nor to other directories.
    let angled = "#include <y.hlsli>\n";
    assert_eq!(check_with(&main("V == 4"), angled, &places[1..]), []);
    assert_eq!(check_with(&main("1"), angled, &places[1..3]), [found("WG0004", "a/b/c/z.hlsli")]);
    assert_eq!(check_with(&main("1"), quoted, &[("y.hlsli", "#define V 5")]), [found("WG0004", "a/b/c/z.hlsli")]);
    // `__has_include` agrees.
    let asked = "#if __has_include(\"y.hlsli\")\n#define V 6\n#endif\n";
    assert_eq!(check_with(&main("V == 6"), asked, &places[2..3]), []);
}

/// A header next to the including file precedes `-I`; one file by two spellings of its path is one file.
#[test]
fn includes_are_searched_in_the_own_folder_then_in_directories() {
    let main =
        format!("#include \"sub/first.hlsl\"\n#include \"common.hlsl\"\n_Static_assert(FROM == 1, \"\");\n{NODE}");
    let files = [
        ("src/main.hlsl", main.as_str()),
        ("src/sub/first.hlsl", "#include \"../common.hlsl\"\n#include \"other.hlsl\"\n"),
        ("src/common.hlsl", "#pragma once\n#define FROM 1\nstruct Once { uint x; };\n"),
        ("lib/common.hlsl", "#define FROM 2\n"),
        ("lib/other.hlsl", "struct Other { Once once; };\n"),
    ];
    let options = Options { include_dirs: vec!["lib".into()], ..Options::default() };
    assert_eq!(brief(&check(&files, &["./src/main.hlsl"], options)), []);
    assert_eq!(
        brief(&check(&files, &["src/main.hlsl"], Options::default())),
        [found("WG0004", "src/sub/first.hlsl")],
        "without -I lib"
    );
}

#[test]
fn errors_in_headers_are_located_in_the_header() {
    let files = [("main.hlsl", "#include \"h.hlsl\"\n"), ("h.hlsl", "struct S { Unknown u; };\n")];
    let all = check(&files, &["main.hlsl"], Options::default());
    assert_eq!(brief(&all), [found("WG0101", "h.hlsl")]);
    assert_eq!((all[0].labels[0].range.lo, all[0].labels[0].range.hi), (11, 18));
}

/// The location is the use in the user's text; the trail names the macros, innermost first.
#[test]
fn diagnostics_trace_macro_expansions() {
    let text = format!("#define INNER(x) Missing x;\n#define OUTER(x) INNER(x)\nOUTER(value)\n{NODE}");
    let all = check(&[("m.hlsl", &text)], &["m.hlsl"], Options::default());
    assert_eq!(brief(&all), [found("WG0101", "m.hlsl")]);
    let label = &all[0].labels[0];
    assert_eq!(&text[label.range.lo as usize..label.range.hi as usize], "OUTER(value)");
    let names: Vec<_> = label.trail.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["INNER", "OUTER"]);
}

#[test]
fn roots_form_one_program() {
    let a = "struct R { uint x; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")] void a([MaxRecords(1)] NodeOutput<R> b) { }\n";
    let b = "[Shader(\"node\")] [NodeLaunch(\"thread\")] void b(ThreadNodeInputRecord<R> i) { }\n";
    let files = [("a.hlsl", a), ("b.hlsl", b)];
    assert_eq!(brief(&check(&files, &["a.hlsl", "b.hlsl"], Options::default())), []);
    assert_eq!(brief(&check(&files, &["a.hlsl"], Options::default())), [found("WG0401", "a.hlsl")]);
}

#[test]
fn missing_requirements_are_reported() {
    assert_eq!(brief(&check(&[], &["gone.hlsl"], Options::default())), [found("WG0100", "gone.hlsl")]);
    assert_eq!(brief(&check(&[("e.hlsl", "")], &["e.hlsl"], Options::default())), [found("WG0416", "e.hlsl")]);
    let options = || Options { compute_entry: Some("main".into()), ..Options::default() };
    assert_eq!(brief(&check(&[("e.hlsl", "void mian() { }")], &["e.hlsl"], options())), [found("WG0124", "e.hlsl")]);
    let good = "[numthreads(1, 1, 1)] void main() { }";
    assert_eq!(brief(&check(&[("e.hlsl", good)], &["e.hlsl"], options())), []);
    assert_eq!(
        brief(&check(&[("e.hlsl", "void main() { }")], &["e.hlsl"], options())),
        [found("WG0308", "e.hlsl")],
        "a compute shader without numthreads"
    );
}

#[test]
fn the_contract_of_a_compute_shader() {
    let codes = |text: &str| {
        let options = Options { compute_entry: Some("main".into()), library: true, ..Options::default() };
        let found = check(&[("e.hlsl", text)], &["e.hlsl"], options);
        found.iter().map(|r| r.code.to_string()).collect::<Vec<_>>()
    };
    let main = |attributes: &str, params: &str| codes(&format!("{attributes} void main({params}) {{ }}"));
    let ids = "uint3 a : SV_DispatchThreadID, uint2 b : SV_GroupID, int c : SV_GroupThreadID, uint d : SV_GroupIndex";
    assert_eq!(main("[numthreads(1024, 1, 1)] [WaveSize(64)]", ids), [""; 0]);
    assert_eq!(main("[numthreads(1024, 2, 1)]", ""), ["WG0309"], "too many threads");
    assert_eq!(main("[numthreads(1, 1, 65)]", ""), ["WG0309"], "too many in z");
    assert_eq!(main("[numthreads(0, 1, 1)]", ""), ["WG0309"], "none");
    assert_eq!(main("[numthreads(8)]", ""), ["WG0121"], "too few arguments, said once");
    assert_eq!(main("[numthreads(8, 8, 1)] [WaveSize(24)]", ""), ["WG0328"]);
    assert_eq!(main("[numthreads(8, 8, 1)]", "uint v : SV_VertexID"), ["WG0314"]);
    assert_eq!(main("[numthreads(8, 8, 1)]", "float3 v : SV_GroupID"), ["WG0315"]);
    assert_eq!(main("[numthreads(8, 8, 1)]", "uint v"), ["WG0380"]);
    assert_eq!(main("[numthreads(8, 8, 1)]", "out uint v : SV_GroupIndex"), ["WG0313"]);
    assert_eq!(codes("[numthreads(8, 8, 1)] uint main() { return 1; }"), ["WG0302"]);
    let two = "[numthreads(1, 1, 1)] void main() { }\n[numthreads(1, 1, 1)] void main(uint i : SV_GroupIndex) { }";
    assert_eq!(codes(two), ["WG0124"], "which of them?");
    assert_eq!(codes("[numthreads(1, 1, 1)] void main();\n[numthreads(1, 1, 1)] void main() { }"), [""; 0]);
    assert_eq!(codes("namespace n { [numthreads(1, 1, 1)] void main() { } }"), ["WG0124"]);
}

#[test]
fn defines_and_16_bit_types_come_from_the_options() {
    let text = format!("_Static_assert(SIZE == 8 && sizeof(half) == 4, \"\");\n{NODE}");
    let options = Options { defines: vec![("SIZE".into(), "8".into())], ..Options::default() };
    assert_eq!(brief(&check(&[("d.hlsl", &text)], &["d.hlsl"], options.clone())), []);
    let native = Options { enable_16bit_types: true, ..options };
    assert_eq!(brief(&check(&[("d.hlsl", &text)], &["d.hlsl"], native)), [found("WG0117", "d.hlsl")]);
}

/// The driver's watch mode: all files are loaded again, and only changed ones are new.
#[test]
fn reload_updates_only_changed_files() {
    let texts = Texts::new(&[("w.hlsl", NODE), ("other.hlsl", "")]);
    let mut db = Compiler::with_log(Box::new(texts.clone()));
    let program = db.add_program(&["w.hlsl", "other.hlsl"], Options::default());
    assert_eq!(brief(diagnostics(&db, program)), []);
    db.take_log();
    db.reload();
    assert_eq!(brief(diagnostics(&db, program)), []);
    assert_eq!(db.take_log(), [], "nothing changed");
    texts.set("other.hlsl", "Unknown x;");
    db.reload();
    assert_eq!(brief(diagnostics(&db, program)), [found("WG0101", "other.hlsl")]);
}

#[test]
fn an_edit_cancels_readers_on_other_threads() {
    let mut db = Compiler::new(Box::new(Texts::new(&[("t.hlsl", NODE)])));
    let program = db.add_program(&["t.hlsl"], Options::default());
    let reader = db.clone();
    let thread = std::thread::spawn(move || {
        let endless = std::panic::AssertUnwindSafe(|| -> () {
            loop {
                salsa::Database::unwind_if_revision_cancelled(&reader);
                let _ = unit(&reader, program);
            }
        });
        salsa::Cancelled::catch(endless).is_err()
    });
    std::thread::sleep(std::time::Duration::from_millis(20));
    db.set_text("t.hlsl", Some(b"Unknown x;"));
    assert!(thread.join().unwrap(), "the reader was cancelled");
    assert_eq!(brief(diagnostics(&db, program)), [found("WG0101", "t.hlsl")]);
}

/// Files by path; some are links, and some exist but cannot be read.
#[derive(Clone, Default)]
struct Linked {
    texts: Texts,
    links: Arc<Mutex<BTreeMap<String, String>>>,
    refused: Arc<Mutex<BTreeMap<String, String>>>,
}

impl FileLoader for Linked {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        self.texts.load(path)
    }

    fn standing(&self, path: &str) -> Standing {
        let real = self.links.lock().unwrap().get(path).cloned();
        Standing { real, refusal: self.refused.lock().unwrap().get(path).cloned() }
    }
}

#[test]
fn include_roots_apply_to_current_link_targets() {
    let loader =
        Linked { texts: Texts::new(&[("/p/main.hlsl", MAIN), ("/p/a.hlsli", "#define V 1\n")]), ..Linked::default() };
    let mut db = Compiler::new(Box::new(loader.clone()));
    let options = Options { include_roots: vec!["/p".into()], library: true, ..Options::default() };
    let program = db.add_program(&["/p/main.hlsl"], options);
    assert_eq!(brief(diagnostics(&db, program)), []);
    // The text stays the same, but the link leads elsewhere: outside the folder, inside, into a folder with a similar
    // name, and inside again.
    for (real, expected) in [
        ("/q/a.hlsli", vec![found("WG0004", "/p/main.hlsl")]),
        ("/p/b.hlsli", vec![]),
        ("/pp/a.hlsli", vec![found("WG0004", "/p/main.hlsl")]),
        ("/p/sub/a.hlsli", vec![]),
    ] {
        loader.links.lock().unwrap().insert("/p/a.hlsli".into(), real.into());
        db.reload();
        assert_eq!(brief(diagnostics(&db, program)), expected, "{real}");
    }
}

#[test]
fn unreadable_includes_outside_the_roots_hide_the_cause() {
    let loader = Linked { texts: Texts::new(&[("/p/main.hlsl", MAIN)]), ..Linked::default() };
    loader.refused.lock().unwrap().insert("/p/a.hlsli".into(), "it is too large".into());
    let message = |roots: &[&str]| {
        let mut db = Compiler::new(Box::new(loader.clone()));
        let include_roots = roots.iter().map(|root| root.to_string()).collect();
        let program = db.add_program(&["/p/main.hlsl"], Options { include_roots, library: true, ..Options::default() });
        diagnostics(&db, program)[0].message.clone()
    };
    assert_eq!(message(&[]), "cannot read the file `a.hlsli`: it is too large");
    assert_eq!(message(&["/p"]), "cannot read the file `a.hlsli`: it is too large");
    assert_eq!(message(&["/q"]), "cannot find the file `a.hlsli`");
}

const MAIN: &str = "#include \"a.hlsli\"\n#ifdef V\nuint f() { return V; }\n#endif\n";
