//! `-Zi`: the debug information in modules matches the source.

mod reader;
mod records;
#[path = "../support/mod.rs"]
mod support;

use reader::{Placed, Reader};
use rspirv::spirv::{Op, Word};
use support::Scratch;
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_backend_spirv::{DebugInfo, EmitOptions};
use wgc_compiler::Session;
use wgc_ir::passes::OptLevel;
use wgc_sema::db::Options;

/// A compute shader that covers most kinds of debug information.
const COMPUTE: &str = r#"enum Mode { Fast, Slow = 7 };
typedef float Weight;
struct Inner { float2 a; Mode mode; };
struct Item
{
    uint id;
    Weight weight;
    Inner inner[2];
    float3x2 m;
    float sum() { return weight + inner[0].a.x; }
};
template<typename T, int N> struct Pair { T first; T second; };

cbuffer Settings : register(b0) { float Scale; Mode Kind; };
StructuredBuffer<Item> items : register(t0);
RWStructuredBuffer<float> results : register(u0);
groupshared float partial[64];

void bump(inout float value, out uint count);

float twice(float x)
{
    float y = x * 2.5;
    return y;
}

float leaf(StructuredBuffer<Item> from, uint n)
{
    float seen = from[n].m._m10 / 3;
    return seen;
}

float outer(StructuredBuffer<Item> from, uint n)
{
    return leaf(from, n + 1);
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Item item = items[id.x];
    Weight total = 0;
    Pair<float, 3> pair = { 1, 2 };
    Mode mode = Kind;
    for (uint i = 0; i < 4; ++i)
    {
        float part = item.inner[i & 1].a.y;
        total += twice(part) + pair.second;
        if (mode == Slow)
        {
            uint n;
            bump(total, n);
            total += n;
        }
    }
    partial[lane] = item.sum() + outer(items, lane);
    GroupMemoryBarrierWithGroupSync();
    results[id.x] = total + partial[63 - lane];
}

void bump(inout float value, out uint count)
{
    value -= Scale;
    count = 2;
}
"#;

const NODES: &str = r#"struct Record { uint grid : SV_DispatchGrid; float2 value; };
RWStructuredBuffer<float> results : register(u0);

void put(ThreadNodeOutputRecords<Record> to, float2 value)
{
    to.Get().grid = 1;
    to.Get().value = value * 2;
}

[Shader("node")]
[NodeLaunch("thread")]
void first(ThreadNodeInputRecord<Record> input, [MaxRecords(1)] NodeOutput<Record> second)
{
    float2 value = input.Get().value;
    ThreadNodeOutputRecords<Record> records = second.GetThreadNodeOutputRecords(1);
    put(records, value.yx);
    records.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 1, 1)]
[NumThreads(1, 1, 1)]
void second(DispatchNodeInputRecord<Record> input, uint group : SV_GroupID)
{
    results[group] = input.Get().value.x;
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

    fn session(&self, entry: Option<&str>, debug: DebugInfo) -> Session {
        // Optimisation removes variables.
        self.session_at(entry, debug, OptLevel::O0)
    }

    fn session_at(&self, entry: Option<&str>, debug: DebugInfo, level: OptLevel) -> Session {
        let options = Options { compute_entry: entry.map(Into::into), library: entry.is_some(), ..Options::default() };
        let command_line = "program.hlsl -Zi".into();
        let emit = EmitOptions { debug, command_line, level, ..EmitOptions::default() };
        Session::new(&[&self.path], options).emitting(emit)
    }
}

fn compute() -> Reader {
    let program = Program::new(COMPUTE);
    Reader::new(&program.session(Some("main"), DebugInfo::FULL).compute().expect("it compiles").words)
}

/// Returns line and column, from 1, of the only occurrence of a piece of text.
#[track_caller]
fn place(text: &str, piece: &str) -> (u32, u32) {
    assert_eq!(text.matches(piece).count(), 1, "{piece}");
    let before = &text[..text.find(piece).expect("it is there")];
    let line = before.matches('\n').count() as u32 + 1;
    (line, (before.len() - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1)
}

#[track_caller]
fn one(mut found: Vec<Placed>) -> Placed {
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

#[test]
fn debug_info_contains_source_and_entry_point() {
    let r = compute();
    let unit = r.all(reader::COMPILATION_UNIT);
    assert_eq!(unit.len(), 1);
    // HLSL is 5 in the list of source languages.
    assert_eq!(r.number(r.operand(unit[0], 3)), 5);
    let source = r.operand(unit[0], 2);
    assert!(r.text(r.operand(source, 0)).ends_with("program.hlsl"));
    assert_eq!(r.text(r.operand(source, 1)), COMPUTE);
    let entry = r.all(reader::ENTRY_POINT);
    assert_eq!(entry.len(), 1);
    assert_eq!(r.scopes(r.operand(entry[0], 0)), ["main"]);
    assert!(r.text(r.operand(entry[0], 2)).starts_with("wgc "));
    assert_eq!(r.text(r.operand(entry[0], 3)), "program.hlsl -Zi");
}

/// A text longer than an instruction is split into several.
#[test]
fn long_sources_use_debug_source_continued() {
    let line = "// What a long comment that is: \u{e4}\u{20ac}\u{1f600}\n";
    let text = format!("{COMPUTE}{}", line.repeat(300_000 / line.len()));
    let program = Program::new(&text);
    let r = Reader::new(&program.session(Some("main"), DebugInfo::FULL).compute().expect("it compiles").words);
    let first = r.declarations.iter().position(|id| r.debug(*id).number == reader::SOURCE).expect("a source");
    let mut joined = r.text(r.operand(r.declarations[first], 1)).to_owned();
    let more: Vec<&Word> =
        r.declarations[first + 1..].iter().take_while(|id| r.debug(**id).number == reader::SOURCE_CONTINUED).collect();
    assert!(!more.is_empty());
    more.iter().for_each(|id| joined += r.text(r.operand(**id, 0)));
    assert!(joined == text, "the pieces are the text");
}

#[test]
fn instructions_have_line_column_and_scope() {
    let r = compute();
    let division = one(r.code_of(Op::FDiv));
    assert_eq!(division.at, Some(place(COMPUTE, "from[n].m._m10 / 3")));
    let product = one(r.code_of(Op::FMul));
    assert_eq!(product.at, Some(place(COMPUTE, "x * 2.5")));
    assert_eq!(r.scopes(product.scope.expect("a scope").0), ["twice"]);
    let difference = one(r.code_of(Op::FSub));
    assert_eq!(difference.at, Some(place(COMPUTE, "value -= Scale")));
    let barrier = one(r.code_of(Op::ControlBarrier));
    assert_eq!(barrier.at, Some(place(COMPUTE, "GroupMemoryBarrierWithGroupSync();")));
    let mode = one(r.code_of(Op::IEqual));
    assert_eq!(mode.at, Some(place(COMPUTE, "mode == Slow")));
    let (scope, inlined) = mode.scope.expect("a scope");
    let (line, _) = place(COMPUTE, "for (uint i");
    assert_eq!(r.scopes(scope), [format!("block at {}", line + 1), format!("block at {line}"), "main".into()]);
    assert_eq!(inlined, None);
}

/// Buffers are passed by inlining: the division records both inlined calls.
#[test]
fn inlined_instructions_record_their_call_chain() {
    let r = compute();
    let (scope, inlined) = one(r.code_of(Op::FDiv)).scope.expect("a scope");
    assert_eq!(r.scopes(scope), ["leaf"]);
    let first = inlined.expect("it was inlined");
    assert_eq!(r.number(r.operand(first, 0)), place(COMPUTE, "leaf(from, n + 1)").0);
    assert_eq!(r.scopes(r.operand(first, 1)), ["outer"]);
    let second = r.operand(first, 2);
    assert_eq!(r.number(r.operand(second, 0)), place(COMPUTE, "outer(items, lane)").0);
    assert_eq!(r.scopes(r.operand(second, 1)), ["main"]);
    assert_eq!(r.debug(second).operands.len(), 2, "main is inlined nowhere");
    assert_eq!(r.debug(second).number, reader::INLINED_AT);
    // Its variable belongs to `leaf`, and is set in that inlined scope.
    let seen = r.named(reader::LOCAL_VARIABLE, "seen");
    assert_eq!(r.scopes(r.operand(seen, 5)), ["leaf"]);
    let values = r.inside(reader::VALUE);
    let (value, placed) = values.iter().find(|(debug, _)| debug.operands[0] == seen).expect("a value");
    assert_eq!(r.opcode(value.operands[1]), Op::FDiv);
    assert_eq!(placed.scope, Some((scope, inlined)));
    // So are the arguments, although they are set at the call.
    let n = r.all(reader::LOCAL_VARIABLE).into_iter().filter(|v| r.text(r.operand(*v, 0)) == "n").collect::<Vec<_>>();
    let argument = n.iter().find(|v| r.scopes(r.operand(**v, 5)) == ["leaf"]).expect("the parameter of leaf");
    assert_eq!(r.number(r.operand(*argument, 7)), 2, "the second argument");
    let (value, placed) = values.iter().find(|(debug, _)| debug.operands[0] == *argument).expect("a value");
    assert_eq!(r.opcode(value.operands[1]), Op::IAdd);
    assert_eq!(placed.scope, Some((scope, inlined)));
}

#[test]
fn types_have_members_and_offsets() {
    let r = compute();
    let item = r.named(reader::LOCAL_VARIABLE, "item");
    let ty = r.operand(item, 1);
    assert_eq!(r.type_name(ty), "Item");
    assert_eq!(r.debug(ty).number, reader::TYPE_COMPOSITE);
    assert_eq!(r.number(r.operand(ty, 3)), place(COMPUTE, "struct Item\n").0);
    // 4 + 4 + 2 * (8 + 4) + 3 * 2 * 4 bytes.
    assert_eq!(r.number(r.operand(ty, 7)), 8 * 56);
    let members = |ty: Word| -> Vec<(String, String, u32, u32, u32)> {
        let member = |id: &Word| {
            let [name, of, line, offset, size] = [0, 1, 3, 5, 6].map(|n| r.operand(*id, n));
            assert_eq!(r.debug(*id).number, reader::TYPE_MEMBER);
            (r.text(name).into(), r.type_name(of), r.number(line), r.number(offset), r.number(size))
        };
        r.debug(ty).operands[9..].iter().map(member).collect()
    };
    let expected = [
        ("id", "uint", 6, 0, 32),
        ("weight", "Weight", 7, 32, 32),
        ("inner", "Inner[2]", 8, 64, 192),
        ("m", "3 rows of float2", 9, 256, 192),
    ];
    let expected = expected.map(|(name, ty, line, offset, size)| (name.into(), ty.into(), line, offset, size));
    assert_eq!(members(ty), expected);
    let inner = r.named(reader::TYPE_COMPOSITE, "Inner");
    let expected = [("a", "float2", 3, 0, 64), ("mode", "Mode", 3, 64, 32)];
    assert_eq!(members(inner), expected.map(|(n, ty, line, at, size)| (n.into(), ty.into(), line, at, size)));

    let mode = r.named(reader::LOCAL_VARIABLE, "mode");
    let mode = r.operand(mode, 1);
    assert_eq!((r.type_name(mode), r.debug(mode).number), ("Mode".into(), reader::TYPE_ENUM));
    let values = &r.debug(mode).operands[8..];
    let values: Vec<(u32, &str)> = values.chunks(2).map(|v| (r.number(v[0]), r.text(v[1]))).collect();
    assert_eq!(values, [(0, "Fast"), (7, "Slow")]);
    let total = r.operand(r.named(reader::LOCAL_VARIABLE, "total"), 1);
    assert_eq!((r.type_name(total), r.debug(total).number), ("Weight".into(), reader::TYPEDEF));
    assert_eq!(r.type_name(r.operand(total, 1)), "float");

    let pair = r.operand(r.named(reader::LOCAL_VARIABLE, "pair"), 1);
    assert_eq!(r.type_name(pair), "Pair<float, 3>");
    let template = r.all(reader::TYPE_TEMPLATE).into_iter().find(|t| r.operand(*t, 0) == pair).expect("a template");
    let parameters: Vec<Word> = r.debug(template).operands[1..].to_vec();
    assert_eq!(parameters.iter().map(|p| r.text(r.operand(*p, 0))).collect::<Vec<_>>(), ["T", "N"]);
    assert_eq!(r.type_name(r.operand(parameters[0], 1)), "float");
    assert_eq!(r.number(r.operand(parameters[1], 2)), 3);
}

#[test]
fn functions_have_their_types_and_definitions() {
    let r = compute();
    let signature = |name: &str| r.type_name(r.operand(r.named(reader::FUNCTION, name), 1));
    assert_eq!(signature("main"), "void(uint3, uint)");
    assert_eq!(signature("twice"), "float(float)");
    // HLSL copies outputs, so there are no pointers. DXC describes them in the same way.
    assert_eq!(signature("bump"), "void(float, uint)");
    assert_eq!(signature("sum"), "float()");
    assert_eq!(r.type_name(r.operand(r.named(reader::FUNCTION, "sum"), 5)), "Item", "a method belongs to its record");
    let twice = r.named(reader::FUNCTION, "twice");
    let (line, column) = place(COMPUTE, "twice(float x)");
    assert_eq!([3, 4, 8].map(|n| r.number(r.operand(twice, n))), [line, column, line + 1]);
    // Declared before `main`, and defined after `main`.
    let bump = r.named(reader::FUNCTION, "bump");
    let declared = r.operand(bump, 9);
    assert_eq!(r.debug(declared).number, reader::FUNCTION_DECLARATION);
    assert_eq!(r.number(r.operand(declared, 3)), place(COMPUTE, "bump(inout float value, out uint count);").0);
    assert_eq!(r.number(r.operand(bump, 3)), place(COMPUTE, "bump(inout float value, out uint count)\n").0);
    // Each OpFunction is defined once, as the function of its name.
    let defined = r.inside(reader::FUNCTION_DEFINITION);
    assert_eq!(defined.iter().map(|(d, _)| d.operands[1]).collect::<Vec<_>>(), r.results(Op::Function));
    let mut names: Vec<String> = defined.iter().map(|(d, _)| r.scopes(d.operands[0]).remove(0)).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), defined.len(), "{names:?}");
}

#[test]
fn debug_variables_use_declare_or_value_instructions() {
    let r = compute();
    let declared = |name: &str| -> Vec<Op> {
        let local = r.named(reader::LOCAL_VARIABLE, name);
        let all = r.inside(reader::DECLARE).into_iter().filter(|(d, _)| d.operands[0] == local);
        all.map(|(d, _)| r.opcode(d.operands[1])).collect()
    };
    let value_ops = |name: &str| -> Vec<Op> {
        let local = r.named(reader::LOCAL_VARIABLE, name);
        let all = r.inside(reader::VALUE).into_iter().filter(|(d, _)| d.operands[0] == local);
        all.map(|(d, _)| r.opcode(d.operands[1])).collect()
    };
    // Changed in the loop; by reference; set once.
    assert_eq!((declared("total"), value_ops("total")), (vec![Op::Variable], vec![]));
    assert_eq!((declared("i"), value_ops("i")), (vec![Op::Variable], vec![]));
    assert_eq!((declared("value"), value_ops("value")), (vec![Op::FunctionParameter], vec![]));
    assert_eq!((declared("y"), value_ops("y")), (vec![], vec![Op::FMul]));
    assert_eq!((declared("x"), value_ops("x")), (vec![], vec![Op::FunctionParameter]));
    let part = r.named(reader::LOCAL_VARIABLE, "part");
    let (line, column) = place(COMPUTE, "part = item");
    assert_eq!([3, 4].map(|n| r.number(r.operand(part, n))), [line, column]);
    assert_eq!(r.scopes(r.operand(part, 5)).len(), 3, "a block in a loop in main");
    let i = r.named(reader::LOCAL_VARIABLE, "i");
    assert_eq!(r.scopes(r.operand(i, 5)), [format!("block at {}", line - 2), "main".into()]);

    let global = |name: &str| {
        let id = r.named(reader::GLOBAL_VARIABLE, name);
        (r.type_name(r.operand(id, 1)), r.number(r.operand(id, 3)), r.opcode(r.operand(id, 7)))
    };
    assert_eq!(global("partial"), ("float[64]".into(), place(COMPUTE, "groupshared").0, Op::Variable));
    assert_eq!(global("results").0, "RWStructuredBuffer<float>");
    assert_eq!(global("Settings").0, "Settings");
    let settings = r.operand(r.named(reader::GLOBAL_VARIABLE, "Settings"), 1);
    let kind = r.debug(settings).operands[10];
    assert_eq!((r.text(r.operand(kind, 0)), r.type_name(r.operand(kind, 1)).as_str()), ("Kind", "Mode"));
    assert_eq!(r.number(r.operand(kind, 5)), 32);
}

/// Without `-Zi` there is no debug information; with it the code is unchanged.
#[test]
fn debug_information_changes_no_code() {
    let opcodes = |r: &Reader| -> Vec<Op> {
        r.opcodes().into_iter().filter(|op| !matches!(op, Op::Line | Op::NoLine | Op::ExtInst)).collect()
    };
    let program = Program::new(COMPUTE);
    let words = |debug| program.session(Some("main"), debug).compute().expect("it compiles").words;
    let plain = Reader::new(&words(DebugInfo::LINES));
    assert!(plain.declarations.is_empty() && plain.results(Op::ExtInstImport).is_empty());
    assert_eq!(opcodes(&plain), opcodes(&Reader::new(&words(DebugInfo::FULL))));
    assert_eq!(words(DebugInfo::FULL), words(DebugInfo::FULL), "the same every time");
}

/// Both targets describe nodes. On the emulated target the helpers of the library have their own source.
#[test]
fn nodes_have_function_debug_info() {
    let program = Program::new(NODES);
    let native = Reader::new(&program.session(None, DebugInfo::FULL).native().expect("it compiles").words);
    let session = program.session(None, DebugInfo::FULL);
    let emulated = session.emulated(&session.emulated_options()).expect("it compiles");
    let first = emulated.modules.iter().find(|m| m.0 == "nodes/first.spv").expect("a module for the node");
    for r in [&native, &Reader::new(first.1)] {
        let product =
            r.code().into_iter().find(|p| matches!(p.instruction.class.opcode, Op::FMul | Op::VectorTimesScalar));
        let product = product.expect("a product");
        assert_eq!(product.at, Some(place(NODES, "value * 2")));
        let (scope, inlined) = product.scope.expect("a scope");
        assert_eq!(r.scopes(scope), ["put"]);
        let call = inlined.expect("what takes records is inlined");
        assert_eq!(r.number(r.operand(call, 0)), place(NODES, "put(records").0);
        assert_eq!(r.scopes(r.operand(call, 1)), ["first"]);
        let entries = r.all(reader::ENTRY_POINT);
        assert_eq!(entries.len(), r.results(Op::EntryPoint).len());
    }
    let results = native.named(reader::GLOBAL_VARIABLE, "results");
    assert_eq!(native.type_name(native.operand(results, 1)), "RWStructuredBuffer<float>");
    let r = Reader::new(first.1);
    let sources: Vec<&str> = r.all(reader::SOURCE).into_iter().map(|s| r.text(r.operand(s, 0))).collect();
    assert!(sources.iter().any(|s| s.ends_with("device.hlsl")), "{sources:?}");
    // Each function has its own unit, named after its first file.
    let source = |function: Word| r.text(r.operand(r.operand(function, 2), 0));
    let unit = |function: Word| r.text(r.operand(r.operand(r.operand(function, 5), 2), 0));
    let helper = r.all(reader::FUNCTION).into_iter().find(|f| source(*f).ends_with("device.hlsl")).expect("a helper");
    assert_eq!(unit(r.named(reader::FUNCTION, "first")), program.path);
    assert!(unit(helper).starts_with("wgc:"), "{}", unit(helper));
}

/// Functions of one name in several files of a graph are separate. Each has the location and variables of its file.
#[test]
fn each_file_of_a_graph_has_its_own_functions() {
    const FIRST: &str = "struct R { uint n; };\nRWStructuredBuffer<uint> results : register(u0);\nuint change(uint n)\n{\n    uint scaled = n * 200;\n    return scaled;\n}\n[Shader(\"node\")]\n[NodeLaunch(\"thread\")]\nvoid first(ThreadNodeInputRecord<R> input)\n{\n    results[0] = change(input.Get().n);\n}\n";
    const SECOND: &str = "struct R { uint n; };\nRWStructuredBuffer<uint> results : register(u0);\n\n\nuint change(uint m)\n{\n    uint part = m / 9;\n    return part;\n}\n[Shader(\"node\")]\n[NodeLaunch(\"thread\")]\nvoid second(ThreadNodeInputRecord<R> input)\n{\n    results[1] = change(input.Get().n);\n}\n";
    let dir = Scratch::new().with("first.hlsl", FIRST).with("second.hlsl", SECOND);
    let path = |name: &str| dir.0.join(name).to_string_lossy().into_owned();
    let (first, second) = (path("first.hlsl"), path("second.hlsl"));
    let emit = EmitOptions { debug: DebugInfo::FULL, level: OptLevel::O0, ..EmitOptions::default() };
    let session = Session::new(&[&first, &second], Options::default()).emitting(emit);
    let r = Reader::new(&session.native().expect("it compiles").words);
    for (op, file, text, line, piece) in
        [(Op::IMul, &first, FIRST, 3, "n * 200"), (Op::UDiv, &second, SECOND, 5, "m / 9")]
    {
        let found = one(r.code_of(op));
        assert_eq!(found.at, Some(place(text, piece)));
        let function = found.scope.expect("a scope").0;
        assert_eq!(r.scopes(function), ["change"]);
        assert_eq!(r.text(r.operand(r.operand(function, 2), 0)), file);
        assert_eq!(r.number(r.operand(function, 3)), line);
    }
}

#[test]
fn texts() {
    let programs = [
        (
            "compute",
            "float Scale;\nRWStructuredBuffer<float> data;\n\n[numthreads(32, 1, 1)]\nvoid main(uint i : SV_DispatchThreadID)\n{\n    float x = data[i];\n    if (x > 1)\n    {\n        float y = x * Scale;\n        data[i] = y;\n    }\n}\n",
            Some("main"),
        ),
        ("node", NODES, None),
    ];
    for (name, text, entry) in programs {
        let program = Program::new(text);
        for (how, debug) in [("lines", DebugInfo::LINES), ("full", DebugInfo::FULL)] {
            let session = program.session(entry, debug);
            let module = if entry.is_some() { session.compute() } else { session.native() };
            let text = module.expect("it compiles").disassemble().replace(&program.path, "program.hlsl");
            let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
            insta::assert_snapshot!(format!("{name}_{how}"), text);
        }
    }
}

/// Modules of the emulated target without `-Zi` are unchanged.
#[test]
fn packages_use_the_debug_level_of_the_session() {
    let program = Program::new(NODES);
    let set = "NonSemantic.Shader.DebugInfo.100";
    for (debug, expected) in [(DebugInfo::LINES, false), (DebugInfo::FULL, true)] {
        let session = program.session(None, debug);
        let options: EmulatedOptions = session.emulated_options();
        let modules = session.emulated_assembly(&options).expect("it compiles");
        assert!(modules.iter().all(|(name, text)| text.contains(set) == expected || !name.starts_with("nodes/")));
    }
}
