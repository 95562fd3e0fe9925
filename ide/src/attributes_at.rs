//! Candidates for attributes, their arguments and semantics, from the tables and the text around them.

use super::complete::{Candidate, CandidateKind};
use super::context::{Head, SemanticOf};
use super::graph_sites;
use wgc_ir::Launch;
use wgc_sema::contracts::node::{STAGES, TOPOLOGIES};
use wgc_sema::db::{Db, Program};
use wgc_sema::graph::model::Model;
use wgc_sema::link::bindings::wanted;
use wgc_sema::types::attribute_table::{Attr, AttributeRow, AttributeShape, TABLE, Target, find};
use wgc_sema::types::system_values::{self, launch_name};

const LAUNCHES: &[Launch] = &[Launch::Broadcasting, Launch::Coalescing, Launch::Thread, Launch::Mesh];

/// Returns the legal attributes at a location, without those that are already there.
pub fn attributes(on: Target, head: &Head) -> Vec<Candidate> {
    let rows = TABLE.iter().filter(|row| row.on.contains(&on) && fits(row, on, head));
    rows.map(attribute).collect()
}

fn fits(row: &AttributeRow, on: Target, head: &Head) -> bool {
    let has = |all: &[super::context::AttributeText]| all.iter().any(|a| a.name.eq_ignore_ascii_case(row.name));
    match on {
        Target::Function => {
            let stage = head.argument("Shader").map(str::to_ascii_lowercase);
            let of_stage = match stage.as_deref() {
                None | Some("") => true,
                Some("node") => row.attr != Attr::Other || row.name == "RootSignature",
                Some(_) => !row.is_node_only() && !matches!(row.attr, Attr::OutputTopology | Attr::GroupSharedLimit),
            };
            let of_mode = head.launch().is_none_or(|launch| row.launch.contains(&launch));
            !has(&head.attributes) && of_stage && of_mode
        }
        Target::Param => {
            let Some(param) = head.param.and_then(|n| head.params.get(n)) else { return true };
            !has(&param.attributes) && of_object(row.attr, &param.object)
        }
        _ => true,
    }
}

/// Returns whether a parameter of a type may have an attribute. If the type is not typed yet, all are legal.
fn of_object(attr: Attr, object: &str) -> bool {
    let is_array = object.ends_with("OutputArray");
    let is_output = object.ends_with("NodeOutput") || is_array;
    let is_group = object.ends_with("GroupNodeInputRecords") || object == "EmptyNodeInput";
    let is_input = object.contains("NodeInput");
    match attr {
        _ if object.is_empty() => true,
        Attr::NodeArraySize | Attr::UnboundedSparseNodes | Attr::MaxRecordsPerNode => is_array,
        Attr::MaxRecords => is_output || is_group,
        _ => is_output && !is_input,
    }
}

pub(super) fn attribute(row: &AttributeRow) -> Candidate {
    let word = |shape: &AttributeShape| match shape {
        AttributeShape::Text => "\"..\"",
        AttributeShape::Uint | AttributeShape::Count => "uint",
        AttributeShape::Int => "int",
        AttributeShape::Bool => "bool",
        AttributeShape::Param => "parameter",
        AttributeShape::Any => "..",
    };
    let is_known = row.attr != Attr::Other;
    let shown = if is_known { row.args } else { &[] };
    let args: Vec<&str> = shown.iter().map(word).collect();
    let mut detail = row.name.to_owned();
    if !args.is_empty() {
        let needed = args[..row.required].join(", ");
        let optional = args[row.required..].iter().map(|arg| format!("[, {arg}]")).collect::<String>();
        detail += &format!("({needed}{optional})");
    }
    let places: Vec<&str> = row.on.iter().map(|target| target.name()).collect();
    let mut docs = format!("On {}.", places.join(" and "));
    if is_known && row.launch.len() < LAUNCHES.len() {
        let modes: Vec<&str> = row.launch.iter().map(|launch| launch_name(*launch)).collect();
        docs += &format!(" Launch modes: {}.", modes.join(", "));
    }
    if !is_known {
        docs += " It has no effect on nodes.";
    }
    let snippet = (row.required > 0).then(|| {
        let hole = |(n, shape): (usize, &AttributeShape)| match shape {
            AttributeShape::Text => format!("\"${{{}}}\"", n + 1),
            _ => format!("${{{}}}", n + 1),
        };
        let holes: Vec<String> = row.args[..row.required].iter().enumerate().map(hole).collect();
        format!("{}({})$0", row.name, holes.join(", "))
    });
    let rank = if is_known { 0 } else { 1 };
    Candidate { docs: Some(docs), snippet, ..Candidate::new(row.name, CandidateKind::Attribute, detail, rank) }
}

/// Returns the legal values of an attribute's argument.
pub fn arguments(
    db: &dyn Db,
    program: Program,
    attribute: &str,
    nth: usize,
    is_quoted: bool,
    on: Target,
    head: &Head,
) -> Vec<Candidate> {
    let Some(row) = find(attribute).filter(|row| row.on.contains(&on)) else { return Vec::new() };
    let value = |name: &str, detail: &str, rank: u8| Candidate::new(name, CandidateKind::Value, detail, rank);
    let mut out: Vec<Candidate> = match (row.attr, nth) {
        // Supported stages come before those that are only recognized.
        (Attr::Shader, 0) => {
            STAGES.iter().map(|stage| value(stage, "", u8::from(!matches!(*stage, "node" | "compute")))).collect()
        }
        (Attr::NodeLaunch, 0) => LAUNCHES.iter().map(|launch| value(launch_name(*launch), "launch mode", 0)).collect(),
        (Attr::OutputTopology, 0) => TOPOLOGIES.iter().map(|(name, _)| value(name, "", 0)).collect(),
        (Attr::NodeId, 0) if on == Target::Function => targets(db, program),
        (Attr::NodeId, 0) => nodes(db, program),
        (Attr::NodeShareInputOf, 0) => {
            let own = head.argument("NodeID").unwrap_or(&head.name);
            nodes(db, program).into_iter().filter(|node| node.label != own).collect()
        }
        (Attr::MaxRecordsSharedWith, 0) if !is_quoted => {
            let own = head.param;
            let others = head.params.iter().enumerate().filter(|(n, param)| Some(*n) != own && !param.name.is_empty());
            let outputs = others.filter(|(_, param)| param.object.contains("NodeOutput"));
            outputs.map(|(_, param)| Candidate::new(&param.name, CandidateKind::Param, &param.object, 0)).collect()
        }
        (Attr::NodeMaxInputRecordsPerGraphEntryRecord, 1) if !is_quoted => {
            ["true", "false"].iter().map(|word| Candidate::new(*word, CandidateKind::Keyword, "", 0)).collect()
        }
        _ => Vec::new(),
    };
    let is_text = row.args.get(nth) == Some(&AttributeShape::Text);
    if is_quoted != is_text {
        // Unwanted strings have no candidates, and values of string arguments need quotes.
        if is_quoted {
            return Vec::new();
        }
        if is_text {
            for candidate in &mut out {
                candidate.plain = Some(format!("\"{}\"", candidate.label));
            }
        }
    }
    out
}

/// Returns the names of nodes, without duplicates.
fn nodes(db: &dyn Db, program: Program) -> Vec<Candidate> {
    let sites = graph_sites(db, program);
    let mut out: Vec<Candidate> = Vec::new();
    for node in &sites.nodes {
        if out.iter().all(|candidate| candidate.label != *node.id.name) {
            let detail = format!("{} node", launch_name(node.launch));
            out.push(Candidate::new(node.id.name.as_str(), CandidateKind::Node, detail, 0));
        }
    }
    out
}

/// Returns the names that outputs target, those without a node first.
fn targets(db: &dyn Db, program: Program) -> Vec<Candidate> {
    let model = Model::new(db, program);
    let mut out: Vec<Candidate> = Vec::new();
    for output in model.nodes.iter().flat_map(|node| &node.outputs) {
        let name = output.target.name.as_str();
        if out.iter().all(|candidate| candidate.label != name) {
            let is_missing = model.nodes.iter().all(|node| node.id != output.target);
            let detail = if is_missing { "an output's target without a node" } else { "an output's target" };
            out.push(Candidate::new(name, CandidateKind::Node, detail, u8::from(!is_missing)));
        }
    }
    out
}

/// Returns the candidates after a colon.
pub fn semantics(db: &dyn Db, program: Program, of: &SemanticOf) -> Vec<Candidate> {
    match of {
        SemanticOf::Param(head, nth) => {
            let launch = head.launch();
            let is_object = head.params.get(*nth).is_some_and(|param| param.object.contains("Node"));
            if is_object {
                return Vec::new();
            }
            system_values(launch)
        }
        SemanticOf::Field => {
            let grid = Candidate {
                docs: Some("The dispatch grid, for the record of a broadcasting or mesh node.".into()),
                ..Candidate::new("SV_DispatchGrid", CandidateKind::Semantic, "uint, uint2 or uint3", 0)
            };
            let mut out = vec![grid];
            out.extend(system_values(None));
            out.extend(wgc_sema::types::mesh_outputs::names().map(|(name, of)| {
                let detail = format!("output of a mesh node: {of}");
                Candidate::new(name, CandidateKind::Semantic, detail, 2)
            }));
            out
        }
        SemanticOf::Result => Vec::new(),
        SemanticOf::Global(object) => registers(db, program, class_of(object)).map(in_register).collect(),
        SemanticOf::CBuffer => registers(db, program, Some('b')).map(in_register).collect(),
        SemanticOf::Register { object, nth: 0 } => registers(db, program, class_of(object)).map(free).collect(),
        SemanticOf::Register { nth: 1, .. } => {
            vec![Candidate::new(
                "space0",
                CandidateKind::Semantic,
                "the same register in another space is another resource",
                0,
            )]
        }
        SemanticOf::Register { .. } => Vec::new(),
        SemanticOf::Offset => {
            vec![Candidate::new("c0", CandidateKind::Semantic, "16 bytes each; `.y` is at byte 4", 0)]
        }
        SemanticOf::CBufferMember => {
            let offset = Candidate::new("packoffset", CandidateKind::Semantic, "packoffset(c0.x)", 0);
            vec![Candidate {
                snippet: Some("packoffset(c${1:0})$0".into()),
                plain: Some("packoffset(c0)".into()),
                ..offset
            }]
        }
    }
}

fn system_values(launch: Option<Launch>) -> Vec<Candidate> {
    let rows = system_values::TABLE.iter().filter(|row| launch.is_none_or(|launch| row.launch.contains(&launch)));
    rows.map(|row| {
        let detail = if row.components == 1 { "uint" } else { "uint, uint2 or uint3" };
        let modes: Vec<&str> = row.launch.iter().map(|launch| launch_name(*launch)).collect();
        let docs = Some(format!("Available in compute shaders and nodes with the launch modes {}.", modes.join(", ")));
        Candidate { docs, ..Candidate::new(row.name, CandidateKind::Semantic, detail, 1) }
    })
    .collect()
}

/// Returns the register class of a type, from the first word of the type.
fn class_of(object: &str) -> Option<char> {
    if object.starts_with("RW") || object.starts_with("Append") || object.starts_with("Consume") {
        Some('u')
    } else if matches!(object, "ConstantBuffer" | "cbuffer") {
        Some('b')
    } else if object.starts_with("Sampler") {
        Some('s')
    } else if ["Texture", "tbuffer", "Buffer", "StructuredBuffer", "ByteAddress", "Raytracing"]
        .iter()
        .any(|t| object.starts_with(t))
    {
        Some('t')
    } else {
        None
    }
}

/// Returns the first free register after all used ones in space 0, of one class or of all.
fn registers(db: &dyn Db, program: Program, class: Option<char>) -> impl Iterator<Item = String> {
    let mut taken: Vec<(char, u32, u32, u32)> = Vec::new();
    for part in super::parts(db, program) {
        let all = wanted(db, part);
        taken.extend(all.iter().filter_map(|one| one.register().map(|(class, n, space)| (class, n, space, one.count))));
    }
    let classes: Vec<char> = class.map_or_else(|| vec!['b', 's', 't', 'u'], |class| vec![class]);
    classes.into_iter().map(move |class| {
        let free = taken.iter().filter(|(c, _, space, _)| (*c, *space) == (class, 0));
        let free = free.map(|(_, n, _, count)| n.saturating_add((*count).max(1))).max().unwrap_or(0);
        format!("{class}{free}")
    })
}

fn free(register: String) -> Candidate {
    Candidate::new(register, CandidateKind::Semantic, "the first free one", 0)
}

fn in_register(register: String) -> Candidate {
    free(format!("register({register})"))
}
