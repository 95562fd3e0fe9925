//! The graph for drawings: boxes for nodes, lines for outputs, and their texts. The renderer chooses sizes and
//! positions.

use super::graph::graph_sites;
use rustc_hash::FxHashMap;
use wgc_ir::{Grid, Launch, OutputArray};
use wgc_sema::db::diagnostic::{FileRange, Rendered};
use wgc_sema::db::{Db, Program};
use wgc_sema::flow::budgets::{Used, node_budgets};
use wgc_sema::graph::model::Model;
use wgc_sema::graph::show_id;
use wgc_sema::tables::codes::Severity;

/// The limit of nodes with one launch mode in an array: larger arrays become one box.
const MAX_ELEMENTS: usize = 8;

/// A record with its type and size in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordView {
    pub name: String,
    pub bytes: u32,
}

/// A node, an array of nodes, or a missing target of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// `name`, `name[3]`, or `name[0..99]` for several.
    pub shown: String,
    /// The number of nodes in the box; 0 for a missing node.
    pub nodes: usize,
    /// The launch mode of the first node, as for the following fields.
    pub launch: Option<Launch>,
    pub is_entry: bool,
    /// The threads of a group, if groups are launched.
    pub threads: Option<[u32; 3]>,
    pub grid: Grid,
    pub recursion: u32,
    pub input: Option<InputView>,
    pub outputs: Vec<OutputView>,
    /// The budgets for records and bytes, if it has outputs and the nodes are certain.
    pub budget: Option<(Used, Used)>,
    /// The box whose input it shares.
    pub shares: Option<usize>,
    /// The ranges of the functions, and the name of the first.
    pub ranges: Vec<FileRange>,
    pub name_range: Option<FileRange>,
    pub errors: usize,
    pub warnings: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputView {
    pub name: String,
    /// The record; `None` without data.
    pub record: Option<RecordView>,
    pub max_records: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputView {
    pub name: String,
    pub record: Option<RecordView>,
    pub max_records: u32,
    pub array: OutputArray,
    pub sparse: bool,
    /// The output of this node that shares its record limit.
    pub shared_with: Option<u32>,
    /// The target as written.
    pub target: String,
    /// The boxes that it reaches.
    pub reaches: Vec<usize>,
    pub range: FileRange,
}

/// A graph to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphView {
    pub nodes: Vec<NodeView>,
}

/// Returns the graph of a program. `diagnostics` are the diagnostics to count in each box.
pub fn graph_view(db: &dyn Db, program: Program, diagnostics: &[Rendered]) -> GraphView {
    let sites = graph_sites(db, program);
    let model = Model::new(db, program);
    let budgets = node_budgets(db, program).unwrap_or_default();
    let boxes = Boxes::of(&model);
    let mut out = GraphView::default();
    for members in &boxes.members {
        let Some((&first, site)) = members.first().and_then(|first| Some((first, sites.nodes.get(*first)?))) else {
            continue;
        };
        let decl = model.nodes[first];
        let record = |info: &wgc_sema::types::node_record::RecordInfo| RecordView {
            name: info.ty.display(db).to_string(),
            bytes: info.size(),
        };
        let shown = match members.last() {
            Some(last) if members.len() > 1 => {
                format!("{}[{}..{}]", decl.id.name, decl.id.index, model.nodes[*last].id.index)
            }
            _ => site.shown.clone(),
        };
        let input = decl.input.as_ref().map(|input| InputView {
            name: input.name.clone(),
            record: input.record.as_ref().map(record),
            max_records: input.max_records,
        });
        let output = |(number, output): (usize, &wgc_sema::contracts::node::OutputDecl)| {
            let targets = members.iter().filter(|member| model.nodes[**member].outputs.len() > number);
            let mut reaches: Vec<usize> = targets
                .flat_map(|member| model.targets(*member, number).iter().map(|node| boxes.of_node[*node]))
                .collect();
            reaches.sort_unstable();
            reaches.dedup();
            OutputView {
                name: output.name.clone(),
                record: output.record.as_ref().map(record),
                max_records: output.max_records,
                array: output.array,
                sparse: output.sparse,
                shared_with: output.shared_with,
                target: if output.target_is_unknown { String::new() } else { show_id(&output.target) },
                reaches,
                range: site.outputs.get(number).map_or_else(|| site.name_range.clone(), |of| of.range.clone()),
            }
        };
        let ranges: Vec<FileRange> = members.iter().map(|member| sites.nodes[*member].range.clone()).collect();
        let count = |severity: Severity| {
            diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == severity && is_at(diagnostic, &ranges))
                .count()
        };
        out.nodes.push(NodeView {
            shown,
            nodes: members.len(),
            launch: Some(decl.launch),
            is_entry: members.iter().any(|member| model.entries[*member]),
            threads: (decl.launch != Launch::Thread).then_some(decl.num_threads),
            grid: decl.grid,
            recursion: decl.max_recursion,
            input,
            outputs: decl.outputs.iter().enumerate().map(output).collect(),
            budget: budgets
                .get(first)
                .filter(|_| !decl.outputs.is_empty())
                .map(|budget| (budget.records, budget.bytes)),
            shares: site.shares.as_ref().map(|(owner, _)| boxes.of_node[*owner]),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            ranges,
            name_range: Some(site.name_range.clone()),
        });
    }
    out.add_missing();
    out
}

/// Returns whether the first location of a diagnostic is in one of these ranges.
fn is_at(diagnostic: &Rendered, ranges: &[FileRange]) -> bool {
    let Some(at) = diagnostic.labels.first().map(|label| &label.range) else { return false };
    ranges.iter().any(|range| range.file == at.file && range.lo <= at.lo && at.lo < range.hi.max(range.lo + 1))
}

/// The grouping of nodes into boxes.
struct Boxes {
    /// In the order of the text.
    members: Vec<Vec<usize>>,
    of_node: Vec<usize>,
}

impl Boxes {
    fn of(model: &Model) -> Boxes {
        let mut sizes: FxHashMap<(usize, Launch), usize> = FxHashMap::default();
        let key = |node: usize| (model.array_of[node], model.nodes[node].launch);
        (0..model.nodes.len()).for_each(|node| *sizes.entry(key(node)).or_default() += 1);
        let mut folded: FxHashMap<(usize, Launch), usize> = FxHashMap::default();
        let mut out = Boxes { members: Vec::new(), of_node: Vec::new() };
        for node in 0..model.nodes.len() {
            let number = match sizes[&key(node)] > MAX_ELEMENTS {
                true => *folded.entry(key(node)).or_insert(out.members.len()),
                false => out.members.len(),
            };
            match out.members.get_mut(number) {
                Some(members) => members.push(node),
                None => out.members.push(vec![node]),
            }
            out.of_node.push(number);
        }
        for members in &mut out.members {
            members.sort_by_key(|node| model.nodes[*node].id.index);
        }
        out
    }
}

impl GraphView {
    /// Adds a box for each missing target.
    fn add_missing(&mut self) {
        let mut missing: FxHashMap<String, usize> = FxHashMap::default();
        let mut number = self.nodes.len();
        let mut added = Vec::new();
        for output in self.nodes.iter_mut().flat_map(|node| &mut node.outputs) {
            if output.target.is_empty() || !output.reaches.is_empty() {
                continue;
            }
            let target = *missing.entry(output.target.clone()).or_insert_with(|| {
                added.push(NodeView::missing(output.target.clone()));
                number += 1;
                number - 1
            });
            output.reaches.push(target);
        }
        self.nodes.extend(added);
    }
}

impl NodeView {
    fn missing(shown: String) -> NodeView {
        NodeView {
            shown,
            nodes: 0,
            launch: None,
            is_entry: false,
            threads: None,
            grid: Grid::None,
            recursion: 0,
            input: None,
            outputs: Vec::new(),
            budget: None,
            shares: None,
            ranges: Vec::new(),
            name_range: None,
            errors: 0,
            warnings: 0,
        }
    }
}
