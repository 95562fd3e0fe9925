//! Image operations: their text form, and the verifier's errors.

use wgc_ir::{parse, passes, print, verify};

const ALL: &str = include_str!("text/images.wir");

#[test]
fn image_ir_round_trips_through_text() {
    let module = parse(ALL).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&module), ALL);
    assert_eq!(verify(&module), Ok(()));
}

/// Statements that replace the body's last one, and a part of the message.
const BROKEN: &[(&str, &str)] = &[
    // Coordinates.
    ("%x: f32 = image_sample %1, %8, %9", "coordinate is f32, not f32x2"),
    ("%x: f32x4 = image_sample %2, %8, %10", "coordinate is f32x2, not f32x3"),
    ("%x: f32 = image_load %1, %15", "coordinate is i32x3, of 2 components"),
    ("%x: f32 = image_load %4, %15", "texels of a cube have no integer coordinates"),
    ("%x: f32x2 = image_lod %4, %8, %12", "coordinate is f32x4, not f32x3"),
    // Sampled images.
    ("%x: u32 = image_sample %5, %8, %10", "the image is not sampled"),
    ("%x: i32x2 = image_sample %6, %8, %9", "the image is not sampled"),
    ("%x: f32 = image_sample %1, %9, %10", "sampler is f32"),
    ("%x: f32x4 = image_sample %1, %8, %10", "is f32"),
    // Comparisons and gathers.
    ("%x: f32 = image_sample %3, %8, %11 compare %9", "the image's texels are not compared"),
    ("%x: f32 = image_sample %1, %8, %10 compare %10", "reference is f32x2"),
    ("%x: f32x4 = image_sample %1, %8, %10 gather 4", "no component 4"),
    ("%x: f32x4 = image_sample %0, %8, %9 gather 0", "only two-dimensional images and cubes are gathered"),
    ("%x: f32x4 = image_sample %1, %8, %10 gather 0 level %9", "a gather reads the first level"),
    // Levels.
    ("%x: f32 = image_sample %1, %8, %10 level %9 min_lod %9", "no least level applies"),
    ("%x: f32 = image_sample %1, %8, %10 bias %10", "level is f32x2"),
    ("%x: f32x4 = image_sample %2, %8, %11 gradient %11, %11", "derivative is f32x3, not f32x2"),
    ("%x: u32 = image_load %5, %14 sample %13 level %13", "expected"),
    ("%x: i32x2 = image_load %6, %13 level %13", "the image has no levels"),
    ("%x: u32 = image_levels %5", "the image has no levels"),
    ("%x: u32x2 = image_size %5 level %13", "the image has no levels"),
    // Offsets.
    ("%x: f32 = image_sample %4, %8, %12 level %9 offset %15", "a cube takes no offset"),
    ("%x: f32 = image_sample %1, %8, %10 level %9 offset %13", "offset is i32, not i32x2"),
    ("%x: f32 = image_sample %1, %8, %10 level %9 offsets %23, %23, %23, %23", "four offsets are for a gather"),
    ("%x: f32x4 = image_sample %1, %8, %10 gather 0 offsets %23, %23, %23, %46", "the offset is not a constant"),
    // Samples.
    ("%x: u32 = image_load %5, %14", "none is chosen"),
    ("%x: f32 = image_load %1, %14 sample %13", "no samples to choose from"),
    ("%x: u32 = image_samples %1", "the image has one sample"),
    ("image_store %7, %15, %27", "none is chosen"),
    ("%x: ref<image, u32> = texel %5, %14 sample %13", "only scalar ones of a writable image"),
    // Residency.
    ("%x: f32 = image_sample %1, %8, %10 level %9 sparse", "a sparse access gives a structure of u32 and f32"),
    ("%x: sparse4 = image_load %1, %14 sparse", "a sparse access gives a structure of u32 and f32"),
];

#[test]
fn every_image_rule_rejects_its_violation() {
    let last = "  %48: f32 = image_sample %1, %8, %10 level %9 offset %47\n";
    assert!(ALL.contains(last));
    for (broken, message) in BROKEN {
        let text = ALL.replace(last, &format!("  {}\n", broken.replace("%x", "%48")));
        let errors = match parse(&text) {
            Err(error) => error.to_string(),
            Ok(module) => {
                verify(&module).map_or_else(|e| e.iter().map(ToString::to_string).collect(), |()| String::new())
            }
        };
        assert!(errors.contains(message), "{broken}: {errors:?}");
    }
}

/// Returns the constant offsets of samples in a text, in order.
fn offsets(text: &str) -> Vec<Vec<i32>> {
    let rest_of = |line: &str| Some(line.trim().split_once(": ")?.1.split_once(" = ")?.1.to_owned());
    let definition = |id: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("%{id}: ")));
        line.and_then(rest_of).unwrap_or_else(|| panic!("no %{id} in {text}"))
    };
    let constant = |id: &str| definition(id).parse().unwrap_or_else(|_| panic!("%{id} is no constant in {text}"));
    let ids = |text: &str| text.split('%').skip(1).map(|id| id.trim_end_matches(", ").to_owned()).collect::<Vec<_>>();
    // Offsets of gathers may be variables.
    let lines = text.lines().filter(|line| !line.contains(" gather"));
    let samples = lines.filter_map(|line| line.split_once("image_sample")?.1.split_once(" offset %"));
    let parts = |(_, id): (&str, &str)| match definition(id).strip_prefix("compose ") {
        Some(parts) => ids(parts).iter().map(|id| constant(id)).collect(),
        None => vec![constant(id)],
    };
    samples.map(parts).collect()
}

/// Removes values without a statement.
fn used(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("unused")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn image_offsets_fold_to_constants() {
    let mut module = parse(ALL).unwrap_or_else(|e| panic!("{e}"));
    let globals = module.globals.clone();
    let function = &mut module.functions["f"];
    assert!(passes::offsets(function).is_err_and(|e| e.outside.is_none()), "they are variables");
    assert!(passes::fold_conditions(function, &globals), "a table's is known");
    assert!(passes::unroll(function, &globals), "the others are after unrolling");
    assert_eq!(verify(&module), Ok(()));
    let text = used(&print(&module));
    assert!(!text.contains("loop {"), "{text}");
    // From -8 to 1, and the negative of the table's second element.
    let mut expected: Vec<Vec<i32>> = (-8..=1).map(|i| vec![i]).collect();
    expected.push(vec![0, 0]);
    assert_eq!(offsets(&text), expected);
    assert!(passes::offsets(&module.functions["f"]).is_ok());
}

#[test]
fn offsets_out_of_range_are_refused() {
    // The third element is (7, -8), whose negative is (-7, 8).
    let text = ALL.replace("index %39, %13", "index %39, %20").replace("%20: bool = resident %19", "%20: u32 = 2");
    let mut module = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let globals = module.globals.clone();
    let function = &mut module.functions["f"];
    passes::fold_conditions(function, &globals);
    assert!(passes::unroll(function, &globals));
    assert_eq!(passes::offsets(function).map_err(|e| e.outside), Err(Some(8)));
}

/// Returns a function that samples in a loop, given the code before it, its body, and its end.
fn looping(before: &str, body: &str, continuing: &str) -> wgc_ir::Module {
    let text = format!(
        "global @line: image<1d, f32x1> set 0 binding 0
        global @sampler: sampler set 0 binding 1
        global @In: buffer<i32 stride 4> set 0 binding 2
        entry \"main\" = @f threads 1 1 1
        fn @f() -> void {{
          local $0 i: i32
          %0: image<1d, f32x1> = global @line
          %1: sampler = global @sampler
          %2: f32 = 0.5
          %3: i32 = 1
          %4: i32 = 3
          %5: ref<function, i32> = local $0
          %6: ref<storage, [i32 stride 4]> = global @In
          %7: ref<storage, i32> = index %6, %3
          {before}
          loop {{ {body} }} continuing {{ {continuing} }}
        }}"
    );
    let module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(verify(&module), Ok(()), "{text}");
    module
}

const STEP: &str = "%50: i32 = load %5 %51: i32 = add %50, %3 store %5, %51";
const HEAD: &str = "%10: i32 = load %5 %11: bool = lt %10, %4 if %11 { } else { break }";
const SAMPLE: &str = "%20: i32 = load %5 %21: f32 = image_sample %0, %1, %2 level %2 offset %20";

/// Returns whether unrolling changed a module, and the result.
fn unrolled(mut module: wgc_ir::Module) -> (bool, String) {
    let globals = module.globals.clone();
    let done = passes::unroll(&mut module.functions["f"], &globals);
    assert_eq!(verify(&module), Ok(()), "{}", print(&module));
    (done, used(&print(&module)))
}

#[test]
fn an_iteration_that_may_end_early_is_unrolled() {
    // The exit of each iteration is decided at run time, so each stays a switch.
    let may_go_on = "%30: i32 = load %7 %31: bool = lt %30, %20 if %31 { continue }";
    let body = format!("{HEAD} {SAMPLE} {may_go_on} %32: f32 = image_sample %0, %1, %2 level %2 offset %20");
    let (done, text) = unrolled(looping("store %5, %3", &body, STEP));
    assert!(done);
    assert_eq!(offsets(&text), [[1], [1], [2], [2]]);
    assert_eq!((text.matches("switch").count(), text.matches("loop {").count()), (2, 0), "{text}");
}

#[test]
fn a_loop_without_iterations_disappears() {
    let (done, text) = unrolled(looping("store %5, %4", &format!("{HEAD} {SAMPLE}"), STEP));
    assert!(done);
    assert!(!text.contains("loop {") && !text.contains("image_sample"), "{text}");
}

#[test]
fn loops_with_data_dependent_exits_unroll_to_their_bounds() {
    let leaves = "%30: i32 = load %7 %31: bool = lt %30, %20 if %31 { break }";
    let (done, text) = unrolled(looping("store %5, %3", &format!("{HEAD} {SAMPLE} {leaves}"), STEP));
    assert!(done && !text.contains("loop {"), "{text}");
    assert_eq!(offsets(&text), [[1], [2]]);
    // The second iteration follows the break of the first, inside the switch that it leaves.
    let behind = text.split("break").nth(1).expect("there is a break");
    assert!(behind.contains("switch") && behind.contains("offset"), "{text}");
    assert_eq!(text.matches("break").count(), 2, "{text}");
}

#[test]
fn loops_with_memory_dependent_exits_stay_rolled() {
    let by_memory = "%8: i32 = load %7 store %5, %8";
    let endless = "%30: i32 = load %7 %31: bool = lt %30, %20 if %31 { break }";
    let leaves = format!("{SAMPLE} {endless}");
    let after = format!("{HEAD} %12: i32 = load %7 %13: bool = lt %12, %4 if %13 {{ continue }} {SAMPLE} break");
    for (before, body) in [(by_memory, format!("{HEAD} {SAMPLE}")), ("store %5, %3", leaves), ("store %5, %3", after)] {
        let module = looping(before, &body, STEP);
        let same = print(&module);
        assert_eq!(unrolled(module), (false, same));
    }
}

#[test]
fn loops_without_image_samples_stay_rolled() {
    let (done, text) = unrolled(looping("store %5, %3", HEAD, STEP));
    assert!(!done && text.contains("loop {"), "{text}");
}

#[test]
fn functions_with_variable_offsets_are_inlined() {
    let text = "global @line: image<1d, f32x1> set 0 binding 0
        global @sampler: sampler set 0 binding 1
        entry \"main\" = @f threads 1 1 1
        fn @f() -> void { %0: i32 = -3 %1: f32 = call @tap(%0) }
        fn @tap(o: i32) -> f32 {
          %0: i32 = param 0
          %1: image<1d, f32x1> = global @line
          %2: sampler = global @sampler
          %3: f32 = 0.5
          %4: f32 = image_sample %1, %2, %3 level %3 offset %0
          return %4
        }";
    let mut module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    passes::inline(&mut module, passes::Inline::Required).expect("it inlines");
    assert_eq!(verify(&module), Ok(()));
    let text = used(&print(&module));
    assert!(!text.contains("call") && !text.contains("@tap"), "{text}");
    assert_eq!(offsets(&text), [[-3]]);
}
