//! A linked module: functions, globals, the graph, compute entry points.

use crate::Symbol;
use crate::function::{Function, ScalarConst};
use crate::graph::{Graph, Mesh, MeshArray};
use crate::image::TexelFormat;
use crate::mesh::MeshValue;
use crate::specialise::Specialised;
use crate::types::{ImageType, Space, Type};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    pub functions: IndexMap<Symbol, SharedFunction>,
    pub globals: IndexMap<Symbol, Global>,
    pub graph: Graph,
    /// Plain compute entry points (scheduler kernels, `-T cs_*`, emulated nodes).
    pub entries: Vec<ComputeEntry>,
}

/// A function that several modules may share. The first change copies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedFunction(Arc<Function>);

impl SharedFunction {
    /// Returns the function without the sharing.
    pub fn into_function(self) -> Function {
        Arc::unwrap_or_clone(self.0)
    }
}

impl From<Function> for SharedFunction {
    fn from(function: Function) -> Self {
        Self(Arc::new(function))
    }
}

impl Deref for SharedFunction {
    type Target = Function;

    fn deref(&self) -> &Function {
        &self.0
    }
}

impl DerefMut for SharedFunction {
    fn deref_mut(&mut self) -> &mut Function {
        Arc::make_mut(&mut self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: Symbol,
    pub kind: GlobalKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// A mutable global of one thread (`static`), with its initial value.
    Private {
        ty: Type,
        init: Option<Constant>,
    },
    Workgroup {
        ty: Type,
    },
    /// An output array of a mesh node.
    MeshOutput {
        ty: Type,
        array: MeshArray,
        /// The destinations of the parts of an element; none for indices.
        values: Vec<MeshValue>,
    },
    /// A constant table (`static const` array); its place has the space `Private`.
    Constant {
        ty: Type,
        value: Constant,
    },
    /// Structured and byte-address buffers. The place is `Ref(Storage, RuntimeArray(element))`.
    Buffer {
        element: Type,
        stride: u32,
        writable: bool,
        coherent: bool,
        /// The counter buffer of one u32 for `Op::Counter`, a global with as many elements as this one.
        counter: Option<Symbol>,
        binding: Binding,
    },
    /// cbuffer, ConstantBuffer. The place is `Ref(Uniform, block)`.
    Uniform {
        block: Type,
        binding: Binding,
    },
    /// Push constants. The place is `Ref(PushConstant, block)`; at most one per entry point.
    PushConstant {
        block: Type,
    },
    /// An image. Its `Op::Global` is an `Image` value, not a place.
    Image {
        ty: ImageType,
        /// The declared format of a storage image. Without one the back end chooses.
        format: Option<TexelFormat>,
        /// `globallycoherent`, for a storage image.
        coherent: bool,
        binding: Binding,
    },
    Sampler {
        binding: Binding,
    },
    /// A specialisation constant. Its `Op::Global` is a value: the default, unless the pipeline was created with
    /// another one.
    SpecConstant {
        /// SpecId
        id: u32,
        default: ScalarConst,
    },
    AccelerationStructure {
        binding: Binding,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    Scalar(ScalarConst),
    /// Elements of a vector, array or structure.
    Composite(Vec<Constant>),
    Zero,
}

/// The binding of a resource on the host, with its declaration in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub set: u32,
    pub binding: u32,
    pub count: Count,
    /// `('u', 0, 0)` for `register(u0, space0)`; `None` when assigned automatically or by `[[vk::binding]]`.
    pub register: Option<(char, u32, u32)>,
    /// A view of a heap. All views of one heap share set and binding, and each has an element for every index.
    pub heap: Option<Heap>,
}

impl Binding {
    /// Returns set and binding.
    pub fn slot(&self) -> (u32, u32) {
        (self.set, self.binding)
    }
}

/// Returns the slots that several globals use: views of a heap, and variables with the same `[[vk::binding]]`. One of
/// them may read memory that another writes.
pub fn shared_slots(globals: &IndexMap<Symbol, Global>) -> FxHashSet<(u32, u32)> {
    let mut seen = FxHashSet::default();
    globals.values().filter_map(Global::binding).map(Binding::slot).filter(|slot| !seen.insert(*slot)).collect()
}

/// A host array of descriptors of any type, chosen by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Heap {
    /// `ResourceDescriptorHeap`
    Resource,
    /// `SamplerDescriptorHeap`
    Sampler,
    /// The counters of buffers in the resource heap, at the same indexes.
    Counter,
}

impl Binding {
    /// Creates a binding that is still to be assigned.
    pub fn open(count: Count) -> Binding {
        Binding { set: 0, binding: 0, count, register: None, heap: None }
    }
}

/// The number of resources of one binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    #[default]
    One,
    /// An array, dimensions multiplied.
    Array(u32),
    /// The number that the host binds.
    Unbounded,
}

/// A compute shader of the module, or a mesh shader if it outputs a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeEntry {
    /// Name of the OpEntryPoint.
    pub name: Symbol,
    pub function: Symbol,
    pub workgroup_size: [u32; 3],
    /// `WaveSize`: minimum, maximum, preferred. SPIR-V modules cannot express it, so the pipeline must set it.
    pub wave_size: Option<[u32; 3]>,
    /// The output of each group, only for mesh shaders.
    pub mesh: Option<Mesh>,
    /// Numbers of `Threads` that a host may still change.
    pub specialised: Specialised,
}

impl Global {
    /// Returns the type of [`Op::Global`](crate::Op::Global): a place, an image or sampler, an array of resources, or a
    /// scalar.
    pub fn value_type(&self) -> Type {
        match self.binding().map(|b| b.count) {
            None | Some(Count::One) => self.element_type(),
            Some(Count::Array(n)) => Type::Descriptors { element: Arc::new(self.element_type()), len: Some(n) },
            Some(Count::Unbounded) => Type::Descriptors { element: Arc::new(self.element_type()), len: None },
        }
    }

    /// Returns the type of one resource of the binding.
    pub fn element_type(&self) -> Type {
        match &self.kind {
            GlobalKind::Private { ty, .. } | GlobalKind::Constant { ty, .. } => {
                Type::reference(Space::Private, ty.clone())
            }
            GlobalKind::Workgroup { ty } => Type::reference(Space::Workgroup, ty.clone()),
            GlobalKind::MeshOutput { ty, .. } => Type::reference(Space::MeshOutput, ty.clone()),
            GlobalKind::Buffer { element, stride, coherent, .. } => Type::reference(
                Space::Storage { coherent: *coherent },
                Type::RuntimeArray { element: Arc::new(element.clone()), stride: *stride },
            ),
            GlobalKind::Uniform { block, .. } => Type::reference(Space::Uniform, block.clone()),
            GlobalKind::PushConstant { block } => Type::reference(Space::PushConstant, block.clone()),
            GlobalKind::Image { ty, .. } => Type::Image(*ty),
            GlobalKind::Sampler { .. } => Type::Sampler,
            GlobalKind::SpecConstant { default, .. } => Type::Scalar(default.ty),
            GlobalKind::AccelerationStructure { .. } => Type::AccelerationStructure,
        }
    }

    /// Returns whether a shader may write to it.
    pub fn is_writable(&self) -> bool {
        match &self.kind {
            GlobalKind::Private { .. } | GlobalKind::Workgroup { .. } | GlobalKind::MeshOutput { .. } => true,
            GlobalKind::Buffer { writable, .. } => *writable,
            GlobalKind::Image { ty, .. } => ty.storage,
            GlobalKind::Constant { .. }
            | GlobalKind::Uniform { .. }
            | GlobalKind::PushConstant { .. }
            | GlobalKind::Sampler { .. }
            | GlobalKind::SpecConstant { .. }
            | GlobalKind::AccelerationStructure { .. } => false,
        }
    }

    /// Returns the global that holds a buffer's counter.
    pub fn counter(&self) -> Option<&Symbol> {
        match &self.kind {
            GlobalKind::Buffer { counter, .. } => counter.as_ref(),
            _ => None,
        }
    }

    /// Returns the binding for changes.
    pub fn binding_mut(&mut self) -> Option<&mut Binding> {
        match &mut self.kind {
            GlobalKind::Buffer { binding, .. }
            | GlobalKind::Uniform { binding, .. }
            | GlobalKind::Image { binding, .. }
            | GlobalKind::Sampler { binding }
            | GlobalKind::AccelerationStructure { binding } => Some(binding),
            _ => None,
        }
    }

    /// Returns the binding.
    pub fn binding(&self) -> Option<&Binding> {
        match &self.kind {
            GlobalKind::Buffer { binding, .. }
            | GlobalKind::Uniform { binding, .. }
            | GlobalKind::Image { binding, .. }
            | GlobalKind::Sampler { binding }
            | GlobalKind::AccelerationStructure { binding } => Some(binding),
            _ => None,
        }
    }
}

impl Module {
    /// Returns the functions of nodes and entries. Their parameters and effects belong to an interface.
    pub fn roots(&self) -> impl Iterator<Item = &Symbol> {
        self.graph.nodes.iter().map(|n| &n.function).chain(self.entries.iter().map(|e| &e.function))
    }

    /// Adds a function under its name, and replaces one of the same name.
    pub fn add_function(&mut self, function: impl Into<SharedFunction>) {
        let function = function.into();
        self.functions.insert(function.name.clone(), function);
    }

    /// Adds a global under its name, and replaces one of the same name.
    pub fn add_global(&mut self, global: Global) {
        self.globals.insert(global.name.clone(), global);
    }
}
