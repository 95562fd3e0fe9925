//! Features of each launch mode, cell by cell: inputs, outputs, attributes, methods, system values, operations,
//! barriers.
//!
//! The tables are hand-written from WorkGraphs.md ("Node input declaration", "Node output declaration", "Shader
//! function attributes", "Shader function parameters", "Barrier"). Each cell is a separate program: `""` is accepted
//! without an error, a code is the program's only error, `*` means any errors.

mod support;

use std::fmt::Write;
use support::with_options;
use wgc_sema::db::Options;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;

/// Columns of most tables.
const MODES: [&str; 3] = ["broadcasting", "coalescing", "thread"];

/// Declarations for all programs.
const COMMON: &str = "
struct R { uint a; };
struct [NodeTrackRWInputSharing] Tracked { uint a; };
struct Sized { uint3 grid : SV_DispatchGrid; uint a; };
RWStructuredBuffer<uint> Buf;
RWByteAddressBuffer Raw;
StructuredBuffer<uint> In;
groupshared uint Shared;
groupshared R SharedRecord;
";

fn attributes(mode: &str) -> &'static str {
    match mode {
        "broadcasting" => {
            "[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(8, 1, 1)]"
        }
        "coalescing" => "[Shader(\"node\")] [NodeLaunch(\"coalescing\")] [NumThreads(8, 1, 1)]",
        "thread" => "[Shader(\"node\")] [NodeLaunch(\"thread\")]",
        _ => "[NumThreads(8, 1, 1)]",
    }
}

/// Returns the codes of the errors of a program with one shader.
fn errors(mode: &str, before: &str, params: &str, body: &str) -> Vec<String> {
    let compute_entry = (mode == "compute").then(|| "main".to_string());
    let text = format!("{COMMON}{before}\n{} void main({params}) {{ {body} }}\n", attributes(mode));
    errors_of(&text, Options { compute_entry, ..Options::default() })
}

fn errors_of(text: &str, options: Options) -> Vec<String> {
    let (db, program) = with_options(text, options);
    let found = diagnostics(&db, program).iter().filter(|d| d.severity == Severity::Error);
    // Rules of the whole graph have separate tests.
    found.map(|d| d.code.to_string()).filter(|code| !code.starts_with("WG04")).collect()
}

/// Records a cell whose errors are not the expected ones.
fn compare(failures: &mut String, cell: &str, wanted: &str, found: &[String]) {
    let fits = match wanted {
        "" => found.is_empty(),
        "*" => !found.is_empty(),
        code => found.len() == 1 && found[0] == code,
    };
    if !fits {
        let _ = writeln!(failures, "{cell}: wanted `{wanted}`, found {found:?}");
    }
}

/// Checks one program for each row and mode.
fn by_mode(rows: &[(&str, [&str; 3])], errors: impl Fn(&str, &str) -> Vec<String>) {
    let mut failures = String::new();
    for (what, wanted) in rows {
        for (mode, wanted) in MODES.iter().zip(wanted) {
            compare(&mut failures, &format!("{what} | {mode}"), wanted, &errors(mode, what));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn inputs() {
    let rows = [
        ("", ["", "", ""]),
        ("DispatchNodeInputRecord<R> i", ["", "WG0311", "WG0311"]),
        ("RWDispatchNodeInputRecord<R> i", ["", "WG0311", "WG0311"]),
        ("globallycoherent RWDispatchNodeInputRecord<R> i", ["", "WG0311", "WG0311"]),
        ("GroupNodeInputRecords<R> i", ["WG0311", "", "WG0311"]),
        ("RWGroupNodeInputRecords<R> i", ["WG0311", "", "WG0311"]),
        ("EmptyNodeInput i", ["WG0311", "", "WG0311"]),
        ("ThreadNodeInputRecord<R> i", ["WG0311", "WG0311", ""]),
        ("RWThreadNodeInputRecord<R> i", ["WG0311", "WG0311", ""]),
        // Any position, and qualifiers without effect.
        ("uint w, DispatchNodeInputRecord<R> i", ["WG0380", "*", "*"]),
        ("in DispatchNodeInputRecord<R> i", ["", "WG0311", "WG0311"]),
        ("const RWThreadNodeInputRecord<R> i", ["WG0311", "WG0311", ""]),
        ("inout RWThreadNodeInputRecord<R> i", ["WG0313", "WG0313", "WG0313"]),
        ("ThreadNodeInputRecord<R> i[2]", ["WG0313", "WG0313", "WG0313"]),
        ("ThreadNodeInputRecord<R> i, ThreadNodeInputRecord<R> j", ["*", "*", "WG0312"]),
        // Records of one thread or group are not in memory visible to others.
        ("globallycoherent RWThreadNodeInputRecord<R> i", ["*", "*", "WG0112"]),
        ("globallycoherent DispatchNodeInputRecord<R> i", ["WG0112", "*", "*"]),
        ("reordercoherent RWDispatchNodeInputRecord<R> i", ["WG0112", "*", "*"]),
        ("RWDispatchNodeInputRecord<Tracked> i", ["", "WG0311", "WG0311"]),
        ("DispatchNodeInputRecord<Tracked> i", ["WG0323", "*", "*"]),
        ("RWThreadNodeInputRecord<Tracked> i", ["*", "*", "WG0323"]),
    ];
    by_mode(&rows, |mode, params| errors(mode, "", params, ""));
}

#[test]
fn outputs() {
    let rows = [
        ("[MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> o", ["", "", ""]),
        ("[MaxRecords(1)] [AllowSparseNodes] NodeOutput<Tracked> o", ["", "", ""]),
        ("[MaxRecords(1)] [AllowSparseNodes] EmptyNodeOutput o", ["", "", ""]),
        ("[MaxRecords(1)] [AllowSparseNodes] [NodeArraySize(2)] NodeOutputArray<R> o", ["", "", ""]),
        ("[MaxRecords(1)] [UnboundedSparseNodes] NodeOutputArray<R> o", ["", "", ""]),
        ("[MaxRecords(1)] [UnboundedSparseNodes] [NodeArraySize(0xffffffff)] EmptyNodeOutputArray o", ["", "", ""]),
        ("[MaxRecords(1)] [AllowSparseNodes] [NodeID(\"x\", 3)] NodeOutput<R> o", ["", "", ""]),
        // The specification's rules for the attributes of outputs.
        ("[AllowSparseNodes] NodeOutput<R> o", ["WG0317", "WG0317", "WG0317"]),
        ("[MaxRecords(1)] [AllowSparseNodes] NodeOutputArray<R> o", ["WG0320", "WG0320", "WG0320"]),
        ("[MaxRecords(1)] [AllowSparseNodes] [NodeArraySize(0)] NodeOutputArray<R> o", ["WG0320", "WG0320", "WG0320"]),
        ("[MaxRecords(0)] [AllowSparseNodes] NodeOutput<R> o", ["", "", ""]),
        (
            "[MaxRecords(1)] [UnboundedSparseNodes] [NodeArraySize(2)] NodeOutputArray<R> o",
            ["WG0329", "WG0329", "WG0329"],
        ),
        ("[MaxRecords(1)] [UnboundedSparseNodes] NodeOutput<R> o", ["*", "*", "*"]),
        ("[MaxRecords(1)] [AllowSparseNodes] [NodeArraySize(2)] NodeOutput<R> o", ["WG0320", "WG0320", "WG0320"]),
        ("[MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> o[2]", ["WG0313", "WG0313", "WG0313"]),
        ("globallycoherent [MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> o", ["WG0112", "WG0112", "WG0112"]),
        // Shared budgets.
        (
            "[MaxRecords(2)] [AllowSparseNodes] NodeOutput<R> o, [MaxRecordsSharedWith(o)] [AllowSparseNodes] EmptyNodeOutput p",
            ["", "", ""],
        ),
        ("[MaxRecordsSharedWith(o)] [AllowSparseNodes] NodeOutput<R> o", ["WG0318", "WG0318", "WG0318"]),
        ("[MaxRecordsSharedWith(p)] [AllowSparseNodes] NodeOutput<R> o", ["WG0318", "WG0318", "WG0318"]),
        (
            "[MaxRecords(2)] [AllowSparseNodes] NodeOutput<R> o, [MaxRecordsSharedWith(o)] [AllowSparseNodes] NodeOutput<R> p, \
             [MaxRecordsSharedWith(p)] [AllowSparseNodes] NodeOutput<R> q",
            ["WG0318", "WG0318", "WG0318"],
        ),
        (
            "[MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> o, [MaxRecords(1)] [MaxRecordsSharedWith(o)] [AllowSparseNodes] NodeOutput<R> p",
            ["WG0318", "WG0318", "WG0318"],
        ),
        // Limits of a thread.
        ("[MaxRecords(8)] [AllowSparseNodes] NodeOutput<R> o", ["", "", ""]),
        ("[MaxRecords(9)] [AllowSparseNodes] NodeOutput<R> o", ["", "", "WG0324"]),
    ];
    by_mode(&rows, |mode, params| errors(mode, "", params, ""));
}

#[test]
fn budgets_of_inputs() {
    let rows = [
        ("[MaxRecords(4)] DispatchNodeInputRecord<R> i", ["WG0319", "*", "*"]),
        ("[MaxRecords(4)] RWDispatchNodeInputRecord<R> i", ["WG0319", "*", "*"]),
        ("[MaxRecords(4)] GroupNodeInputRecords<R> i", ["*", "", "*"]),
        ("[MaxRecords(4)] RWGroupNodeInputRecords<R> i", ["*", "", "*"]),
        ("[MaxRecords(4)] EmptyNodeInput i", ["*", "", "*"]),
        ("[MaxRecords(4)] ThreadNodeInputRecord<R> i", ["*", "*", "WG0319"]),
        ("[MaxRecords(4)] RWThreadNodeInputRecord<R> i", ["*", "*", "WG0319"]),
        ("[AllowSparseNodes] GroupNodeInputRecords<R> i", ["*", "WG0120", "*"]),
        ("[NodeArraySize(2)] GroupNodeInputRecords<R> i", ["*", "WG0120", "*"]),
        ("[UnboundedSparseNodes] GroupNodeInputRecords<R> i", ["*", "WG0120", "*"]),
        ("[MaxRecords(4)] uint i : SV_GroupIndex", ["WG0319", "WG0319", "*"]),
        ("[AllowSparseNodes] uint i : SV_GroupIndex", ["WG0120", "WG0120", "*"]),
    ];
    by_mode(&rows, |mode, params| errors(mode, "", params, ""));
}

#[test]
fn function_attributes() {
    let rows = [
        ("[NodeIsProgramEntry]", ["", "", ""]),
        ("[NodeID(\"x\", 2)]", ["", "", ""]),
        ("[NodeMaxRecursionDepth(3)]", ["", "", ""]),
        ("[NodeMaxRecursionDepth(33)]", ["WG0322", "WG0322", "WG0322"]),
        ("[WaveSize(32)]", ["", "", ""]),
        ("[WaveSize(16, 64, 32)]", ["", "", ""]),
        ("[WaveSize(33)]", ["WG0328", "WG0328", "WG0328"]),
        ("[GroupSharedLimit(1024)]", ["", "", ""]),
        ("[NodeLocalRootArgumentsTableIndex(-1)]", ["", "", ""]),
        ("[NodeMaxDispatchGrid(4, 1, 1)]", ["*", "WG0310", "WG0310"]),
        ("[MaxRecords(4)]", ["WG0120", "WG0120", "WG0120"]),
        ("[NodeTrackRWInputSharing]", ["WG0120", "WG0120", "WG0120"]),
    ];
    by_mode(&rows, |mode, attribute| errors(mode, attribute, "", ""));
    let grid = |mode: &str, attribute: &str| {
        let text = format!("{attribute} [Shader(\"node\")] [NodeLaunch(\"{mode}\")] void main() {{ }}");
        errors_of(&text, Options::default())
    };
    by_mode(
        &[
            ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ["", "WG0310", "WG0310"]),
            ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(65535, 257, 1)]", ["WG0305", "WG0310", "WG0310"]),
            ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(65536, 1, 1)]", ["WG0305", "WG0310", "WG0310"]),
            ("[NumThreads(1, 1, 1)]", ["WG0303", "", ""]),
            ("[NodeDispatchGrid(1, 1, 1)]", ["WG0308", "*", "WG0310"]),
            ("", ["*", "WG0308", ""]),
            ("[NumThreads(32, 33, 1)]", ["*", "WG0309", "WG0309"]),
            ("[NumThreads(2, 1, 1)]", ["WG0303", "", "WG0309"]),
        ],
        grid,
    );
}

#[test]
fn system_values() {
    let rows = [
        ("uint3 v : SV_GroupThreadID", ["", "", "WG0314"]),
        ("uint v : SV_GroupThreadID", ["", "", "WG0314"]),
        ("int2 v : SV_GroupThreadID", ["", "", "WG0314"]),
        ("uint v : SV_GroupIndex", ["", "", "WG0314"]),
        ("uint3 v : SV_GroupID", ["", "WG0314", "WG0314"]),
        ("uint3 v : SV_DispatchThreadID", ["", "WG0314", "WG0314"]),
        ("uint3 v : sv_dispatchthreadid", ["", "WG0314", "WG0314"]),
        ("float3 v : SV_GroupThreadID", ["WG0315", "WG0315", "WG0314"]),
        ("uint4 v : SV_GroupThreadID", ["WG0315", "WG0315", "WG0314"]),
        ("uint2 v : SV_GroupIndex", ["WG0315", "WG0315", "WG0314"]),
        ("uint v : SV_VertexID", ["WG0314", "WG0314", "WG0314"]),
        ("float4 v : SV_Position", ["WG0314", "WG0314", "WG0314"]),
        ("uint v : SV_ViewID", ["WG0314", "WG0314", "WG0314"]),
        ("uint v : SV_InstanceID", ["WG0314", "WG0314", "WG0314"]),
        ("bool v : SV_IsFrontFace", ["WG0314", "WG0314", "WG0314"]),
        ("out uint v : SV_GroupIndex", ["WG0313", "WG0313", "WG0313"]),
    ];
    by_mode(&rows, |mode, params| errors(mode, "", params, ""));
    // Through a structure, a nested structure, and a base.
    by_mode(&rows[..13], |mode, field| errors(mode, &format!("struct S {{ {field}; }};"), "S s", ""));
    by_mode(&rows[..13], |mode, field| {
        errors(mode, &format!("struct S {{ {field}; }}; struct Outer {{ S inner; }};"), "Outer s", "")
    });
    by_mode(&rows[..13], |mode, field| {
        errors(mode, &format!("struct S {{ {field}; }}; struct D : S {{ }};"), "D s", "")
    });
}

#[test]
fn operations() {
    let rows = [
        ("Buf[0] = GetRemainingRecursionLevels();", ["", "", ""]),
        ("Buf[0] = WaveGetLaneIndex() + WaveGetLaneCount() + WaveActiveSum(1);", ["", "", ""]),
        ("Buf[0] = WaveIsFirstLane();", ["", "", ""]),
        ("Buf[0] = GetGroupWaveIndex();", ["", "", "WG0226"]),
        ("Buf[0] = GetGroupWaveCount();", ["", "", "WG0226"]),
        ("Buf[0] = ddx(Buf[1]);", ["", "", "WG0336"]),
        ("Buf[0] = QuadReadAcrossX(Buf[1]);", ["", "", "WG0336"]),
        ("Shared = 1;", ["", "", "WG0333"]),
        ("InterlockedAdd(Buf[0], 1);", ["", "", ""]),
        ("SetMeshOutputCounts(1, 1);", ["WG0229", "WG0229", "WG0229"]),
        ("DispatchMesh(1, 1, 1, Buf[0]);", ["*", "*", "*"]),
        ("discard;", ["*", "*", "*"]),
        ("clip(1.0);", ["*", "*", "*"]),
        ("AllMemoryBarrier();", ["", "", "WG0226"]),
        ("AllMemoryBarrierWithGroupSync();", ["", "", "WG0226"]),
        ("DeviceMemoryBarrier();", ["", "", ""]),
        ("DeviceMemoryBarrierWithGroupSync();", ["", "", "WG0226"]),
        ("GroupMemoryBarrier();", ["", "", "WG0226"]),
        ("GroupMemoryBarrierWithGroupSync();", ["", "", "WG0226"]),
    ];
    by_mode(&rows, |mode, body| errors(mode, "", "", body));
    // In an indirect callee of the node.
    by_mode(&rows, |mode, body| {
        errors(mode, &format!("void inner() {{ {body} }} void outer() {{ inner(); }}"), "", "outer();")
    });
    // In a template, and as a method.
    by_mode(&rows[3..9], |mode, body| {
        errors(mode, &format!("template<typename T> void inner(T x) {{ {body} }}"), "", "inner(1);")
    });
    by_mode(&rows[3..9], |mode, body| {
        errors(mode, &format!("struct M {{ uint x; void go() {{ {body} }} }};"), "", "M m; m.go();")
    });
}

/// hlsl-specs 0019: the features of a mesh node, instead of a column in the other tables.
#[test]
fn mesh_nodes() {
    let mesh = |attribute: &str, params: &str, body: &str| {
        let text = format!(
            "{COMMON}struct Vertex {{ float4 position : SV_Position; }};\n{attribute} [Shader(\"node\")] \
             [NodeLaunch(\"mesh\")] [OutputTopology(\"triangle\")]\nvoid main({params}{} out vertices Vertex verts[4], \
             out indices uint3 triangles[2]) {{ SetMeshOutputCounts(0, 0); {body} }}\n",
            if params.is_empty() { "" } else { "," }
        );
        errors_of(&text, Options::default())
    };
    const SMALL: &str = "[NodeDispatchGrid(2, 1, 1)] [NumThreads(8, 1, 1)]";
    let mut failures = String::new();
    let params = [
        ("DispatchNodeInputRecord<R> i", ""),
        ("RWDispatchNodeInputRecord<R> i", ""),
        ("globallycoherent RWDispatchNodeInputRecord<R> i", ""),
        ("RWDispatchNodeInputRecord<Tracked> i", ""),
        ("DispatchNodeInputRecord<Tracked> i", "WG0323"),
        ("GroupNodeInputRecords<R> i", "WG0311"),
        ("RWGroupNodeInputRecords<R> i", "WG0311"),
        ("EmptyNodeInput i", "WG0311"),
        ("ThreadNodeInputRecord<R> i", "WG0311"),
        ("RWThreadNodeInputRecord<R> i", "WG0311"),
        ("DispatchNodeInputRecord<R> i, DispatchNodeInputRecord<R> j", "WG0312"),
        ("[MaxRecords(2)] DispatchNodeInputRecord<R> i", "WG0319"),
        ("[MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> o", "WG0364"),
        ("[MaxRecords(1)] [AllowSparseNodes] EmptyNodeOutput o", "WG0364"),
        ("[MaxRecords(1)] [AllowSparseNodes] [NodeArraySize(2)] NodeOutputArray<R> o", "WG0364"),
        ("[MaxRecords(1)] [UnboundedSparseNodes] EmptyNodeOutputArray o", "WG0364"),
        ("uint3 v : SV_GroupThreadID", ""),
        ("uint v : SV_GroupIndex", ""),
        ("uint3 v : SV_GroupID", ""),
        ("uint3 v : SV_DispatchThreadID", ""),
        ("uint v : SV_ViewID", "WG0314"),
        ("uint v : SV_PrimitiveID", "WG0314"),
        ("in payload R p", "WG0313"),
    ];
    for (params, wanted) in params {
        compare(&mut failures, params, wanted, &mesh(SMALL, params, ""));
    }
    let attributes = [
        ("", "*"),
        ("[NumThreads(1, 1, 1)]", "WG0303"),
        ("[NodeDispatchGrid(1, 1, 1)]", "WG0308"),
        ("[NumThreads(128, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[NumThreads(1, 1, 128)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[NumThreads(129, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", "WG0309"),
        ("[NumThreads(8, 8, 4)] [NodeDispatchGrid(1, 1, 1)]", "WG0309"),
        ("[NumThreads(0, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", "WG0309"),
        ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(65535, 64, 1)]", ""),
        ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(65535, 65, 1)]", "WG0305"),
        ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(2048, 2048, 1)]", ""),
        ("[NumThreads(1, 1, 1)] [NodeDispatchGrid(65536, 1, 1)]", "WG0305"),
        ("[NodeMaxRecursionDepth(3)] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", "WG0310"),
        ("[NodeIsProgramEntry] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[NodeID(\"x\", 2)] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[WaveSize(32)] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[GroupSharedLimit(1024)] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[NodeMaxInputRecordsPerGraphEntryRecord(8, true)] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", ""),
        ("[NodeMaxInputRecordsPerGraphEntryRecord] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)]", "WG0121"),
    ];
    for (attributes, wanted) in attributes {
        compare(&mut failures, attributes, wanted, &mesh(attributes, "", ""));
    }
    let bodies = [
        ("Buf[0] = GetRemainingRecursionLevels();", ""),
        ("Buf[0] = WaveActiveSum(1);", ""),
        ("Buf[0] = GetGroupWaveIndex();", ""),
        ("Buf[0] = ddx(Buf[1]);", ""),
        ("Shared = 1;", ""),
        ("GroupMemoryBarrierWithGroupSync();", ""),
        ("Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE);", ""),
        ("DispatchMesh(1, 1, 1, Buf[0]);", "WG0229"),
        ("discard;", "WG0229"),
    ];
    for (body, wanted) in bodies {
        compare(&mut failures, body, wanted, &mesh(SMALL, "", body));
    }
    let finished = mesh(SMALL, "RWDispatchNodeInputRecord<Tracked> i", "Buf[0] = i.FinishedCrossGroupSharing();");
    compare(&mut failures, "FinishedCrossGroupSharing", "WG0226", &finished);
    assert!(failures.is_empty(), "\n{failures}");
    // No other mode has these features.
    by_mode(
        &[
            ("out vertices R v[4]", ["WG0313", "WG0313", "WG0313"]),
            ("out indices uint3 t[4]", ["WG0313", "WG0313", "WG0313"]),
            ("in payload R p", ["WG0313", "WG0313", "WG0313"]),
        ],
        |mode, params| errors(mode, "", params, ""),
    );
    by_mode(
        &[
            ("[OutputTopology(\"line\")]", ["WG0310", "WG0310", "WG0310"]),
            ("[NodeMaxInputRecordsPerGraphEntryRecord(2)]", ["WG0310", "WG0310", "WG0310"]),
        ],
        |mode, attribute| errors(mode, attribute, "", ""),
    );
}

#[test]
fn methods() {
    // A method, and the kinds of objects that have it.
    const KINDS: [(&str, &str); 12] = [
        ("broadcasting", "DispatchNodeInputRecord<R> i"),
        ("broadcasting", "RWDispatchNodeInputRecord<Tracked> i"),
        ("coalescing", "[MaxRecords(2)] GroupNodeInputRecords<R> i"),
        ("coalescing", "[MaxRecords(2)] RWGroupNodeInputRecords<R> i"),
        ("coalescing", "[MaxRecords(2)] EmptyNodeInput i"),
        ("thread", "ThreadNodeInputRecord<R> i"),
        ("thread", "RWThreadNodeInputRecord<R> i"),
        ("broadcasting", "[MaxRecords(2)] [AllowSparseNodes] NodeOutput<R> i"),
        ("broadcasting", "[MaxRecords(2)] [AllowSparseNodes] EmptyNodeOutput i"),
        ("broadcasting", "[MaxRecords(2)] [AllowSparseNodes] [NodeArraySize(2)] NodeOutputArray<R> i"),
        ("broadcasting", "[MaxRecords(2)] [AllowSparseNodes] [NodeArraySize(2)] EmptyNodeOutputArray i"),
        ("thread", "[MaxRecords(2)] [AllowSparseNodes] NodeOutput<R> i"),
    ];
    // The kinds of objects with the method are marked by `x`.
    let rows = [
        ("Buf[0] = i.Get().a;", "xxxx.xx....."),
        ("Buf[0] = i.Get(1).a;", "..xx........"),
        ("Buf[0] = i[1].a;", "..xx........"),
        ("i.Get().a = 1;", ".x.x..x....."),
        ("i[1].a = 1;", "...x........"),
        ("InterlockedAdd(i.Get().a, 1);", ".x.x..x....."),
        ("Buf[0] = i.Count();", "..xxx......."),
        ("Buf[0] = i.FinishedCrossGroupSharing();", ".x.........."),
        ("i.OutputComplete();", "............"),
        ("i.GetThreadNodeOutputRecords(1).OutputComplete();", ".......x...x"),
        ("i.GetGroupNodeOutputRecords(1).OutputComplete();", ".......x...x"),
        ("i.ThreadIncrementOutputCount(1);", "........x..."),
        ("i.GroupIncrementOutputCount(1);", "........x..."),
        ("Buf[0] = i.IsValid();", ".......xx..x"),
        ("i[1].GetThreadNodeOutputRecords(1).OutputComplete();", ".........x.."),
        ("i[1].GroupIncrementOutputCount(1);", "..........x."),
        ("Buf[0] = i[1].IsValid();", ".........xx."),
    ];
    let mut failures = String::new();
    for (body, has) in rows {
        for ((mode, params), has) in KINDS.iter().zip(has.chars()) {
            let wanted = if has == 'x' { "" } else { "*" };
            compare(&mut failures, &format!("{body} | {params}"), wanted, &errors(mode, "", params, body));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn barriers() {
    const RUNNERS: [&str; 4] = ["broadcasting", "coalescing", "thread", "compute"];
    let memory = [
        // Flags, and the results for broadcasting, coalescing, thread and compute shaders.
        ("0, 0", ["", "", "", ""]),
        ("UAV_MEMORY, 0", ["", "", "", ""]),
        ("UAV_MEMORY, DEVICE_SCOPE", ["", "", "", ""]),
        ("UAV_MEMORY, GROUP_SCOPE", ["", "", "WG0226", ""]),
        ("UAV_MEMORY, GROUP_SYNC", ["", "", "WG0226", ""]),
        ("UAV_MEMORY, GROUP_SYNC | GROUP_SCOPE | DEVICE_SCOPE", ["", "", "WG0226", ""]),
        ("ALL_MEMORY, DEVICE_SCOPE", ["", "", "", ""]),
        ("ALL_MEMORY, 0", ["", "", "", ""]),
        ("ALL_MEMORY, GROUP_SYNC", ["", "", "WG0226", ""]),
        ("GROUP_SHARED_MEMORY, 0", ["", "", "WG0226", ""]),
        ("GROUP_SHARED_MEMORY, GROUP_SCOPE", ["", "", "WG0226", ""]),
        ("UAV_MEMORY | GROUP_SHARED_MEMORY, DEVICE_SCOPE", ["", "", "WG0226", ""]),
        ("NODE_INPUT_MEMORY, DEVICE_SCOPE", ["", "", "WG0226", "WG0226"]),
        ("NODE_OUTPUT_MEMORY, 0", ["", "", "WG0226", "WG0226"]),
        ("NODE_INPUT_MEMORY | NODE_OUTPUT_MEMORY, 0", ["", "", "WG0226", "WG0226"]),
        ("NODE_OUTPUT_MEMORY, GROUP_SCOPE", ["", "", "WG0226", "WG0226"]),
        ("NODE_OUTPUT_MEMORY, DEVICE_SCOPE", ["WG0381", "WG0381", "WG0381", "WG0381"]),
        ("NODE_OUTPUT_MEMORY | UAV_MEMORY, DEVICE_SCOPE", ["", "", "", "WG0226"]),
        ("UAV_MEMORY | NODE_INPUT_MEMORY, DEVICE_SCOPE", ["", "", "", "WG0226"]),
        ("NODE_INPUT_MEMORY, GROUP_SCOPE", ["", "", "WG0226", "WG0226"]),
        ("0, GROUP_SCOPE", ["WG0381", "WG0381", "WG0381", "WG0381"]),
        ("0, GROUP_SYNC", ["", "", "WG0226", ""]),
        ("0, DEVICE_SCOPE", ["WG0381", "WG0381", "WG0381", "WG0381"]),
        ("GROUP_SHARED_MEMORY, DEVICE_SCOPE", ["WG0381", "WG0381", "WG0381", "WG0381"]),
        ("16, 0", ["WG0218", "WG0218", "WG0218", "WG0218"]),
        ("UAV_MEMORY, 8", ["WG0218", "WG0218", "WG0218", "WG0218"]),
        ("Buf, DEVICE_SCOPE", ["", "", "", ""]),
        ("Raw, 0", ["", "", "", ""]),
        ("Buf, GROUP_SYNC", ["", "", "WG0226", ""]),
        ("Buf, GROUP_SCOPE", ["", "", "WG0226", ""]),
        ("Buf, 8", ["WG0218", "WG0218", "WG0218", "WG0218"]),
    ];
    let mut failures = String::new();
    for (arguments, wanted) in memory {
        for (runner, wanted) in RUNNERS.iter().zip(wanted) {
            let body = format!("Barrier({arguments});");
            compare(&mut failures, &format!("{body} | {runner}"), wanted, &errors(runner, "", "", &body));
            let helper = format!("void helper() {{ {body} }}");
            compare(
                &mut failures,
                &format!("helper {body} | {runner}"),
                wanted,
                &errors(runner, &helper, "", "helper();"),
            );
            // A function that nothing runs may be exported; flags that no shader may have are an error nevertheless.
            let always = if matches!(wanted, "WG0218" | "WG0381") { wanted } else { "" };
            compare(&mut failures, &format!("alone {body} | {runner}"), always, &errors(runner, &helper, "", ""));
        }
    }
    // Objects that are not writable memory.
    for object in ["In", "SharedRecord"] {
        let found = errors("broadcasting", "", "", &format!("Barrier({object}, 0);"));
        compare(&mut failures, object, "*", &found);
    }
    // Scopes 0, GROUP_SYNC, GROUP_SCOPE, DEVICE_SCOPE of records.
    let objects = [
        ("broadcasting", "RWDispatchNodeInputRecord<R> i", "i", ["", "", "", ""]),
        ("broadcasting", "DispatchNodeInputRecord<R> i", "i", ["WG0218", "WG0218", "WG0218", "WG0218"]),
        ("coalescing", "RWGroupNodeInputRecords<R> i", "i", ["", "", "", "WG0381"]),
        ("coalescing", "GroupNodeInputRecords<R> i", "i", ["WG0218", "WG0218", "WG0218", "WG0218"]),
        ("thread", "RWThreadNodeInputRecord<R> i", "i", ["", "WG0226", "WG0381", "WG0381"]),
        ("thread", "ThreadNodeInputRecord<R> i", "i", ["WG0218", "WG0218", "WG0218", "WG0218"]),
        ("coalescing", "EmptyNodeInput i", "i", ["*", "*", "*", "*"]),
    ];
    for (mode, params, object, wanted) in objects {
        for (semantics, wanted) in ["0", "GROUP_SYNC", "GROUP_SCOPE", "DEVICE_SCOPE"].iter().zip(wanted) {
            let body = format!("Barrier({object}, {semantics});");
            compare(&mut failures, &format!("{body} | {params}"), wanted, &errors(mode, "", params, &body));
        }
    }
    let output = "[MaxRecords(2)] [AllowSparseNodes] NodeOutput<R> o";
    for (kind, wanted) in [("Thread", ["", "", "WG0381", "WG0381"]), ("Group", ["", "", "", "WG0381"])] {
        for (semantics, wanted) in ["0", "GROUP_SYNC", "GROUP_SCOPE", "DEVICE_SCOPE"].iter().zip(wanted) {
            let body = format!(
                "{kind}NodeOutputRecords<R> r = o.Get{kind}NodeOutputRecords(1); Barrier(r, {semantics}); r.OutputComplete();"
            );
            compare(&mut failures, &body, wanted, &errors("broadcasting", "", output, &body));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn records() {
    // Declarations, the type, and the error of a node that takes or sends it.
    let rows = [
        ("struct S { uint a; };", "S", ""),
        ("class S { float4 a; };", "S", ""),
        ("struct S { bool a; float2x3 b; uint c[2][3]; double d; int64_t e; };", "S", ""),
        ("enum E { One }; struct S { E e; };", "S", ""),
        ("struct B { uint a; }; struct S : B { };", "S", ""),
        ("struct S { uint a; uint twice() { return a * 2; } static const uint N = 4; };", "S", ""),
        ("template<typename T> struct P { T a; };", "P<uint>", ""),
        ("struct S { };", "S", "WG0316"),
        ("struct B { }; struct S : B { };", "S", "WG0316"),
        ("struct B { }; struct S { B b; };", "S", "WG0316"),
        ("template<typename T> struct P { };", "P<uint>", "WG0316"),
        ("", "uint", "WG0316"),
        ("", "float4", "WG0316"),
        ("", "float2x2", "WG0316"),
        ("enum E { One };", "E", "WG0316"),
        ("", "Texture2D<float>", "WG0316"),
        ("", "ThreadNodeInputRecord<R>", "WG0316"),
        ("struct S { Texture2D<float> t; };", "S", "WG0316"),
        ("struct B { SamplerState s; }; struct S : B { uint a; };", "S", "WG0316"),
        ("struct B { RWStructuredBuffer<uint> s; }; struct S { uint a; B b[2]; };", "S", "WG0316"),
        ("struct S { RaytracingAccelerationStructure s; uint a; };", "S", "WG0316"),
        ("struct S { uint a; string s; };", "S", "*"),
        ("struct S;", "S", "WG0110"),
    ];
    let mut failures = String::new();
    for (before, ty, wanted) in rows {
        for params in ["ThreadNodeInputRecord<T> i", "[MaxRecords(1)] [AllowSparseNodes] NodeOutput<T> o"] {
            let params = params.replace("<T>", &format!("<{ty} >"));
            compare(&mut failures, &format!("{before} {params}"), wanted, &errors("thread", before, &params, ""));
        }
        // The type is an error at any location.
        let helper = format!("{before} void helper(ThreadNodeInputRecord<{ty} > i) {{ }}");
        compare(&mut failures, &helper, wanted, &errors("thread", &helper, "", ""));
        let local = format!("ThreadNodeOutputRecords<{ty} > r;");
        compare(&mut failures, &format!("{before} {local}"), wanted, &errors("thread", before, "", &local));
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn misplaced_attributes_are_diagnosed() {
    let mut failures = String::new();
    let attributes = [
        "NodeLaunch(\"thread\")",
        "NodeIsProgramEntry",
        "NodeID(\"x\")",
        "NumThreads(1, 1, 1)",
        "NodeDispatchGrid(1, 1, 1)",
        "NodeMaxRecursionDepth(1)",
        "WaveSize(8)",
        "MaxRecords(1)",
        "AllowSparseNodes",
        "NodeArraySize(1)",
    ];
    for attribute in attributes {
        for declaration in
            ["static uint g;", "RWBuffer<uint> g;", "struct [A] S { uint a; };", "struct S { [A] uint a; };"]
        {
            let attribute = format!("[{attribute}]");
            let before = match declaration.contains("[A]") {
                true => declaration.replace("[A]", &attribute),
                false => format!("{attribute} {declaration}"),
            };
            compare(&mut failures, &before, "WG0120", &errors("thread", &before, "", ""));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn dispatch_grid_fields() {
    let accepted = [
        "uint g",
        "uint2 g",
        "uint3 g",
        "uint16_t g",
        "uint16_t2 g",
        "uint16_t3 g",
        "uint g[3]",
        "uint16_t g[2]",
        "vector<uint, 3> g",
    ];
    let refused = [
        "int g",
        "int3 g",
        "float g",
        "half g",
        "bool g",
        "uint4 g",
        "uint1x3 g",
        "uint g[4]",
        "uint2 g[2]",
        "int16_t g",
        "uint64_t g",
        "E g",
    ];
    let cells = accepted.iter().map(|f| (f, "")).chain(refused.iter().map(|f| (f, "WG0307")));
    let mut failures = String::new();
    for (field, wanted) in cells {
        // The semantic follows the name and the dimensions.
        let records = [
            format!("struct S {{ uint a; {field} : SV_DispatchGrid; }};"),
            format!("struct B {{ {field} : SV_DispatchGrid; }}; struct S : B {{ uint a; }};"),
            format!("struct B {{ {field} : SV_DispatchGrid; }}; struct S {{ uint a; B b; }};"),
        ];
        for record in records {
            let text = format!(
                "enum E {{ One }}; {record}\n[Shader(\"node\")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]\n\
                 void main(DispatchNodeInputRecord<S> i) {{ }}"
            );
            let options = Options { enable_16bit_types: true, ..Options::default() };
            compare(&mut failures, &record, wanted, &errors_of(&text, options));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
