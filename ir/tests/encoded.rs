//! The binary form: encoded modules decode to equal ones, and any other bytes do no harm.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use wgc_ir::passes::{self, OptLevel, Plan, Unset};
use wgc_ir::*;

/// Returns the IR texts of this crate and of the back end, by name.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("tests/text"), root.join("../backend-spirv/tests/ir")];
    let mut paths: Vec<_> = (folders.iter())
        .flat_map(|folder| std::fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("an entry").path()))
        .collect();
    paths.sort();
    let named = |path: &Path| (path.display().to_string(), std::fs::read_to_string(path).expect("it is text"));
    paths.iter().map(|path| named(path)).collect()
}

/// Returns the modules of all texts without their nodes, as read, with merged values, and optimised.
fn modules() -> Vec<(String, Module)> {
    let mut all = Vec::new();
    for (name, text) in texts() {
        let mut module = parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        module.graph.nodes.clear();
        let mut merged = module.clone();
        merged.functions.values_mut().for_each(|function| passes::ssa(function, Unset::Zero));
        all.push((format!("{name}, merged"), merged));
        if verify(&module).is_ok() {
            let mut optimised = module.clone();
            passes::optimise(&mut optimised, Plan::new(OptLevel::O2));
            all.push((format!("{name}, optimised"), optimised));
        }
        all.push((name, module));
    }
    all.push(("built".to_owned(), built()));
    all
}

/// Returns a module with positions, variables, bit-fields, inline SPIR-V, specialised threads and long names.
fn built() -> Module {
    let long = "a_name_that_is_longer_than_symbols_of_the_table";
    let bits = vec![BitField { name: "low".into(), scalar: Scalar::U32, first: 0, width: 3 }];
    let field = Field { bits, ..Field::new(long, Type::U32, 0) };
    let structure = Type::Struct(Arc::new(StructType { name: "S".into(), fields: vec![field], size: 4, align: 4 }));
    let mut b = FunctionBuilder::new("main", Type::Void);
    let local = b.new_local(long, structure.clone());
    let text = SourceText { item: "main".into(), body: Some(0) };
    let scope = SourceScope { function: "main".into(), text, name: 1, inlined_at: None };
    let outer = b.function_mut().scopes.alloc(scope.clone());
    let call = Position { scope: outer, token: 300 };
    let inner = b.function_mut().scopes.alloc(SourceScope { inlined_at: Some(call), ..scope });
    let declared = Position { scope: inner, token: 2 };
    b.function_mut().declare(local, Variable { name: "s".into(), ty: structure, declared, argument: Some(1) });
    b.set_position(Some(declared));
    let whole = b.load(local);
    b.set_name(whole, "whole");
    b.set_precise(whole);
    b.push(Stmt::Holds { variable: VariableId::from_raw(0.into()), value: Some(whole) });
    b.push(Stmt::Holds { variable: VariableId::from_raw(0.into()), value: None });
    let selector = b.const_i32(-5);
    b.switch(selector, vec![Case { labels: vec![i64::MIN, -5, i64::MAX], body: vec![Stmt::break_()] }], Vec::new());
    let operands = vec![spirv::Operand::Value(selector), spirv::Operand::Literal(7), spirv::Operand::Text(long.into())];
    b.push(Stmt::Spirv(Box::new(spirv::Instruction { set: Some("NonSemantic.X".into()), opcode: 9, operands })));
    b.ret(None);
    let mut function = b.finish();
    function.needs =
        spirv::Needs { capabilities: BTreeSet::from([1, 5300]), extensions: BTreeSet::from([long.into()]) };
    let mut module = Module::default();
    module.add_function(function);
    let constant = GlobalKind::SpecConstant { id: 3, default: ScalarConst::u64(u64::MAX) };
    module.add_global(Global { name: "threads".into(), kind: constant });
    let register = Some(('u', 1, u32::MAX));
    let binding = Binding { register, heap: Some(Heap::Counter), ..Binding::open(Count::Array(4)) };
    module.add_global(Global { name: "samplers".into(), kind: GlobalKind::Sampler { binding } });
    let steps = vec![SpecStep::Constant("threads".into()), SpecStep::Number(2), SpecStep::Op(SpecOp::UShr)];
    module.entries.push(ComputeEntry {
        name: "main".into(),
        function: "main".into(),
        workgroup_size: [64, 2, 1],
        wave_size: Some([4, 128, 32]),
        mesh: None,
        specialised: vec![(GraphConstant::Threads(0), SpecValue(steps))],
    });
    module
}

/// Returns a source map with steps forwards, backwards and between files.
fn sources() -> SourceMap {
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.as_bytes().into() };
    let files = vec![file("a.hlsl", "void f() {}\n"), file("\u{e9}.hlsl", "")];
    let mut map = SourceMap::default();
    (map.files, map.roots) = (files, vec![0, 1]);
    let at = |(file, line, column)| Location { file, line, column };
    let steps = [(0, 1, 1), (0, 1, 6), (0, 1, 6), (0, 1, 2), (0, 9, 1), (0, 3, 4), (1, 3, 9), (1, u32::MAX, u32::MAX)];
    let locations: Vec<Location> = steps.into_iter().chain([(0, 0, 0), (u32::MAX, 5, 0)]).map(at).collect();
    for n in 0..20u32 {
        let text = SourceText { item: format!("item{}", n % 7).into(), body: n.checked_sub(7) };
        map.insert(text, locations[..(n as usize).min(locations.len())].to_vec());
    }
    map
}

#[test]
fn encoded_modules_decode_to_equal_ones() {
    let all = modules();
    assert!(all.len() > 50, "{}", all.len());
    for (name, module) in all {
        for map in [SourceMap::default(), sources()] {
            let bytes = encode(&module, &map).unwrap_or_else(|e| panic!("{name}: {e}"));
            let (decoded, sources) = decode(&bytes).unwrap_or_else(|| panic!("{name} is not decoded"));
            assert!(decoded == module, "{name} is another module:\n{}", print_with_positions(&decoded));
            assert_eq!(sources, map, "{name}");
            assert!(encode(&decoded, &sources) == Ok(bytes), "{name} has two forms");
        }
    }
}

/// Equal types are one, even if they had separate memory before.
#[test]
fn decoded_types_share_memory() {
    let pair = || Arc::new(Type::Vector(Scalar::U32, 2));
    let array = |name: &str| Global {
        name: name.into(),
        kind: GlobalKind::Workgroup { ty: Type::Array { element: pair(), len: 3, stride: 8 } },
    };
    let mut module = Module::default();
    module.add_global(array("a"));
    module.add_global(array("b"));
    let bytes = encode(&module, &SourceMap::default()).expect("it has a form");
    let (decoded, _) = decode(&bytes).expect("it is decoded");
    let elements: Vec<&Arc<Type>> = (decoded.globals.values())
        .filter_map(|global| match &global.kind {
            GlobalKind::Workgroup { ty: Type::Array { element, .. } } => Some(element),
            _ => None,
        })
        .collect();
    assert!(matches!(elements[..], [a, b] if Arc::ptr_eq(a, b)));
}

#[test]
fn nodes_and_declarations_have_no_form() {
    let graph = parse(include_str!("text/sample.wir")).expect("it parses");
    assert_eq!(encode(&graph, &SourceMap::default()), Err(EncodeError::Nodes));
    let mut map = sources();
    map.declarations.types.insert(
        "S".into(),
        declared::TypeDeclaration {
            name: "S".into(),
            at: None,
            kind: declared::TypeDeclarationKind::Object { arguments: Vec::new() },
        },
    );
    assert_eq!(encode(&Module::default(), &map), Err(EncodeError::Declarations));
}

/// Returns an encoding with every kind of part.
fn sample() -> Vec<u8> {
    let mut module = built();
    for (_, text) in texts().into_iter().filter(|(name, _)| name.ends_with(".wir")) {
        let other = parse(&text).expect("it parses");
        module.functions.extend(other.functions);
        module.globals.extend(other.globals);
        module.entries.extend(other.entries);
    }
    encode(&module, &sources()).expect("it has a form")
}

#[test]
fn truncated_and_extended_forms_are_refused() {
    let bytes = sample();
    assert!(decode(&bytes).is_some());
    for length in 0..bytes.len() {
        assert!(decode(&bytes[..length]).is_none(), "{length} of {} bytes", bytes.len());
    }
    assert!(decode(&[bytes, vec![0]].concat()).is_none());
}

#[test]
fn changed_bytes_do_no_harm() {
    let bytes = sample();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut decoded = 0;
    for _ in 0..2000 {
        let mut changed = bytes.clone();
        for _ in 0..=random(3) {
            let at = random(changed.len());
            match random(3) {
                0 => changed[at] = 0xff,
                _ => changed[at] ^= 1 << random(8),
            }
        }
        // A module of changed numbers is a module, and has its own form.
        if let Some((module, sources)) = decode(&changed) {
            let again = encode(&module, &sources).expect("it has a form");
            assert!(decode(&again) == Some((module, sources)));
            decoded += 1;
        }
    }
    assert!((50..1950).contains(&decoded), "{decoded} of 2000 are decoded");
}

/// A few bytes cannot ask for much memory or for deep recursion.
#[test]
fn wrong_lengths_and_deep_nesting_are_refused() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert!(decode(&huge).is_none());
    assert!(decode(&[&[0, 0][..], &huge].concat()).is_none());
    // A number of more than 64 bits.
    assert!(decode(&[&[0xff; 10][..], &[0]].concat()).is_none());
    // An array of arrays, one more than types may nest.
    let mut ty = Type::U32;
    for nesting in 1..300 {
        let mut module = Module::default();
        module.add_global(Global { name: "g".into(), kind: GlobalKind::Workgroup { ty: ty.clone() } });
        let bytes = encode(&module, &SourceMap::default()).expect("it has a form");
        assert_eq!(decode(&bytes).is_some(), nesting <= 256, "{nesting}");
        ty = Type::Array { element: Arc::new(ty), len: 1, stride: 4 };
    }
}

/// Returns a module with switches inside each other.
fn nested(depth: usize) -> Module {
    let mut b = FunctionBuilder::new("f", Type::Void);
    let selector = b.const_u32(1);
    let mut body = Vec::new();
    for _ in 0..depth {
        let cases = vec![Case { labels: vec![0], body }];
        let results = Values::default();
        body = vec![Stmt::Switch { selector, cases, default: Vec::new(), results, hint: BranchHint::Any }];
    }
    let mut function = b.finish();
    function.body.extend(body);
    let mut module = Module::default();
    module.add_function(function);
    module
}

#[test]
fn blocks_decode_up_to_the_maximum_nesting() {
    let check = || {
        let module = nested(MAX_NESTING - 1);
        assert_eq!(verify(&module), Ok(()));
        let bytes = encode(&module, &SourceMap::default()).expect("it has a form");
        assert!(decode(&bytes) == Some((module, SourceMap::default())));
        let deeper = encode(&nested(MAX_NESTING + 20), &SourceMap::default()).expect("it has a form");
        assert!(decode(&deeper).is_none());
    };
    // The caller provides the stack, like for passes.
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(check).expect("it starts");
    thread.join().expect("it passes");
}
