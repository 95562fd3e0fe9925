//! Tests of properties of every emitted module that are easy to overlook in a snapshot. Interfaces are exact, shared
//! memory and only that has a layout, and payload arrays are always behind pointers. The tests check the words of every
//! test file.

mod common;

use common::{Kind, emit, emit_file, files, verify, verify_but, words::*, write};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use wgc_backend_spirv::{DebugInfo, EmitOptions, SpirvModule, ValidOperand};
use wgc_ir::passes::OptLevel;

const STORAGE_BUFFER: u32 = 12;
const UNIFORM: u32 = 2;
const PUSH_CONSTANT: u32 = 9;
const PHYSICAL: u32 = 5349;
const INPUT: u32 = 1;
const WORKGROUP: u32 = 4;
const PRIVATE: u32 = 6;
const FUNCTION_CLASS: u32 = 7;

const ARRAY_STRIDE: u32 = 6;
const OFFSET: u32 = 35;
const NODE_MAX_PAYLOADS: u32 = 5020;
const PAYLOAD_NODE_NAME: u32 = 5091;

fn modules() -> Vec<(String, Kind, SpirvModule)> {
    let modules: Vec<_> = files()
        .into_iter()
        .filter_map(|file| {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let (kind, result) = emit_file(&file);
            result.ok().map(|module| (name, kind, module))
        })
        .collect();
    assert!(modules.len() > 8);
    modules
}

/// Returns the ids of the global variables and of the called functions in each function.
fn bodies(instructions: &[Instruction]) -> BTreeMap<u32, (BTreeSet<u32>, BTreeSet<u32>)> {
    let first_function = instructions.iter().position(|i| i.op == FUNCTION).expect("a function");
    let globals: HashSet<u32> =
        instructions[..first_function].iter().filter(|i| i.op == VARIABLE).map(|i| i.words[1]).collect();
    let mut bodies: BTreeMap<u32, (BTreeSet<u32>, BTreeSet<u32>)> = BTreeMap::new();
    let mut current = 0;
    for i in &instructions[first_function..] {
        if i.op == FUNCTION {
            current = i.words[1];
            bodies.entry(current).or_default();
            continue;
        }
        let body = bodies.get_mut(&current).expect("inside a function");
        if i.op == FUNCTION_CALL {
            body.1.insert(i.words[2]);
        }
        // Pointer operands: the base of a chain or load, the target of a store, the operands of payload operations.
        let pointers: &[usize] = match i.op {
            STORE | 228 => &[0],
            LOAD | 65 | 68 | 227 | 229..=242 | 5078 | 5090 => &[2],
            _ => &[],
        };
        body.0.extend(pointers.iter().map(|&n| i.words[n]).filter(|w| globals.contains(w)));
    }
    bodies
}

#[test]
fn interfaces_list_exactly_the_reached_variables() {
    for (name, _, module) in modules() {
        let instructions = instructions(&module.words);
        let bodies = bodies(&instructions);
        let payloads: HashMap<u32, u32> = instructions
            .iter()
            .filter(|i| i.op == VARIABLE && i.words[2] == NODE_PAYLOAD)
            .map(|i| (i.words[1], i.words[0]))
            .collect();
        let mut owned = HashSet::new();
        for entry in instructions.iter().filter(|i| i.op == ENTRY_POINT) {
            let (entry_name, len) = string(&entry.words[2..]);
            let listed: Vec<u32> = entry.words[2 + len..].to_vec();
            let set: BTreeSet<u32> = listed.iter().copied().collect();
            assert_eq!(set.len(), listed.len(), "{name}/{entry_name}: a variable is listed twice");
            let (mut reached, mut work, mut seen) = (BTreeSet::new(), vec![entry.words[1]], HashSet::new());
            while let Some(function) = work.pop() {
                if seen.insert(function) {
                    reached.extend(&bodies[&function].0);
                    work.extend(&bodies[&function].1);
                }
            }
            let inputs: Vec<&u32> = listed.iter().filter(|v| payloads.contains_key(v)).collect();
            assert!(inputs.len() <= 1, "{name}/{entry_name}: more than one payload");
            for input in inputs {
                assert!(owned.insert(*input), "{name}/{entry_name}: another node has this payload");
                reached.insert(*input);
            }
            assert_eq!(set, reached, "{name}/{entry_name}");
        }
        assert_eq!(owned.len(), payloads.len(), "{name}: a payload belongs to no node");
    }
}

/// Collects all types inside a type, including itself.
fn inner(types: &HashMap<u32, Instruction>, ty: u32, found: &mut HashSet<u32>) {
    if !found.insert(ty) {
        return;
    }
    if let Some(i) = types.get(&ty) {
        match i.op {
            TYPE_ARRAY | TYPE_RUNTIME_ARRAY | TYPE_PAYLOAD_ARRAY => inner(types, i.words[1], found),
            TYPE_STRUCT => i.words[1..].iter().for_each(|&member| inner(types, member, found)),
            _ => {}
        }
    }
}

#[test]
fn only_externally_visible_memory_has_explicit_layout() {
    for (name, _, module) in modules() {
        let instructions = instructions(&module.words);
        let decorations = decorations(&instructions);
        let types: HashMap<u32, Instruction> = instructions
            .iter()
            .filter(|i| (19..=39).contains(&i.op) || i.op == 5076)
            .map(|i| (i.words[0], i.clone()))
            .collect();
        for pointer in instructions.iter().filter(|i| i.op == TYPE_POINTER) {
            let laid_out = match pointer.words[1] {
                STORAGE_BUFFER | UNIFORM | PUSH_CONSTANT | PHYSICAL | NODE_PAYLOAD => true,
                INPUT | WORKGROUP | PRIVATE | FUNCTION_CLASS => false,
                _ => continue,
            };
            let mut all = HashSet::new();
            inner(&types, pointer.words[2], &mut all);
            for ty in all {
                let Some(i) = types.get(&ty) else { continue };
                let strides = decorations.of.get(&ty).map_or(0, |d| d.iter().filter(|d| d.0 == ARRAY_STRIDE).count());
                let offsets: BTreeSet<u32> = decorations
                    .members
                    .get(&ty)
                    .map(|d| d.iter().filter(|d| d.0 == OFFSET).map(|d| d.1).collect())
                    .unwrap_or_default();
                match i.op {
                    TYPE_ARRAY | TYPE_RUNTIME_ARRAY => {
                        assert_eq!(strides, usize::from(laid_out), "{name}: array %{ty}")
                    }
                    TYPE_STRUCT => {
                        let members = if laid_out { i.words.len() - 1 } else { 0 };
                        assert_eq!(offsets.len(), members, "{name}: structure %{ty}");
                        assert!(!laid_out || !i.words[1..].iter().any(|m| types[m].op == 20), "{name}: bool in %{ty}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn payload_array_types_are_unique_and_only_pointed_to() {
    for (name, kind, module) in modules() {
        if kind != Kind::Amdx {
            continue;
        }
        let instructions = instructions(&module.words);
        let decorations = decorations(&instructions);
        let arrays: HashSet<u32> =
            instructions.iter().filter(|i| i.op == TYPE_PAYLOAD_ARRAY).map(|i| i.words[0]).collect();
        let pointers: HashMap<u32, u32> = instructions
            .iter()
            .filter(|i| i.op == TYPE_POINTER && i.words[1] == NODE_PAYLOAD)
            .map(|i| (i.words[0], i.words[2]))
            .collect();
        for array in &arrays {
            let of = &decorations.of[array];
            assert_eq!(of.iter().filter(|d| d.0 == NODE_MAX_PAYLOADS).count(), 1, "{name}: %{array}");
        }
        for i in &instructions {
            match i.op {
                LOAD => assert!(!arrays.contains(&i.words[0]), "{name}: a payload array is loaded"),
                FUNCTION_PARAMETER => assert!(!pointers.contains_key(&i.words[0]), "{name}: a payload is passed"),
                ALLOCATE => {
                    let names = decorations.of[&pointers[&i.words[0]]].iter().filter(|d| d.0 == PAYLOAD_NODE_NAME);
                    assert_eq!(names.count(), 1, "{name}: an allocation without a target");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn emission_is_deterministic_and_names_are_debug_information() {
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.display().to_string();
        let options = EmitOptions::default();
        let Ok(first) = emit(&text, &name, &options) else { continue };
        let again = emit(&text, &name, &options).expect("it was emitted before");
        assert_eq!(first.words, again.words, "{name}");
        let bare = EmitOptions { debug: DebugInfo::NONE, ..options };
        let bare = emit(&text, &name, &bare).expect("it was emitted before");
        let without_names: Vec<_> = instructions(&first.words)
            .into_iter()
            .filter(|i| !matches!(i.op, 5 | 6))
            .map(|i| (i.op, i.words))
            .collect();
        let bare: Vec<_> = instructions(&bare.words).into_iter().map(|i| (i.op, i.words)).collect();
        assert_eq!(without_names, bare, "{name}");
    }
}

const TWO: &str = r#"
struct Rec size 4 align 4 { value: u32 @0 }
node "a"[0] = @a { launch thread threads 1 1 1 entry
  output out: Rec -> "b"[1] max 1
}
node "b"[1] = @b { launch thread threads 1 1 1
  input in: Rec max 1
}
fn @a() -> void {
  %0: u32 = 0
  %1: bool = output_valid 0[%0]
}
fn @b() -> void { }
"#;

#[test]
fn entry_points_name_their_nodes() {
    let module = emit(TWO, "TWO", &EmitOptions::default()).unwrap();
    let names: Vec<_> = module
        .entry_points
        .iter()
        .map(|e| (e.name.as_str(), e.node.as_ref().map(|n| (n.name.as_str(), n.index))))
        .collect();
    assert_eq!(names, [("a", Some(("a", 0))), ("b", Some(("b", 1)))]);
}

#[test]
fn records_for_other_nodes_of_the_same_name_are_rejected() {
    // The module's name `b.1` hides the node's name from rule AMDX-20.
    let text = |own: u32, to: u32| {
        format!(
            "struct Rec size 4 align 4 {{ value: u32 @0 }}
             node \"b\"[{own}] = @b {{ launch thread threads 1 1 1 entry recursion 2
               input in: Rec max 1
               output out: Rec -> \"b\"[1] array 4 max 1
             }}
             fn @b() -> void {{
               %0: u32 = {to}
               %1: u32 = 1
               %2: records<thread, Rec> = allocate thread 0[%0], %1
               complete %2
             }}"
        )
    };
    let sends =
        |own, to| emit(&text(own, to), "siblings", &EmitOptions::default()).map(drop).map_err(|e| e.to_string());
    assert_eq!(sends(3, 2), Ok(()));
    let refused = sends(3, 1).expect_err("it sends to another");
    assert!(refused.contains("node `b` sends to `b`[2]"), "{refused}");
    assert!(sends(1, 3).is_err());
}

#[test]
fn a_filter_keeps_the_nodes_of_one_name() {
    let options = EmitOptions { entry_filter: Some("b".into()), ..EmitOptions::default() };
    let module = emit(TWO, "TWO", &options).unwrap();
    assert_eq!(module.entry_points.len(), 1);
    assert_eq!(module.entry_points[0].name, "b");
    let options = EmitOptions { entry_filter: Some("c".into()), ..EmitOptions::default() };
    assert!(emit(TWO, "TWO", &options).is_err());
}

#[test]
fn validity_queries_use_type_or_value_operand() {
    const IS_VALID: u32 = 5101;
    let operand = |valid_operand| {
        let module =
            emit(TWO, "TWO", &EmitOptions { valid_operand, level: OptLevel::O0, ..EmitOptions::default() }).unwrap();
        let name = format!("valid_operand_{valid_operand:?}");
        match valid_operand {
            ValidOperand::Type => verify(&name, &module),
            // SPIRV-Tools accept this, against the text of the extension.
            ValidOperand::Value => verify_but(&name, &module, "AMDX-44"),
        }
        write(&name, &module);
        let instructions = instructions(&module.words);
        let valid = instructions.iter().find(|i| i.op == IS_VALID).expect("the operation");
        let operand = valid.words[2];
        // Type instructions have their result first, others second.
        let defines = |i: &&Instruction| {
            i.words.get(usize::from(i.op != TYPE_PAYLOAD_ARRAY)) == Some(&operand) && matches!(i.op, 1 | 5076)
        };
        instructions.iter().find(defines).expect("its operand").op
    };
    assert_eq!(operand(ValidOperand::Type), TYPE_PAYLOAD_ARRAY);
    assert_eq!(operand(ValidOperand::Value), 1);
}

#[test]
fn disassembly_reassembles_to_the_same_module() {
    use wgc_spirv_module::{Module, asm, structure::Structure};
    // Opcode, length, and the values of constants do not depend on ids.
    let outline = |words: &[u32]| -> Vec<(u32, usize, Vec<u32>)> {
        const CONSTANT: u32 = 43;
        instructions(words)
            .into_iter()
            .map(|i| (i.op, i.words.len(), if i.op == CONSTANT { i.words[2..].to_vec() } else { Vec::new() }))
            .collect()
    };
    for (name, _, module) in modules() {
        let loaded = Module::load(&module.words).unwrap_or_else(|e| panic!("{name}: {e}"));
        for function in &loaded.functions {
            Structure::of(function).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let assembled = asm::assemble(&module.disassemble()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(outline(&assembled), outline(&module.words), "{name}");
    }
}
