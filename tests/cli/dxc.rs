//! Command lines written for DXC: spellings, options without effect, preprocessing, listings, dependencies, warnings.

use crate::support::{Scratch, wgc};
use crate::{GRAPH, graph};

fn fill() -> &'static str {
    "#include \"inc/size.hlsli\"\n#define OUT(i) Out[i]\nRWStructuredBuffer<uint> Out : register(u0);\n\
     [numthreads(SIZE, 1, 1)]\nvoid main(uint t : SV_GroupIndex) {\n    OUT(t) = -t + 1.0.x;\n    if (t > 2) { Out[0]++; }\n}\n"
}

fn with_header() -> Scratch {
    let dir = Scratch::new().with("fill.hlsl", fill());
    std::fs::create_dir(dir.0.join("inc")).expect("made");
    dir.with("inc/size.hlsli", "#pragma once\n#ifndef SIZE\n#define SIZE 4\n#endif\nstatic const uint unused = SIZE;\n")
}

#[test]
fn slash_options_and_joined_values_are_accepted() {
    let dir = with_header();
    let line = ["/nologo", "/Tcs_6_6", "/E", "main", "-O3", "-Zi", "-Qembed_debug", "-fspv-debug=line", "-D=SIZE=8"];
    wgc(&dir.0, line.into_iter().chain(["fill.hlsl", "-Foout.spv", "-Fc", "out.spvasm"])).expect(0);
    assert_eq!(dir.entries(), ["fill.hlsl", "inc", "out.spv", "out.spvasm"]);
    let listing = std::fs::read_to_string(dir.0.join("out.spvasm")).expect("written");
    assert!(listing.contains("LocalSize 8 1 1"), "{listing}");
    let absolute = dir.0.join("fill.hlsl");
    wgc(&dir.0, ["check", "-T", "cs_6_0", absolute.to_str().expect("text")]).expect(0);
}

#[test]
fn unsupported_command_lines_suggest_alternatives() {
    let dir = graph().with("self.rsp", "@self.rsp");
    let cases: &[(&[&str], &[&str])] = &[
        (&["graph.hlsl", "-dumpbin"], &["-dumpbin", "DXIL"]),
        (&["graph.hlsl", "-rootsig-define", "RS"], &["-rootsig-define", "[RootSignature(NAME)]"]),
        (&["graph.hlsl", "-HV", "1999"], &["-HV", "2021", "1999"]),
        (&["graph.hlsl", "-fspv-debgu=line"], &["unknown option", "`-fspv-debug`"]),
        (&["graph.hlsl", "-Fd"], &["-Fd needs a value"]),
        (&["@none.rsp"], &["@none.rsp", "cannot be read"]),
        (&["@self.rsp"], &["in a cycle"]),
    ];
    for (args, parts) in cases {
        let ran = wgc(&dir.0, *args).expect(2);
        for part in *parts {
            assert!(ran.stderr.contains(part), "{args:?}: `{part}` is missing from\n{}", ran.stderr);
        }
    }
}

/// Compiles to the same module as without the option, with one warning. It can be disabled or made an error like
/// others.
#[test]
fn an_older_language_is_read_as_2021_with_a_warning() {
    let dir = with_header();
    let compile = |more: &[&str], status| {
        let line = ["fill.hlsl", "-T", "cs_6_6", "-Fo", "out.spv"];
        let ran = wgc(&dir.0, line.into_iter().chain(more.iter().copied())).expect(status);
        (ran.stderr, std::fs::read(dir.0.join("out.spv")).unwrap_or_default())
    };
    let plain = compile(&[], 0);
    assert!(plain.0.is_empty() && !plain.1.is_empty(), "{}", plain.0);
    for year in ["2016", "2017", "2018"] {
        let (stderr, module) = compile(&["-HV", year], 0);
        assert!(stderr.starts_with(&format!("wgc: warning: -HV {year}: ")), "{stderr}");
        assert!(stderr.contains("HLSL 2021") && stderr.lines().count() == 1 && module == plain.1, "{stderr}");
    }
    for quiet in [["-HV", "2021", "-WX"], ["-HV", "202x", "-WX"], ["-HV", "2018", "-no-warnings"]] {
        assert_eq!(compile(&quiet, 0), plain, "{quiet:?}");
    }
    assert!(compile(&["-HV", "2018", "-WX"], 1).0.contains("error: -HV 2018"));
}

/// Values from DXC 1.8 with the same options. In 2021, literals take the type of the other operand.
#[test]
fn literals_of_202x_are_int_and_float() {
    let source = "RWStructuredBuffer<double> D; RWStructuredBuffer<uint> U;
        static const int64_t Wide = 1 << 40;
        [numthreads(1, 1, 1)] void main()
        {
            D[0] = 5.57; D[1] = 1.0 / 3.0;
            int64_t x = 1 << 40;
            U[0] = (uint)(x >> 8); U[1] = sizeof(1.0); U[2] = sizeof(3000000000); U[3] = sizeof(0xffffffff);
            U[4] = 0xffffffff > -1; U[5] = (uint)(Wide >> 8); U[6] = __HLSL_VERSION;
        }";
    let run = r#"{ "shader": "l.hlsl", "resources": { "D": { "zero_bytes": 16 }, "U": { "zero_bytes": 28 } }, "dispatch": [{ "groups": [1] }],
        "expect": { "D": { "f64": [5.570000171661377, 0.3333333432674408] }, "U": { "u32": [1, 4, 8, 4, 0, 1, 2029] } } }"#;
    let dir = Scratch::new().with("l.hlsl", source).with("l.json", run);
    let line = ["run", "l.hlsl", "--inputs", "l.json", "-T", "cs_6_6", "-E", "main"];
    wgc(&dir.0, line.into_iter().chain(["-HV", "202x"])).expect(0);
    assert!(wgc(&dir.0, line).expect(1).out().contains("5.57"), "literals of 2021");
}

#[test]
fn compute_shaders_of_models_before_6_are_taken_with_a_warning() {
    let source = "RWStructuredBuffer<uint> U; [numthreads(1, 1, 1)] void main() { U[0] = __SHADER_TARGET_MAJOR * 10 + __SHADER_TARGET_MINOR; }";
    let dir = Scratch::new().with("old.hlsl", source);
    for (profile, value) in [("cs_4_0", 40), ("cs_5_0", 50), ("cs_5_1", 51)] {
        let ran = wgc(&dir.0, ["old.hlsl", "-T", profile, "--emit", "asm"]).expect(0);
        assert!(ran.stderr.contains(&format!("warning: -T {profile}")), "{}", ran.stderr);
        assert!(ran.out().contains(&format!(" {value}\n")), "{}", ran.out());
    }
}

#[test]
fn a_response_file_expands_to_its_arguments() {
    let dir = with_header().with("args.rsp", "-T cs_6_6\n\"fill.hlsl\" -o out.spv");
    wgc(&dir.0, ["@args.rsp"]).expect(0);
    assert!(dir.entries().contains(&"out.spv".to_string()));
}

/// The text compiles to the same module except for its lines, and names the origin of each line.
#[test]
fn preprocessed_text_compiles_to_the_same_module() {
    let dir = with_header();
    let text = wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-P"]).expect(0).out();
    let wanted = "#line 5 \"inc/size.hlsli\"\nstatic const uint unused = 4;\n#line 3 \"fill.hlsl\"\n\
        RWStructuredBuffer < uint > Out : register(u0);\n[numthreads(4, 1, 1)]\nvoid main(uint t : SV_GroupIndex) {\n    \
        Out[t] = - t + 1.0 .x;\n    if(t > 2) { Out[0] ++;";
    assert!(text.starts_with(wanted), "{text}\nwanted\n{wanted}");
    wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-P", "-Fi", "out.hlsl"]).expect(0);
    assert_eq!(std::fs::read_to_string(dir.0.join("out.hlsl")).expect("written"), text);
    let module = |file: &str| wgc(&dir.0, [file, "-T", "cs_6_6", "-Qstrip_debug", "-o", "-"]).expect(0).stdout;
    assert_eq!(module("out.hlsl"), module("fill.hlsl"));
    let dir = dir.with("missing.hlsl", "#include \"none.hlsli\"\nint x;\n");
    assert!(wgc(&dir.0, ["missing.hlsl", "-P"]).expect(1).stderr.contains("none.hlsli"));
}

/// `-M` and `-P` report errors of the preprocessor, but none of later passes.
#[test]
fn preprocessing_alone_checks_no_types() {
    let source = "#include \"b.hlsli\"\nuint f() { return x; }\nuint g( { }\n";
    let dir = Scratch::new().with("a.hlsl", source).with("b.hlsli", "static const uint B = nothing;\n");
    let rule = wgc(&dir.0, ["a.hlsl", "-M"]).expect(0);
    assert_eq!([rule.out(), rule.stderr.clone()], ["a.wgcpkg: \\\n  a.hlsl \\\n  b.hlsli\n", ""]);
    assert_eq!(wgc(&dir.0, ["a.hlsl", "-P"]).expect(0).stderr, "");
    let dir = dir.with("c.hlsl", format!("{source}#error no\n#warning well\n"));
    for option in ["-M", "-P"] {
        let found = wgc(&dir.0, ["c.hlsl", option, "--message-format=json"]).expect(1).stderr;
        assert!(found.contains("WG0005") && found.lines().count() == 2, "{found}");
    }
}

#[test]
fn preview_shader_models_are_reported() {
    let dir = with_header();
    for (profile, is_preview) in [("cs_6_10", true), ("cs_6_9", false), ("cs_6_x", false)] {
        let ran = wgc(&dir.0, ["fill.hlsl", "-T", profile, "-o", "-"]).expect(0);
        assert_eq!(ran.stderr.contains("-T cs_6_10 is a preview"), is_preview, "{}", ran.stderr);
    }
}

#[test]
fn dependencies_are_a_rule_for_make() {
    let dir = with_header();
    let rule = wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-M"]).expect(0).out();
    assert_eq!(rule, "fill.spv: \\\n  fill.hlsl \\\n  inc/size.hlsli\n");
    assert_eq!(dir.entries(), ["fill.hlsl", "inc"], "-M compiles nothing");
    assert_eq!(wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-M", "-MF", "only.dep"]).expect(0).out(), "");
    assert_eq!(std::fs::read_to_string(dir.0.join("only.dep")).expect("written"), rule);
    std::fs::remove_file(dir.0.join("only.dep")).expect("removed");
    wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-MD", "-o", "a.spv"]).expect(0);
    wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-MFb.dep"]).expect(0);
    assert_eq!(dir.entries(), ["a.d", "a.spv", "b.dep", "fill.hlsl", "fill.spv", "inc"]);
    assert_eq!(std::fs::read_to_string(dir.0.join("a.d")).expect("written"), rule.replace("fill.spv", "a.spv"));
    assert_eq!(std::fs::read_to_string(dir.0.join("b.dep")).expect("written"), rule);
    let own = wgc(&dir.0, ["fill.hlsl", "-T", "cs_6_6", "-MF", "fill.hlsl"]).expect(2);
    assert!(own.stderr.contains("it is an input of this command"), "{}", own.stderr);
}

#[test]
fn warnings_are_chosen_by_name() {
    let dir = Scratch::new().with("graph.hlsl", format!("#warning odd\n{GRAPH}"));
    let check = |args: &[&str], status| wgc(&dir.0, ["check", "graph.hlsl"].iter().chain(args)).expect(status).stderr;
    assert!(check(&[], 0).contains("WG0006"));
    assert_eq!(check(&["-Wno-user-warning"], 0), "");
    assert_eq!(check(&["-Wno-WG0006", "-WX"], 0), "");
    assert_eq!(check(&["-no-warnings"], 0), "");
    check(&["-WX"], 1);
    check(&["-Werror=user-warning"], 1);
    check(&["-Werror=unknown-attribute", "-Wno-conversion"], 0);
    // The groups of DXC: a group that its command line disables is disabled here.
    let text = "RWStructuredBuffer<uint> B; [numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
        uint2 two = id; if (two.x = 3) two == id.xy; B[0] = two.y; }";
    let dir = Scratch::new().with("c.hlsl", text);
    let check = |args: &[&str], status| {
        wgc(&dir.0, ["check", "c.hlsl", "-T", "cs_6_6", "-WX"].iter().chain(args)).expect(status).stderr
    };
    let all = ["-Wno-conversion", "-Wno-parentheses", "-Wno-unused-comparison"];
    assert_eq!(check(&all, 0), "");
    assert_eq!(check(&["-Wno-conversion", "-Wno-parentheses", "-Wno-unused-value"], 0), "");
    assert_eq!(check(&["-Wno-everything"], 0), "");
    for (left, code) in ["WG0211", "WG0234", "WG0235"].iter().enumerate() {
        let others: Vec<&str> = all.iter().enumerate().filter(|(n, _)| *n != left).map(|(_, name)| *name).collect();
        let stderr = check(&others, 1);
        assert!(stderr.contains(code) && stderr.matches("WG0").count() == 1, "{stderr}");
    }
}

#[test]
fn the_predefined_macros_follow_profile_and_environment() {
    let source = "#if __SHADER_TARGET_STAGE != 5 || __SHADER_TARGET_MAJOR != 6 || __SHADER_TARGET_MINOR != 4\n#error profile\n#endif\n\
        #if __SPIRV_MAJOR_VERSION__ != 1 || __SPIRV_MINOR_VERSION__ != 3\n#error environment\n#endif\n\
        [numthreads(1, 1, 1)] void main() { }\n";
    let dir = Scratch::new().with("a.hlsl", source);
    wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_4"]).expect(1);
    wgc(&dir.0, ["a.hlsl", "-T", "cs_6_4", "-fspv-target-env=vulkan1.1", "-o", "-"]).expect(0);
}

/// A header that tests the version sees the version of the written module.
#[test]
fn the_version_of_spirv_is_that_of_the_module() {
    let node = "[Shader(\"node\")] [NodeLaunch(\"thread\")] void root() { Out[0] = __SPIRV_MINOR_VERSION__ * 1000; }\n";
    let main = "[numthreads(1, 1, 1)] void main() { Out[0] = __SPIRV_MINOR_VERSION__ * 1000; }\n";
    let buffer = "RWStructuredBuffer<uint> Out;\n";
    let dir = Scratch::new().with("node.hlsl", buffer.to_owned() + node).with("main.hlsl", buffer.to_owned() + main);
    let cases: [(&[&str], u32); 5] = [
        (&["main.hlsl", "-T", "cs_6_6"], 5),
        (&["main.hlsl", "-T", "cs_6_6", "-fspv-target-env=vulkan1.3"], 6),
        (&["main.hlsl", "-T", "cs_6_6", "--target", "spirv-amdx"], 5),
        (&["node.hlsl", "--target", "spirv-amdx"], 6),
        (&["node.hlsl", "--target", "spirv-emulated"], 5),
    ];
    for (arguments, minor) in cases {
        let text = wgc(&dir.0, arguments.iter().chain(&["--emit", "asm"])).expect(0).out();
        assert!(text.contains(&format!("Version: 1.{minor}")), "{arguments:?}\n{text}");
        assert!(text.contains(&format!("%uint {}", minor * 1000)), "{arguments:?}\n{text}");
    }
}

/// The versions of the compiler that defines this language.
#[test]
fn headers_may_ask_for_a_version_of_dxc() {
    let text = "#if !(__DXC_VERSION_MAJOR > 1 || __DXC_VERSION_MINOR >= 8) || !defined(__DXC_VERSION_RELEASE) \
                || !defined(__DXC_VERSION_COMMITS)\n#error old\n#endif\n[numthreads(1, 1, 1)] void main() { }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_6"]).expect(0);
}

#[test]
fn strip_debug_omits_names() {
    let dir = graph();
    let text = wgc(&dir.0, ["graph.hlsl", "-spirv", "-Qstrip_debug", "--emit", "asm"]).expect(0).out();
    assert!(!text.contains("OpName") && !text.contains("OpMemberName"), "{text}");
    assert!(wgc(&dir.0, ["graph.hlsl", "-spirv", "--emit", "asm"]).expect(0).out().contains("OpName"));
}

/// The built-in headers are not dependencies for a build. A file of the program with such a name takes precedence.
#[test]
fn built_in_headers_are_not_dependencies() {
    let text = "#include <vk/opcode_selector.h>\nRWStructuredBuffer<uint> Out;\n[numthreads(1, 1, 1)] void main() \
                { Out[0] = vk::util::ConversionSelector<float, uint>::Convert<uint>(2.5); }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    let rule = wgc(&dir.0, ["a.hlsl", "-T", "cs_6_6", "-E", "main", "-M"]).expect(0).out();
    assert_eq!(rule, "a.spv: \\\n  a.hlsl\n");
    std::fs::create_dir(dir.0.join("vk")).expect("made");
    let dir = dir.with("vk/opcode_selector.h", "#error of the program's own\n");
    let ran = wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_6", "-E", "main"]).expect(1);
    assert!(
        ran.stderr.contains("of the program's own") || ran.out().contains("of the program's own"),
        "{}",
        ran.stderr
    );
}

/// Numbers come from the SPIR-V registry. Matrices held by a subgroup are refused by name.
#[test]
fn vk_spirv_header_declares_registry_constants() {
    let text = "#include \"vk/spirv.h\"
        _Static_assert(vk::ScopeSubgroup == 3 && vk::StorageClassWorkgroup == 4, \"\");
        _Static_assert(vk::StorageClassStorageBuffer == 12 && vk::StorageClassPhysicalStorageBuffer == 5349, \"\");
        _Static_assert(vk::MemoryAccessNontemporalMask == 4 && vk::MemorySemanticsWorkgroupMemoryMask == 0x100, \"\");
        _Static_assert(vk::CooperativeMatrixLayoutColumnMajorKHR == 1, \"\");
        [numthreads(1, 1, 1)] void main() { }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_6", "-E", "main"]).expect(0);
    let text = "#include <vk/khr/cooperative_matrix.h>\n[numthreads(1, 1, 1)] void main() { }\n";
    let ran = wgc(&dir.with("b.hlsl", text).0, ["check", "b.hlsl", "-T", "cs_6_6", "-E", "main"]).expect(1);
    assert!(ran.stderr.contains("does not compile cooperative matrices"), "{}", ran.stderr);
}

/// Function-like macros of the command line use clang's syntax.
#[test]
fn macros_with_parameters_can_be_given() {
    let text = "RWStructuredBuffer<uint> Out;\n_Static_assert(C(3, 4) == 11, \"\");\n[numthreads(1, 1, 1)] void main() { Out[0] = C(1, 2); }\n";
    let dir = Scratch::new().with("a.hlsl", text);
    wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_6", "-E", "main", "-D", "C(x,y)=x + 2 * y"]).expect(0);
    wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_6", "-E", "main", "-DC(x, y)=x + 2 * y"]).expect(0);
    wgc(&dir.0, ["check", "a.hlsl", "-T", "cs_6_6", "-E", "main", "-DC(x, y)=x + y"]).expect(1);
}

/// Options of DXC that take values from the next arguments, by the number of values. None of them consumes the file,
/// and no value is read as a file. An unsupported option is refused by name.
#[test]
fn options_of_dxc_take_their_values() {
    const OPTIONS: &[(&str, &[&str])] = &[
        ("HV", &["2021"]),
        ("auto-binding-space", &["1"]),
        ("binding-table-define", &["T"]),
        ("default-linkage", &["external"]),
        ("encoding", &["utf8"]),
        ("exports", &["a"]),
        ("external", &["a.dll"]),
        ("external-fn", &["f"]),
        ("Fd", &["a.pdb"]),
        ("Fe", &["a.txt"]),
        ("Fh", &["a.h"]),
        ("force-rootsig-ver", &["rootsig_1_1"]),
        ("force_rootsig_ver", &["rootsig_1_1"]),
        ("Fre", &["a.ref"]),
        ("Frs", &["a.rs"]),
        ("Fsh", &["a.hash"]),
        ("fspv-max-id", &["9999999"]),
        ("fvk-b-shift", &["1", "0"]),
        ("fvk-bind-counter-heap", &["1", "0"]),
        ("fvk-bind-globals", &["1", "0"]),
        ("fvk-bind-register", &["u0", "0", "1", "0"]),
        ("fvk-bind-resource-heap", &["1", "0"]),
        ("fvk-bind-sampler-heap", &["1", "0"]),
        ("fvk-s-shift", &["1", "0"]),
        ("fvk-t-shift", &["1", "0"]),
        ("fvk-u-shift", &["1", "all"]),
        ("ignore-semdef", &["N"]),
        ("imacros", &["a.h"]),
        ("import-binding-table", &["a.csv"]),
        ("include", &["a.h"]),
        ("memdep-block-scan-limit", &["9"]),
        ("mllvm", &["-x"]),
        ("opt-disable", &["gvn"]),
        ("opt-enable", &["gvn"]),
        ("opt-select", &["a", "b"]),
        ("override-semdef", &["N=1"]),
        ("precise-output", &["SV_Position"]),
        ("print-after", &["a"]),
        ("print-before", &["a"]),
        ("rootsig-define", &["RS"]),
        ("select-validator", &["internal"]),
        ("validator-version", &["1.8"]),
        ("vkbr", &["u0", "0", "1", "0"]),
        ("Vn", &["name"]),
        ("working-directory", &["."]),
    ];
    const REFUSED: &[&str] = &[
        "Fe",
        "Fh",
        "Fre",
        "Frs",
        "Fsh",
        "Vn",
        "binding-table-define",
        "exports",
        "imacros",
        "import-binding-table",
        "include",
        "mllvm",
        "print-after",
        "print-before",
        "rootsig-define",
        "working-directory",
    ];
    let dir = graph();
    for (name, values) in OPTIONS {
        let option = format!("-{name}");
        let line: Vec<&str> = ["check", option.as_str()].into_iter().chain(values.iter().copied()).collect();
        let ran = wgc(&dir.0, line.iter().copied().chain(["graph.hlsl"]));
        if REFUSED.contains(name) {
            let expected = format!("wgc does not support the DXC option {option}");
            assert!(ran.status == 2 && ran.stderr.contains(&expected), "{option}: {}", ran.stderr);
            continue;
        }
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{option}");
        let ran = wgc(&dir.0, line[..line.len() - 1].iter().copied());
        assert!(ran.status == 2 && ran.stderr.contains(" needs "), "{option}: {}", ran.stderr);
    }
    // DXC ignores an entry point for a library, even one that does not exist.
    wgc(&dir.0, ["check", "graph.hlsl", "-T", "lib_6_8", "-E", "nowhere"]).expect(0);
    wgc(&dir.0, ["check", "graph.hlsl", "-Emain", "-Tlib_6_8"]).expect(0);
}
