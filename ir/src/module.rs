//! A linked module: functions, globals, the graph, compute entry points.

use crate::Symbol;
use crate::function::{Function, ScalarConst};
use crate::graph::{Graph, Mesh, MeshArray};
use crate::image::TexelFormat;
use crate::mesh::MeshValue;
use crate::specialise::Specialised;
use crate::types::{ImageType, Space, Type};
use indexmap::IndexMap;
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

/// A function that several modules may have: the first change makes it a module's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedFunction(Arc<Function>);

impl SharedFunction {
    /// The function by itself.
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
    /// An array that a mesh node puts out.
    MeshOutput {
        ty: Type,
        array: MeshArray,
        /// What of an element goes where; nothing for indices.
        values: Vec<MeshValue>,
    },
    /// A constant table (`static const` array); its place has the space `Private`.
    Constant {
        ty: Type,
        value: Constant,
    },
    /// Structured and byte-address buffers: the place is `Ref(Storage, RuntimeArray(element))`.
    Buffer {
        element: Type,
        stride: u32,
        writable: bool,
        coherent: bool,
        /// The buffer of one u32 that `Op::Counter` means, a global with as many elements as this one.
        counter: Option<Symbol>,
        binding: Binding,
    },
    /// cbuffer, ConstantBuffer: the place is `Ref(Uniform, block)`.
    Uniform {
        block: Type,
        binding: Binding,
    },
    /// The place is `Ref(PushConstant, block)`; at most one per entry point.
    PushConstant {
        block: Type,
    },
    /// `Op::Global` of it is an `Image` value, not a place.
    Image {
        ty: ImageType,
        /// Of a storage image, when the declaration says; the back end chooses otherwise.
        format: Option<TexelFormat>,
        /// `globallycoherent`, of a storage image.
        coherent: bool,
        binding: Binding,
    },
    Sampler {
        binding: Binding,
    },
    /// `Op::Global` of it is a value: the default, unless the pipeline was made with another.
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

/// Where the host binds a resource, with what the source said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    pub set: u32,
    pub binding: u32,
    pub count: Count,
    /// `('u', 0, 0)` for `register(u0, space0)`; `None` when assigned automatically or by `[[vk::binding]]`.
    pub register: Option<(char, u32, u32)>,
    /// It is one view of a heap: all of one heap share set and binding, and each has an element for every index.
    pub heap: Option<Heap>,
}

/// What the host keeps descriptors of any type in, chosen by index.
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
    /// A binding whose place is still to be given out.
    pub fn open(count: Count) -> Binding {
        Binding { set: 0, binding: 0, count, register: None, heap: None }
    }
}

/// How many resources one binding has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    #[default]
    One,
    /// An array, dimensions multiplied.
    Array(u32),
    /// As many as the host binds.
    Unbounded,
}

/// A compute shader of the module, or a mesh shader, which is one that puts out a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeEntry {
    /// Name of the OpEntryPoint.
    pub name: Symbol,
    pub function: Symbol,
    pub workgroup_size: [u32; 3],
    /// `WaveSize`: minimum, maximum, preferred. No SPIR-V module can say it: whoever makes the pipeline does.
    pub wave_size: Option<[u32; 3]>,
    /// What its groups put out; of mesh shaders alone.
    pub mesh: Option<Mesh>,
    /// `Threads` that a host may still change.
    pub specialised: Specialised,
}

impl Global {
    /// The type of [`Op::Global`](crate::Op::Global): a place, an image or sampler, an array of resources, or a scalar.
    pub fn value_type(&self) -> Type {
        match self.binding().map(|b| b.count) {
            None | Some(Count::One) => self.element_type(),
            Some(Count::Array(n)) => Type::Descriptors { element: Arc::new(self.element_type()), len: Some(n) },
            Some(Count::Unbounded) => Type::Descriptors { element: Arc::new(self.element_type()), len: None },
        }
    }

    /// The type of one resource of the binding.
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

    /// Whether a shader may write to it.
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

    /// The global that holds a buffer's counter.
    pub fn counter(&self) -> Option<&Symbol> {
        match &self.kind {
            GlobalKind::Buffer { counter, .. } => counter.as_ref(),
            _ => None,
        }
    }

    /// Where the host binds it, to be changed.
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

    /// Where the host binds it.
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
    /// Adds a function under its name, in place of one of the same name.
    pub fn add_function(&mut self, function: impl Into<SharedFunction>) {
        let function = function.into();
        self.functions.insert(function.name.clone(), function);
    }

    /// Adds a global under its name, in place of one of the same name.
    pub fn add_global(&mut self, global: Global) {
        self.globals.insert(global.name.clone(), global);
    }
}
