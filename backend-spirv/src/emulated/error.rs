//! Reasons that a graph cannot be emulated.

use crate::EmitError;
use std::fmt;
use wgc_ir::passes::fusion::Reason;
use wgc_ir::{NodeId, Symbol};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmuError {
    /// The graph contradicts itself; checks of the front end report the same with a location in the source.
    Graph { node: NodeId, problem: GraphProblem },
    /// The device library lacks a function, or declares it with other parameters.
    Library { function: &'static str },
    /// The source uses a function, global or node name of the device library.
    Reserved { name: Symbol },
    /// A graph operation is outside a node function, or does not fit the node.
    Operation { node: NodeId, operation: &'static str },
    /// A resource does not fit the node's local root signature.
    LocalRoot { node: NodeId, name: Symbol, problem: RootProblem },
    /// The author chose to fuse an edge that cannot be fused.
    Edge { node: NodeId, output: Symbol, reason: Reason },
    /// The author chose an edge that does not exist.
    NoEdge { edge: String },
    /// The module cannot be expressed in SPIR-V.
    Emit { module: String, error: EmitError },
}

/// A reason that a resource cannot be a root argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootProblem {
    /// The constants end before the last member of the block; sizes in bytes.
    Constants { needed: u32, given: u32 },
    /// Constants with 64-bit values begin at an offset that is not a multiple of eight bytes.
    Alignment { offset: u32 },
    /// It is not a constant, structured or byte-address buffer.
    Kind,
    /// An array of resources.
    Array,
    /// Its range in a descriptor table is shorter than the array: the number of registers from its first to the end of
    /// the range.
    Range { given: u32 },
    /// GetDimensions is called, but an address has no size.
    Size,
    /// Its counter is used.
    Counter,
    /// The sampler is static with other settings in another node, or not static there.
    Sampler,
    /// It is passed to an operation that does not accept an address.
    Operation,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphProblem {
    /// Two nodes have this identity.
    Duplicate,
    /// The node with the shared input does not exist, or shares another node's input.
    ShareTarget(NodeId),
    /// The node is a target, but it shares another node's input.
    TargetShares(NodeId),
    /// A path leads from the node back to itself, other than by its own recursion.
    Cycle,
    /// The records of an output differ from the target's input.
    Record { output: Symbol, target: NodeId },
    /// A node that shares an input declares another record.
    SharedRecord(NodeId),
    /// A broadcasting node has no grid, or reads it from a record without one.
    Grid,
    /// It sends records and shares the input of a mesh node, which runs after all nodes that send records.
    SharedMesh(NodeId),
    /// A record has no size or is too large.
    Layout,
    /// The function that implements it is missing.
    Function(Symbol),
}

impl EmuError {
    /// Returns the error of a pass over the graph.
    pub(crate) fn of_graph(error: EmitError) -> Self {
        let module = error.function.as_ref().map_or_else(|| "the graph".to_owned(), ToString::to_string);
        Self::Emit { module, error }
    }
}

impl fmt::Display for EmuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Graph { node, problem } => write!(f, "node {}: {problem}", Name(node)),
            Self::Library { function } => write!(f, "the device library has no suitable function `{function}`"),
            Self::Reserved { name } => write!(f, "the name `{name}` is reserved for the device library"),
            Self::Operation { node, operation } => write!(f, "node {}: misplaced {operation}", Name(node)),
            Self::LocalRoot { node, name, problem } => {
                write!(f, "node {}: `{name}` cannot be a local root argument: {problem}", Name(node))
            }
            Self::Edge { node, output, reason } => {
                let code = reason.code();
                write!(f, "output `{output}` of node {} cannot be fused: {} ({code})", Name(node), reason.text())
            }
            Self::NoEdge { edge } => write!(f, "`{edge}` is neither a node with outputs nor an output of a node"),
            Self::Emit { module, error } => write!(f, "{module}: {error}"),
        }
    }
}

impl fmt::Display for RootProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constants { needed, given } => {
                write!(f, "it has {needed} bytes, but the root constants have {given}")
            }
            Self::Alignment { offset } => write!(
                f,
                "it has 64-bit values, but the root constants begin at byte {offset} of the record, which is not a multiple of 8"
            ),
            Self::Kind => f.write_str(
                "root constants must be constant buffers, and root descriptors must be buffers other than textures",
            ),
            Self::Range { given } => {
                let registers = if *given == 1 { "register" } else { "registers" };
                write!(f, "its array is longer than the remaining range in the descriptor table ({given} {registers})")
            }
            Self::Array => f.write_str("an array of resources needs a descriptor table"),
            Self::Size => f.write_str("a root descriptor is an address without a size"),
            Self::Counter => f.write_str("a root descriptor is an address without a counter"),
            Self::Sampler => f.write_str("it is not the same static sampler in all nodes: declare a variable for each"),
            Self::Operation => f.write_str("its use needs a descriptor"),
        }
    }
}

impl fmt::Display for GraphProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate => f.write_str("declared twice"),
            Self::ShareTarget(id) => write!(f, "cannot share the input of {}", Name(id)),
            Self::TargetShares(id) => write!(f, "targets {}, which shares the input of another node", Name(id)),
            Self::Cycle => f.write_str("is part of a cycle"),
            Self::Record { output, target } => {
                write!(f, "the records of output `{output}` differ from those that {} consumes", Name(target))
            }
            Self::SharedRecord(id) => {
                write!(f, "consumes records that differ from those of {}, whose input it shares", Name(id))
            }
            Self::Grid => f.write_str("has no dispatch grid"),
            Self::SharedMesh(id) => {
                write!(f, "sends records and shares its input with mesh node {}, which runs last", Name(id))
            }
            Self::Layout => {
                write!(f, "a record exceeds {} bytes", wgc_abi::StructLayout::MAX_BYTES)
            }
            Self::Function(name) => write!(f, "its function `{name}` is missing"),
        }
    }
}

impl std::error::Error for EmuError {}

struct Name<'a>(&'a NodeId);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.index {
            0 => write!(f, "`{}`", self.0.name),
            index => write!(f, "`{}[{index}]`", self.0.name),
        }
    }
}
