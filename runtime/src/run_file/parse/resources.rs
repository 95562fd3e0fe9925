//! `resources`, the heaps and local root arguments.

use super::super::error::{Checked, Fault};
use super::super::json::{Kind, Value};
use super::super::model::{ImageSource, Named, Resource, ResourceKind};
use super::super::scalar::Scalar;
use super::values::{Object, list, named, string, unsigned, word};
use crate::device::{AddressMode, Filter, ImageFormat};

const OTHER_KEYS: &[&str] =
    &["zero_bytes", "fill_u32", "file", "structs", "fields", "image", "sampler", "acceleration_structure"];

const FILTERS: &[(&str, Filter)] = &[("nearest", Filter::Nearest), ("linear", Filter::Linear)];
const ADDRESS_MODES: &[(&str, AddressMode)] = &[
    ("wrap", AddressMode::Wrap),
    ("mirror", AddressMode::Mirror),
    ("clamp", AddressMode::Clamp),
    ("border", AddressMode::Border),
];

pub(super) fn resources(value: &Value, unsupported: &mut Vec<Fault>) -> Checked<Vec<Named<Resource>>> {
    named(value)?
        .into_iter()
        .map(|member| Ok(Named { value: slot(member.value, unsupported)?, name: member.name, at: member.at }))
        .collect()
}

pub(super) fn heaps(root: &Object<'_>, unsupported: &mut Vec<Fault>) -> Checked<()> {
    for (key, what) in [("resource_heap", "the resource heap is"), ("sampler_heap", "the sampler heap is")] {
        let Some(value) = root.get(key) else { continue };
        for item in list(value)? {
            resource(item, unsupported)?;
        }
        if !list(value)?.is_empty() {
            unsupported.push(Fault::unsupported(value.at, what));
        }
    }
    Ok(())
}

pub(super) fn local_root_arguments(value: &Value, unsupported: &mut Vec<Fault>) -> Checked<()> {
    for entry in list(value)? {
        let object = Object::new(entry, "an entry of the local root table", &["table_index", "fields", "resources"])?;
        match object.get("table_index") {
            Some(index) => unsigned::<u32>(index)?,
            None => return Err(Fault::new(entry.at, "an entry of the local root table has a \"table_index\"")),
        };
        if let Some(fields) = object.get("fields") {
            named(fields)?;
        }
        if let Some(bound) = object.get("resources") {
            resources(bound, unsupported)?;
        }
    }
    if !list(value)?.is_empty() {
        unsupported.push(Fault::unsupported(value.at, "local root arguments are"));
    }
    Ok(())
}

/// A resource or an array of them.
fn slot(value: &Value, unsupported: &mut Vec<Fault>) -> Checked<Resource> {
    match &value.kind {
        Kind::Array(items) => {
            let elements = items.iter().map(|item| resource(item, unsupported)).collect::<Checked<_>>()?;
            Ok(Resource { at: value.at, kind: ResourceKind::Array(elements) })
        }
        _ => resource(value, unsupported),
    }
}

fn resource(value: &Value, unsupported: &mut Vec<Fault>) -> Checked<Resource> {
    let keys: Vec<&str> = Scalar::KEYS.iter().map(|k| k.0).chain(OTHER_KEYS.iter().copied()).collect();
    let object = Object::new(value, "a resource", &keys)?;
    let member = object.only("a resource", &keys)?;
    let content = &member.value;
    let kind = match member.key.as_str() {
        "zero_bytes" => ResourceKind::Zero { bytes: unsigned(content)? },
        "fill_u32" => fill(content)?,
        "file" => ResourceKind::File(string(content)?.to_owned()),
        "structs" => ResourceKind::Structs(list(content)?.to_vec()),
        "fields" => {
            named(content)?;
            ResourceKind::Fields(content.clone())
        }
        "image" => ResourceKind::Image(image(content)?),
        "sampler" => sampler(content)?,
        "acceleration_structure" => {
            acceleration_structure(content)?;
            unsupported.push(Fault::unsupported(content.at, "acceleration structures are"));
            ResourceKind::AccelerationStructure
        }
        key => match Scalar::from_key(key) {
            Some(scalar) => ResourceKind::Bytes(numbers(scalar, content)?),
            None => return Err(Fault::new(member.key_at, format!("unknown key {key:?}"))),
        },
    };
    Ok(Resource { at: value.at, kind })
}

/// The bytes of a typed array.
pub(super) fn numbers(scalar: Scalar, value: &Value) -> Checked<Vec<u8>> {
    let mut bytes = Vec::new();
    for item in list(value)? {
        scalar.read(item)?.store(&mut bytes);
    }
    Ok(bytes)
}

fn fill(value: &Value) -> Checked<ResourceKind> {
    match list(value)? {
        [number, count] => {
            let number = Scalar::U32.read(number)?;
            Ok(ResourceKind::FillU32 { value: number.bits as u32, count: unsigned(count)? })
        }
        items => Err(Fault::new(value.at, format!("\"fill_u32\" takes [value, count], found {} of them", items.len()))),
    }
}

fn image(value: &Value) -> Checked<ImageSource> {
    let object = Object::new(value, "an image", &["format", "size", "file"])?;
    let formats: Vec<(&str, ImageFormat)> = ImageFormat::ALL.iter().map(|row| (row.1, row.0)).collect();
    let format = object.get("format").map(|value| word(value, &formats)).transpose()?;
    let size = object
        .get("size")
        .map(|value| {
            let size = list(value)?.iter().map(unsigned::<u32>).collect::<Checked<Vec<u32>>>()?;
            match size.len() {
                1..=3 if !size.contains(&0) => Ok(size),
                _ => Err(Fault::new(value.at, "the size of an image is one to three extents, none of them 0")),
            }
        })
        .transpose()?;
    let file = object.get("file").map(string).transpose()?.map(str::to_owned);
    if file.is_none() && (format.is_none() || size.is_none()) {
        return Err(Fault::new(value.at, "an image has a \"format\" and a \"size\", or a \"file\""));
    }
    Ok(ImageSource { format, size, file })
}

fn sampler(value: &Value) -> Checked<ResourceKind> {
    let object = Object::new(value, "a sampler", &["filter", "address"])?;
    let filter = object.get("filter").map_or(Ok(Filter::Linear), |value| word(value, FILTERS))?;
    let address = object.get("address").map_or(Ok(AddressMode::Clamp), |value| word(value, ADDRESS_MODES))?;
    Ok(ResourceKind::Sampler { filter, address })
}

fn acceleration_structure(value: &Value) -> Checked<()> {
    let object = Object::new(value, "an acceleration structure", &["triangles", "instances"])?;
    if let Some(triangles) = object.get("triangles") {
        string(triangles)?;
    }
    for instance in object.get("instances").map_or(Ok(&[][..]), list)? {
        let instance = Object::new(instance, "an instance", &["transform"])?;
        let Some(transform) = instance.get("transform") else { continue };
        let rows = numbers(Scalar::F32, transform)?;
        if rows.len() != 48 {
            return Err(Fault::new(transform.at, "a transform has 12 numbers: three rows of four"));
        }
    }
    Ok(())
}
