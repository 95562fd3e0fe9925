//! The output of the builder is valid and reads as intended.

use wgc_ir::*;

#[test]
fn helpers_compute_types_and_nest_blocks() {
    let mut module = Module::default();
    let binding = Binding { set: 0, binding: 0, count: wgc_ir::Count::One, register: None, heap: None };
    let element = Type::Vector(Scalar::F32, 2);
    let kind = GlobalKind::Buffer { element, stride: 8, writable: true, coherent: false, counter: None, binding };
    let data = Global { name: "data".into(), kind };

    let mut b = FunctionBuilder::new("sum", Type::F32);
    let n = b.param("n", Type::U32);
    let total = b.new_local("total", Type::F32);
    let zero = b.const_f32(0.0);
    b.store(total, zero);
    let array = b.global(&data);
    let first = b.const_u32(0);
    b.for_range(first, n, |b, i| {
        let item = b.index(array, i);
        let pair = b.load(item);
        let length = b.math(MathOp::Length, &[pair]);
        let big = b.gt(length, zero);
        b.if_else(
            big,
            |b| {
                let old = b.load(total);
                let new = b.add(old, length);
                b.store(total, new);
            },
            |b| {
                b.continue_();
                b.barrier(Barrier { memory: MemoryFlags::default(), group_sync: true, scope: None, records: None });
            },
        );
    });
    let result = b.load(total);
    b.ret(Some(result));
    module.add_global(data);
    module.add_function(b.finish());

    assert_eq!(verify(&module), Ok(()));
    let expected = "\
global @data: buffer<f32x2 stride 8> writable set 0 binding 0
fn @sum(n: u32) -> f32 {
  local $0 total: f32
  local $1 i: u32
  %0 n: u32 = param 0
  %1: ref<function, f32> = local $0
  %2: f32 = 0.0
  %3: ref<storage, [f32x2 stride 8]> = global @data
  %4: u32 = 0
  %5: ref<function, u32> = local $1
  %6: u32 = 1
  store %1, %2
  store %5, %4
  loop {
    %7: u32 = load %5
    %8: bool = lt %7, %0
    if %8 {
    } else {
      break
    }
    %9: ref<storage, f32x2> = index %3, %7
    %10: f32x2 = load %9
    %11: f32 = length %10
    %12: bool = gt %11, %2
    if %12 {
      %13: f32 = load %1
      %14: f32 = add %13, %11
      store %1, %14
    } else {
      continue
    }
  } continuing {
    %15: u32 = load %5
    %16: u32 = add %15, %6
    store %5, %16
  }
  %17: f32 = load %1
  return %17
}
";
    assert_eq!(print(&module), expected);
}

#[test]
fn operations_on_mismatched_types_are_void_and_rejected() {
    let mut b = FunctionBuilder::new("f", Type::Void);
    let x = b.const_u32(1);
    let y = b.const_f32(1.0);
    let sum = b.add(x, y);
    assert_eq!(b.ty(sum), Type::Void);
    let mut module = Module::default();
    module.add_function(b.finish());
    let errors = verify(&module).unwrap_err();
    assert_eq!(errors[0].rule, verify::Rule::Type);
}

#[test]
fn a_function_is_rewritten_statement_by_statement() {
    let text = "fn @f() -> u32 {\n  %0: u32 = 1\n  %1: u32 = add %0, %0\n  return %1\n}\n";
    let mut module = parse(text).unwrap();
    let (mut b, body) = FunctionBuilder::rewrite(module.functions["f"].clone().into_function());
    for stmt in body {
        if let Stmt::Return(Some(value)) = stmt {
            let ten = b.const_u32(10);
            let more = b.mul(value, ten);
            b.ret(Some(more));
        } else {
            b.push(stmt);
        }
    }
    module.add_function(b.finish());
    assert_eq!(verify(&module), Ok(()));
    let expected = "fn @f() -> u32 {\n  %2: u32 = 10\n  %0: u32 = 1\n  %1: u32 = add %0, %0\n  %3: u32 = mul %1, %2\n  return %3\n}\n";
    assert_eq!(print(&module), expected);
}
