//! Line numbers in modules match the source: the instruction for every marked line of a program has that line.

mod support;

use std::collections::BTreeMap;
use support::Scratch;
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_compiler::Session;
use wgc_sema::db::Options;

const PROGRAM: &str = r#"// A comment.
RWStructuredBuffer<uint> results : register(u0);
struct R { uint n; };

uint twice(uint n)
{
    uint t = n * 200;         // MARK OpIMul
    return t;
}

#define RAISE(x) \
    InterlockedMax(results[1], x)

[Shader("node")]
[NodeLaunch("thread")]
void root(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> leaf)
{
    uint sum = 0;
    for (uint i = 0;
         i < input.Get().n;   // MARK OpULessThan
         ++i)
    {
        if (i == 3)           // MARK OpIEqual
            sum = sum / twice(i); // MARK OpUDiv
        else
            sum = sum % 7;    // MARK OpUMod
    }
    RAISE(sum);               // MARK OpAtomicUMax
    ThreadNodeOutputRecords<R> o = leaf.GetThreadNodeOutputRecords(1); // MARK OpAllocateNodePayloadsAMDX
    o.Get().n = sum;
    o.OutputComplete();       // MARK OpEnqueueNodePayloadsAMDX
}

[Shader("node")]
[NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input)
{
    InterlockedXor(results[0], input.Get().n); // MARK OpAtomicXor
}
"#;

/// A program in its own directory.
struct Program {
    _dir: Scratch,
    path: String,
}

impl Program {
    fn new(text: &str) -> Program {
        let dir = Scratch::new().with("program.hlsl", text);
        let path = dir.0.join("program.hlsl").to_string_lossy().into_owned();
        Program { _dir: dir, path }
    }

    fn session(&self) -> Session {
        Session::new(&[&self.path], Options::default())
    }
}

/// Returns the lines of each opcode in a file, by the OpLine in force.
fn lines_of(assembly: &str, file: &str) -> BTreeMap<String, Vec<u32>> {
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut line, mut found) = (None::<u32>, BTreeMap::<String, Vec<u32>>::new());
    for text in assembly.lines() {
        let words: Vec<&str> = text.split_whitespace().collect();
        let op = *words.iter().find(|w| w.starts_with("Op")).unwrap_or(&"");
        match (op, words.as_slice()) {
            ("OpString", [id, _, _, name]) => {
                names.insert(id, name.trim_matches('"'));
            }
            ("OpLine", [_, id, at, _]) => {
                line = (names.get(id) == Some(&file)).then(|| at.parse().expect("a number"));
            }
            // A line ends with its block.
            ("OpNoLine" | "OpLabel" | "OpFunctionEnd", _) => line = None,
            _ => found.entry(op.to_owned()).or_default().extend(line),
        }
    }
    found
}

/// Returns the opcodes that comments name, and their lines.
fn marks(text: &str) -> Vec<(&str, u32)> {
    let marks = text.lines().zip(1..).filter_map(|(line, n)| Some((line.split_once("MARK ")?.1.trim(), n)));
    marks.collect()
}

fn check(found: &BTreeMap<String, Vec<u32>>, marks: &[(&str, u32)], what: &str) {
    for (op, line) in marks {
        let at = found.get(*op).cloned().unwrap_or_default();
        assert!(at.contains(line), "{what}: {op} should be at line {line}, and is at {at:?}");
    }
}

#[test]
fn instructions_have_the_lines_of_their_source() {
    let program = Program::new(PROGRAM);
    let assembly = program.session().native().expect("it compiles").disassemble();
    let found = lines_of(&assembly, &program.path);
    let marks = marks(PROGRAM);
    assert_eq!(marks.len(), 9);
    check(&found, &marks, "native");
    // Only the marked lines use these opcodes, so each must occur once.
    for op in ["OpIMul", "OpUMod", "OpUDiv", "OpAtomicXor"] {
        assert_eq!(found[op].len(), 1, "{op}: {:?}", found[op]);
    }
}

/// In emulated node modules the user's statements keep their lines, and the helpers of the library have their own file.
#[test]
fn emulated_modules_keep_the_lines_of_both_sources() {
    let program = Program::new(PROGRAM);
    let modules = program.session().emulated_assembly(&EmulatedOptions::default()).expect("it compiles");
    let root = &modules.iter().find(|m| m.0 == "nodes/root.spv").expect("a module for the node").1;
    let plain = |op: &&(&str, u32)| !op.0.ends_with("AMDX") && op.0 != "OpAtomicXor";
    let marks: Vec<_> = marks(PROGRAM).iter().filter(plain).copied().collect();
    assert_eq!(marks.len(), 6);
    check(&lines_of(root, &program.path), &marks, "emulated");
    let library =
        root.lines().find(|l| l.contains("OpString") && l.contains("device.hlsl")).expect("the library's file");
    let library = library.rsplit_once("OpString ").expect("it has a name").1.trim_matches('"').to_owned();
    let helpers = lines_of(root, &library);
    assert!(helpers.get("OpAtomicIAdd").is_some_and(|lines| !lines.is_empty()), "{helpers:?}");
}

/// Functions of the same name in several files of one graph keep their own lines. A header's function is shared.
#[test]
fn functions_of_one_name_keep_the_lines_of_their_files() {
    const SHARED: &str = "struct R { uint n; };\nRWStructuredBuffer<uint> results : register(u0);\nuint same(uint n)\n{\n    return n % 7; // MARK OpUMod\n}\n";
    const FIRST: &str = "#include \"shared.h\"\nuint change(uint n)\n{\n    return n * 200; // MARK OpIMul\n}\n[Shader(\"node\")]\n[NodeLaunch(\"thread\")]\nvoid first(ThreadNodeInputRecord<R> input)\n{\n    results[0] = change(same(input.Get().n));\n}\n";
    const SECOND: &str = "#include \"shared.h\"\n// Further down than in the other file.\n\nuint change(uint n)\n{\n    uint half = n ^ 3; // MARK OpBitwiseXor\n    return half / 9; // MARK OpUDiv\n}\n[Shader(\"node\")]\n[NodeLaunch(\"thread\")]\nvoid second(ThreadNodeInputRecord<R> input)\n{\n    results[1] = change(same(input.Get().n));\n}\n";
    let files = [("shared.h", SHARED), ("first.hlsl", FIRST), ("second.hlsl", SECOND)];
    let dir = files.iter().fold(Scratch::new(), |dir, (name, text)| dir.with(name, text));
    let path = |name: &str| dir.0.join(name).to_string_lossy().into_owned();
    let session = Session::new(&[&path("first.hlsl"), &path("second.hlsl")], Options::default());
    let assembly = session.native().expect("it compiles").disassemble();
    for (name, text) in files {
        let (found, marks) = (lines_of(&assembly, &path(name)), marks(text));
        check(&found, &marks, name);
        for (op, line) in marks {
            assert!(found[op].iter().all(|at| *at == line), "{name}: {op}: {:?}", found[op]);
        }
    }
}

/// A comment at the start moves every line and changes nothing else of a module.
#[test]
fn inserting_a_comment_shifts_lines_without_changing_code() {
    let program = Program::new(PROGRAM);
    let moved_text = format!("// one\n// two\n{PROGRAM}");
    let moved = Program::new(&moved_text);
    let assembly = |p: &Program| p.session().native().expect("it compiles").disassemble();
    let (before, after) = (assembly(&program), assembly(&moved));
    check(&lines_of(&after, &moved.path), &marks(&moved_text), "moved");
    let code = |text: &str| -> Vec<String> {
        let code = text.lines().filter(|l| !["OpLine", "OpString"].iter().any(|op| l.contains(op)));
        code.map(str::to_owned).collect()
    };
    assert_eq!(code(&before), code(&after));
}

/// Errors found by the CPU device name the source location.
#[test]
fn findings_of_the_cpu_device_name_the_line() {
    let text = "RWStructuredBuffer<uint> data;\n[numthreads(1, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID)\n{\n    data[0] = 1;\n    data[id.x + 1000] = 2;   // MARK out of range\n}\n";
    let program = Program::new(text);
    let options = Options { compute_entry: Some("main".into()), library: true, ..Options::default() };
    let module = Session::new(&[&program.path], options).compute().expect("it compiles");
    let line = marks(text)[0].1;
    let found = findings(&module.words);
    let place = format!("({}:{line}:5; thread 0 of group 0)", program.path);
    assert!(found.len() == 1 && found[0].contains(&place), "{place}: {found:?}");
}

/// Returns the findings of the CPU device for one workgroup that writes to a small buffer at set 0, binding 0.
fn findings(words: &[u32]) -> Vec<String> {
    use wgc_runtime::cpu::{CpuDevice, CpuSettings};
    use wgc_runtime::device::{Command, Device, ResourceBinding, Resources};
    let mut device = CpuDevice::new(CpuSettings::default());
    let buffer = device.create_buffer(16).expect("a buffer");
    let binding = ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
    let bindings = Some(device.create_bindings(&[binding]).expect("bindings"));
    let pipeline = device.create_pipeline(words, "main", bindings, 0, None).expect("a pipeline");
    let (push, groups, label) = (Vec::new(), [1, 1, 1], String::new());
    device.submit(&[Command::Dispatch { pipeline, bindings, push, groups, label }]).expect("it runs");
    device.findings().iter().map(|f| f.message.clone()).collect()
}

/// `#line` sets the names of lines, in modules as in messages.
#[test]
fn line_directives_set_debug_lines_of_modules() {
    let text = PROGRAM
        .replace("struct R {", "#line 500 \"records.hlsli\"\nstruct R {")
        .replace("#define RAISE", "#line 70 \"nodes.hlsl\"\n#define RAISE");
    let program = Program::new(&text);
    let assembly = program.session().native().expect("it compiles").disassemble();
    // The function of `twice` is two lines below `struct R`, its product two lines further.
    assert_eq!(lines_of(&assembly, "records.hlsli")["OpIMul"], [504]);
    // The use of the macro is 17 lines below the first line.
    let found = lines_of(&assembly, "nodes.hlsl");
    assert_eq!(found["OpAtomicUMax"], [87]);
    assert!(found["OpIMul"].is_empty());
    assert!(lines_of(&assembly, &program.path).values().all(Vec::is_empty), "all lines have other names");
}
