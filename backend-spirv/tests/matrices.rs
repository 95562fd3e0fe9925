//! Tests of matrices in memory: every size, component type and order, loaded and stored whole, by row and by component,
//! with run-time indexes. The expected bytes are computed here, element by element.

mod common;
mod device;

use common::modules::{buffer, enter_main};
use device::{Input, on_devices, run};
use std::sync::Arc;
use wgc_ir::{Field, FunctionBuilder, Global, MatrixLayout, MatrixType, Module, Scalar, StructType, Type, ValueId};

/// The row and component that the run accesses.
const PICK: (u32, u32) = (1, 2);

/// Returns element (r, c) of the input's matrix.
fn bits(scalar: Scalar, r: u32, c: u32) -> u64 {
    let n = 1 + r * 4 + c;
    match scalar {
        Scalar::Bool => u64::from(!n.is_multiple_of(3)),
        Scalar::F32 => u64::from((n as f32).to_bits()),
        Scalar::F64 => f64::from(n).to_bits(),
        // Halves with powers of two.
        Scalar::F16 => u64::from((n + 8) << 10),
        _ => u64::from(n),
    }
}

/// Writes a matrix's bytes from its elements. The order and the gaps are explicit, without the compiler.
fn put(bytes: &mut [u8], m: MatrixType, at: u32, element: impl Fn(u32, u32) -> u64) {
    let size = match m.scalar {
        Scalar::U16 | Scalar::F16 => 2,
        Scalar::F64 => 8,
        _ => 4,
    };
    for r in 0..u32::from(m.rows) {
        for c in 0..u32::from(m.columns) {
            let inside =
                if m.layout.row_major { r * m.layout.stride + c * size } else { c * m.layout.stride + r * size };
            let start = (at + inside) as usize;
            bytes[start..start + size as usize].copy_from_slice(&element(r, c).to_le_bytes()[..size as usize]);
        }
    }
}

fn structure(name: &str, fields: &[Type]) -> Type {
    let place = |i: usize| i as u32 * 256;
    let fields: Vec<Field> =
        fields.iter().enumerate().map(|(i, ty)| Field::new(format!("f{i}"), ty.clone(), place(i))).collect();
    let size = place(fields.len());
    Type::Struct(Arc::new(StructType { name: name.into(), fields, size, align: 8 }))
}

/// Returns a module that loads and stores matrices. The input contains the matrix and the two indexes.
///
/// The output has six fields. The first three are the whole matrix, the accessed row and the accessed component. The
/// fourth is a matrix after stores to that row and to one component of row 0. The fifth has the rows in reverse order.
/// The last is the row of the value.
fn module(from: MatrixType, to: MatrixType) -> Module {
    let mut module = Module::default();
    let (row, scalar) = (from.row(), Type::Scalar(from.scalar));
    let input = structure("In", &[Type::Matrix(from), Type::U32, Type::U32]);
    let to_ty = Type::Matrix(to);
    let output = structure("Out", &[to_ty.clone(), row.clone(), scalar, to_ty.clone(), to_ty, row.clone()]);
    let [input, output] = [input, output].map(|element| {
        let stride = element.size().unwrap();
        buffer(&mut module, element, stride)
    });
    let mut b = FunctionBuilder::new("main", Type::Void);
    let first = |b: &mut FunctionBuilder, global: &Global| {
        let place = b.global(global);
        b.index_const(place, 0)
    };
    let (input, output) = (first(&mut b, &input), first(&mut b, &output));
    let matrix = b.field(input, 0);
    let (r, c) = {
        let places = (b.field(input, 1), b.field(input, 2));
        (b.load(places.0), b.load(places.1))
    };
    let value_ty = Type::Matrix(from.as_value());
    let value = b.load_as(matrix, value_ty.clone());
    let store = |b: &mut FunctionBuilder, field: u32, value: ValueId| {
        let place = b.field(output, field);
        b.store(place, value);
    };
    store(&mut b, 0, value);
    let row_place = b.index(matrix, r);
    let picked = b.load(row_place);
    store(&mut b, 1, picked);
    let component_place = if from.columns == 1 { row_place } else { b.index(row_place, c) };
    let component = b.load(component_place);
    store(&mut b, 2, component);
    let target = b.field(output, 3);
    let target_row = b.index(target, r);
    b.store(target_row, picked);
    let above = b.index_const(target, 0);
    let above = if from.columns == 1 { above } else { b.index(above, c) };
    b.store(above, component);
    let rows = (0..u32::from(from.rows)).rev().map(|n| b.extract(value, n)).collect();
    let turned = b.compose(value_ty, rows);
    store(&mut b, 4, turned);
    let dynamic = b.extract_dynamic(value, r);
    store(&mut b, 5, dynamic);
    module.add_function(b.finish());
    enter_main(&mut module);
    module
}

fn check(from: MatrixType, to: MatrixType) {
    let module = module(from, to);
    let last = (u32::from(from.rows) - 1, u32::from(from.columns) - 1);
    let (r, c) = (PICK.0.min(last.0), PICK.1.min(last.1));
    let element = |r, c| bits(from.scalar, r, c);
    let mut input = vec![0; 3 * 256];
    put(&mut input, from, 0, element);
    input[256..260].copy_from_slice(&r.to_le_bytes());
    input[512..516].copy_from_slice(&c.to_le_bytes());
    let mut expected = vec![0; 6 * 256];
    let tight = MatrixLayout { row_major: true, stride: 64 };
    let row = MatrixType { rows: 1, layout: tight, ..from };
    put(&mut expected, to, 0, element);
    put(&mut expected, row, 256, |_, c| element(r, c));
    put(&mut expected, MatrixType { columns: 1, ..row }, 512, |_, _| element(r, c));
    put(&mut expected, to, 768, |i, j| match (i, j) {
        _ if (i, j) == (0, c) => element(r, c),
        _ if i == r => element(r, j),
        _ => 0,
    });
    put(&mut expected, to, 1024, |i, j| element(last.0 - i, j));
    put(&mut expected, row, 1280, |_, c| element(r, c));
    on_devices(|device| {
        let out = run(device, &module, &[Input::Storage(input.clone()), Input::Storage(vec![0; 6 * 256])]);
        for (n, name) in ["whole", "row", "component", "stored", "turned", "dynamic"].iter().enumerate() {
            let part = n * 256..(n + 1) * 256;
            assert_eq!(out[part.clone()], expected[part], "{name} of {from:?} to {to:?}");
        }
    });
}

/// Returns a matrix type with contiguous rows if `row_major`, and `gap` bytes after each stored vector.
fn matrix(scalar: Scalar, rows: u8, columns: u8, row_major: bool, gap: u32) -> MatrixType {
    let tight = MatrixType::tight(scalar, rows, columns, row_major);
    MatrixType { layout: MatrixLayout { row_major, stride: tight.layout.stride + gap }, ..tight }
}

fn all_sizes(scalar: Scalar) {
    for rows in 1..=4 {
        for columns in 1..=4 {
            let gap = 8 * u32::from(rows % 2);
            check(matrix(scalar, rows, columns, false, gap), matrix(scalar, rows, columns, true, 8 - gap));
            check(matrix(scalar, rows, columns, true, gap), matrix(scalar, rows, columns, false, 8 - gap));
        }
    }
}

#[test]
fn floats() {
    all_sizes(Scalar::F32);
}

#[test]
fn halves_and_doubles() {
    all_sizes(Scalar::F16);
    all_sizes(Scalar::F64);
}

#[test]
fn integers() {
    all_sizes(Scalar::I32);
    all_sizes(Scalar::U16);
}

#[test]
fn boolean_matrices_of_all_sizes() {
    all_sizes(Scalar::Bool);
}
