//! The output of mesh shaders: its layout and its contents.
//!
//! Nothing is drawn. A mesh is the rasteriser's input: its vertices, the indices of its primitives, and the attributes
//! of each primitive.

use spirv::BuiltIn;
use std::fmt;
use std::sync::Arc;
use wgc_abi::LayoutType;

/// The limit of mesh bytes kept for one node. All meshes are counted.
const MAX_BYTES: usize = 1 << 28;

/// The array of a mesh that a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshArray {
    Vertices,
    /// An element is the numbers of a primitive's vertices.
    Indices,
    Primitives,
}

impl MeshArray {
    pub fn name(self) -> &'static str {
        match self {
            MeshArray::Vertices => "vertices",
            MeshArray::Indices => "indices",
            MeshArray::Primitives => "primitives",
        }
    }

    /// Returns the name of one element, for messages.
    pub fn element(self) -> &'static str {
        match self {
            MeshArray::Vertices => "vertex",
            MeshArray::Indices | MeshArray::Primitives => "primitive",
        }
    }
}

/// The consumer of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshPlace {
    /// The rasteriser.
    BuiltIn(BuiltIn),
    /// A pixel shader: location and component.
    Location(u32, u32),
}

impl fmt::Display for MeshPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshPlace::BuiltIn(builtin) => write!(f, "{builtin:?}"),
            MeshPlace::Location(location, 0) => write!(f, "location {location}"),
            MeshPlace::Location(location, component) => write!(f, "location {location}.{component}"),
        }
    }
}

/// A value of every vertex or primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshValue {
    /// The module's name of the value, without the names of its parents; else its position.
    pub name: String,
    pub place: MeshPlace,
    pub array: MeshArray,
    pub ty: LayoutType,
    /// The offset of the first element, in the workgroup's mesh.
    pub(crate) offset: u32,
    /// Bytes from element to element there.
    pub(crate) stride: u32,
    /// Elements.
    pub(crate) length: u32,
}

impl MeshValue {
    /// Returns the bytes of an element.
    pub fn size(&self) -> usize {
        self.ty.size() as usize
    }
}

/// The layout of a node's meshes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshShape {
    /// Vertices of a primitive: 1, 2 or 3.
    pub corners: u32,
    pub max_vertices: u32,
    pub max_primitives: u32,
    pub values: Vec<MeshValue>,
}

impl MeshShape {
    /// Returns the value at an offset of the workgroup's mesh, and the number of the element.
    pub(crate) fn at(&self, offset: u64) -> Option<(&MeshValue, u32)> {
        self.values.iter().find_map(|value| {
            let inside = offset.checked_sub(u64::from(value.offset))?;
            let stride = u64::from(value.stride.max(1));
            let (element, part) = (inside / stride, inside % stride);
            // Members of a block are interleaved.
            (element < u64::from(value.length) && part < value.size() as u64).then_some((value, element as u32))
        })
    }
}

/// The output of one workgroup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mesh {
    /// Its position in the grid, or in the grid of the draw if only that is known.
    pub group: [u32; 3],
    /// The record that launched it, among those that the node received. `None`: a draw of the host did.
    pub record: Option<u64>,
    pub vertices: u32,
    pub primitives: u32,
    /// The emitted elements in sequence, for each value of the shape.
    pub values: Vec<Vec<u8>>,
}

impl Mesh {
    /// Returns the number of elements in an array.
    pub fn count(&self, array: MeshArray) -> u32 {
        match array {
            MeshArray::Vertices => self.vertices,
            MeshArray::Indices | MeshArray::Primitives => self.primitives,
        }
    }

    /// Returns whether the workgroup emitted nothing.
    pub fn is_empty(&self) -> bool {
        self.vertices == 0 && self.primitives == 0
    }

    fn bytes(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }
}

/// The output of a node's workgroups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meshes {
    pub shape: Arc<MeshShape>,
    /// Workgroups that ran.
    pub groups: u64,
    /// Meshes with something in them.
    pub count: u64,
    pub vertices: u64,
    pub primitives: u64,
    /// Those meshes in the order of their output, up to the limit.
    pub list: Vec<Mesh>,
    bytes: usize,
}

impl Meshes {
    pub fn of(shape: Arc<MeshShape>) -> Meshes {
        Meshes { shape, ..Meshes::default() }
    }

    /// Appends the output of another dispatch.
    pub fn append(&mut self, other: Meshes) {
        self.groups += other.groups;
        self.count += other.count;
        self.vertices += other.vertices;
        self.primitives += other.primitives;
        if self.bytes <= MAX_BYTES {
            self.bytes += other.bytes;
            self.list.extend(other.list);
        }
    }

    /// Adds the output of one workgroup.
    pub(crate) fn add(&mut self, mesh: Mesh) {
        self.groups += 1;
        if mesh.is_empty() {
            return;
        }
        self.count += 1;
        self.vertices += u64::from(mesh.vertices);
        self.primitives += u64::from(mesh.primitives);
        if self.bytes <= MAX_BYTES {
            self.bytes += mesh.bytes();
            self.list.push(mesh);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_abi::LayoutScalar;

    #[test]
    fn mesh_offsets_map_to_values_and_elements() {
        let value = |name: &str, offset, stride, length| MeshValue {
            name: name.to_owned(),
            place: MeshPlace::Location(0, 0),
            array: MeshArray::Vertices,
            ty: LayoutType::Scalar(LayoutScalar::U32),
            offset,
            stride,
            length,
        };
        let shape = MeshShape { values: vec![value("a", 0, 4, 3), value("b", 16, 8, 2)], ..MeshShape::default() };
        let at = |offset| shape.at(offset).map(|(value, element)| (value.name.as_str(), element));
        assert_eq!([at(0), at(11), at(12)], [Some(("a", 0)), Some(("a", 2)), None]);
        assert_eq!([at(16), at(27), at(28), at(32)], [Some(("b", 0)), Some(("b", 1)), None, None]);
    }

    #[test]
    fn empty_meshes_still_count_as_workgroups() {
        let mut meshes = Meshes::default();
        meshes.add(Mesh::default());
        meshes.add(Mesh { vertices: 3, primitives: 1, ..Mesh::default() });
        assert_eq!((meshes.groups, meshes.count, meshes.vertices, meshes.primitives), (2, 1, 3, 1));
        assert_eq!(meshes.list.len(), 1);
    }
}
