//! The outputs of mesh nodes, value by value.

use crate::{lines, read};
use wgc_ir::{Module, passes};

/// Returns a node whose vertices have a position, distances in two values, and a bool.
fn apart(body: &str) -> Module {
    let mut module = read(&format!(
        "struct Inner size 8 align 4 {{ near: f32x2 @0 }}
         struct Vertex size 32 align 4 {{ position: f32x4 @0, inner: Inner @16, far: f32 @24, lit: bool @28 }}
         global @v: mesh vertices [Vertex; 3 stride 32]
           value SV_Position at 0 position
           value SV_ClipDistance1 at 1 0 clip_distance 1
           value SV_ClipDistance at 2 clip_distance 0
           value LIT at 3 location 0
         global @t: mesh indices [u32x3; 1 stride 12]
         node \"f\"[0] = @f {{ launch mesh threads 3 1 1 grid fixed 4 1 1 mesh triangle 3 1 entry }}
         fn @f() -> void {{
           %0: ref<mesh_output, [Vertex; 3 stride 32]> = global @v
           %1: u32 = builtin.group_index
           {body}
         }}"
    ));
    passes::mesh(&mut module).unwrap();
    // Unused values are removed, so that numbers are in order.
    let text = wgc_ir::print(&module);
    read(&text.lines().filter(|l| !l.trim().starts_with("unused")).collect::<Vec<_>>().join("\n"))
}

/// The variables at the start of the function.
const ARRAYS: &str = "
    %0: ref<mesh_output, [f32x4; 3 stride 16]> = global @v.SV_Position
    %1: ref<mesh_output, [[f32; 3 stride 4]; 3 stride 12]> = global @v.SV_ClipDistance1
    %2: ref<mesh_output, [u32; 3 stride 4]> = global @v.LIT
    %3: u32 = builtin.group_index
";

fn is(module: &Module, expected: &str) {
    assert_eq!(crate::body_of_f(module), lines(&format!("{ARRAYS}{expected}")));
}

#[test]
fn mesh_outputs_are_split_into_one_array_per_value() {
    let module = apart("");
    let text = wgc_ir::print(&module);
    let globals: Vec<&str> = text.lines().filter(|l| l.starts_with("global") || l.starts_with("  value")).collect();
    let expected = [
        "global @t: mesh indices [u32x3; 1 stride 12]",
        "global @v.SV_Position: mesh vertices [f32x4; 3 stride 16]",
        "  value SV_Position position",
        "global @v.SV_ClipDistance1: mesh vertices [[f32; 3 stride 4]; 3 stride 12]",
        "  value SV_ClipDistance1 clip_distance 0",
        "global @v.LIT: mesh vertices [u32; 3 stride 4]",
        "  value LIT location 0",
    ];
    assert_eq!(globals, expected);
    is(&module, "");
}

#[test]
fn an_element_is_written_value_by_value() {
    let module = apart(
        "%2: ref<mesh_output, Vertex> = index %0, %1
         %3: Vertex = zero
         store %2, %3",
    );
    is(
        &module,
        "%4: Vertex = zero
         %5: f32x4 = extract %4, 0
         %6: ref<mesh_output, f32x4> = index %0, %3
         store %6, %5
         %7: Inner = extract %4, 1
         %8: f32x2 = extract %7, 0
         %9: ref<mesh_output, [f32; 3 stride 4]> = index %1, %3
         %10: u32 = 1
         %11: f32 = extract %8, 0
         %12: u32 = 0
         %13: u32 = 1
         %14: ref<mesh_output, f32> = index %9, %13
         store %14, %11
         %15: f32 = extract %8, 1
         %16: u32 = 1
         %17: u32 = 2
         %18: ref<mesh_output, f32> = index %9, %17
         store %18, %15
         %19: f32 = extract %4, 2
         %20: ref<mesh_output, [f32; 3 stride 4]> = index %1, %3
         %21: u32 = 0
         %22: ref<mesh_output, f32> = index %20, %21
         store %22, %19
         %23: bool = extract %4, 3
         %24: ref<mesh_output, u32> = index %2, %3
         %25: u32 = convert %23
         store %24, %25",
    );
}

#[test]
fn component_stores_go_to_the_split_mesh_output_arrays() {
    let module = apart(
        "%2: ref<mesh_output, Vertex> = index %0, %1
         %3: ref<mesh_output, Inner> = field %2, 1
         %4: ref<mesh_output, f32x2> = field %3, 0
         %5: ref<mesh_output, f32> = index %4, %1
         %6: f32 = 1.0
         store %5, %6
         %7: ref<mesh_output, f32x4> = field %2, 0
         %8: ref<mesh_output, f32> = index %7, %1
         store %8, %6",
    );
    is(
        &module,
        "%4: f32 = 1.0
         %5: ref<mesh_output, [f32; 3 stride 4]> = index %1, %3
         %6: u32 = 1
         %7: u32 = 1
         %8: u32 = mul %3, %7
         %9: u32 = add %6, %8
         %10: ref<mesh_output, f32> = index %5, %9
         store %10, %4
         %11: ref<mesh_output, f32x4> = index %0, %3
         %12: ref<mesh_output, f32> = index %11, %3
         store %12, %4",
    );
}

#[test]
fn a_whole_array_is_written_in_a_loop() {
    let module = apart("%2: [Vertex; 3 stride 32] = zero store %0, %2");
    let text = crate::body_of_f(&module);
    let around = [
        "local $0 mesh.copy: [Vertex; 3 stride 32]",
        "local $1 mesh.element: u32",
        "store %5, %4",
        "store %6, %7",
        "loop {",
        "%8: u32 = load %6",
        "%9: ref<function, Vertex> = index %5, %8",
        "%10: Vertex = load %9",
        "store %12, %11",
        "} continuing {",
        "%34: u32 = add %32, %33",
        "store %6, %34",
        "%35: u32 = 3",
        "%36: bool = ge %34, %35",
        "} break_if %36",
    ];
    let mut rest = text.lines();
    for line in around {
        assert!(rest.any(|l| l == line), "{line} is not there, in this order:\n{text}");
    }
}
