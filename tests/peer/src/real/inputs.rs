//! Pseudo-random contents for everything that a shader binds.
//!
//! Numbers are small, so that most indexes are in bounds and most loops end.

use crate::execute::{Contents, Resource};
use crate::fill::scalars;
use wgc_abi::interface::{BindingInterface, BindingKind, Interface, Texture};
use wgc_abi::{LayoutScalar, LayoutType, StructLayout};
use wgc_runtime::device::{AddressMode, Filter, ImageDesc, ImageFormat, SamplerDesc};
use wgc_runtime::scene::{Instance, Object, SceneDesc, Triangles};

/// Elements of a buffer, if they fit [`BUFFER_BYTES`].
const ELEMENTS: u32 = 1024;
const BUFFER_BYTES: u32 = 1 << 16;
/// Elements of an array of resources without a size.
const UNBOUNDED: u32 = 8;
/// Texels on each axis.
const EXTENT: u32 = 16;
/// Limit of resources of one binding: larger arrays need more descriptors than devices have.
const MAX_RESOURCES: u32 = 64;

/// Numbers that depend on the seed only.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24
    }
}

/// Returns the bytes of a scalar; constants are never zero or negative, because they are sizes and divisors.
fn scalar(of: LayoutScalar, constant: bool, random: &mut Random) -> Vec<u8> {
    let bits = random.next();
    let small = if constant { 1 + bits % 8 } else { bits % if bits & 0x300 == 0 { 64 } else { 8 } };
    let quarters = ((bits >> 8) % 64) as i32;
    let float = if constant { (quarters % 16 + 1) as f32 / 4.0 } else { (quarters - 16) as f32 / 8.0 };
    match of {
        LayoutScalar::Bool => ((bits & 1) as u32).to_le_bytes().to_vec(),
        LayoutScalar::I16 | LayoutScalar::U16 => (small as u16).to_le_bytes().to_vec(),
        LayoutScalar::I32 | LayoutScalar::U32 => (small as u32).to_le_bytes().to_vec(),
        LayoutScalar::I64 | LayoutScalar::U64 => small.to_le_bytes().to_vec(),
        // 1, 2, 4 .. as halves.
        LayoutScalar::F16 => (0x3800_u16 + ((small as u16 % 8) << 8)).to_le_bytes().to_vec(),
        LayoutScalar::F32 => float.to_le_bytes().to_vec(),
        LayoutScalar::F64 => f64::from(float).to_le_bytes().to_vec(),
    }
}

fn elements(ty: &LayoutType, stride: u32, count: u32, constant: bool, random: &mut Random) -> Vec<u8> {
    let mut bytes = vec![0; (stride * count) as usize];
    for n in 0..count {
        scalars(ty, (n * stride) as usize, &mut |at, of| {
            let value = scalar(of, constant, random);
            if let Some(to) = bytes.get_mut(at..at + value.len()) {
                to.copy_from_slice(&value);
            }
        });
    }
    bytes
}

fn format(of: LayoutScalar, components: u32) -> Option<ImageFormat> {
    use ImageFormat as F;
    Some(match (of, components) {
        (LayoutScalar::F32, 1) => F::R32Float,
        (LayoutScalar::F32, 2) => F::Rg32Float,
        (LayoutScalar::F32, _) => F::Rgba32Float,
        (LayoutScalar::U32, 1) => F::R32Uint,
        (LayoutScalar::U32, 2) => F::Rg32Uint,
        (LayoutScalar::U32, _) => F::Rgba32Uint,
        (LayoutScalar::I32, 1) => F::R32Sint,
        (LayoutScalar::I32, 2) => F::Rg32Sint,
        (LayoutScalar::I32, _) => F::Rgba32Sint,
        _ => return None,
    })
}

fn texels(of: LayoutScalar, format: ImageFormat, count: u64, random: &mut Random) -> Vec<u8> {
    (0..count * u64::from(format.channels())).flat_map(|_| scalar(of, false, random)).collect()
}

fn image(texture: &Texture, random: &mut Random) -> Result<(ImageDesc, Vec<u8>), String> {
    if texture.multisampled {
        return Err("textures of several samples".to_owned());
    }
    let format = format(texture.texel, texture.components).ok_or("texels of other sizes than 32 bits")?;
    let size = vec![EXTENT; texture.dimensions as usize];
    let mut desc = ImageDesc::new(format, &size);
    desc.arrayed = texture.arrayed;
    desc.cube = texture.cube;
    desc.layers = if texture.cube { 6 } else { 1 } * if texture.arrayed { 4 } else { 1 };
    let count = desc.level_texels(0) * u64::from(desc.layers);
    Ok((desc, texels(texture.texel, format, count, random)))
}

fn scene() -> SceneDesc {
    let corner = |x: f32, y: f32, z: f32| [x, y, z];
    let vertices = vec![corner(0.0, 0.0, 2.0), corner(4.0, 0.0, 2.0), corner(0.0, 4.0, 2.0), corner(4.0, 4.0, 3.0)];
    let triangles = Triangles { vertices, indices: vec![[0, 1, 2], [1, 3, 2]], opaque: true };
    SceneDesc { objects: vec![Object::Triangles(vec![triangles])], instances: vec![Instance::default()] }
}

fn contents(binding: &BindingInterface, random: &mut Random) -> Result<Contents, String> {
    Ok(match &binding.kind {
        BindingKind::StorageBuffer { stride: 4, .. } if binding.counter_of.is_some() => {
            Contents::StorageBuffer(vec![0; 4])
        }
        BindingKind::StorageBuffer { element, stride, .. } => {
            let stride = (*stride).max(1);
            let count = (BUFFER_BYTES / stride).clamp(16, ELEMENTS);
            Contents::StorageBuffer(elements(element, stride, count, false, random))
        }
        BindingKind::UniformBuffer { block } => {
            let size = block.size.max(16);
            Contents::UniformBuffer(elements(&LayoutType::Struct(block.clone()), size, 1, true, random))
        }
        BindingKind::StorageImage { texture } => {
            let (desc, texels) = image(texture, random)?;
            Contents::StorageImage(desc, texels)
        }
        BindingKind::SampledImage { texture } => {
            let (desc, texels) = image(texture, random)?;
            Contents::SampledImage(desc, texels)
        }
        BindingKind::TexelBuffer { writable, texel, components } => {
            let format = format(*texel, *components).ok_or("texels of other sizes than 32 bits")?;
            let bytes = texels(*texel, format, u64::from(ELEMENTS), random);
            if *writable { Contents::StorageTexels(format, bytes) } else { Contents::SampledTexels(format, bytes) }
        }
        BindingKind::Sampler => Contents::Sampler(SamplerDesc::new(Filter::Linear, AddressMode::Clamp)),
        BindingKind::AccelerationStructure => Contents::Scene(scene()),
    })
}

/// Returns records of a layout. Their numbers are small and positive, like those of constants: some are grids and sizes.
pub fn record(layout: &StructLayout, count: u32, seed: u64) -> Vec<u8> {
    let ty = LayoutType::Struct(layout.clone());
    elements(&ty, layout.size, count, true, &mut Random::new(seed))
}

/// Returns the bytes of the push constants, if any.
pub fn push_constants(interface: &Interface, seed: u64) -> Vec<u8> {
    let Some(push) = &interface.push_constants else { return Vec::new() };
    let ty = LayoutType::Struct(push.block.clone());
    elements(&ty, push.block.size, 1, true, &mut Random::new(seed))
}

/// Returns resources for all bindings of a program, in their order.
///
/// # Errors
/// A binding is not supported here.
pub fn resources(interface: &Interface, seed: u64) -> Result<Vec<Resource>, String> {
    let mut made: Vec<Resource> = Vec::new();
    for (n, binding) in interface.bindings.iter().enumerate() {
        if binding.heap.is_some() {
            return Err("descriptor heaps".to_owned());
        }
        let (set, slot) = (binding.set, binding.binding);
        if made.iter().any(|other| (other.set, other.binding) == (set, slot)) {
            return Err("resources that share a binding".to_owned());
        }
        let count = if binding.count == 0 { UNBOUNDED } else { binding.count };
        if count > MAX_RESOURCES {
            return Err("large arrays of resources".to_owned());
        }
        let mut random = Random::new(seed.wrapping_add(1 + n as u64));
        let elements = (0..count).map(|_| contents(binding, &mut random)).collect::<Result<_, _>>()?;
        made.push(Resource { set, binding: slot, elements });
    }
    Ok(made)
}
