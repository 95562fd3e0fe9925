//! The work-graph model: the resolved nodes, inputs, outputs and limits.
//!
//! This is the interface of the nodes, without code. Checks of the whole graph are in `sema`, because they need the
//! source text. Facts that follow from the model alone (targets, stages, recursion levels) are here.

use crate::Symbol;
use crate::specialise::Specialised;
use crate::types::{Scalar, Type};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes in declaration order.
    pub nodes: Vec<Node>,
}

/// `{name, array index}`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    pub name: Symbol,
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub id: NodeId,
    /// The function that implements the node, without parameters and result.
    pub function: Symbol,
    pub launch: Launch,
    /// Workgroup size; (1, 1, 1) for thread launch.
    pub num_threads: [u32; 3],
    pub grid: Grid,
    /// The node is in the resolved entry set.
    pub entry: bool,
    /// `NodeMaxRecursionDepth`; 0 if the node does not target itself.
    pub max_recursion: u32,
    pub share_input_of: Option<NodeId>,
    pub local_root_index: Option<u32>,
    /// `WaveSize`: minimum, maximum, preferred.
    pub wave_size: Option<[u32; 3]>,
    pub input: Option<Input>,
    pub outputs: Vec<Output>,
    /// The mesh that a mesh node outputs instead of records.
    pub mesh: Option<Mesh>,
    /// Both sides of the records of a fused node, in terms of the original nodes: first those of [`Node::outputs`], in
    /// their order, then those of fused edges. Empty for a node that is not fused.
    pub ends: Vec<RecordEnd>,
    /// Numbers of this node that a host may still change.
    pub specialised: Specialised,
}

/// One side of the records of an edge, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// The node whose code uses the records.
    pub node: NodeId,
    /// The number of its output; `None` for its input.
    pub output: Option<u32>,
    /// The target of the output, for an array that of element 0.
    pub target: Option<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Launch {
    Broadcasting,
    Coalescing,
    Thread,
    /// Like broadcasting, but the output is a mesh for the rasteriser.
    Mesh,
}

/// The output of each group of a mesh node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mesh {
    pub topology: Topology,
    /// Size of the vertex array.
    pub max_vertices: u32,
    /// Size of the index array and of the primitive array.
    pub max_primitives: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    Line,
    Triangle,
}

/// An array of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshArray {
    /// The vertex indices of each primitive.
    Indices,
    Vertices,
    Primitives,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grid {
    /// For nodes whose records launch no grids.
    None,
    /// `NodeDispatchGrid`
    Fixed([u32; 3]),
    /// `NodeMaxDispatchGrid`; the grid is in the record.
    Max([u32; 3]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name of the parameter.
    pub name: Symbol,
    /// `None` for `EmptyNodeInput`.
    pub record: Option<Record>,
    pub read_write: bool,
    pub coherent: bool,
    /// 1 unless the node coalesces.
    pub max_records: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The record type, a structure.
    pub ty: Type,
    pub grid: Option<GridField>,
    /// `[NodeTrackRWInputSharing]`
    pub track_sharing: bool,
}

/// The field with `SV_DispatchGrid`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GridField {
    /// Field indexes from the record to the field.
    pub path: Vec<u32>,
    /// Bytes from the start of the record.
    pub offset: u32,
    /// U16 or U32.
    pub scalar: Scalar,
    /// The number of components, 1 to 3.
    pub components: u32,
}

impl GridField {
    /// Returns the field of the same type at the same offset of another record, which may lack the semantic there.
    pub fn in_record(&self, record: &Type) -> Option<GridField> {
        let (mut ty, mut start, mut path) = (record, 0, Vec::new());
        while let Type::Struct(structure) = ty {
            let begun = (0..).zip(&structure.fields).filter(|(_, field)| start + field.offset <= self.offset);
            let (index, field) = begun.last()?;
            path.push(index);
            (ty, start) = (&field.ty, start + field.offset);
        }
        let (scalar, components) = match ty {
            Type::Scalar(scalar) => (*scalar, 1),
            Type::Vector(scalar, n) => (*scalar, u32::from(*n)),
            Type::Array { element, len, .. } => (element.scalar().filter(|_| element.components() == Some(1))?, *len),
            _ => return None,
        };
        let is_same = (start, scalar, components) == (self.offset, self.scalar, self.components);
        is_same.then(|| GridField { path, ..self.clone() })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Name of the parameter.
    pub name: Symbol,
    /// `None` for empty outputs.
    pub record: Option<Record>,
    /// Target of element 0; element i is `{name, index + i}`.
    pub target: NodeId,
    pub array: OutputArray,
    pub sparse: bool,
    /// The record limit of the whole array, per workgroup.
    pub max_records: u32,
    /// The output whose budget this one shares (`MaxRecordsSharedWith`).
    pub shared_with: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputArray {
    Single,
    Sized(u32),
    Unbounded,
}

impl Launch {
    /// Returns whether each record launches a grid of groups.
    pub fn has_grid(self) -> bool {
        matches!(self, Launch::Broadcasting | Launch::Mesh)
    }
}

impl Node {
    /// Returns the node whose records this one receives: the owner of a shared input, or itself.
    pub fn input_owner(&self) -> &NodeId {
        self.share_input_of.as_ref().unwrap_or(&self.id)
    }

    /// Returns the ends of the records of its outputs, as if it were fused.
    pub fn ends_or_outputs(&self) -> Vec<RecordEnd> {
        if !self.ends.is_empty() {
            return self.ends.clone();
        }
        let end = |(n, output): (u32, &Output)| RecordEnd {
            node: self.id.clone(),
            output: Some(n),
            target: Some(output.target.clone()),
        };
        (0..).zip(&self.outputs).map(end).collect()
    }

    /// Returns the output that owns the budget of an output, and its MaxRecords: the output itself, or the one at the
    /// end of the chain that shares budgets.
    pub fn budget(&self, output: usize) -> (usize, u32) {
        let next = |output: &usize| self.outputs.get(*output)?.shared_with.map(|next| next as usize);
        // A cycle is an error elsewhere.
        let chain = std::iter::successors(Some(output), next).take(self.outputs.len());
        let owner = chain.last().unwrap_or(output);
        (owner, self.outputs.get(owner).map_or(0, |o| o.max_records))
    }
}

impl Topology {
    /// Returns the number of vertices of one primitive.
    pub fn vertices(self) -> u32 {
        match self {
            Topology::Line => 2,
            Topology::Triangle => 3,
        }
    }
}

impl Graph {
    /// Returns the node with this identity.
    pub fn find(&self, id: &NodeId) -> Option<usize> {
        self.nodes.iter().position(|n| n.id == *id)
    }
}

impl Grid {
    /// Returns the maximum number of workgroups per record.
    pub fn max_groups(self) -> u64 {
        match self {
            Grid::None => 1,
            Grid::Fixed(g) | Grid::Max(g) => g.iter().map(|&n| u64::from(n)).product(),
        }
    }
}
