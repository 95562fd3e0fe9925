//! `-Zi`: variables of a node's inputs, outputs and records.

use super::reader::{self, Placed, Reader};
use super::{NODES, Program};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};
use wgc_backend_spirv::DebugInfo;
use wgc_ir::passes::OptLevel;

/// A handle that is completed and assigned again, and an input with several records.
const HANDLES: &str = r#"struct Record { uint a; float2 value; };
RWStructuredBuffer<uint> results : register(u0);

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(2, 1, 1)]
void gather(
    [MaxRecords(2)] GroupNodeInputRecords<Record> inputs,
    uint thread : SV_GroupIndex,
    [MaxRecords(4)] NodeOutput<Record> last,
    [MaxRecords(4)] [NodeID("last")] [NodeArraySize(2)]
    NodeOutputArray<Record> several)
{
    uint from = thread < inputs.Count() ? inputs[thread].a : 0;
    ThreadNodeOutputRecords<Record> to = last.GetThreadNodeOutputRecords(1);
    to.Get().a = from;
    to.OutputComplete();
    results[0] = 7;
    to = last.GetThreadNodeOutputRecords(1);
    results[1] = 8;
    to.Get().a = from + 1;
    to.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void last(ThreadNodeInputRecord<Record> input)
{
    results[2] = input.Get().a;
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("last", 1)]
void next(ThreadNodeInputRecord<Record> input)
{
    results[3] = input.Get().a;
}
"#;

/// The modules of both targets that contain a node, at a level.
fn modules(text: &str, node: &str, level: OptLevel) -> [Reader; 2] {
    let program = Program::new(text);
    let native = Reader::new(&program.session_at(None, DebugInfo::FULL, level).native().expect("it compiles").words);
    let session = program.session_at(None, DebugInfo::FULL, level);
    let emulated = session.emulated(&session.emulated_options()).expect("it compiles");
    let path = format!("nodes/{node}.spv");
    let module = emulated.modules.iter().find(|m| *m.0 == path).expect("a module for the node");
    [native, Reader::new(module.1)]
}

/// Returns the variable of this name in a function.
#[track_caller]
fn variable(r: &Reader, function: &str, name: &str) -> Word {
    let is_it = |id: &Word| {
        r.text(r.operand(*id, 0)) == name && r.scopes(r.operand(*id, 5)).last().is_some_and(|f| f == function)
    };
    let found: Vec<Word> = r.all(reader::LOCAL_VARIABLE).into_iter().filter(is_it).collect();
    let described = || found.iter().map(|id| format!("{:?} {}", r.debug(*id), r.type_name(r.operand(*id, 1))));
    assert_eq!(found.len(), 1, "{name} of {function}: {:?}", described().collect::<Vec<_>>());
    found[0]
}

/// Returns the values of a variable, each with the operations of its expression.
fn values_of(r: &Reader, variable: Word) -> Vec<(Word, Vec<u32>, Placed)> {
    let all = r.inside(reader::VALUE).into_iter().filter(|(debug, _)| debug.operands[0] == variable);
    let operations = |expression: Word| -> Vec<u32> {
        r.debug(expression).operands.iter().map(|operation| r.number(r.operand(*operation, 0))).collect()
    };
    all.map(|(debug, placed)| (debug.operands[1], operations(debug.operands[2]), placed)).collect()
}

/// Returns `memory` for each pointer with Deref, `none` for each undefined value.
fn kinds(r: &Reader, variable: Word) -> Vec<&'static str> {
    let kind = |(value, operations, _): &(Word, Vec<u32>, Placed)| match (r.opcode(*value), operations.as_slice()) {
        (Op::Undef, []) => "none",
        (Op::AccessChain | Op::ConvertUToPtr, [0]) => "memory",
        other => panic!("{other:?}"),
    };
    values_of(r, variable).iter().map(kind).collect()
}

/// Returns base and indexes of a pointer.
fn path(r: &Reader, pointer: Word) -> Vec<Word> {
    let chains = r.code_of(Op::AccessChain);
    let found = chains.into_iter().find(|p| p.instruction.result_id == Some(pointer));
    found.map_or(vec![pointer], |p| p.instruction.operands.iter().map(id).collect())
}

fn id(operand: &Operand) -> Word {
    let Operand::IdRef(id) = operand else { panic!("{operand} is no id") };
    *id
}

/// Checks that the memory of a variable is that of an access at this place in the source, without the last index.
#[track_caller]
fn check_accessed(r: &Reader, variable: Word, access: Op, at: (u32, u32)) {
    let mut accesses = r.code_of(access).into_iter().filter(|p| p.at.is_some_and(|found| found.0 == at.0));
    let roots: Vec<Vec<Word>> = values_of(r, variable).iter().map(|(value, ..)| path(r, *value)).collect();
    let is_it = |p: Placed| roots.iter().any(|root| path(r, id(&p.instruction.operands[0])).starts_with(root));
    assert!(accesses.any(is_it), "no access at {at:?} uses {roots:?}");
}

#[test]
fn records_are_variables_in_memory() {
    for level in [OptLevel::O0, OptLevel::O2] {
        for r in modules(NODES, "first", level) {
            let (input, to) = (variable(&r, "first", "input"), variable(&r, "put", "to"));
            for (variable, argument) in [(input, Some(1)), (to, Some(1))] {
                assert_eq!(r.type_name(r.operand(variable, 1)), "Record");
                assert_eq!(r.debug(variable).operands.get(7).map(|n| r.number(*n)), argument);
            }
            assert_eq!(kinds(&r, input), ["memory"]);
            check_accessed(&r, input, Op::Load, super::place(NODES, "input.Get().value;"));
            // Each of the two accesses names the record again.
            assert_eq!(kinds(&r, to).iter().filter(|kind| **kind == "memory").count(), 2, "{level:?}");
            check_accessed(&r, to, Op::Store, super::place(NODES, "to.Get().value"));
        }
    }
}

#[test]
fn assigned_and_complete_handles_hold_no_record() {
    for r in modules(HANDLES, "gather", OptLevel::O0) {
        let to = variable(&r, "gather", "to");
        // Declared, accessed, complete, assigned, accessed, complete at the end.
        let expected = ["none", "memory", "none", "none", "memory", "none"];
        assert_eq!(kinds(&r, to), expected[..kinds(&r, to).len().max(5)]);
        let line = |(_, _, placed): &(Word, Vec<u32>, Placed)| placed.at.map(|at| at.0);
        let lines: Vec<Option<u32>> = values_of(&r, to).iter().take(5).map(line).collect();
        let pieces =
            ["ThreadNodeOutputRecords<Record> to", "to.Get().a = from;", "to.OutputComplete();\n    results[0]"];
        let mut wanted: Vec<u32> = pieces.map(|piece| super::place(HANDLES, piece).0).into();
        wanted.extend([super::place(HANDLES, "to = last.GetThreadNodeOutputRecords(1);\n    results[1]").0]);
        wanted.extend([super::place(HANDLES, "to.Get().a = from + 1").0]);
        assert_eq!(lines, wanted.into_iter().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn inputs_show_the_accessed_record() {
    for r in modules(HANDLES, "gather", OptLevel::O0) {
        let inputs = variable(&r, "gather", "inputs");
        assert_eq!(r.type_name(r.operand(inputs, 1)), "Record");
        // Only an arm accesses it, so after that no record is certain.
        assert_eq!(kinds(&r, inputs), ["memory", "none"]);
        check_accessed(&r, inputs, Op::Load, super::place(HANDLES, "inputs[thread].a"));
    }
}

#[test]
fn outputs_are_declared_without_values() {
    for r in modules(HANDLES, "gather", OptLevel::O2) {
        for (name, ty, argument) in [("last", "NodeOutput<Record>", 3), ("several", "NodeOutputArray<Record>", 4)] {
            let output = variable(&r, "gather", name);
            assert_eq!(r.type_name(r.operand(output, 1)), ty);
            assert_eq!(r.number(r.operand(output, 7)), argument);
            assert!(values_of(&r, output).is_empty());
        }
    }
}
