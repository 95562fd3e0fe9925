//! The reflection of a program for tools (`--emit reflection`). Combines the graph, the budgets and the source.

use crate::Session;
use indexmap::IndexSet;
use std::collections::BTreeMap;
use wgc_abi::interface::Interface;
use wgc_abi::reflection::{
    Edge, EdgeFusion, Grid, GridField, Input, Limits, Mesh, Node, Output, OutputArray, Record, Reflection, Resolved,
    Used, VERSION,
};
use wgc_abi::root_signature::RootSignature;
use wgc_backend_spirv::interface::{node_launch, node_name, scalar, struct_layout};
use wgc_ir::passes::fusion::{Decision, Report};
use wgc_ir::{self as ir, GlobalKind, GraphConstant, Symbol};
use wgc_sema::flow::budgets::{self, NodeBudget};
use wgc_sema::report::node_source::NodeSource;
use wgc_sema::types::attribute_table::Attr;

/// Data about a node in addition to the graph.
struct NodeFacts<'a> {
    module: &'a ir::Module,
    source: &'a NodeSource,
    budget: &'a NodeBudget,
    local_root: Option<u32>,
}

/// Returns the reflection. `None` if a record is not a structure, which cannot happen in a checked program.
pub(crate) fn reflection(
    session: &Session,
    module: &ir::Module,
    interface: Interface,
    root_signatures: Vec<RootSignature>,
) -> Option<Reflection> {
    let budgets = session.budgets()?;
    let sources = session.node_sources();
    let roots = session.local_root_indexes();
    let entry_points = wgc_backend_spirv::entry_point_names(&module.graph);
    let nodes = module.graph.nodes.iter().zip(&budgets).zip(&sources).zip(roots).zip(entry_points);
    let nodes = nodes.map(|((((ir, budget), source), local_root), name)| {
        NodeFacts { module, source, budget, local_root }.node(ir, name)
    });
    let nodes = nodes.collect::<Option<Vec<_>>>()?;
    let numbers = (0..).zip(&module.graph.nodes).map(|(n, node)| (node_name(&node.id).to_string(), n));
    let Interface { bindings, push_constants, spec_constants, compute, .. } = interface;
    Some(Reflection {
        version: VERSION,
        edges: edges(&module.graph, session.fusion_by_default().as_ref()),
        node_indexes: numbers.collect(),
        nodes,
        bindings,
        push_constants,
        spec_constants,
        root_signatures,
        compute,
    })
}

impl NodeFacts<'_> {
    fn node(&self, ir: &ir::Node, entry_point: String) -> Option<Node> {
        use GraphConstant as C;
        let axes = |what: fn(u32) -> C| (0..3).map(what).collect::<Vec<_>>();
        let grid = match ir.grid {
            ir::Grid::None => None,
            ir::Grid::Fixed(grid) => Some(Grid::Fixed(grid)),
            ir::Grid::Max(grid) => Some(Grid::Max(grid)),
        };
        let grids = [Attr::NodeDispatchGrid, Attr::NodeMaxDispatchGrid];
        let function = |value, attr, constants: &[C]| self.of_function(ir, value, &[attr], constants);
        Some(Node {
            id: self.of_function(ir, node_name(&ir.id), &[Attr::NodeId], &[C::Index]),
            entry_point,
            function: ir.function.to_string(),
            launch: self.of_function(ir, node_launch(ir.launch), &[Attr::NodeLaunch], &[]),
            threads: self.of_function(ir, ir.num_threads, &[Attr::NumThreads], &axes(C::Threads)),
            grid: grid.map(|grid| self.of_function(ir, grid, &grids, &axes(C::Grid))),
            entry: self.of_function(ir, ir.entry, &[Attr::NodeIsProgramEntry], &[]),
            max_recursion: function(ir.max_recursion, Attr::NodeMaxRecursionDepth, &[C::Recursion]),
            shares_input_of: (ir.share_input_of.as_ref())
                .map(|owner| self.of_function(ir, node_name(owner), &[Attr::NodeShareInputOf], &[C::Owner])),
            local_root_arguments_index: (self.local_root)
                .map(|index| function(index, Attr::NodeLocalRootArgumentsTableIndex, &[])),
            wave_size: ir.wave_size.map(|size| self.of_function(ir, size, &[Attr::WaveSize], &[])),
            input: match &ir.input {
                Some(input) => Some(self.input(ir, input)?),
                None => None,
            },
            outputs: (0..).zip(&ir.outputs).map(|(n, output)| self.output(ir, n, output)).collect::<Option<_>>()?,
            mesh: ir.mesh.map(|mesh| self.mesh(ir, mesh)),
            limits: limits(self.budget),
        })
    }

    fn input(&self, node: &ir::Node, input: &ir::Input) -> Option<Input> {
        let source = self.source.param(&input.name, &[Attr::MaxRecords]);
        Some(Input {
            name: input.name.to_string(),
            max_records: self.resolved(node, input.max_records, source, &[GraphConstant::InputRecords]),
            read_write: input.read_write,
            globally_coherent: input.coherent,
            record: record(input.record.as_ref())?,
        })
    }

    fn output(&self, node: &ir::Node, n: u32, output: &ir::Output) -> Option<Output> {
        use GraphConstant as C;
        let source = |any: &[Attr]| self.source.param(&output.name, any);
        let array = match output.array {
            ir::OutputArray::Single => OutputArray::Single,
            ir::OutputArray::Sized(size) => OutputArray::Sized(size),
            ir::OutputArray::Unbounded => OutputArray::Unbounded,
        };
        let sizes = source(&[Attr::NodeArraySize, Attr::UnboundedSparseNodes]);
        let sparse = source(&[Attr::AllowSparseNodes, Attr::UnboundedSparseNodes]);
        let budget = source(&[Attr::MaxRecords, Attr::MaxRecordsSharedWith]);
        Some(Output {
            name: output.name.to_string(),
            target: self.resolved(node, node_name(&output.target), source(&[Attr::NodeId]), &[C::Target(n)]),
            array: self.resolved(node, array, sizes, &[C::Size(n)]),
            sparse: self.resolved(node, output.sparse, sparse, &[]),
            max_records: self.resolved(node, output.max_records, budget, &[C::Budget(n)]),
            shares_budget_of: output.shared_with,
            record: record(output.record.as_ref())?,
        })
    }

    fn mesh(&self, node: &ir::Node, mesh: ir::Mesh) -> Mesh {
        let topology = match mesh.topology {
            ir::Topology::Line => "line",
            ir::Topology::Triangle => "triangle",
        };
        Mesh {
            topology: self.of_function(node, topology.to_owned(), &[Attr::OutputTopology], &[]),
            max_vertices: mesh.max_vertices,
            max_primitives: mesh.max_primitives,
        }
    }

    fn of_function<T>(&self, node: &ir::Node, value: T, any: &[Attr], constants: &[GraphConstant]) -> Resolved<T> {
        self.resolved(node, value, self.source.function(any), constants)
    }

    fn resolved<T>(
        &self,
        node: &ir::Node,
        value: T,
        source: Option<String>,
        constants: &[GraphConstant],
    ) -> Resolved<T> {
        let by = constants.iter().filter_map(|what| ir::specialised_by(&node.specialised, *what));
        let ids: IndexSet<u32> = by.flat_map(|value| value.constants()).filter_map(|by| self.spec_id(by)).collect();
        Resolved { value, source, spec_constants: ids.into_iter().collect() }
    }

    fn spec_id(&self, by: &Symbol) -> Option<u32> {
        match self.module.globals.get(by)?.kind {
            GlobalKind::SpecConstant { id, .. } => Some(id),
            _ => None,
        }
    }
}

/// Returns the layout of a record; `Some(None)` for an empty one.
fn record(record: Option<&ir::Record>) -> Option<Option<Record>> {
    let Some(record) = record else { return Some(None) };
    let grid = record.grid.as_ref().map(|grid| GridField {
        offset: grid.offset,
        scalar: scalar(grid.scalar),
        components: grid.components,
    });
    Some(Some(Record { layout: struct_layout(&record.ty)?, grid, tracks_sharing: record.track_sharing }))
}

fn limits(budget: &NodeBudget) -> Limits {
    let used = |of: budgets::Used| Used { used: of.used, limit: of.limit };
    Limits {
        records: used(budget.records),
        bytes: used(budget.bytes),
        groupshared: budget.groupshared.map(used),
        together: budget.together.map(used),
        depth: budget.depth.map(used),
    }
}

/// Returns an edge from every output to each node that gets its records. Nodes that share an input follow its owner.
/// `fusion` has an edge for each output, in order.
fn edges(graph: &ir::Graph, fusion: Option<&Report>) -> Vec<Edge> {
    let mut decisions = fusion.into_iter().flat_map(|report| &report.edges).map(|edge| match edge.decision {
        Decision::Fused(rule) => EdgeFusion::Fused(rule.code().to_owned()),
        Decision::Kept(reason) => EdgeFusion::Kept(reason.code().to_owned()),
    });
    let mut by_name: BTreeMap<&Symbol, BTreeMap<u32, u32>> = BTreeMap::new();
    for (n, node) in (0..).zip(&graph.nodes) {
        by_name.entry(&node.id.name).or_default().insert(node.id.index, n);
    }
    let mut sharers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (n, node) in (0..).zip(&graph.nodes) {
        let owner = node.share_input_of.as_ref().and_then(|owner| by_name.get(&owner.name)?.get(&owner.index));
        if let Some(owner) = owner {
            sharers.entry(*owner).or_default().push(n);
        }
    }
    let mut edges = Vec::new();
    for (from, node) in (0..).zip(&graph.nodes) {
        for (output, decl) in (0..).zip(&node.outputs) {
            let fusion = decisions.next();
            let first = decl.target.index;
            let last = match decl.array {
                ir::OutputArray::Single => first,
                // An array of size 0 reaches no node.
                ir::OutputArray::Sized(0) => continue,
                ir::OutputArray::Sized(size) => first.saturating_add(size - 1),
                ir::OutputArray::Unbounded => u32::MAX,
            };
            let targets = by_name.get(&decl.target.name).into_iter().flat_map(|of| of.range(first..=last));
            for (_, to) in targets {
                let others = sharers.get(to).map_or(&[][..], Vec::as_slice);
                edges.extend(std::iter::once(to).chain(others).map(|to| Edge {
                    from,
                    output,
                    to: *to,
                    fusion: fusion.clone(),
                }));
            }
        }
    }
    edges
}
