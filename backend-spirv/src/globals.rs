//! Variables outside functions: resources, tables, workgroup and private memory, and system values.
//!
//! A variable is created when the first function uses it, so a module contains only used variables.

use crate::EmitError;
use crate::builder::id;
use crate::emitter::Emitter;
use crate::place::{Content, Place};
use crate::types::{LayoutId, Role, atomic_format, image_format};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ImageFormat, Op, StorageClass, Word};
use wgc_ir::{Binding, Builtin, Count, Field, Global, GlobalKind, ImageType, Space, StructType, Symbol, Type};

/// An emitted global.
#[derive(Clone, Debug)]
pub(crate) enum EmittedGlobal {
    Place(Place),
    /// A specialisation constant.
    Constant {
        word: Word,
    },
    Image {
        variable: Word,
        ty: ImageType,
        format: ImageFormat,
    },
    Sampler {
        variable: Word,
    },
    AccelerationStructure {
        variable: Word,
    },
    /// An array of resources.
    Descriptors {
        variable: Word,
        kind: DescriptorKind,
    },
}

/// The kind of an element in an array of resources.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DescriptorKind {
    /// A block of this layout. `wrapped`: the content is its only member.
    Block {
        space: Space,
        layout: LayoutId,
        writable: bool,
        wrapped: bool,
    },
    Image(ImageType, ImageFormat),
    Sampler,
    AccelerationStructure,
}

impl DescriptorKind {
    /// Returns the capabilities for dynamically uniform and for non-uniform indexing.
    pub fn indexing(self) -> (Option<Capability>, Option<Capability>) {
        use Capability as C;
        let buffer = |ty: &ImageType| ty.dim == wgc_ir::ImageDim::Buffer;
        let (uniform, divergent) = match self {
            // Arrays of acceleration structures need no capability for that.
            DescriptorKind::AccelerationStructure => return (None, None),
            DescriptorKind::Block { space: Space::Uniform, .. } => {
                (C::UniformBufferArrayDynamicIndexing, C::UniformBufferArrayNonUniformIndexing)
            }
            DescriptorKind::Block { .. } => {
                (C::StorageBufferArrayDynamicIndexing, C::StorageBufferArrayNonUniformIndexing)
            }
            DescriptorKind::Image(ty, _) if buffer(&ty) && ty.storage => {
                (C::StorageTexelBufferArrayDynamicIndexing, C::StorageTexelBufferArrayNonUniformIndexing)
            }
            DescriptorKind::Image(ty, _) if buffer(&ty) => {
                (C::UniformTexelBufferArrayDynamicIndexing, C::UniformTexelBufferArrayNonUniformIndexing)
            }
            DescriptorKind::Image(ty, _) if ty.storage => {
                (C::StorageImageArrayDynamicIndexing, C::StorageImageArrayNonUniformIndexing)
            }
            DescriptorKind::Image(..) | DescriptorKind::Sampler => {
                (C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing)
            }
        };
        (Some(uniform), Some(divergent))
    }
}

/// A variable of storage class Input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum InputVariable {
    System(Builtin),
    RemainingRecursionLevels,
}

/// Returns SPIR-V's name of a system value, and the capability that it needs. All are uint or uint3.
fn system_value(input: InputVariable) -> (BuiltIn, Option<Capability>) {
    let subgroup = Some(Capability::GroupNonUniform);
    match input {
        InputVariable::System(Builtin::GroupThreadId) => (BuiltIn::LocalInvocationId, None),
        InputVariable::System(Builtin::GroupIndex) => (BuiltIn::LocalInvocationIndex, None),
        InputVariable::System(Builtin::GroupId) => (BuiltIn::WorkgroupId, None),
        InputVariable::System(Builtin::DispatchThreadId) => (BuiltIn::GlobalInvocationId, None),
        InputVariable::System(Builtin::NumWorkgroups) => (BuiltIn::NumWorkgroups, None),
        InputVariable::System(Builtin::SubgroupSize) => (BuiltIn::SubgroupSize, subgroup),
        InputVariable::System(Builtin::SubgroupLane) => (BuiltIn::SubgroupLocalInvocationId, subgroup),
        InputVariable::System(Builtin::SubgroupId) => (BuiltIn::SubgroupId, subgroup),
        InputVariable::System(Builtin::NumSubgroups) => (BuiltIn::NumSubgroups, subgroup),
        InputVariable::RemainingRecursionLevels => (BuiltIn::RemainingRecursionLevelsAMDX, None),
    }
}

impl EmittedGlobal {
    /// Returns the id of the variable or constant, for interfaces and names.
    pub fn variable(&self) -> Word {
        match self {
            EmittedGlobal::Place(place) => place.base,
            EmittedGlobal::Constant { word } => *word,
            EmittedGlobal::Image { variable, .. }
            | EmittedGlobal::Sampler { variable }
            | EmittedGlobal::AccelerationStructure { variable }
            | EmittedGlobal::Descriptors { variable, .. } => *variable,
        }
    }
}

impl Emitter<'_> {
    /// Returns the variable of a system value, and its type.
    pub fn input(&mut self, input: InputVariable) -> Result<(Word, Type), EmitError> {
        if self.target.graph && input == InputVariable::System(Builtin::NumWorkgroups) {
            return Err(EmitError::number_of_groups());
        }
        let ty = match input {
            InputVariable::System(builtin) => wgc_ir::typing::builtin_type(builtin),
            InputVariable::RemainingRecursionLevels => Type::U32,
        };
        if let Some(&known) = self.inputs.get(&input) {
            return Ok((known, ty));
        }
        let (builtin, capability) = system_value(input);
        if let Some(capability) = capability {
            self.b.capability(capability);
        }
        let pointee = self.value_type(&ty)?;
        let variable = self.b.variable(StorageClass::Input, pointee, None);
        self.b.decorate_builtin(variable, builtin);
        self.b.name(variable, &format!("{builtin:?}"));
        self.inputs.insert(input, variable);
        Ok((variable, ty))
    }

    /// Returns the variable of a global of the module.
    pub fn global(&mut self, name: &Symbol) -> Result<EmittedGlobal, EmitError> {
        if let Some(known) = self.globals.get(name) {
            return Ok(known.clone());
        }
        let module = self.module;
        let Some(global) = module.globals.get(name) else {
            return Err(EmitError::new(format!("unknown global `{name}`")));
        };
        let emitted = self
            .new_global(global)
            .map_err(|e| EmitError { message: format!("global `{name}`: {}", e.message), ..e })?;
        self.b.name(emitted.variable(), &global.name);
        self.globals.insert(name.clone(), emitted.clone());
        Ok(emitted)
    }

    fn new_global(&mut self, global: &Global) -> Result<EmittedGlobal, EmitError> {
        if let Some(binding) = global.binding()
            && binding.count != Count::One
        {
            return self.descriptors(global, binding);
        }
        match &global.kind {
            GlobalKind::Private { ty, init } => {
                let init = init.as_ref().map(|init| self.composite_constant(ty, init)).transpose()?;
                self.plain_variable(Space::Private, ty, init)
            }
            GlobalKind::MeshOutput { ty, array, values } => self.mesh_output(ty, *array, values),
            GlobalKind::Workgroup { ty } => self.plain_variable(Space::Workgroup, ty, None),
            GlobalKind::Constant { ty, value } => {
                let value = self.composite_constant(ty, value)?;
                let emitted = self.plain_variable(Space::Private, ty, Some(value))?;
                // Before 1.4, only resources could have the decoration.
                if self.target.environment.version >= (1, 4) {
                    self.b.decorate(emitted.variable(), Decoration::NonWritable, &[]);
                }
                Ok(emitted)
            }
            GlobalKind::Buffer { element, stride, writable, coherent, binding, .. } => {
                let elements = Type::RuntimeArray { element: element.clone().into(), stride: *stride };
                let block = wrap(elements, *stride, "buffer");
                let space = Space::Storage { coherent: *coherent };
                let mut place = self.block_variable(space, &block, block_role(*writable))?;
                self.enter_field(&mut place, 0)?;
                if *coherent && !self.target.vulkan_memory_model {
                    self.b.decorate(place.base, Decoration::Coherent, &[]);
                }
                place.writable = *writable;
                self.bind(place.base, binding);
                Ok(EmittedGlobal::Place(place))
            }
            GlobalKind::Uniform { block, binding } => {
                let place = self.structure_variable(Space::Uniform, block)?;
                self.bind(place.base, binding);
                Ok(EmittedGlobal::Place(place))
            }
            GlobalKind::PushConstant { block } => {
                Ok(EmittedGlobal::Place(self.structure_variable(Space::PushConstant, block)?))
            }
            GlobalKind::Image { ty, format, coherent, binding } => {
                let format = self.format_of(&global.name, ty, *format);
                let pointee = self.image_type(*ty, format)?;
                let variable = self.b.variable(StorageClass::UniformConstant, pointee, None);
                if *coherent && !self.target.vulkan_memory_model {
                    self.b.decorate(variable, Decoration::Coherent, &[]);
                }
                self.bind(variable, binding);
                Ok(EmittedGlobal::Image { variable, ty: *ty, format })
            }
            GlobalKind::Sampler { binding } => {
                let pointee = self.value_type(&Type::Sampler)?;
                let variable = self.b.variable(StorageClass::UniformConstant, pointee, None);
                self.bind(variable, binding);
                Ok(EmittedGlobal::Sampler { variable })
            }
            GlobalKind::SpecConstant { id, default } => {
                Ok(EmittedGlobal::Constant { word: self.spec_constant(*id, *default) })
            }
            GlobalKind::AccelerationStructure { binding } => {
                let pointee = self.value_type(&Type::AccelerationStructure)?;
                let variable = self.b.variable(StorageClass::UniformConstant, pointee, None);
                self.bind(variable, binding);
                Ok(EmittedGlobal::AccelerationStructure { variable })
            }
        }
    }

    /// Returns the format of an image. If the source declares none, the host's view decides, except that atomics
    /// require a format.
    fn format_of(&self, name: &Symbol, ty: &ImageType, declared: Option<wgc_ir::TexelFormat>) -> ImageFormat {
        let atomic = || atomic_format(ty.texel).filter(|_| self.atomic_images.contains(name));
        match declared {
            Some(format) if ty.storage => image_format(format),
            _ => atomic().unwrap_or(ImageFormat::Unknown),
        }
    }

    /// Emits an array of resources.
    fn descriptors(&mut self, global: &Global, binding: &Binding) -> Result<EmittedGlobal, EmitError> {
        let (class, element, kind) = match &global.kind {
            GlobalKind::Buffer { element, stride, writable, coherent, .. } => {
                let elements = Type::RuntimeArray { element: element.clone().into(), stride: *stride };
                let space = Space::Storage { coherent: *coherent };
                let layout = self.layout_of(&wrap(elements, *stride, "buffer"), block_role(*writable))?;
                self.layout_pointer(StorageClass::StorageBuffer, layout);
                let kind = DescriptorKind::Block { space, layout, writable: *writable, wrapped: true };
                (StorageClass::StorageBuffer, self.layout(layout).word, kind)
            }
            GlobalKind::Uniform { block, .. } => {
                let layout = self.layout_of(block, Role::Block)?;
                self.layout_pointer(StorageClass::Uniform, layout);
                let kind = DescriptorKind::Block { space: Space::Uniform, layout, writable: false, wrapped: false };
                (StorageClass::Uniform, self.layout(layout).word, kind)
            }
            GlobalKind::Image { ty, format, .. } => {
                let format = self.format_of(&global.name, ty, *format);
                (StorageClass::UniformConstant, self.image_type(*ty, format)?, DescriptorKind::Image(*ty, format))
            }
            GlobalKind::Sampler { .. } => {
                (StorageClass::UniformConstant, self.value_type(&Type::Sampler)?, DescriptorKind::Sampler)
            }
            GlobalKind::AccelerationStructure { .. } => {
                let word = self.value_type(&Type::AccelerationStructure)?;
                (StorageClass::UniformConstant, word, DescriptorKind::AccelerationStructure)
            }
            _ => return Err(EmitError::new("an array whose elements are not resources")),
        };
        let array = match binding.count {
            Count::Array(n) => {
                let n = self.u32_constant(n);
                self.b.intern(Op::TypeArray, None, vec![id(element), id(n)])
            }
            _ => {
                self.b.capability(Capability::RuntimeDescriptorArray);
                self.b.intern(Op::TypeRuntimeArray, None, vec![id(element)])
            }
        };
        let variable = self.b.variable(class, array, None);
        let coherent = match global.kind {
            GlobalKind::Buffer { coherent, .. } | GlobalKind::Image { coherent, .. } => coherent,
            _ => false,
        };
        if coherent && !self.target.vulkan_memory_model {
            self.b.decorate(variable, Decoration::Coherent, &[]);
        }
        self.bind(variable, binding);
        Ok(EmittedGlobal::Descriptors { variable, kind })
    }

    /// Adds a variable without layout.
    pub fn plain_variable(&mut self, space: Space, ty: &Type, init: Option<Word>) -> Result<EmittedGlobal, EmitError> {
        let pointee = self.value_type(ty)?;
        let variable = self.b.variable(crate::types::storage_class(space), pointee, init);
        Ok(EmittedGlobal::Place(Place::new(variable, space, Content::Value(ty.clone()))))
    }

    /// Adds a variable that is a structure, or is wrapped in one.
    fn structure_variable(&mut self, space: Space, block: &Type) -> Result<Place, EmitError> {
        if matches!(block, Type::Struct(_)) {
            return self.block_variable(space, block, Role::Block);
        }
        let mut place =
            self.block_variable(space, &wrap(block.clone(), block.size().unwrap_or(0), "block"), Role::Block)?;
        self.enter_field(&mut place, 0)?;
        Ok(place)
    }

    fn block_variable(&mut self, space: Space, block: &Type, role: Role) -> Result<Place, EmitError> {
        let class = crate::types::storage_class(space);
        let layout = self.layout_of(block, role)?;
        self.layout_pointer(class, layout);
        let pointee = self.layout(layout).word;
        let variable = self.b.variable(class, pointee, None);
        Ok(Place::new(variable, space, Content::Memory(layout)))
    }

    fn bind(&mut self, variable: Word, binding: &Binding) {
        self.b.decorate(variable, Decoration::DescriptorSet, &[binding.set]);
        self.b.decorate(variable, Decoration::Binding, &[binding.binding]);
        if self.shared_slots.contains(&binding.slot()) {
            // One variable may read memory that another writes. Without the decoration, compilers assume separate
            // memory.
            self.b.decorate(variable, Decoration::Aliased, &[]);
        }
    }
}

/// Wraps a type in a structure, as SPIR-V requires for some variables.
pub(crate) fn wrap(ty: Type, size: u32, name: &str) -> Type {
    let align = ty.align();
    let field = Field::new("data", ty, 0);
    Type::Struct(StructType { name: name.into(), fields: vec![field], size, align }.into())
}

/// Returns the role of a buffer's structure.
fn block_role(writable: bool) -> Role {
    if writable { Role::Block } else { Role::ReadOnlyBlock }
}
