//! Tests of dispatches with no barrier between them, and of memory whose contents were discarded; also in assembly.

use super::bench::*;
use wgc_runtime::cpu::{CpuSettings, Sanitize};
use wgc_runtime::device::*;
use wgc_spirv_module::asm;

/// Assembles a shader whose threads each write their own word; the values depend on `value`.
fn write(value: u32) -> String {
    shader(4, "", &format!("%v = OpIAdd %uint %i %u{value}\nOpStore %at %v"))
}

/// Every thread reads its word, and writes it elsewhere.
const READ: &str = "%v = OpLoad %uint %at\n%to = OpAccessChain %pword %in %u0 %i\nOpStore %to %v";
/// Every thread adds to its word.
const ADD: &str = "%v = OpAtomicIAdd %uint %at %u1 %u0 %u2";
/// An empty body.
const IDLE: &str = "";

struct Launches {
    bench: Bench,
    commands: Vec<Command>,
}

impl Launches {
    fn new() -> Launches {
        let mut bench = bench(&[0; 4], 8, CpuSettings::default());
        let output = bench.output;
        bench.device.name_buffer(output, "words");
        Launches { bench, commands: Vec::new() }
    }

    fn pipeline(&mut self, text: &str) -> PipelineId {
        let words = asm::assemble(text).unwrap();
        self.bench.device.create_pipeline(&words, "main", Some(self.bench.bindings), 0, None).unwrap()
    }

    fn then(mut self, label: &str, text: &str) -> Launches {
        let (pipeline, bindings) = (self.pipeline(text), Some(self.bench.bindings));
        let label = label.to_owned();
        self.commands.push(Command::Dispatch { pipeline, bindings, push: Vec::new(), groups: [1; 3], label });
        self
    }

    /// Adds a launch with arguments at an offset in the words.
    fn indirect(mut self, label: &str, text: &str, offset: u64) -> Launches {
        let (pipeline, bindings) = (self.pipeline(text), Some(self.bench.bindings));
        let (args, label) = (self.bench.output, label.to_owned());
        self.commands.push(Command::DispatchIndirect { pipeline, bindings, push: Vec::new(), args, offset, label });
        self
    }

    fn barrier(mut self) -> Launches {
        self.commands.push(Command::Barrier);
        self
    }

    /// Returns the code and the location of each finding.
    fn found(mut self) -> Vec<(String, String)> {
        self.bench.device.submit(&self.commands).unwrap();
        let found = self.bench.device.take_findings().unwrap();
        found.into_iter().map(|finding| (finding.code, finding.message)).collect()
    }
}

#[test]
fn dispatches_without_a_barrier_race() {
    let read = shader(4, "", READ);
    let add = shader(4, "", ADD);
    for (name, first, second, race) in [
        (
            "a read after a write",
            write(1),
            read.clone(),
            Some("reads 4 bytes at offset 0 of `words`, which a workgroup of `first` has written"),
        ),
        (
            "a write after a read",
            read.clone(),
            write(1),
            Some("writes 4 bytes at offset 0 of `words`, which a workgroup of `first` has read"),
        ),
        (
            "two writes",
            write(1),
            write(2),
            Some("writes 4 bytes at offset 0 of `words`, which a workgroup of `first` has written"),
        ),
        ("two writes of the same", write(1), write(1), None),
        ("two reads", shader(4, "", "%v = OpLoad %uint %at"), shader(4, "", "%v = OpLoad %uint %at"), None),
        ("atomic operations", add.clone(), add.clone(), None),
        (
            "a read after an atomic operation",
            add,
            read,
            Some("reads 4 bytes at offset 0 of `words`, which a workgroup of `first` has changed atomically"),
        ),
    ] {
        let found = Launches::new().then("first", &first).then("second", &second).found();
        match race {
            None => assert_eq!(found, [], "{name}"),
            Some(what) => {
                assert_eq!(found.len(), 1, "{name}: {found:?}");
                let (code, message) = &found[0];
                assert!(code == "WG4012" && message.starts_with("second: data race: the thread "), "{name}: {message}");
                assert!(message.contains(what) && message.contains("barrier in between"), "{name}: {message}");
            }
        }
        let ordered = Launches::new().then("first", &first).barrier().then("second", &second).found();
        assert_eq!(ordered, [], "{name}, with a barrier");
        // A barrier elsewhere does not help.
        let elsewhere = Launches::new().barrier().then("first", &first).then("second", &second).barrier().found();
        assert_eq!(elsewhere.len(), usize::from(race.is_some()), "{name}");
    }
}

#[test]
fn launches_of_separate_submissions_do_not_race() {
    let mut launches = Launches::new().then("first", &write(1)).then("second", &write(2));
    for command in &launches.commands {
        launches.bench.device.submit(std::slice::from_ref(command)).unwrap();
    }
    assert_eq!(launches.bench.device.take_findings(), Some(Vec::new()));
    launches.bench.device.submit_measured(&launches.commands).unwrap();
    let found = launches.bench.device.take_findings().unwrap();
    assert_eq!(found.len(), 1, "to measure changes nothing: {found:?}");
}

#[test]
fn unsynchronised_indirect_arguments_are_data_races() {
    let idle = shader(4, "", IDLE);
    let found = Launches::new().then("first", &write(1)).indirect("second", &idle, 0).found();
    let (code, message) = &found[0];
    assert!(found.len() == 1 && code == "WG4012", "{found:?}");
    let what =
        "second: data race: the launch reads its arguments, 12 bytes at offset 0 of `words`, which `first` has written";
    assert!(message.starts_with(what) && message.contains("barrier in between"), "{message}");
    let found = Launches::new().indirect("first", &idle, 0).then("second", &write(1)).found();
    let (_, message) = &found[0];
    let what = "which the launch of `first` has read as its arguments, and the two launches have no barrier in between";
    assert!(found.len() == 1 && message.contains(what), "{found:?}");
    // Other bytes, and barriers.
    assert_eq!(Launches::new().then("first", &write(1)).indirect("second", &idle, 16).found(), []);
    assert_eq!(Launches::new().then("first", &write(1)).barrier().indirect("second", &idle, 0).found(), []);
    assert_eq!(Launches::new().indirect("first", &idle, 0).barrier().then("second", &write(1)).found(), []);
    // An undefined word does not determine the size of a launch.
    let mut garbage = Launches::new();
    garbage.bench.device.forget(garbage.bench.output, 8, 4).unwrap();
    let found = garbage.indirect("first", &idle, 0).found();
    assert!(found.len() == 1 && found[0].0 == "WG4011" && found[0].1.contains("offset 0 of `words`"), "{found:?}");
}

/// Loads of words at an address in the push constants: thread i copies the i-th word, or uses it, to the i-th word
/// after the eighth.
fn addressed(body: &str) -> String {
    let types = "decorate:OpDecorate %pc Block\ndecorate:OpMemberDecorate %pc 0 Offset 0\n\
        types:%pu = OpTypePointer PhysicalStorageBuffer %uint\ntypes:%pc = OpTypeStruct %ulong\n\
        types:%ppc = OpTypePointer PushConstant %pc\ntypes:%ppl = OpTypePointer PushConstant %ulong\n\
        types:%pcv = OpVariable %ppc PushConstant\ntypes:%l4 = OpConstant %ulong 4\ntypes:%l32 = OpConstant %ulong 32";
    let head = "%c0 = OpAccessChain %ppl %pcv %u0\n%base = OpLoad %ulong %c0\n%li64 = OpUConvert %ulong %i\n\
        %off = OpIMul %ulong %li64 %l4\n%from64 = OpIAdd %ulong %base %off\n%to64 = OpIAdd %ulong %from64 %l32\n\
        %from = OpConvertUToPtr %pu %from64\n%to = OpConvertUToPtr %pu %to64\n";
    shader(8, types, &format!("{head}{body}"))
}

#[test]
fn discarded_memory_is_undefined_until_written() {
    let copy = addressed("%v = OpLoad %uint %from Aligned 4\nOpStore %to %v Aligned 4");
    let add = addressed("%v = OpLoad %uint %from Aligned 4\n%w = OpIAdd %uint %v %u1\nOpStore %to %w Aligned 4");
    let back = addressed("%v = OpLoad %uint %to Aligned 4\n%w = OpIAdd %uint %v %u1\nOpStore %at %w");
    let out = addressed("%v = OpLoad %uint %from Aligned 4\nOpStore %at %v");
    let atomic = addressed("%v = OpAtomicIAdd %uint %from %u1 %u0 %u1");
    let fill = addressed("OpStore %from %u3 Aligned 4");
    // The discarded bytes, the programs that run then, and the number of undefined uses that the last one finds.
    type Case<'c> = (&'c str, Option<(u64, u64)>, &'c [&'c String], u64);
    let cases: [Case; 10] = [
        ("nothing is given up", None, &[&add], 0),
        ("a copy is no use", Some((0, 32)), &[&copy], 0),
        ("a sum is one", Some((0, 32)), &[&add], 8),
        ("of those that were given up", Some((8, 4)), &[&add], 1),
        ("a part of a word", Some((9, 1)), &[&add], 1),
        ("undefined copies", Some((0, 12)), &[&copy, &back], 3),
        ("what is shown to others", Some((4, 8)), &[&out], 2),
        ("an atomic operation", Some((0, 8)), &[&atomic], 2),
        ("an atomic operation defines", Some((0, 8)), &[&atomic, &add], 0),
        ("a write defines", Some((0, 32)), &[&fill, &add], 0),
    ];
    for (name, given_up, shaders, expected) in cases {
        let mut bench = bench(&[5; 16], 8, CpuSettings::default());
        assert!(bench.device.knows_the_undefined());
        let input = bench.input;
        if let Some((offset, bytes)) = given_up {
            bench.device.forget(input, offset, bytes).unwrap();
        }
        let push = bench.device.buffer_address(input).to_le_bytes();
        let mut found = Vec::new();
        for text in shaders {
            bench.device.take_findings();
            bench.dispatch(text, 1, &push).unwrap();
            found = bench.device.findings().iter().map(|f| (f.code, f.count)).collect();
        }
        let expected = if expected == 0 { Vec::new() } else { vec![("WG4011", expected)] };
        assert_eq!(found, expected, "{name}");
        // So does the host.
        bench.device.forget(input, 0, 32).unwrap();
        bench.device.write_buffer(input, 0, &[1; 32]).unwrap();
        bench.device.take_findings();
        bench.dispatch(&add, 1, &push).unwrap();
        assert_eq!(bench.codes(), [""; 0], "{name}");
    }
    // Without checks, and on several threads, it is not tracked.
    for settings in [
        CpuSettings { sanitize: Sanitize::Off, ..CpuSettings::default() },
        CpuSettings { threads: 2, ..CpuSettings::default() },
    ] {
        let mut bench = bench(&[5; 16], 8, settings);
        assert!(!bench.device.knows_the_undefined());
        let input = bench.input;
        bench.device.forget(input, 0, 32).unwrap();
        let push = bench.device.buffer_address(input).to_le_bytes();
        bench.dispatch(&add, 1, &push).unwrap();
        assert_eq!(bench.codes(), [""; 0]);
    }
}
