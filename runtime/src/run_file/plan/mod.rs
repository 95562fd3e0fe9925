//! A run file fitted to a compiled program: every resource and record as bytes, every expectation as a test.
//!
//! Building a plan finds every error in the file, so that nothing runs before the file is known to be right.

mod expect;
mod heaps;
mod records;
mod resources;
mod roots;

use wgc_abi::Interface;
use wgc_abi::file::Content;

pub(super) use self::expect::texel_scalar;
pub(super) use self::roots::{PlannedRoots, RootContents};
use super::compare::Test;
use super::error::{Checked, Fault};
use super::executor::{DispatchMode, EntryInput};
use super::model::{ExpectedMeshes, RunFile};
use crate::device::{ImageDesc, ImageFormat, SamplerDesc};
use crate::scene::SceneDesc;
use wgc_json::Position;

/// The limit of the bytes of all contents together.
const MAX_ALL_CONTENTS: u64 = 1 << 30;

pub(super) struct Plan {
    /// In the interface's order, then the heaps, then local root arguments.
    pub slots: Vec<Slot>,
    /// The table of local root arguments, of a graph that has one.
    pub roots: Option<PlannedRoots>,
    /// Contents of the user's push constants.
    pub push: Vec<u8>,
    pub dispatches: Vec<PlannedDispatch>,
    pub checks: Vec<Check>,
    pub record_checks: Vec<RecordCheck>,
    pub mesh_checks: Vec<MeshCheck>,
    /// Codes of the expected findings, sorted; `None` if the file has no expectation.
    pub findings: Option<Vec<String>>,
    /// Warnings about a file without errors.
    pub warnings: Vec<Fault>,
}

/// One variable of the shader.
pub(super) struct Slot {
    pub name: String,
    /// Set and binding; `None`: it is in no binding, local root arguments have its address.
    pub place: Option<(u32, u32)>,
    pub kind: SlotKind,
    /// One, or one per element of an array of resources.
    pub elements: Vec<Planned>,
    pub is_array: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum SlotKind {
    Storage {
        element: wgc_abi::LayoutType,
        stride: u32,
        writable: bool,
    },
    Uniform,
    StorageImage,
    SampledImage,
    /// Elements print as texels of each resource's format.
    Texels {
        writable: bool,
    },
    Sampler,
    AccelerationStructure,
    /// The kinds by index; `None` for empty indexes.
    Heap(Vec<Option<SlotKind>>),
}

impl Slot {
    /// Returns the kind of an element.
    pub fn kind_of(&self, element: usize) -> Option<&SlotKind> {
        match &self.kind {
            SlotKind::Heap(kinds) => kinds.get(element)?.as_ref(),
            kind => Some(kind),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Planned {
    /// A buffer with `contents` at the start, followed by zeros.
    Buffer {
        bytes: u64,
        contents: Vec<u8>,
    },
    /// Zero when there are no texels.
    Image {
        desc: ImageDesc,
        texels: Option<Vec<u8>>,
    },
    /// A buffer of formatted texels.
    Texels {
        format: ImageFormat,
        contents: Vec<u8>,
    },
    Sampler(SamplerDesc),
    Scene(SceneDesc),
    /// An empty index of a heap.
    Nothing,
}

impl Planned {
    /// Returns the bytes that are in memory before a run.
    fn content_bytes(&self) -> u64 {
        match self {
            Planned::Buffer { contents, .. } | Planned::Texels { contents, .. } => contents.len() as u64,
            Planned::Image { texels, .. } => texels.as_ref().map_or(0, |texels| texels.len() as u64),
            Planned::Sampler(_) | Planned::Scene(_) | Planned::Nothing => 0,
        }
    }
}

/// The bytes that the remaining resources of a run file may have. A short file can name one large image many times.
struct Budget {
    most: u64,
    left: u64,
}

impl Budget {
    fn spend(&mut self, bytes: u64, at: Position) -> Checked<()> {
        let message = || format!("the contents of all resources have more than {} bytes", self.most);
        self.left = self.left.checked_sub(bytes).ok_or_else(|| Fault::new(at, message()))?;
        Ok(())
    }
}

pub(super) struct PlannedDispatch {
    /// The mode and its position in the file, if the file sets it.
    pub mode: Option<(Position, DispatchMode)>,
    pub work: PlannedWork,
    pub repeat: u32,
}

pub(super) enum PlannedWork {
    Graph(Vec<EntryInput>),
    /// Workgroups of an entry point.
    Groups(String, [u32; 3]),
}

/// A test of one resource after the last dispatch.
pub(super) struct Check {
    /// The name in the file: `Out` or `Out[1]`.
    pub name: String,
    pub slot: usize,
    pub element: usize,
    pub test: Test,
}

pub(super) struct RecordCheck {
    /// The name in the file: `node` for all elements of an array together, or `node[1]`.
    pub name: String,
    pub node: String,
    pub index: Option<u32>,
    pub expected: u64,
}

/// The expected output of a mesh node, before its mesh layout is known.
pub(super) struct MeshCheck {
    /// The name in the file.
    pub name: String,
    pub node: String,
    pub index: Option<u32>,
    pub expected: ExpectedMeshes,
}

impl Plan {
    pub fn new(file: &RunFile, interface: &Interface) -> Checked<Self> {
        Self::with_contents_limit(file, interface, MAX_ALL_CONTENTS)
    }

    /// Builds a plan whose contents have at most `most` bytes together.
    pub fn with_contents_limit(file: &RunFile, interface: &Interface, most: u64) -> Checked<Self> {
        let mut budget = Budget { most, left: most };
        let resources::Variables { mut slots, push, mut warnings } = resources::plan(file, interface, &mut budget)?;
        slots.extend(heaps::plan(file, interface, &mut budget, &mut warnings)?);
        let roots = roots::plan(file, interface, &mut budget, &mut slots, &mut warnings)?;
        let dispatches = records::plan(file, interface)?;
        let checks = expect::plan(file, &slots)?;
        let record_checks = records::checks(file, interface)?;
        let mesh_checks = records::mesh_checks(file, interface)?;
        let findings = file.expect_findings.as_ref().map(|(_, codes)| {
            let mut codes = codes.clone();
            codes.sort();
            codes.dedup();
            codes
        });
        Ok(Self { slots, roots, push, dispatches, checks, record_checks, mesh_checks, findings, warnings })
    }
}

/// Reads a file that the run file names.
fn read_file(file: &RunFile, name: &str, at: Position) -> Checked<Vec<u8>> {
    let path = file.folder().join(name);
    if !file.may_read(&path) {
        return Err(Fault::new(at, format!("{} is outside of the --include-root folders", path.display())));
    }
    wgc_abi::file::read(&path, Content::Data)
        .map_err(|error| Fault::new(at, format!("cannot read {}: {error}", path.display())))
}
