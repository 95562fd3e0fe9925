//! Reflection for hosts of both targets: the data needed to fill records and bind resources.

use crate::EmitError;
use rustc_hash::FxHashMap;
use wgc_abi::NodeName;
use wgc_abi::interface::{
    BindingInterface, BindingKind, Heap as AbiHeap, Interface, NodeInterface, NodeLaunch, PushConstants, Register,
    SpecConstant, Texture,
};
use wgc_abi::layout::{FieldLayout, LayoutScalar, LayoutType, StructLayout};
use wgc_ir::{Binding, Count, GlobalKind, Heap, ImageDim, Launch, Module, Node, NodeId, Scalar, StructType, Type};

/// Returns the interface of a module's graph or compute shaders and of its resources, in declaration order.
///
/// # Errors
/// A record or a resource has a type without a layout, which no checked program has.
pub fn of_module(module: &Module) -> Result<Interface, EmitError> {
    let nodes = (module.graph.nodes.iter())
        .map(|node| {
            Ok(NodeInterface {
                id: node_name(&node.id),
                launch: node_launch(node.launch),
                entry: node.entry,
                record: record_layout(node)?,
            })
        })
        .collect::<Result<_, EmitError>>()?;
    let counters: FxHashMap<_, _> =
        module.globals.values().filter_map(|g| Some((g.counter()?.clone(), g.name.to_string()))).collect();
    let mut bindings = Vec::new();
    let mut push_constants = None;
    let mut spec_constants = Vec::new();
    for global in module.globals.values() {
        let unsized_type = || EmitError::new(format!("`{}` has a type without a layout", global.name));
        let (kind, binding) = match &global.kind {
            GlobalKind::Private { .. }
            | GlobalKind::Workgroup { .. }
            | GlobalKind::Constant { .. }
            | GlobalKind::MeshOutput { .. } => continue,
            GlobalKind::SpecConstant { id, default } => {
                let (ty, bits) = (scalar(default.ty), default.bits);
                spec_constants.push(SpecConstant { id: *id, name: global.name.to_string(), ty, bits });
                continue;
            }
            GlobalKind::PushConstant { block } => {
                let block = struct_layout(block).ok_or_else(unsized_type)?;
                push_constants = Some(PushConstants { name: global.name.to_string(), block });
                continue;
            }
            GlobalKind::Buffer { element, stride, writable, binding, .. } => {
                let element = layout_type(element).ok_or_else(unsized_type)?;
                (BindingKind::StorageBuffer { element, stride: *stride, writable: *writable }, binding)
            }
            GlobalKind::Uniform { block, binding } => {
                let block = struct_layout(block).ok_or_else(unsized_type)?;
                (BindingKind::UniformBuffer { block }, binding)
            }
            GlobalKind::Image { ty, binding, .. } => {
                let dimensions = match ty.dim {
                    ImageDim::D1 | ImageDim::Buffer => 1,
                    ImageDim::D2 | ImageDim::Cube => 2,
                    ImageDim::D3 => 3,
                };
                let (texel, components) = (scalar(ty.texel), u32::from(ty.components));
                let (arrayed, multisampled, cube) = (ty.arrayed, ty.multisampled, ty.dim == ImageDim::Cube);
                let texture = Texture { dimensions, arrayed, cube, multisampled, texel, components };
                let kind = match (ty.dim, ty.storage) {
                    (ImageDim::Buffer, writable) => BindingKind::TexelBuffer { writable, texel, components },
                    (_, true) => BindingKind::StorageImage { texture },
                    (_, false) => BindingKind::SampledImage { texture },
                };
                (kind, binding)
            }
            GlobalKind::Sampler { binding } => (BindingKind::Sampler, binding),
            GlobalKind::AccelerationStructure { binding } => (BindingKind::AccelerationStructure, binding),
        };
        bindings.push(BindingInterface {
            name: global.name.to_string(),
            set: binding.set,
            binding: binding.binding,
            count: match binding.count {
                Count::One => 1,
                Count::Array(n) => n,
                Count::Unbounded => 0,
            },
            kind,
            heap: binding.heap.map(heap),
            // The counter of a heap belongs to all buffers in it.
            counter_of: counters.get(&global.name).filter(|_| binding.heap.is_none()).cloned(),
            register: register(binding),
        });
    }
    spec_constants.sort_by(|a, b| (a.id, &a.name).cmp(&(b.id, &b.name)));
    let compute = module.entries.iter().map(|entry| entry.name.to_string()).collect();
    Ok(Interface { nodes, bindings, local_roots: None, push_constants, spec_constants, compute })
}

/// Returns the layout of a node's input record by field; `None` for empty records.
pub(crate) fn record_layout(node: &Node) -> Result<Option<StructLayout>, EmitError> {
    let Some(record) = node.input.as_ref().and_then(|i| i.record.as_ref()) else { return Ok(None) };
    let layout = struct_layout(&record.ty);
    layout.map(Some).ok_or_else(|| EmitError::new(format!("the record of {} is not a structure", node.id.name)))
}

/// Returns the identity of a node for hosts.
pub fn node_name(id: &NodeId) -> NodeName {
    NodeName { name: id.name.to_string(), index: id.index }
}

/// Returns the launch mode of a node for hosts.
pub fn node_launch(launch: Launch) -> NodeLaunch {
    match launch {
        Launch::Broadcasting => NodeLaunch::Broadcasting,
        Launch::Coalescing => NodeLaunch::Coalescing,
        Launch::Thread => NodeLaunch::Thread,
        Launch::Mesh => NodeLaunch::Mesh,
    }
}

fn heap(heap: Heap) -> AbiHeap {
    match heap {
        Heap::Resource => AbiHeap::Resource,
        Heap::Sampler => AbiHeap::Sampler,
        Heap::Counter => AbiHeap::Counter,
    }
}

fn register(binding: &Binding) -> Option<Register> {
    binding.register.map(|(class, number, space)| Register { class, number, space })
}

/// Returns the layout of a structure by field; `None` for other types, and for types without a layout.
pub fn struct_layout(ty: &Type) -> Option<StructLayout> {
    match ty {
        Type::Struct(s) => fields(s),
        _ => None,
    }
}

fn fields(s: &StructType) -> Option<StructLayout> {
    let mut fields = Vec::with_capacity(s.fields.len());
    for field in &s.fields {
        let laid = |name: &str, ty| FieldLayout { name: name.to_owned(), offset: field.offset, ty };
        if field.bits.is_empty() {
            fields.push(laid(&field.name, layout_type(&field.ty)?));
        }
        // Bit-fields without a name are padding.
        fields.extend(field.bits.iter().filter(|bits| !bits.name.is_empty()).map(|bits| {
            let (first, width) = (u32::from(bits.first), u32::from(bits.width));
            laid(&bits.name, LayoutType::Bits { scalar: scalar(bits.scalar), first, width })
        }));
    }
    Some(StructLayout { name: s.name.to_string(), fields, size: s.size, align: s.align })
}

fn layout_type(ty: &Type) -> Option<LayoutType> {
    Some(match ty {
        Type::Scalar(s) => LayoutType::Scalar(scalar(*s)),
        Type::Vector(s, n) => LayoutType::Vector { scalar: scalar(*s), components: u32::from(*n) },
        Type::Matrix(m) => LayoutType::Matrix {
            scalar: scalar(m.scalar),
            rows: u32::from(m.rows),
            columns: u32::from(m.columns),
            row_major: m.layout.row_major,
            stride: m.layout.stride,
        },
        Type::Array { element, len, stride } => {
            LayoutType::Array { element: Box::new(layout_type(element)?), count: *len, stride: *stride }
        }
        Type::Struct(s) => LayoutType::Struct(fields(s)?),
        _ => return None,
    })
}

/// Returns a component type for hosts.
pub fn scalar(scalar: Scalar) -> LayoutScalar {
    match scalar {
        Scalar::Bool => LayoutScalar::Bool,
        Scalar::I16 => LayoutScalar::I16,
        Scalar::U16 => LayoutScalar::U16,
        Scalar::I32 => LayoutScalar::I32,
        Scalar::U32 => LayoutScalar::U32,
        Scalar::I64 => LayoutScalar::I64,
        Scalar::U64 => LayoutScalar::U64,
        Scalar::F16 => LayoutScalar::F16,
        Scalar::F32 => LayoutScalar::F32,
        Scalar::F64 => LayoutScalar::F64,
    }
}
