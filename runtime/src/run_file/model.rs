//! The contents of a run file as values, before anything is known of the shader.
//!
//! Parts that need the shader's layouts (records and structures by field name) stay JSON values with their positions.
//! The settings that a compile driver reads, and may override from its command line, are public.

use indexmap::IndexMap;
use std::path::{Path, PathBuf};

use super::error::{Fault, FileError, Source};
use super::executor::DispatchMode;
use crate::device::{ImageFormat, SamplerDesc};
use crate::mesh::MeshArray;
use crate::numbers::{Number, Scalar, Tolerance};
use crate::scene::SceneDesc;
use wgc_json::{Position, Value};

/// A parsed run file.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFile {
    pub(super) source: Source,
    /// Names relative to the run file's folder; empty if the command line gives them.
    pub shaders: Vec<String>,
    pub defines: IndexMap<String, String>,
    /// Further compiler options, as on the command line.
    pub args: Vec<String>,
    /// Values as written, by constant id.
    pub spec_constants: IndexMap<u32, String>,
    /// Replaces the resolved entry set.
    pub entries: Option<Vec<String>>,
    /// The targets of the program, if not all.
    pub targets: Option<Vec<String>>,
    pub emulation: EmulationSettings,
    pub cpu: CpuSettings,
    pub(super) resources: Vec<Named<Resource>>,
    pub(super) resource_heap: Option<HeapContents>,
    pub(super) sampler_heap: Option<HeapContents>,
    pub(super) local_root_arguments: Vec<LocalRootRecord>,
    pub(super) dispatches: Vec<Dispatch>,
    pub(super) expect: Vec<Named<Expectation>>,
    pub(super) expect_records: Vec<Named<u64>>,
    pub(super) expect_meshes: Vec<Named<ExpectedMeshes>>,
    pub(super) expect_findings: Option<(Position, Vec<String>)>,
    pub(super) expect_messages: Option<ExpectedMessages>,
    /// Names of all resources that the program declares, used or not, from the compile driver. Unused resources are not
    /// in an interface, but contents for them are no error.
    pub declared: Vec<String>,
    /// The only folders, without links, whose files the run file may name; any, if there are none.
    pub roots: Vec<PathBuf>,
}

impl RunFile {
    /// Returns whether it expects numbers of records that nodes consume.
    pub fn expects_records(&self) -> bool {
        !self.expect_records.is_empty()
    }
}

/// A member of an object whose keys are the user's names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named<T> {
    pub name: String,
    pub at: Position,
    pub value: T,
}

/// The settings of an emulated graph. `None` leaves one to the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmulationSettings {
    pub arena: Option<Arena>,
    /// Bytes of a page, in KiB.
    pub page_kib: Option<u32>,
    /// Records of one workgroup, in KiB, up to which stages are scheduled together.
    pub segment_kib: Option<u32>,
    /// The fewest instances of a stage with the same code that share one dispatch; 0: each has its own.
    pub joint_dispatch: Option<u32>,
    /// The most nodes of a stage that the records of one limit may go to with full-size queues.
    pub direct_targets: Option<u32>,
    pub schedule: Option<Schedule>,
    /// Levels of recursion between drains.
    pub drain: Option<u32>,
    pub int64_atomics: Option<bool>,
    pub allocator: Option<Allocator>,
}

pub use crate::emulated::Allocator;

/// The order in which the nodes run; the compiler arranges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    Topological,
    Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arena {
    /// The least that the graph can run in.
    Min,
    Default,
    Bytes(u64),
}

/// The settings of the CPU device. `None` leaves one to the device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuSettings {
    pub subgroup_size: Option<u32>,
    /// The command line's alone.
    pub threads: Option<u32>,
    /// Instructions of a workgroup; the command line's alone.
    pub max_instructions: Option<u32>,
    pub batching: Option<Batching>,
    pub order: Option<Order>,
    pub sanitize: Option<Sanitize>,
}

/// The number of records that a coalescing node receives together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batching {
    Full,
    Single,
    Random(u64),
}

/// In which order records are consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Fifo,
    Lifo,
    Random(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitize {
    Warn,
    Error,
    Off,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Resource {
    pub at: Position,
    pub kind: ResourceKind,
}

/// The contents of a heap, by index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeapContents {
    pub at: Position,
    /// `None` for empty indexes.
    pub elements: Vec<Option<HeapElement>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeapElement {
    /// The type that shaders read it as, in HLSL terms.
    pub seen_as: Option<String>,
    pub resource: Resource,
}

/// The resources of one record in the table of local root arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LocalRootRecord {
    pub at: Position,
    pub index: u32,
    pub index_at: Position,
    /// Members of its constant buffers, an object.
    pub fields: Option<Value>,
    pub resources: Vec<Named<Resource>>,
    /// For each descriptor table the index of its first descriptor in its heap; `None` leaves one out.
    pub tables: Option<DescriptorTables>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct DescriptorTables {
    pub at: Position,
    pub first: Vec<Option<u32>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ResourceKind {
    Bytes(Vec<u8>),
    Zero { bytes: u64 },
    FillU32 { value: u32, count: u64 },
    File(String),
    Structs(Vec<Value>),
    Fields(Value),
    Image(ImageSource),
    Sampler(SamplerDesc),
    Array(Vec<Resource>),
    Scene(SceneDesc),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ImageSource {
    pub format: Option<ImageFormat>,
    /// One to three extents in texels.
    pub size: Option<Vec<u32>>,
    /// All layers of an array: six for each cube.
    pub layers: Option<u32>,
    pub levels: Option<u32>,
    pub samples: Option<u32>,
    pub file: Option<String>,
    /// All texels, level by level.
    pub texels: Option<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dispatch {
    pub mode: Option<(Position, DispatchMode)>,
    pub work: Work,
    pub repeat: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Work {
    /// One DispatchGraph.
    Graph { at: Position, inputs: Vec<Input> },
    /// Workgroups of a compute shader, which has a name when there are several.
    Groups { at: Position, groups: [u32; 3], entry: Option<Named<()>> },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Input {
    pub at: Position,
    pub node: Named<()>,
    pub index: u32,
    pub records: Records,
    pub stride: Option<(Position, u32)>,
    pub count: Option<(Position, u32)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Records {
    /// Only a count is given.
    Empty,
    Fields(Vec<Value>),
    Bytes(Vec<u8>),
    File(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expectation {
    pub at: Position,
    pub kind: ExpectationKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExpectationKind {
    Numbers {
        scalar: Scalar,
        numbers: Vec<Number>,
        any_order: bool,
        tolerance: Tolerance,
    },
    /// By index of the number.
    At {
        scalar: Scalar,
        numbers: Vec<(Position, u64, Number)>,
        tolerance: Tolerance,
    },
    Structs {
        values: Vec<Value>,
        any_order: bool,
        tolerance: Tolerance,
    },
    Png {
        file: String,
        max_channel_error: u8,
        max_differing_pixels: u64,
    },
    /// By element of an array of resources.
    Array(Vec<Expectation>),
}

/// The expected output of a mesh node, over all dispatches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpectedMeshes {
    /// Workgroups.
    pub groups: Option<u64>,
    pub vertices: Option<u64>,
    pub primitives: Option<u64>,
    /// Those that are not empty, in any order.
    pub meshes: Option<Vec<ExpectedMesh>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpectedMesh {
    pub at: Position,
    /// Elements of the given arrays, in the order of [`MESH_ARRAYS`].
    pub arrays: Vec<(MeshArray, Vec<Value>)>,
}

pub(super) const MESH_ARRAYS: [MeshArray; 3] = [MeshArray::Vertices, MeshArray::Indices, MeshArray::Primitives];

/// The expected messages of shaders, over all dispatches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExpectedMessages {
    pub texts: Vec<String>,
    pub any_order: bool,
}

impl RunFile {
    /// Returns whether a file that the run file names is inside the [roots](RunFile::roots), links resolved. Reports nothing
    /// of a file that is not there: to read it fails.
    pub fn may_read(&self, path: &Path) -> bool {
        let within = |real: PathBuf| self.roots.iter().any(|root| real.starts_with(root));
        self.roots.is_empty() || path.canonicalize().map_or(true, within)
    }

    /// Returns whether the program declares a resource of this name.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.declared.iter().any(|full| super::names::means(full, name))
    }

    /// Returns whether no node is started.
    pub fn dispatches_nothing(&self) -> bool {
        self.dispatches.is_empty()
    }

    /// Returns an error at a setting of this file, such as `["cpu", "order"]`, or at the deepest part of it that
    /// exists.
    pub fn error_at(&self, setting: &[&str], message: impl Into<String>) -> FileError {
        let mut value = &self.source.root;
        for key in setting {
            let wgc_json::ValueKind::Object(members) = &value.kind else { break };
            let Some(member) = members.iter().find(|m| m.key == *key) else { break };
            value = &member.value;
        }
        self.source.error(Fault::new(value.at, message))
    }

    /// Returns the folder that file names in it are relative to.
    pub fn folder(&self) -> &std::path::Path {
        self.source.folder()
    }
}
