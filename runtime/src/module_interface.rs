//! The interface of a compiled module without its source. Nodes or compute shaders are listed by their entry points,
//! resources by OpName or else by set and binding, fields by OpMemberName.
//!
//! It follows SPIR-V: a `bool` in memory is a number, bit-fields appear as the integers that contain them, and texels
//! have four components. Eight-bit numbers are not fields; run files that need them give bytes.

use crate::cpu::layouts::{Layouts, Stride};
use crate::cpu::{NodeName, Specialisation};
use rustc_hash::FxHashSet;
use spirv::{Decoration, Dim, ExecutionMode, ExecutionModel, Op, StorageClass};
use wgc_abi::interface::{
    BindingInterface, BindingKind, Interface, NodeInterface, NodeLaunch, PushConstants, SpecConstant, Texture,
};
use wgc_abi::{FieldLayout, LayoutScalar, LayoutType, StructLayout};
use wgc_spirv_module::constant::Value;
use wgc_spirv_module::module::{EntryPoint, Global};
use wgc_spirv_module::types::ImageType;
use wgc_spirv_module::{Id, Module, Type, node_name};

type Result<T> = std::result::Result<T, String>;

/// Structures within structures.
const MAX_DEPTH: u32 = 64;
/// Fields of one type, with those of its parts.
const MAX_FIELDS: usize = 1 << 16;

/// The parts of a module that a host has to know.
#[derive(Clone, Debug)]
pub struct ModuleInterface {
    pub interface: Interface,
    /// The nodes, by entry point; none in a module of compute shaders.
    pub nodes: Vec<NodeName>,
}

/// Reads the interface of a module with these values of specialisation constants. The error is a sentence for the user.
pub fn of_words(words: &[u32], values: &Specialisation) -> Result<ModuleInterface> {
    let module = Module::load_specialised(words, values).map_err(|e| e.to_string())?;
    // Entry points were named when the constants had their defaults.
    let unspecialised = match values.is_empty() {
        true => None,
        false => Some(Module::load(words).map_err(|e| e.to_string())?),
    };
    let named = unspecialised.as_ref().unwrap_or(&module);
    let mut reader = Reader { m: &module, named, layouts: Layouts::new(&module), fields: 0 };
    let (mut interface, mut nodes) = (Interface::default(), Vec::new());
    let is_graph = module.has_capability(spirv::Capability::ShaderEnqueueAMDX);
    for entry in &module.entry_points {
        let model = ExecutionModel::from_u32(entry.model);
        match model {
            Some(ExecutionModel::GLCompute) if !is_graph => interface.compute.push(entry.name.clone()),
            Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT) if is_graph => {
                let (name, node) = reader.node(entry, model == Some(ExecutionModel::MeshEXT))?;
                nodes.push(name);
                interface.nodes.push(node);
            }
            _ => {}
        }
    }
    if interface.nodes.is_empty() && interface.compute.is_empty() {
        return Err("the module has neither nodes nor compute shaders".into());
    }
    for global in module.globals.values() {
        match StorageClass::from_u32(global.class) {
            Some(StorageClass::PushConstant) => {
                let ty = reader.pointee(global)?;
                let block = reader.structure(ty, 0)?;
                interface.push_constants = Some(PushConstants { name: reader.name(global.id), block });
            }
            Some(StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::UniformConstant) => {
                interface.bindings.extend(reader.binding(global)?);
            }
            _ => {}
        }
    }
    let names: FxHashSet<String> = interface.bindings.iter().map(|b| b.name.clone()).collect();
    for binding in &mut interface.bindings {
        let of = binding.name.strip_prefix("counter.var.").filter(|of| names.contains(*of));
        binding.counter_of = of.map(str::to_owned);
    }
    interface.spec_constants = reader.spec_constants();
    Ok(ModuleInterface { interface, nodes })
}

struct Reader<'m> {
    m: &'m Module,
    /// The module without values of specialisation constants.
    named: &'m Module,
    layouts: Layouts<'m>,
    fields: usize,
}

impl Reader<'_> {
    fn name(&self, id: Id) -> String {
        self.m.names.get(&id).cloned().unwrap_or_default()
    }

    fn mode(&self, entry: &EntryPoint, mode: ExecutionMode) -> Option<u32> {
        self.m.constant_u32(*self.m.execution_mode(entry.function, mode)?.operands.first()?)
    }

    fn node(&mut self, entry: &EntryPoint, mesh: bool) -> Result<(NodeName, NodeInterface)> {
        let index = self.mode(entry, ExecutionMode::ShaderIndexAMDX).unwrap_or(0);
        let id = wgc_abi::NodeName { name: node_name(self.named, entry, &[self.named]), index };
        let input = entry
            .interface
            .iter()
            .filter_map(|id| self.m.globals.get(id))
            .find(|global| StorageClass::from_u32(global.class) == Some(StorageClass::NodePayloadAMDX));
        let (mut record, mut most) = (None, 1);
        if let Some(global) = input {
            let array = self.pointee(global)?;
            let Some(&Type::NodePayloadArray { payload }) = self.m.ty(array) else {
                return Err(format!("the input of node {id} is not a payload array"));
            };
            let decoration = self.m.decoration(array, None, Decoration::NodeMaxPayloadsAMDX);
            let operand = decoration.and_then(|d| self.m.decoration_operands(d).first().copied());
            most = operand.and_then(|id| self.m.constant_u32(id)).unwrap_or(1);
            let layout = self.structure(payload, 0)?;
            record = Some(layout)
                .filter(|_| !matches!(self.m.ty(payload), Some(Type::Struct { members }) if members.is_empty()));
        }
        let threads = self.m.execution_mode(entry.function, ExecutionMode::LocalSize);
        let alone = threads.is_some_and(|mode| mode.operands.iter().all(|&n| n == 1)) && most == 1;
        let launch = match self.m.execution_mode(entry.function, ExecutionMode::CoalescingAMDX) {
            _ if mesh => NodeLaunch::Mesh,
            Some(_) if alone => NodeLaunch::Thread,
            Some(_) => NodeLaunch::Coalescing,
            None => NodeLaunch::Broadcasting,
        };
        let is_entry = self.mode(entry, ExecutionMode::IsApiEntryAMDX).is_none_or(|v| v != 0);
        let name = NodeName { entry_point: entry.name.clone(), name: id.name.clone(), index: None };
        Ok((name, NodeInterface { id, launch, entry: is_entry, record }))
    }

    fn pointee(&self, global: &Global) -> Result<Id> {
        match self.m.ty(global.ty) {
            Some(&Type::Pointer { pointee, .. }) => Ok(pointee),
            _ => Err(format!("{} is not a variable", self.m.describe(global.id))),
        }
    }

    fn binding(&mut self, global: &Global) -> Result<Option<BindingInterface>> {
        let word = |kind| self.m.decoration_word(global.id, None, kind);
        let (Some(set), Some(binding)) = (word(Decoration::DescriptorSet), word(Decoration::Binding)) else {
            return Ok(None);
        };
        let ty = self.pointee(global)?;
        let (element, count) = match self.m.ty(ty) {
            Some(&Type::Array { element, length }) => {
                (element, self.m.constant_u32(length).ok_or("the length of an array of resources is not a constant")?)
            }
            Some(&Type::RuntimeArray { element }) => (element, 0),
            _ => (ty, 1),
        };
        let describe = || self.m.describe(global.id);
        let kind = match self.m.ty(element) {
            Some(Type::Struct { .. }) => {
                let uniform = StorageClass::from_u32(global.class) == Some(StorageClass::Uniform)
                    && self.m.decoration(element, None, Decoration::BufferBlock).is_none();
                match uniform {
                    true => BindingKind::UniformBuffer { block: self.structure(element, 0)? },
                    false => self.buffer(global, element)?,
                }
            }
            Some(Type::Image(image)) => self.image(image).ok_or_else(|| format!("texels of {}", describe()))?,
            Some(Type::Sampler) => BindingKind::Sampler,
            Some(&Type::Other { opcode }) if opcode == Op::TypeAccelerationStructureKHR as u16 => {
                BindingKind::AccelerationStructure
            }
            _ => return Err(format!("{} has a kind of resource that run files do not support", describe())),
        };
        let mut name = self.name(global.id);
        if name.is_empty() {
            name = format!("{set}.{binding}");
        }
        Ok(Some(BindingInterface { name, set, binding, count, kind, register: None, heap: None, counter_of: None }))
    }

    /// Returns the kind of a block's buffer. A block of one runtime array has elements; another block is its only
    /// element.
    fn buffer(&mut self, global: &Global, block: Id) -> Result<BindingKind> {
        let Some(Type::Struct { members }) = self.m.ty(block) else { return Err("a buffer without a block".into()) };
        let read_only = |id, member| self.m.decoration(id, member, Decoration::NonWritable).is_some();
        let all = (0..members.len() as u32).all(|member| read_only(block, Some(member)));
        let writable = !read_only(global.id, None) && (members.is_empty() || !all);
        if let [array] = members[..]
            && let Some(&Type::RuntimeArray { element }) = self.m.ty(array)
        {
            let matrices = self.layouts.member_stride(block, 0);
            let stride = self.layouts.array_stride(array, matrices)?;
            let words = LayoutType::Scalar(LayoutScalar::U32);
            let element = self.value(element, matrices, 0)?.unwrap_or(words);
            return Ok(BindingKind::StorageBuffer { element, stride, writable });
        }
        let layout = self.structure(block, 0)?;
        Ok(BindingKind::StorageBuffer { stride: layout.size, element: LayoutType::Struct(layout), writable })
    }

    fn image(&self, image: &ImageType) -> Option<BindingKind> {
        let (texel, components) = (self.scalar(image.sampled_type)?, 4);
        let dimensions = match image.dim {
            Dim::Dim1D => 1,
            Dim::Dim2D | Dim::DimCube => 2,
            Dim::Dim3D => 3,
            Dim::DimBuffer => {
                return Some(BindingKind::TexelBuffer { writable: image.sampled == 2, texel, components });
            }
            _ => return None,
        };
        let (arrayed, multisampled, cube) = (image.arrayed, image.multisampled, image.dim == Dim::DimCube);
        let texture = Texture { dimensions, arrayed, cube, multisampled, texel, components };
        Some(match image.sampled {
            2 => BindingKind::StorageImage { texture },
            _ => BindingKind::SampledImage { texture },
        })
    }

    fn scalar(&self, ty: Id) -> Option<LayoutScalar> {
        Some(match *self.m.ty(ty)? {
            Type::Bool => LayoutScalar::Bool,
            Type::Int { width: 16, signed: true } => LayoutScalar::I16,
            Type::Int { width: 16, .. } => LayoutScalar::U16,
            Type::Int { width: 32, signed: true } => LayoutScalar::I32,
            Type::Int { width: 32, .. } => LayoutScalar::U32,
            Type::Int { width: 64, signed: true } => LayoutScalar::I64,
            Type::Int { width: 64, .. } => LayoutScalar::U64,
            Type::Float { width: 16 } => LayoutScalar::F16,
            Type::Float { width: 32 } => LayoutScalar::F32,
            Type::Float { width: 64 } => LayoutScalar::F64,
            _ => return None,
        })
    }

    fn structure(&mut self, ty: Id, depth: u32) -> Result<StructLayout> {
        let Some(Type::Struct { members }) = self.m.ty(ty) else {
            return Err(format!("{} is not a structure", self.m.describe(ty)));
        };
        let (size, align) = self.layouts.size(ty, Stride::Natural)?;
        let mut fields = Vec::new();
        for (index, &member) in (0u32..).zip(members) {
            self.fields += 1;
            if self.fields > MAX_FIELDS {
                return Err(format!("{} has too many fields", self.m.describe(ty)));
            }
            let matrices = self.layouts.member_stride(ty, index);
            let Some(value) = self.value(member, matrices, depth)? else { continue };
            let name = self.m.member_names.get(&(ty, index)).filter(|name| !name.is_empty());
            let name = name.cloned().unwrap_or_else(|| format!("_{index}"));
            fields.push(FieldLayout { name, offset: self.layouts.member_offset(ty, index)?, ty: value });
        }
        Ok(StructLayout { name: self.name(ty), fields, size, align })
    }

    /// Returns the layout of a type; `None` for types without a name in run files.
    fn value(&mut self, ty: Id, matrices: Stride, depth: u32) -> Result<Option<LayoutType>> {
        if depth > MAX_DEPTH {
            return Err(format!("{} nests too deeply", self.m.describe(ty)));
        }
        Ok(match self.m.ty(ty) {
            Some(&Type::Vector { component, count }) => {
                self.scalar(component).map(|scalar| LayoutType::Vector { scalar, components: count })
            }
            // Rows of the source are columns of SPIR-V, in modules of HLSL compilers.
            Some(&Type::Matrix { column, columns: rows }) => {
                let Some(&Type::Vector { component, count: columns }) = self.m.ty(column) else { return Ok(None) };
                let Some(scalar) = self.scalar(component) else { return Ok(None) };
                let (row_major, stride) = match matrices {
                    Stride::Rows(stride) => (false, stride),
                    Stride::Columns(stride) => (true, stride),
                    _ => (true, scalar.size() * columns),
                };
                Some(LayoutType::Matrix { scalar, rows, columns, row_major, stride })
            }
            Some(&Type::Array { element, length }) => {
                let stride = self.layouts.array_stride(ty, matrices)?;
                let count = self.m.constant_u32(length).ok_or("the length of an array is not a constant")?;
                let element = self.value(element, matrices, depth + 1)?;
                element.map(|element| LayoutType::Array { element: Box::new(element), count, stride })
            }
            Some(Type::Struct { .. }) => Some(LayoutType::Struct(self.structure(ty, depth + 1)?)),
            _ => self.scalar(ty).map(LayoutType::Scalar),
        })
    }

    fn spec_constants(&self) -> Vec<SpecConstant> {
        let mut constants: Vec<SpecConstant> = Vec::new();
        for (&id, constant) in &self.m.constants {
            let (Some(number), Some(ty), &Value::Scalar(bits)) =
                (constant.spec_id, self.scalar(constant.ty), &constant.value)
            else {
                continue;
            };
            constants.push(SpecConstant { id: number, name: self.name(id), ty, bits });
        }
        constants.sort_by(|a, b| (a.id, &a.name).cmp(&(b.id, &b.name)));
        constants
    }
}
