//! Tests of structures that keep the type that they have in memory. A `bool` is a word there, so a conversion of a
//! whole structure has instructions for each of its parts. The tests count them, and execute the modules.

mod common;
mod device;

use common::modules::{buffer, enter_main};
use common::words::instructions;
use device::{Input, on_devices, run};
use std::sync::Arc;
use wgc_backend_spirv::{EmitOptions, emit_compute};
use wgc_ir::passes::OptLevel;
use wgc_ir::{BinaryOp, Field, FunctionBuilder, Module, Scalar, StructType, Type, ValueId};

const COMPOSITE_CONSTRUCT: u32 = 80;
const COMPOSITE_EXTRACT: u32 = 81;

fn structure(name: &str, fields: &[(Type, u32)], size: u32) -> Type {
    let field = |(n, (ty, at)): (usize, &(Type, u32))| Field::new(format!("f{n}"), ty.clone(), *at);
    let fields = fields.iter().enumerate().map(field).collect();
    Type::Struct(Arc::new(StructType { name: name.into(), fields, size, align: 4 }))
}

/// A flag and a number.
fn small() -> Type {
    structure("Small", &[(Type::Scalar(Scalar::Bool), 0), (Type::U32, 4)], 8)
}

fn wide() -> Type {
    structure("Wide", &[(Type::U32, 0), (Type::U32, 4), (small(), 8)], 16)
}

fn whole() -> Type {
    structure("Whole", &[(wide(), 0), (Type::U32, 16), (small(), 20)], 28)
}

/// Returns a module with an input and an output buffer, and the places of their first elements in `body`.
fn module(input: Type, output: Type, body: impl FnOnce(&mut FunctionBuilder, ValueId, ValueId)) -> Module {
    let mut module = Module::default();
    let buffers = [input, output].map(|element| {
        let stride = element.size().unwrap();
        buffer(&mut module, element, stride)
    });
    let mut b = FunctionBuilder::new("main", Type::Void);
    let [from, to] = buffers.map(|global| {
        let place = b.global(&global);
        b.index_const(place, 0)
    });
    body(&mut b, from, to);
    module.add_function(b.finish());
    enter_main(&mut module);
    module
}

/// Checks the words that a module writes, and its number of composed and extracted values.
fn check(module: &Module, input: &[u32], expected: &[u32], (composed, extracted): (usize, usize)) {
    let words = emit_compute(module, &EmitOptions { level: OptLevel::O0, ..EmitOptions::default() }).unwrap().words;
    let count = |op| instructions(&words).iter().filter(|instruction| instruction.op == op).count();
    assert_eq!((count(COMPOSITE_CONSTRUCT), count(COMPOSITE_EXTRACT)), (composed, extracted));
    let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    on_devices(|device| {
        let inputs = [Input::Storage(bytes(input)), Input::Storage(vec![0xee; expected.len() * 4])];
        assert_eq!(run(device, module, &inputs), bytes(expected));
    });
}

fn field(b: &mut FunctionBuilder, of: ValueId, index: u32) -> ValueId {
    let place = b.field(of, index);
    b.load(place)
}

#[test]
fn extracted_parts_are_converted_alone() {
    let output = structure("Out", &[(Type::Scalar(Scalar::Bool), 0), (Type::U32, 4)], 8);
    let module = module(whole(), output, |b, from, to| {
        let value = b.load(from);
        let wide = b.extract(value, 0);
        let small = b.extract(wide, 2);
        for n in [0, 1] {
            let part = b.extract(small, n);
            let place = b.field(to, n);
            b.store(place, part);
        }
    });
    // Any number but zero is true.
    check(&module, &[1, 2, 7, 4, 5, 6, 8], &[1, 4], (0, 4));
}

#[test]
fn composed_structures_have_the_type_of_their_memory() {
    let module = module(whole(), whole(), |b, from, to| {
        let wide_place = b.field(from, 0);
        let small_place = b.field(wide_place, 2);
        let (flag, number) = (field(b, small_place, 0), field(b, from, 1));
        let inner = b.compose(small(), vec![flag, number]);
        let one = b.const_u32(1);
        let next = b.binary(BinaryOp::Add, number, one);
        let other = b.compose(small(), vec![flag, next]);
        let (x, y) = (field(b, wide_place, 0), field(b, wide_place, 1));
        let outer = b.compose(wide(), vec![y, x, inner]);
        let all = b.compose(whole(), vec![outer, number, other]);
        b.store(to, all);
    });
    check(&module, &[1, 2, 7, 4, 5, 6, 8], &[2, 1, 1, 5, 5, 1, 6], (4, 0));
}

#[test]
fn structures_with_other_uses_are_values() {
    let output = structure("Out", &[(small(), 0), (Type::Scalar(Scalar::Bool), 8), (small(), 12)], 20);
    let module = module(small(), output, |b, from, to| {
        let (flag, number) = (field(b, from, 0), field(b, from, 1));
        let value = b.compose(small(), vec![flag, number]);
        let first = b.field(to, 0);
        b.store(first, value);
        let part = b.extract(value, 0);
        let second = b.field(to, 1);
        b.store(second, part);
        let loaded = b.load(from);
        let third = b.field(to, 2);
        b.store(third, loaded);
    });
    // The composed one and the loaded one are converted when they are stored, each with two parts, and the loaded one
    // when it is loaded. The last extraction is that of the program.
    check(&module, &[3, 9], &[1, 9, 1, 1, 9], (4, 7));
}
