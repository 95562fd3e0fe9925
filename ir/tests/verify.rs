//! The contract: each rule rejects violations and reports their location. No module makes it panic.

#[path = "../../tests/support/random.rs"]
mod random;

use random::Random;
use wgc_ir::verify::Rule;
use wgc_ir::{Module, Stmt, Type, parse, passes, print, verify};

fn errors(text: &str) -> Vec<wgc_ir::VerifyError> {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&module).err().unwrap_or_default()
}

/// Returns a module whose function `@f` has these statements.
fn in_function(body: &str) -> String {
    format!(
        "struct R {{ x: u32 }}
        global @table: constant [u32; 2 stride 4] = zero
        global @input: buffer<u32 stride 4> set 0 binding 0
        global @g: private u32
        global @tex: image<2d, f32x4> set 0 binding 1
        node \"N\"[0] = @f {{
          launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry
          input in: R max 1
          output out: R -> \"M\"[0] array 3 max 2
          output nothing: empty -> \"E\"[0] max 2
        }}
        fn @f() -> void {{
        {body}
        }}
        fn @one() -> u32 {{ %0: u32 = 1 return %0 }}
        fn @take(x: u32) -> void {{ }}"
    )
}

/// Statements, the only rule that they break, the position of the statement, and a part of the message.
const BROKEN: &[(&str, Rule, &str, &str)] = &[
    // Merged values.
    ("%0: bool = true %1: u32 = 1 %2: u32 = if %0 { yield %1 }", Rule::ControlFlow, "2.else", "yields no values"),
    ("%0: bool = true %1: u32 = 1 if %0 { yield %1 }", Rule::Operands, "2.then.0", "1 values to a target of 0"),
    ("%0: bool = true if %0 { yield }", Rule::ControlFlow, "1.then.0", "a yield without values"),
    ("%1: u32 = 1 yield %1", Rule::ControlFlow, "1", "outside of an arm"),
    ("%1: u32 = 1 loop { } continuing { yield %1 }", Rule::ControlFlow, "1.continuing.0", "outside of an arm"),
    (
        "%0: bool = true %1: u32 = 1 %2: u32 = if %0 { yield %1 %3: u32 = 1 } else { yield %1 }",
        Rule::ControlFlow,
        "2.then.1",
        "follows a jump",
    ),
    (
        "%0: bool = true %1: u32 = 1 %3: f32 = 1.0 %2: u32 = if %0 { yield %3 } else { yield %1 }",
        Rule::Operands,
        "3.then.0",
        "carries f32 to",
    ),
    (
        "%0: bool = true %1: u32 = 1 %2: u32 = if %0 { yield %1, %1 } else { yield %1 }",
        Rule::Operands,
        "2.then.0",
        "2 values to a target of 1",
    ),
    (
        "%1: u32 = 1 %2: u32 = switch %1 { case 1 { break } default { yield %1 } }",
        Rule::Operands,
        "1.case.0",
        "0 values to a target of 1",
    ),
    ("%1: u32 = 1 loop { continue } continuing (%2: u32) { }", Rule::Operands, "1.body.0", "0 values to a target"),
    ("%1: u32 = 1 loop { } continuing (%2: u32) { }", Rule::ControlFlow, "1.body", "yields no values"),
    ("%1: u32 = 1 loop (%2: u32 = %1) { }", Rule::Operands, "1.continuing", "0 values to a target of 1"),
    ("%1: f32 = 1.0 loop (%2: u32 = %1) { } continuing { next %2 }", Rule::Operands, "1", "carries f32 to"),
    ("%1: u32x2 = zero loop (%2: u32 = %1) { } continuing { next %2 }", Rule::Operands, "1", "carries u32x2 to"),
    ("%0: bool = true %1: u32 = loop { } continuing { } break_if %0", Rule::Operands, "1.continuing", "0 values"),
    ("%1: u32 = 1 %2: u32 = loop { break %1 } continuing { } last %1", Rule::Operands, "1.continuing", "1 values"),
    (
        "%1: u32 = 1 loop (%2: u32 = %1) { %3: u32 = add %2, %1 } continuing { next %3 }",
        Rule::Scope,
        "1.continuing",
        "outside its block",
    ),
    (
        "%1: u32 = 1 loop (%2: u32 = %1) { break } continuing { next %2 } %3: u32 = add %2, %2",
        Rule::Scope,
        "2",
        "outside its block",
    ),
    (
        "%1: u32 = 1 loop { %2: u32 = add %3, %1 yield %1 } continuing (%3: u32) { }",
        Rule::Scope,
        "1.body.0",
        "before its definition",
    ),
    ("%0: u32 = merge", Rule::Operands, "0", "a `Let` of the merged value"),
    (
        "%0: bool = true %1: ref<private, u32> = global @g %2: ref<private, u32> = if %0 { yield %1 } else { yield %1 }",
        Rule::Operands,
        "2",
        "do not merge",
    ),
    (
        "%0: bool = true %1: [u32; 17 stride 4] = zero %2: [u32; 17 stride 4] = if %0 { yield %1 } else { yield %1 }",
        Rule::Operands,
        "2",
        "do not merge",
    ),
    ("%0: u32 = add %1, %1 %1: u32 = 1", Rule::Scope, "0", "before its definition"),
    ("%0: bool = true if %0 { %1: u32 = 1 } %2: u32 = add %1, %1", Rule::Scope, "2", "outside its block"),
    (
        "%0: bool = true loop { %1: bool = true } continuing { %2: bool = not %1 } break_if %2",
        Rule::Scope,
        "1.continuing.0",
        "outside its block",
    ),
    ("%0: u32 = 1 %1: f32 = 1.0 %2: f32 = add %1, %0", Rule::Operands, "2", "right operand is u32, not f32"),
    ("%0: u32 = 1 %1: f32 = convert %0 %2: u32 = add %1, %1", Rule::Operands, "2", "is f32, not u32"),
    ("%0: f32 = 1.0 %1: f32 = and %0, %0", Rule::Operands, "1", "does not take f32"),
    ("%0: bool = true %1: bool = add %0, %0", Rule::Operands, "1", "does not take bool"),
    ("%0: u32 = 1 %1: u64 = 1 %2: u32 = shl %0, %1", Rule::Operands, "2", "shifts u32 by u64"),
    ("%0: u32 = 1 %1: u32x3 = compose %0, %0", Rule::Operands, "1", "2 components"),
    ("%0: u32x3 = zero %1: u32 = extract %0, 3", Rule::Operands, "1", "no element 3"),
    ("%0: u32x3 = zero %1: u32x2 = swizzle %0, 0 3", Rule::Operands, "1", "does not fit"),
    ("%0: u32x3 = zero %1: u32x2 = shuffle %0, %0, 0 6", Rule::Operands, "1", "does not fit"),
    ("%0: u32x3 = zero %1: u32x2 = shuffle %0, %0, 0", Rule::Operands, "1", "does not fit"),
    (
        "%0: u32x3 = zero %1: f32x3 = zero %2: u32x2 = shuffle %0, %1, 0 4",
        Rule::Operands,
        "2",
        "components of u32x3 and f32x3",
    ),
    ("%0: u32 = 1 %1: u32x3 = zero %2: u32x2 = shuffle %0, %1, 0 1", Rule::Operands, "2", "not two vectors"),
    ("%0: f32x2 = zero %1: f32x2 = cross %0, %0", Rule::Operands, "1", "does not take f32x2"),
    ("%0: u32 = 1 %1: u32 = sqrt %0", Rule::Operands, "1", "does not take u32"),
    ("%0: f32 = 1.0 %1: f32 = min %0", Rule::Operands, "1", "takes 2 operands"),
    ("%0: u32 = 1 %1: u64 = bitcast %0", Rule::Operands, "1", "differ in size"),
    ("%0: u32x2 = zero %1: f32 = convert %0", Rule::Operands, "1", "converts 2 components to 1"),
    ("%0: u32 = 1 if %0 { }", Rule::Operands, "1", "not a bool"),
    ("%0: bool = true if %0 [call] { }", Rule::ControlFlow, "1", "hint for switches"),
    ("%0: bool = true if %0 [forcecase] { }", Rule::ControlFlow, "1", "hint for switches"),
    ("%0: f32 = 1.0 switch %0 { case 1 { } }", Rule::Operands, "1", "not an integer"),
    ("%0: u32 = 1 return %0", Rule::Operands, "1", "returns u32 from a function of void"),
    (
        "%0: ref<private, u32> = global @g %1: ref<private, u32> = select %2, %0, %0 %2: bool = true",
        Rule::Scope,
        "1",
        "",
    ),
    (
        "%2: bool = true %0: ref<private, u32> = global @g %1: ref<private, u32> = select %2, %0, %0",
        Rule::Operands,
        "2",
        "has no size",
    ),
    // Floats in memory are exchanged as bits.
    (
        "%0: u64 = 64 %1: ref<physical, f32> = address %0 %2: f32 = 1.0 %3: f32 = atomic.exchange %1, %2 device relaxed",
        Rule::Operands,
        "3",
        "atomic on f32",
    ),
    ("%0: ref<private, f32> = global @g", Rule::Operands, "0", "not ref<private, f32>"),
    ("%0: ref<private, u32> = global @h", Rule::Name, "0", "no global @h"),
    (
        "%0: u32 = 1 %1: ref<private, [u32; 2 stride 4]> = global @table %2: ref<private, u32> = index %1, %0 store %2, %0",
        Rule::Place,
        "3",
        "read-only",
    ),
    (
        "%0: u32 = 1 %1: ref<storage, [u32 stride 4]> = global @input %2: ref<storage, u32> = index %1, %0
         %3: u32 = atomic.add %2, %0 device relaxed",
        Rule::Place,
        "3",
        "read-only",
    ),
    (
        "%0: u32 = 0 %1: ref<node_input, R> = input_record %0 %2: ref<node_input, u32> = field %1, 0 store %2, %0",
        Rule::Place,
        "3",
        "read-only",
    ),
    ("%0: ref<private, u32> = global @g %1: f32 = load %0", Rule::Operands, "1", "loads f32 from a place of type u32"),
    ("%0: f32 = 1.0 %1: ref<private, u32> = global @g store %1, %0", Rule::Operands, "2", "stores f32"),
    (
        "%0: u32 = 0 %1: ref<private, u32> = global @g %2: u32 = atomic.add %1, %0 device relaxed",
        Rule::Operands,
        "2",
        "no other thread",
    ),
    (
        "%0: i32x2 = zero %1: f32x4 = zero %2: image<2d, f32x4> = global @tex image_store %2, %0, %1",
        Rule::Operands,
        "3",
        "read-only",
    ),
    ("%0: i32 = 0 %2: image<2d, f32x4> = global @tex %3: f32x4 = image_load %2, %0", Rule::Operands, "2", "coordinate"),
    ("break", Rule::ControlFlow, "0", "outside loops and switches"),
    ("continue", Rule::ControlFlow, "0", "outside loops"),
    ("%0: u32 = 1 switch %0 { case 1 { continue } }", Rule::ControlFlow, "1.case.0", "outside loops"),
    ("loop { break } continuing { return }", Rule::ControlFlow, "0.continuing.0", "in `continuing`"),
    ("loop { break } continuing { break }", Rule::ControlFlow, "0.continuing.0", "in `continuing`"),
    ("return barrier", Rule::ControlFlow, "1", "follows a jump"),
    ("%0: u32 = 1 switch %0 { case 1 { } case 2, 1 { } }", Rule::ControlFlow, "1", "stands twice"),
    ("%0: u32 = 1 switch %0 { case 4294967296 { } }", Rule::Constant, "1", "does not fit"),
    ("call @one()", Rule::Call, "0", "returns u32, not void"),
    ("%0: f32 = call @one()", Rule::Call, "0", "returns u32, not f32"),
    ("call @take()", Rule::Call, "0", "takes 1 arguments"),
    ("%0: f32 = 1.0 call @take(%0)", Rule::Call, "1", "is f32, not u32"),
    ("call @nobody()", Rule::Name, "0", "no function @nobody"),
    ("%0: u32 = 1 %1: ref<node_input, R> = input_record %0", Rule::NodeOperation, "1", "the constant 0"),
    ("%0: u32 = 3 %1: bool = output_valid 1[%0]", Rule::NodeOperation, "1", "element 3 of output"),
    ("%0: u32 = 0 %1: bool = output_valid 2[%0]", Rule::NodeOperation, "1", "has no output 2"),
    ("%0: u32 = 0 %1: records<thread, R> = allocate group 0[%0], %0", Rule::NodeOperation, "1", "not a handle"),
    ("%0: u32 = 0 %1: records<group, R> = allocate group 1[%0], %0", Rule::NodeOperation, "1", "empty output"),
    ("%0: u32 = 0 increment_count group 0[%0], %0", Rule::NodeOperation, "1", "not empty"),
    ("%0: u32 = 0 complete %0", Rule::Operands, "1", "not a record handle"),
    ("%0: u32 = 0 barrier node_output records %0", Rule::Operands, "1", "not a record handle"),
    ("%0: u32 = param 0", Rule::Operands, "0", "no parameter 0"),
    ("%0: bool = 0x2", Rule::Operands, "0", "bits outside"),
    ("%0: u32 = subgroup.ballot %1 %1: bool = true", Rule::Scope, "0", ""),
    ("%1: bool = true %0: u32 = subgroup.ballot %1", Rule::Operands, "1", "is u32x4, not u32"),
];

#[test]
fn base_test_function_is_valid() {
    assert_eq!(errors(&in_function("")), []);
}

#[test]
fn invalid_functions_are_rejected_with_rule_and_statement() {
    for (body, rule, statement, message) in BROKEN {
        let errors = errors(&in_function(body));
        assert!(!errors.is_empty(), "accepted: {body}");
        for error in &errors {
            assert_eq!(error.rule, *rule, "{body}\n{error}");
            assert_eq!(error.part, "function @f", "{body}\n{error}");
        }
        assert_eq!(errors[0].statement.as_deref(), Some(*statement), "{body}\n{}", errors[0]);
        assert!(errors[0].message.contains(message), "{body}\n{}", errors[0]);
    }
}

#[test]
fn broken_modules_are_refused() {
    let cases: &[(&str, Rule, &str)] = &[
        ("global @g: private u32x5", Rule::Type, "5 components"),
        ("global @g: private [u32; 2 stride 2]", Rule::Type, "every 2 bytes"),
        ("global @g: private [u32; 0 stride 4]", Rule::Type, "0 elements"),
        ("global @g: private ref<private, u32>", Rule::Type, "place"),
        ("global @g: workgroup sampler", Rule::Type, "sampler"),
        ("global @g: workgroup ray_query", Rule::Type, "ray query"),
        ("global @g: sampler set 0 binding 0 heap sampler", Rule::Name, "not an unbounded array"),
        (
            "global @g: sampler set 0 binding 0 count unbounded heap sampler
             global @h: sampler set 0 binding 1 count unbounded heap sampler",
            Rule::Name,
            "different bindings: @g has another",
        ),
        ("global @g: buffer<u64 stride 4> set 0 binding 0", Rule::Type, "every 4 bytes"),
        ("global @g: uniform u32 set 0 binding 0", Rule::Type, "structure"),
        ("struct S size 8 align 4 { a: u32 @0, b: u32 @2 } global @g: private S", Rule::Type, "not aligned"),
        ("struct S size 8 align 4 { a: u32x2 @0, b: u32 @4 } global @g: private S", Rule::Type, "overlaps"),
        ("struct S size 4 align 4 { a: u32x2 @0 } global @g: private S", Rule::Type, "end at 8"),
        ("struct S size 6 align 4 { a: u32 @0 } global @g: private S", Rule::Type, "size 6"),
        ("struct S size 8 align 4 { a: u64 @0 } global @g: private S", Rule::Type, "not aligned"),
        ("struct S { a: f32 bits x f32 0 4 } global @g: private S", Rule::Type, "bit-fields of f32"),
        ("struct S { a: u32 bits x u32 0 20 y u32 12 4 } global @g: private S", Rule::Type, "y of 4 bits at 12"),
        ("struct S { a: u32 bits x u32 0 20 y u32 20 13 } global @g: private S", Rule::Type, "y of 13 bits at 20"),
        ("struct S { a: u32 bits x i32 0 20 } global @g: private S", Rule::Type, "x of another type"),
        ("global @g: private u32 = f32 1.0", Rule::Constant, "another type"),
        ("global @g: constant u32x2 = { u32 1 }", Rule::Constant, "1 parts"),
        ("fn @f() -> u32 { }", Rule::ControlFlow, "without a value"),
        ("fn @f(c: bool) -> u32 { %0: bool = param 0 if %0 { %1: u32 = 1 return %1 } }", Rule::ControlFlow, "without"),
        ("fn @f() -> ref<private, u32> { loop { } }", Rule::Type, "place"),
        ("fn @f() -> void { call @g() } fn @g() -> void { call @f() }", Rule::Call, "calls itself"),
        ("fn @f() -> void { %0: u32 = remaining_levels }", Rule::NodeOperation, "no node"),
        ("entry \"e\" = @f threads 1 1 1", Rule::Name, "does not exist"),
        ("entry \"e\" = @f threads 1 0 1 fn @f() -> void { }", Rule::Interface, "threads"),
        ("entry \"e\" = @f threads 1 1 1 fn @f(x: u32) -> void { }", Rule::Interface, "parameters"),
        ("node \"N\"[0] = @f { launch broadcasting threads 1 1 1 } fn @f() -> void { }", Rule::Interface, "grid"),
        ("node \"N\"[0] = @f { launch thread threads 2 1 1 } fn @f() -> void { }", Rule::Interface, "threads"),
        (
            "struct A { x: u32 } struct B { x: u32, y: u32 }
            node \"N\"[0] = @f { launch thread threads 1 1 1 output o: A -> \"M\"[0] max 1 }
            node \"M\"[0] = @f { launch thread threads 1 1 1 input i: B max 1 }
            fn @f() -> void { }",
            Rule::Interface,
            "records of another size",
        ),
        (
            "struct A { x: u32, g: u32x3 }
            node \"N\"[0] = @f {
              launch broadcasting threads 1 1 1 grid max 4 1 1
              input i: A grid_field(1 offset 0 u32x3) max 1
            }
            fn @f() -> void { }",
            Rule::Interface,
            "the grid's field is u32x3 at 4",
        ),
    ];
    for (text, rule, message) in cases {
        let errors = errors(text);
        assert!(!errors.is_empty(), "accepted: {text}");
        for error in &errors {
            assert_eq!(error.rule, *rule, "{text}\n{error}");
        }
        assert!(errors[0].message.contains(message), "{text}\n{}", errors[0]);
    }
}

#[test]
fn borderline_modules_are_valid() {
    let cases = [
        // All paths return, though the last statement is not a return.
        "fn @f(c: bool) -> u32 { %0: bool = param 0 %1: u32 = 1 if %0 { return %1 } else { return %1 } }",
        "fn @f(c: u32) -> u32 { %0: u32 = param 0 loop { switch %0 { case 1 { return %0 } default { continue } } } }",
        "fn @f() -> u32 { loop { } }",
        "fn @f(c: bool) -> u32 { %0: bool = param 0 %1: u32 = 1 loop { return %1 } continuing { } break_if %0 }",
        // An array in a constant buffer with padding that the next field uses.
        "struct S size 32 align 16 { a: [f32; 2 stride 16] @0, b: f32 @20 } global @g: uniform S set 0 binding 0",
        "fn @f(c: i32) -> void { %0: i32 = param 0 switch %0 { case -1 { break } case 4294967294 { } } }",
        // A texel has exactly the type of its image.
        "global @t: rwimage<2d, f32x1> set 0 binding 0
        fn @f() -> void { %0: rwimage<2d, f32x1> = global @t %1: u32x2 = zero %2: ref<image, f32> = texel %0, %1
        %3: f32 = 1.0 %4: f32 = atomic.exchange %2, %3 device relaxed }",
        // The condition sees the values of `continuing`. A switch there has its own breaks.
        "fn @f() -> void { loop { } continuing { %0: bool = true %1: u32 = 0 switch %1 { case 0 { break } } } break_if %0 }",
    ];
    for text in cases {
        let errors = errors(text);
        assert!(errors.is_empty(), "{text}\n{errors:?}");
    }
}

#[test]
fn nesting_is_limited_and_shared_types_are_cheap() {
    let deep = format!("fn @f() -> void {{ {} {} }}", "loop {".repeat(255), "}".repeat(255));
    assert!(errors(&deep).is_empty());
    let mut module = parse("fn @f() -> void { }").unwrap();
    let mut block = vec![Stmt::break_()];
    for _ in 0..wgc_ir::MAX_NESTING + 1 {
        block = vec![Stmt::Loop { body: block, continuing: vec![], break_if: None, details: Box::default() }];
    }
    module.functions["f"].body = block;
    // Callers of the verifier have large stacks.
    let on_large_stack = std::thread::Builder::new().stack_size(16 << 20).spawn(move || verify(&module).unwrap_err());
    let found = on_large_stack.unwrap().join().unwrap();
    assert!(found[0].message.contains("nested deeper"), "{}", found[0]);

    // Each structure contains the previous one twice: 2^40 fields in total, without size.
    let mut text = String::from("struct S0 { }\n");
    for i in 1..40 {
        text += &format!("struct S{i} {{ a: S{}, b: S{} }}\n", i - 1, i - 1);
    }
    assert!(errors(&(text.clone() + "global @g: private S39")).is_empty());
    for i in 40..80 {
        text += &format!("struct S{i} {{ a: S{} }}\n", i - 1);
    }
    let found = errors(&(text + "global @g: private S79"));
    assert!(found[0].message.contains("nested deeper"), "{}", found[0]);
}

#[test]
fn mesh_declarations_require_mesh_nodes() {
    let good = include_str!("text/mesh.wir");
    let broken = [
        ("launch mesh", "launch broadcasting", Rule::Interface, "its mesh does not fit"),
        (" mesh triangle 3 1", "", Rule::Interface, "its mesh does not fit"),
        (" grid fixed 4 1 1", "", Rule::Interface, "its dispatch grid does not fit"),
        (" entry\n", " entry\n  output o: empty -> \"E\"[0] max 1\n", Rule::Interface, "records and outputs a mesh"),
        (" mesh triangle 3 1", "", Rule::NodeOperation, "declares none"),
        ("mesh vertices [Vertex; 3 stride 28]", "mesh vertices Vertex", Rule::Type, "are arrays"),
        ("at 0 position", "at 2 position", Rule::Type, "SV_Position is f32, which goes to no position"),
        ("at 1 0 clip_distance", "at 1 clip_distance", Rule::Type, "goes to no clip_distance"),
        ("at 2 location 4", "at 3 location 4", Rule::Type, "has no FAR 1 at [3]"),
        ("at 1 cull", "at 1 layer", Rule::Type, "goes to no layer"),
        ("  store %9, %10", "  %11: u32x3 = load %9", Rule::Operands, "cannot be read"),
        ("%0: u32 = 3", "%0: f32 = 3.0", Rule::Operands, "f32"),
    ];
    for (from, to, rule, message) in broken {
        let found = errors(&good.replace(from, to));
        let is_meant = |e: &wgc_ir::VerifyError| e.rule == rule && e.message.contains(message);
        assert!(found.iter().any(is_meant), "{from} -> {to}: {found:?}");
    }
    let entry = good.replace("fn @Draw", "entry \"main\" = @Draw threads 3 1 1\nfn @Draw");
    let found = errors(&entry);
    assert!(found.iter().any(|e| e.rule == Rule::NodeOperation), "{found:?}");
}

fn count_blocks(block: &wgc_ir::Block) -> usize {
    1 + block.iter().flat_map(Stmt::blocks).map(count_blocks).sum::<usize>()
}

/// Returns the n-th block, outer ones first.
fn nth_block<'a>(block: &'a mut wgc_ir::Block, n: &mut usize) -> Option<&'a mut wgc_ir::Block> {
    if *n == 0 {
        return Some(block);
    }
    *n -= 1;
    block.iter_mut().flat_map(Stmt::blocks_mut).find_map(|inner| nth_block(inner, n))
}

/// Makes one random change to one function: an operation, a type, an operand, or the statements.
fn mutate(module: &mut Module, random: &mut Random) {
    let n = random.below(module.functions.len());
    let types: Vec<Type> = module.functions.values().flat_map(|f| f.values.values().map(|v| v.ty.clone())).collect();
    let ops: Vec<wgc_ir::Op> =
        module.functions.values().flat_map(|f| f.values.values().map(|v| v.op.clone())).collect();
    let Some((_, function)) = module.functions.get_index_mut(n) else { return };
    let ids: Vec<_> = function.values.iter().map(|(id, _)| id).collect();
    let foreign = wgc_ir::ValueId::from_raw(la_arena::RawIdx::from_u32(random.below(40) as u32));
    if let Some(&id) = ids.get(random.below(ids.len())) {
        match random.below(4) {
            0 => function.values[id].op = ops[random.below(ops.len())].clone(),
            1 => function.values[id].ty = types[random.below(types.len())].clone(),
            2 => function.values[id].op.for_each_operand_mut(|operand| *operand = foreign),
            _ => {}
        }
    }
    let mut n = random.below(count_blocks(&function.body));
    let Some(block) = nth_block(&mut function.body, &mut n) else { return };
    if block.is_empty() {
        return;
    }
    let (i, j) = (random.below(block.len()), random.below(block.len()));
    match random.below(6) {
        0 => block.swap(i, j),
        1 => drop(block.remove(i)),
        2 => block.insert(i, block[j].clone()),
        3 => {
            block[i].for_each_operand_mut(|id| *id = foreign);
            block[j].for_each_end_operand_mut(|id| *id = foreign);
        }
        4 => {
            let jump = [Stmt::break_(), Stmt::Continue([].into()), Stmt::Return(None), Stmt::Return(Some(foreign))];
            block.insert(i, jump[random.below(4)].clone());
        }
        _ => {}
    }
}

#[test]
fn random_modules_never_panic_and_valid_ones_pass_everything() {
    let samples = [include_str!("text/sample.wir"), include_str!("text/merges.wir"), include_str!("text/images.wir")];
    let samples = samples.map(|text| parse(text).unwrap());
    let mut random = Random::new(0);
    let mut valid = 0;
    for n in 0..6000 {
        let mut module = samples[[0, 0, 1, 2][n % 4]].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut module, &mut random);
        }
        let result = verify(&module);
        let text = print(&module);
        if result.is_err() {
            let _ = parse(&text);
            continue;
        }
        valid += 1;
        assert!(parse(&text).as_ref() == Ok(&module), "{text}");
        // The passes on merged values, before others replace them by locals.
        let mut merged = module.clone();
        for pass in [
            passes::fold,
            passes::sroa,
            |f: &mut _| passes::ssa(f, passes::Unset::Zero),
            passes::nest,
            passes::ifs,
            passes::gvn,
            passes::fold,
            passes::demote,
        ] {
            merged.functions.values_mut().for_each(|function| pass(function));
            assert_eq!(verify(&merged), Ok(()), "{text}\n---\n{}", print(&merged));
            passes::dead(&mut merged, &[], passes::Accesses::MayGo);
            assert_eq!(verify(&merged), Ok(()), "{text}\n---\n{}", print(&merged));
        }
        let mut optimised = module.clone();
        passes::optimise(&mut optimised, passes::Plan::new(passes::OptLevel::O3));
        assert_eq!(verify(&optimised), Ok(()), "{text}\n---\n{}", print(&optimised));
        if passes::inline(&mut module, passes::Inline::All).is_err() {
            continue;
        }
        // A refused function is as valid as an accepted one.
        let mut promoted = true;
        for function in module.functions.values_mut() {
            promoted &= passes::promote(function).is_ok();
        }
        assert_eq!(verify(&module), Ok(()), "{text}\n---\n{}", print(&module));
        let globals = module.globals.clone();
        for function in module.functions.values_mut() {
            passes::fold_conditions(function, &globals);
            passes::fold(function);
            passes::unroll(function, &globals);
        }
        assert_eq!(verify(&module), Ok(()), "{text}\n---\n{}", print(&module));
        if promoted {
            passes::dead(&mut module, &[], passes::Accesses::MayGo);
            assert_eq!(verify(&module), Ok(()), "{text}\n---\n{}", print(&module));
        }
    }
    assert!(valid > 500, "only {valid} of the modules were valid");
}
