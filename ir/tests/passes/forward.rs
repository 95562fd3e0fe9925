//! Loads whose result is known.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{Module, passes, print};

pub const GLOBALS: &str = "struct P size 8 align 4 { x: u32 @0, y: u32 @4 }
    struct Block size 4 align 4 { x: u32 @0 }
    global @sink: workgroup u32
    global @shared: workgroup u32
    global @rw: buffer<u32 stride 4> writable set 0 binding 0
    global @other: buffer<u32 stride 4> writable set 0 binding 1
    global @ro: buffer<u32 stride 4> set 0 binding 2
    global @coherent: buffer<u32 stride 4> writable coherent set 0 binding 3
    global @uniform: uniform Block set 0 binding 4
    global @pushed: push_constant Block
    global @table: constant [u32; 4 stride 4] = zero
    global @private: private u32
    global @private2: private u32
    global @image: rwimage<2d, u32x1> set 0 binding 5
    global @texture: image<2d, u32x1> set 0 binding 6
    global @scene: acceleration_structure set 0 binding 7
    global @many: buffer<u32 stride 4> set 0 binding 8 count 2
    global @same: buffer<u32 stride 4> writable set 0 binding 9
    global @view: buffer<u32 stride 4> set 0 binding 9
";

/// `@read_sink` keeps the stores to `@sink`.
pub const FUNCTIONS: &str = "fn @idle() -> void { }
    fn @read_sink() -> u32 { %0: ref<workgroup, u32> = global @sink %1: u32 = load %0 return %1 }
    fn @take(a: ref<function, u32>) -> void { }
    fn @take_all(a: ref<function, [P; 4 stride 8]>) -> void { }
";

/// The record node: its input and its output are records of type P.
const NODE: &str = "node \"N\"[0] = @f {
      launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry
      input in: P INPUT max 1
      output out: P -> \"M\"[0] max 4
    }
";

/// Values for all tests.
const START: &str = "local $0 array: [P; 4 stride 8]
    local $1 one: u32
    local $2 two: u32
    local $3 query: ray_query
    %0: u32 = 0
    %1: u32 = 1
    %2: u32 = builtin.group_index
    %3: ref<workgroup, u32> = global @sink
    %4: bool = lt %2, %1
    %5: ref<function, u32> = local $1
    %6: ref<function, u32> = local $2
    %7: ref<function, [P; 4 stride 8]> = local $0
    %8: u32 = builtin.subgroup_lane
";

fn module(header: &str, body: &str) -> Module {
    let mut module = read(&format!("{GLOBALS}{header}fn @f() -> void {{ {START}{body} }}{FUNCTIONS}"));
    passes::forward(&mut module);
    module
}

/// Returns the body of `@f` after the pass, without the known loads.
pub fn after(header: &str, body: &str) -> String {
    let mut module = module(header, body);
    clean(&mut module);
    body_of_f(&module)
}

pub fn clean(module: &mut Module) {
    passes::dead(module, &["read_sink".into()], passes::Accesses::MayGo);
}

pub fn loads(text: &str) -> usize {
    text.matches("= load").count() + text.matches("= image_load").count()
}

/// Returns the number of loads that are left of two from the place `%9`, with statements between them.
fn left_of_two(header: &str, place: &str, between: &str) -> usize {
    let sum = "%11: u32 = load %9\n%12: u32 = sub %10, %11\nstore %3, %12";
    loads(&after(header, &format!("{place}\n%10: u32 = load %9\n{between}\n{sum}")))
}

/// Returns the number of loads that are left of one from the place `%9`, after a store and other statements.
pub fn left_after_store(header: &str, place: &str, between: &str) -> usize {
    let load = "%11: u32 = load %9\nstore %3, %11";
    loads(&after(header, &format!("{place}\nstore %9, %2\n{between}\n{load}")))
}

/// An element of a buffer.
pub fn element(buffer: &str) -> String {
    let space = if buffer == "coherent" { "storage.coherent" } else { "storage" };
    format!("%20: ref<{space}, [u32 stride 4]> = global @{buffer}\n%9: ref<{space}, u32> = index %20, %2")
}

fn global(name: &str) -> String {
    format!("%9: ref<private, u32> = global @{name}")
}

const UNIFORM: &str = "%20: ref<uniform, Block> = global @uniform\n%9: ref<uniform, u32> = field %20, 0";
const PUSHED: &str = "%20: ref<push_constant, Block> = global @pushed\n%9: ref<push_constant, u32> = field %20, 0";
const TABLE: &str = "%20: ref<private, [u32; 4 stride 4]> = global @table\n%9: ref<private, u32> = index %20, %2";
pub const LOCAL: &str = "%9: ref<function, u32> = local $1";
pub const ELEMENT: &str = "%20: ref<function, P> = index %7, %1\n%9: ref<function, u32> = field %20, 0";
const INPUT: &str = "%20: ref<node_input, P> = input_record %0\n%9: ref<node_input, u32> = field %20, 0";
const OUTPUT: &str = "%20: records<thread, P> = allocate thread 0[%0], %1
    %21: ref<node_output, P> = output_record %20, %0
    %9: ref<node_output, u32> = field %21, 0";

// Events.
const STORE_RW: &str = "%30: ref<storage, [u32 stride 4]> = global @other
    %31: ref<storage, u32> = index %30, %2
    store %31, %1";
const STORE_SHARED: &str = "%30: ref<workgroup, u32> = global @shared\nstore %30, %1";
const STORE_IMAGE: &str = "%30: rwimage<2d, u32x1> = global @image
    %31: u32x2 = compose %0, %0
    image_store %30, %31, %1";
const ATOMIC: &str = "%30: ref<workgroup, u32> = global @shared\n%31: u32 = atomic.add %30, %1 workgroup relaxed";
const ACQUIRE: &str = "%30: ref<workgroup, u32> = global @shared\n%31: u32 = atomic.add %30, %1 device acquire_release";
pub const UAV_BARRIER: &str = "barrier uav device";
const SHARED_BARRIER: &str = "barrier group_shared group_sync workgroup";
const INPUT_BARRIER: &str = "barrier node_input device";
const CALL: &str = "call @idle()";
const SPIRV: &str = "spirv 62 (%3, %2)";
const SPIRV_VALUE: &str = "%30: u32 = spirv 124 (%2)";
const BLOCK: &str = "if %4 { store %3, %1 }";
const ALL_EVENTS: &[&str] = &[
    "",
    STORE_RW,
    STORE_SHARED,
    STORE_IMAGE,
    ATOMIC,
    ACQUIRE,
    UAV_BARRIER,
    SHARED_BARRIER,
    INPUT_BARRIER,
    CALL,
    SPIRV,
    SPIRV_VALUE,
    BLOCK,
];

/// Checks which events make the second of two loads necessary, and a load after a store if `stored`.
fn ended_by(header: &str, place: &str, stored: bool, ends: &[&str]) {
    for event in ALL_EVENTS {
        let ended = usize::from(ends.contains(event));
        assert_eq!(left_of_two(header, place, event), 1 + ended, "two loads of {place}\nand between\n{event}");
        if stored {
            assert_eq!(left_after_store(header, place, event), ended, "store to {place}\nthen\n{event}");
        }
    }
}

#[test]
fn constant_memory_is_read_once() {
    for place in [UNIFORM, PUSHED, TABLE] {
        ended_by(ENTRY, place, false, &[]);
    }
}

#[test]
fn read_only_buffers_are_read_until_a_barrier() {
    let ends = [ACQUIRE, UAV_BARRIER, CALL, SPIRV, SPIRV_VALUE];
    ended_by(ENTRY, &element("ro"), false, &ends);
    let of_array = "%20: descriptors<ref<storage, [u32 stride 4]>, 2> = global @many
        %21: ref<storage, [u32 stride 4]> = descriptor %20, %2
        %9: ref<storage, u32> = index %21, %2";
    ended_by(ENTRY, of_array, false, &ends);
}

#[test]
fn read_only_images_are_read_until_a_barrier() {
    for event in ALL_EVENTS {
        let text = |image: &str, of: &str| {
            format!(
                "%20: {of}<2d, u32x1> = global @{image}
                %21: u32x2 = compose %2, %2
                %10: u32 = image_load %20, %21
                {event}
                %11: u32 = image_load %20, %21
                %12: u32 = sub %10, %11
                store %3, %12"
            )
        };
        let ended = usize::from([ACQUIRE, UAV_BARRIER, CALL, SPIRV, SPIRV_VALUE].contains(event));
        assert_eq!(loads(&after(ENTRY, &text("texture", "image"))), 1 + ended, "{event}");
        assert_eq!(loads(&after(ENTRY, &text("image", "rwimage"))), 2, "a writable image\n{event}");
    }
}

/// `@view` reads the memory that `@same` writes. A buffer with a descriptor of its own is not the same memory.
#[test]
fn stores_end_the_contents_of_buffers_with_the_same_descriptor() {
    let store = |to: &str| {
        format!(
            "%30: ref<storage, [u32 stride 4]> = global @{to}
            %31: ref<storage, u32> = index %30, %2
            store %31, %1"
        )
    };
    assert_eq!(left_of_two(ENTRY, &element("view"), &store("same")), 2);
    assert_eq!(left_of_two(ENTRY, &element("ro"), &store("same")), 1);
}

#[test]
fn read_only_input_records_are_read_once() {
    let node = NODE.replace("INPUT", "");
    ended_by(&node, INPUT, false, &[ACQUIRE, INPUT_BARRIER, CALL, SPIRV, SPIRV_VALUE]);
    let finished = "%30: bool = finished_sharing";
    let tracked = NODE.replace("INPUT", "track_sharing read_write");
    for event in ALL_EVENTS.iter().chain([&finished]) {
        assert_eq!(left_of_two(&tracked, INPUT, event), 2, "a writable input\n{event}");
        assert_eq!(left_after_store(&tracked, INPUT, event), 1, "a writable input\n{event}");
    }
    // One node of two may write.
    let second = tracked.replace("\"N\"[0]", "\"O\"[0]").replace(" entry", "");
    assert_eq!(left_of_two(&format!("{node}{second}"), INPUT, ""), 2);
}

#[test]
fn locals_and_private_globals_are_known() {
    ended_by(ENTRY, LOCAL, true, &[SPIRV, SPIRV_VALUE]);
    ended_by(ENTRY, ELEMENT, true, &[SPIRV, SPIRV_VALUE]);
    ended_by(ENTRY, &global("private"), true, &[CALL, SPIRV, SPIRV_VALUE]);
}

#[test]
fn output_records_of_a_thread_are_known() {
    let node = NODE.replace("INPUT", "");
    let barriers = [ATOMIC, ACQUIRE, UAV_BARRIER, SHARED_BARRIER, INPUT_BARRIER];
    let ends: Vec<&str> = barriers.into_iter().chain([CALL, SPIRV, SPIRV_VALUE]).collect();
    ended_by(&node, OUTPUT, true, &ends);
    // Another handle may name the same record, and so may a variable index.
    let second = "%31: records<thread, P> = allocate thread 0[%0], %1
        %32: ref<node_output, P> = output_record %31, %0
        %33: ref<node_output, u32> = field %32, 0
        store %33, %1";
    assert_eq!(left_after_store(&node, OUTPUT, second), 1);
    let complete = "%31: records<thread, P> = allocate thread 0[%0], %1\ncomplete %31";
    assert_eq!(left_after_store(&node, OUTPUT, complete), 1);
    let at = |index: u32| {
        format!(
            "%32: ref<node_output, P> = output_record %20, %{index}
            %33: ref<node_output, u32> = field %32, 0
            store %33, %1"
        )
    };
    assert_eq!(left_after_store(&node, OUTPUT, &at(1)), 0, "another constant index");
    assert_eq!(left_after_store(&node, OUTPUT, &at(2)), 1, "a variable index");
}

#[test]
fn output_records_of_a_group_are_unknown() {
    let node = NODE.replace("INPUT", "");
    let place = OUTPUT.replace("<thread", "<group").replace("allocate thread", "allocate group");
    assert_eq!(left_after_store(&node, &place, ""), 1);
    assert_eq!(left_of_two(&node, &place, ""), 2);
    // They may be the same memory as those of the thread.
    let second = "%31: records<group, P> = allocate group 0[%0], %1
        %32: ref<node_output, P> = output_record %31, %0
        %33: ref<node_output, u32> = field %32, 0
        store %33, %1";
    assert_eq!(left_after_store(&node, OUTPUT, second), 1);
}

#[test]
fn writable_buffers_are_known_in_one_run() {
    ended_by(ENTRY, &element("rw"), true, &ALL_EVENTS[1..]);
    assert_eq!(left_after_store(ENTRY, &element("rw"), "store %5, %1"), 1, "any store");
    // A nested block does not see the loads before it.
    let inside = format!(
        "{}\n%10: u32 = load %9\nif %4 {{\n%11: u32 = load %9\nstore %3, %11\n}}\nstore %3, %10",
        element("rw")
    );
    assert_eq!(loads(&after(ENTRY, &inside)), 2);
}

#[test]
fn shared_memory_is_unknown() {
    let shared = "%9: ref<workgroup, u32> = global @shared";
    let physical = "%20: u64 = convert %2\n%9: ref<physical, u32> = address %20";
    for place in [shared, physical, &element("coherent")] {
        assert_eq!(left_of_two(ENTRY, place, ""), 2, "{place}");
        assert_eq!(left_after_store(ENTRY, place, ""), 1, "{place}");
    }
}

#[test]
fn stored_values_replace_loads() {
    let out = after(
        ENTRY,
        "store %5, %2
        %10: u32 = load %5
        %11: u32 = add %10, %1
        store %6, %11
        %12: u32 = load %6
        %13: ref<function, P> = index %7, %12
        %14: ref<function, u32> = field %13, 0
        store %14, %8
        %15: u32 = load %6
        %16: ref<function, P> = index %7, %15
        %17: ref<function, u32> = field %16, 0
        %18: u32 = load %17
        store %3, %18",
    );
    // `dead` has removed the stores to locals without loads.
    let expected = "
        %0: ref<workgroup, u32> = global @sink
        %1: u32 = builtin.subgroup_lane
        store %0, %1";
    assert_eq!(out, lines(expected));
}

/// The store goes to `%9`, element 1, field 0 of an array.
#[test]
fn stores_end_the_knowledge_of_places_that_may_be_the_same() {
    let store = |steps: &str, place: u32, ty: &str| format!("{steps}\nstore %{place}, {ty}");
    let part = |index: u32, field: u32| {
        store(
            &format!("%30: ref<function, P> = index %7, %{index}\n%31: ref<function, u32> = field %30, {field}"),
            31,
            "%1",
        )
    };
    let cases = [
        (part(0, 0), 0, "another constant index"),
        (part(1, 1), 0, "another field"),
        (part(1, 0), 0, "the same value"),
        (part(2, 0), 1, "a variable index"),
        (part(2, 1), 1, "a variable index and another field"),
        ("%30: P = zero\nstore %20, %30".into(), 1, "the element"),
        ("%30: [P; 4 stride 8] = zero\nstore %7, %30".into(), 1, "the array"),
        ("store %5, %1".into(), 0, "another local"),
        ("call @take(%5)".into(), 0, "a call with another local"),
        ("call @take_all(%7)".into(), 1, "a call with the array"),
        ("call @take(%9)".into(), 1, "a call with the place"),
    ];
    for (between, wanted, what) in &cases {
        // A load after a store to the same place gets the new value.
        assert_eq!(left_after_store(ENTRY, ELEMENT, between), *wanted, "{what}");
    }
}

/// A part at a variable index is known until a store to another part.
#[test]
fn variable_indexes_alias_others() {
    let place = "%20: ref<function, P> = index %7, %2\n%9: ref<function, u32> = field %20, 0";
    let element = |index: u32, field: u32| {
        format!(
            "%30: ref<function, P> = index %7, %{index}
            %31: ref<function, u32> = field %30, {field}
            store %31, %1"
        )
    };
    for (between, wanted) in [("", 0), (&*element(2, 1), 0), (&*element(8, 0), 1), (&*element(1, 0), 1)] {
        assert_eq!(left_after_store(ENTRY, place, between), wanted, "{between}");
    }
    // Two stores through other indexes, the last through its own.
    let between = format!("{}\nstore %20, %40", element(8, 1));
    assert_eq!(left_after_store(ENTRY, place, &format!("%40: P = zero\n{between}")), 1);
    let between = format!("%40: ref<function, u32> = field %20, 1\n{}\nstore %40, %1", element(8, 1));
    assert_eq!(left_after_store(ENTRY, place, &between), 1);
}

/// A store to a part changes the whole.
#[test]
fn stores_to_parts_end_the_knowledge_of_the_whole() {
    let text = |between: &str| {
        format!(
            "%20: ref<function, P> = index %7, %1
            %10: P = zero
            store %20, %10
            {between}
            %11: P = load %20
            %12: u32 = extract %11, 0
            store %3, %12"
        )
    };
    assert_eq!(loads(&after(ENTRY, &text(""))), 0);
    assert_eq!(loads(&after(ENTRY, &text("%30: ref<function, u32> = field %20, 1\nstore %30, %1"))), 1);
}

/// A value replaces loads of its own type only: stores and loads convert to the layout in memory.
#[test]
fn values_of_another_layout_stay() {
    let text = |ty: &str| {
        format!(
            "struct Wide size 16 align 8 {{ x: u32 @0, y: u32 @8 }}
            {GLOBALS}{ENTRY}fn @f() -> void {{ {START}
              %20: ref<function, P> = index %7, %1
              %10: {ty} = zero
              store %20, %10
              %11: P = load %20
              %12: Wide = load %20
              %13: u32 = extract %11, 0
              %14: u32 = extract %12, 1
              store %3, %13
              store %3, %14
            }}{FUNCTIONS}"
        )
    };
    for (ty, wanted) in [("P", 1), ("Wide", 2)] {
        let mut module = read(&text(ty));
        passes::forward(&mut module);
        clean(&mut module);
        assert_eq!(loads(&body_of_f(&module)), wanted, "{ty}\n{}", print(&module));
    }
}

/// The mark of a load, or of its place, goes to the value.
#[test]
fn known_values_are_precise_if_a_load_is() {
    let text = |place: &str, load: &str| {
        let out = after(
            ENTRY,
            &format!(
                "%9: ref<function, u32> = {place}local $1
                %10: f32 = bitcast %2
                %11: f32 = mul %10, %10
                %12: u32 = bitcast %11
                store %9, %12
                %13: u32 = {load}load %9
                store %3, %13"
            ),
        );
        assert_eq!(loads(&out), 0, "{out}");
        out.contains("precise bitcast")
    };
    assert!(!text("", ""));
    assert!(text("", "precise "));
    assert!(text("precise ", ""));
}

/// Nothing is known of the variables of callers: two parameters may be the same one.
#[test]
fn parameters_are_unknown() {
    let mut module = read(&format!(
        "{ENTRY}global @sink: workgroup u32
        fn @f() -> void {{ }}
        fn @g(a: ref<function, u32>, b: ref<function, u32>) -> u32 {{
          local $0 own: u32
          %0: ref<function, u32> = param 0
          %1: ref<function, u32> = param 1
          %2: u32 = 7
          %3: ref<function, u32> = local $0
          store %3, %2
          store %0, %2
          %4: u32 = load %0
          %5: u32 = load %1
          %6: u32 = load %3
          %7: u32 = add %4, %5
          %8: u32 = add %7, %6
          return %8
        }}"
    ));
    passes::forward(&mut module);
    let text = print(&module);
    assert!(text.contains("add %4, %5") && text.contains("add %7, %2"), "{text}");
}

/// Ray queries have no contents to load, but the events of queries affect no other local.
#[test]
fn ray_queries_leave_locals() {
    let query = "%30: ref<function, ray_query> = local $3
        %31: acceleration_structure = global @scene
        %32: f32 = 0.0
        %33: f32x3 = compose %32, %32, %32
        ray.trace %30, %31, %0, %1, %33, %32, %33, %32
        %34: bool = ray.proceed %30";
    assert_eq!(left_after_store(ENTRY, LOCAL, query), 0);
}

#[test]
fn private_globals_are_distinct() {
    let other = "%30: ref<private, u32> = global @private2\nstore %30, %1";
    assert_eq!(left_after_store(ENTRY, &global("private"), other), 0);
    let same = "%30: ref<private, u32> = global @private\nstore %30, %1\n%31: u32 = load %9\nstore %3, %31";
    assert_eq!(left_after_store(ENTRY, &global("private"), same), 0);
}
