//! Offsets of samples. `tests/images.rs` has the passes that make them constant first.

use crate::read;
use wgc_ir::passes;

/// Returns the result for a function with one statement: the component out of range, and the token of the sample.
fn checked(statement: &str) -> Result<(), (Option<i32>, Option<u32>)> {
    let module = read(&format!(
        "global @picture: image<2d, f32x1> set 0 binding 0
         global @linear: sampler set 0 binding 1
         global @in: buffer<i32x2 stride 8> set 0 binding 2
         entry \"f\" = @f threads 1 1 1
         fn @f() -> void {{
           scope 0 @f \"main\" body 0 name 1
           %0: image<2d, f32x1> = global @picture
           %1: sampler = global @linear
           %2: f32 = 0.5
           %3: f32x2 = compose %2, %2
           %4: i32 = 7
           %5: i32 = -8
           %6: i32x2 = compose %4, %5
           %7: i32 = -9
           %8: i32x2 = compose %4, %7
           %9: ref<storage, [i32x2 stride 8]> = global @in
           %10: ref<storage, i32x2> = index %9, %4
           %11: i32x2 = load %10
           %12: bool = true
           at 0:3
           if %12 {{
             at 0:5
             {statement}
             at 0:7
             %14: bool = true
           }}
         }}"
    ));
    passes::offsets(&module.functions["f"]).map_err(|error| {
        assert_eq!(error.function, "f");
        (error.outside, error.at.map(|(_, token)| token))
    })
}

#[test]
fn samples_have_constant_offsets_in_range() {
    let sample = |offset: &str| checked(&format!("%13: f32 = image_sample %0, %1, %3 level %2 offset {offset}"));
    assert_eq!(sample("%6"), Ok(()));
    assert_eq!(sample("%8"), Err((Some(-9), Some(5))));
    assert_eq!(sample("%11"), Err((None, Some(5))));
    assert_eq!(checked("%13: f32 = image_sample %0, %1, %3 level %2"), Ok(()));
}

#[test]
fn gathers_may_have_any_offset() {
    for offset in ["%6", "%8", "%11"] {
        assert_eq!(checked(&format!("%13: f32x4 = image_sample %0, %1, %3 gather 0 offset {offset}")), Ok(()));
    }
}
