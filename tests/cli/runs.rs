//! What `wgc run` says of runs that do not go well, and what it refuses.

use crate::support::{PLACES, Scratch, vulkan_is_here, wgc};

/// A node that asks for as many records as its own says, of an output that has one; the grid of its other output is too large.
const LIMITS: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct Ask { uint n; };
struct Grid { uint3 grid : SV_DispatchGrid; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Ask> input, [MaxRecords(1)] EmptyNodeOutput Sink, [MaxRecords(1)] NodeOutput<Grid> Wide)
{
    Sink.ThreadIncrementOutputCount(input.Get().n);
    ThreadNodeOutputRecords<Grid> wide = Wide.GetThreadNodeOutputRecords(1);
    wide.Get().grid = uint3(input.Get().n, 1, 1);
    wide.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Sink() { InterlockedAdd(Out[0], 1); }
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void Wide(DispatchNodeInputRecord<Grid> input) { InterlockedAdd(Out[1], 1); }
";

/// `n` is how many records are asked for, and workgroups.
fn limits(n: u32) -> Scratch {
    let text = format!(
        r#"{{ "shader": "limits.hlsl", "resources": {{ "Out": {{ "zero_bytes": 8 }} }},
        "dispatch": [ {{ "inputs": [ {{ "node": "Start", "records": [ {{ "n": {n} }} ] }} ] }} ],
        "expect": {{ "Out": {{ "u32_at": {{ "1": {} }} }} }} }}"#,
        n.min(2)
    );
    Scratch::new().with("limits.hlsl", LIMITS).with("limits.run.json", text)
}

#[test]
fn what_shaders_report_may_end_the_run() {
    let vulkan = vulkan_is_here("reports on Vulkan");
    let emulated = |place: &&crate::support::Place| place.target == "spirv-emulated";
    for place in PLACES.iter().filter(emulated).filter(|place| vulkan || place.device != "vulkan") {
        let run = |n: u32, mode: &str| {
            let line = ["run", "--inputs", "limits.run.json", "--device", place.device, "--sanitize", mode];
            wgc(&limits(n).0, line)
        };
        run(1, "error").expect(0);
        for (mode, status) in [("warn", 0), ("off", 0), ("error", 1)] {
            let ran = run(3, mode).expect(status);
            let warned = ran.out().contains("warning[WG4003]") && ran.out().contains("warning[WG4006]");
            assert_eq!(warned, status == 0, "{place:?} {mode}: {}", ran.out());
            let ended = ran.stderr.starts_with("wgc: the run failed: WG4003: node Start");
            assert_eq!(ended, status == 1, "{place:?} {mode}: {}", ran.stderr);
        }
    }
}
