//! `-T cs_*`: plain compute shaders, and libraries of them.

use crate::support::{Scratch, wgc};

const FILL: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
[numthreads(4, 1, 1)] void Fill(uint t : SV_GroupIndex) { Out[t] = t; }
";

/// Returns the SPIR-V version from the first words of a module.
fn version(words: &[u8]) -> [u8; 2] {
    assert_eq!(words[..4], 0x0723_0203u32.to_le_bytes());
    [words[6], words[5]]
}

#[test]
fn a_compute_profile_makes_a_compute_module() {
    let dir = Scratch::new().with("fill.hlsl", FILL);
    for target in ["spirv-amdx", "spirv-emulated"] {
        let text = wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-E", "Fill", "--target", target, "--emit", "asm"])
            .expect(0)
            .out();
        assert!(text.contains("OpEntryPoint GLCompute") && text.contains("LocalSize 4 1 1"), "{text}");
        assert!(!text.contains("AMDX"), "{text}");
    }
    wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-E", "Fill"]).expect(0);
    assert_eq!(dir.entries(), ["fill.hlsl", "fill.spv"]);
    assert!(wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6"]).expect(1).stderr.contains("main"));
    assert!(wgc(&dir.0, ["fill.hlsl", "-E", "Fill"]).expect(2).stderr.contains("-T cs_6_0"));
}

#[test]
fn a_library_of_compute_shaders_is_one_module_with_all_of_them() {
    let library = FILL.replace("[numthreads", "[shader(\"compute\")] [numthreads").replace("Fill", "First")
        + "[shader(\"compute\")] [numthreads(1, 1, 1)] void Second() { Out[0] = 1; }\n";
    let dir = Scratch::new().with("two.hlsl", library);
    let text = wgc(&dir.0, ["two.hlsl", "-T", "lib_6_3", "--emit", "asm"]).expect(0).out();
    for name in ["\"First\"", "\"Second\""] {
        assert!(text.contains(name), "{name} is missing from\n{text}");
    }
}

#[test]
fn the_environment_decides_version_and_memory_model() {
    let dir = Scratch::new().with("fill.hlsl", FILL);
    let all = ["fill.hlsl", "-T", "cs_6_0", "-E", "Fill"];
    let cases = [
        ("vulkan1.0", [1, 0], "GLSL450"),
        ("vulkan1.1", [1, 3], "GLSL450"),
        ("vulkan1.1spirv1.4", [1, 4], "GLSL450"),
        ("vulkan1.2", [1, 5], "Vulkan"),
        ("vulkan1.3", [1, 6], "Vulkan"),
        ("universal1.5", [1, 5], "Vulkan"),
    ];
    for (name, expected, model) in cases {
        let environment = format!("-fspv-target-env={name}");
        let module = wgc(&dir.0, all.into_iter().chain([environment.as_str(), "-o", "-"])).expect(0).stdout;
        assert_eq!(version(&module), expected, "{name}");
        let text = wgc(&dir.0, all.into_iter().chain([environment.as_str(), "--emit", "asm"])).expect(0).out();
        assert!(text.contains(&format!("OpMemoryModel Logical {model}")), "{name}:\n{text}");
        assert_eq!(text.contains("SPV_KHR_storage_buffer_storage_class"), name == "vulkan1.0", "{text}");
    }
    let default = wgc(&dir.0, all.into_iter().chain(["-o", "-"])).expect(0).stdout;
    assert_eq!(version(&default), [1, 5]);
}

/// Before SPIR-V 1.4 structures are copied and selected by parts; a module that fails the verifier is not written.
#[test]
fn old_spirv_versions_copy_structures_by_member() {
    let source = "\
struct S { uint a; float b[2]; };
RWStructuredBuffer<S> Out : register(u0);
static const uint Table[4] = { 3, 1, 4, 1 };
[noinline] float Sum(S s) { return s.a + s.b[s.a & 1]; }
[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    S s = Out[0];
    S t = Out[1];
    S u;
    if (id.x > 2) u = s; else u = t;
    float4 v = id.x > 1 ? float4(1, 2, 3, 4) : float4(4, 3, 2, 1);
    u.b[1] += v.x + Table[id.x] + Sum(Out[3]);
    Out[id.x] = u;
}
";
    let dir = Scratch::new().with("whole.hlsl", source);
    for (environment, copies) in [("vulkan1.1", false), ("vulkan1.2", true)] {
        let environment = format!("-fspv-target-env={environment}");
        let text = wgc(&dir.0, ["whole.hlsl", "-T", "cs_6_0", &environment, "--emit", "asm"]).expect(0).out();
        assert_eq!(text.contains("OpCopyLogical"), copies, "{text}");
    }
}

#[test]
fn waves_need_vulkan_1_1() {
    let dir = Scratch::new().with("wave.hlsl", FILL.replace("= t;", "= WaveActiveSum(t);"));
    let all = ["wave.hlsl", "-T", "cs_6_0", "-E", "Fill", "-o", "-"];
    let ran = wgc(&dir.0, all.into_iter().chain(["-fspv-target-env=vulkan1.0"])).expect(1);
    assert!(ran.stderr.contains("vulkan1.1"), "{}", ran.stderr);
    wgc(&dir.0, all.into_iter().chain(["-fspv-target-env=vulkan1.1"])).expect(0);
}

#[test]
fn a_check_takes_the_options_of_a_build() {
    let dir = Scratch::new().with("wave.hlsl", FILL.replace("= t;", "= WaveActiveSum(t);"));
    let all = ["check", "wave.hlsl", "-T", "cs_6_0", "-E", "Fill", "-spirv", "-Zi", "-Qstrip_debug", "-O3"];
    let of = |environment| wgc(&dir.0, all.into_iter().chain(["-fspv-entrypoint-name=main", environment]));
    assert!(of("-fspv-target-env=vulkan1.0").expect(1).stderr.contains("vulkan1.1"));
    of("-fspv-target-env=vulkan1.1").expect(0);
}

#[test]
fn entry_point_name_option_renames_the_entry_point() {
    let dir = Scratch::new().with("fill.hlsl", FILL);
    let text = wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_0", "-E", "Fill", "-fspv-entrypoint-name=other", "--emit", "asm"]);
    assert!(text.expect(0).out().contains("\"other\""));
}

#[test]
fn unknown_entry_points_suggest_existing_ones() {
    let source = "// Nothing of interest.\nfloat Helper() { return 1; }\n[numthreads(1, 1, 1)]\nvoid Fill() { }\n\
                  struct S { void Method() { } };\n[numthreads(1, 1, 1)]\nvoid Draw() { }\n\
                  [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Other() { }\n";
    let dir = Scratch::new().with("a.hlsl", source).with("b.hlsl", "struct S { uint a; };\n");
    let check = |file: &str, name: &str| {
        let ran = wgc(&dir.0, ["check", file, "-T", "cs_6_0", "-E", name, "--message-format=json"]).expect(1);
        let object: serde_json::Value = serde_json::from_str(ran.out().trim()).expect("one object");
        assert_eq!(object["code"], "WG0124");
        let labels = object["labels"].as_array().expect("a list").iter().map(|label| label["message"].clone());
        (object["line"].as_u64().expect("a number"), labels.collect::<Vec<_>>())
    };
    assert_eq!(check("a.hlsl", "fil"), (4, vec!["did you mean `-E Fill`?".into()]));
    assert_eq!(check("a.hlsl", "helper"), (2, vec!["did you mean `-E Helper`?".into()]));
    assert_eq!(check("a.hlsl", "other"), (4, vec!["try `-E Fill`".into(), "try `-E Draw`".into()]));
    assert_eq!(check("b.hlsl", "main").0, 1);
}

#[test]
fn maximal_reconvergence_is_a_mode_of_the_entry_point() {
    let dir = Scratch::new().with("fill.hlsl", FILL);
    let asm = ["fill.hlsl", "-T", "cs_6_0", "-E", "Fill", "--emit", "asm"];
    let option = "-fspv-enable-maximal-reconvergence";
    let wanted = ["OpExtension \"SPV_KHR_maximal_reconvergence\"", "MaximallyReconvergesKHR"];
    let with = wgc(&dir.0, asm.into_iter().chain([option])).expect(0).out();
    assert!(wanted.iter().all(|w| with.contains(w)), "{with}");
    let without = wgc(&dir.0, asm).expect(0).out();
    assert!(!wanted.iter().any(|w| without.contains(w)), "{without}");
}

/// Arrays in a uniform buffer have strides of 16, but single vectors are smaller: std140 has no such array.
#[test]
fn matrices_of_one_row_or_column_are_vectors_in_memory() {
    let source =
        "cbuffer C { float2x1 a; row_major float1x3 b; row_major float3x1 c; bool1x2 d; int1x1 e; float1x4 f[2]; };
        RWStructuredBuffer<float> o;
        [numthreads(1, 1, 1)] void main(uint t : SV_GroupIndex)
        { o[0] = a[t][0] + b[0][t] + c[t][0] + (d[0][t] ? 1 : 0) + e[0][0] + f[t][0][t]; }";
    let dir = Scratch::new().with("lines.hlsl", source);
    let text = |more: &[&'static str]| {
        let all = ["lines.hlsl", "-T", "cs_6_0", "--emit", "asm"];
        wgc(&dir.0, all.into_iter().chain(more.iter().copied())).expect(0).out()
    };
    let members = "%C = OpTypeStruct %v2float %v3float %v3float %v2uint %int %arr_v4float_uint_2";
    for layout in [&[][..], &["-fvk-use-gl-layout"], &["-fvk-use-scalar-layout"]] {
        let text = text(layout);
        assert!(text.contains(members) && text.contains("OpDecorate %arr_v4float_uint_2 ArrayStride 16"), "{text}");
    }
    // The Direct3D layout puts each scalar in its own row, so it uses an array.
    let rows = text(&["-fvk-use-dx-layout"]);
    assert!(rows.contains("%C = OpTypeStruct %v2float %v3float %arr_float_uint_3 "), "{rows}");
    assert!(rows.contains("OpDecorate %arr_float_uint_3 ArrayStride 16"), "{rows}");
}

/// The bindings are those of DXC, which lists unused variables only with this option.
#[test]
fn unused_resources_keep_their_bindings_on_request() {
    let text = "RWStructuredBuffer<uint> unused;
        RWStructuredBuffer<uint> o;
        Texture2D<float4> t : register(t0);
        SamplerState s : register(s3);
        cbuffer C { float a; float4 b; };
        cbuffer D : register(b7) { float4 d; };
        Texture2D<float4> t2 : register(t0);
        AppendStructuredBuffer<uint> ap;
        float loose;
        [numthreads(1, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { o[i.x] = uint(b.x); }";
    let dir = Scratch::new().with("a.hlsl", text);
    let bound = |more: &[&'static str]| {
        let all = ["a.hlsl", "-T", "cs_6_6", "-E", "main", "--emit", "asm", "-fspv-target-env=vulkan1.3"];
        let asm = wgc(&dir.0, all.into_iter().chain(more.iter().copied())).expect(0).out();
        let binding = |line: &str| {
            let (name, binding) = line.strip_prefix("OpDecorate %")?.split_once(" Binding ")?;
            // Blocks have a number after their name.
            let name = name.strip_suffix("_1").unwrap_or(name);
            Some(format!("{name} {binding}"))
        };
        let mut all: Vec<String> = asm.lines().filter_map(binding).collect();
        all.sort();
        all
    };
    assert_eq!(bound(&[]), ["C 4", "o 2"]);
    let all = ["C 4", "D 7", "_Globals 8", "ap 5", "counter_var_ap 6", "o 2", "s 3", "t 0", "t2 0", "unused 1"];
    assert_eq!(bound(&["-fspv-preserve-bindings"]), all);
    assert_eq!(bound(&["-fspv-preserve-bindings", "-O0"]), all);
    // Their memory is checked, too.
    let text = "struct Ray { float t; float2 uv; }; struct Hit { float2 first; Ray ray; };
        StructuredBuffer<Hit> Unused; [numthreads(1, 1, 1)] void main() { }";
    let dir = Scratch::new().with("a.hlsl", text);
    let check = ["check", "a.hlsl", "-T", "cs_6_6", "-E", "main"];
    wgc(&dir.0, check).expect(0);
    let wrong = wgc(&dir.0, check.into_iter().chain(["-fspv-preserve-bindings"])).expect(1).stderr;
    assert!(wrong.contains("WG0142"), "{wrong}");
}

#[test]
fn denormals_are_a_mode_of_the_entry_point() {
    let dir = Scratch::new().with("fill.hlsl", FILL);
    let asm = |more: &[&'static str]| {
        let all = ["fill.hlsl", "-T", "cs_6_0", "-E", "Fill", "--emit", "asm"];
        wgc(&dir.0, all.into_iter().chain(more.iter().copied())).expect(0).out()
    };
    for (mode, name) in [("preserve", "DenormPreserve"), ("ftz", "DenormFlushToZero")] {
        let with = asm(&["-denorm", mode]);
        assert!(with.contains(&format!("OpCapability {name}")) && with.contains(&format!("{name} 32")), "{with}");
        assert!(!with.contains("SPV_KHR_float_controls"), "a part of SPIR-V 1.5: {with}");
        assert!(asm(&["-denorm", mode, "-fspv-target-env=vulkan1.0"]).contains("\"SPV_KHR_float_controls\""));
    }
    assert!(!asm(&["-denorm", "any"]).contains("Denorm") && !asm(&[]).contains("Denorm"));
    wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_0", "-E", "Fill", "-denorm", "bad"]).expect(2);
    // A run file sets the options of modules too.
    let run = |args: &str| {
        let text = format!(
            r#"{{ "shader": "fill.hlsl", "args": ["-T", "cs_6_0", "-E", "Fill", {args}],
                "resources": {{ "Out": {{ "zero_bytes": 16 }} }}, "dispatch": [{{ "groups": [1, 1, 1] }}],
                "expect": {{ "Out": {{ "u32": [0, 1, 2, 3] }} }} }}"#
        );
        std::fs::write(dir.0.join("fill.run.json"), text).expect("written");
        wgc(&dir.0, ["run", "--inputs", "fill.run.json", "--device", "cpu"])
    };
    run(r#""-denorm", "preserve", "-Qstrip_debug""#).expect(0);
    assert!(run(r#""-denorm", "ftz""#).expect(2).stderr.contains("the CPU device keeps denormals"));
}

/// Reads matrices by columns, as the type has them, or by rows.
#[test]
fn legacy_matrix_order_applies_to_byte_address_buffers() {
    let text = "ByteAddressBuffer In; RWStructuredBuffer<float> Out;
        [numthreads(1, 1, 1)] void main() { Out[0] = In.Load<float2x2>(0)._m01; }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    let run = |args: &str, wanted: u32| {
        let file = format!(
            r#"{{ "shader": "a.hlsl", "args": ["-T", "cs_6_6", "-E", "main"{args}],
                 "resources": {{ "In": {{ "f32": [1, 2, 3, 4] }}, "Out": {{ "zero_bytes": 4 }} }},
                 "dispatch": [ {{ "groups": [1, 1, 1] }} ], "expect": {{ "Out": {{ "f32": [{wanted}] }} }} }}"#
        );
        std::fs::write(dir.0.join("a.run.json"), file).expect("written");
        wgc(&dir.0, ["run", "--inputs", "a.run.json"]).expect(0);
    };
    run("", 3);
    run(r#", "-fspv-use-legacy-buffer-matrix-order""#, 2);
}

#[test]
fn a_wave_size_is_passed_on_as_a_warning() {
    let dir = Scratch::new().with("fill.hlsl", FILL.replace("[numthreads", "[WaveSize(32)] [numthreads"));
    let ran = wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-E", "Fill"]).expect(0);
    assert!(ran.stderr.contains("WaveSize") && ran.stderr.contains("subgroups of 32"), "{}", ran.stderr);
}

/// The constant buffer uses std140 and the structured buffer std430. Vectors of three are at multiples of 16. Arrays of
/// floats take a row per element in std140 and have no gaps in std430. A method changes the element in place, in any
/// layout.
#[test]
fn buffers_have_the_layouts_of_opengl() {
    let text = "struct S { float a; float3 b; float c[3]; void Set(float x) { a = x; c[1] = x; } };\n\
                cbuffer C { float x; S s; float y[2]; };\nRWStructuredBuffer<S> Out;\n\
                [numthreads(1, 1, 1)] void main() { Out[0] = s; Out[1].Set(x + y[1]); }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    let line = ["a.hlsl", "-T", "cs_6_6", "-E", "main", "-fvk-use-gl-layout", "--emit", "asm"];
    let asm = wgc(&dir.0, line).expect(0).out();
    let count = |part: &str| asm.lines().filter(|l| l.ends_with(part)).count();
    // S: a, b, c at 0, 16, 28 and 48 bytes in all; at 0, 16, 32 and 80 bytes in the constant buffer, which starts S at
    // 16.
    assert_eq!([count(" 2 Offset 28"), count(" 2 Offset 32"), count(" 2 Offset 96")], [1, 1, 1], "{asm}");
    assert_eq!([count("ArrayStride 48"), count("ArrayStride 4"), count("ArrayStride 16")], [1, 1, 2], "{asm}");
}

/// The standard library implements the clock by inline SPIR-V. An error in inline SPIR-V is the program's mistake.
#[test]
fn inline_spirv_declares_its_requirements_and_is_verified() {
    let text = "[[vk::ext_instruction(OP)]] uint spelled(uint a, uint b);\nRWStructuredBuffer<uint> Out;\n\
                [numthreads(1, 1, 1)] void main() { Out[0] = spelled(uint(vk::ReadClock(vk::DeviceScope)), 3); }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    let line = |op| ["a.hlsl", "-T", "cs_6_6", "-E", "main", "--emit", "asm", "-D", op];
    let asm = wgc(&dir.0, line("OP=128")).expect(0).out();
    for part in [
        "OpCapability ShaderClockKHR\n",
        "OpExtension \"SPV_KHR_shader_clock\"\n",
        "= OpReadClockKHR %uint64 %uint_1\n",
        "= OpIAdd %uint ",
    ] {
        assert_eq!(asm.matches(part).count(), 1, "{part} in\n{asm}");
    }
    // OpFAdd of integers, OpTypeVoid.
    let wrong = wgc(&dir.0, line("OP=129")).expect(1).stderr;
    assert!(wrong.contains("the inline SPIR-V makes the module invalid") && wrong.contains("OpFAdd"), "{wrong}");
    let wrong = wgc(&dir.0, line("OP=19")).expect(1).stderr;
    assert!(wrong.contains("OpTypeVoid cannot be inline"), "{wrong}");
}

/// Compiles a generated dispatcher for both targets and runs it on the device. Each `else if` nests one block deeper.
#[test]
fn a_long_chain_of_else_if() {
    const LINKS: u32 = 440;
    let mut chain = String::from("if (i == 0) x = 7;\n");
    (1..LINKS).for_each(|k| chain += &format!("else if (i == {k}) x = {};\n", k * 3));
    let text = format!(
        "RWStructuredBuffer<uint> Out;\n[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(8, 1, 1)]\n\
         [NumThreads(64, 1, 1)] void Pick(uint i : SV_DispatchThreadID) {{ uint x = 1;\n{chain}Out[i] = x; }}\n"
    );
    let expected: Vec<String> = (0..512u32)
        .map(|i| match i {
            0 => 7,
            1..LINKS => i * 3,
            _ => 1,
        })
        .map(|x: u32| x.to_string())
        .collect();
    let run = format!(
        r#"{{ "shader": "chain.hlsl", "resources": {{ "Out": {{ "zero_bytes": 2048 }} }},
             "dispatch": [{{ "inputs": [{{ "node": "Pick", "count": 1 }}] }}],
             "expect": {{ "Out": {{ "u32": [{}] }} }} }}"#,
        expected.join(", ")
    );
    let dir = Scratch::new().with("chain.hlsl", text).with("chain.run.json", run);
    for target in ["spirv-amdx", "spirv-emulated"] {
        wgc(&dir.0, ["run", "--inputs", "chain.run.json", "--target", target, "--device", "cpu"]).expect(0);
    }
}

/// A module cannot declare its wave size: the runtime checks it when it creates the pipeline.
#[test]
fn wave_size_attributes_determine_the_subgroup_size() {
    let source = "\
RWStructuredBuffer<uint> Out : register(u0);
[WaveSize(32)] [numthreads(64, 1, 1)]
void main(uint t : SV_GroupIndex) { if (t == 0) Out[0] = WaveGetLaneCount(); }
";
    let run = r#"{ "shader": "wave.hlsl", "args": ["-T", "cs_6_6", "-E", "main"], "resources": { "Out": { "u32": [0] } },
  "dispatch": [{ "groups": [1] }], "expect": { "Out": { "u32": [32] } } }"#;
    let dir = Scratch::new().with("wave.hlsl", source).with("wave.run.json", run);
    let all = ["run", "--inputs", "wave.run.json"];
    for lanes in ["32", "16"] {
        wgc(&dir.0, all.into_iter().chain(["--subgroup-size", lanes])).expect(0);
    }
}

/// As in DXC and in editors, a carriage return ends a line, also without a line feed.
#[test]
fn lone_carriage_returns_end_lines() {
    let text = "#define SET x = 2;\rRWStructuredBuffer<uint> Out;\r[numthreads(1, 1, 1)] void main() {\r    uint x = 1; // set\r    SET\r    Out[0] = x;\r}\r";
    let run = "{ \"shader\": \"a.hlsl\", \"args\": [\"-T\", \"cs_6_6\", \"-E\", \"main\"], \"resources\": { \"Out\": { \"u32\": [0] } },
        \"dispatch\": [{ \"groups\": [1, 1, 1] }], \"expect\": { \"Out\": { \"u32\": [2] } } }";
    let dir = Scratch::new().with("a.hlsl", text).with("a.run.json", run);
    let ran = wgc(&dir.0, ["run", "--inputs", "a.run.json"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out(), ran.stderr);
    let wrong = dir.with("b.hlsl", "uint a;\r// comment\rvoid F() { missing; }\r\n");
    let ran = wgc(&wrong.0, ["check", "--library", "b.hlsl", "--message-format", "short"]).expect(1);
    assert!(ran.stderr.starts_with("b.hlsl:3:12: error"), "{}", ran.stderr);
    // The formatter changes no token of such a file.
    wgc(&wrong.0, ["fmt", "a.hlsl"]).expect(0);
    assert_eq!(wgc(&wrong.0, ["run", "--inputs", "a.run.json"]).status, 0);
}

/// A name of a template instance has the names of all arguments, which need more than an instruction of SPIR-V.
#[test]
fn long_names_of_instances_are_cut_in_debug_information() {
    let types: Vec<String> = ["a", "b", "c", "d", "e"].iter().map(|letter| letter.repeat(60_000)).collect();
    let structs: String = types.iter().map(|name| format!("struct {name} {{ uint x; }};\n")).collect();
    let locals: String = types.iter().enumerate().map(|(n, name)| format!("{name} v{n}; v{n}.x = 1;\n")).collect();
    let text = format!(
        "{structs}template<typename A, typename B, typename C, typename D, typename E>\n\
         uint f(A a, B b, C c, D d, E e) {{ return a.x + 1; }}\nRWByteAddressBuffer Out;\n\
         [numthreads(1, 1, 1)] void main() {{ {locals} Out.Store(0, f(v0, v1, v2, v3, v4)); }}\n"
    );
    let dir = Scratch::new().with("a.hlsl", text);
    wgc(&dir.0, ["-T", "cs_6_6", "-E", "main", "-Zi", "-Od", "a.hlsl", "-o", "a.spv"]).expect(0);
    wgc(&dir.0, ["verify", "a.spv"]).expect(0);
}
