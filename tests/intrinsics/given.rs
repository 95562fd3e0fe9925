//! Images, texel buffers and samplers that cases use by name. Shaders declare the ones that they mention, and each
//! device creates them once.

use std::collections::HashMap;
use wgc_runtime::device::{
    Command, Device, DeviceError, ImageDesc, ImageFormat, ResourceBinding, Resources, SamplerDesc,
};

/// A resource that all cases may use.
pub struct Given {
    pub name: String,
    /// Its type in HLSL.
    pub ty: String,
    pub content: Content,
}

pub enum Content {
    /// True for `storage` images, which are writable.
    Image {
        desc: ImageDesc,
        storage: bool,
        texels: Vec<u8>,
    },
    Buffer {
        format: ImageFormat,
        storage: bool,
        texels: Vec<u8>,
    },
    Sampler(SamplerDesc),
}

/// Bindings below this are reserved for the harness.
const FIRST: u32 = 3;

/// Returns the resources that a text names, with their bindings.
pub fn mentioned<'g>(given: &'g [Given], text: &str) -> Vec<(u32, &'g Given)> {
    let names = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let next = text[at + name.len()..].chars().next();
            !next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    (FIRST..).zip(given).filter(|(_, given)| names(&given.name)).collect()
}

/// Returns the declarations for a shader with these resources.
pub fn declarations(mentioned: &[(u32, &Given)]) -> String {
    let one =
        |(binding, given): &(u32, &Given)| format!("[[vk::binding({binding}, 0)]] {} {};\n", given.ty, given.name);
    mentioned.iter().map(one).collect()
}

/// The resources of one device.
#[derive(Default)]
pub struct Made(HashMap<u32, Resources>);

impl Made {
    /// Returns bindings of the resources, and creates missing ones. `compile` turns a text into a shader.
    pub fn bindings(
        &mut self,
        device: &mut dyn Device,
        mentioned: &[(u32, &Given)],
        compile: &dyn Fn(&str) -> Vec<u32>,
    ) -> Result<Vec<ResourceBinding>, DeviceError> {
        let mut out = Vec::new();
        for (binding, given) in mentioned {
            if !self.0.contains_key(binding) {
                self.0.insert(*binding, make(device, &given.content, compile)?);
            }
            out.push(ResourceBinding { set: 0, binding: *binding, resources: self.0[binding].clone() });
        }
        Ok(out)
    }
}

fn make(
    device: &mut dyn Device,
    content: &Content,
    compile: &dyn Fn(&str) -> Vec<u32>,
) -> Result<Resources, DeviceError> {
    Ok(match content {
        Content::Sampler(desc) => Resources::Samplers(vec![device.create_sampler(*desc)?]),
        Content::Buffer { format, storage, texels } => {
            let buffer = device.create_buffer(texels.len() as u64)?;
            device.write_buffer(buffer, 0, texels)?;
            let views = vec![(buffer, *format)];
            if *storage { Resources::StorageTexels(views) } else { Resources::SampledTexels(views) }
        }
        Content::Image { desc, storage, texels } => {
            let image = device.create_image(*desc)?;
            match device.write_image(image, texels) {
                // Vulkan cannot copy to images of several samples.
                Err(_) if desc.samples > 1 => {
                    let to = Resources::StorageImages(vec![image]);
                    fill_samples(device, desc, to, texels, compile)?;
                }
                written => written?,
            }
            let images = vec![image];
            if *storage { Resources::StorageImages(images) } else { Resources::SampledImages(images) }
        }
    })
}

/// Writes an image of several samples, of four floats each, by a shader.
fn fill_samples(
    device: &mut dyn Device,
    desc: &ImageDesc,
    to: Resources,
    texels: &[u8],
    compile: &dyn Fn(&str) -> Vec<u32>,
) -> Result<(), DeviceError> {
    let (ty, at) = match desc.arrayed {
        true => ("RWTexture2DMSArray", "uint3(at.xy, layer)"),
        false => ("RWTexture2DMS", "at.xy"),
    };
    let ([width, height, _], samples) = (desc.size, desc.samples);
    let text = format!(
        "[[vk::binding(0, 0)]] ByteAddressBuffer From;
[[vk::binding(1, 0)]] {ty}<float4, {samples}> To;
[numthreads(1, 1, 1)] void main(uint3 at : SV_GroupID)
{{
    uint layer = at.z / {samples}, n = at.z % {samples};
    uint texel = ((layer * {height} + at.y) * {width} + at.x) * {samples} + n;
    To.sample[n][{at}] = asfloat(From.Load4(texel * 16));
}}"
    );
    let from = device.create_buffer(texels.len() as u64)?;
    device.write_buffer(from, 0, texels)?;
    let binding = |binding, resources| ResourceBinding { set: 0, binding, resources };
    let bindings = device.create_bindings(&[binding(0, Resources::StorageBuffers(vec![from])), binding(1, to)])?;
    let pipeline = device.create_pipeline(&compile(&text), "main", Some(bindings), 0, None)?;
    let groups = [width, height, desc.layers * samples];
    let (push, label) = (Vec::new(), String::new());
    device.submit(&[Command::Dispatch { pipeline, bindings: Some(bindings), push, groups, label }])
}
