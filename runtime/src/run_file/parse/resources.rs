//! `resources`, the heaps and local root arguments.

use super::super::error::{Checked, Fault};
use super::super::model::{
    DescriptorTables, HeapContents, HeapElement, ImageSource, LocalRootRecord, Named, Resource, ResourceKind,
};
use super::values::{Object, list, named, string, unsigned, word};
use crate::device::{AddressMode, CompareOp, Filter, ImageFormat, SamplerDesc};
use crate::numbers::Scalar;
use wgc_json::{Member, Value, ValueKind};

const OTHER_KEYS: &[&str] =
    &["zero_bytes", "fill_u32", "file", "structs", "fields", "image", "sampler", "acceleration_structure"];

const FILTERS: &[(&str, Filter)] = &[("nearest", Filter::Nearest), ("linear", Filter::Linear)];
const ADDRESS_MODES: &[(&str, AddressMode)] = &[
    ("wrap", AddressMode::Wrap),
    ("mirror", AddressMode::Mirror),
    ("mirror_once", AddressMode::MirrorOnce),
    ("clamp", AddressMode::Clamp),
    ("border", AddressMode::Border),
];

const BORDERS: &[(&str, [bool; 4])] =
    &[("transparent", [false; 4]), ("black", [false, false, false, true]), ("white", [true; 4])];
const COMPARISONS: &[(&str, CompareOp)] = &[
    ("never", CompareOp::Never),
    ("less", CompareOp::Less),
    ("equal", CompareOp::Equal),
    ("less_equal", CompareOp::LessEqual),
    ("greater", CompareOp::Greater),
    ("not_equal", CompareOp::NotEqual),
    ("greater_equal", CompareOp::GreaterEqual),
    ("always", CompareOp::Always),
];

pub(super) fn resources(value: &Value) -> Checked<Vec<Named<Resource>>> {
    named(value)?
        .into_iter()
        .map(|member| Ok(Named { value: slot(member.value)?, name: member.name, at: member.at }))
        .collect()
}

pub(super) fn heap(value: &Value) -> Checked<HeapContents> {
    let elements = list(value)?.iter().map(heap_element).collect::<Checked<_>>()?;
    Ok(HeapContents { at: value.at, elements })
}

fn heap_element(value: &Value) -> Checked<Option<HeapElement>> {
    if value.kind == ValueKind::Null {
        return Ok(None);
    }
    let contents = content_keys();
    let keys: Vec<&str> = contents.iter().copied().chain(["as"]).collect();
    let object = Object::new(value, "an element of a heap", &keys)?;
    let seen_as = object.get("as").map(string).transpose()?.map(str::to_owned);
    let member = object.only("an element of a heap", &contents)?;
    Ok(Some(HeapElement { seen_as, resource: Resource { at: value.at, kind: content(member)? } }))
}

pub(super) fn local_root_arguments(value: &Value) -> Checked<Vec<LocalRootRecord>> {
    list(value)?.iter().map(local_root_record).collect()
}

fn local_root_record(value: &Value) -> Checked<LocalRootRecord> {
    let keys = ["table_index", "fields", "resources", "tables"];
    let object = Object::new(value, "an entry of the local root table", &keys)?;
    let Some(index) = object.get("table_index") else {
        return Err(Fault::new(value.at, "an entry of the local root table needs a \"table_index\""));
    };
    let fields = object.get("fields");
    if let Some(fields) = fields {
        named(fields)?;
    }
    Ok(LocalRootRecord {
        at: value.at,
        index: unsigned(index)?,
        index_at: index.at,
        fields: fields.cloned(),
        resources: object.get("resources").map_or(Ok(Vec::new()), resources)?,
        tables: object.get("tables").map(descriptor_tables).transpose()?,
    })
}

fn descriptor_tables(value: &Value) -> Checked<DescriptorTables> {
    let first = |value: &Value| if value.kind == ValueKind::Null { Ok(None) } else { unsigned(value).map(Some) };
    Ok(DescriptorTables { at: value.at, first: list(value)?.iter().map(first).collect::<Checked<_>>()? })
}

/// Reads a resource or an array of them.
fn slot(value: &Value) -> Checked<Resource> {
    match &value.kind {
        ValueKind::Array(items) => {
            let elements = items.iter().map(resource).collect::<Checked<_>>()?;
            Ok(Resource { at: value.at, kind: ResourceKind::Array(elements) })
        }
        _ => resource(value),
    }
}

fn resource(value: &Value) -> Checked<Resource> {
    let keys = content_keys();
    let object = Object::new(value, "a resource", &keys)?;
    Ok(Resource { at: value.at, kind: content(object.only("a resource", &keys)?)? })
}

fn content_keys() -> Vec<&'static str> {
    Scalar::KEYS.iter().map(|k| k.0).chain(OTHER_KEYS.iter().copied()).collect()
}

/// Returns the contents that one member gives to a resource.
fn content(member: &Member) -> Checked<ResourceKind> {
    let content = &member.value;
    Ok(match member.key.as_str() {
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
        "acceleration_structure" => ResourceKind::Scene(super::scene::scene(content)?),
        key => match Scalar::from_key(key) {
            Some(scalar) => ResourceKind::Bytes(numbers(scalar, content)?),
            None => return Err(Fault::new(member.key_at, format!("unknown key {key:?}"))),
        },
    })
}

/// Returns the bytes of a typed array.
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
        items => {
            Err(Fault::new(value.at, format!("\"fill_u32\" needs [value, count], found {} elements", items.len())))
        }
    }
}

fn image(value: &Value) -> Checked<ImageSource> {
    let mut keys = vec!["format", "size", "layers", "levels", "samples", "file"];
    keys.extend(Scalar::KEYS.iter().map(|key| key.0));
    let object = Object::new(value, "an image", &keys)?;
    let formats: Vec<(&str, ImageFormat)> = ImageFormat::ALL.iter().map(|row| (row.1, row.0)).collect();
    let format = object.get("format").map(|value| word(value, &formats)).transpose()?;
    let size = object
        .get("size")
        .map(|value| {
            let size = list(value)?.iter().map(unsigned::<u32>).collect::<Checked<Vec<u32>>>()?;
            match size.len() {
                1..=3 if !size.contains(&0) => Ok(size),
                _ => Err(Fault::new(value.at, "the size of an image must be one to three extents, none of them 0")),
            }
        })
        .transpose()?;
    let count = |key: &str| object.get(key).map(unsigned::<u32>).transpose();
    let (layers, levels, samples) = (count("layers")?, count("levels")?, count("samples")?);
    let file = object.get("file").map(string).transpose()?.map(str::to_owned);
    let mut texels = None;
    for (key, _) in Scalar::KEYS {
        let (Some(content), Some(scalar)) = (object.get(key), Scalar::from_key(key)) else { continue };
        if texels.replace(numbers(scalar, content)?).is_some() || file.is_some() {
            return Err(Fault::new(content.at, "an image can have only one source of texels"));
        }
    }
    if file.is_none() && (format.is_none() || size.is_none()) {
        return Err(Fault::new(value.at, "an image needs a \"format\" and a \"size\", or a \"file\""));
    }
    Ok(ImageSource { format, size, layers, levels, samples, file, texels })
}

const SAMPLER_KEYS: &[&str] =
    &["filter", "magnify", "minify", "mips", "address", "border", "compare", "bias", "min_level", "max_level"];

fn sampler(value: &Value) -> Checked<ResourceKind> {
    let object = Object::new(value, "a sampler", SAMPLER_KEYS)?;
    let filter = object.get("filter").map_or(Ok(Filter::Linear), |value| word(value, FILTERS))?;
    let filter_of = |key: &str| object.get(key).map_or(Ok(filter), |value| word(value, FILTERS));
    let address = match object.get("address") {
        None => [AddressMode::Clamp; 3],
        Some(value) => match &value.kind {
            ValueKind::Array(items) => match items.as_slice() {
                [x, y, z] => [word(x, ADDRESS_MODES)?, word(y, ADDRESS_MODES)?, word(z, ADDRESS_MODES)?],
                _ => {
                    return Err(Fault::new(
                        value.at,
                        "address modes must be one for all axes, or one for each of three axes",
                    ));
                }
            },
            _ => [word(value, ADDRESS_MODES)?; 3],
        },
    };
    let float = |key: &str, otherwise: f32| match object.get(key) {
        None => Ok(otherwise),
        Some(value) => Scalar::F32.read(value).map(|number| f32::from_bits(number.bits as u32)),
    };
    let plain = SamplerDesc::default();
    Ok(ResourceKind::Sampler(SamplerDesc {
        magnify: filter_of("magnify")?,
        minify: filter_of("minify")?,
        mips: filter_of("mips")?,
        address,
        border: object.get("border").map_or(Ok(plain.border), |value| word(value, BORDERS))?,
        compare: object.get("compare").map(|value| word(value, COMPARISONS)).transpose()?,
        bias: float("bias", plain.bias)?,
        min_lod: float("min_level", plain.min_lod)?,
        max_lod: float("max_level", plain.max_lod)?,
    }))
}
