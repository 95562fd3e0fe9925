//! Tests of mesh shaders beyond the compiler's output: points, blocks of built-ins, and modules that compilers reject.

use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphInput, Sanitize};
use wgc_runtime::mesh::{MeshArray, Meshes};
use wgc_spirv_module::asm;

/// A mesh node of two threads and two workgroups, with its body. The thread's number is %i. Its position and point size
/// are at %at0 and %at1, the index of its point at %index, and the pixel shader's input at %colour.
fn module(body: &str) -> Vec<u32> {
    asm::assemble(&format!(
        "OpCapability Shader
OpCapability ShaderEnqueueAMDX
OpCapability MeshShadingEXT
OpExtension \"SPV_AMDX_shader_enqueue\"
OpExtension \"SPV_EXT_mesh_shader\"
OpMemoryModel Logical GLSL450
OpEntryPoint MeshEXT %main \"draw\" %corners %points %colours %thread
OpExecutionMode %main LocalSize 2 1 1
OpExecutionMode %main OutputPoints
OpExecutionMode %main OutputVertices 4
OpExecutionMode %main OutputPrimitivesEXT 3
OpExecutionModeId %main StaticNumWorkgroupsAMDX %u2 %u1 %u1
OpName %colours \"colours\"
OpMemberName %corner 1 \"gl_PointSize\"
OpDecorate %thread BuiltIn LocalInvocationIndex
OpDecorate %corner Block
OpMemberDecorate %corner 0 BuiltIn Position
OpMemberDecorate %corner 1 BuiltIn PointSize
OpDecorate %points BuiltIn PrimitivePointIndicesEXT
OpDecorate %colours Location 3
OpDecorate %colours Component 1
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u5 = OpConstant %uint 5
%half = OpConstant %float 0.5
%four = OpConstantComposite %float4 %half %half %half %half
%corner = OpTypeStruct %float4 %float
%acorners = OpTypeArray %corner %u4
%pcorners = OpTypePointer Output %acorners
%corners = OpVariable %pcorners Output
%apoints = OpTypeArray %uint %u3
%ppoints = OpTypePointer Output %apoints
%points = OpVariable %ppoints Output
%acolours = OpTypeArray %float %u4
%pcolours = OpTypePointer Output %acolours
%colours = OpVariable %pcolours Output
%puint = OpTypePointer Output %uint
%pfloat = OpTypePointer Output %float
%pfloat4 = OpTypePointer Output %float4
%iuint = OpTypePointer Input %uint
%thread = OpVariable %iuint Input
%ft = OpTypeFunction %void
%fc = OpTypeFunction %void %uint %uint
%say = OpFunction %void None %fc
%vertices = OpFunctionParameter %uint
%primitives = OpFunctionParameter %uint
%sl = OpLabel
OpSetMeshOutputsEXT %vertices %primitives
OpReturn
OpFunctionEnd
%main = OpFunction %void None %ft
%ml = OpLabel
%i = OpLoad %uint %thread
%at0 = OpAccessChain %pfloat4 %corners %i %u0
%at1 = OpAccessChain %pfloat %corners %i %u1
%index = OpAccessChain %puint %points %i
%colour = OpAccessChain %pfloat %colours %i
{body}
OpReturn
OpFunctionEnd"
    ))
    .unwrap()
}

const SAY: &str = "%s = OpFunctionCall %void %say %u2 %u2\n";
const WRITE: &str = "OpStore %at0 %four\nOpStore %at1 %half\nOpStore %index %i\nOpStore %colour %half\n";

fn run(words: &[u32], settings: CpuSettings) -> (Result<Meshes, String>, Vec<&'static str>) {
    run_often(words, settings, 1)
}

fn run_often(words: &[u32], settings: CpuSettings, count: u32) -> (Result<Meshes, String>, Vec<&'static str>) {
    let mut device = CpuDevice::new(settings);
    let graph = device.create_graph(words).unwrap();
    let input = GraphInput { node: "draw".into(), count, ..GraphInput::default() };
    let run = device.dispatch_graph(graph, None, &[], &[input]);
    let meshes = run.map_err(|e| e.to_string()).map(|run| run.meshes.into_values().next().unwrap());
    (meshes, device.findings().iter().map(|f| f.code).collect())
}

#[test]
fn point_meshes_and_builtin_blocks() {
    let (meshes, findings) = run(&module(&format!("{SAY}{WRITE}")), CpuSettings::default());
    let meshes = meshes.unwrap();
    assert_eq!(findings, [""; 0]);
    assert_eq!((meshes.groups, meshes.count, meshes.vertices, meshes.primitives), (2, 2, 4, 4));
    let names: Vec<_> = meshes.shape.values.iter().map(|v| (v.name.as_str(), v.place.to_string(), v.array)).collect();
    let named = |name, place: &str, array| (name, place.to_owned(), array);
    assert_eq!(
        names,
        [
            named("Position", "Position", MeshArray::Vertices),
            named("gl_PointSize", "PointSize", MeshArray::Vertices),
            named("PrimitivePointIndicesEXT", "PrimitivePointIndicesEXT", MeshArray::Indices),
            named("colours", "location 3.1", MeshArray::Vertices),
        ]
    );
    assert_eq!(meshes.shape.corners, 1);
    let half = 0.5f32.to_le_bytes();
    for (mesh, group) in meshes.list.iter().zip(0..) {
        assert_eq!((mesh.group, mesh.record), ([group, 0, 0], Some(0)));
        assert_eq!(mesh.values[0], half.repeat(8));
        assert_eq!(mesh.values[1], half.repeat(2));
        assert_eq!(mesh.values[2], [0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(mesh.values[3], half.repeat(2));
    }
}

#[test]
fn mesh_reports_are_ordered_for_any_thread_count() {
    let words = module(&format!("{SAY}{WRITE}"));
    for threads in [1, 2, 5] {
        let meshes = run_often(&words, CpuSettings { threads, ..CpuSettings::default() }, 300).0.unwrap();
        let places: Vec<_> = meshes.list.iter().map(|mesh| (mesh.record, mesh.group[0])).collect();
        let wanted: Vec<_> = (0..300).flat_map(|record| [(Some(record), 0), (Some(record), 1)]).collect();
        assert_eq!(places, wanted, "{threads} threads");
    }
}

#[test]
fn mesh_errors_are_reported() {
    let cases = [
        // In the wrong order.
        (format!("{WRITE}{SAY}"), "WG4016"),
        // Never.
        (WRITE.to_owned(), "WG4016"),
        (format!("{SAY}{SAY}{WRITE}").replacen("%s =", "%t =", 1), "WG4018"),
        (format!("{}{WRITE}", SAY.replace("%u2 %u2", "%u2 %u4")), "WG4017"),
        (format!("{}{WRITE}", SAY.replace("%u2 %u2", "%u5 %u2")), "WG4017"),
        (format!("{}{WRITE}", SAY.replace("%u2 %u2", "%u1 %u2")), "WG4015"),
        (format!("{}{WRITE}", SAY.replace("%u2 %u2", "%u2 %u1")), "WG4015"),
        (format!("{}{WRITE}", SAY.replace("%u2 %u2", "%i %u2")), "WG4009"),
        (format!("{SAY}{}", WRITE.replace("OpStore %index %i", "OpStore %index %u2")), "WG4019"),
        (format!("{SAY}{}", WRITE.replace("OpStore %at1 %half\n", "")), "WG4011"),
        (format!("{SAY}{}", WRITE.replace("OpStore %colour %half\n", "")), "WG4011"),
        (format!("{SAY}{}", WRITE.replace("OpStore %index %i\n", "")), "WG4011"),
    ];
    for (body, code) in cases {
        let words = module(&body);
        let (meshes, findings) = run(&words, CpuSettings::default());
        assert!(meshes.is_ok() && findings.contains(&code), "{code}: {findings:?}\n{body}");
        let (meshes, _) = run(&words, CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() });
        assert!(meshes.unwrap_err().contains("WG40"), "{body}");
        let (meshes, findings) = run(&words, CpuSettings { sanitize: Sanitize::Off, ..CpuSettings::default() });
        assert!(meshes.is_ok() && findings.is_empty(), "{body}");
    }
}

#[test]
fn absurd_sizes_are_refused() {
    let mut words = module("");
    // OpExecutionMode, OutputVertices 4.
    let at = words.windows(4).position(|w| w[0] == 4 << 16 | 16 && w[2..] == [26, 4]).unwrap();
    words[at + 3] = u32::MAX;
    let error = CpuDevice::new(CpuSettings::default()).create_graph(&words).unwrap_err().to_string();
    assert!(error.contains("OutputVertices is too large"), "{error}");
}

#[test]
fn mesh_output_counts_are_clamped_to_capacity() {
    let body = format!("{}{WRITE}", SAY.replace("%u2 %u2", "%u5 %u4"));
    let meshes = run(&module(&body), CpuSettings::default()).0.unwrap();
    assert_eq!((meshes.vertices, meshes.primitives), (8, 6));
    assert_eq!(meshes.list[0].values[0].len(), 4 * 16);
    // Unwritten values are zero.
    assert_eq!(meshes.list[0].values[2], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
}
