//! Tests of expectations: each kind once met and once failed, with the message of the failure.

use wgc_abi::interface::{BindingKind, Interface};
use wgc_abi::{LayoutScalar, LayoutType};

use super::super::{Report, Verdict};
use super::{binding, idle, item, run, words};
use crate::image_io::Picture;

/// Judges `contents` against `expect`: nothing runs, so `Out` keeps the bytes that the file gives it.
fn judge(contents: &str, kind: BindingKind, expect: &str) -> Verdict {
    let interface = Interface { bindings: vec![binding("Out", 0, 1, kind)], ..Interface::default() };
    let text =
        format!("{{\"dispatch\": [], \"resources\": {{\"Out\": {contents}}}, \"expect\": {{\"Out\": {expect}}}}}");
    let report = run(&text, &interface, &mut idle()).unwrap_or_else(|e| panic!("{text}: {e}"));
    only(report)
}

fn only(report: Report) -> Verdict {
    assert_eq!(report.outcomes.len(), 1);
    assert_eq!(report.passed(), !matches!(report.outcomes[0].verdict, Verdict::Fail(_)));
    report.outcomes[0].verdict.clone()
}

fn pass(what: &str) -> Verdict {
    Verdict::Pass(what.to_owned())
}

fn fail(difference: &str) -> Verdict {
    Verdict::Fail(difference.to_owned())
}

fn bytes(writable: bool) -> BindingKind {
    BindingKind::StorageBuffer { element: LayoutType::Scalar(LayoutScalar::U32), stride: 0, writable }
}

fn items() -> BindingKind {
    BindingKind::StorageBuffer { element: LayoutType::Struct(item()), stride: 16, writable: true }
}

#[test]
fn integer_expectations_compare_exactly() {
    let judge = |expect: &str| judge("{\"u32\": [10, 20, 4294967295]}", words(true), expect);
    assert_eq!(judge("{\"u32\": [10, 20, 4294967295]}"), pass("3 values of u32"));
    assert_eq!(judge("{\"i32\": [10, 20, -1]}"), pass("3 values of i32"));
    assert_eq!(judge("{\"u32\": [10, 21, 0]}"), fail("u32[1]: expected 21, found 20 (2 of 3 values differ)"));
    let u16 = "{\"u16\": [10, 0, 20, 0, 65535, 65534]}";
    assert_eq!(judge(u16), fail("u16[5]: expected 65534, found 65535 (1 of 6 values differ)"));
}

#[test]
fn every_type_compares_its_own_bytes() {
    // One value of each type, and its value after a change of the lowest bit.
    let cases = [
        ("u8", "[7]", "[6]", "u8[0]: expected 6, found 7"),
        ("u16", "[515]", "[514]", "u16[0]: expected 514, found 515"),
        ("u32", "[1]", "[0]", "u32[0]: expected 0, found 1"),
        ("u64", "[\"18446744073709551615\"]", "[1]", "u64[0]: expected 1, found 18446744073709551615"),
        ("i32", "[-1]", "[-2]", "i32[0]: expected -2, found -1"),
        ("i64", "[-9223372036854775808]", "[0]", "i64[0]: expected 0, found -9223372036854775808"),
        ("f16", "[1]", "[1.001]", "f16[0]: expected 1.0009766, found 1.0"),
        ("f32", "[1]", "[1.0000001]", "f32[0]: expected 1.0000001, found 1.0"),
        ("f64", "[1]", "[1.0000000000000002]", "f64[0]: expected 1.0000000000000002, found 1.0"),
    ];
    for (ty, right, wrong, difference) in cases {
        let contents = format!("{{\"{ty}\": {right}}}");
        assert_eq!(judge(&contents, bytes(true), &contents), pass(&format!("1 value of {ty}")));
        assert_eq!(judge(&contents, bytes(true), &format!("{{\"{ty}\": {wrong}}}")), fail(difference));
    }
}

#[test]
fn expected_values_in_any_order() {
    let judge = |expect: &str| judge("{\"u32\": [3, 1, 2, 2, 9, 0]}", words(true), expect);
    // The rest of the buffer after an appended list may hold anything.
    assert_eq!(judge("{\"u32\": [1, 2, 2, 3], \"any_order\": true}"), pass("4 values of u32 in any order"));
    assert_eq!(
        judge("{\"u32\": [1, 2, 3, 3], \"any_order\": true}"),
        fail("3: expected 2 times, found 1 time; 2: expected 1 time, found 2 times")
    );
    // Expected values are found after any number of unexpected ones.
    assert_eq!(
        judge("{\"u32\": [3, 4, 5], \"any_order\": true}"),
        fail("4: expected 1 time, found 0 times; 1: expected 0 times, found 1 time")
    );
    assert_eq!(
        judge("{\"u32\": [3, 1, 2, 2, 9, 1], \"any_order\": false}"),
        fail("u32[5]: expected 1, found 0 (1 of 6 values differ)")
    );
}

#[test]
fn expected_values_with_tolerance() {
    let judge = |expect: &str| judge("{\"f32\": [100, 0, \"nan\", \"inf\"]}", bytes(true), expect);
    assert_eq!(judge("{\"f32\": [100.5, 0.5, \"nan\", \"inf\"], \"abs\": 0.5}"), pass("4 values of f32"));
    assert_eq!(judge("{\"f32\": [101, 0, \"nan\", \"inf\"], \"rel\": 0.01}"), pass("4 values of f32"));
    assert_eq!(
        judge("{\"f32\": [101, 0.1, 0, \"inf\"], \"rel\": 0.01}"),
        fail("f32[1]: expected 0.1, found 0.0 (2 of 4 values differ)")
    );
    assert_eq!(
        judge("{\"f32\": [100, 0, 0, 0], \"abs\": 1000}"),
        fail("f32[2]: expected 0.0, found nan (2 of 4 values differ)")
    );
}

#[test]
fn expected_values_by_index() {
    let judge = |expect: &str| judge("{\"u32\": [10, 20, 30]}", words(true), expect);
    assert_eq!(judge("{\"u32_at\": {\"2\": 30, \"0\": 10}}"), pass("2 values of u32"));
    assert_eq!(judge("{\"u32_at\": {\"2\": 31}}"), fail("u32[2]: expected 31, found 30"));
    assert_eq!(judge("{\"u32_at\": {\"2\": 31}, \"abs\": 1}"), pass("1 value of u32"));
    assert_eq!(judge("{\"f32_at\": {\"1\": \"0x00000014\"}}"), pass("1 value of f32"));
}

#[test]
fn structures() {
    let contents = "{\"structs\": [{\"id\": 1, \"pos\": [0, 1, 2]}, {\"id\": 2, \"pos\": [0, 0, 0.5]}]}";
    let judge = |expect: &str| judge(contents, items(), expect);
    assert_eq!(judge(contents), pass("2 structures"));
    assert_eq!(
        judge("{\"structs\": [{\"id\": 1, \"pos\": [0, 1, 2]}, {\"id\": 2, \"pos\": [0, 0, 0.75]}]}"),
        fail("element 1.pos[2]: expected 0.75, found 0.5 (1 of 2 elements differ)")
    );
    assert_eq!(
        judge("{\"structs\": [{\"id\": 1, \"pos\": [0, 1, 2]}, {\"id\": 2, \"pos\": [0, 0, 0.75]}], \"abs\": 0.25}"),
        pass("2 structures")
    );
    assert_eq!(
        judge(
            "{\"structs\": [{\"id\": 2, \"pos\": [0, 0, 0.5]}, {\"id\": 1, \"pos\": [0, 1, 2]}], \"any_order\": true}"
        ),
        pass("2 structures in any order")
    );
    assert_eq!(
        judge(
            "{\"structs\": [{\"id\": 2, \"pos\": [0, 0, 0.5]}, {\"id\": 2, \"pos\": [0, 0, 0.5]}], \"any_order\": true}"
        ),
        fail("(2, 0.0, 0.0, 0.5): expected 2 times, found 1 time; (1, 0.0, 1.0, 2.0): expected 0 times, found 1 time")
    );
}

#[test]
fn pictures() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let save = |name: &str, rgba: &[u8]| {
        let picture = Picture { width: 2, height: 2, rgba: rgba.to_vec() };
        std::fs::write(dir.join(name), picture.to_png().unwrap()).unwrap();
    };
    let rgba: Vec<u8> = (100..116).collect();
    save("actual.png", &rgba);
    let mut other = rgba.clone();
    other[6] += 3;
    other[9] -= 1;
    save("other.png", &other);
    let wide = Picture { width: 4, height: 1, rgba };
    std::fs::write(dir.join("wide.png"), wide.to_png().unwrap()).unwrap();

    let texture = BindingKind::StorageImage {
        texture: wgc_abi::interface::Texture {
            dimensions: 2,
            arrayed: false,
            cube: false,
            multisampled: false,
            texel: LayoutScalar::F32,
            components: 4,
        },
    };
    let interface = Interface { bindings: vec![binding("Out", 0, 1, texture)], ..Interface::default() };
    let judge = |expect: &str| {
        let text = format!(
            "{{\"dispatch\": [], \"resources\": {{\"Out\": {{\"image\": {{\"file\": \"actual.png\"}}}}}}, \
             \"expect\": {{\"Out\": {{{expect}}}}}}}"
        );
        let file = super::super::RunFile::parse(text, &dir.join("x.run.json")).unwrap();
        super::execute(&file, &interface, &mut idle(), &Default::default())
    };
    let verdict = |expect: &str| only(judge(expect).unwrap());
    assert_eq!(verdict("\"png\": \"actual.png\""), pass("2 x 2 texels"));
    assert_eq!(
        verdict("\"png\": \"other.png\""),
        fail(
            "texel (1, 0): expected [104, 105, 109, 107], found [104, 105, 106, 107] (2 texels differ by more than \
             0, 0 allowed; the largest error is 3)"
        )
    );
    assert_eq!(verdict("\"png\": \"other.png\", \"max_channel_error\": 3"), pass("2 x 2 texels"));
    assert!(matches!(verdict("\"png\": \"other.png\", \"max_channel_error\": 2"), Verdict::Fail(_)));
    assert_eq!(verdict("\"png\": \"other.png\", \"max_differing_pixels\": 2"), pass("2 x 2 texels"));
    assert!(matches!(verdict("\"png\": \"other.png\", \"max_differing_pixels\": 1"), Verdict::Fail(_)));
    // Texels can be compared as numbers too.
    assert_eq!(verdict("\"u8_at\": {\"15\": 115}"), pass("1 value of u8"));
    let error = judge("\"png\": \"wide.png\"").unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().ends_with("wide.png has 4 x 1 texels, but Out has 2 x 2"), "{error}");
}

#[test]
fn arrays_of_resources() {
    let interface = Interface { bindings: vec![binding("B", 0, 2, words(true))], ..Interface::default() };
    let judge = |expect: &str| {
        let text = format!(
            "{{\"dispatch\": [], \"resources\": {{\"B\": [{{\"u32\": [1]}}, {{\"u32\": [2]}}]}}, \"expect\": {expect}}}"
        );
        run(&text, &interface, &mut idle()).unwrap().to_string()
    };
    assert_eq!(
        judge("{\"B\": [{\"u32\": [1]}, {\"u32\": [3]}]}"),
        "pass  B[0]: 1 value of u32\nFAIL  B[1]: u32[0]: expected 3, found 2\nran on memory; 1 of 2 expectations failed\n"
    );
    assert_eq!(judge("{\"B[1]\": {\"u32\": [2]}}"), "pass  B[1]: 1 value of u32\nran on memory; 1 expectation held\n");
}
