//! Tests of graphs that consist of several modules, and of nodes with other names for the host than in the module. The
//! rules between nodes apply to them too.

use std::collections::BTreeMap;
use wgc_spirv_module::{Extent, Module, NodeName, Part, asm, verify, verify_set};

#[path = "verify/broken_graphs.rs"]
mod broken_graphs;
use broken_graphs::BROKEN;

const GRAPH: &str = include_str!("verify/graph.spvasm");

/// A node that shares the input of a node that shares another's. `BROKEN` has one that shares its own.
const SHARES_A_SHARERS: broken_graphs::Broken = (
    "AMDX-14",
    &[
        (
            "OpDecorateId %t_b NodeMaxPayloadsAMDX",
            "OpDecorate %in_b NonWritable\nOpDecorateId %t_b NodeMaxPayloadsAMDX",
        ),
        (
            "OpExecutionModeId %b ShaderIndexAMDX %u1",
            "OpExecutionModeId %b ShaderIndexAMDX %u1\nOpExecutionModeId %b SharesInputWithAMDX %s_d %u0\n\
         OpExecutionModeId %b IsApiEntryAMDX %false",
        ),
        // It may not write to the shared input.
        ("OpStore %b_q %u4\n", ""),
    ],
    "",
);

/// The rules about two nodes that modules of single nodes cannot break alone.
const BETWEEN: [&str; 5] = ["AMDX-14", "AMDX-49", "AMDX-50", "AMDX-51", "AMDX-52"];

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(GRAPH.to_string(), |text, (from, to)| text.replacen(from, to, 1))
}

fn load(text: &str) -> Module {
    Module::load(&asm::assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}")))
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Returns the function and the name of each entry point.
fn entries(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter(|line| line.starts_with("OpEntryPoint "));
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    words.map(|words| (words[2].to_string(), words[3].trim_matches('"').to_string())).collect()
}

/// Returns a module for each entry point: the text without all others, their modes and their functions.
fn split(text: &str) -> Vec<String> {
    let all = entries(text);
    let only = |own: &str| {
        let mut within = false;
        let mut out = String::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_other = |id: &str| id != own && all.iter().any(|(function, _)| function == id);
            within |= words.get(2) == Some(&"OpFunction") && is_other(words[0]);
            let is_about_other = match words.first() {
                Some(&"OpEntryPoint") => is_other(words[2]),
                Some(&("OpExecutionMode" | "OpExecutionModeId" | "OpName")) => is_other(words[1]),
                _ => false,
            };
            if !within && !is_about_other {
                out.push_str(line);
                out.push('\n');
            }
            within &= words.first() != Some(&"OpFunctionEnd");
        }
        out
    };
    all.iter().map(|(function, _)| only(function)).collect()
}

fn rules_of(modules: &[Module], extent: Extent) -> Vec<&'static str> {
    let parts: Vec<Part> = modules.iter().map(|module| Part { module, names: &[] }).collect();
    verify_set(&parts, extent).concat().iter().map(|v| v.rule).collect()
}

#[test]
fn a_graph_of_modules_of_one_node_is_valid() {
    let modules: Vec<Module> = split(GRAPH).iter().map(|text| load(text)).collect();
    assert_eq!(modules.len(), 4);
    assert_eq!(rules_of(&modules, Extent::All), [""; 0]);
}

#[test]
fn rules_between_nodes_are_checked_across_modules() {
    let mut seen = BTreeMap::new();
    let broken = BROKEN.iter().filter(|b| BETWEEN.contains(&b.0) && b.0 != SHARES_A_SHARERS.0);
    for (rule, changes, _) in broken.chain([&SHARES_A_SHARERS]) {
        let modules: Vec<Module> = split(&changed(changes)).iter().map(|text| load(text)).collect();
        let alone: Vec<_> = modules.iter().flat_map(verify).collect();
        // A node that sends to itself breaks the rule alone.
        if !alone.is_empty() {
            continue;
        }
        let found = rules_of(&modules, Extent::Some);
        assert!(!found.is_empty() && found.iter().all(|r| r == rule), "{rule} {changes:?}: {found:?}");
        *seen.entry(*rule).or_insert(0) += 1;
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), BETWEEN);
}

#[test]
fn cross_node_rules_use_host_names() {
    let mut tested = 0;
    let of_nodes = [&BETWEEN[..], &["AMDX-19", "AMDX-20"]].concat();
    for (rule, changes, _) in BROKEN.iter().filter(|b| of_nodes.contains(&b.0)) {
        let mut text = changed(changes);
        let mut names = Vec::new();
        for (n, (function, name)) in entries(&text).into_iter().enumerate() {
            let entry_point = format!("{name}.{n}");
            text = text.replace(&format!("{function} \"{name}\""), &format!("{function} \"{entry_point}\""));
            names.push(NodeName { entry_point, name, index: None });
        }
        let module = load(&text);
        let verified = |names| verify_set(&[Part { module: &module, names }], Extent::Some).concat();
        let found = verified(&names);
        assert!(!found.is_empty() && found.iter().all(|v| v.rule == *rule), "{rule} {changes:?}: {found:#?}");
        // `d` receives the payloads sent to `c`, under any name.
        let others = verified(&[]).into_iter().find(|v| !v.message.contains("node `d.3`"));
        assert_eq!(others, None, "{rule}: by the names of the module nothing is sent to its other nodes");
        tested += 1;
    }
    assert!(tested >= of_nodes.len(), "{tested}");
}

#[test]
fn host_names_may_include_node_indexes() {
    // b has index 1, and a sends to it.
    let module = load(GRAPH);
    let named = |index| [NodeName { entry_point: "b".into(), name: "b".into(), index }];
    let rules = |names: &[NodeName]| -> Vec<_> {
        verify_set(&[Part { module: &module, names }], Extent::All).concat().iter().map(|v| v.rule).collect()
    };
    assert_eq!(rules(&named(None)), [""; 0]);
    assert_eq!(rules(&named(Some(1))), [""; 0]);
    assert_eq!(rules(&named(Some(5))), ["AMDX-54"]);
}

#[test]
fn duplicate_nodes_in_a_graph_are_reported() {
    let modules: Vec<Module> = split(GRAPH).iter().chain(&split(GRAPH)[1..2]).map(|text| load(text)).collect();
    assert_eq!(rules_of(&modules, Extent::Some), ["AMDX-53"]);
}

/// `d` is the second node of `c`. Nothing is sent to them, since other rules would be broken too. The last change is
/// applied twice.
const SIBLINGS: [(&str, &str); 3] = [
    ("OpEntryPoint GLCompute %d \"d\"", "OpEntryPoint GLCompute %d \"c\""),
    (
        "OpExecutionMode %d LocalSize 4 1 1",
        "OpExecutionMode %d LocalSize 4 1 1\nOpExecutionModeId %d ShaderIndexAMDX %u1",
    ),
    ("PayloadNodeNameAMDX %s_c", "PayloadNodeNameAMDX %s_s"),
];
/// `d` declares no input.
const NO_INPUT: [(&str, &str); 2] =
    [("\"c\" %in_d", "\"c\""), ("%d_p = OpAccessChain %pu %in_d %u0 %u0\n%d_x = OpLoad %uint %d_p\n", "")];

/// Returns the violations in the modules of `SIBLINGS` with these changes.
fn siblings(changes: &[(&str, &str)]) -> Vec<wgc_spirv_module::Violation> {
    let text = changed(&[&SIBLINGS[..], &SIBLINGS[2..], changes].concat());
    let modules: Vec<Module> = split(&text).iter().map(|text| load(text)).collect();
    let parts: Vec<Part> = modules.iter().map(|module| Part { module, names: &[] }).collect();
    verify_set(&parts, Extent::Some).concat()
}

#[test]
fn same_name_nodes_must_consume_equal_payloads() {
    let broken: [(&[(&str, &str)], &str); 4] = [
        (
            &[
                ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %v3 %uint"),
                ("OpMemberDecorate %fixed 1 Offset 4", "OpMemberDecorate %fixed 1 Offset 12"),
                ("%fixed 1 PayloadDispatchIndirectAMDX", "%fixed 0 PayloadDispatchIndirectAMDX"),
                ("OpAccessChain %pu %in_d %u0 %u0", "OpAccessChain %pu %in_d %u0 %u1"),
            ],
            "in PayloadDispatchIndirectAMDX of the member at byte 4",
        ),
        // An equally large payload without the first member.
        (
            &[
                ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %v3"),
                ("OpMemberDecorate %fixed 0 Offset 0\n", ""),
                ("OpMemberDecorate %fixed 1 Offset 4", "OpMemberDecorate %fixed 0 Offset 4"),
                ("%fixed 1 PayloadDispatchIndirectAMDX", "%fixed 0 PayloadDispatchIndirectAMDX"),
                ("OpMemberDecorate %fixed 1 NonWritable\n", ""),
                ("OpAccessChain %pu %in_d %u0 %u0", "OpAccessChain %pu %in_d %u0 %u0 %u0"),
            ],
            "at byte 0",
        ),
        // Only the beginning of the payload.
        (
            &[
                ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %uint"),
                ("OpMemberDecorate %fixed 1 Offset 4\n", ""),
                ("OpMemberDecorate %fixed 1 PayloadDispatchIndirectAMDX\n", ""),
                ("OpMemberDecorate %fixed 1 NonWritable\n", ""),
            ],
            "one has 16 bytes and one 4",
        ),
        (&NO_INPUT, "one has 16 bytes and one 0"),
    ];
    for (changes, part) in broken {
        let found = siblings(changes);
        let [one] = found.as_slice() else { panic!("{changes:?}: {found:#?}") };
        assert_eq!(one.rule, "AMDX-55");
        let begins = one.message.starts_with("node `c` and node `c`[1] consume different payloads: ");
        assert!(begins && one.message.contains(part), "{}", one.message);
    }
}

/// Checks that they may have separate structures, with members of other types, if the layouts are equal.
#[test]
fn same_name_nodes_may_declare_separate_payload_types() {
    assert_eq!(siblings(&[]), []);
    let float = [
        ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %float %v3"),
        (NO_INPUT[1].0, "%d_n = OpNodePayloadArrayLengthAMDX %uint %in_d\n"),
    ];
    assert_eq!(siblings(&float), []);
    // A node without a declared input receives a grid, if it has no fixed one.
    let implicit = [
        ("OpExecutionModeId %d StaticNumWorkgroupsAMDX %u4 %u1 %u1\n", ""),
        ("%grid = OpTypeStruct %uint %v3", "%grid = OpTypeStruct %v3"),
        ("OpMemberDecorate %grid 0 Offset 0\n", ""),
        ("OpMemberDecorate %grid 1 Offset 4", "OpMemberDecorate %grid 0 Offset 0"),
        ("%grid 1 PayloadDispatchIndirectAMDX", "%grid 0 PayloadDispatchIndirectAMDX"),
        ("%c_p = OpAccessChain %pu %in_c %u0 %u0", "%c_p = OpAccessChain %pu %in_c %u0 %u0 %u0"),
    ];
    assert_eq!(siblings(&[&NO_INPUT[..], &implicit].concat()), []);
}

#[test]
fn a_whole_graph_must_contain_shared_input_owners() {
    let texts = split(&changed(&[("SharesInputWithAMDX %s_c %u0", "SharesInputWithAMDX %s_c %u4")]));
    let modules: Vec<Module> = texts.iter().map(|text| load(text)).collect();
    assert_eq!(rules_of(&modules, Extent::Some), [""; 0]);
    assert_eq!(rules_of(&modules, Extent::All), ["AMDX-14"]);
    // A node without a known index may own the input.
    let unknown = "%s_a = OpConstantStringAMDX";
    let texts = texts.iter().map(|text| {
        let text = text.replace(unknown, &format!("%unset = OpUndef %uint\n{unknown}"));
        text.replace("%c MaxNum", "%c ShaderIndexAMDX %unset\nOpExecutionModeId %c MaxNum")
    });
    let modules: Vec<Module> = texts.map(|text| load(&text)).collect();
    assert_eq!(rules_of(&modules, Extent::All), ["AMDX-11"]);
}

/// Checks that a missing node is reported only for a whole graph.
#[test]
fn a_whole_graph_must_contain_its_output_targets() {
    let modules: Vec<Module> = split(GRAPH)
        .iter()
        .filter(|text| !text.contains("OpEntryPoint GLCompute %b "))
        .map(|text| load(text))
        .collect();
    assert_eq!(modules.len(), 3);
    assert_eq!(rules_of(&modules, Extent::Some), [""; 0]);
    let found = rules_of(&modules, Extent::All);
    assert!(!found.is_empty() && found.iter().all(|rule| *rule == "AMDX-54"), "{found:?}");
    let sparse = |text: &String| {
        text.replace(
            "OpDecorateId %o_b PayloadNodeName",
            "OpDecorate %o_b PayloadNodeSparseArrayAMDX\nOpDecorateId %o_b PayloadNodeName",
        )
    };
    let texts = split(GRAPH);
    let without = texts.iter().filter(|text| !text.contains("OpEntryPoint GLCompute %b "));
    let modules: Vec<Module> = without.map(sparse).map(|text| load(&text)).collect();
    assert_eq!(rules_of(&modules, Extent::All), [""; 0]);
}
