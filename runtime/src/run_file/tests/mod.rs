//! Tests of whole run files, on a device that is only memory and a graph that is a closure.

mod compute;
mod expect;
mod heaps;
mod meshes;
mod parse;
mod plan;
mod run;

use std::path::Path;
use std::sync::Arc;

use wgc_abi::interface::{BindingInterface, BindingKind, Interface, NodeInterface, NodeLaunch};
use wgc_abi::{FieldLayout, LayoutScalar, LayoutType, NodeName, StructLayout};

use super::{DispatchMode, Dispatched, EntryInput, Executor, Outputs, Report, RunError, RunFile, execute};
use crate::device::{
    AccelerationStructureId, BindingsId, BufferId, Command, Device, DeviceError, ImageDesc, ImageId, Limits,
    PipelineId, ResourceBinding, Resources, Result, SamplerId, SubgroupSizes,
};

use crate::mesh::MeshShape;

/// Memory that hosts can use and shaders cannot.
struct Memory {
    limits: Limits,
    buffers: Vec<Vec<u8>>,
    images: Vec<(ImageDesc, Vec<u8>)>,
    samplers: Vec<crate::device::SamplerDesc>,
}

impl Memory {
    fn new() -> Self {
        let limits = Limits {
            max_groups: [1; 3],
            max_group_threads: 1,
            max_mesh_threads: 0,
            max_group_shared_bytes: 0,
            subgroups: SubgroupSizes::only(1),
            int64_atomics: false,
        };
        Self { limits, buffers: Vec::new(), images: Vec::new(), samplers: Vec::new() }
    }
}

impl Device for Memory {
    fn name(&self) -> String {
        "memory".to_owned()
    }
    fn limits(&self) -> &Limits {
        &self.limits
    }
    fn offers(&self, _: &str) -> bool {
        true
    }
    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        self.buffers.push(vec![0; bytes as usize]);
        Ok(BufferId(self.buffers.len() as u32 - 1))
    }
    fn buffer_address(&self, buffer: BufferId) -> u64 {
        u64::from(buffer.0 + 1) << 32
    }
    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        self.buffers[buffer.0 as usize][offset as usize..][..data.len()].copy_from_slice(data);
        Ok(())
    }
    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        data.copy_from_slice(&self.buffers[buffer.0 as usize][offset as usize..][..data.len()]);
        Ok(())
    }
    fn destroy_buffer(&mut self, _: BufferId) {}
    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId> {
        let texels = desc.size.iter().product::<u32>() * desc.format.texel_bytes();
        self.images.push((desc, vec![0; texels as usize]));
        Ok(ImageId(self.images.len() as u32 - 1))
    }
    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()> {
        self.images[image.0 as usize].1.copy_from_slice(texels);
        Ok(())
    }
    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>> {
        Ok(self.images[image.0 as usize].1.clone())
    }
    fn create_sampler(&mut self, desc: crate::device::SamplerDesc) -> Result<SamplerId> {
        self.samplers.push(desc);
        Ok(SamplerId(self.samplers.len() as u32 - 1))
    }
    fn create_acceleration_structure(&mut self, _: &crate::scene::SceneDesc) -> Result<AccelerationStructureId> {
        Err(DeviceError::new("memory traces no rays"))
    }
    fn create_bindings(&mut self, _: &[ResourceBinding]) -> Result<BindingsId> {
        Err(DeviceError::new("memory runs nothing"))
    }
    fn create_pipeline(
        &mut self,
        _: &[u32],
        _: &str,
        _: Option<BindingsId>,
        _: u32,
        _: Option<[u32; 3]>,
    ) -> Result<PipelineId> {
        Err(DeviceError::new("memory runs nothing"))
    }
    fn submit(&mut self, _: &[Command]) -> Result<()> {
        Err(DeviceError::new("memory runs nothing"))
    }
}

/// A graph whose dispatches have the given `effect`.
struct Graph<F> {
    device: Memory,
    bound: Vec<ResourceBinding>,
    push: Vec<u8>,
    inputs: Vec<Vec<EntryInput>>,
    groups: Vec<(String, [u32; 3])>,
    shapes: Vec<(NodeName, Arc<MeshShape>)>,
    effect: F,
}

impl<F: FnMut(&mut Memory) -> Result<Dispatched>> Graph<F> {
    fn new(effect: F) -> Self {
        let (bound, push, inputs, groups) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { device: Memory::new(), bound, push, inputs, groups, shapes: Vec::new(), effect }
    }

    /// Returns the contents of the buffer at a binding of set 0.
    fn buffer(&self, binding: u32, element: usize) -> &[u8] {
        let bound = self.bound.iter().find(|b| (b.set, b.binding) == (0, binding)).expect("bound");
        let (Resources::StorageBuffers(ids) | Resources::UniformBuffers(ids)) = &bound.resources else {
            panic!("{bound:?} is no buffer")
        };
        &self.device.buffers[ids[element].0 as usize]
    }
}

impl<F: FnMut(&mut Memory) -> Result<Dispatched>> Executor for Graph<F> {
    fn device(&mut self) -> &mut dyn Device {
        &mut self.device
    }
    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()> {
        self.bound = resources.to_vec();
        self.push = push_constants.to_vec();
        Ok(())
    }
    fn mesh_shapes(&self) -> Vec<(NodeName, Arc<MeshShape>)> {
        self.shapes.clone()
    }
    fn dispatch(&mut self, _: DispatchMode, inputs: &[EntryInput]) -> Result<Dispatched> {
        self.inputs.push(inputs.to_vec());
        (self.effect)(&mut self.device)
    }
    fn dispatch_groups(&mut self, entry: &str, groups: [u32; 3]) -> Result<Dispatched> {
        self.groups.push((entry.to_owned(), groups));
        (self.effect)(&mut self.device)
    }
}

/// Returns a graph that does nothing and reports nothing.
fn idle() -> Graph<impl FnMut(&mut Memory) -> Result<Dispatched>> {
    Graph::new(|_| Ok(Dispatched::default()))
}

fn parsed(text: &str) -> RunFile {
    RunFile::parse(text.to_owned(), Path::new("folder/test.run.json")).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns the message without the file's name.
fn message(error: impl std::fmt::Display) -> String {
    error.to_string().replace("folder/test.run.json:", "")
}

fn run<F: FnMut(&mut Memory) -> Result<Dispatched>>(
    text: &str,
    interface: &Interface,
    graph: &mut Graph<F>,
) -> std::result::Result<Report, RunError> {
    execute(&parsed(text), interface, graph, &Outputs::default())
}

fn scalar(scalar: LayoutScalar) -> LayoutType {
    LayoutType::Scalar(scalar)
}

fn vector(scalar: LayoutScalar, components: u32) -> LayoutType {
    LayoutType::Vector { scalar, components }
}

/// Returns a structure with fields at the given offsets.
fn structure(name: &str, size: u32, fields: &[(&str, u32, LayoutType)]) -> StructLayout {
    let fields = fields.iter().map(|(name, offset, ty)| FieldLayout {
        name: (*name).to_owned(),
        offset: *offset,
        ty: ty.clone(),
    });
    StructLayout { name: name.to_owned(), fields: fields.collect(), size, align: 4 }
}

fn node(name: &str, index: u32, entry: bool, record: Option<StructLayout>) -> NodeInterface {
    NodeInterface { id: NodeName { name: name.to_owned(), index }, launch: NodeLaunch::Thread, entry, record }
}

fn binding(name: &str, binding: u32, count: u32, kind: BindingKind) -> BindingInterface {
    BindingInterface {
        name: name.to_owned(),
        set: 0,
        binding,
        count,
        kind,
        register: None,
        heap: None,
        counter_of: None,
    }
}

fn words(writable: bool) -> BindingKind {
    BindingKind::StorageBuffer { element: scalar(LayoutScalar::U32), stride: 4, writable }
}

fn item() -> StructLayout {
    structure("Item", 16, &[("id", 0, scalar(LayoutScalar::U32)), ("pos", 4, vector(LayoutScalar::F32, 3))])
}
