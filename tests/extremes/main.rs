//! The worst inputs under limits of memory and processor time, and the table of limits.

mod inputs;
#[path = "../support/mod.rs"]
mod support;
mod table;

use inputs::{Input, inputs};
use std::fmt::Write;
use std::process::Command;
use support::Scratch;

/// Seconds of processor time for a command.
const SECONDS: u32 = if cfg!(debug_assertions) { 100 } else { 10 };

/// KiB of address space for a command: 512 MiB of it are reserved for the stack.
const SPACE: u32 = (512 + 1024) << 10;

/// Runs the command with its limits; returns exit status and messages.
#[cfg(unix)]
fn limited(dir: &Scratch, args: &[&str]) -> (i32, String) {
    // The allocator reserves space for each thread.
    let script = format!("ulimit -v {SPACE}; ulimit -t {SECONDS}; MALLOC_ARENA_MAX=2 exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_wgc")]).args(args).current_dir(&dir.0);
    let out = command.output().expect("the shell starts");
    (out.status.code().unwrap_or(-1), String::from_utf8_lossy(&out.stderr).into_owned())
}

/// Returns a forbidden result of a command: end by a signal, lack of memory, or an internal error.
#[cfg(unix)]
fn fault(dir: &Scratch, args: &[&str]) -> Option<String> {
    let (status, output) = limited(dir, args);
    let is_allowed = matches!(status, 0 | 1) && !output.contains("bug in wgc");
    let start: String = output.chars().take(300).collect();
    (!is_allowed).then(|| format!("{args:?}: exit status {status}: {start}\n"))
}

#[cfg(unix)]
fn faults_of(input: &Input) -> String {
    let dir = Scratch::new().with("a.hlsl", &input.text);
    let main: &[&str] = if input.has_main { &["-E", "main", "-T", "cs_6_8"] } else { &[] };
    let mut faults = String::new();
    let check = [&["check", "a.hlsl"], main].concat();
    let (status, _) = limited(&dir, &check);
    faults.extend(fault(&dir, &check).filter(|_| !matches!(status, 0 | 1)));
    faults.extend(fault(&dir, &["fmt", "--check", "a.hlsl"]));
    if status == 0 {
        let emulated = [&["a.hlsl", "-o", "out"], main].concat();
        faults.extend(fault(&dir, &emulated));
        if !input.has_main {
            faults.extend(fault(&dir, &["--target", "spirv-amdx", "a.hlsl", "-o", "out.spv"]));
        }
    }
    faults
}

/// Each input is compiled or refused, checked and formatted.
#[cfg(unix)]
#[test]
fn extreme_inputs_stay_within_memory_and_time() {
    let all = inputs();
    let halves = all.chunks(all.len().div_ceil(2));
    let faults = std::thread::scope(|scope| {
        let work = |half: &[Input]| {
            half.iter().fold(String::new(), |mut text, input| {
                let faults = faults_of(input);
                if !faults.is_empty() {
                    writeln!(text, "{}:\n{faults}", input.name).expect("it is text");
                }
                text
            })
        };
        let threads: Vec<_> = halves.map(|half| scope.spawn(move || work(half))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect::<String>()
    });
    assert!(faults.is_empty(), "{faults}");
}

/// A node that never ends, records that never end, and too many workgroups, on the CPU device.
#[cfg(unix)]
#[test]
fn endless_runs_are_stopped() {
    let node = "RWStructuredBuffer<uint> Out : register(u0);\nstruct R { uint v; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\n";
    let endless =
        format!("{node}void Only(ThreadNodeInputRecord<R> r) {{ uint i = 0; while (Out[0] != 1) i++; Out[1] = i; }}\n");
    let run = r#"{ "shader": "a.hlsl", "resources": { "Out": { "u32": [0, 0] } },
        "dispatch": [{ "inputs": [{ "node": "Only", "records": [{ "v": 1 }] }] }] }"#;
    for target in ["spirv-emulated", "spirv-amdx"] {
        let dir = Scratch::new().with("a.hlsl", &endless).with("a.run.json", run);
        let (status, output) = limited(&dir, &["run", "--inputs", "a.run.json", "--target", target]);
        assert!(status == 1 || status == 2, "{status}: {output}");
        assert!(output.contains("reached the limit of executed instructions, --max-instructions"), "{output}");
    }
    // A run that ends stays exactly within its limit.
    let finite = endless.replace("Out[0] != 1", "i < 1000");
    let run = run.replace("] }] }] }", "] }] }], \"expect\": { \"Out\": { \"u32\": [0, 1000] } } }");
    let dir = Scratch::new().with("a.hlsl", finite).with("a.run.json", run);
    let within = |limit: u32| {
        let limit = limit.to_string();
        limited(&dir, &["run", "--inputs", "a.run.json", "--target", "spirv-amdx", "--max-instructions", &limit]).0 == 0
    };
    let (mut low, mut high) = (0, 1 << 20);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if within(middle) { high = middle } else { low = middle }
    }
    assert!((1000..100_000).contains(&high) && !within(high - 1) && within(high), "{high}");
    // Records and workgroups by number, without any memory in the run file.
    let many = r#"
struct R { uint v[128]; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(65535, 1, 1)] [NumThreads(64, 1, 1)]
void Many([MaxRecords(64)] [NodeId("Last")] NodeOutput<R> o) {
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(1);
    for (uint i = 0; i < 128; i++) r.Get().v[i] = i;
    r.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Last(ThreadNodeInputRecord<R> r) {}
[Shader("node")] [NodeLaunch("thread")]
void Empty() {}
[NumThreads(1, 1, 1)] void main() {}
"#;
    let empty = |count: u64| format!(r#""inputs": [{{ "node": "Empty", "count": {count} }}]"#);
    let pending = "the pending records of the graph need more than 268435456 bytes";
    let compute = r#", "args": ["-T", "cs_6_6", "-E", "main"]"#;
    for (keys, dispatch, device, expected) in [
        ("", empty(20_000_000), &["--target", "spirv-amdx"][..], pending),
        ("", empty(u32::MAX.into()), &["--target", "spirv-amdx"], pending),
        ("", r#""inputs": [{ "node": "Many", "count": 1 }]"#.to_owned(), &["--target", "spirv-amdx"], pending),
        (
            "",
            r#""inputs": [{ "node": "Many", "count": 1 }]"#.to_owned(),
            &["--target", "spirv-amdx", "--threads", "2"],
            pending,
        ),
        (compute, r#""groups": [65535, 65535, 65535]"#.to_owned(), &[], "the limit of the CPU device is 67108864"),
    ] {
        let run = format!("{{ \"shader\": \"a.hlsl\"{keys}, \"dispatch\": [{{ {dispatch} }}] }}");
        let dir = Scratch::new().with("a.hlsl", many).with("a.run.json", run);
        let (status, output) = limited(&dir, &[&["run", "--inputs", "a.run.json"], device].concat());
        assert!(status != 0 && output.contains(expected), "{dispatch}: {status}: {output}");
    }
}

/// Functions that call each other, on the CPU device: 512 including the entry point.
#[cfg(unix)]
#[test]
fn cpu_call_depth_is_limited() {
    use std::fmt::Write as _;
    let run = |functions: u32| {
        let mut text =
            String::from("RWStructuredBuffer<uint> Out : register(u0);\n[noinline] uint f0(uint x) { return x; }\n");
        for n in 1..functions {
            let before = n - 1;
            let _ = writeln!(text, "[noinline] uint f{n}(uint x) {{ return Out[1] == 7 ? 3 : f{before}(x + 1); }}");
        }
        let last = functions - 1;
        let _ = writeln!(text, "[numthreads(1, 1, 1)] void main() {{ Out[0] = f{last}(2); }}");
        let value = functions + 1;
        let run = format!(
            r#"{{ "shader": "a.hlsl", "args": ["-T", "cs_6_6", "-E", "main"], "resources": {{ "Out": {{ "u32": [0, 0] }} }},
            "dispatch": [{{ "groups": [1] }}], "expect": {{ "Out": {{ "u32": [{value}, 0] }} }} }}"#
        );
        let dir = Scratch::new().with("a.hlsl", text).with("a.run.json", run);
        limited(&dir, &["run", "--inputs", "a.run.json"])
    };
    assert_eq!(run(511).0, 0, "{}", run(511).1);
    let (status, output) = run(512);
    assert!(status == 1 && output.contains("calls nest more than 512 levels deep"), "{status}: {output}");
}

/// A zero array on the CPU device: its initial value is a constant. The other values of the shader take some hundred.
#[cfg(unix)]
#[test]
fn cpu_registers_are_limited() {
    let run = |scalars: u32| {
        let text = format!(
            "RWStructuredBuffer<uint> Out : register(u0);\nstatic uint all[{scalars}];\n\
             [numthreads(1, 1, 1)] void main() {{ all[Out[0]] = 5; Out[1] = all[Out[0] + 1] + all[Out[0]]; }}\n"
        );
        let run = r#"{ "shader": "a.hlsl", "args": ["-T", "cs_6_6", "-E", "main"], "resources": { "Out": { "u32": [9, 0] } },
            "dispatch": [{ "groups": [1] }], "expect": { "Out": { "u32": [9, 5] } } }"#;
        let dir = Scratch::new().with("a.hlsl", text).with("a.run.json", run);
        limited(&dir, &["run", "--inputs", "a.run.json"])
    };
    let (status, output) = run(65_000);
    assert_eq!(status, 0, "{output}");
    let (status, output) = run(65_536);
    assert!(status == 1 && output.contains("it needs more than 65536 scalar registers"), "{status}: {output}");
    let (status, output) = run(5_000_000);
    assert!(status == 1 && output.contains("it has a constant that is too large"), "{status}: {output}");
}

/// Arrays that are indexed at run time are in memory: 16 MiB for a thread, and 1 GiB for a workgroup of 128 threads.
#[test]
fn cpu_local_memory_is_limited() {
    let run = |numbers: u32, threads: u32| {
        let text = format!(
            "RWStructuredBuffer<uint> Out : register(u0);\n[numthreads({threads}, 1, 1)] void main() {{ \
             uint all[{numbers}]; all[Out[0]] = 5; Out[1] = all[Out[0]]; }}\n"
        );
        let run = r#"{ "shader": "a.hlsl", "args": ["-T", "cs_6_6", "-E", "main"], "resources": { "Out": { "u32": [9, 0] } },
            "dispatch": [{ "groups": [1] }], "expect": { "Out": { "u32": [9, 5] } } }"#;
        let dir = Scratch::new().with("a.hlsl", text).with("a.run.json", run);
        let ran = support::wgc(&dir.0, ["run", "--inputs", "a.run.json"]);
        (ran.status, ran.stderr)
    };
    assert_eq!(run(4 << 20, 1).0, 0, "{}", run(4 << 20, 1).1);
    let (status, output) = run((4 << 20) + 1, 1);
    assert!(status == 1 && output.contains("its local variables need more than 16 MiB"), "{status}: {output}");
    let (status, output) = run((2 << 20) + 4, 128);
    assert!(status == 1 && output.contains("variables of a workgroup need more than 1 GiB"), "{status}: {output}");
}

/// The table has a row for each index up to the highest one.
#[test]
fn tables_of_local_root_arguments_are_limited() {
    let run = |index: u32| {
        let text = format!(
            "LocalRootSignature Own = {{ \"RootConstants(num32BitConstants = 4, b1)\" }};\n\
             SubobjectToExportsAssociation Owners = {{ \"Own\", \"Start\" }};\n\
             cbuffer Weight : register(b1) {{ uint4 weight; }};\nRWStructuredBuffer<uint> Out : register(u0);\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeLocalRootArgumentsTableIndex({index})]\n\
             void Start() {{ Out[0] = 1 + weight.x; }}\n"
        );
        let run = r#"{ "shader": "a.hlsl", "resources": { "Out": { "u32": [0] } },
            "dispatch": [{ "inputs": [{ "node": "Start", "count": 1 }] }], "expect": { "Out": { "u32": [1] } } }"#;
        let dir = Scratch::new().with("a.hlsl", text).with("a.run.json", run);
        let ran = support::wgc(&dir.0, ["run", "--inputs", "a.run.json"]);
        (ran.status, ran.stderr)
    };
    // Its last record has no arguments.
    let (status, output) = run((1 << 24) - 1);
    assert!(status == 2 && output.contains("missing in this file: Weight of record 16777215"), "{status}: {output}");
    let (status, output) = run(1 << 24);
    assert!(status == 2 && output.contains("has 268435472 bytes; the limit is 268435456"), "{status}: {output}");
}

/// Records of 1 GiB, and of one number more.
#[cfg(unix)]
#[test]
fn bytes_of_records_are_limited() {
    let compile = |numbers: u32| {
        let text = format!(
            "struct R {{ uint a[{numbers}]; }};\nRWStructuredBuffer<uint> Out : register(u0);\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\n\
             void Only(ThreadNodeInputRecord<R> r) {{ Out[0] = r.Get().a[7]; }}\n"
        );
        limited(&Scratch::new().with("a.hlsl", text), &["a.hlsl", "-o", "out"])
    };
    assert_eq!(compile(1 << 28).0, 0, "{}", compile(1 << 28).1);
    let (status, output) = compile((1 << 28) + 1);
    assert!(
        status == 1 && output.contains("WG0504") && output.contains("a record exceeds 1073741824 bytes"),
        "{output}"
    );
}

/// Returns errors of a compute shader, as codes and messages.
fn checked(head: &str, body: &str) -> Vec<String> {
    let text = format!(
        "{head}RWStructuredBuffer<uint> Out : register(u0);\n[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {{\n{body}\n}}\n"
    );
    let dir = Scratch::new().with("a.hlsl", text);
    let ran = support::wgc(&dir.0, ["check", "a.hlsl", "-E", "main", "-T", "cs_6_8", "--message-format", "short"]);
    assert!(matches!(ran.status, 0 | 1), "{}", ran.stderr);
    let output = ran.out() + &ran.stderr;
    output.lines().filter(|line| line.contains("error")).map(str::to_owned).collect()
}

/// Inlined calls and conversions of arrays, which the program does not show.
#[test]
fn code_growth_by_inlining_and_conversion_is_limited() {
    // Functions that take resources are inlined. Each level doubles the values of the previous one.
    let tree = |levels: usize| {
        let first = "uint f0(RWStructuredBuffer<uint> all, uint x) { return all[x] * 3; }\n".to_owned();
        let next = |n: usize| {
            format!(
                "uint f{}(RWStructuredBuffer<uint> all, uint x) {{ return f{n}(all, x) + f{n}(all, x + 1); }}\n",
                n + 1
            )
        };
        let all: String = (0..levels).map(next).collect();
        checked(&(first + &all), &format!("Out[0] = f{levels}(Out, id.x);"))
    };
    assert_eq!(tree(12), [""; 0]);
    let found = tree(22);
    let is_reported =
        |line: &String| line.contains("WG0504") && line.contains("has more than 1048576 values after inlining");
    assert!(found.len() == 1 && is_reported(&found[0]) && found[0].starts_with("a.hlsl:"), "{found:#?}");
    // Booleans are stored as words in memory: each element of a copy is converted twice.
    let copies = |count: usize| {
        let copies: String = (0..count).map(|n| format!("B[{n}] = B[{}];\n", n + 1)).collect();
        checked("struct S { bool a[60000]; };\nRWStructuredBuffer<S> B;\n", &copies)
    };
    assert_eq!(copies(2), [""; 0]);
    let found = copies(12);
    assert!(found.len() == 1 && found[0].contains("WG0504") && found[0].contains("2097152 IDs"), "{found:#?}");
}

/// A loop selects a resource in each iteration.
#[test]
fn copies_of_iterations_are_limited() {
    let selects_at_run_time = |iterations: u32| {
        let text = format!(
            "RWStructuredBuffer<uint> A; RWStructuredBuffer<uint> B;\n\
             [numthreads(1, 1, 1)] void main() {{ RWStructuredBuffer<uint> x = A; \
             for (uint i = 0; i < {iterations}; i++) {{ x[i] = i; if (i & 1) x = A; else x = B; }} }}\n"
        );
        let dir = Scratch::new().with("a.hlsl", text);
        let ran = support::wgc(&dir.0, ["a.hlsl", "-E", "main", "-T", "cs_6_8", "--emit", "asm", "-o", "-"]).expect(0);
        ran.out().contains("OpSwitch") || ran.out().contains("OpLoopMerge")
    };
    assert!(!selects_at_run_time(64));
    assert!(selects_at_run_time(65));
}
