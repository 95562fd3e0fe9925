//! Every run file, on every target and device; and for each, a changed constant that must make it fail.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::{PLACES, Place, Scratch, in_parallel, run_files, vulkan_is_here, wgc};
use wgc_runtime::vulkan::testing;

fn run(file: &Path, place: Place, extra: &[&str]) -> support::Ran {
    let file = file.to_string_lossy().into_owned();
    let mut args = vec!["run", "--inputs", &file, "--target", place.target, "--device", place.device];
    args.extend(extra);
    wgc(support::root(), args)
}

fn places() -> Vec<Place> {
    let vulkan = vulkan_is_here("run files on Vulkan");
    PLACES.into_iter().filter(|p| vulkan || p.device != "vulkan").collect()
}

/// Returns the places that a run file is for.
fn places_of(text: &str, places: &[Place]) -> Vec<Place> {
    let targets = text.lines().find(|line| line.trim_start().starts_with("\"targets\""));
    places.iter().copied().filter(|place| targets.is_none_or(|line| line.contains(place.target))).collect()
}

fn text_of(file: &Path) -> String {
    std::fs::read_to_string(file).expect("it can be read")
}

/// Returns whether a run has findings that its run file does not expect.
fn finds_more(ran: &support::Ran, text: &str) -> bool {
    ran.out().contains("warning[WG4") && !text.contains("expect_findings")
}

#[test]
fn all_run_files_pass() {
    let places = places();
    let files: Vec<_> = ["examples", "tests/run"].iter().flat_map(|d| run_files(d)).collect();
    assert!(run_files("examples").len() >= 5, "there are at least five examples");
    in_parallel(&files, |file| {
        let text = text_of(file);
        if !text.contains("\"shader\"") || !text.contains("\"expect") {
            return Some(format!("{}: no shader or no expectation\n", file.display()));
        }
        let failure = |place: &Place| {
            let ran = run(file, *place, &[]);
            let report =
                || format!("{} on {place:?}: exit {}\n{}{}\n", file.display(), ran.status, ran.out(), ran.stderr);
            (ran.status != 0 || finds_more(&ran, &text)).then(report)
        };
        places_of(&text, &places).iter().filter_map(failure).reduce(|a, b| a + &b)
    });
}

/// Debug information changes no result. A few programs represent all on Vulkan, and of the emulated target, which
/// compiles the device library anew for each.
#[test]
fn debug_information_changes_no_result() {
    let places = places();
    let files: Vec<(usize, PathBuf)> =
        ["examples", "tests/run"].iter().flat_map(|d| run_files(d)).enumerate().collect();
    in_parallel(&files, |(n, file)| {
        let every = |place: &Place| match (place.target, place.device) {
            ("spirv-amdx", _) => 1,
            (_, "cpu") => 4,
            _ => 8,
        };
        let here = places_of(&text_of(file), &places).into_iter().filter(|place| n % every(place) == 0);
        let failure = |place: Place| {
            let ran = run(file, place, &["-Zi"]);
            let report =
                || format!("{} on {place:?}: exit {}\n{}{}\n", file.display(), ran.status, ran.out(), ran.stderr);
            (ran.status != 0).then(report)
        };
        here.filter_map(failure).reduce(|a, b| a + &b)
    });
}

/// A native graph with a module for each node has the same results as with one module.
#[test]
fn split_graphs_match_single_module_results() {
    let files = ["examples", "tests/run"].into_iter().flat_map(run_files);
    // Programs of compute shaders have no nodes.
    let has_nodes = |file: &PathBuf| {
        let text = text_of(file);
        !places_of(&text, &PLACES[..1]).is_empty() && !text.contains("\"groups\": [")
    };
    let files: Vec<_> = files.filter(has_nodes).collect();
    assert!(files.len() > 80, "{}", files.len());
    in_parallel(&files, |file| {
        let ran = run(file, PLACES[0], &["--split-nodes"]);
        let report = || format!("{}: exit {}\n{}{}\n", file.display(), ran.status, ran.out(), ran.stderr);
        (ran.status != 0).then(report)
    });
}

/// One constant of each shader, and another value that must change a result.
const CHANGES: &[(&str, &str, &str)] = &[
    ("examples/hello.run.json", "(whole.count + 1) / 2", "(whole.count + 3) / 3"),
    ("examples/carpet.run.json", "NodeMaxRecursionDepth(3)", "NodeMaxRecursionDepth(2)"),
    ("examples/classify.run.json", "input.Get().value * 2", "input.Get().value * 3"),
    ("examples/hello_work_graphs.run.json", "dispatchThreadID*2", "dispatchThreadID*3"),
    ("examples/slang_hello.run.json", "123456", "123457"),
    ("tests/run/joint_local_roots.run.json", "weight + input.Get().n", "weight - input.Get().n"),
    ("tests/run/joint_array.run.json", "NodeMaxRecursionDepth(3)", "NodeMaxRecursionDepth(2)"),
    ("tests/run/launch_rows.run.json", "== 7 ? 3", "== 7 ? 4"),
    ("tests/run/copied_matrices.run.json", "float3(1, 10, 100)", "float3(1, 10, 101)"),
    ("tests/run/half_instances.run.json", "Sizes[0] = Size<half>", "Sizes[0] = Size<float16_t>"),
    ("tests/run/kept_records.run.json", "10 * (i + 1)", "10 * (i + 2)"),
    ("tests/run/chosen_outputs.run.json", "found = Pick(all, i)", "found = Pick(all, 0)"),
    ("tests/run/deep_recursion.run.json", "input.Get().id % 3 == 0 ? 2 : 1", "input.Get().id % 3 == 0 ? 1 : 1"),
    ("tests/run/record_barriers.run.json", "+= 10", "+= 11"),
    ("tests/run/fused_windows.run.json", "thread == 1 ? 3", "thread == 1 ? 2"),
    ("tests/run/resident_grids.run.json", "1 + 100 * group.x", "1 + 101 * group.x"),
    ("tests/run/fused_statics.run.json", "uint steps = 3", "uint steps = 4"),
    ("tests/run/thread_places.run.json", "uint level = 4", "uint level = 5"),
    ("tests/run/counted_inputs.run.json", "Out[3], input.Get().weight", "Out[3], input.Get().weight + 1"),
    ("tests/run/own_functions.run.json", "100u : 7u", "100u : 8u"),
    ("tests/run/local_roots.run.json", "value * Own.weight", "value * Own.weight + 1"),
    ("tests/run/local_root_tables.run.json", "value + thread;", "value - thread;"),
    ("tests/run/local_root_words.run.json", "input.Get().n * Scale.weight; }", "input.Get().n + Scale.weight; }"),
    ("tests/run/local_root_memory.run.json", "m.m[1][1] += 1", "m.m[1][0] += 1"),
    ("tests/run/local_root_shared.run.json", "InterlockedAdd(Seen[depth], left)", "InterlockedAdd(Seen[depth], right)"),
    ("tests/run/d1.run.json", "input.Get().base + 10", "input.Get().base + 11"),
    ("tests/run/d2.run.json", "input.Get().id * 2 + i", "input.Get().id * 2 + i + 1"),
    ("tests/run/d3.run.json", "ThreadIncrementOutputCount(5)", "ThreadIncrementOutputCount(4)"),
    ("tests/run/branches.run.json", "AddFive(++a[0])", "AddFive(a[0])"),
    ("tests/run/buffer_statics.run.json", "Written = 40", "Written = 41"),
    ("tests/run/array_alias.run.json", "Shared[1][2] = 9;", "Shared[1][2] = 8;"),
    ("tests/run/equal_structures.run.json", "Table[1].n = 5", "Table[1].n = 6"),
    ("tests/run/enumerations.run.json", "return 10 + x;", "return 11 + x;"),
    ("tests/run/literal_casts.run.json", "Out[0] = asuint16(1);", "Out[0] = asuint16(2);"),
    ("tests/run/old_for_scope.run.json", "i *= 2", "i *= 3"),
    ("tests/run/precise.run.json", "(a - (sum - of_b)) + (b - of_b)", "(a - (sum - of_b)) - (b - of_b)"),
    ("tests/run/precise_nodes.run.json", "Out[1] = input.Get().rest;", "Out[1] = input.Get().sum;"),
    ("tests/run/precise_two_sum.run.json", "Out[3] = e;", "Out[3] = s;"),
    ("tests/run/template_names.run.json", "return B ? 10 : 20;", "return B ? 11 : 20;"),
    ("tests/run/literal_choices.run.json", "yes ? 0.1 : 0.2;\n    asuint(d", "yes ? 0.1f : 0.2f;\n    asuint(d"),
    ("tests/run/base_names.run.json", "P::K() * 10 + Q", "P::K() * 11 + Q"),
    ("tests/run/comparison_chains.run.json", "if (c == 3) return 30;", "if (c == 3) return 31;"),
    ("tests/run/wave_cases.run.json", "direct = WaveActiveSum(lane + 1)", "direct = lane + 1"),
    ("tests/run/half_literals.run.json", "half tenth = 0.1h", "half tenth = 0.125h"),
    ("tests/run/wave_nan.run.json", "WaveActiveAllEqual(asfloat(In[lane]))", "WaveActiveAllEqual(In[lane])"),
    ("tests/run/fall_through.run.json", "case 0: case 3: own = 100;", "case 0: case 3: own = 100; break;"),
    ("tests/run/given_resources.run.json", "return list[1];", "return list[0];"),
    ("tests/run/short_enums.run.json", "Last = 65535, Seven", "Last = 65534, Seven"),
    ("tests/run/quads.run.json", "10000 * QuadReadAcrossDiagonal(index)", "10000 * QuadReadAcrossX(index)"),
    ("tests/run/quads_compute.run.json", "QuadReadAcrossY(lane)", "QuadReadAcrossX(lane)"),
    ("tests/run/grid_semantic.run.json", "inner.g[1] = 3", "inner.g[1] = 2"),
    ("tests/run/grid_sharing.run.json", "uint16_t2(2, 3)", "uint16_t2(3, 3)"),
    ("tests/run/valid_beyond.run.json", "i.Get().id].IsValid()", "i.Get().id / 2].IsValid()"),
    ("tests/run/old_logic.run.json", "seen(true) || seen(false)", "seen(true)"),
    ("tests/run/declared_before.run.json", "uint pick(float x) { return 1; }", "uint pick(float x) { return 3; }"),
    ("tests/run/definitions.run.json", "index * 7", "index * 8"),
    ("tests/run/choices.run.json", "WRAP = true", "WRAP = false"),
    ("tests/run/early_return.run.json", "thread % 3", "thread % 4"),
    ("tests/run/missing_element.run.json", "record.Get().id = id;", "record.Get().id = id + 1;"),
    ("tests/run/far_indexes.run.json", "calls.Get(j).n;", "calls.Get(j).n + 1;"),
    ("tests/run/emptied.run.json", "10 * i.Get().x", "11 * i.Get().x"),
    ("tests/run/empty_parameters.run.json", "x * 10 + y", "x * 10 - y"),
    ("tests/run/matrix_lines.run.json", "upright[at][0] -= 4", "upright[at][0] -= 5"),
    (
        "tests/run/overloads.run.json",
        "uint width(float3 a, float3 b) { return 3; }",
        "uint width(float3 a, float3 b) { return 4; }",
    ),
    ("tests/run/suffixes.run.json", "1ul << 33", "1ul << 34"),
    ("tests/run/literals.run.json", "tenth = 0.1h", "tenth = 0.2h"),
    ("tests/run/early_return_loops.run.json", "thread + 1, count", "thread + 2, count"),
    ("tests/run/return_missing.run.json", "return 4", "return 5"),
    ("tests/run/language.run.json", "next = 100", "next = 99"),
    ("tests/run/precision.run.json", "i * -5", "i * -6"),
    ("tests/run/initialisers.run.json", "{ 2, 3 }", "{ 2, 4 }"),
    ("tests/run/typed_let.run.json", "real : float", "real : uint"),
    ("tests/run/start_effects.run.json", "static uint second = Next();", "static uint second = 9;"),
    ("tests/run/using.run.json", "x * 100", "x * 101"),
    ("tests/run/local_types.run.json", "FACTOR = BASE * 2", "FACTOR = BASE * 3"),
    ("tests/run/order.run.json", "list[i] = i++;", "list[i] = ++i;"),
    ("tests/run/templates.run.json", "{ return 10 + N; }", "{ return 11 + N; }"),
    ("tests/run/template_values.run.json", "(0 - N) > 5", "(1 - N) > 5"),
    ("tests/run/members.run.json", "enum { First = base", "enum { First = base + 1"),
    ("tests/run/variable_templates.run.json", "bits<bool> = 1", "bits<bool> = 2"),
    ("tests/run/fused_places.run.json", "group.x * 16 + id.x", "group.x * 16 + id.x + 1"),
    ("tests/run/qualified_names.run.json", "Out[1] = ::v;", "Out[1] = B::v;"),
    ("tests/run/vector_templates.run.json", "uint g(uint a) { return 2; }", "uint g(uint a) { return 3; }"),
    ("tests/run/constant_calls.run.json", "lerp(1.0, 3.0, 0.25)", "lerp(1.0, 3.0, 0.5)"),
    ("tests/run/defaults.run.json", "uint b = 4", "uint b = 5"),
    ("tests/run/spellings.run.json", "ON = 7", "ON = 8"),
    ("tests/run/constants.run.json", "packoffset(c0.z)", "packoffset(c0.y)"),
    ("tests/run/resource_arrays.run.json", "100 + thread", "101 + thread"),
    ("tests/run/passing.run.json", "values[i] = x;", "values[i] = x + 1;"),
    ("tests/run/resource_choices.run.json", "last = B;", "last = A;"),
    ("tests/run/aliases.run.json", "Words[0] = 0x40400000", "Words[0] = 0x40400001"),
    ("tests/run/library.run.json", "uint b; uint c", "uint e; uint b; uint c"),
    ("tests/run/rows.run.json", "copy = pairs[1]", "copy = pairs[0]"),
    ("tests/run/vulkan_layout.run.json", "item.c.x", "item.c.y"),
    ("tests/run/layouts.run.json", "float steps[2];", "float2 steps;"),
    ("tests/run/heaps.run.json", "7, 0.5", "7, 0.25"),
    ("tests/run/resource_names.run.json", "calls = 10", "calls = 11"),
    ("tests/run/resource_parts.run.json", "Grid[work.column][work.row]", "Grid[work.row][work.row]"),
    ("tests/run/shared_parameters.run.json", "at * at + 1", "at * at + 2"),
    ("tests/run/heap_choices.run.json", "work.which > 2", "work.which > 3"),
    ("tests/run/resource_values.run.json", "s.data[0] = B;", "s.data[0] = A;"),
    ("tests/run/specialisation.run.json", "Threads * 3", "Threads * 4"),
    ("tests/run/specialised_graph.run.json", "NodeDispatchGrid(X * 2 - 1", "NodeDispatchGrid(X * 2 - 2"),
    ("tests/run/inline_spirv.run.json", "REVERSE = 204", "REVERSE = 205"),
    ("tests/run/handed.run.json", "chosen = Left;", "chosen = Right;"),
    ("tests/run/offsets.run.json", "o * 2 - 1", "o * 2 - 2"),
    ("tests/run/operators.run.json", "sum += twice;", "sum = twice;"),
    ("tests/run/memory.run.json", "Line[g] = g + 10;", "Line[g] = g + 11;"),
    ("tests/run/methods.run.json", "K = 4;", "K = 5;"),
    ("tests/run/unnamed.run.json", "return x * 2;", "return x * 3;"),
    ("tests/run/bit_fields.run.json", "int low : 5;", "int low : 6;"),
    ("tests/run/base_fields.run.json", "B::x += 5;", "x += 5;"),
    ("tests/run/row_major_store.run.json", "column_major float2x2>(160", "float2x2>(160"),
    ("tests/run/static_query.run.json", "kept.Proceed();", "kept.Abort();"),
    ("tests/run/bit_field_values.run.json", "f.b = 7;", "f.b = 6;"),
    ("tests/run/folding.run.json", "{ 5, 6, Size.y - 1 }", "{ 6, 6, Size.y - 1 }"),
    ("tests/run/lifetimes.run.json", "first = seed * 2;", "first = seed * 3;"),
    ("tests/run/scopes.run.json", "a * 3", "a * 4"),
    ("tests/run/name_order.run.json", "Shadow = 20", "Shadow = 21"),
    ("tests/run/textures.run.json", "STEP = int2(1, -1)", "STEP = int2(1, 0)"),
    ("tests/run/compute.run.json", "Row[0] + Push.bias", "Row[0] - Push.bias"),
    ("tests/run/record_layouts.run.json", "both = int2(2, -2)", "both = int2(2, -3)"),
    ("tests/run/rays.run.json", "query.CommitProceduralPrimitiveHit(t)", "query.CommitProceduralPrimitiveHit(t + 1)"),
    ("tests/run/matrix_values.run.json", "m._m01_m10 = m._m10_m01;", "m._m01_m10 = m._m01_m10;"),
    ("tests/run/places.run.json", "a.rest = ~a.rest;", "a.rest = a.rest;"),
    ("tests/run/printed.run.json", "* (int)thread;", "* (int)thread + 1;"),
    ("tests/run/text.run.json", "pea-7", "pea-8"),
    (
        "tests/run/nearest.run.json",
        "int2 rounded(in int2 a, in int2 b) { return (a + b - 1) / b; }",
        "int2 rounded(in int2 a, in int2 b) { return (a + b) / b; }",
    ),
    ("tests/run/group_of_one.run.json", "send(Sum, 2, input.Get().n)", "send(Sum, 1, input.Get().n)"),
    ("tests/run/large_groups.run.json", "n += 64", "n += 512"),
    ("tests/run/buffer_names.run.json", "second * count", "second"),
    (
        "tests/run/float_exchange.run.json",
        "InterlockedExchange(Own.at.y, 77.0, old)",
        "InterlockedExchange(Own.at.x, 77.0, old)",
    ),
    ("tests/run/flags.run.json", "Large = 7", "Large = 8"),
    ("tests/run/registers.run.json", "seven + Words[0]", "seven - Words[0]"),
    ("tests/run/matrix_one.run.json", "float3(6, 9, 12) / o", "float3(6, 9, 12) * o"),
    ("tests/run/matrix_flat.run.json", "instance.id = 99", "instance.id = 98"),
    ("tests/run/matrix_atomics.run.json", "InterlockedOr(Shared._22", "InterlockedOr(Shared._12"),
    ("tests/run/specialised_constants.run.json", "Half * 3 + 1", "Half * 3 + 2"),
    ("tests/run/qualified_members.run.json", "d.Base::grow(2)", "d.Derived::grow(2)"),
    ("tests/run/mesh_tiles.run.json", "uint3(2, 1, 3)", "uint3(1, 2, 3)"),
    ("tests/run/mesh_lines.run.json", "points[i].pairs[1].count += 1;", "points[i].pairs[1].count += 2;"),
    ("tests/run/mesh_kept.run.json", "position.z = last;", "position.z = thread;"),
    ("tests/run/mesh_mixed.run.json", "Out[2], input.Get().value", "Out[2], input.Get().value + 1"),
    ("tests/run/matrix_memory.run.json", "#pragma pack_matrix(row_major)", "#pragma pack_matrix(column_major)"),
];

#[test]
fn every_example_has_a_change_that_breaks_it() {
    for file in ["examples", "tests/run"].iter().flat_map(|d| run_files(d)) {
        assert!(CHANGES.iter().any(|c| file.ends_with(c.0)), "no change listed for {}", file.display());
    }
}

/// Each on one place only, to show that the run file checks the results: the comparison is the same everywhere.
#[test]
fn a_changed_constant_fails_the_expectation() {
    in_parallel(CHANGES, |(file, from, to)| {
        let file = support::root().join(file);
        let shader = file.to_string_lossy().replace(".run.json", ".hlsl");
        let source = std::fs::read_to_string(&shader).expect("the shader lies beside its run file");
        assert_eq!(source.matches(from).count(), 1, "{shader}: `{from}`");
        let scratch = Scratch::new().with("changed.hlsl", source.replace(from, to));
        let changed = scratch.0.join("changed.hlsl").to_string_lossy().into_owned();
        let text = text_of(&file);
        let place = places_of(&text, &PLACES[..2])[0];
        let ran = run(&file, place, &[&changed, "-Wno-moved-binding"]);
        // The report of a finished run with a failed expectation, and not a diagnostic of the source.
        let failed = ran.out().lines().any(|line| line.starts_with("FAIL") && line.contains("expected"));
        let refused = ran.stderr.lines().any(|line| line.starts_with("error"));
        let report =
            || format!("{shader} with `{to}` on {place:?}: exit {}\n{}{}\n", ran.status, ran.out(), ran.stderr);
        (ran.status != 1 || !failed || refused).then(report)
    });
}

/// Two values each of the emulated target's options. A flag is given or not.
const SETTINGS: &[[&str; 2]] = &[
    ["--schedule=depth", "--schedule=topological"],
    ["--arena=min", "--arena=default"],
    ["--page-kib=16", "--page-kib=64"],
    ["--allocator=lane", "--allocator=subgroup"],
    ["--segment-kib=0", "--segment-kib=64"],
    ["--joint-dispatch=2", "--joint-dispatch=0"],
    ["--resident=auto", "--resident=off"],
    ["--drain=2", "--drain=0"],
    ["--direct-targets=0", "--direct-targets=4"],
    ["--fusion=safe", "--fusion=off"],
    ["--no-int64-atomics", ""],
];

/// Combinations of [`SETTINGS`].
const NUMBERS: usize = 16;

/// Returns the settings for a number below [`NUMBERS`], or the other value of each. Over all numbers, any two values of
/// two settings occur together: each setting has the parity of another subset of the number's bits.
fn settings_of(number: usize, other: bool) -> Vec<&'static str> {
    let parity = |subset: usize| (number & subset).count_ones() as usize % 2;
    let values = SETTINGS.iter().zip(1..NUMBERS).map(|(setting, subset)| setting[parity(subset) ^ usize::from(other)]);
    values.filter(|setting| !setting.is_empty()).collect()
}

/// Runs each file that has several depths under two opposite settings; every eighth also on Vulkan. The command line
/// repeats the run file's schedule.
#[test]
fn results_do_not_depend_on_emulation_settings() {
    // All pairs occur.
    for (a, b) in (0..SETTINGS.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let has = |n: usize, setting: usize| settings_of(n, false).contains(&SETTINGS[setting][0]);
        let pairs: BTreeSet<_> = (0..NUMBERS).map(|n| (has(n, a), has(n, b))).collect();
        assert_eq!(pairs.len(), 4, "{:?}, {:?}", SETTINGS[a], SETTINGS[b]);
    }
    let places = places();
    let vulkan = places.iter().any(|place| place.device == "vulkan");
    let reconverges = vulkan && testing::device().as_ref().is_some_and(testing::lanes_reconverge);
    // Nodes without outputs have one depth.
    let sends = |file: &PathBuf| {
        text_of(Path::new(&file.to_string_lossy().replace(".run.json", ".hlsl"))).contains("NodeOutput")
    };
    let files: Vec<PathBuf> = ["examples", "tests/run"].iter().flat_map(|d| run_files(d)).filter(sends).collect();
    assert!(files.len() > 20, "{files:?}");
    let files: Vec<(usize, PathBuf)> = files.into_iter().enumerate().collect();
    in_parallel(&files, |(n, file)| {
        let here = places_of(&text_of(file), &places);
        let emulated = |p: &&Place| p.target == "spirv-emulated" && (p.device == "cpu" || n % 8 == 0);
        let mut failures = String::new();
        for (place, other) in here.iter().filter(emulated).flat_map(|place| [(place, false), (place, true)]) {
            let mut settings = settings_of(n % NUMBERS, other);
            if settings.contains(&"--schedule=depth") {
                settings.retain(|setting| !setting.starts_with("--drain"));
            }
            if place.device == "vulkan" && !reconverges {
                settings.retain(|setting| *setting != "--allocator=subgroup");
            }
            let ran = run(file, *place, &settings);
            if ran.status != 0 || finds_more(&ran, &text_of(file)) {
                let how = format!("{} on {place:?} {settings:?}", file.display());
                failures += &format!("{how}: exit {}\n{}{}\n", ran.status, ran.out(), ran.stderr);
            }
        }
        (!failures.is_empty()).then_some(failures)
    });
    // Down is reached by two paths, as the statistics show. The command line takes precedence.
    let text = text_of(&support::root().join("tests/emulated/arrays.run.json"));
    let shader = support::root().join("tests/emulated/arrays.hlsl").to_string_lossy().into_owned();
    let with = text.replacen('{', r#"{ "emulation": { "schedule": "depth" },"#, 1);
    let scratch = Scratch::new().with("depth.run.json", with);
    for (extra, says) in [(None, true), (Some("--schedule=topological"), false)] {
        let args: Vec<&str> = [shader.as_str(), "--stats"].into_iter().chain(extra).collect();
        let ran = run(&scratch.0.join("depth.run.json"), PLACES[1], &args);
        assert_eq!((ran.status, ran.out().contains("Down level 2 depth 4")), (0, says), "{}{}", ran.out(), ran.stderr);
    }
}

/// Choices that a device may make: records of a coalescing node, order of execution, lanes of a subgroup. Each has a
/// level of optimisation.
const POLICIES: &[&[&str]] = &[
    &["--batching", "single", "--order", "lifo", "--subgroup-size", "64", "-O0"],
    &["--batching", "random:1", "--order", "random:2", "-O2"],
    &["--batching", "random:3", "--order", "fifo", "--subgroup-size", "4", "-O3"],
];

/// Files whose results depend on the sizes of batches.
const TELL_BATCHES: [&str; 3] =
    ["tests/run/early_return.run.json", "tests/run/specialisation.run.json", "tests/run/specialised_graph.run.json"];

#[test]
fn results_are_the_same_under_every_policy_and_on_several_threads() {
    let files: Vec<_> = ["examples", "tests/run"].into_iter().flat_map(run_files).collect();
    in_parallel(&files, |file| {
        let mut failures = String::new();
        let native = places_of(&text_of(file), &PLACES[..1]);
        for (policy, place) in POLICIES.iter().flat_map(|policy| native.iter().map(move |place| (policy, *place))) {
            let mut policy = policy.to_vec();
            if text_of(file).contains("\"groups\"") {
                // Compute shaders have no records: `--batching` and `--order` are refused.
                policy.drain(..4);
            }
            if TELL_BATCHES.iter().any(|name| file.ends_with(name)) {
                policy.extend(["--batching", "full"]);
            }
            let ran = run(file, place, &policy);
            if ran.status != 0 {
                failures += &format!("{} with {policy:?}\n{}{}\n", file.display(), ran.out(), ran.stderr);
            }
        }
        for place in places_of(&text_of(file), &PLACES[..2]) {
            let ran = run(file, place, &["--threads", "3", "-O2"]);
            if ran.status != 0 {
                failures += &format!(
                    "{} on {place:?} with three threads and -O2\n{}{}\n",
                    file.display(),
                    ran.out(),
                    ran.stderr
                );
            }
        }
        (!failures.is_empty()).then_some(failures)
    });
}
