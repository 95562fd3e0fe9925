//! Tests of loading whole modules: the hand-written graphs, both byte orders, specialisation, and words that are not a
//! module.

use proptest::prelude::*;
use wgc_spirv_module::constant::Value;
use wgc_spirv_module::module::{Def, Terminator};
use wgc_spirv_module::structure::Structure;
use wgc_spirv_module::{Module, Specialisation, Type, asm, grammar, words};

fn graph(name: &str) -> Vec<u32> {
    let path = format!("{}/../tests/amdx-graphs/{name}", env!("CARGO_MANIFEST_DIR"));
    words::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

fn load(text: &str) -> Module {
    Module::load(&asm::assemble(text).unwrap()).unwrap()
}

#[test]
fn a_hand_written_graph_loads() {
    let m = Module::load(&graph("g4.spv")).unwrap();
    let names: Vec<_> = m.entry_points.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["e4", "grid", "shareA", "shareB", "fin"]);
    assert!(m.has_capability(spirv::Capability::ShaderEnqueueAMDX));
    let shares = m.execution_mode(m.entry_points[3].function, spirv::ExecutionMode::SharesInputWithAMDX).unwrap();
    assert!(shares.has_ids());
    assert_eq!(m.string(shares.operands[0]), Some("shareA"));
    assert_eq!(m.constant_u32(shares.operands[1]), Some(0));
    assert_eq!(m.functions.len(), 5);
    assert_eq!(m.functions[4].blocks.len(), 3);
}

/// Checks that the assembler writes the same words as SPIRV-Tools, except for the numbers of ids and the generator.
#[test]
fn assembler_output_matches_spirv_tools() {
    for name in ["g1", "g2", "g4"] {
        let path = format!("{}/../tests/amdx-graphs/{name}.spvasm", env!("CARGO_MANIFEST_DIR"));
        let ours = asm::assemble(&std::fs::read_to_string(path).unwrap()).unwrap();
        let theirs = graph(&format!("{name}.spv"));
        // SPIRV-Tools numbers ids by first use too, so only the generator differs.
        assert_eq!(ours[..2], theirs[..2]);
        assert_eq!(ours[3..], theirs[3..], "{name}");
    }
}

#[test]
fn either_byte_order_loads() {
    let theirs = graph("g1.spv");
    let swapped: Vec<u32> = theirs.iter().map(|w| w.swap_bytes()).collect();
    let (a, b) = (Module::load(&theirs).unwrap(), Module::load(&swapped).unwrap());
    assert_eq!(a.words, b.words);
    assert_eq!(a.types, b.types);
    let bytes: Vec<u8> = theirs.iter().flat_map(|w| w.to_be_bytes()).collect();
    assert_eq!(words::from_bytes(&bytes).unwrap(), theirs);
}

#[test]
fn specialisation_reaches_operations_and_array_lengths() {
    let text = "OpDecorate %n SpecId 3\nOpDecorate %on SpecId 4\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n\
                %bool = OpTypeBool\n%v2 = OpTypeVector %uint 2\n%two = OpConstant %uint 2\n%m3 = OpConstant %int -3\n\
                %n = OpSpecConstant %uint 5\n%on = OpSpecConstantTrue %bool\n\
                %twice = OpSpecConstantOp %uint IMul %n %two\n%arr = OpTypeArray %uint %twice\n\
                %pair = OpSpecConstantComposite %v2 %n %twice\n%second = OpSpecConstantOp %uint CompositeExtract %pair 1\n\
                %swapped = OpSpecConstantOp %v2 VectorShuffle %pair %pair 1 0\n\
                %picked = OpSpecConstantOp %uint Select %on %n %two\n%neg = OpSpecConstantOp %int SDiv %m3 %m3\n\
                %mod = OpSpecConstantOp %int SMod %m3 %two";
    let words = asm::assemble(text).unwrap();
    let check = |values: &[(u32, u64)], expected: [u64; 4]| {
        let m = Module::load_specialised(&words, &values.iter().copied().collect::<Specialisation>()).unwrap();
        let by_op: Vec<_> = m.declarations.iter().filter(|i| i.op() == Some(spirv::Op::SpecConstantOp)).collect();
        let scalars = |i: usize| m.constant_scalars(by_op[i].result).unwrap();
        let array = m.types.iter().find(|t| matches!(t.1, Type::Array { .. })).unwrap();
        assert_eq!(scalars(0), [expected[0]]);
        assert_eq!(m.scalar_count(*array.0), Some(expected[0] as usize));
        assert_eq!(scalars(1), [expected[0]]);
        assert_eq!(scalars(2), [expected[0], expected[1]]);
        assert_eq!(scalars(3), [expected[2]]);
        assert_eq!(scalars(4), [1]);
        assert_eq!(scalars(5), [expected[3]]);
    };
    check(&[], [10, 5, 5, 1]);
    check(&[(3, 7), (4, 0), (99, 1)], [14, 7, 2, 1]);
}

#[test]
fn groups_of_decorations_reach_their_targets() {
    let m = load(
        "OpDecorate %g Restrict\nOpDecorate %g Offset 8\n%g = OpDecorationGroup\nOpGroupDecorate %g %a %b\n\
         OpGroupMemberDecorate %g %s 1\n%uint = OpTypeInt 32 0\n%s = OpTypeStruct %uint %uint\n\
         %p = OpTypePointer Private %uint\n%a = OpVariable %p Private\n%b = OpVariable %p Private",
    );
    for global in m.globals.keys() {
        assert!(m.decoration(*global, None, spirv::Decoration::Restrict).is_some());
    }
    let (s, _) = m.types.iter().find(|t| matches!(t.1, Type::Struct { .. })).unwrap();
    assert_eq!(m.decoration_word(*s, Some(1), spirv::Decoration::Offset), Some(8));
}

/// Returns a module with a group of so many decorations and so many targets; they are one target if `is_one`.
fn decoration_group(decorations: usize, targets: usize, is_one: bool) -> String {
    let target = |n: usize| format!(" %t{}", if is_one { 0 } else { n });
    let names: String = (0..targets).map(target).collect();
    format!("{}%g = OpDecorationGroup\nOpGroupDecorate %g{names}", "OpDecorate %g Restrict\n".repeat(decorations))
}

#[test]
fn decorations_of_groups_are_limited() {
    let loaded = |text: &str| Module::load(&asm::assemble(text).unwrap());
    let repeated = loaded(&decoration_group(300, 30_000, true)).unwrap();
    let copies: usize = repeated.decorations.values().map(Vec::len).sum();
    assert_eq!(copies, 2 * 300, "one copy for the target");
    assert!(loaded(&decoration_group(256, 256, false)).is_ok());
    let error = loaded(&decoration_group(256, 257, false)).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("decoration groups add more than 65536 decorations"), "{error}");
}

#[test]
fn switch_cases_are_as_wide_as_the_selector() {
    let m = load(
        "%void = OpTypeVoid\n%long = OpTypeInt 64 1\n%l = OpConstant %long 1\n%ft = OpTypeFunction %void\n\
         %f = OpFunction %void None %ft\n%e = OpLabel\nOpSelectionMerge %m None\n\
         OpSwitch %l %m -1 %a 4294967296 %m\n%a = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn\nOpFunctionEnd",
    );
    let Terminator::Switch { cases, .. } = &m.functions[0].blocks[0].terminator else { panic!() };
    assert_eq!(cases.iter().map(|c| c.0).collect::<Vec<_>>(), [u64::MAX, 1 << 32]);
    assert!(matches!(m.def(cases[0].1), Def::Label(0, 1)));
}

#[test]
fn unknown_instructions_are_kept() {
    let mut words = asm::assemble("%u = OpTypeInt 32 0").unwrap();
    words.extend([(3 << 16) | 0xfff0, 1, 2]);
    let m = Module::load(&words).unwrap();
    let last = m.declarations.last().unwrap();
    assert_eq!((last.name().as_str(), m.operands(last)), ("opcode 65520", &[1, 2][..]));
}

#[test]
fn malformed_modules_are_rejected_with_word_offsets() {
    let good = asm::assemble("%u = OpTypeInt 32 0\n%c = OpConstant %u 7").unwrap();
    let error = |words: &[u32]| Module::load(words).unwrap_err();
    assert_eq!(error(&good[..4]).word, 4);
    assert_eq!(error(&[&[1], &good[1..]].concat()).word, 0);
    assert_eq!(error(&good[..good.len() - 1]).word, 9);
    let change = |at: usize, word: u32| {
        let mut words = good.clone();
        words[at] = word;
        error(&words)
    };
    assert_eq!(change(3, u32::MAX).word, 3);
    for byte in [0, 3] {
        assert_eq!(change(1, good[1] | (1 << (8 * byte))).word, 1, "byte {byte} of the version");
    }
    assert_eq!(change(5, 21).word, 5, "word count 0");
    assert_eq!(change(6, 3).word, 5, "id not below the bound");
    assert_eq!(change(6, 0).word, 5, "no id as a result");
    assert_eq!(change(10, 0).word, 9, "no id as a type");
    assert_eq!(change(11, 1).word, 9, "defined twice");
    assert!(change(7, 33).message.contains("33 bits"));
    let function = "%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n";
    for (rest, part) in [
        ("", "inside a function"),
        ("OpReturn", "outside of a block"),
        ("%l = OpLabel\nOpFunctionEnd", "no terminator"),
        ("%l = OpLabel\nOpReturn\n%p = OpFunctionParameter %v", "after a block"),
    ] {
        let e = error(&asm::assemble(&format!("{function}{rest}")).unwrap());
        assert!(e.message.contains(part), "{e}");
    }
}

/// Compares our table with the published grammar, row by row.
#[test]
fn the_grammar_is_the_published_one() {
    use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind as K, OperandQuantifier as Q};
    let letter = |kind: K| {
        Some(match kind {
            K::IdResultType => 'T',
            K::IdResult => 'R',
            K::IdRef => 'i',
            K::IdMemorySemantics => 'm',
            K::IdScope => 'p',
            K::LiteralInteger | K::LiteralFloat => 'n',
            K::LiteralString => 's',
            K::LiteralContextDependentNumber => 'c',
            K::LiteralExtInstInteger => 'x',
            K::LiteralSpecConstantOpInteger => 'o',
            K::PairLiteralIntegerIdRef => 'w',
            K::PairIdRefLiteralInteger => 'y',
            K::PairIdRefIdRef => 'z',
            K::SourceLanguage => 'L',
            K::ExecutionModel => 'E',
            K::AddressingModel => 'A',
            K::MemoryModel => 'M',
            K::ExecutionMode => 'X',
            K::StorageClass => 'S',
            K::Dim => 'D',
            K::ImageFormat => 'F',
            K::AccessQualifier => 'Q',
            K::Decoration => 'K',
            K::BuiltIn => 'B',
            K::Capability => 'C',
            K::GroupOperation => 'G',
            K::FunctionControl => 'U',
            K::SelectionControl => 'H',
            K::LoopControl => 'O',
            K::MemoryAccess => 'Y',
            K::ImageOperands => 'I',
            K::PackedVectorFormat => 'P',
            K::FPEncoding => 'N',
            _ => return None,
        })
    };
    let mut compared = 0;
    for row in INSTRUCTION_TABLE.iter() {
        let Some(ours) = grammar::pattern(row.opcode as u16) else { continue };
        let mut theirs = String::new();
        for operand in row.operands {
            theirs.push(letter(operand.kind).unwrap());
            theirs.push_str(match operand.quantifier {
                Q::One => "",
                Q::ZeroOrOne => "?",
                Q::ZeroOrMore => "*",
            });
        }
        assert_eq!(ours, theirs, "{}", row.opname);
        compared += 1;
    }
    assert!(compared > 400, "{compared}");
}

/// Calls every function that a consumer of a loaded module may call.
fn exercise(words: &[u32]) {
    let Ok(m) = Module::load(words) else { return };
    for inst in &m.declarations {
        m.for_each_used_id(inst, |id| assert!(id < m.bound || m.def(id) == Def::None));
        m.constant_scalars(inst.result);
        let _ = m.scalar_count(inst.result);
        if let Some(Value::Composite(parts)) = m.constants.get(&inst.result).map(|c| &c.value) {
            assert!(parts.iter().all(|p| *p < m.bound));
        }
    }
    for function in &m.functions {
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let _ = m.decoded(inst);
        }
        if let Ok(s) = Structure::of(function) {
            assert!(s.order.len() <= function.blocks.len());
        }
    }
}

/// Tables of ids have this size, also if the module uses few of them.
#[test]
fn the_bound_of_ids_is_limited() {
    let words = |bound: u32| [spirv::MAGIC_NUMBER, 0x0001_0600, 0, bound, 0];
    assert!(Module::load(&words(0x40_0000)).is_ok());
    for bound in [0, 0x40_0001, u32::MAX] {
        let error = Module::load(&words(bound)).expect_err("it is refused");
        assert!(error.to_string().contains(&format!("the bound {bound} is not between 1 and 4194304")), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_words_panic(body in prop::collection::vec(any::<u32>(), 0..200), bound in 0u32..2000) {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, bound, 0];
        words.extend(body);
        exercise(&words);
    }

    /// Tests short instructions of real opcodes over few ids, which get far deeper than random words.
    #[test]
    fn no_instructions_panic(list in prop::collection::vec((0u32..340, prop::collection::vec(1u32..40, 0..6)), 0..80)) {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, 40, 0];
        for (op, operands) in list {
            words.push(((operands.len() as u32 + 1) << 16) | op);
            words.extend(operands);
        }
        exercise(&words);
    }

    #[test]
    fn no_mutation_of_a_valid_module_panics(
        which in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![any::<u32>(), 0u32..200, (1u32..8).prop_map(|c| c << 16)]), 1..6),
        cut in any::<Option<prop::sample::Index>>(),
    ) {
        let mut words = graph(["g1.spv", "g2.spv", "g4.spv"][which]);
        for (at, value) in changes {
            let at = at.index(words.len());
            words[at] ^= value;
        }
        if let Some(cut) = cut {
            words.truncate(cut.index(words.len()));
        }
        exercise(&words);
    }
}
