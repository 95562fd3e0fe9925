//! Resources by the shader's names, as initial bytes and texels.

use std::collections::BTreeMap;
use wgc_abi::interface::Texture;
use wgc_abi::{BindingInterface, BindingKind, Interface, LayoutScalar, LayoutType, StructLayout};

use super::super::compare::counted;
use super::super::error::{Checked, Fault};
use super::super::layout;
use super::super::model::{ImageSource, Named, Resource, ResourceKind, RunFile};
use super::super::names;
use super::{Budget, Planned, Slot, SlotKind, read_file};
use crate::device::{ImageDesc, ImageFormat};
use crate::format::{Component, NumberClass};
use crate::image_io::Picture;
use wgc_json::{Position, ValueKind};

/// The limit of the bytes that a run file may fill or decode; zeroed buffers may be larger.
const MAX_CONTENTS: u64 = 256 << 20;

/// A variable that needs contents: a binding, or the push constants.
enum Variable<'i> {
    Binding(&'i BindingInterface),
    Push(&'i wgc_abi::interface::PushConstants),
}

impl Variable<'_> {
    fn name(&self) -> &str {
        match self {
            Variable::Binding(binding) => &binding.name,
            Variable::Push(push) => &push.name,
        }
    }

    fn is_writable(&self) -> bool {
        match self {
            Variable::Binding(binding) => matches!(
                binding.kind,
                BindingKind::StorageBuffer { writable: true, .. } | BindingKind::TexelBuffer { writable: true, .. }
            ),
            Variable::Push(_) => false,
        }
    }

    /// Returns set and binding.
    fn place(&self) -> Option<(u32, u32)> {
        match self {
            Variable::Binding(binding) => Some((binding.set, binding.binding)),
            Variable::Push(_) => None,
        }
    }
}

/// Variables at one binding are one resource, which the file calls by one of their names.
fn one_of_each_place(variables: &[Variable<'_>], given: &[Option<&Named<Resource>>]) -> Checked<()> {
    let mut seen: BTreeMap<(u32, u32), &str> = BTreeMap::new();
    for (variable, resource) in variables.iter().zip(given) {
        if let (Some(place), Some(resource)) = (variable.place(), resource)
            && let Some(first) = seen.insert(place, &resource.name)
        {
            let message =
                format!("{first:?} and {:?} share one binding: set the contents of one of them", resource.name);
            return Err(Fault::new(resource.at, message));
        }
    }
    Ok(())
}

pub(super) struct Variables {
    /// In the interface's order.
    pub slots: Vec<Slot>,
    /// Contents of the push constants.
    pub push: Vec<u8>,
    /// Warnings about contents for resources that the program declares but does not use.
    pub warnings: Vec<Fault>,
}

pub(super) fn plan(file: &RunFile, interface: &Interface, budget: &mut Budget) -> Checked<Variables> {
    let declared = interface.bindings.iter().filter(|binding| binding.heap.is_none());
    let mut variables: Vec<Variable<'_>> = declared.map(Variable::Binding).collect();
    variables.extend(interface.push_constants.iter().map(Variable::Push));
    let mut given: Vec<Option<&Named<Resource>>> = vec![None; variables.len()];
    let mut warnings = Vec::new();
    for resource in &file.resources {
        let index = match by_place(&variables, &resource.name) {
            Some(index) => index,
            None => match names::find(&variables, Variable::name, &resource.name, resource.at, "uses") {
                Ok((index, _)) => index,
                Err(_) if super::roots::is_argument(interface, &resource.name) => continue,
                Err(_) if file.declares(&resource.name) => {
                    let message = format!("the program declares {} but does not use it", resource.name);
                    warnings.push(Fault::new(resource.at, message));
                    continue;
                }
                Err(fault) => return Err(fault),
            },
        };
        if let Some(slot) = given.get_mut(index)
            && let Some(first) = slot.replace(resource)
        {
            let message = format!("{:?} and {:?} are the same resource of the shader", first.name, resource.name);
            return Err(Fault::new(resource.at, message));
        }
    }
    one_of_each_place(&variables, &given)?;
    refuse_missing(file, &variables, &given)?;

    let (mut slots, mut push) = (Vec::new(), Vec::new());
    for (variable, resource) in variables.iter().zip(&given) {
        let Some(resource) = resource else {
            if let Variable::Binding(binding) = variable
                && is_counter(variable)
            {
                slots.push(zero_counters(binding, &variables, &given));
            }
            continue;
        };
        match variable {
            Variable::Binding(binding) => {
                let mut slot = slot(file, binding, &resource.value, budget)?;
                if let SlotKind::Storage { writable, .. } | SlotKind::Texels { writable } = &mut slot.kind {
                    *writable |= variables.iter().any(|other| other.place() == variable.place() && other.is_writable());
                }
                slots.push(slot);
            }
            Variable::Push(constants) => push = block(file, &constants.block, &resource.value)?,
        }
    }
    Ok(Variables { slots, push, warnings })
}

/// Finds a variable by `"set.binding"`, for modules without names.
fn by_place(variables: &[Variable<'_>], name: &str) -> Option<usize> {
    let (set, binding) = name.split_once('.')?;
    let (set, binding) = (set.parse::<u32>().ok()?, binding.parse::<u32>().ok()?);
    variables.iter().position(|v| v.place() == Some((set, binding)))
}

/// Returns whether a variable is a counter. Counters that the file does not give start at zero.
fn is_counter(variable: &Variable<'_>) -> bool {
    matches!(variable, Variable::Binding(binding) if binding.counter_of.is_some())
}

/// Returns one counter for each buffer that it is bound to.
fn zero_counters(counter: &BindingInterface, variables: &[Variable<'_>], given: &[Option<&Named<Resource>>]) -> Slot {
    let buffer = variables.iter().position(|v| Some(v.name()) == counter.counter_of.as_deref());
    let buffers = match buffer.and_then(|i| given.get(i)).and_then(|g| g.as_ref()).map(|g| &g.value.kind) {
        Some(ResourceKind::Array(elements)) => elements.len(),
        _ => 1,
    };
    Slot {
        name: counter.name.clone(),
        place: Some((counter.set, counter.binding)),
        kind: kind_of(counter),
        elements: vec![Planned::Buffer { bytes: 4, contents: Vec::new() }; buffers],
        is_array: counter.count != 1,
    }
}

fn refuse_missing(file: &RunFile, variables: &[Variable<'_>], given: &[Option<&Named<Resource>>]) -> Checked<()> {
    let beside_another = |variable: &Variable<'_>| {
        let place = variable.place();
        place.is_some() && variables.iter().zip(given).any(|(other, given)| other.place() == place && given.is_some())
    };
    let missing: Vec<String> = variables
        .iter()
        .zip(given)
        .filter(|(variable, resource)| resource.is_none() && !is_counter(variable) && !beside_another(variable))
        .map(|(variable, _)| format!("{} ({})", variable.name(), describe(variable)))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let at = place_of_resources(file);
    Err(Fault::new(at, format!("the shader uses resources that are missing in this file: {}", missing.join(", "))))
}

/// Returns the position of the file's resources, or the position where they are missing.
pub(super) fn place_of_resources(file: &RunFile) -> Position {
    let root = &file.source.root;
    match &root.kind {
        ValueKind::Object(members) => members.iter().find(|m| m.key == "resources").map_or(root.at, |m| m.value.at),
        _ => root.at,
    }
}

/// Describes the type of a variable.
fn describe(variable: &Variable<'_>) -> String {
    let binding = match variable {
        Variable::Push(push) => return format!("push constants, {} bytes", push.block.size),
        Variable::Binding(binding) => binding,
    };
    let kind = describe_kind(&binding.kind);
    match binding.count {
        1 => kind,
        0 => format!("array of any length: {kind}"),
        count => format!("array of {count}: {kind}"),
    }
}

/// Describes the type of one resource.
pub(super) fn describe_kind(kind: &BindingKind) -> String {
    let texel_name = |texel: LayoutScalar, components: u32| {
        let components = if components > 1 { components.to_string() } else { String::new() };
        format!("{}{components}", layout::scalar_name(texel))
    };
    let texture_name = |texture: &Texture| {
        let Texture { dimensions, arrayed, cube, multisampled, texel, components } = *texture;
        let shape = if cube { "cube".to_owned() } else { format!("{dimensions}D") };
        let arrayed = if arrayed { " array" } else { "" };
        let samples = if multisampled { ", several samples" } else { "" };
        format!("{shape} texture{arrayed} of {}{samples}", texel_name(texel, components))
    };
    match kind {
        BindingKind::StorageBuffer { element, stride, writable } => {
            let writable = if *writable { "writable " } else { "" };
            format!("{writable}buffer of {}, {stride} bytes each", layout::describe(element))
        }
        BindingKind::UniformBuffer { block } => format!("constant buffer, {} bytes", block.size),
        BindingKind::StorageImage { texture } => format!("writable {}", texture_name(texture)),
        BindingKind::SampledImage { texture } => texture_name(texture),
        BindingKind::TexelBuffer { writable, texel, components } => {
            let writable = if *writable { "writable " } else { "" };
            format!("{writable}buffer of texels of {}", texel_name(*texel, *components))
        }
        BindingKind::Sampler => "sampler".to_owned(),
        BindingKind::AccelerationStructure => "acceleration structure".to_owned(),
    }
}

fn slot(file: &RunFile, binding: &BindingInterface, resource: &Resource, budget: &mut Budget) -> Checked<Slot> {
    let elements: &[Resource] = match (&resource.kind, binding.count) {
        (ResourceKind::Array(elements), 0) if !elements.is_empty() => elements,
        (ResourceKind::Array(elements), count) if count != 1 && elements.len() == count as usize => elements,
        (ResourceKind::Array(_), 1) => {
            return Err(Fault::new(resource.at, format!("{} is one resource, not an array", binding.name)));
        }
        (ResourceKind::Array(elements), count) => {
            let message = format!("{} is an array of {count} resources, found {}", binding.name, elements.len());
            return Err(Fault::new(resource.at, message));
        }
        (_, 1) => std::slice::from_ref(resource),
        (_, count) => {
            let message = format!("{} is an array of {count} resources: write a list", binding.name);
            return Err(Fault::new(resource.at, message));
        }
    };
    let planned = |resource: &Resource| {
        let planned = element(file, binding, resource)?;
        budget.spend(planned.content_bytes(), resource.at)?;
        Ok(planned)
    };
    let planned = elements.iter().map(planned).collect::<Checked<_>>()?;
    let kind = kind_of(binding);
    Ok(Slot {
        name: binding.name.clone(),
        place: Some((binding.set, binding.binding)),
        kind,
        elements: planned,
        is_array: binding.count != 1,
    })
}

/// Plans one resource of a binding.
pub(super) fn element(file: &RunFile, binding: &BindingInterface, element: &Resource) -> Checked<Planned> {
    Ok(match &binding.kind {
        BindingKind::StorageBuffer { element: ty, stride, .. } => storage(file, ty, *stride, element)?,
        BindingKind::UniformBuffer { block: layout } => {
            let contents = block(file, layout, element)?;
            Planned::Buffer { bytes: contents.len() as u64, contents }
        }
        BindingKind::StorageImage { texture } | BindingKind::SampledImage { texture } => image(file, texture, element)?,
        BindingKind::TexelBuffer { texel, components, .. } => texels(file, *texel, *components, element)?,
        BindingKind::Sampler => match element.kind {
            ResourceKind::Sampler(desc) => Planned::Sampler(desc),
            _ => return Err(wrong_content(element, &binding.name, "a sampler, given as \"sampler\"")),
        },
        BindingKind::AccelerationStructure => match &element.kind {
            ResourceKind::Scene(scene) => Planned::Scene(scene.clone()),
            _ => {
                let what = "an acceleration structure, given as \"acceleration_structure\"";
                return Err(wrong_content(element, &binding.name, what));
            }
        },
    })
}

pub(super) fn kind_of(binding: &BindingInterface) -> SlotKind {
    slot_kind(&binding.kind)
}

pub(super) fn slot_kind(kind: &BindingKind) -> SlotKind {
    match kind {
        BindingKind::StorageBuffer { element, stride, writable } => {
            SlotKind::Storage { element: element.clone(), stride: *stride, writable: *writable }
        }
        BindingKind::UniformBuffer { .. } => SlotKind::Uniform,
        BindingKind::StorageImage { .. } => SlotKind::StorageImage,
        BindingKind::SampledImage { .. } => SlotKind::SampledImage,
        BindingKind::TexelBuffer { writable, .. } => SlotKind::Texels { writable: *writable },
        BindingKind::Sampler => SlotKind::Sampler,
        BindingKind::AccelerationStructure => SlotKind::AccelerationStructure,
    }
}

fn wrong_content(resource: &Resource, name: &str, what: &str) -> Fault {
    Fault::new(resource.at, format!("{name} is {what}"))
}

/// Returns the contents that any kind of buffer may have: size in bytes, and contents from the start.
fn raw(file: &RunFile, resource: &Resource) -> Checked<Option<(u64, Vec<u8>)>> {
    let sized = |contents: Vec<u8>| (contents.len() as u64, contents);
    Ok(Some(match &resource.kind {
        ResourceKind::Bytes(bytes) => sized(bytes.clone()),
        ResourceKind::Zero { bytes } => (*bytes, Vec::new()),
        ResourceKind::FillU32 { value, count } => match count.checked_mul(4) {
            Some(bytes) if bytes <= MAX_CONTENTS => {
                (bytes, value.to_le_bytes().into_iter().cycle().take(bytes as usize).collect())
            }
            _ => {
                let message = format!("{count} filled words have more than {MAX_CONTENTS} bytes");
                return Err(Fault::new(resource.at, message));
            }
        },
        ResourceKind::File(name) => sized(read_file(file, name, resource.at)?),
        _ => return Ok(None),
    }))
}

fn storage(file: &RunFile, element: &LayoutType, stride: u32, resource: &Resource) -> Checked<Planned> {
    let (bytes, contents) = match (raw(file, resource)?, &resource.kind) {
        (Some(raw), _) => raw,
        (None, ResourceKind::Structs(values)) => {
            let mut contents = Vec::new();
            for value in values {
                contents.extend(layout::bytes_of(&layout::leaves(element, value)?, stride as usize));
            }
            (contents.len() as u64, contents)
        }
        _ => {
            let what = "a buffer: a typed array, \"zero_bytes\", \"fill_u32\", \"file\" or \"structs\"";
            return Err(wrong_content(resource, "this", what));
        }
    };
    if bytes == 0 {
        return Err(Fault::new(resource.at, "a buffer without bytes"));
    }
    if stride > 0 && bytes % u64::from(stride) != 0 {
        let message = format!(
            "{bytes} bytes are not a whole number of elements: each is {}, {stride} bytes",
            layout::describe(element)
        );
        return Err(Fault::new(resource.at, message));
    }
    Ok(Planned::Buffer { bytes, contents })
}

/// Returns the contents of a constant buffer or of push constants.
fn block(file: &RunFile, layout: &StructLayout, resource: &Resource) -> Checked<Vec<u8>> {
    if let ResourceKind::Fields(fields) = &resource.kind {
        return Ok(layout::bytes_of(&layout::struct_leaves(layout, fields)?, layout.size as usize));
    }
    let Some((bytes, mut contents)) = raw(file, resource)? else {
        let what = "a constant buffer: \"fields\", a typed array, \"zero_bytes\", \"fill_u32\" or \"file\"";
        return Err(wrong_content(resource, "this", what));
    };
    if bytes < u64::from(layout.size) || bytes > MAX_CONTENTS {
        return Err(Fault::new(resource.at, format!("{bytes} bytes for a constant buffer of {} bytes", layout.size)));
    }
    contents.resize(bytes as usize, 0);
    Ok(contents)
}

fn image(file: &RunFile, texture: &Texture, resource: &Resource) -> Checked<Planned> {
    let ResourceKind::Image(source) = &resource.kind else {
        return Err(wrong_content(resource, "this", "a texture, given as \"image\""));
    };
    let format = source.format.unwrap_or(ImageFormat::Rgba8Unorm);
    check_texel(format, texture.texel, resource.at)?;
    let (size, texels) = match &source.file {
        Some(name) => {
            let bytes = read_file(file, name, resource.at)?;
            let picture = Picture::from_png(&bytes).map_err(|e| Fault::new(resource.at, format!("{name}: {e}")))?;
            let size = vec![picture.width, picture.height];
            check_size(source, &size, name, resource.at)?;
            let bytes = u64::from(picture.width) * u64::from(picture.height) * u64::from(format.texel_bytes());
            if bytes > MAX_CONTENTS {
                let message = format!("{name} has {bytes} bytes of {} texels, more than {MAX_CONTENTS}", format.name());
                return Err(Fault::new(resource.at, message));
            }
            (size, Some(picture.to_texels(format)))
        }
        None => (source.size.clone().unwrap_or_default(), source.texels.clone()),
    };
    let dimensions = texture.dimensions;
    if size.len() != dimensions as usize {
        let message =
            format!("the shader has a {dimensions}D texture here, but the size has {}", counted(size.len(), "extent"));
        return Err(Fault::new(resource.at, message));
    }
    let faces = if texture.cube { 6 } else { 1 };
    let desc = ImageDesc {
        layers: source.layers.unwrap_or(faces),
        arrayed: texture.arrayed,
        cube: texture.cube,
        levels: source.levels.unwrap_or(1),
        samples: source.samples.unwrap_or(if texture.multisampled { 4 } else { 1 }),
        ..ImageDesc::new(format, &size)
    };
    if !texture.arrayed && desc.layers != faces {
        return Err(Fault::new(
            resource.at,
            format!("the shader has a single texture here, not {} layers", desc.layers),
        ));
    }
    if (desc.samples > 1) != texture.multisampled {
        return Err(Fault::new(resource.at, format!("the shader does not support {} samples here", desc.samples)));
    }
    desc.check().map_err(|message| Fault::new(resource.at, message))?;
    let bytes = desc.bytes().filter(|&bytes| bytes <= MAX_CONTENTS);
    if let Some(texels) = &texels
        && bytes != Some(texels.len() as u64)
    {
        let message = format!("{} bytes of texels for an image of {} bytes", texels.len(), bytes.unwrap_or(u64::MAX));
        return Err(Fault::new(resource.at, message));
    }
    Ok(Planned::Image { desc, texels })
}

/// Plans a buffer of texels: from an image of one dimension with a format, or from a buffer in the format that the
/// texel type suggests.
fn texels(file: &RunFile, texel: LayoutScalar, components: u32, resource: &Resource) -> Checked<Planned> {
    let what = "a buffer of texels: contents of a buffer, or an \"image\" with its format";
    let (format, contents) = match &resource.kind {
        ResourceKind::Image(source) => {
            let format = source.format.ok_or_else(|| wrong_content(resource, "this", what))?;
            let Some([texels]) = source.size.as_deref() else {
                return Err(Fault::new(resource.at, "a buffer of texels must have one extent"));
            };
            let bytes = u64::from(*texels) * u64::from(format.texel_bytes());
            (format, sized(source.texels.clone().unwrap_or_default(), bytes, resource)?)
        }
        _ => {
            let (bytes, contents) = raw(file, resource)?.ok_or_else(|| wrong_content(resource, "this", what))?;
            let format = default_format(texel, components).ok_or_else(|| {
                let message = format!("no format has {components} components of {}", layout::scalar_name(texel));
                Fault::new(resource.at, message)
            })?;
            (format, sized(contents, bytes, resource)?)
        }
    };
    check_texel(format, texel, resource.at)?;
    if contents.is_empty() || contents.len() % format.texel_bytes() as usize != 0 {
        let message = format!("{} bytes are not a whole number of texels of {}", contents.len(), format.name());
        return Err(Fault::new(resource.at, message));
    }
    Ok(Planned::Texels { format, contents })
}

/// Pads contents with zeros to the wanted size.
fn sized(mut contents: Vec<u8>, bytes: u64, resource: &Resource) -> Checked<Vec<u8>> {
    if bytes > MAX_CONTENTS {
        return Err(Fault::new(resource.at, format!("{bytes} bytes of texels, more than {MAX_CONTENTS}")));
    }
    if contents.len() as u64 > bytes {
        return Err(Fault::new(resource.at, format!("{} bytes of contents for {bytes} bytes", contents.len())));
    }
    contents.resize(bytes as usize, 0);
    Ok(contents)
}

/// Returns a format with 32 bits for each component, or 64 like the texel's; three components are stored as four.
fn default_format(texel: LayoutScalar, components: u32) -> Option<ImageFormat> {
    use Component as C;
    let component = match texel {
        LayoutScalar::F16 | LayoutScalar::F32 => C::Float32,
        LayoutScalar::I16 | LayoutScalar::I32 => C::Sint32,
        LayoutScalar::U16 | LayoutScalar::U32 => C::Uint32,
        LayoutScalar::I64 => C::Sint64,
        LayoutScalar::U64 => C::Uint64,
        LayoutScalar::Bool | LayoutScalar::F64 => return None,
    };
    let channels = if components == 3 { 4 } else { components };
    let fits = |row: &&(ImageFormat, &str, C, u32)| row.2 == component && row.3 == channels && !row.0.is_depth();
    ImageFormat::ALL.iter().find(fits).map(|row| row.0)
}

fn check_size(source: &ImageSource, found: &[u32], name: &str, at: Position) -> Checked<()> {
    match &source.size {
        Some(wanted) if wanted != found => {
            Err(Fault::new(at, format!("{name} has {found:?} texels, but the size is {wanted:?}")))
        }
        _ => Ok(()),
    }
}

/// Checks that a shader's texel type fits the format's numbers; otherwise its reads make no sense.
fn check_texel(format: ImageFormat, texel: LayoutScalar, at: Position) -> Checked<()> {
    let fits = match format.component().class() {
        NumberClass::Float => matches!(texel, LayoutScalar::F16 | LayoutScalar::F32),
        NumberClass::Unsigned => matches!(texel, LayoutScalar::U16 | LayoutScalar::U32 | LayoutScalar::U64),
        NumberClass::Signed => matches!(texel, LayoutScalar::I16 | LayoutScalar::I32 | LayoutScalar::I64),
    };
    if fits {
        return Ok(());
    }
    let message =
        format!("the format {} does not fit {}, the shader's texel type", format.name(), layout::scalar_name(texel));
    Err(Fault::new(at, message))
}
