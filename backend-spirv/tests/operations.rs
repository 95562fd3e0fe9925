//! Tests of every operation on every type that the IR's typing rules accept. Emission succeeds, or rejects it for a
//! reason of the target, and the module is valid. With `WGC_DUMP_SPV` set, the modules are written out for SPIRV-Tools
//! too.

mod common;

use common::dump;
use common::modules::enter_main;
use wgc_backend_spirv::{EmitOptions, emit_compute};
use wgc_ir::passes::OptLevel;
use wgc_ir::{
    AtomicOp, BinaryOp, Constant, FunctionBuilder, Global, GlobalKind, MathOp, MatrixLayout, MatrixType, MemoryOrder,
    Module, Op, Scalar, ScalarConst, Scope, Space, SubgroupOp, Type, UnaryOp, ValueId, layout, typing,
};

const SCALARS: [Scalar; 10] = [
    Scalar::Bool,
    Scalar::I16,
    Scalar::U16,
    Scalar::I32,
    Scalar::U32,
    Scalar::I64,
    Scalar::U64,
    Scalar::F16,
    Scalar::F32,
    Scalar::F64,
];

/// Returns a module with one entry; `f` writes its body.
fn module(f: impl FnOnce(&mut FunctionBuilder, &mut Module)) -> Module {
    let mut module = Module::default();
    let mut b = FunctionBuilder::new("main", Type::Void);
    f(&mut b, &mut module);
    module.add_function(b.finish());
    enter_main(&mut module);
    module
}

fn buffer(module: &mut Module, element: Type) -> Global {
    let stride = layout::scalar_stride(&element).expect("a sized type");
    common::modules::buffer(module, element, stride)
}

/// Returns a value of the type that cannot be folded, and the place that it came from.
fn input(b: &mut FunctionBuilder, module: &mut Module, ty: &Type) -> (ValueId, ValueId) {
    let global = buffer(module, ty.clone());
    let buffer = b.global(&global);
    let place = b.index_const(buffer, 0);
    (b.load(place), place)
}

fn output(b: &mut FunctionBuilder, module: &mut Module, value: ValueId) {
    let global = buffer(module, b.ty(value));
    let buffer = b.global(&global);
    let place = b.index_const(buffer, 0);
    b.store(place, value);
}

/// Returns the types for an operation: each scalar alone and in vectors of 2 and 3.
fn types() -> impl Iterator<Item = Type> {
    SCALARS.into_iter().flat_map(|s| [1, 2, 3].map(|n| Type::vector_of(s, n)))
}

/// Verifies and emits a module; returns the message of a rejection.
fn emit(name: &str, module: &Module) -> Result<(), String> {
    if let Err(errors) = wgc_ir::verify(module) {
        panic!("{name}: {}", errors[0]);
    }
    let emitted = emit_compute(module, &EmitOptions { level: OptLevel::O0, ..EmitOptions::default() })
        .map_err(|e| e.to_string())?;
    dump(name, &emitted);
    Ok(())
}

/// Applies `op` to inputs of each type, as one module per type. Types that the typing rules reject are skipped.
fn unary_and_more(name: &str, arity: usize, make: &dyn Fn(Vec<ValueId>) -> Op) -> Vec<String> {
    let mut refused = Vec::new();
    for ty in types() {
        let mut typed = true;
        let module = module(|b, module| {
            let args: Vec<ValueId> = (0..arity).map(|_| input(b, module, &ty).0).collect();
            let op = make(args);
            typed = matches!(typing::type_of(b.function(), &op, &ty), Ok(typing::Typing::Is(_)));
            if typed {
                let value = b.value(op);
                output(b, module, value);
            }
        });
        if typed && emit(&format!("{name}_{ty}"), &module).is_err() {
            refused.push(format!("{name} {ty}"));
        }
    }
    refused
}

#[test]
fn operators() {
    use BinaryOp::*;
    for op in [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge] {
        let refused = unary_and_more(&format!("binary_{op:?}"), 2, &|a| Op::Binary { op, lhs: a[0], rhs: a[1] });
        assert_eq!(refused, Vec::<String>::new());
    }
    for op in [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot] {
        let refused = unary_and_more(&format!("unary_{op:?}"), 1, &|a| Op::Unary { op, value: a[0] });
        assert_eq!(refused, Vec::<String>::new());
    }
}

/// Each kind of product is one instruction. An HLSL row is a SPIR-V column, so those with matrices swap their operands.
#[test]
fn products() {
    for (scalar, size) in [(Scalar::F16, 2), (Scalar::F32, 4), (Scalar::F64, 8)] {
        let matrix = |rows, columns| {
            let layout = MatrixLayout { row_major: true, stride: size * u32::from(columns) };
            Type::Matrix(MatrixType { scalar, rows, columns, layout })
        };
        let vector = |n| Type::Vector(scalar, n);
        for (lhs, rhs, expected) in [
            (vector(3), Type::Scalar(scalar), "OpVectorTimesScalar"),
            (vector(2), matrix(2, 3), "OpMatrixTimesVector"),
            (matrix(2, 3), vector(3), "OpVectorTimesMatrix"),
            (matrix(2, 3), matrix(3, 4), "OpMatrixTimesMatrix"),
        ] {
            let module = module(|b, module| {
                let args = [input(b, module, &lhs).0, input(b, module, &rhs).0];
                let product = b.math(MathOp::Product, &args);
                output(b, module, product);
            });
            let name = format!("product_{scalar:?}_{expected}");
            emit(&name, &module).unwrap_or_else(|message| panic!("{name}: {message}"));
            let text = emit_compute(&module, &EmitOptions::default()).expect("it is emitted").disassemble();
            assert_eq!(text.matches(expected).count(), 1, "{text}");
        }
    }
}

#[test]
fn mathematics() {
    use MathOp::*;
    let one = [
        Abs,
        Sign,
        Floor,
        Ceil,
        Round,
        Trunc,
        Fract,
        Sqrt,
        InverseSqrt,
        Exp,
        Exp2,
        Log,
        Log2,
        Sin,
        Cos,
        Tan,
        Asin,
        Acos,
        Atan,
        Sinh,
        Cosh,
        Tanh,
        PackHalf,
        UnpackHalf,
        Length,
        Normalize,
        Any,
        All,
        CountBits,
        FirstBitLow,
        FirstBitHigh,
        ReverseBits,
        IsNan,
        IsInf,
    ];
    let two = [Min, Max, Pow, Atan2, Dot, Cross];
    let three = [Clamp, Fma, Mix];
    // Linear algebra has a test of its own.
    let missing: Vec<_> =
        MathOp::all().filter(|op| ![&one[..], &two, &three, &[Product]].concat().contains(op)).collect();
    assert!(missing.is_empty(), "not tested: {missing:?}");
    let cases = one.map(|op| (op, 1)).into_iter().chain(two.map(|op| (op, 2))).chain(three.map(|op| (op, 3)));
    let mut refused = Vec::new();
    for (op, arity) in cases {
        refused.extend(unary_and_more(&format!("math_{op:?}"), arity, &|args| Op::Math { op, args }));
    }
    // GLSL.std.450 has no double-precision transcendental functions.
    #[rustfmt::skip]
    let functions = [
        "Exp", "Exp2", "Log", "Log2", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Pow", "Atan2",
    ];
    let expected: Vec<String> =
        functions.iter().flat_map(|f| ["f64", "f64x2", "f64x3"].map(|ty| format!("math_{f} {ty}"))).collect();
    assert_eq!(refused, expected);
}

#[test]
fn conversions() {
    for from in SCALARS {
        for to in SCALARS {
            for n in [1, 2] {
                let module = module(|b, module| {
                    let (value, _) = input(b, module, &Type::vector_of(from, n));
                    let value = b.convert(value, Type::vector_of(to, n));
                    output(b, module, value);
                });
                let name = format!("convert_{from:?}_{to:?}_{n}");
                assert_eq!(emit(&name, &module), Ok(()), "{name}");
            }
        }
    }
}

#[test]
fn atomics() {
    use AtomicOp::*;
    for scalar in [Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64] {
        for op in [Add, Min, Max, And, Or, Xor, Exchange, CompareExchange, Load, Store] {
            for order in [MemoryOrder::Relaxed, MemoryOrder::AcquireRelease] {
                let module = module(|b, module| {
                    let ty = Type::Scalar(scalar);
                    let (value, place) = input(b, module, &ty);
                    let shared = Global { name: "shared".into(), kind: GlobalKind::Workgroup { ty: ty.clone() } };
                    module.add_global(shared.clone());
                    let shared = b.global(&shared);
                    assert_eq!(b.ty(shared), Type::reference(Space::Workgroup, ty));
                    let comparator = (op == CompareExchange).then_some(value);
                    for (place, scope) in [(place, Scope::Device), (shared, Scope::Workgroup)] {
                        let old = b.value(Op::Atomic { op, place, value, comparator, scope, order });
                        output(b, module, old);
                    }
                });
                let name = format!("atomic_{op:?}_{scalar:?}_{order:?}");
                assert_eq!(emit(&name, &module), Ok(()), "{name}");
            }
        }
    }
}

#[test]
fn subgroups() {
    use SubgroupOp::*;
    let mut refused = Vec::new();
    for op in [Ballot, BroadcastFirst, Add, ExclusiveAdd, Min, Max, Any, All] {
        refused.extend(unary_and_more(&format!("subgroup_{op:?}"), 1, &|args| Op::Subgroup { op, args }));
    }
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
fn memory_of_every_type() {
    for ty in types() {
        let module = module(|b, module| {
            let array = layout::scalar_array(ty.clone(), 3).expect("a small array");
            let (value, place) = input(b, module, &array);
            let local = b.new_local("copy", array);
            b.store(local, value);
            let element = b.index_const(local, 2);
            let element = b.load(element);
            output(b, module, element);
            let second = b.index_const(place, 1);
            b.store(second, element);
            let zero = b.zero(ty.clone());
            output(b, module, zero);
            let undef = b.undef(ty.clone());
            output(b, module, undef);
        });
        let name = format!("memory_{ty}");
        assert_eq!(emit(&name, &module), Ok(()), "{name}");
    }
}

#[test]
fn instructions_above_the_word_count_limit_are_refused() {
    let table = |len: u32| {
        module(|b, module| {
            let ty = layout::scalar_array(Type::U32, len).expect("an array");
            let value = Constant::Composite(vec![Constant::Scalar(ScalarConst::u32(7)); len as usize]);
            let global = Global { name: "table".into(), kind: GlobalKind::Constant { ty, value } };
            module.add_global(global.clone());
            let table = b.global(&global);
            let element = b.index_const(table, 3);
            let element = b.load(element);
            output(b, module, element);
        })
    };
    assert_eq!(emit("table_small", &table(65_532)), Ok(()));
    let error = emit("table_large", &table(65_533)).expect_err("the composite has 65536 words");
    assert!(error.contains("ConstantComposite"), "{error}");
}
