//! Runs a module of compute shaders on a device, and returns the final contents of its resources.

use wgc_runtime::device::{BufferId, Finding, ImageId};
use wgc_runtime::device::{
    Command, Device, DeviceError, ImageDesc, ImageFormat, ResourceBinding, Resources, SamplerDesc,
};
use wgc_runtime::scene::SceneDesc;

/// The contents of one element of a binding.
#[derive(Clone, Debug)]
pub enum Contents {
    StorageBuffer(Vec<u8>),
    UniformBuffer(Vec<u8>),
    StorageImage(ImageDesc, Vec<u8>),
    SampledImage(ImageDesc, Vec<u8>),
    StorageTexels(ImageFormat, Vec<u8>),
    SampledTexels(ImageFormat, Vec<u8>),
    Sampler(SamplerDesc),
    Scene(SceneDesc),
}

/// A binding with its elements, all of one kind.
#[derive(Clone, Debug)]
pub struct Resource {
    pub set: u32,
    pub binding: u32,
    pub elements: Vec<Contents>,
}

impl Resource {
    /// Returns a storage buffer of set 0.
    pub fn storage(binding: u32, bytes: Vec<u8>) -> Resource {
        Resource { set: 0, binding, elements: vec![Contents::StorageBuffer(bytes)] }
    }

    /// Returns a uniform buffer of set 0.
    pub fn uniform(binding: u32, bytes: Vec<u8>) -> Resource {
        Resource { set: 0, binding, elements: vec![Contents::UniformBuffer(bytes)] }
    }
}

/// A dispatch of one entry point.
#[derive(Clone, Debug)]
pub struct Launch {
    pub entry: String,
    pub groups: [u32; 3],
    pub wave_size: Option<[u32; 3]>,
    pub push: Vec<u8>,
}

impl Launch {
    /// Dispatches workgroups of an entry point, without push constants.
    pub fn new(entry: &str, groups: [u32; 3]) -> Launch {
        Launch { entry: entry.to_owned(), groups, wave_size: None, push: Vec::new() }
    }
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// By resource and element; empty for samplers and scenes.
    pub contents: Vec<Vec<Vec<u8>>>,
    /// Undefined behaviour, if the device detects it.
    pub findings: Vec<Finding>,
}

enum Made {
    Buffer(BufferId, usize),
    Image(ImageId),
    Other,
}

/// Resources on a device.
pub struct Bound {
    pub bindings: Vec<ResourceBinding>,
    made: Vec<Vec<Made>>,
}

impl Bound {
    /// Creates resources and fills them.
    ///
    /// # Errors
    /// The device lacks a kind of resource, or memory.
    pub fn new(device: &mut dyn Device, resources: &[Resource]) -> Result<Bound, DeviceError> {
        let mut bound = Bound { bindings: Vec::new(), made: Vec::new() };
        for resource in resources {
            let mut made = Vec::new();
            let mut all: Option<Resources> = None;
            for element in &resource.elements {
                let (one, what) = create(device, element)?;
                made.push(what);
                join(&mut all, one)?;
            }
            bound.made.push(made);
            let Resource { set, binding, .. } = *resource;
            bound.bindings.extend(all.map(|resources| ResourceBinding { set, binding, resources }));
        }
        Ok(bound)
    }

    /// Reads all resources.
    ///
    /// # Errors
    /// The device fails.
    pub fn read(&self, device: &mut dyn Device) -> Result<Vec<Vec<Vec<u8>>>, DeviceError> {
        let mut read = |made: &Made| match *made {
            Made::Buffer(id, length) => {
                let mut bytes = vec![0; length];
                device.read_buffer(id, 0, &mut bytes)?;
                Ok(bytes)
            }
            Made::Image(id) => device.read_image(id),
            Made::Other => Ok(Vec::new()),
        };
        self.made.iter().map(|elements| elements.iter().map(&mut read).collect()).collect()
    }

    /// Frees the memory of buffers.
    pub fn destroy(self, device: &mut dyn Device) {
        for made in self.made.into_iter().flatten() {
            if let Made::Buffer(id, _) = made {
                device.destroy_buffer(id);
            }
        }
    }
}

fn buffer(device: &mut dyn Device, bytes: &[u8]) -> Result<BufferId, DeviceError> {
    let id = device.create_buffer(bytes.len().next_multiple_of(16).max(16) as u64)?;
    device.write_buffer(id, 0, bytes)?;
    Ok(id)
}

fn image(device: &mut dyn Device, desc: &ImageDesc, texels: &[u8]) -> Result<ImageId, DeviceError> {
    let id = device.create_image(*desc)?;
    if !texels.is_empty() {
        device.write_image(id, texels)?;
    }
    Ok(id)
}

fn create(device: &mut dyn Device, contents: &Contents) -> Result<(Resources, Made), DeviceError> {
    Ok(match contents {
        Contents::StorageBuffer(bytes) => {
            let id = buffer(device, bytes)?;
            (Resources::StorageBuffers(vec![id]), Made::Buffer(id, bytes.len()))
        }
        Contents::UniformBuffer(bytes) => {
            let id = buffer(device, bytes)?;
            (Resources::UniformBuffers(vec![id]), Made::Buffer(id, bytes.len()))
        }
        Contents::StorageImage(desc, texels) => {
            let id = image(device, desc, texels)?;
            (Resources::StorageImages(vec![id]), Made::Image(id))
        }
        Contents::SampledImage(desc, texels) => {
            let id = image(device, desc, texels)?;
            (Resources::SampledImages(vec![id]), Made::Image(id))
        }
        Contents::StorageTexels(format, bytes) => {
            let id = buffer(device, bytes)?;
            (Resources::StorageTexels(vec![(id, *format)]), Made::Buffer(id, bytes.len()))
        }
        Contents::SampledTexels(format, bytes) => {
            let id = buffer(device, bytes)?;
            (Resources::SampledTexels(vec![(id, *format)]), Made::Buffer(id, bytes.len()))
        }
        Contents::Sampler(desc) => (Resources::Samplers(vec![device.create_sampler(*desc)?]), Made::Other),
        Contents::Scene(desc) => {
            (Resources::AccelerationStructures(vec![device.create_acceleration_structure(desc)?]), Made::Other)
        }
    })
}

/// Adds an element to those of the same binding.
fn join(all: &mut Option<Resources>, one: Resources) -> Result<(), DeviceError> {
    use Resources as R;
    match (all.as_mut(), one) {
        (None, one) => *all = Some(one),
        (Some(R::StorageBuffers(to)), R::StorageBuffers(from))
        | (Some(R::UniformBuffers(to)), R::UniformBuffers(from)) => {
            to.extend(from);
        }
        (Some(R::StorageImages(to)), R::StorageImages(from)) | (Some(R::SampledImages(to)), R::SampledImages(from)) => {
            to.extend(from);
        }
        (Some(R::StorageTexels(to)), R::StorageTexels(from)) | (Some(R::SampledTexels(to)), R::SampledTexels(from)) => {
            to.extend(from);
        }
        (Some(R::Samplers(to)), R::Samplers(from)) => to.extend(from),
        (Some(R::AccelerationStructures(to)), R::AccelerationStructures(from)) => to.extend(from),
        _ => return Err(DeviceError::new("the elements of a binding are of different kinds")),
    }
    Ok(())
}

/// Runs a module.
///
/// # Errors
/// The device refuses the module or a resource, or the run fails.
pub fn run(
    device: &mut dyn Device,
    words: &[u32],
    launch: &Launch,
    resources: &[Resource],
) -> Result<Ran, DeviceError> {
    let bound = Bound::new(device, resources)?;
    let done = dispatched(device, words, launch, &bound);
    bound.destroy(device);
    done
}

fn dispatched(device: &mut dyn Device, words: &[u32], launch: &Launch, bound: &Bound) -> Result<Ran, DeviceError> {
    let bindings = if bound.bindings.is_empty() { None } else { Some(device.create_bindings(&bound.bindings)?) };
    let push_bytes = launch.push.len().next_multiple_of(4) as u32;
    let pipeline = device.create_pipeline(words, &launch.entry, bindings, push_bytes, launch.wave_size)?;
    let mut push = launch.push.clone();
    push.resize(push_bytes as usize, 0);
    let dispatch = Command::Dispatch { pipeline, bindings, push, groups: launch.groups, label: launch.entry.clone() };
    device.submit(&[dispatch, Command::Barrier])?;
    let contents = bound.read(device)?;
    Ok(Ran { contents, findings: device.take_findings().unwrap_or_default() })
}
