//! Tests of the rules of SPV_AMDX_shader_enqueue. Valid graphs pass, each rule has modules that break it and no other,
//! and the document lists the rules of the table.

use std::collections::BTreeSet;
use wgc_spirv_module::verify::amdx::RULES;
use wgc_spirv_module::{Level, Module, Violation, asm, verify, words};

#[path = "verify/broken_graphs.rs"]
mod broken_graphs;
use broken_graphs::BROKEN;

const GRAPH: &str = include_str!("verify/graph.spvasm");

/// Returns the violations, with the names of the text instead of ids, so that tests can recognise messages.
fn violations(text: &str) -> Vec<Violation> {
    let mut names: Vec<&str> = Vec::new();
    for word in text.lines().flat_map(|l| l.split(';').next().unwrap_or("").split_whitespace()) {
        if let Some(name) = word.strip_prefix('%').filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut found = verify(&Module::load(&words).unwrap_or_else(|e| panic!("{e}\n{text}")));
    for violation in &mut found {
        for (n, name) in names.iter().enumerate().rev() {
            violation.message = violation.message.replace(&format!("%{}", n + 1), &format!("%{name}"));
        }
    }
    found
}

fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = GRAPH.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in the frame");
        text = text.replacen(from, to, 1);
    }
    text
}

#[test]
fn base_module_is_valid() {
    let found = violations(GRAPH);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn each_case_violates_exactly_one_rule() {
    let mut failures = Vec::new();
    for (rule, changes, part) in BROKEN {
        let found = violations(&changed(changes));
        let is_reported = found.iter().any(|v| v.message.contains(part));
        if found.is_empty() || !is_reported || found.iter().any(|v| v.rule != *rule) {
            let found: Vec<String> = found.iter().map(|v| format!("\n    {v}")).collect();
            failures.push(format!("{rule} {part:?} {changes:?}{}", found.concat()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_has_a_module_that_breaks_it() {
    let broken: BTreeSet<&str> = BROKEN.iter().map(|b| b.0).chain(OTHERS.iter().copied()).collect();
    for rule in RULES {
        assert!(broken.contains(rule.id), "{} has no module", rule.id);
    }
}

/// Rules with modules that are created below, and in `graphs.rs`.
const OTHERS: &[&str] = &["AMDX-01", "AMDX-15", "AMDX-53", "AMDX-54", "AMDX-55"];

#[test]
fn the_extension_needs_version_1_4() {
    let mut words = asm::assemble(GRAPH).expect("it assembles");
    let broken = |words: &[u32]| -> Vec<&str> {
        verify(&Module::load(words).expect("it loads"))
            .iter()
            .map(|v| v.rule)
            .filter(|r| r.starts_with("AMDX"))
            .collect()
    };
    words[1] = 0x0001_0400;
    assert_eq!(broken(&words), [""; 0]);
    words[1] = 0x0001_0300;
    assert_eq!(broken(&words), ["AMDX-01"]);
}

#[test]
fn at_most_256_nodes_share_an_input() {
    let with = |sharers: u32| {
        let (mut entries, mut modes, mut functions) = (String::new(), String::new(), String::new());
        for n in 1..sharers {
            entries += &format!("OpEntryPoint GLCompute %d{n} \"d{n}\" %in_d\n");
            modes += &format!(
                "OpExecutionMode %d{n} LocalSize 1 1 1\nOpExecutionModeId %d{n} StaticNumWorkgroupsAMDX %u1 %u1 %u1\n\
                 OpExecutionModeId %d{n} SharesInputWithAMDX %s_c %u0\nOpExecutionModeId %d{n} IsApiEntryAMDX %false\n"
            );
            functions += &format!(
                "%d{n} = OpFunction %void None %ft\n%d{n}_l = OpLabel\n%d{n}_p = OpAccessChain %pu %in_d %u0 %u0\nOpReturn\n\
                 OpFunctionEnd\n"
            );
        }
        let first = "OpExecutionMode %a LocalSize 1 1 1";
        let text = changed(&[(first, &format!("{entries}{modes}{first}"))]) + &functions;
        verify(&Module::load(&asm::assemble(&text).expect("it assembles")).expect("it loads"))
    };
    // The owner counts too.
    assert_eq!(with(255), []);
    let found = with(258);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].rule, "AMDX-15");
    assert!(found[0].message.contains("the 257th node that consumes the input of `c`"), "{}", found[0].message);
}

#[test]
fn violations_have_locations_and_help() {
    let found = violations(&changed(&[("%po_b %u4 %u2 %u0", "%po_b %u1 %u2 %u0")]));
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(one.line, Some(("graph.hlsl".into(), 7, 3)));
    assert!(one.help.contains("2 (Workgroup)"), "{}", one.help);
    let text = one.to_string();
    assert!(text.contains("graph.hlsl:7:3: ") && text.ends_with("[AMDX-33, SPV OpAllocateNodePayloadsAMDX]"), "{text}");
    // A finding about a type is located at the allocation of its payloads, and one about a node at the node's
    // beginning.
    for change in [
        ("OpDecorateId %o_b PayloadNodeArraySizeAMDX %u2\n", ""),
        ("%a CoalescingAMDX", "%a CoalescingAMDX\nOpExecutionModeId %a StaticNumWorkgroupsAMDX %u1 %u1 %u1"),
    ] {
        let found = violations(&changed(&[change]));
        assert_eq!(found.first().and_then(|v| v.line.clone()), Some(("graph.hlsl".into(), 7, 3)), "{found:#?}");
    }
}

/// Checks that a payload may have any type with a layout: the texts do not require a structure.
#[test]
fn payloads_are_of_any_type_with_a_layout() {
    for (types, payload) in
        [("", "%uint"), ("%pair = OpTypeVector %uint 2\n", "%pair"), ("%some = OpTypeArray %uint %u4\n", "%some")]
    {
        let found = violations(&changed(&[
            ("OpDecorateId %t_a", "OpDecorateId %odd NodeMaxPayloadsAMDX %u1\nOpDecorateId %t_a"),
            (
                "OpDecorate %left",
                if payload == "%some" {
                    "OpDecorate %some ArrayStride 4\nOpDecorate %left"
                } else {
                    "OpDecorate %left"
                },
            ),
            (
                "%ft = ",
                &format!(
                    "{types}%odd = OpTypeNodePayloadArrayAMDX {payload}\n%p_odd = OpTypePointer NodePayloadAMDX %odd\n%ft = "
                ),
            ),
        ]));
        assert_eq!(found, [], "{payload}");
    }
}

/// Checks that only the numbers of execution modes need 32 bits, as in the texts.
#[test]
fn counts_and_indexes_have_any_width() {
    let with = |count: u32| {
        let types = "%ushort = OpTypeInt 16 0\n%ulong = OpTypeInt 64 0\n%s1 = OpConstant %ushort 1\n";
        let numbers = format!("%sn = OpConstant %ushort {count}\n%l0 = OpConstant %ulong 0\n%ft = ");
        violations(&changed(&[
            (
                "OpCapability ShaderEnqueueAMDX",
                "OpCapability ShaderEnqueueAMDX\nOpCapability Int16\nOpCapability Int64",
            ),
            ("%ft = ", &(types.to_owned() + &numbers)),
            ("%po_b %u4 %u2 %u0", "%po_b %u4 %sn %l0"),
            ("%o_b PayloadNodeBaseIndexAMDX %u1", "%o_b PayloadNodeBaseIndexAMDX %s1"),
        ]))
    };
    assert_eq!(with(2), []);
    let rules: Vec<&str> = with(3).iter().map(|v| v.rule).collect();
    assert_eq!(rules, ["AMDX-35"], "the value is read all the same");
}

/// Checks that undefined behaviour that breaks no rule is a warning.
#[test]
fn levels() {
    let warnings: Vec<&str> = RULES.iter().filter(|r| r.level == Level::Warning).map(|r| r.id).collect();
    assert_eq!(warnings, ["AMDX-35", "AMDX-36", "AMDX-39", "AMDX-40", "AMDX-48"]);
    let found = violations(&changed(&[("OpEnqueueNodePayloadsAMDX %c_new\n", "")]));
    assert_eq!(found[0].level, Level::Warning);
}

/// Checks that a node that shares an input may receive only the beginning of a payload, or none of it.
#[test]
fn input_sharers_may_declare_shorter_payloads() {
    let less = changed(&[
        ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %uint"),
        ("OpMemberDecorate %fixed 1 Offset 4\n", ""),
        ("OpMemberDecorate %fixed 1 PayloadDispatchIndirectAMDX\n", ""),
        ("OpMemberDecorate %fixed 1 NonWritable\n", ""),
    ]);
    assert_eq!(violations(&less), []);
    let none = changed(&[
        ("\"d\" %in_d", "\"d\""),
        ("%d_p = OpAccessChain %pu %in_d %u0 %u0\n%d_x = OpLoad %uint %d_p\n", ""),
    ]);
    assert_eq!(violations(&none), []);
}

/// Checks that the receiver may declare a payload differently from the sender, if its members are there.
#[test]
fn receiver_payload_types_may_differ_from_the_senders() {
    // Types, the structure's members with their offsets, and decorations: sent to a node that reads integers at 0 and
    // 4.
    let sent: &[(&str, &str, &[u32], &str)] = &[
        ("", "%float %int", &[0, 4], ""),
        ("", "%int %uint %float", &[4, 0, 12], ""),
        ("", "%v4", &[0], ""),
        ("%two = OpTypeArray %float %u2\n", "%two", &[0], "OpDecorate %two ArrayStride 4\n"),
        (
            "%in = OpTypeStruct %float %float\n%two = OpTypeArray %in %u2\n",
            "%two %uint",
            &[0, 24],
            "OpDecorate %two ArrayStride 12\nOpMemberDecorate %in 0 Offset 0\nOpMemberDecorate %in 1 Offset 4\n",
        ),
        ("%in = OpTypeStruct %float\n", "%in %in", &[4, 0], "OpMemberDecorate %in 0 Offset 0\n"),
    ];
    for (types, members, offsets, decorations) in sent {
        let offsets = offsets.iter().enumerate();
        let offsets: String = offsets.map(|(n, at)| format!("OpMemberDecorate %sent {n} Offset {at}\n")).collect();
        let text = changed(&[
            ("OpDecorate %left", &format!("{decorations}{offsets}OpDecorate %left")),
            (
                "%o_a = OpTypeNodePayloadArrayAMDX %rec",
                &format!("{types}%sent = OpTypeStruct {members}\n%o_a = OpTypeNodePayloadArrayAMDX %sent"),
            ),
        ]);
        assert_eq!(violations(&text), [], "{members}");
    }
    // The opposite case: vectors, arrays and structures are received for sent integers.
    let taken = changed(&[
        (
            "%fixed = OpTypeStruct %uint %v3",
            "%one = OpTypeStruct %float\n%ones = OpTypeArray %one %u1\n%fixed = OpTypeStruct %ones %v3",
        ),
        ("OpDecorate %left", "OpDecorate %ones ArrayStride 4\nOpMemberDecorate %one 0 Offset 0\nOpDecorate %left"),
        ("%pu = ", "%pf = OpTypePointer NodePayloadAMDX %float\n%pu = "),
        (
            "%d_p = OpAccessChain %pu %in_d %u0 %u0\n%d_x = OpLoad %uint %d_p",
            "%d_p = OpAccessChain %pf %in_d %u0 %u0 %u0 %u0\n%d_x = OpLoad %float %d_p",
        ),
    ]);
    assert_eq!(violations(&taken), []);
}

/// Checks that pointers from allocations through copies, selections and calls cause no findings.
#[test]
fn verifier_traces_pointers_to_allocations() {
    let copy = changed(&[(
        "OpEnqueueNodePayloadsAMDX %c_new",
        "%again = OpCopyObject %po_c %c_new\nOpEnqueueNodePayloadsAMDX %again",
    )]);
    assert_eq!(violations(&copy), []);
    let call = changed(&[
        ("OpEnqueueNodePayloadsAMDX %c_new", "%done = OpFunctionCall %void %send %c_new"),
        ("%ft = ", "%ft_send = OpTypeFunction %void %po_c\n%ft = "),
        (
            "%d = OpFunction",
            "%send = OpFunction %void None %ft_send\n%what = OpFunctionParameter %po_c\n%send_l = OpLabel\n\
             OpEnqueueNodePayloadsAMDX %what\nOpReturn\nOpFunctionEnd\n%d = OpFunction",
        ),
    ]);
    let of_graph = |text: &str| -> Vec<&str> {
        violations(text).iter().map(|v| v.rule).filter(|r| r.starts_with("AMDX")).collect()
    };
    assert_eq!(of_graph(&call), [""; 0]);
    // A call with another pointer causes findings.
    let input = call.replace("%send %c_new", "%send %in_a");
    assert_eq!(of_graph(&input), ["AMDX-38", "AMDX-39"]);
}

fn file(path: &str) -> Module {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    Module::load(&words::from_bytes(&std::fs::read(path).expect("it is there")).expect("words")).expect("it loads")
}

#[test]
fn hand_written_graphs_violate_no_rule() {
    for name in ["g1", "g2", "g4"] {
        assert_eq!(verify(&file(&format!("tests/amdx-graphs/{name}.spv"))), [], "{name}");
    }
}

/// Checks that each rule of the document exists, and that the document has each rule.
#[test]
fn the_document_lists_the_rules() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/amdx-rules.md");
    let text = std::fs::read_to_string(path).expect("docs/amdx-rules.md is there");
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for line in text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| place")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, demand, by] = cells.as_slice() else { panic!("a row has three cells: {line}") };
        assert!(!demand.is_empty() && !by.is_empty(), "{line}");
        let ids: Vec<&str> = by.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
        let rules = ids.iter().filter(|id| id.starts_with("AMDX-") || id.starts_with("core-"));
        let mut known = 0;
        for id in rules {
            let amdx = RULES.iter().any(|r| r.id == *id);
            let core = wgc_spirv_module::verify::RULES.iter().any(|r| r.id == *id);
            assert!(amdx || core, "{id} is no rule: {line}");
            named.insert(id);
            known += 1;
        }
        assert!(known > 0 || by.starts_with("no rule: "), "neither a rule nor a reason: {line}");
    }
    for rule in RULES {
        assert!(named.contains(rule.id), "{} ({}) is not in docs/amdx-rules.md", rule.id, rule.summary);
    }
}

/// Checks the findings in DXC's output for three small graphs, none of which can run: every defect is reported each
/// time it occurs.
#[test]
fn defects_of_dxc_modules_are_named() {
    /// The graph, and rules with the node or target of each finding.
    type Defects = (&'static str, &'static [(&'static str, &'static [&'static str])]);
    const DEFECTS: &[Defects] = &[
        (
            "d1",
            &[
                // Each node lists the inputs of all three.
                ("AMDX-03", &["`Entry`", "`Spread`", "`Sum`"]),
                // Each output has two variables: one that is filled, and one for the parameter.
                ("AMDX-04", &["`Spread`", "`Spread`", "`Sum`", "`Sum`"]),
                ("AMDX-05", &["`Spread`", "`Sum`"]),
                ("AMDX-28", &["`Spread`", "`Sum`"]),
                ("AMDX-38", &["`Entry`", "`Spread`"]),
                ("AMDX-39", &["`Spread`", "`Sum`"]),
            ],
        ),
        (
            "d2",
            &[
                ("AMDX-04", &["`Tree`", "`Tree`"]),
                ("AMDX-05", &["`Tree`"]),
                ("AMDX-28", &["`Tree`"]),
                ("AMDX-38", &["`Tree`"]),
                ("AMDX-39", &["`Tree`"]),
            ],
        ),
        (
            "d3",
            &[
                ("AMDX-03", &["`Start`", "`Tick`", "`Grid`", "`Also`"]),
                ("AMDX-04", &["`Grid`", "`Tick`", "`Grid`"]),
                ("AMDX-05", &["`Grid`"]),
                // It shares an input, but is an entry, and could write.
                ("AMDX-13", &["`Also`"]),
                ("AMDX-16", &["`Also`"]),
                ("AMDX-28", &["`Tick`", "`Grid`"]),
                ("AMDX-38", &["`Start`"]),
                // The empty records are counted but never sent.
                ("AMDX-39", &["`Tick`", "`Grid`"]),
            ],
        ),
    ];
    for (name, defects) in DEFECTS {
        let found = verify(&file(&format!("tests/amdx-graphs/dxc/{name}.spv")));
        let wanted: Vec<(&str, &str)> =
            defects.iter().flat_map(|(rule, about)| about.iter().map(|a| (*rule, *a))).collect();
        let rules: Vec<&str> = found.iter().map(|v| v.rule).collect();
        assert_eq!(rules, wanted.iter().map(|w| w.0).collect::<Vec<_>>(), "{name}: {found:#?}");
        for (violation, (_, about)) in found.iter().zip(wanted) {
            assert!(violation.message.contains(about), "{name}: {about}: {violation}");
        }
    }
}
